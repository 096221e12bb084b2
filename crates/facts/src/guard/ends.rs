//! What each point ends: the variables and property paths that may have another value behind it.
//!
//! That is what an assignment assigns, under every name that it may have, what a function assigns that is made there and may run from then on, and, once
//! there is such a function, what it assigns again at every call and every suspension.

use super::aliases::Aliases;
use super::code::{Base, Code, Target};
use super::runs::Lives;
use crate::graph::{Action, Closure, Graph, PointId};
use factgate_syntax::condition::Condition;
use factgate_syntax::scope::BindingKind;
use factgate_syntax::{NodeId, Scopes};

/// What an assignment ends, and which it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ended {
    /// The assigning node.
    pub(super) node: NodeId,
    pub(super) target: Target,
}

/// What the points of one graph end.
pub(super) struct Ends {
    at: Vec<Vec<Ended>>,
    behind: Vec<Vec<Ended>>,
}

impl Ends {
    pub(super) fn of(scopes: &Scopes, code: &Code, graph: &Graph, lives: &Lives) -> Ends {
        let aliases = Aliases::of(scopes, code, graph, lives);
        let nothing = || vec![Vec::new(); graph.points.len()];
        let mut ends = Ends { at: nothing(), behind: nothing() };
        for id in graph.ids() {
            let ended = &mut ends.at[id.index()];
            if let Action::Write { node, target, .. } = graph.point(id).action {
                ended.extend(assigned(code, &aliases, node, target));
            }
        }
        ends.later(scopes, code, graph, &aliases, lives);
        ends.meanwhile(scopes, code, graph, &aliases, lives);
        ends
    }

    /// What happens at the point ends this.
    pub(super) fn at(&self, id: PointId) -> &[Ended] {
        &self.at[id.index()]
    }

    /// What the point makes known may be ended again by a part of it.
    pub(super) fn behind(&self, id: PointId) -> &[Ended] {
        &self.behind[id.index()]
    }

    /// What functions called later assign of the variables around them: it ends wherever one of them may run.
    fn later(&mut self, scopes: &Scopes, code: &Code, graph: &Graph, aliases: &Aliases, lives: &Lives) {
        let writes: Vec<_> =
            graph.closures.iter().map(|closure| outer_writes(scopes, code, aliases, closure)).collect();
        for (index, runs) in lives.all.iter().enumerate() {
            let mut outer = Vec::new();
            runs.with.iter().for_each(|&with| add(&mut outer, &writes[with]));
            if outer.is_empty() {
                continue;
            }
            let around = lives.around(graph, index);
            for id in graph.ids().filter(|id| around[id.index()]) {
                let action = &graph.point(id).action;
                if *action == Action::Make(index) || runs.may_run(code, graph, id) {
                    add(&mut self.at[id.index()], &outer);
                }
                if decides_several(code, graph, id) && runs.calls.as_ref().is_none_or(|calls| !calls.is_empty()) {
                    add(&mut self.behind[id.index()], &outer);
                }
            }
        }
    }

    /// What the rest of the scope assigns while a function is suspended that nobody waits for.
    fn meanwhile(&mut self, scopes: &Scopes, code: &Code, graph: &Graph, aliases: &Aliases, lives: &Lives) {
        for index in 0..graph.closures.len() {
            let suspensions = lives.suspensions(graph, index);
            if suspensions.is_empty() {
                continue;
            }
            let mut outer = Vec::new();
            for id in lives.meanwhile(code, graph, index) {
                if let Action::Write { node, target, .. } = graph.point(id).action
                    && !makes_anew(scopes, code, target)
                {
                    add(&mut outer, &assigned(code, aliases, node, target));
                }
            }
            suspensions.into_iter().for_each(|id| add(&mut self.at[id.index()], &outer));
        }
    }
}

/// Whether an assignment is a declaration that makes another variable each time it runs: a function made before has
/// the one that was there then.
fn makes_anew(scopes: &Scopes, code: &Code, target: NodeId) -> bool {
    let is_declared = |binding| scopes.get(binding).declared == target;
    code.variable(target).is_some_and(is_declared) && code.rules.is_made_anew(&code.tree, target)
}

fn add(ended: &mut Vec<Ended>, more: &[Ended]) {
    for one in more {
        if !ended.contains(one) {
            ended.push(one.clone());
        }
    }
}

fn assigned(code: &Code, aliases: &Aliases, node: NodeId, target: NodeId) -> Vec<Ended> {
    let mut all: Vec<Target> = code.targets(target).into_iter().flat_map(|target| aliases.all(target)).collect();
    all.extend(aliases.replaced(code, node, target));
    all.into_iter().map(|target| Ended { node, target }).collect()
}

/// What a function assigns of the variables that are not its own, and of what it is handed.
fn outer_writes(scopes: &Scopes, code: &Code, aliases: &Aliases, closure: &Closure) -> Vec<Ended> {
    let is_outer = |ended: &Ended| match &ended.target.base {
        Base::Variable(binding) => !code.tree.is_within(scopes.get(*binding).declared, closure.node),
        Base::Name(_) | Base::Receiver(..) | Base::Anything => true,
    };
    // What a parameter holds is not known: a member of it is that member of anything.
    let of_parameter = |ended: &Ended| match &ended.target.base {
        Base::Variable(binding) if scopes.get(*binding).kind == BindingKind::Parameter => {
            Target::somewhere(&ended.target.path).map(|target| Ended { node: ended.node, target })
        }
        _ => None,
    };
    let kept = |&(node, target): &(NodeId, NodeId)| {
        let all = assigned(code, aliases, node, target);
        let is_member = |ended: &Ended| !ended.target.path.is_empty();
        // Another run of the function has variables of its own, but one of this run may hold the same object.
        let of_outer = all.iter().any(|ended| is_member(ended) && is_outer(ended));
        let stays = move |ended: &Ended| is_outer(ended) || of_outer && is_member(ended);
        all.into_iter().filter_map(|ended| if stays(&ended) { Some(ended) } else { of_parameter(&ended) }).collect()
    };
    closure.writes.iter().flat_map(|write| -> Vec<Ended> { kept(write) }).collect()
}

/// Whether a point makes known what several operands said, one after the other.
fn decides_several(code: &Code, graph: &Graph, id: PointId) -> bool {
    match graph.point(id).action {
        Action::Assume { condition, .. } => is_compound(&graph.conditions[condition]),
        Action::Write { value: Some(value), .. } => is_compound(&code.rules.condition(&code.tree, value)),
        _ => false,
    }
}

/// Whether a condition asks several things, one after the other.
fn is_compound(condition: &Condition) -> bool {
    match condition {
        Condition::And(_) | Condition::Or(_) | Condition::Choice { .. } => true,
        Condition::Not(inner) => is_compound(inner),
        Condition::Atom(_) | Condition::Equal { .. } | Condition::Constant(_) => false,
    }
}
