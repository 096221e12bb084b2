//! Whether a table or constant keeps what its literal says: code of its own file that assigns it, assigns a member of
//! it, or changes it in place makes the fact unknown, and so does a table around it that can replace it.

use super::constant::Unread;
use crate::program::{Program, Scope};
use factgate_record::{Reason, Role};
use factgate_syntax::{Item, Span};

/// What changes the value of a scope, when something does.
pub(super) fn settled(program: &Program<'_>, scope: &Scope) -> Result<(), Unread> {
    let Some(whole) = program.whole(&scope.file) else { return Ok(()) };
    let unread = |span: Span, what: &str| Unread {
        reason: Reason::NotLiteral,
        what: what.to_owned(),
        evidence: scope.evidence_at(Role::Source, span),
    };
    let mut around: Vec<&Item> =
        scope.source.items().iter().filter(|item| item.span.contains(scope.span) && !item.name.is_empty()).collect();
    around.sort_by_key(|item| item.name.len());
    let Some(own) = around.iter().find(|item| item.span == scope.span) else { return Ok(()) };
    for item in &around {
        let last = item.name.rsplit('.').next().unwrap_or_default();
        let path: Vec<String> =
            own.name.get(item.name.len()..).unwrap_or_default().split('.').skip(1).map(str::to_owned).collect();
        if let Some(span) = whole.change_of(program, item.span, last, &path) {
            return Err(unread(span, "a change of it, so it is no constant"));
        }
    }
    match whole.replacement_of(scope.span) {
        Some((span, what)) => Err(unread(span, what)),
        None => Ok(()),
    }
}
