//! The rules of cells and settings as regular expressions, for the formats that have no better
//! way to say them. They use only what ECMA 262 and Python read alike, and each is about a whole
//! text, whether a reader anchors patterns by itself or not.

use super::{ColumnType, STATISTICS};

/// An id.
pub const ID: &str = "[a-z0-9]([a-z0-9.-]*[a-z0-9])?";
/// A web address.
pub const LINK: &str = "^https?://.+$";
/// A date.
pub const DATE: &str = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$";
/// A colour.
pub const COLOUR: &str = "^#[0-9A-Fa-f]{6}$";
/// A web address with both placeholders in it.
pub const LINE_LINK: &str = r"^https?://(?=.*\{file\})(?=.*\{line\}).+$";

/// Digits, a decimal point with digits after it, an exponent.
const DECIMAL: &str = r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?";
/// Some digit before the exponent is not zero.
const NOT_ZERO: &str = r"(?=[0-9.]*[1-9])";

/// A whole text that is an id.
pub fn id() -> String {
    format!("^{ID}$")
}

/// What a cell that is not empty looks like.
pub fn of_cell(kind: ColumnType) -> String {
    match kind {
        ColumnType::Id | ColumnType::Reference(_) => id(),
        ColumnType::References(_) => format!("^{ID}( +{ID})*$"),
        ColumnType::Text => r"^[^=+\-@\t\r][\s\S]*$".into(),
        ColumnType::OneOf(words) => format!("^({})$", words.join("|")),
        ColumnType::Positive => format!("^{NOT_ZERO}{DECIMAL}$"),
        ColumnType::Published => format!("^-?{DECIMAL}$"),
        ColumnType::NonNegative => format!("^{DECIMAL}$"),
        ColumnType::Share => r"^(0(\.[0-9]+)?|1(\.0+)?|[0-9](\.[0-9]+)?[eE]-[0-9]+)$".into(),
        ColumnType::Count => "^[0-9]+$".into(),
        ColumnType::Date => DATE.into(),
        ColumnType::Link => LINK.into(),
        ColumnType::Statistic => {
            format!("^({})$", STATISTICS.join("|").replace("<id>", ID))
        }
    }
}
