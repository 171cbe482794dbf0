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

/// The one table of codes: variant, name as printed, severity, what it means, and an excerpt at
/// fault.
macro_rules! codes {
    ($($variant:ident $text:literal $severity:ident $meaning:literal $example:literal;)+) => {
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

            /// A tiny excerpt that shows the fault; characters that cannot be seen are written
            /// as `\u{…}` escapes, bytes as `\x…`.
            pub fn example(self) -> &'static str {
                match self { $(Self::$variant => $example,)+ }
            }
        }
    };
}

codes! {
    // Files and folders.
    MissingFile "missing-file" Error
        "A file that the folder cannot do without is missing."
        "studies/my-study/ without study.toml";
    UnexpectedFile "unexpected-file" Error
        "A file of a kind that the data folder does not have."
        "studies/my-study/results.xlsx";
    WrongFolder "wrong-folder" Error
        "A file lies where files of its kind do not belong."
        "studies/my-study/latencies.csv";
    InvalidFileName "invalid-file-name" Error
        "A file or folder name that should be an id is none."
        "studies/My Study/study.toml";
    LinkNotFollowed "link-not-followed" Warning
        "A symbolic link that leaves the data folder, or leads to a folder, is not followed."
        "latencies/mine.csv -> /home/me/mine.csv";
    BrokenLink "broken-link" Error
        "A symbolic link leads to nothing."
        "latencies/mine.csv -> gone.csv";
    FileTooLarge "file-too-large" Error
        "A file is larger than the program reads."
        "a file of 5 GB";
    // Bytes and text.
    NotUtf8 "not-utf-8" Error
        "A file holds bytes that are not UTF-8."
        "caf\\xE9,latency";
    Utf16 "utf-16" Error
        "A file is UTF-16, not UTF-8."
        "\\xFF\\xFEo\\x00p\\x00";
    NulByte "nul-byte" Error
        "A file holds a NUL byte."
        "fa4,\\x00,12.5";
    BareCarriageReturn "bare-carriage-return" Error
        "A line ends with a carriage return alone."
        "operator,shape\\r";
    EmptyFile "empty-file" Error
        "A file is empty."
        "a file of 0 bytes";
    // Rows and columns.
    HeaderAlone "header-alone" Warning
        "A table has a header and no rows."
        "operator,shape,implementation,batch,latency_us";
    MissingHeader "missing-header" Error
        "The first line of a table is not its header."
        "fa4-backward,mha,fa4,table-5,1481.9";
    WrongDelimiter "wrong-delimiter" Error
        "The columns are not separated by commas."
        "operator;shape;implementation";
    UnknownColumn "unknown-column" Error
        "The header names a column that this file does not have."
        "operator,shape,implementation,batch,latency";
    MissingColumn "missing-column" Error
        "The header lacks a required column."
        "operator,shape,implementation,latency_us";
    DuplicateColumn "duplicate-column" Error
        "The header names a column twice."
        "operator,shape,shape";
    RowTooShort "row-too-short" Error
        "A row has fewer cells than the header."
        "fa4-backward,mha,fa4";
    RowTooLong "row-too-long" Error
        "A row has more cells than the header."
        "fa4-backward,mha,fa4,table-5,1481.9,,,,,";
    EmptyRow "empty-row" Error
        "A row consists of empty cells."
        ",,,,";
    UnclosedQuote "unclosed-quote" Error
        "A quoted cell is never closed, or runs into text on a later line."
        "fa4,\"FlashAttention 4,library";
    StrayQuote "stray-quote" Error
        "A quote stands inside a cell that is not quoted, or text follows a closing quote."
        "fa4,5\" panel,library";
    // Cells.
    EmptyCell "empty-cell" Error
        "A required cell is empty."
        "fa4-backward,mha,,table-5,1481.9";
    Placeholder "placeholder" Error
        "A cell holds a sign for \"nothing\" where it should be empty."
        "N/A";
    NotFinite "not-finite" Error
        "A cell holds NaN or an infinity."
        "nan";
    NotANumber "not-a-number" Error
        "A cell that should hold a number does not."
        "12.5 us";
    DecimalComma "decimal-comma" Error
        "A number is written with a decimal comma."
        "\"12,5\"";
    ThousandsSeparator "thousands-separator" Error
        "A number is written with a thousands separator."
        "\"1,234.5\"";
    HexNumber "hex-number" Error
        "A number is written in hexadecimal, octal or binary."
        "0x1F";
    NumberOutOfRange "number-out-of-range" Error
        "A number has more digits than can be held exactly, or is too large or small for its column."
        "1e99";
    NotPositive "not-positive" Error
        "A number that must be positive is zero or negative."
        "0";
    NotAnInteger "not-an-integer" Error
        "A number that must be whole is not."
        "1.5";
    SpreadsheetDate "spreadsheet-date" Error
        "A spreadsheet seems to have turned the cell into a date."
        "4-Mar";
    FormulaCell "formula-cell" Error
        "A text cell would be a formula in a spreadsheet."
        "=1+2";
    ControlCharacter "control-character" Error
        "A cell holds a control character."
        "fast\\u{7}";
    UnknownWord "unknown-word" Error
        "A cell holds none of the words its column allows."
        "passed";
    InvalidDate "invalid-date" Error
        "A date is not an ISO 8601 calendar date."
        "27/10/2026";
    DateInFuture "date-in-future" Error
        "A date is after today."
        "2999-01-01";
    InvalidLink "invalid-link" Error
        "A link is not an http or https address."
        "ftp://example.org/kernel.cu";
    // Ids.
    InvalidId "invalid-id" Error
        "An id has a character that ids do not have, or is too long."
        "fa4_backward";
    UpperCaseId "upper-case-id" Error
        "An id has upper-case letters."
        "FA4";
    StrayBlank "stray-blank" Error
        "A blank stands at the edge of a cell or inside an id."
        "fa4\\u{20}";
    NonBreakingSpace "non-breaking-space" Error
        "A cell holds a space that is not the plain one."
        "fa4\\u{a0}";
    ZeroWidthCharacter "zero-width-character" Error
        "A cell holds a character that cannot be seen."
        "fa4\\u{200b}";
    LookAlikeLetter "look-alike-letter" Error
        "An id has a letter or sign that looks like another one."
        "f\\u{430}4";
    DecomposedLetter "decomposed-letter" Error
        "An id has a letter written with a combining mark."
        "cafe\\u{301}";
    NewlineInCell "newline-in-cell" Error
        "An id or another single word has a line break in it."
        "\"fa4\\n\"";
    ReservedId "reserved-id" Error
        "An id is the name of a page of the site."
        "audit";
    // References.
    UnknownOperator "unknown-operator" Error
        "An operator is named that operators.csv does not have."
        "fa4-backwards";
    UnknownShape "unknown-shape" Error
        "A shape is named that shapes.csv does not have."
        "mhaa";
    ShapeOfAnotherOperator "shape-of-another-operator" Error
        "A shape is named that belongs to another operator."
        "fa4-forward,gqa where gqa is a shape of fa4-backward";
    UnknownImplementation "unknown-implementation" Error
        "An implementation is named that implementations.csv does not have."
        "flash-infer";
    UnknownBatch "unknown-batch" Error
        "A batch is named that batches.csv does not have."
        "table5";
    UnknownNote "unknown-note" Error
        "A note is named that notes/ does not have."
        "timing";
    UnknownGpu "unknown-gpu" Error
        "A GPU is named that gpus.csv does not have."
        "b2000";
    UnknownClass "unknown-class" Error
        "A comparability class is named that no batch has."
        "classes = [\"pared\"]";
    UnknownBoard "unknown-board" Error
        "A board is named that study.toml does not have."
        "headline = \"libraries\"";
    UnknownContender "unknown-contender" Error
        "A contender is named that the board does not have."
        "kernel-agent";
    UnknownEffect "unknown-effect" Error
        "An effect is named that the board does not have."
        "effect:scope";
    UnknownRun "unknown-run" Error
        "A run is named that runs.csv does not have."
        "kda";
    UnknownItem "unknown-item" Error
        "An item is named that items.csv does not have."
        "llama";
    UnknownFamily "unknown-family" Error
        "A family is named that families.csv does not have."
        "llm";
    UnknownTable "unknown-table" Error
        "A table is named that tables/ does not have."
        "file = \"tables/table-9.csv\"";
    UnknownTableColumn "unknown-table-column" Error
        "A column is named that the table does not have."
        "{ id = \"speed\", title = \"Speed\", type = \"number\" }";
    UnknownTableRow "unknown-table-row" Error
        "A row is named that the table does not have."
        "a claim on the shape `totals` where no row begins with it";
    UnknownTarget "unknown-target" Error
        "A note's `applies_to` is not of a known form."
        "applies_to = [\"kernel:fa4\"]";
    AmbiguousShape "ambiguous-shape" Error
        "A shape is named without its operator where several are possible."
        "operator empty, shape mha";
    // Across rows and files.
    DuplicateRow "duplicate-row" Error
        "Two rows have the same key and say the same."
        "two rows for fa4-backward,mha,fa4,table-5, both 1481.9";
    DuplicateKey "duplicate-key" Error
        "Two rows have the same key and say different things."
        "two rows for fa4-backward,mha,fa4,table-5: 1481.9 and 1490";
    HalfRange "half-range" Error
        "One end of a range is given without the other."
        "latency_us 1.5, low_us 1.4, high_us empty";
    LowAboveHigh "low-above-high" Error
        "The low end of a range is above its high end."
        "low_us 1.55, high_us 1.47";
    OutsideRange "outside-range" Error
        "A value lies outside its own range."
        "latency_us 1.6, low_us 1.47, high_us 1.55";
    SamplesDisagree "samples-disagree" Error
        "A latency does not agree, to its digits, with the median of its samples."
        "latency_us 12.5 where the samples have the median 13.1";
    // Settings and notes.
    TomlSyntax "toml-syntax" Error
        "A TOML text cannot be read."
        "title = JustGoal";
    UnknownKey "unknown-key" Error
        "A setting is given that does not exist here."
        "titel = \"JustGoal\"";
    MissingKey "missing-key" Error
        "A required setting is missing."
        "a [[board]] without title";
    WrongType "wrong-type" Error
        "A setting has a value of the wrong kind."
        "tie_band = \"0.005\"";
    InvalidSetting "invalid-setting" Error
        "A setting has a value out of its range."
        "tie_band = -0.1";
    DuplicateId "duplicate-id" Error
        "Two parts of a file have the same id."
        "two boards named primitives";
    MissingFrontMatter "missing-front-matter" Error
        "A Markdown file does not begin with front matter between lines of `+++`."
        "# A note";
    UnclosedFrontMatter "unclosed-front-matter" Error
        "The front matter of a Markdown file has no closing line of `+++`."
        "+++\ntitle = \"A note\"";
    // Doubts.
    BelowMemoryLimit "below-memory-limit" Warning
        "A latency is shorter than the GPU's memory bandwidth allows for the shape's bytes."
        "latency_us 10 for 606,076,928 bytes on 8 TB/s";
    BelowArithmeticLimit "below-arithmetic-limit" Warning
        "A latency is shorter than the GPU's arithmetic allows for the shape's operations."
        "latency_us 100 for 1.37e12 operations on 2250 TFLOP/s";
    FarFromMedian "far-from-median" Warning
        "A latency is more than ten times off what the others on its shape suggest."
        "latency_us 9.81 among 981, 874.0 and 1013";
    UnitSlip "unit-slip" Warning
        "A file's latencies are about a thousand times off their neighbours."
        "0.981, 0.874, 1.013 in a column of microseconds";
    SidesSwapped "sides-swapped" Warning
        "A published ratio is the inverse of what the latencies of its pair give."
        "speedup 0.8 where the latencies give 1.25";
    RatioContradicts "ratio-contradicts" Warning
        "A published ratio contradicts the latencies of its own pair."
        "speedup 1.5 where the latencies give 1.25";
    OneDigit "one-digit" Warning
        "A latency is published to one significant digit."
        "latency_us 7";
    NoRetest "no-retest" Warning
        "An implementation on a board has no retest."
        "an implementation without a row in retests/";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_kebab_case_and_documented() {
        let mut seen = BTreeSet::new();
        for code in Code::ALL {
            let name = code.as_str();
            assert!(seen.insert(name), "{name} twice");
            assert!(
                name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
            );
            assert!(code.meaning().ends_with('.'), "{name}");
            assert!(!code.example().is_empty(), "{name}");
        }
    }
}
