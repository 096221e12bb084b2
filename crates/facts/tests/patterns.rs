//! What patterns match, and what they do not: one line of code, one pattern, the matched code.

use factgate_facts::pattern::{Env, Matching, Pattern, PatternText};
use factgate_syntax::{Language, Limits, NodeId, Source, Tree, language_for_path};
use std::sync::Arc;

fn language(file: &str) -> &'static Language {
    language_for_path(file).unwrap_or_else(|| panic!("{file} has no language"))
}

fn tree(file: &str, code: &str) -> Arc<Tree> {
    let parsed = Source::parse(language(file), code.as_bytes(), &Limits::default());
    let source = parsed.unwrap_or_else(|error| panic!("{code}: {error}"));
    assert!(source.problems().is_empty(), "{code}: {:?}", source.problems());
    Arc::new(source.normal(&source.file_item()))
}

fn pattern(file: &str, code: &str) -> Pattern {
    let text = PatternText::Code(code.to_owned());
    Pattern::parse(language(file), &text).unwrap_or_else(|error| panic!("{code}: {error:?}"))
}

/// The rendered matches, each with its bindings: `f(a) A=a`.
fn matches(tree: &Arc<Tree>, pattern: &Pattern, env: &Env) -> Vec<String> {
    let shown = |found: factgate_facts::pattern::Match| {
        let mut text = tree.render(found.node);
        for (name, bound) in found.env.iter() {
            text.push_str(&format!(" {name}={}", bound.render()));
        }
        text
    };
    pattern.find_all(tree, NodeId::ROOT, env).into_iter().map(shown).collect()
}

#[track_caller]
fn check(file: &str, code: &str, pattern_code: &str, expected: &[&str]) {
    let found = matches(&tree(file, code), &pattern(file, pattern_code), &Env::new());
    assert_eq!(found, expected, "{pattern_code} in {code}");
}

#[track_caller]
fn ts(code: &str, pattern: &str, expected: &[&str]) {
    check("a.ts", code, pattern, expected);
}

#[test]
fn formatting_makes_no_difference() {
    ts("kill(\n (pid), // the group\n 'SIGTERM',\n)", "kill(pid, (\"SIGTERM\"));", &["kill(pid, 'SIGTERM')"]);
    ts("const a = load<Session>(id)", "load($X)", &["load(id) X=id"]);
    ts("load<Session>(id)", "load<Session>($X)", &["load(id) X=id"]);
    ts("load<Session>(id)", "load<$T>($X)", &["load(id) X=id"]);
    ts("load<Session>(id)", "load<Job>($X)", &[]);
    ts("new Session", "new Session()", &["new Session()"]);
}

#[test]
fn a_pattern_matches_no_more_than_it_says() {
    let exact = "if (host.busy) { return }";
    ts("if (host.busy) return", exact, &["if (host.busy) { return }"]);
    ts("if (host.busy) { return } else { start() }", exact, &[]);
    ts("if (host.busy) { host.wait(); return }", exact, &[]);
    ts("return start(host, 1)", "return", &[]);
    ts("return start(host, 1)", "start(host)", &[]);
    ts("return", "return", &["return"]);
    ts("let x = 1", "let $X", &[]);
    ts("let x", "let $X", &["let x X=x"]);
    ts("const x: number = 1", "const x = 1", &["const x = 1"]);
    ts("async () => { go() }", "() => { go() }", &[]);
    ts("for (;a;) {}", "for ($A;;) {}", &[]);
    ts("a - b", "b - a", &[]);
    ts("q?.run()", "$Q.run()", &[]);
    ts("q['run']()", "$Q.run()", &[]);
    ts("q!.run()", "$Q.run()", &["q.run() Q=q"]);
    ts("(q).run()", "$Q.run()", &["q.run() Q=q"]);
    ts("q?.run()", "$Q?.run()", &["q?.run() Q=q"]);
    ts("q.run()", "$Q?.run()", &[]);
    ts("q.run()", "$Q!.run()", &["q.run() Q=q"]);
}

#[test]
fn await_is_part_of_the_code() {
    ts("async () => { await load(q) }", "load($X)", &["load(q) X=q"]);
    ts("async () => { await load(q) }", "await load($X)", &["await load(q) X=q"]);
    ts("load(q)", "await load($X)", &[]);
}

#[test]
fn chains_are_flat_and_ordered() {
    let due = "due($J) && !leased($J)";
    ts("x = open && due(j) && !leased(j) && y", due, &["open && due(j) && !leased(j) && y J=j"]);
    ts("x = open && !leased(j) && due(j)", due, &[]);
    ts("x = due(j) && open && !leased(j)", due, &[]);
    ts("x = due(j) && (!leased(j) || k)", due, &[]);
    ts("x = due(j) && (!leased(j) && k)", due, &["due(j) && !leased(j) && k J=j"]);
    ts("x = due(j) || !leased(j)", due, &[]);
    ts("x = a && b && c", "!(a && b)", &[]);
    ts("x = !(a && b && c)", "!(a && b)", &[]);
    ts("if (a && b && c) { return }", "if (a && b) { return }", &[]);
    ts("x = a && b && c", "$X && $Y", &["a && b && c X=a Y=b", "a && b && c X=b Y=c"]);
}

#[test]
fn metavariables_bind_and_repeat() {
    ts("rename(job.path, (job . path))", "rename($A, $A)", &["rename(job.path, job.path) A=job.path"]);
    ts("rename(job.path, job.done)", "rename($A, $A)", &[]);
    ts("rename(job.path, job.done)", "rename($_, $_)", &["rename(job.path, job.done)"]);
    ts("f(...xs)", "f($X)", &["f(...xs) X=...xs"]);
    ts("f(a, b)", "f($X)", &[]);
    ts("x = { a: 1, ...b }", "({ a: 1, $M })", &["{ a: 1, ...b } M=...b"]);
    ts("function f(a: number = 1) {}", "function f($P) {}", &["function f(a = 1) {} P=a = 1"]);
    ts("o.status", "$O.$P", &["o.status O=o P=status"]);
    ts("if (a) { return 1 }", "if ($C) { $S }", &["if (a) { return 1 } C=a S=return 1"]);
    ts("if (a) { b(); return 1 }", "if ($C) { $S }", &[]);
    ts("const x: Map<K, V> = m", "const x: $T = $V", &["const x = m V=m"]);
    ts("x = (a, b) => a", "($P) => $P", &[]);
    ts("x = a => a", "($P) => $P", &["(a) => a P=a"]);
    ts("x = a => a", "$P => $P", &["(a) => a P=a"]);
    ts("f(`b`)", "f(`${$X}`)", &[]);
    ts("$x.y()", "\\$x.y()", &["$x.y()"]);
    ts("f('$x', \"$Ab\", `$y`, /^$/)", "f('$x', '$Ab', `$y`, /^$/)", &["f('$x', '$Ab', `$y`, /^$/)"]);
    ts("f(`a${b}c`)", "f(`a${$X}c`)", &["f(`a${b}c`) X=b"]);
}

#[test]
fn three_dollars_match_any_number() {
    let around = "emit($$$PRE, key, $$$POST)";
    ts("emit(key)", around, &["emit(key) POST= PRE="]);
    ts("emit(1, 2, key, 3)", around, &["emit(1, 2, key, 3) POST=3 PRE=1, 2"]);
    ts("emit()", around, &[]);
    ts("emit('a', 'b')", "emit($F, $$$, $L)", &["emit('a', 'b') F='a' L='b'"]);
    ts("emit('a')", "emit($F, $$$, $L)", &[]);
    let purge = "rm($$$, { $$$, recursive: true, $$$ })";
    ts("rm(dir, { recursive: true })", purge, &["rm(dir, { recursive: true })"]);
    ts("rm(dir, { force: true, 'recursive': true, })", purge, &["rm(dir, { force: true, recursive: true })"]);
    ts("rm(dir, { recursive: false })", purge, &[]);
    ts("rm(dir, { recursive: true }, cb)", purge, &[]);
    ts("if (key) { }", "if ($C) { $$$ }", &["if (key) {} C=key"]);
    ts("if (key) { a(); b() }", "if ($C) { $$$ }", &["if (key) { a(); b() } C=key"]);
    ts("if (key) { a(); b(); return }", "if ($C) { $$$ return }", &["if (key) { a(); b(); return } C=key"]);
    ts(
        "switch (x) { case 1: a(); case 2: b(); default: c() }",
        "switch ($X) { $$$ case 2: b(); $$$ }",
        &["switch (x) { case 1: a() case 2: b() default: c() } X=x"],
    );
    ts("function f(a, b) { go() }", "function f($$$) { $$$ }", &["function f(a, b) { go() }"]);
    let element = tree("a.tsx", "x = <a href='x' b>{c}<d/></a>");
    for (code, count) in [("<a $$$>$$$</a>", 1), ("<a>$$$</a>", 0), ("<$T />", 1), ("<a href='x' $A>{$C}$D</a>", 1)] {
        assert_eq!(matches(&element, &pattern("a.tsx", code), &Env::new()).len(), count, "{code}");
    }
}

#[test]
fn statements_match_as_a_run() {
    ts("{ a(); b(1); c() }", "a(); b($X)", &["a() X=1"]);
    ts("{ a(); c(); b(1) }", "a(); b($X)", &[]);
    ts("{ a(); c(); b(1) }", "a(); $$$; b($X)", &["a() X=1"]);
}

#[test]
fn a_context_lends_a_pattern_its_place() {
    let text = PatternText::Context {
        context: "class A { phase: Phase = 'idle' }".to_owned(),
        select: "public_field_definition".to_owned(),
    };
    let pattern = Pattern::parse(language("a.ts"), &text).unwrap();
    let code = tree("a.ts", "class B { phase: Phase = \"idle\"; } class C { phase: Phase = 'running' }");
    assert_eq!(matches(&code, &pattern, &Env::new()).len(), 1);
}

#[test]
fn matching_wants_the_whole_text() {
    let code = tree("a.ts", "rm(sessionDirectory, { recursive: true })");
    let pattern = pattern("a.ts", "rm($DIR, $$$)");
    for (rule, expected) in [("home.*", 0), ("session", 0), ("session[A-Z]\\w+", 1), ("x|sessionDirectory", 1)] {
        let matching = Matching::parse([("DIR", rule)]).unwrap();
        assert_eq!(matches(&code, &pattern, &Env::with(Arc::new(matching))).len(), expected, "{rule}");
    }
    assert!(Matching::parse([("DIR", "session[")]).is_err());
    ts("f(a!, b)", "f($$$, a, $$$)", &["f(a, b)"]);
    assert!(Matching::parse([("DIR", "a)|(b")]).is_err());
}

#[test]
fn what_is_no_pattern_is_an_error_with_its_place() {
    let cases = [
        ("start($x)", 6),
        ("start($9A)", 6),
        ("start($$A)", 6),
        ("start($Ab)", 6),
        ("start($)", 6),
        ("start(a$B)", 7),
        ("if ((queue.open", 15),
        ("a) + (b", 1),
        ("", 0),
        ("  // nothing", 0),
        ("$$$", 0),
        ("f(${A})", 2),
    ];
    for (code, offset) in cases {
        let parsed = Pattern::parse(language("a.ts"), &PatternText::Code(code.to_owned()));
        let error = parsed.expect_err(code);
        assert!(error.offset.abs_diff(offset) <= 15 && !error.message.is_empty(), "{code}: {error:?}");
        if offset == 6 {
            assert_eq!(error.offset, offset, "{code}: {error:?}");
        }
    }
}

#[test]
fn near_misses_say_what_differs() {
    let cases = [
        ("q?.run()", "$Q.run()", "`?.` instead of `.`"),
        ("kill(pid, 'SIGINT')", "kill(pid, 'SIGTERM')", "argument 2 is `'SIGINT'`"),
        ("start(host, 1)", "start(host)", "an extra argument `1`"),
        ("start()", "start(host)", "`host` is missing"),
        ("rm(d, { recursive: false })", "rm($D, { $$$, recursive: true, $$$ })", "no `recursive: true` in it"),
        ("if (host.busy) { return } else { go() }", "if (host.busy) { return }", "it also has `else { go() }`"),
    ];
    for (code, pattern_code, expected) in cases {
        let code = tree("a.ts", code);
        let near = pattern("a.ts", pattern_code).near(&code, NodeId::ROOT, 1);
        let differences: Vec<&str> = near.iter().map(|near| near.difference.as_str()).collect();
        assert_eq!(differences, [expected], "{pattern_code}");
    }
}

#[test]
fn zig_patterns_match_in_function_bodies() {
    let cases = [
        ("if (x) return; try g(a, b);", "g($A, b)", 1),
        ("if (x) return; try g(a, b);", "if ($C) return;", 1),
        ("if (x) return; try g(a, b);", "if ($C) return", 1),
        ("defer file.close();", "defer $A;", 1),
        ("defer file.close();", "file.close()", 1),
        ("try file.sync();", "try $F.sync()", 1),
        ("file.sync() catch return;", "$F.sync()", 1),
        ("std.posix.rename(a, b) catch |e| return e;", "std.posix.rename($$$)", 1),
        ("g(.{ .a = 1, .b = 2 });", "g(.{ $$$, .b = 2 })", 1),
        ("g(.{ .a = 1, .b = 2 });", "g(.{ .b = 2 })", 0),
        ("if (a and b and c) g();", "a and b", 1),
        ("if (a and b and c) g();", "a and c", 0),
        ("while (true) { g(); h(); }", "while (true) { $$$ }", 1),
        ("const x = @intCast(y);", "@intCast($X)", 1),
        ("const x: u8 = y;", "const x: u8 = $V;", 1),
        ("return error.Torn;", "return error.$E", 1),
        ("switch (x) { .a => g(), .b => {}, else => h() }", "switch ($X) { $$$ .b => {}, $$$ }", 1),
        ("g(\"$x\");", "g(\"$x\")", 1),
        ("x = y;", "$X = y;", 1),
    ];
    for (code, pattern_code, expected) in cases {
        let file = format!("fn f() !void {{ {code} }}");
        let found = matches(&tree("a.zig", &file), &pattern("a.zig", pattern_code), &Env::new());
        assert_eq!(found.len(), expected, "{pattern_code} in {code}: {found:?}");
    }
}

#[test]
fn a_hundred_open_lists_end_in_time() {
    let arguments = vec!["a"; 60].join(", ");
    let code = tree("a.ts", &format!("f({arguments})"));
    let pattern = pattern("a.ts", "f($$$, $A, $$$, $B, $$$, $C, $$$, x, $$$)");
    assert!(pattern.find_all(&code, NodeId::ROOT, &Env::new()).is_empty());
    let many = format!("f({}b)", "$$$, a, ".repeat(20));
    assert!(self::pattern("a.ts", &many).find_all(&code, NodeId::ROOT, &Env::new()).is_empty());
}

#[test]
fn the_documented_examples_are_right() {
    let page = include_str!("../../../docs/patterns.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `a.")).map(|row| {
        let cells = row.replace(" | nothing |", " | `nothing` |").replace("&&", "\u{0}");
        let cells: Vec<String> = cells.split("` | `").map(|cell| cell.replace('\u{0}', "&&")).collect();
        <[String; 4]>::try_from(cells).unwrap_or_else(|cells| panic!("{cells:?}"))
    });
    let mut seen = 0;
    for [ending, code_of_pattern, code, expected] in rows {
        let file = format!("a.{ending}");
        let pattern = pattern(&file, &code_of_pattern);
        let found = pattern.find_all(&tree(&file, &code), NodeId::ROOT, &Env::new());
        let shown: Vec<String> = found.iter().map(|found| tree(&file, &code).render(found.node)).collect();
        let expected = expected.trim_end_matches("` |");
        let expected: &[&str] = if expected == "nothing" { &[] } else { &[expected] };
        assert_eq!(shown, expected, "{code_of_pattern} in {code}");
        seen += 1;
    }
    assert!(seen > 10, "{seen} rows");
}

#[test]
fn a_literal_alone_is_that_literal() {
    for (code, pattern, expected) in [
        ("const t = ['exited', 'failed'];", "'exited'", "'exited'"),
        ("if (s === 'exited') f(\"exited\");", "\"exited\"", "'exited'"),
        ("if (n > 3) f();", "3", "3"),
        ("const r = /a/g;", "/a/g", "/a/g"),
        ("f(`a`);", "`a`", "`a`"),
    ] {
        let found = matches(&tree("a.ts", code), &self::pattern("a.ts", pattern), &Env::new());
        assert!(!found.is_empty() && found.iter().all(|one| one == expected), "{pattern} in {code}: {found:?}");
    }
}
