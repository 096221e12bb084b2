//! Which `factgate mv` follows a move: a folder's where the whole folder moved, else a file's, else an item's.

use crate::config::Model;
use crate::report::StaleReport;
use factgate_record::{Current, Record, RepoPath, StaleKind, inside};
use factgate_syntax::{Selector, language_for_path};

/// Says of each moved name what moved: the old and the new path or selector, from the repository's root.
pub fn add(model: &Model, listed: &[RepoPath], record: &Record, current: &Current, stale: &mut [StaleReport]) {
    written(model, record, current, stale);
    let code: Vec<&str> = listed
        .iter()
        .filter(|path| language_for_path(path.as_str()).is_some())
        .filter_map(|path| path.below(&model.root))
        .collect();
    for report in stale.iter_mut().filter(|report| report.stale.kind == StaleKind::Moved) {
        let Some(new) = &report.stale.to else { continue };
        let (old, new) = of_file(&code, current, &report.stale.item, new)
            .or_else(|| of_item(current, &report.stale.item, new))
            .unwrap_or_else(|| (report.stale.item.clone(), new.clone()));
        report.follow = Some((model.source(&old).to_string(), model.source(&new).to_string()));
    }
}

/// Where somebody wrote the new name into `cover` already, the record has only to follow: the two names are one finding,
/// below the move of their file where that is told.
fn written(model: &Model, record: &Record, current: &Current, stale: &mut [StaleReport]) {
    let named = |kind: StaleKind| -> Vec<String> {
        stale.iter().filter(|report| report.stale.kind == kind).map(|report| report.stale.item.clone()).collect()
    };
    let (old, new, moved) = (named(StaleKind::Uncovered), named(StaleKind::Unrecorded), named(StaleKind::Moved));
    for old in old {
        let Some(known) = record.items.get(&old) else { continue };
        let print = |name: &String| current.items.get(name).map(|item| &item.record.fingerprint);
        let mut found = new.iter().filter(|name| print(name) == Some(&known.fingerprint));
        let (Some(new), None) = (found.next(), found.next()) else { continue };
        let file = moved.iter().find(|file| inside(&old, file).is_some());
        for report in stale.iter_mut() {
            let is_old = report.stale.kind == StaleKind::Uncovered && report.stale.item == old;
            let is_new = report.stale.kind == StaleKind::Unrecorded && report.stale.item == *new;
            if is_old && file.is_none() {
                report.follow = Some((model.source(&old).to_string(), model.source(new).to_string()));
            } else if is_old || is_new {
                report.because = Some(file.unwrap_or(&old).clone());
            }
        }
    }
}

/// The file, when it is gone and the name moved with it; and the folders above it that moved whole.
fn of_file(code: &[&str], current: &Current, old: &str, new: &str) -> Option<(String, String)> {
    let path = Selector::parse(old).ok()?.path;
    let to = &current.moved_files.get(&path)?.item;
    if inside(old, &path) != inside(new, to) {
        return None;
    }
    let (mut from, mut onto) = (path.as_str(), to.as_str());
    let mut found = (from, onto);
    while let (Some((above, name)), Some((over, same))) = (from.rsplit_once('/'), onto.rsplit_once('/')) {
        if name != same || above == over {
            break;
        }
        (from, onto) = (above, over);
        if moved_whole(code, current, from, onto) {
            found = (from, onto);
        }
    }
    Some((found.0.to_owned(), found.1.to_owned()))
}

fn moved_whole(code: &[&str], current: &Current, from: &str, onto: &str) -> bool {
    let below = |path: &str, folder: &str| path.strip_prefix(folder)?.strip_prefix('/').map(str::to_owned);
    let is_left = code.iter().any(|path| below(path, from).is_some());
    let mut inside = current.moved_files.iter().filter(|(path, _)| below(path, from).is_some());
    !is_left && inside.all(|(path, to)| below(path, from) == below(&to.item, onto))
}

/// The outermost item that moved and has it inside.
fn of_item(current: &Current, old: &str, new: &str) -> Option<(String, String)> {
    let around = |(item, to): &(&String, &factgate_record::Elsewhere)| {
        inside(old, item).is_some_and(|rest| inside(new, &to.item) == Some(rest))
    };
    current.moved.iter().find(around).map(|(item, to)| (item.clone(), to.item.clone()))
}

/// The command, ready to be pasted into a shell.
pub fn command((old, new): &(String, String)) -> String {
    format!("`factgate mv {} {}`", quoted(old), quoted(new))
}

fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-./#@+,:=".contains(letter);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}
