//! Two readings of one text: where the grammar and oxc see different things, or group them in another way, nobody can say
//! what the code means, and it can be judged neither fresh nor STALE.

use super::super::statements::is_empty_block;
use super::kinds::{self, Kind};
use crate::grammar::{GrammarTree, Node};
use crate::item::Text;
use crate::languages::Shape;
use crate::source::{Problem, ProblemKind};
use crate::tree::Span;

/// The problems of a text whose readings differ. `masked` is what the grammar read, `shapes` what oxc reads in it (in the
/// pieces alone, where there are some).
pub(in crate::languages::typescript) fn misread(
    tree: &GrammarTree,
    shapes: &mut Vec<Shape>,
    masked: &str,
    pieces: Option<&[Span]>,
) -> Vec<Problem> {
    let mut ours: Vec<Shape> = tree.iter().filter_map(|node| shape(tree, node, masked.as_bytes())).collect();
    if let Some(pieces) = pieces {
        let inside = |shape: &Shape| pieces.iter().any(|piece| piece.start <= shape.0 && shape.1 <= piece.end);
        ours.retain(inside);
    }
    ours.sort_unstable();
    shapes.sort_unstable();
    if ours == *shapes {
        return Vec::new();
    }
    problems(&ours, shapes, masked)
}

/// What the grammar reads at a node that oxc has a node for as well.
fn shape(tree: &GrammarTree, node: Node<'_>, masked: &[u8]) -> Option<Shape> {
    let kind = tree.shape_of(node, kinds::of_grammar);
    if kind == 0 || is_part(node) {
        return None;
    }
    let kind = if is_empty_block(node) { Kind::Block as u8 } else { kind };
    let (start, mut end) = (node.start_byte(), node.end_byte());
    while end > start && (masked[end - 1].is_ascii_whitespace() || matches!(masked[end - 1], b';' | b',')) {
        end -= 1;
    }
    let start = match node.kind() {
        "public_field_definition" | "field_definition" | "export_statement" => {
            node.children().find(|child| child.kind() != "decorator").map_or(start, Node::start_byte)
        }
        _ => start,
    };
    Some((start as u32, end as u32, kind))
}

/// Nodes of the grammar that are parts of something that oxc has as one.
fn is_part(node: Node<'_>) -> bool {
    let above = node.parent().map_or("", Node::kind);
    match node.kind() {
        "object" => above == "import_attribute" || node.parent().is_some_and(is_empty_block),
        "pair" => node.parent().and_then(Node::parent).is_some_and(|list| list.kind() == "import_attribute"),
        "spread_element" => above == "jsx_expression",
        "sequence_expression" => above == "sequence_expression",
        "union_type" | "intersection_type" => above == node.kind() || node.named_children().count() == 1,
        "expression_statement" => node.child(0).is_some_and(|first| first.kind() == "internal_module"),
        "lexical_declaration" | "variable_declaration" => above == "ambient_declaration",
        "statement_block" => {
            matches!(above, "class_static_block" | "internal_module" | "module" | "ambient_declaration")
        }
        "member_expression" => is_name(node),
        _ => false,
    }
}

/// Whether a member is the name of an element of JSX, or what a type asks for: `typeof a.b`.
fn is_name(node: Node<'_>) -> bool {
    let mut above = node.parent();
    while let Some(node) = above.filter(|node| matches!(node.kind(), "member_expression" | "instantiation_expression"))
    {
        above = node.parent();
    }
    let is_jsx = |kind: &str| kind.starts_with("jsx_") && kind != "jsx_expression";
    above.is_some_and(|node| node.kind() == "type_query" || is_jsx(node.kind()))
}

/// One problem for each place at which the readings part.
fn problems(ours: &[Shape], theirs: &[Shape], text: &str) -> Vec<Problem> {
    let mut groups: Vec<Group> = Vec::new();
    let (mut one, mut other) = (0, 0);
    while one < ours.len() || other < theirs.len() {
        match (ours.get(one), theirs.get(other)) {
            (Some(a), Some(b)) if a == b => (one, other) = (one + 1, other + 1),
            (Some(&a), b) if b.is_none_or(|b| a < *b) => {
                Group::at(&mut groups, a).ours.get_or_insert(a);
                one += 1;
            }
            (_, Some(&b)) => {
                Group::at(&mut groups, b).theirs.get_or_insert(b);
                other += 1;
            }
            (_, None) => break,
        }
    }
    groups.iter().map(|group| group.problem(text)).collect()
}

/// A place that is read in two ways, with the first thing that each reading has there.
struct Group {
    span: Span,
    ours: Option<Shape>,
    theirs: Option<Shape>,
}

impl Group {
    /// The group that a difference belongs to: the last one, when they overlap.
    fn at(groups: &mut Vec<Group>, shape: Shape) -> &mut Group {
        let (start, end, _) = shape;
        match groups.last_mut() {
            Some(last) if start < last.span.end => last.span.end = last.span.end.max(end),
            _ => groups.push(Group { span: Span { start, end }, ours: None, theirs: None }),
        }
        let last = groups.len() - 1;
        &mut groups[last]
    }

    fn problem(&self, text: &str) -> Problem {
        let reading = |shape: Option<Shape>| {
            let Some((from, to, kind)) = shape else { return "nothing of the kind".to_owned() };
            let line = text.get(from as usize..to as usize).unwrap_or("").lines().next().unwrap_or("").trim();
            let shown: String = line.chars().take(40).collect();
            format!("{} `{shown}`", kinds::words(kind))
        };
        let message = format!(
            "read in two ways: the grammar has {}, and the language {}; write it in another way, or name its parts",
            reading(self.ours),
            reading(self.theirs)
        );
        Problem { kind: ProblemKind::Parse, span: self.span, message, text: Text::Runs }
    }
}
