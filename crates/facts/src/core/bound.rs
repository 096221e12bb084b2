//! Arrow functions that stay with the object whose `this` they see: `isOk = () => this.ok` as a field, or made so by a
//! constructor. Called by their name on an object, they see that object.

use super::origins::{NameId, Objects, Origin};
use super::sight::{body_ref, op_ref};
use factgate_ir::{BodyRef, Callee, Does, Given, How, Name, Op, OpRef, Place, Root, Step, This, UnitRef, ValueId};

impl Objects<'_> {
    /// The name under which an arrow function is found on the object whose `this` it sees, and nowhere else.
    pub(crate) fn bound(&self, body: BodyRef) -> Option<NameId> {
        if let Some(&known) = self.bound.borrow().get(&body) {
            return known;
        }
        let found = self.read_bound(body);
        self.bound.borrow_mut().insert(body, found);
        found
    }

    fn read_bound(&self, body: BodyRef) -> Option<NameId> {
        let unit = self.sight.unit(body.unit);
        let known = unit.body(body.body);
        let around = body_ref(body.unit, known.outer.filter(|_| known.this == This::Outer)?);
        let index = self.sight.index(body.unit);
        let made = index.op(index.bodies[body.body.index()].made?)?;
        let write = self.only_use(around, made.gives?)?;
        let Does::Write { place, how: How::Init | How::Assign, .. } = &write.does else { return None };
        let name = self.name(body.unit, self.own_member(around, place)?);
        let own = op_ref(body.unit, write.id);
        (self.is_written_once(name, own, body) && !self.changes_prototypes()).then_some(name)
    }

    /// The operation that uses a value, when one does alone and hands it on to nobody.
    fn only_use(&self, body: BodyRef, value: ValueId) -> Option<&Op> {
        let index = &self.sight.index(body.unit).bodies[body.body.index()];
        if index.returns.contains(&value) || index.raised.contains(&value) {
            return None;
        }
        let mut uses = self.sight.ops_of(body).filter(|op| op.does.uses().contains(&value));
        let only = uses.next()?;
        uses.next().is_none().then_some(only)
    }

    /// The name of a place that is a member of the body's own `this`.
    fn own_member<'p>(&self, body: BodyRef, place: &'p Place) -> Option<&'p Name> {
        let (Root::Value(of), [Step::Member(name)]) = (&place.root, &place.steps[..]) else { return None };
        self.sight.def(body, *of).is_some_and(|op| op.does == Does::Given(Given::This)).then_some(name)
    }

    /// Whether no other write of a member of this name can give it the function.
    fn is_written_once(&self, name: NameId, own: OpRef, body: BodyRef) -> bool {
        let (_, text) = self.name_of(name);
        let is_other = |origin: Origin| match origin {
            Origin::Function(other) => other != body,
            Origin::Class(_) | Origin::Made(_) => true,
            _ => false,
        };
        self.units_of(name).iter().all(|&unit| {
            let writes = self.sight.index(unit).named(&text).map_or(&[][..], |named| &named.writes[..]);
            writes
                .iter()
                .map(|&op| op_ref(unit, op))
                .filter(|&at| at != own)
                .all(|at| self.all(self.written(at)).iter().all(|&id| is_other(self.origin_of(id))))
        })
    }

    /// Whether an object may have members by way of another one that is no class: `Object.create`, `C.prototype = …`.
    fn changes_prototypes(&self) -> bool {
        if let Some(known) = self.prototypes.get() {
            return known;
        }
        let found = self.sight.units().any(|unit| self.changes_prototypes_in(unit));
        self.prototypes.set(Some(found));
        found
    }

    fn changes_prototypes_in(&self, unit: UnitRef) -> bool {
        let index = self.sight.index(unit);
        let written = |name: &str| index.named(&Name::text(name)).is_some_and(|named| !named.writes.is_empty());
        let is_named = |name: &str| matches!(name, "create" | "setPrototypeOf" | "construct" | "Proxy");
        let mut ops = self.sight.unit(unit).body_ids().flat_map(|body| index.ops_of(body));
        written("prototype")
            || written("__proto__")
            || ops.any(|op| match &op.does {
                Does::Call(call) => match &call.callee {
                    Callee::Global(path) => path.0.last().is_some_and(|last| is_named(last.as_str())),
                    _ => false,
                },
                _ => false,
            })
    }
}
