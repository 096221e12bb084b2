//! The members of classes and object literals.

use super::items::{Collector, Placing, bare, join, kind_of};
use super::text;
use crate::grammar::Node;
use crate::item::{ItemKind, is_hidden};
use crate::tree::Span;

impl Collector<'_> {
    /// A class: its members are named under it, whatever stands in its heritage and decorators is not.
    pub(super) fn class(&mut self, node: Node<'_>, path: &str) {
        for child in node.children().filter(|child| child.is_named()) {
            if child.kind() == "class_body" { self.class_body(child, path) } else { self.each(child, path) }
        }
    }

    pub(super) fn class_body(&mut self, body: Node<'_>, path: &str) {
        let mut decorated = None;
        for member in body.children().filter(|child| child.is_named()) {
            match member.kind() {
                "comment" => continue,
                "decorator" => {
                    decorated = decorated.or(Some(member.start_byte() as u32));
                    self.each(member, path);
                    continue;
                }
                "method_definition"
                | "method_signature"
                | "abstract_method_signature"
                | "public_field_definition"
                | "field_definition" => {
                    let own = member.span();
                    let span = Span { start: decorated.unwrap_or(own.start), ..own };
                    self.member(member, span, Placing::Plain, path);
                }
                _ => self.each(member, path),
            }
            decorated = None;
        }
    }

    /// A method, accessor or field.
    fn member(&mut self, member: Node<'_>, span: Span, place: Placing, path: &str) {
        let name = member.child_by_field_name("name").or_else(|| member.child_by_field_name("property"));
        let Some(name) = name else { return self.each(member, path) };
        let modifiers: Vec<&str> = member
            .children()
            .take_while(|child| child.start_byte() < name.start_byte())
            .map(|child| child.kind())
            .collect();
        let is_static = modifiers.iter().any(|word| word.starts_with("static"));
        let accessor = match modifiers.last().copied() {
            Some("get" | "static get") => "get",
            Some("set") => "set",
            _ => "",
        };
        let value = member.child_by_field_name("value");
        let is_field = member.kind().ends_with("field_definition");
        let kind = if is_field { value.map_or(ItemKind::Value, kind_of) } else { ItemKind::Function };
        let key = self.key(name);
        let found = self.add(path, &key, kind, "", span, member);
        found.accessor = accessor;
        found.place = match (member.kind().ends_with("_signature"), is_static) {
            (true, true) => Placing::StaticSignature,
            (true, false) => Placing::Signature,
            (false, true) => Placing::Static,
            (false, false) => place,
        };
        // A getter and a setter share their path: what is inside them is told apart by the accessor's word.
        let word = if accessor.is_empty() { key } else { format!("{accessor} {key}") };
        let below = join(path, &word);
        match value {
            Some(value) => self.value(value, &below),
            None => self.each(member, &below),
        }
    }

    /// A property's name as a selector says it.
    fn key(&self, name: Node<'_>) -> String {
        let raw = self.source(name);
        match name.kind() {
            "string" => printable(text::cook(super::normal::inside(raw)).into_owned()),
            "number" => text::numeric_key(raw),
            "computed_property_name" => raw.split_whitespace().collect(),
            _ => text::name(raw).into_owned(),
        }
    }

    /// An object literal that has a name: every property is an item.
    pub(super) fn object(&mut self, object: Node<'_>, path: &str) {
        self.properties(object, Placing::Plain, path);
    }

    /// An object literal without a name (an argument, a returned one) inside a named thing: its functions are named
    /// under that thing.
    pub(super) fn anonymous_object(&mut self, object: Node<'_>, path: &str) {
        if path.is_empty() { self.each(object, path) } else { self.properties(object, Placing::Anonymous, path) }
    }

    fn properties(&mut self, object: Node<'_>, place: Placing, path: &str) {
        super::normal::deep(|| {
            for property in object.children().filter(|child| child.is_named()) {
                match property.kind() {
                    "method_definition" => self.member(property, property.span(), place, path),
                    "pair" => self.pair(property, place, path),
                    _ => self.each(property, path),
                }
            }
        });
    }

    fn pair(&mut self, pair: Node<'_>, place: Placing, path: &str) {
        let (key, value) = (pair.child_by_field_name("key"), pair.child_by_field_name("value"));
        let (Some(key), Some(value)) = (key, value) else { return self.each(pair, path) };
        let name = self.key(key);
        let kind = kind_of(value);
        let below = join(path, &name);
        if place == Placing::Anonymous && kind == ItemKind::Value {
            return match bare(value).kind() {
                "object" => self.properties(bare(value), place, &below),
                _ => self.each(pair, path),
            };
        }
        self.add(path, &name, kind, "", pair.span(), pair).place = place;
        self.value(value, &below);
    }
}

/// A name that a line can hold and a reader can see: one with control characters or invisible letters stands in quotes,
/// with escapes in their place.
fn printable(name: String) -> String {
    if !name.chars().any(is_hidden) && !name.is_empty() && name.trim() == name {
        return name;
    }
    let mut quoted = String::from("\"");
    for letter in name.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            letter if is_hidden(letter) => quoted.push_str(&format!("\\u{{{:x}}}", u32::from(letter))),
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}
