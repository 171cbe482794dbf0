//! A published range has both ends, in order, and holds its value.

use rust_decimal::Decimal;

use crate::{
    diagnostic::Code,
    input::{faults::Faults, row::Row, source::shown},
    model::Figure,
};

/// A figure with its exact bounds and the column that shows it.
#[derive(Debug)]
pub struct Published {
    /// What the model keeps.
    pub figure: Figure,
    /// Lowest and highest value that it stands for, exactly.
    pub bounds: (Decimal, Decimal),
    /// The column of the value, or of the low end where only a range is given.
    pub column: &'static str,
}

/// Reads a value with its optional range from three columns.
pub fn published(
    row: &Row,
    value: &'static str,
    low: &'static str,
    high: &'static str,
    faults: &mut Faults,
) -> Option<Published> {
    let before = faults.list.len();
    let (number, low_number, high_number) = (row.number(value), row.number(low), row.number(high));
    if row.is_faulty() {
        // What could be read is compared below only if all of it could.
        return None;
    }
    let (low_number, high_number) = match (low_number, high_number) {
        (Some(low), Some(high)) => (low, high),
        (None, None) => {
            let Some((text, printed)) = number else {
                faults.at(
                    row.range(value),
                    Code::EmptyCell,
                    format!("the row has neither `{value}` nor a range"),
                    format!("give `{value}`, or both `{low}` and `{high}`"),
                );
                return None;
            };
            return Some(Published {
                figure: Figure::from_printed(text, printed),
                bounds: printed.bounds(),
                column: value,
            });
        }
        (lower, _) => {
            let (given, missing) = if lower.is_some() { (low, high) } else { (high, low) };
            faults.at(
                row.range(given),
                Code::HalfRange,
                format!("`{given}` is given without `{missing}`"),
                format!("give `{missing}` as well, or leave both empty"),
            );
            return None;
        }
    };
    let (low_exact, high_exact) = (low_number.1.exact, high_number.1.exact);
    if low_exact > high_exact {
        faults.at(
            row.range(low),
            Code::LowAboveHigh,
            format!(
                "`{low}` is {}, above `{high}`, which is {}",
                shown(low_number.0),
                shown(high_number.0)
            ),
            "exchange the two, or correct them",
        );
    } else if let Some((text, printed)) = number {
        let outside = if printed.exact < low_exact {
            Some(("below", low, low_number.0))
        } else if printed.exact > high_exact {
            Some(("above", high, high_number.0))
        } else {
            None
        };
        if let Some((side, end, end_text)) = outside {
            faults.at(
                row.range(value),
                Code::OutsideRange,
                format!(
                    "`{value}` is {}, {side} `{end}`, which is {}",
                    shown(text),
                    shown(end_text)
                ),
                "correct the value or the range",
            );
        }
    }
    if faults.list.len() > before {
        return None;
    }
    Some(Published {
        figure: Figure::from_range(number, low_number, high_number),
        bounds: (low_exact, high_exact),
        column: if number.is_some() { value } else { low },
    })
}
