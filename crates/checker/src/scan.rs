//! A small scanner for TLA+ modules: which constants a module declares, which modules it reaches, which names it
//! defines. Comments, strings and what stands outside the module are skipped. It reads no expressions: whether a
//! specification means anything is for the engine to say.
//!
//! Grammar: Lamport, *Specifying Systems*, chapter 15.

use std::collections::{BTreeMap, BTreeSet};

/// What a module says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Module {
    /// The name behind `MODULE`.
    pub(crate) name: String,
    /// Modules whose declarations become this one's own.
    pub(crate) extends: BTreeSet<String>,
    /// Modules that are instantiated.
    pub(crate) instances: BTreeSet<String>,
    /// Modules written inside this one.
    pub(crate) inner: BTreeSet<String>,
    /// Declared constants with the number of their arguments.
    pub(crate) constants: BTreeMap<String, usize>,
    /// Declared variables.
    pub(crate) variables: Vec<String>,
    /// Defined names, those inside `LET` included.
    pub(crate) defined: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    Name(&'a str),
    /// A string with its quotes.
    Text(&'a str),
    Number(&'a str),
    Symbol(&'a str),
    /// `----` with four dashes or more.
    Line,
    /// `====` with four signs or more.
    End,
}

/// Reads the first module of a text.
pub(crate) fn scan(text: &str) -> Module {
    let tokens = tokens(text);
    let mut module = Module::default();
    let mut depth = 0usize;
    let mut at = 0;
    while at < tokens.len() {
        let before = at.checked_sub(1).map(|index| tokens[index]);
        match tokens[at] {
            Token::Name("MODULE") if before == Some(Token::Line) => {
                if let Some(Token::Name(name)) = tokens.get(at + 1) {
                    match depth {
                        0 => module.name = (*name).to_owned(),
                        _ => drop(module.inner.insert((*name).to_owned())),
                    }
                    depth += 1;
                }
            }
            Token::End if depth <= 1 => break,
            Token::End => depth -= 1,
            _ if depth == 0 => {}
            Token::Name("EXTENDS") => {
                let names = names(&tokens[at + 1..]).into_iter().map(|(name, _)| name);
                if depth == 1 { module.extends.extend(names) } else { module.instances.extend(names) }
            }
            Token::Name("INSTANCE") => {
                if let Some(Token::Name(name)) = tokens.get(at + 1) {
                    module.instances.insert((*name).to_owned());
                }
            }
            Token::Name("CONSTANT" | "CONSTANTS") if depth == 1 && !in_assume(before) => {
                module.constants.extend(names(&tokens[at + 1..]));
            }
            Token::Name("VARIABLE" | "VARIABLES") if depth == 1 && !in_assume(before) => {
                module.variables.extend(names(&tokens[at + 1..]).into_iter().map(|(name, _)| name));
            }
            Token::Symbol("==") => module.defined.extend(defined_before(&tokens[..at])),
            _ => {}
        }
        at += 1;
    }
    module
}

/// `ASSUME NEW CONSTANT c` in a theorem declares nothing for the module.
fn in_assume(before: Option<Token<'_>>) -> bool {
    matches!(before, Some(Token::Name("NEW" | "ASSUME")))
}

/// The names of a list `A, B(_, _), C`, with the number of their arguments.
fn names(tokens: &[Token<'_>]) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(Token::Name(name)) = tokens.get(at) {
        at += 1;
        let mut arguments = 0;
        if tokens.get(at) == Some(&Token::Symbol("(")) {
            while let Some(token) = tokens.get(at) {
                at += 1;
                match token {
                    Token::Name(_) => arguments += 1,
                    Token::Symbol(")") => break,
                    _ => {}
                }
            }
        }
        found.push(((*name).to_owned(), arguments));
        if tokens.get(at) != Some(&Token::Symbol(",")) {
            break;
        }
        at += 1;
    }
    found
}

/// The name that a `==` defines: `Name ==`, `Name(a, b) ==`, `name[x \in S] ==`.
fn defined_before(tokens: &[Token<'_>]) -> Option<String> {
    let mut at = tokens.len().checked_sub(1)?;
    if matches!(tokens[at], Token::Symbol(")" | "]")) {
        let mut open = 0usize;
        loop {
            match tokens[at] {
                Token::Symbol(")" | "]") => open += 1,
                Token::Symbol("(" | "[") => open -= 1,
                _ => {}
            }
            at = at.checked_sub(1)?;
            if open == 0 {
                break;
            }
        }
    }
    match tokens[at] {
        Token::Name(name) => Some(name.to_owned()),
        _ => None,
    }
}

/// Cuts TLA+ or a TLC configuration into tokens, without comments.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        if rest.starts_with(b"\\*") {
            at += length(rest, |byte| byte != b'\n');
        } else if rest.starts_with(b"(*") {
            at += comment(rest);
        } else if rest[0].is_ascii_whitespace() {
            at += 1;
        } else {
            let (token, used) = token(text, at);
            found.push(token);
            at += used;
        }
    }
    found
}

fn length(bytes: &[u8], holds: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|byte| !holds(*byte)).unwrap_or(bytes.len())
}

/// The length of a comment that may hold comments.
fn comment(bytes: &[u8]) -> usize {
    let mut open = 0usize;
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at..].starts_with(b"(*") {
            open += 1;
            at += 2;
        } else if bytes[at..].starts_with(b"*)") {
            open -= 1;
            at += 2;
            if open == 0 {
                break;
            }
        } else {
            at += 1;
        }
    }
    at
}

fn token(text: &str, at: usize) -> (Token<'_>, usize) {
    let rest = &text.as_bytes()[at..];
    let piece = |used: usize| &text[at..at + used];
    match rest[0] {
        b'"' => {
            let used = string(rest);
            (Token::Text(piece(used)), used)
        }
        byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
            let used = length(rest, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
            let number = piece(used).bytes().all(|byte| byte.is_ascii_digit());
            (if number { Token::Number(piece(used)) } else { Token::Name(piece(used)) }, used)
        }
        b'\\' => {
            let used = 1 + length(&rest[1..], |byte| byte.is_ascii_alphabetic()).max(usize::from(rest.len() > 1));
            let used = (used..=rest.len()).find(|end| text.is_char_boundary(at + end)).unwrap_or(rest.len());
            (Token::Symbol(piece(used)), used)
        }
        b'=' | b'-' => {
            let used = length(rest, |byte| byte == rest[0]);
            match (used, rest[0]) {
                (4.., b'=') => (Token::End, used),
                (4.., _) => (Token::Line, used),
                (2, b'=') => (Token::Symbol("=="), 2),
                _ => (Token::Symbol(piece(1)), 1),
            }
        }
        b'<' if rest.starts_with(b"<-") => (Token::Symbol("<-"), 2),
        b'/' if rest.starts_with(b"/\\") => (Token::Symbol("/\\"), 2),
        _ => {
            let used = text[at..].chars().next().map_or(1, char::len_utf8);
            (Token::Symbol(piece(used)), used)
        }
    }
}

fn string(bytes: &[u8]) -> usize {
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            b'\n' => return at,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, constants: &[(&str, usize)], extends: &[&str], instances: &[&str], defined: &[&str]) {
        let module = scan(text);
        let wanted: BTreeMap<String, usize> = constants.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
        assert_eq!(module.constants, wanted);
        assert_eq!(module.extends, set(extends));
        assert_eq!(module.instances, set(instances));
        assert_eq!(module.defined, set(defined));
    }

    #[test]
    fn reads_declarations() {
        check("---- MODULE A ----\nCONSTANT K\n====", &[("K", 0)], &[], &[], &[]);
        check(
            "words == 1\n---- MODULE A ----\nEXTENDS Naturals, B\nCONSTANTS K, \\* CONSTANT no\n L(_, _), (* M, (* N *) *) O\nVARIABLE x\n====\nCONSTANT Q",
            &[("K", 0), ("L", 2), ("O", 0)],
            &["Naturals", "B"],
            &[],
            &[],
        );
        check(
            "---- MODULE A ----\nI == INSTANCE B WITH x <- 1\nLOCAL INSTANCE C\nF(a) == \"CONSTANT Z == \\\" ==\"\ng[x \\in S, y \\in T] == x = y /\\ x >= 1\nTHEOREM T == ASSUME NEW CONSTANT c, NEW d PROVE c\n====",
            &[],
            &[],
            &["B", "C"],
            &["I", "F", "g", "T"],
        );
        check(
            "---- MODULE A ----\nCONSTANT K\n---- MODULE In ----\nCONSTANT L\nD == 1\n====\nI == INSTANCE In WITH L <- K\n----------\nCONSTANT M\n====",
            &[("K", 0), ("M", 0)],
            &[],
            &["In"],
            &["D", "I"],
        );
    }

    #[test]
    fn survives_any_text() {
        for text in ["", "\\", "/", "\"", "(*", "---- MODULE", "---- MODULE é ----\n\\é == (", "==", ") ==", "x) == y"]
        {
            scan(text);
        }
    }
}
