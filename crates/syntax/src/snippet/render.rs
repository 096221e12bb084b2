//! Normal trees back as text, for messages and for `matching`.

use crate::tree::{NodeId, Tree};

/// Kinds whose leaves carry raw text that a space would falsify.
fn is_raw(kind: &str) -> bool {
    kind.contains("fragment") || kind.contains("regex") || kind == "jsx_text" || kind == "multiline_string"
}

/// Canonical text of a subtree; see [`Tree::render`].
pub(crate) fn render(tree: &Tree, root: NodeId) -> String {
    let mut out = Writer { tree, root, text: String::new(), last: None };
    for node in tree.subtree(root) {
        if out.separates(node) {
            out.text.push(',');
            out.last = None;
            out.text.push(' ');
        }
        if tree.is_leaf(node) {
            out.leaf(node);
        }
    }
    out.text
}

struct Writer<'t> {
    tree: &'t Tree,
    root: NodeId,
    text: String,
    /// The leaf before, unless something was written behind it.
    last: Option<NodeId>,
}

impl Writer<'_> {
    /// Whether the node is an element behind another one in a bracketed list, so that a comma stood between.
    fn separates(&self, node: NodeId) -> bool {
        if node == self.root {
            return false;
        }
        let Some(parent) = self.tree.parent(node) else { return false };
        if !is_list(self.tree.kind(parent), self.tree.field(node)) || self.is_token(node) {
            return false;
        }
        let mut siblings = self.tree.children(parent).take_while(|&sibling| sibling < node);
        siblings.any(|sibling| !self.is_token(sibling) && is_list(self.tree.kind(parent), self.tree.field(sibling)))
    }

    fn is_token(&self, node: NodeId) -> bool {
        let kind = self.tree.kind(node);
        self.tree.is_leaf(node) && self.tree.text(node).is_empty() && !kind.starts_with(|c: char| c.is_alphanumeric())
    }

    fn leaf(&mut self, node: NodeId) {
        let (kind, text) = (self.tree.kind(node), self.tree.text(node));
        let quoted;
        let word = match kind {
            "string" => {
                quoted = format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n"));
                quoted.as_str()
            }
            "hole" => "",
            _ if text.is_empty() => kind,
            _ => text,
        };
        if let Some(last) = self.last
            && self.spaced(last, node, word)
        {
            self.text.push(' ');
        }
        self.text.push_str(word);
        self.last = Some(node);
    }

    /// Whether a space stands between two neighbouring leaves.
    fn spaced(&self, last: NodeId, node: NodeId, word: &str) -> bool {
        let (before, after) = (self.tree.kind(last), self.tree.kind(node));
        if is_raw(before)
            || is_raw(after)
            || matches!(before, "`" | "${")
            || matches!(after, "`" | "}") && self.in_template(node)
        {
            return false;
        }
        let ends_in_word = self.text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '\'' | '"'));
        let starts_with_word =
            word.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '\'' | '"' | '@' | '#'));
        if ends_in_word && starts_with_word {
            return true;
        }
        if self.is_infix(last) || self.is_infix(node) {
            return true;
        }
        match (before, after) {
            ("{", "}") => false,
            (_, "{") => !matches!(before, "(" | "[" | "!" | "..." | "."),
            ("{", _) | (_, "}") => true,
            (":" | "=>" | ")", _) => starts_with_word || after == "(" && before == "=>",
            ("}", _) => starts_with_word,
            (_, "=>") => true,
            _ => false,
        }
    }

    fn in_template(&self, node: NodeId) -> bool {
        self.tree.parent(node).is_some_and(|parent| self.tree.kind(parent).starts_with("template"))
    }

    /// Whether a token stands between two operands: it has neighbours on both sides and is no bracket or dot.
    fn is_infix(&self, node: NodeId) -> bool {
        let kind = self.tree.kind(node);
        let operator = !kind.is_empty() && kind.chars().all(|letter| "=+-*/%<>&|^?".contains(letter));
        let worded = matches!(kind, "as" | "in" | "instanceof" | "satisfies" | "and" | "or" | "orelse" | "catch");
        let Some(parent) = self.tree.parent(node) else { return false };
        let inner = self.tree.children(parent).next() != Some(node);
        self.tree.is_leaf(node) && (operator && inner && kind != "?." || worded)
    }
}

/// Whether the children of this kind of node are separated by commas.
fn is_list(kind: &str, field: Option<&str>) -> bool {
    match kind {
        "call_expression" | "builtin_function" => field.is_none(),
        _ => matches!(
            kind,
            "arguments"
                | "formal_parameters"
                | "parameters"
                | "array"
                | "object"
                | "array_pattern"
                | "object_pattern"
                | "object_type"
                | "type_arguments"
                | "type_parameters"
                | "initializer_list"
                | "tuple_type"
                | "sequence_expression"
                | "enum_body"
                | "named_imports"
                | "export_clause"
        ),
    }
}
