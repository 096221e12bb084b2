//! The object literals that an argument may be, written out: `rm(dir, OPTIONS)`, `rm(dir, { ...BASE, force: true })` and
//! options that a function builds before its call are the call that their author could have written.
//!
//! All that may stand in the object is put into it, whatever overrides whatever: who looks for a shape wants to see it
//! where it is possible.

use super::plain;
use crate::scope::{Binding, Scopes};
use crate::tree::{NodeId, Span, Tree, TreeBuilder};

/// How far names, spreads and choices are followed.
const DEPTH: u32 = 8;
/// How many objects one argument is taken for.
const MOST: usize = 8;

/// What stands in an object.
#[derive(Clone, Copy)]
enum Member {
    /// As it is written.
    Written(NodeId),
    /// A key with a value that stands elsewhere.
    Given { key: NodeId, value: NodeId },
}

/// The objects that an argument may be and is not written as.
pub(in crate::languages::typescript) fn objects(tree: &Tree, scopes: &Scopes, argument: NodeId) -> Vec<Tree> {
    let options = Options { tree, scopes };
    let is_written = |members: &[Member]| {
        let own = |member: &Member| matches!(member, Member::Written(node) if tree.parent(*node) == Some(argument));
        tree.kind(argument) == "object" && members.iter().all(own)
    };
    let mut found = options.alternatives(argument, DEPTH);
    found.truncate(MOST);
    found.retain(|members| !is_written(members));
    found.iter().map(|members| options.write(members, tree.span(argument))).collect()
}

struct Options<'t> {
    tree: &'t Tree,
    scopes: &'t Scopes,
}

impl Options<'_> {
    fn alternatives(&self, node: NodeId, depth: u32) -> Vec<Vec<Member>> {
        let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
        let tree = self.tree;
        let node = plain(tree, node);
        match tree.kind(node) {
            "object" => vec![self.members(node, depth)],
            "identifier" => self.named(node, depth),
            "ternary_expression" => {
                let ways = ["consequence", "alternative"].iter().filter_map(|way| tree.child(node, way));
                ways.flat_map(|way| self.alternatives(way, depth)).collect()
            }
            "logical_expression" => {
                let operands = tree.children(node).filter(|&child| tree.field(child) == Some("operand"));
                operands.flat_map(|operand| self.alternatives(operand, depth)).collect()
            }
            "call_expression" => {
                let callee = tree.child(node, "function").and_then(|callee| super::super::access::access(tree, callee));
                let assigns = callee.is_some_and(|callee| {
                    tree.text(callee.root) == "Object" && callee.path == [Some("assign".to_owned())]
                });
                let arguments = super::super::shape::arguments(tree, node);
                let all = || arguments.iter().flat_map(|&one| self.alternatives(one, depth)).flatten().collect();
                if assigns { vec![all()] } else { Vec::new() }
            }
            _ => Vec::new(),
        }
    }

    /// What a variable holds: what it is declared with or assigned, and the properties that are assigned to it.
    fn named(&self, name: NodeId, depth: u32) -> Vec<Vec<Member>> {
        let Some(id) = self.scopes.binding(name) else { return Vec::new() };
        let binding = self.scopes.get(id);
        let mut values: Vec<NodeId> = self.initial(binding).into_iter().collect();
        values.extend(binding.writes.iter().filter_map(|&write| self.assigned(write)));
        let mut found: Vec<Vec<Member>> =
            values.into_iter().flat_map(|value| self.alternatives(value, depth)).collect();
        if found.is_empty() {
            return found;
        }
        let tree = self.tree;
        let sets = tree.subtree(NodeId::ROOT).filter_map(|node| {
            let left = tree.child(node, "left").filter(|_| tree.kind(node) == "assignment_expression")?;
            let object = tree.child(left, "object")?;
            let key = tree.child(left, "property").or_else(|| tree.child(left, "index"))?;
            let value = tree.child(node, "right")?;
            (self.scopes.binding(object) == Some(id)).then_some(Member::Given { key, value })
        });
        let sets: Vec<Member> = sets.collect();
        found.iter_mut().for_each(|members| members.extend(&sets));
        found
    }

    fn initial(&self, binding: &Binding) -> Option<NodeId> {
        let declared = binding.declared;
        let above = self.tree.parent(declared).filter(|&above| self.tree.kind(above) == "variable_declarator")?;
        self.tree.child(above, "value").filter(|_| self.tree.field(declared) == Some("name"))
    }

    fn assigned(&self, write: NodeId) -> Option<NodeId> {
        let above = self.tree.parent(write).filter(|&above| self.tree.kind(above) == "assignment_expression")?;
        self.tree.child(above, "right").filter(|_| self.tree.field(write) == Some("left"))
    }

    /// An object's members, with those of what is spread into it, and constants in the place of their names.
    fn members(&self, object: NodeId, depth: u32) -> Vec<Member> {
        let tree = self.tree;
        let mut members = Vec::new();
        for member in tree.children(object) {
            match tree.kind(member) {
                "{" | "}" => {}
                "spread_element" => {
                    let spread = tree.children(member).last();
                    members.extend(spread.into_iter().flat_map(|one| self.alternatives(one, depth)).flatten());
                }
                "shorthand_property_identifier" => members.push(match self.constant(member) {
                    Some(value) => Member::Given { key: member, value },
                    None => Member::Written(member),
                }),
                "pair" => {
                    let constant = tree.child(member, "value").and_then(|value| self.constant(value));
                    members.push(match (tree.child(member, "key"), constant) {
                        (Some(key), Some(value)) => Member::Given { key, value },
                        _ => Member::Written(member),
                    });
                }
                _ => members.push(Member::Written(member)),
            }
        }
        members
    }

    /// The literal that a name always stands for.
    fn constant(&self, name: NodeId) -> Option<NodeId> {
        let binding = self.scopes.get(self.scopes.binding(name)?);
        let value = plain(self.tree, self.initial(binding).filter(|_| binding.writes.is_empty())?);
        matches!(self.tree.kind(value), "true" | "false" | "null" | "number" | "string").then_some(value)
    }

    fn write(&self, members: &[Member], span: Span) -> Tree {
        let mut out = TreeBuilder::default();
        out.open("object", None, span);
        out.leaf("{", None, "", span);
        for member in members {
            match *member {
                Member::Written(node) => out.copy(self.tree, node),
                Member::Given { key, value } => {
                    out.open("pair", None, span);
                    out.leaf("property_identifier", Some("key"), self.tree.text(key), self.tree.span(key));
                    out.leaf(":", None, "", span);
                    out.copy_as(self.tree, value, Some("value"));
                    out.close();
                }
            }
        }
        out.leaf("}", None, "", span);
        out.close();
        out.finish()
    }
}
