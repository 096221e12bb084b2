//! Places: what an expression names, as far as it is in place. Where a type is not known, a step may follow a pointer.

use super::Lowering;
use super::library::is_type_name;
use super::types::Type;
use super::values::inside;
use crate::languages::zig::condition::call;
use crate::languages::zig::text::unescape;
use crate::tree::NodeId;
use factgate_ir::{Does, Holds, Key, Name, Place, Root, Step, ValueId};

impl<'t> Lowering<'t> {
    /// The place that a node names: its operands are evaluated, and the nodes on the way are marked, not the node itself.
    /// What is no place gives the place of its value.
    pub(super) fn place(&mut self, node: NodeId) -> Place {
        super::with_stack(|| self.place_here(node))
    }

    fn place_here(&mut self, node: NodeId) -> Place {
        match self.kind(node) {
            "identifier" => Place { root: self.root(node), steps: Vec::new() },
            "parenthesized_expression" => match inside(self.tree, node) {
                Some(inner) => self.marked_place(inner),
                None => self.place_of_value(node),
            },
            "field_expression" => match (self.tree.child(node, "object"), self.tree.child(node, "member")) {
                (Some(object), Some(member)) => {
                    let name = self.text(member);
                    // The size and start of a slice lie in the slice, not behind it.
                    let of_slice = matches!(name, "len" | "ptr") && matches!(self.type_of(object), Type::Slice(_));
                    let base = if of_slice { self.marked_place(object) } else { self.based(object) };
                    base.then(Name::text(name))
                }
                _ => self.place_of_value(node),
            },
            "null_coercion_expression" => match inside(self.tree, node) {
                Some(inner) => self.unwrapped(node, inner),
                None => self.place_of_value(node),
            },
            "dereference_expression" => match inside(self.tree, node) {
                Some(inner) => self.marked_place(inner).then(Step::Deref),
                None => self.place_of_value(node),
            },
            "index_expression" if !is_slice(self, node) => {
                match (self.tree.child(node, "object"), self.tree.child(node, "index")) {
                    (Some(object), Some(index)) => {
                        let base = self.based(object);
                        let key = self.value(index);
                        base.then(Step::Element(Key::Number, key))
                    }
                    _ => self.place_of_value(node),
                }
            }
            "builtin_function" => match self.field_by_name(node) {
                Some((object, name)) => self.field_by(object, name),
                None => self.place_of_value(node),
            },
            _ => self.place_of_value(node),
        }
    }

    fn place_of_value(&mut self, node: NodeId) -> Place {
        let value = self.value_unmarked(node);
        Place { root: Root::Value(value), steps: Vec::new() }
    }

    /// The place of a node that another one stands on.
    fn marked_place(&mut self, node: NodeId) -> Place {
        let place = self.place(node);
        self.b.mark(node);
        place
    }

    /// Where the members of an object lie: behind a pointer, or in the object itself.
    fn based(&mut self, object: NodeId) -> Place {
        let of = self.type_of(object);
        let place = self.marked_place(object);
        self.behind(place, &of)
    }

    /// A step through a pointer where there may be one.
    pub(super) fn behind(&self, place: Place, of: &Type) -> Place {
        match of {
            Type::Pointer(_) | Type::Slice(_) => place.then(Step::Deref),
            Type::Container(_) | Type::Struct | Type::Array(_) | Type::Plain | Type::Itself(_) => place,
            _ => match (&place.root, place.steps.last()) {
                (Root::Var(var), None) => match self.b.unit().var(*var).holds {
                    Holds::Reference => place.then(Step::Deref),
                    Holds::Own => place,
                    Holds::Either => place.then(Step::MaybeDeref),
                },
                (Root::Global(_), None) => place,
                _ => place.then(Step::MaybeDeref),
            },
        }
    }

    /// `x.?` goes on only where `x` is a value.
    fn unwrapped(&mut self, node: NodeId, inner: NodeId) -> Place {
        let place = self.marked_place(inner);
        let value = self.b.read(inner, place.clone());
        self.b.open();
        let missing = self.b.leaf(inner, factgate_ir::Atom::Missing(value));
        let never = self.apart(|lower| lower.b.exit(node, factgate_ir::Exit::Never, None));
        self.b.branch(missing, never, factgate_ir::Code::nothing());
        place.then(Name::Inner)
    }

    /// The object and name of `@field(x, name)`.
    pub(super) fn field_by_name(&self, node: NodeId) -> Option<(NodeId, NodeId)> {
        let call = call(self.tree, node).filter(|call| self.text(call.callee) == "@field")?;
        let &[object, name] = call.arguments.as_slice() else { return None };
        Some((object, name))
    }

    /// A member whose name is a text that is known, or one that is computed.
    fn field_by(&mut self, object: NodeId, name: NodeId) -> Place {
        let base = self.based(object);
        let known = if self.kind(name) == "string" { unescape(self.text(name)) } else { None };
        match known {
            Some(known) => base.then(Name::Text(known.as_str().into())),
            None => {
                let key = self.value(name);
                base.then(Step::Element(Key::Unknown, key))
            }
        }
    }

    /// `a[i..j]`: a pointer to the elements of `a`.
    pub(super) fn slice(&mut self, node: NodeId) -> ValueId {
        let Some(object) = self.tree.child(node, "object") else { return self.unknown(node) };
        let base = self.based(object);
        for bound in self.tree.children(node).filter(|&child| child != object) {
            if !super::values::is_word(self.kind(bound)) {
                self.value(bound);
            }
        }
        self.b.give(node, Does::Address(base))
    }

    /// Whether an expression names a container or a namespace and no object: its functions get no object.
    pub(super) fn is_namespace(&self, node: NodeId) -> bool {
        match self.kind(node) {
            "identifier" => {
                let Some(id) = self.scopes.binding(node) else { return is_type_name(self.text(node)) };
                let declared = self.scopes.get(id).declared;
                let above = self.tree.parent(declared).filter(|&above| self.kind(above) == "variable_declaration");
                let value = above.and_then(|above| self.tree.child(above, "value"));
                is_type_name(self.text(node)) || value.is_some_and(|value| self.is_namespace_value(value))
            }
            "field_expression" => {
                let member = self.tree.child(node, "member").map_or("", |member| self.text(member));
                let object = self.tree.child(node, "object");
                is_type_name(member) || object.is_some_and(|object| self.starts_at_std(object))
            }
            "builtin_function" => self.is_this(node) || self.is_import(node),
            // What a function gives whose name is a type's is a type.
            "call_expression" => self.tree.child(node, "function").is_some_and(|callee| self.is_namespace(callee)),
            "parenthesized_expression" => inside(self.tree, node).is_some_and(|inner| self.is_namespace(inner)),
            _ => self.is_container(node),
        }
    }

    fn is_namespace_value(&self, value: NodeId) -> bool {
        match self.kind(value) {
            "builtin_function" => self.is_this(value) || self.is_import(value),
            "field_expression" => self.tree.child(value, "object").is_some_and(|object| self.is_namespace(object)),
            _ => self.is_container(value),
        }
    }

    pub(super) fn is_import(&self, node: NodeId) -> bool {
        call(self.tree, node).is_some_and(|call| matches!(self.text(call.callee), "@import" | "@cImport"))
    }

    /// Whether a path starts at the standard library, whose namespaces have names like objects.
    pub(super) fn starts_at_std(&self, node: NodeId) -> bool {
        match self.kind(node) {
            "identifier" => self.text(node) == "std" || self.text(node) == "builtin",
            "field_expression" => self.tree.child(node, "object").is_some_and(|object| self.starts_at_std(object)),
            _ => false,
        }
    }
}

pub(super) fn is_slice(lowering: &Lowering<'_>, node: NodeId) -> bool {
    let tree = lowering.tree;
    tree.has_child(node, "..") || tree.child(node, "index").is_some_and(|index| tree.kind(index) == "range_expression")
}
