//! Operations, one each.

use super::Run;
use super::act::{Act, Did, Env};
use super::machine::Machine;
use super::value::{Key, ObjectId, Val};
use crate::{Copied, Does, Forget, Given, How, Made, Op, VarId};
use std::rc::Rc;

impl<'u> Machine<'u> {
    pub(super) fn op(&mut self, act: &mut Act<'u>, op: &'u Op) -> Run<Did> {
        let value = match &op.does {
            Does::Mark => Val::Undefined,
            Does::Const(constant) => Val::from(constant),
            Does::Given(given) => self.given(act, *given)?,
            Does::Compute(prim, operands) => {
                let operands = operands.iter().map(|&value| act.value(value)).collect::<Run<Vec<Val>>>()?;
                self.compute(*prim, &operands)?
            }
            Does::Read(place) => self.read(act, place)?,
            Does::Write { place, value, how } => {
                let value = match value {
                    Some(value) => act.value(*value)?,
                    None if *how == How::Delete => Val::Undefined,
                    None => self.anything(),
                };
                self.write(act, place, value, how)?;
                Val::Undefined
            }
            Does::Has(object, step) => {
                let object = act.value(*object)?;
                let key = self.key_of_step(act, step)?;
                match object {
                    Val::Object(object) => Val::Bool(self.has(object, &key)),
                    _ => return Err(self.type_error("`in` something that is no object")),
                }
            }
            Does::Address(place) => self.address(act, place)?,
            Does::Make(Made::List) => self.list([]),
            Does::Make(Made::Struct) => Val::Struct(Rc::new(Vec::new())),
            Does::Make(Made::Object | Made::Other) => self.object(),
            Does::Copy(copied) => {
                self.copy(act, copied)?;
                Val::Undefined
            }
            Does::Close { body, .. } => self.closure(act, *body),
            Does::Define(class) => self.define_class(act, *class)?,
            Does::Renew(vars) => {
                self.renew(act, vars);
                Val::Undefined
            }
            Does::Call(call) => self.call_op(act, call)?,
            Does::Suspend { pause, value } => {
                let value = value.map_or(Ok(Val::Undefined), |value| act.value(value))?;
                return Ok(Did::Paused(*pause, value));
            }
            Does::Forget(forget) => {
                self.forget(act, forget)?;
                Val::Undefined
            }
        };
        Ok(Did::Gave(value))
    }

    fn given(&mut self, act: &Act<'u>, given: Given) -> Run<Val> {
        match given {
            Given::This => self.this(act),
            Given::NewTarget => Ok(act.env.home.new_target.clone()),
            Given::Arguments => {
                let args = act.env.home.args.clone();
                Ok(self.list(args))
            }
            Given::Function => Ok(act.env.home.function.clone()),
        }
    }

    pub(super) fn this(&mut self, act: &Act<'u>) -> Run<Val> {
        let this = act.env.home.this.borrow().clone();
        match this {
            Some(this) => Ok(this),
            None => {
                let error = self.error("ReferenceError", "`this` before `super()`");
                Err(super::Halt::Raise(error))
            }
        }
    }

    /// Some value, out of the tape.
    pub fn anything(&mut self) -> Val {
        match self.tape.answer(7) {
            0 => Val::Undefined,
            1 => Val::Bool(true),
            2 => Val::Bool(false),
            3 => Val::Null,
            4 => Val::Number(0.0),
            5 => Val::Number(1.0),
            _ => Val::text("a"),
        }
    }

    fn copy(&mut self, act: &Act<'u>, copied: &Copied) -> Run<()> {
        let (from, into) = (act.value(copied.from)?, act.value(copied.into)?);
        let but = copied.but.iter().map(|step| self.key_of_step(act, step)).collect::<Run<Vec<Key>>>()?;
        self.copy_members(&from, &into, &but, &copied.how)
    }

    /// What a spread, a rest and `Object.assign` do.
    pub(super) fn copy_members(&mut self, from: &Val, into: &Val, but: &[Key], how: &How) -> Run<()> {
        let Some(source) = from.object() else { return Ok(()) };
        let Some(target) = into.object() else { return self.unsupported("a copy into no object") };
        for key in self.own_keys(source) {
            let shown = self.own(source, &key).is_some_and(|property| !property.is_hidden());
            if !shown || but.contains(&key) {
                continue;
            }
            let value = self.get(from, &key)?;
            if *how == How::Assign { self.set(into, &key, value)? } else { self.define(target, key, value) }
        }
        Ok(())
    }

    /// Other variables by the same names.
    fn renew(&mut self, act: &mut Act<'u>, vars: &[VarId]) {
        let env = &act.env;
        let mut cells = env.vars.clone();
        for (var, cell) in &mut cells {
            if vars.contains(var) {
                *cell = self.cell(Val::Undefined);
            }
        }
        act.env = Rc::new(Env {
            body: env.body,
            vars: cells,
            brands: env.brands.clone(),
            outer: env.outer.clone(),
            home: env.home.clone(),
        });
    }

    fn forget(&mut self, act: &Act<'u>, forget: &Forget) -> Run<()> {
        let vars: Vec<VarId> = match forget {
            Forget::Vars(vars) => vars.clone(),
            Forget::Everything => act.env.vars.iter().map(|(var, _)| *var).collect(),
        };
        for var in vars {
            if self.tape.answer(2) == 1 {
                let cell = self.variable(act, var)?;
                self.cells[cell] = self.anything();
            }
        }
        Ok(())
    }

    /// The number of a symbol that every program knows.
    pub(super) fn known_symbol(&self, text: &crate::Sym) -> Option<u32> {
        let names = super::library::SYMBOLS;
        let name = text.as_str().strip_prefix("@@")?;
        names.iter().position(|known| *known == name).map(|index| index as u32)
    }

    pub(super) fn put_named(&mut self, id: ObjectId, name: &str, call: super::NativeFn) {
        let function = self.native(call, &[]);
        let key = match self.known_symbol(&name.into()) {
            Some(symbol) => Key::Symbol(symbol),
            None => Key::text(name),
        };
        self.put_hidden(id, key, function);
    }
}
