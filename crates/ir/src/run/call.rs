//! Calls and constructions.

use super::act::{Act, Completion, Env, Home, Outcome};
use super::class::ClassInfo;
use super::heap::{Invoked, Kind};
use super::machine::{Event, Machine};
use super::value::{Key, ObjectId, Val};
use super::{Halt, Run};
use crate::{Body, BodyId, BodyKind, Call, Callee, Form, Hook, This};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A function of the program.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) body: BodyId,
    pub(super) env: Rc<Env>,
    /// The object whose prototype `super` means.
    pub(super) home: Cell<Option<ObjectId>>,
    /// The class whose constructor it is.
    pub(super) class: Option<Rc<ClassInfo>>,
}

impl<'u> Machine<'u> {
    /// A function made in a body.
    pub(super) fn closure(&mut self, act: &Act<'u>, body: BodyId) -> Val {
        let function = self.function(body, &act.env, None, None);
        let known = self.unit.body(body);
        let prototype = match (known.kind, known.this) {
            (BodyKind::Plain, This::Given) => {
                let prototype = self.object();
                if let Some(object) = prototype.object() {
                    self.put_hidden(object, Key::text("constructor"), Val::Object(function));
                }
                Some(prototype)
            }
            (BodyKind::Generator, _) => Some(Val::Object(self.alloc(Some(self.known.generator), Kind::Plain))),
            (BodyKind::AsyncGenerator, _) => {
                Some(Val::Object(self.alloc(Some(self.known.async_generator), Kind::Plain)))
            }
            _ => None,
        };
        if let Some(prototype) = prototype {
            self.put_hidden(function, Key::text("prototype"), prototype);
        }
        Val::Object(function)
    }

    pub(super) fn function(
        &mut self,
        body: BodyId,
        env: &Rc<Env>,
        home: Option<ObjectId>,
        class: Option<Rc<ClassInfo>>,
    ) -> ObjectId {
        let function = Function { body, env: env.clone(), home: Cell::new(home), class };
        self.alloc(Some(self.known.function), Kind::Function(Rc::new(function)))
    }

    /// Runs the top of the unit.
    pub fn run_top(&mut self) -> Run<Val> {
        let home = Home {
            this: RefCell::new(Some(Val::Undefined)),
            new_target: Val::Undefined,
            function: Val::Undefined,
            args: Vec::new(),
        };
        self.start(self.unit.top, None, home)
    }

    /// Calls a function.
    pub fn call(&mut self, callee: &Val, this: Val, args: &[Val]) -> Run<Val> {
        let Val::Object(id) = *callee else { return Err(self.type_error("a call of something that is no function")) };
        if self.is_callable(id)
            && let Some(function) = self.get_object(id).traced
        {
            let (this, args) = (self.shown(&this), args.iter().map(|arg| self.shown(arg)).collect());
            self.tell(Event::Call { function, this, args });
        }
        match self.get_object(id).kind.clone() {
            Kind::Function(function) if function.class.is_some() => Err(self.type_error("a class is called")),
            Kind::Function(function) => {
                let home = Home {
                    this: RefCell::new(Some(this)),
                    new_target: Val::Undefined,
                    function: callee.clone(),
                    args: args.to_vec(),
                };
                self.start(function.body, Some(&function.env), home)
            }
            Kind::Native { call, data } => {
                self.deeper()?;
                let done = call(self, &Invoked { this: &this, args, data: &data, new_target: &Val::Undefined });
                self.depth -= 1;
                done
            }
            Kind::Bound { function, this, args: first } => {
                let args: Vec<Val> = first.iter().chain(args).cloned().collect();
                self.call(&function, this, &args)
            }
            _ => Err(self.type_error("a call of something that is no function")),
        }
    }

    pub(super) fn is_callable(&self, id: ObjectId) -> bool {
        matches!(self.get_object(id).kind, Kind::Function(_) | Kind::Native { .. } | Kind::Bound { .. })
    }

    /// Whether it is a function.
    pub fn is_function(&self, value: &Val) -> bool {
        value.object().is_some_and(|id| self.is_callable(id))
    }

    /// Starts a body: runs it to its end, or makes what its kind gives.
    pub(super) fn start(&mut self, body: BodyId, outer: Option<&Rc<Env>>, home: Home) -> Run<Val> {
        let act = self.enter(body, outer, home);
        match self.unit.body(body).kind {
            BodyKind::Plain => self.run_plain(act),
            BodyKind::Async => self.start_async(act),
            BodyKind::Generator => self.make_generator(act, Kind::Generator),
            BodyKind::AsyncGenerator => self.make_generator(act, Kind::AsyncGenerator),
        }
    }

    fn run_plain(&mut self, mut act: Act<'u>) -> Run<Val> {
        self.deeper()?;
        let outcome = stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.run_act(&mut act));
        self.depth -= 1;
        match outcome? {
            Outcome::Done(Completion::Return(value) | Completion::ErrorReturn(value)) => Ok(value),
            Outcome::Done(Completion::Raise(error)) => Err(Halt::Raise(error)),
            Outcome::Done(_) => Ok(Val::Undefined),
            // The top of a module may wait.
            Outcome::Paused(..) => self.unsupported("a plain body that is suspended"),
        }
    }

    /// The variables and parameters of a body.
    fn enter(&mut self, id: BodyId, outer: Option<&Rc<Env>>, home: Home) -> Act<'u> {
        let body: &Body = self.unit.body(id);
        let args = home.args.clone();
        let owned = self.owned.get(id.index()).cloned().unwrap_or_default();
        let mut vars = Vec::with_capacity(owned.len());
        for &var in owned.iter() {
            let value = match body.params.iter().position(|&param| param == var) {
                Some(index) => args.get(index).cloned().unwrap_or(Val::Undefined),
                None if body.rest == Some(var) => self.list(args.iter().skip(body.params.len()).cloned()),
                None => Val::Undefined,
            };
            vars.push((var, self.cell(value)));
        }
        let home = match (body.this, outer) {
            (This::Outer, Some(outer)) => outer.home.clone(),
            _ => Rc::new(home),
        };
        let env = Env { body: id, vars, brands: Vec::new(), outer: outer.cloned(), home };
        Act {
            body: id,
            env: Rc::new(env),
            values: vec![None; body.values.len()],
            slots: vec![None; body.slots.len()],
            work: vec![super::act::Work::Code(&self.unit.body(id).code)],
            flag: false,
            into: None,
            delegate: None,
        }
    }

    pub(super) fn call_op(&mut self, act: &mut Act<'u>, call: &Call) -> Run<Val> {
        let mut args = Vec::new();
        for arg in &call.args {
            let value = act.value(arg.value)?;
            match value.object().map(|id| &self.get_object(id).kind) {
                Some(Kind::List(elements)) if arg.spread => {
                    args.extend(elements.iter().map(|element| element.clone().unwrap_or(Val::Undefined)));
                }
                _ if arg.spread => return self.unsupported("a spread argument that is no list"),
                _ => args.push(value),
            }
        }
        let this = call.this.map(|this| act.value(this)).transpose()?;
        match &call.callee {
            Callee::Value(callee) if call.form == Form::New => {
                let callee = act.value(*callee)?;
                self.construct(&callee, &args, &callee)
            }
            Callee::Member { function, .. } if call.form == Form::New => {
                let callee = act.value(*function)?;
                self.construct(&callee, &args, &callee)
            }
            Callee::Global(path) if call.form == Form::New => {
                let callee = self.read_global(path)?;
                self.construct(&callee, &args, &callee)
            }
            Callee::Value(callee) => {
                let callee = act.value(*callee)?;
                self.call(&callee, this.unwrap_or(Val::Undefined), &args)
            }
            Callee::Member { object, function, .. } => {
                let (object, function) = (act.value(*object)?, act.value(*function)?);
                self.call(&function, this.unwrap_or(object), &args)
            }
            Callee::Super(name) => {
                let function = self.super_member(act, name)?;
                let this = self.this(act)?;
                self.call(&function, this, &args)
            }
            Callee::Make => self.make(act, &args),
            Callee::Fields => self.make_fields(act),
            Callee::Hook(hook) => self.hook(*hook, this.unwrap_or(Val::Undefined), act, &args),
            Callee::Global(path) => {
                let callee = self.read_global(path)?;
                self.call(&callee, this.unwrap_or(Val::Undefined), &args)
            }
        }
    }

    fn hook(&mut self, hook: Hook, of: Val, act: &Act<'u>, args: &[Val]) -> Run<Val> {
        match hook {
            Hook::Iterate => self.iterate(&of),
            Hook::IterateAsync => self.iterate_async(&of),
            Hook::Keys => self.iterate_keys(&of),
            Hook::Next => self.next(&of),
            Hook::Close => {
                let closed = self.close(&of);
                match closed {
                    Err(Halt::Raise(_)) if act.is_raising() => Ok(Val::Undefined),
                    closed => closed,
                }
            }
            Hook::Convert => self.primitive(&of, super::convert::Hint::Default),
            Hook::HasInstance => {
                let value = args.first().cloned().unwrap_or(Val::Undefined);
                self.is_instance(&value, &of).map(Val::Bool)
            }
            Hook::Dispose => {
                if of.is_missing() {
                    return Ok(Val::Undefined);
                }
                let method = self.symbol_member(&of, "dispose")?;
                self.call(&method, of, &[])
            }
            Hook::Drop => {
                let shown = self.shown(&of);
                self.tell(Event::Note(format!("dropped {shown}")));
                Ok(Val::Undefined)
            }
        }
    }

    /// The member that is named by a symbol that every program knows.
    pub(super) fn symbol_member(&mut self, of: &Val, name: &str) -> Run<Val> {
        match self.known_symbol(&format!("@@{name}").into()) {
            Some(symbol) => self.get(of, &Key::Symbol(symbol)),
            None => self.unsupported("a symbol that is not known"),
        }
    }

    /// `new callee(…args)`.
    pub fn construct(&mut self, callee: &Val, args: &[Val], new_target: &Val) -> Run<Val> {
        let Some(id) = callee.object() else { return Err(self.type_error("`new` of no constructor")) };
        if self.is_callable(id)
            && let Some(function) = self.get_object(id).traced
        {
            let args = args.iter().map(|arg| self.shown(arg)).collect();
            self.tell(Event::New { function, args });
        }
        match self.get_object(id).kind.clone() {
            Kind::Function(function) => self.construct_function(callee, &function, args, new_target),
            Kind::Native { call, data } => {
                self.deeper()?;
                let done = call(self, &Invoked { this: &Val::Undefined, args, data: &data, new_target });
                self.depth -= 1;
                done
            }
            Kind::Bound { function, args: first, .. } => {
                let args: Vec<Val> = first.iter().chain(args).cloned().collect();
                let new_target = if new_target == callee { function.clone() } else { new_target.clone() };
                self.construct(&function, &args, &new_target)
            }
            _ => Err(self.type_error("`new` of no constructor")),
        }
    }

    fn construct_function(&mut self, callee: &Val, function: &Function, args: &[Val], new_target: &Val) -> Run<Val> {
        let body = self.unit.body(function.body);
        if function.class.is_none()
            && (body.kind != BodyKind::Plain || body.this != This::Given || body.class.is_some())
        {
            return Err(self.type_error("`new` of no constructor"));
        }
        let derived = function.class.as_ref().is_some_and(|class| class.derived);
        let this = if derived { None } else { Some(self.new_object(new_target, Kind::Plain, |known| known.object)?) };
        if let (Some(this), Some(class)) = (&this, &function.class) {
            self.add_private(this, class)?;
        }
        let home = Home {
            this: RefCell::new(this),
            new_target: new_target.clone(),
            function: callee.clone(),
            args: args.to_vec(),
        };
        let mut act = self.enter(function.body, Some(&function.env), home);
        let home = act.env.home.clone();
        self.deeper()?;
        let outcome = stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.run_act(&mut act));
        self.depth -= 1;
        match outcome? {
            Outcome::Done(Completion::Raise(error)) => Err(Halt::Raise(error)),
            Outcome::Done(Completion::Return(value @ Val::Object(_))) => Ok(value),
            Outcome::Done(Completion::Return(value)) if derived && value != Val::Undefined => {
                Err(self.type_error("a constructor of a class with a base returns a primitive"))
            }
            Outcome::Done(_) => {
                let this = home.this.borrow().clone();
                match this {
                    Some(this) => Ok(this),
                    None => Err(Halt::Raise(self.error("ReferenceError", "`super()` was not called"))),
                }
            }
            Outcome::Paused(..) => self.unsupported("a constructor that is suspended"),
        }
    }

    /// A new object whose prototype the function tells that `new` was called on.
    pub(super) fn new_object(
        &mut self,
        new_target: &Val,
        kind: Kind,
        default: impl Fn(&super::machine::Known) -> ObjectId,
    ) -> Run<Val> {
        let proto = match new_target {
            Val::Object(_) => self.get(new_target, &Key::text("prototype"))?.object(),
            _ => None,
        };
        let proto = proto.unwrap_or(default(&self.known));
        Ok(Val::Object(self.alloc(Some(proto), kind)))
    }
}
