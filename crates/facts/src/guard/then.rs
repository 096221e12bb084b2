//! `then`: what is passed on every path from an effect to the end of its scope.

use super::code::Mention;
use super::compile::is_ended;
use super::condition::Binds;
use super::query::{Place, Then, agree};
use super::reading::Reading;
use super::spec::ThenOn;
use crate::graph::{Action, Ending, PointId};
use factgate_syntax::NodeId;
use std::collections::{BTreeSet, HashMap};

/// A path that leaves without the node.
#[derive(Clone, Debug)]
pub(super) struct Escape {
    /// How it ends.
    pub(super) ending: Ending,
    /// The last node that is evaluated on it.
    pub(super) last: Option<NodeId>,
    /// The assignment after which the node would mean another object.
    pub(super) reassigned: Option<NodeId>,
}

/// The nodes that are passed, or a path that passes none.
pub(super) fn follow(
    reading: &Reading,
    from: PointId,
    then: &Then,
    binds: &Binds,
    ends: &[Mention],
) -> Result<BTreeSet<NodeId>, Escape> {
    let graph = &reading.graph;
    let places: BTreeSet<NodeId> =
        then.places.iter().filter(|place: &&Place| agree(binds, &place.binds)).map(|place| place.node).collect();
    let mut passed = BTreeSet::new();
    // Behind an assignment to a shared variable the node would mean something else.
    let mut before: HashMap<(PointId, Option<NodeId>), (PointId, Option<NodeId>)> = HashMap::new();
    let start = (from, None);
    let mut open: Vec<_> = graph.point(from).next().map(|next| ((next, None), start)).collect();
    while let Some((here, previous)) = open.pop() {
        if before.contains_key(&here) || here == start && previous == start {
            continue;
        }
        before.insert(here, previous);
        let (id, mut reassigned) = here;
        let point = graph.point(id);
        match &point.action {
            Action::Eval(node) if reassigned.is_none() && places.contains(node) => {
                passed.insert(*node);
                continue;
            }
            Action::Exit(ending) => {
                let counts = match ending {
                    Ending::Return => true,
                    Ending::ErrorReturn | Ending::Throw => then.on == ThenOn::EveryEnd,
                    Ending::Never => false,
                };
                if counts {
                    let last = last_eval(reading, &before, here, start);
                    return Err(Escape { ending: *ending, last, reassigned });
                }
            }
            _ => {}
        }
        if reassigned.is_none() {
            let ended = reading.ends.at(id).iter().find(|ended| is_ended(ends, &ended.target));
            reassigned = ended.map(|ended| ended.node);
        }
        let raised = point.raise.filter(|_| point.raises);
        open.extend(point.next().chain(raised).map(|next| ((next, reassigned), here)));
    }
    Ok(passed)
}

type Step = (PointId, Option<NodeId>);

fn last_eval(reading: &Reading, before: &HashMap<Step, Step>, from: Step, start: Step) -> Option<NodeId> {
    let mut step = from;
    for _ in 0..=before.len() {
        if step == start {
            return None;
        }
        if let Action::Eval(node) = reading.graph.point(step.0).action {
            return Some(node);
        }
        step = *before.get(&step)?;
    }
    None
}
