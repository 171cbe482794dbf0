#!/usr/bin/env bash
# Makes sure that there is a Chromium, the npm packages that drive it, and a Java for the HTML
# validator. Does nothing if so.
set -euo pipefail
cd "$(dirname "$0")/.."

find_browser() {
  for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome-stable google-chrome; do
    if [ -n "$name" ] && command -v "$name" >/dev/null; then return 0; fi
  done
  return 1
}

install() {
  local root=()
  if [ "$(id -u)" -ne 0 ]; then root=(sudo); fi
  "${root[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get install -y -qq --no-install-recommends \
    "$@" >/dev/null
}

if ! find_browser; then
  if ! command -v apt-get >/dev/null; then
    echo "No Chromium found: install one, or name it in CHROMIUM." >&2
    exit 2
  fi
  install chromium fonts-dejavu-core
fi

# Without it the test that validates the HTML is skipped, and says so.
if ! command -v java >/dev/null && command -v apt-get >/dev/null; then
  install default-jre-headless
fi

if [ ! -d tests/browser/node_modules/playwright-core ] ||
  [ tests/browser/package-lock.json -nt tests/browser/node_modules/.package-lock.json ]; then
  (cd tests/browser && npm ci --ignore-scripts --no-audit --no-fund --silent)
fi
