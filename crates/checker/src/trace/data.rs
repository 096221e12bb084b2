//! The recorded lines, and the module that holds them.

use super::TraceError;
use crate::constant::quoted;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const MODULE: &str = "FactgateTraceData";

/// One recorded line, with its values as TLA+.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    /// The action as it is written, arguments included.
    pub(super) action: Option<String>,
    pub(super) state: BTreeMap<String, String>,
}

/// Reads the lines; empty ones are passed over.
pub(super) fn read(text: &str, variables: &[String], models: &BTreeSet<String>) -> Result<Vec<Line>, TraceError> {
    let mut lines = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let line = line(text, variables, models).map_err(|why| TraceError::Line { line: index + 1, why })?;
        lines.push(line);
    }
    if lines.is_empty() { Err(TraceError::Empty) } else { Ok(lines) }
}

fn line(text: &str, variables: &[String], models: &BTreeSet<String>) -> Result<Line, String> {
    let Unique(value) =
        serde_json::from_str(text).map_err(|error| format!("no JSON, column {}: {}", error.column(), plain(&error)))?;
    let Value::Object(object) = value else { return Err("no JSON object".to_owned()) };
    let mut line = Line::default();
    for (key, value) in &object {
        match (key.as_str(), value) {
            ("action", Value::String(name)) => line.action = Some(name.trim().to_owned()),
            ("action", Value::Null) => {}
            ("state", Value::Object(state)) => {
                for (name, value) in state {
                    if !variables.contains(name) {
                        return Err(format!("`{name}` is no variable of the specification"));
                    }
                    let value = tla(value, models).map_err(|why| format!("`{name}`: {why}"))?;
                    line.state.insert(name.clone(), value);
                }
            }
            ("action" | "state", _) => return Err(format!("`{key}` has the wrong form")),
            (other, _) => return Err(format!("`{other}` is not known: a line has `action` and `state`")),
        }
    }
    Ok(line)
}

/// A JSON value in which no key stands twice: which of the two was meant nobody knows.
struct Unique(Value);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Unique;

            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("a JSON value")
            }

            fn visit_bool<E>(self, truth: bool) -> Result<Unique, E> {
                Ok(Unique(truth.into()))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Unique, E> {
                Ok(Unique(number.into()))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Unique, E> {
                Ok(Unique(number.into()))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Unique, E> {
                Ok(Unique(number.into()))
            }

            fn visit_str<E>(self, text: &str) -> Result<Unique, E> {
                Ok(Unique(text.into()))
            }

            fn visit_unit<E>(self) -> Result<Unique, E> {
                Ok(Unique(Value::Null))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Unique, A::Error> {
                let mut values = Vec::new();
                while let Some(Unique(value)) = list.next_element()? {
                    values.push(value);
                }
                Ok(Unique(Value::Array(values)))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Unique, A::Error> {
                let mut fields = serde_json::Map::new();
                while let Some(key) = map.next_key::<String>()? {
                    if fields.contains_key(&key) {
                        return Err(serde::de::Error::custom(format!("`{key}` stands twice in it")));
                    }
                    let Unique(value) = map.next_value()?;
                    fields.insert(key, value);
                }
                Ok(Unique(Value::Object(fields)))
            }
        }

        deserializer.deserialize_any(Any)
    }
}

/// What is wrong, without the parser's own place: it saw one line.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

/// A JSON value as TLA+: strings (or model values), integers, booleans, sequences, records, `{"set": […]}`,
/// `{"fun": [[k, v], …]}`.
fn tla(value: &Value, models: &BTreeSet<String>) -> Result<String, String> {
    let list = |values: &[Value]| -> Result<String, String> {
        Ok(values.iter().map(|value| tla(value, models)).collect::<Result<Vec<_>, _>>()?.join(", "))
    };
    Ok(match value {
        Value::Null => return Err("null has no TLA+ form: leave the variable out".to_owned()),
        Value::Bool(true) => "TRUE".to_owned(),
        Value::Bool(false) => "FALSE".to_owned(),
        Value::Number(number) => match number.as_i64().and_then(|number| i32::try_from(number).ok()) {
            // TLC reads no 2147483648, with or without a sign.
            Some(i32::MIN) => format!("(0 - {} - 1)", i32::MAX),
            Some(number @ ..0) => format!("(0 - {})", number.unsigned_abs()),
            Some(number) => number.to_string(),
            None => return Err(format!("{number} is no integer of 32 bits")),
        },
        Value::String(text) if models.contains(text) => model_name(text),
        Value::String(text) => quoted(text),
        Value::Array(values) => format!("<<{}>>", list(values)?),
        Value::Object(fields) => match fields.iter().next() {
            None => EMPTY.to_owned(),
            Some((key, Value::Array(values))) if key == "set" && fields.len() == 1 => format!("{{{}}}", list(values)?),
            Some((key, Value::Array(pairs))) if key == "fun" && fields.len() == 1 => function(pairs, models)?,
            Some(_) => {
                let field = |(key, value): (&String, &Value)| {
                    let letters = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                    if !letters || !key.bytes().any(|byte| byte.is_ascii_alphabetic()) {
                        return Err(format!("`{key}` is no name of a record's field"));
                    }
                    Ok(format!("{key} |-> {}", tla(value, models)?))
                };
                format!("[{}]", fields.iter().map(field).collect::<Result<Vec<_>, _>>()?.join(", "))
            }
        },
    })
}

const EMPTY: &str = "[factgate_none \\in {} |-> 0]";

fn function(pairs: &[Value], models: &BTreeSet<String>) -> Result<String, String> {
    let pair = |pair: &Value| match pair.as_array().map(Vec::as_slice) {
        Some([key, value]) => Ok(format!("{} :> {}", tla(key, models)?, tla(value, models)?)),
        _ => Err("`fun` is a list of pairs".to_owned()),
    };
    if pairs.is_empty() {
        return Ok(EMPTY.to_owned());
    }
    Ok(format!("({})", pairs.iter().map(pair).collect::<Result<Vec<_>, _>>()?.join(" @@ ")))
}

/// The constant that stands for a model value, which has no name in a module.
pub(super) fn model_name(model: &str) -> String {
    format!("factgate_model_{model}")
}

/// The module's text.
pub(super) fn module(lines: &[Line], models: &BTreeSet<String>) -> String {
    let mut text = format!("---- MODULE {MODULE} ----\nLOCAL INSTANCE Naturals\nLOCAL INSTANCE TLC\n");
    if !models.is_empty() {
        let names: Vec<String> = models.iter().map(|model| model_name(model)).collect();
        text.push_str(&format!("CONSTANTS {}\n", names.join(", ")));
    }
    let record = |line: &Line| {
        let has: Vec<String> = line.state.keys().map(|name| quoted(name)).collect();
        let values: Vec<String> = line.state.iter().map(|(name, value)| format!("{name} |-> {value}")).collect();
        let values = if values.is_empty() { EMPTY.to_owned() } else { format!("[{}]", values.join(", ")) };
        let action = quoted(line.action.as_deref().unwrap_or_default());
        format!("[action |-> {action}, has |-> {{{}}}, is |-> {values}]", has.join(", "))
    };
    let lines: Vec<String> = lines.iter().map(record).collect();
    text.push_str(&format!("factgate_trace == <<\n  {} >>\n====\n", lines.join(",\n  ")));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, wanted: Result<&str, &str>) {
        let models = BTreeSet::from(["m1".to_owned()]);
        let got = line(&format!("{{\"state\": {{\"x\": {json}}}}}"), &["x".to_owned()], &models);
        match (got, wanted) {
            (Ok(line), Ok(wanted)) => assert_eq!(line.state["x"], wanted),
            (Err(error), Err(wanted)) => assert!(error.contains(wanted), "{error}"),
            (got, wanted) => panic!("{got:?} is not {wanted:?}"),
        }
    }

    #[test]
    fn json_becomes_tla() {
        check("true", Ok("TRUE"));
        check("-3", Ok("(0 - 3)"));
        check("-2147483648", Ok("(0 - 2147483647 - 1)"));
        check("1.5", Err("integer"));
        check("null", Err("leave"));
        check("\"a\"", Ok("\"a\""));
        check("\"m1\"", Ok("factgate_model_m1"));
        check("[1, [\"a\"]]", Ok("<<1, <<\"a\">>>>"));
        check("{\"a\": 1, \"b\": {}}", Ok("[a |-> 1, b |-> [factgate_none \\in {} |-> 0]]"));
        check("{\"set\": [1, 2]}", Ok("{1, 2}"));
        check("{\"set\": 1}", Ok("[set |-> 1]"));
        check("{\"fun\": [[\"m1\", 1], [2, 3]]}", Ok("(factgate_model_m1 :> 1 @@ 2 :> 3)"));
        check("{\"fun\": [1]}", Err("pairs"));
        check("{\"a b\": 1}", Err("field"));
        check("{\"a\": 1, \"b\": 2, \"a\": 3}", Err("`a` stands twice"));
        check("1}, \"state\": {", Err("`state` stands twice"));
    }
}
