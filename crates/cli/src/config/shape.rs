//! Holds TOML tables against a JSON Schema, and says everything that does not fit: unknown keys with the nearest known
//! one, wrong types, empty lists, missing keys.
//!
//! Deserializing alone stops at its first error. The schema comes from the same types, so the two cannot disagree.

use crate::config::document::Document;
use crate::finding::{Code, Finding};
use schemars::Schema;
use serde_json::Value;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Everything in the tables that the schema does not allow.
pub(super) fn check(document: &Document, tables: &Spanned<DeTable<'_>>, schema: &Schema) -> Vec<Finding> {
    let mut shape = Shape { document, root: schema.as_value(), found: Vec::new() };
    // A missing top-level table is said at the file's first line.
    shape.table(tables.get_ref(), 0..0, schema.as_value(), "");
    shape.found
}

struct Shape<'a> {
    document: &'a Document,
    root: &'a Value,
    found: Vec<Finding>,
}

impl<'a> Shape<'a> {
    fn say(&mut self, span: Range<usize>, message: String) {
        self.found.push(self.document.finding(Code::Config, message, span));
    }

    /// Follows `$ref`s into the schema's definitions.
    fn resolved(&self, mut schema: &'a Value) -> &'a Value {
        while let Some(name) = schema.get("$ref").and_then(Value::as_str) {
            match self.root.pointer(name.trim_start_matches('#')) {
                Some(target) => schema = target,
                None => break,
            }
        }
        schema
    }

    /// The schemas that a value may follow: the branches of a choice, or the one.
    fn branches(&self, schema: &'a Value) -> Vec<&'a Value> {
        let schema = self.resolved(schema);
        match schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Value::as_array) {
            Some(choices) => choices.iter().flat_map(|choice| self.branches(choice)).collect(),
            None => vec![schema],
        }
    }

    fn value(&mut self, value: &Spanned<DeValue<'_>>, schema: &'a Value, key: &str) {
        let branches = self.branches(schema);
        let kind = json_type(value.get_ref());
        let fitting: Vec<&Value> = branches.iter().copied().filter(|branch| allows(branch, kind)).collect();
        match (value.get_ref(), fitting.as_slice()) {
            (_, []) => self.wrong_type(value, &branches, key),
            (DeValue::Table(table), [one]) => self.table(table, value.span(), one, key),
            (DeValue::Table(table), several) => {
                let has = |branch: &&&Value| table.keys().any(|key| property(branch, key.get_ref()).is_some());
                let branch = several.iter().find(has).unwrap_or(&several[0]);
                self.table(table, value.span(), branch, key);
            }
            (DeValue::Array(items), [branch, ..]) => {
                if items.is_empty() && branch.get("minItems").and_then(Value::as_u64).unwrap_or(0) > 0 {
                    self.say(value.span(), format!("`{key}` is empty: name at least one"));
                }
                let each = branch.get("items");
                items.iter().for_each(|item| each.into_iter().for_each(|schema| self.value(item, schema, key)));
            }
            (DeValue::String(text), several) => self.word(text, value.span(), several, key),
            (DeValue::Integer(number), [branch, ..]) => self.bounds(number, value.span(), branch, key),
            _ => {}
        }
    }

    fn wrong_type(&mut self, value: &Spanned<DeValue<'_>>, branches: &[&Value], key: &str) {
        let mut wanted: Vec<&str> = branches.iter().filter_map(|branch| noun(branch)).collect();
        wanted.dedup();
        let wanted = if wanted.is_empty() { "another type".to_owned() } else { wanted.join(" or ") };
        let is = value.get_ref().type_str();
        self.say(value.span(), format!("`{key}` takes {wanted}, and this is {} {is}", article(is)));
    }

    /// One of a fixed list of words, where the schema has such a list.
    fn word(&mut self, text: &str, span: Range<usize>, branches: &[&Value], key: &str) {
        let mut known: Vec<&str> = Vec::new();
        for branch in branches {
            let listed = branch.get("enum").and_then(Value::as_array).map_or(&[] as &[Value], Vec::as_slice);
            let words: Vec<&str> = listed.iter().chain(branch.get("const")).filter_map(Value::as_str).collect();
            if words.is_empty() {
                return;
            }
            known.extend(words);
        }
        if !known.contains(&text) {
            let words: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
            let message = format!("`{key}` takes {}, and not `{text}`", words.join(", "));
            let finding = self.document.finding(Code::Config, message, span);
            self.found.push(match nearest(text, &known) {
                Some(near) => finding.help(format!("did you mean `{near}`?")),
                None => finding,
            });
        }
    }

    fn bounds(&mut self, number: &toml::de::DeInteger<'_>, span: Range<usize>, branch: &Value, key: &str) {
        let Ok(value) = i64::from_str_radix(&number.as_str().replace('_', ""), number.radix()) else {
            return self.say(span, format!("`{key}` is too large"));
        };
        let bound = |name: &str| branch.get(name).and_then(Value::as_i64);
        if bound("minimum").is_some_and(|least| value < least) || bound("maximum").is_some_and(|most| value > most) {
            self.say(span, format!("`{key}` cannot be {value}"));
        }
    }

    fn table(&mut self, table: &DeTable<'_>, span: Range<usize>, schema: &'a Value, name: &str) {
        let schema = self.resolved(schema);
        let others = schema.get("additionalProperties");
        let mut keys: Vec<_> = table.iter().collect();
        keys.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in keys {
            if let Some(property) = property(schema, key.get_ref()) {
                self.value(value, property, key.get_ref());
            } else if let Some(each) = others.filter(|others| others.is_object()) {
                self.value(value, each, key.get_ref());
            } else {
                self.unknown_key(key, schema);
            }
        }
        let required = schema.get("required").and_then(Value::as_array).map_or(&[] as &[Value], Vec::as_slice);
        for key in required.iter().filter_map(Value::as_str).filter(|key| !table.contains_key(*key)) {
            let message = match name {
                "" => format!("the table `[{key}]` is missing"),
                name => format!("`{name}` lacks the key `{key}`"),
            };
            self.say(span.clone(), message);
        }
    }

    fn unknown_key(&mut self, key: &Spanned<toml::de::DeString<'_>>, schema: &Value) {
        let known: Vec<&str> = schema
            .get("properties")
            .and_then(Value::as_object)
            .map(|properties| properties.keys().map(String::as_str).collect())
            .unwrap_or_default();
        let finding =
            self.document.finding(Code::Config, format!("the key `{}` is not known", key.get_ref()), key.span());
        self.found.push(match nearest(key.get_ref(), &known) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding.help(format!("known keys: {}", known.join(", "))),
        });
    }
}

fn property<'s>(schema: &'s Value, key: &str) -> Option<&'s Value> {
    schema.get("properties")?.get(key)
}

/// The known word that is nearest to a misspelt one, when one is near.
pub fn nearest<'n>(word: &str, known: &[&'n str]) -> Option<&'n str> {
    let score = |name: &str| strsim::jaro_winkler(&word.to_lowercase(), &name.to_lowercase());
    known.iter().copied().max_by(|a, b| score(a).total_cmp(&score(b))).filter(|name| score(name) > 0.7)
}

fn json_type(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "string",
        DeValue::Integer(_) => "integer",
        DeValue::Float(_) => "number",
        DeValue::Boolean(_) => "boolean",
        DeValue::Datetime(_) => "datetime",
        DeValue::Array(_) => "array",
        DeValue::Table(_) => "object",
    }
}

/// Whether a schema without choices allows a type. A `const` or `enum` without a type is one of strings.
fn allows(schema: &Value, kind: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(allowed)) => allowed == kind || (allowed == "number" && kind == "integer"),
        Some(Value::Array(allowed)) => allowed.iter().any(|allowed| allowed == kind),
        _ => !schema.as_object().is_some_and(|schema| schema.contains_key("const")) || kind == "string",
    }
}

fn noun(schema: &Value) -> Option<&'static str> {
    let kind = match schema.get("type")? {
        Value::Array(kinds) => kinds.iter().find_map(|kind| kind.as_str().filter(|kind| *kind != "null"))?,
        kind => kind.as_str()?,
    };
    Some(match kind {
        "string" => "a string",
        "integer" => "an integer",
        "number" => "a number",
        "boolean" => "`true` or `false`",
        "array" => "a list",
        "object" => "a table",
        _ => return None,
    })
}

fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'i']) { "an" } else { "a" }
}
