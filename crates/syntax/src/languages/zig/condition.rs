//! What Zig expressions mean to guards: conditions, access paths, calls, functions that only return an expression.

use super::super::{Access, Call, CallForm, OwnObject};
use crate::scope::Scopes;
use crate::tree::{NodeId, Tree};

/// `if (test) yes else no` between expressions.
pub(super) struct Choice {
    pub(super) test: NodeId,
    pub(super) yes: NodeId,
    pub(super) no: NodeId,
}

/// The parts of an `if` without captures whose ways are expressions.
pub(super) fn choice(tree: &Tree, node: NodeId) -> Option<Choice> {
    let clause = tree.child_of_kind(node, "else_clause")?;
    let (test, yes) = (tree.child(node, "condition")?, tree.child(node, "body")?);
    let no = tree.child(clause, "alternative")?;
    let captures = tree.has_child(node, "payload") || tree.has_child(clause, "payload");
    let is_value = |part: NodeId| !matches!(tree.kind(part), "block" | "labeled_statement" | "block_expression");
    (!captures && is_value(yes) && is_value(no)).then_some(Choice { test, yes, no })
}

/// The node behind its parentheses.
pub(super) fn strip(tree: &Tree, node: NodeId) -> NodeId {
    let mut node = node;
    while tree.kind(node) == "parenthesized_expression" {
        let Some(inside) = inner(tree, node) else { break };
        node = inside;
    }
    node
}

/// The one operand of a wrapper such as `( … )`, `comptime …`, `x.*`.
pub(super) fn inner(tree: &Tree, node: NodeId) -> Option<NodeId> {
    tree.children(node).find(|&child| !matches!(tree.kind(child), "(" | ")" | "comptime" | "nosuspend" | ".*" | ".?"))
}

/// The variable and property path of a node. `x.?` is the path step `?`; `x.*` and `x[i]` are steps to anything;
/// `@field(x, "a")` is `x.a`.
pub(super) fn access(tree: &Tree, node: NodeId) -> Option<Access> {
    let mut path = Vec::new();
    let mut node = node;
    loop {
        node = match tree.kind(node) {
            "identifier" => break,
            "field_expression" => {
                path.push(Some(tree.text(tree.child(node, "member")?).to_owned()));
                tree.child(node, "object")?
            }
            "null_coercion_expression" => {
                path.push(Some("?".to_owned()));
                inner(tree, node)?
            }
            "dereference_expression" => {
                // `p.*.v` is `p.v`.
                if path.is_empty() {
                    path.push(None);
                }
                inner(tree, node)?
            }
            "builtin_function" => {
                let call = call(tree, node).filter(|call| tree.text(call.callee) == "@field")?;
                let &[object, name] = call.arguments.as_slice() else { return None };
                path.push((tree.kind(name) == "string").then(|| tree.text(name).to_owned()));
                object
            }
            "index_expression" => {
                path.push(None);
                tree.child(node, "object")?
            }
            "parenthesized_expression" => inner(tree, node)?,
            _ => return None,
        };
    }
    path.reverse();
    Some(Access { root: node, path })
}

/// The call that a node makes. A builtin's callee is its name; `@call` calls its second argument.
pub(super) fn call(tree: &Tree, node: NodeId) -> Option<Call> {
    let listed = |list: NodeId| -> Vec<NodeId> {
        tree.children(list).filter(|&child| !matches!(tree.kind(child), "(" | ")" | "{" | "}")).collect()
    };
    match tree.kind(node) {
        "parenthesized_expression" => call(tree, strip(tree, node)),
        "call_expression" => {
            let callee = tree.child(node, "function")?;
            let arguments = listed(node).into_iter().filter(|&child| child != callee).collect();
            Some(Call { callee, arguments, form: CallForm::Plain })
        }
        "builtin_function" => {
            let callee = tree.child_of_kind(node, "builtin_identifier")?;
            let arguments = listed(tree.child_of_kind(node, "arguments")?);
            match (tree.text(callee), arguments.as_slice()) {
                ("@call", &[_, called, tuple]) => {
                    let list = tree.child_of_kind(tuple, "initializer_list");
                    let arguments = list.map(listed).unwrap_or_default();
                    Some(Call { callee: called, arguments, form: CallForm::Plain })
                }
                _ => Some(Call { callee, arguments, form: CallForm::Plain }),
            }
        }
        _ => None,
    }
}

/// The parameters and the expression of a function that does nothing but return it.
pub(super) fn only_returns(tree: &Tree, function: NodeId) -> Option<(Vec<NodeId>, NodeId)> {
    let body = tree.child(function, "body").filter(|_| tree.kind(function) == "function_declaration")?;
    let mut statements = tree.children(body).filter(|&child| !matches!(tree.kind(child), "{" | "}"));
    let only = statements.next().filter(|_| statements.next().is_none())?;
    let value = tree.children(only).nth(1).filter(|_| tree.kind(only) == "return_expression")?;
    Some((parameters(tree, function), value))
}

/// The identifiers of a function's named parameters.
pub(super) fn parameters(tree: &Tree, function: NodeId) -> Vec<NodeId> {
    let Some(list) = tree.child_of_kind(function, "parameters") else { return Vec::new() };
    tree.children(list).filter_map(|parameter| tree.child(parameter, "name")).collect()
}

/// See [`crate::languages::Rules::own_object`]. Its written type must say what it is.
pub(super) fn own_object(tree: &Tree, scopes: &Scopes, leaf: NodeId) -> Option<OwnObject> {
    let declared = scopes.get(scopes.binding(leaf)?).declared;
    let parameter = tree.parent(declared).filter(|&above| tree.kind(above) == "parameter")?;
    let list = tree.parent(parameter)?;
    if tree.parent(list) != Some(NodeId::ROOT) {
        return None;
    }
    let written = tree.child(parameter, "type")?;
    let is_pointer = tree.kind(written) == "pointer_type";
    let named = if is_pointer { tree.children(written).last()? } else { written };
    let plain = |part: NodeId| part == named || matches!(tree.kind(part), "*" | "const");
    if is_pointer && !tree.children(written).all(plain) {
        return None;
    }
    match tree.kind(named) {
        "identifier" => Some(OwnObject::Typed(tree.text(named).to_owned())),
        "builtin_function" => {
            let call = call(tree, named).filter(|call| tree.text(call.callee) == "@This")?;
            call.arguments.is_empty().then_some(OwnObject::Itself)
        }
        _ => None,
    }
}
