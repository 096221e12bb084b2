//! Which variable a name is, and what a variable holds: the thing itself, or a pointer to it.

use super::Lowering;
use super::types::Type;
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
        match self.tree.parent(declared).map(|above| self.kind(above)) {
            Some("variable_declaration" | "parameter" | "payload") => self.holds_of(&self.declared_type_of(declared)),
            // A function's own name.
            _ => Holds::Reference,
        }
    }

    fn holds_of(&self, of: &Type) -> Holds {
        match of {
            Type::Plain | Type::Pointer(_) | Type::Slice(_) | Type::Itself(_) => Holds::Reference,
            Type::Container(_) if self.is_whole(of) => Holds::Reference,
            Type::Container(_) | Type::Struct | Type::Array(_) => Holds::Own,
            Type::Optional(of) | Type::ErrorUnion(of) => self.holds_of(of),
            Type::Foreign(_) | Type::Unknown => Holds::Either,
        }
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
}
