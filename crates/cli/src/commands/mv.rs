//! `factgate mv`: code moved; the configurations and records that name it follow. Whether it is the same code is for
//! `check` to say: what was confirmed stays as it was.

use crate::args::{MvArguments, ViewArguments};
use crate::commands::{Ended, items};
use crate::config::{Model, nearest};
use crate::finding::{Code, Finding};
use crate::pipeline::mv::{self, Rewritten};
use crate::pipeline::rename::Renaming;
use crate::pipeline::session::{Session, Start, git};
use factgate_facts::Files;
use factgate_facts::program::Program;
use factgate_record::RepoPath;
use factgate_syntax::{Selector, language_for_path};
use factgate_vcs::Lock;

/// Renames what moved wherever a model names it. All files are written, or none.
pub fn run(start: &Start, arguments: &MvArguments) -> Ended {
    match locked(start, arguments) {
        Ok(text) => Ended::text(text),
        Err(errors) => Ended::errors(&errors),
    }
}

/// A path of the command line, and the name behind its `#`.
#[derive(Clone, Debug)]
struct Named {
    path: String,
    name: Option<String>,
}

/// From where the names of the command line are taken: the first that a model knows them from counts.
#[derive(Clone, Copy, Debug)]
enum From {
    Here,
    Top,
    Root,
}

fn locked(start: &Start, arguments: &MvArguments) -> Result<String, Vec<Finding>> {
    let one = |error: Finding| vec![error];
    let (old, new) = (Named::read(&arguments.old), Named::read(&arguments.new));
    if old.name.is_some() != new.name.is_some() {
        let message = "one of the two is a path and the other one a selector";
        return Err(one(Finding::new(Code::Usage, message).help("write two paths, or two selectors: `PATH#NAME`")));
    }
    let lock = start.repository().and_then(|repository| repository.lock().map_err(|error| git(&error))).map_err(one)?;
    let session = Session::open(start, &ViewArguments::default(), &[])?;
    for from in [From::Here, From::Top, From::Root] {
        let renaming = |model: &Model| renaming(&session, start, model, from, &old, &new);
        let named = |model: &Model| renaming(model).filter(|renaming| mv::is_named(&session, model, renaming));
        let first = session.models.iter().find_map(|(model, _)| Some((model, named(model)?)));
        let Some((model, target)) = first else { continue };
        stands(&session, model, &target)?;
        return write(&session, &lock, &mv::rewrite(&session, &renaming)?);
    }
    Err(one(unknown(&session, &arguments.old)))
}

impl Named {
    fn read(text: &str) -> Named {
        let is_file = |path: &str| language_for_path(path).is_some();
        let at = text.match_indices('#').map(|(at, _)| at).find(|&at| is_file(&text[..at]));
        match at {
            Some(at) => Named { path: text[..at].to_owned(), name: Some(text[at + 1..].to_owned()) },
            None => Named { path: text.to_owned(), name: None },
        }
    }

    /// Named from a model's root; `None` where it is outside of it.
    fn seen(&self, session: &Session, start: &Start, model: &Model, from: From) -> Option<String> {
        let plain = self.path.trim_end_matches('/');
        let path = match from {
            From::Here => items::inside(&session.repository, start, plain).ok()?,
            From::Top => RepoPath::default().join(plain).ok()?,
            From::Root => model.root.join(plain).ok()?,
        };
        let below = path.below(&model.root)?.to_owned();
        Some(match &self.name {
            Some(name) => format!("{below}#{name}"),
            None => below,
        })
    }
}

fn renaming(session: &Session, start: &Start, model: &Model, from: From, old: &Named, new: &Named) -> Option<Renaming> {
    let is_item = old.name.is_some();
    let (old, new) = (old.seen(session, start, model, from)?, new.seen(session, start, model, from)?);
    if old.is_empty() || new.is_empty() || old == new {
        return None;
    }
    // A file into a folder, as `git mv` has it.
    let is_file = |path: &str| language_for_path(path).is_some();
    let name = old.rsplit('/').next().filter(|_| !is_item && is_file(&old) && !is_file(&new));
    let new = name.map_or(new.clone(), |name| format!("{new}/{name}"));
    Some(if is_item { Renaming::Item { old, new } } else { Renaming::Path { old, new } })
}

/// The code has to stand where it is said to: names of nothing would only be errors.
fn stands(session: &Session, model: &Model, renaming: &Renaming) -> Result<(), Vec<Finding>> {
    let wrong = |message: String, help: String| Err(vec![Finding::new(Code::Selector, message).help(help)]);
    match renaming {
        Renaming::Path { old, new } => {
            let (from, to) = (model.source(old), model.source(new));
            let listed = session.files.list().map_err(|error| vec![error.into()])?;
            let below = |path: &RepoPath| path == &to || path.below(&to).is_some();
            if listed.iter().any(below) {
                return Ok(());
            }
            wrong(format!("{to} does not exist: move the code first"), format!("`git mv {from} {to}`"))
        }
        Renaming::Item { new, .. } => {
            let program = Program::new(&session.files, model.root.clone(), model.limits);
            let found = Selector::parse(new).map_err(|error| error.to_string());
            let found = found.map(|selector| program.scope(&selector));
            match found {
                Err(message) => wrong(message, "write PATH#NAME".to_owned()),
                Ok(Err(error)) if error.is_missing() => {
                    wrong(error.to_string(), "`factgate items PATH` lists what can be named".to_owned())
                }
                Ok(_) => Ok(()),
            }
        }
    }
}

/// That no model names it, with the nearest name that one has.
fn unknown(session: &Session, old: &str) -> Finding {
    let names = mv::names(session);
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    let finding = Finding::new(Code::Usage, format!("no model names `{old}`: there is nothing to rename"));
    match nearest(old, &known) {
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None => finding.help("`cover`, `of`, `in` and `from` are what can be renamed"),
    }
}

/// Records first: a second try finds the names in the configurations still, should this one be ended in between.
fn write(session: &Session, lock: &Lock, rewritten: &Rewritten) -> Result<String, Vec<Finding>> {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    let mut text = String::new();
    let mut said = Vec::new();
    for (path, record) in rewritten.records.values() {
        let whole = record.to_text().map_err(|error| vec![Finding::of_file(Code::Io, path, error.to_string())])?;
        files.push((path.to_string(), whole.into_bytes()));
        said.push(format!("{path}   its keys\n"));
    }
    for (path, (whole, count)) in &rewritten.texts {
        let mark =
            session.files.read(path).ok().flatten().is_some_and(|bytes| bytes.starts_with("\u{feff}".as_bytes()));
        let whole = if mark { format!("\u{feff}{whole}") } else { whole.clone() };
        files.push((path.to_string(), whole.into_bytes()));
        let noun = if *count == 1 { "name" } else { "names" };
        text.push_str(&format!("{path}   {count} {noun}\n"));
    }
    session.repository.write_all(lock, &files).map_err(|error| vec![git(&error)])?;
    said.iter().for_each(|line| text.push_str(line));
    let mut paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    paths.sort_unstable();
    text.push_str(&format!("`git add {}`, then `factgate check`\n", paths.join(" ")));
    Ok(text)
}
