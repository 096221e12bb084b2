//! What ends knowledge: the contract's rule, to be read beside its text.
//!
//! A write ends every read of that name. Two things save the read: other names, or an object that is apart.

use super::keys::{Key, KeyId, What};
use super::origins::{Objects, Origin, OriginId, SetId};
use factgate_ir::{Does, Made, Name};

impl Objects<'_> {
    /// Whether a write may change what a read gives, whatever the point. [`super::effects`] knows which objects are alone.
    pub(crate) fn ends(&self, write: KeyId, read: KeyId) -> bool {
        if let Some(&known) = self.ended.borrow().get(&(write, read)) {
            return known;
        }
        let found = self.may_end(self.key_of(write), self.key_of(read));
        self.ended.borrow_mut().insert((write, read), found);
        found
    }

    fn may_end(&self, write: Key, read: Key) -> bool {
        use What::{AnyMember, Elements, Everything, Member, PartOf, PartOfElement, PartOfVar, Pointee, Var, Whole};
        let named = match (write.what, read.what) {
            (Everything, _) => true,
            (Whole, _) | (_, Everything) => false,
            // Rule 2: an assignment to a variable.
            (Var(one), Var(other)) => one == other,
            (Var(var), Pointee) | (Pointee, Var(var)) => self.is_addressed(var),
            (Var(_), _) | (_, Var(_)) => false,
            // A part of a struct is assigned, all of which was read.
            (PartOfVar(one), PartOfVar(other)) => one == other,
            (PartOf(one), PartOf(other)) => one == other,
            (PartOfElement, PartOfElement) => true,
            (PartOfVar(_) | PartOf(_) | PartOfElement, _) | (_, PartOfVar(_) | PartOf(_) | PartOfElement) => false,
            // Rule 3: all of an object was handed to code out of sight.
            (_, Whole) => return self.meet(self.chain(write.of), self.reached(read.of)),
            // Rule 2: an assignment to a member of anything, to a computed member, to elements.
            (Member(one), Member(other)) => one == other,
            (Member(name), AnyMember) | (AnyMember, Member(name)) => self.is_computable(name),
            (Elements, Elements | AnyMember) | (AnyMember, Elements | AnyMember) => true,
            (Member(_), Elements) | (Elements, Member(_)) => false,
            (Pointee, _) | (_, Pointee) => true,
        };
        named && !self.apart(write.of, read.of)
    }

    /// Whether two sets of objects have none in common, by what is known of them at every point: the part of a thing that a
    /// variable itself holds, of which no pointer was made, is no part of another.
    fn apart(&self, one: SetId, other: SetId) -> bool {
        // A pointer names what it leads to.
        let (one, other) = (self.pointed(one), self.pointed(other));
        if self.are_literals(one) && self.are_literals(other) {
            return !self.all(one).iter().any(|id| self.all(other).contains(id));
        }
        let own = |set: SetId| match self.all(set)[..] {
            [id] => match self.origin_of(id) {
                Origin::Storage(var) => (!self.leaks(var)).then_some((id, self.is_addressed(var))),
                _ => None,
            },
            _ => None,
        };
        // Where a pointer to it was made, what nobody knows may be such a pointer.
        let lacks = |(id, addressed): (OriginId, bool), set: SetId| {
            !(self.all(set).contains(&id) || addressed && self.is_any(set))
        };
        own(one).is_some_and(|id| lacks(id, other)) || own(other).is_some_and(|id| lacks(id, one))
    }

    /// Whether all that a set holds was made by literals: what two of them make are two objects.
    fn are_literals(&self, set: SetId) -> bool {
        let all = self.all(set);
        let is_literal = |id: &OriginId| match self.origin_of(*id) {
            Origin::Made(at) => {
                matches!(self.sight.op(at).map(|op| &op.does), Some(Does::Make(Made::Object | Made::List)))
            }
            _ => false,
        };
        !all.is_empty() && all.iter().all(is_literal)
    }

    /// Whether two sets may have an object in common, where the scope's parameters and `this` are taken for different ones.
    fn meet(&self, one: SetId, other: SetId) -> bool {
        let (one, other) = (self.all(one), self.all(other));
        let is_open = |id: &OriginId| self.is_open(&self.origin_of(*id));
        let both = !one.is_empty() && !other.is_empty();
        both && (one.iter().any(is_open) || other.iter().any(is_open) || one.iter().any(|id| other.contains(id)))
    }

    /// Whether nobody knows which object this is: the parameters and the `this` of functions in the scope, and of those
    /// that it calls, may be any.
    fn is_open(&self, origin: &Origin) -> bool {
        match origin {
            Origin::Any => true,
            Origin::Param(body, _) | Origin::This(body) => self.inner.borrow().contains(body),
            _ => false,
        }
    }

    /// Whether a key that nobody knows may be this name.
    fn is_computable(&self, name: super::origins::NameId) -> bool {
        match self.name_of(name).1 {
            Name::Text(text) => text.as_str() != "__proto__",
            name => !matches!(name, Name::Private(..) | Name::Inner | Name::Error),
        }
    }

    pub(super) fn is_addressed(&self, var: super::sight::VarRef) -> bool {
        self.sight.index(var.unit).vars[var.var.index()].is_addressed
    }
}
