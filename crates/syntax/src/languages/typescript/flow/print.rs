//! Flow as short text, for tests: one word an evaluation, brackets for what nests.

use crate::condition::{Condition, Operand, Sameness};
use crate::flow::{Called, Exit, Flow, Label, Test};
use crate::tree::{NodeId, Tree};

/// Prints a flow. Only calls, `new`, writes, suspensions, leaving and what branches is shown; `all` names every
/// evaluated node.
pub(super) struct Printer<'t> {
    pub(super) tree: &'t Tree,
}

impl Printer<'_> {
    pub(super) fn flow(&self, flow: &Flow) -> String {
        let mut words = Vec::new();
        self.words(flow, &mut words);
        words.join(" ")
    }

    fn words(&self, flow: &Flow, words: &mut Vec<String>) {
        match flow {
            Flow::Seq(flows) => flows.iter().for_each(|flow| self.words(flow, words)),
            Flow::Eval { node, raises } => words.extend(self.evaluated(*node, *raises)),
            Flow::Suspend { .. } => words.push("~".to_owned()),
            Flow::Write { target, value, .. } => {
                let value = value.map_or("?".to_owned(), |value| self.source(value));
                words.push(format!("{}:={value}", self.source(*target)));
            }
            Flow::Branch { test, yes, no } => {
                words.push(format!("if[{} ? {} : {}]", self.test(test), self.flow(yes), self.flow(no)))
            }
            Flow::Arms { subject, arms, label, .. } => {
                let arms: Vec<_> = arms
                    .iter()
                    .map(|arm| {
                        let tests: Vec<_> = arm.tests.iter().map(|test| self.test(test)).collect();
                        let head = if arm.default { "default".to_owned() } else { tests.join(",") };
                        format!("{head} => {}", self.flow(&arm.body))
                    })
                    .collect();
                words.push(format!("switch{}[{} | {}]", label.0, self.flow(subject), arms.join(" | ")));
            }
            Flow::Loop { label, test, body, step, otherwise } => {
                assert!(matches!(&**otherwise, Flow::Seq(flows) if flows.is_empty()));
                words.push(format!("loop{}[{} ? {} ; {}]", label.0, self.test(test), self.flow(body), self.flow(step)));
            }
            Flow::Block { label, body } => words.push(format!("block{}[{}]", label.0, self.flow(body))),
            Flow::Leave { to, .. } => words.push(leave(*to)),
            Flow::Protected { body, catch, finally, .. } => {
                let part = |name: &str, flow: &Option<Box<Flow>>| {
                    flow.as_ref().map_or(String::new(), |flow| format!(" {name} {}", self.flow(flow)))
                };
                words.push(format!("try[{}{}{}]", self.flow(body), part("catch", catch), part("finally", finally)));
            }
            Flow::Closure { body, called, .. } => {
                let name = if *called == Called::Later { "later" } else { "now" };
                words.push(format!("{name}[{}]", self.flow(body)));
            }
        }
    }

    /// Names, literals and wrappers are left out: what is left is what happens.
    fn evaluated(&self, node: NodeId, raises: bool) -> Option<String> {
        let kind = self.tree.kind(node);
        let shown = raises
            || matches!(
                kind,
                "identifier"
                    | "member_expression"
                    | "subscript_expression"
                    | "jsx_element"
                    | "jsx_self_closing_element"
            );
        let shown = shown && !self.is_target(node);
        match kind {
            "await_expression" | "yield_expression" => None,
            _ => shown.then(|| self.source(node)),
        }
    }

    fn is_target(&self, node: NodeId) -> bool {
        matches!(self.tree.field(node), Some("name" | "pattern"))
    }

    fn test(&self, test: &Test) -> String {
        let many = |tests: &[Test], word: &str| tests.iter().map(|test| self.test(test)).collect::<Vec<_>>().join(word);
        match test {
            Test::Node { node, flow } => {
                let before = self.flow(flow);
                format!("{}{}", before_bar(&before), self.source(*node))
            }
            Test::Is { flow, condition, .. } => {
                let before = self.flow(flow);
                format!("{}{}", before_bar(&before), condition_text(self.tree, condition))
            }
            Test::Not(inner) => format!("!({})", self.test(inner)),
            Test::And(tests) => format!("({})", many(tests, " && ")),
            Test::Or(tests) => format!("({})", many(tests, " || ")),
            Test::Choice { test, yes, no } => format!("({} ? {} : {})", self.test(test), self.test(yes), self.test(no)),
            Test::Unknown { flow, .. } => format!("{}*", before_bar(&self.flow(flow))),
            Test::Always => "always".to_owned(),
        }
    }

    fn source(&self, node: NodeId) -> String {
        source(self.tree, node)
    }
}

fn before_bar(before: &str) -> String {
    if before.is_empty() { String::new() } else { format!("{before} | ") }
}

fn leave(to: Exit) -> String {
    let label = |Label(label): Label| label.to_string();
    match to {
        Exit::Return => "return".to_owned(),
        Exit::ErrorReturn => "error".to_owned(),
        Exit::Throw => "throw".to_owned(),
        Exit::Break(to) => format!("break{}", label(to)),
        Exit::Continue(to) => format!("continue{}", label(to)),
        Exit::Never => "never".to_owned(),
    }
}

/// A node's leaves, joined.
pub(in crate::languages::typescript) fn source(tree: &Tree, node: NodeId) -> String {
    let leaves = tree.subtree(node).filter(|&leaf| tree.is_leaf(leaf));
    let words = leaves.map(|leaf| match (tree.kind(leaf), tree.text(leaf)) {
        ("optional_chain", "") => "?.",
        (kind, "") => kind,
        (_, text) => text,
    });
    words.collect::<Vec<_>>().concat()
}

/// A condition as text.
pub(in crate::languages::typescript) fn condition_text(tree: &Tree, condition: &Condition) -> String {
    let many = |conditions: &[Condition], word: &str| {
        conditions.iter().map(|inner| condition_text(tree, inner)).collect::<Vec<_>>().join(word)
    };
    let operand = |operand: &Operand| match operand {
        Operand::Node(node) => source(tree, *node),
        Operand::Null => "null".to_owned(),
        Operand::Undefined => "undefined".to_owned(),
        Operand::Error => "error".to_owned(),
    };
    match condition {
        Condition::Atom(node) => source(tree, *node),
        Condition::Equal { left, right, sameness } => {
            let sign = if *sameness == Sameness::Strict { "===" } else { "==" };
            format!("{}{sign}{}", operand(left), operand(right))
        }
        Condition::Not(inner) => format!("!({})", condition_text(tree, inner)),
        Condition::And(all) => format!("({})", many(all, " && ")),
        Condition::Or(any) => format!("({})", many(any, " || ")),
        Condition::Choice { test, yes, no } => {
            let [test, yes, no] = [test, yes, no].map(|part| condition_text(tree, part));
            format!("({test} ? {yes} : {no})")
        }
        Condition::Constant(truth) => truth.to_string(),
    }
}
