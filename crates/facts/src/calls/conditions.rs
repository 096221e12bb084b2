//! What resolution passes over. Of a package's `exports`, `imports` and entry fields one target is followed, and
//! whoever runs the code may be given another: under another condition, by another field, from a second package of the
//! name. A watched function behind such a target is as good as an import that leads nowhere.

use super::resolve::{Found, Resolver, repo_path, split_package};
use super::shelf::is_declaration;
use factgate_record::RepoPath;
use factgate_syntax::language_for_path;
use factgate_syntax::languages::Modules;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Tables of `package.json` files that give one specifier several targets.
#[derive(Default)]
pub(super) struct Conditions {
    /// What is imported by a package's name, for each package of that name.
    entries: BTreeMap<String, Vec<Entry>>,
    /// `imports`, by the package's folder; a target may be another package of the repository.
    imports: BTreeMap<PathBuf, Value>,
}

/// What one package is entered by.
struct Entry {
    folder: PathBuf,
    table: Table,
}

enum Table {
    /// `exports`.
    Exports(Value),
    /// `main` and the fields that stand for it elsewhere.
    Fields(Vec<String>),
}

/// Fields that say where a package's own module is.
const FIELDS: [&str; 8] = ["main", "module", "browser", "source", "types", "typings", "react-native", "jsnext:main"];

impl Conditions {
    /// Reads the `package.json` files of a view.
    pub(super) fn of<'t>(packages: impl Iterator<Item = (&'t Path, &'t str)>) -> Conditions {
        let mut conditions = Conditions::default();
        for (path, text) in packages {
            let parsed = serde_json::from_str::<Value>(text).ok();
            let (Some(mut parsed), Some(folder)) = (parsed, path.parent()) else { continue };
            let exports = parsed.get_mut("exports").map(Value::take);
            let imports = parsed.get_mut("imports").map(Value::take);
            conditions.imports.extend(imports.map(|imports| (folder.to_owned(), imports)));
            let Some(name) = parsed.get("name").and_then(Value::as_str) else { continue };
            let table = exports.map_or_else(|| Table::Fields(fields(&parsed)), Table::Exports);
            let entry = Entry { folder: folder.to_owned(), table };
            conditions.entries.entry(name.to_owned()).or_default().push(entry);
        }
        conditions.entries.retain(|_, entries| entries.len() > 1 || entries.iter().any(|entry| entry.table.chooses()));
        conditions
    }

    /// Every target that a specifier is given, each with the folder that it is looked up in.
    fn targets(&self, from: &RepoPath, specifier: &str) -> Vec<(&Path, String)> {
        if specifier.starts_with('#') {
            let file = Path::new("/").join(from.as_str());
            let table = file.ancestors().skip(1).find_map(|folder| self.imports.get_key_value(folder));
            let found = table.map(|(folder, table)| (folder, targets_of(table, specifier)));
            return found
                .into_iter()
                .flat_map(|(folder, all)| all.into_iter().map(|one| (folder.as_path(), one)))
                .collect();
        }
        let (name, rest) = split_package(specifier);
        let key = if rest.is_empty() { ".".to_owned() } else { format!("./{rest}") };
        let entries = self.entries.get(name).into_iter().flatten();
        let found = entries.map(|entry| match &entry.table {
            Table::Exports(table) => (entry, targets_of(table, &key)),
            Table::Fields(fields) if rest.is_empty() => (entry, fields.clone()),
            Table::Fields(_) => (entry, vec![key.clone()]),
        });
        found.flat_map(|(entry, all)| all.into_iter().map(|one| (entry.folder.as_path(), one))).collect()
    }
}

impl Table {
    fn chooses(&self) -> bool {
        match self {
            Table::Exports(table) => chooses(table),
            Table::Fields(fields) => fields.len() > 1,
        }
    }
}

/// The entries that a package without `exports` says; its index, where it says none.
fn fields(package: &Value) -> Vec<String> {
    let mut found = Vec::new();
    FIELDS.iter().filter_map(|field| package.get(field)).for_each(|entry| leaves(entry, "", &mut found));
    let relative = |entry: &String| if entry.starts_with('.') { entry.clone() } else { format!("./{entry}") };
    let mut found: Vec<String> = found.iter().map(relative).collect();
    if found.is_empty() {
        found.push(".".to_owned());
    }
    found.sort();
    found.dedup();
    found
}

impl Resolver {
    /// Every file of the view that a specifier may stand for under one condition or another.
    pub(super) fn under_conditions(&self, from: &RepoPath, specifier: &str) -> Vec<RepoPath> {
        if language_for_path(from.as_str()).is_some_and(|language| language.modules == Modules::ZigPaths) {
            let is_file = specifier.ends_with(".zig") || matches!(specifier, "std" | "builtin" | "root");
            return if is_file { Vec::new() } else { super::zig_packages::find(&self.disk, from, specifier) };
        }
        if specifier.starts_with('.') {
            return self.as_written(from, specifier);
        }
        // One such name may not stand for another.
        let targets =
            self.conditions.targets(from, specifier).into_iter().filter(|(_, target)| !target.starts_with('#'));
        let targets = targets.map(|(folder, target)| {
            let inside = folder.join("package.json");
            self.resolve(&repo_path(&inside), &target)
        });
        let file = Path::new("/").join(from.as_str());
        let packages = self.in_packages(&file, specifier);
        targets
            .chain(packages)
            .filter_map(|found| if let Found::File(path) = found { Some(path) } else { None })
            .collect()
    }

    /// The files that a relative specifier names: where `s.js` stands beside `s.ts`, `./s.js` and `./s` are either.
    fn as_written(&self, from: &RepoPath, specifier: &str) -> Vec<RepoPath> {
        const ENDINGS: [&str; 6] = [".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx"];
        let Ok(path) = from.parent().join(specifier) else { return Vec::new() };
        let is_whole = ENDINGS.iter().any(|ending| specifier.ends_with(ending));
        let with = |ending: &&str| RepoPath::from_git(format!("{path}{ending}"));
        let found: Vec<RepoPath> = if is_whole { vec![path.clone()] } else { ENDINGS.iter().map(with).collect() };
        found.into_iter().filter(|path| self.disk.has(path)).collect()
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

/// Every target below an entry, whatever its condition, but for declarations.
pub(super) fn leaves(entry: &Value, star: &str, found: &mut Vec<String>) {
    match entry {
        Value::String(target) if is_declaration(target) => {}
        Value::String(target) => found.push(target.replace('*', star)),
        Value::Array(entries) => entries.iter().for_each(|entry| leaves(entry, star, found)),
        Value::Object(entries) => entries.values().for_each(|entry| leaves(entry, star, found)),
        _ => {}
    }
}
