//! Where values go: from what gives them, over slots, variables and results of bodies that were put in, to the tests that
//! ask them. What reaches no test, or says nothing, is not followed.

use super::atoms::Tests;
use super::classes::{Classes, ERROR, FALSE, OTHER_TRUE, TRUE, UNDEFINED};
use super::code::Means;
use super::forms::FormId;
use super::names::Names;
use factgate_ir::graph::{Action, FrameId, PointId, Role, Until};
use factgate_ir::{BodyKind, Callee, Does, Exit, Form, Name, Op, Pause, Place, Prim, Root, SlotId, Step, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// What holds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Spot {
    Value(FrameId, ValueId),
    Slot(FrameId, SlotId),
    /// What a body that was put in returned.
    Result(FrameId),
    /// What an awaited call gives when it is waited for.
    Settled(FrameId, ValueId),
    Var(Means),
    /// A member.
    Form(FormId),
}

/// A value goes somewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) to: Spot,
    pub(super) from: Option<Spot>,
    /// The classes that it has in any case.
    pub(super) classes: Classes,
}

/// All moves of a graph.
pub(super) struct Flow {
    /// By point.
    pub(super) moves: Vec<Vec<Move>>,
}

impl Flow {
    pub(super) fn of(tests: &mut Tests<'_>) -> Flow {
        let graph = tests.names.graph;
        let moves = graph.ids().map(|id| moves(tests, id)).collect();
        Flow { moves }
    }

    /// What reaches one of these.
    pub(super) fn before(&self, names: &Names<'_>, sinks: BTreeSet<Spot>) -> BTreeSet<Spot> {
        let mut into: BTreeMap<Spot, Vec<Spot>> = BTreeMap::new();
        for one in self.moves.iter().flatten() {
            into.entry(one.to).or_default().extend(one.from);
        }
        let (mut found, mut open) = (sinks.clone(), sinks.into_iter().collect::<Vec<_>>());
        while let Some(spot) = open.pop() {
            let operands = operands(names, spot).into_iter();
            let more: Vec<Spot> = into.get(&spot).into_iter().flatten().copied().chain(operands).collect();
            open.extend(more.into_iter().filter(|&more| found.insert(more)));
        }
        found
    }

    /// What one of these reaches.
    pub(super) fn behind(&self, names: &Names<'_>, sources: BTreeSet<Spot>) -> BTreeSet<Spot> {
        let mut out: BTreeMap<Spot, Vec<Spot>> = BTreeMap::new();
        for one in self.moves.iter().flatten() {
            if let Some(from) = one.from {
                out.entry(from).or_default().push(one.to);
            }
            for operand in operands(names, one.to) {
                out.entry(operand).or_default().push(one.to);
            }
        }
        let (mut found, mut open) = (sources.clone(), sources.into_iter().collect::<Vec<_>>());
        while let Some(spot) = open.pop() {
            let more = out.get(&spot).into_iter().flatten().copied();
            open.extend(more.filter(|&more| found.insert(more)));
        }
        found
    }
}

/// The values that a computed one is a question about.
fn operands(names: &Names<'_>, spot: Spot) -> Vec<Spot> {
    let Spot::Value(frame, value) = spot else { return Vec::new() };
    match names.def(frame, value).map(|op| &op.does) {
        Some(Does::Compute(prim, operands)) if is_question(*prim) => {
            operands.iter().map(|&operand| Spot::Value(frame, operand)).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether the result is true or false, by what the operands are.
pub(super) fn is_question(prim: Prim) -> bool {
    matches!(prim, Prim::Not | Prim::Same(_) | Prim::Less(_) | Prim::Missing | Prim::IsError)
}

fn moves(tests: &mut Tests<'_>, id: PointId) -> Vec<Move> {
    let names = tests.names;
    let point = names.graph.point(id);
    let frame = point.frame;
    match &point.action {
        Action::Op(op) | Action::Rest { op, .. } => {
            given(tests, frame, op).into_iter().chain(written(tests, frame, op)).collect()
        }
        Action::Enter(inner) => entered(tests, *inner),
        Action::Back(inner) => back(tests, frame, *inner),
        Action::Leave(to @ (Exit::Return | Exit::ErrorReturn), value) => {
            let to_result = |from, classes| vec![Move { to: Spot::Result(frame), from, classes }];
            match (to, value) {
                (Exit::ErrorReturn, _) => to_result(None, ERROR),
                (_, Some(value)) => {
                    let classes = classes(tests, frame, *value) & !ERROR;
                    to_result(Some(Spot::Value(frame, *value)), classes)
                }
                (_, None) => to_result(None, UNDEFINED),
            }
        }
        _ => Vec::new(),
    }
}

/// The classes that a value has in any case.
fn classes(tests: &mut Tests<'_>, frame: FrameId, value: ValueId) -> Classes {
    let names = tests.names;
    if let Some(constant) = tests.constant(frame, value) {
        return constant;
    }
    match names.def(frame, value).map(|op| &op.does) {
        Some(Does::Make(_) | Does::Close { .. } | Does::Define(_) | Does::Address(_)) => OTHER_TRUE,
        Some(Does::Call(call)) if call.form == Form::New => OTHER_TRUE,
        Some(Does::Compute(prim, _)) if is_question(*prim) || *prim == Prim::InstanceOf => TRUE | FALSE,
        Some(Does::Has(..)) => TRUE | FALSE,
        _ => Classes::MAX,
    }
}

/// What an operation gives.
fn given(tests: &mut Tests<'_>, frame: FrameId, op: &Op) -> Option<Move> {
    let value = op.gives?;
    let from = match &op.does {
        Does::Read(Place { root, steps }) if steps.is_empty() => match root {
            Root::Var(var) => Some(Spot::Var(tests.names.var(frame, *var))),
            Root::Slot(slot) => Some(Spot::Slot(frame, *slot)),
            _ => None,
        },
        // The payload of an optional or error union, which was seen to be there.
        Does::Read(Place { root: Root::Value(union), steps }) if is_payload(tests, frame, *union, steps) => {
            Some(Spot::Value(frame, *union))
        }
        Does::Suspend { pause: Pause::Await | Pause::Turn, value: Some(awaited) } => {
            Some(Spot::Settled(frame, *awaited))
        }
        _ => None,
    };
    let classes = classes(tests, frame, value);
    Some(Move { to: Spot::Value(frame, value), from, classes })
}

/// Whether steps lead to what an optional or error union holds. What an iteration holds is something else.
fn is_payload(tests: &Tests<'_>, frame: FrameId, union: ValueId, steps: &[Step]) -> bool {
    let is_iteration = match tests.names.def(frame, union).map(|op| &op.does) {
        Some(Does::Call(call)) => matches!(call.callee, Callee::Hook(_)),
        Some(Does::Suspend { .. }) => true,
        _ => false,
    };
    steps == [Step::Member(Name::Inner)] && !is_iteration
}

/// What an operation writes to a variable or slot.
fn written(tests: &mut Tests<'_>, frame: FrameId, op: &Op) -> Vec<Move> {
    let names = tests.names;
    match &op.does {
        Does::Write { place: Place { root, steps }, value, .. } if steps.is_empty() => {
            let to = match root {
                Root::Var(var) => Spot::Var(names.var(frame, *var)),
                Root::Slot(slot) => Spot::Slot(frame, *slot),
                _ => return Vec::new(),
            };
            let classes = value.map_or(Classes::MAX, |value| classes(tests, frame, value));
            vec![Move { to, from: value.map(|value| Spot::Value(frame, value)), classes }]
        }
        Does::Renew(vars) => {
            let renew = |&var| Move { to: Spot::Var(names.var(frame, var)), from: None, classes: Classes::MAX };
            vars.iter().map(renew).collect()
        }
        _ => Vec::new(),
    }
}

/// The arguments of a body that is put in.
fn entered(tests: &mut Tests<'_>, frame: FrameId) -> Vec<Move> {
    let names = tests.names;
    let body = names.graph.frame(frame).body;
    let params = &names.sight.unit(body.unit).body(body.body).params;
    let mut found = Vec::new();
    for (at, &param) in params.iter().enumerate() {
        let to = Spot::Var(names.var(frame, param));
        let stand = names.argument(frame, at);
        let classes = stand.map_or(Classes::MAX, |stand| classes(tests, stand.frame, stand.value));
        found.push(Move { to, from: stand.map(|stand| Spot::Value(stand.frame, stand.value)), classes });
    }
    found
}

/// What a body that was put in gives its call.
fn back(tests: &mut Tests<'_>, caller: FrameId, frame: FrameId) -> Vec<Move> {
    let names = tests.names;
    let Some((_, op)) = names.caller(frame) else { return Vec::new() };
    let Some(value) = op.gives else { return Vec::new() };
    let body = names.graph.frame(frame).body;
    let kind = names.sight.unit(body.unit).body(body.body).kind;
    let is_new = matches!(&op.does, Does::Call(call) if call.form == Form::New);
    let role = names.graph.frame(frame).role;
    let to_value = |from, classes| Move { to: Spot::Value(caller, value), from, classes };
    match (role, kind) {
        (Role::Callback | Role::Setter | Role::Root, _) => Vec::new(),
        _ if is_new => vec![to_value(None, OTHER_TRUE)],
        _ if names.graph.frame(frame).until == Until::FirstWait => vec![to_value(None, OTHER_TRUE)],
        (_, BodyKind::Plain) => vec![to_value(Some(Spot::Result(frame)), Classes::MAX)],
        (_, BodyKind::Async) => {
            let settled =
                Move { to: Spot::Settled(caller, value), from: Some(Spot::Result(frame)), classes: Classes::MAX };
            vec![settled, to_value(None, OTHER_TRUE)]
        }
        (_, BodyKind::Generator | BodyKind::AsyncGenerator) => vec![to_value(None, OTHER_TRUE)],
    }
}
