//! What a shell offers behind a command: the models, facts and items of the repository around the current folder.
//!
//! A shell asks while somebody types: nothing is parsed but the configurations, and what is wrong with them offers nothing.

use crate::args::ViewArguments;
use crate::config::{self, Model};
use crate::pipeline::session::{Opened, Start};
use clap_complete::CompletionCandidate;
use clap_complete::env::Shells;
use std::ffi::OsStr;

/// The variable by which a shell asks.
pub const VARIABLE: &str = "FACTGATE_COMPLETE";

/// What a shell has to read so that it asks; nothing for a shell that cannot.
pub fn registration(shell: &str) -> Option<String> {
    let shells = Shells::builtins();
    let mut bytes = Vec::new();
    shells.completer(shell)?.write_registration(VARIABLE, "factgate", "factgate", "factgate", &mut bytes).ok()?;
    String::from_utf8(bytes).ok()
}

/// Names of models.
pub fn models(typed: &OsStr) -> Vec<CompletionCandidate> {
    offered(typed, &|model| vec![model.name.clone()])
}

/// Names of facts, and of models with all of theirs.
pub fn facts(typed: &OsStr) -> Vec<CompletionCandidate> {
    offered(typed, &|model| model.facts.keys().cloned().chain([model.name.clone()]).collect())
}

/// What can be confirmed or shown: items, facts, call keys, runs.
pub fn items(typed: &OsStr) -> Vec<CompletionCandidate> {
    offered(typed, &|model| {
        let items = model.cover.iter().map(|covered| covered.text.clone());
        let others = model.facts.keys().chain(model.calls.keys()).cloned();
        items.chain(others).chain(model.runs.iter().map(|run| run.name.to_string())).collect()
    })
}

/// Covered items alone.
pub fn selectors(typed: &OsStr) -> Vec<CompletionCandidate> {
    offered(typed, &|model| model.cover.iter().map(|covered| covered.text.clone()).collect())
}

fn offered(typed: &OsStr, of: &dyn Fn(&Model) -> Vec<String>) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let opened = Opened::new(&Start::new(None), &ViewArguments::default()).ok();
    let models = opened.and_then(|opened| config::load(&opened.files, &[]).ok()).unwrap_or_default();
    let mut words: Vec<String> = models.iter().flat_map(of).filter(|word| word.starts_with(&*typed)).collect();
    words.sort();
    words.dedup();
    words.into_iter().map(CompletionCandidate::new).collect()
}
