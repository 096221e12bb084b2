//! Guards: is an effect protected on every path to it (and followed by what it must be on every path from it).
//!
//! Decided on the core alone. The scope's file and what its imports lead to are lowered; functions that run there are put
//! into one graph (`put_in`). A guard's keys are questions (`question`) whose patterns are matched with nodes and with the
//! words of values (`query`, `spelling`, `atoms`). Values are followed to the tests that ask them (`flow`, `lives`), each
//! point of the graph changes what is known (`plan`, `points`), a fixpoint says which valuations reach each point (`solve`,
//! `state`), and each effect is judged by those that reach it (`verdict`). FALSE is explained in words (`explain`).

mod atoms;
mod classes;
mod code;
mod explain;
mod flow;
mod forms;
mod hints;
mod lives;
mod names;
mod plan;
mod points;
mod put_in;
mod query;
mod question;
mod reading;
mod sight;
mod solve;
mod spec;
mod spelling;
mod state;
mod then;
mod thens;
mod verdict;
mod whole;
mod witness;

pub(crate) use explain::quote;
pub use spec::{Assertions, Between, GuardSpec, Keys, ThenOn, Through};

use crate::core::{Effects, Objects};
use crate::pattern::{Env, Pattern};
use crate::program::{Program, Scope, ScopeError};
use atoms::Tests;
use explain::Explained;
use factgate_record::{Evidence, Fact, FactKind, FactValue, Reason, Role};
use factgate_syntax::NodeId;
use flow::Flow;
use names::Names;
use query::Query;
use question::Asked;
use reading::Reading;
use std::collections::{BTreeMap, BTreeSet};
use verdict::{By, Shown, Verdict, decide_effects};

/// Decides a guard in all of its scopes.
pub fn decide(program: &Program<'_>, spec: &GuardSpec, assertions: &Assertions) -> Fact {
    examine(program, spec, assertions).fact
}

/// A decision with what shows it, for [`crate::prove`].
pub(crate) struct Decision {
    pub(crate) fact: Fact,
    pub(crate) scopes: Vec<Examined>,
}

/// One scope of a guard that reads TRUE, with the nodes that show it.
pub(crate) struct Examined {
    /// With the file's tree.
    pub(crate) scope: Scope,
    /// The nodes of the file's tree that the scope is.
    pub(crate) within: Vec<NodeId>,
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

/// The fact of one scope, in which the nodes are those of the file's tree.
fn examine_scope(
    program: &Program<'_>,
    spec: &GuardSpec,
    assertions: &Assertions,
    scope: Scope,
) -> Result<Examined, Explained> {
    let found = sight::Found::of(program, scope);
    let mut examined = Examined {
        effects: BTreeSet::new(),
        checks: BTreeMap::new(),
        afters: BTreeSet::new(),
        thens: BTreeSet::new(),
        matches: BTreeSet::new(),
        scope: found.scope.clone(),
        within: found.within.clone(),
    };
    presence(spec, &mut examined)?;
    if spec.effect.is_empty() {
        return Ok(examined);
    }
    let effects = examined.find(&spec.effect, spec);
    if effects.is_empty() {
        return Err(nothing_matches(Reason::NoEffect, &spec.effect, &examined));
    }
    let files = sight::Files::new(&found.sight);
    let objects = Objects::new(&found.sight);
    let policy = put_in::Policy::new(program, &objects, &found.scope, &found.within, spec.through, assertions);
    let graph = put_in::graph(&policy, &effects);
    let known = Effects::of(&objects, &graph);
    let names = Names::new(&graph, &objects, &files);
    let constants = |frame, node| found.constant(&files, program, &graph, frame, node);
    let declared = |frame, name: &str| found.declares(&graph, frame, name);
    let mut tests = Tests::new(&names, &constants, &declared);
    let asked = Asked::of(spec);
    tests.reserve(&asked);
    let flow = Flow::of(&mut tests);
    let names = Names::new(&graph, &objects, &files);
    let reading = Reading::new(&found.scope, found.within.clone(), names, &known, &objects);
    let query = Query::new(spec, &reading, &asked, &mut tests, &flow);
    let mut failed: Option<(NodeId, Explained)> = None;
    let mut shown: BTreeSet<Shown> = BTreeSet::new();
    decide_effects(&query, &mut tests, &flow, &mut |effect, verdict, analysis| match verdict {
        Verdict::Unreachable => {}
        Verdict::Guarded(nodes) => {
            examined.effects.insert(effect.at.1);
            shown.extend(nodes);
        }
        Verdict::Failed(failure) => {
            if failed.as_ref().is_none_or(|(node, _)| effect.at.1 < *node) {
                failed = Some((effect.at.1, explain::explain(analysis, effect, &failure)));
            }
        }
    });
    if let Some((_, explained)) = failed {
        return Err(explained);
    }
    if examined.effects.is_empty() {
        return Err(unreached(&effects, &found.scope));
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
    let present = examined.find(&spec.never, spec);
    let scope = &examined.scope;
    if let Some(&node) = present.first() {
        let detail = format!("{} at {} stands in the scope", explain::quote(scope, node), scope.place(node).line);
        let evidence = present.iter().map(|&node| scope.evidence(Role::Breach, node)).collect();
        return Err(Explained { reason: Reason::Present, detail, evidence });
    }
    let matches = examined.find(&spec.has, spec);
    if !spec.has.is_empty() && matches.is_empty() {
        return Err(nothing_matches(Reason::Absent, &spec.has, examined));
    }
    examined.matches = matches;
    Ok(())
}

impl Examined {
    /// The nodes of the scope that one of the patterns matches.
    fn find(&self, patterns: &[Pattern], spec: &GuardSpec) -> BTreeSet<NodeId> {
        let env = Env::with(spec.matching.clone());
        let all = |pattern: &Pattern| -> Vec<NodeId> {
            let found = self.within.iter().flat_map(|&root| pattern.find_all(&self.scope.tree, root, &env));
            found.map(|found| found.node).collect()
        };
        patterns.iter().flat_map(all).collect()
    }

    /// The first node of the scope.
    pub(crate) fn top(&self) -> NodeId {
        self.within.first().copied().unwrap_or(NodeId::ROOT)
    }
}

fn unreached(effects: &BTreeSet<NodeId>, scope: &Scope) -> Explained {
    let node = effects.first().copied().unwrap_or(NodeId::ROOT);
    let detail = format!("no path leads to {} at {}", explain::quote(scope, node), scope.place(node).line);
    Explained { reason: Reason::NoEffect, detail, evidence: vec![scope.evidence(Role::Effect, node)] }
}

fn nothing_matches(reason: Reason, patterns: &[Pattern], examined: &Examined) -> Explained {
    let scope = &examined.scope;
    let (detail, near) = hints::matches_nothing("", patterns, scope, &examined.within);
    let mut evidence = vec![scope.evidence(Role::Scope, examined.top())];
    evidence.extend(near);
    Explained { reason, detail, evidence }
}

#[cfg(test)]
pub(crate) mod tests;
