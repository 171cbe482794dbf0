//! `claims.json` and `audit.json`: what was published against what the data gives, and what a
//! reader who doubts should see.

use chrono::NaiveDate;
use serde::Serialize;

use super::{Bounds, reason, text};
use crate::{
    diagnostic::Diagnostic,
    model::{ImplementationId, RetestOutcome, Study},
    standings::{ClaimVerdict, StudyStandings},
};

/// `claims.json`, in the order of `claims.csv`.
pub fn claims(study: &Study, results: &StudyStandings) -> String {
    #[derive(Serialize)]
    struct Claim<'a> {
        id: &'a str,
        board: &'a str,
        contender: Option<&'a str>,
        against: Option<&'a str>,
        operator: Option<String>,
        shape: Option<String>,
        statistic: &'a str,
        published: &'a str,
        recomputed: Option<f64>,
        low: Option<f64>,
        high: Option<f64>,
        verdict: ClaimVerdict,
    }
    let claims: Vec<Claim> = results
        .claims
        .iter()
        .map(|result| {
            let claim = &study.claims[result.claim];
            let list = |of: &[String]| (!of.is_empty()).then(|| of.join(" "));
            Claim {
                id: &claim.id,
                board: &claim.board,
                contender: claim.contender.as_deref(),
                against: claim.against.as_deref(),
                operator: list(&claim.operators),
                shape: list(&claim.shapes),
                statistic: &claim.statistic_text,
                published: &claim.value.text,
                recomputed: result.recomputed.map(|recomputed| recomputed.value),
                low: result.recomputed.map(|recomputed| recomputed.low),
                high: result.recomputed.map(|recomputed| recomputed.high),
                verdict: result.verdict,
            }
        })
        .collect();
    text(&claims)
}

#[derive(Serialize)]
struct Audit<'a> {
    study: &'a str,
    exclusions: Vec<Exclusion<'a>>,
    retests: Vec<Retest<'a>>,
    drift: Vec<Drift<'a>>,
    precision: Vec<Open<'a>>,
    plausibility: Vec<Doubt<'a>>,
    coverage: Coverage<'a>,
    withdrawals: Vec<Withdrawal<'a>>,
}

#[derive(Serialize)]
struct Exclusion<'a> {
    board: &'a str,
    operator: &'a str,
    shape: &'a str,
    contender: &'a str,
    excluded: String,
}

/// An operator, shape or batch that is null covers all.
#[derive(Serialize)]
struct Retest<'a> {
    operator: Option<&'a str>,
    shape: Option<&'a str>,
    implementation: &'a str,
    batch: Option<&'a str>,
    standard: Option<&'a str>,
    outcome: RetestOutcome,
    detail: Option<&'a str>,
    file: &'a str,
    line: u32,
}

#[derive(Serialize)]
struct Drift<'a> {
    operator: &'a str,
    shape: &'a str,
    implementation: &'a str,
    spread: f64,
    records: Vec<Measured<'a>>,
}

#[derive(Serialize)]
struct Measured<'a> {
    batch: &'a str,
    latency_us: f64,
    low_us: Option<f64>,
    high_us: Option<f64>,
    published: &'a str,
    file: &'a str,
    line: u32,
}

/// A comparison that the precision of its inputs leaves open.
#[derive(Serialize)]
struct Open<'a> {
    board: &'a str,
    operator: Option<&'a str>,
    contender: &'a str,
    against: &'a str,
    ratio: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    common: usize,
    through_baseline: usize,
}

/// Like `check --format json`.
#[derive(Serialize)]
struct Doubt<'a> {
    code: &'static str,
    severity: &'static str,
    file: &'a str,
    line: Option<u32>,
    column: Option<u32>,
    end_column: Option<u32>,
    message: &'a str,
    help: &'a str,
}

#[derive(Serialize)]
#[expect(clippy::struct_field_names, reason = "the published keys")]
struct Coverage<'a> {
    without_baseline: Vec<WithoutBaseline<'a>>,
    without_retest: Vec<&'a str>,
    without_environment: Vec<WithoutEnvironment<'a>>,
    without_board: Vec<WithoutBoard<'a>>,
}

#[derive(Serialize)]
struct WithoutBaseline<'a> {
    board: &'a str,
    operator: &'a str,
    shape: &'a str,
}

#[derive(Serialize)]
struct WithoutEnvironment<'a> {
    batch: &'a str,
    missing: &'a [&'static str],
}

#[derive(Serialize)]
struct WithoutBoard<'a> {
    class: &'a str,
    records: usize,
}

/// An operator, shape or batch that is null covers all.
#[derive(Serialize)]
struct Withdrawal<'a> {
    operator: Option<&'a str>,
    shape: Option<&'a str>,
    implementation: &'a str,
    batch: Option<&'a str>,
    withdrawn_on: String,
    reason: &'a str,
    url: Option<&'a str>,
    file: &'a str,
    line: u32,
}

/// `audit.json`: the tables of the audit page.
pub fn audit(study: &Study, results: &StudyStandings) -> String {
    let audit = &results.audit;
    text(&Audit {
        study: &study.id,
        exclusions: audit
            .exclusions
            .iter()
            .map(|exclusion| Exclusion {
                board: &exclusion.board,
                operator: &exclusion.shape.operator,
                shape: &exclusion.shape.shape,
                contender: &exclusion.contender,
                excluded: reason::text(&exclusion.reason, &results.records),
            })
            .collect(),
        retests: retests(study),
        drift: drift(results),
        precision: precision(results),
        plausibility: audit.plausibility.iter().map(doubt).collect(),
        coverage: coverage(results),
        withdrawals: withdrawals(study),
    })
}

fn retests(study: &Study) -> Vec<Retest<'_>> {
    study
        .retests
        .iter()
        .map(|retest| Retest {
            operator: retest.operator.as_deref(),
            shape: retest.shape.as_ref().map(|key| key.shape.as_str()),
            implementation: &retest.implementation,
            batch: retest.batch.as_deref(),
            standard: retest.standard.as_deref(),
            outcome: retest.outcome,
            detail: retest.detail.as_deref(),
            file: &retest.span.file,
            line: retest.span.line,
        })
        .collect()
}

fn drift(results: &StudyStandings) -> Vec<Drift<'_>> {
    let measured = |index: &usize| {
        let record = &results.records[*index];
        let bounds = Bounds::of(Some(&record.latency));
        Measured {
            batch: &record.key.batch,
            latency_us: record.latency.value,
            low_us: bounds.low,
            high_us: bounds.high,
            published: &record.published,
            file: &record.span.file,
            line: record.span.line,
        }
    };
    results
        .audit
        .drift
        .iter()
        .map(|drift| Drift {
            operator: &drift.shape.operator,
            shape: &drift.shape.shape,
            implementation: &drift.implementation,
            spread: drift.spread,
            records: drift.records.iter().map(measured).collect(),
        })
        .collect()
}

fn precision(results: &StudyStandings) -> Vec<Open<'_>> {
    results
        .audit
        .precision
        .iter()
        .map(|open| {
            let comparison = &open.comparison;
            let bounds = Bounds::of(comparison.ratio.as_ref());
            Open {
                board: &open.board,
                operator: open.operator.as_deref(),
                contender: &comparison.contender,
                against: &comparison.against,
                ratio: comparison.ratio.map(|ratio| ratio.value),
                low: bounds.low,
                high: bounds.high,
                common: comparison.common,
                through_baseline: comparison.through_baseline,
            }
        })
        .collect()
}

fn doubt(of: &Diagnostic) -> Doubt<'_> {
    let span = of.place.span();
    Doubt {
        code: of.code.as_str(),
        severity: of.code.severity().as_str(),
        file: of.place.file(),
        line: span.map(|span| span.line),
        column: span.map(|span| span.column),
        end_column: span.map(|span| span.end_column),
        message: &of.message,
        help: &of.help,
    }
}

fn coverage(results: &StudyStandings) -> Coverage<'_> {
    let coverage = &results.audit.coverage;
    Coverage {
        without_baseline: coverage
            .without_baseline
            .iter()
            .map(|(board, key)| WithoutBaseline {
                board,
                operator: &key.operator,
                shape: &key.shape,
            })
            .collect(),
        without_retest: coverage.without_retest.iter().map(ImplementationId::as_str).collect(),
        without_environment: coverage
            .without_environment
            .iter()
            .map(|(batch, missing)| WithoutEnvironment { batch, missing })
            .collect(),
        without_board: coverage
            .without_board
            .iter()
            .map(|(class, records)| WithoutBoard { class, records: *records })
            .collect(),
    }
}

fn withdrawals(study: &Study) -> Vec<Withdrawal<'_>> {
    study
        .withdrawals
        .iter()
        .map(|withdrawal| Withdrawal {
            operator: withdrawal.operator.as_deref(),
            shape: withdrawal.shape.as_ref().map(|key| key.shape.as_str()),
            implementation: &withdrawal.implementation,
            batch: withdrawal.batch.as_deref(),
            withdrawn_on: NaiveDate::to_string(&withdrawal.withdrawn_on),
            reason: &withdrawal.reason,
            url: withdrawal.url.as_deref(),
            file: &withdrawal.span.file,
            line: withdrawal.span.line,
        })
        .collect()
}
