//! What programs find when they start: prototypes, and the functions of the standard library that a trace can show.

use super::heap::{Invoked, Kind, Property};
use super::machine::Machine;
use super::promise::Reaction;
use super::value::{Key, ObjectId, Val};
use super::{Halt, NativeFn, Run, coroutine::Resume, lists};
use crate::How;

/// The symbols that every program knows, in the order of their numbers.
pub(super) const SYMBOLS: [&str; 8] =
    ["iterator", "asyncIterator", "hasInstance", "toPrimitive", "dispose", "asyncDispose", "toStringTag", "species"];

/// Fills a new machine.
pub(super) fn install(machine: &mut Machine<'_>) {
    machine.symbols = SYMBOLS.len() as u32;
    machine.known.object = machine.alloc(None, Kind::Plain);
    let object = machine.known.object;
    let below = |machine: &mut Machine<'_>| machine.alloc(Some(object), Kind::Plain);
    machine.known.function = below(machine);
    machine.known.list = below(machine);
    machine.known.text = below(machine);
    machine.known.number = below(machine);
    machine.known.symbol = below(machine);
    machine.known.error = below(machine);
    machine.known.iterator = below(machine);
    machine.known.promise = below(machine);
    let iterator = machine.known.iterator;
    machine.known.list_iterator = machine.alloc(Some(iterator), Kind::Plain);
    machine.known.generator = machine.alloc(Some(iterator), Kind::Plain);
    machine.known.async_generator = below(machine);
    machine.symbols = SYMBOLS.len() as u32;
    objects(machine);
    errors(machine);
    promises(machine);
    lists::install(machine);
}

/// A constructor with its prototype, as a global.
pub(super) fn constructor(machine: &mut Machine<'_>, name: &str, prototype: ObjectId, call: NativeFn) -> ObjectId {
    let function = machine.native(call, &[Val::text(name)]);
    let Some(id) = function.object() else { return prototype };
    machine.put_hidden(id, Key::text("prototype"), Val::Object(prototype));
    machine.put_hidden(prototype, Key::text("constructor"), function.clone());
    machine.put_hidden(id, Key::text("name"), Val::text(name));
    machine.global(name, function);
    id
}

fn objects(machine: &mut Machine<'_>) {
    let known = machine.known;
    machine.put_named(known.object, "toString", |machine, invoked| Ok(Val::text(machine.object_text(invoked.this))));
    machine.put_named(known.object, "valueOf", |_, invoked| Ok(invoked.this.clone()));
    machine.put_named(known.object, "hasOwnProperty", has_own);
    machine.put_named(known.function, "call", |machine, invoked| {
        machine.call(invoked.this, invoked.arg(0), invoked.args.get(1..).unwrap_or_default())
    });
    machine.put_named(known.function, "apply", |machine, invoked| {
        let args = machine.list_of(&invoked.arg(1))?;
        machine.call(invoked.this, invoked.arg(0), &args)
    });
    machine.put_named(known.function, "bind", bind);
    machine.put_named(known.iterator, "@@iterator", |_, invoked| Ok(invoked.this.clone()));
    machine.put_named(known.async_generator, "@@asyncIterator", |_, invoked| Ok(invoked.this.clone()));
    generators(machine);
    let object = constructor(machine, "Object", known.object, |machine, invoked| match invoked.arg(0) {
        value @ Val::Object(_) => Ok(value),
        _ => Ok(machine.object()),
    });
    let statics: [(&str, NativeFn); 9] = [
        ("keys", |machine, invoked| own_entries(machine, &invoked.arg(0), "keys")),
        ("values", |machine, invoked| own_entries(machine, &invoked.arg(0), "values")),
        ("entries", |machine, invoked| own_entries(machine, &invoked.arg(0), "entries")),
        ("assign", |machine, invoked| {
            let target = invoked.arg(0);
            for source in invoked.args.iter().skip(1) {
                machine.copy_members(source, &target, &[], &How::Assign)?;
            }
            Ok(target)
        }),
        ("create", |machine, invoked| {
            let object = machine.alloc(invoked.arg(0).object(), Kind::Plain);
            Ok(Val::Object(object))
        }),
        ("getPrototypeOf", |machine, invoked| {
            let proto = invoked.arg(0).object().and_then(|id| machine.get_object(id).proto);
            Ok(proto.map_or(Val::Null, Val::Object))
        }),
        ("setPrototypeOf", |machine, invoked| {
            if let Some(id) = invoked.arg(0).object() {
                machine.object_mut(id).proto = invoked.arg(1).object();
            }
            Ok(invoked.arg(0))
        }),
        ("defineProperty", define_property),
        ("freeze", |machine, _| machine.unsupported("a frozen object")),
    ];
    statics.into_iter().for_each(|(name, call)| machine.put_named(object, name, call));
    let symbol = constructor(machine, "Symbol", known.symbol, |machine, _| {
        machine.symbols += 1;
        Ok(Val::Symbol(machine.symbols - 1))
    });
    for (index, name) in SYMBOLS.iter().enumerate() {
        machine.put_hidden(symbol, Key::text(name), Val::Symbol(index as u32));
    }
    constructor(machine, "String", known.text, |machine, invoked| machine.text_of(&invoked.arg(0)).map(Val::Text));
    constructor(machine, "Number", known.number, |machine, invoked| {
        machine.number_of(&invoked.arg(0)).map(Val::Number)
    });
    let boolean = machine.alloc(Some(known.object), Kind::Plain);
    constructor(machine, "Boolean", boolean, |_, invoked| Ok(Val::Bool(invoked.arg(0).truth())));
    for (name, value) in
        [("undefined", Val::Undefined), ("NaN", Val::Number(f64::NAN)), ("Infinity", Val::Number(f64::INFINITY))]
    {
        machine.global(name, value);
    }
}

fn has_own(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    let key = machine.key_from(&invoked.arg(0))?;
    let own = invoked.this.object().is_some_and(|id| machine.own(id, &key).is_some());
    Ok(Val::Bool(own))
}

fn bind(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    if !machine.is_function(invoked.this) {
        return Err(machine.type_error("`bind` of no function"));
    }
    let args = invoked.args.get(1..).unwrap_or_default().into();
    let kind = Kind::Bound { function: invoked.this.clone(), this: invoked.arg(0), args };
    let proto = machine.known.function;
    Ok(Val::Object(machine.alloc(Some(proto), kind)))
}

fn own_entries(machine: &mut Machine<'_>, of: &Val, what: &str) -> Run<Val> {
    let Some(id) = of.object() else { return Ok(machine.list([])) };
    let mut found = Vec::new();
    for key in machine.own_keys(id) {
        let Key::Text(name) = &key else { continue };
        if machine.own(id, &key).is_none_or(|property| property.is_hidden()) {
            continue;
        }
        found.push(match what {
            "keys" => Val::Text(name.clone()),
            "values" => machine.get(of, &key)?,
            _ => {
                let pair = [Val::Text(name.clone()), machine.get(of, &key)?];
                machine.list(pair)
            }
        });
    }
    Ok(machine.list(found))
}

fn define_property(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    let (target, described) = (invoked.arg(0), invoked.arg(2));
    let Some(id) = target.object() else { return Err(machine.type_error("no object")) };
    let key = machine.key_from(&invoked.arg(1))?;
    let mut field = |name: &str| -> Run<Option<Val>> {
        let has = described.object().is_some_and(|described| machine.has(described, &Key::text(name)));
        if has { machine.get(&described, &Key::text(name)).map(Some) } else { Ok(None) }
    };
    let shown = field("enumerable")?.is_some_and(|value| value.truth());
    let (value, get, set) = (field("value")?, field("get")?, field("set")?);
    if get.is_some() || set.is_some() {
        machine.accessor(id, key, get, set, !shown);
    } else {
        let value = value.unwrap_or(Val::Undefined);
        machine.put(id, key, Property::Data { value, hidden: !shown });
    }
    Ok(target)
}

fn generators(machine: &mut Machine<'_>) {
    let known = machine.known;
    let methods: [(&str, NativeFn, NativeFn); 3] = [
        (
            "next",
            |machine, invoked| resumed(machine, invoked, Resume::Next(invoked.arg(0))),
            |machine, invoked| requested(machine, invoked, Resume::Next(invoked.arg(0))),
        ),
        (
            "return",
            |machine, invoked| resumed(machine, invoked, Resume::Return(invoked.arg(0))),
            |machine, invoked| requested(machine, invoked, Resume::Return(invoked.arg(0))),
        ),
        (
            "throw",
            |machine, invoked| resumed(machine, invoked, Resume::Raise(invoked.arg(0))),
            |machine, invoked| requested(machine, invoked, Resume::Raise(invoked.arg(0))),
        ),
    ];
    for (name, plain, asynchronous) in methods {
        machine.put_named(known.generator, name, plain);
        machine.put_named(known.async_generator, name, asynchronous);
    }
}

fn resumed(machine: &mut Machine<'_>, invoked: &Invoked<'_>, how: Resume) -> Run<Val> {
    match invoked.this.object().map(|id| machine.get_object(id).kind.clone()) {
        Some(Kind::Generator(id)) => machine.resume_generator(id, how),
        _ => Err(machine.type_error("no generator")),
    }
}

fn requested(machine: &mut Machine<'_>, invoked: &Invoked<'_>, how: Resume) -> Run<Val> {
    match invoked.this.object().map(|id| machine.get_object(id).kind.clone()) {
        Some(Kind::AsyncGenerator(id)) => machine.request(id, how),
        _ => machine.unsupported("the iterator of another object"),
    }
}

fn errors(machine: &mut Machine<'_>) {
    let base = machine.known.error;
    constructor(machine, "Error", base, make_error);
    machine.put_hidden(base, Key::text("name"), Val::text("Error"));
    machine.put_hidden(base, Key::text("message"), Val::text(""));
    for name in ["TypeError", "RangeError", "ReferenceError", "SyntaxError"] {
        let prototype = machine.alloc(Some(base), Kind::Plain);
        constructor(machine, name, prototype, make_error);
        machine.put_hidden(prototype, Key::text("name"), Val::text(name));
    }
}

fn make_error(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    let name = invoked.data.first().cloned().unwrap_or(Val::Undefined);
    let target = match (invoked.new_target, name) {
        (Val::Undefined, Val::Text(name)) => machine.globals.get(name.as_str()).cloned().unwrap_or(Val::Undefined),
        (target, _) => target.clone(),
    };
    let error = machine.new_object(&target, Kind::Error, |known| known.error())?;
    if let (Some(id), message @ (Val::Text(_) | Val::Number(_))) = (error.object(), invoked.arg(0)) {
        let message = machine.text_of(&message)?;
        machine.put_hidden(id, Key::text("message"), Val::Text(message));
    }
    Ok(error)
}

fn promises(machine: &mut Machine<'_>) {
    let prototype = machine.known.promise;
    machine.put_named(prototype, "then", |machine, invoked| machine.then(invoked.this, invoked.arg(0), invoked.arg(1)));
    machine.put_named(prototype, "catch", |machine, invoked| {
        let then = machine.get(invoked.this, &Key::text("then"))?;
        machine.call(&then, invoked.this.clone(), &[Val::Undefined, invoked.arg(0)])
    });
    machine.put_named(prototype, "finally", finally);
    let promise = constructor(machine, "Promise", prototype, make_promise);
    let statics: [(&str, NativeFn); 6] = [
        ("resolve", |machine, invoked| machine.as_promise(&invoked.arg(0)).map(Val::Object)),
        ("reject", |machine, invoked| {
            let promise = machine.new_promise();
            machine.reject(promise, invoked.arg(0))?;
            Ok(Val::Object(promise))
        }),
        ("all", |machine, invoked| gather(machine, invoked, "all")),
        ("allSettled", |machine, invoked| gather(machine, invoked, "allSettled")),
        ("race", |machine, invoked| gather(machine, invoked, "race")),
        ("any", |machine, _| machine.unsupported("Promise.any")),
    ];
    statics.into_iter().for_each(|(name, call)| machine.put_named(promise, name, call));
}

fn make_promise(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    let executor = invoked.arg(0);
    if *invoked.new_target == Val::Undefined || !machine.is_function(&executor) {
        return Err(machine.type_error("a promise without an executor"));
    }
    let promise = machine.new_promise();
    let proto = machine.get(invoked.new_target, &Key::text("prototype"))?.object();
    machine.object_mut(promise).proto = proto;
    let (resolve, reject) = machine.resolvers(promise);
    match machine.call(&executor, Val::Undefined, &[resolve, reject.clone()]) {
        Ok(_) => {}
        Err(Halt::Raise(error)) => _ = machine.call(&reject, Val::Undefined, &[error])?,
        Err(stop) => return Err(stop),
    }
    Ok(Val::Object(promise))
}

/// `finally`: calls the function, waits for what it gives, and goes on with the old outcome.
fn finally(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    let then = machine.get(invoked.this, &Key::text("then"))?;
    let last = invoked.arg(0);
    if !machine.is_function(&last) {
        return machine.call(&then, invoked.this.clone(), &[last.clone(), last]);
    }
    let fulfilled =
        machine.native(|machine, invoked| after_finally(machine, invoked, false), std::slice::from_ref(&last));
    let rejected = machine.native(|machine, invoked| after_finally(machine, invoked, true), &[last]);
    machine.call(&then, invoked.this.clone(), &[fulfilled, rejected])
}

fn after_finally(machine: &mut Machine<'_>, invoked: &Invoked<'_>, failed: bool) -> Run<Val> {
    let last = invoked.data.first().cloned().unwrap_or(Val::Undefined);
    let value = machine.call(&last, Val::Undefined, &[])?;
    let promise = Val::Object(machine.as_promise(&value)?);
    let old = [invoked.arg(0)];
    let go_on = if failed {
        machine.native(|_, invoked| Err(Halt::Raise(invoked.data[0].clone())), &old)
    } else {
        machine.native(|_, invoked| Ok(invoked.data[0].clone()), &old)
    };
    let then = machine.get(&promise, &Key::text("then"))?;
    machine.call(&then, promise, &[go_on])
}

/// `Promise.all`, `allSettled`, `race`.
fn gather(machine: &mut Machine<'_>, invoked: &Invoked<'_>, how: &str) -> Run<Val> {
    let promise = machine.new_promise();
    let (resolve, reject) = machine.resolvers(promise);
    match gather_into(machine, invoked, how, &resolve, &reject) {
        Ok(()) => {}
        Err(Halt::Raise(error)) => _ = machine.call(&reject, Val::Undefined, &[error])?,
        Err(stop) => return Err(stop),
    }
    Ok(Val::Object(promise))
}

fn gather_into(machine: &mut Machine<'_>, invoked: &Invoked<'_>, how: &str, resolve: &Val, reject: &Val) -> Run<()> {
    let to_promise = machine.get(invoked.this, &Key::text("resolve"))?;
    let state = machine.iterate(&invoked.arg(0))?;
    let values = machine.list([]);
    let left = machine.list([Val::Number(1.0)]);
    let mut index = 0.0;
    while let Val::Step(Some(element)) = machine.next(&state)? {
        let one = machine.call(&to_promise, invoked.this.clone(), &[(*element).clone()])?;
        let then = machine.get(&one, &Key::text("then"))?;
        if how == "race" {
            machine.call(&then, one, &[resolve.clone(), reject.clone()])?;
            continue;
        }
        let at = |sort: &str| [values.clone(), left.clone(), resolve.clone(), Val::Number(index), Val::text(sort)];
        count(machine, &left, 1.0);
        let (fulfilled, rejected) = if how == "all" {
            (machine.native(gathered, &at("plain")), reject.clone())
        } else {
            (machine.native(gathered, &at("fulfilled")), machine.native(gathered, &at("rejected")))
        };
        index += 1.0;
        machine.call(&then, one, &[fulfilled, rejected])?;
    }
    if how != "race" && count(machine, &left, -1.0) == 0.0 {
        machine.call(resolve, Val::Undefined, &[values])?;
    }
    Ok(())
}

/// Changes the number in a list of one, and gives it.
fn count(machine: &mut Machine<'_>, counter: &Val, by: f64) -> f64 {
    let Some(id) = counter.object() else { return 0.0 };
    let Kind::List(elements) = &mut machine.object_mut(id).kind else { return 0.0 };
    match elements.first_mut() {
        Some(Some(Val::Number(number))) => {
            *number += by;
            *number
        }
        _ => 0.0,
    }
}

fn gathered(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    let [values, left, resolve, Val::Number(index), Val::Text(sort)] = invoked.data else { return Ok(Val::Undefined) };
    let value = match sort.as_str() {
        "plain" => invoked.arg(0),
        sort => {
            let result = machine.object();
            let name = if sort == "fulfilled" { "value" } else { "reason" };
            if let Some(id) = result.object() {
                machine.put_value(id, Key::text("status"), Val::text(sort));
                machine.put_value(id, Key::text(name), invoked.arg(0));
            }
            result
        }
    };
    if let Some(id) = values.object() {
        machine.put_value(id, Key::text(&(*index as usize).to_string()), value);
    }
    if count(machine, left, -1.0) == 0.0 {
        machine.call(resolve, Val::Undefined, std::slice::from_ref(values))?;
    }
    Ok(Val::Undefined)
}

impl Machine<'_> {
    /// The elements of something like a list.
    pub(super) fn list_of(&mut self, of: &Val) -> Run<Vec<Val>> {
        if of.is_missing() {
            return Ok(Vec::new());
        }
        let length = self.get(of, &Key::text("length"))?;
        let length = self.number_of(&length)?;
        (0..length as usize).map(|index| self.get(of, &Key::text(&index.to_string()))).collect()
    }

    /// Calls something when the value that is awaited is there, without a promise of it.
    pub fn when(&mut self, value: &Val, fulfilled: Val, rejected: Val) -> Run<()> {
        self.wait_for(value, Reaction::Call { fulfilled, rejected, derived: None })
    }
}
