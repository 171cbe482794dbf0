//! Results in words. What a page says of a standing is said here, once.

use crate::{
    model::{NoteSeverity, RetestOutcome, Role, SpeedupBoard},
    site::format,
    standings::{
        ClaimVerdict, Comparison, ContenderStanding, Estimate, IntervalKind, Status, Verdict,
    },
};

/// A status as a sign and a word; the class is for the style sheet.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub(in crate::site) struct Badge {
    pub sign: &'static str,
    pub word: String,
    pub class: &'static str,
}

impl Badge {
    fn new(sign: &'static str, word: impl Into<String>, class: &'static str) -> Self {
        Self { sign, word: word.into(), class }
    }
}

pub(super) fn verdict(verdict: Verdict) -> Badge {
    match verdict {
        Verdict::Faster => Badge::new("▲", "faster", "good"),
        Verdict::Slower => Badge::new("▼", "slower", "bad"),
        Verdict::Tie => Badge::new("=", "tie", "even"),
        Verdict::Undecided => Badge::new("?", "undecided", "open"),
    }
}

/// Every badge that the page's script may need when it recomputes a board.
pub(in crate::site) fn recomputed() -> [Badge; 5] {
    let verdicts = [Verdict::Faster, Verdict::Slower, Verdict::Tie, Verdict::Undecided];
    let [faster, slower, tie, undecided] = verdicts.map(verdict);
    [faster, slower, tie, undecided, super::cell::failed_badge()]
}

/// What stands where there is nothing to judge.
pub(in crate::site) const NOT_COMPARABLE: &str = "not comparable";

pub(super) fn no_verdict() -> Badge {
    Badge::new("–", NOT_COMPARABLE, "none")
}

pub(super) fn claim_verdict(verdict: ClaimVerdict) -> Badge {
    match verdict {
        ClaimVerdict::Matches => Badge::new("✓", "matches", "good"),
        ClaimVerdict::WithinRounding => Badge::new("≈", "within rounding", "even"),
        ClaimVerdict::Differs => Badge::new("≠", "differs", "bad"),
        ClaimVerdict::NotComputable => Badge::new("?", "not computable", "open"),
    }
}

pub(super) fn severity(severity: NoteSeverity) -> Badge {
    match severity {
        NoteSeverity::Info => Badge::new("i", "info", "even"),
        NoteSeverity::Caution => Badge::new("!", "caution", "open"),
        NoteSeverity::Exclusion => Badge::new("⊘", "exclusion", "bad"),
        NoteSeverity::Correction => Badge::new("↻", "correction", "bad"),
    }
}

/// A retest's outcome as a verb in the past, and as a badge.
pub(super) fn retest(outcome: RetestOutcome) -> (&'static str, Badge) {
    let (word, sign, class) = match outcome {
        RetestOutcome::Pass => ("passed", "✓", "good"),
        RetestOutcome::Fail => ("failed", "✗", "bad"),
        RetestOutcome::Error => ("ended in an error", "✗", "bad"),
        RetestOutcome::NotJudged => ("was not judged", "?", "open"),
    };
    let short = match outcome {
        RetestOutcome::Error => "error",
        RetestOutcome::NotJudged => "not judged",
        _ => word,
    };
    (word, Badge::new(sign, short, class))
}

/// What stands in place of a number that does not count.
pub(in crate::site) fn status(status: &Status) -> &'static str {
    match status {
        Status::Counts => "counts",
        Status::Failed { .. } => "failed retest",
        Status::NotRetested => "not retested",
        Status::Withdrawn { .. } => "withdrawn",
    }
}

pub(super) fn status_badge(of: &Status) -> Badge {
    let (sign, class) = match of {
        Status::Counts => ("✓", "good"),
        Status::Failed { .. } => ("✗", "bad"),
        Status::NotRetested => ("?", "open"),
        Status::Withdrawn { .. } => ("⊘", "bad"),
    };
    Badge::new(sign, status(of), class)
}

/// A role, in words.
pub(super) fn role(role: Role) -> &'static str {
    match role {
        Role::GoalOnly => "agent given the goal alone",
        Role::Library => "human-maintained library",
        Role::Contest => "contest submission",
        Role::Agent => "specialised kernel agent",
        Role::Reference => "reference",
    }
}

pub(super) fn interval_kind(kind: IntervalKind) -> &'static str {
    match kind {
        IntervalKind::PublishedDigits => "published digits",
        IntervalKind::Rounds => "95 % over rounds",
        IntervalKind::Mixed => "mixed",
    }
}

/// `1.58–1.91`, or nothing.
pub(super) fn interval(estimate: &Estimate) -> String {
    estimate.interval.as_ref().map_or_else(String::new, format::interval)
}

/// `published digits`, or why there is no interval.
pub(super) fn kind_of(estimate: &Estimate) -> &'static str {
    estimate.interval.map_or("one round: no interval", |interval| interval_kind(interval.kind))
}

/// `A`, `A and B`, `A, B and C`; `A, B and 3 others` from six on.
pub(super) fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] if names.len() <= 5 => format!("{} and {last}", first.join(", ")),
        _ => format!("{} and {} others", names[..3].join(", "), names.len() - 3),
    }
}

/// Who is ahead on an operator, or on a whole board.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub(in crate::site) struct Standing {
    /// `JustGoal ahead`, `JustGoal and Kernel agents undecided`, `only JustGoal`, `no result`.
    pub words: String,
    /// How sure that is, where it is not: `their ratio is 0.87–1.05`; or how the only contender
    /// stands against the baseline.
    pub detail: String,
    /// For the style sheet: `ahead`, `tie`, `open`, `only`, `none`.
    pub class: &'static str,
}

/// Who is ahead, from ranks that ties and undecided pairs share.
pub(in crate::site) fn standing(
    board: &SpeedupBoard,
    results: &[ContenderStanding],
    comparisons: &[Comparison],
) -> Standing {
    let name = |id: &str| board.contender(id).map_or("", |contender| contender.name.as_str());
    // In the board's order, since a shared first rank has none of its own.
    let leaders: Vec<&ContenderStanding> = board
        .contenders
        .iter()
        .filter_map(|contender| results.iter().find(|one| one.contender == contender.id))
        .filter(|result| result.rank == Some(1))
        .collect();
    let baseline = &board.baseline.name;
    match leaders.as_slice() {
        [] => Standing { words: "no result".into(), detail: String::new(), class: "none" },
        // Who has no rival with a result is not ahead of anybody.
        [one] if board.contenders.len() > 1 && has_no_rival(results) => {
            let detail = match one.verdict {
                Some(Verdict::Faster) => format!("faster than {baseline}"),
                Some(Verdict::Slower) => format!("slower than {baseline}"),
                Some(Verdict::Tie) => format!("tie with {baseline}"),
                Some(Verdict::Undecided) | None => format!("undecided against {baseline}"),
            };
            Standing { words: format!("only {}", name(&one.contender)), detail, class: "only" }
        }
        [one] => {
            let leader = name(&one.contender);
            let (words, class) = match one.verdict {
                Some(Verdict::Slower) => (format!("{baseline} ahead"), "ahead"),
                Some(Verdict::Tie) => (format!("{leader} and {baseline} tie"), "tie"),
                Some(Verdict::Undecided) => (format!("{leader} and {baseline} undecided"), "open"),
                Some(Verdict::Faster) | None => (format!("{leader} ahead"), "ahead"),
            };
            let rivals: Vec<&str> = comparisons
                .iter()
                .filter(|comparison| comparison.not_replicated())
                .filter_map(|comparison| {
                    let pair = [&comparison.contender, &comparison.against];
                    pair.contains(&&one.contender)
                        .then(|| pair.into_iter().find(|id| **id != one.contender))
                        .flatten()
                })
                .map(|id| name(id))
                .collect();
            let detail = if rivals.is_empty() {
                String::new()
            } else {
                format!("not replicated against {}", list(&rivals))
            };
            Standing { words, detail, class }
        }
        several => {
            let names: Vec<&str> = several.iter().map(|result| name(&result.contender)).collect();
            let among: Vec<&Comparison> = comparisons
                .iter()
                .filter(|comparison| {
                    let leads = |id: &str| several.iter().any(|one| *one.contender == *id);
                    leads(&comparison.contender) && leads(&comparison.against)
                })
                .collect();
            if among.iter().any(|comparison| comparison.verdict.is_none()) {
                return Standing {
                    words: format!("{} ahead", list(&names)),
                    detail: "some of them share no shape".into(),
                    class: "open",
                };
            }
            let all_tie = among.iter().all(|comparison| comparison.verdict == Some(Verdict::Tie));
            let all_slower = several.iter().all(|result| result.verdict == Some(Verdict::Slower));
            let (word, class) = if all_tie { ("tie", "tie") } else { ("undecided", "open") };
            let words = if all_slower {
                format!("{baseline} ahead; {} {word}", list(&names))
            } else {
                format!("{} {word}", list(&names))
            };
            let detail = match among.as_slice() {
                [one] if !all_tie => one.ratio.as_ref().map_or_else(String::new, |ratio| {
                    format!("their ratio is {}", ratio_range(ratio))
                }),
                _ => String::new(),
            };
            Standing { words, detail, class }
        }
    }
}

fn has_no_rival(results: &[ContenderStanding]) -> bool {
    results.iter().filter(|result| result.geomean.is_some()).count() == 1
}

/// The interval of a ratio, or its value where it has none.
fn ratio_range(ratio: &Estimate) -> String {
    ratio.interval.as_ref().map_or_else(|| format::significant(ratio.value), format::interval)
}

/// `1.31× (1.30–1.32)`.
pub(super) fn ratio(ratio: &Estimate) -> String {
    let value = format::speedup(ratio.value);
    match &ratio.interval {
        Some(interval) => format!("{value} ({})", format::interval(interval)),
        None => value,
    }
}

/// How two contenders compare, as a sentence.
pub(super) fn comparison(first: &str, second: &str, result: &Comparison) -> String {
    let (Some(ratio), Some(verdict)) = (&result.ratio, result.verdict) else {
        return format!("{first} and {second} have no shape in common.");
    };
    let range = ratio_range(ratio);
    let value = format::speedup(ratio.value);
    match verdict {
        Verdict::Faster => format!("{first} is faster than {second}: {value} ({range})."),
        Verdict::Slower => format!("{first} is slower than {second}: {value} ({range})."),
        Verdict::Tie => format!("{first} and {second} tie: ratio {value} ({range})."),
        Verdict::Undecided => {
            let why = match ratio.interval.map(|interval| interval.kind) {
                Some(IntervalKind::PublishedDigits) => "at the published precision",
                Some(IntervalKind::Rounds) => "over the rounds measured",
                Some(IntervalKind::Mixed) => "at the precision of the inputs",
                None => "since one round gives no interval",
            };
            format!("{first} against {second}: their order is open {why}: ratio {range}.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{BoardKind, ContenderId},
        site::view::fixture,
        standings::Interval,
    };

    #[test]
    fn long_lists_are_cut() {
        for (names, expected) in [
            (&["A"][..], "A"),
            (&["A", "B"], "A and B"),
            (&["A", "B", "C"], "A, B and C"),
            (&["A", "B", "C", "D", "E", "F"], "A, B, C and 3 others"),
        ] {
            assert_eq!(list(names), expected);
        }
    }

    /// Contenders with rank and verdict against the baseline, and the verdict between the two.
    fn check(
        ours: (Option<usize>, Option<Verdict>),
        agent: (Option<usize>, Option<Verdict>),
        between: Option<Verdict>,
        expected: (&str, &str),
    ) {
        let model = fixture::model();
        let BoardKind::Speedup(board) = &model.studies[0].boards[0].kind else { panic!() };
        let estimate = Estimate {
            value: 0.95,
            interval: Some(Interval { low: 0.87, high: 1.05, kind: IntervalKind::PublishedDigits }),
        };
        let id = |text| ContenderId::parse(text).unwrap();
        let result =
            |contender, (rank, verdict): (Option<usize>, Option<Verdict>)| ContenderStanding {
                contender: id(contender),
                geomean: rank.map(|_| estimate),
                counted: 1,
                total: 1,
                missing: Vec::new(),
                verdict,
                rank,
                failed: Vec::new(),
            };
        let comparison = Comparison {
            contender: id("ours"),
            against: id("agent"),
            ratio: between.map(|_| estimate),
            common: usize::from(between.is_some()),
            through_baseline: 0,
            verdict: between,
            replications: Vec::new(),
        };
        // In order of rank, as the standings give them; the words follow the board's order.
        let results = [result("agent", agent), result("ours", ours)];
        let found = standing(board, &results, &[comparison]);
        assert_eq!((&*found.words, &*found.detail), expected);
    }

    #[test]
    fn the_standing_says_who_is_ahead_and_what_is_open() {
        use Verdict::{Faster, Slower, Tie, Undecided};
        let faster = |rank| (Some(rank), Some(Faster));
        let slower = |rank| (Some(rank), Some(Slower));
        check(faster(1), faster(2), Some(Faster), ("Ours <b> ahead", ""));
        check(
            faster(1),
            faster(1),
            Some(Undecided),
            ("Ours <b> and Agent undecided", "their ratio is 0.870–1.05"),
        );
        check(faster(1), faster(1), Some(Tie), ("Ours <b> and Agent tie", ""));
        check(slower(2), slower(1), Some(Slower), ("Library ahead", ""));
        check(slower(1), slower(1), Some(Tie), ("Library ahead; Ours <b> and Agent tie", ""));
        check((Some(1), Some(Tie)), (None, None), None, ("only Ours <b>", "tie with Library"));
        check(faster(1), (None, None), None, ("only Ours <b>", "faster than Library"));
        check((Some(1), Some(Tie)), slower(2), Some(Faster), ("Ours <b> and Library tie", ""));
        check(
            faster(1),
            faster(1),
            None,
            ("Ours <b> and Agent ahead", "some of them share no shape"),
        );
        check((None, None), (None, None), None, ("no result", ""));
    }

    #[test]
    fn an_open_order_says_why() {
        let estimate = |low, high, kind| Estimate {
            value: 0.95,
            interval: Some(Interval { low, high, kind }),
        };
        let id = |text| ContenderId::parse(text).unwrap();
        let of = |ratio, verdict| {
            let result = Comparison {
                contender: id("a"),
                against: id("b"),
                ratio: Some(ratio),
                common: 3,
                through_baseline: 0,
                verdict: Some(verdict),
                replications: Vec::new(),
            };
            comparison("A", "B", &result)
        };
        assert_eq!(
            of(estimate(0.87, 1.05, IntervalKind::PublishedDigits), Verdict::Undecided),
            "A against B: their order is open at the published precision: ratio 0.870–1.05."
        );
        assert_eq!(
            of(estimate(0.87, 0.99, IntervalKind::Rounds), Verdict::Slower),
            "A is slower than B: 0.950× (0.870–0.990)."
        );
    }
}
