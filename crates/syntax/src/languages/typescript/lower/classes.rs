//! Classes: the base, computed names, methods, then the class, its decorators and its static parts (ECMA-262,
//! ClassDefinitionEvaluation).

use super::functions::Derived;
use super::{Frame, Lowering};
use crate::languages::typescript::shape;
use crate::tree::NodeId;
use factgate_ir::{
    Arg, Base, BodyId, BodyKind, Call, Callee, Class, ClassId, Does, Exit, Form, Given, How, Is, Member, On, Place,
    Runs, Step, This, Times, Used, ValueId, Waits,
};
use rustc_hash::FxHashSet as HashSet;

/// A field, and where it goes.
struct Field {
    node: NodeId,
    at: Step,
}

impl<'t> Lowering<'t> {
    /// A class, declared or as an expression.
    pub(super) fn class(&mut self, node: NodeId) -> ValueId {
        self.own_class_name(node);
        let class = self.new_class(node);
        let names = self.private_names(node);
        let decorators = self.decorators(node);
        let (base, derived) = self.heritage(node);
        self.b.class_mut(class).base = base;
        self.classes.push((class, names));
        let members = self.class_members(node, class, derived);
        let value = self.b.give(node, Does::Define(class));
        let value = self.decorated(node, value, decorators);
        self.bind_own_name(node, value);
        self.static_parts(&members, class, value);
        self.classes.pop();
        if let Some(body) = self.tree.child_of_kind(node, "class_body") {
            self.mark(body);
        }
        self.mark(node);
        value
    }

    fn new_class(&mut self, node: NodeId) -> ClassId {
        let make = self.b.current();
        self.b.class(Class { node, base: Base::None, members: Vec::new(), make, fields: None })
    }

    /// The name of a class expression is a variable that only its inside sees; each making has its own.
    fn own_class_name(&mut self, node: NodeId) {
        if self.kind(node) == "class"
            && let Some(name) = self.tree.child(node, "name")
        {
            self.renew(node, &[name]);
        }
    }

    fn bind_own_name(&mut self, node: NodeId, value: ValueId) {
        let name = self.tree.child(node, "name");
        if let Some(name) = name
            && let Some(var) = self.var_of(name)
        {
            self.b.write(node, Place::var(var), value, How::Declare);
            self.exported(node, name, Some(value));
        }
    }

    fn private_names(&self, node: NodeId) -> HashSet<&'t str> {
        let Some(body) = self.tree.child_of_kind(node, "class_body") else { return HashSet::default() };
        let names = self.tree.children(body).filter_map(|member| self.member_key(member));
        names.filter(|&name| self.kind(name) == "private_property_identifier").map(|name| self.text(name)).collect()
    }

    /// The name of a member of a class.
    fn member_key(&self, member: NodeId) -> Option<NodeId> {
        self.tree.child(member, "name").or_else(|| self.tree.child(member, "property"))
    }

    /// The values of the decorators in front of a class or member.
    fn decorators(&mut self, node: NodeId) -> Vec<(NodeId, ValueId)> {
        let found: Vec<_> = self.tree.children(node).filter(|&part| self.kind(part) == "decorator").collect();
        found.into_iter().map(|decorator| (decorator, self.decorator(decorator))).collect()
    }

    fn decorator(&mut self, decorator: NodeId) -> ValueId {
        let value = match shape::operand(self.tree, decorator) {
            Some(inner) => self.value(inner),
            None => self.unknown(decorator),
        };
        self.mark(decorator);
        value
    }

    /// Runs the decorators: what they give may be another thing than what they are given.
    fn decorated(&mut self, node: NodeId, value: ValueId, decorators: Vec<(NodeId, ValueId)>) -> ValueId {
        let mut value = value;
        for (decorator, function) in decorators.into_iter().rev() {
            let args = vec![Arg { value, spread: false, used: Used::Unknown }];
            let result = self.b.call(decorator, Callee::Value(function), None, args);
            let slot = self.b.slot(node);
            let test = self.is_undefined(node, result);
            let yes = self.apart(|lowering| lowering.set_slot(node, slot, value));
            let no = self.apart(|lowering| lowering.set_slot(node, slot, result));
            self.b.branch(test, yes, no);
            value = self.read_slot(node, slot);
        }
        value
    }

    fn heritage(&mut self, node: NodeId) -> (Base, Derived) {
        let Some(heritage) = self.tree.child_of_kind(node, "class_heritage") else { return (Base::None, Derived::No) };
        let mut base = None;
        for part in self.tree.children(heritage).collect::<Vec<_>>() {
            match self.kind(part) {
                "extends_clause" => {
                    base = shape::operand(self.tree, part).map(|inner| self.value(inner));
                    self.mark(part);
                }
                kind if shape::is_expression(kind) => base = Some(self.value(part)),
                _ => {}
            }
        }
        self.mark(heritage);
        base.map_or((Base::None, Derived::No), |base| (Base::Value(base), Derived::Yes))
    }

    /// Evaluates the names and decorators of the members and makes their functions. Gives the fields of the class itself
    /// and its blocks, in order.
    fn class_members(&mut self, node: NodeId, class: ClassId, derived: Derived) -> Vec<Field> {
        let Some(body) = self.tree.child_of_kind(node, "class_body") else {
            self.default_constructor(node, class, derived);
            return Vec::new();
        };
        let (mut fields, mut statics, mut constructor) = (Vec::new(), Vec::new(), None);
        let mut pending = Vec::new();
        for member in self.tree.children(body).collect::<Vec<_>>() {
            match self.kind(member) {
                "decorator" => pending.push((member, self.decorator(member))),
                "method_definition" if self.is_constructor(member) => constructor = Some(member),
                "method_definition" => {
                    let decorators = [std::mem::take(&mut pending), self.decorators(member)].concat();
                    self.method(class, member, decorators);
                }
                "public_field_definition" | "field_definition" => {
                    let decorators = [std::mem::take(&mut pending), self.decorators(member)].concat();
                    let field = self.field(class, member, decorators);
                    if self.is_static(member) { statics.push(field) } else { fields.push(field) }
                }
                "class_static_block" => statics.push(Field { node: member, at: Step::Any }),
                _ => {}
            }
        }
        if !fields.is_empty() {
            let initialiser = self.initialiser(node, class, fields);
            self.b.class_mut(class).fields = Some(initialiser);
        }
        match constructor {
            Some(method) => self.constructor(method, class, derived),
            None => self.default_constructor(node, class, derived),
        }
        statics
    }

    pub(super) fn is_constructor(&self, method: NodeId) -> bool {
        let name = self.tree.child(method, "name");
        let named =
            name.is_some_and(|name| self.kind(name) != "computed_property_name" && self.text(name) == "constructor");
        let in_class = self.tree.parent(method).is_none_or(|above| self.kind(above) == "class_body");
        named && in_class && !self.is_static(method)
    }

    fn is_static(&self, member: NodeId) -> bool {
        self.tree.has_child(member, "static")
    }

    fn on(&self, member: NodeId) -> On {
        if self.is_static(member) { On::Class } else { On::Instance }
    }

    fn method(&mut self, class: ClassId, member: NodeId, decorators: Vec<(NodeId, ValueId)>) {
        let Some(name) = self.tree.child(member, "name") else { return };
        let at = self.key_step(name);
        let body = self.body(member, This::Given, Some((class, Derived::No)));
        let is = match () {
            () if self.tree.has_child(member, "get") => Is::Getter(body),
            () if self.tree.has_child(member, "set") => Is::Setter(body),
            () => Is::Method(body),
        };
        let on = self.on(member);
        self.b.class_mut(class).members.push(Member { node: member, at, on, is });
        self.mark(member);
        self.run_decorators(class, member, decorators);
    }

    /// A decorated member may be another one, which nobody sees here.
    fn run_decorators(&mut self, class: ClassId, member: NodeId, decorators: Vec<(NodeId, ValueId)>) {
        if decorators.is_empty() {
            return;
        }
        for (decorator, function) in decorators.into_iter().rev() {
            let value = self.unknown(member);
            let args = vec![Arg { value, spread: false, used: Used::Unknown }];
            self.b.call(decorator, Callee::Value(function), None, args);
        }
        let on = self.on(member);
        let at = self.b.unit().class(class).members.last().map(|last| last.at.clone());
        if let Some(at) = at {
            self.b.class_mut(class).members.push(Member { node: member, at, on, is: Is::Replaced });
        }
    }

    fn field(&mut self, class: ClassId, member: NodeId, decorators: Vec<(NodeId, ValueId)>) -> Field {
        let at = match self.member_key(member) {
            Some(name) => self.key_step(name),
            None => Step::Any,
        };
        let on = self.on(member);
        self.b.class_mut(class).members.push(Member { node: member, at: at.clone(), on, is: Is::Field });
        self.run_decorators(class, member, decorators);
        Field { node: member, at }
    }

    /// The fields of an instance, as one body.
    fn initialiser(&mut self, node: NodeId, class: ClassId, fields: Vec<Field>) -> BodyId {
        // A computed name was evaluated with the class, so its value is kept for the body.
        let mut kept = Vec::new();
        for field in fields {
            let key = match &field.at {
                Step::Element(_, key) => Some(self.kept(field.node, *key)),
                _ => None,
            };
            kept.push((field, key));
        }
        let body = self.b.enter(node, BodyKind::Plain, This::Made);
        self.b.body_mut(body).class = Some(class);
        self.frames.push(Frame::default());
        for (field, key) in kept {
            let at = match (field.at, key) {
                (Step::Element(known, _), Some(var)) => {
                    let key = self.b.read(field.node, Place::var(var));
                    Step::Element(known, key)
                }
                (at, _) => at,
            };
            self.bodies.insert(field.node, body);
            self.initialise(field.node, at);
        }
        self.frames.pop();
        self.b.leave()
    }

    /// One field gets its value, on this body's `this`.
    fn initialise(&mut self, field: NodeId, at: Step) {
        let value = match self.tree.child(field, "value") {
            Some(value) => self.value(value),
            None => self.undefined(field),
        };
        let this = self.b.give(field, Does::Given(Given::This));
        self.b.write(field, Place::of(this, at), value, How::Init);
        self.mark(field);
    }

    fn constructor(&mut self, method: NodeId, class: ClassId, derived: Derived) {
        let make = self.body(method, This::Made, Some((class, derived)));
        self.b.class_mut(class).make = make;
        self.mark(method);
    }

    /// The constructor of a class that writes none.
    fn default_constructor(&mut self, node: NodeId, class: ClassId, derived: Derived) {
        let body = self.b.enter(node, BodyKind::Plain, This::Made);
        self.b.body_mut(body).class = Some(class);
        let this = if derived == Derived::Yes {
            let rest = self.b.var("", node);
            self.b.body_mut(body).rest = Some(rest);
            let value = self.b.read(node, Place::var(rest));
            let args = vec![Arg { value, spread: true, used: Used::Unknown }];
            self.b.call(node, Callee::Make, None, args)
        } else {
            self.b.give(node, Does::Given(Given::This))
        };
        self.quiet_call(node, Callee::Fields, Some(this), Vec::new());
        let make = self.b.leave();
        self.b.class_mut(class).make = make;
    }

    /// Static fields and blocks, in order, on the class itself.
    fn static_parts(&mut self, parts: &[Field], class: ClassId, value: ValueId) {
        for Field { node, at } in parts {
            match self.kind(*node) {
                "class_static_block" => {
                    if let Some(block) = self.tree.child(*node, "body") {
                        self.run_on(*node, class, value, |lowering| lowering.block(block));
                    }
                }
                _ => {
                    let given = self.static_value(*node, class, value);
                    self.b.write(*node, Place::of(value, at.clone()), given, How::Init);
                }
            }
            self.mark(*node);
        }
    }

    fn static_value(&mut self, field: NodeId, class: ClassId, value: ValueId) -> ValueId {
        let Some(initial) = self.tree.child(field, "value") else { return self.undefined(field) };
        // A body of its own, whose `this` is the class.
        self.run_on(field, class, value, |lowering| {
            let value = lowering.value(initial);
            lowering.b.exit(initial, Exit::Return, value);
        })
    }

    /// Runs code here as a function of its own that is called on a value.
    fn run_on(&mut self, node: NodeId, class: ClassId, this: ValueId, lower: impl FnOnce(&mut Self)) -> ValueId {
        let body = self.body_on(node, class, lower);
        let function = self.b.give(node, Does::Close { body, runs: Runs::Here(Times::Once) });
        let callee = Callee::Value(function);
        let call = Call { callee, this: Some(this), args: Vec::new(), form: Form::Plain, waits: Waits::Not };
        self.b.give_or_raise(node, Does::Call(call))
    }

    /// A member that is an item of its own, without its class.
    pub(super) fn lone_member(&mut self, member: NodeId) {
        let decorators = self.decorators(member);
        let names = HashSet::default();
        match self.kind(member) {
            "method_definition" => {
                if let Some(name) = self.tree.child(member, "name") {
                    self.key_step(name);
                }
                let this = if self.is_constructor(member) { This::Made } else { This::Given };
                let derived = if self.calls_super(member) { Derived::Yes } else { Derived::No };
                let class = self.class_elsewhere();
                let body = self.body(member, this, (this == This::Made).then_some((class, derived)));
                self.b.body_mut(body).class = Some(class);
                let runs = self.runs(member);
                self.b.give(member, Does::Close { body, runs });
                self.mark(member);
            }
            "class_static_block" => {
                let class = self.class_elsewhere();
                let value = self.unknown(member);
                self.classes.push((class, names));
                self.static_parts(&[Field { node: member, at: Step::Any }], class, value);
                self.classes.pop();
            }
            _ => {
                let at = self.member_key(member).map_or(Step::Any, |name| self.key_step(name));
                let class = self.class_elsewhere();
                if self.is_static(member) {
                    let value = self.unknown(member);
                    self.static_parts(&[Field { node: member, at }], class, value);
                } else {
                    let body = self.initialiser(member, class, vec![Field { node: member, at }]);
                    self.b.give(member, Does::Close { body, runs: Runs::Later });
                }
            }
        }
        for (decorator, function) in decorators {
            self.b.call(decorator, Callee::Value(function), None, Vec::new());
        }
    }

    fn calls_super(&self, method: NodeId) -> bool {
        self.tree.subtree(method).any(|node| self.kind(node) == "super" && self.tree.field(node) == Some("function"))
    }
}
