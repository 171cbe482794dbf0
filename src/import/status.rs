//! What a status of `FlashInfer`-Bench says of correctness. AKO4X uses the same words.

/// A retest outcome. Of several, the last in this order is what counts: a failure outweighs a
/// pass, and a pass outweighs that nobody judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// There was nothing to hold it against.
    NotJudged,
    /// It met the standard.
    Pass,
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
