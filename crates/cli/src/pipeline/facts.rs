//! The facts of a model: its tables made into what `factgate-facts` evaluates, and the evaluation.

use crate::config::fact_tables::{AnyTable, GuardTable, TakeKind};
use crate::config::{AnyFact, At, Covered, Document, FactTable, Model, OneOrMany, Origin, Sourced, tables};
use crate::finding::{Code, Finding};
use crate::pipeline::definition;
use crate::pipeline::items::{self, Found};
use crate::pipeline::moved::Moves;
use crate::pipeline::patterns::{Reader, text};
use factgate_facts::guard::{self, Assertions, Between, GuardSpec, Keys, ThenOn, Through};
use factgate_facts::pattern::Pattern;
use factgate_facts::program::Program;
use factgate_facts::table::{self, Take};
use factgate_record::{Current, Fact, FactRecord, FactValue, Record};
use factgate_syntax::{Language, Selector, language_for_path};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// `"await"` as an alternative of `without`: every suspension point, however the language spells it.
const SUSPENSION: &str = "await";

/// The facts of a model with their patterns read.
#[derive(Debug, Default)]
pub struct Compiled {
    /// By name.
    pub facts: BTreeMap<String, Reading>,
    /// Call shapes, by key.
    pub shapes: BTreeMap<String, Vec<Pattern>>,
}

/// One fact, ready to be evaluated.
#[derive(Debug)]
pub enum Reading {
    /// A guard.
    Guard(Box<GuardSpec>, Assertions),
    /// A set.
    Set(Selector, Option<Pattern>, Take),
    /// A value.
    Value(Selector),
}

impl Compiled {
    /// Reads every pattern of a model, or says everything that is wrong with them.
    pub fn new(model: &Model) -> Result<Compiled, Vec<Finding>> {
        let mut compiled = Compiled::default();
        let mut wrong = Vec::new();
        for (name, fact) in &model.facts {
            compiled.facts.extend(reading(model, fact, &mut wrong).map(|reading| (name.clone(), reading)));
        }
        for (key, watched) in &model.calls {
            let shapes = crate::pipeline::calls::shapes(watched, &mut wrong);
            compiled.shapes.insert(key.clone(), shapes);
        }
        crate::finding::settle(&mut wrong);
        if wrong.is_empty() { Ok(compiled) } else { Err(wrong) }
    }
}

fn reading(model: &Model, fact: &FactTable, wrong: &mut Vec<Finding>) -> Option<Reading> {
    match &fact.table {
        AnyFact::Guard(table) => guard_reading(model, &fact.origin.document, table, wrong),
        AnyFact::Set(table) => {
            let mut reader = Reader::new(&fact.origin.document, &table.from.value)?;
            let filter = table.filter.as_ref().map(|filter| reader.member(filter));
            wrong.append(&mut reader.wrong);
            let take = match table.take.unwrap_or_default() {
                TakeKind::Names => Take::Names,
                TakeKind::Values => Take::Values,
            };
            let filter = match filter {
                Some(None) => return None,
                filter => filter.flatten(),
            };
            Some(Reading::Set(Selector::parse(&table.from.value).ok()?, filter, take))
        }
        AnyFact::Value(table) => Some(Reading::Value(Selector::parse(&table.from.value).ok()?)),
    }
}

fn guard_reading(model: &Model, document: &Document, table: &GuardTable, wrong: &mut Vec<Finding>) -> Option<Reading> {
    let first = table.within.iter().next()?;
    let mut reader = Reader::new(document, &first.value)?;
    let mut spec = GuardSpec {
        scopes: table.within.iter().filter_map(|scope| Selector::parse(&scope.value).ok()).collect(),
        effect: reader.all(table.effect.as_ref()),
        keys: keys(&mut reader, &table.alternative()),
        any: table.any.iter().flatten().map(|any| keys(&mut reader, &any.value)).collect(),
        never: reader.all(table.never.as_ref()),
        has: reader.all(table.has.as_ref()),
        through: if table.through == Some(true) { Through::Deep } else { Through::OneLevel },
        ..GuardSpec::default()
    };
    spec.matching = reader.matching(&table.matching, &patterns(&spec));
    let language = language_for_path(&spec.scopes.first()?.path)?;
    let assertions = assertions(model, language, wrong);
    let failed = !reader.wrong.is_empty();
    wrong.append(&mut reader.wrong);
    (!failed).then(|| Reading::Guard(Box::new(spec), assertions))
}

fn keys(reader: &mut Reader<'_>, table: &AnyTable) -> Keys {
    Keys {
        only_if: reader.conditions(table.only_if.as_ref()),
        skip_if: reader.conditions(table.skip_if.as_ref()),
        since: reader.all(table.since.as_ref()),
        after: reader.all(table.after.as_ref()),
        then: reader.all(table.then.as_ref()),
        then_on: then_on(table.then_on_throw.as_ref()),
        without: between(reader, table.without.as_ref()),
    }
}

fn then_on(on_throw: Option<&At<bool>>) -> ThenOn {
    if on_throw.is_some_and(|on_throw| on_throw.value) { ThenOn::EveryEnd } else { ThenOn::Return }
}

fn between(reader: &mut Reader<'_>, patterns: Option<&OneOrMany<tables::PatternText>>) -> Vec<Between> {
    let one = |pattern: &At<tables::PatternText>| match &pattern.value {
        tables::PatternText::Code(code) if code.trim() == SUSPENSION => Some(Between::Suspension),
        _ => reader.one(pattern).map(Between::Pattern),
    };
    patterns.iter().flat_map(|patterns| patterns.iter()).filter_map(one).collect()
}

/// Every pattern of a guard, for the names that `matching` may restrict.
fn patterns(spec: &GuardSpec) -> Vec<&Pattern> {
    let mut all: Vec<&Pattern> = [&spec.effect, &spec.never, &spec.has].into_iter().flatten().collect();
    for keys in spec.any.iter().chain([&spec.keys]) {
        all.extend([&keys.only_if, &keys.skip_if, &keys.since, &keys.after, &keys.then].into_iter().flatten());
        all.extend(keys.without.iter().filter_map(|between| match between {
            Between::Pattern(pattern) => Some(pattern),
            Between::Suspension => None,
        }));
    }
    all
}

/// `[assertions]` for one language. A pattern need be code of one of the model's languages only.
fn assertions(model: &Model, language: &'static Language, wrong: &mut Vec<Finding>) -> Assertions {
    let mut read = |patterns: &[Sourced<tables::PatternText>], form: &str| -> Vec<Pattern> {
        let one = |sourced: &Sourced<tables::PatternText>| match Pattern::parse(language, &text(&sourced.value)) {
            Ok(pattern) => {
                let Origin { document, span } = &sourced.origin;
                let message = not_an_assertion(&pattern, form);
                wrong.extend(message.map(|message| document.finding(Code::Pattern, message, span.clone())));
                Some(pattern)
            }
            Err(_) if is_code_elsewhere(&sourced.value) => None,
            Err(error) => {
                let Origin { document, span } = &sourced.origin;
                let code = text(&sourced.value);
                let part = document.inside_string(code.code(), span, error.offset..code.code().len());
                let message = format!("`{}` is no pattern: {}", code.code(), error.message);
                wrong.push(document.finding(Code::Pattern, message, part));
                None
            }
        };
        patterns.iter().filter_map(one).collect()
    };
    Assertions { calls: read(&model.assertions, "($C, $$$)"), never_returns: read(&model.never_returns, "($$$)") }
}

/// What is wrong with a pattern of `[assertions]` that no call can match, or that says nothing of one.
fn not_an_assertion(pattern: &Pattern, form: &str) -> Option<String> {
    let code = pattern.text().code().trim().to_owned();
    let rules = pattern.language().rules();
    let is_name = pattern.root().is_some_and(|root| {
        let access = rules.access(pattern.tree(), root);
        !pattern.is_placeholder(root) && access.is_some() && rules.call(pattern.tree(), root).is_none()
    });
    if is_name {
        return Some(format!("`{code}` is a name, not a call of it: write `{code}{form}`"));
    }
    let wants = form.contains("$C") && !pattern.names().contains("C");
    wants.then(|| format!("`{code}` does not say which argument is the condition: write `$C` in its place"))
}

fn is_code_elsewhere(pattern: &tables::PatternText) -> bool {
    factgate_syntax::LANGUAGES.iter().any(|language| Pattern::parse(language, &text(pattern)).is_ok())
}

/// Evaluates every fact.
pub fn gather(
    model: &Model,
    compiled: &Compiled,
    program: &Program<'_>,
    recorded: Option<&Record>,
    moves: &Moves,
    current: &mut Current,
    out: &mut Found,
) {
    // One misspelt selector is told once, however many facts name it.
    let mut told: BTreeSet<String> =
        current.unread.iter().flat_map(|unread| [unread.clone(), path(model, unread)]).collect();
    let definitions = definition::hashes(model);
    let facts: Vec<(&String, Fact)> =
        compiled.facts.par_iter().map(|(name, reading)| (name, evaluate(reading, program, moves))).collect();
    for (name, fact) in facts {
        if fact.value.is_none() {
            // One whose scope is gone is STALE where the record has it, and an error otherwise.
            let recorded = recorded.and_then(|recorded| recorded.facts.get(name));
            let is_same = |known: &FactRecord| known.of.as_ref().is_none_or(|of| definitions.get(name) == Some(of));
            let is_recorded = recorded.is_some_and(is_same);
            for Unread { selector, gone, finding } in unread(model, program, moves, name) {
                if !(is_recorded && gone) && told.insert(selector) {
                    out.errors.push(finding);
                }
            }
        }
        out.warnings.extend(empty_filter(model, name, &fact));
        current.facts.insert(name.clone(), fact);
    }
    current.definitions = definitions;
}

/// A warning for a `where` that no entry answers: a misspelt member reads like an empty set.
fn empty_filter(model: &Model, name: &str, fact: &Fact) -> Option<Finding> {
    let table = model.facts.get(name)?;
    let AnyFact::Set(set) = &table.table else { return None };
    let filter = set.filter.as_ref().filter(|_| fact.value == Some(FactValue::Set(Vec::new())))?;
    let message = format!("`{name}` is the empty set: no entry has what `where` asks for");
    Some(table.origin.document.finding(Code::Pattern, message, filter.span.clone()))
}

/// Reads a fact where its scopes stand now.
fn evaluate(reading: &Reading, program: &Program<'_>, moves: &Moves) -> Fact {
    match reading {
        Reading::Guard(spec, assertions) if moves.items.is_empty() => guard::decide(program, spec, assertions),
        Reading::Guard(spec, assertions) => {
            let scopes = spec.scopes.iter().map(|scope| moves.follow(scope)).collect();
            guard::decide(program, &GuardSpec { scopes, ..GuardSpec::clone(spec) }, assertions)
        }
        Reading::Set(from, filter, take) => table::read_set(program, &moves.follow(from), filter.as_ref(), *take),
        Reading::Value(from) => table::read_value(program, &moves.follow(from)),
    }
}

/// The file of a selector.
fn path(model: &Model, selector: &str) -> String {
    Selector::parse(selector).map(|selector| model.source(&selector.path).to_string()).unwrap_or_default()
}

/// A scope of an unknown fact that could not be read: why, and whether it is certainly gone.
struct Unread {
    /// What is wrong: the selector, or the file that is not there.
    selector: String,
    gone: bool,
    finding: Finding,
}

fn unread(model: &Model, program: &Program<'_>, moves: &Moves, name: &str) -> Vec<Unread> {
    let Some(fact) = model.facts.get(name) else { return Vec::new() };
    let mut errors = Vec::new();
    for at in selectors(&fact.table) {
        let Ok(selector) = Selector::parse(&at.value).map(|selector| moves.follow(&selector)) else { continue };
        let Err(error) = program.scope(&selector) else { continue };
        let origin = Origin { document: fact.origin.document.clone(), span: at.span.clone() };
        let finding = items::failure(&error, &Covered { text: at.value.clone(), selector, origin }, program);
        let selector = items::missing_file(&error).map_or_else(|| at.value.clone(), ToString::to_string);
        errors.push(Unread { selector, gone: error.is_missing(), finding });
    }
    errors
}

/// Where a fact says its selectors.
pub fn selectors(fact: &AnyFact) -> Vec<&At<String>> {
    match fact {
        AnyFact::Guard(guard) => guard.within.iter().collect(),
        AnyFact::Set(set) => vec![&set.from],
        AnyFact::Value(value) => vec![&value.from],
    }
}

/// Whether no fact is unknown.
pub fn all_known(facts: &BTreeMap<String, Fact>) -> bool {
    facts.values().all(|fact| fact.value.is_some())
}
