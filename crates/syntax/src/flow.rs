//! Flow: the few shapes that every language's function bodies are lowered to.
//!
//! Guards are decided on these shapes and never look at grammar node names. Each language lowers a
//! scope of its normal tree with its own `flow`; the control-flow graph is built from the shapes, in
//! one place, by the `facts` crate.

use crate::tree::NodeId;

/// What a piece of code does, in evaluation order.
#[derive(Clone, Debug)]
pub enum Flow {
    /// One after the other. An empty sequence does nothing.
    Seq(Vec<Flow>),
    /// The node is evaluated here, after its operands (which come earlier in the sequence). Every
    /// expression and simple statement that a pattern could name has one `Eval`; a compound statement
    /// (`if`, `while`, a block, `switch`, `try`) has its `Eval` where it is entered, and so has a `&&`, `||`,
    /// `??` or choice that is itself a test, whose outcomes part before all of it was evaluated. What a short-circuit skips is not evaluated.
    Eval {
        /// The node in the normal tree.
        node: NodeId,
        /// Whether evaluating it can raise (a call, `new`, `await` …); never true in Zig, whose errors are values.
        raises: bool,
    },
    /// The function can be left to other code and come back here: `await`, `yield`, the step of `for await`, the end of
    /// a block with `await using`. An `await` or `yield` has its `Eval` behind its `Suspend`, when its value is there.
    Suspend {
        /// The suspending node.
        node: NodeId,
    },
    /// A variable or property gets a new value. What was known about it ends here.
    Write {
        /// The assigning node (declaration, assignment, update, loop head, parameter).
        node: NodeId,
        /// The node of the target: an identifier, a member access, a deref; a destructuring pattern gives one
        /// `Write` for each of its targets.
        target: NodeId,
        /// The node whose value the target gets whole, when there is one (`None` for `x++`, destructuring, loops).
        value: Option<NodeId>,
    },
    /// One of two ways, by the outcome of a test.
    Branch {
        /// The deciding test.
        test: Test,
        /// Taken when the test is true.
        yes: Box<Flow>,
        /// Taken when the test is false.
        no: Box<Flow>,
    },
    /// Arms chosen by comparing one subject: `switch`.
    Arms {
        /// Evaluates the subject.
        subject: Box<Flow>,
        /// The arms in source order.
        arms: Vec<Arm>,
        /// Whether an arm that does not leave goes on into the next one (JavaScript) or behind the arms (Zig).
        falls_through: FallsThrough,
        /// The target of `break` out of the arms (and in Zig of a labelled `continue` back to them).
        label: Label,
        /// What happens when no arm fits and no arm is the default.
        exhaustive: Exhaustive,
    },
    /// Repeats `body`. Each turn asks `test` first; `step` runs after the body and on `continue`.
    Loop {
        /// The target of `break` and `continue`.
        label: Label,
        /// Asked before each turn. A `do … while` has its test at the end of `body` and `Test::Always` here.
        test: Test,
        /// One turn.
        body: Box<Flow>,
        /// Runs between turns: the update of a `for`, Zig's continue expression, the test of `do … while`
        /// (as a `Branch` whose `no` breaks).
        step: Box<Flow>,
        /// Runs when the test is false (Zig's `else` of a loop; empty elsewhere).
        otherwise: Box<Flow>,
    },
    /// A block that a labelled `break` can leave.
    Block {
        /// The target.
        label: Label,
        /// What is in it.
        body: Box<Flow>,
    },
    /// Leaves. Nothing in the sequence behind it is reached.
    Leave {
        /// Where to.
        to: Exit,
        /// The leaving node.
        node: NodeId,
    },
    /// `try` and `defer`: a body, what catches its raised errors, and what runs on the way out.
    Protected {
        /// The protected code. For `defer` this is the rest of the enclosing block.
        body: Box<Flow>,
        /// Entered from any point of the body that can raise, when there is one.
        catch: Option<Box<Flow>>,
        /// Runs on the way out of body and catch.
        finally: Option<Box<Flow>>,
        /// Which ways out run `finally`.
        on: FinallyOn,
    },
    /// A function made here. Called on the spot, its body is part of the path (a `Return` in it ends only it);
    /// otherwise it is a scope of its own that knows nothing of this place.
    Closure {
        /// The function's node.
        node: NodeId,
        /// Its parameters' writes and its body.
        body: Box<Flow>,
        /// How it is used.
        called: Called,
    },
}

/// One arm of [`Flow::Arms`].
#[derive(Clone, Debug)]
pub struct Arm {
    /// Any one of these tests enters the arm (one each for a case value); empty for the default arm.
    pub tests: Vec<Test>,
    /// Whether this is the arm that no test enters.
    pub default: bool,
    /// The arm's own node.
    pub node: NodeId,
    /// What it does.
    pub body: Flow,
}

/// Whether arms run on into the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FallsThrough {
    /// As in JavaScript.
    Yes,
    /// As in Zig.
    No,
}

/// Whether the language guarantees that one arm is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhaustive {
    /// As in Zig.
    Yes,
    /// As in JavaScript.
    No,
}

/// Which ways out run a `finally`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinallyOn {
    /// Every way out (`finally`, `defer`).
    Every,
    /// Only raised errors and error returns (`errdefer`).
    Error,
}

/// How a function that is made in an expression is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Called {
    /// `(() => …)()`, `await (async () => …)()`: its body is evaluated here, once, to its end.
    OnTheSpot,
    /// Handed on or stored: it may run later, often, or never.
    Later,
}

/// A target of `break` and `continue`, unique in one lowered scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u32);

/// Where a [`Flow::Leave`] goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Out of the innermost function, normally.
    Return,
    /// Out of the innermost function as an error value: Zig's `try`, `return error.X`.
    ErrorReturn,
    /// To the innermost catch, or out of the function: `throw`.
    Throw,
    /// Behind the loop, arms or block.
    Break(Label),
    /// To the next turn of the loop (its `step`), or back to the arms.
    Continue(Label),
    /// Nowhere: `unreachable`, `@panic`, `process.exit`. (Calls listed by the user are added by `facts`.)
    Never,
}

/// How a branch is decided.
#[derive(Clone, Debug)]
pub enum Test {
    /// A condition: `flow` evaluates its operands (and the node itself); its truth decides. Use
    /// [`crate::languages::Rules::condition`] on `node` to see what its outcome makes known.
    Node {
        /// The condition's node.
        node: NodeId,
        /// Evaluates it.
        flow: Box<Flow>,
    },
    /// A comparison with no node of its own: a case of a switch, `orelse`, a capture.
    Is {
        /// Evaluates what must be evaluated for the comparison.
        flow: Box<Flow>,
        /// What is known when the outcome is true (its negation when it is false).
        condition: crate::condition::Condition,
        /// The node to show for it.
        node: NodeId,
    },
    /// `!test`.
    Not(Box<Test>),
    /// Short-circuit conjunction, in order.
    And(Vec<Test>),
    /// Short-circuit disjunction, in order.
    Or(Vec<Test>),
    /// `test ? yes : no` as a test: whichever is chosen decides.
    Choice {
        /// What chooses.
        test: Box<Test>,
        /// Decides when the test is true.
        yes: Box<Test>,
        /// Decides when it is false.
        no: Box<Test>,
    },
    /// Either way, and nothing is learnt: does an iteration go on, does a call fail.
    Unknown {
        /// Evaluates what decides.
        flow: Box<Flow>,
        /// The node to show for it.
        node: NodeId,
    },
    /// Always true: `while (true)`, `for (;;)`.
    Always,
}

impl Flow {
    /// Does nothing.
    pub fn nothing() -> Flow {
        Flow::Seq(Vec::new())
    }
}
