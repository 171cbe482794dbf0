#!/usr/bin/env bash
# The published forms of the data format, held against public tools: the Data Package against
# frictionless, the JSON Schema against its metaschema, and data/ against both. Faults planted in a
# copy must be found. Needs Python 3.11 with venv and PyPI; PACEBOARD names the program to ask.
set -euo pipefail
cd "$(dirname "$0")/.."

paceboard=${PACEBOARD:-target/release/paceboard}
venv=target/schema-venv
work=target/schema-check
tools=(frictionless==5.21.0 check-jsonschema==0.39.0)

if [ "$(cat "$venv/.tools" 2>/dev/null)" != "${tools[*]}" ]; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check "${tools[@]}"
  echo "${tools[*]}" > "$venv/.tools"
fi
rm -rf "$work"
mkdir -p "$work"

# A data folder with its descriptor beside the tables, as the tool expects it.
package() {
  rm -rf "$work/package"
  cp -r "$1" "$work/package"
  "$paceboard" schema --data "$1" --format datapackage > "$work/package/datapackage.json"
  (cd "$work/package" && "../../../$venv/bin/frictionless" validate datapackage.json --json \
    > ../report.json)
}

as_json() {
  "$venv/bin/python" scripts/folder_as_json.py "$1" > "$work/folder.json"
  "$venv/bin/check-jsonschema" --schemafile "$work/schema.json" "$work/folder.json" \
    > "$work/report.txt"
}

echo "JSON Schema against its metaschema"
"$paceboard" schema --format json > "$work/schema.json"
"$venv/bin/check-jsonschema" --check-metaschema "$work/schema.json" > /dev/null

echo "data/ against the Data Package"
package data || { cat "$work/report.json"; exit 1; }
echo "data/ against the JSON Schema"
as_json data || { cat "$work/report.txt"; exit 1; }

# Each fault: a file, what sed does to it, and which of the two forms can see it.
study=studies/justgoal-b200
table=$study/latencies/table-5.csv
while IFS='|' read -r what file edit seen_by; do
  rm -rf "$work/faulty"
  cp -r data "$work/faulty"
  sed -i.bak "$edit" "$work/faulty/$file"
  rm "$work/faulty/$file.bak"
  if cmp -s "data/$file" "$work/faulty/$file"; then
    echo "nothing was changed for: $what"
    exit 1
  fi
  case $seen_by in
    *package*) if package "$work/faulty"; then echo "the Data Package accepts: $what"; exit 1; fi ;;
  esac
  case $seen_by in
    *schema*) if as_json "$work/faulty"; then echo "the JSON Schema accepts: $what"; exit 1; fi ;;
  esac
  echo "found by $seen_by: $what"
done <<FAULTS
a latency of zero|$table|2s/,1357.9,/,0.0,/|package schema
a latency that is no number|$table|2s/,1357.9,/,fast,/|package schema
an id with a capital letter|$study/operators.csv|2s/^fa4/FA4/|package schema
an unknown operator|$table|2s/^fa4-backward/fa5-backward/|package
a shape of another operator|$table|2s/,mha,/,heavy-workload,/|package
an unknown column|$table|1s/latency_us/latency/|package schema
a row twice|$table|2{h;p;}|package
an unknown role|$study/implementations.csv|2s/,goal-only,/,winner,/|package schema
a cell that is a formula|$study/operators.csv|2s/,FA4 backward,/,=1+1,/|package schema
an empty cell that must not be|$study/operators.csv|2s/,FA4 backward,/,,/|package schema
a setting that does not exist|$study/study.toml|1s/^title/titel/|schema
a kind of board that does not exist|$study/study.toml|s/kind = "speedup"/kind = "fast"/|schema
FAULTS
