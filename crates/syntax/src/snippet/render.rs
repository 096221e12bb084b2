//! Normal trees back as text, for messages and for `matching`. The text is for people and regular expressions: one
//! line, one spelling, and no parser has to take it back.

use crate::tree::{NodeId, Tree};

/// Canonical text of a subtree; see [`Tree::render`].
pub(crate) fn render(tree: &Tree, root: NodeId) -> String {
    let mut out = Writer { tree, text: String::new() };
    out.node(root);
    out.text
}

/// What stands between the children of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Between {
    /// A list in brackets: `, `.
    Comma,
    /// Statements: `; `.
    Semicolon,
    /// Text whose white space counts: nothing.
    Nothing,
    /// What the neighbours want.
    Gap,
}

fn between(kind: &str) -> Between {
    match kind {
        "arguments"
        | "formal_parameters"
        | "parameters"
        | "array"
        | "object"
        | "array_pattern"
        | "object_pattern"
        | "type_arguments"
        | "type_parameters"
        | "initializer_list"
        | "tuple_type"
        | "sequence_expression"
        | "enum_body"
        | "named_imports"
        | "export_clause" => Between::Comma,
        "statement_block" | "block" | "program" | "source_file" | "class_body" | "object_type" | "interface_body" => {
            Between::Semicolon
        }
        "template_string"
        | "template_substitution"
        | "template_literal_type"
        | "regex"
        | "jsx_expression"
        | "jsx_element" => Between::Nothing,
        _ => Between::Gap,
    }
}

struct Writer<'t> {
    tree: &'t Tree,
    text: String,
}

impl Writer<'_> {
    fn node(&mut self, node: NodeId) {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
            if self.tree.is_leaf(node) {
                return self.leaf(node);
            }
            match (self.tree.kind(node), between(self.tree.kind(node))) {
                ("logical_expression", _) => self.chain(node),
                ("union_type", _) => self.joined(node, " | "),
                ("intersection_type", _) => self.joined(node, " & "),
                (_, Between::Comma) => self.list(node, ", "),
                (_, Between::Semicolon) => self.list(node, "; "),
                ("template_string" | "template_literal_type", _) => self.framed(node, "`", "`"),
                ("template_substitution" | "template_type", _) => self.framed(node, "${", "}"),
                (_, Between::Nothing) => self.tree.children(node).for_each(|child| self.node(child)),
                (_, Between::Gap) => self.sequence(node),
            }
        });
    }

    fn leaf(&mut self, node: NodeId) {
        let (kind, text) = (self.tree.kind(node), self.tree.text(node));
        match kind {
            "string" => {
                let text = text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n");
                self.text.push_str(&format!("'{text}'"));
            }
            "optional_chain" => self.text.push_str("?."),
            "template_string" if text.is_empty() => self.text.push_str("``"),
            "hole" => {}
            _ if text.is_empty() => self.text.push_str(self.tree.gone(node).unwrap_or(kind)),
            _ => self.text.push_str(text),
        }
    }

    /// `a && b && c`: the operator is the first child.
    fn chain(&mut self, node: NodeId) {
        let mut children = self.tree.children(node);
        let operator = children.next().map_or("", |operator| self.tree.kind(operator));
        for (index, operand) in children.enumerate() {
            if index > 0 {
                self.text.push_str(&format!(" {operator} "));
            }
            self.operand(node, operand);
        }
    }

    fn joined(&mut self, node: NodeId, separator: &str) {
        for (index, child) in self.tree.children(node).enumerate() {
            if index > 0 {
                self.text.push_str(separator);
            }
            self.node(child);
        }
    }

    /// Children without a space between them, in marks that the normal form may have dropped.
    fn framed(&mut self, node: NodeId, open: &str, close: &str) {
        let kept = self.tree.children(node).next().is_some_and(|first| self.tree.kind(first) == open);
        self.text.push_str(if kept { "" } else { open });
        self.tree.children(node).for_each(|child| self.node(child));
        self.text.push_str(if kept { "" } else { close });
    }

    /// Brackets and what they hold.
    fn list(&mut self, node: NodeId, separator: &str) {
        let mut elements = 0;
        for child in self.tree.children(node) {
            let kind = self.tree.kind(child);
            let closes = self.is_punctuation(child) && matches!(kind, "}" | "]" | ")" | ">");
            if closes {
                self.text.push_str(if kind == "}" && elements > 0 { " }" } else { kind });
            } else if self.is_punctuation(child) && elements == 0 {
                self.text.push_str(kind);
            } else {
                let opening = if self.text.ends_with('{') && elements == 0 { " " } else { "" };
                self.text.push_str(if elements > 0 { separator } else { opening });
                self.node(child);
                elements += 1;
            }
        }
    }

    fn sequence(&mut self, node: NodeId) {
        let mut last: Option<NodeId> = None;
        let bare_condition = matches!(
            self.tree.kind(node),
            "if_statement" | "while_statement" | "do_statement" | "switch_statement" | "for_in_statement"
        );
        for child in self.tree.children(node) {
            if last.is_some_and(|last| self.gap(node, last, child)) {
                self.text.push(' ');
            }
            let opened = last.is_some_and(|last| matches!(self.tree.kind(last), "(" | "parenthesized_expression"));
            let is_condition = bare_condition && matches!(self.tree.field(child), Some("condition" | "value"));
            if is_condition && !opened && self.tree.kind(child) != "parenthesized_expression" {
                self.text.push('(');
                self.node(child);
                self.text.push(')');
            } else {
                self.operand(node, child);
            }
            last = Some(child);
        }
    }

    /// A child, in the parentheses that it needs where it stands.
    fn operand(&mut self, node: NodeId, child: NodeId) {
        let (outer, inner) = (self.strength(node), self.strength(child));
        let second = self.tree.field(child) == Some("right");
        let is_base = matches!(self.tree.field(child), Some("object" | "function"));
        let weaker = inner < outer || inner == outer && second || is_base && inner < POSTFIX;
        if outer > 0 && inner > 0 && weaker || is_base && (1..POSTFIX).contains(&inner) {
            self.text.push('(');
            self.node(child);
            self.text.push(')');
        } else {
            self.node(child);
        }
    }

    /// How strongly an operator binds, from 1; 0 for what is no operator.
    fn strength(&self, node: NodeId) -> u8 {
        let operator = || self.tree.child(node, "operator").map_or("", |operator| self.tree.kind(operator));
        match self.tree.kind(node) {
            "arrow_function" | "assignment_expression" | "augmented_assignment_expression" | "yield_expression" => 1,
            "ternary_expression" => 2,
            "logical_expression" | "binary_expression" => match operator() {
                "||" | "??" | "or" => 3,
                "&&" | "and" => 4,
                "|" | "^" | "&" => 5,
                "==" | "===" | "!=" | "!==" => 6,
                "<<" | ">>" | ">>>" => 8,
                "+" | "-" => 9,
                "*" | "/" | "%" => 10,
                "**" => 11,
                _ => 7,
            },
            "as_expression" | "satisfies_expression" => 7,
            "unary_expression" | "await_expression" => 12,
            _ => 0,
        }
    }

    /// Whether a space stands between two neighbours in a sequence.
    fn gap(&self, parent: NodeId, left: NodeId, right: NodeId) -> bool {
        let (before, after) = (self.mark(left), self.mark(right));
        let first = self.tree.children(parent).next() == Some(left);
        let last = self.tree.subtree_end(parent) == self.tree.subtree_end(right);
        if matches!(before, "(" | "[" | "." | "?." | ".." | "..." | "@" | "#" | "~" | "!" | "/" | "</")
            || matches!(after, ")" | "]" | "." | "?." | ".." | "," | "!" | "/" | "++" | "--")
        {
            return false;
        }
        if first && !before.is_empty() && !matches!(before, "{" | "}" | ")" | ":" | "=" | "&&" | "||") {
            return false;
        }
        match after {
            ":" => self.tree.has_child(parent, "?") && self.tree.kind(parent) == "ternary_expression",
            "?" => self.tree.kind(parent) == "ternary_expression",
            "(" | "[" => self.is_token(left) && before != "]",
            ">" if last => false,
            "}" => before != "{",
            _ if before == "]" || before == "<" && self.tree.kind(parent).starts_with("jsx") => false,
            _ => !matches!(
                self.tree.kind(right),
                "arguments"
                    | "formal_parameters"
                    | "parameters"
                    | "type_arguments"
                    | "type_parameters"
                    | "type_annotation"
                    | "template_string"
            ),
        }
    }

    /// The punctuation that a node is; empty for words and inner nodes.
    fn mark(&self, node: NodeId) -> &'static str {
        match self.tree.kind(node) {
            "optional_chain" => "?.",
            kind if self.is_punctuation(node) => kind,
            _ => "",
        }
    }

    fn is_token(&self, node: NodeId) -> bool {
        self.tree.is_leaf(node) && self.tree.text(node).is_empty()
    }

    fn is_punctuation(&self, node: NodeId) -> bool {
        self.is_token(node) && !self.tree.kind(node).starts_with(|letter: char| letter.is_alphanumeric())
    }
}

/// Stronger than every operator: what a member access or a call wants before it.
const POSTFIX: u8 = 13;
