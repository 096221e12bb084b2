//! Lists of the standard library: the methods of arrays, each reading and writing elements as the specification says.

use super::heap::{Invoked, Kind};
use super::library::constructor;
use super::machine::Machine;
use super::value::{Key, Val};
use super::{Halt, NativeFn, Run};

pub(super) fn install(machine: &mut Machine<'_>) {
    let known = machine.known;
    machine.put_hidden(known.list, Key::text("length"), Val::Number(0.0));
    let methods: [(&str, NativeFn); 19] = [
        ("@@iterator", |machine, invoked| Ok(machine.list_iterator(invoked.this, "values"))),
        ("values", |machine, invoked| Ok(machine.list_iterator(invoked.this, "values"))),
        ("keys", |machine, invoked| Ok(machine.list_iterator(invoked.this, "keys"))),
        ("entries", |machine, invoked| Ok(machine.list_iterator(invoked.this, "entries"))),
        ("push", push),
        ("pop", pop),
        ("slice", slice),
        ("concat", concat),
        ("join", join),
        ("toString", join),
        ("indexOf", |machine, invoked| position(machine, invoked).map(Val::Number)),
        ("includes", includes),
        ("forEach", |machine, invoked| each(machine, invoked, Each::All)),
        ("map", |machine, invoked| each(machine, invoked, Each::Map)),
        ("filter", |machine, invoked| each(machine, invoked, Each::Filter)),
        ("some", |machine, invoked| each(machine, invoked, Each::Some)),
        ("every", |machine, invoked| each(machine, invoked, Each::Every)),
        ("find", find),
        ("reduce", reduce),
    ];
    methods.into_iter().for_each(|(name, call)| machine.put_named(known.list, name, call));
    machine.put_named(known.list_iterator, "next", next);
    machine.put_named(known.text, "@@iterator", |machine, invoked| {
        let text = machine.text_of(invoked.this)?;
        let units: Vec<Val> = text.as_str().chars().map(|unit| Val::text(&unit.to_string())).collect();
        let units = machine.list(units);
        Ok(machine.list_iterator(&units, "values"))
    });
    let list = constructor(machine, "Array", known.list, |machine, invoked| Ok(machine.list(invoked.args.to_vec())));
    machine.put_named(list, "isArray", |machine, invoked| {
        let is_list = invoked.arg(0).object().is_some_and(|id| matches!(machine.get_object(id).kind, Kind::List(_)));
        Ok(Val::Bool(is_list))
    });
    machine.put_named(list, "of", |machine, invoked| Ok(machine.list(invoked.args.to_vec())));
    machine.put_named(list, "from", |machine, invoked| {
        let elements = machine.elements(&invoked.arg(0))?;
        Ok(machine.list(elements))
    });
}

fn length(machine: &mut Machine<'_>, of: &Val) -> Run<usize> {
    let length = machine.get(of, &Key::text("length"))?;
    let length = machine.number_of(&length)?;
    Ok(if length.is_nan() || length < 0.0 { 0 } else { length as usize })
}

fn at(index: usize) -> Key {
    Key::text(&index.to_string())
}

fn next(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    let state = invoked.this.object().and_then(|id| machine.own(id, &Key::Private(0, "state".into())));
    let Some(super::heap::Property::Data { value: Val::Object(state), .. }) = state else {
        return Err(machine.type_error("no iterator of a list"));
    };
    let Kind::List(parts) = machine.get_object(state).kind.clone() else { return machine.unsupported("no state") };
    let [Some(of), Some(Val::Number(index)), Some(Val::Text(sort))] = parts.as_slice() else {
        return Ok(machine.result(Val::Undefined, true));
    };
    let index = *index as usize;
    if index >= length(machine, of)? {
        machine.put_value(state, at(0), Val::Undefined);
        machine.put_value(state, at(1), Val::Undefined);
        return Ok(machine.result(Val::Undefined, true));
    }
    machine.put_value(state, at(1), Val::Number((index + 1) as f64));
    let value = match sort.as_str() {
        "keys" => Val::Number(index as f64),
        "values" => machine.get(of, &at(index))?,
        _ => {
            let pair = [Val::Number(index as f64), machine.get(of, &at(index))?];
            machine.list(pair)
        }
    };
    Ok(machine.result(value, false))
}

fn push(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    let mut length = length(machine, invoked.this)?;
    for arg in invoked.args {
        machine.set(invoked.this, &at(length), arg.clone())?;
        length += 1;
    }
    machine.set(invoked.this, &Key::text("length"), Val::Number(length as f64))?;
    Ok(Val::Number(length as f64))
}

fn pop(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    let length = length(machine, invoked.this)?;
    if length == 0 {
        machine.set(invoked.this, &Key::text("length"), Val::Number(0.0))?;
        return Ok(Val::Undefined);
    }
    let value = machine.get(invoked.this, &at(length - 1))?;
    machine.delete(invoked.this, &at(length - 1))?;
    machine.set(invoked.this, &Key::text("length"), Val::Number((length - 1) as f64))?;
    Ok(value)
}

fn bound(machine: &mut Machine<'_>, value: &Val, length: usize, default: usize) -> Run<usize> {
    if *value == Val::Undefined {
        return Ok(default);
    }
    let number = machine.number_of(value)?;
    let number = if number.is_nan() { 0.0 } else { number.trunc() };
    let from_end = if number < 0.0 { number + length as f64 } else { number };
    Ok(from_end.clamp(0.0, length as f64) as usize)
}

/// `ArraySpeciesCreate`, as far as the constructor is the array's own.
fn species(machine: &mut Machine<'_>, of: &Val) -> Run<()> {
    if of.object().is_some_and(|id| matches!(machine.get_object(id).kind, Kind::List(_))) {
        machine.get(of, &Key::text("constructor"))?;
    }
    Ok(())
}

fn slice(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    let length = length(machine, invoked.this)?;
    let start = bound(machine, &invoked.arg(0), length, 0)?;
    let end = bound(machine, &invoked.arg(1), length, length)?;
    species(machine, invoked.this)?;
    let mut found = Vec::new();
    for index in start..end {
        if let Some(value) = element(machine, invoked.this, index)? {
            found.push(value);
        }
    }
    Ok(machine.list(found))
}

fn concat(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    species(machine, invoked.this)?;
    let mut found = Vec::new();
    for part in std::iter::once(invoked.this).chain(invoked.args) {
        if part.object().is_some_and(|id| matches!(machine.get_object(id).kind, Kind::List(_))) {
            found.extend(machine.list_of(part)?);
        } else {
            found.push(part.clone());
        }
    }
    Ok(machine.list(found))
}

fn join(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    let length = length(machine, invoked.this)?;
    let between = match invoked.arg(0) {
        Val::Undefined => crate::Sym::from(","),
        other => machine.text_of(&other)?,
    };
    let mut text = String::new();
    for index in 0..length {
        if index > 0 {
            text.push_str(between.as_str());
        }
        let value = machine.get(invoked.this, &at(index))?;
        if !value.is_missing() {
            text.push_str(machine.text_of(&value)?.as_str());
        }
    }
    Ok(Val::text(&text))
}

/// The element when there is one, as methods look for it.
fn element(machine: &mut Machine<'_>, of: &Val, index: usize) -> Run<Option<Val>> {
    let there = of.object().is_some_and(|id| machine.has(id, &at(index)));
    if there { machine.get(of, &at(index)).map(Some) } else { Ok(None) }
}

fn position(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<f64> {
    let length = length(machine, invoked.this)?;
    let start = bound(machine, &invoked.arg(1), length, 0)?;
    for index in start..length {
        if element(machine, invoked.this, index)?.is_some_and(|value| value.same(&invoked.arg(0))) {
            return Ok(index as f64);
        }
    }
    Ok(-1.0)
}

fn includes(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    let length = length(machine, invoked.this)?;
    for index in 0..length {
        let (value, wanted) = (machine.get(invoked.this, &at(index))?, invoked.arg(0));
        let both_nan = matches!((&value, &wanted), (Val::Number(a), Val::Number(b)) if a.is_nan() && b.is_nan());
        if both_nan || value.same(&wanted) {
            return Ok(Val::Bool(true));
        }
    }
    Ok(Val::Bool(false))
}

/// A method that calls a function for the elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Each {
    All,
    Map,
    Filter,
    Some,
    Every,
}

fn callback(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    let function = invoked.arg(0);
    if machine.is_function(&function) { Ok(function) } else { Err(machine.type_error("no function")) }
}

fn each(machine: &mut Machine<'_>, invoked: &Invoked<'_>, how: Each) -> Run<Val> {
    let length = length(machine, invoked.this)?;
    let function = callback(machine, invoked)?;
    if matches!(how, Each::Map | Each::Filter) {
        species(machine, invoked.this)?;
    }
    let mut found: Vec<Val> = Vec::new();
    for index in 0..length {
        machine.step()?;
        let Some(value) = element(machine, invoked.this, index)? else { continue };
        let args = [value.clone(), Val::Number(index as f64), invoked.this.clone()];
        let answer = machine.call(&function, invoked.arg(1), &args)?;
        match how {
            Each::Map => found.push(answer),
            Each::Filter if answer.truth() => found.push(value),
            Each::Some if answer.truth() => return Ok(Val::Bool(true)),
            Each::Every if !answer.truth() => return Ok(Val::Bool(false)),
            _ => {}
        }
    }
    Ok(match how {
        Each::All => Val::Undefined,
        Each::Map | Each::Filter => machine.list(found),
        Each::Some => Val::Bool(false),
        Each::Every => Val::Bool(true),
    })
}

fn find(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    let length = length(machine, invoked.this)?;
    let function = callback(machine, invoked)?;
    for index in 0..length {
        machine.step()?;
        let value = machine.get(invoked.this, &at(index))?;
        let args = [value.clone(), Val::Number(index as f64), invoked.this.clone()];
        if machine.call(&function, invoked.arg(1), &args)?.truth() {
            return Ok(value);
        }
    }
    Ok(Val::Undefined)
}

fn reduce(machine: &mut Machine<'_>, invoked: &Invoked<'_>) -> Run<Val> {
    let length = length(machine, invoked.this)?;
    let function = callback(machine, invoked)?;
    let mut folded = invoked.args.get(1).cloned();
    for index in 0..length {
        machine.step()?;
        let Some(value) = element(machine, invoked.this, index)? else { continue };
        folded = Some(match folded {
            None => value,
            Some(before) => {
                let args = [before, value, Val::Number(index as f64), invoked.this.clone()];
                machine.call(&function, Val::Undefined, &args)?
            }
        });
    }
    folded.ok_or_else(|| Halt::Raise(machine.error("TypeError", "`reduce` of an empty list")))
}
