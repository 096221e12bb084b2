//! TLC's configuration files: read just far enough to merge one with what a run says, and written again.
//!
//! What is not understood is kept word for word and in front, so that an unknown keyword is TLC's to refuse.
//! Grammar: *Specifying Systems*, section 14.7.1, and TLC's `ModelConfig`.

use crate::scan::{Token, tokens};
use std::collections::BTreeSet;

/// A configuration's parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cfg {
    /// Statements with a keyword that is unknown here: `SPECIFICATON Spec`.
    pub(crate) unknown: Vec<String>,
    /// Constants.
    pub(crate) constants: Vec<Assignment>,
    /// `SPECIFICATION`, `INIT` and `NEXT`, with their names.
    pub(crate) behaviour: Vec<(String, String)>,
    /// Invariants.
    pub(crate) invariants: Vec<String>,
    /// Properties.
    pub(crate) properties: Vec<String>,
    /// `CHECK_DEADLOCK`, which older engines do not know.
    pub(crate) deadlock: Option<bool>,
    /// Constraints, views, symmetry and the rest, word for word.
    pub(crate) others: Vec<String>,
}

/// One line under `CONSTANTS`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Assignment {
    /// The constant, or the definition that is replaced.
    pub(crate) name: String,
    /// Everything behind the name, word for word: `= {a, b}`, `<- Other`, `(1) = 2`.
    pub(crate) rest: String,
    /// Model values that the value mentions.
    pub(crate) model_values: BTreeSet<String>,
}

impl Assignment {
    /// A constant with the text behind its name.
    pub(crate) fn new(name: String, rest: String) -> Assignment {
        let model_values = assignment(&tokens(&format!("{name} {rest}"))).model_values;
        Assignment { name, rest, model_values }
    }
}

const KEYWORDS: [&str; 21] = [
    "CONSTANT",
    "CONSTANTS",
    "INIT",
    "NEXT",
    "SPECIFICATION",
    "INVARIANT",
    "INVARIANTS",
    "PROPERTY",
    "PROPERTIES",
    "CONSTRAINT",
    "CONSTRAINTS",
    "ACTION_CONSTRAINT",
    "ACTION_CONSTRAINTS",
    "SYMMETRY",
    "VIEW",
    "TYPE",
    "TYPE_CONSTRAINT",
    "CHECK_DEADLOCK",
    "POSTCONDITION",
    "ALIAS",
    "_PERIODIC",
];

impl Cfg {
    /// Reads a configuration.
    pub(crate) fn parse(text: &str) -> Cfg {
        let tokens = tokens(text);
        let mut cfg = Cfg::default();
        let mut at = 0;
        while at < tokens.len() {
            let start = at;
            at += 1;
            while at < tokens.len() && keyword(tokens[at]).is_none() {
                at += 1;
            }
            cfg.statement(&tokens[start..at]);
        }
        cfg
    }

    fn statement(&mut self, tokens: &[Token<'_>]) {
        let (head, body) = (tokens[0], &tokens[1..]);
        let names = || body.iter().map(|token| word(*token).to_owned()).filter(|word| word != ",");
        match (keyword(head).unwrap_or_default(), body) {
            ("CONSTANT" | "CONSTANTS", _) => self.constants.extend(assignments(body)),
            ("INVARIANT" | "INVARIANTS", _) => self.invariants.extend(names()),
            ("PROPERTY" | "PROPERTIES", _) => self.properties.extend(names()),
            (key @ ("SPECIFICATION" | "INIT" | "NEXT"), [Token::Name(name)]) => {
                self.behaviour.push((key.to_owned(), (*name).to_owned()));
            }
            ("CHECK_DEADLOCK", [Token::Name("TRUE")]) => self.deadlock = Some(true),
            ("CHECK_DEADLOCK", [Token::Name("FALSE")]) => self.deadlock = Some(false),
            ("", _) => self.unknown.push(join(tokens)),
            _ => self.others.push(join(tokens)),
        }
    }

    /// Model values that the constants name.
    pub(crate) fn model_values(&self) -> BTreeSet<String> {
        self.constants.iter().flat_map(|assignment| assignment.model_values.iter().cloned()).collect()
    }

    /// Whether not all states are looked at, or not each for itself: then temporal properties are another matter.
    pub(crate) fn is_reduced(&self) -> bool {
        ["SYMMETRY", "VIEW", "CONSTRAINT", "CONSTRAINTS", "ACTION_CONSTRAINT", "ACTION_CONSTRAINTS"]
            .into_iter()
            .any(|key| self.has(key))
    }

    /// Whether there is a statement with this keyword that is kept word for word.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.others.iter().any(|line| line.split_whitespace().next() == Some(key))
    }

    /// The configuration's text with these properties.
    pub(crate) fn render(&self, properties: &[String]) -> String {
        let mut lines: Vec<String> = self.unknown.clone();
        lines.extend(self.behaviour.iter().map(|(key, name)| format!("{key} {name}")));
        if !self.constants.is_empty() {
            lines.push("CONSTANTS".to_owned());
            lines.extend(self.constants.iter().map(|one| format!("    {} {}", one.name, one.rest)));
        }
        lines.extend(self.others.iter().cloned());
        for (key, names) in [("INVARIANTS", self.invariants.as_slice()), ("PROPERTIES", properties)] {
            if !names.is_empty() {
                lines.push(key.to_owned());
                lines.extend(names.iter().map(|name| format!("    {name}")));
            }
        }
        lines.push(String::new());
        lines.join("\n")
    }
}

fn keyword(token: Token<'_>) -> Option<&str> {
    match token {
        Token::Name(name) if KEYWORDS.contains(&name) => Some(name),
        _ => None,
    }
}

fn word(token: Token<'_>) -> &str {
    match token {
        Token::Name(text) | Token::Text(text) | Token::Number(text) | Token::Symbol(text) => text,
        Token::Line => "----",
        Token::End => "====",
    }
}

/// Tokens on one line, with spaces where they keep words apart.
fn join(tokens: &[Token<'_>]) -> String {
    let mut out = String::new();
    for token in tokens {
        let text = word(*token);
        let tight = matches!(text, "," | ")" | "}" | "(" | "]" | "!")
            || out.ends_with(['(', '{', '[', '!'])
            || (out.ends_with('-') && !out.ends_with("<-"));
        if !out.is_empty() && !tight {
            out.push(' ');
        }
        out.push_str(text);
    }
    out
}

/// Cuts the body of a `CONSTANTS` statement where a name is followed by `=` or `<-`.
fn assignments(tokens: &[Token<'_>]) -> Vec<Assignment> {
    let starts: Vec<usize> = (0..tokens.len()).filter(|at| starts_assignment(&tokens[*at..])).collect();
    let mut found = Vec::new();
    if starts.first() != Some(&0) && !tokens.is_empty() {
        let end = starts.first().copied().unwrap_or(tokens.len());
        found.push(assignment(&tokens[..end]));
    }
    for (index, start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(tokens.len());
        found.push(assignment(&tokens[*start..end]));
    }
    found
}

/// `Name =`, `Name <-`, `Name(1, "a") =`. A `,` before the next assignment is not a separator TLC knows, so none is
/// looked for.
fn starts_assignment(tokens: &[Token<'_>]) -> bool {
    let [Token::Name(_), rest @ ..] = tokens else { return false };
    let rest = match rest {
        [Token::Symbol("("), arguments @ ..] => {
            let Some(close) = arguments.iter().position(|token| *token == Token::Symbol(")")) else { return false };
            &arguments[close + 1..]
        }
        other => other,
    };
    matches!(rest.first(), Some(Token::Symbol("=" | "<-")))
}

fn assignment(tokens: &[Token<'_>]) -> Assignment {
    let replaced = tokens.contains(&Token::Symbol("<-"));
    let value = tokens.iter().position(|token| *token == Token::Symbol("=")).map_or(&[][..], |at| &tokens[at + 1..]);
    let mut model_values = BTreeSet::new();
    if !replaced {
        let mut in_brackets = false;
        for token in value {
            match token {
                Token::Symbol("[") => in_brackets = true,
                Token::Symbol("]") => in_brackets = false,
                Token::Name(name) if !in_brackets && !matches!(*name, "TRUE" | "FALSE") => {
                    model_values.insert((*name).to_owned());
                }
                _ => {}
            }
        }
    }
    Assignment { name: word(tokens[0]).to_owned(), rest: join(&tokens[1..]), model_values }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, rendered: &str) {
        let cfg = Cfg::parse(text);
        let out = cfg.render(&cfg.properties);
        assert_eq!(out, rendered);
        assert_eq!(Cfg::parse(&out), cfg, "not stable");
    }

    #[test]
    fn keeps_what_it_reads() {
        check("", "");
        check("SPECIFICATION Spec", "SPECIFICATION Spec\n");
        check("SPECIFICATON Spec\nINVARIANT A", "SPECIFICATON Spec\nINVARIANTS\n    A\n");
        check(
            "\\* words\nCONSTANTS A = {a1, \"b\", 3} (* B = 1 *) B <- Other C = C\n D(1, 2) = 3 E <- [M] F G = -1\nINIT I NEXT N CONSTRAINT X Y",
            "INIT I\nNEXT N\nCONSTANTS\n    A = {a1, \"b\", 3}\n    B <- Other\n    C = C\n    D (1, 2) = 3\n    E <- [M] F\n    G = -1\nCONSTRAINT X Y\n",
        );
        check(
            "INVARIANTS A B\nPROPERTIES P\nPROPERTY Q\nCONSTANT K = TRUE",
            "CONSTANTS\n    K = TRUE\nINVARIANTS\n    A\n    B\nPROPERTIES\n    P\n    Q\n",
        );
    }

    #[test]
    fn knows_model_values_and_deadlock() {
        let cfg = Cfg::parse("CONSTANTS A = {a1, TRUE, \"b\", {c}} B <- Other C = C D = [M] d\nCHECK_DEADLOCK FALSE");
        assert_eq!(cfg.model_values().into_iter().collect::<Vec<_>>(), ["C", "a1", "c", "d"]);
        assert_eq!(cfg.deadlock, Some(false));
        assert_eq!(cfg.constants.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["A", "B", "C", "D"]);
    }
}
