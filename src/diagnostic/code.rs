/// How bad a fault is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The data cannot be used as it is.
    Error,
    /// The data is used, but a person should look.
    Warning,
}

impl Severity {
    /// As printed.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// The one table of codes: variant, name as printed, severity, what it means.
macro_rules! codes {
    ($($variant:ident $text:literal $severity:ident $meaning:literal;)+) => {
        /// The stable name of a kind of fault.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $meaning] $variant,)+
        }

        impl Code {
            /// Every code, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// As printed.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// How bad it is.
            pub fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)+ }
            }

            /// One sentence on what it means.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)+ }
            }
        }
    };
}

codes! {
    BelowMemoryLimit "below-memory-limit" Warning
        "A latency is shorter than the GPU's memory bandwidth allows for the shape's bytes.";
    BelowArithmeticLimit "below-arithmetic-limit" Warning
        "A latency is shorter than the GPU's arithmetic allows for the shape's operations.";
    FarFromMedian "far-from-median" Warning
        "A latency is more than ten times off what the others on its shape suggest.";
    UnitSlip "unit-slip" Warning
        "A file's latencies are about a thousand times off their neighbours.";
    SidesSwapped "sides-swapped" Warning
        "A published ratio is the inverse of what the latencies of its pair give.";
    RatioContradicts "ratio-contradicts" Warning
        "A published ratio contradicts the latencies of its own pair.";
    OneDigit "one-digit" Warning
        "A latency is published to one significant digit.";
    NoRetest "no-retest" Warning
        "An implementation on a board has no retest.";
}
