//! Calls watched by shape: patterns over whole files, chosen by the words that the patterns say.

use super::shelf::decoded;
use super::sites::Found;
use super::{SiteKind, SweepProblem, Watch};
use crate::pattern::{Env, Matching, Pattern};
use crate::program::Program;
use factgate_record::RepoPath;
use factgate_syntax::{NodeId, Tree, language_for_path};
use rayon::prelude::*;
use std::sync::Arc;

/// The sites of one watch, and what could not be read.
pub(super) fn find(
    program: &Program<'_>,
    watch: &Watch,
    patterns: &[Pattern],
    matching: &Arc<Matching>,
) -> (Vec<Found>, Vec<SweepProblem>) {
    let listed = match program.files().list() {
        Ok(listed) => listed,
        Err(error) => {
            let (file, message) = (error.path.clone(), error.to_string());
            return (Vec::new(), vec![SweepProblem { code: error.code, message, file, key: None, at: None }]);
        }
    };
    let words: Vec<Vec<String>> = patterns.iter().map(words_of).collect();
    let wanted =
        |path: &&RepoPath| super::sweep::is_within(program, watch, path) && language_for_path(path.as_str()).is_some();
    let files: Vec<&RepoPath> = listed.iter().filter(wanted).collect();
    let results: Vec<Result<Vec<Found>, SweepProblem>> =
        files.par_iter().map(|path| in_file(program, path, patterns, &words, matching)).collect();
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(sites) => found.extend(sites),
            Err(problem) => problems.push(problem),
        }
    }
    (found, problems)
}

/// The words that code must mention to match a pattern. Literals are left out: they can be spelled in several ways.
fn words_of(pattern: &Pattern) -> Vec<String> {
    let tree = pattern.tree();
    let is_word = |node: &NodeId| {
        tree.is_leaf(*node)
            && !pattern.is_placeholder(*node)
            && matches!(tree.kind(*node), "identifier" | "property_identifier" | "type_identifier")
    };
    // What stands around the pattern in its tree is not said by it.
    let parts = pattern.roots().iter().flat_map(|&root| tree.subtree(root));
    let mut words: Vec<String> = parts.filter(is_word).map(|node| tree.text(node).to_owned()).collect();
    words.sort();
    words.dedup();
    words
}

fn in_file(
    program: &Program<'_>,
    path: &RepoPath,
    patterns: &[Pattern],
    words: &[Vec<String>],
    matching: &Arc<Matching>,
) -> Result<Vec<Found>, SweepProblem> {
    let problem = |code, message: String| SweepProblem { code, message, file: path.clone(), key: None, at: None };
    let Some(bytes) = program.files().read(path).map_err(|error| problem(error.code, error.message))? else {
        return Ok(Vec::new());
    };
    let text = decoded(&bytes);
    let language = language_for_path(path.as_str());
    let fitting: Vec<&Pattern> = patterns
        .iter()
        .zip(words)
        .filter(|(pattern, words)| {
            language.is_some_and(|language| std::ptr::eq(language, pattern.language())) && mentions(&text, words)
        })
        .map(|(pattern, _)| pattern)
        .collect();
    if fitting.is_empty() {
        return Ok(Vec::new());
    }
    let source = program.source(path).map_err(|error| problem(error.code(), error.to_string()))?;
    if let Some(hiding) = source.problems().iter().find(|one| may_hide(source.lines_of(one.span), words)) {
        let at = program.place(path, &source, hiding.span.start);
        let message = format!("{path} does not parse here, and may hide a site: {}", hiding.message);
        return Err(SweepProblem { code: "parse-error", message, file: path.clone(), key: None, at: Some(at) });
    }
    let tree = Arc::new(source.normal(&source.file_item()));
    let env = Env::with(matching.clone());
    let mut found = Vec::new();
    let inlined = language.map_or_else(Vec::new, |language| super::inline::written_out(&tree, language.rules()));
    for pattern in fitting {
        for tree in std::iter::once(&tree).chain(&inlined) {
            let matches = pattern.find_all(tree, NodeId::ROOT, &env);
            found.extend(matches.into_iter().map(|one| site(path, tree, one.node)));
        }
    }
    Ok(found)
}

fn site(path: &RepoPath, tree: &Tree, node: NodeId) -> Found {
    let span = tree.span(node);
    Found { file: path.clone(), start: span.start, end: span.end, kind: SiteKind::Call, form: "call" }
}

/// Whether the lines of a parse error mention a word of a pattern: elsewhere in the file nothing is hidden by it.
fn may_hide(lines: &str, words: &[Vec<String>]) -> bool {
    words.iter().flatten().any(|word| memchr::memmem::find(lines.as_bytes(), word.as_bytes()).is_some())
}

/// Whether code says all words, in letters or with an escape, which may be any of them.
fn mentions(bytes: &[u8], words: &[String]) -> bool {
    let says = |word: &str| memchr::memmem::find(bytes, word.as_bytes()).is_some();
    words.iter().all(|word| says(word)) || says("\\u") || says("\\x")
}
