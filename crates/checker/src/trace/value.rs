//! TLA+ values as people and the engine write them: `m1`, `{a, 2}`, `[k |-> "x"]`, `(1 :> a @@ 2 :> b)`.
//!
//! A bare name is a model value where the configuration has one of that name, and a string of that spelling otherwise.
//! What is no value (an operator, a definition) is refused here, so that it cannot mean something else in a module.

use super::data::model_name;
use crate::constant::quoted;
use crate::scan::{Token, tokens};
use std::collections::BTreeSet;

/// A value's text for a module.
pub(crate) fn module_text(text: &str, models: &BTreeSet<String>) -> Result<String, String> {
    let tokens = tokens(text);
    if tokens.is_empty() {
        return Err("an argument is missing".to_owned());
    }
    let mut open: Vec<&str> = Vec::new();
    let mut out = String::new();
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1);
        match token {
            Token::Number(digits) => out.push_str(digits),
            Token::Text(text) => out.push_str(text),
            Token::Name(word @ ("TRUE" | "FALSE" | "SUBSET" | "BOOLEAN")) => out.push_str(word),
            Token::Name(name) if next == Some(&Token::Symbol("|")) => out.push_str(name),
            Token::Name(name) if models.contains(*name) => out.push_str(&model_name(name)),
            Token::Name(name) => out.push_str(&quoted(name)),
            Token::Symbol("-") if matches!(next, Some(Token::Number(_))) => out.push_str("0 -"),
            Token::Symbol(sign) if is_sign(sign, &tokens, at) => {
                brackets(sign, &mut open).map_err(|()| format!("`{text}`: a bracket does not fit"))?;
                out.push_str(sign);
            }
            _ => return Err(format!("`{text}` is no value")),
        }
        // `1 2` must not become `12`, and `|->`, `:>`, `@@`, `..`, `<<`, `->` must stay whole.
        if !matches!((token, next), (Token::Symbol(_), Some(Token::Symbol(_)))) {
            out.push(' ');
        }
    }
    if open.is_empty() { Ok(format!("({})", out.trim())) } else { Err(format!("`{text}`: a bracket is not closed")) }
}

/// Signs that a value is made of.
fn is_sign(sign: &str, tokens: &[Token<'_>], at: usize) -> bool {
    let follows = |other: &str| tokens.get(at + 1) == Some(&Token::Symbol(other));
    let before = |other: &str| at > 0 && tokens[at - 1] == Token::Symbol(other);
    match sign {
        "{" | "}" | "(" | ")" | "[" | "]" | "," | "<" | ">" => true,
        "|" => follows("-"),
        "-" => follows(">"),
        ":" => follows(">"),
        "@" => follows("@") || before("@"),
        "." => follows(".") || before("."),
        _ => false,
    }
}

fn brackets<'a>(sign: &'a str, open: &mut Vec<&'a str>) -> Result<(), ()> {
    match sign {
        "{" | "(" | "[" => open.push(sign),
        "}" | ")" | "]" => {
            let fits = matches!((open.pop(), sign), (Some("{"), "}") | (Some("("), ")") | (Some("["), "]"));
            return if fits { Ok(()) } else { Err(()) };
        }
        _ => {}
    }
    Ok(())
}

/// The name and the arguments of an action as it is written: `Claim(m1, {2, 3})`.
pub(crate) fn parts(action: &str) -> Result<(&str, Option<Vec<String>>), String> {
    let action = action.trim();
    let Some((name, rest)) = action.split_once('(') else { return Ok((action, None)) };
    let inner = rest.strip_suffix(')').ok_or_else(|| format!("`{action}`: a bracket is not closed"))?;
    let mut arguments = vec![String::new()];
    let (mut depth, mut in_text, mut escaped) = (0i32, false, false);
    for letter in inner.chars() {
        match letter {
            '"' if !escaped => in_text = !in_text,
            '{' | '(' | '[' if !in_text => depth += 1,
            '}' | ')' | ']' if !in_text => depth -= 1,
            ',' if depth == 0 && !in_text && !within_tuple(&arguments) => {
                arguments.push(String::new());
                continue;
            }
            _ => {}
        }
        escaped = letter == '\\' && !escaped;
        if let Some(last) = arguments.last_mut() {
            last.push(letter);
        }
    }
    let arguments: Vec<String> = arguments.into_iter().map(|argument| argument.trim().to_owned()).collect();
    let none = arguments.len() == 1 && arguments[0].is_empty();
    Ok((name.trim(), (!none).then_some(arguments)))
}

/// Whether the argument under way has a `<<` without its `>>`.
fn within_tuple(arguments: &[String]) -> bool {
    let last = arguments.last().map_or("", String::as_str);
    last.matches("<<").count() > last.matches(">>").count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, wanted: Result<&str, &str>) {
        let models = BTreeSet::from(["m1".to_owned()]);
        match (module_text(text, &models), wanted) {
            (Ok(text), Ok(wanted)) => assert_eq!(text, wanted),
            (Err(error), Err(wanted)) => assert!(error.contains(wanted), "{error}"),
            (got, wanted) => panic!("{got:?} is not {wanted:?}"),
        }
    }

    #[test]
    fn values_become_text_of_a_module() {
        check("m1", Ok("(factgate_model_m1)"));
        check("m2", Ok("(\"m2\")"));
        check("-3", Ok("(0 - 3)"));
        check("{m1, \"a b\", TRUE}", Ok("({ factgate_model_m1 , \"a b\" , TRUE })"));
        check("<<1, m1>>", Ok("(<< 1 , factgate_model_m1 >>)"));
        check("[owner |-> m1]", Ok("([ owner |-> factgate_model_m1 ])"));
        check("(m1 :> 0 @@ b :> 1)", Ok("(( factgate_model_m1 :> 0 @@ \"b\" :> 1 ))"));
        check("1..3", Ok("(1 .. 3)"));
        check("x' = 1", Err("no value"));
        check("1 + 2", Err("no value"));
        check("{1", Err("not closed"));
        check("{1)", Err("does not fit"));
        check("", Err("missing"));
    }

    #[test]
    fn actions_have_a_name_and_arguments() {
        let check = |action: &str, name: &str, wanted: Option<&[&str]>| {
            let (found, arguments) = parts(action).unwrap();
            assert_eq!(found, name);
            assert_eq!(arguments, wanted.map(|list| list.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>()));
        };
        check("Tick", "Tick", None);
        check("Tick()", "Tick", None);
        check(" Claim( m1 )", "Claim", Some(&["m1"]));
        check("I!Grant(b, {1, 2}, <<3, 4>>, \"x, )\")", "I!Grant", Some(&["b", "{1, 2}", "<<3, 4>>", "\"x, )\""]));
        assert!(parts("Claim(m1").is_err());
    }
}
