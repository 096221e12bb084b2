//! The machine: what a run is made of, what it is told by the tape, and what it tells.

use super::act::View;
use super::coroutine::Coroutine;
use super::heap::{Kind, NativeFn, Object};
use super::iterate::Iteration;
use super::library;
use super::queue::Job;
use super::tape::Tape;
use super::value::{Key, ObjectId, Val};
use super::{Halt, Run};
use crate::{NodeId, Op, Path, Unit, VarId};
use std::collections::{BTreeMap, VecDeque};

/// Something that a run tells. Objects are numbered in the order in which they were first traced; values are shown as
/// [`Machine::shown`] does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Something happened to a member of a traced object.
    Member {
        /// What.
        access: Access,
        /// The object.
        object: u32,
        /// The member.
        name: String,
        /// What is written.
        value: Option<String>,
    },
    /// A traced function is called.
    Call {
        /// The function.
        function: u32,
        /// Its `this`.
        this: String,
        /// The arguments.
        args: Vec<String>,
    },
    /// `new` of a traced function.
    New {
        /// The function.
        function: u32,
        /// The arguments.
        args: Vec<String>,
    },
    /// A value that the program shows.
    Note(String),
    /// An error left the program or a job.
    RaisedOut(String),
}

/// What happens to a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// It was read, or looked for on the way up the prototypes.
    Get,
    /// The same of `in`.
    Has,
    /// It is assigned, or looked for on the way up the prototypes.
    Set,
    /// It gets its value in a literal or a field.
    Define,
    /// It is removed.
    Delete,
}

/// Why a run ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The program ends itself, or says that this cannot be reached.
    Never(NodeId),
    /// Too many steps.
    Steps,
    /// Calls too deep.
    Depth,
    /// Something that the machine does not know.
    Unsupported(String),
    /// The observer has seen enough.
    Observed,
}

/// How long a run may be.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Operations.
    pub steps: usize,
    /// Calls in calls.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 100_000, depth: 60 }
    }
}

/// Is shown each operation before it happens.
pub type Observer<'u> = Box<dyn FnMut(&mut Machine<'u>, &View<'_, 'u>, &'u Op) -> Run<()> + 'u>;

/// Objects that every program has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) object: ObjectId,
    pub(super) function: ObjectId,
    pub(super) list: ObjectId,
    pub(super) text: ObjectId,
    pub(super) number: ObjectId,
    pub(super) symbol: ObjectId,
    pub(super) error: ObjectId,
    pub(super) iterator: ObjectId,
    pub(super) list_iterator: ObjectId,
    pub(super) generator: ObjectId,
    pub(super) async_generator: ObjectId,
    pub(super) promise: ObjectId,
}

/// A run of one unit.
pub struct Machine<'u> {
    pub(super) unit: &'u Unit,
    /// The variables of each body.
    pub(super) owned: Vec<Vec<VarId>>,
    pub(super) heap: Vec<Object>,
    pub(super) cells: Vec<Val>,
    pub(super) known: Known,
    pub(super) globals: BTreeMap<String, Val>,
    pub(super) iterations: Vec<Iteration>,
    pub(super) coroutines: Vec<Coroutine<'u>>,
    pub(super) jobs: VecDeque<Job>,
    /// Promises that the driver settles, in the order of making.
    pub(super) waiting: VecDeque<ObjectId>,
    /// What answers where the program does not say.
    pub tape: Tape,
    /// What was told so far.
    pub events: Vec<Event>,
    pub(super) quiet: usize,
    pub(super) traced: u32,
    pub(super) symbols: u32,
    pub(super) brands: u32,
    pub(super) steps: usize,
    pub(super) depth: usize,
    limits: Limits,
    pub(super) observer: Option<Observer<'u>>,
}

impl<'u> Machine<'u> {
    /// A machine that has run nothing yet.
    pub fn new(unit: &'u Unit, tape: Tape, limits: Limits) -> Machine<'u> {
        let none = ObjectId(0);
        let known = Known {
            object: none,
            function: none,
            list: none,
            text: none,
            number: none,
            symbol: none,
            error: none,
            iterator: none,
            list_iterator: none,
            generator: none,
            async_generator: none,
            promise: none,
        };
        let mut owned = vec![Vec::new(); unit.bodies.len()];
        for (index, var) in unit.vars.iter().enumerate() {
            owned[var.owner.index()].push(VarId(index as u32));
        }
        let mut machine = Machine {
            unit,
            owned,
            heap: Vec::new(),
            cells: Vec::new(),
            known,
            globals: BTreeMap::new(),
            iterations: Vec::new(),
            coroutines: Vec::new(),
            jobs: VecDeque::new(),
            waiting: VecDeque::new(),
            tape,
            events: Vec::new(),
            quiet: 0,
            traced: 0,
            symbols: 0,
            brands: 0,
            steps: 0,
            depth: 0,
            limits,
            observer: None,
        };
        library::install(&mut machine);
        machine
    }

    /// Shows the observer each operation from now on.
    pub fn observe(&mut self, observer: Observer<'u>) {
        self.observer = Some(observer);
    }

    /// A global name with a value.
    pub fn global(&mut self, name: &str, value: Val) {
        self.globals.insert(name.to_owned(), value);
    }

    /// The value of a global name.
    pub fn global_value(&self, name: &str) -> Option<Val> {
        self.globals.get(name).cloned()
    }

    /// A global function.
    pub fn global_function(&mut self, name: &str, call: NativeFn) {
        let function = self.native(call, &[]);
        self.global(name, function);
    }

    pub(super) fn read_global(&mut self, path: &Path) -> Run<Val> {
        let names: Vec<&str> = path.0.iter().map(crate::Sym::as_str).collect();
        if let Some(value) = self.globals.get(&names.join(".")) {
            return Ok(value.clone());
        }
        let Some(value) = names.first().and_then(|first| self.globals.get(*first)).filter(|_| names.len() > 1) else {
            return self.unsupported(&format!("the name {}", names.join(".")));
        };
        let mut value = value.clone();
        for name in &names[1..] {
            value = self.get(&value, &Key::text(name))?;
        }
        Ok(value)
    }

    /// Tells an event, unless the machine is only looking.
    pub fn tell(&mut self, event: Event) {
        if self.quiet == 0 {
            self.events.push(event);
        }
    }

    pub(super) fn step(&mut self) -> Run<()> {
        self.steps += 1;
        if self.steps > self.limits.steps { Err(Stop::Steps.into()) } else { Ok(()) }
    }

    pub(super) fn deeper(&mut self) -> Run<()> {
        if self.depth >= self.limits.depth {
            return Err(Stop::Depth.into());
        }
        self.depth += 1;
        Ok(())
    }

    /// How a value is shown in a trace.
    pub fn shown(&self, value: &Val) -> String {
        match value {
            Val::Undefined => "undefined".to_owned(),
            Val::Null => "null".to_owned(),
            Val::Bool(value) => value.to_string(),
            Val::Number(number) => super::convert::number_text(*number),
            Val::Text(text) => format!("{:?}", text.as_str()),
            Val::Symbol(_) => "symbol".to_owned(),
            Val::Tag(text) => format!(".{text}"),
            Val::Error(text) => format!("error.{text}"),
            Val::Other(text) => text.to_string(),
            Val::Struct(members) => {
                let members: Vec<String> =
                    members.iter().map(|(key, value)| format!("{}: {}", key.shown(), self.shown(value))).collect();
                format!("{{{}}}", members.join(", "))
            }
            Val::Pointer(_) => "pointer".to_owned(),
            Val::Iteration(_) | Val::Step(_) | Val::Turn(..) => "iteration".to_owned(),
            Val::Object(id) => self.shown_object(*id),
        }
    }

    fn shown_object(&self, id: ObjectId) -> String {
        let object = self.get_object(id);
        if let Some(number) = object.traced {
            return format!("#{number}");
        }
        match &object.kind {
            Kind::Function(_) | Kind::Native { .. } | Kind::Bound { .. } => "function".to_owned(),
            Kind::List(_) => "list".to_owned(),
            Kind::Error => {
                let name = super::value::Key::text("name");
                let mut here = Some(id);
                while let Some(id) = here {
                    if let Some(super::heap::Property::Data { value: Val::Text(text), .. }) = self.own(id, &name) {
                        return text.to_string();
                    }
                    here = self.get_object(id).proto;
                }
                "Error".to_owned()
            }
            Kind::Promise(_) => "promise".to_owned(),
            _ => "object".to_owned(),
        }
    }

    /// An error of the language.
    pub fn error(&mut self, name: &str, message: &str) -> Val {
        let proto = self.known.error;
        let id = self.alloc(Some(proto), Kind::Error);
        self.put_hidden(id, Key::text("name"), Val::text(name));
        self.put_hidden(id, Key::text("message"), Val::text(message));
        Val::Object(id)
    }

    pub(super) fn type_error(&mut self, message: &str) -> Halt {
        Halt::Raise(self.error("TypeError", message))
    }

    pub(super) fn unsupported<T>(&self, what: &str) -> Run<T> {
        Err(Stop::Unsupported(what.to_owned()).into())
    }
}
