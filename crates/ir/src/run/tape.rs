//! What answers where the program does not say: one after the other all sequences of answers, or answers at random.

/// The answers of a run.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    /// Each answer, and out of how many.
    taken: Vec<(u32, u32)>,
    read: usize,
    random: Option<u64>,
}

impl Tape {
    /// A tape of these answers; behind its end every answer is 0.
    pub fn new(answers: Vec<u32>) -> Tape {
        Tape { taken: answers.into_iter().map(|answer| (answer, u32::MAX)).collect(), read: 0, random: None }
    }

    /// A tape of random answers.
    pub fn random(seed: u64) -> Tape {
        Tape { taken: Vec::new(), read: 0, random: Some(seed | 1) }
    }

    /// The next answer out of so many.
    pub fn answer(&mut self, choices: u32) -> u32 {
        let choices = choices.max(1);
        if self.read == self.taken.len() {
            let answer = self.random.as_mut().map_or(0, |state| roll(state, choices));
            self.taken.push((answer, choices));
        }
        let (answer, known) = &mut self.taken[self.read];
        self.read += 1;
        *known = choices;
        *answer %= choices;
        *answer
    }

    /// The answers that were given.
    pub fn answers(&self) -> Vec<u32> {
        self.taken.iter().take(self.read).map(|(answer, _)| *answer).collect()
    }

    /// The tape of the run that comes after the one that has read this one; none when all runs were tried. Started with
    /// an empty tape, all sequences of answers come in order, as long as runs end.
    pub fn following(mut self) -> Option<Tape> {
        self.taken.truncate(self.read);
        while self.taken.last().is_some_and(|(answer, choices)| answer + 1 >= *choices) {
            self.taken.pop();
        }
        self.taken.last_mut()?.0 += 1;
        self.read = 0;
        Some(self)
    }
}

/// A small generator of random numbers (xorshift64*).
fn roll(state: &mut u64, choices: u32) -> u32 {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    ((state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % u64::from(choices)) as u32
}

#[cfg(test)]
mod tests {
    use super::Tape;

    #[test]
    fn every_sequence_comes_once() {
        let mut seen = Vec::new();
        let mut next = Some(Tape::default());
        while let Some(mut tape) = next {
            let first = tape.answer(2);
            let answers = if first == 1 { vec![first, tape.answer(3)] } else { vec![first] };
            assert_eq!(tape.answers(), answers);
            seen.push(answers);
            next = tape.following();
        }
        assert_eq!(seen, [vec![0], vec![1, 0], vec![1, 1], vec![1, 2]]);
    }
}
