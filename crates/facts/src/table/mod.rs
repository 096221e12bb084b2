//! Sets and values: what can be read out of tables, enums, unions, lists and constants without running anything.
//!
//! What is no compile-time literal makes the whole fact unknown, with its place. Nothing is silently left out.

mod constant;
mod holds;
pub(crate) mod lookup;
mod number;
mod settled;

use crate::pattern::Pattern;
use crate::program::{Program, Scope, ScopeError};
use constant::{Reader, Unread};
use factgate_record::{Fact, FactKind, FactValue, Reason, Role};
use factgate_syntax::value::Entries;
use factgate_syntax::{ItemKind, NodeId, Selector};
use number::Value;

/// What a set takes of each entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Take {
    /// Its key, member name or element.
    #[default]
    Names,
    /// The value beside it.
    Values,
}

/// Reads a set: the entries of the table, enum, union or list that a selector names; with `filter`, a pattern of a
/// member (see [`Pattern::parse_member`]), only those whose value holds such a member.
pub fn read_set(program: &Program<'_>, from: &Selector, filter: Option<&Pattern>, take: Take) -> Fact {
    let scope = match program.scope(from) {
        Ok(scope) => scope,
        Err(error) => return without_scope(FactKind::Set, &error),
    };
    let mut reader = Reader::new(program);
    match settled::settled(program, &scope).and_then(|()| elements(&mut reader, &scope, filter, take)) {
        Ok(mut values) => {
            values.sort_by(number::order);
            values.dedup();
            let elements: Option<Vec<FactValue>> = values.iter().map(number::fact_value).collect();
            match elements {
                Some(elements) => known(FactKind::Set, FactValue::Set(elements), &scope),
                None => unread(FactKind::Set, &Unread::here(&scope, NodeId::ROOT, "a number beyond 64 bits")),
            }
        }
        Err(error) => unread(FactKind::Set, &error),
    }
}

/// Reads a value: the constant that a selector names.
pub fn read_value(program: &Program<'_>, from: &Selector) -> Fact {
    let scope = match program.scope(from) {
        Ok(scope) => scope,
        Err(error) => return without_scope(FactKind::Value, &error),
    };
    match settled::settled(program, &scope).and_then(|()| Reader::new(program).of_scope(&scope)) {
        Ok(value) => match number::fact_value(&value) {
            Some(value) => known(FactKind::Value, value, &scope),
            None => unread(FactKind::Value, &Unread::here(&scope, NodeId::ROOT, "a number beyond 64 bits")),
        },
        Err(error) => unread(FactKind::Value, &error),
    }
}

/// The constant that an expression in a scope is.
pub(crate) fn constant_at(program: &Program<'_>, scope: &Scope, node: NodeId) -> Option<FactValue> {
    Reader::new(program).of_node(scope, node).ok().and_then(|value| number::fact_value(&value))
}

/// The elements of a set, in source order.
fn elements(
    reader: &mut Reader<'_, '_>,
    scope: &Scope,
    filter: Option<&Pattern>,
    take: Take,
) -> Result<Vec<Value>, Unread> {
    let entries = match scope.source.language().rules().entries(&scope.tree, NodeId::ROOT) {
        Entries::All(entries) => entries,
        Entries::NotLiteral(node, what) => return Err(Unread::here(scope, node, what)),
    };
    let counted = counts_members(scope);
    let mut values = Vec::new();
    let mut next = Some(0i128);
    for entry in &entries {
        let value = match (entry.value, next) {
            (Some(_), _) if take == Take::Names && !counted => None,
            (Some(node), _) => Some(reader.of_node(scope, node)),
            (None, Some(number)) if counted => Some(Ok(Value::Integer(number))),
            (None, _) => None,
        };
        next = match &value {
            Some(Ok(Value::Integer(number))) => number.checked_add(1),
            _ => None,
        };
        if let Some(pattern) = filter
            && !holds::holds(pattern, scope, entry)?
        {
            continue;
        }
        match (take, value) {
            (Take::Names, _) => values.extend(reader.elements_of(scope, entry)?),
            (Take::Values, Some(value)) => values.push(value?),
            (Take::Values, None) => return Err(Unread::here(scope, entry.node, "an entry without a value")),
        }
    }
    Ok(values)
}

/// Whether members without a value get the next number: those of an enum do, elements of a list have no value.
fn counts_members(scope: &Scope) -> bool {
    let is_here = |item: &&factgate_syntax::Item| item.span == scope.span;
    let kind = scope.source.items().iter().find(is_here).map(|item| item.kind);
    matches!(kind, Some(ItemKind::Type | ItemKind::Container))
}

fn known(kind: FactKind, value: FactValue, scope: &Scope) -> Fact {
    let evidence = vec![scope.evidence(Role::Source, NodeId::ROOT)];
    Fact { kind, value: Some(value), reason: None, detail: None, evidence }
}

fn unread(kind: FactKind, unread: &Unread) -> Fact {
    let evidence = unread.evidence.clone();
    let (place, what) = (&evidence.place, unread.what.as_str());
    let detail = format!("`{}` at {}:{}:{} is {what}", evidence.text, place.file, place.line, place.column);
    Fact { kind, value: None, reason: Some(unread.reason), detail: Some(detail), evidence: vec![evidence] }
}

/// A fact whose scope is missing or broken.
pub fn without_scope(kind: FactKind, error: &ScopeError) -> Fact {
    let reason: Reason = error.reason();
    Fact { kind, value: None, reason: Some(reason), detail: Some(error.to_string()), evidence: Vec::new() }
}
