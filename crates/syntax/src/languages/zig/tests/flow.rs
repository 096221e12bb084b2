//! Zig's flow shapes: what is evaluated when, what branches, what leaves.

use super::parse;
use crate::flow::{Arm, Exit, Flow, Test};
use crate::{NodeId, Tree};
use std::collections::BTreeMap;

/// The flow of a function's body as text. Only calls, literals that leave, and writes are shown of what is evaluated.
fn check(body: &str, expected: &str) {
    let text = format!("fn f() !void {{ {body} }}");
    let source = parse(&text);
    assert!(source.problems().is_empty(), "{body}: {:?}", source.problems());
    let tree = source.normal(&source.items()[0]);
    let flow = source.language().rules().flow(&tree, NodeId::ROOT);
    assert_eq!(Show { tree: &tree }.flow(&flow), expected, "{body}");
    every_node_once(&tree, &flow, body);
}

struct Show<'t> {
    tree: &'t Tree,
}

impl Show<'_> {
    fn flow(&self, flow: &Flow) -> String {
        match flow {
            Flow::Seq(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|part| self.flow(part)).filter(|part| !part.is_empty()).collect();
                parts.join(" ")
            }
            Flow::Eval { node, .. } => match self.tree.kind(*node) {
                "call_expression" => self.callee(*node),
                _ => String::new(),
            },
            Flow::Suspend { .. } => "suspend".to_owned(),
            Flow::Write { target, .. } => format!("{}=", self.code(*target)),
            Flow::Branch { test, yes, no } => format!("[{} ? {} : {}]", self.test(test), self.flow(yes), self.flow(no)),
            Flow::Arms { subject, arms, .. } => {
                let arms: Vec<String> = arms.iter().map(|arm| self.arm(arm)).collect();
                format!("switch {} {{{}}}", self.flow(subject), arms.join("; "))
            }
            Flow::Loop { test, body, step, otherwise, .. } => {
                format!(
                    "loop {} {{{}}} step {{{}}} else {{{}}}",
                    self.test(test),
                    self.flow(body),
                    self.flow(step),
                    self.flow(otherwise)
                )
            }
            Flow::Block { body, .. } => format!("block {{{}}}", self.flow(body)),
            Flow::Leave { to, .. } => match to {
                Exit::Return => "return",
                Exit::ErrorReturn => "fail",
                Exit::Break(_) => "break",
                Exit::Continue(_) => "continue",
                Exit::Never => "never",
                Exit::Throw => "throw",
            }
            .to_owned(),
            Flow::Protected { body, finally, on, .. } => {
                let finally = finally.as_deref().map_or_else(String::new, |finally| self.flow(finally));
                format!("{{{}}} {on:?} {{{finally}}}", self.flow(body))
            }
            Flow::Closure { body, .. } => format!("later {{{}}}", self.flow(body)),
        }
    }

    fn test(&self, test: &Test) -> String {
        match test {
            Test::Node { node, flow } => self.around(flow, &self.code(*node)),
            Test::Is { flow, condition, .. } => self.around(flow, &self.condition(condition)),
            Test::Not(inner) => format!("!{}", self.test(inner)),
            Test::And(tests) => tests.iter().map(|test| self.test(test)).collect::<Vec<_>>().join(" && "),
            Test::Or(tests) => tests.iter().map(|test| self.test(test)).collect::<Vec<_>>().join(" || "),
            Test::Choice { test, yes, no } => format!("({} ? {} : {})", self.test(test), self.test(yes), self.test(no)),
            Test::Unknown { flow, .. } => self.around(flow, "?"),
            Test::Always => "always".to_owned(),
        }
    }

    fn around(&self, flow: &Flow, test: &str) -> String {
        let before = self.flow(flow);
        if before.is_empty() { test.to_owned() } else { format!("{before} {test}") }
    }

    fn condition(&self, condition: &crate::condition::Condition) -> String {
        use crate::condition::{Condition, Operand};
        let side = |operand: &Operand| match operand {
            Operand::Node(node) => self.code(*node),
            other => format!("{other:?}"),
        };
        match condition {
            Condition::Atom(node) => self.code(*node),
            Condition::Equal { left, right, .. } => format!("{}=={}", side(left), side(right)),
            Condition::Not(inner) => format!("not({})", self.condition(inner)),
            other => format!("{other:?}"),
        }
    }

    fn arm(&self, arm: &Arm) -> String {
        let tests: Vec<String> = arm.tests.iter().map(|test| self.test(test)).collect();
        let head = if arm.default { "else".to_owned() } else { tests.join(", ") };
        format!("{head} => {}", self.flow(&arm.body))
    }

    fn callee(&self, call: NodeId) -> String {
        self.tree.child(call, "function").map_or_else(String::new, |callee| format!("{}()", self.code(callee)))
    }

    /// The leaves without spaces.
    fn code(&self, node: NodeId) -> String {
        let leaves = self.tree.subtree(node).filter(|&node| self.tree.is_leaf(node));
        leaves
            .map(|leaf| if self.tree.text(leaf).is_empty() { self.tree.kind(leaf) } else { self.tree.text(leaf) })
            .collect()
    }
}

/// No node is evaluated twice, and every call, assignment, return and literal of the body is.
fn every_node_once(tree: &Tree, flow: &Flow, body: &str) {
    let mut counts: BTreeMap<NodeId, usize> = BTreeMap::new();
    let mut waiting = vec![flow];
    while let Some(flow) = waiting.pop() {
        match flow {
            Flow::Eval { node, .. } => *counts.entry(*node).or_default() += 1,
            Flow::Seq(parts) => waiting.extend(parts),
            Flow::Branch { test, yes, no } => {
                waiting.extend([yes.as_ref(), no.as_ref()]);
                tests(test, &mut waiting);
            }
            Flow::Arms { subject, arms, .. } => {
                waiting.push(subject);
                for arm in arms {
                    waiting.push(&arm.body);
                    arm.tests.iter().for_each(|test| tests(test, &mut waiting));
                }
            }
            Flow::Loop { test, body, step, otherwise, .. } => {
                waiting.extend([body.as_ref(), step.as_ref(), otherwise.as_ref()]);
                tests(test, &mut waiting);
            }
            Flow::Block { body, .. } | Flow::Closure { body, .. } => waiting.push(body),
            Flow::Protected { body, finally, .. } => {
                waiting.push(body);
                waiting.extend(finally.as_deref());
            }
            Flow::Suspend { .. } | Flow::Write { .. } | Flow::Leave { .. } => {}
        }
    }
    for (node, count) in &counts {
        assert_eq!(*count, 1, "{body}: {} is evaluated {count} times", tree.kind(*node));
    }
    let expected = |node: &NodeId| {
        let kind = tree.kind(*node);
        kind.ends_with("_expression")
            || kind.ends_with("_statement")
            || matches!(kind, "integer" | "null" | "builtin_function")
    };
    for node in tree.subtree(NodeId::ROOT).filter(expected) {
        assert!(counts.contains_key(&node), "{body}: {} is never evaluated", tree.kind(node));
    }
}

fn tests<'f>(test: &'f Test, waiting: &mut Vec<&'f Flow>) {
    match test {
        Test::Node { flow, .. } | Test::Is { flow, .. } | Test::Unknown { flow, .. } => waiting.push(flow),
        Test::Not(inner) => tests(inner, waiting),
        Test::And(parts) | Test::Or(parts) => parts.iter().for_each(|part| tests(part, waiting)),
        Test::Choice { test, yes, no } => [test, yes, no].into_iter().for_each(|part| tests(part, waiting)),
        Test::Always => {}
    }
}

#[test]
fn choices_branch_on_what_they_say() {
    check("if (a) b() else c();", "[a ? b() : c()]");
    check("if (if (a) b() else !c()) d();", "[(a ? b() b() : c() !c()) ? d() : ]");
    check("if (a()) |v| b(v) else c();", "[a() not(a()==Null) ? v= b() : c()]");
    check("if (a()) |v| b(v) else |e| return e;", "[a() not(a()==Error) ? v= b() : e= fail]");
    check("const x = a() orelse return;", "[a() not(a()==Null) ?  : return] x=");
    check("a() catch |e| return e;", "[a() not(a()==Error) ?  : e= fail]");
    check("a() catch b();", "[a() not(a()==Error) ?  : b()]");
    check("try a();", "[a() ? ? fail : ]");
    check("if (a and !(b or c())) d();", "[a && !b || c() c() ? d() : ]");
    check("const x = a and b();", "[a && b() b() ?  : ] x=");
}

#[test]
fn loops_ask_step_and_end() {
    check(
        "while (a()) |v| : (i += 1) { if (v) continue; b(); } else c();",
        "loop a() not(a()==Null) {v= [v ? continue : ] b()} step {i=} else {c()}",
    );
    check("while (true) { break; }", "loop always {break} step {} else {}");
    check(
        "for (a(), 0..) |x, i| { if (x) break; b(i); } else c();",
        "a() loop ? {x= i= [x ? break : ] b()} step {} else {c()}",
    );
    check("o: while (a) { while (b) continue :o; }", "loop a {loop b {continue} step {} else {}} step {} else {}");
    check("inline for (a) |x| b(x);", "loop ? {x= b()} step {} else {}");
}

#[test]
fn switches_compare_their_subject() {
    check(
        "switch (a.b) { .x => c(), .y, .z => |v| d(v), else => {} }",
        "switch  {a.b==.x => c(); a.b==.y, a.b==.z => v= d(); else => }",
    );
    check("switch (a) { 1...3 => b(), else => unreachable }", "switch  {a==1, a==3, ? => b(); else => never}");
    check("s: switch (a) { 1 => continue :s 2, else => break :s }", "switch  {a==1 => continue; else => break}");
    check(
        "a() catch |e| switch (e) { error.X => return, else => |x| return x };",
        "[a() not(a()==Error) ?  : e= switch  {e==errorX => return; else => x= fail}]"
            .replace("errorX", "error.X")
            .as_str(),
    );
}

#[test]
fn what_leaves_and_what_is_deferred() {
    check("return error.X;", "fail");
    check("return a();", "a() return");
    check("return try a();", "[a() ? ? fail : ] return");
    check("if (a) unreachable; @panic(\"x\");", "[a ? never : ] never");
    check("std.process.exit(1);", "std.process.exit() never");
    check("l: { if (a) break :l; b(); } c();", "block {[a ? break : ] b()} c()");
    check("const x = l: { break :l a(); };", "block {a() break} x=");
    check("a(); defer b(); errdefer |e| c(e); d();", "a() {{d()} Error {e= c()}} Every {b()}");
    check("{ defer a(); b(); } c();", "{b()} Every {a()} c()");
    check("defer { a(); } b();", "{b()} Every {a()}");
}

#[test]
fn assignments_evaluate_target_value_then_write() {
    check("a().b = c();", "a() c() a()b=".replace("a()b", "a().b").as_str());
    check("a[i()] += b();", "i() b() a[i()]=");
    check("p.* = 1; _ = a();", "p.*= a()");
    check("x, const y, var z: u8 = a();", "a() x= y= z=");
    check("comptime var k = a(); comptime b();", "a() k= b()");
    check("f(a(), b(c()));", "a() c() b() f()");
    check("const S = struct { const t = a(); fn g() void { return b(); } };", "a() t= later {b() return} S=");
    check("asm volatile (\"nop\" : [o] \"=r\" (x) : [i] \"r\" (a()) : \"memory\");", "x= a()");
    check("nosuspend a(); suspend { b(); }", "a() b() suspend");
}
