#!/usr/bin/env bash
# Runs Lighthouse on the main kinds of page and times them on a slow phone. Lighthouse is fetched by
# npx; its figures vary with the machine, so no test depends on them.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --locked --release --quiet
rm -rf target/lighthouse
target/release/paceboard build --out target/lighthouse/site >/dev/null
scripts/browser.sh
node tests/browser/lighthouse.mjs target/lighthouse/site target/lighthouse
