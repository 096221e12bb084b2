//! Watched functions of the platform and of packages.

use super::{memory, watch};
use crate::calls::{Outside, Watch, Watched, sweep};
use crate::program::Program;
use factgate_record::RepoPath;
use factgate_syntax::Limits;

fn lines(of: &str, program: &str) -> Vec<String> {
    let files = memory(program);
    let program = Program::new(&files, RepoPath::default(), Limits::default());
    let outside = Outside::parse(of).expect("a function outside");
    let swept = sweep(&program, &[Watch { of: Watched::Outside(outside), ..watch("x.ts#y", "**/*") }]);
    let mut lines: Vec<String> = swept.problems.iter().map(|problem| problem.message.clone()).collect();
    for sites in swept.calls.values() {
        let record = &sites.record;
        for (kind, counts) in [("call", &record.calls), ("value", &record.values), ("possible", &record.possible)] {
            lines.extend(counts.iter().map(|(name, count)| format!("{kind} {name} {count}")));
        }
        lines.extend(record.unresolved.iter().map(|line| format!("unresolved {line}")));
    }
    lines
}

#[track_caller]
fn found(of: &str, code: &str, expected: &[&str]) {
    let program = format!(
        "--- package.json\n{{ \"dependencies\": {{ \"pg\": \"^8\", \"lodash.debounce\": \"4\", \"db\": \"npm:pg@8\" }} }}\n--- a.ts\n{code}"
    );
    assert_eq!(lines(of, &program), expected, "{of}\n{code}");
}

#[test]
fn functions_of_the_platform_by_every_name() {
    for code in [
        "import { rm } from 'node:fs/promises'; rm('x');",
        "import { rm as remove } from 'fs/promises'; remove('x');",
        "import * as fs from 'node:fs/promises'; fs.rm('x');",
        "import fs from 'node:fs/promises'; fs.rm('x');",
        "import { promises } from 'fs'; promises.rm('x');",
        "import { promises as p } from 'node:fs'; const { rm } = p; rm('x');",
        "import fs from 'fs'; fs.promises.rm('x');",
        "import * as fs from 'fs'; const { promises: { rm: gone } } = fs; gone('x');",
        "const { rm } = require('fs/promises'); rm('x');",
        "const fs = require('fs').promises; fs.rm('x');",
        "const remove = require('node:fs/promises').rm; remove.call(null, 'x');",
        "const { rm } = await import('node:fs/promises'); rm('x');",
        "export * from './b';\n--- b.ts\nexport { rm } from 'fs/promises';\n--- a.ts\nimport { rm } from './b'; rm('x');",
        "import { files } from './b'; files.rm('x');\n--- b.ts\nexport * as files from 'node:fs/promises';",
    ] {
        for of in ["node:fs/promises#rm", "fs/promises#rm", "node:fs#promises.rm"] {
            found(of, code, &["call a.ts 1"]);
        }
    }
    found("node:fs/promises#rm", "import { rm } from 'node:fs/promises'; export const all = [rm];", &["value a.ts 1"]);
}

#[test]
fn other_functions_of_that_name_are_none() {
    for code in [
        "import { rm } from 'fs'; rm('x', () => {});",
        "import fs from 'fs'; fs.rm('x');",
        "import { rm } from './b'; rm();\n--- b.ts\nexport function rm() {}",
        "import { readFile } from 'fs/promises'; readFile('x');",
        "import fs from 'fs'; fs.promises.readFile('x');",
        "function rm() {} rm();",
        "import type { rm } from 'node:fs/promises'; type R = typeof rm;",
        "import { rm } from 'pg'; rm();",
    ] {
        found("node:fs/promises#rm", code, &[]);
    }
    found("node:fs#rm", "import { rm } from 'fs/promises'; rm('x');", &[]);
}

#[test]
fn members_of_a_packages_classes() {
    for code in [
        "import { Pool } from 'pg'; const pool = new Pool(); pool.query('x');",
        "import pg from 'pg'; const pool = new pg.Pool(); pool.query('x');",
        "import { Pool as P } from 'pg'; class Db { constructor(private pool: P) {} }; let d: P; d.query('x');",
        "import { Pool } from 'pg'; class Mine extends Pool {} new Mine().query('x');",
        "import { Pool } from 'db'; new Pool().query('x');",
        "const { Pool } = require('pg'); const pool = new Pool(); pool.query('x');",
        "import { Pool } from 'pg'; Pool.query('x');",
    ] {
        found("pg#Pool.query", code, &["call a.ts 1"]);
    }
    found("pg#Pool.query", "import { Client } from 'pg'; const f = (c) => c.query('x');", &["possible a.ts#f 1"]);
    found("pg#Pool.query", "class Pool { query() {} } new Pool().query();", &[]);
    found("lodash.debounce#default", "import late from 'lodash.debounce'; late(f);", &["call a.ts 1"]);
    found("lodash.debounce#default", "const late = require('lodash.debounce'); late(f);", &["call a.ts 1"]);
}

#[test]
fn modules_that_nobody_can_import_are_told() {
    let near = "the calls of `x.ts#y` cannot be found: `fs/promise` is no module of Node.js, and no package.json depends on it; did you mean `fs/promises`?";
    found("fs/promise#rm", "", &[near]);
    let own = "--- package.json\n{ \"name\": \"core\" }\n";
    let told =
        "the calls of `x.ts#y` cannot be found: `core` is a package of this repository: name the file, PATH#NAME";
    assert_eq!(lines("core#run", own), [told]);
    assert_eq!(lines("zap.run", own), ["the calls of `x.ts#y` cannot be found: no build file names a package `zap`"]);
    for of in ["src/a.ts#run", "./a#run", "/a#run", "a.zig", "std", "a b#c", "pg#", "#x", "std.1"] {
        assert_eq!(Outside::parse(of), None, "{of}");
    }
}

#[test]
fn functions_of_zigs_packages() {
    let check = |of: &str, code: &str, expected: &[&str]| {
        let zon = "--- build.zig.zon\n.{ .dependencies = .{ .zap = .{ .url = \"x\" } } }\n";
        assert_eq!(lines(of, &format!("{zon}--- a.zig\n{code}")), expected, "{of}\n{code}");
    };
    for code in [
        "const std = @import(\"std\");\nfn f() void { std.posix.kill(1, 2) catch {}; }",
        "const posix = @import(\"std\").posix;\nfn f() void { posix.kill(1, 2) catch {}; }",
        "const std = @import(\"std\");\nconst end = std.posix.kill;\nfn f() void { end(1, 2) catch {}; }",
    ] {
        check("std.posix.kill", code, &["call a.zig#f 1"]);
    }
    check(
        "std.posix.kill",
        "const std = @import(\"std\");\nfn f(l: std.ArrayList(u8)) void { l.kill(); std.debug.print(\"\", .{}); }",
        &[],
    );
    check("zap.start", "const zap = @import(\"zap\");\nfn f() void { zap.start(); }", &["call a.zig#f 1"]);
}
