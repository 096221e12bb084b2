//! JSON: one object, its own types, versioned. Keys stay; new ones may be added.

use crate::finding::Finding;
use crate::report::{CommitReport, ModelReport, Report, RunReport, StaleReport, SyncReport, Tied, Total};
use factgate_record::{CallRecord, Change, Fact, Place, RepoPath, StaleKind};
use serde::Serialize;
use std::collections::BTreeMap;

const VERSION: u32 = 1;

/// What stands around a command's own keys.
#[derive(Serialize)]
struct Envelope<'r, T> {
    version: u32,
    view: &'r str,
    exit: u8,
    #[serde(flatten)]
    body: T,
    errors: Vec<Message>,
    warnings: Vec<Message>,
}

#[derive(Serialize)]
struct Output<'r> {
    models: Vec<Model<'r>>,
}

#[derive(Serialize)]
struct Model<'r> {
    name: &'r str,
    config: &'r RepoPath,
    record: &'r RepoPath,
    exit: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    sync: Option<Sync<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<Vec<Stale<'r>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stale: Option<Vec<Stale<'r>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<&'r [String]>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    actions: &'r BTreeMap<String, Vec<Tied>>,
    facts: &'r BTreeMap<String, Fact>,
    items: BTreeMap<&'r str, Item<'r>>,
    calls: &'r BTreeMap<String, CallRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    runs: Option<&'r [RunReport]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<Total>,
}

#[derive(Serialize)]
struct Sync<'r> {
    commit: Option<&'r str>,
    subject: Option<&'r str>,
    date: Option<&'r str>,
    commits_since: Option<u64>,
    note: Option<&'r str>,
}

/// One difference.
#[derive(Serialize)]
pub struct Stale<'r> {
    kind: StaleKind,
    item: &'r str,
    change: Option<Change>,
    at: Option<&'r Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    callee: Option<&'r str>,
    detail: &'r str,
    because: Option<&'r str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    actions: &'r [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<&'r str>,
    commits: Vec<Commit<'r>>,
}

#[derive(Serialize)]
struct Commit<'r> {
    commit: &'r str,
    subject: &'r str,
}

#[derive(Serialize)]
struct Item<'r> {
    fingerprint: &'r str,
    at: &'r Place,
}

/// An error or a warning.
#[derive(Serialize)]
pub struct Message {
    code: &'static str,
    message: String,
    at: Option<Place>,
}

/// Which keys a model has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// All.
    Verdict,
    /// Without `sync`, `notes`, `stale` and `runs`.
    Facts,
}

/// The whole report.
pub fn render(report: &Report, keys: Keys) -> String {
    enveloped(report, Output { models: report.models.iter().map(|report| model(report, keys)).collect() })
}

/// A command's own keys, with the version, the view, the exit code and the messages around them.
pub fn enveloped(report: &Report, body: impl Serialize) -> String {
    line(&Envelope {
        version: VERSION,
        view: report.view,
        exit: report.exit().code(),
        body,
        errors: messages(&report.all_errors()),
        warnings: messages(&report.all_warnings()),
    })
}

/// One value, indented, with a newline behind it.
pub fn line(value: &impl Serialize) -> String {
    // None of the shapes has a map whose keys are no strings, which is all that could fail.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// Errors or warnings as JSON has them.
pub fn messages(findings: &[Finding]) -> Vec<Message> {
    let message = |finding: &Finding| {
        let help = finding.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
        let message = format!("{}{help}", finding.message);
        Message { code: finding.code.code(), message, at: finding.at.clone() }
    };
    findings.iter().map(message).collect()
}

fn model(report: &ModelReport, keys: Keys) -> Model<'_> {
    Model {
        name: &report.name,
        config: &report.config,
        record: &report.record,
        exit: report.exit().code(),
        sync: (keys == Keys::Verdict).then(|| sync(report.sync.as_ref())),
        notes: (keys == Keys::Verdict).then(|| report.notes.iter().map(stale).collect()),
        stale: (keys == Keys::Verdict).then(|| report.stale.iter().flatten().map(stale).collect()),
        next: (keys == Keys::Verdict).then_some(&report.next),
        actions: &report.actions,
        facts: &report.facts,
        items: report.items.iter().map(|(name, item)| (name.as_str(), self::item(item))).collect(),
        calls: &report.calls,
        runs: (keys == Keys::Verdict).then_some(&report.runs),
        total: report.total.filter(|_| keys == Keys::Verdict),
    }
}

fn item(item: &crate::report::ItemReport) -> Item<'_> {
    Item { fingerprint: &item.fingerprint, at: &item.at }
}

fn sync(sync: Option<&SyncReport>) -> Sync<'_> {
    let commit = sync.and_then(|sync| sync.commit.as_ref());
    Sync {
        commit: commit.map(|commit| commit.id.as_str()),
        subject: commit.map(|commit| commit.subject.as_str()),
        date: sync.and_then(|sync| sync.date.as_deref()),
        commits_since: sync.and_then(|sync| sync.commits_since),
        note: sync.and_then(|sync| sync.note),
    }
}

/// One difference as JSON has it.
pub fn stale(report: &StaleReport) -> Stale<'_> {
    let stale = &report.stale;
    Stale {
        kind: stale.kind,
        item: &stale.item,
        change: stale.change,
        at: stale.at.as_ref(),
        to: stale.to.as_deref(),
        callee: stale.callee.as_deref(),
        detail: &stale.detail,
        because: report.because.as_deref(),
        actions: &report.actions,
        steps: report.steps.as_deref(),
        commits: report.commits.iter().map(commit).collect(),
    }
}

fn commit(commit: &CommitReport) -> Commit<'_> {
    Commit { commit: &commit.id, subject: &commit.subject }
}
