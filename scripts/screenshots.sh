#!/usr/bin/env bash
# Makes the pictures of the README, docs/img/*.png, from the data in data/.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --locked --release --quiet
rm -rf target/pictures
target/release/paceboard build --out target/pictures/site >/dev/null
scripts/browser.sh
node tests/browser/pictures.mjs target/pictures/site docs/img

# Fewer colours make them a third of the size; without either tool they are only larger.
for picture in docs/img/*.png; do
  if command -v pngquant >/dev/null; then
    pngquant --force --skip-if-larger --ext .png 128 -- "$picture" || true
  elif command -v convert >/dev/null; then
    convert "$picture" -strip -dither None -colors 128 "PNG8:$picture"
  fi
done
ls -l docs/img
