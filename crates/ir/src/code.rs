//! What code does: structured control flow around operations that each give at most one value.
//!
//! Where ways meet there is no special value: each way writes a slot, and the slot is read behind. What a `finally`
//! does is written once. [`crate::Test`] says how ways part.

use crate::{Label, NodeId, Op, Test, ValueId};

/// A piece of code, in the order of evaluation.
#[derive(Clone, Debug, PartialEq)]
pub enum Code {
    /// One after the other. An empty sequence does nothing.
    Seq(Vec<Code>),
    /// One operation.
    Do(Op),
    /// One of two ways.
    Branch {
        /// Decides.
        test: Test,
        /// Taken when it is true.
        yes: Box<Code>,
        /// Taken when it is false.
        no: Box<Code>,
    },
    /// Arms that are tried in order: `switch`. The subject was evaluated before. A language in which an arm can go back
    /// with another subject has the subject in a slot and a `Loop` around, whose test is `Always`.
    Arms {
        /// The arms in source order, which is the order of their tests.
        arms: Vec<Arm>,
        /// Where an arm goes at its end.
        falls: Falls,
        /// What happens when no test holds and no arm is the default.
        missed: Missed,
        /// The target of a `Break` out of the arms.
        label: Label,
    },
    /// Repeats `body`. Each turn asks `test` first.
    Loop {
        /// The target of `Break`, and of `Continue`, which goes on with `step`.
        label: Label,
        /// Asked before each turn. `do … while` has `Always` here and a `Branch` in `step`, whose `no` breaks.
        test: Test,
        /// One turn.
        body: Box<Code>,
        /// Runs between turns.
        step: Box<Code>,
        /// Runs when the test is false: the `else` of a loop of Zig.
        otherwise: Box<Code>,
    },
    /// Code that a `Break` can leave.
    Block {
        /// Its target.
        label: Label,
        /// The code.
        body: Box<Code>,
    },
    /// `try`, `defer`, `errdefer`, `using`, drops: code, who catches what is raised in it, and what runs on the way out of
    /// both. For `defer` and its like the code is the rest of the block.
    Guarded {
        /// The code.
        body: Box<Code>,
        /// Entered when something is raised in it.
        catch: Option<Catch>,
        /// Runs on these ways out of body and catch. When it leaves by itself, it goes there instead.
        leaving: Option<(When, Box<Code>)>,
    },
    /// Leaves. Nothing behind it is reached.
    Leave {
        /// Where to.
        to: Exit,
        /// What is returned or raised; nothing for the other ways.
        value: Option<ValueId>,
        /// The node that leaves.
        node: NodeId,
    },
}

/// One arm of [`Code::Arms`].
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// Each of them enters the arm. A guard of Rust is the last part of an `And`.
    pub tests: Vec<Test>,
    /// Whether it is entered as well when no test of any arm holds. Its place among the arms only says what falls.
    pub default: bool,
    /// Its node.
    pub node: NodeId,
    /// What it does.
    pub body: Code,
}

/// Where an arm goes at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Falls {
    /// Into the next arm, as in JavaScript.
    Through,
    /// Behind the arms.
    Behind,
}

/// What happens when no arm is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missed {
    /// The program goes on behind the arms.
    Behind,
    /// The language guarantees that one is.
    Never,
}

/// Who catches.
#[derive(Clone, Debug, PartialEq)]
pub struct Catch {
    /// What was raised, as a value that `code` may use; its node is that of the clause.
    pub value: Option<ValueId>,
    /// What is done then.
    pub code: Box<Code>,
}

/// Which ways out run the code of [`Code::Guarded::leaving`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Every way out, the end of the code too. `Never` is no way out.
    Every,
    /// `Raise` and `ErrorReturn`.
    Error,
}

/// Where a [`Code::Leave`] goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Exit {
    /// Out of the body.
    Return,
    /// Out of the body with an error as its value: `return error.X`, `try`, `?`.
    ErrorReturn,
    /// To the innermost catch, else out of the body.
    Raise,
    /// Behind the loop, arms or block.
    Break(Label),
    /// To the next turn of the loop: to its `step`.
    Continue(Label),
    /// Nowhere: the program ends, or this cannot be reached. Nothing runs on the way.
    Never,
}

impl Code {
    /// Does nothing.
    pub fn nothing() -> Code {
        Code::Seq(Vec::new())
    }

    /// The pieces one after the other.
    pub fn seq(parts: impl IntoIterator<Item = Code>) -> Code {
        Code::Seq(parts.into_iter().collect())
    }

    /// Whether it does nothing.
    pub fn is_nothing(&self) -> bool {
        matches!(self, Code::Seq(parts) if parts.iter().all(Code::is_nothing))
    }
}
