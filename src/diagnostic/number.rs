//! Numbers in texts: the one place where a float is rounded for a person to read.
//!
//! Rounding is decimal, half to even, on the exact value of the float.

/// Three significant digits without an exponent: `0.919`, `1.66`, `12.3`, `1230`.
pub fn significant(value: f64) -> String {
    significant_to(value, 3)
}

/// `digits` significant digits without an exponent.
pub fn significant_to(value: f64, digits: usize) -> String {
    let scientific = format!("{value:.*e}", digits.saturating_sub(1));
    let exponent: i32 = scientific.rsplit('e').next().and_then(|e| e.parse().ok()).unwrap_or(0);
    // Rounded to `digits` first: 0.9996 is 1.00, not 1.000.
    let rounded: f64 = scientific.parse().unwrap_or(value);
    let wanted = i32::try_from(digits).unwrap_or(i32::MAX) - 1 - exponent;
    format!("{rounded:.*}", usize::try_from(wanted).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_significant_digits_half_to_even() {
        for (value, expected) in [
            (0.9186, "0.919"),
            (0.9996, "1.00"),
            (1.0, "1.00"),
            (1.125, "1.12"),
            (1.375, "1.38"),
            (9.995, "9.99"),
            (12.34, "12.3"),
            (1234.5, "1230"),
            (0.012_345, "0.0123"),
            (0.0, "0.00"),
        ] {
            assert_eq!(significant(value), expected, "{value}");
        }
    }
}
