//! What may have been meant where a pattern matches nothing, or a check is not where the guard looks for it.

use super::explain::at;
use super::spec::Through;
use super::verdict::Analysis;
use super::witness::Witness;
use crate::pattern::{Env, Pattern};
use crate::program::Scope;
use factgate_ir::graph::FrameId;
use factgate_ir::{Call, Op, OpRef};
use factgate_record::{Evidence, Role};
use factgate_syntax::NodeId;

/// Something to say behind a sentence, and the place that it names.
pub(super) type Hint = (String, Evidence);

/// What is nearest to patterns of which none matches anything: the same call with or without a receiver, or code that
/// differs in one thing.
pub(super) fn nearest(patterns: &[Pattern], scope: &Scope, within: &[NodeId]) -> Option<Hint> {
    let received = || patterns.iter().find_map(|pattern| with_receiver(pattern, scope, within));
    let near = || {
        let of_one = |pattern: &Pattern| -> Vec<_> {
            within.iter().flat_map(|&root| pattern.near(&scope.tree, root, 1)).collect()
        };
        let near = patterns.iter().flat_map(of_one).find(|near| !near.is_other_value)?;
        let words = format!("{} comes close: {}", at(scope, "", near.node), near.difference);
        Some((words, scope.evidence(Role::NearMiss, near.node)))
    };
    received().or_else(near)
}

/// A call that a pattern would match if it had a receiver, or had none: `dependencies.rm(d)` for `rm($$$)`.
fn with_receiver(pattern: &Pattern, scope: &Scope, within: &[NodeId]) -> Option<Hint> {
    let (other, how) = pattern.with_other_receiver()?;
    let node = within.iter().flat_map(|&root| other.find_all(&scope.tree, root, &Env::new())).next()?.node;
    let words = format!("{} fits {how}: `{}`", at(scope, "", node), other.text().code());
    Some((words, scope.evidence(Role::NearMiss, node)))
}

impl Analysis<'_, '_, '_> {
    /// The keys of a table whose patterns match nothing, by their names in the configuration.
    pub(super) fn unmatched(&self, table: usize) -> Vec<(&'static str, &[Pattern])> {
        let (asked, places) = (&self.query.asked.tables[table], &self.query.places[table]);
        let is_since = !asked.since.is_empty() && places.since.as_ref().is_some_and(Vec::is_empty);
        let is_between = !asked.between.is_empty() && places.between.is_empty() && places.unseen.is_empty();
        let afters = asked.afters.iter().zip(&places.afters).filter(|(_, found)| found.is_empty());
        let thens = asked.thens.iter().zip(&places.thens).filter(|(_, found)| found.is_empty());
        let mut all: Vec<(&'static str, &[Pattern])> = Vec::new();
        all.extend(is_since.then_some(("since", &asked.since[..])));
        all.extend(afters.map(|(patterns, _)| ("after", &patterns[..])));
        all.extend(thens.map(|(then, _)| ("then", &then.patterns[..])));
        all.extend(is_between.then_some(("without", &asked.between[..])));
        all
    }

    /// A call on a path that the condition is handed to, and that is not listed as an assertion.
    pub(super) fn unlisted(&self, witness: &Witness<'_, '_>, patterns: &[Pattern]) -> Option<Hint> {
        let reading = self.query.reading;
        let (scope, tree) = (reading.scope, &reading.scope.tree);
        let holds = |frame: FrameId, call: &Call| {
            call.args.iter().position(|arg| {
                let node = reading.node_of(frame, arg.value);
                patterns.iter().any(|pattern| pattern.is_found(tree, node, &Env::new()))
            })
        };
        let found = |(frame, op, call): (FrameId, &Op, &Call)| {
            let at = holds(frame, call)?;
            let callee = reading.rules.call(tree, op.node)?.callee;
            // What is called with the answer of a plain call (`f(isOk(m))`) says nothing; a name does.
            reading.rules.access(tree, callee)?;
            Some((op.node, at, scope.source.text().get(tree.span(callee).range())?.to_owned()))
        };
        let (node, at_argument, callee) = witness.calls().find_map(found)?;
        let before = "$_, ".repeat(at_argument);
        let words = format!(
            "if {} raises an error unless that holds, list it: `[assertions] calls = [\"{callee}({before}$C, $$$)\"]`",
            at(scope, "", node)
        );
        Some((words, scope.evidence(Role::NearMiss, node)))
    }

    /// A call on a path into whose body the guard does not look, though a match of the failing key stands there.
    pub(super) fn not_looked_into(&self, witness: &Witness<'_, '_>, patterns: &[Pattern]) -> Option<Hint> {
        let reading = self.query.reading;
        if self.query.through == Through::Deep {
            return None;
        }
        let graph = reading.graph();
        let is_effect =
            |frame: FrameId, node: NodeId| self.query.effects.iter().any(|effect| effect.at == (frame, node));
        let holds = |&(frame, op, _): &(FrameId, &Op, &Call)| {
            if is_effect(frame, op.node) {
                return false;
            }
            let unit = graph.unit(frame);
            let called = reading.objects.candidates_of(OpRef { unit, op: op.id });
            called.bodies.iter().any(|&body| {
                let is_put_in = reading.names.frames.iter().any(|&inner| {
                    let known = graph.frame(inner);
                    known.body == body && known.caller == Some((frame, op.id))
                });
                let tree = &reading.names.files.get(body.unit).tree;
                let node = reading.names.sight.unit(body.unit).body(body.body).node;
                !is_put_in && patterns.iter().any(|pattern| pattern.is_found(tree, node, &Env::new()))
            })
        };
        let (_, op, _) = witness.calls().find(holds)?;
        let words = format!("{} is not looked into; `through = true` does", at(reading.scope, "", op.node));
        Some((words, reading.scope.evidence(Role::NearMiss, op.node)))
    }
}

/// `nothing in a.ts#f matches …`, with what is nearest.
pub(super) fn matches_nothing(
    key: &str,
    patterns: &[Pattern],
    scope: &Scope,
    within: &[NodeId],
) -> (String, Vec<Evidence>) {
    let texts: Vec<String> = patterns.iter().map(|pattern| format!("`{}`", pattern.text().code())).collect();
    let mut words = format!("nothing in {} matches {key}{}", scope.name, texts.join(" or "));
    let mut evidence = Vec::new();
    if let Some((near, shown)) = nearest(patterns, scope, within) {
        words.push_str(&format!("; {near}"));
        evidence.push(shown);
    }
    (words, evidence)
}
