//! What a command found, as data. One file per format renders it; nothing here prints.

use crate::exit::Exit;
use crate::finding::{Finding, settle};
use factgate_checker::Judgement;
use factgate_record::{CallRecord, CurrentSite, Fact, Place, RepoPath, Stale, StaleKind};
use std::collections::{BTreeMap, BTreeSet};

/// The outcome of a command over models.
#[derive(Debug, Default)]
pub struct Report {
    /// `worktree`, `index` or `commit`.
    pub view: &'static str,
    /// The models, by name.
    pub models: Vec<ModelReport>,
    /// What concerns no single model.
    pub errors: Vec<Finding>,
    /// What concerns no single model and does not change the exit code.
    pub warnings: Vec<Finding>,
}

/// One model.
#[derive(Debug, Default)]
pub struct ModelReport {
    /// Its name.
    pub name: String,
    /// Its configuration.
    pub config: RepoPath,
    /// Its record.
    pub record: RepoPath,
    /// What git knows of the record; `None` where a command does not ask.
    pub sync: Option<SyncReport>,
    /// What differs; `None` where nothing could be compared.
    pub stale: Option<Vec<StaleReport>>,
    /// What differs and is no drift.
    pub notes: Vec<StaleReport>,
    /// The code that actions stand for, by the action's name.
    pub actions: BTreeMap<String, Vec<Tied>>,
    /// Actions of the specifications that are tied to no code, where a command asks.
    pub untied: BTreeSet<String>,
    /// The facts.
    pub facts: BTreeMap<String, Fact>,
    /// The covered items that could be read.
    pub items: BTreeMap<String, ItemReport>,
    /// Watched functions.
    pub calls: BTreeMap<String, CallRecord>,
    /// The sites of watched functions, one by one.
    pub sites: BTreeMap<String, Vec<CurrentSite>>,
    /// What to do about what differs, a command each.
    pub next: Vec<String>,
    /// Runs of the model checker.
    pub runs: Vec<RunReport>,
    /// What the runs took together.
    pub total: Option<Total>,
    /// What could not be decided.
    pub errors: Vec<Finding>,
    /// What is worth a word.
    pub warnings: Vec<Finding>,
    /// Whether a run or proof came out otherwise than expected, or a fact is unknown.
    pub exit: Exit,
}

/// One place that an action stands for.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Tied {
    /// Its selector.
    pub code: String,
    /// Where it stands now; nothing when it is gone, or could not be found.
    pub at: Option<Place>,
}

/// What git knows of a record.
#[derive(Clone, Debug, Default)]
pub struct SyncReport {
    /// The sync commit.
    pub commit: Option<CommitReport>,
    /// When it was made, RFC 3339.
    pub date: Option<String>,
    /// Commits that HEAD reaches and it does not.
    pub commits_since: Option<u64>,
    /// Why something is not known.
    pub note: Option<&'static str>,
}

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitReport {
    /// 40 hexadecimal digits.
    pub id: String,
    /// The first line of its message.
    pub subject: String,
}

/// One difference, with the commits that made it.
#[derive(Clone, Debug)]
pub struct StaleReport {
    /// The difference.
    pub stale: Stale,
    /// Commits since the sync commit that changed this item's fingerprint, newest first.
    pub commits: Vec<CommitReport>,
    /// What it follows from: the name of another difference, or the `[[calls]]` entry that is new or gone.
    pub because: Option<String>,
    /// For what moved: the old and the new path or selector that `factgate mv` takes.
    pub follow: Option<(String, String)>,
    /// The actions that it is about.
    pub actions: Vec<String>,
    /// In which way the steps of a function changed.
    pub steps: Option<String>,
}

/// A covered item.
#[derive(Clone, Debug)]
pub struct ItemReport {
    /// Its fingerprint.
    pub fingerprint: String,
    /// Where it stands.
    pub at: Place,
}

/// One run of the model checker.
#[derive(Clone, Debug, serde::Serialize)]
pub struct RunReport {
    /// Its name.
    pub name: String,
    /// What it must come to.
    pub expect: String,
    /// What it came to.
    pub outcome: String,
    /// Whether that is the expected outcome.
    pub ok: bool,
    /// Distinct states.
    pub states: Option<u64>,
    /// Depth of the state graph.
    pub depth: Option<u64>,
    /// The counterexample's actions.
    pub actions: Vec<String>,
    /// How long the verdict took to find, in seconds.
    pub seconds: Option<f64>,
    /// Whether the verdict was kept from an earlier run.
    pub cached: bool,
    /// Whether there is no verdict at all: neither right nor wrong.
    #[serde(skip)]
    pub judgement: Judgement,
    /// What it is for.
    #[serde(skip)]
    pub role: Role,
    /// Why it is not as expected, or the engine's own words.
    pub detail: Option<String>,
    /// The counterexample's states, each with only what changed.
    pub counterexample: Option<factgate_checker::Counterexample>,
    /// Where the code of each of the actions stands, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub code: Vec<Vec<Place>>,
    /// For recorded runs: how often they took each action of the specification, and 0 of those that none took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actions_taken: Option<BTreeMap<String, u64>>,
    /// For recorded runs that are rejected: the step at which each one leaves the specification, by path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejected_at: Option<BTreeMap<String, u64>>,
    /// For recorded runs: the run that they are held against.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traces_of: Option<String>,
    /// For a run that `mutants = "auto"` made: what it is without, and what that breaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutant: Option<MutantReport>,
    /// Where the modules and the configuration of a run that was not as expected were kept.
    pub kept: Option<std::path::PathBuf>,
}

/// What a run is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The model as the code is: expected to pass, without a planted fault.
    Base,
    /// A mutant, a witness, a planted fault.
    Other,
}

/// What all runs of a model took.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Total {
    /// How many there were.
    pub runs: usize,
    /// How many of them were carried out now.
    pub carried_out: usize,
    /// Distinct states of all.
    pub states: u64,
    /// From the first to the last, in seconds.
    pub seconds: f64,
}

/// A mutant's place in the matrix of guards and properties.
#[derive(Clone, Debug, serde::Serialize)]
pub struct MutantReport {
    /// The run that it is made from.
    pub of: String,
    /// The guard that is FALSE.
    pub guard: String,
    /// All that is broken without the guard.
    pub breaks: Vec<String>,
    /// Whether nothing is; unknown without a verdict.
    pub redundant: Option<bool>,
    /// The same as `mutant_outcomes` takes it.
    #[serde(skip)]
    pub to_paste: String,
}

impl RunReport {
    /// Ties the actions of the counterexample to code; where none has any, nothing is said.
    pub fn tie(&mut self, tied: &BTreeMap<String, Vec<Tied>>) {
        let places = |action: &String| -> Vec<Place> {
            let name = action.split('(').next().unwrap_or(action).trim();
            tied.get(name).into_iter().flatten().filter_map(|tied| tied.at.clone()).collect()
        };
        let code: Vec<Vec<Place>> = self.actions.iter().map(places).collect();
        self.code = if code.iter().all(Vec::is_empty) { Vec::new() } else { code };
    }

    /// The lines behind one of the actions: `src/gc.ts:24, src/gc.ts:31`; nothing where it is tied to none.
    pub fn lines_of(&self, action: usize) -> Option<String> {
        let places = self.code.get(action).filter(|places| !places.is_empty())?;
        Some(places.iter().map(|at| format!("{}:{}", at.file, at.line)).collect::<Vec<_>>().join(", "))
    }

    /// For a verdict that is not the expected one: what it is, in a sentence.
    pub fn complaint(&self) -> Option<String> {
        let detail = self.detail.as_deref().and_then(|detail| detail.lines().next()).unwrap_or_default();
        (self.judgement == Judgement::Unexpected).then(|| format!("run `{}`: {}   {detail}", self.name, self.outcome))
    }
}

impl ModelReport {
    /// How this model alone ends.
    pub fn exit(&self) -> Exit {
        let undecided = if self.errors.is_empty() { Exit::Fine } else { Exit::Undecided };
        let drift = if self.stale.as_ref().is_none_or(Vec::is_empty) { Exit::Fine } else { Exit::Drift };
        self.exit.max(undecided).max(drift)
    }
}

impl Report {
    /// A report of nothing but errors.
    pub fn of_errors(view: &'static str, errors: Vec<Finding>) -> Report {
        Report { view, errors, ..Report::default() }
    }

    /// How the command ends.
    pub fn exit(&self) -> Exit {
        let own = if self.errors.is_empty() { Exit::Fine } else { Exit::Undecided };
        self.models.iter().map(ModelReport::exit).fold(own, Exit::max)
    }

    /// Every error, those of models included, in a stable order.
    pub fn all_errors(&self) -> Vec<Finding> {
        gather(&self.errors, self.models.iter().map(|model| &model.errors))
    }

    /// Every warning, those of models included, in a stable order.
    pub fn all_warnings(&self) -> Vec<Finding> {
        gather(&self.warnings, self.models.iter().map(|model| &model.warnings))
    }
}

fn gather<'a>(own: &'a [Finding], others: impl Iterator<Item = &'a Vec<Finding>>) -> Vec<Finding> {
    let mut all: Vec<Finding> = own.iter().chain(others.flatten()).cloned().collect();
    settle(&mut all);
    all
}

impl StaleReport {
    /// Without commits.
    pub fn new(stale: Stale) -> StaleReport {
        StaleReport { stale, commits: Vec::new(), because: None, follow: None, actions: Vec::new(), steps: None }
    }

    /// What follows the kind on a line for people: what it is, and where it stands.
    pub fn line(&self) -> String {
        let words = self.words();
        let place = self.stale.at.as_ref().map(|at| format!("{}:{}:{}", at.file, at.line, at.column));
        let mut line = words;
        for part in
            place.filter(|place| !line.contains(place)).into_iter().chain(self.steps.clone()).chain(self.about())
        {
            line.push_str(&format!("   {part}"));
        }
        line
    }

    /// The actions that it is about. What follows from another difference is told below that one, and says it not again.
    fn about(&self) -> Option<String> {
        let noun = if self.actions.len() == 1 { "the action" } else { "the actions" };
        let is_told = self.because.is_some() || self.actions.is_empty();
        (!is_told).then(|| format!("of {noun} {}", self.actions.join(", ")))
    }

    fn words(&self) -> String {
        let stale = &self.stale;
        match stale.kind {
            StaleKind::CallAdded | StaleKind::CallRemoved => call_line(stale),
            StaleKind::Fact => format!("{} {}", stale.item, stale.detail),
            StaleKind::Changed => {
                format!("{}   {}", stale.item, stale.change.map_or("", factgate_record::Change::code))
            }
            _ => format!("{}   {}", stale.item, stale.detail),
        }
    }
}

/// `writeManifest in src/cli.ts#wait`, and behind it what else the detail says.
fn call_line(stale: &Stale) -> String {
    let callee = stale.callee.as_deref().unwrap_or_default();
    let rest = stale.detail.strip_prefix(callee).unwrap_or(&stale.detail).trim_start_matches(':').trim();
    let line = format!("{callee} in {}", stale.item);
    if rest.is_empty() { line } else { format!("{line}   {rest}") }
}
