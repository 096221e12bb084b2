//! What is known of a value, as a small domain: each constant that occurs is a class of its own, and all other values are
//! in one of two more. Knowledge is the set of classes that the value may be in.

use factgate_ir::{Const, Order, Sameness, Sym};
use std::cmp::Ordering;

/// A set of classes, a bit each.
pub(super) type Classes = u32;

/// A true value that is none of the constants; an object is one.
pub(super) const OTHER_TRUE: Classes = 1;
/// A false one.
pub(super) const OTHER_FALSE: Classes = 1 << 1;
pub(super) const FALSE: Classes = 1 << 2;
pub(super) const TRUE: Classes = 1 << 3;
pub(super) const NULL: Classes = 1 << 4;
pub(super) const UNDEFINED: Classes = 1 << 5;
/// An error of Zig; of an error union only this is asked.
pub(super) const ERROR: Classes = 1 << 6;
/// It has no value: what it is a member of is missing.
pub(super) const ABSENT: Classes = 1 << 7;
/// The first class that is a constant of the code.
const FIRST: usize = 8;
/// Constants beyond which the others are no classes of their own.
const MOST: usize = 23;

/// The classes of one question.
#[derive(Default)]
pub(super) struct Domain {
    constants: Vec<Constant>,
}

/// A constant that is a class.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Constant {
    Number(f64),
    Text(Sym),
    /// A tag: `.open`.
    Tag(Sym),
    /// A literal that is known by its text alone: it may equal others. Each is two classes, by its truth.
    Other(Sym, bool),
}

/// What is asked of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ask {
    /// Is it true?
    Truth,
    /// Is it in this class?
    Is(Classes, Sameness),
    /// Is it `null` or `undefined`?
    Missing,
    /// Is it an error?
    Error,
    /// Is it less than the number?
    Below(f64, Order),
    /// Is the number less than it?
    Above(f64, Order),
}

impl Domain {
    /// The classes of a constant's value: one, or several when there are too many constants.
    pub(super) fn of(&mut self, constant: &Const) -> Classes {
        match constant {
            Const::Undefined => UNDEFINED,
            Const::Null => NULL,
            Const::Bool(true) => TRUE,
            Const::Bool(false) => FALSE,
            Const::Number(number) if number.get() == 0.0 => self.class(Constant::Number(0.0)),
            Const::Number(number) => self.class(Constant::Number(number.get())),
            Const::Text(text) => self.class(Constant::Text(text.clone())),
            Const::Tag(tag) => self.class(Constant::Tag(tag.clone())),
            Const::Error(_) => ERROR,
            Const::Other(text) => {
                let with = |truth| Constant::Other(text.clone(), truth);
                self.class(with(true)) | self.class(with(false))
            }
        }
    }

    /// The class of a constant that was found elsewhere.
    pub(super) fn class(&mut self, constant: Constant) -> Classes {
        let at = match self.constants.iter().position(|known| *known == constant) {
            Some(at) => at,
            None if self.constants.len() >= MOST => {
                return if truth(&constant) { OTHER_TRUE } else { OTHER_FALSE };
            }
            None => {
                self.constants.push(constant);
                self.constants.len() - 1
            }
        };
        1 << (FIRST + at)
    }

    /// Every class.
    pub(super) fn all(&self) -> Classes {
        (1 << (FIRST + self.constants.len())) - 1
    }

    /// The classes of values with this truth.
    pub(super) fn with_truth(&self, wanted: bool) -> Classes {
        let is = |class: Classes| match class {
            OTHER_TRUE | TRUE | ERROR => Some(true),
            OTHER_FALSE | FALSE | NULL | UNDEFINED => Some(false),
            _ => self.constant(class).map(truth),
        };
        self.those(|class| is(class).is_none_or(|truth| truth == wanted))
    }

    /// The classes for which the answer may be yes, and those for which it may be no.
    pub(super) fn answers(&self, ask: Ask) -> [Classes; 2] {
        let all = self.all();
        match ask {
            Ask::Truth => [true, false].map(|truth| self.with_truth(truth)),
            Ask::Missing => [NULL | UNDEFINED, all & !(NULL | UNDEFINED)],
            Ask::Error => [ERROR, all & !ERROR],
            // Not a class of one value: it may be this one or another.
            Ask::Is(class, _) if !is_one(class) => [if self.is_known(class) { class } else { all }, all],
            Ask::Is(class, Sameness::Strict) => [class, all & !class],
            Ask::Is(NULL | UNDEFINED, Sameness::Loose) => [NULL | UNDEFINED, all & !(NULL | UNDEFINED)],
            Ask::Is(class, Sameness::Loose) => [all & !(NULL | UNDEFINED | self.alike(class)) | class, all & !class],
            Ask::Below(..) | Ask::Above(..) => {
                let outcome = |class| compare(self.number(class)?, ask);
                [true, false].map(|wanted| self.those(|class| outcome(class).is_none_or(|is| is == wanted)))
            }
        }
    }

    fn those(&self, is: impl Fn(Classes) -> bool) -> Classes {
        let all = (0..FIRST + self.constants.len()).map(|at| 1 << at);
        all.filter(|&class| class != ABSENT && is(class)).sum()
    }

    fn constant(&self, class: Classes) -> Option<&Constant> {
        self.constants.get((class.trailing_zeros() as usize).checked_sub(FIRST)?)
    }

    /// Whether no value outside the classes equals one of theirs.
    fn is_known(&self, classes: Classes) -> bool {
        let is_other = |class| matches!(self.constant(class), Some(Constant::Other(..)));
        classes & self.those(is_other) == 0
    }

    /// The constants of the same type as this one: they equal it only when they are it.
    fn alike(&self, class: Classes) -> Classes {
        let kind = |class| self.constant(class).map(std::mem::discriminant);
        self.those(|other| kind(other).is_some() && kind(other) == kind(class))
    }

    fn number(&self, class: Classes) -> Option<f64> {
        if let Some(Constant::Number(number)) = self.constant(class) { Some(*number) } else { None }
    }

    /// The number that a class of one number is.
    pub(super) fn one_number(&self, class: Classes) -> Option<f64> {
        if is_one(class) { self.number(class) } else { None }
    }
}

/// Whether a set is one class that is one value.
pub(super) fn is_one(class: Classes) -> bool {
    class.is_power_of_two() && class > OTHER_FALSE && class != ERROR && class != ABSENT
}

fn compare(number: f64, ask: Ask) -> Option<bool> {
    let (smaller, larger, order) = match ask {
        Ask::Below(limit, order) => (number, limit, order),
        Ask::Above(limit, order) => (limit, number, order),
        _ => return None,
    };
    Some(match smaller.partial_cmp(&larger)? {
        Ordering::Less => true,
        Ordering::Equal => order == Order::LessOrEqual,
        Ordering::Greater => false,
    })
}

fn truth(constant: &Constant) -> bool {
    match constant {
        Constant::Number(number) => *number != 0.0 && !number.is_nan(),
        Constant::Text(text) => !text.as_str().is_empty(),
        // Where there are tags, only truth values are asked for their truth.
        Constant::Tag(_) => true,
        Constant::Other(_, truth) => *truth,
    }
}
