//! A change for other programs: all of it, with full precision. A side that is not there is
//! `null`.

use paceboard::{
    diagnostic::Diagnostic,
    standings::{
        Estimate,
        change::{
            BoardChange, Change, ClaimChange, ClaimState, Delta, PartChange, PartDelta, Quantity,
            RecordChange, RecordName, RecordState, RecordStatus, Row, RowChange, StudyChange,
        },
    },
};
use serde_json::{Map, Value, json};

/// The change as one JSON document.
pub fn render(change: &Change) -> String {
    let value = json!({
        "changed": !change.is_empty(),
        "parts": list(&change.parts, part),
        "studies": list(&change.studies, study),
        "warnings": {
            "came": list(&change.warnings_that_came, warning),
            "went": list(&change.warnings_that_went, warning),
        },
    });
    format!("{value:#}\n")
}

fn list<T>(items: &[T], of: impl Fn(&T) -> Value) -> Value {
    items.iter().map(of).collect()
}

/// Both sides of a difference.
fn sides<T>(delta: &Delta<T>, of: impl Fn(&T) -> Value) -> (Value, Value) {
    (delta.before().map_or(Value::Null, &of), delta.after().map_or(Value::Null, &of))
}

fn study(study: &StudyChange) -> Value {
    json!({
        "study": study.study,
        "presence": study.presence.as_str(),
        "parts": list(&study.parts, part),
        "records": list(&study.records, record),
        "boards": list(&study.boards, board),
        "claims": list(&study.claims, claim),
    })
}

fn part(part: &PartChange) -> Value {
    let fields = match &part.delta {
        PartDelta::Changed(fields) => list(
            fields,
            |field| json!({ "field": field.field, "old": field.old, "new": field.new }),
        ),
        PartDelta::Added | PartDelta::Removed => json!([]),
    };
    json!({
        "kind": part.kind.as_str(),
        "name": part.name,
        "what": part.delta.as_str(),
        "fields": fields,
    })
}

fn record(record: &RecordChange) -> Value {
    let key = record.name.key();
    let (kind, reference) = match &record.name {
        RecordName::Latency(_) => ("latency", Value::Null),
        RecordName::Ratio { reference, .. } => ("ratio", json!(reference)),
    };
    let (old, new) = sides(&record.delta, record_state);
    json!({
        "kind": kind,
        "operator": key.shape.operator,
        "shape": key.shape.shape,
        "implementation": key.implementation,
        "reference": reference,
        "batch": key.batch,
        "what": record.what().as_str(),
        "old": old,
        "new": new,
        "file": &*record.span.file,
        "line": record.span.line,
    })
}

fn record_state(state: &RecordState) -> Value {
    let reason = match &state.status {
        RecordStatus::Withdrawn(reason) => json!(reason),
        _ => Value::Null,
    };
    json!({
        "published": &*state.published,
        "estimate": estimate(&state.estimate),
        "samples": state.samples.map(|(samples, _)| samples),
        "rounds": state.samples.map(|(_, rounds)| rounds),
        "model": state.model.as_deref(),
        "status": state.status.as_str(),
        "reason": reason,
        "notes": state.notes,
    })
}

fn estimate(estimate: &Estimate) -> Value {
    json!({
        "value": estimate.value,
        "low": estimate.interval.map(|interval| interval.low),
        "high": estimate.interval.map(|interval| interval.high),
        "interval": estimate.interval.map(|interval| interval.kind),
    })
}

fn board(board: &BoardChange) -> Value {
    json!({
        "board": board.board,
        "presence": board.presence.as_str(),
        "rows": list(&board.rows, row),
    })
}

fn row(change: &RowChange) -> Value {
    let name = match &change.row {
        Row::Standing { operator, contender } => {
            json!({ "kind": "standing", "operator": operator, "contender": contender })
        }
        Row::Pair { operator, contender, against } => {
            json!({ "kind": "pair", "operator": operator, "contender": contender, "against": against })
        }
        Row::Effect { operator, effect } => {
            json!({ "kind": "effect", "operator": operator, "effect": effect })
        }
        Row::Run { run, subset } => json!({ "kind": "run", "run": run, "subset": subset }),
    };
    let (old, new) = sides(&change.delta, |measures| {
        let named = measures
            .iter()
            .map(|(name, value)| (name.as_str().to_owned(), value.map_or(Value::Null, quantity)));
        Value::Object(named.collect::<Map<_, _>>())
    });
    let shapes = |keys: &[paceboard::model::ShapeKey]| list(keys, |key| json!(key.to_string()));
    json!({
        "row": name,
        "old": old,
        "new": new,
        "shapes_lost": shapes(&change.shapes_lost),
        "shapes_won": shapes(&change.shapes_won),
    })
}

fn quantity(quantity: Quantity) -> Value {
    match quantity {
        Quantity::Ratio(ratio) => estimate(&ratio),
        Quantity::Number(value) => json!(value),
        Quantity::Of(counted, total) => json!({ "counted": counted, "total": total }),
        Quantity::Count(count) => json!(count),
        Quantity::Verdict(verdict) => json!(verdict),
    }
}

fn claim(claim: &ClaimChange) -> Value {
    let (old, new) = sides(&claim.delta, claim_state);
    json!({
        "id": claim.claim,
        "board": claim.board,
        "old": old,
        "new": new,
    })
}

fn claim_state(state: &ClaimState) -> Value {
    json!({
        "subject": state.subject,
        "published": &*state.published,
        "recomputed": state.recomputed.map(|figure| figure.value),
        "low": state.recomputed.map(|figure| figure.low),
        "high": state.recomputed.map(|figure| figure.high),
        "verdict": state.verdict,
    })
}

fn warning(warning: &Diagnostic) -> Value {
    json!({
        "code": warning.code.as_str(),
        "file": warning.place.file(),
        "line": warning.place.span().map(|span| span.line),
        "message": warning.message,
        "help": warning.help,
    })
}
