//! What the pictures of links say: one for the site, one per study, one per board.

use super::{
    context::Context,
    headline,
    lookup::{Lookup, SpeedupPlace},
    macroeval,
};
use crate::{
    model::{Board, BoardKind, Study},
    site::{
        File, format, markdown, path,
        picture::{self, Picture, ROWS, Row},
    },
    standings::{BoardStandings, MacroEvalStandings},
};

/// The site's own picture. None of these functions is of use without an address, since a picture
/// is named by an absolute one.
pub(super) fn site_file(context: &Context<'_>) -> File {
    let site = &context.model.site;
    // A line per study: its title, and what its headline says.
    let studies: Vec<String> = context
        .studies
        .iter()
        .map(|lookup| {
            let study = lookup.study;
            let board = study.headline.as_ref().and_then(|id| study.boards.get(id));
            format!("{}. {}", study.title, of_board(context, lookup, board).answer)
        })
        .collect();
    let picture = Picture {
        site: site.title.clone(),
        title: site.tagline.clone(),
        answer: studies.join("\n"),
        foot: foot(context, None),
        ..Picture::default()
    };
    file(path::site_picture().to_owned(), &picture)
}

/// A study's: the results of its headline board.
pub(super) fn study_file(context: &Context<'_>, lookup: &Lookup<'_>) -> File {
    let study = lookup.study;
    let board = study.headline.as_ref().and_then(|id| study.boards.get(id));
    let picture = Picture { title: study.title.clone(), ..of_board(context, lookup, board) };
    file(path::study_picture(&study.id), &picture)
}

/// A board's.
pub(super) fn board_file(context: &Context<'_>, lookup: &Lookup<'_>, board: &Board) -> File {
    let picture = Picture {
        kicker: lookup.study.title.clone(),
        title: board.title.clone(),
        ..of_board(context, lookup, Some(board))
    };
    file(path::board_picture(&lookup.study.id, &board.id), &picture)
}

fn file(path: String, picture: &Picture) -> File {
    File { path, bytes: picture::png(picture) }
}

/// The results of a board; the study's summary where there are none to draw.
fn of_board(context: &Context<'_>, lookup: &Lookup<'_>, board: Option<&Board>) -> Picture {
    let study = lookup.study;
    let mut picture = Picture {
        site: context.model.site.title.clone(),
        answer: first_sentences(&markdown::plain(&study.summary), 280),
        foot: foot(context, Some(study)),
        ..Picture::default()
    };
    let Some(board) = board else { return picture };
    match (&board.kind, lookup.standings.boards.get(&board.id)) {
        (BoardKind::Speedup(speedup), Some(BoardStandings::Speedup(results))) => {
            let place = SpeedupPlace { board, speedup, results };
            let baseline = &speedup.baseline.name;
            picture.answer = headline::answer(study, place);
            picture.caption =
                format!("Geometric mean speedup over {baseline} (line at 1×), and n of N");
            picture.rows = speedups(place);
            picture.reference = Some(1.0);
        }
        (BoardKind::MacroEval { .. }, Some(BoardStandings::MacroEval(results))) => {
            let rows = scores(lookup, results);
            if !rows.is_empty() {
                let frame = context.frame(&path::board(&study.id, &board.id), "", "", &[]);
                let tables = macroeval::subset_tables(lookup, board, results, &frame);
                picture.answer = macroeval::answer(&tables);
                picture.caption = "MacroEval score, and valid items".into();
                picture.rows = rows;
            }
        }
        _ => {}
    }
    picture
}

/// As many whole sentences as there is room for, at least one.
fn first_sentences(text: &str, most: usize) -> String {
    let mut kept = String::new();
    for sentence in text.split_inclusive(". ") {
        if !kept.is_empty() && kept.len() + sentence.len() > most {
            break;
        }
        kept.push_str(sentence);
    }
    kept.trim_end().to_owned()
}

/// The contenders that stand highest over all shapes.
fn speedups(place: SpeedupPlace<'_>) -> Vec<Row> {
    let contenders = &place.speedup.contenders;
    let rows = place.results.overall.iter().take(ROWS).map(|standing| {
        let series = contenders.iter().position(|one| one.id == standing.contender);
        let series = series.unwrap_or_default();
        let geomean = standing.geomean;
        Row {
            name: contenders.get(series).map_or_else(String::new, |one| one.name.clone()),
            value: geomean.map(|one| one.value),
            bounds: geomean
                .and_then(|one| one.interval)
                .map(|interval| (interval.low, interval.high)),
            text: geomean.map_or_else(|| "no result".into(), |one| format::speedup(one.value)),
            count: format::n_of(standing.counted, standing.total),
            series,
        }
    });
    rows.collect()
}

/// The runs with the highest scores, of the first subset that has any.
fn scores(lookup: &Lookup<'_>, results: &MacroEvalStandings) -> Vec<Row> {
    let Some(first) = results.rows.first() else { return Vec::new() };
    let rows = results.rows.iter().filter(|row| row.subset == first.subset).take(ROWS);
    rows.map(|row| Row {
        name: macroeval::run_name(lookup, &row.run).to_owned(),
        value: row.score.blend,
        bounds: None,
        text: macroeval::score(row.score.blend),
        count: format::n_of(row.valid, row.items),
        series: 0,
    })
    .collect()
}

/// `Data version 0123456789ab · 2026-10-27`: the date of a study, or the last one it was measured
/// on.
fn foot(context: &Context<'_>, study: Option<&Study>) -> String {
    let version: String = context.data_version.chars().take(12).collect();
    let date = study.and_then(|study| {
        let measured = || study.batches.values().filter_map(|batch| batch.measured_on).max();
        study.published_on.or_else(measured)
    });
    let date = date.map_or_else(String::new, |date| format!(" · {date}"));
    format!("Data version {version}{date}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::view::fixture;

    #[test]
    fn a_text_is_cut_after_a_sentence() {
        assert_eq!(first_sentences("One. Two of 1.5. Three.", 18), "One. Two of 1.5.");
        assert_eq!(first_sentences("One is longer.", 3), "One is longer.");
        assert_eq!(first_sentences("", 3), "");
    }

    #[test]
    fn a_board_shows_its_top_results() {
        fixture::with(|context| {
            let lookup = &context.studies[0];
            let board = lookup.speedup_boards()[0].board;
            let picture = of_board(context, lookup, Some(board));
            let rows: Vec<String> = picture
                .rows
                .iter()
                .map(|row| format!("{} {} {}", row.name, row.text, row.count))
                .collect();
            // √(145.6/140.0 · 640.7/7) and √(145.6/158.5 · 640.7/320.1).
            assert_eq!(rows, ["Agent 9.76× 2 of 4", "Ours <b> 1.36× 2 of 4"]);
            assert!(picture.foot.ends_with(" · 2026-10-27"), "{}", picture.foot);
            assert_eq!(picture.reference, Some(1.0));
        });
    }
}
