//! What a fact means, as a hash for the record: a guard that is weakened keeps its value, and is another guard.
//!
//! Hashed is what the tables say, not how TOML spells it: the order of keys, alternatives and scopes does not count, nor
//! does a single value instead of a list of one, nor a default that is spelled out.

use crate::config::fact_tables::{AnyTable, GuardTable, TakeKind};
use crate::config::tables::PatternText;
use crate::config::{AnyFact, At, Model, OneOrMany};
use serde_json::Value;
use std::collections::BTreeMap;

/// The hash of each fact's definition, 64 hexadecimal digits, by the fact's name.
pub fn hashes(model: &Model) -> BTreeMap<String, String> {
    model.facts.iter().map(|(name, fact)| (name.clone(), hash(&content(model, &fact.table)))).collect()
}

type Content<'c> = BTreeMap<&'c str, Value>;

fn hash(content: &Content<'_>) -> String {
    blake3::hash(text(content).as_bytes()).to_hex().to_string()
}

fn text(content: &Content<'_>) -> String {
    let parts: Vec<String> = content.iter().map(|(key, value)| format!("{}:{value}", Value::from(*key))).collect();
    format!("{{{}}}", parts.join(","))
}

fn content<'m>(model: &'m Model, fact: &'m AnyFact) -> Content<'m> {
    match fact {
        AnyFact::Guard(table) => guard(model, table),
        AnyFact::Set(table) => {
            let mut content = Content::from([("kind", "set".into()), ("from", table.from.value.as_str().into())]);
            content.extend(table.filter.as_ref().map(|filter| ("where", pattern(&filter.value))));
            if table.take.unwrap_or_default() == TakeKind::Values {
                content.insert("take", "values".into());
            }
            content
        }
        AnyFact::Value(table) => Content::from([("kind", "value".into()), ("from", table.from.value.as_str().into())]),
    }
}

/// A guard, and the assertions that make conditions known to it.
fn guard<'m>(model: &Model, table: &'m GuardTable) -> Content<'m> {
    let scopes = table.within.iter().map(|scope| scope.value.as_str().into());
    let mut content = Content::from([("kind", "guard".into()), ("in", sorted(scopes))]);
    patterns(&mut content, "effect", table.effect.as_ref());
    patterns(&mut content, "never", table.never.as_ref());
    patterns(&mut content, "has", table.has.as_ref());
    content.extend(keys(&table.alternative()));
    if let Some(any) = &table.any {
        content.insert("any", sorted(any.iter().map(|any| text(&keys(&any.value)).into())));
    }
    if table.through == Some(true) {
        content.insert("through", true.into());
    }
    let matching = table.matching.iter().map(|(name, regex)| (name.clone(), Value::from(regex.value.as_str())));
    for (name, regex) in matching {
        content.entry("matching").or_insert_with(|| Value::Array(Vec::new()));
        if let Some(Value::Array(list)) = content.get_mut("matching") {
            list.push(Value::Array(vec![name.into(), regex]));
        }
    }
    for (key, calls) in [("assertions", &model.assertions), ("never_returns", &model.never_returns)] {
        if !calls.is_empty() {
            content.insert(key, sorted(calls.iter().map(|call| pattern(&call.value))));
        }
    }
    content
}

fn keys(table: &AnyTable) -> Content<'static> {
    let mut content = Content::new();
    let lists = [
        ("only_if", &table.only_if),
        ("skip_if", &table.skip_if),
        ("since", &table.since),
        ("after", &table.after),
        ("then", &table.then),
        ("without", &table.without),
    ];
    for (key, list) in lists {
        patterns(&mut content, key, list.as_ref());
    }
    if table.then_on_throw.as_ref().is_some_and(|on_throw: &At<bool>| on_throw.value) {
        content.insert("then_on_throw", true.into());
    }
    content
}

fn patterns<'c>(content: &mut Content<'c>, key: &'c str, list: Option<&OneOrMany<PatternText>>) {
    if let Some(list) = list {
        content.insert(key, sorted(list.iter().map(|one| pattern(&one.value))));
    }
}

/// A pattern as it is written, without the white space around its lines.
fn pattern(pattern: &PatternText) -> Value {
    let lines = |code: &str| code.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    match pattern {
        PatternText::Code(code) => lines(code).into(),
        PatternText::Inside { context, select } => Value::Array(vec![lines(context).into(), select.as_str().into()]),
    }
}

/// A list whose order does not count.
fn sorted(values: impl Iterator<Item = Value>) -> Value {
    let mut values: Vec<Value> = values.collect();
    values.sort_by_key(Value::to_string);
    values.dedup();
    Value::Array(values)
}
