//! `paceboard explain`: how the numbers of an operator or a shape come about, as text.
//!
//! It shows what `standings` computed and where each input stands; it computes nothing itself.

use std::{
    fmt::{self, Write as _},
    path::Path,
};

use anyhow::{Context as _, bail};
use paceboard::{
    diagnostic::Span,
    input,
    model::{
        BoardKind, FailedPolicy, Model, Operator, RatioRecord, RecordKey, Shape, ShapeKey,
        SpeedupBoard, Study,
    },
    site::format,
    standings::{
        self, BoardStandings, Comparison, ContenderStanding, EffectResult, Estimate, Interval,
        IntervalKind, NoSpeedup, OperatorStandings, Record, ShapeResult, ShapeStandings, Speedup,
        SpeedupSource, Standings, Status, StudyStandings, Verdict,
    },
};

use super::{Outcome, faults, progress::Progress, terminal};
use crate::cli;

pub fn run(args: &cli::Explain) -> anyhow::Result<Outcome> {
    let folder = &args.data.folder;
    let progress = Progress::start("Reading the data");
    let input = input::load(folder, None)?;
    let Some(model) = &input.model else {
        drop(progress);
        faults::print_as_message(folder, &input);
        return Ok(Outcome::Faults);
    };
    progress.stage("Computing");
    let standings = standings::compute(model);
    drop(progress);
    let subject = Subject::find(model, &standings, &args.study, &args.subject)?;
    terminal::result(&explanation(&subject, folder)?)?;
    Ok(Outcome::Clean)
}

/// What is explained.
struct Subject<'a> {
    study: &'a Study,
    standings: &'a StudyStandings,
    operator: &'a Operator,
    /// One of its shapes; all of them if none.
    shape: Option<&'a Shape>,
}

impl<'a> Subject<'a> {
    fn find(
        model: &'a Model,
        standings: &'a Standings,
        study: &str,
        subject: &str,
    ) -> anyhow::Result<Self> {
        let known = model.studies.keys().map(AsRef::as_ref);
        let study = model
            .studies
            .get(study)
            .with_context(|| format!("no study `{study}`; {}", suggestion(study, known)))?;
        let standings = &standings.studies[&study.id];
        let (operator, shape) = match subject.split_once('/') {
            Some((operator, shape)) => (operator, Some(shape)),
            None => (subject, None),
        };
        let known = study.operators.keys().map(AsRef::as_ref);
        let operator = study.operators.get(operator).with_context(|| {
            let word = study.labels.operator.to_lowercase();
            format!("no {word} `{operator}` in `{}`; {}", study.id, suggestion(operator, known))
        })?;
        let Some(shape) = shape else {
            return Ok(Self { study, standings, operator, shape: None });
        };
        let found = study.shapes_of(&operator.id).find(|known| known.id().as_str() == shape);
        if found.is_none() {
            let word = study.labels.shape.to_lowercase();
            let known = study.shapes_of(&operator.id).map(|shape| shape.id().as_ref());
            bail!("no {word} `{shape}` of `{}`; {}", operator.id, suggestion(shape, known));
        }
        Ok(Self { study, standings, operator, shape: found })
    }

    fn covers(&self, key: &ShapeKey) -> bool {
        self.shape.map_or(key.operator == self.operator.id, |shape| shape.key == *key)
    }
}

/// How many ids are listed at most.
const SHORT: usize = 12;

/// The nearest id, or all of them where none is near.
pub(super) fn suggestion<'a>(text: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    let near = known
        .iter()
        .map(|id| (strsim::damerau_levenshtein(text, id), *id))
        .filter(|(distance, id)| *distance <= 2.max(id.len() / 3))
        .min();
    match near {
        Some((_, id)) => format!("did you mean `{id}`?"),
        None if known.is_empty() => "there is none".to_owned(),
        None if known.len() <= SHORT => format!("there is {}", known.join(", ")),
        None => format!("there is {} and {} more", known[..SHORT].join(", "), known.len() - SHORT),
    }
}

/// The whole text.
fn explanation(subject: &Subject<'_>, folder: &Path) -> Result<String, fmt::Error> {
    let (study, operator) = (subject.study, subject.operator);
    let out = &mut String::new();
    match subject.shape {
        None => writeln!(out, "{} ({})", operator.name, operator.id)?,
        Some(shape) => {
            writeln!(out, "{}, {} ({})", operator.name, shape.name, shape.key)?;
            if let Some(description) = &shape.description {
                writeln!(out, "{description}")?;
            }
        }
    }
    writeln!(out, "Study: {} ({})", study.title, study.id)?;
    if let Some(standard) = &operator.standard {
        writeln!(out, "Correctness standard: {standard}")?;
    }

    let writer = Writer { subject, folder };
    let mut boards = 0;
    for (id, standing) in &subject.standings.boards {
        let (BoardKind::Speedup(board), BoardStandings::Speedup(standing)) =
            (&study.boards[id].kind, standing)
        else {
            continue;
        };
        let Some(operator) = standing.operators.iter().find(|o| o.operator == operator.id) else {
            continue;
        };
        let shown: Vec<&ShapeStandings> =
            operator.shapes.iter().filter(|shape| subject.covers(&shape.key)).collect();
        if shown.is_empty() {
            continue;
        }
        boards += 1;
        writeln!(out, "\nBoard {}: {}", id, study.boards[id].title)?;
        writer.board_rule(out, board)?;
        if subject.shape.is_none() {
            writer.standings(out, board, operator)?;
            writer.effects(out, board, &standing.effects)?;
        }
        for shape in shown {
            writer.shape(out, board, shape)?;
        }
    }
    if boards == 0 {
        writeln!(out, "\nIt is on no board.")?;
    }
    writer.records(out)?;
    writer.claims(out)?;
    Ok(std::mem::take(out))
}

/// Writes parts of the text. Every method ends its last line.
struct Writer<'a> {
    subject: &'a Subject<'a>,
    folder: &'a Path,
}

impl Writer<'_> {
    /// Every record of the subject and what became of it.
    fn records(&self, out: &mut String) -> fmt::Result {
        let records: Vec<&Record> =
            self.subject.standings.records.iter().filter(|r| self.covers(&r.key)).collect();
        let ratios: Vec<_> =
            self.subject.study.ratios.iter().filter(|r| self.covers(&r.key)).collect();
        if records.is_empty() && ratios.is_empty() {
            return writeln!(out, "\nNo record.");
        }
        writeln!(out, "\nRecords")?;
        let mut last: Option<&ShapeKey> = None;
        for record in records {
            if last != Some(&record.key.shape) {
                writeln!(out, "  {}", record.key.shape)?;
                last = Some(&record.key.shape);
            }
            write!(out, "    {} µs  {}", record.published, origin(&record.key))?;
            if let Some((samples, rounds)) = record.samples {
                let samples = format::count(samples, "sample", "samples");
                write!(out, ", median of {samples} in {}", rounds_text(rounds))?;
            }
            writeln!(out, "{}", digits(&record.latency))?;
            writeln!(out, "      at {}", self.place(&record.span))?;
            if let Some(model) = &record.model {
                writeln!(out, "      written by {model}")?;
            }
            if let Some(share) = record.limits.memory {
                writeln!(out, "      {} of the memory limit", format::percent(share))?;
            }
            if let Some(share) = record.limits.arithmetic {
                writeln!(out, "      {} of the arithmetic limit", format::percent(share))?;
            }
            self.retests(out, &record.key)?;
            if let Some(reason) = self.left_out(record) {
                writeln!(out, "      {reason}")?;
            }
        }
        for ratio in ratios {
            if last != Some(&ratio.key.shape) {
                writeln!(out, "  {}", ratio.key.shape)?;
                last = Some(&ratio.key.shape);
            }
            writeln!(
                out,
                "    {}× published  {} against {} in {}",
                ratio.speedup.text, ratio.key.implementation, ratio.reference, ratio.key.batch
            )?;
            writeln!(out, "      at {}", self.place(&ratio.span))?;
            self.retests(out, &ratio.key)?;
        }
        Ok(())
    }

    fn retests(&self, out: &mut String, key: &RecordKey) -> fmt::Result {
        let mut any = false;
        for retest in self.subject.study.retests.iter().filter(|retest| retest.covers(key)) {
            any = true;
            write!(out, "      retest: {}", retest.outcome)?;
            if let Some(standard) = &retest.standard {
                write!(out, " ({standard})")?;
            }
            writeln!(out, " at {}", self.place(&retest.span))?;
        }
        if !any {
            writeln!(out, "      not retested")?;
        }
        Ok(())
    }

    /// Why a record does not count everywhere.
    fn left_out(&self, record: &Record) -> Option<String> {
        let study = self.subject.study;
        match record.status {
            Status::Counts => None,
            Status::Failed { retest } => {
                let retest = &study.retests[retest];
                let place = self.place(&retest.span);
                Some(format!("a retest says {} ({place})", retest.outcome))
            }
            Status::NotRetested => {
                Some("left out: the study requires a passed retest, and there is none".to_owned())
            }
            Status::Withdrawn { withdrawal } => {
                let withdrawal = &study.withdrawals[withdrawal];
                let (day, reason) = (withdrawal.withdrawn_on, &withdrawal.reason);
                let place = self.place(&withdrawal.span);
                Some(format!("withdrawn on {day}: {reason} ({place})"))
            }
        }
    }

    fn board_rule(&self, out: &mut String, board: &SpeedupBoard) -> fmt::Result {
        let classes = board.classes.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(", ");
        let members = self.members(board, &board.baseline.id);
        writeln!(
            out,
            "  A speedup is the latency of {} ({members}) over that of the contender.\n  \
             Classes, in order of preference: {classes}.",
            board.baseline.name
        )?;
        if board.failed == FailedPolicy::AsIs {
            writeln!(out, "  Records whose retest failed count here, and are marked.")?;
        }
        Ok(())
    }

    fn members(&self, board: &SpeedupBoard, contender: &str) -> String {
        let members =
            board.contender(contender).map_or(&[][..], |c| c.members_on(&self.subject.operator.id));
        match members {
            [] => "no member here".to_owned(),
            [one] => one.to_string(),
            several => {
                let names: Vec<&str> = several.iter().map(AsRef::as_ref).collect();
                format!("fastest of {}", names.join(", "))
            }
        }
    }

    fn standings(
        &self,
        out: &mut String,
        board: &SpeedupBoard,
        operator: &OperatorStandings,
    ) -> fmt::Result {
        writeln!(out, "\n  Standings")?;
        for result in &operator.results {
            self.standing(out, board, operator, result)?;
        }
        for comparison in &operator.comparisons {
            write_comparison(out, board, comparison)?;
        }
        Ok(())
    }

    fn standing(
        &self,
        out: &mut String,
        board: &SpeedupBoard,
        operator: &OperatorStandings,
        result: &ContenderStanding,
    ) -> fmt::Result {
        let rank = result.rank.map_or_else(|| format::NONE.to_owned(), |rank| rank.to_string());
        let name = contender_name(board, &result.contender);
        let n = format::n_of(result.counted, result.total);
        write!(out, "    {rank}  {name}: {}", format::speedup_or_none(result.geomean.as_ref()))?;
        if let Some(geomean) = &result.geomean {
            write!(out, "{}", bounds(geomean))?;
        }
        write!(out, ", {n} {}", self.shapes_word())?;
        if let Some(verdict) = result.verdict {
            write!(out, ", {} the baseline", against(verdict))?;
        }
        writeln!(out)?;
        let terms: Vec<String> = operator
            .shapes
            .iter()
            .flat_map(|shape| &shape.results)
            .filter(|on_shape| on_shape.contender == result.contender)
            .filter_map(|on_shape| on_shape.outcome.as_ref().ok())
            .map(|speedup| format::significant(speedup.estimate.value))
            .collect();
        if terms.len() > 1 {
            writeln!(out, "       = ({})^(1/{})", terms.join(" · "), terms.len())?;
        }
        if !result.missing.is_empty() {
            let missing: Vec<&str> = result.missing.iter().map(|key| key.shape.as_ref()).collect();
            writeln!(out, "       without {}", missing.join(", "))?;
        }
        if !result.failed.is_empty() {
            let failed: Vec<&str> = result.failed.iter().map(|key| key.shape.as_ref()).collect();
            writeln!(out, "       counted in spite of a failed retest: {}", failed.join(", "))?;
        }
        Ok(())
    }

    fn effects(
        &self,
        out: &mut String,
        board: &SpeedupBoard,
        effects: &[EffectResult],
    ) -> fmt::Result {
        let mine =
            effects.iter().filter(|e| e.operator.as_ref() == Some(&self.subject.operator.id));
        for result in mine {
            let Some(effect) = board.effects.iter().find(|effect| effect.id == result.effect)
            else {
                continue;
            };
            write!(out, "    Effect {}: ", effect.name)?;
            match &result.estimate {
                None => writeln!(out, "{}, no shape in common", format::NONE)?,
                Some(estimate) => writeln!(
                    out,
                    "{}{}, {} over {} on {} in common",
                    format::speedup(estimate.value),
                    bounds(estimate),
                    contender_name(board, &effect.numerator),
                    contender_name(board, &effect.denominator),
                    format::count(result.counted, "shape", "shapes"),
                )?,
            }
        }
        Ok(())
    }

    fn shape(&self, out: &mut String, board: &SpeedupBoard, shape: &ShapeStandings) -> fmt::Result {
        let name = &self.subject.study.shapes[&shape.key].name;
        writeln!(out, "\n  {name} ({})", shape.key.shape)?;
        for result in &shape.results {
            self.shape_result(out, board, result)?;
        }
        Ok(())
    }

    fn shape_result(
        &self,
        out: &mut String,
        board: &SpeedupBoard,
        result: &ShapeResult,
    ) -> fmt::Result {
        let name = contender_name(board, &result.contender);
        let speedup = match &result.outcome {
            Ok(speedup) => speedup,
            Err(reason) => return self.no_speedup(out, name, reason),
        };
        write!(out, "    {name}: ")?;
        self.equation(out, &speedup.source, &speedup.estimate)?;
        write!(out, ", {}", speedup.verdict.as_str())?;
        if speedup.failed() {
            write!(out, ", a retest failed")?;
        }
        writeln!(out, "; class {}", speedup.class)?;
        self.inputs(out, "      ", &speedup.source)?;
        self.replications(out, speedup)
    }

    fn replications(&self, out: &mut String, speedup: &Speedup) -> fmt::Result {
        for replication in &speedup.replications {
            write!(out, "      in class {}: ", replication.class)?;
            self.equation(out, &replication.source, &replication.estimate)?;
            let shared = if replication.shared { "replicated" } else { "not replicated" };
            writeln!(
                out,
                ", {}; {shared}, {} of the above",
                replication.verdict.as_str(),
                format::speedup(replication.ratio)
            )?;
            self.inputs(out, "        ", &replication.source)?;
        }
        Ok(())
    }

    /// `145.6 / 158.5 µs = 0.919× (0.918–0.919, published digits)`
    fn equation(
        &self,
        out: &mut String,
        source: &SpeedupSource,
        estimate: &Estimate,
    ) -> fmt::Result {
        match source {
            SpeedupSource::Latencies { baseline, contender } => {
                let value = format::speedup(estimate.value);
                let records = &self.subject.standings.records;
                let (above, below) = (&records[baseline.record], &records[contender.record]);
                write!(out, "{} / {} = {value}{}", term(above), term(below), bounds(estimate))
            }
            SpeedupSource::Ratio(side) => {
                let ratio = &self.subject.study.ratios[side.ratio];
                write!(out, "{}× as published{}", ratio.speedup.text, digits(estimate))
            }
        }
    }

    fn inputs(&self, out: &mut String, indent: &str, source: &SpeedupSource) -> fmt::Result {
        match source {
            SpeedupSource::Latencies { baseline, contender } => {
                let records = &self.subject.standings.records;
                for side in [baseline, contender] {
                    writeln!(out, "{indent}{}", self.input(&records[side.record]))?;
                    for &rival in &side.rivals {
                        let rival = self.input(&records[rival]);
                        writeln!(out, "{indent}  or {rival}: it may be the faster one")?;
                    }
                }
                Ok(())
            }
            SpeedupSource::Ratio(side) => {
                self.ratio(out, indent, &self.subject.study.ratios[side.ratio])
            }
        }
    }

    /// `126 µs  kda-0.5 in table-5  data/studies/…/table-5.csv:56:41`
    fn input(&self, record: &Record) -> String {
        let (origin, place) = (origin(&record.key), self.place(&record.span));
        format!("{} µs  {origin}  {place}", record.published)
    }

    fn no_speedup(&self, out: &mut String, name: &str, reason: &NoSpeedup) -> fmt::Result {
        write!(out, "    {name}: {}, ", format::NONE)?;
        match reason {
            NoSpeedup::NotMeasured => writeln!(out, "not measured"),
            NoSpeedup::NoBaseline => writeln!(out, "no baseline"),
            NoSpeedup::NotComparable { contender, baseline } => {
                let list = |batches: &[paceboard::model::BatchId]| {
                    batches.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(", ")
                };
                writeln!(
                    out,
                    "not comparable: the contender was measured in {}, the baseline in {}",
                    list(contender),
                    list(baseline)
                )
            }
            NoSpeedup::Excluded(records) => {
                writeln!(out, "its records are left out")?;
                self.excluded(out, records)
            }
            NoSpeedup::BaselineExcluded(records) => {
                writeln!(out, "the records of the baseline are left out")?;
                self.excluded(out, records)
            }
            NoSpeedup::RatioExcluded(ratios) => {
                writeln!(out, "its published ratios are left out")?;
                for &ratio in ratios {
                    self.ratio(out, "      ", &self.subject.study.ratios[ratio])?;
                }
                Ok(())
            }
        }
    }

    fn ratio(&self, out: &mut String, indent: &str, ratio: &RatioRecord) -> fmt::Result {
        let (origin, place) = (origin(&ratio.key), self.place(&ratio.span));
        writeln!(
            out,
            "{indent}{}×  {origin} against {}  {place}",
            ratio.speedup.text, ratio.reference
        )
    }

    fn excluded(&self, out: &mut String, records: &[usize]) -> fmt::Result {
        for &record in records {
            let record = &self.subject.standings.records[record];
            writeln!(out, "      {}", self.input(record))?;
            if let Some(reason) = self.left_out(record) {
                writeln!(out, "        {reason}")?;
            }
        }
        Ok(())
    }

    /// Published figures about the subject alone, held against the data.
    fn claims(&self, out: &mut String) -> fmt::Result {
        let mut first = true;
        for result in &self.subject.standings.claims {
            let claim = &self.subject.study.claims[result.claim];
            let about_it = match self.subject.shape {
                None => claim.operators == [self.subject.operator.id.as_str()],
                Some(shape) => result.inputs == [shape.key.clone()],
            };
            if !about_it {
                continue;
            }
            if std::mem::take(&mut first) {
                writeln!(out, "\nClaims")?;
            }
            let against = claim.against.iter().map(|against| format!(" against {against}"));
            let of: String = claim.contender.clone().into_iter().chain(against).collect();
            let recomputed = result.recomputed.map_or_else(
                || "nothing".to_owned(),
                |recomputed| recomputed_text(recomputed.value, claim.value.decimals),
            );
            writeln!(
                out,
                "  {} {of} on {}: {} published, {recomputed} recomputed: {}\n    at {}",
                claim.statistic_text,
                claim.board,
                claim.value.text,
                result.verdict.as_str().replace('-', " "),
                self.place(&claim.span)
            )?;
        }
        Ok(())
    }

    fn covers(&self, key: &RecordKey) -> bool {
        self.subject.covers(&key.shape)
    }

    /// What the study calls its shapes, in lower case and in the plural.
    fn shapes_word(&self) -> String {
        format!("{}s", self.subject.study.labels.shape.to_lowercase())
    }

    /// `data/studies/x/latencies/y.csv:12:5`, as editors and terminals understand it.
    fn place(&self, span: &Span) -> String {
        let file = self.folder.join(&*span.file);
        format!("{}:{}:{}", file.display(), span.line, span.column)
    }
}

fn write_comparison(
    out: &mut String,
    board: &SpeedupBoard,
    comparison: &Comparison,
) -> fmt::Result {
    let (Some(ratio), Some(verdict)) = (&comparison.ratio, comparison.verdict) else {
        return Ok(());
    };
    let first = contender_name(board, &comparison.contender);
    let second = contender_name(board, &comparison.against);
    let common = format::count(comparison.common, "shape", "shapes");
    write!(
        out,
        "    {first} against {second}: {}{} on {common} in common, {}",
        format::speedup(ratio.value),
        bounds(ratio),
        verdict.as_str()
    )?;
    if comparison.through_baseline > 0 {
        write!(out, ", {} of them through the baseline", comparison.through_baseline)?;
    }
    writeln!(out)
}

/// A verdict with the preposition that it takes.
fn against(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Faster => "faster than",
        Verdict::Slower => "slower than",
        Verdict::Tie => "tied with",
        Verdict::Undecided => "undecided against",
    }
}

fn contender_name<'a>(board: &'a SpeedupBoard, id: &'a str) -> &'a str {
    board.contender(id).map_or(id, |contender| &contender.name)
}

/// One digit more than was published; a count as a count.
fn recomputed_text(value: f64, published_decimals: i32) -> String {
    let decimals = usize::try_from(published_decimals + 1).unwrap_or(0);
    format::decimals(value, if value.fract() == 0.0 { 0 } else { decimals })
}

/// A latency as it stands in an equation: its published text, in brackets if that is a range.
fn term(record: &Record) -> String {
    let text = &record.published;
    if text.contains('–') { format!("({text})") } else { text.to_string() }
}

fn origin(key: &RecordKey) -> String {
    format!("{} in {}", key.implementation, key.batch)
}

fn rounds_text(rounds: usize) -> String {
    format::count(rounds, "round", "rounds")
}

/// ` (0.918–0.919, published digits)`, or nothing.
fn bounds(estimate: &Estimate) -> String {
    with_kind(estimate, format::interval)
}

/// The same for a number that was published: ` (145.55–145.65, published digits)`.
fn digits(estimate: &Estimate) -> String {
    with_kind(estimate, |interval| match interval.kind {
        IntervalKind::PublishedDigits => format::bounds(interval),
        IntervalKind::Rounds | IntervalKind::Mixed => format::interval(interval),
    })
}

fn with_kind(estimate: &Estimate, ends: impl Fn(&Interval) -> String) -> String {
    let Some(interval) = &estimate.interval else {
        return String::new();
    };
    let kind = match interval.kind {
        IntervalKind::PublishedDigits => "published digits",
        IntervalKind::Rounds => "95 % over rounds",
        IntervalKind::Mixed => "mixed",
    };
    format!(" ({}, {kind})", ends(interval))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_gets_the_nearest_id() {
        let known = ["fa4-forward", "fa4-backward", "moe-fp8"];
        for (text, expected) in [
            ("fa4-bakward", "did you mean `fa4-backward`?"),
            ("moe-fp-8", "did you mean `moe-fp8`?"),
            ("softmax", "there is fa4-forward, fa4-backward, moe-fp8"),
        ] {
            assert_eq!(suggestion(text, known.into_iter()), expected, "{text}");
        }
        assert_eq!(suggestion("x", std::iter::empty()), "there is none");
    }
}
