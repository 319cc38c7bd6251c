"""docs/formats.md says what each format gives; here it is held against the files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from claimscope.core.errors import SuiteError
from claimscope.stores.pages.folder import FolderReading, read_folder, readers
from claimscope.stores.suites.formats.suite_format import formats
from claimscope.stores.suites.importing import import_file, importers
from claimscope.stores.suites.loading import load_suite

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[2] / "docs" / "formats.md"
PAGES, SUITES = HERE / "files", HERE.parent / "suites" / "files"
NOTHING = "nothing"
MAPPING = "question=Frage,answer=Antwort,reference=Soll,contexts=Quelle 1+Quelle 2"


def table(heading: str) -> list[tuple[str, str, str]]:
    """(file, what is read, what is reported) of the table below a heading."""
    text = DOCUMENT.read_text("utf-8").split(f"## {heading}\n", 1)[1].split("\n## ")[0]
    rows = [line.strip("|").split(" | ") for line in text.splitlines() if "| `" in line]
    return [
        (row[-3].strip(" `"), row[-2].strip(), row[-1].strip().replace("\\|", "|"))
        for row in rows
    ]


def of_file(reading: FolderReading, name: str) -> tuple[str, str]:
    def mine(path: str | None) -> bool:
        return path is not None and (path == name or path.startswith(f"{name}/"))

    count = sum(mine(page.path) for page in reading.pages)
    said = [text.splitlines()[0] for path, text in reading.problems if mine(path)]
    said += [
        note.splitlines()[0]
        for note in reading.notes
        if note.startswith((f"{name}:", f"{name},"))
    ]
    return counted(count, "page"), said[0] if said else NOTHING


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")


def page_rows() -> Iterator[tuple[str, str, str]]:
    for folder in ("good", "site", "broken"):
        reading = read_folder(PAGES / folder)
        for name in sorted(file.name for file in (PAGES / folder).iterdir()):
            if folder != "site":
                yield (f"{folder}/{name}", *of_file(reading, name))
        if folder == "site":
            yield "site/", counted(len(reading.pages), "page"), reading.notes[0]


def suite_rows() -> Iterator[tuple[str, str, str]]:
    for file in sorted(SUITES.glob("*/*")):
        name = f"{file.parent.name}/{file.name}"
        if file.stem.startswith("suite"):
            yield name, *loaded(file)
        else:
            yield name, *imported(file)


def loaded(file: Path) -> tuple[str, str]:
    try:
        suite = load_suite(file).suite
    except SuiteError as error:
        return NOTHING, first(error.message)
    return counted(len(suite.cases), "case"), NOTHING


def imported(file: Path) -> tuple[str, str]:
    try:
        mapping = MAPPING if file.stem == "mapped" else None
        found = import_file(file, mapping=mapping)
    except SuiteError as error:
        return NOTHING, first(error.message)
    said = [problem.rstrip(".") for problem in found.problems[:1]]
    said += (
        [f"no place: {', '.join(s for s, _, _ in found.left)}"] if found.left else []
    )
    read = counted(len(found.suite.cases), "case")
    if found.answers:
        read += f", {counted(len(found.answers), 'answer')}"
    return f"{found.tool}: {read}", "; ".join(said) or NOTHING


def first(message: str) -> str:
    """The first line that names a place."""
    lines = message.splitlines()
    return lines[1].strip() if len(lines) > 1 else lines[0]


def test_what_the_document_says_of_pages_is_so() -> None:
    assert table("Pages, file by file") == list(page_rows())


def test_what_the_document_says_of_suites_is_so() -> None:
    assert table("Suites, file by file") == list(suite_rows())


@pytest.mark.parametrize("kind", ["pages", "suites", "tools"])
def test_every_format_is_in_the_document(kind: str) -> None:
    text = DOCUMENT.read_text("utf-8")
    names = {
        "pages": list(readers()),
        "suites": list(formats()),
        "tools": [importer.name for importer in importers()],
    }[kind]
    assert [name for name in names if not re.search(re.escape(name), text)] == []
