//! The wrapper module: the specification with a cursor over the recorded lines.

use super::data::{self, Line};
use super::{Allowed, TraceError, value};
use crate::applications::{Applications, Called, NoCall};
use crate::constant::quoted;
use crate::definitions::{Definitions, text};
use crate::plan::Prepared;
use std::collections::BTreeSet;

pub(super) const MODULE: &str = "FactgateTrace";
pub(super) const CURSOR: &str = "factgate_cursor";
pub(super) const INIT: &str = "factgate_init";
pub(super) const NEXT: &str = "factgate_next";
/// The action that led to a state.
pub(super) const TAKEN: &str = "factgate_taken";
/// The first invariant that broke on the way.
pub(super) const BROKEN: &str = "factgate_broken";
/// The wrapper's own variables.
pub(super) const OWN: [&str; 3] = [CURSOR, TAKEN, BROKEN];
/// The invariant whose violation means that the last line was reached, and another invariant broke on the way.
pub(super) const KEPT: &str = "factgate_kept";
/// The invariant whose violation means that the last line was reached.
pub(super) const UNFINISHED: &str = "factgate_unfinished";
/// The invariant that always holds, and prints how far the cursor came.
pub(super) const SEEN: &str = "factgate_seen";

const REACHED: &str = "factgate-reached";
const ALLOWED: &str = "factgate-allowed";

/// Whether the wrapper may take one step that no line records, and prints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Free {
    /// It may not.
    No,
    /// From the last line that is walked to.
    Step,
}

pub(super) struct Wrapper {
    root: String,
    variables: Vec<String>,
    init: String,
    next: String,
    /// The recorded actions, as they are written, as formulas.
    recorded: Vec<(String, String)>,
    silent: Vec<(String, String)>,
    /// Invariants that are looked at on the way.
    invariants: Vec<String>,
    /// What a free step is printed as: the action, and how it is applied.
    actions: Vec<(String, Option<Called>)>,
    /// Whether each action can be told from the others.
    told: Told,
}

/// Whether every action of the relation can be applied by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    All,
    Some,
}

impl Wrapper {
    pub(super) fn new(prepared: &Prepared, lines: &[Line], silent: &[String]) -> Result<Wrapper, TraceError> {
        let definitions = Definitions::read(&prepared.root, &prepared.modules);
        let (init, next) = behaviour(prepared, &definitions)?;
        let is_start = |action: &String| {
            let name = action.split('(').next().unwrap_or(action).trim();
            [init.as_str(), "init", "initial"].iter().any(|one| name.eq_ignore_ascii_case(one))
        };
        if let Some(action) = lines.first().and_then(|line| line.action.as_ref()).filter(|action| !is_start(action)) {
            return Err(TraceError::First(action.clone()));
        }
        let applications = Applications::new(&definitions, &next);
        let models = prepared.cfg.model_values();
        let formula = |action: &String| formula(&applications, &models, action);
        let actions: BTreeSet<&String> = lines.iter().skip(1).filter_map(|line| line.action.as_ref()).collect();
        let recorded = actions.into_iter().map(|action| Ok((action.clone(), formula(action)?)));
        let recorded = recorded.collect::<Result<_, TraceError>>()?;
        let silent = silent.iter().map(|action| Ok((action.clone(), formula(action)?)));
        let silent = silent.collect::<Result<_, TraceError>>()?;
        let body = definitions.get(&next).map(|definition| text(&definition.body));
        let mut actions: Vec<(String, Option<Called>)> = Vec::new();
        let mut told = Told::All;
        for name in definitions.actions_in(body.as_deref().unwrap_or(&next)) {
            let called = applications.called(&name).unwrap_or_default();
            if called.is_empty() {
                told = Told::Some;
            }
            actions.extend(called.into_iter().map(|one| (name.clone(), Some(one))));
        }
        if actions.is_empty() {
            actions.push((next.clone(), None));
        }
        let variables = prepared.variables.clone();
        let invariants = prepared.cfg.invariants.clone();
        Ok(Wrapper { root: prepared.root.clone(), variables, init, next, recorded, silent, invariants, actions, told })
    }

    /// Every action that a step may be, by name.
    pub(super) fn names(&self) -> BTreeSet<String> {
        self.actions.iter().map(|(name, _)| name.clone()).collect()
    }

    /// A step that no line names, as each action of the relation; where one cannot be told, as the relation itself.
    fn unnamed(&self) -> String {
        let tagged = |(name, called): &(String, Option<Called>)| {
            let after = format!("{TAKEN}' = {}", quoted(name));
            match called {
                Some(called) => called.between(&self.next, &after),
                None => format!("({}) /\\ {after}", self.next),
            }
        };
        let mut steps: Vec<String> = self.actions.iter().map(tagged).collect();
        if self.told == Told::Some {
            steps.push(format!("({}) /\\ {TAKEN}' = \"\"", self.next));
        }
        steps.iter().map(|step| format!("\n     \\/ ({step})")).collect()
    }

    /// The first of the invariants that a state breaks.
    fn breaks(&self) -> String {
        let one = |rest: String, name: &String| format!("IF ~({name}) THEN {} ELSE {rest}", quoted(name));
        self.invariants.iter().rev().fold("\"\"".to_owned(), one)
    }

    /// The module that walks up to this line.
    pub(super) fn text(&self, lines: usize, free: Free) -> String {
        let vars = self.variables.join(", ");
        let fits = self.variables.iter().map(|name| {
            format!(
                "  /\\ \"{name}\" \\in factgate_trace[{CURSOR}].has => {name} = factgate_trace[{CURSOR}].is.{name}\n"
            )
        });
        let fits: String = fits.collect();
        let recorded = self.recorded.iter().map(|(action, call)| {
            let name = action.split('(').next().unwrap_or(action).trim();
            format!("\n  \\/ (factgate_action = {} /\\ ({call}) /\\ {TAKEN}' = {})", quoted(action), quoted(name))
        });
        let recorded: String = recorded.collect();
        let silent = self.silent.iter().map(|(action, call)| {
            let taken = format!("{TAKEN}' = {} /\\ factgate_breaks", quoted(action));
            format!("  \\/ {CURSOR} < {lines} /\\ ({}) /\\ ({call}) /\\ UNCHANGED {CURSOR} /\\ {taken}\n", self.next)
        });
        let silent: String = silent.collect();
        let (free_step, open) = match free {
            Free::No => (String::new(), format!("{CURSOR} < {lines}")),
            Free::Step => (self.free(lines), "TRUE".to_owned()),
        };
        format!(
            "---- MODULE {MODULE} ----\nEXTENDS {root}, {data}\nLOCAL INSTANCE Naturals\nLOCAL INSTANCE TLC\n\
             VARIABLES {CURSOR}, {TAKEN}, {BROKEN}\n\
             ASSUME TLCSet(1, 0)\n\
             factgate_vars == <<{vars}>>\n\
             factgate_fits ==\n{fits}  /\\ TRUE\n\
             factgate_broken_now == {breaks}\n\
             factgate_breaks == {BROKEN}' = IF {BROKEN} # \"\" THEN {BROKEN} ELSE factgate_broken_now'\n\
             {INIT} == ({init}) /\\ {CURSOR} = 1 /\\ factgate_fits /\\ {TAKEN} = \"\" /\\ {BROKEN} = factgate_broken_now\n\
             factgate_action == factgate_trace[{CURSOR} + 1].action\n\
             factgate_recorded ==\n  \\/ FALSE{recorded}\n\
             factgate_still == factgate_action = \"\" /\\ UNCHANGED factgate_vars /\\ {TAKEN}' = \"\"\n\
             factgate_unnamed ==\n  /\\ factgate_action = \"\"\n  /\\ {unnamed}\n\
             factgate_step ==\n\
             \x20 /\\ (factgate_still \\/ (({next}) /\\ factgate_recorded) \\/ factgate_unnamed)\n\
             \x20 /\\ {CURSOR}' = {CURSOR} + 1\n\
             \x20 /\\ factgate_fits'\n\
             \x20 /\\ factgate_breaks\n\
             {NEXT} ==\n  \\/ {CURSOR} < {lines} /\\ factgate_step\n{silent}{free_step}\
             {SEEN} == {CURSOR} > TLCGet(1) => TLCSet(1, {CURSOR}) /\\ PrintT(<<\"{REACHED}\", {CURSOR}>>)\n\
             {KEPT} == {CURSOR} < {lines} \\/ {BROKEN} = \"\"\n\
             {UNFINISHED} == {open}\n====\n",
            breaks = self.breaks(),
            unnamed = self.unnamed(),
            root = self.root,
            data = data::MODULE,
            init = self.init,
            next = self.next,
        )
    }

    fn free(&self, lines: usize) -> String {
        let step = |(name, called): &(String, Option<Called>)| {
            let printed: String = self.variables.iter().map(|variable| {
                format!(" /\\ (IF {variable}' # {variable} THEN PrintT(<<\"{ALLOWED}\", \"{name}\", \"{variable}\", {variable}'>>) ELSE TRUE)")
            }).collect();
            let arguments = called.as_ref().map(|called| called.arguments.join(", ")).unwrap_or_default();
            let after = format!(
                "{CURSOR}' = {} /\\ UNCHANGED <<{TAKEN}, {BROKEN}>> /\\ PrintT(<<\"{ALLOWED}\", \"{name}\", <<{arguments}>>>>){printed}",
                lines + 1,
            );
            let taken = match called {
                Some(called) => called.between(&self.next, &after),
                None => format!("({}) /\\ {after}", self.next),
            };
            format!("  \\/ {CURSOR} = {lines} /\\ ({taken})\n")
        };
        self.actions.iter().map(step).collect()
    }
}

/// A recorded action as a formula over the specification.
fn formula(applications: &Applications<'_, '_>, models: &BTreeSet<String>, action: &str) -> Result<String, TraceError> {
    let wrong = |why: String| TraceError::Written(action.to_owned(), why);
    let (name, arguments) = value::parts(action).map_err(wrong)?;
    let texts = |arguments: Vec<String>| arguments.iter().map(|one| value::module_text(one, models)).collect();
    let arguments: Option<Vec<String>> = arguments.map(texts).transpose().map_err(wrong)?;
    applications.call(name, arguments.as_deref()).map_err(|why| match why {
        NoCall::Unknown => TraceError::Action(name.to_owned()),
        NoCall::Arguments => TraceError::Arguments(name.to_owned()),
        NoCall::Count(0) => TraceError::Written(action.to_owned(), format!("`{name}` takes no argument")),
        NoCall::Count(1) => TraceError::Written(action.to_owned(), format!("`{name}` takes 1 argument")),
        NoCall::Count(count) => TraceError::Written(action.to_owned(), format!("`{name}` takes {count} arguments")),
    })
}

fn behaviour(prepared: &Prepared, definitions: &Definitions<'_>) -> Result<(String, String), TraceError> {
    let named = |wanted: &str| {
        let line = prepared.cfg.behaviour.iter().find(|(key, _)| key == wanted);
        line.map(|(_, name)| name.clone())
    };
    if let (Some(init), Some(next)) = (named("INIT"), named("NEXT")) {
        return Ok((init, next));
    }
    let name = named("SPECIFICATION").unwrap_or_else(|| "Spec".to_owned());
    definitions.behaviour(&name).ok_or(TraceError::Behaviour(name))
}

/// The cursor in a line that the wrapper printed.
pub(super) fn cursor(line: &str) -> Option<usize> {
    line.trim()
        .strip_prefix("<<")?
        .trim_start()
        .strip_prefix(&format!("\"{REACHED}\", "))?
        .trim_end_matches(['>', ' '])
        .parse()
        .ok()
}

/// The free steps that the wrapper printed. A value may run over several lines.
pub(super) fn allowed(lines: &[String]) -> Vec<Allowed> {
    let mut values: Vec<String> = Vec::new();
    for line in lines {
        let starts = line
            .trim_start()
            .strip_prefix("<<")
            .is_some_and(|rest| rest.trim_start().starts_with(&format!("\"{ALLOWED}\"")));
        match values.last_mut() {
            _ if starts => values.push(line.trim().to_owned()),
            Some(value) if !closed(value) => {
                value.push(' ');
                value.push_str(line.trim());
            }
            _ => {}
        }
    }
    let mut steps: Vec<Allowed> = Vec::new();
    for value in &values {
        let inner = value.trim_start_matches("<<").trim().strip_suffix(">>").unwrap_or(value).trim();
        let mut parts = inner.splitn(4, ',').map(str::trim).skip(1);
        let name = |part: Option<&str>| part.unwrap_or_default().trim_matches('"').to_owned();
        let action = name(parts.next());
        let (third, fourth) = (parts.next().unwrap_or_default(), parts.next());
        match (third.starts_with("<<"), steps.last_mut(), fourth) {
            (false, Some(step), Some(value)) => step.changes.push((name(Some(third)), value.to_owned())),
            _ => {
                let arguments = [Some(third), fourth].into_iter().flatten().collect::<Vec<_>>().join(", ");
                let arguments =
                    arguments.strip_prefix("<<").and_then(|text| text.strip_suffix(">>")).unwrap_or_default();
                let arguments = arguments.trim();
                let action = if arguments.is_empty() { action } else { format!("{action}({arguments})") };
                steps.push(Allowed { action, changes: Vec::new() });
            }
        }
    }
    steps.sort();
    steps.dedup();
    steps
}

/// Whether every bracket of a printed value is closed.
fn closed(value: &str) -> bool {
    value.matches("<<").count() == value.matches(">>").count() && value.ends_with(">>")
}
