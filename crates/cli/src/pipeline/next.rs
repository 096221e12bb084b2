//! What to do about what differs: the commands that help now, in the order in which they are taken.

use crate::config::Model;
use crate::pipeline::session::Session;
use crate::pipeline::{follow, recorded, runs};
use crate::report::{ModelReport, StaleReport};
use factgate_record::{Current, Record, StaleKind, compare};
use std::collections::BTreeSet;

const UNVERIFIED: &str = "the verdicts of the runs do not apply any more: `factgate verify`, then `factgate sync`";
const VERIFIED: &str = "the verdicts of the runs are known: record them with `factgate sync`";

/// What helps where a record holds no verdicts.
pub const NO_VERDICTS: &str = "`factgate verify`, then `factgate sync`";

/// After runs that came out as expected, nobody has to be told to run them.
pub fn verified(report: &mut ModelReport) {
    if report.runs.is_empty() || !report.runs.iter().all(|run| run.ok) {
        return;
    }
    report.next.iter_mut().filter(|step| *step == UNVERIFIED).for_each(|step| *step = VERIFIED.to_owned());
    let helps = report.warnings.iter_mut().filter_map(|warning| warning.help.as_mut());
    helps.filter(|help| *help == NO_VERDICTS).for_each(|help| *help = "`factgate sync`".to_owned());
}

/// The steps for one model. Where the work tree's record settles what the index lacks, there is no other.
pub fn steps(
    session: &Session,
    model: &Model,
    record: &Record,
    current: &Current,
    stale: &[StaleReport],
) -> Vec<String> {
    use StaleKind::{Moved, Uncovered, Unrecorded, Unverified};
    let mut steps = Vec::new();
    if stale.is_empty() {
        return steps;
    }
    match unstaged(session, model, record, current) {
        Unstaged::All => {
            return vec![format!("the work tree's record confirms this: `git add {}`", model.record)];
        }
        Unstaged::Some { settled, all } => steps.push(format!(
            "the work tree's record confirms {settled} of these {all} differences: `git add {}`",
            model.record
        )),
        Unstaged::Nothing => {}
    }
    let moved: BTreeSet<String> =
        stale.iter().filter_map(|report| report.follow.as_ref()).map(follow::command).collect();
    steps.extend(moved.iter().map(|command| format!("follow the move: {command}")));
    // What follows from a move is settled with it, but for what also changed.
    let is_settled = |report: &&StaleReport| {
        matches!(report.stale.kind, Uncovered | Unrecorded) && (report.follow.is_some() || report.because.is_some())
    };
    let open = stale.iter().filter(|report| !is_settled(report));
    let kinds: BTreeSet<StaleKind> = open.map(|report| report.stale.kind).collect();
    if kinds.contains(&Uncovered) || kinds.contains(&Unrecorded) {
        steps.push(format!(
            "what `cover` names and the record holds is not the same: edit `cover` in {}, or confirm it with `factgate sync`",
            model.config
        ));
    }
    if kinds.iter().any(|kind| !matches!(kind, Moved | Uncovered | Unrecorded | Unverified)) {
        let view = view(session);
        steps.push(format!("read them with `factgate diff{view}`, bring the model in line, then `factgate sync`"));
    } else if kinds.contains(&Unverified) {
        let known = runs::confirmed(session, model, current, &mut record.clone()) == runs::Verdicts::Recorded;
        steps.push(if known { VERIFIED } else { UNVERIFIED }.to_owned());
    }
    steps
}

/// The option that names the view.
fn view(session: &Session) -> String {
    match session.view() {
        "index" => " --staged".to_owned(),
        "commit" => {
            let tip = session.files.view().tip().ok().flatten();
            tip.map(|id| format!(" --rev {}", id.to_string().chars().take(7).collect::<String>())).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// How much of what the index lacks the work tree's record confirms.
enum Unstaged {
    Nothing,
    Some { settled: usize, all: usize },
    All,
}

fn unstaged(session: &Session, model: &Model, record: &Record, current: &Current) -> Unstaged {
    if session.view() != "index" {
        return Unstaged::Nothing;
    }
    let Some(other) = recorded::in_work_tree(session, model).filter(|other| other != record) else {
        return Unstaged::Nothing;
    };
    let (stale, left) = (compare(record, current), compare(&other, current));
    let settled = stale.iter().filter(|one| !left.contains(one)).count();
    match (settled, left.is_empty()) {
        (_, true) => Unstaged::All,
        (0, false) => Unstaged::Nothing,
        (settled, false) => Unstaged::Some { settled, all: stale.len() },
    }
}
