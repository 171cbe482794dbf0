//! The one table of every file, column and setting of the data folder.
//!
//! The checks read it, and the documentation of the format is generated from it, so the two
//! cannot disagree. Adding a column means adding a row here and reading it in `load.rs`.

pub mod datapackage;
pub mod json_schema;
pub mod markdown;
mod pattern;

/// The files that a data folder may have, in the order of the documentation.
pub const FILES: &[FileSchema] = &[
    FileSchema {
        kind: FileKind::Site,
        name: "site",
        pattern: "site.toml",
        required: true,
        help: "The site as a whole.",
        content: Content::Settings(SITE_KEYS),
    },
    FileSchema {
        kind: FileKind::Page,
        name: "pages",
        pattern: "pages/*.md",
        required: false,
        help: "A page of prose; the file's name becomes its address.",
        content: Content::Markdown(PAGE_KEYS),
    },
    FileSchema {
        kind: FileKind::News,
        name: "news",
        pattern: "news/*.md",
        required: false,
        help: "A dated entry; it feeds the news page and the Atom feed.",
        content: Content::Markdown(NEWS_KEYS),
    },
    FileSchema {
        kind: FileKind::Gpus,
        name: "gpus",
        pattern: "gpus.csv",
        required: false,
        help: "Kinds of GPU and the limits their vendors state.",
        content: Content::Table { key: &["id"], columns: GPU_COLUMNS },
    },
    FileSchema {
        kind: FileKind::Study,
        name: "study",
        pattern: "studies/<study>/study.toml",
        required: true,
        help: "A study and its boards. The folder's name is the study's id.",
        content: Content::Settings(STUDY_KEYS),
    },
    FileSchema {
        kind: FileKind::Operators,
        name: "operators",
        pattern: "studies/<study>/operators.csv",
        required: false,
        help: "What is computed.",
        content: Content::Table { key: &["id"], columns: OPERATOR_COLUMNS },
    },
    FileSchema {
        kind: FileKind::Shapes,
        name: "shapes",
        pattern: "studies/<study>/shapes.csv",
        required: false,
        help: "The concrete problem sizes of each operator.",
        content: Content::Table { key: &["operator", "id"], columns: SHAPE_COLUMNS },
    },
    FileSchema {
        kind: FileKind::Implementations,
        name: "implementations",
        pattern: "studies/<study>/implementations.csv",
        required: false,
        help: "What was timed: kernels, libraries, configurations.",
        content: Content::Table { key: &["id"], columns: IMPLEMENTATION_COLUMNS },
    },
    FileSchema {
        kind: FileKind::Batches,
        name: "batches",
        pattern: "studies/<study>/batches.csv",
        required: false,
        help: "Measuring campaigns and their environment. Latencies are divided only inside one class.",
        content: Content::Table { key: &["id"], columns: BATCH_COLUMNS },
    },
    FileSchema {
        kind: FileKind::Latencies,
        name: "latencies",
        pattern: "studies/<study>/latencies/*.csv",
        required: false,
        help: "One latency per operator, shape, implementation and batch.",
        content: Content::Table {
            key: &["operator", "shape", "implementation", "batch"],
            columns: LATENCY_COLUMNS,
        },
    },
    FileSchema {
        kind: FileKind::Samples,
        name: "samples",
        pattern: "studies/<study>/samples/*.csv",
        required: false,
        help: "Raw samples; the latency of their key is the median of all of them.",
        content: Content::Table {
            key: &["operator", "shape", "implementation", "batch", "round", "call"],
            columns: SAMPLE_COLUMNS,
        },
    },
    FileSchema {
        kind: FileKind::Ratios,
        name: "ratios",
        pattern: "studies/<study>/ratios/*.csv",
        required: false,
        help: "Speedups that were published without their latencies.",
        content: Content::Table {
            key: &["operator", "shape", "implementation", "reference", "batch"],
            columns: RATIO_COLUMNS,
        },
    },
    FileSchema {
        kind: FileKind::Retests,
        name: "retests",
        pattern: "studies/<study>/retests/*.csv",
        required: false,
        help: "Independent correctness checks. An empty operator, shape or batch covers all.",
        content: Content::Table {
            key: &["operator", "shape", "implementation", "batch", "standard"],
            columns: RETEST_COLUMNS,
        },
    },
    FileSchema {
        kind: FileKind::Withdrawals,
        name: "withdrawals",
        pattern: "studies/<study>/withdrawals.csv",
        required: false,
        help: "Records taken out of every computation and still shown. An empty operator, shape or batch covers all.",
        content: Content::Table {
            key: &["operator", "shape", "implementation", "batch"],
            columns: WITHDRAWAL_COLUMNS,
        },
    },
    FileSchema {
        kind: FileKind::Claims,
        name: "claims",
        pattern: "studies/<study>/claims.csv",
        required: false,
        help: "Published figures, to be held against what the data gives.",
        content: Content::Table { key: &["id"], columns: CLAIM_COLUMNS },
    },
    FileSchema {
        kind: FileKind::Trajectories,
        name: "trajectories",
        pattern: "studies/<study>/trajectories/*.csv",
        required: false,
        help: "Latencies over the time of a session, as the session itself measured them.",
        content: Content::Table {
            key: &[
                "trajectory",
                "operator",
                "shape",
                "implementation",
                "hours",
                "latency_us",
                "kind",
                "label",
            ],
            columns: TRAJECTORY_COLUMNS,
        },
    },
    FileSchema {
        kind: FileKind::Table,
        name: "tables",
        pattern: "studies/<study>/tables/*.csv",
        required: false,
        help: "Any published table, shown as it is. Its header is free; its first column names the rows.",
        content: Content::FreeTable,
    },
    FileSchema {
        kind: FileKind::Note,
        name: "notes",
        pattern: "studies/<study>/notes/*.md",
        required: false,
        help: "A text that explains or limits something. The file's name is the note's id.",
        content: Content::Markdown(NOTE_KEYS),
    },
    FileSchema {
        kind: FileKind::Families,
        name: "families",
        pattern: "studies/<study>/families.csv",
        required: false,
        help: "MacroEval: groups of items.",
        content: Content::Table { key: &["id"], columns: FAMILY_COLUMNS },
    },
    FileSchema {
        kind: FileKind::Items,
        name: "items",
        pattern: "studies/<study>/items.csv",
        required: false,
        help: "MacroEval: models or workloads that kernels are put into.",
        content: Content::Table { key: &["id"], columns: ITEM_COLUMNS },
    },
    FileSchema {
        kind: FileKind::Runs,
        name: "runs",
        pattern: "studies/<study>/runs.csv",
        required: false,
        help: "MacroEval: one agent in one mode.",
        content: Content::Table { key: &["id"], columns: RUN_COLUMNS },
    },
    FileSchema {
        kind: FileKind::Outcomes,
        name: "outcomes",
        pattern: "studies/<study>/outcomes/*.csv",
        required: false,
        help: "MacroEval: how a run ended on an item.",
        content: Content::Table { key: &["run", "item", "subset"], columns: OUTCOME_COLUMNS },
    },
    FileSchema {
        kind: FileKind::Distances,
        name: "distances",
        pattern: "studies/<study>/distances/*.csv",
        required: false,
        help: "MacroEval: distance of each request's output from the reference's.",
        content: Content::Table { key: &["run", "item", "request"], columns: DISTANCE_COLUMNS },
    },
];

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is described by its row of FILES")]
pub enum FileKind {
    Site,
    Page,
    News,
    Gpus,
    Study,
    Operators,
    Shapes,
    Implementations,
    Batches,
    Latencies,
    Samples,
    Ratios,
    Retests,
    Withdrawals,
    Claims,
    Trajectories,
    Table,
    Note,
    Families,
    Items,
    Runs,
    Outcomes,
    Distances,
}

/// A kind of file: where it lies and what it holds.
#[derive(Debug)]
pub struct FileSchema {
    /// Which one.
    pub kind: FileKind,
    /// A short name, unique among the files.
    pub name: &'static str,
    /// Path relative to the data folder; `<study>` stands for a study's id and `*` for any name.
    pub pattern: &'static str,
    /// Whether the folder (or each study) must have it.
    pub required: bool,
    /// One line on what it is.
    pub help: &'static str,
    /// What it holds.
    pub content: Content,
}

impl FileSchema {
    /// The columns, if it is a table with a fixed header.
    pub fn columns(&self) -> &'static [ColumnSchema] {
        match self.content {
            Content::Table { columns, .. } => columns,
            _ => &[],
        }
    }
}

/// What a file holds.
#[derive(Debug, Clone, Copy)]
pub enum Content {
    /// A CSV table with these columns, in any order.
    Table {
        /// The columns whose values together are unique over all files of this kind in a study.
        key: &'static [&'static str],
        /// The columns.
        columns: &'static [ColumnSchema],
    },
    /// A CSV table with a header of its own.
    FreeTable,
    /// TOML.
    Settings(&'static [KeySchema]),
    /// Markdown behind TOML front matter.
    Markdown(&'static [KeySchema]),
}

/// A column of a table.
#[derive(Debug)]
pub struct ColumnSchema {
    /// Its name in the header.
    pub name: &'static str,
    /// What its cells hold.
    pub kind: ColumnType,
    /// Whether the column must be there and none of its cells may be empty.
    pub required: bool,
    /// One line on what it means.
    pub help: &'static str,
}

/// What the cells of a column hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// The id of what the row describes.
    Id,
    /// The id of something described elsewhere.
    Reference(Entity),
    /// Ids of something described elsewhere, separated by blanks.
    References(Entity),
    /// Any text.
    Text,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A published number over zero, whose digits are its precision.
    Positive,
    /// A published number, whose digits are its precision.
    Published,
    /// A number, zero or more.
    NonNegative,
    /// A number from 0 to 1.
    Share,
    /// A whole number, zero or more.
    Count,
    /// A date.
    Date,
    /// A web address.
    Link,
    /// The name of a statistic.
    Statistic,
}

/// What an id can stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words of the domain")]
pub enum Entity {
    Operator,
    Shape,
    Implementation,
    Batch,
    Note,
    Gpu,
    Class,
    Board,
    Contender,
    Effect,
    Run,
    Item,
    Family,
}

impl Entity {
    /// As messages name it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Shape => "shape",
            Self::Implementation => "implementation",
            Self::Batch => "batch",
            Self::Note => "note",
            Self::Gpu => "GPU",
            Self::Class => "class",
            Self::Board => "board",
            Self::Contender => "contender",
            Self::Effect => "effect",
            Self::Run => "run",
            Self::Item => "item",
            Self::Family => "family",
        }
    }

    /// Where such ids are described.
    pub fn described_in(self) -> &'static str {
        match self {
            Self::Operator => "operators.csv",
            Self::Shape => "shapes.csv",
            Self::Implementation => "implementations.csv",
            Self::Batch => "batches.csv",
            Self::Note => "notes/",
            Self::Gpu => "gpus.csv",
            Self::Class => "the `class` column of batches.csv",
            Self::Board | Self::Contender | Self::Effect => "study.toml",
            Self::Run => "runs.csv",
            Self::Item => "items.csv",
            Self::Family => "families.csv",
        }
    }
}

impl ColumnType {
    /// The type's name in the documentation.
    pub fn name(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Reference(_) => "reference",
            Self::References(_) => "references",
            Self::Text => "text",
            Self::OneOf(_) => "word",
            Self::Positive | Self::Published | Self::NonNegative | Self::Share => "number",
            Self::Count => "integer",
            Self::Date => "date",
            Self::Link => "link",
            Self::Statistic => "statistic",
        }
    }

    /// The rule its cells follow, in words.
    pub fn rule(self) -> String {
        match self {
            Self::Id => "lower-case letters, digits, dots and hyphens, at most 64 characters, \
                         beginning and ending with a letter or digit; never changed"
                .into(),
            Self::Reference(entity) => {
                format!(
                    "the id of {}, described in {}",
                    with_article(entity),
                    entity.described_in()
                )
            }
            Self::References(entity) => {
                format!("ids described in {}, separated by blanks", entity.described_in())
            }
            Self::Text => "any text that does not begin with `=`, `+`, `-`, `@`, tab or CR".into(),
            Self::OneOf(words) => format!("one of `{}`", words.join("`, `")),
            Self::Positive => {
                "a decimal over zero; its digits are its precision (`874.0`, `1.25E+01`)".into()
            }
            Self::Published => "a decimal; its digits are its precision".into(),
            Self::NonNegative => "a decimal, zero or more".into(),
            Self::Share => "a decimal from 0 to 1".into(),
            Self::Count => "a whole number, zero or more".into(),
            Self::Date => "an ISO 8601 date (`2026-10-27`), not after today".into(),
            Self::Link => "an address that begins with `http://` or `https://`".into(),
            Self::Statistic => format!("one of `{}`", STATISTICS.join("`, `")),
        }
    }

    /// Whether its cells are numbers.
    pub fn is_number(self) -> bool {
        matches!(
            self,
            Self::Positive | Self::Published | Self::NonNegative | Self::Share | Self::Count
        )
    }
}

/// An entity's name with its indefinite article.
pub fn with_article(entity: Entity) -> String {
    let name = entity.as_str();
    let vowel =
        matches!(entity, Entity::Operator | Entity::Implementation | Entity::Item | Entity::Effect);
    format!("{} {name}", if vowel { "an" } else { "a" })
}

/// The statistics a claim can be about; `effect:` is followed by the id of an effect.
pub const STATISTICS: &[&str] = &[
    "geomean",
    "speedup",
    "latency",
    "effect:<id>",
    "rank",
    "rank:throughput",
    "rank:latency",
    "n",
    "wins",
    "losses",
    "ties",
    "min",
    "max",
    "score",
    "score:throughput",
    "score:latency",
    "s-macro",
    "s-macro:throughput",
    "s-macro:latency",
    "c-macro",
    "coverage-macro",
    "valid",
    "cell",
    "sum",
    "share",
];

/// Roles of implementations.
pub const ROLES: &[&str] = &["goal-only", "library", "contest", "agent", "reference"];
/// Outcomes of retests.
pub const RETEST_OUTCOMES: &[&str] = &["pass", "fail", "error", "not-judged"];
/// Kinds of points of a trajectory.
pub const TRAJECTORY_KINDS: &[&str] = &["start", "best", "attempt", "reference", "final"];
/// Subsets of MacroEval.
pub const SUBSETS: &[&str] = &["deployable", "all-winners"];
/// Outcomes of MacroEval.
pub const OUTCOMES: &[&str] = &["ok", "crash", "broken", "incomplete"];
/// Severities of notes.
pub const NOTE_SEVERITIES: &[&str] = &["info", "caution", "exclusion", "correction"];
/// Kinds of boards.
pub const BOARD_KINDS: &[&str] = &["speedup", "macroeval", "table"];

const fn required(name: &'static str, kind: ColumnType, help: &'static str) -> ColumnSchema {
    ColumnSchema { name, kind, required: true, help }
}

const fn optional(name: &'static str, kind: ColumnType, help: &'static str) -> ColumnSchema {
    ColumnSchema { name, kind, required: false, help }
}

const NOTE_COLUMN: ColumnSchema =
    optional("note", ColumnType::References(Entity::Note), "Notes that explain or limit this row.");
const OPERATOR_COLUMN: ColumnSchema =
    required("operator", ColumnType::Reference(Entity::Operator), "What is computed.");
const SHAPE_COLUMN: ColumnSchema =
    required("shape", ColumnType::Reference(Entity::Shape), "Which of the operator's shapes.");
const TIMED_COLUMN: ColumnSchema =
    required("implementation", ColumnType::Reference(Entity::Implementation), "What was timed.");
const BATCH_COLUMN: ColumnSchema = required(
    "batch",
    ColumnType::Reference(Entity::Batch),
    "The measuring campaign it was timed in.",
);
const ANY_OPERATOR_COLUMN: ColumnSchema = optional(
    "operator",
    ColumnType::Reference(Entity::Operator),
    "The operator it covers; all if empty.",
);
const ANY_SHAPE_COLUMN: ColumnSchema = optional(
    "shape",
    ColumnType::Reference(Entity::Shape),
    "The shape it covers; all of the operator if empty.",
);
const ANY_BATCH_COLUMN: ColumnSchema =
    optional("batch", ColumnType::Reference(Entity::Batch), "The batch it covers; all if empty.");

const GPU_COLUMNS: &[ColumnSchema] = &[
    required("id", ColumnType::Id, "The id that batches name."),
    required("name", ColumnType::Text, "Name as printed."),
    optional(
        "memory_tb_s",
        ColumnType::Positive,
        "Memory bandwidth in TB/s (10¹² bytes per second).",
    ),
    optional("l2_mb", ColumnType::Positive, "L2 cache in MB (10⁶ bytes)."),
    optional("bf16_tflops", ColumnType::Positive, "Dense bf16 arithmetic in TFLOP/s."),
    optional("fp8_tflops", ColumnType::Positive, "Dense fp8 arithmetic in TFLOP/s."),
    optional("source", ColumnType::Text, "Where these limits are from."),
];

const OPERATOR_COLUMNS: &[ColumnSchema] = &[
    required("id", ColumnType::Id, "The id that other files name."),
    required("name", ColumnType::Text, "Name as printed."),
    optional("family", ColumnType::Text, "Group it belongs to."),
    optional(
        "standard",
        ColumnType::Text,
        "Correctness standard that its implementations are held to.",
    ),
    NOTE_COLUMN,
];

const SHAPE_COLUMNS: &[ColumnSchema] = &[
    required("operator", ColumnType::Reference(Entity::Operator), "The operator it is a size of."),
    required("id", ColumnType::Id, "The id that other files name; unique within the operator."),
    required("name", ColumnType::Text, "Name as printed."),
    optional("description", ColumnType::Text, "The dimensions, in words."),
    optional(
        "dtype",
        ColumnType::Text,
        "Arithmetic type (`bf16`, `fp8`), where the limits depend on it.",
    ),
    optional("flops", ColumnType::Positive, "Floating-point operations of one call."),
    optional("bytes", ColumnType::Positive, "Bytes that one call must move at least once."),
    NOTE_COLUMN,
];

const IMPLEMENTATION_COLUMNS: &[ColumnSchema] = &[
    required("id", ColumnType::Id, "The id that other files name."),
    required("name", ColumnType::Text, "Name as printed."),
    required("role", ColumnType::OneOf(ROLES), "What kind of thing it is."),
    optional("system", ColumnType::Text, "The agent, harness or library it comes from."),
    optional("model", ColumnType::Text, "The model that wrote it."),
    optional(
        "scope",
        ColumnType::Text,
        "What one session had to cover: a single shape, a whole definition.",
    ),
    optional("commit", ColumnType::Text, "Commit of its source."),
    optional("url", ColumnType::Link, "Where its source is."),
    NOTE_COLUMN,
];

const BATCH_COLUMNS: &[ColumnSchema] = &[
    required("id", ColumnType::Id, "The id that other files name."),
    required("name", ColumnType::Text, "Name as printed."),
    required(
        "class",
        ColumnType::Id,
        "Comparability label: latencies are divided only inside one class.",
    ),
    optional("gpu", ColumnType::Reference(Entity::Gpu), "Kind of GPU."),
    optional("gpu_count", ColumnType::Count, "How many of them one call used."),
    optional("driver", ColumnType::Text, "Driver version."),
    optional("cuda", ColumnType::Text, "CUDA version."),
    optional("software", ColumnType::Text, "Other software and versions."),
    optional("timer", ColumnType::Text, "Which clock was used, and from where to where."),
    optional("cache", ColumnType::Text, "State of the caches before a call."),
    optional("statistic", ColumnType::Text, "How one latency was formed from many calls."),
    optional("tool", ColumnType::Text, "The measuring program."),
    optional("tool_commit", ColumnType::Text, "Its commit."),
    optional("command", ColumnType::Text, "The command that repeats the measurement."),
    optional("measured_on", ColumnType::Date, "When it was measured."),
    optional("verified", ColumnType::Text, "Who verified it independently, if anyone."),
    NOTE_COLUMN,
];

const LATENCY_COLUMNS: &[ColumnSchema] = &[
    OPERATOR_COLUMN,
    SHAPE_COLUMN,
    TIMED_COLUMN,
    BATCH_COLUMN,
    optional(
        "latency_us",
        ColumnType::Positive,
        "Microseconds, as published; may be empty where a range is given.",
    ),
    optional(
        "low_us",
        ColumnType::Positive,
        "Low end of a published range; only together with `high_us`.",
    ),
    optional(
        "high_us",
        ColumnType::Positive,
        "High end of a published range; only together with `low_us`.",
    ),
    optional(
        "model",
        ColumnType::Text,
        "The model that really wrote the kernel for this shape, where it differs from the implementation's.",
    ),
    NOTE_COLUMN,
];

const SAMPLE_COLUMNS: &[ColumnSchema] = &[
    OPERATOR_COLUMN,
    SHAPE_COLUMN,
    TIMED_COLUMN,
    BATCH_COLUMN,
    required("round", ColumnType::Count, "Samples of one round share a state of the machine."),
    required("call", ColumnType::Count, "Number of the call within its round."),
    required("latency_us", ColumnType::Positive, "Microseconds."),
];

const RATIO_COLUMNS: &[ColumnSchema] = &[
    OPERATOR_COLUMN,
    SHAPE_COLUMN,
    required(
        "implementation",
        ColumnType::Reference(Entity::Implementation),
        "The contender's side.",
    ),
    required("reference", ColumnType::Reference(Entity::Implementation), "The baseline's side."),
    BATCH_COLUMN,
    optional(
        "speedup",
        ColumnType::Positive,
        "Reference latency over implementation latency; over 1 is faster. May be empty where a range is given.",
    ),
    optional(
        "low",
        ColumnType::Positive,
        "Low end of a published range; only together with `high`.",
    ),
    optional(
        "high",
        ColumnType::Positive,
        "High end of a published range; only together with `low`.",
    ),
    NOTE_COLUMN,
];

const RETEST_COLUMNS: &[ColumnSchema] = &[
    ANY_OPERATOR_COLUMN,
    ANY_SHAPE_COLUMN,
    required("implementation", ColumnType::Reference(Entity::Implementation), "What was checked."),
    ANY_BATCH_COLUMN,
    optional("standard", ColumnType::Text, "What it was held against."),
    required("outcome", ColumnType::OneOf(RETEST_OUTCOMES), "What was found."),
    optional("detail", ColumnType::Text, "More on it, such as an error figure."),
    NOTE_COLUMN,
];

const WITHDRAWAL_COLUMNS: &[ColumnSchema] = &[
    ANY_OPERATOR_COLUMN,
    ANY_SHAPE_COLUMN,
    required("implementation", ColumnType::Reference(Entity::Implementation), "What is withdrawn."),
    ANY_BATCH_COLUMN,
    required("withdrawn_on", ColumnType::Date, "When it was withdrawn."),
    required("reason", ColumnType::Text, "Why."),
    optional("url", ColumnType::Link, "Where that was discussed."),
];

const CLAIM_COLUMNS: &[ColumnSchema] = &[
    required("id", ColumnType::Id, "A name for the claim."),
    required("board", ColumnType::Reference(Entity::Board), "The board it is about."),
    optional(
        "contender",
        ColumnType::Text,
        "The contender it is about; on a MacroEval board `RUN` or `RUN/SUBSET`, on a table a column.",
    ),
    optional(
        "against",
        ColumnType::Text,
        "What the contender is held against, `CONTENDER` or `BOARD/CONTENDER`; the baseline if empty.",
    ),
    optional(
        "operator",
        ColumnType::References(Entity::Operator),
        "The operators it covers; all if empty. On a MacroEval board families.",
    ),
    optional(
        "shape",
        ColumnType::Text,
        "The shapes it covers, `OPERATOR/SHAPE` separated by blanks, or `SHAPE` where one operator is named; all if empty. On a MacroEval board items, on a table the first cell of a row, or of several rows separated by blanks.",
    ),
    required("statistic", ColumnType::Statistic, "What is claimed of them."),
    required("value", ColumnType::Published, "The published value."),
    optional("source", ColumnType::Text, "Where it was published."),
    NOTE_COLUMN,
];

const TRAJECTORY_COLUMNS: &[ColumnSchema] = &[
    required("trajectory", ColumnType::Id, "The series it belongs to."),
    required("operator", ColumnType::Reference(Entity::Operator), "What was optimised."),
    required("shape", ColumnType::Reference(Entity::Shape), "On which shape."),
    required("implementation", ColumnType::Reference(Entity::Implementation), "What came of it."),
    optional("hours", ColumnType::NonNegative, "Hours since the session began, if known."),
    required("latency_us", ColumnType::Positive, "Microseconds, by the session's own measurement."),
    required("kind", ColumnType::OneOf(TRAJECTORY_KINDS), "What the point stands for."),
    optional("label", ColumnType::Text, "What was done."),
];

const FAMILY_COLUMNS: &[ColumnSchema] = &[
    required("id", ColumnType::Id, "The id that other files name."),
    required("name", ColumnType::Text, "Name as printed."),
    optional(
        "failure_threshold",
        ColumnType::Positive,
        "Distance at which a request counts as wholly wrong.",
    ),
    NOTE_COLUMN,
];

const ITEM_COLUMNS: &[ColumnSchema] = &[
    required("id", ColumnType::Id, "The id that other files name."),
    required("name", ColumnType::Text, "Name as printed."),
    required("family", ColumnType::Reference(Entity::Family), "The family it belongs to."),
    optional(
        "noise_floor",
        ColumnType::NonNegative,
        "Distance that repeated runs of the reference show among themselves.",
    ),
    NOTE_COLUMN,
];

const RUN_COLUMNS: &[ColumnSchema] = &[
    required("id", ColumnType::Id, "The id that other files name."),
    required("name", ColumnType::Text, "Name as printed."),
    required("agent", ColumnType::Text, "The agent."),
    required("mode", ColumnType::Text, "How it worked: independent, composed, sequential."),
    optional("model", ColumnType::Text, "The model behind it."),
    NOTE_COLUMN,
];

const OUTCOME_COLUMNS: &[ColumnSchema] = &[
    required("run", ColumnType::Reference(Entity::Run), "The run."),
    required("item", ColumnType::Reference(Entity::Item), "The item."),
    required("subset", ColumnType::OneOf(SUBSETS), "Which of the run's kernels were put in."),
    required("outcome", ColumnType::OneOf(OUTCOMES), "How it ended."),
    optional("category", ColumnType::Text, "More on how, such as the kind of crash."),
    optional("correctness", ColumnType::Share, "Calibrated correctness."),
    optional("throughput_speedup", ColumnType::Positive, "Throughput over the reference's."),
    optional("latency_speedup", ColumnType::Positive, "The reference's latency over its own."),
    optional(
        "distance",
        ColumnType::NonNegative,
        "Mean distance of its outputs from the reference's.",
    ),
    optional("dropped", ColumnType::Count, "How many of its kernels had to be left out."),
    NOTE_COLUMN,
];

const DISTANCE_COLUMNS: &[ColumnSchema] = &[
    required("run", ColumnType::Reference(Entity::Run), "The run."),
    required("item", ColumnType::Reference(Entity::Item), "The item."),
    required("request", ColumnType::Text, "The request."),
    required("distance", ColumnType::NonNegative, "Distance of its output from the reference's."),
];

/// A setting: a key of a TOML table.
#[derive(Debug, Clone, Copy)]
pub struct KeySchema {
    /// Its name.
    pub name: &'static str,
    /// What its value is.
    pub kind: KeyType,
    /// Whether it must be given.
    pub required: bool,
    /// The kinds of boards it belongs to; empty where that does not matter.
    pub boards: &'static [&'static str],
    /// What holds where it is not given, if anything does.
    pub default: &'static str,
    /// One line on what it means.
    pub help: &'static str,
}

/// What the value of a setting is.
#[derive(Debug, Clone, Copy)]
pub enum KeyType {
    /// A text that is not empty.
    Text,
    /// An id.
    Id,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A web address.
    Link,
    /// A web address with `{file}` and `{line}` in it.
    LineLink,
    /// A colour, `#rrggbb`.
    Colour,
    /// A date, with or without quotes.
    Date,
    /// `true` or `false`.
    Boolean,
    /// A number from the first to the second.
    Number(f64, f64),
    /// A whole number from 0 to this.
    Integer(u32),
    /// A list of texts.
    Texts,
    /// A list of ids.
    Ids,
    /// A list of ids, or a table with such a list for each operator.
    Members,
    /// A table with these keys.
    Table(&'static [KeySchema]),
    /// A list of tables with these keys.
    Tables(&'static [KeySchema]),
}

impl KeyType {
    /// What a message or the documentation calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Id => "an id in quotes",
            Self::OneOf(_) => "a word in quotes",
            Self::Link | Self::LineLink => "a web address in quotes",
            Self::Colour => "a colour in quotes",
            Self::Date => "a date",
            Self::Boolean => "`true` or `false`",
            Self::Number(..) => "a number",
            Self::Integer(_) => "a whole number",
            Self::Texts => "a list of texts",
            Self::Ids => "a list of ids",
            Self::Members => "a list of ids, or a table of such lists by operator",
            Self::Table(_) => "a table",
            Self::Tables(_) => "a list of tables",
        }
    }

    /// The rule its value follows, in words.
    pub fn rule(self) -> String {
        match self {
            Self::OneOf(words) => format!("one of `{}`", words.join("`, `")),
            Self::Link => ColumnType::Link.rule(),
            Self::LineLink => "an http or https address with `{file}` and `{line}` in it".into(),
            Self::Colour => "`#` and six hexadecimal digits".into(),
            Self::Date => ColumnType::Date.rule(),
            Self::Id => ColumnType::Id.rule(),
            Self::Number(low, high) if high == f64::INFINITY => format!("a number from {low}"),
            Self::Number(low, high) => format!("a number from {low} to {high}"),
            Self::Integer(most) => format!("a whole number from 0 to {most}"),
            other => other.name().into(),
        }
    }
}

const fn must(name: &'static str, kind: KeyType, help: &'static str) -> KeySchema {
    KeySchema { name, kind, required: true, boards: &[], default: "", help }
}

const fn may(
    name: &'static str,
    kind: KeyType,
    default: &'static str,
    help: &'static str,
) -> KeySchema {
    KeySchema { name, kind, required: false, boards: &[], default, help }
}

const fn of_boards(boards: &'static [&'static str], key: KeySchema) -> KeySchema {
    KeySchema { boards, ..key }
}

/// Keys of `site.toml`.
pub const SITE_KEYS: &[KeySchema] = &[
    must("title", KeyType::Text, "Name of the site."),
    may("tagline", KeyType::Text, "", "One sentence on what it is."),
    may(
        "base_url",
        KeyType::Link,
        "",
        "Where the site is served; used only where an absolute address is required.",
    ),
    may("source_url", KeyType::LineLink, "", "Address of a line in the repository."),
    may("licence", KeyType::Text, "", "Licence of the data."),
    may("footer_links", KeyType::Tables(LINK_KEYS), "", "Links at the foot of every page."),
    may("accent", KeyType::Colour, "", "Accent colour."),
    may(
        "limits",
        KeyType::Table(LIMIT_KEYS),
        "",
        "What a file of this folder may have at most, so that one contribution cannot swamp the site.",
    ),
];

const LIMIT_KEYS: &[KeySchema] = &[
    may("file_mb", KeyType::Number(0.0, f64::INFINITY), "", "Size of a file in MB (10⁶ bytes)."),
    may("rows", KeyType::Integer(u32::MAX), "", "Rows of a table."),
];

const LINK_KEYS: &[KeySchema] =
    &[must("title", KeyType::Text, "What it says."), must("url", KeyType::Link, "Where it leads.")];

/// Keys of the front matter of `pages/*.md`.
pub const PAGE_KEYS: &[KeySchema] = &[must("title", KeyType::Text, "Title of the page.")];

/// Keys of the front matter of `news/*.md`.
pub const NEWS_KEYS: &[KeySchema] = &[
    must("title", KeyType::Text, "Title of the entry."),
    must("date", KeyType::Date, "Its date."),
];

/// Keys of the front matter of `notes/*.md`.
pub const NOTE_KEYS: &[KeySchema] = &[
    must("title", KeyType::Text, "Title of the note."),
    must("severity", KeyType::OneOf(NOTE_SEVERITIES), "How much it limits what it is about."),
    may(
        "applies_to",
        KeyType::Texts,
        "the rows whose `note` cell names it",
        "What it is about: `study`, `board:ID`, `operator:ID`, `shape:OP/SHAPE`, `implementation:ID`, `batch:ID`, `record:OP/SHAPE/IMPLEMENTATION[/BATCH]`, `run:ID[/ITEM]`.",
    ),
];

/// Keys of `study.toml`.
pub const STUDY_KEYS: &[KeySchema] = &[
    must("title", KeyType::Text, "Title."),
    may(
        "summary",
        KeyType::Text,
        "",
        "What was compared, on what, by whom: a few sentences of Markdown.",
    ),
    may("licence", KeyType::Text, "", "Under what terms the figures may be used."),
    may("citation", KeyType::Text, "", "BibTeX."),
    may("authors", KeyType::Texts, "", "Who published it."),
    may("paper_url", KeyType::Link, "", "The paper."),
    may("published_on", KeyType::Date, "", "When it was published."),
    may("headline", KeyType::Id, "the first board", "The board that the index page shows."),
    may(
        "tie_band",
        KeyType::Number(0.0, f64::INFINITY),
        "0",
        "Ratios within a factor of 1 + tie_band of 1 are ties.",
    ),
    may(
        "require_retest",
        KeyType::Boolean,
        "false",
        "Whether a record counts only with a passed retest.",
    ),
    may(
        "labels",
        KeyType::Table(LABEL_KEYS),
        "",
        "What this study calls operators, shapes and implementations.",
    ),
    may("board", KeyType::Tables(BOARD_KEYS), "", "The boards, in order."),
];

const LABEL_KEYS: &[KeySchema] = &[
    may("operator", KeyType::Text, "Operator", "Singular for what is computed."),
    may("shape", KeyType::Text, "Shape", "Singular for one problem size of it."),
    may(
        "implementation",
        KeyType::Text,
        "Implementation",
        "Singular for one thing that was timed.",
    ),
];

const SPEEDUP: &[&str] = &["speedup"];
const MACROEVAL: &[&str] = &["macroeval"];
const TABLE: &[&str] = &["table"];

/// Keys of a `[[board]]`.
pub const BOARD_KEYS: &[KeySchema] = &[
    must("id", KeyType::Id, "Its id; a part of its address."),
    must("title", KeyType::Text, "Title."),
    must("kind", KeyType::OneOf(BOARD_KINDS), "What is shown and how it is ranked."),
    of_boards(
        SPEEDUP,
        must(
            "classes",
            KeyType::Ids,
            "Comparability classes it may stand on, in order of preference.",
        ),
    ),
    of_boards(SPEEDUP, may("operators", KeyType::Ids, "all", "The operators it covers.")),
    of_boards(
        SPEEDUP,
        may("shapes", KeyType::Texts, "all", "The shapes it covers, as `operator/shape`."),
    ),
    of_boards(
        SPEEDUP,
        may(
            "failed",
            KeyType::OneOf(&["exclude", "as-is"]),
            "exclude",
            "Whether a failing retest takes a record out, or the record counts and is marked.",
        ),
    ),
    of_boards(
        SPEEDUP,
        may(
            "figure",
            KeyType::OneOf(&["bars", "dots", "lines", "scatter", "none"]),
            "bars",
            "How it is drawn.",
        ),
    ),
    of_boards(
        SPEEDUP,
        must("baseline", KeyType::Table(CONTENDER_KEYS), "What the others are divided by."),
    ),
    of_boards(SPEEDUP, must("contender", KeyType::Tables(CONTENDER_KEYS), "The others, in order.")),
    of_boards(
        SPEEDUP,
        may("effect", KeyType::Tables(EFFECT_KEYS), "", "Ratios of two contenders' geomeans."),
    ),
    of_boards(
        MACROEVAL,
        may(
            "tau",
            KeyType::Number(0.0, 1.0),
            "0.9",
            "An item is valid with a correctness of at least this.",
        ),
    ),
    of_boards(
        MACROEVAL,
        may("lambda", KeyType::Number(0.0, 1.0), "0.5", "Weight of throughput against latency."),
    ),
    of_boards(
        TABLE,
        must("file", KeyType::Text, "The table, as a path below the study: `tables/NAME.csv`."),
    ),
    of_boards(
        TABLE,
        must("columns", KeyType::Tables(TABLE_COLUMN_KEYS), "The columns shown, in order."),
    ),
    of_boards(TABLE, may("mark", KeyType::Table(MARK_KEYS), "", "What is marked in it.")),
];

const CONTENDER_KEYS: &[KeySchema] = &[
    must("id", KeyType::Id, "Its id; unique on the board."),
    must("name", KeyType::Text, "Name as shown."),
    must(
        "members",
        KeyType::Members,
        "The implementations it stands for; per shape the fastest eligible one counts.",
    ),
];

const EFFECT_KEYS: &[KeySchema] = &[
    must("id", KeyType::Id, "Its id; unique on the board."),
    must("name", KeyType::Text, "Name as shown."),
    must("numerator", KeyType::Id, "The contender above the line."),
    must("denominator", KeyType::Id, "The contender below it."),
];

const TABLE_COLUMN_KEYS: &[KeySchema] = &[
    must("id", KeyType::Text, "Its name in the file's header."),
    must("title", KeyType::Text, "Title as shown."),
    must("type", KeyType::OneOf(&["text", "number", "ratio", "share"]), "What its cells are."),
    may("unit", KeyType::Text, "", "Unit, shown in the header."),
    may("decimals", KeyType::Integer(15), "as published", "Decimals shown."),
];

const MARK_KEYS: &[KeySchema] = &[
    may("best", KeyType::OneOf(&["row", "column"]), "", "Where the best number is marked."),
    may("against", KeyType::Text, "", "The column that the others are marked against with + or −."),
];

/// The description of a kind of file.
pub fn of(kind: FileKind) -> &'static FileSchema {
    // FILES holds every kind; a test sees to it.
    FILES.iter().find(|file| file.kind == kind).unwrap_or(&FILES[0])
}

/// The kind of file that belongs at a path, and the study it belongs to.
pub fn classify(path: &str) -> Option<(&'static FileSchema, Option<&str>)> {
    let file = FILES.iter().find(|file| fits(file.pattern, path))?;
    let study = file.pattern.starts_with("studies/").then(|| path.split('/').nth(1));
    Some((file, study.flatten()))
}

/// Whether a path fits a pattern.
fn fits(pattern: &str, path: &str) -> bool {
    let mut found = path.split('/');
    let all_fit = pattern.split('/').all(|part| {
        found.next().is_some_and(|found| match part.strip_prefix('*') {
            Some(extension) => found.len() > extension.len() && found.ends_with(extension),
            None => part == "<study>" || part == found,
        })
    });
    all_fit && found.next().is_none()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::model::{NoteSeverity, OutcomeKind, RetestOutcome, Role, Statistic, Subset};

    #[test]
    fn every_kind_is_described_once_and_its_key_has_columns() {
        let names: BTreeSet<_> = FILES.iter().map(|file| file.name).collect();
        assert_eq!(names.len(), FILES.len());
        for file in FILES {
            assert_eq!(of(file.kind).pattern, file.pattern);
            if let Content::Table { key, columns } = file.content {
                let unique: BTreeSet<_> = columns.iter().map(|column| column.name).collect();
                assert_eq!(unique.len(), columns.len(), "{}", file.name);
                for name in key {
                    assert!(unique.contains(name), "{}: {name}", file.name);
                }
            }
        }
    }

    #[test]
    fn words_are_those_of_the_model() {
        let all = |words: &[&str], model: Vec<&str>| assert_eq!(words, model);
        all(ROLES, Role::ALL.iter().map(|r| r.as_str()).collect());
        all(RETEST_OUTCOMES, RetestOutcome::ALL.iter().map(|o| o.as_str()).collect());
        all(SUBSETS, Subset::ALL.iter().map(|s| s.as_str()).collect());
        all(OUTCOMES, OutcomeKind::ALL.iter().map(|o| o.as_str()).collect());
        all(NOTE_SEVERITIES, NoteSeverity::ALL.iter().map(|s| s.as_str()).collect());
        for name in STATISTICS {
            assert!(Statistic::parse(&name.replace("<id>", "x")).is_some(), "{name}");
        }
    }

    #[test]
    fn paths_are_classified() {
        let check = |path, expected: Option<(FileKind, Option<&str>)>| {
            assert_eq!(classify(path).map(|(file, study)| (file.kind, study)), expected, "{path}");
        };
        check("site.toml", Some((FileKind::Site, None)));
        check("studies/a/study.toml", Some((FileKind::Study, Some("a"))));
        check("studies/a/latencies/x.csv", Some((FileKind::Latencies, Some("a"))));
        check("studies/a/latencies/x/y.csv", None);
        check("studies/a/latencies.csv", None);
        check("studies/a/latencies/.csv", None);
        check("studies/a/latencies/x.md", None);
        check("latencies/x.csv", None);
        check("studies/study.toml", None);
    }
}
