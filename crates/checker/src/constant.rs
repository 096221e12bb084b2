//! Values for a model's constants: facts of the code, and what a run's `set` puts over them, with their TLA+ text.

use std::collections::{BTreeMap, BTreeSet};

/// The facts by name; `None` is a fact that could not be read: a run whose specification needs it cannot be made.
pub type Facts = BTreeMap<String, Option<Constant>>;

/// A value for a constant.
///
/// In a `set` table: `true`, `3`, `"text"`, `["a", "b"]` (a set), `{ model = "m1" }`, `{ tla = "1..3" }`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Constant {
    /// `TRUE` or `FALSE`.
    Bool(bool),
    /// An integer.
    Integer(i64),
    /// A TLA+ string, or a model value where the run's cfg has one of that name.
    Text(String),
    /// A set.
    Set(Vec<Constant>),
    /// A model value.
    Model(String),
    /// Any TLA+ expression, as written.
    Tla(String),
    /// A value that TLA+ as checked by TLC has no literal for (a fraction): its text, for the error.
    Unsupported(String),
}

/// How a constant's value reaches the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    /// As a definition in a generated module: `K <- factgate_const_K`.
    Definition(String),
    /// As an expression that may use the specification's own words.
    Expression(String),
    /// In the configuration itself: model values have no name in a module.
    Literal(String),
}

impl Constant {
    /// The value in words, for people and for comparison.
    pub(crate) fn words(&self) -> String {
        match self {
            Constant::Bool(_) | Constant::Integer(_) | Constant::Text(_) | Constant::Model(_) => {
                let none = BTreeSet::new();
                self.render(&Models::Named(&none)).unwrap_or_else(|why| why)
            }
            Constant::Set(elements) => {
                format!("{{{}}}", elements.iter().map(Constant::words).collect::<Vec<_>>().join(", "))
            }
            Constant::Tla(text) | Constant::Unsupported(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        }
    }

    /// The value's form, where strings named in `models` are model values; or why it has none.
    pub(crate) fn give(&self, models: &Models<'_>) -> Result<Given, String> {
        if let Constant::Tla(text) = self {
            return Ok(Given::Expression(text.clone()));
        }
        let text = self.render(models)?;
        if !self.has_model(models) {
            return Ok(Given::Definition(text));
        }
        match self.lowest() {
            Some(..0) => Err("a negative number and a model value at once".to_owned()),
            _ => Ok(Given::Literal(text)),
        }
    }

    fn render(&self, models: &Models<'_>) -> Result<String, String> {
        Ok(match self {
            Constant::Bool(true) => "TRUE".to_owned(),
            Constant::Bool(false) => "FALSE".to_owned(),
            // The engine's integers have 32 bits; a larger one would be cut without a word.
            Constant::Integer(number) if i32::try_from(*number).is_err() => {
                return Err(format!("{number}: the engine's integers have 32 bits"));
            }
            // The engine reads no 2147483648, with or without a sign.
            Constant::Integer(number) if *number == i64::from(i32::MIN) => format!("(-{} - 1)", i32::MAX),
            Constant::Integer(number @ ..0) => format!("(-{})", number.unsigned_abs()),
            Constant::Integer(number) => number.to_string(),
            Constant::Text(text) if models.has(text) => text.clone(),
            Constant::Text(text) => match text.chars().find(|letter| *letter > '\u{ff}') {
                Some(letter) => return Err(format!("{text:?}: the engine reads no `{letter}` in a string")),
                None => quoted(text),
            },
            Constant::Model(name) => model_name(name)?,
            Constant::Set(elements) => {
                let parts: Vec<String> = elements.iter().map(|one| one.render(models)).collect::<Result<_, _>>()?;
                format!("{{{}}}", parts.join(", "))
            }
            Constant::Tla(_) => return Err("a TLA+ expression inside a set: write the whole set as one".to_owned()),
            Constant::Unsupported(text) => return Err(format!("{text}: TLA+ has no such number")),
        })
    }

    fn has_model(&self, models: &Models<'_>) -> bool {
        match self {
            Constant::Model(_) => true,
            Constant::Text(text) => models.has(text),
            Constant::Set(elements) => elements.iter().any(|one| one.has_model(models)),
            _ => false,
        }
    }

    /// The lowest integer in the value.
    pub(crate) fn lowest(&self) -> Option<i64> {
        match self {
            Constant::Integer(number) => Some(*number),
            Constant::Set(elements) => elements.iter().filter_map(Constant::lowest).min(),
            _ => None,
        }
    }
}

/// Which strings are model values for one constant.
pub(crate) enum Models<'a> {
    /// Those that the cfg names.
    Named(&'a BTreeSet<String>),
    /// All that can be a name.
    All,
}

impl Models<'_> {
    fn has(&self, text: &str) -> bool {
        match self {
            Models::Named(names) => names.contains(text),
            Models::All => model_name(text).is_ok(),
        }
    }
}

fn model_name(text: &str) -> Result<String, String> {
    let letters = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if letters && text.bytes().any(|byte| byte.is_ascii_alphabetic()) && !matches!(text, "TRUE" | "FALSE") {
        Ok(text.to_owned())
    } else {
        Err(format!("`{text}`: a model value's name has letters, digits and `_` only"))
    }
}

/// A string as a TLA+ literal.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{c}' => out.push_str("\\f"),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &Constant, wanted: Result<Given, &str>) {
        let models = BTreeSet::from(["idle".to_owned()]);
        match (value.give(&Models::Named(&models)), wanted) {
            (Ok(got), Ok(wanted)) => assert_eq!(got, wanted),
            (Err(got), Err(wanted)) => assert!(got.contains(wanted), "{got}"),
            (got, wanted) => panic!("{got:?} is not {wanted:?}"),
        }
    }

    #[test]
    fn values_have_their_form() {
        let text = |text: &str| Constant::Text(text.to_owned());
        let definition = |text: &str| Ok(Given::Definition(text.to_owned()));
        check(&Constant::Bool(true), definition("TRUE"));
        check(&Constant::Integer(-3), definition("(-3)"));
        check(&Constant::Integer(-2_147_483_648), definition("(-2147483647 - 1)"));
        check(&Constant::Integer(i64::MIN), Err("32 bits"));
        check(&text("a\"b\\c\n"), definition("\"a\\\"b\\\\c\\n\""));
        check(&text("caf\u{e9}"), definition("\"caf\u{e9}\""));
        check(&text("\u{2713}"), Err("no `\u{2713}`"));
        check(&Constant::Set(vec![]), definition("{}"));
        check(&Constant::Set(vec![text("x"), Constant::Integer(2)]), definition("{\"x\", 2}"));
        check(&Constant::Set(vec![text("x"), text("idle")]), Ok(Given::Literal("{\"x\", idle}".to_owned())));
        check(&Constant::Set(vec![Constant::Integer(-1), text("idle")]), Err("negative"));
        check(&Constant::Model("m 1".to_owned()), Err("letters"));
        check(&Constant::Tla("1..3".to_owned()), Ok(Given::Expression("1..3".to_owned())));
        check(&Constant::Unsupported("0.5".to_owned()), Err("0.5"));
    }
}
