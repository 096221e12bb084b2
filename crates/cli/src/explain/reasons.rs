//! Why a guard is FALSE, or a fact unknown.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        code: "no-effect",
        means: "The effect matches nothing in the scope: a guard over nothing is no guard.",
        causes: "The effect was renamed or moved into another function; the pattern is written without a receiver that the code has.",
        example: r#"[guard.NoDoubleWrite]
in      = "src/queue.ts#push"
effect  = "queue.jobs.add($$$)"        # the code says queue.jobs.push(job)
only_if = "hasRoom($Q)""#,
        then: "`factgate facts --explain NAME` shows the nearest code. Mend `effect`, or let `in` name the function where the effect is now.",
    },
    Entry {
        code: "unguarded",
        means: "A path reaches the effect without the check.",
        causes: "The check was deleted, stands on another branch, or is made in a called function (then `through = true` looks into it).",
        example: "export function push(queue: Queue, job: Job) {\n  if (queue.isOpen) log(job);\n  queue.jobs.push(job);                 // no hasRoom(queue) on the way here\n}",
        then: "`factgate facts --explain NAME` shows the path. Put the check back, or correct the model: it may no longer assume the guard.",
    },
    Entry {
        code: "wrong-outcome",
        means: "The check is on the path, and its other outcome leads to the effect.",
        causes: "`only_if` where `skip_if` is meant, or a negation that was turned round.",
        example: r#"if (isFull(queue)) queue.jobs.push(job);   // skip_if = "isFull($Q)""#,
        then: "Read the condition again: exchange `only_if` and `skip_if` when the code is right, and mend the code when it is not.",
    },
    Entry {
        code: "late",
        means: "The check stands after the effect.",
        causes: "Lines were exchanged, or the effect stands in an earlier operand of one expression: `a && effect() && check()`.",
        example: "queue.jobs.push(job);\nif (!hasRoom(queue)) return;",
        then: "Move the check in front of the effect.",
    },
    Entry {
        code: "reassigned",
        means: "Something that the condition reads may be assigned between the check and the effect.",
        causes: "A variable or member of the condition is written, a call may write it, or other code runs at an `await` in between.",
        example: "if (this.size < 3) {\n  await this.flush();                    // may change this.size\n  this.jobs.push(job);\n}",
        then: "Check again after the assignment named in the message; or keep what was checked in a `const`.",
    },
    Entry {
        code: "interrupted",
        means: "What `without` names lies between the check and the effect.",
        causes: "A new `await` between a test and what it protects.",
        example: r#"if (existsSync(dir)) {
  await log(dir);                        // without = "await"
  process.kill(pid);
}"#,
        then: "Move it in front of the check, or check again behind it. If other steps may run there, the model needs two actions.",
    },
    Entry {
        code: "not-passed",
        means: "A path reaches the effect without the node that `after` names.",
        causes: "The call stands in a branch, or behind a return.",
        example: r#"if (isDirty) store.flush();              // after = "store.flush()"
store.close();"#,
        then: "Let every path pass it, or write an alternative into `after`.",
    },
    Entry {
        code: "not-followed",
        means: "A path from the effect leaves without the node that `then` names.",
        causes: "An early return, or a throw where `then_on_throw = true`.",
        example: r#"const lock = acquire();
if (isEmpty(queue)) return;              // then = "release($L)"
release(lock);"#,
        then: "Put it into a `finally`, or before each way out.",
    },
    Entry {
        code: "present",
        means: "Something matches what `never` names.",
        causes: "A forbidden call came back.",
        example: r#"[guard.NoEval]
in    = "src/queue.ts#push"
never = "eval($$$)""#,
        then: "Take it out; or narrow the pattern when it matches more than is meant.",
    },
    Entry {
        code: "absent",
        means: "Nothing matches what `has` names.",
        causes: "The code that the model relies on was deleted or is written otherwise now.",
        example: r#"[guard.HasLimit]
in  = "src/queue.ts#hasRoom"
has = "$Q.size < 3"                    # the code says < 4"#,
        then: "`factgate facts --explain NAME` shows the nearest code. Put it back, or write the pattern as the code is.",
    },
    Entry {
        code: "stale-check",
        means: "The check was made before the last node that `since` names.",
        causes: "The value is read again after the test.",
        example: r#"if (!isCollectable(m.status)) return;
const size = await measure(dir);         // since = "measure($$$)"
await rm(dir);"#,
        then: "Repeat the check behind it.",
    },
    Entry {
        code: "no-scope",
        means: "Unknown: what `in` or `from` names is not there.",
        causes: "The function was renamed, moved or deleted.",
        example: r#"in = "src/queue.ts#psuh""#,
        then: "`factgate items PATH` lists the names. Where the code moved, `factgate mv OLD NEW` renames it everywhere.",
    },
    Entry {
        code: "parse-error",
        means: "Unknown: the scope does not parse, so nothing is known of it.",
        causes: "A file in the middle of an edit, conflict markers, syntax that the grammar lacks.",
        example: "export function push( {",
        then: "Mend the place that the error names.",
    },
    Entry {
        code: "not-literal",
        means: "Unknown: an entry or value is no compile-time literal.",
        causes: "A spread, a computed key, a call; a table that other code may change.",
        example: "export const STATES = [...BASE, 'failed'];",
        then: "Name the table where it is written out, or write the value as a literal.",
    },
];
