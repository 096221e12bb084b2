//! Conversions of values, and the functions of [`Prim`].

use super::Run;
use super::heap::Kind;
use super::machine::Machine;
use super::value::{Key, Val};
use crate::{Order, Prim, Sameness};

/// What a conversion is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hint {
    Default,
    Text,
    Number,
}

impl<'u> Machine<'u> {
    pub(super) fn compute(&mut self, prim: Prim, operands: &[Val]) -> Run<Val> {
        match (prim, operands) {
            (Prim::Not, [value]) => Ok(Val::Bool(!value.truth())),
            (Prim::Same(sameness), [left, right]) => self.equal(left, right, sameness).map(Val::Bool),
            (Prim::Less(order), [left, right]) => self.less(left, right, order).map(Val::Bool),
            (Prim::Add, [left, right]) => self.add(left, right),
            (Prim::Subtract, [left, right]) => self.arithmetic(left, right, |left, right| left - right),
            (Prim::Multiply, [left, right]) => self.arithmetic(left, right, |left, right| left * right),
            (Prim::Negate, [value]) => Ok(Val::Number(-self.number_of(value)?)),
            (Prim::Number, [value]) => self.number_of(value).map(Val::Number),
            (Prim::Text, parts) => {
                let mut text = String::new();
                for part in parts {
                    text.push_str(self.text_of(part)?.as_str());
                }
                Ok(Val::text(&text))
            }
            (Prim::Key, [value]) => Ok(match self.key_from(value)? {
                Key::Text(text) => Val::Text(text),
                Key::Symbol(symbol) | Key::Private(symbol, _) => Val::Symbol(symbol),
            }),
            (Prim::TypeOf, [value]) => Ok(Val::text(self.type_of(value))),
            (Prim::InstanceOf, [value, class]) => self.is_instance(value, class).map(Val::Bool),
            (Prim::Missing, [value]) => Ok(Val::Bool(value.is_missing())),
            (Prim::IsError, [value]) => Ok(Val::Bool(matches!(value, Val::Error(_)))),
            (Prim::Other(_), _) => Ok(self.anything()),
            _ => self.unsupported("an operation with other operands"),
        }
    }

    pub(super) fn type_of(&self, value: &Val) -> &'static str {
        match value {
            Val::Undefined => "undefined",
            Val::Bool(_) => "boolean",
            Val::Number(_) => "number",
            Val::Text(_) => "string",
            Val::Symbol(_) => "symbol",
            Val::Other(_) => "bigint",
            Val::Object(id) if self.is_callable(*id) => "function",
            _ => "object",
        }
    }

    pub(super) fn equal(&mut self, left: &Val, right: &Val, sameness: Sameness) -> Run<bool> {
        if sameness == Sameness::Strict {
            return Ok(left.same(right));
        }
        match (left, right) {
            (Val::Undefined | Val::Null, Val::Undefined | Val::Null) => Ok(true),
            (Val::Undefined | Val::Null, _) | (_, Val::Undefined | Val::Null) => Ok(false),
            (Val::Bool(value), other) => self.equal(&Val::Number(f64::from(*value)), other, sameness),
            (other, Val::Bool(value)) => self.equal(other, &Val::Number(f64::from(*value)), sameness),
            (Val::Number(number), Val::Text(text)) | (Val::Text(text), Val::Number(number)) => {
                Ok(*number == text_number(text.as_str()))
            }
            (Val::Object(_), Val::Number(_) | Val::Text(_) | Val::Symbol(_)) => {
                let left = self.primitive(left, Hint::Default)?;
                self.equal(&left, right, sameness)
            }
            (Val::Number(_) | Val::Text(_) | Val::Symbol(_), Val::Object(_)) => {
                let right = self.primitive(right, Hint::Default)?;
                self.equal(left, &right, sameness)
            }
            _ => Ok(left.same(right)),
        }
    }

    pub(super) fn less(&mut self, left: &Val, right: &Val, order: Order) -> Run<bool> {
        let left = self.primitive(left, Hint::Number)?;
        let right = self.primitive(right, Hint::Number)?;
        if let (Val::Text(left), Val::Text(right)) = (&left, &right) {
            let (left, right) = (left.as_str().encode_utf16(), right.as_str().encode_utf16());
            let by = left.cmp(right);
            return Ok(if order == Order::Less { by.is_lt() } else { by.is_le() });
        }
        let (left, right) = (self.number_of(&left)?, self.number_of(&right)?);
        Ok(if order == Order::Less { left < right } else { left <= right })
    }

    fn add(&mut self, left: &Val, right: &Val) -> Run<Val> {
        let left = self.primitive(left, Hint::Default)?;
        let right = self.primitive(right, Hint::Default)?;
        if matches!(left, Val::Text(_)) || matches!(right, Val::Text(_)) {
            let (left, right) = (self.text_of(&left)?, self.text_of(&right)?);
            return Ok(Val::text(&format!("{left}{right}")));
        }
        Ok(Val::Number(self.number_of(&left)? + self.number_of(&right)?))
    }

    fn arithmetic(&mut self, left: &Val, right: &Val, with: impl Fn(f64, f64) -> f64) -> Run<Val> {
        let left = self.number_of(left)?;
        let right = self.number_of(right)?;
        Ok(Val::Number(with(left, right)))
    }

    pub(super) fn number_of(&mut self, value: &Val) -> Run<f64> {
        match value {
            Val::Undefined => Ok(f64::NAN),
            Val::Null => Ok(0.0),
            Val::Bool(value) => Ok(f64::from(*value)),
            Val::Number(number) => Ok(*number),
            Val::Text(text) => Ok(text_number(text.as_str())),
            Val::Symbol(_) => Err(self.type_error("a symbol as a number")),
            Val::Object(_) => {
                let value = self.primitive(value, Hint::Number)?;
                self.number_of(&value)
            }
            _ => self.unsupported("a number of this value"),
        }
    }

    pub(super) fn text_of(&mut self, value: &Val) -> Run<crate::Sym> {
        Ok(match value {
            Val::Text(text) => text.clone(),
            Val::Undefined => "undefined".into(),
            Val::Null => "null".into(),
            Val::Bool(value) => value.to_string().into(),
            Val::Number(number) => number_text(*number).into(),
            Val::Symbol(_) => return Err(self.type_error("a symbol as a text")),
            Val::Object(_) => {
                let value = self.primitive(value, Hint::Text)?;
                return self.text_of(&value);
            }
            _ => return self.unsupported("a text of this value"),
        })
    }

    pub(super) fn key_from(&mut self, value: &Val) -> Run<Key> {
        match self.primitive(value, Hint::Text)? {
            Val::Symbol(symbol) => Ok(Key::Symbol(symbol)),
            value => self.text_of(&value).map(Key::Text),
        }
    }

    pub(super) fn primitive(&mut self, value: &Val, hint: Hint) -> Run<Val> {
        if value.object().is_none() {
            return Ok(value.clone());
        }
        let convert = self.symbol_member(value, "toPrimitive")?;
        if !convert.is_missing() {
            let hint = match hint {
                Hint::Default => "default",
                Hint::Text => "string",
                Hint::Number => "number",
            };
            let converted = self.call(&convert, value.clone(), &[Val::text(hint)])?;
            return if converted.object().is_none() { Ok(converted) } else { Err(self.type_error("no primitive")) };
        }
        let names = if hint == Hint::Text { ["toString", "valueOf"] } else { ["valueOf", "toString"] };
        for name in names {
            let method = self.get(value, &Key::text(name))?;
            if self.is_function(&method) {
                let converted = self.call(&method, value.clone(), &[])?;
                if converted.object().is_none() {
                    return Ok(converted);
                }
            }
        }
        Err(self.type_error("no primitive"))
    }

    /// What `Object.prototype.toString` says.
    pub(super) fn object_text(&self, value: &Val) -> &'static str {
        match value.object().map(|id| &self.get_object(id).kind) {
            Some(Kind::List(_)) => "[object Array]",
            Some(Kind::Error) => "[object Error]",
            Some(Kind::Function(_) | Kind::Native { .. } | Kind::Bound { .. }) => "[object Function]",
            Some(Kind::Promise(_)) => "[object Promise]",
            _ => "[object Object]",
        }
    }
}

/// A text as a number, as far as it is written in decimals.
fn text_number(text: &str) -> f64 {
    let text = text.trim();
    match text {
        "" => 0.0,
        "Infinity" | "+Infinity" => f64::INFINITY,
        "-Infinity" => f64::NEG_INFINITY,
        _ if text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-')) => {
            text.parse().unwrap_or(f64::NAN)
        }
        _ => f64::NAN,
    }
}

/// A number as the language writes it, for numbers of usual size.
pub(super) fn number_text(number: f64) -> String {
    if number.is_nan() {
        "NaN".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 { "Infinity".to_owned() } else { "-Infinity".to_owned() }
    } else if number == 0.0 {
        "0".to_owned()
    } else if number.abs() >= 1e21 || number.abs() < 1e-6 {
        let text = format!("{number:e}");
        if text.contains("e-") { text } else { text.replace('e', "e+") }
    } else {
        format!("{number}")
    }
}
