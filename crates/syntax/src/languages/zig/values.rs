//! Zig's tables and constants: enum fields, error sets, initializers; integers, floats, text, arithmetic over them.

use super::condition::{access, call, only_returns, strip};
use super::text::unescape;
use crate::tree::{NodeId, Tree};
use crate::value::{Constant, Entries, Entry, Spelled};

/// The entries of the container, error set or initializer that a node is or is initialised with.
pub(super) fn entries(tree: &Tree, node: NodeId) -> Entries {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match tree.kind(node) {
        "variable_declaration" if tree.has_child(node, "var") => Entries::NotLiteral(node, "a variable"),
        "variable_declaration" => match tree.child(node, "value") {
            Some(value) => entries(tree, value),
            None => Entries::NotLiteral(node, "a declaration without a value"),
        },
        "container_field" => match tree.child(node, "type") {
            Some(kind) => entries(tree, kind),
            None => Entries::NotLiteral(node, "a field without a type"),
        },
        "function_declaration" => match only_returns(tree, node) {
            Some((_, value)) => entries(tree, value),
            None => Entries::NotLiteral(node, "a function"),
        },
        "parenthesized_expression" => entries(tree, strip(tree, node)),
        "comptime_expression" => match tree.children(node).nth(1) {
            Some(inner) => entries(tree, inner),
            None => Entries::NotLiteral(node, "no table"),
        },
        "unary_expression" if tree.has_child(node, "&") => match tree.child(node, "argument") {
            Some(list) => entries(tree, list),
            None => Entries::NotLiteral(node, "no table"),
        },
        "enum_declaration" | "union_declaration" | "struct_declaration" => fields(tree, node),
        "error_set_declaration" => error_names(tree, node),
        "anonymous_struct_initializer" | "struct_initializer" => initializers(tree, node),
        "binary_expression" if tree.has_child(node, "++") => joined(tree, node),
        _ => Entries::NotLiteral(node, what(tree, node)),
    })
}

/// The fields of a container by name; an enum's `_` says that there may be more values, and is no name.
fn fields(tree: &Tree, node: NodeId) -> Entries {
    let mut all = Vec::new();
    for field in tree.children(node).filter(|&child| tree.kind(child) == "container_field") {
        let Some(name) = tree.child(field, "name") else { return Entries::NotLiteral(field, "a field without a name") };
        let tuple = tree.kind(node) == "struct_declaration" && !tree.has_child(field, ":");
        if tuple || tree.kind(name) != "identifier" {
            return Entries::NotLiteral(field, "a field without a name");
        }
        if tree.text(name) == "_" {
            continue;
        }
        let equals = tree.children(field).position(|child| tree.kind(child) == "=");
        let value = equals.and_then(|at| tree.children(field).nth(at + 1));
        all.push(Entry { name: Constant::Text(plain(tree.text(name))), value, node: field });
    }
    Entries::All(all)
}

fn error_names(tree: &Tree, node: NodeId) -> Entries {
    let names = tree.children(node).filter(|&child| tree.kind(child) == "identifier");
    Entries::All(
        names.map(|name| Entry { name: Constant::Text(plain(tree.text(name))), value: None, node: name }).collect(),
    )
}

/// `.{ .a = 1, .b = 2 }`, `[_]T{ x, y }`.
fn initializers(tree: &Tree, node: NodeId) -> Entries {
    let Some(list) = tree.child_of_kind(node, "initializer_list") else { return Entries::NotLiteral(node, "no table") };
    let element_type = tree.child_of_kind(node, "array_type").and_then(|array| tree.children(array).last());
    let parts = tree.children(list).filter(|&child| !matches!(tree.kind(child), "{" | "}"));
    Entries::All(parts.map(|part| initializer(tree, part, element_type)).collect())
}

fn initializer(tree: &Tree, part: NodeId, element_type: Option<NodeId>) -> Entry {
    if tree.kind(part) == "field_initializer" {
        let name = tree.child(part, "name").map_or("", |name| tree.text(name));
        return Entry { name: Constant::Text(plain(name)), value: tree.child(part, "value"), node: part };
    }
    Entry { name: element(tree, part, element_type), value: None, node: part }
}

/// An element: `State.exited` in a list of `State` is the member's name, as `.exited` is.
fn element(tree: &Tree, part: NodeId, element_type: Option<NodeId>) -> Constant {
    let object = tree.child(part, "object").filter(|_| tree.kind(part) == "field_expression");
    match (object, element_type, tree.child(part, "member")) {
        (Some(object), Some(kind), Some(member)) if tree.same(object, tree, kind) => {
            Constant::Text(plain(tree.text(member)))
        }
        _ => constant(tree, part),
    }
}

/// `a ++ b` of two lists.
fn joined(tree: &Tree, node: NodeId) -> Entries {
    let (Some(left), Some(right)) = (tree.child(node, "left"), tree.child(node, "right")) else {
        return Entries::NotLiteral(node, "no table");
    };
    match (entries(tree, left), entries(tree, right)) {
        (Entries::All(mut all), Entries::All(more)) => {
            all.extend(more);
            Entries::All(all)
        }
        (Entries::All(_), other) | (other, _) => other,
    }
}

/// See [`crate::languages::Rules::spelled`]. A name is none: what a member of an enum is called elsewhere is another
/// spelling of it. Nor is a floating-point number, which may equal an integer.
pub(super) fn spelled(tree: &Tree, node: NodeId) -> Spelled {
    let node = strip(tree, node);
    match tree.kind(node) {
        "null" => Spelled::Null,
        "integer" | "character" | "boolean" => match constant(tree, node) {
            Constant::NotLiteral(..) => Spelled::Unknown,
            constant => Spelled::Constant(constant),
        },
        "unary_expression" if tree.has_child(node, "-") => match tree.child(node, "argument") {
            Some(argument) if tree.kind(strip(tree, argument)) == "integer" => Spelled::Constant(constant(tree, node)),
            _ => Spelled::Unknown,
        },
        "field_expression" if tree.child(node, "object").is_none() => match tree.child(node, "member") {
            Some(member) => Spelled::Member(plain(tree.text(member))),
            None => Spelled::Unknown,
        },
        _ => Spelled::Unknown,
    }
}

/// The constant that a node is or is initialised with.
pub(super) fn constant(tree: &Tree, node: NodeId) -> Constant {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match tree.kind(node) {
        "variable_declaration" if tree.has_child(node, "var") => Constant::NotLiteral(node, "a variable"),
        "variable_declaration" => match tree.child(node, "value") {
            Some(value) => constant(tree, value),
            None => Constant::NotLiteral(node, "a declaration without a value"),
        },
        "container_field" => {
            let equals = tree.children(node).position(|child| tree.kind(child) == "=");
            let value = equals.and_then(|at| tree.children(node).nth(at + 1));
            value.map_or(Constant::NotLiteral(node, "a field without a value"), |value| constant(tree, value))
        }
        "parenthesized_expression" => match strip(tree, node) {
            inner if inner == node => Constant::NotLiteral(node, "no constant"),
            inner => constant(tree, inner),
        },
        "comptime_expression" => match tree.children(node).nth(1) {
            Some(inner) => constant(tree, inner),
            None => Constant::NotLiteral(node, "no constant"),
        },
        "integer" => integer(tree, node),
        "float" => float(tree, node),
        "boolean" => Constant::Bool(tree.text(node) == "true"),
        "string" => match unescape(tree.text(node)) {
            Some(text) => Constant::Text(text),
            None => Constant::NotLiteral(node, "a string that is not UTF-8"),
        },
        "multiline_string" => Constant::Text(tree.text(node).to_owned()),
        "character" => match unescape(tree.text(node)).and_then(|text| text.chars().next()) {
            Some(letter) => Constant::Integer(i128::from(u32::from(letter))),
            None => Constant::NotLiteral(node, "a byte that is no character"),
        },
        "identifier" => Constant::Name(node),
        "field_expression" if access(tree, node).is_some() => Constant::Name(node),
        "field_expression" if tree.child(node, "object").is_some() => Constant::NotLiteral(node, "a call's field"),
        "field_expression" => match tree.child(node, "member") {
            Some(member) => Constant::Text(plain(tree.text(member))),
            None => Constant::NotLiteral(node, "no constant"),
        },
        "error_type" => match tree.child_of_kind(node, "identifier") {
            Some(name) => Constant::Text(plain(tree.text(name))),
            None => Constant::NotLiteral(node, "no constant"),
        },
        "unary_expression" if tree.has_child(node, "-") => match tree.child(node, "argument") {
            Some(argument) => Constant::Negate(Box::new(constant(tree, argument))),
            None => Constant::NotLiteral(node, "no constant"),
        },
        "binary_expression" => arithmetic(tree, node),
        "builtin_function" => cast(tree, node),
        _ => Constant::NotLiteral(node, what(tree, node)),
    })
}

fn integer(tree: &Tree, node: NodeId) -> Constant {
    match tree.text(node).parse() {
        Ok(value) => Constant::Integer(value),
        Err(_) => Constant::NotLiteral(node, "an integer of more than 128 bits"),
    }
}

/// Decimal floats only: a hexadecimal one would need its own rounding.
fn float(tree: &Tree, node: NodeId) -> Constant {
    match tree.text(node).parse() {
        Ok(value) => Constant::Float(value),
        Err(_) => Constant::NotLiteral(node, "a hexadecimal float"),
    }
}

/// Arithmetic that means the same in every type. `**` repeats an array, `+%` and `+|` depend on a width.
fn arithmetic(tree: &Tree, node: NodeId) -> Constant {
    let parts = (tree.child(node, "left"), tree.child(node, "operator"), tree.child(node, "right"));
    let (Some(left), Some(operator), Some(right)) = parts else { return Constant::NotLiteral(node, "no constant") };
    let (left, right) = (constant(tree, left), constant(tree, right));
    match tree.kind(operator) {
        operator @ ("+" | "-" | "*" | "/" | "%" | "<<" | ">>" | "|" | "&" | "^") => {
            Constant::Binary(Box::new(left), operator, Box::new(right))
        }
        "++" => match (left, right) {
            (Constant::Text(left), Constant::Text(right)) => Constant::Text(left + &right),
            _ => Constant::NotLiteral(node, "a concatenation"),
        },
        _ => Constant::NotLiteral(node, "an operator that is no plain arithmetic"),
    }
}

/// `@as(T, x)` and `@intCast(x)` are their value.
fn cast(tree: &Tree, node: NodeId) -> Constant {
    let made = call(tree, node);
    let arguments = made.as_ref().map_or(&[][..], |call| call.arguments.as_slice());
    match (made.as_ref().map(|call| tree.text(call.callee)), arguments) {
        (Some("@as"), &[_, value]) | (Some("@intCast"), &[value]) => constant(tree, value),
        _ => Constant::NotLiteral(node, "a call"),
    }
}

/// A name without its quotes.
fn plain(name: &str) -> String {
    let inner = name.strip_prefix("@\"").and_then(|name| name.strip_suffix('"'));
    inner.map_or_else(|| name.to_owned(), |inner| unescape(inner).unwrap_or_else(|| inner.to_owned()))
}

/// What a node is, for the sentence that says why it could not be read.
fn what(tree: &Tree, node: NodeId) -> &'static str {
    match tree.kind(node) {
        "call_expression" | "builtin_function" => "a call",
        "identifier" | "field_expression" => "a name",
        "if_expression" | "switch_expression" => "a choice",
        "labeled_statement" | "block" => "a block",
        "undefined" => "undefined",
        "null" => "null",
        _ => "no literal",
    }
}
