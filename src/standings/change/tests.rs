//! What each kind of edit comes to, on the smallest study that shows it.

use super::*;
use crate::{
    diagnostic::Code,
    model::Withdrawal,
    standings::{
        compute,
        fixture::{Fixture, record_key, samples, span},
    },
};

/// What differs between two fixtures.
fn change(old: Fixture, new: Fixture) -> Change {
    let (old, new) = (old.model(), new.model());
    let (before, after) = (compute(&old), compute(&new));
    between(
        Version { model: &old, standings: &before, warnings: &[] },
        Version { model: &new, standings: &after, warnings: &[] },
    )
}

fn base() -> Fixture {
    Fixture::new("c", &["x=a", "y=b"]).latencies(&[
        "o/s/lib/c 100.0",
        "o/s/a/c 50.0",
        "o/s/b/c 80.0",
        "o/t/lib/c 100.0",
        "o/t/a/c 50.0",
        "o/t/b/c 80.0",
    ])
}

/// The base with one latency another.
fn with_latency(key: &str, latency: &str) -> Fixture {
    let mut fixture = base();
    let key = record_key(key);
    let record = fixture.study.latencies.iter_mut().find(|record| record.key == key).unwrap();
    record.latency = crate::standings::fixture::figure(latency);
    fixture
}

fn withdrawn(implementation: &str, shape: Option<&str>) -> Fixture {
    let mut fixture = base();
    fixture.study.withdrawals.push(Withdrawal {
        operator: None,
        shape: shape.map(crate::standings::fixture::shape_key),
        implementation: ImplementationId::parse(implementation).unwrap(),
        batch: None,
        withdrawn_on: "2026-01-01".parse().unwrap(),
        reason: "wrong unit".into(),
        url: None,
        span: span(1),
    });
    fixture
}

fn only(change: &Change) -> &StudyChange {
    let [study] = &change.studies[..] else { panic!("{change:?}") };
    study
}

fn row<'a>(study: &'a StudyChange, operator: Option<&str>, contender: &str) -> &'a RowChange {
    let wanted = Row::Standing {
        operator: operator.map(|id| OperatorId::parse(id).unwrap()),
        contender: ContenderId::parse(contender).unwrap(),
    };
    study.boards[0].rows.iter().find(|row| row.row == wanted).unwrap()
}

fn moves(study: &StudyChange) -> Vec<(String, RecordMove)> {
    study.records.iter().map(|record| (record.name.key().to_string(), record.what())).collect()
}

#[test]
fn the_same_data_is_no_change() {
    assert!(change(base(), base()).is_empty());
}

#[test]
fn the_place_of_a_row_is_no_change() {
    let mut moved = base();
    moved.study.latencies.reverse();
    for (record, line) in moved.study.latencies.iter_mut().zip(40..) {
        record.span = Span { file: "latencies/b.csv".into(), ..span(line) };
    }
    assert!(change(base(), moved).is_empty());
}

#[test]
fn a_latency_that_moved_moves_geomean_rank_and_verdict() {
    let change = change(base(), with_latency("o/s/a/c", "500.0"));
    let study = only(&change);
    assert_eq!(moves(study), [("o/s/a/c".to_owned(), RecordMove::Changed)]);
    let record = &study.records[0];
    assert_eq!(&*record.delta.before().unwrap().published, "50.0");
    assert_eq!(&*record.delta.after().unwrap().published, "500.0");

    for operator in [None, Some("o")] {
        let x = row(study, operator, "x");
        assert!(x.moved(Measure::Geomean), "{x:?}");
        assert!(!x.moved(Measure::N), "{x:?}");
        assert_eq!(
            x.sides(Measure::Rank),
            (Some(Quantity::Count(1)), Some(Quantity::Count(2))),
            "{x:?}"
        );
        assert_eq!(
            x.sides(Measure::Verdict),
            (Some(Quantity::Verdict(Verdict::Faster)), Some(Quantity::Verdict(Verdict::Slower)))
        );
        // The other one was overtaken by nobody, and moved up.
        assert_eq!(row(study, operator, "y").sides(Measure::Rank).1, Some(Quantity::Count(1)));
        assert_eq!(x.lowered_n(), None);
    }
    let pair = study.boards[0].rows.iter().find(|row| matches!(row.row, Row::Pair { .. }));
    assert!(pair.unwrap().moved(Measure::Verdict));
}

#[test]
fn other_digits_of_the_same_number_are_a_change() {
    let change = change(base(), with_latency("o/s/a/c", "50.00"));
    let study = only(&change);
    assert_eq!(moves(study), [("o/s/a/c".to_owned(), RecordMove::Changed)]);
    // The value of the geomean is the same to the bit; how far it may be off is not.
    let (Some(Quantity::Ratio(old)), Some(Quantity::Ratio(new))) =
        row(study, None, "x").sides(Measure::Geomean)
    else {
        panic!("{study:?}");
    };
    assert_eq!(old.value.to_bits(), new.value.to_bits());
    assert_ne!(old.interval, new.interval);
}

#[test]
fn a_withdrawal_lowers_n_and_says_why() {
    let change = change(base(), withdrawn("a", Some("o/t")));
    let study = only(&change);
    assert_eq!(moves(study), [("o/t/a/c".to_owned(), RecordMove::Withdrawn)]);
    assert_eq!(
        study.records[0].delta.after().unwrap().status,
        RecordStatus::Withdrawn("wrong unit".into())
    );
    let x = row(study, None, "x");
    assert_eq!(x.lowered_n(), Some((2, 1)));
    assert_eq!(x.shapes_lost.iter().map(ToString::to_string).collect::<Vec<_>>(), ["o/t"]);
    assert!(x.shapes_won.is_empty());
    let [part] = &study.parts[..] else { panic!("{study:?}") };
    assert_eq!((part.kind, &*part.name), (PartKind::Withdrawal, "o/t/a/*"));
    assert_eq!(part.delta, PartDelta::Added);
}

#[test]
fn the_way_back_reinstates() {
    let change = change(withdrawn("a", None), base());
    let expected = ["o/s/a/c", "o/t/a/c"].map(|key| (key.to_owned(), RecordMove::Reinstated));
    assert_eq!(moves(only(&change)), expected);
    let x = row(only(&change), None, "x");
    assert_eq!((x.lowered_n(), x.shapes_won.len()), (None, 2));
    assert_eq!(x.sides(Measure::Geomean).0, None);
}

#[test]
fn a_failed_retest_restates_what_it_covers() {
    let change = change(base(), base().retests(&["a fail"]));
    let expected = ["o/s/a/c", "o/t/a/c"].map(|key| (key.to_owned(), RecordMove::Restated));
    assert_eq!(moves(only(&change)), expected);
    assert_eq!(row(only(&change), None, "x").lowered_n(), Some((2, 0)));
}

#[test]
fn records_come_and_go() {
    let more = || base().latencies(&["o/u/lib/c 10.0", "o/u/a/c 5.0"]);
    let expected = |what| ["o/u/lib/c", "o/u/a/c"].map(|key| (key.to_owned(), what));
    let came = change(base(), more());
    assert_eq!(moves(only(&came)), expected(RecordMove::Added));
    let shapes = &only(&came).parts;
    assert!(shapes.iter().any(|part| part.kind == PartKind::Shape && part.name == "o/u"));
    let went = change(more(), base());
    assert_eq!(moves(only(&went)), expected(RecordMove::Removed));
    assert_eq!(row(only(&went), None, "x").lowered_n(), Some((3, 2)));
}

#[test]
fn ratios_and_samples_are_records() {
    let ratio = |speedup| base().ratios(&[&format!("o/s/d/c {speedup}")]);
    let got = change(ratio("1.5"), ratio("1.6"));
    let [record] = &only(&got).records[..] else { panic!("{got:?}") };
    assert!(matches!(&record.name, RecordName::Ratio { reference, .. } if &**reference == "lib"));
    assert_eq!(record.what(), RecordMove::Changed);

    let sampled =
        |second| base().samples(vec![samples("o/s/e/c", &[(0, 10.0), (1, second)], "10.05")]);
    let got = change(sampled(10.1), sampled(10.2));
    assert_eq!(moves(only(&got)), [("o/s/e/c".to_owned(), RecordMove::Changed)]);
}

#[test]
fn a_withdrawn_ratio_says_so() {
    let ratio = || base().ratios(&["o/s/d/c 1.5"]);
    let mut without = ratio();
    without.study.withdrawals = withdrawn("d", None).study.withdrawals;
    let got = change(ratio(), without);
    assert_eq!(moves(only(&got)), [("o/s/d/c".to_owned(), RecordMove::Withdrawn)]);
}

#[test]
fn claims_move_with_their_verdict() {
    let claims = |fixture: Fixture| fixture.claims(&["x||||geomean|2.0", "y||||n|2"]);
    let got = change(claims(base()), claims(with_latency("o/s/a/c", "60.0")));
    let [claim] = &only(&got).claims[..] else { panic!("{got:?}") };
    assert_eq!(&*claim.claim, "claim-0");
    assert!(claim.verdict_moved());
    let verdict = |state: Option<&ClaimState>| state.unwrap().verdict;
    assert_eq!(verdict(claim.delta.before()), ClaimVerdict::Matches);
    assert_eq!(verdict(claim.delta.after()), ClaimVerdict::Differs);

    // Recomputed from other numbers, to the same verdict.
    let got = change(claims(base()), claims(with_latency("o/s/a/c", "50.01")));
    assert!(!only(&got).claims[0].verdict_moved());
}

#[test]
fn settings_and_descriptions_name_the_field() {
    let mut other = base();
    other.study.tie_band = 0.01;
    other.study.batches[0].driver = Some("580".into());
    other.board().failed = crate::model::FailedPolicy::AsIs;
    let got = change(base(), other);
    let fields: Vec<_> = only(&got)
        .parts
        .iter()
        .flat_map(|part| match &part.delta {
            PartDelta::Changed(fields) => fields.clone(),
            other => panic!("{other:?}"),
        })
        .map(|field| (field.field, field.old, field.new))
        .collect();
    let expected =
        [("tie_band", "0", "0.01"), ("failed", "exclude", "as-is"), ("driver", "", "580")]
            .map(|(field, old, new)| (field.to_owned(), old.to_owned(), new.to_owned()));
    assert_eq!(fields, expected);
}

#[test]
fn a_study_that_goes_takes_everything_with_it() {
    let empty = || {
        let mut model = base().model();
        model.studies.clear();
        model
    };
    let (full, none) = (base().model(), empty());
    let (before, after) = (compute(&full), compute(&none));
    let full = Version { model: &full, standings: &before, warnings: &[] };
    let none = Version { model: &none, standings: &after, warnings: &[] };

    let went = between(full, none);
    assert_eq!(only(&went).presence, Presence::Removed);
    assert_eq!(only(&went).boards[0].presence, Presence::Removed);
    assert!(moves(only(&went)).iter().all(|(_, what)| *what == RecordMove::Removed));
    assert_eq!(row(only(&went), None, "x").lowered_n(), Some((2, 0)));

    let came = between(none, full);
    assert_eq!(only(&came).presence, Presence::Added);
    assert_eq!(row(only(&came), None, "x").lowered_n(), None);
}

#[test]
fn warnings_are_told_apart_by_what_they_say_not_by_their_line() {
    let warning = |line, message: &str| Diagnostic::new(Code::OneDigit, span(line), message, "");
    let model = base().model();
    let standings = compute(&model);
    let version = |warnings| Version { model: &model, standings: &standings, warnings };
    let old = [warning(1, "kept"), warning(2, "twice"), warning(3, "twice"), warning(4, "gone")];
    let new = [warning(9, "twice"), warning(10, "kept"), warning(11, "new")];
    let change = between(version(&old), version(&new));
    let says = |list: &[Diagnostic]| -> Vec<(String, u32)> {
        list.iter().map(|one| (one.message.clone(), one.place.span().unwrap().line)).collect()
    };
    assert_eq!(says(&change.warnings_that_came), [("new".to_owned(), 11)]);
    assert_eq!(says(&change.warnings_that_went), [("twice".to_owned(), 3), ("gone".to_owned(), 4)]);
    assert!(change.studies.is_empty() && !change.is_empty());
}
