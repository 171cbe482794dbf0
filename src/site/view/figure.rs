//! A figure on a page, and the two files it can be downloaded as.

use super::context::Frame;
use crate::{
    model::StudyId,
    site::{
        File,
        chart::{self, Bars, Dots, Staircase},
        path,
    },
};

/// A drawing and the data behind it, from one spec.
pub(super) struct Figure {
    /// The name of its files, unique within the study.
    name: String,
    svg: String,
    csv: String,
}

/// A figure in its place on a page.
pub(super) struct FigureView {
    pub svg: String,
    pub caption: String,
    /// Where it stands as a file of its own, from this page.
    pub svg_href: String,
    /// Where its data stands, from this page.
    pub csv_href: String,
}

impl Figure {
    pub fn bars(spec: &Bars) -> Self {
        Self { name: spec.id.clone(), svg: chart::bars(spec), csv: chart::bars_csv(spec) }
    }

    pub fn dots(spec: &Dots) -> Self {
        Self { name: spec.id.clone(), svg: chart::dots(spec), csv: chart::dots_csv(spec) }
    }

    pub fn staircase(spec: &Staircase) -> Self {
        Self { name: spec.id.clone(), svg: chart::staircase(spec), csv: chart::staircase_csv(spec) }
    }

    /// Its downloads.
    pub fn files(&self, study: &StudyId) -> [File; 2] {
        [
            File::text(path::figure(study, &self.name), chart::standalone(&self.svg)),
            File::text(path::figure_data(study, &self.name), &self.csv),
        ]
    }

    /// The figure on a page. Whoever writes the page of what it is about writes its files.
    pub fn view(self, study: &StudyId, frame: &Frame, caption: impl Into<String>) -> FigureView {
        FigureView {
            svg_href: frame.to(&path::figure(study, &self.name)),
            csv_href: frame.to(&path::figure_data(study, &self.name)),
            svg: self.svg,
            caption: caption.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::site::view::{board, fixture, operator};

    #[test]
    fn a_figure_comes_with_its_files() {
        fixture::with(|context| {
            let lookup = &context.studies[0];
            let place = lookup.speedup_boards()[0];
            let scan = &lookup.study.operators["scan"];
            let board = board::files(context, lookup, place.board, place.speedup, place.results);
            let operator = operator::files(context, lookup, scan);
            for (files, expected) in [
                (board, ["toy/main/", "toy/data/figures/bars-main"]),
                (operator, ["toy/operators/scan/", "toy/data/figures/latencies-scan"]),
            ] {
                let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
                let [page, figure] = expected;
                assert_eq!(paths[0], format!("{page}index.html"));
                assert_eq!(paths[1..3], [format!("{figure}.svg"), format!("{figure}.csv")]);
                let texts = files.iter().map(|file| String::from_utf8_lossy(&file.bytes));
                let texts: Vec<_> = texts.collect();
                assert!(texts[0].contains(&format!("{figure}.csv\"")), "{}", texts[0]);
                assert!(texts[1].contains("<style>"), "{}", texts[1]);
                assert!(texts[2].contains(",series,value,low,high\n"), "{}", texts[2]);
            }
        });
    }
}
