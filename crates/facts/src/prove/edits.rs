//! The edits: what is taken away, turned round, moved or put between.

use crate::guard::{Between, Examined, GuardSpec};
use crate::pattern::{Env, Pattern};
use factgate_syntax::{NodeId, Span};

/// A name that no program has: what stands there afterwards means nothing.
const NOTHING: &str = "factgate";

/// A change of one file's text.
pub(super) struct Edit {
    /// In words.
    pub(super) words: String,
    /// The byte offset to show for it.
    pub(super) at: u32,
    changes: Vec<(Span, String)>,
    /// What to do where the changes give no code; empty when there is nothing else to do.
    otherwise: Vec<(Span, String)>,
}

impl Edit {
    /// Where code behind the changes stands in the edited text.
    pub(super) fn moved(&self, start: u32) -> u32 {
        let before = self.changes.iter().filter(|(span, _)| span.end <= start);
        before.fold(start, |start, (span, new)| start + new.len() as u32 - (span.end - span.start))
    }

    /// The same edit done in the other way, when there is one.
    pub(super) fn otherwise(&self) -> Option<Edit> {
        let (words, changes) = (self.words.clone(), self.otherwise.clone());
        (!changes.is_empty()).then_some(Edit { words, at: self.at, changes, otherwise: Vec::new() })
    }

    /// The text with the changes made; `None` when two of them overlap.
    pub(super) fn apply(&self, text: &str) -> Option<String> {
        let mut changes: Vec<_> = self.changes.iter().collect();
        changes.sort_by_key(|(span, _)| *span);
        let apart = changes.windows(2).all(|pair| pair[0].0.end <= pair[1].0.start);
        if !apart {
            return None;
        }
        let mut edited = String::with_capacity(text.len() + 64);
        let mut copied = 0;
        for (span, new) in changes {
            edited.push_str(text.get(copied..span.start as usize)?);
            edited.push_str(new);
            copied = span.end as usize;
        }
        edited.push_str(text.get(copied..)?);
        Some(edited)
    }
}

/// Every edit of a scope in which a guard holds.
pub(super) fn edits(examined: &Examined, spec: &GuardSpec) -> Vec<Edit> {
    let maker = Maker { examined };
    let mut all = maker.deletions();
    all.extend(maker.negations());
    all.extend(maker.moves());
    all.extend(maker.interruptions(spec));
    all.extend(maker.forbidden(spec));
    all
}

/// The edit that takes one check away.
pub(super) fn deletion(examined: &Examined, node: NodeId) -> Edit {
    let maker = Maker { examined };
    let truth = examined.checks.get(&node).copied().flatten();
    maker.edit("deleting the check", node, vec![maker.unchecked(node, truth)])
}

/// The checks that have a twin: another check of the same code.
pub(super) fn twins(examined: &Examined) -> Vec<NodeId> {
    let maker = Maker { examined };
    let all = || examined.checks.keys().copied();
    let has_twin = |&node: &NodeId| all().any(|other| other != node && maker.text(other) == maker.text(node));
    all().filter(has_twin).collect()
}

struct Maker<'e> {
    examined: &'e Examined,
}

impl Maker<'_> {
    fn text(&self, node: NodeId) -> &str {
        let scope = &self.examined.scope;
        scope.source.text().get(scope.tree.span(node).range()).unwrap_or("")
    }

    fn span(&self, node: NodeId) -> Span {
        self.examined.scope.tree.span(node)
    }

    fn edit(&self, what: &str, node: NodeId, changes: Vec<(Span, String)>) -> Edit {
        let code = crate::guard::quote(&self.examined.scope, node);
        Edit { words: format!("{what} {code}"), at: self.span(node).start, changes, otherwise: Vec::new() }
    }

    /// A check without its answer: the constant that lets the effect happen, or a comparison with nothing.
    fn unchecked(&self, node: NodeId, truth: Option<bool>) -> (Span, String) {
        (self.span(node), truth.map_or_else(|| NOTHING.to_owned(), |truth| truth.to_string()))
    }

    fn deletions(&self) -> Vec<Edit> {
        let examined = self.examined;
        let checks = examined.checks.iter().map(|(&node, &truth)| ("the check", node, self.unchecked(node, truth)));
        let gone = |what: &'static str, nodes: &std::collections::BTreeSet<NodeId>| {
            nodes.iter().map(|&node| (what, node, (self.span(node), NOTHING.to_owned()))).collect::<Vec<_>>()
        };
        let mut single: Vec<_> = checks.collect();
        single.extend(gone("the passed node", &examined.afters));
        single.extend(gone("the following node", &examined.thens));
        let mut all: Vec<Edit> = single
            .iter()
            .map(|(what, node, change)| self.edit(&format!("deleting {what}"), *node, vec![change.clone()]))
            .collect();
        if single.len() > 1 {
            let changes = single.iter().map(|(_, _, change)| change.clone()).collect();
            let mut together = self.edit("deleting all that shows the guard, first", single[0].1, changes);
            together.changes = outermost(together.changes);
            all.push(together);
        }
        if let Some(&first) = examined.matches.first() {
            let without =
                |new: &str| outermost(examined.matches.iter().map(|&node| (self.span(node), new.to_owned())).collect());
            let mut edit = self.edit("deleting every match, first", first, without(NOTHING));
            // What is no expression cannot become a name: it is taken out.
            edit.otherwise = without("");
            all.push(edit);
        }
        all
    }

    fn negations(&self) -> Vec<Edit> {
        let with_truth = self.examined.checks.iter().filter(|(_, truth)| truth.is_some());
        let negated = |(&node, _): (&NodeId, _)| {
            let scope = &self.examined.scope;
            let change = match scope.source.language().rules().kinds().negated(&scope.tree, node) {
                Some((token, other)) => (self.span(token), other.to_owned()),
                None => (self.span(node), format!("!({})", self.text(node))),
            };
            self.edit("negating the check", node, vec![change])
        };
        with_truth.map(negated).collect()
    }

    /// The statement of a check (or passed node) behind the statement of the effect that it stands before.
    fn moves(&self) -> Vec<Edit> {
        let examined = self.examined;
        let mut all = Vec::new();
        for &node in examined.checks.keys().chain(&examined.afters) {
            let Some(&effect) = examined.effects.iter().find(|&&effect| effect > node) else { continue };
            let Some((own, other)) = self.apart(node, effect) else { continue };
            let end = self.behind(other);
            let moved = format!("\n{}", self.with_end(own));
            let out = Span { start: self.span(own).start, end: self.behind(own) };
            let changes = vec![(out, String::new()), (Span { start: end, end }, moved)];
            all.push(self.edit("moving behind the effect the statement of", node, changes));
        }
        all
    }

    /// The two siblings in one block that hold the two nodes.
    fn apart(&self, node: NodeId, effect: NodeId) -> Option<(NodeId, NodeId)> {
        let tree = &self.examined.scope.tree;
        let common = tree.ancestors(node).find(|&above| tree.is_within(effect, above))?;
        // Inside a block of its own, what would be moved is more than the node's statement.
        let own_block = |above: NodeId| above > common && tree.kind(above).contains("block");
        if !tree.kind(common).contains("block") || tree.ancestors(node).any(own_block) {
            return None;
        }
        let below = |inner: NodeId| tree.children(common).find(|&child| tree.is_within(inner, child));
        Some((below(node)?, below(effect)?))
    }

    /// The end of a statement with the `;` behind it.
    fn behind(&self, statement: NodeId) -> u32 {
        let end = self.span(statement).end;
        let rest = self.examined.scope.source.text().get(end as usize..).unwrap_or("");
        if rest.starts_with(';') { end + 1 } else { end }
    }

    fn with_end(&self, statement: NodeId) -> &str {
        let span = Span { start: self.span(statement).start, end: self.behind(statement) };
        self.examined.scope.source.text().get(span.range()).unwrap_or("")
    }

    /// What `without` names, put right before an effect.
    fn interruptions(&self, spec: &GuardSpec) -> Vec<Edit> {
        let all = std::iter::once(&spec.keys).chain(&spec.any).flat_map(|keys| &keys.without);
        // Before an effect that holds its own check or `after` node, it would stand before both.
        let tree = &self.examined.scope.tree;
        let shown = || self.examined.checks.keys().chain(&self.examined.afters);
        let is_apart = |effect: &&NodeId| !shown().any(|&node| tree.is_within(node, **effect));
        let mut edits = Vec::new();
        for between in all {
            for &effect in self.examined.effects.iter().filter(is_apart) {
                let (code, words) = match between {
                    Between::Suspension => ("await 0".to_owned(), "putting an `await` before".to_owned()),
                    Between::Pattern(pattern) => {
                        let Some(code) = self.between(spec, pattern, effect) else { continue };
                        let words = format!("putting `{code}` before");
                        (code, words)
                    }
                };
                let change = (self.span(effect), format!("({code}, {})", self.text(effect)));
                edits.push(self.edit(&words, effect, vec![change]));
            }
        }
        edits
    }

    /// Code that a pattern of `without` matches, about what the effect is about. `None` where a metavariable is shared
    /// with other patterns and the effect does not say what it is.
    fn between(&self, spec: &GuardSpec, pattern: &Pattern, effect: NodeId) -> Option<String> {
        let tree = &self.examined.scope.tree;
        let env = Env::with(spec.matching.clone());
        let found = spec.effect.iter().flat_map(|pattern| pattern.find_all(tree, effect, &env));
        let found: Vec<_> = found.filter(|found| found.node == effect).map(|found| found.env).collect();
        let of_effect = |name: &str| {
            let bound = found.iter().find_map(|env| env.get(name))?;
            if let [only] = bound.nodes[..] { Some(self.text(only).to_owned()) } else { None }
        };
        let tables = || std::iter::once(&spec.keys).chain(&spec.any);
        let others = tables().flat_map(|keys| [&keys.only_if, &keys.skip_if, &keys.since, &keys.after, &keys.then]);
        let shared: Vec<&str> = others.flatten().chain(&spec.effect).flat_map(|pattern| pattern.names()).collect();
        if pattern.names().into_iter().any(|name| shared.contains(&name) && of_effect(name).is_none()) {
            return None;
        }
        instance(pattern, &of_effect)
    }

    /// What `never` names, put into the scope.
    fn forbidden(&self, spec: &GuardSpec) -> Vec<Edit> {
        let Some(at) = self.start() else { return Vec::new() };
        // A name that `matching` asks for is not made up here.
        let is_free = |pattern: &&Pattern| !spec.matching.names().any(|name| pattern.names().contains(name));
        let edit = |pattern: &Pattern| {
            let code = instance(pattern, &|_| None)?;
            let words = format!("putting the forbidden `{code}` first");
            let change = |end: &str| vec![(Span { start: at, end: at }, format!(" {code}{end} "))];
            Some(Edit { words, at, changes: change(";"), otherwise: change("") })
        };
        spec.never.iter().filter(is_free).filter_map(edit).collect()
    }

    /// Where the first statement of the scope's body stands.
    fn start(&self) -> Option<u32> {
        let scope = &self.examined.scope;
        let is_body = |&node: &NodeId| scope.tree.kind(node).contains("block") && self.text(node).starts_with('{');
        let body = scope.tree.subtree(NodeId::ROOT).find(is_body);
        let is_file = || !scope.name.contains('#');
        body.map(|body| self.span(body).start + 1).or_else(|| is_file().then_some(scope.span.start))
    }
}

/// Code that a pattern matches: nothing for `$$$`, for `$NAME` what it is known to be, or a name.
fn instance(pattern: &Pattern, known: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let mut code = String::new();
    let mut rest = pattern.text().code();
    while let Some(at) = rest.find('$') {
        code.push_str(&rest[..at]);
        let many = rest[at..].starts_with("$$$");
        let name = rest[at..].trim_start_matches('$');
        let end = name.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(name.len());
        if !many {
            code.push_str(&known(&name[..end]).unwrap_or_else(|| NOTHING.to_owned()));
        }
        rest = &name[end..];
    }
    code.push_str(rest);
    (!code.trim().is_empty()).then_some(code)
}

/// Changes without those inside another.
fn outermost(mut changes: Vec<(Span, String)>) -> Vec<(Span, String)> {
    changes.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
    let mut kept: Vec<(Span, String)> = Vec::new();
    for change in changes {
        if kept.last().is_none_or(|last| last.0.end <= change.0.start) {
            kept.push(change);
        }
    }
    kept
}
