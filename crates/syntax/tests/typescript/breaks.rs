//! Line breaks that end a statement (ECMAScript 12.3, 12.10.1): every kind of them, in comments too.

use factgate_syntax::{Limits, Source, fingerprint, language_for_path};

/// The normal form's fingerprint; none where the code is reported as damaged.
fn read(path: &str, text: &str) -> Option<fingerprint::Fingerprint> {
    let language = language_for_path(path)?;
    let source = Source::parse(language, text.as_bytes(), &Limits::default()).ok()?;
    source.problems().is_empty().then(|| fingerprint::exact(&source.normal(&source.file_item())))
}

const BREAKS: [&str; 8] =
    ["\n", "\r\n", "\r", "\u{2028}", "\u{2029}", "/*\n*/", "/* a\u{2028}b */", " /* a\r b */ /* c */ "];

/// `^` is the place of a break: never read as without it.
fn parts(paths: &[&str], codes: &[&str]) {
    for path in paths {
        for code in codes {
            let joined = read(path, &code.replace('^', " "));
            for line_break in BREAKS {
                let parted = read(path, &code.replace('^', line_break));
                assert!(parted.is_none() || parted != joined, "{path}: {code} with {line_break:?}");
            }
        }
    }
}

/// What stands behind the arrow is what the code with any break at `^` means.
fn means(path: &str, pairs: &[(&str, &str)]) {
    for (code, meaning) in pairs {
        let meaning = read(path, meaning);
        assert!(meaning.is_some(), "{code}");
        for line_break in BREAKS {
            assert_eq!(read(path, &code.replace('^', line_break)), meaning, "{code} with {line_break:?}");
        }
    }
}

#[test]
fn a_break_parts_what_no_break_may_stand_in() {
    parts(
        &["a.ts", "a.tsx", "a.js"],
        &[
            "function f() { return^a }",
            "function f() { return^a.b() }",
            "function f() { throw^a }",
            "function* f() { yield^a }",
            "function* f() { yield^* a }",
            "a: for (;;) { for (;;) { break^a } }",
            "a: for (;;) { for (;;) { continue^a } }",
            "a^++\nb",
            "a^--\nb",
            "class A { async^b() {} }",
            "x = { async^b() {} }",
            "async^function g() {}",
            "export default async^function g() {}",
            "x = async^(x) => 1",
            "x = async^x => 1",
            "using^q = a()",
        ],
    );
}

#[test]
fn a_break_parts_what_is_typescript_alone() {
    parts(
        &["a.ts", "a.tsx"],
        &[
            "let q: A^[b] = c",
            "type T = A^[B]",
            "x = a^as (b)",
            "x = a^satisfies (b)",
            "x = a^!(b)",
            "class A { accessor^b = 1 }",
            "class A { readonly^b = 1 }",
            "class A { public^b() {} }",
            "class A { override^b = 1 }",
            "class A { declare^b: C }",
            "class A { private async^b() {} }",
            "abstract class A { abstract^b(): C }",
            "interface A { readonly^b: C }",
            "abstract^class A {}",
            "interface^A {}",
            "type^A = B",
            "declare^const a: B",
            "declare^class A {}",
            "namespace^A {}",
            "module^A {}",
        ],
    );
}

#[test]
fn any_break_is_read_as_ecmascript_reads_it() {
    let pairs = [
        ("function f() { return^a }", "function f() { return; a }"),
        ("function f() { return^\n a }", "function f() { return; a }"),
        ("function* f() { yield^a }", "function* f() { yield; a }"),
        ("a: for (;;) { for (;;) { break^a } }", "a: for (;;) { for (;;) { break; a } }"),
        ("a^++b", "a; ++b"),
        ("a^b", "a; b"),
        ("a()^b()", "a(); b()"),
        ("a^+ b", "a + b"),
        ("a^(b)", "a(b)"),
        ("a = // c^b", "a = b"),
        ("if (a) b^else c", "if (a) b; else c"),
        ("do a; while (b)^c", "do { a } while (b); c"),
        ("x = `a${b^+ c}d`", "x = `a${b + c}d`"),
        ("const a = b,^c = d", "const a = b, c = d"),
    ];
    for path in ["a.ts", "a.tsx", "a.js"] {
        means(path, &pairs[..9]);
        means(path, &pairs[10..]);
    }
    for line_break in &BREAKS[..5] {
        let code = pairs[9].0.replace('^', line_break);
        assert_eq!(read("a.ts", &code), read("a.ts", pairs[9].1), "{line_break:?}");
    }
}

#[test]
fn a_break_where_none_is_forbidden_changes_nothing() {
    means(
        "a.ts",
        &[
            ("const^enum A { B }", "const enum A { B }"),
            ("await^f()", "await f()"),
            ("function^f() {}", "function f() {}"),
        ],
    );
}

#[test]
fn signatures_without_semicolons_stand_apart() {
    for (open, close) in [("interface I {", "}"), ("const a: {", "} = b"), ("type T = {", "}")] {
        let parts = ["(self: A) => A | B", "<C>(a: C): B", "<C, D>(a: C): B", "<\nE\n>(a: E): F[]"];
        let code = |between: &str| format!("{open}\n<B>(a: B): {}{between}(z: B): C\n{close}", parts.join(between));
        let meaning = read("a.ts", &code(";\n"));
        assert!(meaning.is_some(), "{open}");
        for between in ["\n", "\r\n", "\n/** a\n * b */\n", " // a\n"] {
            let without = read("a.ts", &code(between));
            assert!(without.is_none() || without == meaning, "{open} {between:?}");
        }
        let code = code(";\n").replace(";\n(z: B): C", "");
        for between in ["\n", "\r\n", "\n/** a\n * b */\n", " // a\n"] {
            assert_eq!(read("a.ts", &code.replace(";\n", between)), read("a.ts", &code), "{open} {between:?}");
        }
    }
}

#[test]
fn a_comment_in_one_line_is_no_break() {
    for path in ["a.ts", "a.js"] {
        for code in ["function f() { return^a }", "a^++", "async^function f() {}", "function* f() { yield^a }"] {
            let joined = read(path, &code.replace('^', " "));
            assert!(joined.is_some());
            for comment in ["/**/", " /* a */ ", "/* b *//* c */"] {
                assert_eq!(read(path, &code.replace('^', comment)), joined, "{path}: {code} with {comment}");
            }
        }
    }
}

#[test]
fn text_keeps_its_rare_breaks() {
    for code in ["x = 'a^b'", "x = `a^b`", "x = `^`", "x = <a>b^c</a>"] {
        let plain = read("a.tsx", &code.replace('^', "\u{2028}"));
        assert!(plain.is_some(), "{code}");
        assert_ne!(plain, read("a.tsx", &code.replace('^', "\u{2029}")), "{code}");
        assert_ne!(plain, read("a.tsx", &code.replace('^', " ")), "{code}");
    }
}

#[test]
fn a_hashbang_line_ends_as_every_line_does() {
    for path in ["a.ts", "a.js"] {
        let unix = read(path, "#!/usr/bin/env node\na()\n");
        assert!(unix.is_some());
        assert_eq!(unix, read(path, "#!/usr/bin/env node\r\na()\r\n"));
        assert_ne!(unix, read(path, "#!/usr/bin/env deno\na()\n"));
    }
}
