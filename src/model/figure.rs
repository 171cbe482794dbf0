//! A number as it was published: its text is its precision.

use std::sync::Arc;

use rust_decimal::{Decimal, prelude::ToPrimitive};

/// A published number with the hard bounds that its digits stand for.
///
/// `low <= value <= high` always holds, all three are finite, and where the rules ask for a
/// positive number all three are positive.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The number as printed: `874.0`, or `1.47–1.55` for a range.
    pub text: Arc<str>,
    /// The number, or the geometric mean of a range.
    pub value: f64,
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
    /// Decimals printed: 1 for `874.0`, 0 for `981`, −1 for `1.25E+03`.
    pub decimals: i32,
}

/// Why a text is not a number of this folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureFault {
    /// Not digits with at most one decimal point and an optional exponent.
    NotANumber,
    /// More digits or a larger exponent than can be held exactly.
    OutOfRange,
}

/// A decimal number exactly as printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Printed {
    /// The number.
    pub exact: Decimal,
    /// Decimals printed; negative where the last printed digit stands left of the point.
    pub decimals: i32,
}

impl Printed {
    /// Reads `981`, `874.0`, `1.25E+01`, `-0.5`. Nothing else: no `inf`, no hex, no separators,
    /// no blanks.
    pub fn parse(text: &str) -> Result<Self, FigureFault> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            None => (text, 0),
            Some((mantissa, exponent)) => {
                let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
                if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                    return Err(FigureFault::NotANumber);
                }
                (mantissa, exponent.parse::<i32>().map_err(|_| FigureFault::OutOfRange)?)
            }
        };
        let unsigned = mantissa.strip_prefix('-').unwrap_or(mantissa);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let all_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        let dangling_point = unsigned.contains('.') && (whole.is_empty() || fraction.is_empty());
        if whole.is_empty() || dangling_point || !all_digits(whole) || !all_digits(fraction) {
            return Err(FigureFault::NotANumber);
        }
        let printed = i32::try_from(fraction.len()).map_err(|_| FigureFault::OutOfRange)?;
        let decimals = printed.checked_sub(exponent).ok_or(FigureFault::OutOfRange)?;
        let digits: i128 =
            [whole, fraction].concat().parse().map_err(|_| FigureFault::OutOfRange)?;
        let signed = if mantissa.starts_with('-') { -digits } else { digits };
        let exact = scaled(signed, decimals).ok_or(FigureFault::OutOfRange)?;
        Ok(Self { exact, decimals })
    }

    /// The number as a float.
    pub fn value(self) -> f64 {
        to_f64(self.exact)
    }

    /// Half a unit of the last printed digit.
    pub fn half_unit(self) -> Option<Decimal> {
        // Five in the next decimal place; always representable for what `parse` accepts.
        scaled(5, self.decimals + 1)
    }

    /// Lowest and highest number that round to these digits.
    pub fn bounds(self) -> (Decimal, Decimal) {
        let half = self.half_unit().unwrap_or_default();
        (
            self.exact.checked_sub(half).unwrap_or(self.exact),
            self.exact.checked_add(half).unwrap_or(self.exact),
        )
    }
}

/// `digits · 10^-decimals`, if a [`Decimal`] holds it exactly.
fn scaled(digits: i128, decimals: i32) -> Option<Decimal> {
    if let Ok(scale) = u32::try_from(decimals) {
        return Decimal::try_from_i128_with_scale(digits, scale).ok();
    }
    let power = 10_i128.checked_pow(decimals.unsigned_abs())?;
    Decimal::try_from_i128_with_scale(digits.checked_mul(power)?, 0).ok()
}

/// The nearest float. A `Decimal` is always within the range of `f64`.
pub fn to_f64(exact: Decimal) -> f64 {
    // Through the text: it rounds once, where `ToPrimitive` divides and may round twice.
    exact.to_string().parse().ok().or_else(|| exact.to_f64()).unwrap_or(0.0)
}

impl Figure {
    /// A number that stands for all that rounds to its digits.
    pub fn from_printed(text: &str, printed: Printed) -> Self {
        let (low, high) = printed.bounds();
        Self {
            text: text.into(),
            value: printed.value(),
            low: to_f64(low),
            high: to_f64(high),
            decimals: printed.decimals,
        }
    }

    /// A published range. Without a value of its own its value is the geometric mean of the
    /// ends, which must be positive, and it is printed as the range.
    pub fn from_range(
        value: Option<(&str, Printed)>,
        low: (&str, Printed),
        high: (&str, Printed),
    ) -> Self {
        let (low_text, low) = low;
        let (high_text, high) = high;
        let (low_value, high_value) = (low.value(), high.value());
        let (text, middle, decimals) = match value {
            Some((text, printed)) => (text.to_owned(), printed.value(), printed.decimals),
            None => (
                format!("{low_text}–{high_text}"),
                libm::sqrt(low_value) * libm::sqrt(high_value),
                low.decimals.min(high.decimals),
            ),
        };
        Self {
            text: text.into(),
            value: middle.clamp(low_value, high_value),
            low: low_value,
            high: high_value,
            decimals,
        }
    }

    /// Half a unit of the last printed digit.
    pub fn half_unit(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(text: &str) -> Figure {
        Figure::from_printed(text, Printed::parse(text).unwrap())
    }

    #[test]
    fn digits_are_the_precision() {
        for (text, value, low, high, decimals) in [
            ("981", 981.0, 980.5, 981.5, 0),
            ("874.0", 874.0, 873.95, 874.05, 1),
            ("6.320", 6.32, 6.3195, 6.3205, 3),
            ("1.25E+01", 12.5, 12.45, 12.55, 1),
            ("1.25e3", 1250.0, 1245.0, 1255.0, -1),
            ("5E-3", 0.005, 0.0045, 0.0055, 3),
        ] {
            let got = figure(text);
            assert_eq!(
                (got.value, got.low, got.high, got.decimals),
                (value, low, high, decimals),
                "{text}"
            );
        }
    }

    #[test]
    fn only_plain_decimals_are_numbers() {
        for text in [
            "", "nan", "inf", "-", "0x1F", "1,5", "1 000", "1.", ".5", "1e", "1e+", "+1", "1.2.3",
            "١", "N/A", "--1",
        ] {
            assert_eq!(Printed::parse(text), Err(FigureFault::NotANumber), "{text:?}");
        }
        for text in ["1e40", "1e99999999999", "123456789012345678901234567890", "1e-40"] {
            assert_eq!(Printed::parse(text), Err(FigureFault::OutOfRange), "{text:?}");
        }
    }

    #[test]
    fn a_range_without_value_is_its_geometric_mean() {
        let parsed = |text| (text, Printed::parse(text).unwrap());
        let range = Figure::from_range(None, parsed("1.47"), parsed("1.55"));
        assert_eq!(&*range.text, "1.47–1.55");
        assert_eq!((range.low, range.high), (1.47, 1.55));
        assert!((range.value - 1.509_470).abs() < 1e-6);
    }
}
