//! Whether a leads-to property says anything: `P ~> Q` where no reachable state meets `P` holds of nothing.
//!
//! Asked beside what a passing run explores already: each `P` is a further invariant that is always TRUE, and prints a line
//! the first time that `P` holds. What cannot be cut out of a formula with certainty is not asked.

use crate::applications::split;
use crate::definitions::{Definition, Definitions, matching, names};
use crate::plan::Prepared;
use crate::scan::Token;
use std::collections::{BTreeMap, BTreeSet};

/// The module that the questions need, and the root module that asks them.
const MODULE: &str = "FactgateProbes";
const ROOT: &str = "FactgateProbed";
/// What stands on the line that is printed.
const MARK: &str = "factgate probe";
/// TLC's registers from here on hold what was seen.
const REGISTER: usize = 9000;
/// So deep are definitions put in at their names.
const DEEPEST: usize = 8;

/// A question: when is what stands before the arrow of a property true?
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Probe {
    /// The property.
    pub(crate) property: String,
    /// What stands before the arrow, quantified as the property is.
    antecedent: String,
}

/// The line that answers the question with this number.
pub(crate) fn answer(line: &str) -> Option<usize> {
    let rest = line.trim().strip_prefix("<<\"")?.strip_prefix(MARK)?.strip_prefix("\", ")?;
    rest.strip_suffix(">>")?.parse::<usize>().ok()?.checked_sub(REGISTER)
}

/// Properties none of whose questions was answered with yes, each with what never holds.
pub(crate) fn never(probes: &[Probe], seen: &BTreeSet<usize>) -> BTreeMap<String, String> {
    let mut of: BTreeMap<&str, Vec<(usize, &str)>> = BTreeMap::new();
    for (number, probe) in probes.iter().enumerate() {
        of.entry(&probe.property).or_default().push((number, &probe.antecedent));
    }
    let unseen = |all: Vec<(usize, &str)>| {
        let open = all.into_iter().filter(|(number, _)| !seen.contains(number));
        open.map(|(_, text)| format!("`{text}`")).collect::<Vec<_>>().join(", ")
    };
    of.into_iter().map(|(name, all)| (name.to_owned(), unseen(all))).filter(|(_, open)| !open.is_empty()).collect()
}

impl Prepared {
    /// The questions, and this with them among its invariants. `None` where there is none to ask. Under symmetry or a view
    /// one state stands for several, and a state in which `P` holds may be one that nobody sees.
    pub(crate) fn probed(&self) -> Option<(Prepared, Vec<Probe>)> {
        if self.cfg.has("SYMMETRY") || self.cfg.has("VIEW") {
            return None;
        }
        let definitions = Definitions::read(&self.root, &self.modules);
        let mut probes: Vec<Probe> = Vec::new();
        for property in &self.cfg.properties {
            for antecedent in antecedents(property, &definitions) {
                let probe = Probe { property: property.clone(), antecedent };
                if !probes.contains(&probe) {
                    probes.push(probe);
                }
            }
        }
        if probes.is_empty() {
            return None;
        }
        let mut root = format!("---- MODULE {ROOT} ----\nEXTENDS {}, {MODULE}\n", self.root);
        let mut with = self.clone();
        for (number, probe) in probes.iter().enumerate() {
            let (register, name) = (REGISTER + number, format!("factgate_probe_{number}"));
            let seen = format!("{name} == factgate_seen({register}, ({}))", probe.antecedent);
            root.push_str(&format!("ASSUME factgate_unseen({register})\n{seen}\n"));
            with.cfg.invariants.push(name);
        }
        root.push_str("====\n");
        with.modules.insert(ROOT.to_owned(), root);
        with.modules.insert(MODULE.to_owned(), asked());
        ROOT.clone_into(&mut with.root);
        Some((with, probes))
    }
}

/// The module that prints: local, so that its names cannot meet those of the specification.
fn asked() -> String {
    format!(
        "---- MODULE {MODULE} ----\nLOCAL INSTANCE TLC\nfactgate_unseen(at) == TLCSet(at, FALSE)\n\
         factgate_seen(at, holds) == IF holds /\\ ~TLCGet(at) THEN TLCSet(at, TRUE) /\\ PrintT(<<\"{MARK}\", at>>) ELSE TRUE\n\
         ====\n"
    )
}

/// What stands before each arrow of a property, where it is a state predicate.
fn antecedents(property: &str, definitions: &Definitions<'_>) -> Vec<String> {
    let Some(definition) = definitions.get(property).filter(|one| one.parameters.is_empty()) else { return Vec::new() };
    let formula = put_in(&definition.body, definitions, DEEPEST);
    let arrows = (0..formula.len()).filter(|at| is_arrow(&formula, *at));
    arrows.filter_map(|at| antecedent(&formula, at, definitions)).collect()
}

/// A formula with the definitions that hold an arrow in the place of their names.
fn put_in<'a>(tokens: &[Token<'a>], definitions: &Definitions<'a>, depth: usize) -> Vec<Token<'a>> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens[at];
        at += 1;
        let Token::Name(name) = token else {
            out.push(token);
            continue;
        };
        let of_instance = out.last() == Some(&Token::Symbol("!"));
        let found = definitions.get(name).filter(|one| depth > 0 && !of_instance && leads(name, definitions, one));
        let given = arguments(tokens, at);
        match found.zip(given).filter(|(one, (given, _))| one.parameters.len() == given.len()) {
            Some((one, (given, end))) => {
                let body = put_in(&one.body, definitions, depth - 1);
                out.push(Token::Symbol("("));
                for token in body {
                    match one.parameters.iter().position(|parameter| token == Token::Name(parameter)) {
                        Some(index) => {
                            out.push(Token::Symbol("("));
                            out.extend(&given[index]);
                            out.push(Token::Symbol(")"));
                        }
                        None => out.push(token),
                    }
                }
                out.push(Token::Symbol(")"));
                at = end;
            }
            None => out.push(token),
        }
    }
    out
}

/// The arguments in brackets from `at` on, and where they end; none where there is no bracket.
fn arguments<'a>(tokens: &[Token<'a>], at: usize) -> Option<(Vec<Vec<Token<'a>>>, usize)> {
    if tokens.get(at) != Some(&Token::Symbol("(")) {
        return Some((Vec::new(), at));
    }
    let close = matching(tokens, at)?;
    Some((split(&tokens[at + 1..close]), close + 1))
}

/// Whether a definition holds an arrow, itself or through what it names.
fn leads(name: &str, definitions: &Definitions<'_>, definition: &Definition<'_>) -> bool {
    let mut seen = BTreeSet::from([name.to_owned()]);
    let mut queue = vec![definition];
    while let Some(one) = queue.pop() {
        if (0..one.body.len()).any(|at| is_arrow(&one.body, at)) {
            return true;
        }
        for name in names(&one.body) {
            queue.extend(definitions.get(name).filter(|_| seen.insert(name.to_owned())));
        }
    }
    false
}

/// `~>`, or the `=>` of `[](P => <>Q)`.
fn is_arrow(tokens: &[Token<'_>], at: usize) -> bool {
    let symbol = |offset: usize, text: &str| tokens.get(at + offset) == Some(&Token::Symbol(text));
    if symbol(0, "~") && symbol(1, ">") {
        return true;
    }
    let implies = symbol(0, "=") && symbol(1, ">") && symbol(2, "<") && symbol(3, ">");
    let open = opening(tokens, at);
    implies && open.is_some_and(|open| tokens[..open].ends_with(&[Token::Symbol("["), Token::Symbol("]")]))
}

/// The bracket that is open at a place.
fn opening(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (index, token) in tokens[..at].iter().enumerate().rev() {
        match token {
            Token::Symbol(")" | "]" | "}") => depth += 1,
            Token::Symbol("(" | "[" | "{") if depth == 0 => return Some(index),
            Token::Symbol("(" | "[" | "{") => depth -= 1,
            _ => {}
        }
    }
    None
}

/// What stands before an arrow, with the quantifiers around it: `\A` as `\E`, since one instance that says something is
/// enough. `None` where the layout of a list decides what belongs to it, and where it is no state predicate.
fn antecedent(tokens: &[Token<'_>], arrow: usize, definitions: &Definitions<'_>) -> Option<String> {
    let open = opening(tokens, arrow);
    let piece = operand(&tokens[open.map_or(0, |open| open + 1)..arrow]);
    let (mut quantifiers, condition) = quantified(piece)?;
    let mut inner = open;
    while let Some(at) = inner {
        let next = opening(tokens, at);
        let around = operand(&tokens[next.map_or(0, |open| open + 1)..at]);
        let around = around.strip_suffix(&[Token::Symbol("["), Token::Symbol("]")]).unwrap_or(around);
        // Only what ends in front of the bracket with `:` binds what is inside.
        if around.last() == Some(&Token::Symbol(":")) {
            quantifiers = [quantified(around)?.0, quantifiers].concat();
        }
        inner = next;
    }
    let condition = match condition {
        [Token::Symbol("/\\"), rest @ ..] if !rest.iter().any(|token| is_junction(*token)) => rest,
        [Token::Symbol("/\\"), ..] => return None,
        other => other,
    };
    let words = ["LET", "IN", "IF", "CASE", "ENABLED", "LAMBDA"];
    let plain = !condition.iter().any(|token| matches!(token, Token::Name(name) if words.contains(name)));
    let all = [quantifiers.as_slice(), condition].concat();
    (plain && !condition.is_empty() && is_of_state(&all, definitions)).then(|| written(&all))
}

fn is_junction(token: Token<'_>) -> bool {
    matches!(token, Token::Symbol("/\\" | "\\/"))
}

/// The end of some tokens that belongs to what follows: behind the last `=>` outside of brackets.
fn operand<'t, 'a>(tokens: &'t [Token<'a>]) -> &'t [Token<'a>] {
    let implies = |at: &usize| tokens[*at] == Token::Symbol("=") && tokens.get(at + 1) == Some(&Token::Symbol(">"));
    let outside = |at: &usize| opening(tokens, *at).is_none();
    let start = (0..tokens.len()).rev().filter(implies).find(outside).map_or(0, |at| at + 2);
    &tokens[start..]
}

/// Quantifiers in front of a formula, and the formula.
fn quantified<'t, 'a>(tokens: &'t [Token<'a>]) -> Option<(Vec<Token<'a>>, &'t [Token<'a>])> {
    let colon = |at: &usize| tokens[*at] == Token::Symbol(":") && opening(tokens, *at).is_none();
    let Some(colon) = (0..tokens.len()).rev().find(colon) else { return Some((Vec::new(), tokens)) };
    let start = (0..colon).find(|at| matches!(tokens[*at], Token::Symbol("\\A" | "\\E")))?;
    // What stands in front of them is the sign of a list's first line, or another line of it.
    if tokens[..start].iter().any(|token| *token != Token::Symbol("/\\")) {
        return None;
    }
    let exists = |token: &Token<'a>| if *token == Token::Symbol("\\A") { Token::Symbol("\\E") } else { *token };
    Some((tokens[start..=colon].iter().map(exists).collect(), &tokens[colon + 1..]))
}

/// Whether a formula says something of one state alone, itself and through what it names.
fn is_of_state(tokens: &[Token<'_>], definitions: &Definitions<'_>) -> bool {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut queue: Vec<&[Token<'_>]> = vec![tokens];
    while let Some(tokens) = queue.pop() {
        for (at, token) in tokens.iter().enumerate() {
            let next = tokens.get(at + 1);
            let before = at.checked_sub(1).map(|at| tokens[at]);
            match token {
                Token::Symbol("'" | "!") | Token::Name("UNCHANGED") => return false,
                Token::Symbol("[") if next == Some(&Token::Symbol("]")) => return false,
                Token::Symbol("~") if next == Some(&Token::Symbol(">")) => return false,
                // `<<>>` is a tuple.
                Token::Symbol("<") if next == Some(&Token::Symbol(">")) && before != Some(Token::Symbol("<")) => {
                    return false;
                }
                Token::Name(name) if name.starts_with("WF_") || name.starts_with("SF_") => return false,
                Token::Name(name) => {
                    queue.extend(definitions.get(name).filter(|_| seen.insert(name)).map(|one| one.body.as_slice()));
                }
                _ => {}
            }
        }
    }
    true
}

/// Tokens as text; those that stood together stand together again.
fn written(tokens: &[Token<'_>]) -> String {
    let mut out = String::new();
    let mut end: Option<*const u8> = None;
    for token in tokens {
        let (Token::Name(part) | Token::Text(part) | Token::Number(part) | Token::Symbol(part)) = token else {
            continue;
        };
        if !out.is_empty() && end != Some(part.as_ptr()) {
            out.push(' ');
        }
        out.push_str(part);
        end = Some(part.as_bytes().as_ptr_range().end);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A property's body, with the definitions of a small specification, and what stands before its arrows.
    #[track_caller]
    fn check(body: &str, wanted: &[&str]) {
        let module = format!(
            "---- MODULE A ----\nVARIABLES x, y\nBusy == x = 1\nStep == x' = 1\nOf(c) == x = c ~> y = c\n\
             Some == \\A c \\in {{1, 2}} : Of(c)\nSpec == x = 0 /\\ [][Step]_x\nLive == {body}\n===="
        );
        let modules = BTreeMap::from([("A".to_owned(), module)]);
        assert_eq!(antecedents("Live", &Definitions::read("A", &modules)), wanted, "{body}");
    }

    #[test]
    fn what_stands_before_the_arrow() {
        check("Busy ~> x = 0", &["Busy"]);
        check("(x = 1 /\\ y = <<1>>) ~> x=0", &["(x = 1 /\\ y = <<1>>)"]);
        check("x = 1 /\\ y # <<>> ~> x = 0", &["x = 1 /\\ y # <<>>"]);
        check("[](Busy => <>(x = 0))", &["Busy"]);
        check("[]((x = 1) => <>Busy)", &["(x = 1)"]);
        check("\\A c \\in S, d \\in T : x = c ~> y = d", &["\\E c \\in S, d \\in T : x = c"]);
        check("\\A c \\in S : (x = c ~> y = c)", &["\\E c \\in S : x = c"]);
        check("\\A c \\in S : \\A d \\in T : [](x = c => <>(y = d))", &["\\E c \\in S : \\E d \\in T : x = c"]);
        check("Some", &["\\E c \\in {1, 2} : x = ( c )"]);
        check("\\A k \\in S : Of(k + 1)", &["\\E k \\in S : x = ( k + 1 )"]);
        check("/\\ Busy ~> x = 0\n /\\ []<>Busy", &["Busy"]);
        check("Busy => (x = 2 ~> x = 0)", &["x = 2"]);
    }

    #[test]
    fn what_is_not_asked() {
        check("[]<>Busy", &[]);
        check("Busy => <>(x = 0)", &[]);
        check("[]Busy ~> x = 0", &[]);
        check("(ENABLED Step) ~> x = 0", &[]);
        check("Spec ~> x = 0", &[]);
        // Only the layout tells whether these are one condition.
        check("/\\ Busy /\\ y = 0 ~> x = 0", &[]);
        check("(LET z == x IN z = 1) ~> x = 0", &[]);
    }

    #[test]
    fn answers_are_lines() {
        assert_eq!(answer("<<\"factgate probe\", 9003>>"), Some(3));
        assert_eq!(answer("<<\"factgate probe\", x>>"), None);
        assert_eq!(answer("<<\"probe\", 9003>>"), None);
    }
}
