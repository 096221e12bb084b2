//! A random program as parts, so that it can be printed as TypeScript and as JavaScript, and made smaller.

/// A piece of a program.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// The same in both languages.
    Text(String),
    /// What TypeScript writes, and what that is when it runs.
    Typed(String, String),
    /// Statements, members or properties, each of which could be left out.
    Body(Vec<Code>),
}

/// Parts in a row: a statement, an expression, a member.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code(pub(crate) Vec<Part>);

/// Which language to print.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    TypeScript,
    JavaScript,
}

impl Code {
    pub(crate) fn of(text: impl Into<String>) -> Code {
        let mut code = Code::default();
        code.text(text);
        code
    }

    pub(crate) fn text(&mut self, text: impl Into<String>) -> &mut Code {
        self.0.push(Part::Text(text.into()));
        self
    }

    pub(crate) fn typed(&mut self, typed: &str, plain: &str) -> &mut Code {
        self.0.push(Part::Typed(typed.to_owned(), plain.to_owned()));
        self
    }

    pub(crate) fn code(&mut self, code: Code) -> &mut Code {
        self.0.extend(code.0);
        self
    }

    /// Statements in braces.
    pub(crate) fn block(&mut self, body: Vec<Code>) -> &mut Code {
        self.text("{ ");
        self.0.push(Part::Body(body));
        self.text(" }")
    }

    pub(crate) fn body(&mut self, body: Vec<Code>) -> &mut Code {
        self.0.push(Part::Body(body));
        self
    }

    pub(crate) fn print(&self, dialect: Dialect) -> String {
        let mut out = String::new();
        self.print_to(dialect, &mut out);
        out
    }

    fn print_to(&self, dialect: Dialect, out: &mut String) {
        for part in &self.0 {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Typed(typed, _) if dialect == Dialect::TypeScript => out.push_str(typed),
                Part::Typed(_, plain) => out.push_str(plain),
                Part::Body(lines) => {
                    for line in lines {
                        line.print_to(dialect, out);
                        out.push('\n');
                    }
                }
            }
        }
    }

    /// Every program that has one thing less than this one: a statement, or all of a statement but what is in its body.
    pub(crate) fn smaller(&self) -> Vec<Code> {
        let mut found = Vec::new();
        for (at, part) in self.0.iter().enumerate() {
            let Part::Body(lines) = part else { continue };
            let with = |lines: Vec<Code>| {
                let mut copy = self.clone();
                copy.0[at] = Part::Body(lines);
                copy
            };
            for index in 0..lines.len() {
                let mut fewer = lines.clone();
                let removed = fewer.remove(index);
                found.push(with(fewer.clone()));
                let inner =
                    removed.0.iter().filter_map(|part| if let Part::Body(inner) = part { Some(inner) } else { None });
                for inner in inner {
                    let mut spliced = fewer.clone();
                    spliced.splice(index..index, inner.clone());
                    found.push(with(spliced));
                }
                for smaller in removed.smaller() {
                    let mut changed = lines.clone();
                    changed[index] = smaller;
                    found.push(with(changed));
                }
            }
        }
        found
    }

    pub(crate) fn size(&self) -> usize {
        let of = |part: &Part| match part {
            Part::Body(lines) => lines.iter().map(|line| 1 + line.size()).sum(),
            _ => 0,
        };
        self.0.iter().map(of).sum()
    }
}
