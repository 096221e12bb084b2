//! TypeScript, TSX and JavaScript: items, and what counts as the same code.

mod breaks;
mod different;
mod items;
mod properties;
mod robust;
mod same;

use factgate_syntax::{Limits, Source, fingerprint, language_for_path};

/// Parses a source that must have no problem.
fn parse(path: &str, text: &str) -> Source {
    let Some(language) = language_for_path(path) else { panic!("{path} has no language") };
    let source = match Source::parse(language, text.as_bytes(), &Limits::default()) {
        Ok(source) => source,
        Err(error) => panic!("{error} in {text}"),
    };
    assert!(source.problems().is_empty(), "{:?} in {text}", source.problems());
    source
}

/// The fingerprint of a whole file.
fn file(path: &str, text: &str) -> fingerprint::Fingerprint {
    let source = parse(path, text);
    fingerprint::exact(&source.normal(&source.file_item()))
}

/// The normal form of a whole file, for a message.
fn shown(path: &str, text: &str) -> String {
    let source = parse(path, text);
    let tree = source.normal(&source.file_item());
    let mut out = String::new();
    for node in tree.subtree(factgate_syntax::NodeId::ROOT) {
        let depth = tree.ancestors(node).count();
        let field = tree.field(node).map_or(String::new(), |field| format!("{field}: "));
        out.push_str(&format!("{}{field}{} {:?}\n", "  ".repeat(depth), tree.kind(node), tree.text(node)));
    }
    out
}

#[test]
fn a_using_declaration_has_one_shape_in_every_grammar() {
    for text in ["{ using a = f(), b = g() }", "async () => { await using a = f() || g(), b = await h }"] {
        assert_eq!(file("a.ts", text), file("a.js", text), "{}\n{}", shown("a.ts", text), shown("a.js", text));
        assert!(shown("a.ts", text).contains("using_declaration"));
    }
}

#[test]
fn the_modifiers_of_a_parameter_are_shown_as_they_are_written() {
    for modifiers in ["private readonly ", "override ", "public override  ", "readonly "] {
        let source = parse("a.ts", &format!("class A {{ constructor({modifiers}a: B) {{}} }}"));
        let tree = source.normal(&source.file_item());
        let words: Vec<&str> = modifiers.split_whitespace().collect();
        let shown = tree.render(factgate_syntax::NodeId::ROOT);
        assert!(shown.contains(&format!("({} a)", words.join(" "))), "{shown}");
    }
}

/// The names of a file's functions that can be judged, and those in a merge conflict.
fn judged(path: &str, text: &str) -> (Vec<String>, Vec<String>) {
    let Some(language) = language_for_path(path) else { panic!("{path} has no language") };
    let source = Source::parse(language, text.as_bytes(), &Limits::default()).expect("it is read");
    let conflict = |item: &&factgate_syntax::Item| {
        source.problems_in(item).iter().any(|problem| problem.kind == factgate_syntax::ProblemKind::Conflict)
    };
    let sound = |item: &&factgate_syntax::Item| source.problems_in(item).is_empty();
    let names = |test: &dyn Fn(&&factgate_syntax::Item) -> bool| {
        source.items().iter().filter(|item| test(item)).map(|item| item.name.clone()).collect::<Vec<_>>()
    };
    (names(&sound), names(&conflict))
}

#[test]
fn a_merge_conflict_is_known_by_its_markers_wherever_the_item_stands() {
    let far = "const far = 1;\n";
    for (path, broken) in [
        ("a.ts", "<<<<<<< HEAD\nfunction f() { a }\n"),
        ("a.ts", "<<<<<<< HEAD\r\nexport function f() { a }\r\n"),
        ("a.ts", "<<<<<<< HEAD\n\n// doc\nfunction f() { a }\n=======\n>>>>>>> other\n"),
        ("a.ts", "<<<<<<< HEAD\n=======\nfunction f() { a }\n>>>>>>> other\n"),
        ("a.ts", "function f() {\n<<<<<<< HEAD\n  a;\n=======\n  b;\n>>>>>>> other\n}\n"),
        ("a.ts", "function f() {\n<<<<<<<\n  a;\n||||||| base\n c;\n=======\n  b;\n>>>>>>>\n}\n"),
        ("a.ts", "function f() {\n  a(\n<<<<<<< HEAD\n    1,\n=======\n    2,\n>>>>>>> other\n  );\n}\n"),
        ("a.ts", "export const f = () => {\n  a();\n<<<<<<< HEAD\n};\n=======\n  b();\n};\n>>>>>>> other\n"),
        ("a.zig", "<<<<<<< HEAD\nfn f() void {}\n"),
        ("a.zig", "fn f() void {\n<<<<<<< HEAD\n    a();\n=======\n    b();\n>>>>>>> other\n}\n"),
    ] {
        let lines = "\nfunction g() { z; }\n".repeat(usize::from(path == "a.ts"));
        let text = format!("{far}{lines}\nfunction between() {{ y }}\nlet q = 1;\n{broken}");
        let text = if path == "a.ts" { text } else { broken.to_owned() };
        let (sound, conflict) = judged(path, &text);
        assert!(!sound.contains(&"f".to_owned()), "{text}");
        // Where the marker swallows the name, there is no item to judge; where it is one, it is in conflict.
        let source = Source::parse(language_for_path(path).expect("known"), text.as_bytes(), &Limits::default());
        let listed = source.expect("it is read").items().iter().any(|item| item.name == "f");
        assert!(conflict.contains(&"f".to_owned()) || !listed, "{conflict:?} in {text}");
        assert!(path == "a.zig" || sound.contains(&"g".to_owned()), "{sound:?} in {text}");
    }
    let (sound, conflict) = judged("a.ts", "const a = `<<<<<<<< HEAD\n`; // <<<<<<< no\nfunction f() { '<<<<<<< '; }");
    assert!(sound.contains(&"f".to_owned()) && conflict.is_empty());
    let (sound, _) =
        judged("a.ts", "let q = 1;\n<<<<<<< HEAD\nlet r = 2;\n=======\nlet r = 3;\n>>>>>>> other\nlet s = 4;\n");
    assert_eq!(sound, ["q"]);
}

#[test]
fn an_open_comment_or_template_takes_the_rest_of_the_file_with_it() {
    let code = "function f() { a }\nfunction g() { b }\nfunction h() { `c` }\n";
    for open in ["/* doc\n", "/** doc\n * more\n", "/*\n\n"] {
        assert_eq!(judged("a.ts", &format!("let q = 1;\n{open}{code}")).0, ["q"], "{open}");
    }
    let code = "function f() { a }\nfunction g() { b }\n";
    assert_eq!(judged("a.ts", &format!("let q = 1;\nr(`x\n{code}")).0, ["q"]);
    // What is closed takes no more than itself.
    let (sound, _) = judged("a.ts", &format!("let q = 1;\n/* a */ ) /* b */\n\n{code}"));
    assert_eq!(sound, ["q", "f", "g"]);
}

#[test]
fn functions_and_classes_behind_statements_are_no_damage() {
    for text in [
        "a()\nclass A {}\nclass B {}\nfunction f() {}\nasync function* g() {}\n@d class C {}",
        "if (a) {}\nexport class A {}\nexport default class extends A { static B = class {} }",
        "x = { a: {} }, function () {}; y = class {}; (function () {})(); `${a}` + function () {}",
    ] {
        shown("a.ts", text);
        shown("a.js", text);
    }
}

#[test]
fn what_is_never_closed_swallows_the_rest() {
    for (broken, expected) in [
        ("/* doc\nfunction f() {}\n", false),
        ("/* doc */\nfunction f() {}\n", true),
        ("function g() {}\n/** doc\n * more\nfunction f() {}\n", false),
        ("const a = `b\nfunction f() {}\n", false),
        ("function f() {}\n/* doc\n", true),
        ("function f() {}\nconst a = `b\n", true),
        ("const a = `b`;\nfunction f() {}\n", true),
        ("const a = (;\nfunction f() {}\n", true),
    ] {
        let (sound, _) = judged("a.ts", broken);
        assert_eq!(sound.iter().any(|name| name == "f"), expected, "{broken}");
    }
}
