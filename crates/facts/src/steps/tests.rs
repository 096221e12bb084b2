//! Steps as lines of text.

use super::{Step, steps};
use crate::guard::tests::Memory;
use crate::program::Program;
use factgate_record::RepoPath;
use factgate_syntax::{Limits, Selector};

fn shown(step: &Step) -> Vec<String> {
    let head = format!("{} {}", step.at.line, step.within.join(", "));
    let line = |happening: &super::Happening| {
        format!("{}{} {}", "  ".repeat(happening.depth + 1), happening.kind.word(), happening.text)
    };
    std::iter::once(head.trim_end().to_owned()).chain(step.does.iter().map(line)).collect()
}

fn check(source: &str, expected: &[&str]) {
    check_file("a.ts", source, expected);
}

fn check_file(file: &str, source: &str, expected: &[&str]) {
    let files = Memory::new(&[(file, source)]);
    let program = Program::new(&files, RepoPath::default(), Limits::default());
    let scope = program.scope(&Selector::parse(&format!("{file}#f")).unwrap()).unwrap();
    let lines: Vec<String> = steps(&scope).iter().flat_map(shown).collect();
    assert_eq!(lines, expected);
}

#[test]
fn suspensions_cut_steps() {
    check(
        "async function f(m) {\n  const x = read(m);\n  await save(x);\n  if (x.ok) {\n    m.s = 1;\n  } else {\n    done();\n  }\n}",
        &[
            "1",
            "  call `read(m)`",
            "  write `x = read(m)`",
            "  call `save(x)`",
            "  suspend `await save(x)`",
            "3",
            "  when `x.ok`",
            "    write `m.s = 1`",
            "  otherwise `x.ok`",
            "    call `done()`",
        ],
    );
}

#[test]
fn a_step_says_what_it_starts_in() {
    check(
        "async function f(q) {\n  while (q.more()) {\n    await q.next();\n    q.use();\n  }\n}",
        &[
            "1",
            "  call `q.more()`",
            "  repeat `q.more()`",
            "    call `q.next()`",
            "    suspend `await q.next()`",
            "3 while `q.more()`",
            "  call `q.use()`",
        ],
    );
}

#[test]
fn a_test_is_shown_with_its_negation() {
    let tested = |code: &str, test: &str| {
        let source = format!("function f() {{\n  {code}\n}}");
        check(&source, &["1", "  call `a()`", &format!("  when {test}"), "    leave `return;`"]);
    };
    tested("if (a()) return;", "`a()`");
    tested("if (!a()) return;", "`!a()`");
    tested("if (!(a() && b)) return;", "`!(a() && b)`");
    tested("if (!a() && b) return;", "`!a() && b`");
    tested("if (!!a()) return;", "`!!a()`");
}

#[test]
fn what_runs_on_errors_only_says_so() {
    let code = "fn f(m: M) !void {\n    errdefer m.fail();\n    defer m.close();\n    try m.go();\n}";
    let lines = [
        "1",
        "  call `m.go()`",
        "  when `try m.go()`",
        "    leave `try m.go()`",
        "  finally `m.close()`",
        "    call `m.close()`",
        "  on error `m.fail()`",
        "    call `m.fail()`",
    ];
    check_file("a.zig", code, &lines);
}
