//! Which objects a value may be: for aliases, and for assignments through a base that is no plain path.

use super::{access, shape, values};
use crate::languages::{By, Denoted, Held};
use crate::tree::{NodeId, Tree};

/// See [`crate::languages::Rules::denotes`].
pub(super) fn denotes(tree: &Tree, node: NodeId) -> Vec<Denoted> {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || denotes_here(tree, node))
}

fn denotes_here(tree: &Tree, node: NodeId) -> Vec<Denoted> {
    if let Some(access) = access::access(tree, node) {
        return vec![Denoted::from(access)];
    }
    let node = shape::bare(tree, node);
    let of = |field: &str| tree.child(node, field).map_or_else(Vec::new, |child| denotes(tree, child));
    let step = |step: Option<String>| of("object").into_iter().map(|base| base.step(step.clone())).collect();
    if let Some((logic, operands)) = shape::logical(tree, node) {
        let skipped = if logic == shape::Logic::And { operands.len().saturating_sub(1) } else { 0 };
        return operands.into_iter().skip(skipped).flat_map(|operand| denotes(tree, operand)).collect();
    }
    match tree.kind(node) {
        "member_expression" => step(tree.child(node, "property").map(|property| tree.text(property).to_owned())),
        "subscript_expression" => step(tree.child(node, "index").and_then(|index| access::key(tree, index))),
        "ternary_expression" => [of("consequence"), of("alternative")].concat(),
        "assignment_expression" | "augmented_assignment_expression" => [of("left"), of("right")].concat(),
        "sequence_expression" => {
            shape::expressions(tree, node).last().map_or_else(Vec::new, |last| denotes(tree, last))
        }
        "await_expression" => shape::operand(tree, node).map_or_else(Vec::new, |inner| denotes(tree, inner)),
        // What `Object.assign(m, …)` writes, and what it gives.
        "arguments" => written_members(tree, node).unwrap_or_default(),
        "call_expression" => match values::assigned_by(tree, node) {
            Some(object) => denotes(tree, object),
            None => vec![anything()],
        },
        // The name in a class declaration.
        "type_identifier" => vec![Denoted { root: Some(node), path: Vec::new(), by: By::Value }],
        // A new object is none that has a name, and a string or number has no properties to assign.
        "new_expression" | "class" | "string" | "template_string" | "number" | "regex" => Vec::new(),
        "unary_expression" | "binary_expression" | "update_expression" => Vec::new(),
        kind if shape::is_function(kind) => Vec::new(),
        "object" | "array" if tree.children(node).all(|child| matches!(tree.kind(child), "{" | "}" | "[" | "]")) => {
            Vec::new()
        }
        _ => vec![anything()],
    }
}

fn anything() -> Denoted {
    Denoted { root: None, path: Vec::new(), by: By::Value }
}

/// The members of the first argument that `Object.assign` and its like assign: those that a literal names, else any.
/// What `eval` assigns is not known.
fn written_members(tree: &Tree, arguments: NodeId) -> Option<Vec<Denoted>> {
    let call = tree.parent(arguments)?;
    if tree.child(call, "function").is_some_and(|callee| shape::is_eval(tree, shape::bare(tree, callee))) {
        return Some(vec![anything()]);
    }
    let arguments = values::assigning(tree, call)?;
    let (&object, others) = arguments.split_first()?;
    if tree.kind(object) == "spread_element" {
        return Some(vec![anything()]);
    }
    let others = others.iter().copied();
    let mut names: Vec<Option<String>> = others.flat_map(|other| names_of(tree, other)).collect();
    names.sort();
    names.dedup();
    let member = |name: Option<String>| denotes(tree, object).into_iter().map(move |of| of.step(name.clone()));
    Some(names.into_iter().flat_map(member).collect())
}

fn names_of(tree: &Tree, source: NodeId) -> Vec<Option<String>> {
    let source = shape::bare(tree, source);
    let is_mark = |child: NodeId| matches!(tree.kind(child), "{" | "}");
    match tree.kind(source) {
        // The name in `Reflect.set(m, "a", v)`; a value that is written has no members of its own.
        "string" => vec![Some(tree.text(source).to_owned())],
        "number" | "true" | "false" | "null" => Vec::new(),
        "object" => tree
            .children(source)
            .filter(|&child| !is_mark(child))
            .map(|child| values::key_text(tree, child).map(str::to_owned))
            .collect(),
        _ => vec![None],
    }
}

/// See [`crate::languages::Rules::held`].
pub(super) fn held(tree: &Tree, node: NodeId) -> Vec<Held> {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
        let node = shape::bare(tree, node);
        match tree.kind(node) {
            "object" | "array" => tree.children(node).flat_map(|child| held_in(tree, child)).collect(),
            // Where the new object keeps what it is handed is not known.
            "new_expression" => shape::arguments(tree, node).into_iter().flat_map(|of| held_in(tree, of)).collect(),
            _ => denotes(tree, node).into_iter().map(Held::from).collect(),
        }
    })
}

/// What one property or element of a literal holds.
fn held_in(tree: &Tree, child: NodeId) -> Vec<Held> {
    let (step, value) = match tree.kind(child) {
        "pair" => {
            let key = tree.child(child, "key").filter(|&key| tree.kind(key) == "property_identifier");
            (key.map(|key| tree.text(key).to_owned()), tree.child(child, "value"))
        }
        "shorthand_property_identifier" => (Some(tree.text(child).to_owned()), Some(child)),
        // What stands in the one stands in the other too.
        "spread_element" => {
            let inner = shape::operand(tree, child).map_or_else(Vec::new, |inner| denotes(tree, inner));
            return inner.into_iter().map(|of| Held::from(of.step(None)).within(None)).collect();
        }
        kind => (None, shape::is_expression(kind).then_some(child)),
    };
    let held = value.map_or_else(Vec::new, |value| held(tree, value));
    held.into_iter().map(|held| held.within(step.clone())).collect()
}

/// See [`crate::languages::Rules::sources`].
pub(super) fn sources(tree: &Tree, target: NodeId) -> Vec<Denoted> {
    source_of(tree, target).unwrap_or_default()
}

fn source_of(tree: &Tree, target: NodeId) -> Option<Vec<Denoted>> {
    let mut path = Vec::new();
    let mut here = target;
    loop {
        let above = tree.parent(here)?;
        let is_shorthand = tree.kind(here).starts_with("shorthand_property_identifier");
        match tree.kind(above) {
            "pair_pattern" | "pair" => {
                let key = tree.child(above, "key").filter(|&key| tree.kind(key) == "property_identifier");
                path.push(key.map(|key| tree.text(key).to_owned()));
            }
            "object_pattern" | "object" | "object_assignment_pattern" if is_shorthand => {
                path.push(Some(tree.text(here).to_owned()));
            }
            "array_pattern" | "array" if !matches!(tree.kind(here), "rest_pattern" | "spread_element") => {
                path.push(None);
            }
            "variable_declarator" | "assignment_expression" => {
                let value = tree.child(above, "value").or_else(|| tree.child(above, "right"))?;
                path.reverse();
                return Some(within(tree, value, &path));
            }
            "for_in_statement" => {
                let list = tree.child(above, "right").filter(|_| tree.has_child(above, "of"))?;
                path.push(None);
                path.reverse();
                return Some(within(tree, list, &path));
            }
            "object_pattern"
            | "object"
            | "object_assignment_pattern"
            | "assignment_pattern"
            | "array_pattern"
            | "array"
            | "rest_pattern"
            | "spread_element" => {}
            kind if shape::is_wrapper(kind) => {}
            _ => return None,
        }
        here = above;
    }
}

/// What the member at a path of a value denotes. Literals are taken apart.
fn within(tree: &Tree, node: NodeId, path: &[Option<String>]) -> Vec<Denoted> {
    let node = shape::bare(tree, node);
    let Some((first, rest)) = path.split_first() else { return denotes(tree, node) };
    let parts = |fits: &dyn Fn(NodeId) -> Option<NodeId>| {
        let mut found = Vec::new();
        for child in tree.children(node) {
            match (tree.kind(child), fits(child)) {
                ("spread_element", _) => {
                    found.extend(shape::operand(tree, child).map_or_else(Vec::new, |of| within(tree, of, path)));
                }
                (_, Some(part)) => found.extend(within(tree, part, rest)),
                _ => {}
            }
        }
        found
    };
    match tree.kind(node) {
        "array" => parts(&|child| shape::is_expression(tree.kind(child)).then_some(child)),
        "object" => parts(&|child| match tree.kind(child) {
            "pair" => {
                let key = tree.child(child, "key")?;
                let named = tree.kind(key) == "property_identifier" && first.is_some();
                let fits = !named || first.as_deref() == Some(tree.text(key));
                tree.child(child, "value").filter(|_| fits)
            }
            "shorthand_property_identifier" => {
                first.as_deref().is_none_or(|name| name == tree.text(child)).then_some(child)
            }
            _ => None,
        }),
        _ => denotes(tree, node).into_iter().map(|base| path.iter().cloned().fold(base, Denoted::step)).collect(),
    }
}
