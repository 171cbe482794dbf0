#!/usr/bin/env bash
# Everything that must hold before a change is merged. Run from anywhere; needs Rust, Python 3 and
# Node.js with npm. Chromium and Java are installed with apt-get if they are missing and that is
# possible.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$1"; }

step "Format"
cargo fmt --all -- --check

step "Lints"
cargo clippy --locked --all-targets -- -D warnings

step "Tests"
cargo test --locked --quiet

step "The site from data/"
cargo build --locked --release --quiet
site=target/test-site/site
rm -rf target/test-site
mkdir -p target/test-site
target/release/paceboard check
target/release/paceboard build --out "$site"
target/release/paceboard verify "$site"

step "Two builds, one result"
TZ=Pacific/Kiritimati LC_ALL=C RAYON_NUM_THREADS=1 \
  target/release/paceboard build --out target/test-site/again >/dev/null
diff -r "$site" target/test-site/again

step "Links"
python3 scripts/links.py "$site"

step "Published forms of the data format"
scripts/check-schema.sh

step "Workflows"
scripts/check-workflows.sh

step "Browser"
scripts/browser.sh
cargo run --locked --release --quiet --example baselines -- data >target/test-site/baselines.json
node --test tests/browser/*.test.mjs
