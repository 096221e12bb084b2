//! Guards: is an effect protected on every path to it (and followed by what it must be on every path from it).
//!
//! A guard's patterns are matched in its scope (`query`), the places are laid over the scope's graph (`compile`),
//! a fixpoint says which valuations of the checks reach each point (`solve`, `state`), and each effect is judged by
//! the valuations that reach it (`verdict`). FALSE is explained in words (`explain`). Nothing here knows a language:
//! flow, conditions and property paths come from `factgate_syntax::languages::Rules`.

mod aliases;
mod asked;
mod assumed;
mod behind;
mod chains;
mod code;
mod compile;
mod condition;
mod ends;
mod establish;
mod explain;
mod flags;
mod helper;
mod hold;
mod inside;
mod locals;
mod method;
mod names;
mod passes;
mod query;
mod reading;
mod runs;
mod shape;
mod solve;
mod spec;
mod stands;
mod state;
mod then;
mod thens;
mod verdict;
mod whole;

pub(crate) use explain::quote;
pub use spec::{Assertions, Between, GuardSpec, Keys, ThenOn, Through};

use crate::pattern::{Env, Pattern};
use crate::program::{Program, Scope, ScopeError};
use explain::Explained;
use factgate_record::{Evidence, Fact, FactKind, FactValue, Reason, Role};
use factgate_syntax::NodeId;
use query::Query;
use reading::Reading;
use std::collections::{BTreeMap, BTreeSet};
use verdict::{By, Shown, Verdict, decide_effects};

/// Decides a guard in all of its scopes.
pub fn decide(program: &Program<'_>, spec: &GuardSpec, assertions: &Assertions) -> Fact {
    crate::judge::decide(program, spec, assertions)
}

/// A decision with what shows it, for [`crate::prove`].
pub(crate) struct Decision {
    pub(crate) fact: Fact,
    pub(crate) scopes: Vec<Examined>,
}

/// One scope of a guard that reads TRUE, with the nodes that show it.
pub(crate) struct Examined {
    pub(crate) scope: Scope,
    pub(crate) effects: BTreeSet<NodeId>,
    /// The checks, with the truth that each had where it has one of its own.
    pub(crate) checks: BTreeMap<NodeId, Option<bool>>,
    pub(crate) afters: BTreeSet<NodeId>,
    pub(crate) thens: BTreeSet<NodeId>,
    pub(crate) matches: BTreeSet<NodeId>,
}

/// Decides a guard and keeps what shows it.
pub(crate) fn examine(program: &Program<'_>, spec: &GuardSpec, assertions: &Assertions) -> Decision {
    let mut evidence = Vec::new();
    let mut scopes = Vec::new();
    let mut failed: Option<Explained> = None;
    for selector in &spec.scopes {
        let scope = match program.scope(selector) {
            Ok(scope) => scope,
            Err(error) => return Decision { fact: unknown(&error), scopes: Vec::new() },
        };
        match examine_scope(program, spec, assertions, scope) {
            Ok(examined) => {
                evidence.extend(examined.evidence());
                scopes.push(examined);
            }
            Err(explained) => failed = Some(failed.unwrap_or(explained)),
        }
    }
    let fact = match failed {
        Some(explained) => fact(Some(false), Some(explained.reason), Some(explained.detail), explained.evidence),
        None => fact(Some(true), None, None, evidence),
    };
    Decision { fact, scopes }
}

fn fact(value: Option<bool>, reason: Option<Reason>, detail: Option<String>, evidence: Vec<Evidence>) -> Fact {
    Fact { kind: FactKind::Guard, value: value.map(FactValue::Bool), reason, detail, evidence }
}

/// The fact of a guard whose scope could not be read.
fn unknown(error: &ScopeError) -> Fact {
    let reason = match error {
        ScopeError::Broken { .. } => Reason::ParseError,
        ScopeError::NoItem { problems, .. } if !problems.is_empty() => Reason::ParseError,
        ScopeError::Load(error) if error.code() != "selector" => Reason::ParseError,
        _ => Reason::NoScope,
    };
    fact(None, Some(reason), Some(error.to_string()), Vec::new())
}

impl Examined {
    fn evidence(&self) -> Vec<Evidence> {
        let checks = self.checks.keys().copied().collect();
        let roles = [
            (Role::Effect, &self.effects),
            (Role::Check, &checks),
            (Role::Passed, &self.afters),
            (Role::Passed, &self.thens),
            (Role::Passed, &self.matches),
        ];
        let all = roles.iter().flat_map(|(role, nodes)| nodes.iter().map(|&node| self.scope.evidence(*role, node)));
        all.collect()
    }
}

fn examine_scope(
    program: &Program<'_>,
    spec: &GuardSpec,
    assertions: &Assertions,
    scope: Scope,
) -> Result<Examined, Explained> {
    let mut examined = Examined {
        effects: BTreeSet::new(),
        checks: BTreeMap::new(),
        afters: BTreeSet::new(),
        thens: BTreeSet::new(),
        matches: BTreeSet::new(),
        scope,
    };
    presence(spec, &mut examined)?;
    if spec.effect.is_empty() {
        return Ok(examined);
    }
    let reading = Reading::of(program, &examined.scope, assertions);
    let query = Query::new(spec, &reading, program);
    let mut failed: Option<(NodeId, Explained)> = None;
    let mut shown: BTreeSet<Shown> = BTreeSet::new();
    decide_effects(&query, &mut |effect, verdict, analysis| match verdict {
        Verdict::Unreachable => {}
        Verdict::Guarded(nodes) => {
            examined.effects.insert(effect.node);
            shown.extend(nodes);
        }
        Verdict::Failed(failure) => {
            if failed.as_ref().is_none_or(|(node, _)| effect.node < *node) {
                failed = Some((effect.node, explain::explain(analysis, effect, &failure)));
            }
        }
    });
    if let Some((_, explained)) = failed {
        return Err(explained);
    }
    if examined.effects.is_empty() {
        return Err(no_effect(spec, &examined.scope, &query));
    }
    for Shown { node, by } in shown {
        match by {
            By::Check(truth) => drop(examined.checks.insert(node, truth)),
            By::After => drop(examined.afters.insert(node)),
            By::Then => drop(examined.thens.insert(node)),
        }
    }
    Ok(examined)
}

/// `never` and `has`.
fn presence(spec: &GuardSpec, examined: &mut Examined) -> Result<(), Explained> {
    let scope = &examined.scope;
    let find = |pattern: &Pattern| {
        let found = pattern.find_all(&scope.tree, NodeId::ROOT, &Env::with(spec.matching.clone()));
        found.into_iter().map(|found| found.node).collect::<BTreeSet<_>>()
    };
    let present: BTreeSet<NodeId> = spec.never.iter().flat_map(find).collect();
    if let Some(&node) = present.first() {
        let detail = format!("{} at {} stands in the scope", explain::quote(scope, node), scope.place(node).line);
        let evidence = present.iter().map(|&node| scope.evidence(Role::Breach, node)).collect();
        return Err(Explained { reason: Reason::Present, detail, evidence });
    }
    let matches: BTreeSet<NodeId> = spec.has.iter().flat_map(find).collect();
    if !spec.has.is_empty() && matches.is_empty() {
        return Err(nothing_matches(Reason::Absent, &spec.has, scope));
    }
    examined.matches = matches;
    Ok(())
}

fn no_effect(spec: &GuardSpec, scope: &Scope, query: &Query<'_>) -> Explained {
    let Some(effect) = query.effects.first() else {
        return nothing_matches(Reason::NoEffect, &spec.effect, scope);
    };
    let line = scope.place(effect.node).line;
    let detail = format!("no path leads to {} at {line}", explain::quote(scope, effect.node));
    Explained { reason: Reason::NoEffect, detail, evidence: vec![scope.evidence(Role::Effect, effect.node)] }
}

fn nothing_matches(reason: Reason, patterns: &[Pattern], scope: &Scope) -> Explained {
    let texts: Vec<String> = patterns.iter().map(|pattern| format!("`{}`", pattern.text().code())).collect();
    let mut detail = format!("nothing in {} matches {}", scope.name, texts.join(" or "));
    let mut evidence = vec![scope.evidence(Role::Scope, NodeId::ROOT)];
    let near = patterns.iter().flat_map(|pattern| pattern.near(&scope.tree, NodeId::ROOT, 1)).next();
    if let Some(near) = near {
        let (code, line) = (explain::quote(scope, near.node), scope.place(near.node).line);
        detail.push_str(&format!("; {code} at {line} comes close: {}", near.difference));
        evidence.push(scope.evidence(Role::NearMiss, near.node));
    }
    Explained { reason, detail, evidence }
}

#[cfg(test)]
pub(crate) mod tests;
