//! Facts as constants of a TLA+ model: lines of a TLC configuration, or a module of definitions.

use crate::report::{ModelReport, Report};
use factgate_record::{Fact, FactValue};

/// TLC's `CONSTANTS`, a block a model.
pub fn cfg(report: &Report) -> String {
    let mut text = String::new();
    for model in &report.models {
        text.push_str(&format!("\\* {}\nCONSTANTS\n", model.name));
        for (name, fact) in &model.facts {
            text.push_str(&match spelled(fact) {
                Ok(value) => format!("    {name} = {value}\n"),
                Err(why) => format!("    \\* {name} {why}\n"),
            });
        }
    }
    text
}

/// A TLA+ module with one definition a fact; one module a model.
pub fn tla(report: &Report) -> String {
    let only = report.models.len() == 1;
    report.models.iter().map(|model| module(model, only.then_some("Facts"))).collect()
}

fn module(model: &ModelReport, name: Option<&str>) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let own = || format!("Facts_{}", model.name.chars().map(plain).collect::<String>());
    let name = name.map_or_else(own, str::to_owned);
    let mut text = format!("---- MODULE {name} ----\n\\* {}\n", model.name);
    for (name, fact) in &model.facts {
        text.push_str(&match spelled(fact) {
            Ok(value) => format!("{name} == {value}\n"),
            Err(why) => format!("\\* {name} {why}\n"),
        });
    }
    text.push_str("====\n");
    text
}

/// TLA+ as TLC reads it has no fractions; an unknown must not become a value.
fn spelled(fact: &Fact) -> Result<String, String> {
    match &fact.value {
        None => Err(format!("is unknown ({})", fact.reason.map_or("unknown", |reason| reason.code()))),
        Some(value) if has_fraction(value) => Err(format!("is {value}, which TLA+ has no constant for")),
        Some(value) => Ok(value.to_string()),
    }
}

fn has_fraction(value: &FactValue) -> bool {
    match value {
        FactValue::Float(_) => true,
        FactValue::Set(elements) => elements.iter().any(has_fraction),
        _ => false,
    }
}
