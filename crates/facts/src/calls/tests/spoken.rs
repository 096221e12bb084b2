//! Files that only speak of a name, and names that lead to a definition by way of files that say nothing of it.

use super::{check_count, memory, watch, with_queue};
use crate::calls::sweep;
use crate::program::Program;
use factgate_record::RepoPath;
use factgate_syntax::Limits;
use std::sync::Arc;

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

#[test]
fn imports_are_found_however_they_and_their_specifiers_are_spelled() {
    for import in [
        "import go from './s'",
        "import go from // it's\n'./s'",
        "import go from /* ' */ \"./s\"",
        "import go from'./\\x73'",
        "import go from './\\u{73}.js'",
        "import go from '.\\/s'",
        "import go from '.\\x2fs'",
        "import go from './s\\x2ejs'",
        "import go from '\\./s'",
        "const { default: go } = await import// it's\n('./s')",
        "const { default: go } = await import((`./s`))",
        "const { default: go } = await import(<string>'./s')",
        "const { default: go } = r\\u0065quire('./s')",
        "const load = require;\nconst { default: go } = load('./s')",
        "const { default: go } = (0, require)('./s')",
    ] {
        let program = format!("--- s.ts\nexport default () => 1;\n--- a.ts\n{import};\nexport const f = () => go();");
        super::check("s.ts#default", &program, &["call a.ts#f 1"]);
    }
}

#[test]
fn a_file_in_another_encoding_that_matters_is_an_error_and_no_other_is() {
    let utf16 = |text: &str| [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let latin = |text: &str| text.chars().map(|letter| u8::try_from(letter).unwrap()).collect();
    let cases: [(Vec<u8>, bool); 7] = [
        (utf16("import { drain } from './q'; drain(1);"), true),
        (utf16("import * as q from './q'; hand(q);"), true),
        (utf16("export const a = 1; // not drained"), false),
        (latin("import { drain } from './q'; drain('é');"), true),
        (latin("import q from './q'; hand(q, 'é');"), true),
        (latin("import q from './other/q'; hand(q, 'é');"), false),
        (latin("export const é = 1;"), false),
    ];
    for (text, is_error) in cases {
        let mut files = memory("--- q.ts\nexport function drain() {}\nexport default drain;\n");
        files.texts.insert(RepoPath::from_git("a.ts"), Arc::from(&text[..]));
        files.list.insert(0, RepoPath::from_git("a.ts"));
        let program = Program::new(&files, RepoPath::default(), Limits::default());
        let swept = sweep(&program, &[watch("q.ts#drain", "**/*")]);
        let said: Vec<&str> = swept.problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(said.len(), usize::from(is_error), "{said:?} {}", String::from_utf8_lossy(&text));
    }
}
