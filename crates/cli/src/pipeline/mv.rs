//! What `factgate mv` writes: the configurations, pattern files and records of every model that names what moved, with
//! its new name. Nothing is written here.

use crate::config::{self, At, Document, Edit, Model, Watched, WatchedBy, append, apply, replace};
use crate::finding::{Code, Finding};
use crate::pipeline::facts::selectors;
use crate::pipeline::rename::{Doubled, Renaming};
use crate::pipeline::session::Session;
use crate::pipeline::{definition, gate, recorded};
use factgate_facts::{FileError, Files};
use factgate_record::{CallRecord, Record, RepoPath, is_inside};
use factgate_syntax::Selector;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The new texts of configurations and pattern files, and the new records.
#[derive(Debug, Default)]
pub struct Rewritten {
    /// Configurations and pattern files, with the number of names that change in each.
    pub texts: BTreeMap<RepoPath, (String, usize)>,
    /// Records by the model's name: the file, and what it holds.
    pub records: BTreeMap<String, (RepoPath, Record)>,
}

/// One model's part of it.
struct OfModel<'m> {
    model: &'m Model,
    renaming: Renaming,
    /// Changes by file.
    edits: BTreeMap<RepoPath, (Document, Vec<Edit>)>,
    record: Option<(Record, Record)>,
}

/// Everything that changes when a move is followed; nothing where no model names what moved. `renaming` says the move
/// from a model's root.
pub fn rewrite(session: &Session, renaming: &dyn Fn(&Model) -> Option<Renaming>) -> Result<Rewritten, Vec<Finding>> {
    let mut parts = Vec::new();
    for (model, _) in &session.models {
        let Some(renaming) = renaming(model) else { continue };
        parts.push(of_model(session, model, renaming)?);
    }
    let mut rewritten = Rewritten::default();
    let mut edits: BTreeMap<&RepoPath, (&Document, Vec<Edit>)> = BTreeMap::new();
    // Two models may share a pattern file.
    for (path, (document, more)) in parts.iter().flat_map(|part| &part.edits) {
        let known = &mut edits.entry(path).or_insert((document, Vec::new())).1;
        more.iter()
            .filter(|edit| !known.contains(edit))
            .cloned()
            .collect::<Vec<_>>()
            .into_iter()
            .for_each(|edit| known.push(edit));
    }
    for (path, (document, edits)) in edits {
        rewritten.texts.insert(path.clone(), (apply(document, &edits), edits.len()));
    }
    let after = reloaded(session, &rewritten)?;
    for part in &parts {
        let Some((before, renamed)) = &part.record else { continue };
        let record = redefined(part.model, &after, renamed);
        if record != *before {
            rewritten.records.insert(part.model.name.clone(), (part.model.record.clone(), record));
        }
    }
    Ok(rewritten)
}

fn of_model<'m>(session: &Session, model: &'m Model, renaming: Renaming) -> Result<OfModel<'m>, Vec<Finding>> {
    let record = recorded::read_raw(session, model).map_err(|error| vec![error])?.record;
    let mut part = OfModel { model, renaming, edits: BTreeMap::new(), record: None };
    let listed = session.files.list().map_err(|error| vec![error.into()])?;
    let stands = |path: &str| listed.binary_search(&model.source(path)).is_ok();
    for covered in &model.cover {
        part.rename(
            &covered.origin.document,
            &At { value: covered.text.clone(), span: covered.origin.span.clone() },
            &stands,
        );
    }
    for code in model.actions.values().flat_map(|action| &action.code) {
        let at = At { value: code.text.clone(), span: code.origin.span.clone() };
        part.rename(&code.origin.document, &at, &stands);
    }
    for fact in model.facts.values() {
        selectors(&fact.table).into_iter().for_each(|at| part.rename(&fact.origin.document, at, &stands));
    }
    let moved = part.files(listed, &stands);
    for (key, watched) in &model.calls {
        if let WatchedBy::Definition(of) = &watched.by {
            part.rename(&of.origin.document, &At { value: of.text.clone(), span: of.origin.span.clone() }, &stands);
        }
        let sites = part.files_of_sites(record.as_ref(), key);
        part.globs(watched, moved.iter().chain(&sites), listed);
    }
    if let Some(record) = record {
        let key = |key: &str| new_key(model, &part.renaming, key, &stands);
        let renamed = part.renaming.record(&record, &stands, &key).map_err(|Doubled(name)| {
            let message = format!("{} holds `{name}` already, and it would stand there twice", model.record);
            vec![
                Finding::of_file(Code::Record, &model.record, message)
                    .help("confirm one of them first, or take it out of `cover`"),
            ]
        })?;
        part.record = Some((record, renamed));
    }
    Ok(part)
}

/// The new key of an entry that is called by its definition's name.
fn new_key(model: &Model, renaming: &Renaming, key: &str, stands: &dyn Fn(&str) -> bool) -> Option<String> {
    let WatchedBy::Definition(of) = &model.calls.get(key)?.by else { return None };
    let is_default = of.selector.name().as_deref() == Some(key);
    let renamed = renaming.name(&of.text, stands).filter(|_| is_default && model.calls[key].written_name.is_none())?;
    Selector::parse(&renamed).ok()?.name()
}

impl OfModel<'_> {
    fn rename(&mut self, document: &Document, at: &At<String>, stands: &dyn Fn(&str) -> bool) {
        if let Some(name) = self.renaming.name(&at.value, stands) {
            self.edit(document, replace(document, at, &name));
        }
    }

    fn edit(&mut self, document: &Document, edit: Edit) {
        self.edits.entry(document.path.clone()).or_insert((document.clone(), Vec::new())).1.push(edit);
    }

    /// The files that moved: the old and the new path of each.
    fn files(&self, listed: &[RepoPath], stands: &dyn Fn(&str) -> bool) -> Vec<(String, String)> {
        let Renaming::Path { old, new } = &self.renaming else { return Vec::new() };
        let back = Renaming::Path { old: new.clone(), new: old.clone() };
        let below = listed.iter().filter_map(|path| path.below(&self.model.root));
        let pair = |path: &str| Some((back.path(path)?, path.to_owned()));
        below.filter_map(pair).filter(|(old, _)| !stands(old)).collect()
    }

    /// The file that an item's recorded sites move to.
    fn files_of_sites(&self, record: Option<&Record>, key: &str) -> Vec<(String, String)> {
        let Renaming::Item { old, new } = &self.renaming else { return Vec::new() };
        let Some(calls) = record.and_then(|record| record.calls.get(key)) else { return Vec::new() };
        let paths = Selector::parse(old).ok().zip(Selector::parse(new).ok());
        let pair = paths.map(|(old, new)| (old.path, new.path)).filter(|(old, new)| old != new);
        pair.filter(|_| calls.sites().any(|site| is_inside(site, old))).into_iter().collect()
    }

    /// The globs of an entry: one that begins with what moved is renamed, and where a moved file falls out of all of them,
    /// one more is put in.
    fn globs<'f>(&mut self, watched: &Watched, moved: impl Iterator<Item = &'f (String, String)>, listed: &[RepoPath]) {
        let document = watched.origin.document.clone();
        let (Some(last), Some(before)) = (watched.written.last(), watched.set(&watched.written)) else { return };
        let is_left = |glob: &At<String>| {
            let set = watched.set(std::slice::from_ref(glob));
            let below = listed.iter().filter_map(|path| path.below(&self.model.root));
            set.is_some_and(|set| below.into_iter().any(|path| set.is_match(path)))
        };
        let mut after: Vec<At<String>> = watched.written.clone();
        let mut edits = Vec::new();
        let mut more: Vec<String> = Vec::new();
        for (glob, at) in watched.written.iter().zip(&mut after) {
            let Some(renamed) = self.renaming.glob(&glob.value) else { continue };
            if is_left(glob) {
                more.push(renamed);
            } else {
                edits.push(replace(&document, glob, &renamed));
                at.value = renamed;
            }
        }
        let mut lost: Vec<&str> = moved.filter(|(old, _)| before.is_match(old)).map(|(_, new)| new.as_str()).collect();
        let wider = watched.written.iter().filter_map(|glob| self.renaming.wider(&glob.value));
        let literal: Vec<String> = lost.iter().map(|path| globset::escape(path)).collect();
        for glob in std::mem::take(&mut more).into_iter().chain(wider).chain(literal) {
            let reached = watched.set(&after);
            lost.retain(|path| !reached.as_ref().is_some_and(|set| set.is_match(path)));
            let new = At { value: glob, span: last.span.clone() };
            let helps =
                watched.set(std::slice::from_ref(&new)).is_some_and(|set| lost.iter().any(|path| set.is_match(path)));
            if helps {
                more.push(new.value.clone());
                after.push(new);
            }
        }
        edits.extend(more.iter().map(|glob| append(&document, last, glob)));
        edits.into_iter().for_each(|edit| self.edit(&document, edit));
    }
}

/// The models as the new texts have them: what they would be wrong in is an error before anything is written.
fn reloaded(session: &Session, rewritten: &Rewritten) -> Result<Vec<Model>, Vec<Finding>> {
    let edited = Edited { files: &session.files, texts: &rewritten.texts };
    config::load(&edited, &[])
}

/// The record with the hashes of definitions that say a new name now and were as recorded before.
fn redefined(model: &Model, after: &[Model], record: &Record) -> Record {
    let mut record = record.clone();
    let Some(after) = after.iter().find(|other| other.name == model.name) else { return record };
    if let Some(known) = &record.gate {
        record.gate = Some(gate::renamed(known, &gate::of(model), &gate::of(after)));
    }
    let (before, after) = (definition::hashes(model), definition::hashes(after));
    for (name, fact) in &mut record.facts {
        if fact.of.is_some() && fact.of.as_ref() == before.get(name) {
            fact.of = after.get(name).cloned();
        }
    }
    record
}

/// The view with some texts changed.
struct Edited<'e> {
    files: &'e dyn Files,
    texts: &'e BTreeMap<RepoPath, (String, usize)>,
}

impl Files for Edited<'_> {
    fn read(&self, path: &RepoPath) -> Result<Option<Arc<[u8]>>, FileError> {
        match self.texts.get(path) {
            Some((text, _)) => Ok(Some(text.as_bytes().into())),
            None => self.files.read(path),
        }
    }

    fn list(&self) -> Result<&[RepoPath], FileError> {
        self.files.list()
    }
}

/// Whether a model, or its record, names what moved.
pub fn is_named(session: &Session, model: &Model, renaming: &Renaming) -> bool {
    let renamed = |name: &str| renaming.name(name, &|_| false).is_some();
    let recorded = recorded::read_raw(session, model).ok().and_then(|raw| raw.record).unwrap_or_default();
    selectors_of(model).any(renamed)
        || model.calls.values().flat_map(|watched| &watched.written).any(|glob| renaming.glob(&glob.value).is_some())
        || recorded.items.keys().any(|name| renamed(name))
        || recorded.calls.values().flat_map(CallRecord::sites).any(renamed)
}

/// Every selector that a model says.
fn selectors_of(model: &Model) -> impl Iterator<Item = &str> {
    let watched = model.calls.values().filter_map(|watched| match &watched.by {
        WatchedBy::Definition(of) => Some(of.text.as_str()),
        WatchedBy::Outside(_) | WatchedBy::Shape(_) => None,
    });
    let facts = model.facts.values().flat_map(|fact| selectors(&fact.table)).map(|at| at.value.as_str());
    let actions = model.actions.values().flat_map(|action| &action.code).map(|code| code.text.as_str());
    model.cover.iter().map(|covered| covered.text.as_str()).chain(watched).chain(facts).chain(actions)
}

/// Every path and selector that the models name, from the repository's root, for whoever misspelt one.
pub fn names(session: &Session) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (model, _) in &session.models {
        for text in selectors_of(model) {
            names.insert(model.source(text).to_string());
            names.extend(Selector::parse(text).ok().map(|selector| model.source(&selector.path).to_string()));
        }
    }
    names
}
