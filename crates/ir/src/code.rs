//! What code does: structured control flow around operations that each give at most one value.
//!
//! Where ways meet there is no special value: each way writes a slot, and the slot is read behind. What a `finally`
//! does is written once. [`crate::Test`] says how ways part.

use crate::{BodyId, ClassId, Key, Label, Name, NodeId, Number, OpId, Path, Place, Step, Sym, Test, ValueId, VarId};
use crate::{Order, Sameness};

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

/// One operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Op {
    /// Its number in the unit.
    pub id: OpId,
    /// The node that it comes from.
    pub node: NodeId,
    /// What it does.
    pub does: Does,
    /// The value that it gives. [`Does::gives`] says which operations can.
    pub gives: Option<ValueId>,
    /// Whether it can raise an error by itself. It has then done nothing, as far as is known, or all.
    pub raises: bool,
}

/// What an operation does.
#[derive(Clone, Debug, PartialEq)]
pub enum Does {
    /// The node has its value now, or was entered when it has none (a statement). Each node that a pattern could name
    /// has one on each way, behind its own operations. Of `a && b` as a test, whose ways part before it is all
    /// evaluated, it stands where the test is entered.
    Mark,
    /// A constant.
    Const(Const),
    /// Something of the call that runs this body.
    Given(Given),
    /// A pure function of the operands, except for what [`Prim::converts`] says.
    Compute(Prim, Vec<ValueId>),
    /// The value of a place. A member may be a getter's.
    Read(Place),
    /// A new value for a place. A member may be a setter's.
    Write {
        /// The place.
        place: Place,
        /// The value; none when nothing is known of it, or for `Delete`.
        value: Option<ValueId>,
        /// In which way.
        how: How,
    },
    /// Whether the object has the member or element, by itself or inherited: `in`.
    Has(ValueId, Step),
    /// A pointer to the place: `&x`, `|*x|`, `&mut x`.
    Address(Place),
    /// A new object, which nobody has.
    Make(Made),
    /// Every member and element of one object is written to the other, by `Init` or `Assign`.
    Copy(Copied),
    /// A function is made.
    Close {
        /// Its body.
        body: BodyId,
        /// When it may run, as far as this place says.
        runs: Runs,
    },
    /// A class is made, with the functions of its members.
    Define(ClassId),
    /// The variables become other ones, without a value, as at the start of a block or turn. Functions that were made
    /// before keep the old ones. Of variables with [`crate::Var::renewed`].
    Renew(Vec<VarId>),
    /// A call.
    Call(Call),
    /// Other code can run before this one goes on.
    Suspend {
        /// How.
        pause: Pause,
        /// What is waited for, or given out.
        value: Option<ValueId>,
    },
    /// Something is done that cannot be read.
    Forget(Forget),
}

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Const {
    /// `undefined`, and what a body returns that returns nothing.
    Undefined,
    /// `null`, `None`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number whose value is known.
    Number(Number),
    /// A text.
    Text(Sym),
    /// Zig's `.open`, a path to a unit variant of Rust.
    Tag(Sym),
    /// Zig's `error.Closed`.
    Error(Sym),
    /// Any other literal, known by its text alone: equal texts are equal values, and different texts need not differ.
    Other(Sym),
}

/// What a body gets from the call that runs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Given {
    /// Its `this`; in an arrow function that of the body around.
    This,
    /// `new.target`, likewise.
    NewTarget,
    /// The list of all arguments, a new one each time. That it may be another name of a parameter, the lowering says.
    Arguments,
    /// The function that runs: what the name of a function expression means in it.
    Function,
}

/// A function of the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Prim {
    /// `!a`
    Not,
    /// `a === b`, `a == b`. Negated is a `Not` behind it.
    Same(Sameness),
    /// `a < b`, `a <= b`. `a > b` is the same with the results of both swapped.
    Less(Order),
    /// `a + b`, of texts too.
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `-a`
    Negate,
    /// `+a`, and the old value of `a++`.
    Number,
    /// A template: the operands one after the other, as text.
    Text,
    /// The operand as the key of a member, a text or a symbol: `{ [a]: … }`.
    Key,
    /// `typeof a`
    TypeOf,
    /// `a instanceof B`. That `B` may say itself what its instances are, is a `Hook` of its own.
    InstanceOf,
    /// Whether it is `null` or `undefined`, as [`crate::Atom::Missing`].
    Missing,
    /// Whether it is an error, as [`crate::Atom::Error`].
    IsError,
    /// Nothing is known of the result but that the same operands give the same one.
    Other(Converts),
}

/// Whether a function converts objects among its operands, which runs `valueOf`, `toString` and their like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Converts {
    /// It does.
    Yes,
    /// It does not.
    No,
}

/// In which way a place is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum How {
    /// The first value of a variable: declarations, parameters, what a `catch` binds.
    Declare,
    /// An assignment. A setter may run.
    Assign,
    /// A member of the object itself gets its value: literals, fields. No setter runs.
    Init,
    /// The member is removed.
    Delete,
    /// The thing behind a pointer gets another value, of which the code lists these members.
    Whole(Vec<Name>),
    /// The member becomes an accessor, whose getter is the value.
    Getter,
    /// The member becomes an accessor, whose setter is the value.
    Setter,
}

/// What is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Made {
    /// An object.
    Object,
    /// A list, whose elements are numbered.
    List,
    /// A struct that is copied wherever it is written: of Zig and Rust.
    Struct,
    /// Something else that has members: a regular expression, a new symbol.
    Other,
}

/// A copy of members and elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Whose.
    pub from: ValueId,
    /// To whom.
    pub into: ValueId,
    /// Those that are not copied: what stands before the rest of a pattern.
    pub but: Vec<Step>,
    /// `Init` (spread, rest) or `Assign` (`Object.assign`).
    pub how: How,
}

/// When a function that is made may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Runs {
    /// Only by the call that this value is handed to, or is the callee of, before that call comes back.
    Here(Times),
    /// Whenever it is called. The engine sees who can.
    Later,
    /// At any operation: an accessor, a conversion, a trap of a proxy.
    Anywhere,
    /// At each `Next` of what its call gave.
    Iterated,
}

/// How often something runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Times {
    /// Once.
    Once,
    /// Any number of times, or not at all.
    Any,
    /// Once or not at all.
    AtMostOnce,
}

/// A call. Callee, receiver and arguments were evaluated before.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// What is called.
    pub callee: Callee,
    /// Its `this`; of a hook, the object that is asked.
    pub this: Option<ValueId>,
    /// The arguments.
    pub args: Vec<Arg>,
    /// How.
    pub form: Form,
    /// Who waits for its end, when it is suspended.
    pub waits: Waits,
}

/// What is called.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    /// A value that is no member of anything. `f.call(o)` is a call of `f` with `this`.
    Value(ValueId),
    /// A member of an object, which a `Read` gave before the arguments were evaluated.
    Member {
        /// The object, which is `this` as well.
        object: ValueId,
        /// The member's name.
        name: Name,
        /// What the `Read` gave.
        function: ValueId,
    },
    /// `super.m(…)`: looked up behind the class around, called on this body's `this`.
    Super(Name),
    /// `super(…)`: the constructor of the base makes `this`, which is given.
    Make,
    /// The initialisers of the fields of the class around, on `this`.
    Fields,
    /// What the language calls by itself.
    Hook(Hook),
    /// A name that the unit does not declare.
    Global(Path),
}

/// What a language calls by itself. `this` of the call is the object that is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Hook {
    /// Starts an iteration over an object and gives its state, for `Next` and `Close`.
    Iterate,
    /// The same of `for await`.
    IterateAsync,
    /// Starts an iteration over the names of an object's members: `for … in`.
    Keys,
    /// The next element of an iteration's state. [`crate::Atom::Done`] asks whether there was one, and its `Inner` is
    /// the element (`undefined` when there was none). An iteration that has ended gives no further ones and asks nobody.
    /// Of `IterateAsync` it gives what must be awaited first.
    Next,
    /// The iteration is left. Nothing happens when it has ended. In a `leaving` that runs because something was raised,
    /// what this raises is dropped. Of `IterateAsync` it gives what must be awaited, `undefined` when nothing.
    Close,
    /// `valueOf`, `toString` and their like, where no `Prim` stands for it.
    Convert,
    /// `Symbol.hasInstance`.
    HasInstance,
    /// `Symbol.dispose`, `Symbol.asyncDispose`.
    Dispose,
    /// A drop of Rust.
    Drop,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg {
    /// Its value. When `spread`, a list that the lowering made, whose elements are the arguments.
    pub value: ValueId,
    /// Whether it stands for any number of arguments. Those behind it have no known place.
    pub spread: bool,
    /// What the callee does with it.
    pub used: Used,
}

/// What a callee does with an argument: what a language knows of its own library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Used {
    /// Anything: it may be kept, and functions in it may run at any time.
    Unknown,
    /// A function that runs before the call comes back, and is not kept.
    Runs(Times),
    /// Functions in it become traps, which run at any operation.
    Proxied,
    /// It is read and not kept.
    NotKept,
}

/// The form of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// `f(…)`
    Plain,
    /// `new F(…)`: gives a new object, unless the callee returns one.
    New,
    /// A tagged template. The first argument is the same at each run.
    Tag,
}

/// Who waits for the end of a call to a body that is suspended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Waits {
    /// Behind this node the program goes on only when the call has ended.
    At(NodeId),
    /// The same, unless something else that is waited for with it raises an error.
    UnlessAnother(NodeId),
    /// The body around has no value before.
    Returned,
    /// Nobody.
    Not,
}

/// How a body is suspended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pause {
    /// `await`: gives what the value is settled with, raises what it is rejected with.
    Await,
    /// `yield`: gives what it is resumed with. It can also be left there as by a `Return`, or an error raised: both are
    /// part of it. In an async generator the value was awaited before.
    Yield,
    /// `yield*` over what `Iterate` gave: a loop of `Next` and `Yield`, gives what the iteration returns.
    Delegate,
    /// The turn of a `for await`: as `Await`, of what `Next` or `Close` gave.
    Turn,
    /// The end of a block with `await using`: as `Await`.
    Dispose,
}

/// What is not known any longer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Forget {
    /// Everything: `eval`, clobbered memory.
    Everything,
    /// These variables, and what they refer to: an unread macro.
    Vars(Vec<VarId>),
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

impl Does {
    /// Whether the operation can give a value.
    pub fn gives(&self) -> bool {
        !matches!(self, Does::Mark | Does::Write { .. } | Does::Copy(_) | Does::Renew(_) | Does::Forget(_))
    }

    /// The values that it uses, in the order of its parts.
    pub fn uses(&self) -> Vec<ValueId> {
        match self {
            Does::Mark | Does::Const(_) | Does::Given(_) | Does::Make(_) | Does::Close { .. } => Vec::new(),
            Does::Define(_) | Does::Renew(_) | Does::Forget(_) => Vec::new(),
            Does::Compute(_, operands) => operands.clone(),
            Does::Read(place) | Does::Address(place) => place.values().collect(),
            Does::Write { place, value, .. } => place.values().chain(*value).collect(),
            Does::Has(object, step) => [*object].into_iter().chain(step.key()).collect(),
            Does::Copy(copied) => {
                [copied.from, copied.into].into_iter().chain(copied.but.iter().filter_map(Step::key)).collect()
            }
            Does::Call(call) => call.uses(),
            Does::Suspend { value, .. } => value.iter().copied().collect(),
        }
    }
}

impl Call {
    /// The values that it uses: callee, receiver, arguments.
    pub fn uses(&self) -> Vec<ValueId> {
        let callee: Vec<ValueId> = match &self.callee {
            Callee::Value(value) => vec![*value],
            Callee::Member { object, function, .. } => vec![*object, *function],
            Callee::Super(_) | Callee::Make | Callee::Fields | Callee::Hook(_) | Callee::Global(_) => Vec::new(),
        };
        callee.into_iter().chain(self.this).chain(self.args.iter().map(|arg| arg.value)).collect()
    }
}

impl Step {
    /// The value of its key.
    pub fn key(&self) -> Option<ValueId> {
        if let Step::Element(_, key) = self { Some(*key) } else { None }
    }

    /// The element by this key.
    pub fn at(key: Key, value: ValueId) -> Step {
        Step::Element(key, value)
    }
}

impl Prim {
    /// Whether it runs conversions of the objects among its operands.
    pub fn converts(self) -> bool {
        match self {
            Prim::Same(sameness) => sameness == Sameness::Loose,
            Prim::Other(converts) => converts == Converts::Yes,
            Prim::Less(_) | Prim::Add | Prim::Subtract | Prim::Multiply | Prim::Negate => true,
            Prim::Number | Prim::Text | Prim::Key => true,
            Prim::Not | Prim::TypeOf | Prim::InstanceOf | Prim::Missing | Prim::IsError => false,
        }
    }
}
