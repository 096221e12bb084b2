//! A function cut into its indivisible steps: from one suspension point to the next nothing else runs.
//!
//! Each step lists its conditions, calls and writes in the order in which they happen, and says under which branches
//! and loops it starts. What a model's author turns into actions.

mod change;

pub use change::change;

use crate::guard::quote;
use crate::program::Scope;
use factgate_ir::walk::{each_code, each_op};
use factgate_ir::{
    Arm, BodyId, Call, Callee, ClassId, Code, Does, Exit, How, NodeId, Op, Place as Target, Root, Runs, Test, Unit,
    When,
};
use factgate_record::Place;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    let lowered = scope.source.language().rules().lower(&scope.tree);
    let unit = &lowered.unit;
    let mut cutter = Cutter { scope, unit, steps: Vec::new(), around: Vec::new(), started: 0, later: Vec::new() };
    cutter.start(NodeId::ROOT);
    cutter.code(&unit.body(own_body(scope, unit)).code);
    let mut made: Vec<BodyId> = std::mem::take(&mut cutter.later);
    while !made.is_empty() {
        for body in std::mem::take(&mut made) {
            let (node, code) = (unit.body(body).node, &unit.body(body).code);
            cutter.around = vec![format!("function at {}", scope.place(node).line)];
            cutter.start(node);
            cutter.code(code);
            made.append(&mut cutter.later);
        }
    }
    cutter.steps.retain(|step| !step.does.is_empty());
    cutter.steps
}

/// The body of the function that a scope is; of anything else that of the scope's tree.
fn own_body(scope: &Scope, unit: &Unit) -> BodyId {
    let mut found = unit.body_ids().filter(|&body| unit.body(body).outer == Some(unit.top));
    let (Some(body), None) = (found.next(), found.next()) else { return unit.top };
    let mut names_it = scope.tree.span(unit.body(body).node).end == scope.tree.span(NodeId::ROOT).end;
    each_op(&unit.body(unit.top).code, &mut |op| {
        let is_name = matches!(&op.does, Does::Close { .. } | Does::Write { how: How::Declare, .. });
        names_it &= is_name || !is_shown(&op.does);
    });
    if names_it { body } else { unit.top }
}

struct Cutter<'s> {
    scope: &'s Scope,
    unit: &'s Unit,
    steps: Vec<Step>,
    /// The branches and loops around, in words.
    around: Vec<String>,
    /// How many of them were there when the step started.
    started: usize,
    later: Vec<BodyId>,
}

impl<'s> Cutter<'s> {
    fn start(&mut self, node: NodeId) {
        self.started = self.around.len();
        let (at, within) = (self.scope.place(node), self.around.clone());
        self.steps.push(Step { at, from: self.quote(node), within, does: Vec::new() });
    }

    fn note(&mut self, kind: HappeningKind, node: NodeId) {
        let happening = Happening {
            kind,
            text: self.quote(node),
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
        quote(self.scope, node)
    }

    fn code(&mut self, code: &'s Code) {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.shape(code));
    }

    fn shape(&mut self, code: &'s Code) {
        match code {
            Code::Seq(parts) => parts.iter().for_each(|part| self.code(part)),
            Code::Do(op) => self.op(op),
            Code::Branch { test, yes, no } => self.branch(test, yes, no),
            Code::Arms { arms, .. } => arms.iter().for_each(|arm| self.arm(arm)),
            Code::Loop { test, body, step, otherwise, .. } => self.repeat(test, body, step, otherwise),
            Code::Block { body, .. } => self.code(body),
            Code::Leave { to, node, .. } => {
                if *to != Exit::Never {
                    self.note(HappeningKind::Leave, *node);
                }
            }
            Code::Guarded { body, catch, leaving } => {
                self.code(body);
                if let Some(catch) = catch {
                    self.part(HappeningKind::Catch, &catch.code);
                }
                if let Some((when, code)) = leaving {
                    let kind = match when {
                        When::Every => HappeningKind::Finally,
                        When::Error => HappeningKind::OnError,
                    };
                    self.part(kind, code);
                }
            }
        }
    }

    fn op(&mut self, op: &'s Op) {
        match &op.does {
            does if is_call(does) => self.note(HappeningKind::Call, op.node),
            does if is_write(does) && !self.is_function(op.node) => self.note(HappeningKind::Write, op.node),
            Does::Suspend { .. } => {
                self.note(HappeningKind::Suspend, op.node);
                self.start(op.node);
            }
            Does::Close { body, runs: Runs::Here(_) } => self.code(&self.unit.body(*body).code),
            Does::Close { body, .. } => {
                self.note(HappeningKind::Function, op.node);
                self.later.push(*body);
            }
            Does::Define(class) => self.class(*class),
            _ => {}
        }
    }

    /// Whether a node is a function, whose declaration writes its name.
    fn is_function(&self, node: NodeId) -> bool {
        self.unit.bodies.iter().any(|body| body.node == node)
    }

    fn class(&mut self, class: ClassId) {
        for body in self.unit.class(class).members.iter().filter_map(|member| member.body()) {
            self.note(HappeningKind::Function, self.unit.body(body).node);
            self.later.push(body);
        }
    }

    fn part(&mut self, kind: HappeningKind, code: &'s Code) {
        if let Some(node) = first_node(code) {
            self.note(kind, node);
            self.within(kind.word().to_owned(), |cutter| cutter.code(code));
        }
    }

    fn branch(&mut self, test: &'s Test, yes: &'s Code, no: &'s Code) {
        let node = self.test(test);
        if !does_something(yes) && !does_something(no) {
            return;
        }
        let words = node.map_or_else(|| "sometimes".to_owned(), |node| self.quote(node));
        if let Some(node) = node {
            self.note(HappeningKind::When, node);
        }
        self.within(format!("when {words}"), |cutter| cutter.code(yes));
        if does_something(no) {
            if let Some(node) = node {
                self.note(HappeningKind::Otherwise, node);
            }
            self.within(format!("unless {words}"), |cutter| cutter.code(no));
        }
    }

    fn arm(&mut self, arm: &'s Arm) {
        for test in &arm.tests {
            self.test(test);
        }
        self.note(HappeningKind::When, arm.node);
        let words = format!("when {}", self.quote(arm.node));
        self.within(words, |cutter| cutter.code(&arm.body));
    }

    fn repeat(&mut self, test: &'s Test, body: &'s Code, step: &'s Code, otherwise: &'s Code) {
        let node = self.test(test).or_else(|| first_node(body));
        if let Some(node) = node {
            self.note(HappeningKind::Repeat, node);
        }
        let words = node.map_or_else(|| "again and again".to_owned(), |node| format!("while {}", self.quote(node)));
        self.within(words, |cutter| {
            cutter.code(body);
            cutter.code(step);
        });
        self.code(otherwise);
    }

    /// Evaluates a test; gives the node to show for it.
    fn test(&mut self, test: &'s Test) -> Option<NodeId> {
        match test {
            Test::Leaf(leaf) => {
                self.code(&leaf.code);
                Some(leaf.node)
            }
            Test::Unknown(code, node) => {
                self.code(code);
                Some(*node)
            }
            Test::Not(inner) => self.test(inner).map(|node| self.negation(node)),
            Test::And(parts) | Test::Or(parts) => self.tests(parts),
            Test::Choice(parts) => self.tests(&parts[..]),
            Test::Always => None,
        }
    }

    /// Evaluates several tests; gives the node that holds all of them, so that the whole condition is shown.
    fn tests(&mut self, tests: &'s [Test]) -> Option<NodeId> {
        let nodes: Vec<NodeId> = tests.iter().filter_map(|test| self.test(test)).collect();
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

/// Whether the code writes a call here: what the language calls by itself is none.
fn is_call(does: &Does) -> bool {
    matches!(does, Does::Call(Call { callee, .. }) if !matches!(callee, Callee::Hook(_) | Callee::Fields))
}

/// Whether the code writes an assignment here. The members of a literal and slots are none.
fn is_write(does: &Does) -> bool {
    let Does::Write { place: Target { root, .. }, how, .. } = does else { return false };
    !matches!(root, Root::Slot(_)) && !matches!(how, How::Init | How::Getter | How::Setter)
}

fn is_shown(does: &Does) -> bool {
    is_call(does) || is_write(does) || matches!(does, Does::Suspend { .. } | Does::Close { .. } | Does::Define(_))
}

/// The first thing in a piece of code that has a step to be listed in.
fn first_node(code: &Code) -> Option<NodeId> {
    let mut first: Option<NodeId> = None;
    each_code(code, &mut |code| {
        let node = match code {
            Code::Do(op) if is_shown(&op.does) => op.node,
            Code::Leave { node, .. } => *node,
            _ => return,
        };
        first = Some(first.map_or(node, |known| known.min(node)));
    });
    first
}

fn does_something(code: &Code) -> bool {
    first_node(code).is_some()
}

#[cfg(test)]
mod tests;
