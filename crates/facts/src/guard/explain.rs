//! Reasons in words, with places, for a guard that reads FALSE.

use super::hints::{self, Hint};
use super::reading::{Place, Reading, agree};
use super::then::Escape;
use super::verdict::{Analysis, Demand, Failure, How};
use super::witness::{Raised, Tested, Witness};
use crate::pattern::{Env, Pattern};
use crate::program::Scope;
use factgate_ir::graph::{self, Action, Ending, PointId};
use factgate_ir::{Atom, Does, Operand, Test, UnitRef};
use factgate_record::{Evidence, Reason, Role};
use factgate_syntax::NodeId;
use std::collections::BTreeSet;

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
    // A pattern that matches nothing comes first: what is said of the code rests on it.
    for (key, patterns) in analysis.unmatched(failure.table) {
        let reading = analysis.query.reading;
        let (words, evidence) = hints::matches_nothing(&format!("`{key}` "), patterns, reading.scope, &reading.within);
        explained.detail = format!("{words}; {}", explained.detail);
        explained.evidence.extend(evidence);
    }
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

/// ``the check `a` at 41``: what a node is, its code and line.
pub(super) fn at(scope: &Scope, what: &str, node: NodeId) -> String {
    let place = format!("{} at {}", quote(scope, node), scope.place(node).line);
    if what.is_empty() { place } else { format!("{what} {place}") }
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
                let ends = self.ends(*node);
                breach(Reason::Reassigned, format!("{ends} stands between {wanted} and {effect}"), *node)
            }
            How::Interrupted(node) => {
                let between = at(self.scope(), "", *node);
                breach(Reason::Interrupted, format!("{between} lies between {wanted} and {effect}"), *node)
            }
            How::Stale(node) => {
                let since = at(self.scope(), "", *node);
                breach(Reason::StaleCheck, format!("{since} comes after {wanted}, before {effect}"), *node)
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

    /// What ends knowledge at a node: an assignment, a call that may assign, a wait in which other code may.
    fn ends(&self, node: NodeId) -> String {
        let graph = self.reading.graph();
        let here =
            graph.points.iter().filter(|point| point.node == Some(node) && graph.unit(point.frame) == UnitRef(0));
        let ops: Vec<&Does> = here.filter_map(|point| point.op()).map(|op| &op.does).collect();
        let (what, how) = if ops.iter().any(|does| matches!(does, Does::Write { .. })) {
            ("the assignment", "")
        } else if ops.iter().any(|does| matches!(does, Does::Suspend { .. })) {
            ("the wait", ", in which other code may assign what it reads,")
        } else if ops.iter().any(|does| matches!(does, Does::Call(_))) {
            ("the call", ", which may assign what it reads,")
        } else {
            ("the assignment", "")
        };
        format!("{}{how}", at(self.scope(), what, node))
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
        if is_check && let Some(late) = self.late(&nodes).or_else(|| self.later_in_it()) {
            let detail = format!("{} stands after {effect}", at(self.scope(), "the check", late));
            let evidence = vec![self.scope().evidence(Role::Check, late)];
            return Explained { reason: Reason::Late, detail, evidence };
        }
        let reason = if is_check { Reason::Unguarded } else { Reason::NotPassed };
        let short_of = if is_check { "unchecked".to_owned() } else { format!("without {}", self.wanted()) };
        let witness = Witness::of(self.analysis, self.failure);
        debug_assert!(witness.as_ref().is_none_or(|witness| witness.is_real(self.analysis, self.failure)));
        let (way, shown) = self.way(&nodes, witness.as_ref());
        let mut detail = format!("{way} reaches {effect} {short_of}");
        let mut evidence: Vec<Evidence> =
            shown.into_iter().map(|node| self.scope().evidence(Role::Breach, node)).collect();
        if let Some((words, shown)) = self.near(&nodes, witness.as_ref()) {
            detail.push_str(&format!("; {words}"));
            evidence.push(shown);
        }
        Explained { reason, detail, evidence }
    }

    /// A path in words, by what tells it from others: where it starts, an error that is caught, the test that parts it
    /// from a way with a check.
    fn way(&self, nodes: &BTreeSet<NodeId>, witness: Option<&Witness<'_, '_>>) -> (String, Option<NodeId>) {
        let scope = self.scope();
        let Some(witness) = witness else { return ("a way".to_owned(), None) };
        let start = witness.start();
        let within = start.as_ref().map_or(String::new(), |(_, words)| format!("in {words}, "));
        let checks: Vec<PointId> = nodes.iter().flat_map(|&node| self.assumed_at(node)).collect();
        let own = witness.tests().find(|test| nodes.contains(&test.node));
        let fork = own.or_else(|| witness.fork(checks)).or_else(|| witness.tests().next());
        if let Some(Raised { by, caught }) = witness.raised(fork) {
            let raised = by.map_or("an error".to_owned(), |by| at(scope, "an error raised in", by));
            let line = |node: NodeId| format!("caught at {}", scope.place(node).line);
            let end = caught.map_or("on its way out".to_owned(), line);
            return (format!("{within}{raised}, {end},"), by.or(caught));
        }
        match (start, fork) {
            (_, Some(test)) => (format!("{within}{}", self.branch(test)), Some(test.node)),
            (Some((node, words)), None) => (format!("{words}, which knows nothing of where it was made,"), Some(node)),
            (None, None) => ("a straight way from the start".to_owned(), None),
        }
    }

    /// One way of a test, in words: "the branch at 4 where `a` is false".
    fn branch(&self, test: Tested) -> String {
        let point = self.reading.graph().point(test.point);
        let line = self.scope().place(test.node).line;
        let is_here = point.node.is_some_and(|node| self.reading.is_inside((point.frame, node)));
        if is_here {
            return format!("the branch at {line} where {}", self.holds(test));
        }
        // The test stands in a function that is called here.
        format!("a way through {} at {line}", quote(self.scope(), test.node))
    }

    /// A test with its outcome, in words: "`a` is false", "`s` is `'b'`".
    fn holds(&self, tested: Tested) -> String {
        let scope = self.scope();
        let point = self.reading.graph().point(tested.point);
        let Action::Assume { atom, .. } = &point.action else { return quote(scope, tested.node) };
        let outcome = tested.outcome;
        if let Atom::Done(_) = atom {
            return format!("{} {}", quote(scope, tested.node), if outcome { "is done" } else { "has an element" });
        }
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

    /// What would be the check if it did not stand behind the effect in one expression: `a && effect() && check()`.
    fn later_in_it(&self) -> Option<NodeId> {
        let (tree, effect) = (&self.scope().tree, self.effect.at.1);
        let is_joined = |node: NodeId| {
            let mut around = std::iter::successors(tree.parent(effect), |&above| tree.parent(above));
            let both = around.find(|&above| tree.is_within(node, above));
            both.is_some_and(|both| matches!(self.reading.as_test(both), Test::And(_) | Test::Or(_)))
        };
        let found = self.patterns().iter().flat_map(|pattern| {
            pattern.find_all(tree, self.reading.within.first().copied().unwrap_or(NodeId::ROOT), &Env::new())
        });
        let mut behind = found.map(|found| found.node).filter(|&node| node > effect && !tree.is_within(node, effect));
        behind.find(|&node| is_joined(node))
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

    /// What came close to the failing key, in words.
    fn near(&self, nodes: &BTreeSet<NodeId>, witness: Option<&Witness<'_, '_>>) -> Option<Hint> {
        let (scope, patterns) = (self.scope(), self.patterns());
        if matches!(self.failure.demand, Demand::Check(_))
            && let Some(hint) = witness.and_then(|witness| self.analysis.unlisted(witness, patterns))
        {
            return Some(hint);
        }
        if let Some(hint) = witness.and_then(|witness| self.analysis.not_looked_into(witness, patterns)) {
            return Some(hint);
        }
        if !nodes.is_empty() {
            return None;
        }
        if let Some(node) = self.with_other_bindings() {
            let words = format!("{} is about something else", at(scope, "", node));
            return Some((words, scope.evidence(Role::NearMiss, node)));
        }
        hints::nearest(patterns, scope, &self.reading.within)
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
