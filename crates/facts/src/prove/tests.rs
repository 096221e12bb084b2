//! Which edits are made, and what they show.

use super::{Outcome, prove};
use crate::guard::tests::{Memory, guard};
use crate::program::Program;
use factgate_record::RepoPath;
use factgate_syntax::Limits;

/// `edit -> reason` or `edit -> survived` for each edit; `not TRUE` when there is nothing to prove.
fn check(file: &str, source: &str, text: &str, expected: &[&str]) {
    let files = Memory::new(&[(file, source)]);
    let program = Program::new(&files, RepoPath::default(), Limits::default());
    let (spec, assertions) = guard(file, text);
    let told: Vec<String> = match prove(&program, &spec, &assertions) {
        None => vec!["not TRUE".to_owned()],
        Some(proof) => proof
            .tried
            .iter()
            .map(|tried| match tried.outcome {
                Outcome::Caught(reason) => format!("{} -> {}", tried.edit, reason.code()),
                Outcome::Survived => format!("{} -> survived", tried.edit),
            })
            .collect(),
    };
    assert_eq!(told, expected, "{source}");
}

const SKIP: &str = "effect = go($$$)\nskip_if = bad($M.s)";

#[test]
fn a_tight_guard_is_caught_by_every_edit() {
    check(
        "a.ts",
        "function f(m) { if (bad(m.s)) return; go(); }",
        SKIP,
        &[
            "deleting the check `bad(m.s)` -> unguarded",
            "negating the check `bad(m.s)` -> wrong-outcome",
            "moving behind the effect the statement of `bad(m.s)` -> late",
        ],
    );
    check(
        "a.ts",
        "async function f(d) { if (!ok(d)) return; go(); }",
        "effect = go()\nonly_if = ok($D)\nwithout = await",
        &[
            "deleting the check `ok(d)` -> unguarded",
            "negating the check `ok(d)` -> wrong-outcome",
            "moving behind the effect the statement of `ok(d)` -> late",
            "putting an `await` before `go()` -> interrupted",
        ],
    );
}

#[test]
fn a_loose_guard_survives() {
    check(
        "a.ts",
        "function f(m) { if (m.closed) return; if (bad(m.s)) return; go(); }",
        "effect = go()\nskip_if = $CONDITION",
        &[
            "deleting the check `m.closed` -> survived",
            "deleting the check `bad(m.s)` -> survived",
            "deleting all that shows the guard, first `m.closed` -> unguarded",
            "negating the check `m.closed` -> survived",
            "negating the check `bad(m.s)` -> survived",
            "moving behind the effect the statement of `m.closed` -> survived",
            "moving behind the effect the statement of `bad(m.s)` -> survived",
        ],
    );
}

#[test]
fn other_keys_have_their_own_edits() {
    check(
        "a.ts",
        "function f(m) { m.sync(); go(); done(); }",
        "effect = go()\nafter = $F.sync()\nthen = done()",
        &[
            "deleting the passed node `m.sync()` -> not-passed",
            "deleting the following node `done()` -> not-followed",
            "deleting all that shows the guard, first `m.sync()` -> not-passed",
            "moving behind the effect the statement of `m.sync()` -> not-passed",
        ],
    );
    check(
        "a.ts",
        "function f() { log.flush(); }",
        "has = log.flush()",
        &["deleting every match, first `log.flush()` -> absent"],
    );
    check(
        "a.ts",
        "function f(m) { switch (m.p) { case 'r': go(); } }",
        "effect = go()\nonly_if = $M.p === 'r'",
        &["deleting the check `'r'` -> unguarded"],
    );
    check("a.ts", "function f() { go(); }", SKIP, &["not TRUE"]);
}

#[test]
fn edits_that_would_show_nothing_are_left_out() {
    check(
        "a.ts",
        "async function f(m, z) { if (!m.ok) return; if (z) { await o; if (!m.ok) return; } go(); }",
        "effect = go()\nonly_if = m.ok\nwithout = await",
        &[
            "deleting the check `m.ok` -> unguarded",
            "deleting the check `m.ok` -> interrupted",
            "deleting all that shows the guard, first `m.ok` -> unguarded",
            "negating the check `m.ok` -> unguarded",
            "negating the check `m.ok` -> unguarded",
            "moving behind the effect the statement of `m.ok` -> unguarded",
            "putting an `await` before `go()` -> interrupted",
        ],
    );
    check(
        "a.ts",
        "function f(m) { go(sync()); }",
        "effect = go($$$)\nafter = sync()\nwithout = write()",
        &["deleting the passed node `sync()` -> not-passed"],
    );
}

#[test]
fn what_comes_between_is_about_what_the_effect_is_about() {
    let after = "effect = work($M)\nafter = lock($M)";
    let put = |without: &str, words: &str| {
        check(
            "a.ts",
            "function f(m) { lock(m); work(m); }",
            &format!("{after}\nwithout = {without}"),
            &[
                "deleting the passed node `lock(m)` -> not-passed",
                "moving behind the effect the statement of `lock(m)` -> not-passed",
                &format!("putting `{words}` before `work(m)` -> interrupted"),
            ],
        );
    };
    put("unlock($M)", "unlock(m)");
    put("$M.close()", "m.close()");
    put("drop($M.x, $Y)", "drop(m.x, factgate)");
    put("$Y.drop($$$)", "factgate.drop()");
    check(
        "a.ts",
        "function f(m) { if (!m.ok) return; work(); }",
        "effect = work()\nonly_if = $M.ok\nwithout = unlock($M)",
        &[
            "deleting the check `m.ok` -> unguarded",
            "negating the check `m.ok` -> wrong-outcome",
            "moving behind the effect the statement of `m.ok` -> late",
        ],
    );
}

#[test]
fn what_is_forbidden_is_put_in() {
    check(
        "a.ts",
        "function f(m) { m.go(); }",
        "never = $X.kill($$$)",
        &["putting the forbidden `factgate.kill()` first -> present"],
    );
    check("a.ts", "const f = (m) => m.go();", "never = kill()", &[]);
    check("a.ts", "class f { a() { go(); } }", "never = kill()", &["putting the forbidden `kill()` first -> present"]);
    check(
        "a.zig",
        "fn f() void { go(); }",
        "never = kill($_)",
        &["putting the forbidden `kill(factgate)` first -> present"],
    );
    check(
        "a.ts",
        "function f(m) { if (m.ok) return; }",
        "never = throw $E",
        &["putting the forbidden `throw factgate` first -> present"],
    );
    check("a.ts", "function f(m) { m.go(); }", "never = $X.kill($$$)\nX = m|n", &[]);
}

#[test]
fn a_check_that_only_came_first_is_none() {
    let only = "effect = go()\nonly_if = m.ok";
    check(
        "a.ts",
        "async function f(m) { if (m.ok) { log(); } if (m.ok) go(); }",
        only,
        &["deleting the check `m.ok` -> unguarded", "negating the check `m.ok` -> wrong-outcome"],
    );
    // Each of two that stand there twice could be taken away.
    check(
        "a.ts",
        "function f(m) { if (!m.ok) return; if (!m.ok) return; go(); }",
        only,
        &["deleting the check `m.ok` -> survived", "moving behind the effect the statement of `m.ok` -> survived"],
    );
}

#[test]
fn assignments_that_test_are_negated() {
    check(
        "a.ts",
        "function f(m) { m.ok &&= go(); }",
        "effect = go()\nonly_if = m.ok",
        &["negating the check `m.ok` -> wrong-outcome"],
    );
    check(
        "a.ts",
        "function f(m) { m.done ||= go(); }",
        "effect = go()\nskip_if = m.done",
        &["negating the check `m.done` -> wrong-outcome"],
    );
}
