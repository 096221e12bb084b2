//! One operation as one line.

use super::{Printer, body_name, class_name, name, value_name};
use crate::{
    Arg, Call, Callee, Const, Copied, Does, Forget, Form, Given, Hook, How, Key, Made, Op, Order, Path, Pause, Place,
    Prim, Root, Runs, Sameness, Step, Times, Used, ValueId, VarId, Waits,
};

impl Printer<'_> {
    /// The operation, without its node.
    pub fn op(&self, op: &Op) -> String {
        let gives = op.gives.map(|value| format!("{} = ", value_name(value))).unwrap_or_default();
        let raises = if op.raises { " !" } else { "" };
        format!("{gives}{}{raises}", self.does(&op.does))
    }

    fn does(&self, does: &Does) -> String {
        match does {
            Does::Mark => "mark".to_owned(),
            Does::Const(value) => constant(value),
            Does::Given(given) => given_name(*given).to_owned(),
            Does::Compute(prim, operands) => format!("{} {}", prim_name(*prim), values(operands)),
            Does::Read(place) => format!("read {}", self.place(place)),
            Does::Write { place, value, how } => self.write(place, *value, how),
            Does::Has(object, step) => format!("has {}{}", value_name(*object), self.step(step)),
            Does::Address(place) => format!("address {}", self.place(place)),
            Does::Make(made) => format!("make {}", made_name(*made)),
            Does::Copy(copied) => self.copy(copied),
            Does::Close { body, runs } => format!("close {}{}", body_name(*body), runs_name(*runs)),
            Does::Define(class) => format!("define {}", class_name(*class)),
            Does::Renew(vars) => format!("renew {}", self.vars(vars)),
            Does::Call(call) => self.call(call),
            Does::Suspend { pause, value } => {
                let value = value.map(|value| format!(" {}", value_name(value))).unwrap_or_default();
                format!("{}{value}", pause_name(*pause))
            }
            Does::Forget(Forget::Everything) => "forget everything".to_owned(),
            Does::Forget(Forget::Vars(vars)) => format!("forget {}", self.vars(vars)),
        }
    }

    fn vars(&self, vars: &[VarId]) -> String {
        let names: Vec<String> = vars.iter().map(|&var| self.var(var)).collect();
        names.join(", ")
    }

    fn write(&self, place: &Place, value: Option<ValueId>, how: &How) -> String {
        let (word, listed) = match how {
            How::Declare => ("declare", String::new()),
            How::Assign => ("write", String::new()),
            How::Init => ("init", String::new()),
            How::Delete => return format!("delete {}", self.place(place)),
            How::Getter => ("getter", String::new()),
            How::Setter => ("setter", String::new()),
            How::Whole(names) => {
                let names: Vec<String> = names.iter().map(|listed| name(listed, |var| self.var(var))).collect();
                ("write whole", format!(" {{{}}}", names.join(" ")))
            }
        };
        let value = value.map_or_else(|| "?".to_owned(), value_name);
        format!("{word} {} = {value}{listed}", self.place(place))
    }

    fn copy(&self, copied: &Copied) -> String {
        let but: String = copied.but.iter().map(|step| format!(" {}", self.step(step))).collect();
        let but = if but.is_empty() { but } else { format!(" but{but}") };
        let how = if copied.how == How::Assign { "assign" } else { "copy" };
        format!("{how} {} into {}{but}", value_name(copied.from), value_name(copied.into))
    }

    fn call(&self, call: &Call) -> String {
        let callee = match &call.callee {
            Callee::Value(value) => value_name(*value),
            Callee::Member { object, name: called, function } => {
                let called = name(called, |var| self.var(var));
                format!("{}{called}={}", value_name(*object), value_name(*function))
            }
            Callee::Super(called) => format!("super{}", name(called, |var| self.var(var))),
            Callee::Make => "super".to_owned(),
            Callee::Fields => "fields".to_owned(),
            Callee::Hook(hook) => hook_name(*hook).to_owned(),
            Callee::Global(path) => path_name(path),
        };
        let args: Vec<String> = call.args.iter().map(argument).collect();
        let form = match call.form {
            Form::Plain => "call",
            Form::New => "new",
            Form::Tag => "tag",
        };
        let this = match call.callee {
            Callee::Member { .. } => String::new(),
            _ => call.this.map(|this| format!(" this {}", value_name(this))).unwrap_or_default(),
        };
        format!("{form} {callee}({}){this}{}", args.join(", "), self.waits(call.waits))
    }

    fn waits(&self, waits: Waits) -> String {
        match waits {
            Waits::At(node) => format!(" waited for at {}", (self.node)(node)),
            Waits::UnlessAnother(node) => format!(" waited for with others at {}", (self.node)(node)),
            Waits::Returned => " returned".to_owned(),
            Waits::Not => String::new(),
        }
    }

    /// A place.
    pub fn place(&self, place: &Place) -> String {
        let mut out = match &place.root {
            Root::Var(var) => self.var(*var),
            Root::Value(value) => value_name(*value),
            Root::Global(path) => path_name(path),
            Root::Slot(slot) => format!("~{}", slot.0),
            Root::Super => "super".to_owned(),
        };
        place.steps.iter().for_each(|step| out.push_str(&self.step(step)));
        out
    }

    /// A step of a place.
    pub fn step(&self, step: &Step) -> String {
        match step {
            Step::Member(member) => name(member, |var| self.var(var)),
            Step::Element(key, value) => {
                let key = match key {
                    Key::Number => ": number".to_owned(),
                    Key::Texts(texts) => {
                        let texts: Vec<&str> = texts.iter().map(crate::Sym::as_str).collect();
                        format!(": {}", texts.join("|"))
                    }
                    Key::Symbol(symbol) => format!(": symbol {}", self.var(*symbol)),
                    Key::Unknown => String::new(),
                };
                format!("[{}{key}]", value_name(*value))
            }
            Step::Any => ".<any>".to_owned(),
            Step::Deref => ".*".to_owned(),
            Step::MaybeDeref => ".?*".to_owned(),
        }
    }
}

/// A constant as it could be written.
pub(super) fn constant(constant: &Const) -> String {
    match constant {
        Const::Undefined => "undefined".to_owned(),
        Const::Null => "null".to_owned(),
        Const::Bool(value) => value.to_string(),
        Const::Number(number) => format!("{number:?}"),
        Const::Text(text) => format!("{:?}", text.as_str()),
        Const::Tag(text) => format!("'{text}"),
        Const::Error(text) => format!("error.{text}"),
        Const::Other(text) => format!("literal {text}"),
    }
}

fn path_name(path: &Path) -> String {
    let names: Vec<&str> = path.0.iter().map(crate::Sym::as_str).collect();
    format!("::{}", names.join("."))
}

fn values(values: &[ValueId]) -> String {
    let names: Vec<String> = values.iter().map(|&value| value_name(value)).collect();
    names.join(" ")
}

fn argument(arg: &Arg) -> String {
    let used = match arg.used {
        Used::Unknown => "",
        Used::Runs(Times::Once) => " (runs once)",
        Used::Runs(Times::Any) => " (runs)",
        Used::Runs(Times::AtMostOnce) => " (runs at most once)",
        Used::Executor => " (executor)",
        Used::Proxied => " (traps)",
        Used::NotKept => " (not kept)",
    };
    format!("{}{}{used}", if arg.spread { "..." } else { "" }, value_name(arg.value))
}

fn runs_name(runs: Runs) -> &'static str {
    match runs {
        Runs::Here(Times::Once) => " run here",
        Runs::Here(Times::Any) => " run here any times",
        Runs::Here(Times::AtMostOnce) => " run here at most once",
        Runs::Later => "",
        Runs::Anywhere => " run anywhere",
        Runs::Iterated => " run at each next",
    }
}

fn given_name(given: Given) -> &'static str {
    match given {
        Given::This => "this",
        Given::NewTarget => "new.target",
        Given::Arguments => "arguments",
        Given::Function => "the function",
    }
}

fn made_name(made: Made) -> &'static str {
    match made {
        Made::Object => "object",
        Made::List => "list",
        Made::Struct => "struct",
        Made::Other => "other",
    }
}

fn pause_name(pause: Pause) -> &'static str {
    match pause {
        Pause::Await => "await",
        Pause::Yield => "yield",
        Pause::Delegate => "yield each of",
        Pause::Turn => "await turn",
        Pause::Dispose => "await dispose",
    }
}

fn hook_name(hook: Hook) -> &'static str {
    match hook {
        Hook::Iterate => "<iterate>",
        Hook::IterateAsync => "<iterate async>",
        Hook::Keys => "<keys>",
        Hook::Next => "<next>",
        Hook::Close => "<close>",
        Hook::Convert => "<convert>",
        Hook::HasInstance => "<has instance>",
        Hook::Dispose => "<dispose>",
        Hook::Drop => "<drop>",
    }
}

fn prim_name(prim: Prim) -> &'static str {
    match prim {
        Prim::Not => "not",
        Prim::Same(Sameness::Strict) => "===",
        Prim::Same(Sameness::Loose) => "==",
        Prim::Less(Order::Less) => "<",
        Prim::Less(Order::LessOrEqual) => "<=",
        Prim::Add => "add",
        Prim::Subtract => "subtract",
        Prim::Multiply => "multiply",
        Prim::Negate => "negate",
        Prim::Number => "number",
        Prim::Text => "text",
        Prim::Key => "key",
        Prim::TypeOf => "type of",
        Prim::InstanceOf => "instance of",
        Prim::Missing => "missing",
        Prim::IsError => "is error",
        Prim::Other(_) => "some function of",
    }
}
