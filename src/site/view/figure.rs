//! A figure on a page, and the two files it can be downloaded as. One spec is drawn and tabled.

use askama::Template;

use super::context::{Frame, page};
use crate::{
    model::StudyId,
    site::{
        File,
        chart::{self, Bars, Dots, Scatter, Staircase},
        path,
    },
};

/// A figure in its place on a page.
pub(super) struct FigureView {
    pub svg: String,
    pub caption: String,
    /// Where it stands as a file of its own, from this page.
    pub svg_href: String,
    /// Where its data stands, from this page.
    pub csv_href: String,
    /// What the page's script calls the picture that it makes of it.
    pub png_name: String,
    /// Both files. Of several pages that show the figure one writes them.
    pub files: [File; 2],
}

/// Where a figure is shown, and under which caption.
pub(super) struct Place<'a> {
    pub study: &'a StudyId,
    pub frame: &'a Frame,
    pub caption: &'a str,
}

impl Place<'_> {
    pub fn bars(&self, spec: &Bars) -> FigureView {
        self.view(&spec.id, chart::bars(spec), chart::bars_csv(spec))
    }

    pub fn dots(&self, spec: &Dots) -> FigureView {
        self.view(&spec.id, chart::dots(spec), chart::dots_csv(spec))
    }

    pub fn scatter(&self, spec: &Scatter) -> FigureView {
        self.view(&spec.id, chart::scatter(spec), chart::scatter_csv(spec))
    }

    pub fn staircase(&self, spec: &Staircase) -> FigureView {
        self.view(&spec.id, chart::staircase(spec), chart::staircase_csv(spec))
    }

    /// `name` is unique within the study.
    fn view(&self, name: &str, svg: String, csv: String) -> FigureView {
        let svg_path = path::figure(self.study, name);
        let csv_path = path::figure_data(self.study, name);
        FigureView {
            caption: self.caption.to_owned(),
            svg_href: self.frame.to(&svg_path),
            csv_href: self.frame.to(&csv_path),
            png_name: format!("{name}.png"),
            files: [File::text(svg_path, chart::standalone(&svg)), File::text(csv_path, csv)],
            svg,
        }
    }
}

/// A page, and the figures that it writes as files.
pub(super) fn page_with<'f>(
    path: String,
    template: &impl Template,
    figures: impl IntoIterator<Item = &'f FigureView>,
) -> Vec<File> {
    let files = figures.into_iter().flat_map(|figure| figure.files.clone());
    std::iter::once(page(path, template)).chain(files).collect()
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
