//! `factgate covers`: which models, items, facts and call rules look at a place.

use crate::args::{CoversArguments, PlainFormat};
use crate::commands::Ended;
use crate::commands::items::inside;
use crate::config::Model;
use crate::finding::{Code, Finding};
use crate::output::json;
use crate::pipeline::covered::{self, Read};
use crate::pipeline::facts::{Compiled, selectors};
use crate::pipeline::session::{Session, Start};
use crate::report::Report;
use factgate_facts::Files;
use factgate_facts::program::Program;
use factgate_record::{Place, RepoPath};
use factgate_syntax::Selector;
use serde::Serialize;

#[derive(Serialize)]
struct Output {
    places: Vec<Looked>,
}

/// A place, and what looks at it.
#[derive(Serialize)]
struct Looked {
    place: String,
    by: Vec<Looks>,
}

/// One thing of a model that looks at a place.
#[derive(Serialize)]
struct Looks {
    model: String,
    /// `item`, `guard`, `set`, `value`, `calls` or `file`.
    kind: &'static str,
    name: String,
    /// Where it stands, when it is a piece of code.
    at: Option<Place>,
}

/// A file, or a line in it.
struct Asked {
    file: RepoPath,
    line: Option<u32>,
}

/// Says what looks at each place. That nothing does is an answer, and no failure.
pub fn run(start: &Start, arguments: &CoversArguments) -> Ended {
    let session = match Session::open(start, &arguments.view, &[]) {
        Ok(session) => session,
        Err(errors) => return end(&Report::of_errors(arguments.view.word(), errors), Vec::new(), arguments.format),
    };
    let mut report = Report { view: session.view(), ..Report::default() };
    let mut places = Vec::new();
    for text in &arguments.places {
        match asked(&session, start, text) {
            Ok(asked) => {
                let found = session.models.iter().flat_map(|(model, compiled)| {
                    of_model(&session.program(model), model, compiled, &asked, &mut report)
                });
                let by = found.collect();
                places.push(Looked { place: text.clone(), by });
            }
            Err(error) => report.errors.push(error),
        }
    }
    end(&report, places, arguments.format)
}

fn end(report: &Report, places: Vec<Looked>, format: PlainFormat) -> Ended {
    let stdout = match format {
        PlainFormat::Text => places.iter().map(text).collect(),
        PlainFormat::Json => json::enveloped(report, Output { places }),
    };
    Ended::of(report, stdout)
}

fn text(looked: &Looked) -> String {
    let mut text = format!("{}\n", looked.place);
    if looked.by.is_empty() {
        text.push_str("  nothing looks at it\n");
    }
    let width = looked.by.iter().map(|by| by.model.chars().count()).max().unwrap_or(0);
    for Looks { model, kind, name, at } in &looked.by {
        let at = at.as_ref().map_or(String::new(), |at| format!("   {}:{}:{}", at.file, at.line, at.column));
        text.push_str(&format!("  {model:width$}   {kind:<5}   {name}{at}\n"));
    }
    text
}

/// `PATH`, `PATH:LINE` or, as messages print it, `PATH:LINE:COLUMN`. A file that has such a name itself is that file.
fn asked(session: &Session, start: &Start, text: &str) -> Result<Asked, Finding> {
    let mut words = text;
    let mut numbers = Vec::new();
    loop {
        let file = inside(&session.repository, start, words)?;
        if session.files.read(&file)?.is_some() {
            // Behind the path stand the line and then the column.
            let line = numbers.last().copied();
            return match line {
                Some(0) => Err(Finding::new(Code::Usage, format!("`{text}`: lines count from 1"))),
                line => Ok(Asked { file, line }),
            };
        }
        let number = words.rsplit_once(':').filter(|_| numbers.len() < 2);
        match number.and_then(|(path, number)| Some((path, number.parse::<u32>().ok()?))) {
            Some((path, number)) => {
                numbers.push(number);
                words = path;
            }
            None => {
                let finding = Finding::new(Code::Usage, format!("there is no file `{text}` in the view"));
                return Err(finding.help("write PATH or PATH:LINE, from the current folder"));
            }
        }
    }
}

fn of_model(
    program: &Program<'_>,
    model: &Model,
    compiled: &Compiled,
    asked: &Asked,
    report: &mut Report,
) -> Vec<Looks> {
    let one = |kind: &'static str, name: &str, at: Option<Place>| Looks {
        model: model.name.clone(),
        kind,
        name: name.to_owned(),
        at,
    };
    let mut found = Vec::new();
    for covered in &model.cover {
        found.extend(place(program, &covered.selector, asked, report).map(|at| one("item", &covered.text, Some(at))));
    }
    for (name, fact) in model.facts.iter().filter(|(name, _)| compiled.facts.contains_key(*name)) {
        let parsed = selectors(&fact.table).into_iter().filter_map(|at| Selector::parse(&at.value).ok());
        let places: Vec<Place> = parsed.filter_map(|selector| place(program, &selector, asked, report)).collect();
        found.extend(places.into_iter().next().map(|at| one(fact.table.word(), name, Some(at))));
    }
    let searched = model.calls.iter().filter(|(_, watched)| watched.within.contains(&asked.file));
    found.extend(searched.map(|(key, _)| one("calls", key, None)));
    let own = model.files.values().filter(|path| **path == asked.file);
    found.extend(own.map(|path| one("file", path.as_str(), None)));
    found
}

/// Where the item of a selector stands, when it holds the place. What cannot be read there is a warning: nobody knows
/// where it ends.
fn place(program: &Program<'_>, selector: &Selector, asked: &Asked, report: &mut Report) -> Option<Place> {
    let file = program.root().join(&selector.path).ok()?;
    if file != asked.file {
        return None;
    }
    match covered::read(program, selector) {
        Ok(read) => {
            let (at, end) = (read.at(), end_line(&read));
            let holds = |line: u32| end.is_none_or(|end| (at.line..=end).contains(&line));
            asked.line.is_none_or(holds).then_some(at)
        }
        Err(error) => {
            report.warnings.push(Finding::of_file(Code::of(error.code()), &file, error.to_string()));
            None
        }
    }
}

/// The last line; none for a whole file.
fn end_line(read: &Read) -> Option<u32> {
    match read {
        Read::Code(scope) if scope.name.contains('#') => Some(scope.place_at(scope.span.end).line),
        _ => None,
    }
}
