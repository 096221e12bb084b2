//! The top-level definitions of modules as tokens: enough to find a specification's initial predicate, its next-state
//! relation, and how each action is called.

use crate::scan::{Token, tokens};
use std::collections::BTreeMap;

/// One definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Definition<'a> {
    pub(crate) parameters: Vec<&'a str>,
    pub(crate) body: Vec<Token<'a>>,
}

/// Definitions by name. Those inside `LET` belong to the definition around them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions<'a>(BTreeMap<&'a str, Definition<'a>>);

/// What ends a definition's body.
const UNITS: [&str; 16] = [
    "CONSTANT",
    "CONSTANTS",
    "VARIABLE",
    "VARIABLES",
    "ASSUME",
    "ASSUMPTION",
    "AXIOM",
    "THEOREM",
    "LEMMA",
    "PROPOSITION",
    "COROLLARY",
    "LOCAL",
    "RECURSIVE",
    "INSTANCE",
    "EXTENDS",
    "PROOF",
];

impl<'a> Definitions<'a> {
    /// Reads the definitions of several modules.
    pub(crate) fn read(texts: impl Iterator<Item = &'a str>) -> Definitions<'a> {
        let mut found = Definitions::default();
        texts.for_each(|text| found.module(&tokens(text)));
        found
    }

    fn module(&mut self, tokens: &[Token<'a>]) {
        let mut heads: Vec<(usize, usize, &'a str, Vec<&'a str>)> = Vec::new();
        let mut ends: Vec<usize> = Vec::new();
        let mut lets = 0usize;
        for (at, token) in tokens.iter().enumerate() {
            match token {
                Token::Name("LET") => lets += 1,
                Token::Name("IN") => lets = lets.saturating_sub(1),
                Token::Name(name) if lets == 0 && UNITS.contains(name) => ends.push(at),
                Token::Line | Token::End => ends.push(at),
                Token::Symbol("==") if lets == 0 => {
                    if let Some((start, name, parameters)) = head(tokens, at) {
                        ends.push(start);
                        heads.push((start, at + 1, name, parameters));
                    }
                }
                _ => {}
            }
        }
        for (_, body, name, parameters) in heads {
            let end = ends.iter().copied().filter(|end| *end >= body).min().unwrap_or(tokens.len());
            self.0.insert(name, Definition { parameters, body: tokens[body..end].to_vec() });
        }
    }

    /// A definition.
    pub(crate) fn get(&self, name: &str) -> Option<&Definition<'a>> {
        self.0.get(name)
    }

    /// The initial predicate and the next-state relation of a temporal formula: the `I` and `N` of `I /\ [][N]_v`,
    /// where it may stand in a formula that this one names.
    pub(crate) fn behaviour(&self, formula: &str) -> Option<(String, String)> {
        let mut name = formula;
        for _ in 0..self.0.len() + 1 {
            let body = &self.get(name)?.body;
            let open = [Token::Symbol("["), Token::Symbol("]"), Token::Symbol("[")];
            if let Some(at) = body.windows(3).position(|three| three == open) {
                let close = matching(body, at + 2)?;
                let mut init = &body[..at];
                while let [Token::Symbol("/\\"), rest @ ..] = init {
                    init = rest;
                }
                while let [rest @ .., Token::Symbol("/\\")] = init {
                    init = rest;
                }
                return Some((text(init), text(&body[at + 3..close])));
            }
            name = body.iter().find_map(|token| match token {
                Token::Name(name) if self.0.contains_key(name) => Some(*name),
                _ => None,
            })?;
        }
        None
    }

    /// Whether a definition says anything of the next state, itself or through what it names.
    pub(crate) fn is_action(&self, name: &str) -> bool {
        let mut seen = Vec::new();
        let mut queue = vec![name];
        while let Some(name) = queue.pop() {
            let Some(definition) = self.get(name).filter(|_| !seen.contains(&name)) else { continue };
            seen.push(name);
            for token in &definition.body {
                match token {
                    Token::Symbol("'") | Token::Name("UNCHANGED") => return true,
                    Token::Name(name) => queue.push(name),
                    _ => {}
                }
            }
        }
        false
    }

    /// Actions that a text of TLA+ names.
    pub(crate) fn actions_in(&self, text: &str) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for token in tokens(text) {
            if let Token::Name(name) = token
                && self.is_action(name)
                && !found.iter().any(|known| known == name)
            {
                found.push(name.to_owned());
            }
        }
        found
    }

    /// An action with its arguments bound as the specification binds them where it calls the action: `Fill` is `Fill`,
    /// `Fill(n)` is `\E n \in Drops : Fill(n)`. `None` when that cannot be told.
    pub(crate) fn call(&self, action: &str) -> Option<String> {
        let definition = self.get(action)?;
        if definition.parameters.is_empty() {
            return Some(action.to_owned());
        }
        let mut calls: Vec<String> = Vec::new();
        for caller in self.0.values() {
            for at in 0..caller.body.len() {
                if caller.body[at] == Token::Name(action) && caller.body.get(at + 1) == Some(&Token::Symbol("(")) {
                    calls.push(bound(caller, at)?);
                }
            }
        }
        calls.sort();
        calls.dedup();
        (!calls.is_empty()).then(|| calls.iter().map(|call| format!("({call})")).collect::<Vec<_>>().join(" \\/ "))
    }
}

/// A call with the quantifiers around it that bind what its arguments mention. A parameter of the caller is bound by
/// nothing here.
fn bound(caller: &Definition<'_>, at: usize) -> Option<String> {
    let close = matching(&caller.body, at + 1)?;
    let mut needed: Vec<&str> = names(&caller.body[at + 2..close]);
    let mut call = text(&caller.body[at..=close]);
    for start in (0..at).rev().filter(|start| caller.body[*start] == Token::Symbol("\\E")) {
        let colon = start + caller.body[start..at].iter().position(|token| *token == Token::Symbol(":"))?;
        let quantifier = &caller.body[start + 1..colon];
        let binds = |name: &&str| quantifier.contains(&Token::Name(name));
        if needed.iter().any(binds) {
            call = format!("\\E {} : {call}", text(quantifier));
            needed.extend(names(quantifier));
        }
    }
    (!caller.parameters.iter().any(|parameter| needed.contains(parameter))).then_some(call)
}

fn names<'a>(tokens: &[Token<'a>]) -> Vec<&'a str> {
    tokens.iter().filter_map(|token| if let Token::Name(name) = token { Some(*name) } else { None }).collect()
}

/// The index of the bracket that closes the one at `open`.
fn matching(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    if !matches!(tokens.get(open), Some(Token::Symbol("(" | "[" | "{"))) {
        return None;
    }
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Symbol("(" | "[" | "{") => depth += 1,
            Token::Symbol(")" | "]" | "}") => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The head in front of a `==`: where it starts, its name, its parameters.
fn head<'a>(tokens: &[Token<'a>], at: usize) -> Option<(usize, &'a str, Vec<&'a str>)> {
    let last = at.checked_sub(1)?;
    if let Token::Name(name) = tokens[last] {
        return Some((last, name, Vec::new()));
    }
    let open = (0..last).rev().find(|open| matching(tokens, *open) == Some(last))?;
    let Token::Name(name) = tokens[open.checked_sub(1)?] else { return None };
    let function = tokens[open] == Token::Symbol("[");
    let parameters = if function { Vec::new() } else { names(&tokens[open + 1..last]) };
    Some((open - 1, name, parameters))
}

/// Tokens as text.
pub(crate) fn text(tokens: &[Token<'_>]) -> String {
    let word = |token: &Token<'_>| match token {
        Token::Name(text) | Token::Text(text) | Token::Number(text) | Token::Symbol(text) => (*text).to_owned(),
        Token::Line => "----".to_owned(),
        Token::End => "====".to_owned(),
    };
    let mut out = String::new();
    for token in tokens {
        let word = word(token);
        // `=>`, `..`, `<<`: signs that the scanner cut stand together again.
        let sign =
            |text: &str| !text.contains(|letter: char| letter.is_ascii_alphanumeric() || "(){}[],:_".contains(letter));
        let glued =
            sign(&word) && out.chars().last().is_some_and(|last| "=<>.|-+#:".contains(last)) && !word.starts_with('\\');
        if !out.is_empty() && !glued {
            out.push(' ');
        }
        out.push_str(&word);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "---- MODULE A ----\nVARIABLE x\nInit == x = 0\nUp(n, m) == LET k == n IN x' = x + k\nReset == UNCHANGED x\n\
        Small == x < 9\nStep(w) == Up(w, 1)\nNext == \\/ \\E n \\in 1..3, m \\in {n} : Up(n, m)\n \\/ Reset /\\ Small\n\
        vars == <<x>>\nSpec == Init /\\ [][Next]_vars\nFair == /\\ Spec\n /\\ WF_vars(Next)\n====";

    #[test]
    fn finds_behaviours_and_actions() {
        let found = Definitions::read(std::iter::once(SPEC));
        let behaviour = Some(("Init".to_owned(), "Next".to_owned()));
        assert_eq!(found.behaviour("Spec"), behaviour);
        assert_eq!(found.behaviour("Fair"), behaviour);
        assert_eq!(found.behaviour("Init"), None);
        assert_eq!(found.actions_in("Next \\/ Init"), ["Next"]);
        assert_eq!(found.actions_in(&text(&found.get("Next").unwrap().body)), ["Up", "Reset"]);
        assert_eq!(found.call("Reset").as_deref(), Some("Reset"));
        // `Step` hands its own parameter on: that call cannot be bound here.
        assert_eq!(found.call("Up"), None);
    }

    #[test]
    fn binds_arguments_as_the_caller_does() {
        let text = SPEC.replace("Step(w) == Up(w, 1)\n", "");
        let found = Definitions::read(std::iter::once(text.as_str()));
        assert_eq!(found.call("Up").as_deref(), Some("(\\E n \\in 1 .. 3 , m \\in { n } : Up ( n , m ))"));
    }
}
