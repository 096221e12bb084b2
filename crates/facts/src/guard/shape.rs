//! Conditions of the code as shapes over numbered leaves.

use super::condition::Leaf;
use factgate_syntax::condition::Condition;

/// A condition of the code over leaves that are numbered in [`Conditions`].
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Leaf(usize),
    Not(Box<Shape>),
    And(Vec<Shape>),
    Or(Vec<Shape>),
    /// Conditions that always have one outcome together: a call, and what it stands for.
    Same(Vec<Shape>),
    /// The first; and where it is true, the second is true too.
    Also(Box<Shape>, Box<Shape>),
    /// The second where the first is true, else the third.
    Choice(Box<[Shape; 3]>),
    Constant(bool),
}

/// A condition as a shape; its leaves are added to `leaves`.
pub(super) fn shape(condition: &Condition, leaves: &mut Vec<Leaf>) -> Shape {
    let leaf = |leaf: Leaf, leaves: &mut Vec<Leaf>| {
        leaves.push(leaf);
        Shape::Leaf(leaves.len() - 1)
    };
    match condition {
        Condition::Atom(node) => leaf(Leaf::Truth(*node), leaves),
        Condition::Equal { left, right, sameness } => {
            leaf(Leaf::Equal { left: *left, right: *right, sameness: *sameness }, leaves)
        }
        Condition::Not(inner) => Shape::Not(Box::new(shape(inner, leaves))),
        Condition::And(parts) => Shape::And(parts.iter().map(|part| shape(part, leaves)).collect()),
        Condition::Or(parts) => Shape::Or(parts.iter().map(|part| shape(part, leaves)).collect()),
        Condition::Choice { test, yes, no } => Shape::Choice(Box::new([test, yes, no].map(|part| shape(part, leaves)))),
        Condition::Constant(value) => Shape::Constant(*value),
    }
}

/// Numbers a shape's leaves from here on.
pub(super) fn number(shape: &mut Shape, from: usize) {
    match shape {
        Shape::Leaf(index) => *index += from,
        Shape::Not(inner) => number(inner, from),
        Shape::And(parts) | Shape::Or(parts) | Shape::Same(parts) => {
            parts.iter_mut().for_each(|part| number(part, from));
        }
        Shape::Also(first, second) => [first, second].into_iter().for_each(|part| number(part, from)),
        Shape::Choice(parts) => parts.iter_mut().for_each(|part| number(part, from)),
        Shape::Constant(_) => {}
    }
}

/// Whether a condition of one leaf is that leaf or its opposite.
pub(super) fn parity(shape: &Shape) -> Option<bool> {
    match shape {
        Shape::Leaf(_) => Some(true),
        Shape::Not(inner) => parity(inner).map(|same| !same),
        _ => None,
    }
}

/// Puts another shape in the place of a leaf.
pub(super) fn replace(shape: &mut Shape, leaf: usize, other: &Shape) {
    match shape {
        Shape::Leaf(index) if *index == leaf => *shape = other.clone(),
        Shape::Leaf(_) | Shape::Constant(_) => {}
        Shape::Not(inner) => replace(inner, leaf, other),
        Shape::And(parts) | Shape::Or(parts) | Shape::Same(parts) => {
            parts.iter_mut().for_each(|part| replace(part, leaf, other));
        }
        Shape::Also(first, second) => [first, second].into_iter().for_each(|part| replace(part, leaf, other)),
        Shape::Choice(parts) => parts.iter_mut().for_each(|part| replace(part, leaf, other)),
    }
}
