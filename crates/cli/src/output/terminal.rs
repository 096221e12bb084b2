//! Questions on a terminal, answered with a key and no Enter.

use crate::pipeline::review::Asked;
use console::{Key, Term};
use std::io::{self, Write};

/// The terminal of the standard error and input.
pub struct Terminal(Term);

impl Terminal {
    /// The one that the program was started in.
    pub fn new() -> Terminal {
        Terminal(Term::stderr())
    }
}

impl Default for Terminal {
    fn default() -> Terminal {
        Terminal::new()
    }
}

impl Asked for Terminal {
    fn say(&mut self, text: &str) -> io::Result<()> {
        let mut output = anstream::stderr().lock();
        write!(output, "{text}")?;
        output.flush()
    }

    fn key(&mut self, letters: &str) -> io::Result<Option<char>> {
        loop {
            let letter = match self.0.read_key() {
                Ok(Key::Char(letter)) => letter.to_ascii_lowercase(),
                // As with any other question, leaving is no answer.
                Ok(Key::Escape | Key::CtrlC) => 'q',
                Ok(_) => continue,
                Err(error) if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::UnexpectedEof) => {
                    return Ok(None);
                }
                Err(error) => return Err(error),
            };
            // The end of the input, as a terminal sends it.
            if letter == '\u{4}' {
                return Ok(None);
            }
            if letters.contains(letter) {
                self.say(&format!("{letter}\n"))?;
                return Ok(Some(letter));
            }
        }
    }

    fn line(&mut self) -> io::Result<Option<String>> {
        let mut text = String::new();
        Ok((io::stdin().read_line(&mut text)? > 0).then(|| text.trim().to_owned()))
    }
}
