//! What local variables are given and compared with, as a small domain: each constant that occurs is a class of its
//! own, and all other values are one of two more. What is known of a variable is the set of classes that it may be in.

use super::query::Query;
use super::shape::Shape;
use crate::graph::Action;
use crate::program::{Program, Scope};
use crate::table::constant_at;
use factgate_record::FactValue;
use factgate_syntax::condition::{Operand, Sameness, is_boolean};
use factgate_syntax::languages::Strict;
use factgate_syntax::value::{self, Entries, Entry, Spelled};
use factgate_syntax::{BindingId, NodeId};
use std::collections::{BTreeMap, BTreeSet};

use super::condition::Leaf;

/// A set of classes, a bit each.
pub(super) type Classes = u32;

/// A true value that is none of the constants; an object is one.
const OTHER_TRUE: Classes = 1;
/// A false one.
const OTHER_FALSE: Classes = 1 << 1;
const FALSE: Classes = 1 << 2;
const TRUE: Classes = 1 << 3;
const NULL: Classes = 1 << 4;
const UNDEFINED: Classes = 1 << 5;
/// The first class that is a constant of the code.
const FIRST: usize = 6;
/// Constants of one scope beyond which the others are no classes of their own.
const MOST: usize = 24;

/// The constants of a scope, and which variables are given which of them.
#[derive(Default)]
pub(super) struct Flags {
    constants: Vec<Constant>,
    /// What is known of assigned values, and of declarations that give no value.
    given: BTreeMap<NodeId, Classes>,
}

#[derive(Clone, Debug, PartialEq)]
enum Constant {
    Value(FactValue),
    /// A member of an enum.
    Member(String),
}

/// What a leaf asks of a variable.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ask {
    /// Is it true?
    Truth,
    /// Is it this constant?
    Is(Classes, Sameness),
    /// Is it `null` or `undefined`?
    Missing,
    /// Is the one smaller than the other? `None` stands for the variable.
    Less(Option<f64>, Option<f64>, Strict),
}

impl Flags {
    /// The class of a constant; `None` when there are too many.
    fn class(&mut self, constant: Constant) -> Option<Classes> {
        let at = match self.constants.iter().position(|known| *known == constant) {
            Some(at) => at,
            None if self.constants.len() >= MOST => return None,
            None => {
                self.constants.push(constant);
                self.constants.len() - 1
            }
        };
        Some(1 << (FIRST + at))
    }

    /// Every class.
    pub(super) fn all(&self) -> Classes {
        (1 << (FIRST + self.constants.len())) - 1
    }

    /// The classes of values with this truth.
    pub(super) fn with_truth(&self, wanted: bool) -> Classes {
        let is = |class: Classes| match class {
            OTHER_TRUE | TRUE => Some(true),
            OTHER_FALSE | FALSE | NULL | UNDEFINED => Some(false),
            _ => self.constant(class).and_then(truth),
        };
        self.those(|class| is(class).is_none_or(|truth| truth == wanted))
    }

    /// The classes for which the answer may be yes, and those for which it may be no.
    pub(super) fn answers(&self, ask: Ask) -> [Classes; 2] {
        let all = self.all();
        match ask {
            Ask::Truth => [true, false].map(|truth| self.with_truth(truth)),
            Ask::Is(class, Sameness::Strict) => [class, all & !class],
            Ask::Is(class, Sameness::Loose) => [all & !(NULL | UNDEFINED | self.alike(class)) | class, all & !class],
            Ask::Missing => [NULL | UNDEFINED, all & !(NULL | UNDEFINED)],
            Ask::Less(smaller, larger, strict) => {
                let outcome = |class| {
                    let own = self.number(class)?;
                    let (smaller, larger) = (smaller.unwrap_or(own), larger.unwrap_or(own));
                    Some(if strict == Strict::Yes { smaller < larger } else { smaller <= larger })
                };
                [true, false].map(|wanted| self.those(|class| outcome(class).is_none_or(|is| is == wanted)))
            }
        }
    }

    fn those(&self, is: impl Fn(Classes) -> bool) -> Classes {
        let all = (0..FIRST + self.constants.len()).map(|at| 1 << at);
        all.filter(|&class| is(class)).sum()
    }

    fn constant(&self, class: Classes) -> Option<&Constant> {
        self.constants.get((class.trailing_zeros() as usize).checked_sub(FIRST)?)
    }

    /// The constants of the same type as this one: they equal it only when they are it.
    fn alike(&self, class: Classes) -> Classes {
        let kind = |class| self.constant(class).map(|constant| (std::mem::discriminant(constant), is_text(constant)));
        self.those(|other| kind(other).is_some() && kind(other) == kind(class))
    }

    fn number(&self, class: Classes) -> Option<f64> {
        match self.constant(class)? {
            Constant::Value(FactValue::Integer(number)) => Some(*number as f64),
            Constant::Value(FactValue::Float(number)) => Some(*number),
            _ => None,
        }
    }

    /// What is known of an assigned value.
    pub(super) fn given(&self, value: NodeId) -> Classes {
        self.given.get(&value).copied().unwrap_or_else(|| self.all())
    }

    /// Whether a value, or one way of a choice, is a constant.
    pub(super) fn is_given(&self, value: NodeId) -> bool {
        self.given.contains_key(&value)
    }
}

fn truth(constant: &Constant) -> Option<bool> {
    match constant {
        Constant::Value(FactValue::Integer(number)) => Some(*number != 0),
        Constant::Value(FactValue::Float(number)) => Some(*number != 0.0),
        Constant::Value(FactValue::Text(text)) => Some(!text.is_empty()),
        Constant::Value(_) | Constant::Member(_) => None,
    }
}

fn is_text(constant: &Constant) -> bool {
    matches!(constant, Constant::Value(FactValue::Text(_)))
}

impl Query<'_> {
    /// What a leaf of the scope's own code asks of a local variable.
    pub(super) fn asks(&mut self, leaf: &Leaf) -> Option<(BindingId, Ask)> {
        let reading = self.reading;
        match *leaf {
            Leaf::Truth(node) => match reading.local(node) {
                Some(binding) => Some((binding, Ask::Truth)),
                None => self.asks_order(node),
            },
            Leaf::Equal { left, right, sameness } => {
                let local = |operand| match operand {
                    Operand::Node(node) => reading.local(node),
                    _ => None,
                };
                let (binding, other) = match (local(left), local(right)) {
                    (Some(binding), None) => (binding, right),
                    (None, Some(binding)) => (binding, left),
                    _ => return None,
                };
                let class = match other {
                    Operand::Null | Operand::Undefined if sameness == Sameness::Loose => {
                        return Some((binding, Ask::Missing));
                    }
                    Operand::Null => NULL,
                    Operand::Undefined => UNDEFINED,
                    Operand::Node(node) => self.one_class(node)?,
                    Operand::Error => return None,
                };
                Some((binding, Ask::Is(class, sameness)))
            }
        }
    }

    fn asks_order(&mut self, node: NodeId) -> Option<(BindingId, Ask)> {
        let reading = self.reading;
        let order = reading.code.rules.ordering(&reading.scope.tree, node)?;
        let mut number = |node| {
            let class = self.one_class(node)?;
            self.flags.number(class)
        };
        match (reading.local(order.smaller), reading.local(order.larger)) {
            (Some(binding), None) => Some((binding, Ask::Less(None, Some(number(order.larger)?), order.strict))),
            (None, Some(binding)) => Some((binding, Ask::Less(Some(number(order.smaller)?), None, order.strict))),
            _ => None,
        }
    }

    /// The class of a constant expression.
    fn one_class(&mut self, node: NodeId) -> Option<Classes> {
        self.classes(node).filter(|classes| classes.is_power_of_two() && *classes > OTHER_FALSE)
    }

    /// What an expression, or a declaration without a value, says of its value.
    fn classes(&mut self, node: NodeId) -> Option<Classes> {
        let scope = &self.reading.scope;
        let constant = match self.reading.code.rules.spelled(&scope.tree, node) {
            Spelled::Null => return Some(NULL),
            Spelled::Undefined => return Some(UNDEFINED),
            Spelled::Object => return Some(OTHER_TRUE),
            Spelled::Unknown => return None,
            Spelled::Member(name) if declares(self.program, scope, &name) => return None,
            Spelled::Member(name) => Constant::Member(name),
            Spelled::Constant(_) => {
                let is_own = |inner: NodeId| self.reading.code.binding(inner).is_some();
                let value =
                    (!scope.tree.subtree(node).any(is_own)).then(|| constant_at(self.program, scope, node))??;
                match value {
                    FactValue::Bool(truth) => return Some(if truth { TRUE } else { FALSE }),
                    value => Constant::Value(value),
                }
            }
        };
        let truth = truth(&constant);
        let other = || truth.map(|truth| if truth { OTHER_TRUE } else { OTHER_FALSE });
        self.flags.class(constant).or_else(other)
    }

    /// Reads what the variables that the code asks about are given.
    pub(super) fn read_given(&mut self) {
        let reading = self.reading;
        let asked: BTreeSet<BindingId> =
            self.leaves.iter().filter_map(|leaf| leaf.asks).map(|(binding, _)| binding).collect();
        for id in reading.graph.ids() {
            let Action::Write { node, target, value } = reading.graph.point(id).action else { continue };
            if !reading.assigned(target).is_some_and(|binding| asked.contains(&binding)) {
                continue;
            }
            match value {
                Some(value) => self.read_value(value),
                None => self.read_one(node),
            }
        }
    }

    /// A value, and both ways of a choice.
    fn read_value(&mut self, value: NodeId) {
        let reading = self.reading;
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match reading.code.rules.choice(&reading.scope.tree, value) {
                Some([_, yes, no]) => open.extend([yes, no]),
                None => self.read_one(value),
            }
        }
    }

    fn read_one(&mut self, node: NodeId) {
        let code = &self.reading.code;
        let is_truth = is_boolean(&code.rules.condition(&code.tree, node));
        let classes = if is_truth { Some(TRUE | FALSE) } else { self.classes(node) };
        if let Some(classes) = classes {
            self.flags.given.insert(node, classes);
        }
    }

    /// Whether a value of this shape is a constant, or chooses one.
    pub(super) fn is_flag(&self, value: NodeId, shape: Option<&Shape>) -> bool {
        let code = &self.reading.code;
        match (code.rules.choice(&code.tree, value), shape) {
            (Some([_, yes, no]), Some(Shape::Choice(_))) => [yes, no].iter().any(|&way| self.is_flag(way, None)),
            _ => self.flags.is_given(value) && self.flags.given(value) != TRUE | FALSE,
        }
    }
}

/// Whether a container of the scope's file declares a constant of this name, which may be another of its members.
fn declares(program: &Program<'_>, scope: &Scope, name: &str) -> bool {
    let items = scope.source.items();
    let around = items.iter().filter_map(|item| item.name.strip_suffix(name)?.strip_suffix('.'));
    let is_member = |container: &str| {
        let container = items.iter().find(|item| item.name == container)?;
        let container = program.scope_of(&scope.file, &scope.source, container).ok()?;
        let is_it = |entry: &Entry| entry.name == value::Constant::Text(name.to_owned());
        match container.source.language().rules().entries(&container.tree, NodeId::ROOT) {
            Entries::All(entries) => Some(entries.iter().any(is_it)),
            Entries::NotLiteral(..) => None,
        }
    };
    around.map(is_member).any(|is_member| is_member != Some(true))
}
