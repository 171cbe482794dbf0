"""A data folder as the JSON document that `paceboard schema --format json` describes.

Usage: folder_as_json.py DIR > folder.json
"""

import csv
import json
import pathlib
import sys
import tomllib


def rows(text):
    """The rows of a table without their empty cells; every cell is text."""
    return [
        {name: cell for name, cell in row.items() if cell}
        for row in csv.DictReader(text.splitlines(keepends=True))
    ]


def settings(text):
    return tomllib.loads(text)


def front_matter(text):
    """What stands between the two lines of `+++`."""
    return tomllib.loads(text.split("+++\n", 2)[1])


READERS = {".csv": rows, ".toml": settings, ".md": front_matter}


def main(folder):
    folder = pathlib.Path(folder)
    files = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            text = path.read_text(encoding="utf-8-sig")
            files[path.relative_to(folder).as_posix()] = READERS[path.suffix](text)
    json.dump(files, sys.stdout, indent=1, default=str, ensure_ascii=False)


if __name__ == "__main__":
    main(sys.argv[1])
