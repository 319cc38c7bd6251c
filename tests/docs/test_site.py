"""The documentation as a site: every page in it, whole, and nothing from elsewhere."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import yaml
from lxml import html
from markdown_it import MarkdownIt

from benchmarks.tools.site_fences import plain

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.name for path in (ROOT / "docs").glob("*.md"))
LOADING = (
    "//script/@src | //img/@src | //iframe/@src | //link[not(@rel='canonical')]/@href"
)
COUNTED = {
    "fence": "//article//pre",
    "table_open": "//article//table",
    "tr_open": "//article//table//tr",
    "list_item_open": "//article//li",
    "heading_open": "//article//*[self::h1 or self::h2 or self::h3 or self::h4]",
}
"""What markdown-it sees in a page, and where the site has it."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built strictly, in a folder that holds only what it is made of."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(ROOT / "mkdocs.yml", folder)
    shutil.copytree(ROOT / "docs", folder / "docs")
    tools = folder / "benchmarks" / "tools"
    tools.mkdir(parents=True)
    shutil.copy(ROOT / "benchmarks" / "tools" / "site_fences.py", tools)
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict", "-f", "mkdocs.yml"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "build" / "site"


def built(site: Path, page: str) -> html.HtmlElement:
    stem = page.removesuffix(".md")
    place = site if stem == "README" else site / stem
    return html.document_fromstring((place / "index.html").read_bytes())


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_whole_and_loads_nothing_from_elsewhere(
    site: Path, page: str
) -> None:
    text = (ROOT / "docs" / page).read_text("utf-8")
    tokens = MarkdownIt().enable("table").parse(text)
    kinds = (token.type.replace("code_block", "fence") for token in tokens)
    expected = Counter(kinds)
    tree = built(site, page)
    found = {kind: len(tree.xpath(place)) for kind, place in COUNTED.items()}
    assert found == {kind: expected[kind] for kind in COUNTED}
    assert [a for a in tree.xpath(LOADING) if re.match(r"(\w+:)?//", a)] == []


def test_every_page_is_in_the_navigation_once() -> None:
    groups = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"]
    named = [page for group in groups for pages in group.values() for page in pages]
    assert sorted(named) == PAGES


def test_a_file_of_a_page_is_titled_with_its_name(site: Path) -> None:
    tree = built(site, "first-steps.md")
    titles = [title.text for title in tree.xpath("//span[@class='filename']")]
    assert titles[:2] == ["pages/harbour.md", "answer.md"]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("```json tides/suite.json", '```json title="tides/suite.json"'),
        ("```console exit=1", "```console"),
        ("  ~~~~text a.txt needs=ollama", '  ~~~~text title="a.txt"'),
        ("```python", "```python"),
        ("```", "```"),
        ("`json a` is code", "`json a` is code"),
        ("```json a``` is code", "```json a``` is code"),
    ],
)
def test_words_behind_the_language_of_a_block(line: str, wanted: str) -> None:
    assert plain(line) == wanted
