//! `factgate items`: every name that can be selected in a file.

use crate::args::{ItemsArguments, PlainFormat};
use crate::commands::Ended;
use crate::commands::steps;
use crate::config::{self, Model, nearest};
use crate::finding::{Code, Finding};
use crate::output::json;
use crate::pipeline::session::{Opened, Start};
use crate::report::Report;
use factgate_facts::Files;
use factgate_facts::program::Program;
use factgate_record::{Place, RepoPath, is_inside};
use factgate_syntax::{Limits, Selector, language_for_path};
use factgate_vcs::Repository;
use serde::Serialize;
use std::path::{Component, Path};

#[derive(Serialize)]
struct Output {
    version: u32,
    view: &'static str,
    exit: u8,
    items: Vec<Item>,
    errors: Vec<json::Message>,
    warnings: Vec<json::Message>,
}

#[derive(Serialize)]
struct Item {
    name: String,
    selector: String,
    kind: &'static str,
    at: Place,
}

/// Lists the items of each file.
pub fn run(start: &Start, arguments: &ItemsArguments) -> Ended {
    let mut report = Report { view: arguments.view.word(), ..Report::default() };
    let mut items = Vec::new();
    match Opened::new(start, &arguments.view) {
        Ok(opened) => {
            let program = Program::new(&opened.files, RepoPath::default(), Limits::default());
            let models = config::load(&opened.files, &[]).unwrap_or_default();
            for path in &arguments.paths {
                match asked(start, &opened, &models, path) {
                    Ok((file, within)) => list(&program, &file, within.as_deref(), &mut items, &mut report),
                    Err(error) => report.errors.push(error),
                }
            }
        }
        Err(error) => report.errors.push(error),
    }
    let stdout = match arguments.format {
        PlainFormat::Text => items.iter().map(|item| format!("{}\n", item.selector)).collect(),
        PlainFormat::Json => json::line(&Output {
            version: 1,
            view: report.view,
            exit: report.exit().code(),
            items,
            errors: json::messages(&report.all_errors()),
            warnings: json::messages(&report.all_warnings()),
        }),
    };
    Ended::of(&report, stdout)
}

/// What somebody asks for: a file, or an item by its selector or by the bare name of a covered one, whose inner items are
/// listed with it.
fn asked(start: &Start, opened: &Opened, models: &[Model], text: &str) -> Result<(RepoPath, Option<String>), Finding> {
    let file = inside(&opened.repository, start, text);
    if let Ok(file) = &file
        && (language_for_path(text).is_some() || opened.files.read(file).is_ok_and(|found| found.is_some()))
    {
        return Ok((file.clone(), None));
    }
    let wanted = || "name a file (`factgate items src/a.ts`), or an item as PATH#NAME or by the name of a covered one";
    let selector = steps::covered(text, models).map_err(|error| match error.help.is_some() {
        true => error,
        false => error.help(wanted()),
    })?;
    let parsed =
        Selector::parse(&selector).map_err(|error| Finding::new(Code::Selector, error.to_string()).help(wanted()))?;
    let Some(name) = parsed.name() else { return file.map(|file| (file, None)) };
    // A covered item starts at its model's root, a selector on the command line at the current folder, too.
    let root = models.iter().find(|model| model.cover.iter().any(|covered| covered.text == selector));
    let file = match root {
        Some(model) => model.source(&parsed.path),
        None => inside(&opened.repository, start, &parsed.path)?,
    };
    Ok((file, Some(name)))
}

fn list(program: &Program<'_>, file: &RepoPath, within: Option<&str>, items: &mut Vec<Item>, report: &mut Report) {
    let source = match program.source(file) {
        Ok(source) => source,
        Err(error) => {
            report.errors.push(Finding::of_file(Code::of(error.code()), file, error.to_string()));
            return;
        }
    };
    for problem in source.problems() {
        let place = program.place(file, &source, problem.span.start);
        let message = format!("{file}: {}: names behind it may be missing", problem.message);
        report.warnings.push(Finding::at(Code::ParseError, place, message));
    }
    let is_asked = |name: &str| within.is_none_or(|within| is_inside(name, within));
    let before = items.len();
    for item in source.items().iter().filter(|item| is_asked(&item.name)) {
        items.push(Item {
            name: item.name.clone(),
            selector: format!("{file}#{}", item.name),
            kind: item.kind.word(),
            at: program.place(file, &source, item.span.start),
        });
    }
    if let Some(within) = within.filter(|_| items.len() == before) {
        let names: Vec<&str> = source.items().iter().map(|item| item.name.as_str()).collect();
        let near = nearest(within, &names).map(|near| format!("did you mean `{near}`?"));
        let finding = Finding::of_file(Code::Selector, file, format!("{file} has no `{within}`"));
        report.errors.push(finding.help(near.unwrap_or_else(|| format!("`factgate items {file}` lists its names"))));
    }
}

/// The path in the repository of a path from the folder where factgate was started.
pub fn inside(repository: &Repository, start: &Start, path: &str) -> Result<RepoPath, Finding> {
    let outside = || Finding::new(Code::Usage, format!("{path} is outside of the repository"));
    let root = repository.worktree_root();
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let folder = start.folder.canonicalize().unwrap_or_else(|_| start.folder.clone());
    let whole = folder.join(path);
    let mut parts: Vec<&str> = Vec::new();
    let below = clean(&whole);
    let below = below.strip_prefix(&root).map_err(|_| outside())?;
    for part in below.components() {
        parts.push(part.as_os_str().to_str().ok_or_else(outside)?);
    }
    Ok(RepoPath::from_git(parts.join("/")))
}

/// Without `.` and `..`, and without following links: the last parts need not exist in the work tree.
fn clean(path: &Path) -> std::path::PathBuf {
    let mut clean = std::path::PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(clean.pop()),
            part => clean.push(part),
        }
    }
    clean
}
