//! Properties that hold for any code, tried on a fixture: layout and comments never count, any other token does, and the
//! rest of the file has no say. More cases: `PROPTEST_CASES=2500 cargo test -p factgate-syntax zig::tests::properties`.

use super::parse;
use crate::fingerprint::{self, Fingerprint};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::ops::Range;

const CODE: &str = include_str!("../../../../../../fixtures/zig/properties-pump.zig");

/// The leaves of a text as the grammar has them.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let source = parse(text);
    let mut found = Vec::new();
    let mut open = vec![source.grammar_root()];
    while let Some(node) = open.pop() {
        if node.kind() == "comment" {
            continue;
        }
        // The text of a string is no token of its own, but each line of one with many lines is.
        if matches!(node.kind(), "string" | "character" | "identifier" | "builtin_identifier") || node.is_leaf() {
            found.push(node.byte_range());
        } else {
            open.extend(node.children());
        }
    }
    found.retain(|range| !range.is_empty());
    found.sort_by_key(|range| range.start);
    found
}

/// The fingerprint of a whole file, where it has no problem.
fn sound(text: &str) -> Option<Fingerprint> {
    let source = parse(text);
    source.problems().is_empty().then(|| fingerprint::exact(&source.normal(&source.file_item())))
}

#[test]
fn the_fixture_is_sound() {
    assert_eq!(parse(CODE).problems(), []);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() })]

    #[test]
    fn white_space_and_comments_between_tokens_change_nothing(
        at in any::<prop::sample::Index>(),
        layout in prop::sample::select(vec![" ", "\t", "\n", "\r\n", "\n\n    ", "// a; }\n", " // \"\r\n", "\n// \\\\ a\n\n// b\n"]),
    ) {
        let tokens = tokens(CODE);
        let token = at.get(&tokens);
        let changed = format!("{}{layout}{}", &CODE[..token.start], &CODE[token.start..]);
        prop_assert_eq!(sound(&changed), sound(CODE), "{:?} at {}", layout, token.start);
    }

    #[test]
    fn a_token_taken_out_changes_the_fingerprint(at in any::<prop::sample::Index>()) {
        let tokens = tokens(CODE);
        let token = at.get(&tokens).clone();
        let taken = &CODE[token.clone()];
        // What the normal form leaves out on purpose.
        if matches!(taken, ";" | ",") {
            return Ok(());
        }
        let changed = format!("{} {}", &CODE[..token.start], &CODE[token.end..]);
        if let Some(hash) = sound(&changed) {
            prop_assert_ne!(Some(hash), sound(CODE), "{} taken from {}", taken, token.start);
        }
    }

    #[test]
    fn a_token_put_in_changes_the_fingerprint(
        at in any::<prop::sample::Index>(),
        token in prop::sample::select(vec![
            "try", "!", "-", "x", "1", "\"x\"", "comptime", "const", "return", ".?", ".*", ".y", "&", "?", "*", "var",
            "inline", "pub", "x,", "x;", "break", "[0]", "catch x", "orelse x", "()", "(x)", "|x|", "volatile", "defer",
            "errdefer", "else", "align(1)", "+ 1", "@x", "@x()", "null", "nosuspend", "'x'", "1.5", "extern", "_", "{}",
        ]),
    ) {
        let tokens = tokens(CODE);
        let at = at.get(&tokens).start;
        let changed = format!("{} {token} {}", &CODE[..at], &CODE[at..]);
        if let Some(hash) = sound(&changed) {
            prop_assert_ne!(Some(hash), sound(CODE), "{} put in at {}", token, at);
        }
    }

    #[test]
    fn the_rest_of_the_file_has_no_say(
        before in prop::sample::select(vec!["", "const z = 1;\n", "// é\nvar q: u8 = 'é';\n", "fn other() void {}\n", "\n\n", "test { a(); }\n"]),
        behind in prop::sample::select(vec!["", "\n// end", "\nfn last() u8 { return 1; }", "\ncomptime { a(); }", "\n\n\n"]),
    ) {
        let (alone, within) = (parse(CODE), parse(&format!("{before}{}{behind}", CODE)));
        for item in alone.items() {
            let place = item.span.start as usize + before.len();
            let twin = |other: &&crate::Item| other.name == item.name && other.span.start as usize == place;
            let other = within.items().iter().find(twin).expect("the item is there");
            let (one, two) = (alone.normal(item), within.normal(other));
            prop_assert_eq!(alone.fingerprints(&one), within.fingerprints(&two), "{}", item.name);
            // A function or test by itself.
            let own = format!("{before}{}{behind}", &CODE[item.span.range()]);
            if matches!(item.kind, crate::ItemKind::Function | crate::ItemKind::Test) && sound(&own).is_some() {
                let lone = parse(&own);
                let other = lone.items().iter().find(|other| other.span.start as usize == before.len());
                let other = other.expect("the item is there");
                prop_assert_eq!(fingerprint::exact(&lone.normal(other)), fingerprint::exact(&one), "{}", item.name);
            }
        }
    }
}
