//! Zig, on tree-sitter-zig 1.1.2.
//!
//! `raw`, `shape`, `regroup` and `text` make the normal form; `items` names things; `damage` finds what the grammar reads
//! wrongly without saying so. The rest works on normal trees: `scope`, `flow`, `condition`, `values`.

mod condition;
mod damage;
mod items;
mod kinds;
mod links;
mod lower;
mod raw;
mod regroup;
mod scope;
mod shape;
mod sink;
#[cfg(test)]
mod tests;
mod text;
mod values;

pub(super) use self::links::links;

use super::{Access, Call, Check, Given, GrammarRules, Kinds, OwnObject, Place, Rules};
use crate::grammar::Node;
use crate::item::Item;
use crate::lowered::{Lowered, LoweredTest};
use crate::scope::Scopes;
use crate::tree::{NodeId, Tree, TreeBuilder};
use crate::value::{Constant, Entries, Spelled};

/// The language's rules.
pub(super) struct Zig;

/// Statements stand only inside a function, fields only inside a container, prongs only inside a `switch`.
static PLACES: [Place; 6] = [
    Place { before: "fn f() void {\n", after: "\n}" },
    Place { before: "fn f() void {\n", after: "\n;}" },
    Place { before: "", after: "" },
    Place { before: "const T = enum {\n", after: "\n};" },
    Place { before: "const T = struct {\n", after: "\n};" },
    Place { before: "fn f() void { switch (x) {\n", after: "\n} }" },
];

impl GrammarRules for Zig {
    fn items(&self, root: Node<'_>, _types: Option<Node<'_>>, given: Given<'_>) -> Vec<Item> {
        items::items(root, given)
    }

    fn normalize(&self, parts: &[Node<'_>], given: Given<'_>, out: &mut TreeBuilder) {
        let mut read: Vec<raw::Raw<'_>> = parts.iter().map(|&part| whole(raw::read(part, given))).collect();
        match read.len() {
            1 => raw::write(&read.remove(0).with(None), out),
            _ => raw::write(&raw::Raw::over("parts", read), out),
        }
    }

    /// An empty container sets `has_error` and has neither an `ERROR` nor a missing node that could be seen; what is
    /// seen is never harmless.
    fn harmless(&self, _node: Node<'_>, _given: Given<'_>) -> bool {
        false
    }

    fn checks(&self) -> &'static [(&'static str, Check)] {
        &damage::CHECKS
    }

    fn places(&self) -> &'static [Place] {
        &PLACES
    }

    fn member_place(&self) -> Place {
        Place { before: "const t = .{ ", after: " };" }
    }

    fn fillers(&self) -> &'static [(&'static str, &'static str)] {
        &[("", ""), ("", ";"), ("", " => {},"), ("", ": u8,"), ("", ",")]
    }
}

/// Operators are regrouped by the node above them; the outermost node has none.
fn whole(node: raw::Raw<'_>) -> raw::Raw<'_> {
    if regroup::is_operator(node.kind) { regroup::regroup(node) } else { node }
}

/// The field without a name that the grammar puts into `struct {}`, `enum {}`, `union {}` and `opaque {}`.
fn is_empty_field(node: Node<'_>) -> bool {
    node.kind() == "container_field" && node.start_byte() == node.end_byte()
}

impl Rules for Zig {
    fn scopes(&self, tree: &Tree) -> Scopes {
        scope::scopes(tree)
    }

    fn kinds(&self) -> &'static Kinds {
        &kinds::KINDS
    }

    fn lower(&self, tree: &Tree) -> Lowered {
        lower::lower(tree)
    }

    fn lower_test(&self, tree: &Tree, node: NodeId) -> LoweredTest {
        lower::lower_test(tree, node)
    }

    fn is_value(&self, tree: &Tree, node: NodeId) -> bool {
        let kind = tree.kind(node);
        let leaves = matches!(kind, "return_expression" | "break_expression" | "continue_expression");
        let assigns = kind == "assignment_expression" || tree.has_child(node, "=");
        let is_part = ["_statement", "_declaration", "_field", "_type", "_prong"].iter().any(|end| kind.ends_with(end));
        !leaves && !assigns && !is_part && !matches!(kind, "block" | "switch_case" | "payload")
    }

    fn access(&self, tree: &Tree, node: NodeId) -> Option<Access> {
        condition::access(tree, node)
    }

    fn call(&self, tree: &Tree, node: NodeId) -> Option<Call> {
        condition::call(tree, node)
    }

    fn seen_within(&self, tree: &Tree, declared: NodeId) -> NodeId {
        scope::seen_within(tree, declared)
    }

    fn names_variable(&self, tree: &Tree, node: NodeId) -> bool {
        scope::names_variable(tree, node)
    }

    fn own_object(&self, tree: &Tree, scopes: &Scopes, leaf: NodeId) -> Option<OwnObject> {
        condition::own_object(tree, scopes, leaf)
    }

    fn entries(&self, tree: &Tree, node: NodeId) -> Entries {
        values::entries(tree, node)
    }

    fn constant(&self, tree: &Tree, node: NodeId) -> Constant {
        values::constant(tree, node)
    }

    fn spelled(&self, tree: &Tree, node: NodeId) -> Spelled {
        values::spelled(tree, node)
    }
}
