//! How `oxc_parser` groups a source, to be compared with the normal form: for each operator its kind and its extent.

use factgate_syntax::{Limits, NodeId, Source, Tree, language_for_path};
use oxc_ast::AstKind;
use oxc_ast_visit::Visit;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::{GetSpan, SourceType};
use std::collections::BTreeSet;

/// One operator: from, to, kind.
pub(crate) type Group = (u32, u32, &'static str);

/// What came of a comparison.
pub(crate) enum Compared {
    /// The other parser refuses the file.
    Refused,
    /// The grammar reports problems.
    Problems(Vec<String>),
    /// Operators in both, and those that only one has: `<` the normal form, `>` the other parser.
    Done { both: usize, differences: Vec<String> },
}

/// Compares one file.
pub(crate) fn compare(path: &str, text: &str) -> Compared {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some((theirs, imports)) = theirs(path, text) else { return Compared::Refused };
    let Some(language) = language_for_path(path) else { return Compared::Refused };
    let Ok(source) = Source::parse(language, text.as_bytes(), &Limits::default()) else {
        return Compared::Problems(Vec::new());
    };
    if !source.problems().is_empty() {
        let shown = |problem: &factgate_syntax::Problem| {
            format!("{path}:{} {}", source.position(problem.span.start).line, problem.message)
        };
        return Compared::Problems(source.problems().iter().map(shown).collect());
    }
    let mut ours = ours(&source.normal(&source.file_item()));
    // The grammar reads the type `import("a").B` as a call and a member of it, where the other parser has a type.
    ours.retain(|&(from, to, _)| !imports.iter().any(|import| import.start <= from && to <= import.end));
    let line = |sign: &str, &(from, to, kind): &Group| {
        let shown: String = text[from as usize..to as usize].chars().take(120).collect();
        format!("{path}:{} {sign} {kind} {shown:?}", source.position(from).line)
    };
    let mut differences: Vec<String> = ours.difference(&theirs).map(|group| line("<", group)).collect();
    differences.extend(theirs.difference(&ours).map(|group| line(">", group)));
    differences.sort();
    Compared::Done { both: ours.intersection(&theirs).count(), differences }
}

/// The operators, and where the types are that are imports.
fn theirs(path: &str, text: &str) -> Option<(BTreeSet<Group>, Vec<oxc_span::Span>)> {
    let allocator = oxc_allocator::Allocator::default();
    let kind = SourceType::from_path(path).ok()?;
    let options = ParseOptions { preserve_parens: false, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, text, kind).with_options(options).parse();
    if parsed.panicked || !parsed.diagnostics.is_empty() {
        return None;
    }
    let mut groups = Groups { text, ..Groups::default() };
    groups.visit_program(&parsed.program);
    Some((groups.found, groups.imports))
}

#[derive(Default)]
struct Groups<'s> {
    text: &'s str,
    found: BTreeSet<Group>,
    open: Vec<Option<String>>,
    types: usize,
    imports: Vec<oxc_span::Span>,
}

impl<'a> Visit<'a> for Groups<'_> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        if matches!(kind, AstKind::TSParenthesizedType(_)) {
            self.open.push(self.open.last().cloned().flatten());
            return;
        }
        if let AstKind::TSImportType(it) = kind {
            self.imports.push(it.span);
        }
        let chain = chain(&kind);
        let goes_on = chain.is_some() && self.open.last() == Some(&chain);
        self.open.push(chain);
        self.types += usize::from(is_type_query(&kind));
        if let Some(name) = name(&kind)
            && !goes_on
            && self.types == 0
        {
            let span = kind.span();
            let span = oxc_span::Span::new(self.first_member(&kind, span.start), span.end);
            self.found.insert((span.start, span.end, name));
            // The normal form has the type arguments of a tagged template as a node of their own.
            if let AstKind::TaggedTemplateExpression(it) = kind
                && let Some(arguments) = &it.type_arguments
            {
                self.found.insert((span.start, arguments.span.end, "instantiation_expression"));
            }
        }
    }

    fn leave_node(&mut self, kind: AstKind<'a>) {
        self.open.pop();
        self.types -= usize::from(is_type_query(&kind));
    }
}

impl Groups<'_> {
    /// Where a union or intersection, or a condition on one, starts behind a leading sign.
    fn first_member(&self, kind: &AstKind<'_>, start: u32) -> u32 {
        if !matches!(kind, AstKind::TSUnionType(_) | AstKind::TSIntersectionType(_) | AstKind::TSConditionalType(_)) {
            return start;
        }
        let mut rest = self.text[start as usize..].trim_start_matches(['|', '&']).trim_start();
        while let Some(comment) = rest
            .strip_prefix("//")
            .map(|rest| rest.split_once('\n'))
            .or_else(|| rest.strip_prefix("/*").map(|rest| rest.split_once("*/")))
        {
            rest = comment.map_or("", |(_, behind)| behind).trim_start();
        }
        (self.text.len() - rest.len()) as u32
    }
}

fn is_type_query(kind: &AstKind<'_>) -> bool {
    matches!(kind, AstKind::TSTypeQuery(_) | AstKind::TSImportType(_) | AstKind::TSLiteralType(_))
}

/// Chains of one operator are flat in the normal form.
fn chain(kind: &AstKind<'_>) -> Option<String> {
    match kind {
        AstKind::LogicalExpression(it) => Some(format!("{:?}", it.operator)),
        AstKind::TSUnionType(_) => Some("|".into()),
        AstKind::TSIntersectionType(_) => Some("&".into()),
        AstKind::SequenceExpression(_) => Some(",".into()),
        _ => None,
    }
}

fn name(kind: &AstKind<'_>) -> Option<&'static str> {
    Some(match kind {
        AstKind::BinaryExpression(_) | AstKind::PrivateInExpression(_) => "binary_expression",
        AstKind::LogicalExpression(_) => "logical_expression",
        AstKind::UnaryExpression(_) => "unary_expression",
        AstKind::AwaitExpression(_) => "await_expression",
        AstKind::UpdateExpression(_) => "update_expression",
        AstKind::YieldExpression(_) => "yield_expression",
        AstKind::ConditionalExpression(_) => "ternary_expression",
        AstKind::ArrowFunctionExpression(_) => "arrow_function",
        AstKind::SequenceExpression(_) => "sequence_expression",
        AstKind::TSAsExpression(_) => "as_expression",
        AstKind::TSSatisfiesExpression(_) => "satisfies_expression",
        AstKind::TSNonNullExpression(_) => "non_null_expression",
        AstKind::TSTypeAssertion(_) => "type_assertion",
        AstKind::TSInstantiationExpression(_) => "instantiation_expression",
        AstKind::CallExpression(_) | AstKind::TaggedTemplateExpression(_) | AstKind::ImportExpression(_) => {
            "call_expression"
        }
        AstKind::NewExpression(_) => "new_expression",
        AstKind::StaticMemberExpression(_) | AstKind::PrivateFieldExpression(_) => "member_expression",
        AstKind::ComputedMemberExpression(_) => "subscript_expression",
        AstKind::AssignmentExpression(_) => "assignment_expression",
        AstKind::ObjectExpression(_) => "object",
        AstKind::TSUnionType(it) if it.types.len() > 1 => "union_type",
        AstKind::TSIntersectionType(it) if it.types.len() > 1 => "intersection_type",
        AstKind::TSArrayType(_) => "array_type",
        AstKind::TSIndexedAccessType(_) => "lookup_type",
        AstKind::TSConditionalType(_) => "conditional_type",
        AstKind::TSFunctionType(_) => "function_type",
        _ => return None,
    })
}

fn ours(tree: &Tree) -> BTreeSet<Group> {
    let kinds = [
        "binary_expression",
        "logical_expression",
        "unary_expression",
        "await_expression",
        "update_expression",
        "yield_expression",
        "ternary_expression",
        "arrow_function",
        "sequence_expression",
        "as_expression",
        "satisfies_expression",
        "non_null_expression",
        "type_assertion",
        "instantiation_expression",
        "call_expression",
        "new_expression",
        "member_expression",
        "subscript_expression",
        "assignment_expression",
        "augmented_assignment_expression",
        "object",
        "union_type",
        "intersection_type",
        "array_type",
        "lookup_type",
        "conditional_type",
        "function_type",
        "ERROR",
    ];
    let mut found = BTreeSet::new();
    let mut skipped = NodeId::ROOT;
    for node in tree.subtree(NodeId::ROOT) {
        let kind = tree.kind(node);
        if node < skipped && skipped != NodeId::ROOT {
            continue;
        }
        if matches!(kind, "type_query" | "literal_type" | "nested_type_identifier" | "import_attribute")
            || is_name(tree, node)
        {
            skipped = tree.subtree_end(node);
            continue;
        }
        let kind = if kind == "augmented_assignment_expression" { "assignment_expression" } else { kind };
        if kinds.contains(&kind) {
            let mut span = tree.span(node);
            if let Some(body) = tree.child_of_kind(node, "statement_block").filter(|_| kind == "arrow_function") {
                // The grammar counts a comment behind a block's brace as part of the block.
                span.end = tree.subtree(body).next_back().map_or(span.end, |last| tree.span(last).end);
            }
            found.insert((span.start, span.end, kind));
        }
    }
    found
}

/// A dotted name in a JSX tag or a type, which the other parser does not call a member expression.
fn is_name(tree: &Tree, node: NodeId) -> bool {
    let parent = tree.parent(node).map_or("", |parent| tree.kind(parent));
    let types = ["type_annotation", "jsx_opening_element", "nested_identifier", "nested_type_identifier"];
    types.contains(&parent) && matches!(tree.kind(node), "member_expression" | "call_expression")
}
