//! The audit: what a reader who doubts should see, in one place.

use askama::Template;
use serde::Serialize;

use super::{
    claims::{self, ClaimRow},
    comparison,
    context::{Context, Frame, Link, page, study_crumb},
    lookup::Lookup,
    notes::{NoteView, Notes},
    record::{self, RetestRow},
    timers::{self, TimerFigure},
    words::{self, Badge},
};
use crate::{
    diagnostic::Place,
    model::Withdrawal,
    site::{File, format, path},
    standings::ClaimVerdict,
};

/// `<study>/audit/index.html`.
#[derive(Template, Serialize)]
#[template(path = "audit.html", whitespace = "minimize")]
pub(super) struct AuditPage {
    #[serde(skip)]
    frame: Frame,
    summary: Vec<(Link, String)>,
    claims: Vec<ClaimRow>,
    claim_counts: Vec<(Badge, String)>,
    exclusions: Vec<ExclusionRow>,
    failures: Vec<RetestRow>,
    retest_counts: String,
    drift: Vec<DriftRow>,
    timers: Vec<TimerFigure>,
    precision: Vec<OpenRow>,
    plausibility: Vec<WarningRow>,
    coverage: Vec<CoverageRow>,
    withdrawals: Vec<WithdrawalRow>,
    json: Link,
    notes: Vec<NoteView>,
}

/// A contender without a speedup.
#[derive(Serialize)]
struct ExclusionRow {
    board: Link,
    operator: Link,
    shape: Link,
    contender: String,
    word: Link,
    reason: String,
}

/// The same thing in several batches.
#[derive(Serialize)]
struct DriftRow {
    operator: Link,
    shape: Link,
    implementation: Link,
    /// Batch and latency of each record.
    records: Vec<(Link, Link)>,
    spread: String,
}

/// An order that the precision leaves open.
#[derive(Serialize)]
struct OpenRow {
    board: Link,
    over: Link,
    sentence: String,
    kind: String,
}

/// A value that is hard to believe.
#[derive(Serialize)]
struct WarningRow {
    code: &'static str,
    message: String,
    help: String,
    source: Link,
}

/// Something a study does not have.
#[derive(Serialize)]
struct CoverageRow {
    what: &'static str,
    subject: Link,
    detail: String,
}

/// A withdrawal.
#[derive(Serialize)]
struct WithdrawalRow {
    implementation: Link,
    covers: String,
    on: String,
    reason: String,
    discussion: Link,
    source: Link,
}

fn exclusions(lookup: &Lookup<'_>, frame: &Frame) -> Vec<ExclusionRow> {
    lookup
        .standings
        .audit
        .exclusions
        .iter()
        .filter_map(|one| {
            let place = lookup.speedup_boards().iter().find(|at| at.board.id == one.board)?;
            let contender = place.speedup.contender(&one.contender)?;
            let (word, reason) = lookup.why(place.speedup, contender, &one.reason);
            let anchor = path::speedup_anchor(&one.board, &one.contender);
            Some(ExclusionRow {
                board: super::headline::board_link(lookup.study, place.board, frame),
                operator: record::operator_link(lookup, frame, &one.shape.operator),
                shape: record::shape_link(lookup, frame, &one.shape),
                contender: contender.name.clone(),
                word: Link::new(
                    word,
                    frame.to_place(&path::shape(&lookup.study.id, &one.shape), &anchor),
                ),
                reason,
            })
        })
        .collect()
}

fn drift(lookup: &Lookup<'_>, frame: &Frame) -> Vec<DriftRow> {
    lookup
        .standings
        .audit
        .drift
        .iter()
        .map(|one| DriftRow {
            operator: record::operator_link(lookup, frame, &one.shape.operator),
            shape: record::shape_link(lookup, frame, &one.shape),
            implementation: record::implementation_link(lookup, frame, &one.implementation),
            records: one
                .records
                .iter()
                .map(|&at| {
                    let found = lookup.record(at);
                    let key = &found.key;
                    let anchor = path::record_anchor(&key.implementation, &key.batch);
                    let page = path::shape(&lookup.study.id, &key.shape);
                    (
                        record::batch_link(lookup, frame, &key.batch),
                        Link::new(&*found.published, frame.to_place(&page, &anchor)),
                    )
                })
                .collect(),
            spread: format::speedup(one.spread),
        })
        .collect()
}

fn precision(lookup: &Lookup<'_>, frame: &Frame) -> Vec<OpenRow> {
    lookup
        .standings
        .audit
        .precision
        .iter()
        .filter_map(|one| {
            let place = lookup.speedup_boards().iter().find(|at| at.board.id == one.board)?;
            let row = comparison::row(*place, "", &one.comparison);
            let over = match &one.operator {
                Some(id) => Link::new(
                    lookup.operator_name(id),
                    frame.to_place(
                        &path::operator(&lookup.study.id, id),
                        &path::board_anchor(&one.board),
                    ),
                ),
                None => Link::plain("all"),
            };
            Some(OpenRow {
                board: super::headline::board_link(lookup.study, place.board, frame),
                over,
                sentence: row.sentence,
                kind: row.kind,
            })
        })
        .collect()
}

fn coverage(lookup: &Lookup<'_>, frame: &Frame) -> Vec<CoverageRow> {
    let coverage = &lookup.standings.audit.coverage;
    let study = lookup.study;
    let mut rows = Vec::new();
    for (board, shape) in &coverage.without_baseline {
        let title = study.boards.get(board).map_or("", |board| board.title.as_str());
        let link = record::shape_link(lookup, frame, shape);
        rows.push(CoverageRow {
            what: "no baseline",
            subject: Link::new(
                format!("{}, {}", lookup.operator_name(&shape.operator), link.text),
                link.href,
            ),
            detail: title.to_owned(),
        });
    }
    for id in &coverage.without_retest {
        rows.push(CoverageRow {
            what: "no retest",
            subject: record::implementation_link(lookup, frame, id),
            detail: "No retest covers it; that is not a failure.".into(),
        });
    }
    for (batch, missing) in &coverage.without_environment {
        rows.push(CoverageRow {
            what: "environment not given",
            subject: record::batch_link(lookup, frame, batch),
            detail: missing.join(", "),
        });
    }
    for (class, count) in &coverage.without_board {
        rows.push(CoverageRow {
            what: "on no board",
            subject: Link::plain(format!("class {class}")),
            detail: format::count(*count, "record", "records"),
        });
    }
    rows
}

fn withdrawal(
    context: &Context<'_>,
    lookup: &Lookup<'_>,
    one: &Withdrawal,
    frame: &Frame,
) -> WithdrawalRow {
    let mut covers = match (&one.shape, &one.operator) {
        (Some(shape), _) => {
            format!("{}, {}", lookup.operator_name(&shape.operator), lookup.shape_name(shape))
        }
        (None, Some(operator)) => lookup.operator_name(operator).to_owned(),
        (None, None) => "everything".to_owned(),
    };
    if let Some(batch) = &one.batch {
        covers = format!("{covers}, in {}", lookup.batch_name(batch));
    }
    WithdrawalRow {
        implementation: record::implementation_link(lookup, frame, &one.implementation),
        covers,
        on: one.withdrawn_on.to_string(),
        reason: one.reason.clone(),
        discussion: one.url.as_ref().map_or_else(Link::default, |url| Link::new(url, url)),
        source: context.source(&one.span),
    }
}

fn view<'a>(context: &Context<'a>, lookup: &Lookup<'a>) -> AuditPage {
    let study = lookup.study;
    let frame = context.frame(
        &path::study_part(&study.id, "audit"),
        "Audit",
        &format!(
            "Claims, exclusions, retests, drift, precision, plausibility and coverage of {}.",
            study.title
        ),
        &[study_crumb(study)],
    );
    let mut notes = Notes::default();
    let claims = claims::rows(context, lookup, None, &frame, &mut notes);
    let claim_counts = ClaimVerdict::ALL
        .iter()
        .filter_map(|&verdict| {
            let count =
                lookup.standings.claims.iter().filter(|claim| claim.verdict == verdict).count();
            (count > 0).then(|| (words::claim_verdict(verdict), count.to_string()))
        })
        .collect();
    let failing = study.retests.iter().filter(|retest| {
        retest.outcome.is_failure() || retest.outcome == crate::model::RetestOutcome::NotJudged
    });
    let failures = record::retests(context, lookup, failing, &frame, &mut notes);
    let passed = study
        .retests
        .iter()
        .filter(|retest| retest.outcome == crate::model::RetestOutcome::Pass)
        .count();
    let plausibility: Vec<WarningRow> = lookup
        .standings
        .audit
        .plausibility
        .iter()
        .map(|warning| WarningRow {
            code: warning.code.as_str(),
            message: warning.message.clone(),
            help: warning.help.clone(),
            source: match &warning.place {
                Place::Span(span) => context.source(span),
                Place::File(file) => Link::plain(&**file),
            },
        })
        .collect();
    let exclusions = exclusions(lookup, &frame);
    let drift = drift(lookup, &frame);
    let precision = precision(lookup, &frame);
    let coverage = coverage(lookup, &frame);
    let withdrawals: Vec<WithdrawalRow> =
        study.withdrawals.iter().map(|one| withdrawal(context, lookup, one, &frame)).collect();
    let summary = [
        ("Claims", "claims", claims.len()),
        ("Exclusions", "exclusions", exclusions.len()),
        ("Retests that did not pass", "retests", failures.len()),
        ("Drift across batches", "drift", drift.len()),
        ("Open standings", "precision", precision.len()),
        ("Plausibility warnings", "plausibility", plausibility.len()),
        ("Gaps in coverage", "coverage", coverage.len()),
        ("Withdrawals", "withdrawals", withdrawals.len()),
    ]
    .into_iter()
    .map(|(text, anchor, count)| (Link::new(text, format!("#{anchor}")), count.to_string()))
    .collect();
    AuditPage {
        summary,
        claims,
        claim_counts,
        exclusions,
        failures,
        retest_counts: format!(
            "{} of {} passed.",
            passed,
            format::count(study.retests.len(), "retest", "retests")
        ),
        drift,
        timers: timers::figures(lookup, &frame),
        precision,
        plausibility,
        coverage,
        withdrawals,
        json: Link::new("The audit as JSON", frame.to(&path::api_study_part(&study.id, "audit"))),
        notes: notes.finish(&frame),
        frame,
    }
}

pub(super) fn file<'a>(context: &Context<'a>, lookup: &Lookup<'a>) -> File {
    page(path::study_part(&lookup.study.id, "audit"), &view(context, lookup))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::view::fixture;

    #[test]
    fn gathers_every_doubt() {
        fixture::with(|context| {
            insta::assert_json_snapshot!(view(context, &context.studies[0]));
        });
    }
}
