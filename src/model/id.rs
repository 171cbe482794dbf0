//! Ids: the names that files, pages and JSON use. They become folder names and never change.

use std::{borrow::Borrow, fmt, ops::Deref, sync::Arc};

use serde::Serialize;

/// Longest id, in characters.
pub const MAX_LENGTH: usize = 64;

/// Ids that would collide with a page of the site. Studies, boards and operators may not use them.
pub const RESERVED: [&str; 12] = [
    "api",
    "assets",
    "audit",
    "batches",
    "contribute",
    "data",
    "data-format",
    "implementations",
    "methodology",
    "news",
    "operators",
    "runs",
];

/// Why a text is not an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdFault {
    /// There is no text.
    Empty,
    /// More than [`MAX_LENGTH`] characters.
    TooLong,
    /// A character that ids do not have, at this byte offset.
    Character {
        /// Byte offset in the text.
        at: usize,
        /// The character.
        found: char,
    },
    /// The first or last character is a dot or a hyphen, at this byte offset.
    Edge {
        /// Byte offset in the text.
        at: usize,
    },
    /// A name that Windows keeps for a device, so no folder can have it.
    DeviceName,
}

/// Checks a text against `[a-z0-9]([a-z0-9.-]*[a-z0-9])?` and the other rules of ids.
pub fn check(text: &str) -> Result<(), IdFault> {
    let is_edge = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9');
    for (at, found) in text.char_indices() {
        if !matches!(found, 'a'..='z' | '0'..='9' | '.' | '-') {
            return Err(IdFault::Character { at, found });
        }
    }
    let bytes = text.as_bytes();
    match (bytes.first(), bytes.last()) {
        (None, _) | (_, None) => return Err(IdFault::Empty),
        (Some(&first), _) if !is_edge(first) => return Err(IdFault::Edge { at: 0 }),
        (_, Some(&last)) if !is_edge(last) => return Err(IdFault::Edge { at: bytes.len() - 1 }),
        _ => {}
    }
    if bytes.len() > MAX_LENGTH {
        return Err(IdFault::TooLong);
    }
    if is_device_name(text) {
        return Err(IdFault::DeviceName);
    }
    Ok(())
}

/// `con`, `com1` and the like, also before a dot: Windows refuses them as file names.
fn is_device_name(id: &str) -> bool {
    let stem = id.split('.').next().unwrap_or(id);
    matches!(stem, "con" | "prn" | "aux" | "nul")
        || stem
            .strip_prefix("com")
            .or_else(|| stem.strip_prefix("lpt"))
            .is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
}

macro_rules! ids {
    ($($(#[$doc:meta])+ $name:ident)+) => {$(
        $(#[$doc])+
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The id in a text that follows the rules of ids.
            pub fn parse(text: &str) -> Result<Self, IdFault> {
                check(text).map(|()| Self(text.into()))
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Deref for $name {
            type Target = str;
            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&*self.0, f)
            }
        }
    )+};
}

ids! {
    /// A study: one body of results with its own folder.
    StudyId
    /// A board: one ranked view of a study.
    BoardId
    /// What is computed.
    OperatorId
    /// One concrete problem size of an operator; unique within it.
    ShapeId
    /// One thing that was timed.
    ImplementationId
    /// One measuring campaign.
    BatchId
    /// A comparability label on batches.
    ClassId
    /// One column of a board.
    ContenderId
    /// A published ratio of two contenders.
    EffectId
    /// A text attached to what it is about; the name of its file.
    NoteId
    /// A published figure that is held against the data.
    ClaimId
    /// A kind of GPU.
    GpuId
    /// A series of latencies over the time of one session.
    TrajectoryId
    /// A MacroEval run: one agent in one mode.
    RunId
    /// One model or workload of a MacroEval study.
    ItemId
    /// A group of MacroEval items.
    FamilyId
}

/// A shape together with its operator.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeKey {
    /// The operator.
    pub operator: OperatorId,
    /// One of its shapes.
    pub shape: ShapeId,
}

impl fmt::Display for ShapeKey {
    /// `operator/shape`, as in the published JSON.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.operator, self.shape)
    }
}

/// What one latency belongs to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordKey {
    /// Operator and shape.
    pub shape: ShapeKey,
    /// What was timed.
    pub implementation: ImplementationId,
    /// The campaign it was timed in.
    pub batch: BatchId,
}

impl fmt::Display for RecordKey {
    /// `operator/shape/implementation/batch`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.shape, self.implementation, self.batch)
    }
}
