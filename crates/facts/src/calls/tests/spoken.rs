//! Files that only speak of a name, and names that lead to a definition by way of files that say nothing of it.

use super::{check_count, with_queue};

#[test]
fn what_is_said_in_comments_and_strings_hides_no_call() {
    for (program, calls) in [
        ("--- a.ts\n// drain\nimport * as q from './q';\nq.drain(1);", 1),
        ("--- a.ts\n/* drain */ const p = await import('./q');\nconst { ['drain']: d } = p;\nd(1);", 1),
        ("--- a.ts\nimport * as q from './q';\nq['drain'](1); // drain", 1),
        ("--- a.ts\nimport * as q from './q';\nconst s = `${q.drain(1)} drain`;", 1),
        ("--- a.ts\nimport * as q from './q';\nconst r = /'/; q.drain(1); // '", 1),
        ("--- a.ts\nimport * as q from './q';\nconst r = x / 2; /* ' */ q.drain(1);", 1),
        ("--- a.tsx\nimport * as q from './q';\nconst e = <p>/* {q.drain(1)} */</p>;", 1),
        ("--- a.ts\nimport { \"drain\" as d } from './q';\nd(1);", 1),
        ("--- a.ts\n// import { drain } from './q'; drain(1);\nconst s = \"drain(1)\";", 0),
        ("--- a.ts\n/** @see drain in './q' */\nexport function f() { return 'see drain'; }", 0),
        // A file that is named as a function is, and says nothing of it.
        ("--- drain.ts\nexport { drain as default } from './q';\n--- a.ts\nimport d from './drain';\nd(1);", 1),
        (
            "--- drain.ts\nexport * from './q';\n--- b.ts\nexport * from './drain';\n--- a.ts\nimport { drain } from './b';\ndrain(1);",
            1,
        ),
    ] {
        check_count(program, "call", calls);
    }
}

#[test]
fn a_name_that_nobody_exports_a_definition_under_is_not_followed_and_the_others_are() {
    let space = "--- n.ts\nimport * as q from './q';\nexport namespace N { export import d = q.drain; export const e = q.drain; }\n";
    let barrel = "--- b.ts\nexport * from './n';\n--- c.ts\nexport { N as M } from './b';\n";
    for (program, expected) in [
        (
            format!("{space}--- a.ts\nimport {{ N }} from './n'; export function f() {{ N.d(1); }}"),
            &["call a.ts#f 1"][..],
        ),
        (
            format!("{space}{barrel}--- a.ts\nimport {{ N }} from './b'; export function f() {{ N.d(1); }}"),
            &["call a.ts#f 1"],
        ),
        (
            format!("{space}{barrel}--- a.ts\nimport {{ M }} from './c'; export function f() {{ M.e(1); }}"),
            &["call a.ts#f 1"],
        ),
        (format!("{barrel}--- n.ts\nexport const N = 1;\n--- a.ts\nimport {{ M }} from './c'; M(1);"), &[]),
    ] {
        with_queue(&program, expected);
    }
}
