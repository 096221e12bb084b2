//! Classes: making them, and what `super(…)` and field initialisers do.

use super::act::{Act, Env};
use super::heap::{Kind, Property};
use super::machine::{Known, Machine};
use super::value::{Key, ObjectId, Val};
use super::{Halt, Run};
use crate::{Base, ClassId, Is, Member, On};
use std::rc::Rc;

/// What a constructor knows of its class.
#[derive(Debug)]
pub(super) struct ClassInfo {
    pub(super) derived: bool,
    /// The function that initialises fields.
    fields: Option<Val>,
    /// Private methods and accessors, which each new object gets before its fields.
    private: Vec<(Key, Property)>,
}

impl<'u> Machine<'u> {
    /// Makes the class: its constructor, prototype and members.
    pub(super) fn define_class(&mut self, act: &mut Act<'u>, id: ClassId) -> Run<Val> {
        let unit = self.unit;
        let class = unit.class(id);
        let (above, proto_above) = self.bases(act, class.base)?;
        let prototype = self.alloc(proto_above, Kind::Plain);
        self.brands += 1;
        let brand = self.brands;
        self.brand(act, id, brand);
        let fields = class.fields.map(|body| Val::Object(self.function(body, &act.env, Some(prototype), None)));
        let mut members = Vec::new();
        for member in &class.members {
            members.push((member, self.key_of_step(act, &member.at)?));
        }
        let private = self.private_members(act, &members, prototype);
        let derived = class.base != Base::None;
        let info = Rc::new(ClassInfo { derived, fields, private });
        let function = self.function(class.make, &act.env, Some(prototype), Some(info));
        self.object_mut(function).proto = above;
        self.put_hidden(function, Key::text("prototype"), Val::Object(prototype));
        self.put_hidden(prototype, Key::text("constructor"), Val::Object(function));
        for (member, key) in members {
            let home = if member.on == On::Class { function } else { prototype };
            if member.on == On::Instance && matches!(key, Key::Private(..)) {
                continue;
            }
            let env = act.env.clone();
            self.add_member(member, key, home, &env);
        }
        Ok(Val::Object(function))
    }

    /// The prototype of the class, and that of its prototype.
    fn bases(&mut self, act: &Act<'u>, base: Base) -> Run<(Option<ObjectId>, Option<ObjectId>)> {
        let known = self.known;
        let base = match base {
            Base::None => return Ok((Some(known.function), Some(known.object))),
            Base::Unread => return self.unsupported("a base that is not read"),
            Base::Value(base) => act.value(base)?,
        };
        if base == Val::Null {
            return Ok((Some(known.function), None));
        }
        if !self.is_function(&base) {
            return Err(self.type_error("a class extends something that is no constructor"));
        }
        match self.get(&base, &Key::text("prototype"))? {
            Val::Object(prototype) => Ok((base.object(), Some(prototype))),
            Val::Null => Ok((base.object(), None)),
            _ => Err(self.type_error("a class extends something that is no constructor")),
        }
    }

    /// Private names of the class mean this evaluation of it from now on.
    fn brand(&mut self, act: &mut Act<'u>, class: ClassId, brand: u32) {
        let env = &act.env;
        let mut brands = env.brands.clone();
        brands.push((class, brand));
        act.env = Rc::new(Env {
            body: env.body,
            vars: env.vars.clone(),
            brands,
            outer: env.outer.clone(),
            home: env.home.clone(),
        });
    }

    fn private_members(&mut self, act: &Act<'u>, members: &[(&Member, Key)], home: ObjectId) -> Vec<(Key, Property)> {
        let mut private: Vec<(Key, Property)> = Vec::new();
        for (member, key) in members {
            let (On::Instance, Key::Private(..), Some(body)) = (member.on, key, member.body()) else { continue };
            let function = Val::Object(self.function(body, &act.env, Some(home), None));
            let known = private.iter_mut().find(|(known, _)| known == key);
            match (member.is, known) {
                (Is::Getter(_), Some((_, Property::Accessor { get, .. }))) => *get = Some(function),
                (Is::Setter(_), Some((_, Property::Accessor { set, .. }))) => *set = Some(function),
                (is, _) => private.push((key.clone(), property(is, function))),
            }
        }
        private
    }

    fn add_member(&mut self, member: &Member, key: Key, home: ObjectId, env: &Rc<Env>) {
        let Some(body) = member.body() else { return };
        let function = self.function(body, env, Some(home), None);
        let kind = self.unit.body(body).kind;
        let above = match kind {
            crate::BodyKind::Generator => Some(self.known.generator),
            crate::BodyKind::AsyncGenerator => Some(self.known.async_generator),
            _ => None,
        };
        if let Some(above) = above {
            let prototype = self.alloc(Some(above), Kind::Plain);
            self.put_hidden(function, Key::text("prototype"), Val::Object(prototype));
        }
        let function = Val::Object(function);
        match member.is {
            Is::Getter(_) => self.accessor(home, key, Some(function), None, true),
            Is::Setter(_) => self.accessor(home, key, None, Some(function), true),
            Is::Method(_) | Is::Field | Is::Replaced => self.put_hidden(home, key, function),
        }
    }

    /// A new object of the class gets its private methods.
    pub(super) fn add_private(&mut self, this: &Val, class: &ClassInfo) -> Run<()> {
        let Some(id) = this.object() else { return Ok(()) };
        for (key, property) in &class.private {
            if self.own(id, key).is_some() {
                return Err(self.type_error("a private member that is there already"));
            }
            self.put(id, key.clone(), property.clone());
        }
        Ok(())
    }

    fn class_of(&self, act: &Act<'u>) -> Option<(ObjectId, Rc<ClassInfo>)> {
        let function = act.env.home.function.object()?;
        let Kind::Function(known) = &self.get_object(function).kind else { return None };
        Some((function, known.class.clone()?))
    }

    /// `super(…)`.
    pub(super) fn make(&mut self, act: &Act<'u>, args: &[Val]) -> Run<Val> {
        let Some((function, class)) = self.class_of(act) else { return self.unsupported("`super()` elsewhere") };
        let base = self.get_object(function).proto.map_or(Val::Null, Val::Object);
        let new_target = act.env.home.new_target.clone();
        let this = self.construct(&base, args, &new_target)?;
        if act.env.home.this.borrow().is_some() {
            return Err(Halt::Raise(self.error("ReferenceError", "`super()` is called twice")));
        }
        *act.env.home.this.borrow_mut() = Some(this.clone());
        self.add_private(&this, &class)?;
        Ok(this)
    }

    /// The field initialisers of the class around.
    pub(super) fn make_fields(&mut self, act: &Act<'u>) -> Run<Val> {
        let Some((_, class)) = self.class_of(act) else { return self.unsupported("field initialisers elsewhere") };
        let this = self.this(act)?;
        match &class.fields {
            Some(fields) => self.call(fields, this, &[]),
            None => Ok(Val::Undefined),
        }
    }

    /// `value instanceof class`.
    pub(super) fn is_instance(&mut self, value: &Val, class: &Val) -> Run<bool> {
        if class.object().is_none() {
            return Err(self.type_error("`instanceof` something that is no object"));
        }
        let asked = self.symbol_member(class, "hasInstance")?;
        if !asked.is_missing() {
            return Ok(self.call(&asked, class.clone(), std::slice::from_ref(value))?.truth());
        }
        if !self.is_function(class) {
            return Err(self.type_error("`instanceof` something that is no function"));
        }
        let class = match class.object().map(|id| self.get_object(id).kind.clone()) {
            Some(Kind::Bound { function, .. }) => function,
            _ => class.clone(),
        };
        let Some(object) = value.object() else { return Ok(false) };
        let Val::Object(prototype) = self.get(&class, &Key::text("prototype"))? else {
            return Err(self.type_error("`instanceof` something without a prototype"));
        };
        let mut here = self.get_object(object).proto;
        while let Some(id) = here {
            if id == prototype {
                return Ok(true);
            }
            here = self.get_object(id).proto;
        }
        Ok(false)
    }
}

fn property(is: Is, function: Val) -> Property {
    match is {
        Is::Getter(_) => Property::Accessor { get: Some(function), set: None, hidden: true },
        Is::Setter(_) => Property::Accessor { get: None, set: Some(function), hidden: true },
        Is::Method(_) | Is::Field | Is::Replaced => Property::Data { value: function, hidden: true },
    }
}

impl Known {
    /// The prototype of errors.
    pub(super) fn error(&self) -> ObjectId {
        self.error
    }
}
