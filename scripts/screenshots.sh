#!/usr/bin/env bash
# Makes the pictures of the README, docs/img/*.png, from the data in data/.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --locked --release --quiet
rm -rf target/pictures
target/release/paceboard build --out target/pictures/site >/dev/null
scripts/browser.sh
node tests/browser/pictures.mjs target/pictures/site docs/img

# Fewer colours make them a third of the size; without pngquant they are only larger.
if command -v pngquant >/dev/null; then
  pngquant --force --skip-if-larger --ext .png 128 -- docs/img/*.png || true
fi
ls -l docs/img
