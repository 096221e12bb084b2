//! Prints a unit so that people can read it: `factgate facts --steps`, snapshots, and what a failing test shows.
//!
//! Values are `%3`, slots `~1`, nodes what the caller says. An operation that can raise ends in ` !`.

mod op;

use crate::{Arm, Atom, Catch, ClassId, Holds, Member, Missed, Name, Op, Operand, Order, Sameness, ValueId};
use crate::{Base, Body, BodyId, BodyKind, Class, Code, Exit, Falls, Is, Label, NodeId, On, Test, This, Unit, When};
use std::fmt::Write as _;

/// Prints units whose nodes are shown by `node`; an empty answer shows nothing.
pub struct Printer<'p> {
    /// The unit.
    pub unit: &'p Unit,
    /// How a node is shown: a line and column, a text.
    pub node: &'p dyn Fn(NodeId) -> String,
}

/// The unit with nodes as `#4`.
pub fn unit(unit: &Unit) -> String {
    Printer { unit, node: &|node| format!("#{}", node.index()) }.all()
}

impl Printer<'_> {
    /// The whole unit: classes, then each body.
    pub fn all(&self) -> String {
        let mut out = String::new();
        for (index, class) in self.unit.classes.iter().enumerate() {
            self.class(&mut out, ClassId(index as u32), class);
        }
        for id in self.unit.body_ids() {
            out.push_str(&self.body(id));
        }
        out
    }

    /// One body.
    pub fn body(&self, id: BodyId) -> String {
        let body = self.unit.body(id);
        let mut out = String::new();
        let _ = write!(out, "{} {}{}", kind(body), body_name(id), self.params(body));
        if let Some(outer) = body.outer {
            let _ = write!(out, " in {}", body_name(outer));
        }
        if let Some(class) = body.class {
            let _ = write!(out, " of {}", class_name(class));
        }
        let this = match body.this {
            This::None => "",
            This::Outer => ", this of that",
            This::Given => ", this given",
            This::Made => ", this made",
        };
        let _ = writeln!(out, "{this}{}", self.at(body.node));
        self.code(&mut out, &body.code, 1);
        out
    }

    fn params(&self, body: &Body) -> String {
        let mut params: Vec<String> = body.params.iter().map(|&var| self.var(var)).collect();
        params.extend(body.rest.map(|var| format!("...{}", self.var(var))));
        format!("({})", params.join(", "))
    }

    fn class(&self, out: &mut String, id: ClassId, class: &Class) {
        let base = match class.base {
            Base::None => String::new(),
            Base::Value(value) => format!(" extends {}", value_name(value)),
            Base::Unread => " extends something".to_owned(),
        };
        let fields = class.fields.map(|body| format!(", fields {}", body_name(body))).unwrap_or_default();
        let make = body_name(class.make);
        let _ = writeln!(out, "class {}{base}, make {make}{fields}{}", class_name(id), self.at(class.node));
        for member in &class.members {
            let _ = writeln!(out, "  {}", self.member(member));
        }
    }

    fn member(&self, member: &Member) -> String {
        let on = if member.on == On::Class { "static " } else { "" };
        let (is, body) = match member.is {
            Is::Method(body) => ("method", Some(body)),
            Is::Getter(body) => ("getter", Some(body)),
            Is::Setter(body) => ("setter", Some(body)),
            Is::Field => ("field", None),
            Is::Replaced => ("replaced", None),
        };
        let body = body.map(|body| format!(" {}", body_name(body))).unwrap_or_default();
        format!("{on}{is} {}{body}{}", self.step(&member.at), self.at(member.node))
    }

    fn at(&self, node: NodeId) -> String {
        let shown = (self.node)(node);
        if shown.is_empty() { shown } else { format!("  {shown}") }
    }

    fn code(&self, out: &mut String, code: &Code, depth: usize) {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.shape(out, code, depth));
    }

    fn shape(&self, out: &mut String, code: &Code, depth: usize) {
        match code {
            Code::Seq(parts) => parts.iter().for_each(|part| self.code(out, part, depth)),
            Code::Do(op) => line(out, depth, &self.op_at(op)),
            Code::Branch { test, yes, no } => {
                self.head(out, depth, "if", test);
                self.code(out, yes, depth + 1);
                self.part(out, depth, "else", no);
            }
            Code::Arms { arms, falls, missed, label } => {
                let falls = if *falls == Falls::Through { ", each into the next" } else { "" };
                let missed = if *missed == Missed::Never { ", one for sure" } else { "" };
                line(out, depth, &format!("arms {}{falls}{missed}", label_name(*label)));
                arms.iter().for_each(|arm| self.arm(out, arm, depth + 1));
            }
            Code::Loop { label, test, body, step, otherwise } => {
                self.head(out, depth, &format!("loop {}", label_name(*label)), test);
                self.code(out, body, depth + 1);
                self.part(out, depth, "step", step);
                self.part(out, depth, "else", otherwise);
            }
            Code::Block { label, body } => self.part(out, depth, &format!("block {}", label_name(*label)), body),
            Code::Guarded { body, catch, leaving } => {
                line(out, depth, "guarded");
                self.code(out, body, depth + 1);
                if let Some(Catch { value, code }) = catch {
                    let value = value.map(|value| format!(" {}", value_name(value))).unwrap_or_default();
                    line(out, depth, &format!("catch{value}"));
                    self.code(out, code, depth + 1);
                }
                if let Some((when, code)) = leaving {
                    line(out, depth, if *when == When::Every { "leaving" } else { "leaving with an error" });
                    self.code(out, code, depth + 1);
                }
            }
            Code::Leave { to, value, node } => {
                let value = value.map(|value| format!(" {}", value_name(value))).unwrap_or_default();
                line(out, depth, &format!("{}{value}{}", exit_name(*to), self.at(*node)));
            }
        }
    }

    fn part(&self, out: &mut String, depth: usize, name: &str, code: &Code) {
        if !code.is_nothing() {
            line(out, depth, name);
            self.code(out, code, depth + 1);
        }
    }

    fn arm(&self, out: &mut String, arm: &Arm, depth: usize) {
        for test in &arm.tests {
            self.head(out, depth, "when", test);
        }
        if arm.default {
            line(out, depth, "otherwise");
        }
        self.code(out, &arm.body, depth + 1);
    }

    /// A test: its connectives as lines, so that the code of each leaf stands in front of what it decides.
    fn head(&self, out: &mut String, depth: usize, word: &str, test: &Test) {
        match test {
            Test::Leaf(leaf) if leaf.code.is_nothing() => {
                line(out, depth, &format!("{word} {}{}", atom(&leaf.atom), self.at(leaf.node)));
            }
            Test::Leaf(leaf) => {
                line(out, depth, &format!("{word} {}{}, from", atom(&leaf.atom), self.at(leaf.node)));
                self.code(out, &leaf.code, depth + 2);
            }
            Test::Not(inner) => self.head(out, depth, &format!("{word} not"), inner),
            Test::And(parts) => self.parts(out, depth, &format!("{word} all"), parts),
            Test::Or(parts) => self.parts(out, depth, &format!("{word} one"), parts),
            Test::Choice(parts) => self.parts(out, depth, &format!("{word} choice"), &**parts),
            Test::Unknown(code, node) => {
                line(out, depth, &format!("{word} perhaps{}", self.at(*node)));
                self.code(out, code, depth + 2);
            }
            Test::Always => line(out, depth, &format!("{word} always")),
        }
    }

    fn parts(&self, out: &mut String, depth: usize, word: &str, parts: &[Test]) {
        line(out, depth, word);
        parts.iter().for_each(|part| self.head(out, depth + 1, "-", part));
    }

    fn op_at(&self, op: &Op) -> String {
        format!("{}{}", self.op(op), self.at(op.node))
    }
}

fn line(out: &mut String, depth: usize, text: &str) {
    let _ = writeln!(out, "{:width$}{text}", "", width = depth * 2);
}

fn kind(body: &Body) -> &'static str {
    match body.kind {
        BodyKind::Plain => "body",
        BodyKind::Async => "async body",
        BodyKind::Generator => "generator",
        BodyKind::AsyncGenerator => "async generator",
    }
}

/// What a leaf asks.
pub fn atom(atom: &Atom) -> String {
    match atom {
        Atom::Truth(value) => value_name(*value),
        Atom::Same(value, other, sameness) => {
            let sign = if *sameness == Sameness::Strict { "===" } else { "==" };
            let other = match other {
                Operand::Value(value) => value_name(*value),
                Operand::Const(constant) => op::constant(constant),
            };
            format!("{} {sign} {other}", value_name(*value))
        }
        Atom::Less(left, right, order) => {
            let sign = if *order == Order::Less { "<" } else { "<=" };
            format!("{} {sign} {}", value_name(*left), value_name(*right))
        }
        Atom::Missing(value) => format!("missing {}", value_name(*value)),
        Atom::Error(value) => format!("error {}", value_name(*value)),
        Atom::Done(value) => format!("done {}", value_name(*value)),
    }
}

/// How a way out is called.
pub fn exit_name(to: Exit) -> String {
    match to {
        Exit::Return => "return".to_owned(),
        Exit::ErrorReturn => "return error".to_owned(),
        Exit::Raise => "raise".to_owned(),
        Exit::Break(label) => format!("break {}", label_name(label)),
        Exit::Continue(label) => format!("continue {}", label_name(label)),
        Exit::Never => "never".to_owned(),
    }
}

pub(crate) fn value_name(value: ValueId) -> String {
    format!("%{}", value.0)
}

pub(crate) fn body_name(body: BodyId) -> String {
    format!("f{}", body.0)
}

fn class_name(class: ClassId) -> String {
    format!("C{}", class.0)
}

fn label_name(label: Label) -> String {
    format!("@{}", label.0)
}

/// How a name is called. `#x` of the class 1 is `#x/C1`.
pub(crate) fn name(name: &Name, var: impl Fn(crate::VarId) -> String) -> String {
    match name {
        Name::Text(text) => format!(".{text}"),
        Name::Private(class, text) => format!(".#{text}/{}", class_name(*class)),
        Name::Symbol(symbol) => format!("[{}]", var(*symbol)),
        Name::Length => ".<length>".to_owned(),
        Name::Inner => ".<inner>".to_owned(),
        Name::Error => ".<error>".to_owned(),
    }
}

impl Printer<'_> {
    /// How a variable is called: with its number when it has no name of its own in the unit.
    pub fn var(&self, id: crate::VarId) -> String {
        let var = self.unit.var(id);
        let twin = |other: &crate::Var| other.name == var.name;
        let own = if self.unit.vars.iter().filter(|other| twin(other)).count() == 1 && !var.name.as_str().is_empty() {
            var.name.to_string()
        } else {
            format!("{}/{}", var.name, id.0)
        };
        match var.holds {
            Holds::Reference => own,
            Holds::Own => format!("{own}="),
            Holds::Either => format!("{own}?"),
        }
    }
}
