//! One cause, one finding: the differences of a model in groups, each under what it follows from.

use crate::report::StaleReport;
use factgate_record::{Place, RepoPath, StaleKind};
use std::collections::{BTreeMap, BTreeSet};

/// What happened, with what follows from it.
#[derive(Debug)]
pub struct Cause<'r> {
    /// What is told first: one difference, or several that are one.
    pub heads: Vec<&'r StaleReport>,
    /// What follows, in the order of the report.
    pub below: Vec<&'r StaleReport>,
}

/// A cause in lines.
#[derive(Debug)]
pub struct Lines {
    /// The cause.
    pub head: Line,
    /// What follows from it.
    pub below: Vec<Line>,
}

/// One line: a difference, or several of one kind.
#[derive(Debug)]
pub struct Line {
    /// The kind's word.
    pub kind: String,
    /// What differs.
    pub text: String,
    /// Where it stands, when it stands somewhere.
    pub at: Option<Place>,
}

/// So many names stand in a line that tells of several things.
const SHOWN: usize = 6;

/// What makes several differences one: they are told in one line.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Group<'r> {
    Alone(usize),
    /// The sites of one entry that is new, or gone.
    Entry(StaleKind, &'r str),
    /// What moved in one commit, or in none yet.
    Moved(Option<&'r str>),
    /// Verdicts that no longer apply, and nothing here says why.
    Verdicts,
}

impl<'r> Cause<'r> {
    /// The causes in a model's differences, in the order of the report.
    pub fn all(stale: &'r [StaleReport]) -> Vec<Cause<'r>> {
        let mut causes: Vec<Cause<'r>> = Vec::new();
        let mut groups: BTreeMap<Group<'r>, usize> = BTreeMap::new();
        let mut named: BTreeMap<&str, usize> = BTreeMap::new();
        for (number, report) in stale.iter().enumerate().filter(|(_, report)| head_of(stale, report).is_none()) {
            let at = *groups.entry(group(stale, number, report)).or_insert(causes.len());
            match causes.get_mut(at) {
                Some(cause) => cause.heads.push(report),
                None => causes.push(Cause { heads: vec![report], below: Vec::new() }),
            }
            named.entry(&report.stale.item).or_insert(at);
        }
        for report in stale {
            if let Some(cause) = head_of(stale, report).and_then(|name| causes.get_mut(*named.get(name)?)) {
                cause.below.push(report);
            }
        }
        causes
    }

    /// The first difference, whose place is that of all.
    pub fn first(&self) -> &'r StaleReport {
        self.heads[0]
    }

    /// Its line, and those of what follows.
    pub fn lines(&self) -> Lines {
        let line = |reports: &[&StaleReport]| Line {
            kind: reports.first().map_or_else(String::new, |report| report.stale.kind.word()),
            text: told(reports),
            at: reports.first().and_then(|report| report.stale.at.clone()),
        };
        Lines { head: line(&self.heads), below: parts(&self.below).iter().map(|part| line(part)).collect() }
    }

    /// Everything in words, for formats with one text a finding: the lines, and the commits behind the first.
    pub fn message(&self) -> String {
        let lines = self.lines();
        let mut text = format!("{} {}", lines.head.kind, lines.head.text);
        for commit in &self.first().commits {
            let short: String = commit.id.chars().take(7).collect();
            text.push_str(&format!("\n{short} {}", commit.subject));
        }
        for line in lines.below {
            text.push_str(&format!("\n  {} {}", line.kind, line.text));
        }
        text
    }

    /// Where it is shown: its own place, its file, or the configuration that names it.
    pub fn place(&self, config: &RepoPath) -> Place {
        let whole = || Place { file: config.clone(), line: 1, column: 1 };
        self.first().stale.at.clone().unwrap_or_else(whole)
    }
}

/// The name of the difference under which another one is told; nothing for one that is told by itself.
fn head_of<'r>(stale: &[StaleReport], report: &'r StaleReport) -> Option<&'r str> {
    let is_head = |name: &&str| stale.iter().any(|head| head.stale.item == *name && head.because.is_none());
    report.because.as_deref().filter(is_head)
}

fn group<'r>(stale: &'r [StaleReport], number: usize, report: &'r StaleReport) -> Group<'r> {
    match (report.stale.kind, &report.because) {
        (StaleKind::Unverified, None) => Group::Verdicts,
        (StaleKind::Moved, _) => Group::Moved(moved_in(stale, report)),
        (kind @ (StaleKind::CallAdded | StaleKind::CallRemoved), Some(key)) => Group::Entry(kind, key),
        _ => Group::Alone(number),
    }
}

/// The commit that moved something: an item that was changed as well has others before it, so of all that one `factgate mv`
/// follows the first says it.
fn moved_in<'r>(stale: &'r [StaleReport], report: &'r StaleReport) -> Option<&'r str> {
    let together = |other: &&StaleReport| other.stale.kind == StaleKind::Moved && other.follow == report.follow;
    let first = stale.iter().find(together).filter(|_| report.follow.is_some()).unwrap_or(report);
    first.commits.first().map(|commit| commit.id.as_str())
}

/// Verdicts are told in one line, everything else in one each.
fn parts<'r>(below: &[&'r StaleReport]) -> Vec<Vec<&'r StaleReport>> {
    let is_verdict = |report: &&&StaleReport| report.stale.kind == StaleKind::Unverified;
    let mut parts: Vec<Vec<&StaleReport>> =
        below.iter().filter(|report| !is_verdict(report)).map(|report| vec![*report]).collect();
    let verdicts: Vec<&StaleReport> = below.iter().filter(is_verdict).copied().collect();
    parts.extend((!verdicts.is_empty()).then_some(verdicts));
    parts
}

/// One line for one difference, or for several of one kind.
fn told(reports: &[&StaleReport]) -> String {
    let [first, others @ ..] = reports else { return String::new() };
    if others.is_empty() {
        return first.line();
    }
    match first.stale.kind {
        StaleKind::CallAdded | StaleKind::CallRemoved => entry(first, reports.len()),
        StaleKind::Moved => moved(reports),
        _ => {
            let names: Vec<&str> = reports.iter().map(|report| report.stale.item.as_str()).take(SHOWN).collect();
            let more = reports.len().checked_sub(SHOWN + 1).map(|more| format!(" and {} more", more + 1));
            format!("{} runs: {}{}", reports.len(), names.join(", "), more.unwrap_or_default())
        }
    }
}

/// Each thing that moved once, however many names the model has in it.
fn moved(reports: &[&StaleReport]) -> String {
    let pairs: BTreeSet<&(String, String)> = reports.iter().filter_map(|report| report.follow.as_ref()).collect();
    let shown: Vec<String> = pairs.iter().take(SHOWN).map(|(old, new)| format!("{old} -> {new}")).collect();
    let more = pairs.len().checked_sub(SHOWN + 1).map(|more| format!(" and {} more", more + 1));
    format!("{}{}   {} of the model's names", shown.join(", "), more.unwrap_or_default(), reports.len())
}

fn entry(first: &StaleReport, count: usize) -> String {
    let key = first.stale.callee.as_deref().unwrap_or_default();
    let what = if first.stale.kind == StaleKind::CallAdded { "not in the record" } else { "no longer watched" };
    format!("{key} in {count} places, the first in {}   the entry is {what}", first.stale.item)
}
