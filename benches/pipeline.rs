//! The three stages of a build, on the data of this repository and on 20,000 generated records.

use std::{hint::black_box, path::Path};

use criterion::{Criterion, criterion_group, criterion_main};
use paceboard::{input, site, standings};

mod generated;

const RECORDS: usize = 20_000;

fn stages(criterion: &mut Criterion, name: &str, folder: &Path) {
    let read = || input::load(folder, None).expect("the folder can be read");
    let input = read();
    let model = input.model.as_ref().unwrap_or_else(|| panic!("{:#?}", input.diagnostics));
    let standings = standings::compute(model);

    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    group.bench_function("ingest", |b| b.iter(|| black_box(read())));
    group.bench_function("compute", |b| b.iter(|| black_box(standings::compute(model))));
    group.bench_function("render", |b| {
        b.iter(|| site::render(model, &standings).map(|file| file.bytes.len()).sum::<usize>());
    });
    group.finish();
}

fn pipeline(criterion: &mut Criterion) {
    stages(criterion, "data", &Path::new(env!("CARGO_MANIFEST_DIR")).join("data"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    generated::write(folder.path(), RECORDS).expect("the temporary folder can be written");
    stages(criterion, "generated-20000", folder.path());
}

criterion_group!(benches, pipeline);
criterion_main!(benches);
