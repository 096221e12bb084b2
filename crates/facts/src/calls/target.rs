//! What a watched selector is, among the things of the program: a symbol, or a member of one.

use super::join::{Join, Meaning, Of, Thing};
use super::{SweepProblem, Watch};
use crate::program::{Program, Scope, ScopeError};
use factgate_record::RepoPath;
use factgate_syntax::links::{Denotes, Links, Means};
use factgate_syntax::source::Selection;
use factgate_syntax::{Selector, Span};
use std::collections::BTreeSet;

/// A watched definition.
pub(super) struct Target {
    pub(super) file: RepoPath,
    /// The item's own last name: what a mention of it looks like before any renaming.
    pub(super) word: String,
    /// Where the item stands: uses inside it of its own name are sites like any other.
    pub(super) span: Span,
    /// The dotted name's parts, without the words `get`, `set` and `static`.
    parts: Vec<String>,
    is_static: bool,
}

impl Target {
    /// Finds the definition that a watch names.
    pub(super) fn find(program: &Program<'_>, watch: &Watch, selector: &Selector) -> Result<Target, SweepProblem> {
        let found = match program.scope(selector) {
            Err(ScopeError::Ambiguous { .. }) => program.callable(selector),
            other => other,
        };
        let scope = found.map_err(|error| problem(program, watch, selector, &error))?;
        let whole = selector.name().filter(|name| !matches!(scope.source.select(name), Selection::None(_)));
        let Some(name) = whole else {
            return Err(SweepProblem {
                code: "selector",
                message: format!("`{selector}` is watched, and only a named function can be: PATH#NAME"),
                file: scope.file,
                key: Some(watch.key.clone()),
                at: None,
            });
        };
        Ok(Target::named(scope, &name))
    }

    fn named(scope: Scope, name: &str) -> Target {
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
        let word = parts.last().cloned().unwrap_or_default();
        Target { file: scope.file, word, span: scope.span, parts, is_static }
    }

    /// Everything in the program that is this definition.
    pub(super) fn things(&self, join: &Join<'_>) -> BTreeSet<Thing> {
        let mut things = BTreeSet::new();
        let Some(links) = join.links(&self.file) else { return things };
        if self.parts == ["default"] {
            things.extend(self.exported(join));
        }
        for (index, symbol) in links.symbols.iter().enumerate() {
            let path = &self.parts[1..];
            if symbol.name == self.parts[0] && (path.is_empty() || self.holds(symbol.span, &links)) {
                self.add(join, index, &symbol.means, path, &mut things);
            }
            let inner = symbol.name == self.word && inside(symbol.span, self.span);
            if inner && !path.is_empty() && is_first(&links, index, self.span) {
                self.add(join, index, &symbol.means, &[], &mut things);
            }
        }
        if self.parts.len() == 1 && self.parts[0] != "default" {
            things.retain(|thing| thing.path.is_empty() && self.is_own(thing, &links));
        }
        things
    }

    /// Of several symbols of one name (a shadowing local), the item's own is the one that it declares.
    fn is_own(&self, thing: &Thing, links: &Links) -> bool {
        thing.file != self.file || inside(links.symbols[thing.symbol].span, self.span)
    }

    fn holds(&self, symbol: Span, links: &Links) -> bool {
        // The holder stands outside the member: it begins before it, and is the nearest of its name that does.
        let before = |span: Span| span.start <= self.span.start;
        let nearest = links
            .symbols
            .iter()
            .filter(|other| other.name == self.parts[0] && before(other.span))
            .map(|other| other.span.start)
            .max();
        before(symbol) && nearest == Some(symbol.start)
    }

    fn add(&self, join: &Join<'_>, index: usize, means: &Means, path: &[String], things: &mut BTreeSet<Thing>) {
        let of = match means {
            Means::Class(class) if !path.is_empty() && !self.is_static && class.instance.contains(&path[0]) => {
                Of::Instances
            }
            _ => Of::Itself,
        };
        if let Means::Alias(_) = means
            && let Meaning::Thing(mut thing) = join.meaning(&self.file, &Denotes::symbol(index))
        {
            // `const Queue = class { … }`: the class has a symbol of its own.
            thing.path.extend(path.iter().cloned());
            let links = join.links(&thing.file);
            let class = links.as_ref().and_then(|links| links.symbols.get(thing.symbol)).map(|symbol| &symbol.means);
            if let (Some(Means::Class(class)), Some(first), false) = (class, path.first(), self.is_static)
                && class.instance.contains(first)
            {
                thing.of = Of::Instances;
            }
            things.insert(thing);
        }
        things.insert(Thing { file: self.file.clone(), symbol: index, path: path.to_vec(), of });
    }

    fn exported(&self, join: &Join<'_>) -> Option<Thing> {
        let links = join.links(&self.file)?;
        match join.meaning(&self.file, links.exports.get("default")?) {
            Meaning::Thing(thing) => Some(thing),
            _ => None,
        }
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

fn inside(inner: Span, outer: Span) -> bool {
    outer.contains(inner)
}

/// Whether no other symbol of the same name begins earlier inside the item: the item's own name comes first.
fn is_first(links: &Links, index: usize, span: Span) -> bool {
    let own = &links.symbols[index];
    !links
        .symbols
        .iter()
        .any(|other| other.name == own.name && inside(other.span, span) && other.span.start < own.span.start)
}

fn problem(program: &Program<'_>, watch: &Watch, selector: &Selector, error: &ScopeError) -> SweepProblem {
    let file = program.file_of(selector).unwrap_or_default();
    let message = format!("the calls of `{}` cannot be found: {error}", watch.key);
    SweepProblem { code: error.code(), message, file, key: Some(watch.key.clone()), at: error.place().cloned() }
}
