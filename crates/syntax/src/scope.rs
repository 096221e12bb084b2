//! Scopes: which identifier of a normal tree names which variable.
//!
//! Used to tell a renamed local from a changed one, to keep shadowed variables apart in guards, and to
//! know what an assignment ends.

use crate::tree::NodeId;
use rustc_hash::FxHashMap as HashMap;

/// A variable that is declared inside the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BindingId(pub u32);

/// What declares a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindingKind {
    /// Never assigned again: `const`, Zig `const`, a capture, an import.
    Constant,
    /// `let`, `var`, Zig `var`.
    Variable,
    /// A parameter.
    Parameter,
    /// A function, class, enum or type declared by name.
    Declaration,
}

/// One variable.
#[derive(Clone, Debug)]
pub struct Binding {
    /// Its name in the source.
    pub name: String,
    /// The identifier that declares it.
    pub declared: NodeId,
    /// What declares it.
    pub kind: BindingKind,
    /// The identifiers (or member bases) through which the variable itself is assigned after its declaration,
    /// closures included.
    pub writes: Vec<NodeId>,
    /// Whether it belongs to the inside of the item (a parameter, a local) rather than being the item's own name
    /// or a member that others can see. Only locals are renamed freely, so a variable whose name is also a property's
    /// (JavaScript's `{ name }`, an import or export without alias) counts as no local.
    pub local: bool,
}

/// All variables of one tree, and which identifiers mean them.
#[derive(Clone, Debug, Default)]
pub struct Scopes {
    /// The variables, by [`BindingId`].
    pub bindings: Vec<Binding>,
    of_node: HashMap<NodeId, BindingId>,
}

impl Scopes {
    /// The variable that an identifier declares or mentions; `None` for names from outside the tree and for
    /// nodes that are no identifiers of variables (property names, types from outside, literals).
    pub fn binding(&self, node: NodeId) -> Option<BindingId> {
        self.of_node.get(&node).copied()
    }

    /// The variable behind an id.
    pub fn get(&self, id: BindingId) -> &Binding {
        &self.bindings[id.0 as usize]
    }

    /// Adds a variable.
    pub fn declare(&mut self, binding: Binding) -> BindingId {
        let id = BindingId(self.bindings.len() as u32);
        self.of_node.insert(binding.declared, id);
        self.bindings.push(binding);
        id
    }

    /// Says that an identifier mentions a variable.
    pub fn mention(&mut self, node: NodeId, id: BindingId) {
        self.of_node.insert(node, id);
    }
}
