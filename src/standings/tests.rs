//! The rules of computation, each on the smallest study that shows it.

use proptest::prelude::*;

use super::{
    BoardStandings, ClaimVerdict, ContenderStanding, Estimate, NoSpeedup, Speedup,
    SpeedupStandings, Status, StudyStandings, Verdict, compute,
    fixture::{Fixture, samples, shape_key},
};
use crate::model::FailedPolicy;

fn run(fixture: Fixture) -> StudyStandings {
    let model = fixture.model();
    compute(&model).studies.swap_remove("s").unwrap()
}

fn board(fixture: Fixture) -> SpeedupStandings {
    match run(fixture).boards.swap_remove("b").unwrap() {
        BoardStandings::Speedup(board) => board,
        _ => unreachable!(),
    }
}

fn outcome(board: &SpeedupStandings, shape: &str, contender: &str) -> Result<Speedup, NoSpeedup> {
    let key = shape_key(shape);
    let shapes = board.operators.iter().flat_map(|operator| &operator.shapes);
    let shape = shapes.into_iter().find(|of| of.key == key).unwrap();
    shape.results.iter().find(|result| &*result.contender == contender).unwrap().outcome.clone()
}

fn overall(board: &SpeedupStandings, contender: &str) -> ContenderStanding {
    board.overall.iter().find(|of| &*of.contender == contender).unwrap().clone()
}

fn close(got: f64, expected: f64) {
    assert!((got / expected - 1.0).abs() < 1e-12, "{got} is not {expected}");
}

#[test]
fn a_speedup_divides_the_fastest_of_both_sides_within_a_class() {
    let board = board(Fixture::new("paired", &["x=a,b"]).latencies(&[
        "o/s/lib/paired 100",
        "o/s/a/paired 50.0",
        "o/s/b/paired 40.0",
        "o/s/b/other 1.0",
    ]));
    let speedup = outcome(&board, "o/s", "x").unwrap();
    close(speedup.estimate.value, 2.5);
    let interval = speedup.estimate.interval.unwrap();
    close(interval.low, 99.5 / 40.05);
    close(interval.high, 100.5 / 39.95);
    assert_eq!(speedup.verdict, Verdict::Faster);
}

#[test]
fn classes_are_never_mixed() {
    let board =
        board(Fixture::new("one two", &["x=a"]).latencies(&["o/s/lib/one 100", "o/s/a/two 50"]));
    let Err(NoSpeedup::NotComparable { contender, baseline }) = outcome(&board, "o/s", "x") else {
        panic!("not comparable expected");
    };
    assert_eq!((&*contender[0], &*baseline[0]), ("two", "one"));
    let standing = overall(&board, "x");
    assert_eq!((standing.geomean, standing.rank, standing.counted), (None, None, 0));
    assert_eq!(standing.missing, [shape_key("o/s")]);
}

#[test]
fn the_first_class_that_holds_both_sides_wins_and_later_ones_replicate() {
    let board = board(Fixture::new("one two three", &["x=a"]).latencies(&[
        "o/s/lib/one 100",
        "o/s/lib/two 100",
        "o/s/a/two 50",
        "o/s/lib/three 100",
        "o/s/a/three 200",
    ]));
    let speedup = outcome(&board, "o/s", "x").unwrap();
    assert_eq!(&*speedup.class, "two");
    let [replication] = &speedup.replications[..] else { panic!("one replication expected") };
    assert_eq!((&*replication.class, replication.shared), ("three", false));
    close(replication.ratio, 0.25);
    assert!(speedup.not_replicated());
    close(overall(&board, "x").geomean.unwrap().value, 2.0);
}

#[test]
fn reasons_say_what_is_missing() {
    let study = || {
        Fixture::new("c", &["x=a"]).latencies(&[
            "o/none/lib/c 1.0",
            "o/alone/a/c 1.0",
            "o/both/lib/c 1.0",
            "o/both/a/c 1.0",
        ])
    };
    let got = board(study());
    assert_eq!(outcome(&got, "o/none", "x").unwrap_err(), NoSpeedup::NotMeasured);
    assert_eq!(outcome(&got, "o/alone", "x").unwrap_err(), NoSpeedup::NoBaseline);
    assert!(outcome(&got, "o/both", "x").is_ok());
    let got = board(study().retests(&["a fail"]));
    assert!(matches!(outcome(&got, "o/both", "x"), Err(NoSpeedup::Excluded(_))));
    let got = board(study().retests(&["lib error"]));
    assert!(matches!(outcome(&got, "o/both", "x"), Err(NoSpeedup::BaselineExcluded(_))));
}

#[test]
fn a_failure_is_excluded_or_marked_as_the_board_says() {
    let study = || {
        Fixture::new("c", &["x=a"])
            .latencies(&["o/s/lib/c 10", "o/s/a/c 5"])
            .retests(&["a pass", "a fail"])
    };
    assert!(outcome(&board(study()), "o/s", "x").is_err());
    let mut as_is = study();
    as_is.board().failed = FailedPolicy::AsIs;
    let board = board(as_is);
    assert!(outcome(&board, "o/s", "x").unwrap().failed());
    assert_eq!(overall(&board, "x").failed, [shape_key("o/s")]);
}

#[test]
fn not_retested_is_not_failed_unless_the_study_requires_a_retest() {
    let study = || {
        Fixture::new("c", &["x=a"])
            .latencies(&["o/s/lib/c 10", "o/s/a/c 5"])
            .retests(&["lib pass", "a not-judged"])
    };
    assert!(outcome(&board(study()), "o/s", "x").is_ok());
    let mut strict = study();
    strict.study.require_retest = true;
    let standings = run(strict);
    assert_eq!(standings.records[1].status, Status::NotRetested);
    let mut as_is = study();
    as_is.study.require_retest = true;
    as_is.board().failed = FailedPolicy::AsIs;
    assert!(outcome(&board(as_is), "o/s", "x").is_err());
}

#[test]
fn a_ratio_counts_only_where_its_pair_has_no_latencies() {
    let board = board(
        Fixture::new("c", &["x=a"])
            .latencies(&["o/s/lib/c 10.0", "o/s/a/c 5.0"])
            .ratios(&["o/s/a/c 3.0", "o/t/a/c 4.0"]),
    );
    close(outcome(&board, "o/s", "x").unwrap().estimate.value, 2.0);
    let ratio = outcome(&board, "o/t", "x").unwrap();
    close(ratio.estimate.value, 4.0);
    close(ratio.estimate.interval.unwrap().high, 4.05);
}

#[test]
fn the_baseline_against_itself_is_exactly_one() {
    let set = samples("o/t/lib/c", &[(0, 3.0), (1, 5.0)], "4.0");
    let board = board(Fixture::new("c", &["x=lib"]).latencies(&["o/s/lib/c 7"]).samples(vec![set]));
    let geomean = overall(&board, "x").geomean.unwrap();
    let interval = geomean.interval.unwrap();
    // To the bit: nothing divided by itself is off by a rounding.
    let bits = [geomean.value, interval.low, interval.high].map(f64::to_bits);
    assert_eq!(bits, [1.0_f64.to_bits(); 3]);
    assert_eq!(overall(&board, "x").verdict, Some(Verdict::Tie));
}

#[test]
fn ties_and_undecided_contenders_share_a_rank() {
    let mut fixture = Fixture::new("c", &["fast=a", "vague=b", "slow=d"]).latencies(&[
        "o/s/lib/c 100.0",
        "o/s/a/c 10.0",
        "o/s/b/c 10",
        "o/s/d/c 20.0",
    ]);
    fixture.study.tie_band = 0.005;
    let board = board(fixture);
    let ranks: Vec<_> = board.overall.iter().map(|of| (&*of.contender, of.rank)).collect();
    assert_eq!(ranks, [("fast", Some(1)), ("vague", Some(1)), ("slow", Some(3))]);
    assert_eq!(board.comparisons[0].verdict, Some(Verdict::Undecided));
    assert_eq!(board.comparisons[1].verdict, Some(Verdict::Faster));
}

#[test]
fn the_baseline_cancels_where_contenders_share_a_class() {
    let board = board(Fixture::new("c", &["x=a", "y=b"]).latencies(&[
        "o/s/lib/c 1",
        "o/s/a/c 10.00",
        "o/s/b/c 11.00",
    ]));
    // Through the baseline's single digit this would be undecided.
    let comparison = &board.comparisons[0];
    assert_eq!((comparison.verdict, comparison.through_baseline), (Some(Verdict::Faster), 0));
}

#[test]
fn contenders_of_different_classes_are_compared_through_the_baseline() {
    let board = board(Fixture::new("one two", &["x=a", "y=b"]).latencies(&[
        "o/s/lib/one 10.0",
        "o/s/a/one 5.0",
        "o/s/lib/two 20.0",
        "o/s/b/two 5.0",
    ]));
    let comparison = &board.comparisons[0];
    close(comparison.ratio.unwrap().value, 0.5);
    assert_eq!(comparison.through_baseline, 1);
}

#[test]
fn a_comparison_that_another_class_does_not_share_is_not_replicated() {
    let board = board(Fixture::new("one two", &["x=a", "y=b"]).latencies(&[
        "o/s/lib/one 10.00",
        "o/s/a/one 5.00",
        "o/s/b/one 6.00",
        "o/s/lib/two 10.00",
        "o/s/a/two 6.00",
        "o/s/b/two 5.00",
    ]));
    let [comparison] = &board.operators[0].shapes[0].comparisons[..] else {
        panic!("one pair expected");
    };
    let [replication] = &comparison.replications[..] else { panic!("one replication expected") };
    assert_eq!((comparison.verdict, replication.verdict), (Some(Verdict::Faster), Verdict::Slower));
    close(replication.ratio.value, 5.0 / 6.0);
    assert!(comparison.not_replicated());
}

#[test]
fn contenders_are_compared_on_common_shapes_only() {
    let board = board(Fixture::new("c", &["x=a", "y=b"]).latencies(&[
        "o/s/lib/c 10.0",
        "o/s/a/c 5.0",
        "o/t/lib/c 10.0",
        "o/t/a/c 1.0",
        "o/t/b/c 2.0",
    ]));
    let comparison = &board.comparisons[0];
    assert_eq!(comparison.common, 1);
    close(comparison.ratio.unwrap().value, 2.0);
    assert_eq!((overall(&board, "y").counted, overall(&board, "y").total), (1, 2));
}

#[test]
fn an_effect_is_the_ratio_of_both_geomeans_over_common_shapes() {
    let board = board(
        Fixture::new("c", &["x=a", "y=b"])
            .latencies(&[
                "o/s/lib/c 10.0",
                "o/s/a/c 5.0",
                "o/s/b/c 2.0",
                "p/t/lib/c 9.0",
                "p/t/a/c 9.0",
            ])
            .effect("x", "y"),
    );
    let [of_o, of_p, all] = &board.effects[..] else { panic!("three effects expected") };
    close(of_o.estimate.unwrap().value, 0.4);
    assert_eq!((of_p.estimate, of_p.counted), (None, 0));
    assert_eq!((all.operator.as_ref(), all.counted), (None, 1));
}

#[test]
fn samples_give_an_interval_over_rounds_and_ratios_round_by_round() {
    let board = board(Fixture::new("c", &["x=a"]).samples(vec![
        samples("o/s/lib/c", &[(0, 10.0), (1, 20.0), (2, 30.0)], "20.000"),
        samples("o/s/a/c", &[(0, 5.0), (1, 10.0), (2, 15.0)], "10.000"),
    ]));
    let speedup = outcome(&board, "o/s", "x").unwrap();
    close(speedup.estimate.value, 2.0);
    let interval = speedup.estimate.interval.unwrap();
    assert!(interval.low > 1.999 && interval.high < 2.001, "{interval:?}");
}

#[test]
fn claims_get_all_four_verdicts() {
    use ClaimVerdict::{Differs, Matches, NotComputable, WithinRounding};

    let standings = run(Fixture::new("c", &["x=a", "y=b"])
        .latencies(&["o/s/lib/c 10", "o/s/a/c 7.0", "o/t/lib/c 10.0", "o/t/a/c 20.0"])
        .claims(&[
            "x|||o/s|speedup|1.43",
            "x|||o/s|speedup|1.45",
            "x|||o/s|speedup|1.60",
            "y|||o/s|speedup|1.0",
            "x||||n|2",
            "x||o||wins|1",
            "x||o||losses|1",
            "x||o||min|0.50",
            "base|||o/t|latency|10.0",
            "x||||rank|1",
            "x|y|||geomean|1.0",
            "x|||o/t|latency|20.0",
        ]));
    let verdicts: Vec<_> = standings.claims.iter().map(|claim| claim.verdict).collect();
    assert_eq!(
        verdicts,
        [
            Matches,
            WithinRounding,
            Differs,
            NotComputable,
            Matches,
            Matches,
            Matches,
            Matches,
            Matches,
            Matches,
            NotComputable,
            Matches
        ]
    );
}

#[test]
fn a_claim_on_the_half_unit_matches() {
    let standings = run(Fixture::new("c", &["x=a"])
        .latencies(&["o/s/lib/c 0.125", "o/s/a/c 1675.5"])
        .claims(&["base|||o/s|latency|0.12", "base|||o/s|latency|0.13", "x|||o/s|latency|1676"]));
    assert!(standings.claims.iter().all(|claim| claim.verdict == ClaimVerdict::Matches));
}

mod plausibility {
    use super::*;

    fn check(fixture: Fixture, expected: &[&str]) {
        let retested = fixture.retests(&["lib pass", "a pass", "b pass"]);
        let warnings = run(retested).audit.plausibility;
        let codes: Vec<_> = warnings.iter().map(|warning| warning.code.as_str()).collect();
        assert_eq!(codes, expected, "{warnings:#?}");
    }

    #[test]
    fn one_value_far_off_is_doubted() {
        check(
            Fixture::new("c", &["x=a"]).latencies(&[
                "o/s/lib/c 10.0",
                "o/s/b/c 10.0",
                "o/s/a/c 250.0",
                "o/t/lib/c 10.0",
                "o/t/b/c 10.0",
                "o/t/a/c 11.0",
            ]),
            &["far-from-median"],
        );
    }

    #[test]
    fn a_kernel_that_is_slow_everywhere_is_not() {
        check(
            Fixture::new("c", &["x=a"]).latencies(&[
                "o/s/lib/c 10.0",
                "o/s/b/c 10.0",
                "o/s/a/c 250.0",
                "o/t/lib/c 10.0",
                "o/t/b/c 10.0",
                "o/t/a/c 190.0",
            ]),
            &[],
        );
    }

    #[test]
    fn a_file_in_milliseconds_is_one_doubt() {
        let mut fixture = Fixture::new("c", &["x=a"]).latencies(&[
            "o/s/lib/c 100",
            "o/t/lib/c 110",
            "o/u/lib/c 120",
            "o/s/a/c 0.090",
            "o/t/a/c 0.110",
            "o/u/a/c 0.100",
        ]);
        for record in &mut fixture.study.latencies[3..] {
            record.span.file = "latencies/mine.csv".into();
        }
        // The library's values are as far off the slip as the slip is off them; only the file
        // that a contributor would correct can be told by a person.
        let warnings = run(fixture.retests(&["lib pass", "a pass"])).audit.plausibility;
        let slips: Vec<_> = warnings.iter().map(|w| (w.code.as_str(), w.place.file())).collect();
        assert_eq!(slips, [("unit-slip", "latencies/a.csv"), ("unit-slip", "latencies/mine.csv")]);
        assert!(warnings[1].message.contains("ms in a column of µs"), "{}", warnings[1].message);
    }

    #[test]
    fn a_swapped_ratio_is_told_from_a_wrong_one() {
        let study = || Fixture::new("c", &["x=a"]).latencies(&["o/s/lib/c 10.0", "o/s/a/c 5.0"]);
        check(study().ratios(&["o/s/a/c 0.50"]), &["sides-swapped"]);
        check(study().ratios(&["o/s/a/c 3.00"]), &["ratio-contradicts"]);
        check(study().ratios(&["o/s/a/c 2.00"]), &[]);
    }

    #[test]
    fn one_digit_and_no_retest_are_said() {
        check(
            Fixture::new("c", &["x=a"]).latencies(&["o/s/lib/c 10.0", "o/s/a/c 7"]),
            &["one-digit"],
        );
        let warnings =
            run(Fixture::new("c", &["x=a"]).latencies(&["o/s/a/c 7.5"])).audit.plausibility;
        assert_eq!(warnings[0].code.as_str(), "no-retest");
    }
}

/// Latencies that any CSV could hold, on three shapes, in two classes.
fn any_latencies() -> impl Strategy<Value = Vec<String>> {
    let latency = (1_u32..10_000_000, 0_usize..4)
        .prop_map(|(digits, decimals)| {
            format!("{:.decimals$}", f64::from(digits) / [1.0, 10.0, 100.0, 1000.0][decimals])
        })
        .prop_filter("positive", |text| text.parse::<f64>().is_ok_and(|value| value > 0.0));
    let keys =
        proptest::collection::btree_map((0_usize..3, 0_usize..4, 0_usize..2), latency, 0..20);
    keys.prop_map(|records| {
        records
            .into_iter()
            .map(|((shape, implementation, class), latency)| {
                let implementation = ["lib", "a", "b", "d"][implementation];
                format!("o/s{shape}/{implementation}/c{class} {latency}")
            })
            .collect()
    })
}

fn any_outcomes() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec((0_usize..4, 0_usize..4), 0..4).prop_map(|retests| {
        retests
            .into_iter()
            .map(|(implementation, outcome)| {
                let implementation = ["lib", "a", "b", "d"][implementation];
                format!("{implementation} {}", ["pass", "fail", "error", "not-judged"][outcome])
            })
            .collect()
    })
}

fn of(lines: &[String], contenders: &[&str]) -> Fixture {
    Fixture::new("c0 c1", contenders)
        .latencies(&lines.iter().map(String::as_str).collect::<Vec<_>>())
}

fn sound(estimate: &Estimate) -> Result<(), TestCaseError> {
    prop_assert!(estimate.value.is_finite() && estimate.value > 0.0);
    let interval = estimate.interval.unwrap();
    prop_assert!(0.0 < interval.low && interval.low <= estimate.value);
    prop_assert!(estimate.value <= interval.high && interval.high.is_finite());
    Ok(())
}

proptest! {
    #[test]
    fn no_sequence_of_records_yields_nan_or_infinity(lines in any_latencies(), retests in any_outcomes()) {
        let retests: Vec<_> = retests.iter().map(String::as_str).collect();
        let board = board(of(&lines, &["x=a", "y=b,d", "z=lib"]).effect("x", "y").retests(&retests));
        let standings = board.overall.iter().chain(board.operators.iter().flat_map(|o| &o.results));
        for standing in standings {
            prop_assert_eq!(standing.counted + standing.missing.len(), standing.total);
            prop_assert_eq!(standing.geomean.is_some(), standing.counted > 0);
            prop_assert_eq!(standing.rank.is_some(), standing.counted > 0);
            standing.geomean.iter().try_for_each(sound)?;
        }
        board.comparisons.iter().filter_map(|c| c.ratio.as_ref()).try_for_each(sound)?;
        board.effects.iter().filter_map(|e| e.estimate.as_ref()).try_for_each(sound)?;
    }

    #[test]
    fn a_slower_candidate_never_changes_a_value(lines in any_latencies()) {
        let value = |latency: &str| latency.parse::<f64>().unwrap();
        let find = |key: &str| lines.iter().find_map(|line| line.strip_prefix(&format!("{key} ")));
        // `e` is slower than `a` wherever `a` is, by one unit or by half as much again.
        for factor in [1.0 + 1e-9, 1.5] {
            let mut more = lines.clone();
            for shape in 0..3 {
                for class in 0..2 {
                    if let Some(latency) = find(&format!("o/s{shape}/a/c{class}")) {
                        let slower = (value(latency) * factor + 1.001).ceil();
                        more.push(format!("o/s{shape}/e/c{class} {slower}"));
                    }
                }
            }
            let alone = overall(&board(of(&lines, &["x=a"])), "x");
            let together = overall(&board(of(&more, &["x=a,e"])), "x");
            prop_assert_eq!(alone.geomean.map(|g| g.value), together.geomean.map(|g| g.value));
            prop_assert_eq!(alone.counted, together.counted);
        }
    }

    #[test]
    fn a_candidate_that_is_slower_throughout_changes_nothing(lines in any_latencies()) {
        let mut more = lines.clone();
        for line in &lines {
            if let Some((key, latency)) = line.split_once(' ') && key.contains("/a/") {
                let slower = latency.parse::<f64>().unwrap() + 10.0;
                more.push(format!("{} {slower}", key.replace("/a/", "/e/")));
            }
        }
        let alone = overall(&board(of(&lines, &["x=a"])), "x");
        let together = overall(&board(of(&more, &["x=a,e"])), "x");
        prop_assert_eq!(alone.geomean, together.geomean);
    }
}
