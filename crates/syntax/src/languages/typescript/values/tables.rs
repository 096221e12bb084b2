//! Tables: the entries of objects, arrays, sets, maps, enums and unions.

use super::constants::literal;
use super::{declaration, held, plain, word};
use crate::languages::typescript::shape;
use crate::tree::{NodeId, Tree};
use crate::value::{Constant, Entries, Entry};

/// What stops a table from being read: the node, and what it is.
type Stop = (NodeId, &'static str);

/// See [`crate::languages::Rules::entries`].
pub(in crate::languages::typescript) fn entries(tree: &Tree, node: NodeId) -> Entries {
    match read(tree, node) {
        Ok(entries) => Entries::All(entries),
        Err((node, word)) => Entries::NotLiteral(node, word),
    }
}

fn read(tree: &Tree, node: NodeId) -> Result<Vec<Entry>, Stop> {
    let declared = declaration(tree, node).unwrap_or(node);
    match tree.kind(declared) {
        "enum_declaration" => return enumeration(tree, declared),
        "type_alias_declaration" => {
            let value = tree.child(declared, "value").ok_or((declared, "no literal"))?;
            return union(tree, value);
        }
        kind if kind.ends_with("_type") => return union(tree, declared),
        _ => {}
    }
    let value = plain(tree, held(tree, node)?);
    match tree.kind(value) {
        "object" => object(tree, value),
        "array" => array(tree, value),
        "new_expression" => collection(tree, value),
        _ => Err((value, word(tree, value))),
    }
}

/// An object's properties. A getter and its setter are one.
fn object(tree: &Tree, node: NodeId) -> Result<Vec<Entry>, Stop> {
    let mut entries: Vec<Entry> = Vec::new();
    for property in tree.children(node) {
        let (key, value) = match tree.kind(property) {
            "pair" => (tree.child(property, "key"), tree.child(property, "value")),
            "method_definition" => (tree.child(property, "name"), Some(property)),
            "shorthand_property_identifier" => (Some(property), Some(property)),
            "{" | "}" => continue,
            _ => return Err((property, word(tree, property))),
        };
        let name = property_name(tree, key.ok_or((property, "no literal"))?)?;
        if tree.kind(property) == "pair" && name == Constant::Text("__proto__".to_owned()) {
            return Err((property, "a prototype"));
        }
        let accessor = tree.has_child(property, "get") || tree.has_child(property, "set");
        if !(accessor && entries.iter().any(|entry| entry.name == name)) {
            entries.push(Entry { name, value, node: property });
        }
    }
    Ok(entries)
}

/// The name that a key spells: words and strings are text, numbers are numbers.
fn property_name(tree: &Tree, key: NodeId) -> Result<Constant, Stop> {
    if tree.kind(key) == "shorthand_property_identifier" {
        return Ok(Constant::Text(tree.text(key).to_owned()));
    }
    constant_or_stop(tree, key)
}

fn constant_or_stop(tree: &Tree, node: NodeId) -> Result<Constant, Stop> {
    match literal(tree, node) {
        Constant::NotLiteral(node, word) => Err((node, word)),
        constant => Ok(constant),
    }
}

fn array(tree: &Tree, node: NodeId) -> Result<Vec<Entry>, Stop> {
    let elements = tree.children(node).filter(|&child| !matches!(tree.kind(child), "[" | "]"));
    elements.map(|element| Ok(Entry { name: constant_or_stop(tree, element)?, value: None, node: element })).collect()
}

/// `new Set([…])` has an array's elements, `new Map([[key, value], …])` an object's keys and values.
fn collection(tree: &Tree, node: NodeId) -> Result<Vec<Entry>, Stop> {
    let constructor = tree.child(node, "constructor").map_or("", |constructor| tree.text(constructor));
    let arguments = shape::arguments(tree, node);
    if !matches!(constructor, "Set" | "Map") || arguments.len() > 1 {
        return Err((node, "a new object"));
    }
    let Some(&list) = arguments.first() else {
        return Ok(Vec::new());
    };
    let list = plain(tree, list);
    if tree.kind(list) != "array" {
        return Err((list, word(tree, list)));
    }
    if constructor == "Set" {
        return array(tree, list);
    }
    let pairs = tree.children(list).filter(|&child| !matches!(tree.kind(child), "[" | "]"));
    pairs.map(|pair| map_entry(tree, pair)).collect()
}

fn map_entry(tree: &Tree, node: NodeId) -> Result<Entry, Stop> {
    let pair = plain(tree, node);
    if tree.kind(pair) != "array" {
        return Err((pair, word(tree, pair)));
    }
    let parts: Vec<_> = tree.children(pair).filter(|&child| !matches!(tree.kind(child), "[" | "]")).collect();
    match parts[..] {
        [key, value] => Ok(Entry { name: constant_or_stop(tree, key)?, value: Some(value), node }),
        _ => Err((pair, "no pair")),
    }
}

fn enumeration(tree: &Tree, node: NodeId) -> Result<Vec<Entry>, Stop> {
    let body = tree.child(node, "body").ok_or((node, "no literal"))?;
    let members = tree.children(body).filter(|&child| !matches!(tree.kind(child), "{" | "}"));
    let entry = |member: NodeId| {
        let (key, value) = match tree.kind(member) {
            "enum_assignment" => (tree.child(member, "name").unwrap_or(member), tree.child(member, "value")),
            _ => (member, None),
        };
        Ok(Entry { name: constant_or_stop(tree, key)?, value, node: member })
    };
    members.map(entry).collect()
}

/// A union of literal types, or one literal type.
fn union(tree: &Tree, node: NodeId) -> Result<Vec<Entry>, Stop> {
    match tree.kind(node) {
        "union_type" => {
            let mut entries = Vec::new();
            for member in tree.children(node).filter(|&child| tree.kind(child) != "|") {
                entries.extend(union(tree, member)?);
            }
            Ok(entries)
        }
        "parenthesized_type" => match tree.children(node).find(|&child| !matches!(tree.kind(child), "(" | ")")) {
            Some(inner) => union(tree, inner),
            None => Err((node, "no literal")),
        },
        "literal_type" | "template_literal_type" => {
            Ok(vec![Entry { name: constant_or_stop(tree, node)?, value: None, node }])
        }
        // Another union by name: whoever asks looks it up.
        "type_identifier" => Ok(vec![Entry { name: Constant::Name(node), value: None, node }]),
        _ => Err((node, word(tree, node))),
    }
}
