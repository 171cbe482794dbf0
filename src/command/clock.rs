//! What day it is. The rest of the program is told, and never asks.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use chrono::{DateTime, NaiveDate};

const VARIABLE: &str = "SOURCE_DATE_EPOCH";

/// The day that `SOURCE_DATE_EPOCH` names, if it is set.
pub fn given_day() -> anyhow::Result<Option<NaiveDate>> {
    match std::env::var(VARIABLE) {
        Ok(text) => parse(&text).map(Some),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(error) => Err(error).context(VARIABLE),
    }
}

/// The day that `SOURCE_DATE_EPOCH` names, else today's in UTC.
pub fn today() -> anyhow::Result<NaiveDate> {
    if let Some(day) = given_day()? {
        return Ok(day);
    }
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .context("the clock of this machine stands before 1970")?;
    let seconds = i64::try_from(since.as_secs()).ok();
    seconds.and_then(day_of).context("the clock of this machine is far in the future")
}

fn parse(text: &str) -> anyhow::Result<NaiveDate> {
    text.trim().parse().ok().and_then(day_of).with_context(|| {
        format!("{VARIABLE} is {text:?}; it must be a number of seconds since 1970-01-01")
    })
}

fn day_of(seconds: i64) -> Option<NaiveDate> {
    DateTime::from_timestamp(seconds, 0).map(|moment| moment.date_naive())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_become_a_day() {
        for (text, expected) in [
            ("0", Some("1970-01-01")),
            ("86399", Some("1970-01-01")),
            ("1735689600", Some("2025-01-01")),
            ("", None),
            ("tomorrow", None),
            ("99999999999999999", None),
        ] {
            assert_eq!(
                parse(text).ok().map(|day| day.to_string()).as_deref(),
                expected,
                "{text:?}"
            );
        }
    }
}
