//! Runs of `switch` statements.

use super::interpreter::{End, Run};
use super::language::Stmt;
use super::store::Value;

impl Run {
    /// Evaluates a `switch` up to its arm, then runs on from there.
    pub(super) fn switch(&mut self, stmt: &Stmt) -> Result<End, End> {
        let (entered, bodies): (Option<usize>, Vec<&[Stmt]>) = match stmt {
            Stmt::Switch(arms) => {
                self.other()?;
                let cases: Vec<usize> = (0..arms.len()).filter(|&at| !arms[at].0).collect();
                let way = self.decide(cases.len() as u8 + 1)? as usize;
                let entered = cases.get(way).copied().or_else(|| arms.iter().position(|(default, _)| *default));
                (entered, arms.iter().map(|(_, body)| &body[..]).collect())
            }
            Stmt::SwitchValue(arms) => {
                let mut entered = None;
                for (at, (value, _)) in arms.iter().enumerate() {
                    if entered.is_none() && self.is_s(*value)? {
                        entered = Some(at);
                    }
                }
                (entered, arms.iter().map(|(_, body)| &body[..]).collect())
            }
            Stmt::SwitchText(arms) => {
                let entered = arms.iter().position(|(value, _)| *value == self.store.text);
                (entered, arms.iter().map(|(_, body)| &body[..]).collect())
            }
            Stmt::SwitchCopy(_, between, arms) => {
                let copy = self.copy()?;
                match self.block(between) {
                    End::Normal => {}
                    end => return Ok(end),
                }
                let entered = arms.iter().position(|(value, _)| 1 << *value == copy);
                (entered, arms.iter().map(|(_, body)| &body[..]).collect())
            }
            Stmt::SwitchTrue(arms) => {
                let mut entered = None;
                for (at, (test, _)) in arms.iter().enumerate() {
                    if entered.is_none() && self.cond(test)? == Value::True {
                        entered = Some(at);
                    }
                }
                (entered, arms.iter().map(|(_, body)| &body[..]).collect())
            }
            _ => return Ok(End::Normal),
        };
        for body in bodies.into_iter().skip(entered.unwrap_or(usize::MAX)) {
            match self.block(body) {
                End::Normal => {}
                End::Break(None) => return Ok(End::Normal),
                end => return Ok(end),
            }
        }
        Ok(End::Normal)
    }
}
