//! Namespaces: what each block of a namespace exports is a member of one thing, whichever block says it.

use super::Reader;
use crate::links::{Class, Holder, Means};
use oxc_ast::AstKind;
use oxc_ast::ast::{BindingIdentifier, Declaration};
use oxc_semantic::NodeId;

impl<'a> Reader<'a, '_> {
    /// The members of every namespace.
    pub(super) fn read_spaces(&mut self) {
        let nodes = self.semantic.nodes();
        for node in nodes.iter() {
            match node.kind() {
                AstKind::TSNamespaceDeclaration(space) => {
                    self.spaces += 1;
                    // `namespace A.B` exports B from A.
                    if let AstKind::TSNamespaceDeclaration(outer) = nodes.parent_kind(node.id()) {
                        self.add_to_space(&outer.id, &space.id);
                    }
                }
                AstKind::ExportDeclaration(export) => {
                    let Some(space) = self.space_around(node.id()) else { continue };
                    declared_names(&export.declaration).into_iter().for_each(|name| self.add_to_space(space, name));
                }
                _ => {}
            }
        }
    }

    fn space_around(&self, node: NodeId) -> Option<&'a BindingIdentifier<'a>> {
        self.semantic.nodes().ancestor_kinds(node).find_map(|kind| match kind {
            AstKind::TSNamespaceDeclaration(space) => Some(&space.id),
            _ => None,
        })
    }

    fn add_to_space(&mut self, space: &BindingIdentifier<'a>, member: &BindingIdentifier<'a>) {
        let index = |name: &BindingIdentifier<'a>| self.symbols.get(&name.symbol_id.get()?).copied();
        let (Some(space), Some(index)) = (index(space), index(member)) else { return };
        let means = &mut self.links.symbols[space].means;
        if !matches!(means, Means::Class(_)) {
            *means = Means::Class(Class { holder: Holder::Table, ..Class::default() });
        }
        if let Means::Class(class) = means {
            class.members.insert(member.name.to_string(), index);
        }
    }
}

/// The names that a declaration declares.
pub(super) fn declared_names<'d, 'a>(declaration: &'d Declaration<'a>) -> Vec<&'d BindingIdentifier<'a>> {
    match declaration {
        Declaration::VariableDeclaration(variables) => {
            variables.declarations.iter().flat_map(|one| one.id.get_binding_identifiers()).collect()
        }
        other => other.id().into_iter().collect(),
    }
}
