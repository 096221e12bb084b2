//! Small questions about TypeScript's normal trees, asked by scopes, flow, conditions and values alike: what is an
//! expression, what stands behind parentheses, which function an item is.

use crate::tree::{NodeId, Tree};

/// Whether a node of this kind is evaluated to a value.
pub(super) fn is_expression(kind: &str) -> bool {
    is_wrapper(kind)
        || is_function_expression(kind)
        || is_chain_link(kind)
        || matches!(
            kind,
            "identifier"
                | "undefined"
                | "this"
                | "super"
                | "number"
                | "string"
                | "template_string"
                | "regex"
                | "true"
                | "false"
                | "null"
                | "object"
                | "array"
                | "class"
                | "meta_property"
                | "import"
                | "jsx_element"
                | "jsx_self_closing_element"
                | "jsx_fragment"
                | "jsx_expression"
                | "assignment_expression"
                | "augmented_assignment_expression"
                | "await_expression"
                | "yield_expression"
                | "unary_expression"
                | "update_expression"
                | "binary_expression"
                | "logical_expression"
                | "ternary_expression"
                | "new_expression"
                | "sequence_expression"
                | "spread_element"
        )
}

/// Whether a node of this kind gives the value of its first expression unchanged.
pub(super) fn is_wrapper(kind: &str) -> bool {
    kind == "parenthesized_expression"
}

/// Whether a node of this kind is a step of a member chain: `.b`, `[b]`, `(b)`.
pub(super) fn is_chain_link(kind: &str) -> bool {
    matches!(kind, "member_expression" | "subscript_expression" | "call_expression")
}

pub(super) fn is_function_expression(kind: &str) -> bool {
    matches!(kind, "function_expression" | "arrow_function" | "generator_function")
}

/// Whether a node of this kind is a function with a body.
pub(super) fn is_function(kind: &str) -> bool {
    is_function_expression(kind) || is_function_declaration(kind) || kind == "method_definition"
}

/// Whether a node of this kind is a function that is hoisted.
pub(super) fn is_function_declaration(kind: &str) -> bool {
    matches!(kind, "function_declaration" | "generator_function_declaration")
}

/// Whether a node of this kind is a class, declared or not.
pub(super) fn is_class(kind: &str) -> bool {
    matches!(kind, "class" | "class_declaration" | "abstract_class_declaration")
}

/// Whether a node of this kind declares variables with declarators.
pub(super) fn is_variable_declaration(kind: &str) -> bool {
    matches!(kind, "lexical_declaration" | "variable_declaration" | "using_declaration")
}

/// Whether a node of this kind says something about types only: nothing in it is evaluated.
pub(super) fn is_type_only(kind: &str) -> bool {
    kind.ends_with("_type")
        || kind.ends_with("_signature")
        || kind.ends_with("_annotation")
        || matches!(
            kind,
            "type_arguments"
                | "type_parameters"
                | "type_identifier"
                | "nested_type_identifier"
                | "type_alias_declaration"
                | "interface_declaration"
                | "implements_clause"
                | "type_query"
                | "index_type_query"
                | "asserts"
                | "type_predicate"
                | "accessibility_modifier"
                | "override_modifier"
        )
}

/// The children that are evaluated to values.
pub(super) fn expressions(tree: &Tree, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    tree.children(node).filter(|&child| is_expression(tree.kind(child)))
}

/// The first child that is evaluated to a value.
pub(super) fn operand(tree: &Tree, node: NodeId) -> Option<NodeId> {
    expressions(tree, node).next()
}

/// The node behind parentheses.
pub(super) fn bare(tree: &Tree, mut node: NodeId) -> NodeId {
    while is_wrapper(tree.kind(node)) {
        match operand(tree, node) {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}

/// The node around parentheses.
pub(super) fn wrapped_by(tree: &Tree, node: NodeId) -> Option<NodeId> {
    tree.ancestors(node).find(|&above| !is_wrapper(tree.kind(above)))
}

/// The operator of a unary, binary, logical, update or augmented assignment expression.
pub(super) fn operator(tree: &Tree, node: NodeId) -> &'static str {
    tree.child(node, "operator").map_or("", |operator| tree.kind(operator))
}

/// A short-circuit operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Logic {
    And,
    Or,
    Nullish,
}

/// The operator and the operands of `&&`, `||` and `??`.
pub(super) fn logical(tree: &Tree, node: NodeId) -> Option<(Logic, Vec<NodeId>)> {
    if !matches!(tree.kind(node), "logical_expression" | "binary_expression") {
        return None;
    }
    let logic = logic_of(operator(tree, node))?;
    Some((logic, expressions(tree, node).collect()))
}

/// The statements in a block.
pub(super) fn statements(tree: &Tree, block: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    tree.children(block).filter(|&child| !matches!(tree.kind(child), "{" | "}"))
}

/// The condition of `a ? b : c`, and what it chooses from.
pub(super) fn ternary(tree: &Tree, node: NodeId) -> Option<(NodeId, NodeId, NodeId)> {
    let part = |field| tree.child(node, field).filter(|_| tree.kind(node) == "ternary_expression");
    Some((part("condition")?, part("consequence")?, part("alternative")?))
}

/// The short-circuit operator behind `&&`, `&&=` and their like.
pub(super) fn logic_of(operator: &str) -> Option<Logic> {
    match operator.trim_end_matches('=') {
        "&&" => Some(Logic::And),
        "||" => Some(Logic::Or),
        "??" => Some(Logic::Nullish),
        _ => None,
    }
}

/// Whether a chain link starts with `?.`.
pub(super) fn is_optional(tree: &Tree, link: NodeId) -> bool {
    tree.has_child(link, "optional_chain") || tree.has_child(link, "?.")
}

/// What a chain link is applied to: the object of a member, the callee of a call.
pub(super) fn object_of(tree: &Tree, link: NodeId) -> Option<NodeId> {
    match tree.kind(link) {
        "call_expression" => tree.child(link, "function"),
        "member_expression" | "subscript_expression" => tree.child(link, "object"),
        _ => None,
    }
}

/// The arguments of a call, `new` or tagged template, in order.
pub(super) fn arguments(tree: &Tree, call: NodeId) -> Vec<NodeId> {
    match tree.child(call, "arguments") {
        Some(list) if tree.kind(list) == "arguments" => expressions(tree, list).collect(),
        Some(template) => vec![template],
        None => Vec::new(),
    }
}

/// Whether a function is `async`.
pub(super) fn is_async(tree: &Tree, function: NodeId) -> bool {
    tree.has_child(function, "async")
}

/// Whether a function is a getter, a setter, or a method by which an object becomes a string or a number.
pub(super) fn runs_unasked(tree: &Tree, function: NodeId) -> bool {
    let is_accessor = tree.has_child(function, "get") || tree.has_child(function, "set");
    let converts = member_key(tree, function).is_some_and(|key| {
        matches!(tree.text(key), "toString" | "valueOf" | "toJSON") || tree.kind(key) == "computed_property_name"
    });
    tree.kind(function) == "method_definition" && is_accessor || converts
}

/// Whether a function is a generator, or a method by which an iterator is stepped or closed.
pub(super) fn runs_iterated(tree: &Tree, function: NodeId) -> bool {
    let steps = member_key(tree, function).is_some_and(|key| matches!(tree.text(key), "next" | "return"));
    is_generator(tree, function) || steps
}

/// The key of the member that a function is.
fn member_key(tree: &Tree, function: NodeId) -> Option<NodeId> {
    let of_method = tree.child(function, "name").filter(|_| tree.kind(function) == "method_definition");
    let holder = tree
        .parent(function)
        .filter(|&above| matches!(tree.kind(above), "pair" | "public_field_definition" | "field_definition"));
    let of_holder = || holder.and_then(|above| tree.child(above, "key").or_else(|| tree.child(above, "name")));
    of_method.or_else(of_holder)
}

/// Whether a function is a generator.
pub(super) fn is_generator(tree: &Tree, function: NodeId) -> bool {
    tree.kind(function).starts_with("generator") || tree.has_child(function, "*")
}

/// The parameters of a function, in order. Both `(a) => a` and `a => a` are understood.
pub(super) fn parameters(tree: &Tree, function: NodeId) -> Vec<NodeId> {
    if let Some(lone) = tree.child(function, "parameter") {
        return vec![lone];
    }
    let Some(list) = tree.child(function, "parameters") else {
        return Vec::new();
    };
    let is_parameter = |&child: &NodeId| {
        let kind = tree.kind(child);
        matches!(kind, "required_parameter" | "optional_parameter" | "assignment_pattern" | "identifier" | "undefined")
            || is_destructuring(kind)
    };
    tree.children(list).filter(is_parameter).collect()
}

/// Whether a node is `undefined`, and no parameter of that name.
pub(super) fn is_undefined(tree: &Tree, node: NodeId) -> bool {
    let named = |node: NodeId| tree.kind(node) == "undefined" || tree.text(node) == "undefined" && is_name(tree, node);
    let takes = |function: NodeId| {
        let targets = parameters(tree, function).into_iter().filter_map(|one| target_and_default(tree, one).0);
        targets.into_iter().any(named)
    };
    named(node) && !tree.ancestors(node).any(|above| is_function(tree.kind(above)) && takes(above))
}

fn is_name(tree: &Tree, node: NodeId) -> bool {
    tree.kind(node) == "identifier"
}

/// Whether a node of this kind takes a value apart.
pub(super) fn is_destructuring(kind: &str) -> bool {
    matches!(kind, "object_pattern" | "array_pattern" | "rest_pattern")
}

/// A parameter's, declarator's or pattern element's target and its default.
pub(super) fn target_and_default(tree: &Tree, node: NodeId) -> (Option<NodeId>, Option<NodeId>) {
    match tree.kind(node) {
        "required_parameter" | "optional_parameter" => (tree.child(node, "pattern"), tree.child(node, "value")),
        "assignment_pattern" | "object_assignment_pattern" => (tree.child(node, "left"), tree.child(node, "right")),
        _ => (Some(node), None),
    }
}

/// The value of a property, field, enum member or declaration with one declarator; the thing itself otherwise.
/// `export` and `declare` are seen through.
pub(super) fn initializer(tree: &Tree, node: NodeId) -> Option<NodeId> {
    let kind = tree.kind(node);
    if is_variable_declaration(kind) {
        let mut declarators = tree.children(node).filter(|&child| tree.kind(child) == "variable_declarator");
        let only = declarators.next()?;
        return if declarators.next().is_some() { None } else { tree.child(only, "value") };
    }
    match kind {
        "variable_declarator" | "pair" | "public_field_definition" | "field_definition" | "enum_assignment" => {
            tree.child(node, "value")
        }
        "export_statement" => {
            let inner = tree.child(node, "declaration").or_else(|| tree.child(node, "value"));
            inner.or_else(|| operand(tree, node)).and_then(|inner| initializer(tree, inner))
        }
        "ambient_declaration" => {
            let declared = tree.children(node).find(|&child| tree.kind(child).ends_with("_declaration"));
            declared.and_then(|inner| initializer(tree, inner))
        }
        "expression_statement" => operand(tree, node),
        _ => Some(node),
    }
}

/// The function that an item is: itself, what a declarator, property or field holds, or the implementation behind
/// overload signatures.
pub(super) fn function_of(tree: &Tree, node: NodeId) -> Option<NodeId> {
    if tree.kind(node) == "parts" {
        return tree.children(node).filter_map(|part| function_of(tree, part)).last();
    }
    let value = bare(tree, initializer(tree, node)?);
    is_function(tree.kind(value)).then_some(value)
}

/// Whether a statement is `await using`: disposing of the resource is waited for.
pub(super) fn is_awaited_using(tree: &Tree, statement: NodeId) -> bool {
    tree.kind(statement) == "using_declaration" && tree.has_child(statement, "await")
}
