//! Classes: what they extend, what extends them, and whose instance an object is.

use super::origins::{Objects, Origin, OriginId, SetId};
use super::sight::{ClassRef, HOME, op_ref};
use factgate_ir::{Base, BodyRef, ClassId, Does, Form, On, OpRef, Place};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Classes on the way up or down beyond which the rest is not read.
const MOST: usize = 256;

/// A class with its bases, and with its subclasses where they count.
pub(crate) struct Family {
    pub(crate) classes: BTreeSet<ClassRef>,
    /// Whether every base is read.
    pub(crate) read: bool,
}

/// What an object is as the receiver of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Receiver {
    /// An instance of the class or of a subclass; or the class itself.
    Instance(ClassRef, On),
    /// What a literal made.
    Table(OpRef),
    /// Something that has no definition in sight.
    Foreign,
    Unknown,
}

impl Objects<'_> {
    /// What an object is as the receiver of a call.
    pub(crate) fn receiver(&self, id: OriginId) -> Receiver {
        match self.origin_of(id) {
            Origin::This(body) => {
                self.class_around(body).map_or(Receiver::Unknown, |(class, on)| Receiver::Instance(class, on))
            }
            Origin::Class(class) => Receiver::Instance(class, On::Class),
            Origin::Made(at) => self.made(at),
            Origin::Global(_) => Receiver::Foreign,
            Origin::Any
            | Origin::Function(_)
            | Origin::Param(..)
            | Origin::Module(_)
            | Origin::Member(..)
            | Origin::Storage(_) => Receiver::Unknown,
        }
    }

    fn made(&self, at: OpRef) -> Receiver {
        match self.sight.op(at).map(|op| &op.does) {
            Some(Does::Make(_)) => Receiver::Table(at),
            Some(Does::Call(call)) if call.form == Form::New => match &self.candidates_of(at).bodies[..] {
                &[body] => match self.class_around(body) {
                    Some((class, On::Instance)) => Receiver::Instance(class, On::Instance),
                    _ => Receiver::Unknown,
                },
                _ => Receiver::Unknown,
            },
            _ => Receiver::Unknown,
        }
    }

    /// The class that a body is a member of, and on which side.
    pub(crate) fn class_around(&self, body: BodyRef) -> Option<(ClassRef, On)> {
        let home = self.sight.home(body);
        let unit = self.sight.unit(home.unit);
        let class = unit.body(home.body).class?;
        let member = self.sight.index(home.unit).bodies[home.body.index()].member;
        let on = member.map_or(On::Instance, |(class, at)| unit.class(class).members[at].on);
        Some((ClassRef { unit: home.unit, class }, on))
    }

    /// The classes that a class extends directly, and whether that is all.
    pub(crate) fn bases(&self, of: ClassRef) -> (Vec<ClassRef>, bool) {
        let Some(set) = self.base_set(of) else {
            let is_none = self.sight.unit(of.unit).class(of.class).base == Base::None;
            return (Vec::new(), is_none);
        };
        let all = self.all(set);
        let class = |id: &OriginId| match self.origin_of(*id) {
            Origin::Class(class) => Some(class),
            _ => None,
        };
        let bases: Vec<ClassRef> = all.iter().filter_map(class).collect();
        let read = !all.is_empty() && bases.len() == all.len();
        (bases, read)
    }

    /// The functions that a class extends.
    pub(crate) fn base_functions(&self, of: ClassRef) -> Vec<BodyRef> {
        let Some(set) = self.base_set(of) else { return Vec::new() };
        let function = |id: &OriginId| match self.origin_of(*id) {
            Origin::Function(body) => Some(body),
            _ => None,
        };
        self.all(set).iter().filter_map(function).collect()
    }

    fn base_set(&self, of: ClassRef) -> Option<SetId> {
        let Base::Value(value) = self.sight.unit(of.unit).class(of.class).base else { return None };
        let Some(define) = self.sight.index(of.unit).defines[of.class.index()] else {
            return Some(super::origins::ANY);
        };
        Some(self.origins(self.sight.owner(op_ref(of.unit, define)), value))
    }

    /// The bases of a class, without itself.
    pub(crate) fn ancestors(&self, of: ClassRef) -> Family {
        let mut family = Family { classes: BTreeSet::new(), read: true };
        let mut open = vec![of];
        while let Some(class) = open.pop() {
            let (bases, read) = self.bases(class);
            family.read &= read && family.classes.len() < MOST;
            open.extend(bases.into_iter().filter(|&base| family.classes.len() < MOST && family.classes.insert(base)));
        }
        family.classes.remove(&of);
        family
    }

    /// A class, its bases and its subclasses in sight.
    pub(crate) fn family(&self, of: ClassRef) -> Rc<Family> {
        if let Some(known) = self.families.borrow().get(&of) {
            return known.clone();
        }
        let family = Rc::new(self.read_family(of));
        self.families.borrow_mut().insert(of, family.clone());
        family
    }

    fn read_family(&self, of: ClassRef) -> Family {
        let mut family = self.ancestors(of);
        family.classes.insert(of);
        let mut below = BTreeSet::from([of]);
        let mut more = true;
        while std::mem::take(&mut more) {
            for class in self.all_classes() {
                if !below.contains(&class) && self.bases(class).0.iter().any(|base| below.contains(base)) {
                    below.insert(class);
                    more = true;
                }
            }
        }
        family.classes.extend(below);
        family
    }

    fn all_classes(&self) -> Vec<ClassRef> {
        let of_unit = |unit| {
            let count = self.sight.unit(unit).classes.len() as u32;
            (0..count).map(move |class| ClassRef { unit, class: ClassId(class) })
        };
        self.sight.saying("extends").flat_map(of_unit).collect()
    }

    /// Whether an object may be an instance of one of the classes (or one of them), by what is known of it.
    pub(crate) fn may_belong(&self, set: SetId, family: &Family, on: On) -> bool {
        self.all(set).iter().any(|&id| match self.receiver(id) {
            Receiver::Instance(class, of) => of == on && family.classes.contains(&class),
            Receiver::Table(_) | Receiver::Foreign => false,
            Receiver::Unknown => true,
        })
    }

    /// Whether an object is an instance of one of the classes (or one of them), or something on the way to its members.
    fn belongs(&self, set: SetId, family: &Family, on: On) -> bool {
        self.all(set).iter().any(|&id| match (self.receiver(id), self.origin_of(id)) {
            (Receiver::Instance(class, of), _) => of == on && family.classes.contains(&class),
            // `C.prototype`
            (_, Origin::Member(of, _)) => match self.origin_of(of) {
                Origin::Class(class) => family.classes.contains(&class),
                _ => false,
            },
            _ => false,
        })
    }

    /// Whether members of no known name are written or copied to the instances of a class: any of its methods may then be
    /// another.
    pub(crate) fn is_tampered(&self, class: ClassRef, on: On) -> bool {
        if let Some(&known) = self.tampered.borrow().get(&(class, on)) {
            return known;
        }
        let family = self.family(class);
        let handed = self.hands_itself(&family);
        let is_hit = |at: OpRef| match self.sight.op(at).map(|op| &op.does) {
            Some(Does::Write { place, .. }) => {
                let base = self.base_of(at, place);
                let unknown = self.may_belong(base, &family, on);
                self.belongs(base, &family, on) || unknown && (handed || self.holds_code(self.written(at)))
            }
            Some(Does::Copy(copied)) => {
                let base = self.origins(self.sight.owner(at), copied.into);
                self.belongs(base, &family, on) || handed && self.may_belong(base, &family, on)
            }
            _ => false,
        };
        let of_unit = |unit| {
            let index = self.sight.index(unit);
            index.computed.iter().chain(&index.copies).map(move |&op| op_ref(unit, op))
        };
        let units: BTreeSet<_> = family.classes.iter().map(|class| class.unit).chain([HOME]).collect();
        let found = units.into_iter().flat_map(of_unit).any(is_hit);
        self.tampered.borrow_mut().insert((class, on), found);
        found
    }

    /// Whether a constructor of the classes hands the new object to something.
    fn hands_itself(&self, family: &Family) -> bool {
        family.classes.iter().any(|class| {
            let of = self.sight.unit(class.unit).class(class.class);
            let mut bodies = [Some(of.make), of.fields].into_iter().flatten();
            bodies.any(|body| {
                let body = BodyRef { unit: class.unit, body };
                self.sight.ops_of(body).any(|op| match &op.does {
                    Does::Call(call) => call.args.iter().any(|arg| {
                        let all = self.all(self.origins(body, arg.value));
                        all.iter().any(|&id| self.origin_of(id) == Origin::This(body))
                    }),
                    _ => false,
                })
            })
        })
    }

    /// Whether a body calls the constructor of its base.
    pub(crate) fn calls_make(&self, body: BodyRef) -> bool {
        self.sight.ops_of(body).any(super::origins::is_super)
    }

    fn holds_code(&self, set: SetId) -> bool {
        self.all(set).iter().any(|&id| matches!(self.origin_of(id), Origin::Function(_)))
    }

    /// Whether members are copied into what a literal makes, or written to it under no known name.
    pub(crate) fn is_copied_into(&self, made: OpRef) -> bool {
        let own = self.origin(Origin::Made(made));
        let index = self.sight.index(made.unit);
        let hits = |set: SetId| self.all(set).contains(&own);
        let place = |at: OpRef, place: &Place| hits(self.base_of(at, place));
        index.computed.iter().chain(&index.copies).any(|&op| {
            let at = op_ref(made.unit, op);
            match self.sight.op(at).map(|op| &op.does) {
                Some(Does::Write { place: written, .. }) => place(at, written),
                Some(Does::Copy(copied)) => hits(self.origins(self.sight.owner(at), copied.into)),
                _ => false,
            }
        })
    }
}
