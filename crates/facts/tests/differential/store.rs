//! What the variables of a run hold.

/// A value of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Value {
    #[default]
    False,
    True,
    /// True, and not `true`.
    Other,
}

impl Value {
    pub(crate) fn of(truth: bool) -> Value {
        if truth { Value::True } else { Value::False }
    }

    pub(crate) fn is_true(self) -> bool {
        self != Value::False
    }
}

/// Any value: one of the three, or another.
pub(crate) const ANY_VALUE: u8 = 0b1111;

/// The variables that are no subjects.
pub(crate) struct Store {
    /// The values that `s` may still have.
    pub(crate) value: u8,
    /// The values that `q.v` may still have.
    pub(crate) member: u8,
    /// What `t` is, of the three values.
    pub(crate) text: u8,
    /// What `e` is.
    pub(crate) error: u8,
    /// Whether `k` is there, once that was asked.
    pub(crate) is_there: Option<bool>,
}

impl Default for Store {
    fn default() -> Store {
        Store { value: ANY_VALUE, member: ANY_VALUE, text: 0, error: 1, is_there: None }
    }
}

impl Store {
    /// The answer of `e` to a question; an error is true, and not `true`.
    pub(crate) fn asks(&self, asked: u8) -> Value {
        match asked {
            0 if self.error > 1 => Value::Other,
            0 => Value::False,
            1 => Value::of(self.error == 0),
            2 => Value::of(self.error < 2),
            _ => Value::of(self.error != 1),
        }
    }
}
