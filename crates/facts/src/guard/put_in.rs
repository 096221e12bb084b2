//! What is put into a scope's graph: functions that run where they are written or only ever called by a name, helpers
//! that only return, and with `through` whatever can be read. And what listed assertions make known.

use super::spec::{Assertions, Through};
use crate::core::Objects;
use crate::core::sight::{HOME, Sight};
use crate::pattern::Env;
use crate::program::{Program, Scope};
use factgate_ir::graph::{self, Callback, Errors, FrameId, Graph, Known, Limits, Plan, PutIn, Role, Site, Until, Ways};
use factgate_ir::{
    Arg, BodyId, BodyKind, BodyRef, Call, Candidates, Code, Does, Form, Given, NodeId, Op, OpRef, Root, Runs, Times,
    Used, ValueId, Waits,
};
use factgate_syntax::links::{self, Means};
use std::collections::{BTreeMap, BTreeSet};

/// The metavariable that stands for the condition of a listed assertion.
const CONDITION: &str = "C";
/// Points beyond which nothing more is put in.
const MOST_POINTS: usize = 8_000;

/// Who is put in where.
pub(super) struct Policy<'p> {
    program: &'p Program<'p>,
    pub(super) objects: &'p Objects<'p>,
    pub(super) scope: &'p Scope,
    pub(super) within: &'p [NodeId],
    pub(super) through: Through,
    /// What listed assertions make known, and calls that never return.
    asserted: BTreeMap<NodeId, Vec<NodeId>>,
    ends: BTreeSet<NodeId>,
}

impl<'p> Policy<'p> {
    pub(super) fn new(
        program: &'p Program<'p>,
        objects: &'p Objects<'p>,
        scope: &'p Scope,
        within: &'p [NodeId],
        through: Through,
        assertions: &Assertions,
    ) -> Policy<'p> {
        let mut asserted: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        for pattern in &assertions.calls {
            for found in pattern.find_all(&scope.tree, NodeId::ROOT, &Env::new()) {
                if let Some(bound) = found.env.get(CONDITION) {
                    asserted.entry(found.last).or_default().extend(bound.nodes.first());
                }
            }
        }
        let ends = assertions
            .never_returns
            .iter()
            .flat_map(|pattern| pattern.find_all(&scope.tree, NodeId::ROOT, &Env::new()));
        let ends = ends.map(|found| found.last).collect();
        Policy { program, objects, scope, within, through, asserted, ends }
    }

    fn sight(&self) -> &'p Sight<'p> {
        self.objects.sight()
    }

    /// Whether a body belongs to the scope.
    pub(super) fn is_inside(&self, body: BodyRef) -> bool {
        let node = self.sight().unit(body.unit).body(body.body).node;
        body.unit == HOME && self.within.iter().any(|&root| self.scope.tree.is_within(node, root))
    }

    /// Whether a body of the scope only runs where it is put in.
    pub(super) fn only_put_in(&self, body: BodyRef) -> bool {
        let known = self.sight().unit(body.unit).body(body.body);
        let index = self.sight().index(body.unit);
        let made = index.bodies[body.body.index()].made.and_then(|op| index.op(op));
        let Some(Op { does: Does::Close { runs, .. }, .. }) = made else { return false };
        // One that hands itself on runs elsewhere as well.
        let names_itself = index.ops_of(body.body).any(|op| op.does == Does::Given(Given::Function));
        match runs {
            Runs::Here(_) => !names_itself && matches!(known.kind, BodyKind::Plain | BodyKind::Async),
            Runs::Later => matches!(known.kind, BodyKind::Plain | BodyKind::Async) && self.objects.is_only_called(body),
            Runs::Anywhere | Runs::Iterated => false,
        }
    }

    /// Whether the name that a call starts with means something of the file where the language's own is meant: `process`
    /// without an import from `process`.
    fn is_other(&self, call: NodeId) -> bool {
        let (tree, rules) = (&self.scope.tree, self.scope.source.language().rules());
        let Some(call) = rules.call(tree, call) else { return false };
        let Some(access) = rules.access(tree, call.callee) else { return false };
        let Some(whole) = self.program.whole(&self.scope.file) else { return true };
        let Some(variable) = whole.variable(tree.span(access.root)) else { return false };
        let name = tree.text(access.root);
        let is_its_module = |denotes: &links::Denotes| match &denotes.base {
            links::Base::Module(module) => {
                let whole = denotes.path.is_empty() || denotes.path == ["default"];
                whole && (module == name || module.strip_prefix("node:") == Some(name))
            }
            _ => false,
        };
        !whole.symbol(variable).is_some_and(|symbol| matches!(&symbol.means, Means::Alias(of) if is_its_module(of)))
    }

    fn kind(&self, body: BodyRef) -> BodyKind {
        self.sight().unit(body.unit).body(body.body).kind
    }

    fn call(&self, site: &Site<'_, '_>, call: &Call) -> Option<Ways> {
        let body = site.graph.frame(site.frame).body;
        let at = OpRef { unit: body.unit, op: site.op.id };
        let found = self.objects.candidates_of(at);
        let mut ways = Ways { unread: !found.complete, never: found.never, ..Ways::default() };
        let waits = matches!(call.waits, Waits::At(_) | Waits::Returned);
        for &callee in &found.bodies {
            let until = match self.kind(callee) {
                BodyKind::Plain => Some(Until::End),
                BodyKind::Async => Some(if waits { Until::End } else { Until::FirstWait }),
                BodyKind::Generator | BodyKind::AsyncGenerator => None,
            };
            if let Some(until) = until.filter(|_| self.is_wanted(site, callee)) {
                ways.put_in.push(self.put(site, callee, Role::Callee, until));
            } else {
                ways.left.push(callee);
            }
        }
        ways.callbacks = call.args.iter().filter_map(|arg| self.callback(site, body, call, arg)).collect();
        let is_plain = ways.put_in.is_empty() && ways.callbacks.is_empty() && !ways.never;
        (!is_plain).then_some(ways)
    }

    /// A function that an unread call runs.
    fn callback(&self, site: &Site<'_, '_>, body: BodyRef, call: &Call, arg: &Arg) -> Option<Callback> {
        let Used::Runs(times) = arg.used else { return None };
        let functions = self.objects.functions_of(body, arg.value)?;
        let until = |function| match self.kind(function) {
            BodyKind::Plain => Some(Until::End),
            BodyKind::Async => Some(Until::FirstWait),
            BodyKind::Generator | BodyKind::AsyncGenerator => None,
        };
        let wanted = functions.iter().copied().filter(|&function| self.is_wanted(site, function));
        let put = |function| Some(self.put(site, function, Role::Callback, until(function)?));
        let put_in: Vec<PutIn> = wanted.filter_map(put).collect();
        let is_executor = call.form == Form::New && times == Times::Once;
        let errors = if is_executor { Errors::Caught } else { Errors::Through };
        (!put_in.is_empty() && put_in.len() == functions.len()).then_some(Callback { put_in, times, errors })
    }

    fn put(&self, site: &Site<'_, '_>, body: BodyRef, role: Role, until: Until) -> PutIn {
        let outer = self.sight().unit(body.unit).body(body.body).outer;
        let mut here = Some(site.frame);
        let mut found = None;
        while let (Some(frame), Some(outer)) = (here, outer) {
            let known = site.graph.frame(frame);
            if known.body == (BodyRef { unit: body.unit, body: outer }) {
                found = Some(frame);
                break;
            }
            here = known.outer.or(known.caller.map(|(caller, _)| caller));
        }
        PutIn { body, role, outer: found, until }
    }

    fn is_wanted(&self, site: &Site<'_, '_>, body: BodyRef) -> bool {
        if self.is_inside(body) && (self.only_put_in(body) || self.through == Through::Deep) {
            return true;
        }
        if self.through == Through::Deep {
            return true;
        }
        !self.is_helper(site.graph, site.frame) && self.only_returns(body)
    }

    /// Whether a frame is one of a helper that only returns.
    fn is_helper(&self, graph: &Graph<'_>, frame: FrameId) -> bool {
        let known = graph.frame(frame);
        known.caller.is_some() && !(self.is_inside(known.body) && self.only_put_in(known.body))
    }

    /// Whether a body does nothing but return a value: no assignment but to its own variables, no loop, no suspension, and no
    /// call whose answer it does not use.
    fn only_returns(&self, body: BodyRef) -> bool {
        let known = self.sight().unit(body.unit).body(body.body);
        if known.kind != BodyKind::Plain || has_loop(&known.code) {
            return false;
        }
        let index = self.sight().index(body.unit);
        let leaves = &index.bodies[body.body.index()];
        let used: BTreeSet<ValueId> = index
            .ops_of(body.body)
            .flat_map(|op| op.does.uses())
            .chain(leaves.returns.iter().copied())
            .chain(asked(&known.code))
            .collect();
        let is_quiet = |op: &Op| match &op.does {
            Does::Write { place, .. } => match place.root {
                Root::Slot(_) => true,
                Root::Var(var) => place.steps.is_empty() && self.sight().unit(body.unit).var(var).owner == body.body,
                _ => false,
            },
            Does::Call(_) => op.gives.is_some_and(|value| used.contains(&value)),
            Does::Suspend { .. } | Does::Copy(_) | Does::Forget(_) | Does::Define(_) | Does::Close { .. } => false,
            _ => true,
        };
        !leaves.returns.is_empty() && !leaves.raises && index.ops_of(body.body).all(is_quiet)
    }
}

impl Plan for Policy<'_> {
    fn ways(&self, site: &Site<'_, '_>) -> Option<Ways> {
        let body = site.graph.frame(site.frame).body;
        let at = OpRef { unit: body.unit, op: site.op.id };
        match &site.op.does {
            Does::Call(call) => self.call(site, call),
            Does::Read(place) | Does::Write { place, .. } if !place.steps.is_empty() => {
                let role = if matches!(site.op.does, Does::Read(_)) { Role::Getter } else { Role::Setter };
                let found = self.objects.accessors_of(at);
                if found.bodies.is_empty() {
                    return None;
                }
                let Candidates { bodies, complete, .. } = &*found;
                let (wanted, left): (Vec<BodyRef>, Vec<BodyRef>) =
                    bodies.iter().partition(|&&body| self.kind(body) == BodyKind::Plain && self.is_wanted(site, body));
                let put_in: Vec<PutIn> =
                    wanted.into_iter().map(|body| self.put(site, body, role, Until::End)).collect();
                (!put_in.is_empty()).then_some(Ways { put_in, left, unread: !complete, ..Ways::default() })
            }
            _ => None,
        }
    }

    fn known(&self, graph: &Graph<'_>, frame: FrameId, node: NodeId) -> Known {
        let body = graph.frame(frame).body;
        if body.unit != HOME {
            return Known::Nothing;
        }
        if self.ends.contains(&node) {
            return Known::Never;
        }
        let Some(conditions) = self.asserted.get(&node) else { return Known::Nothing };
        let unit = self.sight().unit(body.unit);
        let index = self.sight().index(body.unit);
        let call = index.ops_of(body.body).find(|op| op.node == node && matches!(op.does, Does::Call(_)));
        let Some(Op { does: Does::Call(call), .. }) = call else { return Known::Nothing };
        let is_it = |arg: &&Arg| conditions.contains(&unit.body(body.body).value(arg.value).node);
        call.args.iter().find(is_it).map_or(Known::Nothing, |arg| Known::Truth(arg.value))
    }

    fn comes_back(&self, graph: &Graph<'_>, frame: FrameId, node: NodeId) -> bool {
        graph.unit(frame) == HOME && self.is_other(node)
    }

    fn also_root(&self, body: BodyRef) -> bool {
        self.is_inside(body)
    }
}

fn has_loop(code: &Code) -> bool {
    match code {
        Code::Loop { .. } => true,
        Code::Seq(parts) => parts.iter().any(has_loop),
        Code::Branch { yes, no, .. } => has_loop(yes) || has_loop(no),
        Code::Arms { arms, .. } => arms.iter().any(|arm| has_loop(&arm.body)),
        Code::Block { body, .. } => has_loop(body),
        Code::Guarded { .. } => true,
        Code::Do(_) | Code::Leave { .. } => false,
    }
}

/// The values that tests ask.
fn asked(code: &Code) -> Vec<ValueId> {
    use factgate_ir::Test;
    fn of_test(test: &Test, found: &mut Vec<ValueId>) {
        match test {
            Test::Leaf(leaf) => found.extend(leaf.atom.values()),
            Test::Not(inner) => of_test(inner, found),
            Test::And(parts) | Test::Or(parts) => parts.iter().for_each(|part| of_test(part, found)),
            Test::Choice(parts) => parts.iter().for_each(|part| of_test(part, found)),
            Test::Unknown(..) | Test::Always => {}
        }
    }
    fn of_code(code: &Code, found: &mut Vec<ValueId>) {
        match code {
            Code::Seq(parts) => parts.iter().for_each(|part| of_code(part, found)),
            Code::Branch { test, yes, no } => {
                of_test(test, found);
                of_code(yes, found);
                of_code(no, found);
            }
            Code::Arms { arms, .. } => arms.iter().for_each(|arm| {
                arm.tests.iter().for_each(|test| of_test(test, found));
                of_code(&arm.body, found);
            }),
            Code::Block { body, .. } => of_code(body, found),
            _ => {}
        }
    }
    let mut found = Vec::new();
    of_code(code, &mut found);
    found
}

/// The graph of a scope: of all bodies that may run elsewhere than where they are put in, and of the one that the scope is
/// a part of.
pub(super) fn graph<'p>(policy: &'p Policy<'p>, effects: &BTreeSet<NodeId>) -> Graph<'p> {
    let (unit, tree) = (policy.sight().unit(HOME), &policy.scope.tree);
    let inside = |id: BodyId| policy.is_inside(BodyRef { unit: HOME, body: id });
    let home = |body| BodyRef { unit: HOME, body };
    let innermost = |node: NodeId| {
        unit.body_ids().filter(|&id| tree.is_within(node, unit.body(id).node)).max_by_key(|&id| unit.body(id).node)
    };
    let mut roots: Vec<BodyRef> =
        effects.iter().filter_map(|&node| innermost(node)).filter(|&id| !inside(id)).map(home).collect();
    let is_outermost = |id: BodyId| unit.body(id).outer.is_none_or(|outer| !inside(outer));
    let bodies = unit.body_ids().filter(|&id| inside(id)).map(home);
    roots.extend(bodies.filter(|&body| is_outermost(body.body) || !policy.only_put_in(body)));
    roots.sort_unstable();
    roots.dedup();
    let limits = Limits { points: MOST_POINTS, ..Limits::default() };
    let graph = graph::build(policy.objects, policy, limits, &roots);
    // A function that nobody calls is judged as one that knows nothing.
    let is_there = |body: &BodyRef| graph.frames.iter().any(|frame| frame.body == *body);
    let missing: Vec<BodyRef> =
        unit.body_ids().filter(|&id| inside(id)).map(home).filter(|body| !is_there(body)).collect();
    if missing.is_empty() {
        return graph;
    }
    roots.extend(missing);
    graph::build(policy.objects, policy, limits, &roots)
}
