//! Whether the steps of a covered function are others than those that were confirmed: where it waits, other code runs, and
//! the actions of a model begin and end there.

use crate::config::Model;
use crate::pipeline::covered::{self, Read};
use crate::pipeline::session::Session;
use crate::pipeline::view_files::ViewFiles;
use crate::report::StaleReport;
use factgate_facts::program::Program;
use factgate_facts::steps::{HappeningKind, steps};
use factgate_record::StaleKind;
use factgate_syntax::Selector;
use factgate_vcs::{CommitId, ViewKind};

/// Says it of each item that changed, as far as git has the source that was confirmed.
pub fn add(
    session: &Session,
    model: &Model,
    program: &Program<'_>,
    since: Option<CommitId>,
    stale: &mut [StaleReport],
) {
    let mut changed = stale.iter_mut().filter(|report| report.stale.kind == StaleKind::Changed).peekable();
    let (Some(since), true) = (since, changed.peek().is_some()) else { return };
    let view = session.repository.view(&ViewKind::Commit(since.to_string()), model.limits.bytes as u64);
    let Some(files) = view.ok().map(ViewFiles::new) else { return };
    let then = Program::new(&files, model.root.clone(), model.limits);
    for report in changed {
        let now = report.stale.to.as_deref().unwrap_or(&report.stale.item);
        let both = waits(&then, &report.stale.item).zip(waits(program, now));
        report.steps = both.and_then(|(before, after)| words(&before, &after));
    }
}

/// The places where a function waits, in order, each as its code is shown.
fn waits(program: &Program<'_>, selector: &str) -> Option<Vec<String>> {
    let Read::Code(scope) = covered::read(program, &Selector::parse(selector).ok()?).ok()? else { return None };
    let steps = steps(&scope);
    let happenings = steps.into_iter().flat_map(|step| step.does);
    Some(happenings.filter(|one| one.kind == HappeningKind::Suspend).map(|one| one.text).collect())
}

fn words(before: &[String], after: &[String]) -> Option<String> {
    if before == after {
        return None;
    }
    let without = |these: &[String], those: &[String]| {
        let mut those = those.to_vec();
        let mut rest = these.to_vec();
        rest.retain(|one| match those.iter().position(|other| other == one) {
            Some(at) => {
                those.remove(at);
                false
            }
            None => true,
        });
        rest.join(", ")
    };
    let (more, less) = (without(after, before), without(before, after));
    let mut parts = Vec::new();
    if !more.is_empty() {
        parts.push(format!("newly waits at {more}"));
    }
    if !less.is_empty() {
        parts.push(format!("no longer waits at {less}"));
    }
    if parts.is_empty() {
        parts.push("waits in another order".to_owned());
    }
    Some(format!("its steps changed: {}", parts.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_said() {
        let check = |before: &[&str], after: &[&str], wanted: Option<&str>| {
            let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
            assert_eq!(words(&owned(before), &owned(after)).as_deref(), wanted);
        };
        check(&["a"], &["a"], None);
        check(&["a"], &["a", "b"], Some("its steps changed: newly waits at b"));
        check(&["a"], &["a", "a"], Some("its steps changed: newly waits at a"));
        check(&["a", "b"], &["c", "b"], Some("its steps changed: newly waits at c; no longer waits at a"));
        check(&["a", "b"], &["b", "a"], Some("its steps changed: waits in another order"));
    }
}
