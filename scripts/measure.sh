#!/usr/bin/env bash
# Measures builds and pages: the time and peak memory of `paceboard build` on data/ and on a
# generated folder, and what a reader downloads. The figures of the README come from here.
set -euo pipefail
cd "$(dirname "$0")/.."

rows="${ROWS:-20000}"
cargo build --locked --release --quiet
cargo run --locked --release --quiet --example generate -- target/measure/generated "$rows"
python3 scripts/measure.py target/release/paceboard target/measure data target/measure/generated
