//! Where things of a study are found, worked out once, so that a page of a study with thousands
//! of records does not walk through them all.

use std::collections::HashMap;

use crate::{
    model::{
        BatchId, Board, BoardKind, Contender, ImplementationId, Note, NoteId, OperatorId,
        RecordKey, RunId, ShapeKey, SpeedupBoard, Study, Target,
    },
    standings::{
        BoardStandings, NoSpeedup, OperatorStandings, Record, ShapeStandings, Speedup,
        SpeedupSource, SpeedupStandings, Status, StudyStandings,
    },
};

/// A study, its results, and where things are in them.
pub(super) struct Lookup<'a> {
    pub study: &'a Study,
    pub standings: &'a StudyStandings,
    records_of_shape: HashMap<&'a ShapeKey, Vec<usize>>,
    records_of_implementation: HashMap<&'a ImplementationId, Vec<usize>>,
    records_of_batch: HashMap<&'a BatchId, Vec<usize>>,
    ratios_of_shape: HashMap<&'a ShapeKey, Vec<usize>>,
    retests_of_implementation: HashMap<&'a ImplementationId, Vec<usize>>,
    places_of_shape: HashMap<&'a ShapeKey, Vec<(usize, usize, usize)>>,
    speedup_boards: Vec<SpeedupPlace<'a>>,
}

/// A board of contenders with its results.
#[derive(Clone, Copy)]
pub(super) struct SpeedupPlace<'a> {
    pub board: &'a Board,
    pub speedup: &'a SpeedupBoard,
    pub results: &'a SpeedupStandings,
}

impl<'a> SpeedupPlace<'a> {
    /// An operator on this board.
    pub fn operator(&self, operator: &OperatorId) -> Option<&'a OperatorStandings> {
        self.results.operators.iter().find(|results| results.operator == *operator)
    }
}

/// A shape on a board.
#[derive(Clone, Copy)]
pub(super) struct ShapePlace<'a> {
    pub place: SpeedupPlace<'a>,
    pub shape: &'a ShapeStandings,
}

fn grouped<K: std::hash::Hash + Eq>(keys: impl Iterator<Item = K>) -> HashMap<K, Vec<usize>> {
    let mut groups: HashMap<K, Vec<usize>> = HashMap::new();
    for (at, key) in keys.enumerate() {
        groups.entry(key).or_default().push(at);
    }
    groups
}

impl<'a> Lookup<'a> {
    pub fn new(study: &'a Study, standings: &'a StudyStandings) -> Self {
        let records = &standings.records;
        let speedup_boards: Vec<SpeedupPlace<'a>> = study
            .boards
            .values()
            .filter_map(|board| match (&board.kind, standings.boards.get(&board.id)?) {
                (BoardKind::Speedup(speedup), BoardStandings::Speedup(results)) => {
                    Some(SpeedupPlace { board, speedup, results })
                }
                _ => None,
            })
            .collect();
        let mut places_of_shape: HashMap<&ShapeKey, Vec<_>> = HashMap::new();
        for (board, place) in speedup_boards.iter().enumerate() {
            for (operator, results) in place.results.operators.iter().enumerate() {
                for (shape, result) in results.shapes.iter().enumerate() {
                    places_of_shape.entry(&result.key).or_default().push((board, operator, shape));
                }
            }
        }
        Self {
            study,
            standings,
            records_of_shape: grouped(records.iter().map(|record| &record.key.shape)),
            records_of_implementation: grouped(
                records.iter().map(|record| &record.key.implementation),
            ),
            records_of_batch: grouped(records.iter().map(|record| &record.key.batch)),
            ratios_of_shape: grouped(study.ratios.iter().map(|ratio| &ratio.key.shape)),
            retests_of_implementation: grouped(
                study.retests.iter().map(|retest| &retest.implementation),
            ),
            places_of_shape,
            speedup_boards,
        }
    }

    /// The boards of contenders, in the order of `study.toml`.
    pub fn speedup_boards(&self) -> &[SpeedupPlace<'a>] {
        &self.speedup_boards
    }

    /// The boards that have this shape.
    pub fn places(&self, shape: &ShapeKey) -> Vec<ShapePlace<'a>> {
        self.places_of_shape
            .get(shape)
            .into_iter()
            .flatten()
            .map(|&(board, operator, shape)| {
                let place = self.speedup_boards[board];
                ShapePlace { place, shape: &place.results.operators[operator].shapes[shape] }
            })
            .collect()
    }

    /// Indices of the latency records of a shape.
    pub fn records_of_shape(&self, shape: &ShapeKey) -> &[usize] {
        self.records_of_shape.get(shape).map_or(&[], Vec::as_slice)
    }

    /// Indices of the latency records of an implementation.
    pub fn records_of_implementation(&self, id: &ImplementationId) -> &[usize] {
        self.records_of_implementation.get(id).map_or(&[], Vec::as_slice)
    }

    /// Indices of the latency records of a batch.
    pub fn records_of_batch(&self, id: &BatchId) -> &[usize] {
        self.records_of_batch.get(id).map_or(&[], Vec::as_slice)
    }

    /// Indices of the ratio records of a shape.
    pub fn ratios_of_shape(&self, shape: &ShapeKey) -> &[usize] {
        self.ratios_of_shape.get(shape).map_or(&[], Vec::as_slice)
    }

    /// Indices of the retests of an implementation.
    pub fn retests_of(&self, id: &ImplementationId) -> &[usize] {
        self.retests_of_implementation.get(id).map_or(&[], Vec::as_slice)
    }

    pub fn record(&self, at: usize) -> &'a Record {
        &self.standings.records[at]
    }

    pub fn implementation_name(&self, id: &ImplementationId) -> &'a str {
        self.study.implementations.get(id).map_or("", |implementation| &implementation.name)
    }

    pub fn batch_name(&self, id: &BatchId) -> &'a str {
        self.study.batches.get(id).map_or("", |batch| &batch.name)
    }

    pub fn operator_name(&self, id: &OperatorId) -> &'a str {
        self.study.operators.get(id).map_or("", |operator| &operator.name)
    }

    pub fn shape_name(&self, key: &ShapeKey) -> &'a str {
        self.study.shapes.get(key).map_or("", |shape| &shape.name)
    }

    /// The name of a contender of a board, the baseline's included.
    pub fn contender_name(board: &'a SpeedupBoard, id: &str) -> &'a str {
        board.contender(id).map_or("", |contender| &contender.name)
    }

    fn notes_where(&self, row: &[NoteId], applies: impl Fn(&Target) -> bool) -> Vec<&'a Note> {
        self.study
            .notes
            .values()
            .filter(|note| row.contains(&note.id) || note.applies_to.iter().any(&applies))
            .collect()
    }

    /// Notes about the study as a whole.
    pub fn study_notes(&self) -> Vec<&'a Note> {
        self.notes_where(&[], |target| *target == Target::Study)
    }

    /// Notes about a board.
    pub fn board_notes(&self, board: &Board) -> Vec<&'a Note> {
        self.notes_where(&[], |target| matches!(target, Target::Board(id) if *id == board.id))
    }

    /// Notes about an operator.
    pub fn operator_notes(&self, id: &OperatorId) -> Vec<&'a Note> {
        let row = self.study.operators.get(id).map_or(&[][..], |operator| &operator.notes);
        self.notes_where(row, |target| matches!(target, Target::Operator(of) if of == id))
    }

    /// Notes about a shape.
    pub fn shape_notes(&self, key: &ShapeKey) -> Vec<&'a Note> {
        let row = self.study.shapes.get(key).map_or(&[][..], |shape| &shape.notes);
        self.notes_where(row, |target| matches!(target, Target::Shape(of) if of == key))
    }

    /// Notes about an implementation.
    pub fn implementation_notes(&self, id: &ImplementationId) -> Vec<&'a Note> {
        let row = self
            .study
            .implementations
            .get(id)
            .map_or(&[][..], |implementation| &implementation.notes);
        self.notes_where(row, |target| matches!(target, Target::Implementation(of) if of == id))
    }

    /// Notes about a batch.
    pub fn batch_notes(&self, id: &BatchId) -> Vec<&'a Note> {
        let row = self.study.batches.get(id).map_or(&[][..], |batch| &batch.notes);
        self.notes_where(row, |target| matches!(target, Target::Batch(of) if of == id))
    }

    /// Notes about one record: those its row names, and those attached to it.
    pub fn record_notes(&self, key: &RecordKey, row: &[NoteId]) -> Vec<&'a Note> {
        self.notes_where(row, |target| {
            matches!(target, Target::Record { shape, implementation, batch }
                if *shape == key.shape
                    && *implementation == key.implementation
                    && batch.as_ref().is_none_or(|batch| *batch == key.batch))
        })
    }

    /// Notes about a run, without those about single items.
    pub fn run_notes(&self, id: &RunId, row: &[NoteId]) -> Vec<&'a Note> {
        self.notes_where(
            row,
            |target| matches!(target, Target::Run { run, item: None } if run == id),
        )
    }

    /// Notes about one item of a run.
    pub fn item_notes(&self, id: &RunId, of: &str, row: &[NoteId]) -> Vec<&'a Note> {
        self.notes_where(row, |target| {
            matches!(target, Target::Run { run, item: Some(item) } if run == id && **item == *of)
        })
    }

    /// The notes that the records behind a speedup carry.
    pub fn speedup_notes(&self, speedup: &Speedup) -> Vec<&'a Note> {
        let mut notes: Vec<&'a Note> = Vec::new();
        let mut add = |key: &RecordKey, row: &[NoteId]| {
            for note in self.record_notes(key, row) {
                if !notes.iter().any(|known| known.id == note.id) {
                    notes.push(note);
                }
            }
        };
        match &speedup.source {
            SpeedupSource::Latencies { baseline, contender } => {
                for side in [contender, baseline] {
                    let record = self.record(side.record);
                    add(&record.key, &record.notes);
                }
            }
            SpeedupSource::Ratio(side) => {
                let ratio = &self.study.ratios[side.ratio];
                add(&ratio.key, &ratio.notes);
            }
        }
        notes
    }

    /// A word for why there is no speedup, and the reason as a sentence.
    pub fn why(
        &self,
        board: &'a SpeedupBoard,
        contender: &'a Contender,
        reason: &NoSpeedup,
    ) -> (String, String) {
        let batches = |ids: &[BatchId]| {
            super::words::list(&ids.iter().map(|id| self.batch_name(id)).collect::<Vec<_>>())
        };
        match reason {
            NoSpeedup::NotMeasured => {
                ("not measured".into(), format!("No record of {} here.", contender.name))
            }
            NoSpeedup::NoBaseline => {
                ("no baseline".into(), format!("{} has no record here.", board.baseline.name))
            }
            NoSpeedup::NotComparable { contender: ours, baseline: theirs } => (
                "not comparable".into(),
                format!("Not comparable: batches {} and {}.", batches(ours), batches(theirs)),
            ),
            NoSpeedup::Excluded(records) => self.left_out(&contender.name, "", records),
            NoSpeedup::BaselineExcluded(records) => {
                self.left_out(&board.baseline.name, "baseline ", records)
            }
            NoSpeedup::RatioExcluded(ratios) => self.ratios_left_out(contender, ratios),
        }
    }

    fn left_out(&self, name: &str, side: &str, records: &[usize]) -> (String, String) {
        let mut words: Vec<&str> = Vec::new();
        let mut reasons: Vec<String> = Vec::new();
        for &at in records {
            let record = self.record(at);
            let word = super::words::status(&record.status);
            if !words.contains(&word) {
                words.push(word);
            }
            reasons.push(format!(
                "{} ({}): {}",
                self.implementation_name(&record.key.implementation),
                self.batch_name(&record.key.batch),
                self.status_reason(&record.status),
            ));
        }
        if words.is_empty() {
            words.push("left out");
        }
        let reason = if reasons.is_empty() {
            format!("The records of {name} are left out.")
        } else {
            format!("Left out: {}.", reasons.join("; "))
        };
        (format!("{side}{}", words.join(", ")), reason)
    }

    /// The same for published ratios, which have no status of their own: what covers either side
    /// says why.
    fn ratios_left_out(&self, contender: &Contender, ratios: &[usize]) -> (String, String) {
        let study = self.study;
        let mut word = "not retested";
        let mut reasons: Vec<String> = Vec::new();
        for ratio in ratios.iter().map(|&at| &study.ratios[at]) {
            let sides = [&ratio.key.implementation, &ratio.reference].map(|implementation| {
                RecordKey { implementation: implementation.clone(), ..ratio.key.clone() }
            });
            for key in &sides {
                let name = self.implementation_name(&key.implementation);
                if let Some(at) = study.withdrawals.iter().position(|one| one.covers(key)) {
                    word = "withdrawn";
                    let reason = self.status_reason(&Status::Withdrawn { withdrawal: at });
                    reasons.push(format!("{name}: {reason}"));
                }
                let failed = self.retests_of(&key.implementation).iter().copied().find(|&at| {
                    study.retests[at].outcome.is_failure() && study.retests[at].covers(key)
                });
                if let Some(retest) = failed {
                    word = "failed retest";
                    let reason = self.status_reason(&Status::Failed { retest });
                    reasons.push(format!("{name}: {reason}"));
                }
            }
        }
        if reasons.is_empty() {
            reasons.push(self.status_reason(&Status::NotRetested));
        }
        let batches: Vec<&str> =
            ratios.iter().map(|&at| self.batch_name(&study.ratios[at].key.batch)).collect();
        let reason = format!(
            "The ratios of {} ({}) are left out: {}.",
            contender.name,
            super::words::list(&batches),
            reasons.join("; ")
        );
        (word.to_owned(), reason)
    }

    /// Why a record does not count, or that it does.
    pub fn status_reason(&self, status: &Status) -> String {
        match status {
            Status::Counts => "counts".into(),
            Status::Failed { retest } => {
                let retest = &self.study.retests[*retest];
                let standard = retest.standard.as_deref().unwrap_or("no standard named");
                let detail =
                    retest.detail.as_deref().map_or_else(String::new, |text| format!(", {text}"));
                format!("retest {} ({standard}{detail})", super::words::retest(retest.outcome).0)
            }
            Status::NotRetested => "this study counts only what passed a retest".into(),
            Status::Withdrawn { withdrawal } => {
                let withdrawal = &self.study.withdrawals[*withdrawal];
                format!("withdrawn on {}: {}", withdrawal.withdrawn_on, withdrawal.reason)
            }
        }
    }
}
