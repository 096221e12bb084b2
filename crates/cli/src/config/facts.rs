//! Guards, sets and values of a model's pattern files: each name once, each table with keys that make sense together.

use crate::config::build::Builder;
use crate::config::document::Document;
use crate::config::fact_tables::{GuardTable, PatternFile};
use crate::config::model::{AnyFact, FactTable, Origin};
use crate::config::reserved;
use crate::config::spanned::At;
use crate::finding::Finding;
use factgate_record::RepoPath;
use std::collections::BTreeMap;

/// Where pattern files are looked for when a model does not say.
const DEFAULT: &str = "patterns/*.toml";

/// Every fact of the model, by name.
pub(super) fn load(
    builder: &mut Builder<'_>,
    folder: &RepoPath,
    root: &RepoPath,
    globs: Option<&[At<String>]>,
) -> BTreeMap<String, FactTable> {
    let default = [At { value: DEFAULT.to_owned(), span: 0..0 }];
    let paths = builder.globs(folder, globs.unwrap_or(&default));
    if let (true, Some([first, ..])) = (paths.is_empty(), globs) {
        builder.say(format!("`{}` names no pattern file", first.value), first.span.clone());
    }
    let mut facts = BTreeMap::new();
    for path in paths.iter() {
        let read = document(builder, path).and_then(|document| Ok((document.read::<PatternFile>()?, document)));
        match read {
            Ok((tables, document)) => file(builder, root, &document, tables, &mut facts),
            Err(found) => builder.found.extend(found),
        }
    }
    facts
}

fn document(builder: &Builder<'_>, path: &RepoPath) -> Result<Document, Vec<Finding>> {
    let bytes = builder.files.read(path).map_err(|error| vec![error.into()])?.unwrap_or_default();
    Document::new(path, &bytes).map_err(|finding| vec![finding])
}

fn file(
    builder: &mut Builder<'_>,
    root: &RepoPath,
    document: &Document,
    tables: PatternFile,
    facts: &mut BTreeMap<String, FactTable>,
) {
    let mut inner = Builder {
        found: std::mem::take(&mut builder.found),
        warnings: std::mem::take(&mut builder.warnings),
        ..Builder::new(document, builder.files, builder.all)
    };
    for (name, guard) in tables.guard {
        inner.guard(root, &name, &guard);
        inner.fact(name, guard.span, AnyFact::Guard(Box::new(guard.value)), facts);
    }
    for (name, set) in tables.set {
        inner.selector(root, &set.value.from);
        inner.fact(name, set.span, AnyFact::Set(set.value), facts);
    }
    for (name, value) in tables.value {
        inner.selector(root, &value.value.from);
        inner.fact(name, value.span, AnyFact::Value(value.value), facts);
    }
    (builder.found, builder.warnings) = (inner.found, inner.warnings);
}

impl Builder<'_> {
    fn fact(
        &mut self,
        name: String,
        span: std::ops::Range<usize>,
        table: AnyFact,
        facts: &mut BTreeMap<String, FactTable>,
    ) {
        let is_name = name.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        if !is_name {
            let message = format!(
                "`{name}` cannot be a model's constant: its name starts with a letter, and has letters, digits and `_`"
            );
            self.say(message, span.clone());
        } else if reserved::is_reserved(&name) {
            let message =
                format!("`{name}` cannot be a model's constant: TLA+ or its configuration files use the word");
            self.say(message, span.clone());
        }
        if let Some(first) = facts.get(&name) {
            let place = first.origin.document.place(first.origin.span.start);
            let message = format!("`{name}` is defined twice: first at {}:{}", place.file, place.line);
            self.say(message, span.clone());
            return;
        }
        let origin = Origin { document: self.document.clone(), span };
        facts.insert(name, FactTable { table, origin });
    }

    /// Keys of a guard that need each other.
    fn guard(&mut self, root: &RepoPath, name: &str, guard: &At<GuardTable>) {
        let table = &guard.value;
        table.within.iter().for_each(|scope| drop(self.selector(root, scope)));
        self.matching(&table.matching);
        let whole = Keys::of(table);
        let is_presence = table.never.is_some() || table.has.is_some();
        let needs_effect = whole.any_condition() || table.any.is_some();
        let mut say = |what: &str| self.say(format!("guard `{name}`: {what}"), guard.span.clone());
        match (&table.effect, needs_effect, is_presence) {
            (None, true, _) => say("`effect` is missing: what is guarded?"),
            (None, false, false) => say("says nothing: give it an `effect` with a condition, `never` or `has`"),
            (Some(_), false, false) => {
                say("`effect` alone says nothing: add `only_if`, `skip_if`, `after`, `then` or `any`");
            }
            (Some(_), false, true) => say("`never` and `has` look at the whole scope and take no `effect`"),
            _ => {}
        }
        let mut alternatives = vec![whole];
        alternatives.extend(table.any.iter().flatten().map(|any| Keys::of_any(&any.value, whole)));
        for keys in alternatives {
            if keys.since && !keys.check {
                say("`since` needs `only_if` or `skip_if`: the check whose age counts");
            }
            if keys.without && !(keys.check || keys.after) {
                say("`without` needs `only_if`, `skip_if` or `after`: where the path starts");
            }
            if keys.on_throw && !keys.then {
                say("`then_on_throw` needs `then`");
            }
        }
        for any in table.any.iter().flatten() {
            if !Keys::of_any(&any.value, Keys::default()).any_condition() {
                self.say(format!("guard `{name}`: an empty table in `any` always holds"), any.span.clone());
            }
        }
    }
}

/// Which keys a table has.
#[derive(Clone, Copy, Default)]
struct Keys {
    check: bool,
    since: bool,
    after: bool,
    then: bool,
    on_throw: bool,
    without: bool,
}

impl Keys {
    fn of(table: &GuardTable) -> Keys {
        Keys {
            check: table.only_if.is_some() || table.skip_if.is_some(),
            since: table.since.is_some(),
            after: table.after.is_some(),
            then: table.then.is_some(),
            on_throw: table.then_on_throw.is_some(),
            without: table.without.is_some(),
        }
    }

    /// An alternative's keys stand beside those of the whole guard.
    fn of_any(table: &crate::config::fact_tables::AnyTable, whole: Keys) -> Keys {
        Keys {
            check: whole.check || table.only_if.is_some() || table.skip_if.is_some(),
            since: table.since.is_some(),
            after: whole.after || table.after.is_some(),
            then: whole.then || table.then.is_some(),
            on_throw: table.then_on_throw.is_some(),
            without: table.without.is_some(),
        }
    }

    fn any_condition(self) -> bool {
        self.check || self.since || self.after || self.then || self.without
    }
}
