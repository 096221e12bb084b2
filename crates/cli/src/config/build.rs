//! Makes a [`Model`] of the tables of one `factgate.toml` and its pattern files, and collects what is wrong with them.

use crate::config::document::Document;
use crate::config::globs;
use crate::config::model::{Action, Covered, Engine, Model, Origin, Sourced, Watched, WatchedBy};
use crate::config::run_tables::TraceTable;
use crate::config::spanned::{At, OneOrMany};
use crate::config::tables::{ActionTable, CallsTable, ChangeClass, ConfigFile, LimitsTable, PatternText};
use crate::config::{facts, runs};
use crate::finding::{Code, Finding};
use crate::pipeline::covered;
use factgate_checker::run::TRACE;
use factgate_facts::Files;
use factgate_facts::calls::Outside;
use factgate_facts::ignore::Ignore;
use factgate_record::{Change, RepoPath};
use factgate_syntax::{LANGUAGES, Limits, Selector, language_for_path};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Reads one model; `None` when the view lists the file and has none.
pub(super) fn model(files: &dyn Files, all: &[RepoPath], path: &RepoPath) -> Result<Option<Model>, Vec<Finding>> {
    let Some(bytes) = files.read(path).map_err(|error| vec![error.into()])? else { return Ok(None) };
    let document = Document::new(path, &bytes).map_err(|finding| vec![finding])?;
    let tables: ConfigFile = document.read()?;
    let mut builder = Builder::new(&document, files, all);
    let model = builder.model(path, tables);
    match model {
        Some(model) if builder.found.is_empty() => Ok(Some(Model { warnings: builder.warnings, ..model })),
        _ => Err(builder.found),
    }
}

/// Which files a selector may name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Endings {
    /// Those of known languages.
    Known,
    /// Of other ones the whole file as well.
    Any,
}

/// What building needs at hand.
pub(super) struct Builder<'a> {
    pub(super) document: &'a Document,
    pub(super) files: &'a dyn Files,
    pub(super) all: &'a [RepoPath],
    pub(super) found: Vec<Finding>,
    pub(super) warnings: Vec<Finding>,
    /// What globs named so far, by their folder: entries often share them, and there may be many files.
    pub(super) named: HashMap<(RepoPath, Vec<String>), Arc<[RepoPath]>>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(document: &'a Document, files: &'a dyn Files, all: &'a [RepoPath]) -> Builder<'a> {
        Builder { document, files, all, found: Vec::new(), warnings: Vec::new(), named: HashMap::new() }
    }

    fn model(&mut self, path: &RepoPath, tables: ConfigFile) -> Option<Model> {
        let folder = path.parent();
        let name = tables.model.name.clone();
        self.model_name(&name);
        let root = match &tables.model.root {
            Some(root) => self.joined(&folder, root)?,
            None => RepoPath::default(),
        };
        let record = match &tables.model.record {
            Some(record) => self.joined(&folder, record)?,
            None => folder.join(&format!("coverage/{}.json", name.value)).ok()?,
        };
        let facts = facts::load(self, &folder, &root, tables.model.patterns.as_deref());
        let cover = self.cover(&root, &tables.model.cover);
        if tables.model.cover.is_empty() && tables.run.is_empty() {
            self.say("`cover` is empty: name at least one item, or describe a `[run.NAME]`", name.span.clone());
        }
        let calls = self.calls(&root, &tables.calls);
        let actions = self.actions(&root, &tables.action);
        let written = tables.model.files.iter().flatten().map(|glob| glob.value.clone()).collect();
        let files = self.model_files(&folder, &record, tables.model.files.as_deref().unwrap_or_default());
        let assertions = &tables.assertions;
        Some(Model {
            name: name.value,
            config: path.clone(),
            root,
            record,
            names_files: tables.model.files.is_some(),
            files,
            written_files: written,
            cover,
            drift: drift(tables.model.drift.as_deref()),
            ignore: self.ignore(tables.model.ignore.as_deref().unwrap_or_default()),
            calls,
            actions,
            facts,
            assertions: self.patterns(assertions.calls.as_ref()),
            never_returns: self.patterns(assertions.never_returns.as_ref()),
            limits: limits(&tables.limits),
            engine: tables.engine.as_ref().map(|engine| Engine {
                jar: engine.value.jar.as_ref().map(|jar| jar.value.clone()),
                sha256: engine.value.sha256.as_ref().map(|digest| digest.value.clone()),
            }),
            run_origins: self.run_origins(&tables),
            runs: runs::load(self, &folder, &tables),
            folder,
            warnings: Vec::new(),
        })
    }

    /// Where the parts of the matrix are written, traces under the name that they have in it.
    fn run_origins(&self, tables: &ConfigFile) -> BTreeMap<String, Origin> {
        let runs = tables.run.iter().map(|(name, run)| (name.clone(), self.origin(&run.span)));
        let trace = |(name, trace): (&String, &At<TraceTable>)| (format!("{TRACE}{name}"), self.origin(&trace.span));
        runs.chain(tables.trace.iter().map(trace)).collect()
    }

    pub(super) fn say(&mut self, message: impl Into<String>, span: std::ops::Range<usize>) {
        self.found.push(self.document.finding(Code::Config, message, span));
    }

    fn origin(&self, span: &std::ops::Range<usize>) -> Origin {
        Origin { document: self.document.clone(), span: span.clone() }
    }

    /// The name stands in the record's path and in annotations.
    fn model_name(&mut self, name: &At<String>) {
        let allowed = |letter: char| letter.is_alphanumeric() || "-_. ".contains(letter);
        let plain = name.value.trim() == name.value && !name.value.is_empty() && !name.value.starts_with('.');
        if !plain || !name.value.chars().all(allowed) {
            let message = "a model's name is made of letters, digits, `-`, `_`, `.` and spaces inside";
            self.say(message, name.span.clone());
        }
    }

    pub(super) fn joined(&mut self, folder: &RepoPath, path: &At<String>) -> Option<RepoPath> {
        match folder.join(&path.value) {
            Ok(joined) => Some(joined),
            Err(error) => {
                self.say(error.to_string(), path.span.clone());
                None
            }
        }
    }

    /// The files that globs name; what is no glob is said.
    pub(super) fn globs(&mut self, folder: &RepoPath, globs: &[At<String>]) -> Arc<[RepoPath]> {
        self.named(folder, globs).unwrap_or_else(|found| {
            self.found.extend(found);
            Arc::default()
        })
    }

    fn named(&mut self, folder: &RepoPath, globs: &[At<String>]) -> Result<Arc<[RepoPath]>, Vec<Finding>> {
        let key = (folder.clone(), globs.iter().map(|glob| glob.value.clone()).collect());
        if let Some(known) = self.named.get(&key) {
            return Ok(known.clone());
        }
        let set = globs::compile(self.document, folder, globs)?;
        let found: Arc<[RepoPath]> = self.all.iter().filter(|path| set.is_match(path.as_str())).cloned().collect();
        self.named.insert(key, found.clone());
        Ok(found)
    }

    /// The record cannot confirm itself, whatever the globs say.
    fn model_files(
        &mut self,
        folder: &RepoPath,
        record: &RepoPath,
        globs: &[At<String>],
    ) -> BTreeMap<String, RepoPath> {
        let mut named = BTreeMap::new();
        for glob in globs {
            let found = self.globs(folder, std::slice::from_ref(glob));
            if found.is_empty() {
                let message = format!("`{}` names no file", glob.value);
                self.warnings.push(self.document.finding(Code::Config, message, glob.span.clone()));
            }
        }
        for path in self.globs(folder, globs).iter().filter(|path| *path != record) {
            named.insert(relative(folder, path), path.clone());
        }
        named
    }

    fn actions(&mut self, root: &RepoPath, tables: &BTreeMap<String, At<ActionTable>>) -> BTreeMap<String, Action> {
        let mut actions = BTreeMap::new();
        for (name, table) in tables {
            if table.value.code.is_empty() {
                self.say(format!("action `{name}`: `code` is empty: name at least one place"), table.span.clone());
            }
            let mut seen = BTreeSet::new();
            let mut code = Vec::new();
            for place in &table.value.code {
                if !seen.insert(&place.value) {
                    self.say(format!("action `{name}`: `{}` is named twice", place.value), place.span.clone());
                }
                code.extend(self.selector_of(root, place, Endings::Any));
            }
            actions.insert(name.clone(), Action { code, origin: self.origin(&table.span) });
        }
        actions
    }

    fn cover(&mut self, root: &RepoPath, cover: &[At<String>]) -> Vec<Covered> {
        let mut known: BTreeMap<&str, u32> = BTreeMap::new();
        let mut covered = Vec::new();
        for text in cover {
            let line = self.document.place(text.span.start).line;
            if let Some(first) = known.insert(&text.value, line) {
                self.say(format!("`{}` is covered twice: first in line {first}", text.value), text.span.clone());
            }
            covered.extend(self.selector_of(root, text, Endings::Any));
        }
        covered
    }

    /// A selector whose file has a language.
    pub(super) fn selector(&mut self, root: &RepoPath, text: &At<String>) -> Option<Covered> {
        self.selector_of(root, text, Endings::Known)
    }

    fn selector_of(&mut self, root: &RepoPath, text: &At<String>, allowed: Endings) -> Option<Covered> {
        let selector = match Selector::parse(&text.value) {
            Ok(selector) => selector,
            Err(error) => {
                self.found.push(self.document.finding(Code::Selector, error.to_string(), text.span.clone()));
                return None;
            }
        };
        let whole = allowed == Endings::Any && covered::is_bytes(&selector);
        let known = language_for_path(&selector.path).is_some();
        if root.join(&selector.path).is_err() || !(known || whole) {
            let endings: Vec<&str> = LANGUAGES.iter().flat_map(|language| language.extensions).copied().collect();
            let message = format!("`{}` is no file of a known language: .{}", selector.path, endings.join(", ."));
            let finding = self.document.finding(Code::Selector, message, text.span.clone());
            let help = format!("a file of any ending can be covered whole: `{}`", selector.path);
            self.found.push(if allowed == Endings::Any { finding.help(help) } else { finding });
            return None;
        }
        Some(Covered { text: text.value.clone(), selector, origin: self.origin(&text.span) })
    }

    pub(super) fn patterns(&self, patterns: Option<&OneOrMany<PatternText>>) -> Vec<Sourced<PatternText>> {
        let sourced =
            |pattern: &At<PatternText>| Sourced { value: pattern.value.clone(), origin: self.origin(&pattern.span) };
        patterns.map(|patterns| patterns.iter().map(sourced).collect()).unwrap_or_default()
    }

    fn ignore(&mut self, patterns: &[At<String>]) -> Ignore {
        let texts: Vec<String> = patterns.iter().map(|pattern| pattern.value.clone()).collect();
        Ignore::of(&texts).unwrap_or_else(|(index, error)| {
            let At { value, span } = &patterns[index];
            let part = self.document.inside_string(value, span, error.offset..value.len());
            let message = format!("`{value}` is no pattern to ignore: {}", error.message);
            self.found.push(self.document.finding(Code::Pattern, message, part));
            Ignore::default()
        })
    }

    fn calls(&mut self, root: &RepoPath, entries: &[At<CallsTable>]) -> BTreeMap<String, Watched> {
        let mut watched = BTreeMap::new();
        for entry in entries {
            let Some((key, calls)) = self.watched(root, entry) else { continue };
            if watched.insert(key.clone(), calls).is_some() {
                let message = format!("two `[[calls]]` have the key `{key}`: give one a `name`");
                self.say(message, entry.span.clone());
            }
        }
        watched
    }

    /// The files of an entry's `in`. A glob without a file is worth a word, and an entry without one watches nothing: that
    /// is wrong unless the files that it named stand elsewhere now.
    fn searched(&mut self, root: &RepoPath, table: &CallsTable) -> (Arc<[RepoPath]>, Vec<Finding>) {
        let within = self.globs(root, &table.within);
        let is_code = |path: &RepoPath| language_for_path(path.as_str()).is_some();
        let mut empty: Vec<(&At<String>, &str)> = Vec::new();
        for glob in &table.within {
            // What is no glob is said already.
            match self.named(root, std::slice::from_ref(glob)).as_deref() {
                Ok([]) => empty.push((glob, "names no file")),
                Ok(found) if !found.iter().any(is_code) => {
                    empty.push((glob, "names no file of a language that is read"));
                }
                _ => {}
            }
        }
        let mut nothing = Vec::new();
        for (glob, why) in &empty {
            let message = format!("`{}` {why}", glob.value);
            let finding = self.document.finding(Code::Config, message, glob.span.clone());
            if empty.len() == table.within.len() {
                nothing.push(finding.help("nothing is watched by this entry: name files of this view in `in`"));
            } else {
                self.warnings.push(finding);
            }
        }
        (within, nothing)
    }

    /// What an entry watches, and its key: the `name`, or what the watched function is called.
    fn watched_by(
        &mut self,
        root: &RepoPath,
        entry: &At<CallsTable>,
        name: Option<String>,
    ) -> Option<(String, WatchedBy)> {
        match (&entry.value.of, &entry.value.shape) {
            (Some(of), None) => {
                if let Some(value) = Outside::parse(&of.value) {
                    let origin = self.origin(&of.span);
                    return Some((name.unwrap_or_else(|| value.key()), WatchedBy::Outside(Sourced { value, origin })));
                }
                let covered = self.selector(root, of)?;
                let Some(behind) = covered.selector.name() else {
                    self.say("`of` names a function: PATH#NAME", of.span.clone());
                    return None;
                };
                Some((name.unwrap_or(behind), WatchedBy::Definition(covered)))
            }
            (None, Some(shape)) => {
                let Some(name) = name else {
                    self.say("`[[calls]]` by `match` needs a `name`", entry.span.clone());
                    return None;
                };
                Some((name, WatchedBy::Shape(self.patterns(Some(shape)))))
            }
            _ => {
                self.say("`[[calls]]` takes either `of` or `match`", entry.span.clone());
                None
            }
        }
    }

    fn watched(&mut self, root: &RepoPath, entry: &At<CallsTable>) -> Option<(String, Watched)> {
        let table = &entry.value;
        let (within, nothing) = self.searched(root, table);
        let globs = globs::compile(self.document, &RepoPath::default(), &table.within).unwrap_or_default();
        let name = table.name.as_ref().map(|name| name.value.clone());
        if name.as_ref().is_some_and(|name| name.trim().is_empty()) {
            self.say("`name` is empty", entry.span.clone());
        }
        let (key, by) = self.watched_by(root, entry, name)?;
        if !table.matching.is_empty() && !matches!(by, WatchedBy::Shape(_)) {
            self.say("`matching` goes with `match`", entry.span.clone());
        }
        let matching = self.matching(&table.matching);
        Some((
            key,
            Watched {
                by,
                within,
                globs,
                written: table.within.clone(),
                written_name: table.name.as_ref().map(|name| name.value.clone()),
                nothing,
                matching,
                origin: self.origin(&entry.span),
            },
        ))
    }

    /// Regular expressions are compiled once here, so that a wrong one stops everything.
    pub(super) fn matching(&mut self, matching: &BTreeMap<String, At<String>>) -> BTreeMap<String, Sourced<String>> {
        let mut sourced = BTreeMap::new();
        for (name, regex) in matching {
            if let Err(error) = regex::Regex::new(&regex.value) {
                let why = error.to_string();
                let why = why.lines().last().unwrap_or("").trim_start_matches("error: ").to_owned();
                self.say(format!("`{}` is no regular expression: {why}", regex.value), regex.span.clone());
            }
            let origin = self.origin(&regex.span);
            sourced.insert(name.clone(), Sourced { value: regex.value.clone(), origin });
        }
        sourced
    }
}

/// By default every change counts that can alter what a function does.
fn drift(classes: Option<&[ChangeClass]>) -> BTreeSet<Change> {
    match classes {
        Some(classes) => classes.iter().copied().map(Change::from).collect(),
        None => Change::ALL.into_iter().filter(|class| *class != Change::Locals).collect(),
    }
}

fn limits(table: &LimitsTable) -> Limits {
    let default = Limits::default();
    Limits {
        bytes: table.file_bytes.as_ref().map_or(default.bytes, |bytes| bytes.value as usize),
        depth: table.depth.as_ref().map_or(default.depth, |depth| depth.value as usize),
    }
}

/// The path of a file seen from a folder, with `..` where it stands elsewhere.
fn relative(folder: &RepoPath, path: &RepoPath) -> String {
    let mut above = folder.clone();
    let mut climbed = String::new();
    loop {
        if let Some(below) = path.below(&above) {
            return format!("{climbed}{below}");
        }
        above = above.parent();
        climbed.push_str("../");
    }
}
