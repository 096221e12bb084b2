//! The top-level definitions of modules as tokens: enough to find a specification's initial predicate, its next-state
//! relation, and how each action is called.

use crate::scan::{Token, scan, tokens};
use std::collections::{BTreeMap, BTreeSet};

/// One definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Definition<'a> {
    pub(crate) parameters: Vec<&'a str>,
    pub(crate) body: Vec<Token<'a>>,
}

/// Definitions by name. Those inside `LET` belong to the definition around them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions<'a> {
    /// Those that the root module can name.
    visible: BTreeMap<&'a str, Definition<'a>>,
    /// Those of modules that are only instantiated under a name: `I!Name`.
    hidden: BTreeMap<&'a str, Definition<'a>>,
}

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
    /// Reads the definitions of several modules, seen from one of them.
    pub(crate) fn read(root: &str, modules: &'a BTreeMap<String, String>) -> Definitions<'a> {
        let mut found = Definitions::default();
        let mut pending = vec![root.to_owned()];
        let mut seen = BTreeSet::new();
        while let Some(name) = pending.pop() {
            let Some(text) = modules.get(&name).filter(|_| seen.insert(name.clone())) else { continue };
            let tokens = tokens(text);
            pending.extend(scan(text).extends);
            pending.extend(unnamed_instances(&tokens));
            module(&tokens, &mut found.visible);
        }
        modules
            .iter()
            .filter(|(name, _)| !seen.contains(*name))
            .for_each(|(_, text)| module(&tokens(text), &mut found.hidden));
        found
    }

    /// A definition.
    pub(crate) fn get(&self, name: &str) -> Option<&Definition<'a>> {
        self.visible.get(name).or_else(|| self.hidden.get(name))
    }

    /// Every definition that the root module can name.
    pub(crate) fn visible(&self) -> impl Iterator<Item = (&'a str, &Definition<'a>)> {
        self.visible.iter().map(|(name, definition)| (*name, definition))
    }

    /// Every definition that was read.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&'a str, &Definition<'a>)> {
        self.visible.iter().chain(&self.hidden).map(|(name, definition)| (*name, definition))
    }

    /// Whether the root module can name it.
    pub(crate) fn is_visible(&self, name: &str) -> bool {
        self.visible.contains_key(name)
    }

    /// The initial predicate and the next-state relation of a temporal formula: the `I` and `N` of `I /\ [][N]_v`,
    /// where it may stand in a formula that this one names.
    pub(crate) fn behaviour(&self, formula: &str) -> Option<(String, String)> {
        let mut name = formula;
        for _ in 0..self.visible.len() + 1 {
            let body = &self.visible.get(name)?.body;
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
                Token::Name(name) if self.visible.contains_key(name) => Some(*name),
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

    /// The actions that a relation is made of, down to those that say something of the next state themselves, or that are
    /// known.
    pub(crate) fn steps(&self, relation: &str, is_known: impl Fn(&str) -> bool) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut queue = match self.get(relation) {
            Some(_) => vec![relation.to_owned()],
            None => self.actions_in(relation),
        };
        while let Some(action) = queue.pop() {
            let plain = action.rsplit('!').next().unwrap_or(&action);
            let Some(definition) = self.get(plain).filter(|_| seen.insert(action.clone())) else { continue };
            let says = |token: &Token<'_>| matches!(token, Token::Symbol("'") | Token::Name("UNCHANGED"));
            if is_known(&action) || definition.body.iter().any(says) {
                found.insert(action);
            } else {
                queue.extend(self.actions_in(&text(&definition.body)));
            }
        }
        found
    }

    /// Actions that a text of TLA+ names; one of an instance with the instance's name, `I!Name`.
    pub(crate) fn actions_in(&self, text: &str) -> Vec<String> {
        let tokens = tokens(text);
        let mut found: Vec<String> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let Token::Name(name) = token else { continue };
            let action = match instance(&tokens, at) {
                Some(instance) => format!("{instance}!{name}"),
                None => (*name).to_owned(),
            };
            if self.is_action(name) && !found.contains(&action) {
                found.push(action);
            }
        }
        found
    }
}

/// Modules whose definitions become a module's own: `INSTANCE M` without a name before it.
fn unnamed_instances(tokens: &[Token<'_>]) -> Vec<String> {
    let named = |at: usize| at > 0 && tokens[at - 1] == Token::Symbol("==");
    let found = (0..tokens.len()).filter(|at| tokens[*at] == Token::Name("INSTANCE") && !named(*at));
    let name =
        |at: usize| if let Some(Token::Name(name)) = tokens.get(at + 1) { Some((*name).to_owned()) } else { None };
    found.filter_map(name).collect()
}

fn module<'a>(tokens: &[Token<'a>], into: &mut BTreeMap<&'a str, Definition<'a>>) {
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
        into.insert(name, Definition { parameters, body: tokens[body..end].to_vec() });
    }
}

/// The `I` before the `!Name` at `at`; an instance with arguments has none that could be written here.
pub(crate) fn instance<'a>(tokens: &[Token<'a>], at: usize) -> Option<&'a str> {
    match tokens[..at] {
        [.., Token::Name(instance), Token::Symbol("!")] => Some(instance),
        _ => None,
    }
}

pub(crate) fn names<'a>(tokens: &[Token<'a>]) -> Vec<&'a str> {
    tokens.iter().filter_map(|token| if let Token::Name(name) = token { Some(*name) } else { None }).collect()
}

/// The index of the bracket that closes the one at `open`.
pub(crate) fn matching(tokens: &[Token<'_>], open: usize) -> Option<usize> {
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

    #[test]
    fn finds_behaviours_and_actions() {
        let text = "---- MODULE A ----\nEXTENDS B\nVARIABLE x\nI == INSTANCE C WITH y <- x\nUp(n, m) == LET k == n IN x' = x + k\n\
            Small == x < 9\nNext == \\/ \\E n \\in 1..3, m \\in {n} : Up(n, m)\n \\/ Reset /\\ Small \\/ I!Down\n\
            vars == <<x>>\nSpec == Init /\\ [][Next]_vars\nFair == /\\ Spec\n /\\ WF_vars(Next)\n====";
        let base = "---- MODULE B ----\nVARIABLE z\nInit == z = 0\nReset == UNCHANGED z\n====";
        let other = "---- MODULE C ----\nVARIABLE y\nNext == y' = 1\nDown == y' = 0\nSpec == 1 /\\ [][Next]_y\n====";
        let modules = [("A", text), ("B", base), ("C", other)];
        let modules = modules.map(|(name, text)| (name.to_owned(), text.to_owned())).into_iter().collect();
        let found = Definitions::read("A", &modules);
        let behaviour = Some(("Init".to_owned(), "Next".to_owned()));
        assert_eq!(found.behaviour("Spec"), behaviour);
        assert_eq!(found.behaviour("Fair"), behaviour);
        assert_eq!(found.behaviour("Init"), None);
        assert_eq!(found.actions_in("Next \\/ Init"), ["Next"]);
        assert_eq!(found.actions_in(&super::text(&found.get("Next").unwrap().body)), ["Up", "Reset", "I!Down"]);
        let steps = |known: &str| found.steps("Next", |action| action == known).into_iter().collect::<Vec<_>>();
        assert_eq!(steps(""), ["I!Down", "Reset", "Up"]);
        assert_eq!(steps("Next"), ["Next"]);
        assert!(found.is_visible("Reset") && !found.is_visible("Down"));
    }
}
