//! Values and arithmetic over them, as the language of the constant computes it.

use factgate_record::FactValue;
use factgate_syntax::languages::Arithmetic;
use std::cmp::Ordering;

/// A computed constant.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Integer(i128),
    Float(f64),
    Text(String),
    Bool(bool),
}

/// ECMAScript's `Number.MAX_SAFE_INTEGER`: up to here a double is exact.
const SAFE: i128 = (1 << 53) - 1;

/// The value as a fact shows it; `None` for what does not fit.
pub(super) fn fact_value(value: &Value) -> Option<FactValue> {
    Some(match value {
        Value::Integer(number) => FactValue::Integer(i64::try_from(*number).ok()?),
        Value::Float(number) if number.is_finite() => FactValue::Float(*number),
        Value::Float(_) => return None,
        Value::Text(text) => FactValue::Text(text.clone()),
        Value::Bool(truth) => FactValue::Bool(*truth),
    })
}

/// A total order: truth values, numbers, texts.
pub(super) fn order(left: &Value, right: &Value) -> Ordering {
    let rank = |value: &Value| match value {
        Value::Bool(_) => 0,
        Value::Integer(_) | Value::Float(_) => 1,
        Value::Text(_) => 2,
    };
    match (left, right) {
        (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        _ => match (as_float(left), as_float(right)) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            _ => rank(left).cmp(&rank(right)),
        },
    }
}

fn as_float(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        Value::Text(_) | Value::Bool(_) => None,
    }
}

/// `-value`; `None` where the language has no such thing.
pub(super) fn negate(value: &Value) -> Option<Value> {
    match value {
        Value::Integer(number) => Some(Value::Integer(number.checked_neg()?)),
        Value::Float(number) => Some(whole(-number)),
        Value::Text(_) | Value::Bool(_) => None,
    }
}

/// `left operator right`; `None` when the result is none, or not exact.
pub(super) fn binary(arithmetic: Arithmetic, left: &Value, operator: &str, right: &Value) -> Option<Value> {
    if let (Value::Text(a), "+", Value::Text(b), Arithmetic::Doubles) = (left, operator, right, arithmetic) {
        return Some(Value::Text(format!("{a}{b}")));
    }
    match (left, right, arithmetic) {
        (Value::Integer(a), Value::Integer(b), Arithmetic::Exact) => exact(*a, operator, *b).map(Value::Integer),
        (Value::Integer(a), Value::Integer(b), Arithmetic::Doubles) => number(*a, operator, *b),
        _ => float(as_float(left)?, operator, as_float(right)?).map(whole),
    }
}

/// A double that is an integer prints as one.
fn whole(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() <= SAFE as f64 && !(number == 0.0 && number.is_sign_negative()) {
        Value::Integer(number as i128)
    } else {
        Value::Float(number)
    }
}

fn float(a: f64, operator: &str, b: f64) -> Option<f64> {
    let result = match operator {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a / b,
        "%" => a % b,
        "**" => a.powf(b),
        _ => return None,
    };
    result.is_finite().then_some(result)
}

/// Zig's `comptime_int`: `/` truncates, and on negative operands neither `/` nor `%` is allowed unless exact.
fn exact(a: i128, operator: &str, b: i128) -> Option<i128> {
    match operator {
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" => a.checked_div(b),
        "%" if a >= 0 && b > 0 => a.checked_rem(b),
        "<<" => {
            let shift = u32::try_from(b).ok().filter(|&shift| shift < 127)?;
            a.checked_mul(1i128 << shift)
        }
        ">>" => a.checked_shr(u32::try_from(b).ok()?),
        "|" => Some(a | b),
        "&" => Some(a & b),
        "^" => Some(a ^ b),
        _ => None,
    }
}

/// ECMAScript's Number, <https://tc39.es/ecma262/#sec-numeric-types-number>, on integers. Results beyond the integers
/// that a double holds exactly are refused.
fn number(a: i128, operator: &str, b: i128) -> Option<Value> {
    let safe = |number: i128| (number.abs() <= SAFE).then_some(Value::Integer(number));
    if a.abs() > SAFE || b.abs() > SAFE {
        return None;
    }
    let (low, shift) = (wrap(a), (wrap(b) as u32) & 31);
    match operator {
        "+" => safe(a + b),
        "-" => safe(a - b),
        "*" => safe(a * b),
        "%" if b != 0 && !(a < 0 && a % b == 0) => safe(a % b),
        "**" => match u32::try_from(b) {
            Ok(power) => safe(a.checked_pow(power)?),
            Err(_) => float(a as f64, "**", b as f64).map(whole),
        },
        "/" => float(a as f64, "/", b as f64).map(whole),
        "<<" => safe(i128::from(low.wrapping_shl(shift))),
        ">>" => safe(i128::from(low.wrapping_shr(shift))),
        "|" => safe(i128::from(low | wrap(b))),
        "&" => safe(i128::from(low & wrap(b))),
        "^" => safe(i128::from(low ^ wrap(b))),
        _ => None,
    }
}

/// ECMAScript's ToInt32.
fn wrap(number: i128) -> i32 {
    number as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use Arithmetic::{Doubles, Exact};

    fn check(arithmetic: Arithmetic, left: i128, operator: &str, right: i128, expected: Option<Value>) {
        let result = binary(arithmetic, &Value::Integer(left), operator, &Value::Integer(right));
        assert_eq!(result, expected, "{left} {operator} {right}");
    }

    #[test]
    fn integers_are_computed_as_their_language_does() {
        let integer = |number| Some(Value::Integer(number));
        check(Doubles, 5, "*", 1000, integer(5000));
        check(Doubles, 5, "/", 2, Some(Value::Float(2.5)));
        check(Doubles, 6, "/", 2, integer(3));
        check(Doubles, 6, "/", 0, None);
        check(Doubles, -7, "%", 3, integer(-1));
        check(Doubles, 2, "**", 10, integer(1024));
        check(Doubles, 2, "**", -1, Some(Value::Float(0.5)));
        check(Doubles, 1, "<<", 31, integer(-2_147_483_648));
        check(Doubles, 1, "<<", 32, integer(1));
        check(Doubles, SAFE, "+", 1, None);
        check(Doubles, 0xffff_ffff, "|", 0, integer(-1));
        check(Exact, 5, "/", 2, integer(2));
        check(Exact, 1, "<<", 40, integer(1 << 40));
        check(Exact, -7, "%", 3, None);
        check(Exact, i128::MAX, "+", 1, None);
        check(Exact, 1, "/", 0, None);
    }
}
