//! Whole small programs, and the sites that come out: `kind file#item`, one line a site.

mod astray;
mod given;
mod hidden;
mod loose;
mod modules;
mod named;
mod outside;
mod renamed;
mod spelled;
mod spoken;
mod unsettled;
mod zig_types;

use super::{Watch, Watched, sweep};
use crate::files::{FileError, Files};
use crate::program::Program;
use factgate_record::RepoPath;
use factgate_syntax::{Limits, Selector};
use globset::{Glob, GlobSetBuilder};
use std::collections::BTreeMap;
use std::sync::Arc;

struct Memory {
    texts: BTreeMap<RepoPath, Arc<[u8]>>,
    /// Where symbolic links lead.
    links: BTreeMap<RepoPath, RepoPath>,
    list: Vec<RepoPath>,
}

impl Files for Memory {
    fn read(&self, path: &RepoPath) -> Result<Option<Arc<[u8]>>, FileError> {
        Ok(self.texts.get(path).cloned())
    }

    fn end_of_link(&self, path: &RepoPath) -> Option<RepoPath> {
        let next = self.links.get(path)?;
        Some(self.end_of_link(next).unwrap_or_else(|| next.clone()))
    }

    fn list(&self) -> Result<&[RepoPath], FileError> {
        Ok(&self.list)
    }
}

/// Files as `--- path` lines, each followed by its text; `--- path -> file` is a link to a file above it.
fn memory(program: &str) -> Memory {
    let mut texts: BTreeMap<RepoPath, Arc<[u8]>> = BTreeMap::new();
    let mut links = BTreeMap::new();
    for part in program.split("--- ").skip(1) {
        let (path, text) = part.split_once('\n').unwrap();
        if let Some((path, to)) = path.split_once(" -> ") {
            let (path, to) = (RepoPath::from_git(path), RepoPath::from_git(to.trim()));
            texts.insert(path.clone(), texts[&to].clone());
            links.insert(path, to);
            continue;
        }
        texts.insert(RepoPath::from_git(path.trim()), Arc::from(text.as_bytes()));
    }
    let list = texts.keys().cloned().collect();
    Memory { texts, links, list }
}

fn watch(of: &str, inside: &str) -> Watch {
    let mut within = GlobSetBuilder::new();
    within.add(Glob::new(inside).unwrap());
    let selector = Selector::parse(of).unwrap();
    Watch { key: of.to_owned(), of: Watched::Definition(selector), within: within.build().unwrap() }
}

/// The sites as `kind file#item count`, then what is unresolved; problems come first.
fn lines(of: &str, program: &str) -> Vec<String> {
    lines_within(of, program, "**/*")
}

fn lines_within(of: &str, program: &str, inside: &str) -> Vec<String> {
    let files = memory(program);
    let program = Program::new(&files, RepoPath::default(), Limits::default());
    let swept = sweep(&program, &[watch(of, inside)]);
    let mut lines: Vec<String> =
        swept.problems.iter().map(|problem| format!("{}: {}", problem.code, problem.message)).collect();
    for sites in swept.calls.values() {
        let record = &sites.record;
        for (kind, counts) in [("call", &record.calls), ("value", &record.values), ("possible", &record.possible)] {
            lines.extend(counts.iter().map(|(name, count)| format!("{kind} {name} {count}")));
        }
        lines.extend(record.unresolved.iter().map(|line| format!("unresolved {line}")));
    }
    lines
}

fn check(of: &str, program: &str, expected: &[&str]) {
    assert_eq!(lines(of, program), expected, "{of}\n{program}");
}

/// Only the number of sites of one kind, and nothing else: whatever items hold them.
fn check_count(program: &str, kind: &str, expected: usize) {
    let lines = lines("q.ts#drain", &format!("{QUEUE}{program}"));
    let of_kind = |line: &&String| line.starts_with(kind);
    assert_eq!(lines.iter().find(|line| !of_kind(line)), None, "{program}");
    let count = |line: &String| line.rsplit(' ').next().unwrap().parse::<usize>().unwrap();
    assert_eq!(lines.iter().map(count).sum::<usize>(), expected, "{program}");
}

const QUEUE: &str = "--- q.ts\nexport function drain(n: number) { return n; }\n";

fn with_queue(rest: &str, expected: &[&str]) {
    check("q.ts#drain", &format!("{QUEUE}{rest}"), expected);
}

#[test]
fn imports_of_every_form_are_followed() {
    with_queue("--- a.ts\nimport { drain } from './q'; export function f() { drain(1); }", &["call a.ts#f 1"]);
    with_queue("--- a.ts\nimport { drain as d } from './q.js'; d(1); d(2);", &["call a.ts 2"]);
    with_queue("--- a.ts\nimport * as q from './q.ts'; const f = () => q.drain(1);", &["call a.ts#f 1"]);
    with_queue("--- a.ts\nimport q = require('./q'); const f = () => q.drain(1);", &["call a.ts#f 1"]);
    with_queue("--- a.cjs\nconst { drain: d } = require('./q'); exports.f = () => d(1);", &["call a.cjs#exports.f 1"]);
    with_queue("--- a.ts\nimport type { drain } from './q'; let f: typeof drain;", &[]);
}

#[test]
fn re_exports_and_renames_are_followed() {
    let barrel =
        "--- b.ts\nexport * from './c';\nexport { drain as empty } from './q';\n--- c.ts\nexport * from './b';\n";
    with_queue(&format!("{barrel}--- a.ts\nimport {{ empty }} from './c'; empty(1);"), &["call a.ts 1"]);
    with_queue(
        "--- b.ts\nimport { drain } from './q'; export const run = drain;\n--- a.ts\nimport { run } from './b'; run(1);",
        &["call a.ts 1"],
    );
    with_queue(
        "--- b.ts\nexport { drain as default } from './q';\n--- a.ts\nimport x from './b'; x(1);",
        &["call a.ts 1"],
    );
    with_queue("--- b.ts\nexport * as q from './q';\n--- a.ts\nimport { q } from './b'; q.drain(1);", &["call a.ts 1"]);
}

#[test]
fn default_and_common_exports_are_followed_under_any_name() {
    check("s.ts#default", "--- s.ts\nexport default () => 1;\n--- a.ts\nimport go from './s'; go();", &["call a.ts 1"]);
    check(
        "s.ts#open",
        "--- s.ts\nexport default function open() {}\n--- a.ts\nimport go from './s'; go();",
        &["call a.ts 1"],
    );
    check(
        "s.cjs#open",
        "--- s.cjs\nfunction open() {}\nmodule.exports = open;\n--- a.cjs\nconst go = require('./s'); go();",
        &["call a.cjs 1"],
    );
    check(
        "s.cjs#open",
        "--- s.cjs\nfunction open() {}\nmodule.exports = { open };\n--- a.ts\nimport { open } from './s.cjs'; open();",
        &["call a.ts 1"],
    );
}

#[test]
fn methods_are_calls_possible_or_nothing() {
    let class = "--- s.ts\nexport class S { flush() {} static make() {} all() { this.flush(); } }\nexport class T extends S {}\n";
    let cases = [
        ("import { S } from './s'; const s = new S(); s.flush();", "call a.ts 1"),
        ("import type { S } from './s'; function f(s?: S) { s?.flush(); }", "call a.ts#f 1"),
        ("import { T } from './s'; function f(t: T) { t.flush(); }", "call a.ts#f 1"),
        ("import { S } from './s'; S.prototype.flush.call(1);", "call a.ts 1"),
        ("function f(s) { s.flush(); }", "possible a.ts#f 1"),
    ];
    for (text, expected) in cases {
        let mut lines = vec!["call s.ts#S.all 1", expected];
        lines.sort_by_key(|line| (line.starts_with("possible"), *line));
        check("s.ts#S.flush", &format!("{class}--- a.ts\n{text}"), &lines);
    }
    check(
        "s.ts#S.flush",
        &format!(
            "{class}--- d.ts\nexport class D {{ flush() {{}} }}\n--- a.ts\nimport {{ D }} from './d'; new D().flush();"
        ),
        &["call s.ts#S.all 1"],
    );
    check("s.ts#S.make", &format!("{class}--- a.ts\nimport {{ T }} from './s'; T.make();"), &["call a.ts 1"]);
}

#[test]
fn nested_functions_and_members_of_tables_are_watched() {
    let nested =
        "--- n.ts\nexport function run() { function stop() {} stop(); return stop; }\nfunction stop() {}\nstop();";
    check("n.ts#run.stop", nested, &["call n.ts#run 1", "value n.ts#run 1"]);
    check("n.ts#stop", nested, &["call n.ts 1"]);
    let table = "--- t.ts\nexport const handlers = { onExit() {} };\n--- a.ts\nimport { handlers } from './t'; handlers.onExit();";
    check("t.ts#handlers.onExit", table, &["call a.ts 1"]);
    let space =
        "--- t.ts\nexport namespace N { export function z() {} z(); }\n--- a.ts\nimport { N } from './t'; N.z();";
    check("t.ts#N.z", space, &["call a.ts 1", "call t.ts#N 1"]);
}

#[test]
fn packages_of_the_repository_resolve_and_others_are_listed() {
    let package = "--- packages/q/package.json\n{\"name\": \"@x/q\", \"main\": \"dist/index.js\"}\n--- packages/q/src/index.ts\nexport function drain() {}\n";
    let user = "--- app/a.ts\nimport { drain } from '@x/q'; drain();";
    check("packages/q/src/index.ts#drain", &format!("{package}{user}"), &["call app/a.ts 1"]);
    with_queue("--- a.ts\nimport { drain } from 'elsewhere'; drain();", &["unresolved a.ts: elsewhere"]);
    with_queue("--- a.ts\nimport { other } from 'elsewhere'; other();", &[]);
    with_queue(
        "--- a.ts\nexport * from 'elsewhere';\n--- b.ts\nimport { drain } from './a'; drain(1);",
        &["unresolved a.ts: elsewhere"],
    );
    let silent = "--- a.ts\nexport * from 'elsewhere';\n";
    with_queue(silent, &[]);
    let user = "--- b.ts\nimport { drain } from './a'; drain();";
    with_queue(&format!("{silent}{user}"), &["unresolved a.ts: elsewhere"]);
    with_queue("--- a.ts\nimport { drain } from 'node:stream'; drain();", &[]);
}

#[test]
fn what_cannot_be_read_is_a_problem_and_never_silence() {
    let files = memory(&format!("{QUEUE}--- a.ts\nimport {{ drain }} from './q'; drain(;"));
    let program = Program::new(&files, RepoPath::default(), Limits::default());
    let swept = sweep(&program, &[watch("q.ts#drain", "**/*")]);
    assert_eq!(swept.problems.len(), 1);
    assert_eq!(swept.problems[0].code, "parse-error");
}

#[test]
fn zig_is_followed_through_imports_fields_types_and_results() {
    let queue = "--- q.zig\npub const Queue = struct {\n pub fn open() Queue { return .{}; }\n pub fn drain(q: *Queue) void { q.drain(); }\n};\npub fn drain(n: usize) usize { return n; }\n";
    let uses = "--- a.zig\nconst q = @import(\"q.zig\");\nconst e = q.drain;\nfn a() void { _ = q.drain(1); _ = e(2); _ = @call(.auto, q.drain, .{3}); _ = @import(\"q.zig\").drain(4); }\nfn b() void { run(q.drain); }\nfn c(x: *q.Queue, y: anytype) void { x.drain(); y.drain(); q.Queue.open().drain(); }\n";
    check("q.zig#drain", &format!("{queue}{uses}"), &["call a.zig#a 4", "value a.zig#b 1"]);
    check(
        "q.zig#Queue.drain",
        &format!("{queue}{uses}"),
        &["call a.zig#c 2", "call q.zig#Queue.drain 1", "possible a.zig#c 1"],
    );
    check("q.zig#Queue.open", &format!("{queue}{uses}"), &["call a.zig#c 1"]);
    let list = "--- l.zig\npub fn List(comptime T: type) type { return struct { pub fn append(l: *@This(), t: T) void { _ = l; _ = t; } }; }\n--- a.zig\nconst List = @import(\"l.zig\").List;\nfn a(l: *List(u8)) void { l.append(1); }\nconst S = struct { items: List(u8) };\nfn b(s: *S) void { s.items.append(2); }\n";
    check("l.zig#List.append", list, &["call a.zig#a 1", "call a.zig#b 1"]);
}
