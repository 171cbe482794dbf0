#!/usr/bin/env bash
# Makes static/fonts/Inter-subset.otf, the font of the pictures for link previews, from the Debian
# package fonts-inter. Only needed to change which characters it has. Needs dpkg-deb, apt-get
# and a Python with fonttools.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && apt-get download fonts-inter && dpkg-deb -x fonts-inter_*.deb .)
# Latin, Latin-1, Latin Extended-A, Greek, punctuation, raised and lowered digits, arrows, the
# mathematical signs that titles use. Digits of one width replace the default ones.
python3 - "$work/usr/share/fonts/opentype/inter/Inter-Medium.otf" static/fonts/Inter-subset.otf <<'PY'
import sys
from fontTools import subset, ttLib

source, target = sys.argv[1:]
font = ttLib.TTFont(source, recalcTimestamp=False)
tabular = {}
for record in font["GSUB"].table.FeatureList.FeatureRecord:
    if record.FeatureTag == "tnum":
        for at in record.Feature.LookupListIndex:
            for table in font["GSUB"].table.LookupList.Lookup[at].SubTable:
                tabular |= getattr(table, "ExtSubTable", table).mapping
for cmap in font["cmap"].tables:
    for code in range(ord("0"), ord("9") + 1):
        if code in cmap.cmap:
            cmap.cmap[code] = tabular.get(cmap.cmap[code], cmap.cmap[code])

options = subset.Options()
options.layout_features = ["kern", "mark", "ccmp"]
options.hinting = False
options.desubroutinize = False
options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
options.notdef_outline = True
subsetter = subset.Subsetter(options)
ranges = [
    (0x20, 0x7E), (0xA0, 0x17F), (0x391, 0x3C9), (0x2010, 0x2027), (0x2030, 0x203A),
    (0x2070, 0x208E), (0x2190, 0x2199),
]
signs = "€™≈≠≤≥±×÷−∞√∑Δ∂µ·•…▲▼✓✗○●†‡"
unicodes = [code for low, high in ranges for code in range(low, high + 1)] + [ord(c) for c in signs]
subsetter.populate(unicodes=unicodes)
subsetter.subset(font)
font.save(target)
PY
ls -l static/fonts/Inter-subset.otf
