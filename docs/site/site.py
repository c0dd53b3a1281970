# Copyright The Phasewise Authors
# SPDX-License-Identifier: Apache-2.0
"""Builds the documentation's site from the pages where they are: copies them, with the files they link to, and has MkDocs build it strictly.

Pages keep their places in the repository, so that their links work on a forge as they work here.
"""

import argparse
import functools
import http.server
import logging
import pathlib
import re
import shutil
import subprocess
import sys

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort, MkDocsException

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "target/site-source"
SITE = ROOT / "target/site"

# What the site has, in this order. A page is listed once, where it matches first.
SECTIONS = {
    "Start": ["README.md", "docs/README.md", "docs/tutorial/*.md"],
    "How to": ["docs/how-to/*.md", "deploy/README.md"],
    "Alerts": ["alerting/README.md", "alerting/runbooks/*.md"],
    "Reference": ["docs/reference/*.md", "docs/*.md", "exporter/README.md", "prometheus/README.md", "dashboards/README.md"],
    "Explanation": ["docs/explanation/*.md"],
    "Evidence": ["docs/evidence/*.md"],
    "Project": ["CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"],
}

LINK = re.compile(r"(\]\()([^)\s]+)(\))")
CODE = re.compile(r"(^ *```.*?^ *```)", re.MULTILINE | re.DOTALL)


def pages() -> dict[str, list[str]]:
    """The pages of each section, by path; those that git does not know are left out."""
    known = set(subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split())
    seen: set[str] = set()
    sections = {}
    for section, patterns in SECTIONS.items():
        found = [str(page.relative_to(ROOT)) for pattern in patterns for page in sorted(ROOT.glob(pattern))]
        sections[section] = [page for page in dict.fromkeys(found) if page in known and page not in seen]
        seen.update(sections[section])
    return sections


class Stage:
    """Copies pages, and what they link to."""

    def __init__(self, listed: set[str]):
        self.listed = listed

    def page(self, path: str) -> None:
        target = SOURCE / path
        target.parent.mkdir(parents=True, exist_ok=True)
        parts = CODE.split((ROOT / path).read_text(encoding="utf-8"))
        # Every second part is a block of code, where brackets are no links.
        parts[::2] = [LINK.sub(functools.partial(self._link, path), part) for part in parts[::2]]
        # The mark of blocks that a test runs: MkDocs knows languages only.
        parts[1::2] = [part.replace("```sh run\n", "```sh\n", 1) for part in parts[1::2]]
        target.write_text("".join(parts), encoding="utf-8")

    def _link(self, page: str, link: re.Match) -> str:
        address, _, anchor = link[2].partition("#")
        if not address or re.match(r"[a-z]+:", address):
            return link[0]
        target = (ROOT / page).parent.joinpath(address).resolve()
        if target.is_dir():
            # A directory has no page of its own here: its README, or else a list of its pages where they are.
            inside = next((p for p in sorted(self.listed) if (ROOT / p).parent == target), None)
            readme = str((target / "README.md").relative_to(ROOT))
            inside = readme if readme in self.listed else inside
            if inside is None:
                return "](" + self._copy(page, address, target, listing=True) + ")"
            up = "../" * (len(pathlib.PurePath(page).parts) - 1)
            return f"]({up}{inside})"
        name = str(target.relative_to(ROOT)) if target.is_relative_to(ROOT) else ""
        if target.is_file() and name not in self.listed:
            return "](" + self._copy(page, address, target) + ")"
        return link[0]

    def _copy(self, page: str, address: str, target: pathlib.Path, listing: bool = False) -> str:
        """Pictures as they are; other files as text, which a browser shows in place of saving it."""
        name = target.relative_to(ROOT)
        picture = target.suffix in (".png", ".svg")
        if not picture:
            name = name.with_name(name.name + ".txt")
        copied = SOURCE / name
        copied.parent.mkdir(parents=True, exist_ok=True)
        if listing:
            copied.write_text("\n".join(sorted(p.name for p in target.iterdir())) + "\n", encoding="utf-8")
        else:
            shutil.copyfile(target, copied)
        return address if picture else address.rstrip("/") + ".txt"


def main() -> int:
    parser = argparse.ArgumentParser(prog="./phasewise docs", description="Build the documentation as a site, with a search, into target/site. Fails when a link leads nowhere.")
    parser.add_argument("--serve", action="store_true", help="then serve it on the loopback address, until Ctrl-C")
    parser.add_argument("--port", type=int, default=8000, help="where to serve it (default: %(default)s)")
    options = parser.parse_args()

    sections = pages()
    shutil.rmtree(SOURCE, ignore_errors=True)
    stage = Stage({page for each in sections.values() for page in each})
    for page in sorted(stage.listed):
        stage.page(page)
    shutil.copyfile(ROOT / "docs/site/site.css", SOURCE / "site.css")

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    try:
        build(load_config(str(ROOT / "docs/site/mkdocs.yml"), docs_dir=str(SOURCE), site_dir=str(SITE), strict=True, nav=[{section: each} for section, each in sections.items() if each]))
    except (Abort, MkDocsException) as fault:
        print(f"phasewise docs: {fault}", file=sys.stderr)
        return 1
    print(f"{len(stage.listed)} pages: {SITE}/index.html")
    if options.serve:
        serve(options.port)
    return 0


def serve(port: int) -> None:
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(SITE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        print(f"http://127.0.0.1:{port}/, until Ctrl-C")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    sys.exit(main())
