//! What a language says of its kinds of nodes, so that the skeleton of an item, and whether a piece of code does
//! anything, can be told without knowing the language.
//!
//! What no list names stays in a skeleton whole, and does something: a list that lacks a kind costs precision, and hides
//! nothing.

use crate::languages::{Arithmetic, Language, Seen};
use crate::scope::{BindingId, Scopes};
use crate::tree::{NodeId, Tree};

/// The lists of one language.
#[derive(Debug)]
pub struct Kinds {
    /// What a pattern that does not mention it sees as if it were not there: type arguments.
    pub ignored: &'static [&'static str],
    /// What such a pattern sees as the one operand that it marks: `q!`.
    pub through: &'static [&'static str],
    /// What it sees as a flat chain of operands, of which it may name a run: `a && b && c`.
    pub chained: &'static [&'static str],
    /// Leaves with literal text: strings, numbers, regular expressions, templates, JSX text.
    pub literals: &'static [&'static str],
    /// How the language computes with constants.
    pub arithmetic: Arithmetic,
    /// Operators of assignments that test what stands before them, each with its opposite: `&&=` and `||=`.
    pub opposites: &'static [(&'static str, &'static str)],
    /// Leaves that are names: of variables, functions, members, types.
    pub names: &'static [&'static str],
    /// Those that name a variable and a member at once.
    pub twofold: &'static [&'static str],
    /// Calls, with the field of what is called (or none for the first node), and that of the arguments.
    pub calls: &'static [(&'static str, Option<&'static str>, Option<&'static str>)],
    /// What is called where a call only makes a value: conversions of the language itself.
    pub pure: &'static [&'static str],
    /// Where what decides a way stands: a kind, and the field in it, or the token before it.
    pub conditions: &'static [(&'static str, &'static str)],
    /// Chains in which each operand but the last decides whether the next one is evaluated.
    pub chains: &'static [&'static str],
    /// What gives a variable a value: a kind, the field of the variable, and the field of the value.
    pub assignments: &'static [(&'static str, &'static str, &'static str)],
    /// A name that can be assigned and keeps nothing.
    pub discard: Option<&'static str>,
    /// Kinds in which variables are local.
    pub functions: &'static [&'static str],
    /// Kinds in which they are members that others can see.
    pub containers: &'static [&'static str],
    /// Whether code sees the members of what it stands in by their bare names.
    pub sees_members: bool,
    /// Statements of which nothing counts but what is done in them: they hold expressions, or declare variables.
    pub statements: &'static [&'static str],
    /// Where an expression stands for a statement itself: a kind, and the field in it (none: any place).
    pub blocks: &'static [(&'static str, Option<&'static str>)],
    /// Statements that only choose whether others are run, and their parts.
    pub branches: &'static [&'static str],
    /// What holds the statements of a branch.
    pub braces: &'static [&'static str],
    /// What ends a function with a value.
    pub returns: &'static [&'static str],
    /// What only makes a value out of what is in it.
    pub values: &'static [&'static str],
    /// What chooses among the values in it.
    pub choices: &'static [&'static str],
    /// Tokens that do something themselves, whatever they stand in.
    pub doing: &'static [&'static str],
}

impl Kinds {
    /// How a pattern that does not mention this kind of node sees it.
    pub fn seen(&self, kind: &str) -> Seen {
        let lists = [(self.ignored, Seen::Ignored), (self.through, Seen::Through), (self.chained, Seen::Chain)];
        lists.into_iter().find(|(kinds, _)| kinds.contains(&kind)).map_or(Seen::Plain, |(_, seen)| seen)
    }

    /// Where a condition is negated by another token than `!` before it: that token, and what to write for it. The `&&=`
    /// behind `m.ok` becomes `||=`.
    pub fn negated(&self, tree: &Tree, condition: NodeId) -> Option<(NodeId, &'static str)> {
        let assignment = tree.parent(condition).filter(|_| tree.field(condition) == Some("left"))?;
        let operator = tree.child(assignment, "operator")?;
        let (_, other) = self.opposites.iter().find(|(token, _)| *token == tree.kind(operator))?;
        Some((operator, other))
    }

    /// Whether a leaf of this kind carries literal text.
    pub fn is_literal(&self, kind: &str) -> bool {
        self.literals.contains(&kind)
    }

    /// The node that is called, when a node is a call that may do something.
    pub fn callee(&self, tree: &Tree, node: NodeId) -> Option<NodeId> {
        let (_, field, _) = self.calls.iter().find(|(kind, ..)| *kind == tree.kind(node))?;
        let callee = match field {
            Some(field) => tree.child(node, field)?,
            None => tree.children(node).next()?,
        };
        (!self.pure.contains(&tree.text(callee))).then_some(callee)
    }

    /// Whether a part of a call is what it hands along.
    pub(crate) fn is_argument(&self, tree: &Tree, call: NodeId, part: NodeId) -> bool {
        let is_it = |(kind, _, field): &&(&str, Option<&str>, Option<&str>)| {
            *kind == tree.kind(call) && *field == tree.field(part)
        };
        self.calls.iter().any(|call| is_it(&call))
    }

    /// Whether a node only makes a value, all below it aside.
    fn only_makes_a_value(&self, language: &'static Language, tree: &Tree, node: NodeId) -> bool {
        let kind = tree.kind(node);
        if self.doing.contains(&kind) {
            return false;
        }
        if tree.is_leaf(node) {
            let is_plain = self.names.contains(&kind) || self.is_literal(kind);
            return is_plain || self.values.contains(&kind) || language.is_token(kind);
        }
        let is_call = self.calls.iter().any(|(call, ..)| *call == kind);
        let makes = self.values.contains(&kind) || self.choices.contains(&kind) || is_call;
        makes && self.callee(tree, node).is_none() && !tree.children(node).any(|child| self.does_by_itself(tree, child))
    }

    fn does_by_itself(&self, tree: &Tree, node: NodeId) -> bool {
        tree.is_leaf(node) && self.doing.contains(&tree.kind(node))
    }

    /// Whether a node is one that makes a value and stands aside while nothing in it does anything.
    pub(crate) fn is_beside(&self, language: &'static Language, tree: &Tree, node: NodeId) -> bool {
        let is_choice = self.choices.contains(&tree.kind(node));
        self.only_makes_a_value(language, tree, node) && (!is_choice || does_nothing(language, tree, node, &|_| false))
    }

    /// Whether the value of a node is dropped where it stands.
    pub fn is_statement(&self, tree: &Tree, node: NodeId) -> bool {
        let Some(parent) = tree.parent(node) else { return false };
        let around = tree.kind(parent);
        self.statements.contains(&around)
            || self.blocks.iter().any(|(kind, field)| *kind == around && *field == tree.field(node))
                && (around_is_plain(self, tree, parent) || self.is_statement(tree, parent))
    }

    /// The branch nearest around a statement, when nothing but what `is_gone` takes for nothing would be run in it, and asking
    /// for it does nothing either.
    pub fn hollow_branch(
        &self,
        language: &'static Language,
        tree: &Tree,
        statement: NodeId,
        is_gone: &dyn Fn(NodeId) -> bool,
    ) -> Option<NodeId> {
        let branch = tree.ancestors(statement).find(|&above| !self.braces.contains(&tree.kind(above)))?;
        let holds_it =
            self.branches.contains(&tree.kind(branch)) && (self.blocks.is_empty() || self.is_statement(tree, branch));
        let is_part = |node: NodeId| [self.branches, self.braces].iter().any(|kinds| kinds.contains(&tree.kind(node)));
        let is_nothing = |node: NodeId| is_gone(node) || is_part(node);
        (holds_it && does_nothing(language, tree, branch, &is_nothing)).then_some(branch)
    }

    /// The whole statement of a call that is one.
    pub fn statement_of(&self, tree: &Tree, call: NodeId) -> NodeId {
        tree.parent(call).filter(|&parent| self.statements.contains(&tree.kind(parent))).unwrap_or(call)
    }

    /// Whether the first word of a piece of code is a local variable of a function.
    pub fn starts_with_a_local(&self, tree: &Tree, scopes: &Scopes, node: NodeId) -> bool {
        let first = tree.subtree(node).find(|&below| tree.is_leaf(below) && self.names.contains(&tree.kind(below)));
        let variable = first.and_then(|first| scopes.binding(first));
        variable.is_some_and(|id| self.is_of_a_function(tree, scopes, id))
    }

    /// The nodes of the variable and of its value, where a node gives a variable a value.
    pub fn assignment(&self, tree: &Tree, node: NodeId) -> Option<(NodeId, Option<NodeId>)> {
        let kind = tree.kind(node);
        let (_, target, value) = self.assignments.iter().find(|(assigning, ..)| *assigning == kind)?;
        Some((tree.child(node, target)?, tree.child(node, value)))
    }

    /// The local variables that an assignment gives a value, when it gives none to anything else. Members, and variables
    /// from outside, are no locals.
    pub(crate) fn assigned(&self, tree: &Tree, scopes: &Scopes, target: NodeId) -> Option<Vec<BindingId>> {
        if tree.is_leaf(target) {
            if self.discard.is_some_and(|discard| tree.text(target) == discard) {
                return Some(Vec::new());
            }
            let id = scopes.binding(target)?;
            return self.is_of_a_function(tree, scopes, id).then(|| vec![id]);
        }
        // A pattern that declares: every variable in it is one that it declares.
        let bound = |node: NodeId| scopes.binding(node).filter(|&id| scopes.get(id).declared == node);
        let declared: Vec<BindingId> = tree.subtree(target).filter_map(bound).collect();
        let is_local = !declared.is_empty() && declared.iter().all(|&id| self.is_of_a_function(tree, scopes, id));
        is_local.then_some(declared)
    }

    /// Whether a variable is declared in a function, and not as a member of something in it.
    pub(crate) fn is_of_a_function(&self, tree: &Tree, scopes: &Scopes, id: BindingId) -> bool {
        let around = tree.ancestors(scopes.get(id).declared).map(|above| tree.kind(above));
        let mut bounds = around.filter(|kind| self.functions.contains(kind) || self.containers.contains(kind));
        bounds.next().is_some_and(|kind| self.functions.contains(&kind))
    }

    /// Whether what stands at a node decides which way is taken.
    pub(crate) fn decides(&self, tree: &Tree, parent: NodeId, before: Option<NodeId>, node: NodeId) -> bool {
        let kind = tree.kind(parent);
        let is_named =
            |place: &str| tree.field(node) == Some(place) || before.map(|node| tree.kind(node)) == Some(place);
        self.conditions.iter().any(|(deciding, place)| *deciding == kind && is_named(place))
            || self.chains.contains(&kind) && tree.subtree_end(node) != tree.subtree_end(parent)
    }
}

/// Whether the code at a node does nothing but make values, keep them in its own variables and give one back.
pub fn only_gives_a_value(
    language: &'static Language,
    tree: &Tree,
    scopes: &Scopes,
    node: NodeId,
    is_ignored: &dyn Fn(NodeId) -> bool,
) -> bool {
    let kinds = language.rules().kinds();
    let passes = |below: NodeId| {
        let kind = tree.kind(below);
        let stands =
            [kinds.returns, kinds.braces, kinds.branches, kinds.statements].iter().any(|of| of.contains(&kind));
        let keeps = || {
            let assigned = kinds.assignment(tree, below).and_then(|(to, _)| kinds.assigned(tree, scopes, to));
            assigned.is_some_and(|ids| !ids.is_empty())
        };
        stands || kinds.only_makes_a_value(language, tree, below) || is_ignored(below) || keeps()
    };
    tree.subtree(node).all(passes)
}

/// A block drops the values in it; a body only where the value of the whole is dropped.
fn around_is_plain(kinds: &Kinds, tree: &Tree, parent: NodeId) -> bool {
    kinds.blocks.iter().any(|(kind, field)| *kind == tree.kind(parent) && field.is_none())
}

/// Whether the code at a node does nothing but make a value: no call but those that `is_ignored` takes for nothing, no
/// suspension, no assignment, no way out.
pub fn does_nothing(
    language: &'static Language,
    tree: &Tree,
    node: NodeId,
    is_ignored: &dyn Fn(NodeId) -> bool,
) -> bool {
    let kinds = language.rules().kinds();
    let passes = |below: NodeId| kinds.only_makes_a_value(language, tree, below) || is_ignored(below);
    tree.subtree(node).all(passes)
}
