//! Errors and warnings for people: what, where, the source underlined, what helps.

use crate::finding::{Excerpt, Finding};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

/// How bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Nothing could be decided.
    Error,
    /// Worth a word.
    Warning,
}

/// All of them, an empty line between.
pub fn render(errors: &[Finding], warnings: &[Finding]) -> String {
    let renderer = Renderer::styled();
    let one = |severity, finding: &Finding| format!("{}\n", self::one(&renderer, severity, finding));
    let warnings = warnings.iter().map(|finding| one(Severity::Warning, finding));
    let errors = errors.iter().map(|finding| one(Severity::Error, finding));
    warnings.chain(errors).collect()
}

fn one(renderer: &Renderer, severity: Severity, finding: &Finding) -> String {
    let level = match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(finding.message.as_str()).id(finding.code.code());
    let mut group = match (&finding.at, &finding.excerpt) {
        (Some(place), Some(Excerpt { text, span })) => {
            let snippet = Snippet::source(text.as_ref())
                .path(place.file.as_str())
                .annotation(AnnotationKind::Primary.span(span.clone()));
            title.element(snippet)
        }
        (Some(place), None) => {
            let origin = annotate_snippets::Origin::path(place.file.as_str());
            title.element(origin.line(place.line as usize).char_column(place.column as usize))
        }
        (None, _) => Group::with_title(title),
    };
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}
