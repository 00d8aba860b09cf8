"""The documentation names everything that is public."""

from __future__ import annotations

import re
from pathlib import Path

import camelodds

DOCS = Path(__file__).parent.parent / "docs"


def test_every_public_name_is_in_the_reference() -> None:
    reference = (DOCS / "api.md").read_text(encoding="utf-8")
    named = set(re.findall(r"auto\w+:: (\w+)", reference))
    errors = {name for name in camelodds.__all__ if name in vars(camelodds.errors)}
    editions = {"FIRST", "SECOND", "CARDS", "EDITIONS"}
    assert set(camelodds.__all__) - errors - editions - named == set()


def test_no_page_is_left_out_of_the_contents() -> None:
    contents = (DOCS / "index.md").read_text(encoding="utf-8")
    pages = {
        str(path.relative_to(DOCS).with_suffix(""))
        for path in DOCS.rglob("*.md")
        if "_build" not in path.parts and path.name != "index.md"
    }
    listed = set(re.findall(r"^([\w/-]+)$", contents, re.MULTILINE))
    assert pages - listed == set()


def test_nothing_names_a_path_of_a_machine() -> None:
    root = DOCS.parent
    for folder in ("src", "docs", "notebooks", "benchmarks", "tools"):
        for path in (root / folder).rglob("*"):
            if path.suffix in {".py", ".md", ".ipynb"} and "_build" not in path.parts:
                text = path.read_text(encoding="utf-8")
                assert not re.search(r"/(?:tmp|root|home|Users)/", text), path
