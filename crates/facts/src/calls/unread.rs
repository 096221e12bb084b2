//! Files that `in` names and nobody reads: `src/Panel.astro` that says `drain` may call it. So may the template of a Vue or
//! Svelte file, of which only the scripts are read.

use super::resolve::is_foreign;
use super::search::Defined;
use super::shelf::is_declaration;
use super::sweep::is_within;
use super::{Unread, UnreadPart};
use crate::program::Program;
use factgate_record::{Place, RepoPath};
use factgate_syntax::language_for_path;
use factgate_syntax::links::WHOLE;
use memchr::memmem;
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Larger ones are no source.
const LIMIT: usize = 4 << 20;

/// Finds them, one a file: `names` are those of each target, by its number.
pub(super) fn find(program: &Program<'_>, defined: &[Defined<'_>], names: &[BTreeSet<String>]) -> Vec<Unread> {
    let listed = program.files().list().unwrap_or_default();
    let found = listed.par_iter().filter_map(|path| {
        let watched = |number: &usize| is_within(program, defined[*number].0, path);
        let numbers: Vec<usize> =
            if may_be_code(path) { (0..defined.len()).filter(watched).collect() } else { Vec::new() };
        if numbers.is_empty() { None } else { said_in(program, path, &numbers, defined, names) }
    });
    found.collect()
}

/// Whether a file that is not read may hold code: it is no picture, style, data or declaration.
fn may_be_code(path: &RepoPath) -> bool {
    const DATA: [&str; 14] =
        ["yml", "yaml", "toml", "lock", "snap", "map", "csv", "xml", "pdf", "tla", "cfg", "zon", "log", "gz"];
    let path = path.as_str();
    let ending = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending);
    let is_read = language_for_path(path).is_some_and(|language| language.aside("").is_none());
    !is_read && !is_foreign(path) && !is_declaration(path) && ending.is_some_and(|ending| !DATA.contains(&ending))
}

fn said_in(
    program: &Program<'_>,
    path: &RepoPath,
    numbers: &[usize],
    defined: &[Defined<'_>],
    names: &[BTreeSet<String>],
) -> Option<Unread> {
    let bytes = program.files().read(path).ok()??;
    let text = std::str::from_utf8(&bytes).ok().filter(|text| text.len() <= LIMIT)?;
    let language = language_for_path(path.as_str());
    let aside = language.and_then(|language| language.aside(text));
    let code = language.map_or(Cow::Borrowed(text), |language| language.code(text));
    let words = |number: usize| names[number].iter().filter(|name| *name != "default" && *name != WHOLE);
    let said_in =
        |text: &str, number: usize| words(number).filter_map(|word| Some((place_of(text, word)?, word))).min();
    let first = |text: &str| numbers.iter().filter_map(|&number| said_in(text, number)).min();
    let in_markup = aside.as_deref().and_then(first);
    let part = match (&aside, in_markup) {
        (None, _) => UnreadPart::Whole,
        (Some(_), Some(_)) => UnreadPart::Markup,
        (Some(_), None) => UnreadPart::Rest,
    };
    let (start, word) = in_markup.or_else(|| first(&code))?;
    let said = |number: &&usize| said_in(&code, **number).or_else(|| said_in(aside.as_deref()?, **number)).is_some();
    let keys = numbers.iter().filter(said).map(|&number| defined[number].0.key.clone());
    let before = &text[..start];
    let line = before.matches('\n').count() as u32 + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() as u32 + 1;
    let at = Place { file: path.clone(), line, column };
    Some(Unread { at, word: word.clone(), keys: keys.collect(), part })
}

/// Where a text says a word that is no part of another.
fn place_of(text: &str, word: &str) -> Option<usize> {
    let is_letter = |letter: char| letter.is_alphanumeric() || "_$".contains(letter);
    memmem::find_iter(text.as_bytes(), word.as_bytes()).find(|&at| {
        !text[..at].chars().next_back().is_some_and(is_letter)
            && !text[at + word.len()..].chars().next().is_some_and(is_letter)
    })
}
