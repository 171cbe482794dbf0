//! What a status of `FlashInfer`-Bench says of correctness. AKO4X uses the same words.

/// A retest outcome, the worse the later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It met the standard.
    Pass,
    /// There was nothing to hold it against.
    NotJudged,
    /// It did not run.
    Error,
    /// It did not meet the standard.
    Fail,
}

impl Verdict {
    /// `None` for a status that is not known: nobody may guess whether it is a failure.
    pub fn of(status: &str) -> Option<Self> {
        Some(match status {
            "PASSED" => Self::Pass,
            "INCORRECT_SHAPE" | "INCORRECT_NUMERICAL" | "INCORRECT_DTYPE" | "REWARD_HACK" => {
                Self::Fail
            }
            "RUNTIME_ERROR" | "COMPILE_ERROR" | "TIMEOUT" => Self::Error,
            // The definition's own code failed, so there was nothing to hold the solution against.
            "INVALID_REFERENCE" => Self::NotJudged,
            _ => return None,
        })
    }

    /// As written in the data folder.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::NotJudged => "not-judged",
            Self::Error => "error",
            Self::Fail => "fail",
        }
    }
}
