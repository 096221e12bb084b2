//! The decisions of a run: first all of them in order, and, when they are not all that there are, others at random.

use super::engine::Dice;

/// The decisions of one run; a run that takes more than `longest` is cut off.
pub(crate) struct Tape {
    random: Option<Dice>,
    taken: Vec<(u8, u8)>,
    at: usize,
    longest: usize,
}

impl Tape {
    /// One of `of` ways; `None` when the run is too long.
    pub(crate) fn decide(&mut self, of: u8) -> Option<u8> {
        if self.at >= self.longest {
            return None;
        }
        if self.at == self.taken.len() {
            let way = self.random.as_mut().map_or(0, |dice| dice.roll(u64::from(of)) as u8);
            self.taken.push((way, of));
        }
        self.at += 1;
        Some(self.taken[self.at - 1].0)
    }
}

/// How many runs there are of one function.
pub(crate) struct Size {
    pub(crate) first: usize,
    pub(crate) random: usize,
    pub(crate) longest: usize,
}

/// Runs `run` with every sequence of decisions; of too many, with a part.
pub(crate) fn each_run(size: &Size, dice: &mut Dice, run: &mut dyn FnMut(Tape) -> Tape) {
    let longest = size.longest;
    let mut taken: Vec<(u8, u8)> = Vec::new();
    for _ in 0..size.first {
        let tape = run(Tape { random: None, taken, at: 0, longest });
        taken = tape.taken;
        taken.truncate(tape.at);
        while taken.last().is_some_and(|(way, of)| way + 1 >= *of) {
            taken.pop();
        }
        match taken.last_mut() {
            Some((way, _)) => *way += 1,
            None => return,
        }
    }
    for _ in 0..size.random {
        run(Tape { random: Some(Dice(dice.roll(u64::MAX) | 1)), taken: Vec::new(), at: 0, longest });
    }
}
