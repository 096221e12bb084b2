//! Hostile and damaged input.

use crate::parse;
use factgate_syntax::source::Selection;
use factgate_syntax::{Limits, Source, SourceError, fingerprint, language_for_path};

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
fn what_the_grammar_misreads_is_a_problem() {
    let language = language_for_path("a.ts").unwrap();
    for text in ["x = a + b as T * c", "type T = new () => A & B"] {
        let source = Source::parse(language, text.as_bytes(), &Limits::default()).unwrap();
        assert!(!source.problems().is_empty(), "{text}");
    }
}

/// A function has one fingerprint, whether or not something else in the file is broken.
#[test]
fn what_stands_beside_an_error_is_read_as_without_it() {
    let language = language_for_path("a.ts").unwrap();
    let of = |text: &str, name: &str| {
        let source = Source::parse(language, text.as_bytes(), &Limits::default()).unwrap();
        let Selection::One(item) = source.select(name) else { panic!("{name} in {text}") };
        source.problems_in(item).is_empty().then(|| fingerprint::exact(&source.normal(item)))
    };
    let (f, g) = ("function f(a: A): B { return (<C>a).b as B; }", "m(a?: A): B { return g<A>(a!); }");
    let whole = format!("{f} class Q {{ {g} }} type T = A | B;");
    for broken in [
        format!("{f} class Q {{ {g} }} type T = A | B; function h() {{ return ); }}"),
        format!("function h() {{ return ); }} {f} class Q {{ {g} }} type T = A | B;"),
        format!("{f} class Q {{ {g} n() {{ return ); }} }} type T = A | B;"),
    ] {
        for name in ["f", "Q.m", "T"] {
            assert_eq!(of(&broken, name), of(&whole, name), "{name} in {broken}");
            assert!(of(&whole, name).is_some(), "{name}");
        }
    }
}
