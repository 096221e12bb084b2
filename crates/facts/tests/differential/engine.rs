//! Random small functions, run by an interpreter over the outcomes of their conditions, against what guards say: a guard
//! that reads TRUE must hold in every run.

use super::interpreter::run_all;
use super::language::generate;
use super::print::print;
use super::scenes;
use factgate_facts::guard::{Assertions, Between, GuardSpec, Keys, ThenOn, decide};
use factgate_facts::pattern::{Pattern, PatternText};
use factgate_facts::program::Program;
use factgate_facts::{FileError, Files};
use factgate_record::{Fact, FactValue, Reason, RepoPath};
use factgate_syntax::{Limits, Selector, language_for_path};
use std::sync::Arc;

/// What a million functions come to.
#[derive(Default, Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Guards decided whose effect some run reaches.
    pub decided: usize,
    /// Of these, read TRUE.
    pub read_true: usize,
    /// Held in every run.
    pub held: usize,
    /// Held in every run and read FALSE.
    pub false_alarms: usize,
    /// The reasons of the false alarms.
    pub causes: std::collections::BTreeMap<String, usize>,
    /// Read TRUE and violated by a run: the source and the guard.
    pub wrong: Vec<String>,
    /// Some false alarms, to look at.
    pub samples: Vec<String>,
}

/// One file in memory.
struct One {
    path: RepoPath,
    text: Arc<[u8]>,
}

impl Files for One {
    fn read(&self, path: &RepoPath) -> Result<Option<Arc<[u8]>>, FileError> {
        Ok((*path == self.path).then(|| self.text.clone()))
    }

    fn list(&self) -> Result<&[RepoPath], FileError> {
        Ok(std::slice::from_ref(&self.path))
    }
}

/// The guards that every function is asked about: a name, and the keys.
pub(crate) const GUARDS: [(&str, &str); 12] = [
    ("skip_if", "skip_if = bad($M)"),
    ("after", "after = mark()"),
    ("then", "then = mark()"),
    ("since", "skip_if = bad($M) & since = mark()"),
    ("shared", "effect = go($M) & skip_if = bad($M)"),
    ("only_if", "only_if = s === 'a'"),
    ("member", "only_if = q.v === 'a'"),
    ("without", "skip_if = bad($M) & without = await"),
    ("then_on_throw", "then = mark() & then_on_throw = true"),
    ("thens", "any = then = mark() | then = w()"),
    ("any", "any = skip_if = bad($M) | after = mark()"),
    ("either", "only_if = s === 'a' || !bad($M)"),
];

/// The guards that every scene is asked about.
pub(crate) const SCENE_GUARDS: [(&str, &str); 6] = [
    ("only_if", "only_if = m.ok"),
    ("without mark", "only_if = m.ok & without = mark()"),
    ("since mark", "only_if = m.ok & since = mark()"),
    ("without await", "only_if = m.ok & without = await"),
    ("after mark", "after = mark()"),
    ("given", "only_if = $X.ok"),
];

fn patterns(code: &str) -> Vec<Pattern> {
    let language = language_for_path("a.ts").expect("a language");
    vec![Pattern::parse(language, &PatternText::Code(code.to_owned())).expect("a pattern")]
}

fn keys(text: &str) -> Keys {
    let mut keys = Keys::default();
    for part in text.split(" & ") {
        match part.split_once(" = ") {
            Some(("skip_if", code)) => keys.skip_if = patterns(code),
            Some(("only_if", code)) => keys.only_if = patterns(code),
            Some(("after", code)) => keys.after = patterns(code),
            Some(("then", code)) => keys.then = patterns(code),
            Some(("since", code)) => keys.since = patterns(code),
            Some(("without", "await")) => keys.without = vec![Between::Suspension],
            Some(("without", code)) => keys.without = patterns(code).into_iter().map(Between::Pattern).collect(),
            Some(("then_on_throw", _)) => keys.then_on = ThenOn::EveryEnd,
            _ => {}
        }
    }
    keys
}

fn guard(text: &str) -> GuardSpec {
    let scopes = vec![Selector::parse("a.ts#f").expect("a selector")];
    let effect = if text.starts_with("effect = go($M)") { "go($M)" } else { "go($_)" };
    let mut spec = GuardSpec { scopes, effect: patterns(effect), ..GuardSpec::default() };
    match text.strip_prefix("any = ") {
        Some(tables) => spec.any = tables.split(" | ").map(keys).collect(),
        None => spec.keys = keys(text),
    }
    spec
}

/// Runs `count` functions from a seed.
pub(crate) fn compare(seed: u64, count: usize) -> Tally {
    let specs: Vec<GuardSpec> = GUARDS.iter().map(|(_, text)| guard(text)).collect();
    let assertions = Assertions { calls: patterns("invariant($C)"), never_returns: patterns("fail()") };
    let mut tally = Tally::default();
    for index in 0..count {
        let mut dice = Dice(seed.wrapping_add(index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let body = generate(&mut dice);
        let source = print(&body);
        let files = One { path: RepoPath::from_git("a.ts"), text: source.as_bytes().into() };
        let program = Program::new(&files, RepoPath::default(), Limits::default());
        let seen = run_all(&body, &mut dice);
        for (number, spec) in specs.iter().enumerate() {
            let fact = decide(&program, spec, &assertions);
            tally.add(GUARDS[number].0, &fact, seen.reached, seen.violated[number], &source);
        }
    }
    tally
}

/// Runs `count` scenes from a seed.
pub(crate) fn compare_scenes(seed: u64, count: usize) -> Tally {
    let effect = |text: &str| if text.contains("$X") { "give($X)" } else { "go()" };
    let spec = |text: &str| GuardSpec { effect: patterns(effect(text)), ..guard(text) };
    let specs: Vec<GuardSpec> = SCENE_GUARDS.iter().map(|(_, text)| spec(text)).collect();
    let mut tally = Tally::default();
    for index in 0..count {
        let mut dice = Dice(seed.wrapping_add(index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let scene = scenes::generate(&mut dice);
        let source = scenes::print::print(&scene);
        let files = One { path: RepoPath::from_git("a.ts"), text: source.as_bytes().into() };
        let program = Program::new(&files, RepoPath::default(), Limits::default());
        let seen = scenes::run::run_all(&scene, &mut dice);
        for (number, spec) in specs.iter().enumerate() {
            let fact = decide(&program, spec, &Assertions::default());
            let reached = if SCENE_GUARDS[number].0 == "given" { seen.given } else { seen.reached };
            tally.add(SCENE_GUARDS[number].0, &fact, reached, seen.violated[number], &source);
        }
    }
    tally
}

impl Tally {
    fn add(&mut self, guard: &str, fact: &Fact, reached: bool, violated: bool, source: &str) {
        let reads_true = fact.value == Some(FactValue::Bool(true));
        assert!(fact.value.is_some(), "{source}\n{:?}", fact.detail);
        if reads_true && violated {
            self.wrong.push(format!("{guard}\n{source}"));
        }
        if !reached || fact.reason == Some(Reason::NoEffect) {
            return;
        }
        self.decided += 1;
        self.read_true += usize::from(reads_true);
        self.held += usize::from(!violated);
        if !violated && !reads_true {
            self.false_alarms += 1;
            let reason = fact.reason.map_or("", Reason::code);
            *self.causes.entry(format!("{guard}: {reason}")).or_default() += 1;
            if self.samples.len() < 12 {
                self.samples.push(format!("{guard}: {reason}: {:?}\n{source}", fact.detail));
            }
        }
    }
}

/// A small generator of random numbers (xorshift64*).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A number below `sides`.
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % sides.max(1)
    }
}
