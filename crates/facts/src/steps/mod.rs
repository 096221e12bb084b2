//! A function cut into its indivisible steps: from one suspension point to the next nothing else runs.
//!
//! Each step lists its conditions, calls and writes in the order in which they happen, and says under which branches
//! and loops it starts. What a model's author turns into actions.

use crate::program::Scope;
use factgate_record::Place;
use factgate_syntax::NodeId;
use factgate_syntax::flow::{Arm, Called, Exit, FinallyOn, Flow, Test};
use factgate_syntax::languages::Rules;

/// One indivisible step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it starts: the scope, the function called later, or the suspension point that it resumes from.
    pub at: Place,
    /// That place's code, on one line.
    pub from: String,
    /// The branches, loops and functions that it starts in, outermost first: "while `queue.next()`".
    pub within: Vec<String>,
    /// What happens in it, in order.
    pub does: Vec<Happening>,
}

/// One thing that happens in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happening {
    /// What it is.
    pub kind: HappeningKind,
    /// Its code, on one line.
    pub text: String,
    /// Where it stands.
    pub at: Place,
    /// How many branches and loops of this step it lies in.
    pub depth: usize,
}

/// Kinds of [`Happening`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HappeningKind {
    /// A test; what follows one level deeper happens when it is true.
    When,
    /// The other way of the test before.
    Otherwise,
    /// A loop; what follows one level deeper repeats.
    Repeat,
    /// Runs when an error was caught.
    Catch,
    /// Runs on every way out.
    Finally,
    /// Runs on the way out with an error: `errdefer`.
    OnError,
    /// A call.
    Call,
    /// An assignment.
    Write,
    /// A function is made that may run later.
    Function,
    /// Leaves: `return`, `throw`, `break`, `continue`.
    Leave,
    /// Suspends: the step ends here.
    Suspend,
}

impl HappeningKind {
    /// The stable word for text and JSON.
    pub fn word(self) -> &'static str {
        match self {
            HappeningKind::When => "when",
            HappeningKind::Otherwise => "otherwise",
            HappeningKind::Repeat => "repeat",
            HappeningKind::Catch => "catch",
            HappeningKind::Finally => "finally",
            HappeningKind::OnError => "on error",
            HappeningKind::Call => "call",
            HappeningKind::Write => "write",
            HappeningKind::Function => "function",
            HappeningKind::Leave => "leave",
            HappeningKind::Suspend => "suspend",
        }
    }
}

/// The steps of a scope, in source order; functions that are called later follow with steps of their own.
pub fn steps(scope: &Scope) -> Vec<Step> {
    let rules = scope.source.language().rules();
    let flow = rules.flow(&scope.tree, NodeId::ROOT);
    let mut cutter = Cutter { scope, rules, steps: Vec::new(), around: Vec::new(), started: 0, later: Vec::new() };
    cutter.start(NodeId::ROOT);
    cutter.flow(&flow);
    let mut made: Vec<(NodeId, Flow)> = std::mem::take(&mut cutter.later);
    while !made.is_empty() {
        for (node, body) in std::mem::take(&mut made) {
            cutter.around = vec![format!("function at {}", scope.place(node).line)];
            cutter.start(node);
            cutter.flow(&body);
            made.append(&mut cutter.later);
        }
    }
    cutter.steps.retain(|step| !step.does.is_empty());
    cutter.steps
}

struct Cutter<'s> {
    scope: &'s Scope,
    rules: &'static dyn Rules,
    steps: Vec<Step>,
    /// The branches and loops around, in words.
    around: Vec<String>,
    /// How many of them were there when the step started.
    started: usize,
    later: Vec<(NodeId, Flow)>,
}

impl Cutter<'_> {
    fn start(&mut self, node: NodeId) {
        self.started = self.around.len();
        let (at, within) = (self.scope.place(node), self.around.clone());
        self.steps.push(Step { at, from: crate::guard::quote(self.scope, node), within, does: Vec::new() });
    }

    fn note(&mut self, kind: HappeningKind, node: NodeId) {
        let happening = Happening {
            kind,
            text: crate::guard::quote(self.scope, node),
            at: self.scope.place(node),
            depth: self.around.len().saturating_sub(self.started),
        };
        if let Some(step) = self.steps.last_mut() {
            step.does.push(happening);
        }
    }

    fn within(&mut self, words: String, body: impl FnOnce(&mut Self)) {
        self.around.push(words);
        body(self);
        self.around.pop();
        // A step that started deeper goes on out here.
        self.started = self.started.min(self.around.len());
    }

    fn quote(&self, node: NodeId) -> String {
        crate::guard::quote(self.scope, node)
    }

    fn flow(&mut self, flow: &Flow) {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.shape(flow));
    }

    fn shape(&mut self, flow: &Flow) {
        match flow {
            Flow::Seq(parts) => parts.iter().for_each(|part| self.flow(part)),
            Flow::Eval { node, .. } => {
                if self.rules.call(&self.scope.tree, *node).is_some() {
                    self.note(HappeningKind::Call, *node);
                }
            }
            Flow::Suspend { node } => {
                self.note(HappeningKind::Suspend, *node);
                self.start(*node);
            }
            Flow::Write { node, .. } => self.note(HappeningKind::Write, *node),
            Flow::Branch { test, yes, no } => self.branch(test, yes, no),
            Flow::Arms { subject, arms, .. } => {
                self.flow(subject);
                arms.iter().for_each(|arm| self.arm(arm));
            }
            Flow::Loop { test, body, step, otherwise, .. } => self.repeat(test, body, step, otherwise),
            Flow::Block { body, .. } => self.flow(body),
            Flow::Leave { to, node } => {
                if *to != Exit::Never {
                    self.note(HappeningKind::Leave, *node);
                }
            }
            Flow::Protected { body, catch, finally, on } => {
                self.flow(body);
                if let Some(catch) = catch {
                    self.part(HappeningKind::Catch, catch);
                }
                if let Some(finally) = finally {
                    let kind = match on {
                        FinallyOn::Every => HappeningKind::Finally,
                        FinallyOn::Error => HappeningKind::OnError,
                    };
                    self.part(kind, finally);
                }
            }
            Flow::Closure { body, called: Called::OnTheSpot, .. } => self.flow(body),
            Flow::Closure { node, body, called: Called::Later } => {
                self.note(HappeningKind::Function, *node);
                self.later.push((*node, (**body).clone()));
            }
        }
    }

    fn part(&mut self, kind: HappeningKind, flow: &Flow) {
        if let Some(node) = first_node(flow) {
            self.note(kind, node);
            self.within(kind.word().to_owned(), |cutter| cutter.flow(flow));
        }
    }

    fn branch(&mut self, test: &Test, yes: &Flow, no: &Flow) {
        let node = self.test(test);
        if !has_content(yes) && !has_content(no) {
            return;
        }
        let words = node.map_or_else(|| "sometimes".to_owned(), |node| self.quote(node));
        if let Some(node) = node {
            self.note(HappeningKind::When, node);
        }
        self.within(format!("when {words}"), |cutter| cutter.flow(yes));
        if has_content(no) {
            if let Some(node) = node {
                self.note(HappeningKind::Otherwise, node);
            }
            self.within(format!("unless {words}"), |cutter| cutter.flow(no));
        }
    }

    fn arm(&mut self, arm: &Arm) {
        self.note(HappeningKind::When, arm.node);
        let words = format!("when {}", self.quote(arm.node));
        self.within(words, |cutter| cutter.flow(&arm.body));
    }

    fn repeat(&mut self, test: &Test, body: &Flow, step: &Flow, otherwise: &Flow) {
        let node = self.test(test).or_else(|| first_node(body));
        if let Some(node) = node {
            self.note(HappeningKind::Repeat, node);
        }
        let words = node.map_or_else(|| "again and again".to_owned(), |node| format!("while {}", self.quote(node)));
        self.within(words, |cutter| {
            cutter.flow(body);
            cutter.flow(step);
        });
        self.flow(otherwise);
    }

    /// Evaluates a test; gives the node to show for it.
    fn test(&mut self, test: &Test) -> Option<NodeId> {
        match test {
            Test::Node { node, flow } | Test::Is { flow, node, .. } | Test::Unknown { flow, node } => {
                self.flow(flow);
                Some(*node)
            }
            Test::Not(inner) => self.test(inner).map(|node| self.negation(node)),
            Test::And(parts) | Test::Or(parts) => self.tests(parts.iter()),
            Test::Choice { test, yes, no } => self.tests([&**test, yes, no].into_iter()),
            Test::Always => None,
        }
    }

    /// Evaluates several tests; gives the node that holds all of them, so that the whole condition is shown.
    fn tests<'x>(&mut self, tests: impl Iterator<Item = &'x Test>) -> Option<NodeId> {
        let nodes: Vec<NodeId> = tests.filter_map(|test| self.test(test)).collect();
        let (first, last) = (*nodes.first()?, *nodes.last()?);
        self.scope.tree.ancestors(first).find(|&above| self.scope.tree.is_within(last, above)).or(Some(first))
    }

    /// The `!` around a node, where the code spells one.
    fn negation(&self, node: NodeId) -> NodeId {
        let tree = &self.scope.tree;
        let above = tree.ancestors(node).find(|&above| !tree.kind(above).starts_with("parenthesized"));
        let negates = |&above: &NodeId| tree.children(above).next().is_some_and(|first| tree.kind(first) == "!");
        above.filter(negates).unwrap_or(node)
    }
}

fn first_node(flow: &Flow) -> Option<NodeId> {
    let mut first: Option<NodeId> = None;
    crate::graph::each(flow, &mut |flow| {
        if let Flow::Eval { node, .. } | Flow::Leave { node, .. } | Flow::Suspend { node } = flow {
            first = Some(first.map_or(*node, |known| known.min(*node)));
        }
    });
    first
}

fn has_content(flow: &Flow) -> bool {
    first_node(flow).is_some()
}

#[cfg(test)]
mod tests;
