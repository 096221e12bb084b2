//! Calls: what is called, with what, what the callee does with it, and when functions run.

use crate::{Name, NodeId, Path, ValueId};

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
    /// A function that runs once before the call comes back, and is not kept; what it raises the callee catches: the
    /// executor of a promise.
    Executor,
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
