//! Calls and builtins. A function that is called on an object gets the object, or a pointer to it, as its first argument.

use super::Lowering;
use super::library::{ATOMICS, CASTS, NEVER, NEVER_BUILTINS, NOT_EVALUATED, PURE, WRITES, is_plain_type};
use crate::languages::zig::condition::call;
use crate::tree::NodeId;
use factgate_ir::{
    Arg, Call, Callee, Const, Converts, Does, Form, Holds, How, Name, Path, Place, Prim, Root, Step, Sym, ValueId,
    Waits,
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
        let args = called.object.into_iter().chain(values.iter().copied()).map(Arg::from).collect();
        let path = self.path(made.callee).map(|path| dotted(&path)).unwrap_or_default();
        if NEVER.contains(&path.as_str()) {
            self.never(node);
            return self.unknown(node);
        }
        let value = self.give_call(node, called.callee, args);
        let writes = WRITES.iter().find(|(name, _)| path == *name || path.strip_suffix(name) == Some("std."));
        if let Some((name, at)) = writes {
            let pointers: Vec<ValueId> = at.iter().filter_map(|&at| values.get(at).copied()).collect();
            let how = self.written_by(name, &made.arguments);
            pointers.into_iter().for_each(|pointer| self.write_through(node, name, pointer, &how));
        }
        value
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
        if self.kind(node) == "identifier"
            && let Root::Global(path) = self.root(node)
        {
            return Called { callee: Callee::Global(path), object: None };
        }
        Called { callee: Callee::Value(self.value_unmarked(node)), object: None }
    }

    /// `a.f()`. Behind an import it is a path of declarations.
    fn member_call(&mut self, node: NodeId, object: NodeId, member: NodeId) -> Called {
        if self.starts_at_std(object) || self.names_module(object) {
            self.value(object);
            let path = self.path(node).unwrap_or_else(|| Path(vec![Sym::from(self.text(member))]));
            return Called { callee: Callee::Global(path), object: None };
        }
        let is_namespace = self.is_namespace(object);
        let object = if is_namespace { self.value(object) } else { self.receiver(object) };
        let name = Name::text(self.text(member));
        let function = self.b.read(node, Place::of(object, name.clone()));
        let callee = Callee::Member { object, name, function };
        Called { callee, object: (!is_namespace).then_some(object) }
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
            "@field" => {
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
                let args = values.iter().copied().map(Arg::from).collect();
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
        let plain = match (name, arguments) {
            ("@memset", &[_, value]) => self.is_plain(value),
            (_, &[of, ..]) => {
                self.kind(of) == "builtin_type" || self.kind(of) == "identifier" && is_plain_type(self.text(of))
            }
            _ => false,
        };
        if plain || ATOMICS.contains(&name) { How::Assign } else { How::Whole(Vec::new()) }
    }

    /// A write of the library through a pointer: to what it points to, or to its elements.
    fn write_through(&mut self, node: NodeId, name: &str, pointer: ValueId, how: &How) {
        let pointed = Place { root: Root::Value(pointer), steps: vec![Step::Deref] };
        let itself = ATOMICS.contains(&name) || name == "mem.swap";
        let place = if itself { pointed } else { pointed.then(Step::Any) };
        self.b.write(node, place, None, how.clone());
    }
}

fn dotted(path: &Path) -> String {
    path.0.iter().map(Sym::as_str).collect::<Vec<_>>().join(".")
}
