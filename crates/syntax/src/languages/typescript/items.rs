//! The names of a file: what each declaration, member, property and assignment is called from outside.
//!
//! A name is the dotted path of the named things around it. Blocks, branches and callbacks have no name, so what stands
//! in them belongs to the enclosing named thing.

use super::text;
use crate::grammar::Node;
use crate::item::{Item, ItemKind, Part, Text};
use crate::languages::Given;
use crate::tree::Span;

/// An item before its final name is known.
pub(super) struct Found {
    /// The path of the enclosing named thing, empty at the top.
    pub(super) path: String,
    /// The own name.
    pub(super) name: String,
    /// `get`, `set` or nothing.
    pub(super) accessor: &'static str,
    pub(super) place: Placing,
    /// How it is declared: `const`, `type`, `class`.
    pub(super) word: &'static str,
    pub(super) kind: ItemKind,
    pub(super) span: Span,
    pub(super) part: Part,
    /// Other names.
    pub(super) aliases: Vec<String>,
}

impl Found {
    /// The path of what stands in it.
    fn below(&self) -> String {
        let word =
            if self.accessor.is_empty() { self.name.clone() } else { format!("{} {}", self.accessor, self.name) };
        join(&self.path, &word)
    }
}

/// Where a named thing stands in the thing around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placing {
    /// In a file, namespace, function or object, or an instance member.
    Plain,
    /// A static member.
    Static,
    /// A function's signature without a body, which belongs to the implementation that follows.
    Signature,
    /// A static method's signature.
    StaticSignature,
    /// A member of an object literal that has no name itself.
    Anonymous,
}

/// Collects the items of one file.
pub(super) struct Collector<'s> {
    pub(super) given: Given<'s>,
    pub(super) found: Vec<Found>,
    /// Of which text the nodes are.
    text: Text,
}

/// How far a declaration's wrappers (`export`, `declare`, decorators) reach, and whether it is the default export.
#[derive(Clone, Copy)]
pub(super) struct Wrapper<'t> {
    outer: Node<'t>,
    default: Default,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Default {
    Yes,
    No,
}

/// The items of a file, in source order: of what runs, and of the types.
pub(super) fn items(runs: Node<'_>, types: Option<Node<'_>>, given: Given<'_>) -> Vec<Item> {
    let mut collector = Collector { given, found: Vec::new(), text: Text::Runs };
    collector.each(runs, "");
    collector.text = Text::Types;
    types.into_iter().for_each(|types| collector.types(types));
    super::names::finish(collector.found)
}

impl<'s> Collector<'s> {
    pub(super) fn source(&self, node: Node<'_>) -> &'s str {
        &self.given.text[node.span().range()]
    }

    /// Looks at the children of a node under a path.
    pub(super) fn each(&mut self, node: Node<'_>, path: &str) {
        super::normal::deep(|| {
            // No leaf is an item.
            node.named_children().filter(|child| !child.is_leaf()).for_each(|child| self.visit(child, path));
        });
    }

    /// The types of a file. What stands in a function or class is named under it. A class that is no declared one is
    /// there for the sake of its abstract and declared members.
    fn types(&mut self, root: Node<'_>) {
        let runs = self.found.len();
        for node in root.named_children().filter(|child| !child.is_leaf()) {
            let body = node.child_by_field_name("body").filter(|_| node.kind() == "class_declaration");
            let span = body.unwrap_or(node).span();
            let around = self.found[..runs].iter().filter(|one| one.span.contains(span));
            let path = around.min_by_key(|one| one.span.end - one.span.start).map_or(String::new(), Found::below);
            match body.filter(|_| !path.is_empty()) {
                Some(body) => self.class_body(body, &path),
                None => self.visit(node, &path),
            }
        }
    }

    fn visit(&mut self, node: Node<'_>, path: &str) {
        let plain = Wrapper { outer: node, default: Default::No };
        match node.kind() {
            "export_statement" => self.export(node, path),
            "ambient_declaration" => self.ambient(node, plain, path),
            "object" => self.anonymous_object(node, path),
            "assignment_expression" => self.assignment(node, path),
            "function_expression" | "generator_function" | "class" => self.expression(node, path),
            _ if self.declaration(node, plain, path) => {}
            _ => self.each(node, path),
        }
    }

    /// `export …`, which belongs to what it exports.
    fn export(&mut self, node: Node<'_>, path: &str) {
        let default = node.children().any(|child| child.kind() == "default");
        let default = if default { Default::Yes } else { Default::No };
        let wrapper = Wrapper { outer: node, default };
        if let Some(declaration) = node.child_by_field_name("declaration") {
            match declaration.kind() {
                "ambient_declaration" => self.ambient(declaration, wrapper, path),
                _ if self.declaration(declaration, wrapper, path) => {}
                _ => self.each(declaration, path),
            }
        } else if let Some(value) = node.child_by_field_name("value") {
            self.default_value(value, wrapper, path);
        } else if node.children().any(|child| child.kind() == "=") {
            self.equals(node, path);
        }
    }

    /// `export default VALUE`: named `default`, and by its own name when it has one.
    fn default_value(&mut self, value: Node<'_>, wrapper: Wrapper<'_>, path: &str) {
        let inner = bare(value);
        let own = inner.child_by_field_name("name").filter(|_| is_function(inner) || is_class(inner));
        let own = own.map(|name| self.source(name).to_owned());
        let name = own.clone().unwrap_or_else(|| "default".to_owned());
        let found = self.add(path, &name, kind_of(value), "default", wrapper.outer.span(), wrapper.outer);
        if own.is_some() {
            found.aliases.push(join(path, "default"));
        }
        self.value(value, &join(path, &name));
    }

    /// `export = VALUE`, named as in CommonJS.
    fn equals(&mut self, node: Node<'_>, path: &str) {
        let Some(value) = node.children().filter(|child| child.is_named() && child.kind() != "comment").last() else {
            return;
        };
        self.add(path, "export =", kind_of(value), "export", node.span(), node);
        self.value(value, &join(path, "export ="));
    }

    fn ambient(&mut self, node: Node<'_>, wrapper: Wrapper<'_>, path: &str) {
        let outer = if wrapper.outer == node { node } else { wrapper.outer };
        let wrapper = Wrapper { outer, ..wrapper };
        let global = node.children().any(|child| child.kind() == "global");
        if global {
            self.add(path, "global", ItemKind::Namespace, "declare", outer.span(), outer);
            return self.each(node, &join(path, "global"));
        }
        for child in node.children().filter(|child| child.is_named()) {
            if !self.declaration(child, wrapper, path) {
                self.each(child, path);
            }
        }
    }

    /// A declaration by name. Gives whether it was one.
    fn declaration(&mut self, node: Node<'_>, wrapper: Wrapper<'_>, path: &str) -> bool {
        let (kind, word) = match node.kind() {
            "function_declaration" | "generator_function_declaration" | "function_signature" => {
                (ItemKind::Function, "function")
            }
            "class_declaration" | "abstract_class_declaration" => (ItemKind::Container, "class"),
            "interface_declaration" => (ItemKind::Type, "interface"),
            "type_alias_declaration" => (ItemKind::Type, "type"),
            "enum_declaration" => (ItemKind::Type, "enum"),
            "module" | "internal_module" => (ItemKind::Namespace, "namespace"),
            "lexical_declaration" | "variable_declaration" | "using_declaration" => {
                self.variables(node, wrapper, path);
                return true;
            }
            _ => return false,
        };
        let Some(name) = node.child_by_field_name("name") else { return false };
        let name = self.name_text(name);
        let signature = node.kind() == "function_signature";
        let found = self.add(path, &name, kind, word, wrapper.outer.span(), wrapper.outer);
        if signature {
            found.place = Placing::Signature;
        }
        if wrapper.default == Default::Yes {
            found.aliases.push(join(path, "default"));
        }
        let below = join(path, &name);
        if kind == ItemKind::Container {
            self.class(node, &below)
        } else {
            self.each(node, &below)
        }
        true
    }

    /// The text of a declared name; a module's string by its value.
    fn name_text(&self, name: Node<'_>) -> String {
        let raw = self.source(name);
        match name.kind() {
            "string" => text::cook(super::normal::inside(raw)).into_owned(),
            _ => text::name(raw).split_whitespace().collect(),
        }
    }

    fn variables(&mut self, node: Node<'_>, wrapper: Wrapper<'_>, path: &str) {
        let declarators: Vec<_> = node.children().filter(|child| child.kind() == "variable_declarator").collect();
        let word = match node.child(0).map(|first| first.kind()) {
            Some("let") => "let",
            Some("var") => "var",
            _ => "const",
        };
        for (at, declarator) in declarators.iter().enumerate() {
            let (outer, own) = (wrapper.outer.span(), declarator.span());
            let start = if at == 0 { outer.start } else { own.start };
            let end = if at + 1 == declarators.len() { outer.end } else { own.end };
            let part = if declarators.len() == 1 { wrapper.outer } else { *declarator };
            self.variable(*declarator, part, word, Span { start, end }, path);
        }
    }

    fn variable(&mut self, declarator: Node<'_>, part: Node<'_>, word: &'static str, span: Span, path: &str) {
        let Some(name) = declarator.child_by_field_name("name") else { return };
        let value = declarator.child_by_field_name("value");
        if name.kind() == "identifier" {
            let name = text::name(self.source(name)).into_owned();
            let kind = value.map_or(ItemKind::Value, kind_of);
            self.add(path, &name, kind, word, span, part);
            if let Some(value) = value {
                self.value(value, &join(path, &name));
            }
            return;
        }
        for name in bound_names(name) {
            let name = text::name(self.source(name)).into_owned();
            self.add(path, &name, ItemKind::Value, word, span, part);
        }
        self.each(declarator, path);
    }

    /// What a named thing holds: its members have its path.
    pub(super) fn value(&mut self, value: Node<'_>, path: &str) {
        let inner = bare(value);
        match inner.kind() {
            "object" => self.object(inner, path),
            "assignment_expression" => {
                self.visit(inner, "");
            }
            _ if is_class(inner) => self.class(inner, path),
            _ if is_function(inner) => self.each(inner, path),
            _ => self.each(value, path),
        }
    }

    /// A function or class expression that nothing names but itself.
    fn expression(&mut self, node: Node<'_>, path: &str) {
        let Some(name) = node.child_by_field_name("name") else {
            return if is_class(node) { self.class(node, path) } else { self.each(node, path) };
        };
        let name = text::name(self.source(name)).into_owned();
        self.add(path, &name, kind_of(node), "function", node.span(), node);
        let below = join(path, &name);
        if is_class(node) { self.class(node, &below) } else { self.each(node, &below) }
    }

    /// `a.b = function () {}`, named by its left side; `module.exports` and `exports.x` whatever they are given.
    fn assignment(&mut self, node: Node<'_>, path: &str) {
        let (left, right) = (node.child_by_field_name("left"), node.child_by_field_name("right"));
        let (Some(left), Some(right)) = (left, right) else { return self.each(node, path) };
        let Some(name) = dotted(left, self.given) else { return self.each(node, path) };
        let last = innermost_right(right);
        let kind = kind_of(last);
        let exported = name == "module.exports" || name.starts_with("module.exports.") || name.starts_with("exports.");
        if kind == ItemKind::Value && !exported {
            return self.each(node, path);
        }
        let part = node.parent().filter(|parent| parent.kind() == "expression_statement").unwrap_or(node);
        self.add(path, &name, kind, "", part.span(), part);
        if right.kind() == "assignment_expression" {
            self.visit(right, path);
        } else {
            self.value(right, &join(path, &name));
        }
    }

    /// Adds an item.
    pub(super) fn add(
        &mut self,
        path: &str,
        name: &str,
        kind: ItemKind,
        word: &'static str,
        span: Span,
        part: Node<'_>,
    ) -> &mut Found {
        let part = Part(self.text, part.index());
        // The grammar may have seen the sign of a decorator one place before.
        let is_early = self.given.text[span.start as usize..].starts_with(char::is_whitespace);
        let span = Span { start: span.start + u32::from(is_early), ..span };
        let (path, name) = (path.to_owned(), name.to_owned());
        let (accessor, place, aliases) = ("", Placing::Plain, Vec::new());
        self.found.push(Found { path, name, accessor, place, word, kind, span, part, aliases });
        let last = self.found.len() - 1;
        &mut self.found[last]
    }
}

/// A path and a name behind it.
pub(super) fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// A value without parentheses and casts.
pub(super) fn bare(mut value: Node<'_>) -> Node<'_> {
    while matches!(value.kind(), "parenthesized_expression" | "type_assertion") {
        let Some(inner) = value.named_children().filter(|child| child.kind() != "comment").last() else { break };
        value = inner;
    }
    value
}

/// The value at the end of `a = b = value`.
fn innermost_right(mut value: Node<'_>) -> Node<'_> {
    while let Some(right) = value.child_by_field_name("right").filter(|_| value.kind() == "assignment_expression") {
        value = right;
    }
    value
}

fn is_function(node: Node<'_>) -> bool {
    matches!(node.kind(), "arrow_function" | "function_expression" | "generator_function" | "function_declaration")
}

fn is_class(node: Node<'_>) -> bool {
    node.kind() == "class"
}

/// What a thing is, by the value it is given.
pub(super) fn kind_of(value: Node<'_>) -> ItemKind {
    let value = bare(value);
    match value {
        _ if is_function(value) => ItemKind::Function,
        _ if is_class(value) => ItemKind::Container,
        _ => ItemKind::Value,
    }
}

/// The dotted text of `a.b.c`.
fn dotted(node: Node<'_>, given: Given<'_>) -> Option<String> {
    let source = |node: Node<'_>| text::name(&given.text[node.span().range()]).into_owned();
    match node.kind() {
        "identifier" | "this" => Some(source(node)),
        "member_expression" => {
            let object = dotted(node.child_by_field_name("object")?, given)?;
            Some(format!("{object}.{}", source(node.child_by_field_name("property")?)))
        }
        _ => None,
    }
}

/// The variables that a destructuring pattern declares.
fn bound_names(pattern: Node<'_>) -> Vec<Node<'_>> {
    let mut names = Vec::new();
    let mut open = vec![pattern];
    while let Some(node) = open.pop() {
        match node.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => names.push(node),
            "pair_pattern" => open.extend(node.child_by_field_name("value")),
            "assignment_pattern" | "object_assignment_pattern" => open.extend(node.child_by_field_name("left")),
            "object_pattern" | "array_pattern" | "rest_pattern" => {
                open.extend(node.children().filter(|child| child.is_named()))
            }
            _ => {}
        }
    }
    names.sort_by_key(|name| name.start_byte());
    names
}
