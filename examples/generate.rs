//! Writes a data folder of any size: `cargo run --release --example generate -- DIR RECORDS`

use std::path::Path;

use anyhow::{Context as _, bail};

#[path = "../benches/generated/mod.rs"]
mod generated;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, records] = &arguments[..] else {
        bail!("usage: generate DIR RECORDS");
    };
    let records = records.parse().with_context(|| format!("{records:?} records"))?;
    generated::write(Path::new(folder), records).with_context(|| format!("writing {folder}"))
}
