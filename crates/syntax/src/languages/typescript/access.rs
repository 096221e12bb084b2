//! Which variable and property path a node reads or writes, and which call it makes.

use super::shape;
use crate::languages::{Access, Call};
use crate::tree::{NodeId, Tree};

/// See [`crate::languages::Rules::access`].
pub(super) fn access(tree: &Tree, node: NodeId) -> Option<Access> {
    let mut path = Vec::new();
    let mut current = node;
    loop {
        current = shape::bare(tree, current);
        match tree.kind(current) {
            "identifier"
            | "this"
            | "super"
            | "shorthand_property_identifier"
            | "shorthand_property_identifier_pattern" => {
                path.reverse();
                return Some(Access { root: current, path });
            }
            "member_expression" => {
                let property = tree.child(current, "property")?;
                path.push(Some(tree.text(property).to_owned()));
            }
            "subscript_expression" => path.push(tree.child(current, "index").and_then(|index| key(tree, index))),
            _ => return None,
        }
        current = tree.child(current, "object")?;
    }
}

/// The property that a literal index names.
pub(super) fn key(tree: &Tree, index: NodeId) -> Option<String> {
    let index = shape::bare(tree, index);
    matches!(tree.kind(index), "string" | "number").then(|| tree.text(index).to_owned())
}

/// See [`crate::languages::Rules::call`].
pub(super) fn call(tree: &Tree, node: NodeId) -> Option<Call> {
    let node = shape::bare(tree, node);
    let callee = match tree.kind(node) {
        "call_expression" => tree.child(node, "function")?,
        "new_expression" => tree.child(node, "constructor")?,
        _ => return None,
    };
    Some(Call { callee, arguments: shape::arguments(tree, node) })
}

/// See [`crate::languages::Rules::only_returns`]. Every parameter must be a plain name, so that an argument can stand
/// for it.
pub(super) fn only_returns(tree: &Tree, node: NodeId) -> Option<(Vec<NodeId>, NodeId)> {
    let function = shape::function_of(tree, node)?;
    if shape::is_async(tree, function) || shape::is_generator(tree, function) {
        return None;
    }
    let parameters = shape::parameters(tree, function).into_iter().map(|parameter| plain_parameter(tree, parameter));
    let parameters = parameters.collect::<Option<Vec<_>>>()?;
    let body = tree.child(function, "body")?;
    if tree.kind(body) != "statement_block" {
        return Some((parameters, body));
    }
    let mut statements = tree.children(body).filter(|&child| !matches!(tree.kind(child), "{" | "}"));
    let only = statements.next().filter(|&only| tree.kind(only) == "return_statement")?;
    if statements.next().is_some() {
        return None;
    }
    Some((parameters, shape::operand(tree, only)?))
}

fn plain_parameter(tree: &Tree, parameter: NodeId) -> Option<NodeId> {
    match shape::target_and_default(tree, parameter) {
        (Some(target), None) if tree.kind(target) == "identifier" => Some(target),
        _ => None,
    }
}

/// See [`crate::languages::Rules::member_of`]. Names without a default, in patterns of plain properties.
pub(super) fn member_of(tree: &Tree, target: NodeId) -> Option<(Tree, NodeId, NodeId)> {
    let mut names = Vec::new();
    let mut here = target;
    let source = loop {
        let above = tree.parent(here)?;
        match (tree.kind(here), tree.kind(above)) {
            ("shorthand_property_identifier_pattern", "object_pattern") => names.push(tree.text(here)),
            (_, "pair_pattern") => {
                let key = tree.child(above, "key").filter(|&key| tree.kind(key) == "property_identifier")?;
                names.push(tree.text(key));
            }
            ("pair_pattern", "object_pattern") => {}
            ("object_pattern", "variable_declarator") => break tree.child(above, "value")?,
            _ => return None,
        }
        here = above;
    };
    access(tree, source)?;
    let mut builder = crate::tree::TreeBuilder::default();
    let span = tree.span(target);
    for index in 0..names.len() {
        builder.open("member_expression", (index > 0).then_some("object"), span);
    }
    builder.copy_as(tree, source, Some("object"));
    for name in names.iter().rev() {
        builder.leaf(".", None, "", span);
        builder.leaf("property_identifier", Some("property"), name, span);
        builder.close();
    }
    let depth = names.len();
    let built = builder.finish();
    let inner = built.subtree(NodeId::ROOT).nth(depth)?;
    Some((built, source, inner))
}
