//! Which places a value may be or point to: for aliases, and for assignments through a base that is no plain path.

use super::condition::{access, call, inner, strip};
use crate::languages::{By, Denoted, Held};
use crate::tree::{NodeId, Tree};

/// Builtins that write through a pointer or slice, and which argument that is.
const WRITES: [(&str, usize); 7] = [
    ("@memset", 0),
    ("@memcpy", 0),
    ("@memmove", 0),
    ("@atomicStore", 1),
    ("@atomicRmw", 1),
    ("@cmpxchgStrong", 1),
    ("@cmpxchgWeak", 1),
];

/// The argument through which a builtin writes.
pub(super) fn written(tree: &Tree, node: NodeId) -> Option<NodeId> {
    let call = call(tree, node).filter(|_| tree.kind(node) == "builtin_function")?;
    let &(_, at) = WRITES.iter().find(|(name, _)| *name == tree.text(call.callee))?;
    call.arguments.get(at).copied()
}

/// See [`crate::languages::Rules::denotes`]. A builtin that writes denotes what it writes.
pub(super) fn denotes(tree: &Tree, node: NodeId) -> Vec<Denoted> {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || denotes_here(tree, node))
}

fn denotes_here(tree: &Tree, node: NodeId) -> Vec<Denoted> {
    let node = strip(tree, node);
    if tree.kind(node) == "index_expression" && is_slice(tree, node) {
        let base = tree.child(node, "object").map_or_else(Vec::new, |object| denotes(tree, object));
        return base.into_iter().map(|base| Denoted { by: By::Value, ..base }).collect();
    }
    if let Some(access) = access(tree, node) {
        return vec![Denoted::from(access)];
    }
    let all = |nodes: &[Option<NodeId>]| -> Vec<Denoted> {
        nodes.iter().flatten().flat_map(|&node| denotes(tree, node)).collect()
    };
    let step = |base: Option<NodeId>, step: Option<String>| -> Vec<Denoted> {
        all(&[base]).into_iter().map(|base| base.step(step.clone())).collect()
    };
    let child = |field: &str| tree.child(node, field);
    match tree.kind(node) {
        "field_expression" => step(child("object"), child("member").map(|member| tree.text(member).to_owned())),
        "null_coercion_expression" => step(inner(tree, node), Some("?".to_owned())),
        "dereference_expression" => step(inner(tree, node), None),
        "index_expression" => step(child("object"), None),
        "unary_expression" if tree.has_child(node, "&") => {
            all(&[child("argument")]).into_iter().map(|of| Denoted { by: By::Address, ..of }).collect()
        }
        "try_expression" => all(&[child("argument")]),
        "comptime_expression" | "nosuspend_expression" => all(&[inner(tree, node)]),
        "if_expression" => {
            let clause = tree.child_of_kind(node, "else_clause");
            all(&[child("body"), clause.and_then(|clause| tree.child(clause, "alternative"))])
        }
        "switch_expression" => {
            let cases = tree.children(node).filter(|&case| tree.kind(case) == "switch_case");
            all(&cases.map(|case| tree.child(case, "body")).collect::<Vec<_>>())
        }
        "binary_expression" if tree.has_child(node, "orelse") => all(&[child("left"), child("right")]),
        "catch_expression" => all(&[child("left"), child("right")]),
        "labeled_statement" => {
            let breaks = tree.subtree(node).filter(|&inside| tree.kind(inside) == "break_expression");
            let value = |node| tree.children(node).skip(1).find(|&child| tree.kind(child) != "break_label");
            all(&breaks.map(value).collect::<Vec<_>>())
        }
        "builtin_function" => builtin(tree, node),
        _ => vec![unknown()],
    }
}

fn unknown() -> Denoted {
    Denoted { root: None, path: Vec::new(), by: By::Value }
}

fn is_slice(tree: &Tree, node: NodeId) -> bool {
    tree.has_child(node, "..") || tree.child(node, "index").is_some_and(|index| tree.kind(index) == "range_expression")
}

fn builtin(tree: &Tree, node: NodeId) -> Vec<Denoted> {
    if let Some(pointer) = written(tree, node) {
        return denotes(tree, pointer).into_iter().map(|pointer| pointer.step(None)).collect();
    }
    let Some(call) = call(tree, node) else { return vec![unknown()] };
    match (tree.text(call.callee), call.arguments.as_slice()) {
        ("@as", &[_, value]) | ("@ptrCast" | "@alignCast" | "@constCast" | "@volatileCast", &[value]) => {
            denotes(tree, value)
        }
        ("@field", &[object, name]) => {
            let name = (tree.kind(name) == "string").then(|| tree.text(name).to_owned());
            denotes(tree, object).into_iter().map(|object| object.step(name.clone())).collect()
        }
        _ => vec![unknown()],
    }
}

/// See [`crate::languages::Rules::held`].
pub(super) fn held(tree: &Tree, node: NodeId) -> Vec<Held> {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
        let node = strip(tree, node);
        let list = match tree.kind(node) {
            "struct_initializer" | "anonymous_struct_initializer" => tree.child_of_kind(node, "initializer_list"),
            "initializer_list" => Some(node),
            _ => None,
        };
        let Some(list) = list else { return denotes(tree, node).into_iter().map(Held::from).collect() };
        let each = |child: NodeId| -> Vec<Held> {
            let name = tree.child_of_kind(child, "identifier").filter(|_| tree.kind(child) == "field_initializer");
            let name = name.map(|name| tree.text(name).to_owned());
            let value = if name.is_some() { tree.children(child).last() } else { Some(child) };
            let held = value.map_or_else(Vec::new, |value| held(tree, value));
            held.into_iter().map(|held| held.within(name.clone())).collect()
        };
        tree.children(list).flat_map(each).collect()
    })
}

/// See [`crate::languages::Rules::sources`]: what a capture holds or points to.
pub(super) fn sources(tree: &Tree, target: NodeId) -> Vec<Denoted> {
    captured(tree, target).unwrap_or_default()
}

fn captured(tree: &Tree, target: NodeId) -> Option<Vec<Denoted>> {
    let payload = tree.parent(target).filter(|&above| tree.kind(above) == "payload")?;
    let (mut position, mut by) = (0, By::Value);
    for child in tree.children(payload).take_while(|&child| child != target) {
        match tree.kind(child) {
            "*" => by = By::Address,
            "identifier" => (position, by) = (position + 1, By::Value),
            _ => {}
        }
    }
    let above = tree.parent(payload)?;
    let subject = match tree.kind(above) {
        "if_expression" | "while_expression" => tree.child(above, "condition")?,
        "switch_case" => {
            let switch = tree.parent(above)?;
            tree.children(switch).find(|&child| !matches!(tree.kind(child), "switch" | "("))?
        }
        "for_expression" => {
            let lists = tree.children(above).take_while(|&child| tree.kind(child) != ")");
            let list = lists.filter(|&list| !matches!(tree.kind(list), "for" | "(" | "inline")).nth(position)?;
            let elements = denotes(tree, list).into_iter().map(|list| list.step(None));
            return Some(elements.map(|element| Denoted { by, ..element }).collect());
        }
        _ => return None,
    };
    // The payload of an optional or a union, which is also reached as `subject.?` or `subject.field`.
    let whole = denotes(tree, subject).into_iter();
    let both = whole.flat_map(|whole| [Denoted { by, ..whole.clone() }, whole.step(None)]);
    Some(both.collect())
}
