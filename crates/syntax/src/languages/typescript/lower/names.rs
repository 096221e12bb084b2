//! Which variable a name is, and whose.

use super::{Lowering, global};
use crate::languages::typescript::{scope, shape};
use crate::scope::{BindingId, BindingKind, Scopes};
use crate::tree::{NodeId, Tree};
use factgate_ir::{BodyId, ClassId, Does, Given, Holds, Name, Place, Root, Sym, ValueId, Var, VarId};
use rustc_hash::FxHashSet as HashSet;

/// The variables that are mentioned in another function than the one that declares them.
pub(super) fn captured(tree: &Tree, scopes: &Scopes) -> HashSet<BindingId> {
    let mut found = HashSet::default();
    // The innermost function around each node, in one walk.
    let mut around: Vec<NodeId> = Vec::new();
    let mut home = vec![NodeId::ROOT; scopes.bindings.len()];
    for (id, binding) in scopes.bindings.iter().enumerate() {
        home[id] = owner_node(tree, binding.declared);
    }
    for node in tree.subtree(NodeId::ROOT) {
        while around.last().is_some_and(|&above| !tree.is_within(node, above)) {
            around.pop();
        }
        if let Some(id) = scopes.binding(node)
            && around.last().copied().unwrap_or(NodeId::ROOT) != home[id.0 as usize]
        {
            found.insert(id);
        }
        if makes_body(tree.kind(node)) {
            around.push(node);
        }
    }
    found
}

/// Whether what stands in a node is a body of its own.
fn makes_body(kind: &str) -> bool {
    shape::is_function(kind) || matches!(kind, "class_static_block" | "public_field_definition" | "field_definition")
}

/// The node of the body whose calls make the variable that is declared here.
fn owner_node(tree: &Tree, declared: NodeId) -> NodeId {
    let seen = scope::seen_within(tree, declared);
    let itself_and_above = std::iter::once(seen).chain(tree.ancestors(seen));
    itself_and_above.into_iter().find(|&above| makes_body(tree.kind(above))).unwrap_or(NodeId::ROOT)
}

impl<'t> Lowering<'t> {
    /// What a name means: a variable, or something from outside.
    pub(super) fn root(&mut self, name: NodeId) -> Root {
        match self.scopes.binding(name) {
            Some(id) if !self.is_imported(id) => Root::Var(self.var(id)),
            _ => Root::Global(global(self.text(name))),
        }
    }

    /// Whether a name means the global of that name, or an import of it.
    pub(super) fn is_global(&self, name: NodeId) -> bool {
        self.scopes.binding(name).is_none_or(|id| self.is_imported(id))
    }

    fn is_imported(&self, id: BindingId) -> bool {
        let declared = self.scopes.get(id).declared;
        let is_import = |above| matches!(self.kind(above), "import_statement" | "import_alias");
        self.tree.ancestors(declared).any(is_import)
    }

    /// The variable of a name, when it is one.
    pub(super) fn var_of(&mut self, name: NodeId) -> Option<VarId> {
        if let Root::Var(var) = self.root(name) { Some(var) } else { None }
    }

    pub(super) fn var(&mut self, id: BindingId) -> VarId {
        if let Some(&var) = self.vars.get(&id) {
            return var;
        }
        let (name, declared) = (Sym::from(self.scopes.get(id).name.as_str()), self.scopes.get(id).declared);
        let owner = self.owner(declared);
        let renewed = self.captured.contains(&id) && self.is_renewed(declared);
        let var = self.b.new_var(Var { name, node: declared, owner, renewed, holds: Holds::Reference });
        self.vars.insert(id, var);
        var
    }

    fn owner(&self, declared: NodeId) -> BodyId {
        let mut node = owner_node(self.tree, declared);
        loop {
            if let Some(&body) = self.bodies.get(&node) {
                return body;
            }
            match self.tree.parent(node) {
                Some(above) => node = above,
                None => return self.b.unit().top,
            }
        }
    }

    /// Whether a declaration in a loop makes another variable each turn.
    fn is_renewed(&self, declared: NodeId) -> bool {
        let is_loop =
            |kind: &str| matches!(kind, "for_statement" | "for_in_statement" | "while_statement" | "do_statement");
        let own = self.tree.ancestors(declared).take_while(|&above| {
            // A function's own name is declared around it.
            !makes_body(self.kind(above)) || self.tree.child(above, "name") == Some(declared)
        });
        let in_loop = own.into_iter().any(|above| is_loop(self.kind(above)));
        in_loop && scope::is_made_anew(self.tree, declared)
    }

    /// The variables of these names that are other ones from here on.
    pub(super) fn renew(&mut self, at: NodeId, names: &[NodeId]) {
        let mut vars = Vec::new();
        for &name in names {
            if let Some(var) = self.var_of(name)
                && self.b.unit().var(var).renewed
                && !vars.contains(&var)
            {
                vars.push(var);
            }
        }
        if !vars.is_empty() {
            self.b.act(at, Does::Renew(vars));
        }
    }

    /// A name as a value.
    pub(super) fn name(&mut self, node: NodeId) -> ValueId {
        if self.text(node) == "arguments" && self.is_global(node) {
            let value = self.b.give(node, Does::Given(Given::Arguments));
            self.mark(node);
            return value;
        }
        if shape::is_undefined(self.tree, node) {
            let value = self.undefined(node);
            self.mark(node);
            return value;
        }
        let root = self.root(node);
        let value = self.b.read(node, Place { root, steps: Vec::new() });
        self.mark(node);
        value
    }

    /// Whether a variable is written once, where it is declared.
    pub(super) fn is_constant(&self, name: NodeId) -> bool {
        self.scopes.binding(name).is_some_and(|id| self.scopes.get(id).kind == BindingKind::Constant)
    }

    /// What a variable is declared with, by a declarator of its name alone.
    pub(super) fn declared_value(&self, name: NodeId) -> Option<NodeId> {
        let declared = self.scopes.get(self.scopes.binding(name)?).declared;
        let declarator = self.tree.parent(declared).filter(|&above| self.kind(above) == "variable_declarator")?;
        (self.tree.child(declarator, "name") == Some(declared)).then(|| self.tree.child(declarator, "value"))?
    }

    /// `#x`: the class around that has it.
    pub(super) fn private(&mut self, name: NodeId) -> Name {
        let text = self.text(name);
        let found = self.classes.iter().rev().find(|(_, names)| names.contains(text)).map(|(class, _)| *class);
        let class = found.unwrap_or_else(|| self.class_elsewhere());
        Name::Private(class, Sym::from(text.trim_start_matches('#')))
    }

    /// The class that an item is a member of, when it is lowered without it.
    pub(super) fn class_elsewhere(&mut self) -> ClassId {
        if let Some(class) = self.elsewhere {
            return class;
        }
        let make = self.b.enter(NodeId::ROOT, factgate_ir::BodyKind::Plain, factgate_ir::This::Made);
        self.b.leave();
        let base = factgate_ir::Base::Unread;
        let class = factgate_ir::Class { node: NodeId::ROOT, base, members: Vec::new(), make, fields: None };
        let class = self.b.class(class);
        self.elsewhere = Some(class);
        class
    }
}
