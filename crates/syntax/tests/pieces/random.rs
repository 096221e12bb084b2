//! Random TypeScript in which slashes, quotes and comments stand wherever they can.

/// A small generator of random programs (xorshift64*).
pub(crate) struct Random {
    state: u64,
    text: String,
}

/// What a regular expression, a string or a template says, and what would begin something else elsewhere.
const REGEXES: [&str; 9] = ["/'/", "/\"/g", "/[/']/", "/`/", "/\\//", "/a/", "/[\\]/'\"]/i", "/\\/\\//", "/=\\/*/"];
const STRINGS: [&str; 6] = ["'//'", "\"/*\"", "'`'", "'\\''", "\"it's\"", "'*/'"];
const COMMENTS: [&str; 6] = ["/* ' */", "/* \" // */", "/*/ ` */", "// '\n", "// /* `\n", "// it's \u{2028}"];
const NAMES: [&str; 9] = ["a", "b1", "of", "async", "$", "type", "x.return", "x.of", "ü"];
const UNARY: [&str; 9] = ["!", "-", "typeof ", "void ", "await ", "++", "~", "delete x.", "new "];
const BINARY: [&str; 14] = ["/", "*", "+", "-", "%", "&&", "||", "??", "===", "<", ">", " in ", " instanceof ", ", "];

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, text: String::new() }
    }

    /// The next program.
    pub(crate) fn program(&mut self) -> String {
        self.text.clear();
        for _ in 0..=self.roll(4) {
            self.statement(3);
        }
        std::mem::take(&mut self.text)
    }

    fn roll(&mut self, sides: u64) -> usize {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        let roll = (self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % sides.max(1);
        usize::try_from(roll).unwrap_or(0)
    }

    fn one_of(&mut self, texts: &[&str]) {
        let at = self.roll(texts.len() as u64);
        self.text.push_str(texts[at]);
    }

    fn say(&mut self, text: &str) {
        self.text.push_str(text);
        self.space();
    }

    /// Nothing, a space, a line's end, or a comment.
    fn space(&mut self) {
        match self.roll(12) {
            0 => self.text.push(' '),
            1 => self.text.push('\n'),
            2 => self.one_of(&COMMENTS),
            3 => self.text.push_str(" \n "),
            _ => {}
        }
    }

    fn statement(&mut self, depth: u64) {
        let deeper = depth.saturating_sub(1);
        match self.roll(if depth == 0 { 3 } else { 13 }) {
            0 => self.around("", depth, ";"),
            1 => self.around("return ", depth, "\n"),
            2 => self.around("let a: B[] = ", depth, "\n"),
            3 => self.headed("if (", deeper),
            4 => self.headed("while (", deeper),
            5 => self.headed("for (const k of ", deeper),
            6 => self.headed("for await (const k of ", deeper),
            7 => {
                self.headed("if (", deeper);
                self.say("else ");
                self.statement(deeper);
            }
            8 => {
                self.say("do ");
                self.statement(deeper);
                self.around("while (", deeper, ")");
            }
            9 => {
                self.say("{");
                self.statement(deeper);
                self.say("}");
            }
            10 => self.around("export default ", deeper, ";"),
            11 => self.say("let a: B[]\n"),
            _ => {
                self.say("switch (a) { case ");
                self.expression(deeper);
                self.say(": ");
                self.statement(deeper);
                self.say("}");
            }
        }
    }

    /// `if (…) …`
    fn headed(&mut self, head: &str, depth: u64) {
        self.around(head, depth, ")");
        self.statement(depth);
    }

    fn around(&mut self, before: &str, depth: u64, behind: &str) {
        self.say(before);
        self.expression(depth);
        self.say(behind);
    }

    fn expression(&mut self, depth: u64) {
        let deeper = depth.saturating_sub(1);
        match self.roll(if depth == 0 { 4 } else { 21 }) {
            0 => self.one_of(&NAMES),
            1 => self.one_of(&REGEXES),
            2 => self.one_of(&STRINGS),
            3 => self.text.push('7'),
            4..=8 => {
                self.expression(deeper);
                self.space();
                self.one_of(&BINARY);
                self.space();
                self.expression(deeper);
            }
            9 => {
                self.one_of(&UNARY);
                self.space();
                self.expression(deeper);
            }
            10 => self.around("(", deeper, ")"),
            11 => self.around("f(", deeper, ")"),
            12 => {
                self.expression(deeper);
                self.around("[", deeper, "]");
            }
            13 => {
                self.expression(deeper);
                self.say("!");
            }
            14 => {
                self.expression(deeper);
                self.say("++");
            }
            15 => {
                self.around("", deeper, "?");
                self.around("", deeper, ":");
                self.expression(deeper);
            }
            16 => self.around("(x) => ", deeper, ""),
            17 => self.around("({ a: ", deeper, "})"),
            18 => self.around("`' // ${", deeper, "} \" /* `"),
            19 => self.around("<T>", deeper, ""),
            _ => self.around("", deeper, " as any"),
        }
        self.space();
    }
}
