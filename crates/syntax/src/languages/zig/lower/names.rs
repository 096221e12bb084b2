//! Which variable a name is, and what a variable holds: the thing itself, or a pointer to it.

use super::Lowering;
use super::library::is_type_name;
use crate::languages::zig::condition::call;
use crate::scope::BindingId;
use crate::tree::NodeId;
use factgate_ir::{BodyId, Holds, Path, Root, Sym, Var, VarId};

impl<'t> Lowering<'t> {
    /// What a name means: a variable of the tree, or something from outside.
    pub(super) fn root(&mut self, name: NodeId) -> Root {
        match self.scopes.binding(name) {
            Some(id) => Root::Var(self.var(id)),
            None => Root::Global(Path(vec![Sym::from(self.text(name))])),
        }
    }

    /// The variable behind a binding. It is made in the body that first declares or mentions it, which is that of its
    /// container when it is a member.
    pub(super) fn var(&mut self, id: BindingId) -> VarId {
        if let Some(&var) = self.vars.get(&id) {
            return var;
        }
        let binding = self.scopes.get(id);
        let (name, node, owner) = (Sym::from(binding.name.as_str()), binding.declared, self.owner(binding.declared));
        let holds = self.holds(binding.declared);
        let var = self.b.new_var(Var { name, node, owner, renewed: false, holds });
        self.vars.insert(id, var);
        var
    }

    /// The body whose calls make the variable that is declared here: the innermost of those that are being lowered whose
    /// node it stands in.
    fn owner(&self, declared: NodeId) -> BodyId {
        let unit = self.b.unit();
        let mut body = self.b.current();
        loop {
            let node = unit.body(body).node;
            let is_name = self.tree.child(node, "name") == Some(declared);
            match unit.body(body).outer {
                Some(outer) if is_name || !self.tree.is_within(declared, node) => body = outer,
                _ => return body,
            }
        }
    }

    /// Whether what is declared by this name cannot be assigned. What is assigned through it lies behind a pointer.
    pub(super) fn is_constant(&self, declared: NodeId) -> bool {
        match self.tree.parent(declared) {
            Some(above) if self.kind(above) == "variable_declaration" => {
                // `const a, var b = pair()`: each name has its own word in front.
                let names = self.tree.children(above).take_while(|&child| child != declared);
                let words = names.filter(|&child| matches!(self.kind(child), "const" | "var"));
                words.last().is_none_or(|word| self.kind(word) == "const")
            }
            _ => true,
        }
    }

    /// What the variable declared by this name holds.
    fn holds(&self, declared: NodeId) -> Holds {
        let Some(above) = self.tree.parent(declared) else { return Holds::Either };
        let written = match self.kind(above) {
            "variable_declaration" | "parameter" => self.tree.child(above, "type"),
            "payload" => return self.captured(above, declared),
            // A function's own name.
            _ => return Holds::Reference,
        };
        match (written, self.tree.child(above, "value")) {
            (Some(written), _) => self.holds_of_type(written),
            (None, Some(value)) => self.holds_of_value(value),
            (None, None) => Holds::Either,
        }
    }

    /// `|*p|` is a pointer; what is captured as a value may be one.
    fn captured(&self, payload: NodeId, name: NodeId) -> Holds {
        let before = self.tree.children(payload).take_while(|&child| child != name).last();
        if before.is_some_and(|before| self.kind(before) == "*") { Holds::Reference } else { Holds::Either }
    }

    pub(super) fn holds_of_type(&self, written: NodeId) -> Holds {
        match self.kind(written) {
            "pointer_type" | "slice_type" | "builtin_type" | "anyframe_type" => Holds::Reference,
            "nullable_type" => match self.tree.children(written).last() {
                Some(inner) => self.holds_of_type(inner),
                None => Holds::Either,
            },
            "array_type" | "struct_declaration" | "enum_declaration" | "union_declaration" => Holds::Own,
            "builtin_function" if self.is_this(written) => Holds::Own,
            "identifier" if self.names_container(written) => Holds::Own,
            _ => Holds::Either,
        }
    }

    /// Whether a name is a container that is written in the tree, or a type that nothing in the tree declares: then it is
    /// one of a scope that is read alone, and a pointer only if it is another name of one.
    fn names_container(&self, name: NodeId) -> bool {
        let Some(id) = self.scopes.binding(name) else { return is_type_name(self.text(name)) };
        let declared = self.scopes.get(id).declared;
        let declaration = self.tree.parent(declared).filter(|&above| self.kind(above) == "variable_declaration");
        let value = declaration.and_then(|declaration| self.tree.child(declaration, "value"));
        value.is_some_and(|value| self.is_container(value) || self.is_this(value))
    }

    pub(super) fn is_container(&self, node: NodeId) -> bool {
        matches!(
            self.kind(node),
            "struct_declaration" | "enum_declaration" | "union_declaration" | "opaque_declaration"
        )
    }

    /// `@This()`
    pub(super) fn is_this(&self, node: NodeId) -> bool {
        call(self.tree, node).is_some_and(|call| self.text(call.callee) == "@This")
    }

    fn holds_of_value(&self, value: NodeId) -> Holds {
        match self.kind(value) {
            "parenthesized_expression" => match super::values::inside(self.tree, value) {
                Some(inner) => self.holds_of_value(inner),
                None => Holds::Either,
            },
            "struct_initializer" | "anonymous_struct_initializer" => Holds::Own,
            "dereference_expression" => self.holds_of_pointee(value),
            "unary_expression" => Holds::Reference,
            "binary_expression" if !self.tree.has_child(value, "orelse") => Holds::Reference,
            "integer" | "float" | "boolean" | "character" | "string" | "multiline_string" => Holds::Reference,
            _ => Holds::Either,
        }
    }

    /// `m.*`: a copy of what the written type of `m` points to.
    fn holds_of_pointee(&self, value: NodeId) -> Holds {
        let pointer = super::values::inside(self.tree, value).filter(|&inner| self.kind(inner) == "identifier");
        let declared = pointer.and_then(|name| self.scopes.binding(name)).map(|id| self.scopes.get(id).declared);
        let written = declared.and_then(|name| self.tree.child(self.tree.parent(name)?, "type"));
        match written.filter(|&written| self.kind(written) == "pointer_type") {
            Some(written) => self.tree.children(written).last().map_or(Holds::Either, |of| self.holds_of_type(of)),
            None => Holds::Either,
        }
    }

    /// The declared container that a name means, when the tree has it.
    pub(super) fn container_of(&self, name: NodeId) -> Option<NodeId> {
        let declared = self.scopes.get(self.scopes.binding(name)?).declared;
        let declaration = self.tree.parent(declared).filter(|&above| self.kind(above) == "variable_declaration")?;
        let value = self.tree.child(declaration, "value")?;
        if self.is_container(value) {
            return Some(value);
        }
        let around = self.tree.ancestors(declared).find(|&above| self.is_container(above) || above == NodeId::ROOT);
        if self.is_this(value) { around } else { None }
    }
}
