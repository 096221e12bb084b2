//! Calls and builtins. A function that is called on an object gets the object, or a pointer to it, as its first argument.

use super::Lowering;
use super::library::{ATOMIC_METHODS, ATOMICS, CASTS, NEVER, NEVER_BUILTINS, NOT_EVALUATED, ORDERS, PURE, WRITES};
use super::types::Type;
use crate::languages::zig::condition::call;
use crate::tree::NodeId;
use factgate_ir::{
    Arg, BodyId, Call, Callee, Const, Converts, Does, Form, Holds, How, Key, Name, Path, Place, Prim, Root, Step, Sym,
    Used, ValueId, Waits,
};

/// Who is called, and on what.
struct Called {
    callee: Callee,
    /// The object that the function gets as its first argument.
    object: Option<ValueId>,
}

impl<'t> Lowering<'t> {
    /// A call, without its mark unless it never comes back.
    pub(super) fn call(&mut self, node: NodeId) -> ValueId {
        let Some(made) = call(self.tree, node) else { return self.unknown(node) };
        if self.kind(made.callee) == "builtin_identifier" {
            return self.builtin(node, self.text(made.callee), &made.arguments);
        }
        let called = self.callee(made.callee);
        let values: Vec<ValueId> = made.arguments.iter().map(|&argument| self.value(argument)).collect();
        let path = match &called.callee {
            Callee::Global(path) => Some(path.clone()),
            _ => self.path(made.callee),
        };
        let path = path.map(|path| dotted(&path)).unwrap_or_default();
        let objects = called.object.into_iter().map(Arg::from);
        let given = made.arguments.iter().zip(&values).map(|(&argument, &value)| self.given(&path, argument, value));
        let args = objects.chain(given).collect();
        if NEVER.contains(&path.as_str()) {
            self.never(node);
            return self.unknown(node);
        }
        let value = self.give_call(node, called.callee, args);
        if let Some(object) = called.object.filter(|_| self.is_atomic_write(made.callee, &made.arguments)) {
            self.write_through(node, "@atomicStore", object, &How::Assign);
        }
        let writes = WRITES.iter().find(|(name, _)| path == *name || path.strip_suffix(name) == Some("std."));
        if let Some((name, at)) = writes {
            let pointers: Vec<ValueId> = at.iter().filter_map(|&at| values.get(at).copied()).collect();
            let how = self.written_by(name, &made.arguments);
            pointers.into_iter().for_each(|pointer| self.write_through(node, name, pointer, &how));
        } else if self.function_of(made.callee).is_none() {
            made.arguments.iter().for_each(|&argument| self.handed_out(argument));
        }
        value
    }

    /// `m.x.store(true, .release)`: whatever has such a method, it writes there. Those of the library end with an order.
    fn is_atomic_write(&self, callee: NodeId, arguments: &[NodeId]) -> bool {
        let member = self.tree.child(callee, "member").map_or("", |member| self.text(member));
        let order = arguments.last().filter(|&&last| self.kind(last) == "field_expression");
        let order = order.and_then(|&last| self.tree.child(last, "member")).map_or("", |order| self.text(order));
        ATOMIC_METHODS.contains(&member) && ORDERS.contains(&order)
    }

    /// `fill(&d)`: a variable whose address is given to a function that cannot be read gets a value there.
    fn handed_out(&mut self, argument: NodeId) {
        let operand = self.tree.child(argument, "argument").filter(|_| self.tree.has_child(argument, "&"));
        let Some(name) = operand.filter(|&operand| self.kind(operand) == "identifier") else { return };
        if let Root::Var(var) = self.root(name)
            && !self.is_constant(self.b.unit().var(var).node)
            && self.b.unit().var(var).holds != Holds::Own
        {
            let value = self.unknown(argument);
            self.b.write(argument, Place::var(var), value, How::Assign);
        }
    }

    /// An argument. The standard library keeps and runs nothing but the functions that it gets.
    fn given(&self, path: &str, argument: NodeId, value: ValueId) -> Arg {
        let operand = self.tree.child(argument, "argument").unwrap_or(argument);
        let is_data =
            self.is_literal(self.kind(argument)) || !matches!(self.type_of(operand), Type::Unknown | Type::Foreign(_));
        let is_test = path == "std.debug.assert";
        let is_kept = !is_test && (!path.starts_with("std.") || !is_data || self.function_of(operand).is_some());
        let used = if is_kept { Used::Unknown } else { Used::NotKept };
        Arg { value, spread: false, used }
    }

    fn give_call(&mut self, node: NodeId, callee: Callee, args: Vec<Arg>) -> ValueId {
        let call = Call { callee, this: None, args, form: Form::Plain, waits: Waits::Not };
        self.b.give(node, Does::Call(call))
    }

    fn callee(&mut self, node: NodeId) -> Called {
        let member = self.tree.child(node, "member").filter(|_| self.kind(node) == "field_expression");
        let called = match (member, self.tree.child(node, "object")) {
            (Some(member), Some(object)) => self.member_call(node, object, member),
            // `.init(x)`: a declaration of the type that is wanted here, which nothing says.
            (Some(member), None) => {
                let path = Path(vec![Sym::from(""), Sym::from(self.text(member))]);
                Called { callee: Callee::Global(path), object: None }
            }
            _ => self.plain(node),
        };
        self.b.mark(node);
        called
    }

    fn plain(&mut self, node: NodeId) -> Called {
        // `const assert = std.debug.assert;`
        if let Some(path) = self.foreign(node) {
            self.value_unmarked(node);
            return Called { callee: Callee::Global(path), object: None };
        }
        if self.kind(node) == "identifier"
            && let Root::Global(path) = self.root(node)
        {
            return Called { callee: Callee::Global(path), object: None };
        }
        Called { callee: Callee::Value(self.value_unmarked(node)), object: None }
    }

    /// The path of declarations behind an import that an expression names.
    fn foreign(&self, node: NodeId) -> Option<Path> {
        let Type::Itself(of) = self.type_of(node) else { return None };
        if let Type::Foreign(path) = *of { Some(Path(path)) } else { None }
    }

    /// `a.f()`. Behind an import it is a path of declarations.
    fn member_call(&mut self, node: NodeId, object: NodeId, member: NodeId) -> Called {
        if self.starts_at_std(object) || self.names_module(object) {
            self.value(object);
            let path = self.path(node).unwrap_or_else(|| Path(vec![Sym::from(self.text(member))]));
            return Called { callee: Callee::Global(path), object: None };
        }
        let of = self.type_of(object);
        if let Some(function) = self.function_of(node).filter(|&function| self.is_in_reach(function)) {
            return self.static_call(node, object, function, matches!(of, Type::Itself(_)));
        }
        let (foreign, is_type) = match &of {
            Type::Itself(of) => (&**of, true),
            Type::Pointer(of) => (&**of, false),
            of => (of, false),
        };
        if let Type::Foreign(path) = foreign {
            let mut path = path.clone();
            path.push(Sym::from(self.text(member)));
            let object = if is_type { self.value(object) } else { self.receiver(object) };
            return Called { callee: Callee::Global(Path(path)), object: (!is_type).then_some(object) };
        }
        let is_namespace = self.is_namespace(object);
        let object = if is_namespace { self.value(object) } else { self.receiver(object) };
        let name = Name::text(self.text(member));
        let function = self.b.read(node, Place::of(object, name.clone()));
        let callee = Callee::Member { object, name, function };
        Called { callee, object: (!is_namespace).then_some(object) }
    }

    /// Whether the variable of a function is in reach of the code that is lowered: those of a container that another
    /// function makes are not.
    pub(super) fn is_in_reach(&self, function: NodeId) -> bool {
        let unit = self.b.unit();
        let around = |body: &BodyId| unit.body(*body).outer;
        let here: Vec<NodeId> =
            std::iter::successors(Some(self.b.current()), around).map(|body| unit.body(body).node).collect();
        let mut above = self.tree.ancestors(function);
        above.all(|above| {
            !matches!(self.kind(above), "function_declaration" | "test_declaration") || here.contains(&above)
        })
    }

    /// A function that is written in the tree, by whatever words.
    pub(super) fn function_value(&mut self, node: NodeId, function: NodeId) -> ValueId {
        let named = self.tree.child(function, "name").and_then(|name| self.scopes.binding(name));
        match named {
            Some(id) => {
                let var = self.var(id);
                self.b.read(node, Place::var(var))
            }
            None => self.unknown(node),
        }
    }

    /// A function of a container that the tree has: there is no other that may run.
    fn static_call(&mut self, node: NodeId, object: NodeId, function: NodeId, is_namespace: bool) -> Called {
        let object = if is_namespace {
            self.value(object);
            None
        } else {
            let list = self.tree.child_of_kind(function, "parameters");
            let first = list.and_then(|list| self.tree.child_of_kind(list, "parameter"));
            let wanted = first.and_then(|first| self.tree.child(first, "type")).map(|written| self.written(written));
            Some(self.receiver_as(object, &wanted.unwrap_or(Type::Unknown)))
        };
        let callee = Callee::Value(self.function_value(node, function));
        Called { callee, object }
    }

    /// The object that a function is called on, as its first parameter wants it.
    fn receiver_as(&mut self, node: NodeId, wanted: &Type) -> ValueId {
        let of = self.type_of(node);
        let by_address = !of.is_pointer() && wanted.is_pointer();
        let by_value = matches!(wanted, Type::Container(_) | Type::Struct) && matches!(of, Type::Pointer(_));
        if !by_address && !by_value {
            return self.value(node);
        }
        let place = self.place(node);
        let value = if by_address {
            self.b.give(node, Does::Address(place))
        } else {
            self.b.read(node, place.then(Step::Deref))
        };
        self.b.mark(node);
        value
    }

    /// Whether a name is a whole file: `const q = @import("q.zig");`.
    fn names_module(&self, node: NodeId) -> bool {
        let declared = self.scopes.binding(node).map(|id| self.scopes.get(id).declared);
        let declaration = declared.and_then(|declared| self.tree.parent(declared));
        let value = declaration.and_then(|declaration| self.tree.child(declaration, "value"));
        value.is_some_and(|value| self.is_import(value))
    }

    /// The object that a function is called on: a pointer to it, unless it is one.
    fn receiver(&mut self, node: NodeId) -> ValueId {
        let place = self.place(node);
        let is_pointer = match &place.root {
            _ if !place.steps.is_empty() => false,
            Root::Var(var) => self.b.unit().var(*var).holds != Holds::Own,
            Root::Value(value) => {
                let value = *value;
                self.b.mark(node);
                return value;
            }
            _ => true,
        };
        let value = if is_pointer { self.b.read(node, place) } else { self.b.give(node, Does::Address(place)) };
        self.b.mark(node);
        value
    }

    fn builtin(&mut self, node: NodeId, name: &str, arguments: &[NodeId]) -> ValueId {
        match name {
            "@This" => match self.containers.last() {
                Some(&container) => self.b.read(node, Place::var(container)),
                None => self.unknown(node),
            },
            "@field" if self.field_by_name(node).is_some() => {
                let place = self.place(node);
                self.b.read(node, place)
            }
            _ if NEVER_BUILTINS.contains(&name) => {
                arguments.iter().for_each(|&argument| _ = self.value(argument));
                self.never(node);
                self.unknown(node)
            }
            _ if NOT_EVALUATED.contains(&name) => {
                let text = self.tree.render(node);
                self.b.constant(node, Const::Other(Sym::from(text)))
            }
            _ => {
                let values: Vec<ValueId> = arguments.iter().map(|&argument| self.value(argument)).collect();
                self.evaluated(node, name, arguments, &values)
            }
        }
    }

    /// A builtin whose arguments are evaluated.
    fn evaluated(&mut self, node: NodeId, name: &str, arguments: &[NodeId], values: &[ValueId]) -> ValueId {
        match values.last() {
            Some(&value) if CASTS.contains(&name) => value,
            _ if PURE.contains(&name) => self.b.give(node, Does::Compute(Prim::Other(Converts::No), values.to_vec())),
            _ => {
                let known = WRITES.iter().any(|(known, _)| *known == name);
                let used = if known { Used::NotKept } else { Used::Unknown };
                let args = values.iter().map(|&value| Arg { value, spread: false, used }).collect();
                let value = self.give_call(node, Callee::Global(Path(vec![Sym::from(name)])), args);
                if let Some((_, at)) = WRITES.iter().find(|(known, _)| *known == name) {
                    let pointers: Vec<ValueId> = at.iter().filter_map(|&at| values.get(at).copied()).collect();
                    let how = self.written_by(name, arguments);
                    pointers.into_iter().for_each(|pointer| self.write_through(node, name, pointer, &how));
                }
                value
            }
        }
    }

    /// How the library writes: things that may have members, unless their value or type is seen to have none.
    fn written_by(&self, name: &str, arguments: &[NodeId]) -> How {
        match (name, arguments) {
            _ if ATOMICS.contains(&name) => How::Assign,
            ("@memset", &[list, value]) => self.how_given(&self.type_of(list).element(), value),
            ("@memcpy" | "@memmove", &[list, from]) => {
                let (into, from) = (self.type_of(list).element(), self.type_of(from).element());
                if self.is_whole(&into) || self.is_whole(&from) { How::Assign } else { How::Whole(Vec::new()) }
            }
            (_, &[of, ..]) if self.is_whole(&self.written(of)) => How::Assign,
            _ => How::Whole(Vec::new()),
        }
    }

    /// A write of the library through a pointer: to what it points to, or to its elements.
    fn write_through(&mut self, node: NodeId, name: &str, pointer: ValueId, how: &How) {
        let pointed = Place { root: Root::Value(pointer), steps: vec![Step::Deref] };
        let itself = ATOMICS.contains(&name) || name == "mem.swap";
        let at = self.unknown(node);
        let place = if itself { pointed } else { pointed.then(Step::Element(Key::Number, at)) };
        self.b.write(node, place, None, how.clone());
    }
}

fn dotted(path: &Path) -> String {
    path.0.iter().map(Sym::as_str).collect::<Vec<_>>().join(".")
}
