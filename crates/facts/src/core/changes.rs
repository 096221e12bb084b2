//! Changes of what a literal made: what a file's own code may do to a table after it was written.

use super::keys::{Use, What};
use super::origins::{NONE, Objects, Origin, OriginId, SetId};
use super::sight::{HOME, Sight, body_ref, op_ref};
use crate::program::Program;
use factgate_ir::{BodyRef, Callee, Does, Hook, How, Name, NodeId, Op, OpId, Place, Root, Step, ValueId, VarId};
use factgate_record::RepoPath;
use factgate_syntax::Span;
use std::collections::BTreeSet;

/// How far a value is followed back to what it was taken from.
const LONGEST: u32 = 12;

/// A change: where it stands, and what it may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) at: Span,
    /// Where the changed thing was made, or its variable is declared.
    pub(crate) of: Span,
    /// The members on the way from there to what is changed; none for one that nobody knows.
    pub(crate) way: Vec<Option<String>>,
    /// Whether it was made as a part of something else.
    pub(crate) is_part: bool,
}

/// Every change of something that the file itself makes, in source order.
pub(crate) fn changes(program: &Program<'_>, file: &RepoPath) -> Vec<Change> {
    let sight = Sight::of(program, file);
    let Some(core) = sight.file(HOME).cloned() else { return Vec::new() };
    let objects = Objects::new(&sight);
    let ops = || sight.unit(HOME).body_ids().flat_map(|body| sight.ops_of(body_ref(HOME, body)));
    let made = ops().filter(|op| matches!(op.does, Does::Make(_))).map(|op| core.tree.span(op.node)).collect();
    let reader = Reader { objects: &objects, span: &|node| core.tree.span(node), made };
    let mut found = Vec::new();
    for body in sight.unit(HOME).body_ids() {
        let body = body_ref(HOME, body);
        for op in sight.ops_of(body) {
            reader.op(body, op, &mut found);
        }
    }
    found.sort_by_key(|change| change.at);
    found
}

struct Reader<'r> {
    objects: &'r Objects<'r>,
    span: &'r dyn Fn(NodeId) -> Span,
    /// Where literals stand.
    made: BTreeSet<Span>,
}

impl Reader<'_> {
    fn op(&self, body: BodyRef, op: &Op, found: &mut Vec<Change>) {
        let is_literal = match &op.does {
            Does::Write { how, .. } => matches!(how, How::Init | How::Getter | How::Setter | How::Declare),
            Does::Copy(copied) => copied.how == How::Init,
            _ => false,
        };
        if !is_literal {
            let at = (self.span)(op.node);
            for one in self.objects.direct_writes(body, op) {
                self.key(one, at, found);
            }
            match &op.does {
                Does::Write { place: Place { root: Root::Value(value), steps }, .. } if !steps.is_empty() => {
                    self.taken(body, *value, at, found);
                }
                Does::Copy(copied) => self.taken(body, copied.into, at, found),
                _ => {}
            }
        }
        // What fields and constructors write on a new object is what it was made with.
        if matches!(&op.does, Does::Call(call) if matches!(call.callee, Callee::Fields | Callee::Make)) {
            return;
        }
        for run in self.objects.runs_at(op_ref(body.unit, op.id)) {
            for &callee in &run.bodies {
                let summary = self.objects.summary(callee);
                let written = summary.writes.iter().filter_map(|&one| self.objects.outward(one, callee, &run));
                written.for_each(|one| self.key(one, (self.span)(op.node), found));
            }
        }
    }

    /// A key that is written.
    fn key(&self, one: Use, at: Span, found: &mut Vec<Change>) {
        let key = self.objects.key_of(one.key);
        let last = match key.what {
            What::Member(name) => match self.objects.name_of(name).1 {
                Name::Text(text) => Some(text.as_str().to_owned()),
                _ => return,
            },
            What::Var(_) => return,
            _ => None,
        };
        for &id in self.objects.all(key.of).iter() {
            self.origin(id, vec![last.clone()], at, found);
        }
    }

    fn origin(&self, id: OriginId, mut way: Vec<Option<String>>, at: Span, found: &mut Vec<Change>) {
        let mut id = id;
        while let Origin::Member(of, name) = self.objects.origin_of(id) {
            let name = match self.objects.name_of(name).1 {
                Name::Text(text) => Some(text.as_str().to_owned()),
                _ => None,
            };
            way.insert(0, name);
            id = of;
        }
        let sight = self.objects.sight();
        let node = match self.objects.origin_of(id) {
            Origin::Made(made) if made.unit == HOME => sight.op(made).map(|op| op.node),
            Origin::Class(class) if class.unit == HOME => Some(sight.unit(HOME).class(class.class).node),
            // The object of a method: of a class, or of a literal around it.
            Origin::This(body) if body.unit == HOME => {
                let class = self.objects.class_around(body).map(|(class, _)| sight.unit(HOME).class(class.class).node);
                Some(class.unwrap_or(sight.unit(HOME).body(body.body).node))
            }
            Origin::Storage(var) if var.unit == HOME => Some(sight.unit(HOME).var(var.var).node),
            _ => None,
        };
        if let Some(node) = node {
            let of = (self.span)(node);
            let is_part = matches!(self.objects.origin_of(id), Origin::Made(_))
                && self.made.iter().any(|&around| around != of && around.contains(of));
            found.push(Change { at, of, way, is_part });
        }
    }

    /// What a changed object was taken from: an element, or what a call was given and gave back a part of.
    fn taken(&self, body: BodyRef, value: ValueId, at: Span, found: &mut Vec<Change>) {
        let set = self.sources(body, value, Part::Whole, 0);
        for &id in self.objects.all(set).iter() {
            self.origin(id, vec![None], at, found);
        }
    }

    /// Objects that a value may be a part of; of a part, those that it was taken from.
    fn sources(&self, body: BodyRef, value: ValueId, part: Part, depth: u32) -> SetId {
        let objects = self.objects;
        let Some(op) = objects.sight().def(body, value).filter(|_| depth < LONGEST) else { return NONE };
        let again = |value: ValueId, part: Part| self.sources(body, value, part, depth + 1);
        let own = |value: ValueId| objects.union([objects.origins(body, value), again(value, Part::Piece)]);
        match &op.does {
            Does::Read(Place { root, steps }) => {
                let is_named = |step: &Step| matches!(step, Step::Member(Name::Text(_)));
                match root {
                    Root::Value(inner) if !steps.iter().all(is_named) => own(*inner),
                    Root::Value(inner) => again(*inner, Part::Piece),
                    Root::Var(var) => self.sources_of_var(body, *var, part, depth),
                    Root::Slot(slot) => {
                        let slots = &objects.sight().index(body.unit).bodies[body.body.index()].slots;
                        let values = slots[slot.index()].values.clone();
                        objects.union(values.into_iter().map(|value| again(value, part)).collect::<Vec<_>>())
                    }
                    _ => NONE,
                }
            }
            // The state of an iteration, and what it gives.
            Does::Call(call) if matches!(call.callee, Callee::Hook(hook) if hook != Hook::Convert) => {
                call.this.map_or(NONE, own)
            }
            // What a call gives may be what it was given, where it can be read; a part of it may be a part of that.
            Does::Call(call) => {
                let all = call.uses().into_iter().map(|value| again(value, part));
                let is_read = !objects.candidates_of(op_ref(body.unit, op.id)).bodies.is_empty();
                let given = call.args.iter().map(|arg| arg.value).chain(call.this);
                let given = given.filter(|_| is_read || part == Part::Piece);
                let given = given.map(|value| objects.origins(body, value));
                objects.union(all.chain(given).collect::<Vec<_>>())
            }
            _ => NONE,
        }
    }

    fn sources_of_var(&self, body: BodyRef, var: VarId, part: Part, depth: u32) -> SetId {
        let (objects, unit) = (self.objects, body.unit);
        let writes = objects.sight().index(unit).vars[var.index()].writes.clone();
        let of_write = |op: OpId| match objects.sight().op(op_ref(unit, op)).map(|op| &op.does) {
            Some(Does::Write { value: Some(value), .. }) => {
                self.sources(objects.sight().owner(op_ref(unit, op)), *value, part, depth + 1)
            }
            _ => NONE,
        };
        objects.union(writes.into_iter().map(of_write).collect::<Vec<_>>())
    }
}

/// What of a value is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    /// Something in it.
    Piece,
}
