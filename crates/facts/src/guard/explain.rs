//! Reasons in words, with places, for a guard that reads FALSE.

use super::reading::{Place, Reading, agree};
use super::then::Escape;
use super::verdict::{Analysis, Demand, Failure, How};
use crate::pattern::Pattern;
use crate::program::Scope;
use factgate_ir::graph::{self, Action, Ending, PointId};
use factgate_ir::{Atom, Operand};
use factgate_record::{Evidence, Reason, Role};
use factgate_syntax::NodeId;
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeSet, VecDeque};

/// Steps of the search for a path beyond which the sentence goes without one.
const MOST_STEPS: usize = 200_000;
/// Characters of code in a sentence.
const QUOTED: usize = 60;

/// A reason, its sentence, and the places that it names.
pub(super) struct Explained {
    pub(super) reason: Reason,
    pub(super) detail: String,
    pub(super) evidence: Vec<Evidence>,
}

/// Explains a failure.
pub(super) fn explain(analysis: &Analysis<'_, '_, '_>, effect: &Place, failure: &Failure) -> Explained {
    let explainer = Explainer { analysis, reading: analysis.query.reading, effect, failure };
    let mut explained = explainer.explain();
    explained.evidence.insert(0, explainer.scope().evidence(Role::Effect, effect.at.1));
    explained.evidence.extend(explainer.undone());
    explained
}

/// The code of a node, on one line and not too long.
pub(crate) fn quote(scope: &Scope, node: NodeId) -> String {
    let tree = &scope.tree;
    // A word alone (the `of` of a loop) says less than what it stands in.
    let is_word = tree.is_leaf(node) && scope.source.language().is_token(tree.kind(node));
    let node = tree.parent(node).filter(|_| is_word).unwrap_or(node);
    let span = tree.span(node);
    let text = scope.source.text().get(span.range()).unwrap_or("");
    let line = on_one_line(text);
    match line.char_indices().nth(QUOTED) {
        Some((at, _)) => format!("`{}…`", &line[..at]),
        None => format!("`{line}`"),
    }
}

/// Code without its line breaks, as it would be written on one line.
fn on_one_line(text: &str) -> String {
    let mut line = String::new();
    for part in text.lines().map(|part| part.split_whitespace().collect::<Vec<_>>().join(" ")) {
        let closes = part.starts_with([')', ']']);
        if closes && line.ends_with(',') {
            line.pop();
        }
        let goes_on =
            part.starts_with('.') && line.ends_with(|last: char| last.is_alphanumeric() || ")]_".contains(last));
        if !line.is_empty() && !part.is_empty() && !closes && !goes_on && !line.ends_with(['(', '[']) {
            line.push(' ');
        }
        line.push_str(&part);
    }
    line
}

/// `the check at 41`: what a node is, and its line.
fn at(scope: &Scope, what: &str, node: NodeId) -> String {
    format!("{what} {} at {}", quote(scope, node), scope.place(node).line)
}

/// A test on a path.
#[derive(Clone, Copy)]
struct Tested {
    point: PointId,
    node: NodeId,
    outcome: bool,
}

struct Explainer<'e, 'a, 'q, 'r> {
    analysis: &'e Analysis<'a, 'q, 'r>,
    reading: &'e Reading<'r>,
    effect: &'e Place,
    failure: &'e Failure,
}

impl Explainer<'_, '_, '_, '_> {
    fn scope(&self) -> &Scope {
        self.reading.scope
    }

    fn explain(&self) -> Explained {
        let effect = self.effect_words();
        let wanted = self.wanted();
        let breach = |reason, detail: String, node| {
            let evidence = vec![self.scope().evidence(Role::Breach, node)];
            Explained { reason, detail, evidence }
        };
        match &self.failure.how {
            How::WrongOutcome(node) => {
                let check = at(self.scope(), "the check", *node);
                breach(Reason::WrongOutcome, format!("{check} reaches {effect} with the other outcome"), *node)
            }
            How::Reassigned(node) => {
                let assigned = at(self.scope(), "the assignment", *node);
                breach(Reason::Reassigned, format!("{assigned} stands between {wanted} and {effect}"), *node)
            }
            How::Interrupted(node) => {
                let between = at(self.scope(), "", *node);
                breach(Reason::Interrupted, format!("{} lies between {wanted} and {effect}", between.trim()), *node)
            }
            How::Stale(node) => {
                let since = at(self.scope(), "", *node);
                breach(Reason::StaleCheck, format!("{} comes after {wanted}, before {effect}", since.trim()), *node)
            }
            How::TooEarly(node) => {
                let check = at(self.scope(), "the check", *node);
                let detail = format!("{check} was made before any node of `since`, so {effect} rests on an old answer");
                breach(Reason::StaleCheck, detail, *node)
            }
            How::Escapes(escape) | How::EscapesAll(escape) => self.escapes(escape, &effect),
            How::Missing => self.missing(&effect),
        }
    }

    /// `the rm at 58`.
    fn effect_words(&self) -> String {
        let (scope, node) = (self.scope(), self.effect.at.1);
        let rules = self.reading.rules;
        let callee = rules.call(&scope.tree, node).and_then(|call| rules.access(&scope.tree, call.callee));
        let name = callee.and_then(|access| match access.path.last() {
            Some(property) => property.clone(),
            None => Some(scope.tree.text(access.root).to_owned()),
        });
        let name = name.map_or_else(|| quote(scope, node), |name| format!("`{name}`"));
        format!("the {name} at {}", scope.place(node).line)
    }

    fn patterns(&self) -> &[Pattern] {
        let table = &self.analysis.query.asked.tables[self.failure.table];
        match self.failure.demand {
            Demand::Check(index) => &table.checks[index].patterns,
            Demand::After(index) => &table.afters[index],
            Demand::Then(index) => &table.thens[index].patterns,
        }
    }

    /// The key that fails, by its patterns.
    fn wanted(&self) -> String {
        let what = match self.failure.demand {
            Demand::Check(_) => "the check of ",
            Demand::After(_) | Demand::Then(_) => "",
        };
        let tables = self.analysis.query.asked.tables.iter();
        let of_all = || tables.flat_map(|table| &table.thens).flat_map(|then| &then.patterns).collect();
        let patterns: Vec<&Pattern> = match self.failure.how {
            How::EscapesAll(_) => of_all(),
            _ => self.patterns().iter().collect(),
        };
        let mut texts: Vec<String> = Vec::new();
        for text in patterns.iter().map(|pattern| format!("`{}`", pattern.text().code())) {
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        format!("{what}{}", texts.join(" or "))
    }

    fn escapes(&self, escape: &Escape, effect: &str) -> Explained {
        let way = match (escape.ending, escape.last) {
            (Ending::Raise, Some(node)) => at(self.scope(), "an error raised behind", node),
            (_, Some(node)) => at(self.scope(), "the way out behind", node),
            (_, None) => "the end of the scope".to_owned(),
        };
        let mut detail = format!("{way} leaves {effect} without {}", self.wanted());
        if let Some(node) = escape.reassigned {
            detail.push_str(&format!("; behind {} it means something else", at(self.scope(), "the assignment", node)));
        }
        let shown = escape.reassigned.or(escape.last);
        let evidence = shown.map(|node| self.scope().evidence(Role::Breach, node)).into_iter().collect();
        Explained { reason: Reason::NotFollowed, detail, evidence }
    }

    fn missing(&self, effect: &str) -> Explained {
        let is_check = matches!(self.failure.demand, Demand::Check(_));
        let nodes = self.candidates();
        if is_check && let Some(late) = self.late(&nodes) {
            let detail = format!("{} stands after {effect}", at(self.scope(), "the check", late));
            let evidence = vec![self.scope().evidence(Role::Check, late)];
            return Explained { reason: Reason::Late, detail, evidence };
        }
        let reason = if is_check { Reason::Unguarded } else { Reason::NotPassed };
        let short_of = if is_check { "unchecked".to_owned() } else { format!("without {}", self.wanted()) };
        let mut evidence = Vec::new();
        let mut detail = match self.branch(&nodes) {
            Some(test) => {
                evidence.push(self.scope().evidence(Role::Breach, test.node));
                let line = self.scope().place(test.node).line;
                format!("the branch at {line} where {} reaches {effect} {short_of}", self.holds(test))
            }
            None => format!("a straight way from the start reaches {effect} {short_of}"),
        };
        if let Some((words, shown)) = self.near(&nodes) {
            detail.push_str(&words);
            evidence.push(shown);
        }
        Explained { reason, detail, evidence }
    }

    /// A test with its outcome, in words: "`a` is false", "`s` is `'b'`".
    fn holds(&self, tested: Tested) -> String {
        let scope = self.scope();
        let point = self.reading.graph().point(tested.point);
        let Action::Assume { atom, .. } = &point.action else { return quote(scope, tested.node) };
        let outcome = tested.outcome;
        if let (None, Atom::Same(left, Operand::Value(right), _)) = (self.reading.own_truth(tested.node), atom) {
            let [left, right] = [left, right].map(|&value| self.reading.node_of(point.frame, value));
            let is = if outcome { "is" } else { "is not" };
            return format!("{} {is} {}", quote(scope, left), quote(scope, right));
        }
        let is_true = self.reading.own_truth(tested.node).is_none_or(|same| same == outcome);
        format!("{}{}", quote(scope, tested.node), if is_true { "" } else { " is false" })
    }

    /// The nodes in the code that would satisfy the failing key, under its bindings.
    fn candidates(&self) -> BTreeSet<NodeId> {
        let query = self.analysis.query;
        let binds = &self.failure.binds;
        match self.failure.demand {
            Demand::Check(_) => self.tests(&|other| agree(binds, other)),
            Demand::After(index) => {
                let places = &query.places[self.failure.table].afters[index];
                let places = places.iter().filter(|place| agree(binds, &place.binds));
                places.map(|place| self.reading.shown(place.at)).collect()
            }
            Demand::Then(_) => BTreeSet::new(),
        }
    }

    /// The tests of the failing key's atoms whose bindings fit.
    fn tests(&self, fits: &dyn Fn(&super::reading::Binds) -> bool) -> BTreeSet<NodeId> {
        let query = self.analysis.query;
        let Demand::Check(index) = self.failure.demand else { return BTreeSet::new() };
        let mut literals = Vec::new();
        let check = &query.asked.tables[self.failure.table].checks[index];
        check.formulas.iter().for_each(|formula| formula.literals(&mut literals));
        let wanted: BTreeSet<usize> = literals.into_iter().map(|(atom, _)| atom).collect();
        let hits = query.hits.iter().filter(|bound| wanted.contains(&bound.hit.atom) && fits(&bound.binds));
        let forms: BTreeSet<_> = hits.map(|bound| bound.hit.form).collect();
        let tests = query.tested.iter().filter(|(form, _)| forms.contains(form));
        tests.map(|&(_, at)| self.reading.shown(at)).collect()
    }

    /// A check that stands only behind the effect, and on a way from it.
    fn late(&self, nodes: &BTreeSet<NodeId>) -> Option<NodeId> {
        let first = nodes.first()?;
        if *first < self.effect.at.1 {
            return None;
        }
        let behind = graph::reachable(self.reading.graph(), [self.failure.point]);
        let is_behind = |node: &&NodeId| self.assumed_at(**node).iter().any(|point| behind[point.index()]);
        nodes.iter().find(is_behind).copied()
    }

    /// What showed the key until something came between.
    fn undone(&self) -> Option<Evidence> {
        let between = match self.failure.how {
            How::Reassigned(node) | How::Interrupted(node) | How::Stale(node) => node,
            _ => return None,
        };
        let role = if matches!(self.failure.demand, Demand::Check(_)) { Role::Check } else { Role::Passed };
        let last = self.candidates().into_iter().rfind(|&node| node < between)?;
        Some(self.scope().evidence(role, last))
    }

    /// The points at which the outcome of a test is learnt, or a value is there.
    fn assumed_at(&self, node: NodeId) -> Vec<PointId> {
        let graph = self.reading.graph();
        let is_it = |id: &PointId| {
            let point = graph.point(*id);
            let counts = matches!(point.action, Action::Assume { .. } | Action::Op(_) | Action::Back(_));
            counts && self.reading.shown_at(*id) == node
        };
        graph.ids().filter(is_it).collect()
    }

    /// The last test on an unguarded path whose other outcome leads to a check; else the last test.
    fn branch(&self, nodes: &BTreeSet<NodeId>) -> Option<Tested> {
        let graph = self.reading.graph();
        let path = self.path()?;
        let checks: Vec<PointId> = nodes.iter().flat_map(|&node| self.assumed_at(node)).collect();
        let leads = graph::reaches(graph, checks);
        let mut forks: HashMap<PointId, Vec<PointId>> = HashMap::default();
        for id in graph.ids() {
            graph.point(id).next().for_each(|next| forks.entry(next).or_default().push(id));
        }
        let test = |id: PointId| match graph.point(id).action {
            Action::Assume { outcome, .. } => {
                let node = self.reading.shown_at(id);
                Some((id, Tested { point: id, node, outcome }))
            }
            _ => None,
        };
        let tests: Vec<_> = path.iter().rev().filter_map(|&id| test(id)).collect();
        let sibling_leads = |id: PointId| {
            let siblings = forks.get(&id).into_iter().flatten().flat_map(|&fork| graph.point(fork).next());
            siblings.filter(|&sibling| sibling != id).any(|sibling| leads[sibling.index()])
        };
        let found = tests.iter().find(|(id, test)| nodes.contains(&test.node) || sibling_leads(*id));
        found.or(tests.first()).map(|&(_, test)| test)
    }

    /// A shortest path on which the failing valuation reaches the effect.
    fn path(&self) -> Option<Vec<PointId>> {
        let (graph, plan) = (self.reading.graph(), &self.analysis.plan);
        let goal = (self.failure.point, self.failure.valuation);
        let mut states = super::state::States::new(plan.cells.len());
        let wanted = self.analysis.solved.states.cells(goal.1).to_vec();
        let blank = states.blank();
        let mut before = HashMap::default();
        let mut open: VecDeque<(Visit, Option<Visit>)> =
            graph.roots.iter().map(|root| ((root.entry, blank), None)).collect();
        while let Some((here, previous)) = open.pop_front() {
            if before.contains_key(&here) {
                continue;
            }
            before.insert(here, previous);
            if here.0 == goal.0 && states.cells(here.1) == wanted {
                let steps = std::iter::successors(Some(here), |step| before.get(step).copied().flatten());
                let mut path: Vec<PointId> = steps.map(|(id, _)| id).collect();
                path.reverse();
                return Some(path);
            }
            if before.len() > MOST_STEPS {
                return None;
            }
            let after = step(&mut states, here, &plan.ops[here.0.index()]);
            for next in graph.point(here.0).all_next() {
                open.extend(after.iter().map(|&valuation| ((next, valuation), Some(here))));
            }
        }
        None
    }

    /// What came close to the failing key, in words.
    fn near(&self, nodes: &BTreeSet<NodeId>) -> Option<(String, Evidence)> {
        if !nodes.is_empty() {
            return None;
        }
        let scope = self.scope();
        let other = self.with_other_bindings();
        if let Some(node) = other {
            let words = format!("; {} is about something else", at(scope, "", node).trim());
            return Some((words, scope.evidence(Role::NearMiss, node)));
        }
        let nears = self.patterns().iter().flat_map(|pattern| pattern.near(&scope.tree, self.reading.top(), 1));
        let near = nears.into_iter().next()?;
        let words = format!("; {} comes close: {}", at(scope, "", near.node).trim(), near.difference);
        Some((words, scope.evidence(Role::NearMiss, near.node)))
    }

    /// A node that matches the failing key's pattern and binds a shared metavariable to other code.
    fn with_other_bindings(&self) -> Option<NodeId> {
        let query = self.analysis.query;
        match self.failure.demand {
            Demand::Check(_) => self.tests(&|_| true).first().copied(),
            Demand::After(index) => {
                let places = &query.places[self.failure.table].afters[index];
                places.first().map(|place| self.reading.shown(place.at))
            }
            Demand::Then(_) => None,
        }
    }
}

/// A point, and the valuation that reaches it.
type Visit = (PointId, u32);

fn step(states: &mut super::state::States, (id, valuation): Visit, ops: &[super::state::Op]) -> Vec<u32> {
    if ops.is_empty() { vec![valuation] } else { states.move_valuation(valuation, id.index(), ops).to_vec() }
}
