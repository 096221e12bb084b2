//! Properties that hold for any code, tried on the fixtures: layout and comments never count, any other token does, and
//! the rest of the file has no say. More cases: `PROPTEST_CASES=2500 cargo test -p factgate-syntax --test typescript`.

use factgate_syntax::{ItemKind, Limits, Source, fingerprint, language_for_path};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::ops::Range;

const CODE: [(&str, &str); 4] = [
    ("lease.ts", include_str!("../../../../fixtures/ts/grouping-lease.ts")),
    ("panel.tsx", include_str!("../../../../fixtures/ts/grouping-panel.tsx")),
    ("queue.cjs", include_str!("../../../../fixtures/ts/grouping-queue.cjs")),
    ("gate.ts", include_str!("../../../../fixtures/ts/properties-gate.ts")),
];

/// The leaves of a file as the grammar has them, but for what stands inside templates and JSX text.
fn tokens(path: &str, text: &str) -> Vec<Range<usize>> {
    let language = match path.rsplit('.').next() {
        Some("tsx") => tree_sitter_typescript::LANGUAGE_TSX,
        Some("ts") => tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
        _ => tree_sitter_javascript::LANGUAGE,
    };
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&language.into()).expect("the grammar loads");
    let tree = parser.parse(text, None).expect("there is a tree");
    let mut found = Vec::new();
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        let whole = ["string", "template_string", "regex", "comment", "jsx_element", "jsx_self_closing_element"];
        if node.kind() == "comment" {
            continue;
        }
        if whole.contains(&node.kind()) || node.child_count() == 0 {
            found.push(node.byte_range());
            continue;
        }
        open.extend((0..node.child_count()).rev().filter_map(|index| node.child(index as _)));
    }
    found.retain(|range| !range.is_empty());
    found
}

/// The fingerprint of a whole file, where it has no problem.
fn sound(path: &str, text: &str) -> Option<fingerprint::Fingerprint> {
    let source = Source::parse(language_for_path(path)?, text.as_bytes(), &Limits::default()).ok()?;
    source.problems().is_empty().then(|| fingerprint::exact(&source.normal(&source.file_item())))
}

/// A file without what is gone when it runs, which does not count.
fn what_runs((path, text): (&str, &str)) -> String {
    let language = language_for_path(path).expect("known");
    let source = Source::parse(language, text.as_bytes(), &Limits::default()).expect("it is read");
    source.runs().to_owned()
}

fn place() -> impl Strategy<Value = (usize, prop::sample::Index)> {
    (0..CODE.len(), any::<prop::sample::Index>())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() })]

    #[test]
    fn white_space_and_comments_between_tokens_change_nothing(
        (file, at) in place(),
        layout in prop::sample::select(vec![" ", "\t", "   ", "/**/", "/* a, (b) */", " /* ; */ ", "/* \" */\t"]),
        lines in prop::sample::select(vec!["\n", "\r\n", "// a\n", "\n\n\t/* a\n b */ ", " // `}\r\n"]),
    ) {
        let (path, text) = CODE[file];
        let tokens = tokens(path, text);
        let token = at.get(&tokens);
        // A line break ends a statement in some places (ECMAScript 12.10.1), never behind these.
        let before = text[..token.start].trim_end();
        let free = before.ends_with([',', '(', '{', ';', '=']) && !before.ends_with("=>");
        // The grammar cannot read a comment behind the `?` of a parameter: exit 2.
        let layout = if free { lines } else if before.ends_with('?') { " " } else { layout };
        let changed = format!("{}{layout}{}", &text[..token.start], &text[token.start..]);
        prop_assert_eq!(sound(path, &changed), sound(path, text), "{:?} at {}", layout, token.start);
    }

    #[test]
    fn a_token_taken_out_changes_the_fingerprint((file, at) in place()) {
        let (path, text) = (CODE[file].0, &what_runs(CODE[file]));
        let tokens = tokens(path, text);
        let token = at.get(&tokens).clone();
        let taken = &text[token.clone()];
        // What the normal form leaves out on purpose, and the first sign of a union.
        if matches!(taken, ";" | "," | "(" | ")" | "{" | "}" | "|" | "&") {
            return Ok(());
        }
        let changed = format!("{} {}", &text[..token.start], &text[token.end..]);
        if let Some(hash) = sound(path, &changed) {
            prop_assert_ne!(Some(hash), sound(path, text), "{} taken from {}", taken, token.start);
        }
    }

    #[test]
    fn a_token_put_in_changes_the_fingerprint(
        (file, at) in place(),
        token in prop::sample::select(vec![
            "await", "async", "-", "x", "1", "'x'", "static", "const", "return", "?.", ".y", "new",
            "typeof", "...", "break", "[]", "x,", "x;", "@x", "get", "null", "++"
        ]),
    ) {
        let (path, text) = (CODE[file].0, &what_runs(CODE[file]));
        let tokens = tokens(path, text);
        let at = at.get(&tokens).start;
        let changed = format!("{} {token} {}", &text[..at], &text[at..]);
        if let Some(hash) = sound(path, &changed) {
            prop_assert_ne!(Some(hash), sound(path, text), "{} put in at {}", token, at);
        }
    }

    #[test]
    fn the_rest_of_the_file_has_no_say(
        file in 0..CODE.len(),
        before in prop::sample::select(vec!["", "import z from 'z';\n", "/* é */ const q = 1;\n", "function other() {}\n", "\n\n"]),
        behind in prop::sample::select(vec!["", "\n;[1].map(String);\n", "\n// end", "\nfunction last() { return 1 }"]),
    ) {
        let (path, text) = CODE[file];
        let parse = |text: &str| Source::parse(language_for_path(path).expect("known"), text.as_bytes(), &Limits::default()).expect("parses");
        let (alone, within) = (parse(text), parse(&format!("{before}{text}{behind}")));
        for item in alone.items() {
            let name = |other: &&factgate_syntax::Item| other.name == item.name && other.span.start as usize == item.span.start as usize + before.len();
            let other = within.items().iter().find(name).expect("the item is there");
            let (one, two) = (alone.normal(item), within.normal(other));
            prop_assert_eq!(alone.fingerprints(&one), within.fingerprints(&two), "{}", item.name);
            // By itself, where it can stand by itself.
            let own = format!("{before}{}{behind}", &text[item.span.range()]);
            if item.kind == ItemKind::Function && !item.name.contains('.') && sound(path, &own).is_some() {
                let lone = parse(&own);
                let other = lone.items().iter().find(|other| other.name == item.name).expect("the item is there");
                prop_assert_eq!(fingerprint::exact(&lone.normal(other)), fingerprint::exact(&one), "{}", item.name);
            }
        }
    }
}
