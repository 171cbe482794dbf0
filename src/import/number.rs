//! Numbers of a JSON text that keep their text.

use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::value::RawValue;

use crate::model::Printed;

/// A JSON number, as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Number(pub String);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let text = raw.get();
        if text.starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
            Ok(Self(text.to_owned()))
        } else {
            Err(D::Error::custom(format!("expected a number, found {text}")))
        }
    }
}

impl Number {
    /// The number, where only its size matters.
    pub fn value(&self) -> Option<f64> {
        self.0.parse().ok()
    }
}

/// A JSON number or a word such as `Infinity` or `NaN` in its place, as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberOrWord(pub String);

impl<'de> Deserialize<'de> for NumberOrWord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        match serde_json::from_str::<String>(raw.get()) {
            Ok(word) => Ok(Self(word)),
            Err(_) => serde_json::from_str::<Number>(raw.get())
                .map(|number| Self(number.0))
                .map_err(|_| {
                    D::Error::custom(format!("expected a number or its name, found {}", raw.get()))
                }),
        }
    }
}

/// Why a number of milliseconds is no latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotALatency {
    /// Zero or less.
    NotPositive,
    /// More digits or a larger exponent than the data folder holds.
    OutOfRange,
}

impl NotALatency {
    /// As a clause on the number.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotPositive => "is not over zero",
            Self::OutOfRange => "has more digits or a larger exponent than can be kept",
        }
    }
}

/// Milliseconds as microseconds, digit by digit: the point moves, and the last digit stays the
/// last one. `0.5` becomes `5E+02`, since `500` would claim two digits more.
pub fn microseconds(milliseconds: &Number) -> Result<String, NotALatency> {
    let text = &milliseconds.0;
    let printed = Printed::parse(text).map_err(|_| NotALatency::OutOfRange)?;
    if printed.exact.is_zero() || printed.exact.is_sign_negative() {
        return Err(NotALatency::NotPositive);
    }
    let shifted = shift(text).ok_or(NotALatency::OutOfRange)?;
    Printed::parse(&shifted).map(|_| shifted).map_err(|_| NotALatency::OutOfRange)
}

fn shift(text: &str) -> Option<String> {
    let scientific = |mantissa: &str, exponent: i32| format!("{mantissa}E{exponent:+03}");
    if let Some((mantissa, exponent)) = text.split_once(['e', 'E']) {
        return Some(scientific(mantissa, exponent.parse::<i32>().ok()?.checked_add(3)?));
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let without_zeros = |digits: String| {
        let kept = digits.trim_start_matches('0');
        if kept.is_empty() { "0".to_owned() } else { kept.to_owned() }
    };
    match fraction.split_at_checked(3) {
        None => {
            let missing = 3 - i32::try_from(fraction.len()).ok()?;
            Some(scientific(&without_zeros([whole, fraction].concat()), missing))
        }
        Some((moved, "")) => Some(without_zeros([whole, moved].concat())),
        Some((moved, rest)) => Some(format!("{}.{rest}", without_zeros([whole, moved].concat()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_point_moves_and_the_digits_stay() {
        for (ms, us) in [
            ("0.24115200092395148", "241.15200092395148"),
            ("0.028672000393271446", "28.672000393271446"),
            ("0.0076", "7.6"),
            ("0.005", "5"),
            ("0.050", "50"),
            ("0.5", "5E+02"),
            ("0.50", "50E+01"),
            ("12", "12E+03"),
            ("1.25", "125E+01"),
            ("12.345", "12345"),
            ("0.0000015", "0.0015"),
            ("5.0e-05", "5.0E-02"),
            ("1E2", "1E+05"),
        ] {
            let got = microseconds(&Number(ms.to_owned())).unwrap();
            assert_eq!(got, us, "{ms}");
            let (before, after) = (Printed::parse(ms).unwrap(), Printed::parse(&got).unwrap());
            assert_eq!(before.decimals - 3, after.decimals, "{ms}: the precision");
            assert_eq!(
                before.exact.checked_mul(1000.into()).unwrap().normalize(),
                after.exact.normalize(),
                "{ms}: the value"
            );
        }
    }

    #[test]
    fn what_is_no_latency() {
        for (ms, why) in [
            ("0.0", NotALatency::NotPositive),
            ("0", NotALatency::NotPositive),
            ("-0.5", NotALatency::NotPositive),
            ("1e99", NotALatency::OutOfRange),
            ("1e99999999999", NotALatency::OutOfRange),
        ] {
            assert_eq!(microseconds(&Number(ms.to_owned())), Err(why), "{ms}");
        }
    }

    #[test]
    fn json_numbers_keep_their_text() {
        let read = |text| serde_json::from_str::<Number>(text).map(|number| number.0).ok();
        assert_eq!(read("1.0").as_deref(), Some("1.0"));
        assert_eq!(read("0.9642594081817066000").as_deref(), Some("0.9642594081817066000"));
        assert_eq!(read("\"1\""), None);
        let read = |text| serde_json::from_str::<NumberOrWord>(text).map(|number| number.0).ok();
        assert_eq!(read("\"Infinity\"").as_deref(), Some("Infinity"));
        assert_eq!(read("1e-3").as_deref(), Some("1e-3"));
        assert_eq!(read("true"), None);
    }
}
