//! The targets of a package's `exports` and `imports` that resolution passes over: one condition is asked for at a
//! time (`import` before `browser`), and whoever runs the code may ask for another. A watched function behind such a
//! target is as good as an import that leads nowhere.

use super::resolve::{Found, Resolver, split_package};
use factgate_record::RepoPath;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Tables of `package.json` files that give one specifier several targets.
#[derive(Default)]
pub(super) struct Conditions {
    /// `exports`, by the package's name.
    exports: BTreeMap<String, (PathBuf, Value)>,
    /// `imports`, by the package's folder.
    imports: BTreeMap<PathBuf, Value>,
}

impl Conditions {
    /// Reads the `package.json` files of a view.
    pub(super) fn of<'t>(packages: impl Iterator<Item = (&'t Path, &'t str)>) -> Conditions {
        let mut conditions = Conditions::default();
        for (path, text) in packages {
            let parsed = serde_json::from_str::<Value>(text).ok();
            let (Some(mut parsed), Some(folder)) = (parsed, path.parent()) else { continue };
            let mut table = |key| parsed.get_mut(key).map(Value::take).filter(chooses);
            let (exports, imports) = (table("exports"), table("imports"));
            if let (Some(exports), Some(name)) = (exports, parsed.get("name").and_then(Value::as_str)) {
                conditions.exports.insert(name.to_owned(), (folder.to_owned(), exports));
            }
            conditions.imports.extend(imports.map(|imports| (folder.to_owned(), imports)));
        }
        conditions
    }

    /// The folder of the package that a specifier is looked up in, and every target that it is given there.
    fn targets(&self, from: &RepoPath, specifier: &str) -> Option<(&Path, Vec<String>)> {
        if specifier.starts_with('#') {
            let file = Path::new("/").join(from.as_str());
            let (folder, table) = file.ancestors().skip(1).find_map(|folder| self.imports.get_key_value(folder))?;
            return Some((folder, targets_of(table, specifier)));
        }
        let (name, rest) = split_package(specifier);
        let (folder, table) = self.exports.get(name)?;
        let key = if rest.is_empty() { ".".to_owned() } else { format!("./{rest}") };
        Some((folder, targets_of(table, &key)))
    }
}

impl Resolver {
    /// Every file of the view that a specifier may stand for under one condition or another.
    pub(super) fn under_conditions(&self, from: &RepoPath, specifier: &str) -> Vec<RepoPath> {
        if specifier.starts_with('.') {
            return Vec::new();
        }
        let Some((folder, targets)) = self.conditions.targets(from, specifier) else { return Vec::new() };
        let inside = RepoPath::from_git(folder.join("package.json").to_string_lossy().trim_start_matches('/'));
        let found = targets.iter().map(|target| self.resolve(&inside, target));
        found.filter_map(|found| if let Found::File(path) = found { Some(path) } else { None }).collect()
    }
}

/// Whether a table gives something several targets.
fn chooses(table: &Value) -> bool {
    match table {
        Value::Object(entries) => entries.values().any(|entry| !entry.is_string()) || !is_by_path(table),
        Value::Array(_) => true,
        _ => false,
    }
}

/// Whether a table's keys are specifiers (`./x`, `#x`), not conditions.
fn is_by_path(table: &Value) -> bool {
    table.as_object().is_some_and(|entries| entries.keys().any(|key| key.starts_with(['.', '#'])))
}

/// The targets that a table gives a key: by the key itself, or by the longest pattern that it fits.
fn targets_of(table: &Value, key: &str) -> Vec<String> {
    let mut found = Vec::new();
    if !is_by_path(table) {
        if key == "." {
            leaves(table, "", &mut found);
        }
        return found;
    }
    let Some(entries) = table.as_object() else { return found };
    if let Some(entry) = entries.get(key) {
        leaves(entry, "", &mut found);
        return found;
    }
    let fits = entries.iter().filter_map(|(pattern, entry)| {
        let (before, behind) = pattern.split_once('*')?;
        let star = key.strip_prefix(before)?.strip_suffix(behind)?;
        Some((before.len(), star, entry))
    });
    if let Some((_, star, entry)) = fits.max_by_key(|(length, ..)| *length) {
        leaves(entry, star, &mut found);
    }
    found
}

/// Every target below an entry, whatever its condition; `types` are declarations.
fn leaves(entry: &Value, star: &str, found: &mut Vec<String>) {
    match entry {
        Value::String(target) => found.push(target.replace('*', star)),
        Value::Array(entries) => entries.iter().for_each(|entry| leaves(entry, star, found)),
        Value::Object(entries) => {
            let others = entries.iter().filter(|(condition, _)| *condition != "types");
            others.for_each(|(_, entry)| leaves(entry, star, found));
        }
        _ => {}
    }
}
