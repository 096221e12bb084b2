//! What holds of every unit. Lowerings are held to it in all tests; what relies on the core need not think of more.
//!
//! - Each value is given by one operation or catch of its own body, before its uses on every way; each slot is written
//!   before it is read.
//! - A mark stands once a node and way.
//! - Labels are bound, and unique. A way out is possible where it stands.
//! - A body is closed, or the member of a class, in the body around it; variables belong to the body or to one around.
//! - Numbers of operations are unique.

mod ways;

use crate::walk::each_op;
use crate::{Body, BodyId, Does, NodeId, Op, Place, Root, This, Unit, VarId};
use std::fmt;

/// Something that must not be in a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The body that it is in.
    pub body: BodyId,
    /// The node that it comes from.
    pub node: NodeId,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "body {} at node {}: {}", self.body.0, self.node.index(), self.what)
    }
}

/// Everything that is wrong with the unit.
pub fn check(unit: &Unit) -> Vec<Problem> {
    let mut checker = Checker { unit, problems: Vec::new(), ops: vec![false; unit.ops as usize], made: Vec::new() };
    checker.made = vec![None; unit.bodies.len()];
    for id in unit.body_ids() {
        checker.body(id, unit.body(id));
    }
    checker.owners();
    checker.problems
}

/// Ends the program when the unit is wrong: for tests and debug builds.
///
/// # Panics
/// When [`check`] finds something; the message lists it, and prints the unit.
pub fn assert_sound(unit: &Unit) {
    let problems = check(unit);
    if !problems.is_empty() {
        let listed: Vec<String> = problems.iter().map(Problem::to_string).collect();
        panic!("the lowering is wrong:\n{}\n\n{}", listed.join("\n"), crate::print::unit(unit));
    }
}

struct Checker<'u> {
    unit: &'u Unit,
    problems: Vec<Problem>,
    ops: Vec<bool>,
    /// The body that makes a body.
    made: Vec<Option<BodyId>>,
}

impl<'u> Checker<'u> {
    fn wrong(&mut self, body: BodyId, node: NodeId, what: impl Into<String>) {
        self.problems.push(Problem { body, node, what: what.into() });
    }

    fn body(&mut self, id: BodyId, body: &'u Body) {
        if body.outer.is_some_and(|outer| outer >= id) || (body.outer.is_none() && id != self.unit.top) {
            self.wrong(id, body.node, "does not stand behind the body around it");
            return;
        }
        if body.this == This::Outer && body.outer.is_none() {
            self.wrong(id, body.node, "has the `this` of a body around, and there is none");
        }
        for &param in body.params.iter().chain(&body.rest) {
            if self.unit.vars.get(param.index()).is_none_or(|var| var.owner != id) {
                self.wrong(id, body.node, "a parameter is no variable of its own");
            }
        }
        each_op(&body.code, &mut |op| self.op(id, op));
        self.problems.extend(ways::check(self.unit, id));
    }

    fn op(&mut self, id: BodyId, op: &'u Op) {
        match self.ops.get_mut(op.id.index()) {
            None => self.wrong(id, op.node, format!("operation {} is beyond the unit's count", op.id.0)),
            Some(seen) => {
                if std::mem::replace(seen, true) {
                    self.wrong(id, op.node, format!("operation {} is there twice", op.id.0));
                }
            }
        }
        if op.gives.is_some() && !op.does.gives() {
            self.wrong(id, op.node, "gives a value that it has not");
        }
        match &op.does {
            Does::Read(place) | Does::Address(place) | Does::Write { place, .. } => self.place(id, op.node, place),
            Does::Close { body, .. } => self.makes(id, op.node, *body),
            Does::Define(class) => self.define(id, op, *class),
            Does::Renew(vars) => {
                for &var in vars {
                    let own = self.unit.vars.get(var.index()).is_some_and(|var| var.renewed && var.owner == id);
                    if !own {
                        self.wrong(id, op.node, "renews a variable that is not renewed, or another body's");
                    }
                }
            }
            _ => {}
        }
    }

    fn place(&mut self, id: BodyId, node: NodeId, place: &Place) {
        match place.root {
            Root::Var(var) => self.var(id, node, var),
            Root::Slot(slot) if slot.index() >= self.unit.body(id).slots.len() => {
                self.wrong(id, node, "names a slot that is not there");
            }
            Root::Super if place.steps.is_empty() => self.wrong(id, node, "`super` without a member"),
            _ => {}
        }
    }

    fn var(&mut self, id: BodyId, node: NodeId, var: VarId) {
        let Some(owner) = self.unit.vars.get(var.index()).map(|var| var.owner) else {
            return self.wrong(id, node, "names a variable that is not there");
        };
        let mut here = Some(id);
        while let Some(body) = here {
            if body == owner {
                return;
            }
            here = self.unit.body(body).outer;
        }
        self.wrong(id, node, format!("names the variable {}, which belongs to no body around", var.0));
    }

    fn define(&mut self, id: BodyId, op: &Op, class: crate::ClassId) {
        let Some(class) = self.unit.classes.get(class.index()) else {
            return self.wrong(id, op.node, "defines a class that is not there");
        };
        self.makes(id, op.node, class.make);
        class.fields.into_iter().for_each(|body| self.makes(id, op.node, body));
        class.members.iter().filter_map(crate::Member::body).for_each(|body| self.makes(id, op.node, body));
    }

    fn makes(&mut self, by: BodyId, node: NodeId, made: BodyId) {
        match self.unit.bodies.get(made.index()) {
            None => self.wrong(by, node, "makes a body that is not there"),
            Some(body) if body.outer != Some(by) => self.wrong(by, node, "makes a body that stands elsewhere"),
            Some(_) => self.made[made.index()] = Some(by),
        }
    }

    fn owners(&mut self) {
        for id in self.unit.body_ids() {
            if id != self.unit.top && self.made[id.index()].is_none() {
                self.wrong(id, self.unit.body(id).node, "nobody makes this body");
            }
        }
    }
}
