//! Small programs of TypeScript: what is written between `ask(condition)` and `end()` ends the condition, or does not.

use super::effects::Effects;
use super::origins::Objects;
use super::sight::{HOME, Sight};
use crate::guard::tests::Memory;
use crate::program::Program;
use factgate_ir::graph::{self, Graph, Limits, PointId, reachable, reaches};
use factgate_ir::{BodyRef, Call, Callee, Does, Op, Path};
use factgate_record::RepoPath;
use std::collections::BTreeSet;

/// A program: why it is here, its files (the scope's first), whether the condition is ended.
struct Row {
    about: &'static str,
    code: &'static str,
    ended: bool,
}

const fn ends(about: &'static str, code: &'static str) -> Row {
    Row { about, code, ended: true }
}

const fn stays(about: &'static str, code: &'static str) -> Row {
    Row { about, code, ended: false }
}

fn call<'c>(op: &'c Op, name: &str) -> Option<&'c Call> {
    match &op.does {
        Does::Call(call) if call.callee == Callee::Global(Path::from(name)) => Some(call),
        _ => None,
    }
}

/// Files stand behind lines that say `// name`.
fn files(code: &str) -> Vec<(String, String)> {
    let mut files = vec![("a.ts".to_owned(), String::new())];
    for line in code.lines() {
        match line.trim().strip_prefix("// ").filter(|name| name.ends_with(".ts")) {
            Some(name) => files.push((name.to_owned(), String::new())),
            None => files.iter_mut().last().into_iter().for_each(|(_, text)| {
                text.push_str(line);
                text.push('\n');
            }),
        }
    }
    files
}

/// The places between `ask` and `end` that end what `ask` is given.
fn ending(code: &str) -> Vec<String> {
    let files = files(code);
    let named: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let memory = Memory::new(&named);
    let program = Program::new(&memory, RepoPath::from_git(""), factgate_syntax::Limits::default());
    let sight = Sight::of(&program, &RepoPath::from_git("a.ts"));
    let objects = Objects::new(&sight);
    let unit = sight.unit(HOME);
    // The function around the question is the scope.
    let asks = unit.body_ids().find(|&id| sight.index(HOME).ops_of(id).any(|op| call(op, "ask").is_some()));
    let mut scope = asks.unwrap_or(unit.top);
    while let Some(outer) = unit.body(scope).outer.filter(|&outer| outer != unit.top) {
        scope = outer;
    }
    let inside = |id: &factgate_ir::BodyId| {
        std::iter::successors(Some(*id), |&id| unit.body(id).outer).any(|around| around == scope)
    };
    let roots: Vec<BodyRef> = unit.body_ids().filter(inside).map(|body| BodyRef { unit: HOME, body }).collect();
    let graph: Graph<'_> = graph::build(&objects, &(), Limits::default(), &roots);
    let effects = Effects::of(&objects, &graph);
    let calls = |name: &str| -> Vec<PointId> {
        let is_call = |id: &PointId| graph.point(*id).op().is_some_and(|op| call(op, name).is_some());
        graph.ids().filter(is_call).collect()
    };
    let (asked, ended) = (calls("ask"), calls("end"));
    assert!(!asked.is_empty() && !ended.is_empty(), "{code} asks and ends");
    let mut found = BTreeSet::new();
    for ask in asked {
        let point = graph.point(ask);
        let values = point.op().and_then(|op| call(op, "ask")).map(|call| call.args.iter().map(|arg| arg.value));
        let reads = effects.reads(point.frame, &values.into_iter().flatten().collect::<Vec<_>>());
        let behind = reachable(&graph, point.next());
        let before = reaches(&graph, ended.iter().copied());
        for id in graph.ids().filter(|id| behind[id.index()] && before[id.index()] && !ended.contains(id)) {
            if effects.ends_one(id, &reads) {
                found.insert(format!("{:?}", graph.point(id).op().map(|op| &op.does)));
            }
        }
    }
    found.into_iter().collect()
}

#[track_caller]
fn check(rows: &[Row]) {
    let wrong = |row: &&Row| ending(row.code).is_empty() == row.ended;
    let wrong: Vec<String> = rows
        .iter()
        .filter(wrong)
        .map(|row| format!("{} (must {}): {:?}", row.about, if row.ended { "end" } else { "stay" }, ending(row.code)))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn other_names() {
    check(&[
        ends("a link of the object", "function run(n) { ask(n.live); n.next.live = false; end(); }"),
        ends("a parameter and a member", "class K { run(m) { ask(m.ok); this.m.ok = false; end(); } }"),
        ends("a module's variable", "let cur; function run(m) { ask(m.ok); cur.ok = false; end(); }"),
        ends("this and its parent", "class K { run() { ask(this.ok); this.parent.ok = false; end(); } }"),
        ends("a private name", "class K { #ok = 1; run(o) { ask(this.#ok); o.#ok = 2; end(); } }"),
        stays("other private names", "class K { #ok = 1; #no = 1; run(o) { ask(this.#ok); o.#no = 2; end(); } }"),
        stays("a private name and a public one", "class K { #ok = 1; run(o) { ask(this.#ok); o.ok = 2; end(); } }"),
        ends(
            "what a catch binds",
            "function run(m) { ask(m.ok); try { throw m; } catch (e) { e.ok = false; } end(); }",
        ),
        ends("taken apart", "function run(m) { ask(m.ok); (([x]) => { x.ok = false; })([m]); end(); }"),
        ends("deleted", "function run(m) { ask(m.ok); (({ x }) => { delete x.ok; })({ x: m }); end(); }"),
        ends(
            "called with call",
            "function run(m) { ask(m.ok); (function ({ x }) { x.ok = 0; }).call(null, { x: m }); end(); }",
        ),
        ends(
            "held by an object that was made here",
            "class S { job; attach(j) { this.job = j; } } function run(m) { const s = new S(); s.attach(m); ask(m.ok); s.job.ok = false; end(); }",
        ),
        ends(
            "kept by a class",
            "class K { run() { register(this); ask(this.ok); K.current.ok = false; end(); } } function register(k) { K.current = k; }",
        ),
        ends(
            "copied",
            "function run(m, base) { const o = Object.assign({}, base, { job: m }); ask(m.ok); o.job.ok = false; end(); }",
        ),
        ends("a prototype", "function run(m) { const o = { __proto__: { x: m } }; ask(m.ok); o.x.ok = false; end(); }"),
        ends("a swap", "function run(m, o) { ask(m.ok); [m.ok, o.ok] = [o.ok, m.ok]; end(); }"),
        ends("a for over a list", "function run(m, list) { ask(m.ok); for (const x of list) x.ok = false; end(); }"),
        ends("a for into a member", "function run(m, list) { ask(m.ok); for (m.ok of list) use(1); end(); }"),
        ends("an increment", "function run(m) { ask(m.n > 0); m.n--; end(); }"),
        ends("eval", "function run(m) { ask(m.ok); eval('m.ok = false'); end(); }"),
        stays("another member", "function run(m) { ask(m.ok); m.no = false; end(); }"),
        stays("a new object", "function run(m) { const o = {}; ask(m.ok); o.ok = false; end(); }"),
        stays("a literal", "function run(m) { ask(m.ok); const o = { ok: false, ...m }; end(o); }"),
        stays(
            "a new object in a loop",
            "function run(m, n) { ask(m.ok); while (n--) { const o = {}; o.ok = false; } end(); }",
        ),
        ends(
            "a new object that was stored",
            "function run(m) { const o = {}; m.o = o; ask(m.o.ok); o.ok = false; end(); }",
        ),
        ends(
            "a new object that was handed on",
            "function run(m) { const o = {}; keep(o); ask(m.ok); o.ok = false; end(); }",
        ),
        ends(
            "a new object that a closure names",
            "function run(m) { const o = {}; keep(() => o); ask(m.ok); o.ok = false; end(); }",
        ),
        ends(
            "one of two objects",
            "function run(m, c) { const o = {}; const p = c ? o : m; ask(m.ok); p.ok = false; end(); }",
        ),
        ends(
            "the new object by another name",
            "function run() { const o = { ok: 1 }; const p = o; ask(o.ok); p.ok = false; end(); }",
        ),
        stays("a new object and any other", "function run(m) { const o = { ok: 1 }; ask(o.ok); m.ok = false; end(); }"),
        stays("logging in between", "function run(m) { ask(m.ok); console.log(m); log.info('x', m.id); end(); }"),
        stays("a call out of sight", "function run(m) { ask(m.ok); send(m); end(); }"),
        stays("waiting", "async function run(m) { ask(m.ok); await send(m); end(); }"),
    ]);
}

#[test]
fn computed_keys() {
    check(&[
        ends("a computed member", "function run(m, k) { ask(m.ok); m[k] = false; end(); }"),
        ends("a computed member of another", "function run(m, o, k) { ask(m.ok); o[k] = false; end(); }"),
        stays("an element", "function run(m, o) { ask(m.ok); o[0] = false; end(); }"),
        stays("a counted element", "function run(m, o) { ask(m.ok); for (let i = 0; i < 3; i++) o[i] = 1; end(); }"),
        stays("a text", "function run(m, o) { ask(m.ok); o['no'] = false; end(); }"),
        ends("the text", "function run(m, o) { ask(m.ok); o['ok'] = false; end(); }"),
        ends("one of two texts", "function run(m, c) { ask(m.ok); m[c ? 'ok' : 'no'] = false; end(); }"),
        stays("one of two others", "function run(m, c) { ask(m.ok); m[c ? 'on' : 'no'] = false; end(); }"),
        ends("a symbol", "const S = Symbol(); function run(m, o) { ask(m[S]); o[S] = false; end(); }"),
        stays(
            "two symbols",
            "const S = Symbol(); const T = Symbol(); function run(m, o) { ask(m[S]); o[T] = 0; end(); }",
        ),
        ends(
            "two names of one symbol",
            "const S = Symbol.for('a'); const T = Symbol.for('a'); function run(m, o) { ask(m[S]); o[T] = 0; end(); }",
        ),
        ends("an element and its list", "function run(m) { ask(m.list[0]); m.list[1] = 1; end(); }"),
        ends("length", "function run(m) { ask(m.list.length === 0); m.list[0] = 1; end(); }"),
        ends("push", "function run(m) { ask(m.list.length === 0); m.list.push(1); end(); }"),
        ends("push of another name", "function run(m, other) { ask(m.list.length === 0); other.push(1); end(); }"),
        stays("a push to a new list", "function run(m) { const l = []; ask(m.list.length === 0); l.push(1); end(); }"),
        ends("in, after a delete", "function run(m) { ask('a' in m); delete m.a; end(); }"),
        ends("in, after an assignment", "function run(m) { ask('a' in m); m.a = 1; end(); }"),
        ends("has, after a set", "function run(m, k) { ask(m.has(k)); m.set(k, 1); end(); }"),
        ends("Object.assign", "function run(m, o) { ask(m.ok); Object.assign(m, o); end(); }"),
        ends(
            "defineProperty",
            "function run(m, o) { ask(m.ok); Object.defineProperty(o, 'ok', { value: 1 }); end(); }",
        ),
        stays(
            "defineProperty of another",
            "function run(m, o) { ask(m.ok); Object.defineProperty(o, 'no', { value: 1 }); end(); }",
        ),
        ends("Reflect.set", "function run(m, o) { ask(m.ok); Reflect.set(o, 'ok', 1); end(); }"),
    ]);
}

#[test]
fn whole_objects() {
    check(&[
        ends("a member of it", "function run(m) { ask(isOk(m)); m.any = 1; end(); }"),
        ends("deeper", "function run(m) { ask(isOk(m)); m.a.b.c = 1; end(); }"),
        ends("by another name", "function run(m) { const n = m; ask(isOk(m)); n.any = 1; end(); }"),
        ends("an inner object by another name", "function run(m) { const n = m.a; ask(isOk(m)); n.any = 1; end(); }"),
        stays("another parameter", "function run(m, o) { ask(isOk(m)); o.any = 1; end(); }"),
        stays("this", "class K { run(m) { ask(isOk(m)); this.any = 1; end(); } }"),
        stays("a new object", "function run(m) { const o = {}; ask(isOk(m)); o.any = 1; end(); }"),
        ends("an element", "function run(m, list) { ask(isOk(m)); list[0].any = 1; end(); }"),
        ends("what a call gave", "function run(m) { ask(isOk(m)); find().any = 1; end(); }"),
        ends("what this holds", "class K { run(m) { this.m = m; ask(isOk(m)); this.m.any = 1; end(); } }"),
        ends("the receiver", "function run(m) { ask(m.isOk()); m.any = 1; end(); }"),
        stays("a text", "function run(m, o) { ask(isOk(m.id)); m.other = 1; end(); }"),
        ends("the handed member", "function run(m) { ask(isOk(m.id)); m.id = 1; end(); }"),
        ends("below the handed member", "function run(m) { ask(isOk(m.a)); m.a.x = 1; end(); }"),
        stays("beside the handed member", "function run(m) { ask(isOk(m.a)); m.b = 1; end(); }"),
        ends("a list that changes", "function run(m) { ask(m.list.includes(1)); m.list.push(2); end(); }"),
    ]);
}

#[test]
fn called_conditions() {
    check(&[
        ends(
            "a function's variable",
            "let cur = 1; function isOpen() { return cur === 1; } function run(m) { ask(isOpen()); cur = 2; end(); }",
        ),
        ends(
            "a local function's variable",
            "function run(m) { let st = 1; const isOpen = () => st === 1; ask(isOpen()); st = 2; end(); }",
        ),
        ends(
            "a table",
            "const t = {}; function isOpen(id) { return t[id] === 1; } function run(id) { ask(isOpen(id)); t[id] = 2; end(); }",
        ),
        ends(
            "an imported function",
            "import { isOpen, state } from './s'; class K { run() { ask(isOpen()); state.open = false; end(); } }\n// s.ts\nexport const state = { open: true }; export function isOpen() { return state.open; }",
        ),
        stays(
            "an imported function, and another member",
            "import { isOpen, state } from './s'; class K { run() { ask(isOpen()); state.other = false; end(); } }\n// s.ts\nexport const state = { open: true }; export function isOpen() { return state.open; }",
        ),
        ends(
            "by way of an index",
            "import { isOpen } from './i'; function run(o) { ask(isOpen()); o.open = false; end(); }\n// i.ts\nexport * from './s';\n// s.ts\nexport const state = { open: true }; export function isOpen() { return state.open; }",
        ),
        ends(
            "a parameter's member",
            "function isOk(x) { return x.ok; } function run(m) { ask(isOk(m)); m.ok = 0; end(); }",
        ),
        stays(
            "not read by the function",
            "function isOk(x) { return x.ok; } function run(m) { ask(isOk(m)); m.no = 0; end(); }",
        ),
        ends(
            "a getter",
            "class K { get ok() { return this.st === 1; } st = 1; run() { ask(this.ok); this.st = 2; end(); } }",
        ),
        stays(
            "beside a getter",
            "class K { get ok() { return this.st === 1; } st = 1; run() { ask(this.ok); this.other = 2; end(); } }",
        ),
        ends(
            "a getter's object",
            "class K { get current() { return this.job; } run() { ask(this.current.ok); this.job.ok = false; end(); } }",
        ),
        ends(
            "a private getter",
            "class K { #st = 1; get #open() { return this.#st === 1; } run() { ask(this.#open); this.#st = 2; end(); } }",
        ),
        ends(
            "a getter and elements",
            "class K { q = []; get size() { return this.q.length; } run() { ask(this.size > 0); this.q = [1]; end(); } }",
        ),
        ends(
            "an inherited getter",
            "class B { get ok() { return this.st; } } class K extends B { run() { ask(this.ok); this.st = 2; end(); } }",
        ),
        ends(
            "a getter of a literal",
            "function run(m) { const o = { get ok() { return m.st; } }; ask(o.ok); m.st = 1; end(); }",
        ),
        ends("a method", "class K { isOk() { return this.st; } run() { ask(this.isOk()); this.st = 2; end(); } }"),
        ends("an arrow field", "class K { isOk = () => this.st; run() { ask(this.isOk()); this.st = 2; end(); } }"),
        ends(
            "a static method",
            "class K { static st = 1; static isOk() { return K.st; } run() { ask(K.isOk()); K.st = 2; end(); } }",
        ),
        ends(
            "an async predicate",
            "class K { async isOk() { return this.st; } async run() { ask(await this.isOk()); this.st = 2; end(); } }",
        ),
        ends(
            "recursion",
            "function ok(n) { return n ? ok(n.next) : state.open; } function run(m) { ask(ok(m)); state.open = 1; end(); }",
        ),
        ends(
            "a conversion",
            "class M { valueOf() { return this.n; } } function run(m) { ask(m > 1); m.n = 0; end(); }",
        ),
        ends("a choice", "function run(m) { ask(m.a ? m.b : m.c); m.a = 1; end(); }"),
        ends("the end of a choice", "function run(m) { ask(m.a ? m.b : m.c); m.c = 1; end(); }"),
        ends("an or", "function run(m) { ask(m.a || m.b); m.a = 1; end(); }"),
        stays("beside a choice", "function run(m) { if (m.z) { ask(m.a ? m.b : m.c); m.z = 1; end(); } }"),
        ends("a list literal", "function run(m) { ask([m.a, m.b].includes(1)); m.b = 2; end(); }"),
        ends(
            "a nested call",
            "function a(x) { return b(x); } function b(x) { return x.ok; } function run(m) { ask(a(m)); m.ok = 0; end(); }",
        ),
    ]);
}

#[test]
fn what_runs() {
    check(&[
        ends(
            "a local function",
            "function run(m) { const close = () => { m.ok = false; }; ask(m.ok); close(); end(); }",
        ),
        stays(
            "a local function that is not called",
            "function run(m) { const close = () => { m.ok = false; }; ask(m.ok); other(); end(); close(); }",
        ),
        ends(
            "a kept function, at a call",
            "function run(m) { on('x', () => { m.ok = false; }); ask(m.ok); other(); end(); }",
        ),
        ends(
            "a kept function, at a suspension",
            "async function run(m) { on('x', () => { m.ok = false; }); ask(m.ok); await null; end(); }",
        ),
        stays(
            "a kept function that does nothing of it",
            "function run(m) { on('x', () => { m.no = false; }); ask(m.ok); other(); end(); }",
        ),
        stays("kept only behind", "function run(m) { ask(m.ok); other(); end(); on('x', () => { m.ok = false; }); }"),
        ends(
            "a callback on the spot",
            "function run(m) { ask(m.ok); m.list.forEach((x) => { m.ok = false; }); end(); }",
        ),
        ends("a promise's executor", "function run(m) { ask(m.ok); new Promise((done) => { m.ok = false; }); end(); }"),
        ends("a method", "class K { close() { this.ok = false; } run() { ask(this.ok); this.close(); end(); } }"),
        stays(
            "a method that does nothing of it",
            "class K { close() { this.no = false; } run() { ask(this.ok); this.close(); end(); } }",
        ),
        ends(
            "an inherited method",
            "class B { close() { this.ok = false; } } class K extends B { run() { ask(this.ok); this.close(); end(); } }",
        ),
        ends(
            "an imported base",
            "import { B } from './b'; class K extends B { run() { ask(this.ok); this.close(); end(); } }\n// b.ts\nexport class B { close() { this.ok = false; } }",
        ),
        ends(
            "a subclass",
            "class K { close() {} run() { ask(this.ok); this.close(); end(); } } class L extends K { close() { this.ok = false; } }",
        ),
        ends(
            "super",
            "class B { close() { this.ok = false; } } class K extends B { close() {} run() { ask(this.ok); super.close(); end(); } }",
        ),
        ends("super's member", "class B {} class K extends B { run() { ask(this.ok); super.ok = false; end(); } }"),
        ends("a setter", "class K { set x(v) { this.ok = v; } run() { ask(this.ok); this.x = 1; end(); } }"),
        ends(
            "a getter that writes",
            "class K { get x() { this.ok = 0; return 1; } run() { ask(this.ok); use(this.x); end(); } }",
        ),
        ends(
            "a method made in the constructor",
            "class K { constructor() { this.close = () => { this.ok = false; }; } run() { ask(this.ok); this.close(); end(); } }",
        ),
        ends(
            "a method of a prototype",
            "class K { run() { ask(this.ok); this.close(); end(); } } K.prototype.close = function () { this.ok = false; };",
        ),
        ends(
            "a constructor",
            "class H { constructor(x) { x.ok = false; } } function run(m) { ask(m.ok); new H(m); end(); }",
        ),
        stays(
            "a constructor's own object",
            "class H { constructor(x) { this.ok = false; } } function run(m) { ask(m.ok); new H(m); end(); }",
        ),
        stays("fields", "class H { ok = false; } function run(m) { ask(m.ok); new H(); end(); }"),
        ends(
            "a constructor that returns it",
            "function run(m) { class A { constructor() { return m; } } class B extends A { ok = false; } ask(m.ok); new B(); end(); }",
        ),
        ends(
            "a constructor that returns it, and super",
            "function run(m) { class A { constructor() { return m; } } class B extends A { constructor() { super(); this.ok = false; } } ask(m.ok); new B(); end(); }",
        ),
        ends(
            "a function that returns it",
            "function run(m) { function A() { return m; } ask(m.ok); const a = new A(); a.ok = false; end(); }",
        ),
        stays(
            "a new instance",
            "class A { constructor() { this.x = 1; } } function run(m) { const a = new A(); ask(m.ok); a.ok = false; end(); }",
        ),
        ends(
            "a wrapped function",
            "const close = once(function () { m0.ok = false; }); const m0 = {}; function run(m) { ask(m.ok); close(); end(); }",
        ),
        ends(
            "a made function",
            "function mk(m) { return () => { m.ok = 0; }; } function run(m) { const f = mk(m); ask(m.ok); f(); end(); }",
        ),
        ends(
            "a bound function",
            "function close() { this.ok = 0; } function run(m) { const f = close.bind(m); ask(m.ok); f(); end(); }",
        ),
        ends(
            "an object's method",
            "function run(m) { const o = { close() { m.ok = 0; } }; ask(m.ok); o.close(); end(); }",
        ),
        ends(
            "handed to code out of sight",
            "function close() { cur.ok = 0; } function run(m) { ask(m.ok); call(close); end(); }",
        ),
        ends(
            "a method handed on",
            "class K { close() { this.ok = 0; } run() { ask(this.ok); call(this.close); end(); } }",
        ),
        ends(
            "an async function that nobody waits for",
            "function run(m) { async function f() { await null; m.ok = 0; } f(); ask(m.ok); other(); end(); }",
        ),
        ends(
            "a generator",
            "function run(m) { function* g() { m.ok = 0; yield 1; } const it = g(); ask(m.ok); for (const x of it) use(x); end(); }",
        ),
        stays(
            "a generator that is only made",
            "function run(m) { function* g() { m.ok = 0; yield 1; } ask(m.ok); const it = g(); end(); use(it); }",
        ),
        ends(
            "an iterator",
            "class L { *[Symbol.iterator]() { this.ok = 0; yield 1; } } function run(m) { ask(m.ok); for (const x of m) use(x); end(); }",
        ),
        ends(
            "a decorator",
            "function run(m) { function dec() { m.ok = false; } ask(m.ok); @dec class A { x() {} } end(A); }",
        ),
        ends("a tagged template", "function run(m) { const t = () => { m.ok = 0; }; ask(m.ok); t`x`; end(); }"),
        ends(
            "toString in a template",
            "function run(m) { const o = { toString() { m.ok = 0; return ''; } }; ask(m.ok); use(`${o}`); end(); }",
        ),
        ends(
            "a proxy",
            "function run(m) { const p = new Proxy({}, { get() { m.ok = 0; } }); ask(m.ok); use(p.x); end(); }",
        ),
        ends("disposal", "function run(m) { ask(m.ok); { using r = { [Symbol.dispose]() { m.ok = 0; } }; } end(); }"),
        ends("a finally", "function run(m) { ask(m.ok); try { work(); } finally { m.ok = 0; } end(); }"),
        ends(
            "recursion",
            "function go(x, n) { if (n) go(x, n - 1); else x.ok = 0; } function run(m) { ask(m.ok); go(m, 2); end(); }",
        ),
    ]);
}

#[test]
fn further_ways() {
    check(&[
        ends(
            "a table's function",
            "const t = { a: (m) => { m.ok = 0; } }; function run(m, k) { ask(m.ok); t[k](m); end(); }",
        ),
        ends(
            "a method by a computed name",
            "class K { close() { this.ok = 0; } run(k) { ask(this.ok); this[k](); end(); } }",
        ),
        ends(
            "a computed getter",
            "class K { get [k]() { this.ok = 0; } run(o) { ask(this.ok); use(o.anything); end(); } }",
        ),
        ends(
            "a getter by a computed name",
            "let cur; class K { get a() { return cur; } } function run(m, k) { ask(m[k]); cur = 1; end(); }",
        ),
        ends("setPrototypeOf", "function run(m, p) { ask(m.ok); Object.setPrototypeOf(m, p); end(); }"),
        ends("__proto__", "function run(m, p) { ask(m.ok); m.__proto__ = p; end(); }"),
        ends("instanceof and its prototype", "function run(m, p) { ask(m instanceof K); m.__proto__ = p; end(); }"),
        stays("instanceof and a member", "function run(m, p) { ask(m instanceof K); m.ok = p; end(); }"),
        ends("a size", "function run(m) { ask(m.jobs.size === 0); m.jobs.set(1, 2); end(); }"),
        ends(
            "an async callback",
            "async function run(m) { m.list.map(async (x) => { await x; m.ok = 0; }); ask(m.ok); await null; end(); }",
        ),
        ends(
            "next",
            "function run(m) { function* g() { m.ok = 0; yield 1; } const it = g(); ask(m.ok); it.next(); end(); }",
        ),
        ends(
            "a spread generator",
            "function run(m) { function* g() { m.ok = 0; yield 1; } ask(m.ok); use([...g()]); end(); }",
        ),
        ends(
            "a handed generator",
            "function run(m) { function* g() { m.ok = 0; yield 1; } ask(m.ok); Array.from(g()); end(); }",
        ),
        ends("stored in it and handed", "function run(m, o) { m.child = o; ask(isOk(m)); o.any = 1; end(); }"),
        ends("in a literal", "function run(m) { const box = { m }; ask(isOk(box)); m.any = 1; end(); }"),
        ends("in a handed literal", "function run(m) { ask(isOk({ m })); m.any = 1; end(); }"),
        ends(
            "a closure of a condition",
            "function run(m) { let lim = 1; ask(m.list.some((x) => x > lim)); lim = 2; end(); }",
        ),
        ends(
            "a closure of a condition, handed",
            "function run(m) { let lim = 1; ask(check((x) => x > lim)); lim = 2; end(); }",
        ),
        ends(
            "a closure of a condition, in a literal",
            "function run(m) { let lim = 1; ask(check({ f: (x) => x > lim })); lim = 2; end(); }",
        ),
        ends(
            "a closure of a condition, in a body",
            "let lim = 1; function each(l, f) { return f(l); } function ok(m) { return each(m, (x) => x > lim); } function run(m) { ask(ok(m)); lim = 2; end(); }",
        ),
        ends(
            "a function that runs its argument",
            "function each(l, f) { for (const x of l) f(x); } function run(m) { ask(m.ok); each([m], (x) => { x.ok = 0; }); end(); }",
        ),
        ends(
            "a class's method, kept",
            "function run(m) { class A { close() { m.ok = 0; } } const a = new A(); keep(a); ask(m.ok); other(); end(); }",
        ),
        ends(
            "a namespace import",
            "import * as s from './s'; function run() { ask(s.open); s.close(); end(); }\n// s.ts\nexport let open = 1; export function close() { open = 0; }",
        ),
        ends(
            "a live binding",
            "import { open, close } from './s'; function run() { ask(open); close(); end(); }\n// s.ts\nexport let open = 1; export function close() { open = 0; }",
        ),
        ends(
            "a default export",
            "import close from './s'; function run(m) { ask(m.ok); close(m); end(); }\n// s.ts\nexport default function (m) { m.ok = 0; }",
        ),
        ends(
            "require",
            "const s = require('./s'); function run(m) { ask(m.ok); s.close(m); end(); }\n// s.ts\nexports.close = function (m) { m.ok = 0; };",
        ),
        ends("apply", "function close() { this.ok = 0; } function run(m) { ask(m.ok); close.apply(m, []); end(); }"),
        ends(
            "Reflect.apply",
            "function close() { this.ok = 0; } function run(m) { ask(m.ok); Reflect.apply(close, m, []); end(); }",
        ),
        ends(
            "a function in what is handed",
            "function close() { cur.ok = 0; } function run(m) { ask(m.ok); emit({ close }); end(); }",
        ),
        ends(
            "an object's accessor",
            "function run(m) { const o = {}; Object.defineProperty(o, 'x', { get() { m.ok = 0; } }); ask(m.ok); use(o.x); end(); }",
        ),
        ends(
            "an object's setter",
            "function run(m) { const o = { set x(v) { m.ok = 0; } }; ask(m.ok); o.x = 1; end(); }",
        ),
        ends(
            "an accessor that is defined on a prototype",
            "let cur; class K { run() { ask(this.ok); cur = 1; end(); } } Object.defineProperty(K.prototype, 'ok', { get() { return cur; } });",
        ),
        ends(
            "a default of a parameter",
            "function close(m, x = (m.ok = 0)) {} function run(m) { ask(m.ok); close(m); end(); }",
        ),
        ends(
            "a destructuring getter",
            "class G { get a() { this.m.ok = 0; return 1; } } function run(m, g) { ask(m.ok); const { a } = g; end(a); }",
        ),
        ends(
            "a mixin",
            "const M = (B) => class extends B { close() { this.ok = 0; } }; class K extends M(Object) { run() { ask(this.ok); this.close(); end(); } }",
        ),
        ends("a static block", "function run(m) { ask(m.ok); class A { static { m.ok = 0; } } end(A); }"),
        ends("a static field", "function run(m) { ask(m.ok); class A { static x = (m.ok = 0); } end(A); }"),
        ends("a computed key", "function run(m) { ask(m.ok); class A { [(m.ok = 0, 'x')]() {} } end(A); }"),
        ends("a field's initialiser", "function run(m) { class A { x = (m.ok = 0); } ask(m.ok); new A(); end(); }"),
        ends("a private method", "class K { #close() { this.ok = 0; } run(o) { ask(this.ok); o.#close(); end(); } }"),
        ends(
            "a static method that is inherited",
            "class A { static close(m) { m.ok = 0; } } class B extends A {} function run(m) { ask(m.ok); B.close(m); end(); }",
        ),
        ends(
            "the constructor's static",
            "class K { static close(m) { m.ok = 0; } run() { ask(this.ok); this.constructor.close(this); end(); } }",
        ),
        ends(
            "toJSON and its like, by name",
            "class K { valueOf() { this.ok = 0; return 1; } run(o) { ask(this.ok); use(o + 1); end(); } }",
        ),
        ends(
            "a delegating generator",
            "function run(m) { function* g() { m.ok = 0; yield 1; } function* h() { yield* g(); } ask(m.ok); for (const x of h()) use(x); end(); }",
        ),
        ends(
            "an argument list",
            "function close() { arguments[0].ok = 0; } function run(m) { ask(m.ok); close(m); end(); }",
        ),
        ends(
            "a rest parameter",
            "function close(...all) { all[0].ok = 0; } function run(m) { ask(m.ok); close(m); end(); }",
        ),
        ends(
            "a reassigned function",
            "let f = () => {}; f = (m) => { m.ok = 0; }; function run(m) { ask(m.ok); f(m); end(); }",
        ),
        ends(
            "a choice of functions",
            "const a = (m) => { m.ok = 0; }; const b = () => {}; function run(m, c) { ask(m.ok); (c ? a : b)(m); end(); }",
        ),
        ends("one of a list", "const fs = [(m) => { m.ok = 0; }]; function run(m) { ask(m.ok); fs[0](m); end(); }"),
        ends(
            "a loop over functions",
            "const fs = [(m) => { m.ok = 0; }]; function run(m) { ask(m.ok); for (const f of fs) f(m); end(); }",
        ),
        ends(
            "forEach over functions",
            "const fs = [(m) => { m.ok = 0; }]; function run(m) { ask(m.ok); fs.forEach((f) => f(m)); end(); }",
        ),
        ends(
            "destructured functions",
            "const t = { close(m) { m.ok = 0; } }; const { close } = t; function run(m) { ask(m.ok); close(m); end(); }",
        ),
        ends(
            "a function of a class's static",
            "class K { static close = (m) => { m.ok = 0; }; } function run(m) { ask(m.ok); K.close(m); end(); }",
        ),
        ends("label and increment", "function run(m) { ask(m.n === 0); out: for (;;) { m.n++; break out; } end(); }"),
        ends("logical assignment", "function run(m) { ask(m.ok); m.ok &&= false; end(); }"),
        ends(
            "an alias behind a generator's suspension",
            "function* g() { const o = { ok: 1 }; yield o; o.ok = 0; yield 1; } function run() { const it = g(); const o = it.next().value; ask(o.ok); it.next(); end(); }",
        ),
        ends(
            "catch in a callee",
            "function f(g) { try { g(); } catch (e) { e.ok = 0; } } function run(m) { ask(m.ok); f(() => { throw m; }); end(); }",
        ),
        ends(
            "new.target and a subclass",
            "class K { constructor() { this.init(); } init() {} } class L extends K { init() { cur.ok = 0; } } function run(m) { ask(m.ok); new L(); end(); }",
        ),
        ends(
            "a class that is handed",
            "function mk(C) { return new C(); } function run(m) { class A { constructor() { m.ok = 0; } } ask(m.ok); mk(A); end(); }",
        ),
        ends(
            "a promise's then, at once",
            "async function run(m) { load().then(() => { m.ok = 0; }); ask(m.ok); await null; end(); }",
        ),
        ends(
            "a local function through another",
            "function run(m) { const a = () => { m.ok = 0; }; const b = () => a(); ask(m.ok); b(); end(); }",
        ),
        ends(
            "a kept one through a local one",
            "function run(m) { const a = () => { m.ok = 0; }; on(() => a()); ask(m.ok); other(); end(); }",
        ),
    ]);
}

#[test]
fn further_places() {
    check(&[
        stays(
            "a builder's own object",
            "function run(m) { const o = {}; o.a = 1; o.ok = 2; ask(m.ok); o.ok = 3; o.b = 1; end(o); }",
        ),
        stays(
            "a new object on both ways",
            "function run(m, c) { let o; if (c) { o = {}; o.ok = 1; } else { o = {}; o.ok = 2; } ask(m.ok); end(o); }",
        ),
        stays("a method of another name", "class K { a() { this.x = 1; } run() { ask(this.ok); this.a(); end(); } }"),
        stays(
            "an own list",
            "function run(m) { ask(m.list.length); const out = []; for (const x of m.list) out.push(x); end(out); }",
        ),
        stays(
            "an own map",
            "function run(m) { ask(m.jobs.has(1)); const seen = new Map(); seen.set(1, 2); end(seen); }",
        ),
        stays("a counter", "function run(m) { let n = 0; ask(m.ok); n++; n += 1; end(n); }"),
        stays("a closure that only reads", "function run(m) { const f = () => m.ok; ask(m.ok); f(); end(); }"),
        stays("map on the spot", "function run(m) { ask(m.ok); const ids = m.list.map((x) => x.id); end(ids); }"),
        stays("a template", "function run(m) { ask(m.ok); const t = `${m.id} ${m.name}`; end(t); }"),
        stays(
            "an await of a method",
            "class K { async load() { return fetch(this.url); } async run() { ask(this.ok); await this.load(); end(); } }",
        ),
        stays("a spread copy", "function run(m) { ask(m.ok); const n = { ...m, ok: false }; end(n); }"),
        stays("a rest copy", "function run(m) { ask(m.ok); const { id, ...rest } = m; rest.ok = 1; end(rest); }"),
        stays("an error that is thrown", "function run(m) { ask(m.ok); if (m.z) throw new Error('x'); end(); }"),
        stays(
            "a subclass that does nothing of it",
            "class K { close() {} run() { ask(this.ok); this.close(); end(); } } class L extends K { close() { this.no = 1; } }",
        ),
        stays("a private counter", "class K { #n = 0; run() { ask(this.ok); this.#n++; end(); } }"),
        stays("a regular expression", "function run(m) { ask(m.ok); const found = /x/.exec(m.id); end(found); }"),
        stays("a text's method", "function run(m) { ask(m.id.startsWith('a')); m.other = 1; end(); }"),
    ]);
}
