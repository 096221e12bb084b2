//! From a use to a site: which item holds it, and what to show of it.

use super::{Site, SiteKind, Sites, SweepProblem};
use crate::program::Program;
use factgate_record::RepoPath;
use factgate_syntax::languages::Modules;
use factgate_syntax::{Item, ItemKind, Source, Span};

/// A use before its item is known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found {
    pub(super) file: RepoPath,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) kind: SiteKind,
    pub(super) form: &'static str,
}

/// Names and counts the uses of one watch.
pub(super) fn count(program: &Program<'_>, mut found: Vec<Found>) -> (Sites, Vec<SweepProblem>) {
    found.sort();
    found.dedup_by(|a, b| a.file == b.file && a.start == b.start && a.end == b.end && a.kind == b.kind);
    let mut sites = Sites::default();
    let mut problems = Vec::new();
    for one in found {
        match program.source(&one.file) {
            Ok(source) => {
                problems.extend(misnamed(program, &source, &one));
                add(program, &mut sites, &source, one);
            }
            Err(error) => problems.push(SweepProblem {
                key: None,
                code: error.code(),
                message: format!("{error}, and it holds a watched site"),
                file: one.file,
                at: None,
            }),
        }
    }
    (sites, problems)
}

fn add(program: &Program<'_>, sites: &mut Sites, source: &Source, one: Found) {
    let span = Span { start: one.start, end: one.end };
    let file = one.file.below(program.root()).unwrap_or(one.file.as_str());
    let name = match holder(source, span) {
        Some(item) => format!("{file}#{}", item.name),
        None => file.to_owned(),
    };
    let counts = match one.kind {
        SiteKind::Call => &mut sites.record.calls,
        SiteKind::Value => &mut sites.record.values,
        SiteKind::Possible => &mut sites.record.possible,
    };
    *counts.entry(name.clone()).or_insert(0) += 1;
    let place = program.place(&one.file, source, span.start);
    let text = line_at(source.text(), span.start as usize).trim().to_owned();
    sites.sites.push(Site { name, kind: one.kind, form: one.form, place, text });
}

/// A site of a file whose links are read with the grammar, in an item that the grammar cannot read: which item it is in,
/// nobody can tell.
fn misnamed(program: &Program<'_>, source: &Source, one: &Found) -> Option<SweepProblem> {
    let item = holder(source, Span { start: one.start, end: one.end })?;
    let is_read_apart = source.language().modules != Modules::ZigPaths;
    let problem = *source.problems_in(item).first().filter(|_| !is_read_apart)?;
    Some(SweepProblem {
        key: None,
        code: "parse-error",
        message: format!(
            "{} does not parse here, and `{}` holds a watched site: {}",
            one.file, item.name, problem.message
        ),
        file: one.file.clone(),
        at: Some(program.place(&one.file, source, problem.span.start)),
    })
}

/// The innermost function, method or container around a place.
fn holder(source: &Source, span: Span) -> Option<&Item> {
    let holds = |item: &&Item| {
        let names = [ItemKind::Function, ItemKind::Container, ItemKind::Namespace, ItemKind::Test];
        names.contains(&item.kind) && item.span.contains(span)
    };
    source.items().iter().filter(holds).min_by_key(|item| (item.span.end - item.span.start, item.name.clone()))
}

/// The line around a place; of a line that a machine wrote, what is near.
fn line_at(text: &str, offset: usize) -> &str {
    const NEAR: usize = 200;
    let edge = |at: usize| (at..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    let (first, last) = (edge(offset.saturating_sub(NEAR)), edge((offset + NEAR).min(text.len())));
    let start = text[first..offset].rfind('\n').map_or(first, |at| first + at + 1);
    let end = text[offset..last].find('\n').map_or(last, |at| offset + at);
    &text[start..end]
}
