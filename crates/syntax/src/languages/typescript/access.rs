//! Which variable and property path a node reads or writes, and which call it makes.

use super::condition;
use super::receiver;
use super::shape;
use crate::languages::{Access, Call, CallForm, Receiver, Runs};
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
    let (callee, is_new) = match tree.kind(node) {
        "call_expression" => (tree.child(node, "function")?, false),
        "new_expression" => (tree.child(node, "constructor")?, true),
        _ => return None,
    };
    let arguments = shape::arguments(tree, node);
    let is_tag = tree.child(node, "arguments").is_some_and(|list| tree.kind(list) != "arguments");
    let form = match () {
        () if is_new => CallForm::New,
        () if is_tag || arguments.iter().any(|&argument| tree.kind(argument) == "spread_element") => CallForm::Spread,
        () => CallForm::Plain,
    };
    Some(Call { callee, arguments, form })
}

/// See [`crate::languages::Rules::runs`].
pub(super) fn runs(tree: &Tree, item: NodeId) -> Runs {
    match shape::function_of(tree, item) {
        Some(function) if shape::is_generator(tree, function) || is_accessor(tree, function) => Runs::Nothing,
        Some(function) if shape::is_async(tree, function) => Runs::Awaited,
        Some(_) => Runs::Whole,
        None => Runs::Nothing,
    }
}

/// Whether a method is run by reading or assigning a property.
fn is_accessor(tree: &Tree, function: NodeId) -> bool {
    tree.kind(function) == "method_definition" && (tree.has_child(function, "get") || tree.has_child(function, "set"))
}

/// See [`crate::languages::Rules::only_returns`]. Every parameter must be a plain name, so that an argument can stand
/// for it.
pub(super) fn only_returns(tree: &Tree, node: NodeId) -> Option<(Vec<NodeId>, NodeId)> {
    let function = shape::function_of(tree, node)?;
    if reads_its_call(tree, function) { None } else { returned_by(tree, function) }
}

/// See [`crate::languages::Rules::method_returns`].
pub(super) fn method_returns(tree: &Tree, method: NodeId) -> Option<(Vec<NodeId>, NodeId)> {
    let is_its_own =
        |node: NodeId| tree.kind(node) == "this" && receiver::receiver_of(tree, node) == Some(Receiver::Scope);
    let all_own = tree.subtree(method).filter(|&node| receiver::is_receiver(tree, node)).all(is_its_own);
    if all_own && receiver::is_method(tree) { returned_by(tree, method) } else { None }
}

fn returned_by(tree: &Tree, function: NodeId) -> Option<(Vec<NodeId>, NodeId)> {
    if runs(tree, function) != Runs::Whole {
        return None;
    }
    let parameters = parameters(tree, function)?;
    let body = tree.child(function, "body")?;
    if tree.kind(body) != "statement_block" {
        return Some((parameters, body));
    }
    let returned = |statement: NodeId| match tree.kind(statement) {
        "return_statement" => shape::operand(tree, statement),
        _ => None,
    };
    let value = match shape::statements(tree, body).collect::<Vec<_>>()[..] {
        [only] if tree.kind(only) == "return_statement" => returned(only)?,
        // `const r = ok(x); return r;`
        [first, last] if tree.kind(first) == "lexical_declaration" && tree.has_child(first, "const") => {
            let declarator = tree.child_of_kind(first, "variable_declarator")?;
            let (name, value) = (tree.child(declarator, "name")?, shape::initializer(tree, first)?);
            let result = returned(last).map(|result| shape::bare(tree, result))?;
            let is_it = tree.kind(name) == "identifier" && tree.same(name, tree, result);
            if is_it { value } else { return None }
        }
        // `if (!ok(x)) return false; if (x.closed) return false; return true;`
        _ if condition::returned(tree, body).is_some() => body,
        _ => return None,
    };
    Some((parameters, value))
}

/// See [`crate::languages::Rules::parameters`]. What reads `this` or `arguments` depends on more than those.
pub(super) fn parameters(tree: &Tree, function: NodeId) -> Option<Vec<NodeId>> {
    let parameters = shape::parameters(tree, function);
    parameters.into_iter().map(|parameter| plain_parameter(tree, parameter)).collect()
}

/// Whether a function's value depends on what it is called on, or on more than its parameters. An arrow function inside
/// another function means that one's.
fn reads_its_call(tree: &Tree, function: NodeId) -> bool {
    let is_inner = tree.ancestors(function).any(|above| shape::is_function(tree.kind(above)));
    let is_own = tree.kind(function) != "arrow_function" || !is_inner;
    is_own && tree.subtree(function).any(|node| receiver::is_receiver(tree, node))
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
