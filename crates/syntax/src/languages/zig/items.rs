//! The named things of a Zig file.
//!
//! A name is the dotted path of the named things around it: containers, functions (a generic function names the methods
//! of the struct that it returns), constants that hold a container, tests. Anonymous containers and blocks add nothing.

use super::super::Given;
use super::text::{Quotes, name};
use crate::grammar::Node;
use crate::item::{Item, ItemKind, Part, Text};

/// All items in source order.
pub(super) fn items(root: Node<'_>, given: Given<'_>) -> Vec<Item> {
    let mut found = Vec::new();
    walk(root, &Place { path: "", local: Local::No }, given, &mut found);
    found
}

/// Where the walk is.
struct Place<'p> {
    path: &'p str,
    local: Local,
}

/// Whether code runs here: a constant inside a function is named only where it holds other named things.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Local {
    Yes,
    No,
}

fn walk(node: Node<'_>, place: &Place<'_>, given: Given<'_>, found: &mut Vec<Item>) {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
        for child in node.named_children() {
            match child.kind() {
                "function_declaration" => function(child, place, given, found),
                "variable_declaration" => constant(child, place, given, found),
                "test_declaration" => test(child, place, given, found),
                "container_field" => field(child, place, given, found),
                "block" => walk(child, &Place { local: Local::Yes, ..*place }, given, found),
                "struct_declaration" | "enum_declaration" | "union_declaration" | "opaque_declaration" => {
                    walk(child, &Place { local: Local::No, ..*place }, given, found);
                }
                _ => walk(child, place, given, found),
            }
        }
    });
}

fn function(node: Node<'_>, place: &Place<'_>, given: Given<'_>, found: &mut Vec<Item>) {
    let Some(named) = node.child_by_field_name("name") else { return walk(node, place, given, found) };
    let path = push(node, named, ItemKind::Function, place, given, found);
    walk(node, &Place { path: &path, local: Local::Yes }, given, found);
}

fn constant(node: Node<'_>, place: &Place<'_>, given: Given<'_>, found: &mut Vec<Item>) {
    let children: Vec<_> = node.children().filter(|child| !child.is_extra()).collect();
    let headers: Vec<_> =
        (1..children.len()).filter(|&at| matches!(children[at - 1].kind(), "const" | "var")).collect();
    // An assignment, or a destructuring: nothing in it has one name.
    let &[at] = headers.as_slice() else { return walk(node, place, given, found) };
    let value = children.iter().position(|child| child.kind() == "=").and_then(|equals| children.get(equals + 1));
    let container = value.copied().and_then(container);
    if place.local == Local::Yes && container.is_none() && !value.is_some_and(|value| holds_named(*value)) {
        return;
    }
    let kind = match container {
        Some("error_set_declaration") => ItemKind::Type,
        Some(_) => ItemKind::Container,
        None => ItemKind::Value,
    };
    let path = push(node, children[at], kind, place, given, found);
    walk(node, &Place { path: &path, local: place.local }, given, found);
}

/// The kind of container that an expression is.
fn container(node: Node<'_>) -> Option<&'static str> {
    let mut node = node;
    while node.kind() == "parenthesized_expression" {
        node = node.named_children().find(|child| !child.is_extra())?;
    }
    ["struct_declaration", "enum_declaration", "union_declaration", "opaque_declaration", "error_set_declaration"]
        .into_iter()
        .find(|&kind| node.kind() == kind)
}

/// Whether a function, field or test is declared somewhere inside.
fn holds_named(top: Node<'_>) -> bool {
    let mut waiting = vec![top];
    while let Some(node) = waiting.pop() {
        if matches!(node.kind(), "function_declaration" | "container_field" | "test_declaration") {
            return true;
        }
        waiting.extend(node.named_children());
    }
    false
}

fn field(node: Node<'_>, place: &Place<'_>, given: Given<'_>, found: &mut Vec<Item>) {
    let Some(named) = node.child_by_field_name("name").filter(|_| !super::is_empty_field(node)) else { return };
    let in_tuple = node.child_by_field_name("type").is_none()
        && !matches!(node.parent().map(|above| above.kind()), Some("enum_declaration" | "union_declaration"));
    let is_name = named.kind() == "identifier" || !in_tuple && named.named_children().next().is_none();
    if in_tuple || !is_name {
        return walk(node, place, given, found);
    }
    let path = push(node, named, ItemKind::Value, place, given, found);
    walk(node, &Place { path: &path, local: Local::No }, given, found);
}

fn test(node: Node<'_>, place: &Place<'_>, given: Given<'_>, found: &mut Vec<Item>) {
    let title = node.named_children().find(|child| matches!(child.kind(), "string" | "identifier"));
    let title = title.map(|title| match title.kind() {
        "identifier" => name(&given.text[title.byte_range()], Quotes::AgainstPrimitives),
        _ => given.text[title.byte_range()].to_owned(),
    });
    let own = title.map_or_else(|| "test".to_owned(), |title| format!("test {title}"));
    let path = add(node, own, None, ItemKind::Test, place, found);
    walk(node, &Place { path: &path, local: Local::Yes }, given, found);
}

fn push(
    node: Node<'_>,
    named: Node<'_>,
    kind: ItemKind,
    place: &Place<'_>,
    given: Given<'_>,
    found: &mut Vec<Item>,
) -> String {
    let raw = &given.text[named.byte_range()];
    let quotes = if node.kind() == "container_field" { Quotes::Needless } else { Quotes::AgainstPrimitives };
    let own = name(raw, quotes);
    let spelt = (own != raw).then(|| raw.to_owned());
    add(node, own, spelt, kind, place, found)
}

/// Adds an item and gives its path. `spelt` is how the source writes its name, where that differs.
fn add(
    node: Node<'_>,
    own: String,
    spelt: Option<String>,
    kind: ItemKind,
    place: &Place<'_>,
    found: &mut Vec<Item>,
) -> String {
    let dotted = |own: &str| match place.path {
        "" => own.to_owned(),
        path => format!("{path}.{own}"),
    };
    let path = dotted(&own);
    let span = node.span();
    let parts = vec![Part(Text::Runs, node.index())];
    found.push(Item { name: path.clone(), kind, span, parts, aliases: spelt.iter().map(|own| dotted(own)).collect() });
    path
}
