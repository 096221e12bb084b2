//! What a watched selector is, among the things of the program: a symbol, or a member of one.

use super::join::{Join, Meaning, Of, STEPS, Thing};
use super::outside::Outside;
use super::{SweepProblem, Watch};
use crate::program::{Program, Scope, ScopeError};
use factgate_record::RepoPath;
use factgate_syntax::links::{Base, Denotes, Links, Means, Reading, Symbol, WHOLE};
use factgate_syntax::selector::Target as Named;
use factgate_syntax::source::Selection;
use factgate_syntax::{ItemKind, Selector, Span, language_for_path};
use std::collections::BTreeSet;

/// A watched definition.
pub(super) struct Target {
    pub(super) file: RepoPath,
    /// The item's own last name: what a mention of it looks like before any renaming.
    pub(super) word: String,
    /// Where the item stands: uses inside it of its own name are sites like any other. Nothing where the grammar could
    /// not read it, and the names of the file alone tell.
    place: Option<Standing>,
    /// The dotted name's parts, without the words `get`, `set` and `static`.
    parts: Vec<String>,
    is_static: bool,
    /// Whether its file stands for a module outside of the repository.
    is_outside: bool,
}

/// Where an item stands, and where its code ends: before a semicolon.
#[derive(Clone, Copy)]
struct Standing {
    span: Span,
    end: u32,
}

/// What a constructor is called as an item.
const CONSTRUCTOR: &str = "constructor";

impl Target {
    /// Finds the definition that a watch names.
    pub(super) fn find(program: &Program<'_>, watch: &Watch, selector: &Selector) -> Result<Target, SweepProblem> {
        let found = match program.scope(selector) {
            Err(ScopeError::Ambiguous { .. }) => program.callable(selector),
            other => other,
        };
        let scope = match found {
            Ok(scope) => scope,
            Err(error) => {
                return Target::unread(program, selector, &error)
                    .ok_or_else(|| problem(program, watch, selector, &error));
            }
        };
        let whole = selector.name().filter(|name| !matches!(scope.source.select(name), Selection::None(_)));
        let wrong = |message: String| SweepProblem {
            code: "selector",
            message,
            file: scope.file.clone(),
            key: Some(watch.key.clone()),
            at: None,
        };
        let Some(name) = whole else {
            return Err(wrong(format!("`{selector}` is watched, and only a named function can be: PATH#NAME")));
        };
        if let Selection::One(item) = scope.source.select(&name)
            && matches!(item.kind, ItemKind::Type | ItemKind::Namespace)
        {
            let kind = item.kind.word();
            return Err(wrong(format!("`{selector}` is watched, and is no function: a {kind} has no call sites")));
        }
        let place = Standing::of(&scope);
        let file = program.files().end_of_link(&scope.file).unwrap_or(scope.file);
        Ok(Target::named(file, &name, Some(place)))
    }

    /// A function outside of the repository, in the file that stands for its module.
    pub(super) fn outside(file: &RepoPath, outside: &Outside) -> Target {
        let parts = outside.name().to_vec();
        let word = parts.last().cloned().unwrap_or_default();
        Target { file: file.clone(), word, place: None, parts, is_static: false, is_outside: true }
    }

    /// The definition where the grammar cannot read it and the reader of links can.
    fn unread(program: &Program<'_>, selector: &Selector, error: &ScopeError) -> Option<Target> {
        let hidden = match error {
            ScopeError::Broken { conflict, .. } => *conflict == crate::program::Conflict::No,
            ScopeError::NoItem { problems, .. } => !problems.is_empty(),
            _ => false,
        };
        let Named::Name(name) = &selector.target else { return None };
        let file = program.file_of(selector).ok().filter(|_| hidden)?;
        let language = language_for_path(file.as_str())?;
        let bytes = program.files().read(&file).ok()??;
        let links = language.links(file.as_str(), std::str::from_utf8(&bytes).ok()?, &|_| false);
        if links.broken.is_some() || links.reading != Reading::Apart {
            return None;
        }
        let target = Target::named(file, name, None);
        let is_found = target.by_name(&links).is_some();
        is_found.then_some(target)
    }

    fn named(file: RepoPath, name: &str, place: Option<Standing>) -> Target {
        let mut is_static = false;
        let parts: Vec<String> = split_name(name)
            .into_iter()
            .map(|part| {
                let bare = part.strip_prefix("static ").inspect(|_| is_static = true).unwrap_or(part);
                // `get phase`, `function drain` beside a type of that name; a quoted name may hold a space.
                let bare = if bare.contains('"') { bare } else { bare.rsplit(' ').next().unwrap_or(bare) };
                bare.to_owned()
            })
            .collect();
        // A constructor is called by its class's name.
        let named = parts.iter().rev().find(|part| *part != CONSTRUCTOR);
        let word = named.cloned().unwrap_or_default();
        Target { file, word, place, parts, is_static, is_outside: false }
    }

    /// Everything in the program that is this definition.
    pub(super) fn things(&self, join: &Join<'_>) -> BTreeSet<Thing> {
        let mut things = BTreeSet::new();
        let Some(links) = join.links(&self.file) else { return things };
        if self.is_outside {
            return self.things_outside(join);
        }
        self.add_exported(join, &links, &mut things);
        match self.place {
            Some(place) => self.add_by_place(join, &links, place, &mut things),
            None => {
                if let Some((index, rest)) = self.by_name(&links) {
                    self.add(join, index, &links, rest, &mut things);
                }
            }
        }
        things
    }

    /// Whether an object of unknown origin may have it as a member. What stands in a namespace outside is none of an object;
    /// names tell which is which: `posix.kill`, `Pool.query`.
    pub(super) fn is_of_objects(&self) -> bool {
        let holder = self.parts.iter().rev().nth(1);
        !self.is_outside || holder.is_some_and(|holder| holder.starts_with(char::is_uppercase))
    }

    /// A member of a class may be the class's own or its instances'.
    fn things_outside(&self, join: &Join<'_>) -> BTreeSet<Thing> {
        if let [only] = self.parts.as_slice()
            && only == "default"
        {
            return join.whole(&self.file).into_iter().collect();
        }
        let found = |path: &[String]| match join.module(&self.file, path, STEPS) {
            Meaning::Thing(thing) => Some(thing),
            Meaning::Unknown(_) | Meaning::Nothing => None,
        };
        let mut things: BTreeSet<Thing> = found(&self.parts).into_iter().collect();
        if let Some((member, [.., _])) = self.parts.split_last()
            && let Some(class) = found(&self.parts[..self.parts.len() - 1])
        {
            let path = class.path.iter().chain([member]).cloned().collect();
            things.insert(Thing { path, of: Of::Instances, ..class });
        }
        things
    }

    /// Makes the symbols that the definition is things of their own, whatever value they are given.
    pub(super) fn settle(&self, join: &mut Join<'_>) {
        let mut words: BTreeSet<String> = self.parts.iter().cloned().collect();
        for thing in self.things(join).into_iter().filter(|thing| thing.file == self.file) {
            join.learn_bases(&thing);
            if thing.of == Of::Itself {
                join.settle(&thing.file, thing.symbol);
            }
            // The name inside: `const run = function again() { again(); }`.
            let links = join.links(&thing.file);
            words.extend(links.and_then(|links| Some(links.symbols.get(thing.symbol)?.name.clone())));
        }
        join.learn_own(&self.file, words);
    }

    /// `default`, and what CommonJS code assigns: `exports.f`, `module.exports.f`.
    fn add_exported(&self, join: &Join<'_>, links: &Links, things: &mut BTreeSet<Thing>) {
        let parts: Vec<&str> = self.parts.iter().map(String::as_str).collect();
        let (name, rest) = match parts[..] {
            ["default", ..] => ("default", 1),
            ["exports", name, ..] => (name, 2),
            ["module", "exports", name, ..] if links.exports.contains_key(name) => (name, 3),
            ["module", "exports", ..] => (WHOLE, 2),
            _ => return,
        };
        let rest = &self.parts[rest..];
        match links.exports.get(name).map(|what| (&what.base, join.meaning(&self.file, what))) {
            Some((_, Meaning::Thing(thing))) => {
                things.insert(self.member(join, thing, rest));
            }
            Some((&Base::Symbol(index), _)) if rest.is_empty() => {
                things.insert(Thing::symbol(&self.file, index));
            }
            _ => {}
        }
    }

    /// The symbols that the item declares, and the member that it is of what stands around it.
    fn add_by_place(&self, join: &Join<'_>, links: &Links, place: Standing, things: &mut BTreeSet<Thing>) {
        let named = |name: &str| {
            let name = name.to_owned();
            links.symbols.iter().enumerate().filter(move |(_, symbol)| symbol.name == name)
        };
        let inside = |symbol: &Symbol| place.span.contains(symbol.span);
        for (index, symbol) in named(&self.word) {
            if inside(symbol) && symbol.whole.end >= place.end {
                self.add(join, index, links, &[], things);
            }
        }
        for (number, name) in self.parts.iter().enumerate().rev().skip(1) {
            let around = named(name).filter(|(_, symbol)| symbol.whole.contains(place.span) && !inside(symbol));
            if let Some((index, _)) = around.min_by_key(|(_, symbol)| symbol.whole.end - symbol.whole.start) {
                self.add(join, index, links, &self.parts[number + 1..], things);
                return;
            }
        }
        if !things.is_empty() {
            return;
        }
        // A name in a pattern, or a property that is assigned to what is declared elsewhere.
        if let Some((index, _)) =
            named(&self.word).filter(|(_, symbol)| inside(symbol)).min_by_key(|(_, one)| one.span.start)
        {
            self.add(join, index, links, &[], things);
        } else if let Some((index, _)) =
            named(&self.parts[0]).max_by_key(|(_, symbol)| (symbol.span.start <= place.span.start, symbol.span.start))
        {
            self.add(join, index, links, &self.parts[1..], things);
        }
    }

    /// The symbol that the name's parts lead to in a file's own names, and the members behind it.
    fn by_name(&self, links: &Links) -> Option<(usize, &[String])> {
        let size = |symbol: &Symbol| symbol.whole.end - symbol.whole.start;
        let mut found: Option<(usize, &[String])> = None;
        for (number, part) in self.parts.iter().enumerate() {
            let around = found.map(|(index, _)| links.symbols[index].whole);
            let named = links.symbols.iter().enumerate().filter(|(_, symbol)| {
                symbol.name == *part
                    && around.is_none_or(|around| around != symbol.whole && around.contains(symbol.whole))
            });
            match named.max_by_key(|(_, symbol)| size(symbol)) {
                Some((index, _)) => found = Some((index, &self.parts[number + 1..])),
                None => break,
            }
        }
        let (index, rest) = found?;
        match (&links.symbols[index].means, rest) {
            (_, []) => Some((index, rest)),
            (Means::Class(class), [member, ..]) => {
                let has = class.instance.contains(member) || class.statics.contains(member);
                has.then_some((index, rest))
            }
            _ => None,
        }
    }

    fn add(&self, join: &Join<'_>, index: usize, links: &Links, path: &[String], things: &mut BTreeSet<Thing>) {
        let path = path.strip_prefix(&[CONSTRUCTOR.to_owned()]).unwrap_or(path);
        let what = Denotes::symbol(index);
        if let Means::Alias(_) = links.symbols[index].means
            && let Meaning::Thing(thing) = join.meaning(&self.file, &what)
        {
            if !thing.is_module() {
                // `const Queue = class { … }`: the class has a symbol of its own.
                things.insert(self.member(join, thing, path));
            } else if let Meaning::Thing(thing) = join.meaning(&self.file, &what.longer(path)) {
                things.insert(thing);
            }
        }
        let own = self.member(join, Thing::symbol(&self.file, index), path);
        things.extend(self.inner(links, &own));
        things.insert(own);
    }

    /// The function itself where a property holds one that has a name: `{ run: function again() { again(); } }`.
    fn inner(&self, links: &Links, own: &Thing) -> Option<Thing> {
        let (Means::Class(class), [member]) = (&links.symbols.get(own.symbol)?.means, own.path.as_slice()) else {
            return None;
        };
        let fields = if own.of == Of::Instances { &class.fields } else { &class.static_fields };
        let Means::Alias(Denotes { base: Base::Symbol(index), path }) = fields.get(member)? else { return None };
        let inside = self.place?.span.contains(links.symbols.get(*index)?.whole);
        (inside && path.is_empty()).then(|| Thing::symbol(&self.file, *index))
    }

    /// A member of a thing: of its instances when it is a class that says so.
    fn member(&self, join: &Join<'_>, mut thing: Thing, path: &[String]) -> Thing {
        let links = join.links(&thing.file);
        let class = links.as_ref().and_then(|links| links.symbols.get(thing.symbol)).map(|symbol| &symbol.means);
        match path {
            [first, rest @ ..] if ["prototype", "this"].contains(&first.as_str()) && !rest.is_empty() => {
                thing.path.extend(rest.iter().cloned());
                return Thing { of: Of::Instances, ..thing };
            }
            [first, ..] if !self.is_static && thing.path.is_empty() => {
                if matches!(class, Some(Means::Class(class)) if class.instance.contains(first)) {
                    thing.of = Of::Instances;
                }
            }
            _ => {}
        }
        thing.path.extend(path.iter().cloned());
        thing
    }

    /// What there is to say when a definition is none of the things that are followed, or none that can be called.
    pub(super) fn lost(&self, watch: &Watch, join: &Join<'_>) -> Option<SweepProblem> {
        let things = self.things(join);
        if things.iter().any(|thing| join.can_be_called(thing)) {
            return None;
        }
        let why = match things.is_empty() {
            true => "no name leads to this definition",
            false => "it is no function, but a value or an accessor",
        };
        let message = format!("the calls of `{}` cannot be found: {why}", watch.key);
        Some(SweepProblem {
            code: "selector",
            message,
            file: self.file.clone(),
            key: Some(watch.key.clone()),
            at: None,
        })
    }
}

impl Join<'_> {
    /// Whether calls of a thing are its uses: not of a constant, nor of a getter.
    fn can_be_called(&self, thing: &Thing) -> bool {
        let Some(links) = self.links(&thing.file) else { return false };
        let Some(symbol) = links.symbols.get(thing.symbol) else { return true };
        match (&symbol.means, &thing.path[..]) {
            (Means::Foreign, _) => false,
            (Means::Class(class), [member]) => {
                let fields = if thing.of == Of::Instances { &class.fields } else { &class.static_fields };
                !class.uncalled.contains(member) && !matches!(fields.get(member), Some(Means::Foreign))
            }
            _ => true,
        }
    }
}

impl Standing {
    fn of(scope: &Scope) -> Standing {
        let text = scope.source.text().get(scope.span.range()).unwrap_or("");
        let code = text.trim_end_matches(|letter: char| letter == ';' || letter.is_whitespace());
        let end = scope.span.end.saturating_sub(u32::try_from(text.len() - code.len()).unwrap_or(0));
        Standing { span: scope.span, end }
    }
}

/// The parts of a dotted name; a dot inside quotes belongs to its part.
fn split_name(name: &str) -> Vec<&str> {
    let mut quoted = false;
    name.split(|letter: char| {
        quoted ^= letter == '"';
        letter == '.' && !quoted
    })
    .collect()
}

fn problem(program: &Program<'_>, watch: &Watch, selector: &Selector, error: &ScopeError) -> SweepProblem {
    let file = program.file_of(selector).unwrap_or_default();
    let message = format!("the calls of `{}` cannot be found: {error}", watch.key);
    SweepProblem { code: error.code(), message, file, key: Some(watch.key.clone()), at: error.place().cloned() }
}
