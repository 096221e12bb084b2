//! Files, containers and functions. A container is a class whose methods get the object as their first argument; what it
//! declares are variables of the body that it stands in as well, since its functions name one another without it.

use super::Lowering;
use crate::tree::NodeId;
use factgate_ir::{
    Base, BodyId, BodyKind, Class, ClassId, Const, Does, Exit, Holds, How, Is, Member, Name, On, Place, Runs, Step,
    Sym, This, ValueId, Var,
};

impl<'t> Lowering<'t> {
    /// A file is a container.
    pub(super) fn file(&mut self, node: NodeId) {
        self.container(node);
    }

    /// `struct { … }` and its like: the class, then what it declares.
    pub(super) fn container(&mut self, node: NodeId) -> ValueId {
        let class = self.class(node);
        let owner = self.b.current();
        let this = Var { name: Sym::from(""), node, owner, renewed: false, holds: Holds::Reference };
        let this = self.b.new_var(this);
        self.containers.push(this);
        let members: Vec<_> = self.tree.children(node).collect();
        let mut made = Vec::new();
        for &member in &members {
            if self.kind(member) == "function_declaration"
                && let Some(name) = self.tree.child(member, "name")
            {
                made.push((member, name, self.body(member)));
            }
        }
        let methods = made.iter().flat_map(|&(member, name, body)| self.method(member, name, body)).collect();
        self.b.class_mut(class).members = methods;
        let value = self.b.give(node, Does::Define(class));
        self.b.write(node, Place::var(this), value, How::Declare);
        for &(member, name, body) in &made {
            self.declare_function(member, name, body);
        }
        for member in members {
            self.member(value, member);
        }
        self.b.mark(node);
        self.containers.pop();
        value
    }

    fn class(&mut self, node: NodeId) -> ClassId {
        let make = self.b.enter(node, BodyKind::Plain, This::Made);
        self.b.leave();
        let class = self.b.class(Class { node, base: Base::None, members: Vec::new(), make, fields: None });
        self.b.body_mut(make).class = Some(class);
        class
    }

    /// A function of a container is called on its objects, and on itself.
    fn method(&self, node: NodeId, name: NodeId, body: BodyId) -> [Member; 2] {
        let name = Name::text(self.text(name));
        let on = |on| Member { node, at: Step::Member(name.clone()), on, is: Is::Method(body) };
        [on(On::Instance), on(On::Class)]
    }

    fn declare_function(&mut self, node: NodeId, name: NodeId, body: BodyId) {
        let Some(id) = self.scopes.binding(name) else { return };
        let var = self.var(id);
        let function = self.b.give(node, Does::Close { body, runs: Runs::Later });
        self.b.write(node, Place::var(var), function, How::Declare);
    }

    /// What a container declares beside functions. Fields are nothing that runs.
    fn member(&mut self, container: ValueId, member: NodeId) {
        match self.kind(member) {
            "function_declaration" | "container_field" => self.b.mark(member),
            "test_declaration" => self.function(member),
            "variable_declaration" => {
                self.statement(member);
                if let Some(name) = self.tree.child(member, "name")
                    && let Some(id) = self.scopes.binding(name)
                {
                    let var = self.var(id);
                    let value = self.b.read(name, Place::var(var));
                    let place = Place::of(container, Name::text(self.text(name)));
                    self.b.write(member, place, value, How::Init);
                }
            }
            kind if super::values::is_word(kind) => {}
            _ => self.statement(member),
        }
    }

    /// A function or test that stands alone, or in running code: nobody calls it here.
    pub(super) fn function(&mut self, node: NodeId) {
        let body = self.body(node);
        match self.tree.child(node, "name").filter(|_| self.kind(node) == "function_declaration") {
            Some(name) => self.declare_function(node, name, body),
            None => _ = self.b.give(node, Does::Close { body, runs: Runs::Later }),
        }
        self.b.mark(node);
    }

    /// A function's body. Without one (`extern fn`) nothing is known of what it does.
    fn body(&mut self, node: NodeId) -> BodyId {
        let targets = std::mem::take(&mut self.targets);
        let errors = std::mem::take(&mut self.errors);
        let id = self.b.enter(node, BodyKind::Plain, This::None);
        self.parameters(node);
        match self.tree.child_of_kind(node, "block") {
            Some(block) => self.statement(block),
            None => self.b.act(node, Does::Forget(factgate_ir::Forget::Everything)),
        }
        self.b.leave();
        (self.targets, self.errors) = (targets, errors);
        id
    }

    fn parameters(&mut self, function: NodeId) {
        let Some(list) = self.tree.child_of_kind(function, "parameters") else { return };
        let tree = self.tree;
        for parameter in tree.children(list).filter(|&child| tree.kind(child) == "parameter") {
            let named = self.tree.child(parameter, "name").and_then(|name| self.scopes.binding(name));
            let var = match named {
                Some(id) => self.var(id),
                None => self.b.var("", parameter),
            };
            let body = self.b.current();
            self.b.body_mut(body).params.push(var);
        }
    }

    /// A `return` without a value.
    pub(super) fn return_nothing(&mut self, node: NodeId) {
        let nothing = self.b.constant(node, Const::Undefined);
        self.b.exit(node, Exit::Return, nothing);
    }
}
