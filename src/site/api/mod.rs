//! What other programs read: the JSON and CSV of `api/v1/`, the raw data files, the sitemap and
//! the feed.
//!
//! The keys of every JSON object stand in the order of their struct's fields, which is the
//! published one. Numbers have full precision (the shortest text that reads back as the same
//! float); one that does not exist is `null`. Each file ends in a line feed.
//!
//! Raw data files keep their names: a file of a study stands at
//! `<study>/data/files/<path below the study's folder>`, any other at
//! `data/files/<path below the data folder>`. No page can be in their way, since neither `data`
//! is an id of a study nor is anything else called `files` in a study's `data`.

mod badge;
mod board;
#[cfg(test)]
mod example;
mod feed;
mod latencies;
mod reason;
mod shapes;
mod study;

use serde::Serialize;

use super::{File, Job, data_version, path};
use crate::{
    input::schema::datapackage::{self, TableFile},
    model::{Board, BoardKind, DataFile, Model, Study},
    standings::{BoardStandings, Estimate, IntervalKind, Standings, StudyStandings},
};

pub use feed::sitemap;

/// Everything of this module but the sitemap, which needs to know what pages there are.
pub fn jobs<'a>(model: &'a Model, standings: &'a Standings) -> Vec<Job<'a>> {
    let mut jobs: Vec<Job<'a>> = vec![Box::new(|| vec![studies(model)])];
    for study in model.studies.values() {
        let Some(results) = standings.studies.get(&study.id) else { continue };
        jobs.extend(study_jobs(study, results));
    }
    for file in &model.files {
        jobs.push(Box::new(|| {
            let bytes = file.text.as_bytes().to_vec();
            vec![File { path: raw_copy(&file.path), bytes }]
        }));
    }
    for study in model.studies.values() {
        jobs.push(Box::new(move || vec![data_package(model, study)]));
    }
    jobs.push(Box::new(|| feed::jobs(model)));
    jobs
}

/// A study's tables as a Frictionless Data Package, beside the copies that it describes.
fn data_package(model: &Model, study: &Study) -> File {
    let base = format!("studies/{}/", study.id);
    let files: Vec<(&DataFile, String)> = model
        .files
        .iter()
        .filter_map(|file| Some((file, format!("files/{}", file.path.strip_prefix(&base)?))))
        .collect();
    let tables: Vec<TableFile<'_>> = files
        .iter()
        .map(|(file, at)| TableFile { path: &file.path, at, text: &file.text })
        .collect();
    File::text(
        path::data_package(&study.id),
        datapackage::descriptor(&study.id, &study.title, &tables),
    )
}

fn study_jobs<'a>(study: &'a Study, results: &'a StudyStandings) -> Vec<Job<'a>> {
    let mut jobs: Vec<Job<'a>> = Vec::new();
    for board in study.boards.values() {
        let Some(standings) = results.boards.get(&board.id) else { continue };
        jobs.push(Box::new(move || {
            board::json(study, board, standings)
                .map(|text| File::text(path::api_board(&study.id, &board.id), text))
                .into_iter()
                .collect()
        }));
        jobs.push(Box::new(move || badge::files(study, board, standings)));
        let BoardStandings::Speedup(speedup) = standings else { continue };
        for operator in &speedup.operators {
            jobs.push(Box::new(move || {
                let path = path::api_board_operator(&study.id, &board.id, &operator.operator);
                vec![File::text(path, shapes::json(study, results, board, operator))]
            }));
        }
    }
    let part = |name: &str| format!("api/v1/{}/{name}", study.id);
    jobs.push(Box::new(move || {
        vec![
            File::text(part("claims.json"), study::claims(study, results)),
            File::text(part("audit.json"), study::audit(study, results)),
            File::text(part("latencies.csv"), latencies::csv(results)),
        ]
    }));
    jobs
}

/// Where the copy of a data file stands in the site.
pub fn raw_copy(path: &str) -> String {
    match path.strip_prefix("studies/").and_then(|path| path.split_once('/')) {
        Some((study, file)) => format!("{study}/data/files/{file}"),
        None => format!("data/files/{path}"),
    }
}

/// A value as JSON on one line.
fn text(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string(value).expect("plain values serialise");
    text.push('\n');
    text
}

/// `studies.json`.
fn studies(model: &Model) -> File {
    #[derive(Serialize)]
    struct Entry<'a> {
        id: &'a str,
        title: &'a str,
        data_version: &'a str,
        boards: Vec<BoardEntry<'a>>,
    }
    #[derive(Serialize)]
    struct BoardEntry<'a> {
        id: &'a str,
        kind: &'static str,
        title: &'a str,
    }
    let version = data_version(model);
    let entries: Vec<Entry> = model
        .studies
        .values()
        .map(|study| Entry {
            id: &study.id,
            title: &study.title,
            data_version: &version,
            boards: study
                .boards
                .values()
                .map(|board| BoardEntry { id: &board.id, kind: kind(board), title: &board.title })
                .collect(),
        })
        .collect();
    File::text("api/v1/studies.json", text(&entries))
}

fn kind(board: &Board) -> &'static str {
    match board.kind {
        BoardKind::Speedup(_) => "speedup",
        BoardKind::MacroEval { .. } => "macroeval",
        BoardKind::Table(_) => "table",
    }
}

/// The bounds of an estimate and their kind, each null where there is none.
#[derive(Debug, Clone, Copy, Default)]
struct Bounds {
    low: Option<f64>,
    high: Option<f64>,
    kind: Option<IntervalKind>,
}

impl Bounds {
    fn of(estimate: Option<&Estimate>) -> Self {
        estimate.and_then(|estimate| estimate.interval).map_or_else(Self::default, |interval| {
            Self { low: Some(interval.low), high: Some(interval.high), kind: Some(interval.kind) }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Every file of the example, by path.
    fn files() -> BTreeMap<String, String> {
        let (model, standings) = (example::model(), example::standings());
        let files = jobs(&model, &standings).iter().flat_map(|job| job()).collect::<Vec<_>>();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        files.into_iter().map(|file| (file.path, text(file.bytes))).collect()
    }

    /// Compares a file with lines that are joined without anything between them.
    fn check(path: &str, expected: &[&str]) {
        let files = files();
        let file = files.get(path).unwrap_or_else(|| panic!("{path} among {:?}", files.keys()));
        assert_eq!(file, &format!("{}\n", expected.concat()), "{path}");
    }

    #[test]
    fn there_is_a_file_for_everything() {
        let files = files();
        let paths: Vec<&str> = files.keys().map(String::as_str).collect();
        assert_eq!(
            paths,
            [
                ".nojekyll",
                "api/v1/s/audit.json",
                "api/v1/s/badges/main.json",
                "api/v1/s/badges/main/gemm.json",
                "api/v1/s/badges/scores.json",
                "api/v1/s/boards/facts.json",
                "api/v1/s/boards/main.json",
                "api/v1/s/boards/main/gemm.json",
                "api/v1/s/boards/scores.json",
                "api/v1/s/claims.json",
                "api/v1/s/latencies.csv",
                "api/v1/studies.json",
                "feed.xml",
                "robots.txt",
                "s/data/datapackage.json",
            ]
        );
    }

    #[test]
    fn studies_are_listed_with_their_boards() {
        let version = data_version(&example::model());
        check(
            "api/v1/studies.json",
            &[
                r#"[{"id":"s","title":"A & B","data_version":""#,
                &version,
                r#"","boards":[{"id":"main","kind":"speedup","title":"Main"},"#,
                r#"{"id":"scores","kind":"macroeval","title":"Scores"},"#,
                r#"{"id":"facts","kind":"table","title":"Facts"}]}]"#,
            ],
        );
    }

    #[test]
    fn a_board_has_its_means_and_effects() {
        check(
            "api/v1/s/boards/main.json",
            &[
                r#"{"study":"s","board":"main","kind":"speedup","title":"Main","#,
                r#""baseline":{"id":"lib","name":"Library"},"contenders":["#,
                r#"{"id":"ours","name":"Ours"},{"id":"theirs","name":"Theirs"}],"operators":["#,
                r#"{"id":"gemm","name":"GEMM","shapes_total":3,"results":["#,
                r#"{"contender":"ours","geomean":1.25,"low":1.2,"high":1.3,"#,
                r#""interval":"published-digits","counted":2,"missing":["c"],"#,
                r#""verdict":"faster","rank":1},"#,
                r#"{"contender":"theirs","geomean":null,"low":null,"high":null,"#,
                r#""interval":null,"counted":0,"missing":["a","b","c"],"#,
                r#""verdict":null,"rank":null}]}],"overall":["#,
                r#"{"contender":"ours","geomean":1.25,"low":1.2,"high":1.3,"#,
                r#""interval":"published-digits","counted":2,"missing":["gemm/c"],"#,
                r#""verdict":"faster","rank":1},"#,
                r#"{"contender":"theirs","geomean":null,"low":null,"high":null,"#,
                r#""interval":null,"counted":0,"missing":["gemm/a","gemm/b","gemm/c"],"#,
                r#""verdict":null,"rank":null}],"effects":["#,
                r#"{"id":"e","operator":null,"value":0.30000000000000004,"low":null,"#,
                r#""high":null,"counted":1}]}"#,
            ],
        );
    }

    #[test]
    fn a_shape_has_what_each_speedup_is_made_of() {
        let baseline = concat!(
            r#""baseline":{"implementation":"lib","batch":"m1","latency_us":10.0,"#,
            r#""low_us":9.95,"high_us":10.05,"published":"10.0","#,
            r#""file":"studies/s/latencies/l.csv","line":2},"#,
        );
        let record = concat!(
            r#""record":{"implementation":"ours","batch":"m1","latency_us":8.0,"#,
            r#""low_us":7.5,"high_us":8.5,"published":"7.5–8.5","#,
            r#""file":"studies/s/latencies/l.csv","line":3},"#,
        );
        let speedup = concat!(
            r#"{"contender":"ours","class":"k1","speedup":1.25,"low":1.17,"high":1.34,"#,
            r#""interval":"published-digits","#,
        );
        check(
            "api/v1/s/boards/main/gemm.json",
            &[
                r#"{"study":"s","board":"main","operator":"gemm","shapes":["#,
                r#"{"id":"a","name":"A","results":["#,
                speedup,
                baseline,
                record,
                r#""failed":false,"replications":[{"class":"k2","speedup":1.5,"low":null,"high":null}]},"#,
                r#"{"contender":"theirs","class":"k1","speedup":1.3,"low":1.25,"high":1.35,"#,
                r#""interval":"published-digits","baseline":{"implementation":"lib","batch":"m1","#,
                r#""latency_us":null,"low_us":null,"high_us":null,"published":null,"file":null,"#,
                r#""line":null},"record":{"implementation":"theirs","batch":"m1","latency_us":null,"#,
                r#""low_us":null,"high_us":null,"published":"1.3","file":"studies/s/ratios/r.csv","#,
                r#""line":4},"failed":false,"replications":[]}]},"#,
                r#"{"id":"b","name":"B","results":["#,
                speedup,
                baseline,
                record,
                r#""failed":true,"replications":[]},"#,
                r#"{"contender":"theirs","excluded":"failed retest"}]},"#,
                r#"{"id":"c","name":"C","results":["#,
                r#"{"contender":"ours","excluded":"not comparable: batches m2 and m1, m3"},"#,
                r#"{"contender":"theirs","excluded":"no baseline"}]}]}"#,
            ],
        );
    }

    #[test]
    fn a_macroeval_board_has_its_runs_and_families() {
        check(
            "api/v1/s/boards/scores.json",
            &[
                r#"{"study":"s","board":"scores","kind":"macroeval","title":"Scores","#,
                r#""lambda":0.5,"tau":0.9,"rows":[{"run":"r","agent":"kda","#,
                r#""mode":"independent","subset":"all-winners","items":2,"valid":1,"#,
                r#""coverage_macro":0.5,"c_macro":0.75,"#,
                r#""s_macro":{"blend":1.0,"throughput":1.5,"latency":null},"#,
                r#""score":{"blend":null,"throughput":1.5,"latency":null},"rank":1,"#,
                r#""families":[{"id":"f","items":2,"valid":1,"c":0.5,"coverage":0.5,"#,
                r#""s":{"blend":1.25,"throughput":1.5,"latency":null}}]}]}"#,
            ],
        );
    }

    #[test]
    fn a_table_has_numbers_where_its_columns_say_so() {
        check(
            "api/v1/s/boards/facts.json",
            &[
                r#"{"study":"s","board":"facts","kind":"table","title":"Facts","columns":["#,
                r#"{"id":"us","title":"US","type":"number","unit":"µs"},"#,
                r#"{"id":"name","title":"NAME","type":"text","unit":null}],"#,
                r#""rows":[[1.5,"1.0"],[null,"b"],["n/a",null]]}"#,
            ],
        );
    }

    #[test]
    fn claims_keep_the_published_text() {
        let claim = concat!(
            r#"{"id":"c1","board":"main","contender":"ours","against":null,"operator":"gemm","#,
            r#""shape":"a b","statistic":"geomean","published":"1.50","#,
        );
        check(
            "api/v1/s/claims.json",
            &[
                "[",
                claim,
                r#""recomputed":1.25,"low":1.2,"high":1.3,"verdict":"differs"},"#,
                claim,
                r#""recomputed":null,"low":null,"high":null,"verdict":"not-computable"}]"#,
            ],
        );
    }

    #[test]
    fn the_audit_has_all_its_tables() {
        check(
            "api/v1/s/audit.json",
            &[
                r#"{"study":"s","exclusions":[{"board":"main","operator":"gemm","shape":"c","#,
                r#""contender":"ours","excluded":"not comparable: batches m2 and m1, m3"}],"#,
                r#""retests":[{"operator":"gemm","shape":"b","implementation":"theirs","#,
                r#""batch":null,"standard":"strict","outcome":"fail","detail":null,"#,
                r#""file":"studies/s/retests/x.csv","line":3}],"#,
                r#""drift":[{"operator":"gemm","shape":"a","implementation":"ours","#,
                r#""spread":1.5,"records":[{"batch":"m1","latency_us":8.0,"low_us":7.5,"#,
                r#""high_us":8.5,"published":"7.5–8.5","file":"studies/s/latencies/l.csv","#,
                r#""line":3}]}],"precision":[{"board":"main","operator":null,"#,
                r#""contender":"ours","against":"theirs","ratio":1.0,"low":0.9,"high":1.1,"#,
                r#""common":1,"through_baseline":1}],"plausibility":[{"code":"unit-slip","#,
                r#""severity":"warning","file":"studies/s/latencies/l.csv","line":4,"column":5,"#,
                r#""end_column":8,"message":"It is \"off\".","help":"Look."}],"#,
                r#""coverage":{"without_baseline":[{"board":"main","operator":"gemm","#,
                r#""shape":"c"}],"without_retest":["ours"],"without_environment":[{"batch":"m1","#,
                r#""missing":["driver","cuda"]}],"without_board":[{"class":"k9","records":3}]},"#,
                r#""withdrawals":[{"operator":null,"shape":null,"implementation":"ours","#,
                r#""batch":"m2","withdrawn_on":"2026-06-01","reason":"wrong <clock>","#,
                r#""url":null,"file":"studies/s/withdrawals.csv","line":2}]}"#,
            ],
        );
    }

    #[test]
    fn latencies_are_one_tidy_file() {
        check(
            "api/v1/s/latencies.csv",
            &[
                "operator,shape,implementation,batch,latency_us,low_us,high_us,model,note,file,\
                 line,status\n",
                "gemm,a,lib,m1,10.0,9.95,10.05,,,studies/s/latencies/l.csv,2,counts\n",
                "gemm,a,ours,m1,8,7.5,8.5,\"m, 1\",n1 n2,studies/s/latencies/l.csv,3,counts\n",
                "gemm,b,theirs,m1,9,,,,,studies/s/latencies/l.csv,4,failed",
            ],
        );
    }

    #[test]
    fn what_is_dated_is_in_the_feed_newest_first() {
        check(
            "feed.xml",
            &["<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                 <feed xmlns=\"http://www.w3.org/2005/Atom\">\n\
                 <id>https://example.org/p/</id>\n<title>Paces</title>\n\
                 <subtitle>Who is fast</subtitle>\n<updated>2026-06-01T00:00:00Z</updated>\n\
                 <author><name>Paces</name></author>\n\
                 <link rel=\"self\" type=\"application/atom+xml\" \
                 href=\"https://example.org/p/feed.xml\"/>\n\
                 <link rel=\"alternate\" type=\"text/html\" href=\"https://example.org/p/\"/>\n\
                 <entry>\n<id>https://example.org/p/s/audit/#withdrawal/ours/*/*/m2</id>\n\
                 <title>A &#38; B: Our kernel withdrawn</title>\n\
                 <updated>2026-06-01T00:00:00Z</updated>\n\
                 <link rel=\"alternate\" type=\"text/html\" \
                 href=\"https://example.org/p/s/audit/#withdrawals\"/>\n\
                 <summary>wrong &#60;clock&#62;</summary>\n</entry>\n\
                 <entry>\n<id>https://example.org/p/s/batches/m1/</id>\n\
                 <title>A &#38; B: measured in batch M1</title>\n\
                 <updated>2026-05-02T00:00:00Z</updated>\n\
                 <link rel=\"alternate\" type=\"text/html\" \
                 href=\"https://example.org/p/s/batches/m1/\"/>\n\
                 <content type=\"html\">&#60;p&#62;Small.&#60;/p&#62;\n</content>\n</entry>\n</feed>"],
        );
    }

    #[test]
    fn the_sitemap_has_absolute_addresses_or_is_not_there() {
        let pages = ["index.html".to_owned(), "s/main/index.html".to_owned()];
        let mut model = example::model();
        let map = sitemap(&model, &pages).unwrap();
        assert_eq!(
            String::from_utf8(map.bytes).unwrap(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
             <url><loc>https://example.org/p/</loc></url>\n\
             <url><loc>https://example.org/p/s/main/</loc></url>\n</urlset>\n"
        );
        model.site.base_url = None;
        assert_eq!(sitemap(&model, &pages), None);
        let paths: Vec<String> = feed::jobs(&model).into_iter().map(|file| file.path).collect();
        assert_eq!(paths, [".nojekyll", "robots.txt"]);
    }

    #[test]
    fn copies_of_data_files_keep_their_names() {
        for (path, expected) in [
            ("site.toml", "data/files/site.toml"),
            ("pages/about.md", "data/files/pages/about.md"),
            ("studies/a/study.toml", "a/data/files/study.toml"),
            ("studies/a/latencies/x.csv", "a/data/files/latencies/x.csv"),
        ] {
            assert_eq!(raw_copy(path), expected);
        }
    }
}
