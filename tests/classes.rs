//! In which way an item changed, which ways are drift, what does not count, and items inside of items.

use crate::scratch::Scratch;

const CODE: &str = "export class Gate {
  open(job) { const wait = job.tries * 250; log('retry', wait); this.mark(wait); return wait; }
  mark(wait) { this.last = wait; }
}
export function host(port) {
  function stop() { return close(port); }
  metrics.count('host');
  on('exit', () => stop());
  return listen(port);
}
";

const MODEL: &str = "[model]\nname = \"gate\"\ncover = [\"src/gate.js#Gate.open\", \"src/gate.js#host\"]\n";

fn confirmed(config: &str) -> Scratch {
    Scratch::confirmed(&[("factgate.toml", config), ("src/gate.js", CODE)])
}

/// `item change` of what is STALE, and of the notes.
fn found(scratch: &Scratch) -> (Vec<String>, Vec<String>) {
    let json = scratch.json(&["check", "--format", "json"]);
    let told = |key: &str| {
        let list = json["models"][0][key].as_array().unwrap().clone();
        let one = |one: &serde_json::Value| {
            let item = one["item"].as_str().unwrap().trim_start_matches("src/gate.js#");
            format!("{item} {}", one["change"].as_str().unwrap_or(one["kind"].as_str().unwrap()))
        };
        list.iter().map(one).collect()
    };
    (told("stale"), told("notes"))
}

/// After an edit, what is STALE and what is a note.
fn check(config: &str, (from, to): (&str, &str), stale: &[&str], notes: &[&str]) {
    let scratch = confirmed(config);
    scratch.edit("src/gate.js", from, to);
    let (is_stale, is_note) = found(&scratch);
    assert_eq!((is_stale, is_note), (owned(stale), owned(notes)), "{from} -> {to}");
    let exit = if stale.is_empty() { 0 } else { 3 };
    assert_eq!(scratch.run(&["check"]).exit, exit);
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn a_class_is_drift_or_a_note_as_the_configuration_says() {
    let structure = format!("{MODEL}drift = [\"structure\"]\n");
    for (edit, class) in [
        (("wait", "delay"), "locals"),
        (("'retry'", "'again'"), "literals"),
        (("mark", "note"), "names"),
        (("log('retry', wait)", "log('retry', job)"), "detail"),
        (("job.tries * 250", "job.tries + 250"), "structure"),
    ] {
        let told = format!("Gate.open {class}");
        let told = [told.as_str()];
        let nothing: &[&str] = &[];
        let (stale, notes) = if class == "locals" { (nothing, &told[..]) } else { (&told[..], nothing) };
        check(MODEL, edit, stale, notes);
        let (stale, notes) = if class == "structure" { (&told[..], nothing) } else { (nothing, &told[..]) };
        check(&structure, edit, stale, notes);
    }
}

#[test]
fn a_name_that_still_stands_somewhere_is_not_renamed() {
    let scratch = confirmed(MODEL);
    scratch.edit("src/gate.js", "this.mark(wait)", "this.note(wait)");
    assert_eq!(found(&scratch).0, ["Gate.open structure"]);
    scratch.edit("src/gate.js", "  mark(wait)", "  note(wait)");
    assert_eq!(found(&scratch).0, ["Gate.open names"]);
    let said = scratch.run(&["check", "--format", "json"]);
    assert!(said.stdout.contains("`mark` is `note` now"), "{}", said.stdout);
    // What nothing in the files declares may be anything.
    let scratch = confirmed(MODEL);
    scratch.edit("src/gate.js", "log('retry', wait)", "send('retry', wait)");
    assert_eq!(found(&scratch).0, ["Gate.open structure"]);
}

#[test]
fn notes_are_shown_and_confirmed_without_a_reason() {
    let scratch = confirmed(MODEL);
    scratch.edit("src/gate.js", "wait", "delay");
    scratch.commit("rename");
    let said = scratch.run(&["check"]);
    assert_eq!(said.exit, 0);
    assert!(said.stdout.contains("note          src/gate.js#Gate.open   locals"), "{}", said.stdout);
    assert!(said.stdout.contains("rename"), "{}", said.stdout);
    for (format, word) in [
        ("github", "::notice file=src/gate.js,line=2"),
        ("sarif", "\"note\""),
        ("junit", "name=\"src/gate.js#Gate.open\">\n      <system-out>note: src/gate.js#Gate.open   locals"),
    ] {
        assert!(scratch.run(&["check", "--format", format]).stdout.contains(word), "{format}");
    }
    assert!(scratch.run(&["diff"]).stdout.contains("delay"));
    assert_eq!(scratch.run(&["sync"]).exit, 0);
    assert_eq!(found(&scratch), (Vec::new(), Vec::new()));
}

#[test]
fn a_class_that_is_none_is_an_error_with_the_nearest_one() {
    let scratch = confirmed(MODEL);
    scratch.write("factgate.toml", &format!("{MODEL}drift = [\"structre\"]\n"));
    let said = scratch.run(&["check"]);
    assert_eq!(said.exit, 2);
    assert!(said.stderr.contains("did you mean `structure`?"), "{}", said.stderr);
    for (pattern, word) in [("metrics.", "pattern"), ("$_", "only calls"), ("a + b", "only calls")] {
        scratch.write("factgate.toml", &format!("{MODEL}ignore = [\"{pattern}\"]\n"));
        let said = scratch.run(&["check"]);
        assert!(said.exit == 2 && said.stderr.contains(word), "{pattern}: {}", said.stderr);
    }
}

#[test]
fn what_is_ignored_does_not_count_where_it_does_nothing() {
    let ignoring = format!("{MODEL}ignore = [\"metrics.$_($$$)\"]\n");
    let nothing: &[&str] = &[];
    for (to, is_stale) in [
        ("", false),
        ("metrics.count('host', { port }); console.log(`at ${port}`);", false),
        ("metrics.count(console.log(port));", false),
        ("metrics.count(open(port));", true),
        ("metrics.count(port = 1);", true),
        ("metrics.count('host', async () => { await port; });", true),
        ("const n = metrics.count('host'); use(n);", true),
        ("audit.count('host');", true),
    ] {
        let stale: &[&str] = if is_stale { &["host structure"] } else { nothing };
        check(&ignoring, ("metrics.count('host');", to), stale, nothing);
    }
    check(MODEL, ("metrics.count('host');", "console.warn(port);"), &["host structure"], nothing);
    let shadowed = ("export function host(port) {", "export function host(port, console) { console.log(port);");
    check(MODEL, shadowed, &["host structure"], nothing);
}

#[test]
fn a_branch_that_is_there_for_what_is_ignored_goes_with_it() {
    let nothing: &[&str] = &[];
    for (to, is_stale) in [
        ("if (port > 1) console.log(port);", false),
        ("if (port) { console.log(1); console.warn(2); } else { console.log(3); }", false),
        ("if (port) console.log(1); else if (port > 2 && port.x) { if (port < 3) console.log(2); }", false),
        // Asking does something, or the branch does more.
        ("if (next(port)) console.log(port);", true),
        ("if (port = 1) console.log(port);", true),
        ("if (port) { console.log(port); return; }", true),
        ("if (port) {}", true),
        ("for (const one of port) console.log(one);", true),
    ] {
        let stale: &[&str] = if is_stale { &["host structure"] } else { nothing };
        check(MODEL, ("metrics.count('host');", &format!("metrics.count('host'); {to}")), stale, nothing);
    }
    let scratch = confirmed(MODEL);
    scratch.edit("src/gate.js", "metrics.count('host');", "if (port) metrics.count('host');");
    assert_eq!(scratch.run(&["sync", "--because", "x"]).exit, 0);
    for branch in ["else console.log(1);", "else { if (port > 2) { console.log(2); } }"] {
        scratch.edit("src/gate.js", "metrics.count('host');", &format!("metrics.count('host'); {branch}"));
        assert_eq!(found(&scratch), (Vec::new(), Vec::new()), "{branch}");
        scratch.edit("src/gate.js", &format!(" {branch}"), "");
    }
}

/// Whether logging `logged` in the covered function of a file is drift.
fn logs(path: &str, item: &str, code: &str, logged: &str) -> bool {
    let config = format!("[model]\nname = \"gate\"\ncover = [\"{path}#{item}\"]\n");
    let scratch = Scratch::confirmed(&[("factgate.toml", &config), (path, &code.replace("LOG;", ""))]);
    scratch.write(path, &code.replace("LOG", logged));
    scratch.run(&["check"]).exit == 3
}

#[test]
fn a_function_of_the_file_that_only_gives_a_value_does_nothing_in_a_log() {
    let code = "function label(q) { const n = q.name; if (n) { return `queue ${n}`; } return plain(q); }
const plain = (q) => q.id;
let later = (q) => q.id;
function take(q) { return q.shift(); }
function set(q) { q.seen = true; return q; }
async function wait(q) { return await q; }
function spin(q) { while (q) {} }
function fail(q) { throw q; }
function deep(q) { return deep(q); }
function twice(q) { return q; }
export function g(twice) { later = 1; }
export function f(q) { LOG; send(q); }
";
    for (logged, is_drift) in [
        ("console.log(label(q))", false),
        ("console.log(plain(q), label(plain(q)))", false),
        ("console.log(label(take(q)))", true),
        ("console.log(later(q))", true),
        ("console.log(take(q))", true),
        ("console.log(set(q))", true),
        ("console.log(wait(q))", true),
        ("console.log(spin(q))", true),
        ("console.log(fail(q))", true),
        ("console.log(deep(q))", true),
        ("console.log(twice(q))", true),
        ("console.log(q.label(q))", true),
        ("console.log(new label(q))", true),
        ("label(q)", true),
    ] {
        assert_eq!(logs("a.js", "f", code, logged), is_drift, "{logged}");
    }
    let code = "const std = @import(\"std\");
pub const Queue = struct {
    const Self = @This();
    n: u32,
    fn prefix(self: *const Self) u32 { return self.size() + 1; }
    fn size(self: Queue) u32 { return self.n; }
    fn take(self: *Self) u32 { self.n -= 1; return self.n; }
    fn open(self: *Self, other: Other) void { LOG; self.send(other); }
};
const Other = struct { fn size(self: *Other) u32 { return next(); } };
";
    for (logged, is_drift) in [
        ("std.log.info(\"{}\", .{ self.prefix() })", false),
        ("std.log.info(\"{} {}\", .{ self.prefix(), self.size() })", false),
        ("std.log.info(\"{}\", .{ self.take() })", true),
        ("std.log.info(\"{}\", .{ other.size() })", true),
        ("std.log.info(\"{}\", .{ self.gone() })", true),
    ] {
        assert_eq!(logs("a.zig", "Queue.open", code, logged), is_drift, "{logged}");
    }
}

#[test]
fn the_name_that_a_container_has_for_itself_is_its_own() {
    let code = "fn QueueOf(T: type) type { return struct {
    const Self = @This();
    const Item = Node;
    fn open(self: *Self, item: Item) void { self.send(item); }
}; }
";
    let config = "[model]\nname = \"gate\"\ncover = [\"a.zig#QueueOf.open\"]\n";
    let change = |from: &str, to: &str| {
        let scratch = Scratch::confirmed(&[("factgate.toml", config), ("a.zig", code)]);
        scratch.write("a.zig", &code.replace(from, to));
        let json = scratch.json(&["check", "--format", "json"]);
        let told = |key: &str| json["models"][0][key][0]["change"].as_str().map(str::to_owned);
        (told("stale"), told("notes"))
    };
    assert_eq!(change("Self", "Queue"), (None, Some("locals".into())));
    // What stands for another type, or no longer for the container, is another thing.
    assert_eq!(change("self: *Self", "self: *Item"), (Some("structure".into()), None));
    let other = code.replace("@This()", "Node").replace("Self", "Queue");
    assert_eq!(change(code, &other), (Some("structure".into()), None));
}

#[test]
fn what_is_ignored_changes_with_a_sync_alone() {
    let ignoring = format!("{MODEL}ignore = [\"metrics.$_($$$)\"]\n");
    // A pattern more makes nothing STALE, and hides nothing that is.
    let scratch = confirmed(MODEL);
    scratch.write("factgate.toml", &ignoring);
    let said = scratch.run(&["check"]);
    assert_eq!(said.exit, 0, "{said:?}");
    assert!(said.stderr.contains("`metrics.$_($$$)` is new"), "{}", said.stderr);
    scratch.edit("src/gate.js", "metrics.count('host');", "");
    assert_eq!(found(&scratch).0, ["host structure"], "what was pending stays so");
    assert_eq!(scratch.run(&["sync", "src/gate.js#host", "--because", "x"]).exit, 0);
    assert!(!scratch.read("coverage/gate.json").contains("metrics.$_"), "a part keeps the way of the record");
    assert_eq!(found(&scratch).0, owned(&[]));
    // What no longer counts is weaker, and is confirmed with a reason alone.
    assert!(scratch.run(&["sync"]).stderr.contains("the gate becomes weaker: gate ignore: newly metrics.$_($$$)"));
    assert_eq!(scratch.run(&["sync", "--because", "numbers are no behaviour"]).exit, 0);
    assert!(scratch.read("coverage/gate.json").contains("\"ignore\": [\"metrics.$_($$$)\"]"));
    scratch.edit("src/gate.js", "  on('exit'", "  metrics.gauge(port);\n  on('exit'");
    let said = scratch.run(&["check"]);
    assert_eq!((said.exit, said.stderr.as_str()), (0, ""), "{said:?}");
    // One less makes nothing STALE by itself either.
    scratch.write("factgate.toml", MODEL);
    let said = scratch.run(&["check"]);
    assert_eq!(said.exit, 0);
    assert!(said.stderr.contains("`metrics.$_($$$)` is gone"), "{}", said.stderr);
    assert_eq!(scratch.run(&["sync"]).exit, 0);
    scratch.edit("src/gate.js", "metrics.gauge(port);", "");
    assert_eq!(found(&scratch).0, ["host structure"]);
}

#[test]
fn an_item_inside_is_told_by_itself() {
    let both = MODEL.replace("#host\"]", "#host\", \"src/gate.js#host.stop\", \"src/gate.js\"]");
    let nothing: &[&str] = &[];
    check(&both, ("close(port)", "close()"), &["host.stop detail"], nothing);
    check(&both, ("listen(port)", "serve(port)"), &["host structure"], nothing);
    check(&both, ("export class Gate {", "start(); class Gate {"), &["src/gate.js structure"], nothing);
    let scratch = confirmed(&both);
    scratch.edit("src/gate.js", "close(port)", "close()");
    scratch.edit("src/gate.js", "listen(port)", "serve(port)");
    assert_eq!(found(&scratch).0, ["host structure", "host.stop detail"]);
}

#[test]
fn covering_an_item_inside_changes_nothing_of_the_one_around() {
    let both = MODEL.replace("#host\"]", "#host\", \"src/gate.js#host.stop\"]");
    let scratch = confirmed(MODEL);
    scratch.write("factgate.toml", &both);
    assert_eq!(found(&scratch).0, ["host.stop unrecorded"]);
    // Confirmed alone or with the rest, from then on it is told by itself.
    for parts in [&["sync", "src/gate.js#host.stop"][..], &["sync"]] {
        let scratch = confirmed(MODEL);
        scratch.write("factgate.toml", &both);
        assert_eq!(scratch.run(parts).exit, 0);
        assert_eq!(found(&scratch).0, owned(&[]));
        scratch.edit("src/gate.js", "close(port)", "close()");
        assert_eq!(found(&scratch).0, ["host.stop detail"], "{parts:?}");
        assert_eq!(scratch.run(&["sync", "src/gate.js#host.stop", "--because", "x"]).exit, 0);
        assert_eq!(found(&scratch).0, owned(&[]));
    }
    // What was changed before it was covered stays the outer one's.
    scratch.edit("src/gate.js", "close(port)", "close()");
    assert_eq!(found(&scratch).0, ["host detail", "host.stop unrecorded"]);
}

#[test]
fn a_new_call_of_what_nothing_covers_is_a_note() {
    let files = |body: &str| {
        format!(
            "import {{ grab }} from './other.js';\nimport * as other from './other.js';\nexport class Gate {{\n  open(job) {{ {body} }}\n  \
             mark(job) {{ this.last = job; }}\n  keep() {{ return 1; }}\n}}\nfunction split(job) {{ return job; }}\n"
        )
    };
    let other = "export function grab(job) { return job.id; }\nexport function take() { return 2; }\n";
    let config = MODEL.replace("#host\"]", "#Gate.keep\", \"src/other.js#take\"]");
    for (body, called) in [
        ("this.last = split(job);", "split"),
        ("this.last = 1; this.mark(job);", "mark"),
        ("this.last = grab(job);", "grab"),
        ("this.last = other.grab(job);", "grab"),
        ("this.last = other.take(job); this.keep();", ""),
        ("this.last = job.mark();", ""),
        ("const split = job.x; this.last = split(job);", ""),
    ] {
        let start = files("this.last = 1;");
        let scratch =
            Scratch::confirmed(&[("factgate.toml", &config), ("src/gate.js", &start), ("src/other.js", other)]);
        scratch.write("src/gate.js", &files(body));
        let json = scratch.json(&["check", "--format", "json"]);
        let notes = json["models"][0]["notes"].as_array().unwrap().clone();
        let details: Vec<&str> = notes.iter().map(|note| note["detail"].as_str().unwrap()).collect();
        let expected: Vec<String> =
            if called.is_empty() { Vec::new() } else { vec![format!("calls {called}, which nothing covers")] };
        assert_eq!(details, expected, "{body}");
        assert_eq!(scratch.run(&["sync", "--because", "x"]).exit, 0);
        let json = scratch.json(&["check", "--format", "json"]);
        assert_eq!(json["models"][0]["notes"].as_array().unwrap().len(), 0, "{body}");
    }
}

#[test]
fn what_an_item_inside_calls_is_no_note_of_the_one_around() {
    let code = "export class Gate {\n  open(job) { this.last = split(job); }\n  mark(job) { return job; }\n}\nfunction split(job) { return job; }\n";
    let config = "[model]\nname = \"gate\"\ncover = [\"src/gate.js#Gate\", \"src/gate.js#Gate.open\"]\n";
    let scratch = Scratch::confirmed(&[("factgate.toml", config), ("src/gate.js", code)]);
    assert_eq!(found(&scratch), (Vec::new(), Vec::new()));
    scratch.edit("src/gate.js", "return job; }\n}", "return split(job); }\n}");
    assert_eq!(found(&scratch), (owned(&["Gate structure"]), owned(&["Gate calls"])));
}

#[test]
fn a_scoped_logger_of_zig_is_logging() {
    let code = |log: &str, body: &str| {
        format!(
            "const std = @import(\"std\");\nconst log = {log};\nconst audit = @import(\"audit.zig\");\n\
             pub fn run(a: u32) u32 {{\n{body}    return a;\n}}\n"
        )
    };
    for (log, body, is_stale) in [
        ("std.log.scoped(.pump)", "    log.debug(\"at {d}\", .{a});\n", false),
        ("marks.wrap(std.log.scoped(.pump))", "    log.mark.warn(\"at\", .{@as(u64, a)});\n", false),
        ("std.log.scoped(.pump)", "    std.log.info(\"at {d}\", .{a});\n    std.debug.print(\"x\", .{});\n", false),
        ("std.log.scoped(.pump)", "    log.debug(\"at {d}\", .{next(a)});\n", true),
        ("std.log.scoped(.pump)", "    audit.debug(\"at {d}\", .{a});\n", true),
        ("@import(\"audit.zig\")", "    log.debug(\"at {d}\", .{a});\n", true),
        // A branch that is there for logging goes with it.
        ("std.log.scoped(.pump)", "    if (a > 1) log.debug(\"at\", .{});\n", false),
        (
            "std.log.scoped(.pump)",
            "    if (a > 1) {\n        log.debug(\"at\", .{});\n    } else if (a > 0) {\n        log.warn(\"x\", .{});\n    }\n",
            false,
        ),
        ("std.log.scoped(.pump)", "    if (next(a)) log.debug(\"at\", .{});\n", true),
        (
            "std.log.scoped(.pump)",
            "    if (a > 1) {\n        log.debug(\"at\", .{});\n        return 1;\n    }\n",
            true,
        ),
    ] {
        let config = "[model]\nname = \"pump\"\ncover = [\"src/pump.zig#run\"]\n";
        let scratch = Scratch::confirmed(&[("factgate.toml", config), ("src/pump.zig", &code(log, ""))]);
        scratch.write("src/pump.zig", &code(log, body));
        assert_eq!(scratch.run(&["check"]).exit, if is_stale { 3 } else { 0 }, "{log}\n{body}");
    }
}
