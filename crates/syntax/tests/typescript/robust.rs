//! Hostile and damaged input.

use crate::parse;
use factgate_syntax::{Limits, Source, SourceError, language_for_path};

#[test]
fn deep_nesting_is_an_error_and_no_crash() {
    let language = language_for_path("a.ts").unwrap();
    for (open, close) in [("(", ")"), ("[", "]"), ("{", "}"), ("f(", ")"), ("!", ""), ("a=>", "")] {
        let text = format!("{}a{}", open.repeat(100_000), close.repeat(100_000));
        let result = Source::parse(language, text.as_bytes(), &Limits::default());
        assert!(matches!(result, Err(SourceError::TooDeep { .. })), "{open}");
    }
}

#[test]
fn nesting_below_the_limit_is_read() {
    for (before, after) in [("(", ")"), ("[", "]"), ("{", "}"), ("f(", ")"), ("!", ""), ("b + ", ""), ("(b => ", ")")] {
        let text = format!("x = {}a{}", before.repeat(450), after.repeat(450)).replace("x = {", "{");
        let source = parse("a.ts", &text);
        assert!(source.normal(&source.file_item()).len() > 2);
    }
}

#[test]
fn what_the_grammar_misreads_beyond_repair_is_a_problem() {
    let language = language_for_path("a.ts").unwrap();
    for text in [
        "x = () => { a: 1, b: 2 }",
        "class A { get\nb() {} }",
        "x = y as A.B.C | D",
        "x = y as A.B.C['d'] | D",
        "x = y as A.B.C[typeof k]",
        "x = f<A & B>`c`",
        "x = <any>await f<'a'>(b)",
        "class A { static\na() {} }",
    ] {
        let source = Source::parse(language, text.as_bytes(), &Limits::default()).unwrap();
        assert!(!source.problems().is_empty(), "{text}");
    }
}
