//! Which places a value may be or point to: for aliases, and for assignments through a base that is no plain path.

use super::condition::{access, call, inner, strip};
use crate::languages::{By, Denoted, Held, Replaces};
use crate::tree::{NodeId, Tree};

/// Builtins that write through a pointer or slice, and which argument that is.
const WRITES: [(&str, &[usize]); 7] = [
    ("@memset", &[0]),
    ("@memcpy", &[0]),
    ("@memmove", &[0]),
    ("@atomicStore", &[1]),
    ("@atomicRmw", &[1]),
    ("@cmpxchgStrong", &[1]),
    ("@cmpxchgWeak", &[1]),
];

/// Functions of `std.mem` that do nothing else.
const MEMORY_WRITES: [(&str, &[usize]); 8] = [
    ("swap", &[1, 2]),
    ("copyForwards", &[1]),
    ("copyBackwards", &[1]),
    ("reverse", &[1]),
    ("rotate", &[1]),
    ("sort", &[1]),
    ("sortUnstable", &[1]),
    ("writeInt", &[1]),
];

/// The arguments through which a builtin, or a function of `std.mem`, writes.
pub(super) fn written(tree: &Tree, node: NodeId) -> Vec<NodeId> {
    written_of(tree, node).unwrap_or_default()
}

fn written_of(tree: &Tree, node: NodeId) -> Option<Vec<NodeId>> {
    let call = call(tree, node)?;
    let (_, at) = if tree.kind(node) == "builtin_function" {
        WRITES.iter().find(|(name, _)| *name == tree.text(call.callee))?
    } else {
        let callee = access(tree, call.callee)?;
        let (last, before) = callee.path.split_last()?;
        let module = before.last().map_or(Some(tree.text(callee.root)), Option::as_deref);
        MEMORY_WRITES.iter().find(|(name, _)| module == Some("mem") && last.as_deref() == Some(*name))?
    };
    Some(at.iter().filter_map(|&at| call.arguments.get(at).copied()).collect())
}

/// See [`crate::languages::Rules::denotes`]. A call that writes denotes what it writes; what another call gives may be
/// any place whose address it was handed.
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
        "binary_expression" if tree.has_child(node, "orelse") => {
            let mut both = step(child("left"), Some("?".to_owned()));
            both.extend(all(&[child("left"), child("right")]));
            both
        }
        "catch_expression" => all(&[child("left"), child("right")]),
        "labeled_statement" => {
            let breaks = tree.subtree(node).filter(|&inside| tree.kind(inside) == "break_expression");
            let value = |node| tree.children(node).skip(1).find(|&child| tree.kind(child) != "break_label");
            all(&breaks.map(value).collect::<Vec<_>>())
        }
        "builtin_function" => builtin(tree, node),
        "call_expression" => called(tree, node),
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
    let places = places_written(tree, node);
    if !places.is_empty() {
        return places;
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

fn places_written(tree: &Tree, node: NodeId) -> Vec<Denoted> {
    let pointers = written(tree, node).into_iter().flat_map(|pointer| denotes(tree, pointer));
    pointers.map(|pointer| pointer.step(None)).collect()
}

fn called(tree: &Tree, node: NodeId) -> Vec<Denoted> {
    let places = places_written(tree, node);
    if !places.is_empty() {
        return places;
    }
    let arguments = call(tree, node).map_or_else(Vec::new, |call| call.arguments);
    let handed = arguments.into_iter().filter(|&argument| tree.has_child(strip(tree, argument), "&"));
    handed.flat_map(|argument| denotes(tree, argument)).chain([unknown()]).collect()
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

/// See [`crate::languages::Rules::may_be_shared`]. A `const`, and what is captured by value, can only be assigned through
/// when it is a pointer; a `var` without a pointer's type is taken for a value of its own.
pub(super) fn may_be_shared(tree: &Tree, declared: NodeId) -> bool {
    let Some(above) = tree.parent(declared).filter(|&above| tree.kind(above) == "variable_declaration") else {
        return true;
    };
    let is_pointer = |node: NodeId| {
        let inner = if tree.kind(node) == "nullable_type" { tree.children(node).last() } else { Some(node) };
        inner.is_some_and(|inner| tree.kind(inner) == "pointer_type")
    };
    tree.has_child(above, "const") || tree.child(above, "type").is_some_and(is_pointer)
}

/// See [`crate::languages::Rules::replaces`]. An element is only counted where it is given a struct that is written there:
/// most of what is put into lists are bytes and numbers.
pub(super) fn replaces(tree: &Tree, assignment: NodeId, target: NodeId) -> Replaces {
    if let Some(call) = call(tree, assignment).filter(|call| tree.text(call.callee) == "@memset") {
        let fills = call.arguments.get(1).is_some_and(|&value| is_struct(tree, strip(tree, value)));
        return if fills { Replaces::Element } else { Replaces::Nothing };
    }
    let Some(value) = tree.child(assignment, "right").filter(|_| tree.has_child(assignment, "=")) else {
        return Replaces::Nothing;
    };
    let value = strip(tree, value);
    match tree.kind(strip(tree, target)) {
        "dereference_expression" if !is_plain(tree, value) => Replaces::Pointed,
        "index_expression" if is_struct(tree, value) => Replaces::Element,
        _ => Replaces::Nothing,
    }
}

/// See [`crate::languages::Rules::members_given`].
pub(super) fn members_given(tree: &Tree, assignment: NodeId) -> Vec<String> {
    let value = match call(tree, assignment) {
        Some(call) => call.arguments.get(1).copied(),
        None => tree.child(assignment, "right"),
    };
    let value = value.map(|value| strip(tree, value)).filter(|&value| is_struct(tree, value));
    let list = value.and_then(|value| tree.child_of_kind(value, "initializer_list"));
    let name = |child: NodeId| {
        let name = tree.child_of_kind(child, "identifier").filter(|_| tree.kind(child) == "field_initializer");
        name.map(|name| tree.text(name).to_owned())
    };
    list.map(|list| tree.children(list).filter_map(name).collect()).unwrap_or_default()
}

fn is_struct(tree: &Tree, value: NodeId) -> bool {
    matches!(tree.kind(value), "struct_initializer" | "anonymous_struct_initializer")
}

/// Whether a value has no members: a number, a text, the outcome of a comparison.
fn is_plain(tree: &Tree, value: NodeId) -> bool {
    match tree.kind(value) {
        "integer" | "float" | "boolean" | "character" | "string" | "multiline_string" | "null" => true,
        "binary_expression" => !tree.has_child(value, "orelse"),
        "unary_expression" => !tree.has_child(value, "&"),
        _ => false,
    }
}
