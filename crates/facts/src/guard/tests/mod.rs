//! Guards over small functions: a source, the keys, and what must come out.

mod aliases;
mod asked;
mod behind;
mod called;
mod chains;
mod choices;
mod dynamic;
mod either;
mod ends;
mod flags;
mod flow;
mod helpers;
mod iterated;
mod keys;
mod meanwhile;
mod methods;
mod names;
mod order;
mod reasons;
mod receivers;
mod through;
mod turns;
mod zig;

use super::{Assertions, Between, GuardSpec, Keys, ThenOn, Through, decide};
use crate::files::{FileError, Files};
use crate::pattern::{Matching, Pattern, PatternText};
use crate::program::Program;
use factgate_record::{Fact, FactValue, RepoPath};
use factgate_syntax::{Language, Limits, Selector, language_for_path};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Files in memory.
pub(crate) struct Memory {
    files: BTreeMap<RepoPath, Arc<[u8]>>,
    names: Vec<RepoPath>,
}

impl Memory {
    pub(crate) fn new(files: &[(&str, &str)]) -> Memory {
        let files: BTreeMap<RepoPath, Arc<[u8]>> =
            files.iter().map(|(path, text)| (RepoPath::from_git(*path), text.as_bytes().into())).collect();
        let names = files.keys().cloned().collect();
        Memory { files, names }
    }
}

impl Files for Memory {
    fn read(&self, path: &RepoPath) -> Result<Option<Arc<[u8]>>, FileError> {
        Ok(self.files.get(path).cloned())
    }

    fn list(&self) -> Result<&[RepoPath], FileError> {
        Ok(&self.names)
    }
}

fn pattern(language: &'static Language, code: &str) -> Pattern {
    Pattern::parse(language, &PatternText::Code(code.to_owned())).unwrap_or_else(|error| panic!("{code}: {error}"))
}

/// A guard from `key = pattern` lines; a key that comes again is another alternative. `any` starts a table of `any`,
/// and the lines behind it belong to it.
pub(crate) fn guard(file: &str, text: &str) -> (GuardSpec, Assertions) {
    let language = language_for_path(file).unwrap();
    let mut spec = GuardSpec { scopes: vec![Selector::parse(&format!("{file}#f")).unwrap()], ..GuardSpec::default() };
    let mut assertions = Assertions::default();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line == "any" {
            spec.any.push(Keys::default());
            continue;
        }
        let (key, value) = line.split_once('=').unwrap();
        let (key, value) = (key.trim(), value.trim());
        let code = || pattern(language, value);
        let keys = spec.any.last_mut().unwrap_or(&mut spec.keys);
        match key {
            "effect" => spec.effect.push(code()),
            "never" => spec.never.push(code()),
            "has" => spec.has.push(code()),
            "only_if" => keys.only_if.push(code()),
            "skip_if" => keys.skip_if.push(code()),
            "since" => keys.since.push(code()),
            "after" => keys.after.push(code()),
            "then" => keys.then.push(code()),
            "then_on_throw" => keys.then_on = ThenOn::EveryEnd,
            "without" if value == "await" => keys.without.push(Between::Suspension),
            "without" => keys.without.push(Between::Pattern(code())),
            "through" => spec.through = Through::Deep,
            "in" => spec.scopes.push(Selector::parse(&format!("{file}#{value}")).unwrap()),
            "assert" => assertions.calls.push(code()),
            "ends" => assertions.never_returns.push(code()),
            name => spec.matching = Arc::new(Matching::parse([(name, value)]).unwrap()),
        }
    }
    (spec, assertions)
}

/// Decides a guard over the function `f` of a file.
pub(crate) fn decided(file: &str, source: &str, text: &str) -> Fact {
    decided_in(&[(file, source)], file, text)
}

/// Decides a guard over the function `f` of one of several files.
fn decided_in(files: &[(&str, &str)], file: &str, text: &str) -> Fact {
    let files = Memory::new(files);
    let program = Program::new(&files, RepoPath::default(), Limits::default());
    let (spec, assertions) = guard(file, text);
    decide(&program, &spec, &assertions)
}

/// `TRUE`, the reason of a FALSE, or `unknown`.
fn word(fact: &Fact) -> &'static str {
    match (&fact.value, fact.reason) {
        (Some(FactValue::Bool(true)), None) => "TRUE",
        (_, Some(reason)) => reason.code(),
        _ => "unknown",
    }
}

/// Decides a guard over `function f(m, n, k) { BODY }` in TypeScript.
#[track_caller]
fn check(body: &str, text: &str, expected: &str) {
    check_file("a.ts", &format!("async function f(m, n, k) {{ {body} }}"), text, expected);
}

#[track_caller]
fn check_file(file: &str, source: &str, text: &str, expected: &str) {
    let fact = decided(file, source, text);
    hold(&fact, source, text, expected);
}

/// Decides a guard over the function `f` of `a.ts`, with other files beside it.
#[track_caller]
fn check_files(files: &[(&str, &str)], text: &str, expected: &str) {
    let fact = decided_in(files, "a.ts", text);
    hold(&fact, &format!("{files:?}"), text, expected);
}

#[track_caller]
fn hold(fact: &Fact, source: &str, text: &str, expected: &str) {
    assert_eq!(word(fact), expected, "{source}\n{text}\n{:?}", fact.detail);
}
