#!/usr/bin/env python3
"""Checks the links of a built site: links.py SITE

Every relative address must name a file of the site (not a folder: the site also opens from disk),
every fragment an id of the page it points into, every id must be unique, every reference by id
(`for`, `aria-labelledby` and the like) must resolve, and every page must be reachable from the
index. Addresses on other hosts are counted and not visited.
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ADDRESSES = {"href", "src", "action", "poster", "data", "xlink:href"}
ID_REFERENCES = {"for", "aria-labelledby", "aria-describedby", "aria-controls", "headers", "list"}


class Page(HTMLParser):
    """What a page links to and what can be linked to in it."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.links, self.ids, self.references, self.faults = [], set(), [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            value = value or ""
            if name == "id":
                if value in self.ids:
                    self.faults.append(f"id {value!r} twice")
                self.ids.add(value)
            elif name in ADDRESSES and tag != "data":
                self.links.append(value)
            elif name == "srcset":
                self.links += [part.split()[0] for part in value.split(",") if part.strip()]
            elif name in ID_REFERENCES:
                self.references += value.split()

    handle_startendtag = handle_starttag


def main(root):
    pages = {
        path.relative_to(root).as_posix(): Page(path.read_text(encoding="utf-8"))
        for path in sorted(root.rglob("*.html"))
    }
    files = {p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()}
    faults, outside, checked = [], set(), 0
    linked = {"index.html": set()}

    def resolve(page, address):
        """The file and fragment that an address means; None if it is not in the site."""
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            if parts.scheme in ("http", "https"):
                outside.add(address)
            elif parts.scheme not in ("mailto", "data"):
                faults.append(f"{page}: {address}: scheme {parts.scheme!r}")
            return None
        if parts.path.startswith("/"):
            # The 404 page is shown at any depth, so it alone may start at the root.
            if page != "404.html":
                faults.append(f"{page}: {address}: not relative")
            return None
        steps = page.split("/")[:-1] if parts.path else page.split("/")
        for step in unquote(parts.path).split("/") if parts.path else []:
            if step == "..":
                if not steps:
                    faults.append(f"{page}: {address}: leaves the site")
                    return None
                steps.pop()
            elif step not in ("", "."):
                steps.append(step)
        return "/".join(steps), unquote(parts.fragment)

    for name, page in pages.items():
        faults += [f"{name}: {fault}" for fault in page.faults]
        faults += [f"{name}: no id {ref!r}" for ref in page.references if ref not in page.ids]
        targets = linked.setdefault(name, set())
        for address in page.links:
            resolved = resolve(name, address)
            if resolved is None:
                continue
            checked += 1
            target, fragment = resolved
            targets.add(target)
            if target not in files:
                reason = "a folder, not a file" if (root / target).is_dir() else "no such file"
                faults.append(f"{name}: {address}: {reason}")
            elif fragment and target in pages and fragment not in pages[target].ids:
                faults.append(f"{name}: {address}: no such id")

    for path in sorted(root.rglob("*.css")):
        name = path.relative_to(root).as_posix()
        for address in re.findall(r"url\(\s*['\"]?([^'\")]+)", path.read_text(encoding="utf-8")):
            resolved = resolve(name, address)
            if resolved and resolved[0] not in files:
                faults.append(f"{name}: {address}: no such file")

    reached, new = set(), {"index.html"}
    while new:
        reached |= new
        new = {t for page in new for t in linked[page] if t in pages} - reached
    faults += [f"{p}: no page leads here" for p in pages if p not in reached and p != "404.html"]

    if not pages:
        faults.append(f"{root}: no pages")
    for fault in faults[:50]:
        print(fault)
    if len(faults) > 50:
        print(f"… and {len(faults) - 50} more")
    print(f"{len(pages)} pages, {checked} links inside, {len(outside)} addresses outside, "
          f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1])))
