//! The data behind each figure as CSV, a line per value. A spec is the one source of its drawing
//! and of its table, so that they cannot differ.
//!
//! Numbers are the shortest text that reads back as the same float; a missing one is empty.

use super::{Bars, Dots, Mark, Point, Scatter, Staircase};

/// Grouped bars: `group,series,value,low,high`.
pub fn bars_csv(spec: &Bars) -> String {
    grouped("group", &spec.series, &spec.groups)
}

/// Rows of dots: `row,series,value,low,high`.
pub fn dots_csv(spec: &Dots) -> String {
    grouped("row", &spec.series, &spec.rows)
}

/// The course of a session: `kind,hours,latency_us,label`, where the kind is `best`, `attempt` or
/// `reference`.
pub fn staircase_csv(spec: &Staircase) -> String {
    let timed = |kind: &str, (hours, latency, label): &(f64, f64, String)| {
        [kind.to_owned(), hours.to_string(), latency.to_string(), label.clone()]
    };
    let best = spec.best.iter().map(|point| timed("best", point));
    let attempts = spec.attempts.iter().map(|point| timed("attempt", point));
    let reference = spec.reference.iter().map(|(latency, label)| {
        ["reference".to_owned(), String::new(), latency.to_string(), label.clone()]
    });
    table(["kind", "hours", "latency_us", "label"], best.chain(attempts).chain(reference))
}

/// One quantity against another: `label,series,x,y`.
pub fn scatter_csv(spec: &Scatter) -> String {
    let lines = spec.points.iter().map(|Mark { name, series, x, y, .. }| {
        let series = spec.series.get(*series).cloned().unwrap_or_default();
        [name.clone(), series, x.to_string(), y.to_string()]
    });
    table(["label", "series", "x", "y"], lines)
}

/// A line per group and series.
fn grouped(what: &str, series: &[String], groups: &[(String, Vec<Option<Point>>)]) -> String {
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let lines = groups.iter().flat_map(|(group, values)| {
        series.iter().zip(values).map(move |(series, point)| {
            let bounds = point.and_then(|point| point.bounds);
            [
                group.clone(),
                series.clone(),
                number(point.map(|point| point.value)),
                number(bounds.map(|(low, _)| low)),
                number(bounds.map(|(_, high)| high)),
            ]
        })
    });
    table([what, "series", "value", "low", "high"], lines)
}

fn table<const N: usize>(header: [&str; N], lines: impl Iterator<Item = [String; N]>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header).expect("a vector takes all bytes");
    for line in lines {
        writer.write_record(&line).expect("every line has as many cells as the header");
    }
    let bytes = writer.into_inner().expect("a vector takes all bytes");
    String::from_utf8(bytes).expect("cells are text")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::chart::check::point;

    #[test]
    fn bars_and_dots_have_a_line_per_value() {
        let series = vec!["Ours".to_owned(), "Theirs".to_owned()];
        let groups = vec![
            ("Sort, merge".to_owned(), vec![point(1.1, 1.0, 1.25), None]),
            ("Scan".to_owned(), vec![None, Some(Point { value: 2.0, bounds: None })]),
        ];
        let lines = "\"Sort, merge\",Ours,1.1,1,1.25\n\"Sort, merge\",Theirs,,,\n\
                     Scan,Ours,,,\nScan,Theirs,2,,\n";
        let dots = Dots {
            id: "f".into(),
            title: "t".into(),
            message: "m".into(),
            axis: "a".into(),
            series,
            rows: groups,
        };
        assert_eq!(dots_csv(&dots), format!("row,series,value,low,high\n{lines}"));
        let Dots { id, title, message, axis, series, rows: groups } = dots;
        let bars = Bars { id, title, message, axis, series, groups, reference: Some(1.0) };
        assert_eq!(bars_csv(&bars), format!("group,series,value,low,high\n{lines}"));
    }

    #[test]
    fn a_session_has_a_line_per_version_and_its_reference() {
        let spec = Staircase {
            id: "f".into(),
            title: "t".into(),
            message: "m".into(),
            best: vec![(0.0, 12.5, "first".into()), (1.5, 9.0, String::new())],
            attempts: vec![(1.0, 13.0, "slower".into())],
            reference: Some((11.0, "Library".into())),
        };
        assert_eq!(
            staircase_csv(&spec),
            "kind,hours,latency_us,label\nbest,0,12.5,first\nbest,1.5,9,\n\
             attempt,1,13,slower\nreference,,11,Library\n"
        );
    }

    #[test]
    fn points_name_their_series() {
        let spec = Scatter {
            id: "f".into(),
            title: "t".into(),
            message: "m".into(),
            x_axis: "x".into(),
            y_axis: "y".into(),
            points: vec![Mark { name: "A \"1\"".into(), label: None, series: 1, x: 0.5, y: 1e-7 }],
            series: vec!["s".into(), "r".into()],
            diagonal: true,
        };
        assert_eq!(scatter_csv(&spec), "label,series,x,y\n\"A \"\"1\"\"\",r,0.5,0.0000001\n");
    }
}
