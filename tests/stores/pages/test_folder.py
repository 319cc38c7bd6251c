"""Page readers and folders of pages, good and bad."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimscope.core.errors import PageError
from claimscope.core.text.sentences import sentences
from claimscope.stores.pages.folder import (
    read_file,
    read_folder,
    read_folders,
    readers,
    shared_root,
)


def write(path: Path, data: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
    return path


def problems(folder: Path) -> dict[str, str]:
    write(folder / "good.txt", "This page is fine.")
    return dict(read_folder(folder).problems)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Kiln seven ##\n\nHot.", "Kiln seven"),
        ("# Kilns in C#\n\nHot.", "Kilns in C#"),
        ("#\n# \t\nNo heading.\n## Second ", "Second"),
        ("# ###\nHot.", None),
        ("#tag\nHot.", None),
        ("# The" + "\t" * 20_000 + "kiln\r\nHot.", "The" + "\t" * 20_000 + "kiln"),
        ("# " + "\t" * 20_000 + "\nHot.", None),
    ],
)
def test_the_first_heading_is_the_title(
    tmp_path: Path, text: str, title: str | None
) -> None:
    (tmp_path / "a.md").write_bytes(text.encode())
    (page,) = read_folder(tmp_path).pages
    assert page.title == title


def test_every_format_has_its_reader() -> None:
    assert set(readers()) >= {".md", ".txt", ".html", ".htm", ".jsonl"}


def test_markdown_with_front_matter(tmp_path: Path) -> None:
    text = (
        "---\nid: kiln/7\nsource: Kiln Club\npublished: 2025-04-01\n"
        "author: A. Oak; B. Elm\nurl: https://kiln.example/7\n---\n\n"
        "# Kiln seven\n\nIt heats to 1,200 °C.\n"
    )
    (page,) = read_file(write(tmp_path / "kiln.md", text))
    assert page.page_id == "kiln/7"
    assert page.title == "Kiln seven"
    assert page.published == "2025-04-01"
    assert page.domain == "kiln.example"
    assert page.authors == ("A. Oak", "B. Elm")
    assert page.text == "# Kiln seven\n\nIt heats to 1,200 °C.\n"
    assert [item.text for item in sentences(page)][-1] == "It heats to 1,200 °C."


def test_a_page_without_an_id_is_named_by_its_path(tmp_path: Path) -> None:
    write(tmp_path / "a" / "b.md", "---\n\nA rule opens this text.")
    write(tmp_path / "a" / "c.txt", "Line one.\r\nLine two.")
    reading = read_folder(tmp_path)
    assert [page.page_id for page in reading.pages] == ["a/b.md", "a/c.txt"]
    assert reading.pages[1].text == "Line one.\r\nLine two."
    assert reading.files == 2 and reading.problems == ()


HTML = """<!DOCTYPE html><html><head><title>Ferry times | Isle Line</title>
<meta property="og:site_name" content="Isle Line">
<meta name="author" content="Ann Reed">
<link rel="canonical" href="https://isle.example/ferry"></head><body>
<nav><a href="/">Home</a><a href="/x">Cookies</a></nav><main><article>
<h1>Ferry times</h1><p>From <time datetime="2026-05-01">1 May 2026</time> the ferry runs
six times a day. The crossing takes <abbr title="minutes">35 min</abbr> in calm
weather, and the last boat leaves the island at 19:40 every evening of the week.</p>
<table><tr><th>Ticket</th><th>Price</th></tr><tr><td>Adult</td><td>£8.20</td></tr></table>
</article></main><footer>All rights reserved</footer></body></html>"""


def test_html_gives_main_text_and_metadata(tmp_path: Path) -> None:
    (page,) = read_file(write(tmp_path / "ferry.html", HTML))
    assert page.page_id == page.url == "https://isle.example/ferry"
    assert (page.title, page.source) == ("Ferry times", "Isle Line")
    assert page.domain == "isle.example"
    assert page.authors == ("Ann Reed",)
    assert "From 1 May 2026 the ferry runs six times a day." in page.text
    assert "The crossing takes 35 min in calm" in page.text
    assert "Cookies" not in page.text and "rights reserved" not in page.text
    rows = [item.text for item in sentences(page) if "8.20" in item.text]
    assert rows and "Adult" in rows[0]


def test_json_lines_under_their_usual_names(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"pmid": 812, "abstract": "Rats slept.", "journal": "J Rats", "date": "2001"},
        {"page_id": "p/2", "content": "Cats woke.", "authors": ["A", "B"]},
        {"body": "No id here."},
    ]
    lines = "\n".join(json.dumps(row) for row in rows)
    first, second, third = read_file(write(tmp_path / "abs.jsonl", lines + "\n\n"))
    assert (first.page_id, first.journal, first.published) == (
        "PMID:812",
        "J Rats",
        "2001",
    )
    assert second.authors == ("A", "B")
    assert third.page_id == "abs.jsonl#3"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("\ufeffTide".encode(), "Tide"),
        ("Tide 5 £".encode("utf-16"), "Tide 5 £"),
        (
            "Flut für Möwen, größer als üblich, läuft öfter".encode("cp1252"),
            "für Möwen",
        ),
    ],
)
def test_encodings(tmp_path: Path, data: bytes, text: str) -> None:
    (page,) = read_file(write(tmp_path / "a.txt", data))
    assert text in page.text and not page.text.startswith("\ufeff")


def test_bad_files_are_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    write(tmp_path / "empty.md", " \n")
    write(tmp_path / "front-only.md", "---\nid: x\n---\n")
    write(tmp_path / "yaml.md", "---\nid: a\ntitle: b: c\n---\nText.")
    write(tmp_path / "binary.txt", bytes(range(256)) * 4)
    write(tmp_path / ".secret.txt", "Hidden.")
    write(tmp_path / "menu.html", "<html><body><nav></nav></body></html>")
    write(tmp_path / "one.txt", "One.")
    write(tmp_path / "two.md", "---\nid: one.txt\n---\nTwo.")
    write(tmp_path / "photo.png", b"\x89PNG\r\n")
    found = problems(tmp_path)
    assert set(found) == {
        ".secret.txt",
        "binary.txt",
        "empty.md",
        "front-only.md",
        "menu.html",
        "two.md",
    }
    assert "hidden" in found[".secret.txt"]
    assert "binary" in found["binary.txt"]
    assert "empty" in found["empty.md"]
    (note,) = read_folder(tmp_path).notes
    assert "yaml.md, line 3: the front matter was set aside" in note
    assert "'one.txt' was already taken by one.txt" in found["two.md"]
    assert read_folder(tmp_path).ignored == ("photo.png",)


def test_broken_lines_are_named_and_the_others_kept(tmp_path: Path) -> None:
    good = json.dumps({"id": "a", "text": "Fine."})
    half = r'{"id": "h", "text": "half \ud83e"}'
    write(tmp_path / "a.jsonl", f'{good}\n{{"id": 1,\n[]\n{{"id": "b"}}\n{half}')
    found = problems(tmp_path)["a.jsonl"]
    for line in (2, 3, 4, 5):
        assert f"a.jsonl, line {line}" in found
    assert "not JSON" in found and "no text" in found and "field text" in found
    assert {page.page_id for page in read_folder(tmp_path).pages} == {"a", "good.txt"}


def test_links_that_leave_the_folder_are_not_followed(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside" / "x.txt", "Outside.")
    inside = tmp_path / "in"
    write(inside / "sub" / "y.txt", "Inside.")
    (inside / "link.txt").symlink_to(outside)
    (inside / "folder").symlink_to(outside.parent)
    (inside / "gone.txt").symlink_to(tmp_path / "nothing")
    found = problems(inside)
    assert set(found) == {"link.txt", "folder", "gone.txt"}
    assert len(read_folder(inside).pages) == 2


def test_a_file_over_the_limit_is_named(tmp_path: Path) -> None:
    write(tmp_path / "big.txt", "word " * 100)
    write(tmp_path / "small.txt", "word")
    reading = read_folder(tmp_path, largest_file=100)
    assert [page.page_id for page in reading.pages] == ["small.txt"]
    assert "limit" in reading.problems[0][1]


def test_nothing_to_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PageError, match="no such folder"):
        read_folder(tmp_path / "none")
    write(tmp_path / "a.md", "")
    with pytest.raises(PageError, match="no readable page(.|\n)*a.md"):
        read_folder(tmp_path)
    with pytest.raises(PageError, match="no reader for .png"):
        read_file(write(tmp_path / "p.png", b"\x89PNG"))
    with pytest.raises(PageError, match="no such file"):
        read_file(tmp_path / "none.md")


RECORD = {"doc": {"plain": "The dam leaks."}, "passage": ["One.", "Two."], "n": 3}


@pytest.mark.parametrize(
    ("name", "text"),
    [("doc.plain", "The dam leaks."), ("passage", "One.\n\nTwo.")],
)
def test_the_text_of_records_has_any_name(tmp_path: Path, name: str, text: str) -> None:
    write(tmp_path / "a.jsonl", json.dumps(RECORD))
    write(tmp_path / "b.json", json.dumps([RECORD, RECORD]))
    reading = read_folder(tmp_path, text_name=name)
    assert [page.text for page in reading.pages] == [text] * 3
    assert read_folder(tmp_path / "a.jsonl", text_name=name).pages[0].text == text


def test_a_column_of_any_name_is_the_text(tmp_path: Path) -> None:
    from openpyxl import Workbook

    write(tmp_path / "a.csv", "Id,Passage\nx,The dam leaks.\n")
    book = Workbook()
    for row in (("Id", "Passage"), ("y", "The dam holds.")):
        book.worksheets[0].append(row)
    book.save(tmp_path / "b.xlsx")
    reading = read_folder(tmp_path, text_name="passage")
    assert [page.page_id for page in reading.pages] == ["x", "y"]
    assert [page.text for page in reading.pages] == ["The dam leaks.", "The dam holds."]


def test_records_without_that_field_are_named_with_theirs(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", json.dumps(RECORD))
    write(tmp_path / "b.csv", "name,price\nx,1\n")
    found = problems(tmp_path)
    assert "no text in a field named text (fields: doc, passage, n)" in found["a.jsonl"]
    assert "--text-field NAME" in found["a.jsonl"]
    assert "no column is named text (columns: name, price)" in found["b.csv"]
    said = dict(read_folder(tmp_path, text_name="body.x").problems)
    assert "no text in a field named body.x (fields: doc" in said["a.jsonl"]
    assert "no column is named body.x (columns: name, price)" in said["b.csv"]


def write_page(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path.parent


def test_ids_and_paths_are_those_below_what_the_folders_share(tmp_path: Path) -> None:
    now = write_page(tmp_path / "docs" / "now" / "fees.md", "The fee is 40 marks.")
    old = write_page(tmp_path / "docs" / "old" / "fees.md", "The fee was 30 marks.")
    write_page(old / "sub" / "logo.png", "x")
    write_page(old / "broken.json", "{")
    found = read_folders([now, old])
    assert shared_root([now, old]) == tmp_path / "docs"
    assert [(page.page_id, page.path) for page in found.pages] == [
        ("now/fees.md", "now/fees.md"),
        ("old/fees.md", "old/fees.md"),
    ]
    assert found.files == 2
    assert found.ignored == ("old/sub/logo.png",)
    ((place, message),) = found.problems
    assert place == "old/broken.json" and message.startswith("old/broken.json")


def test_a_folder_within_another_is_read_once(tmp_path: Path) -> None:
    outer = write_page(tmp_path / "a.md", "The fee is 40 marks.")
    inner = write_page(tmp_path / "sub" / "b.md", "The door is green.")
    found = read_folders([outer, inner])
    assert shared_root([outer, inner]) == outer
    assert [page.page_id for page in found.pages] == ["a.md", "sub/b.md"]
    assert not found.problems


def test_an_id_that_two_pages_bring_is_told(tmp_path: Path) -> None:
    row = '[{"id": "PMID:1", "text": "%s"}]'
    one = write_page(tmp_path / "one" / "pages.json", row % "The dose was 10 mg.")
    two = write_page(tmp_path / "two" / "pages.json", row % "The dose was 20 mg.")
    found = read_folders([one, two])
    ((place, message),) = found.problems
    assert place == "two/pages.json"
    assert "already taken by one/pages.json" in message
    (page,) = found.pages
    assert page.path == "one/pages.json" and "10 mg" in page.text


def test_patterns_hold_in_each_and_an_empty_folder_is_told(tmp_path: Path) -> None:
    one = write_page(tmp_path / "one" / "a.md", "The fee is 40 marks.")
    write_page(one / "a.txt", "Something else.")
    two = write_page(tmp_path / "two" / "b.md", "The door is green.")
    found = read_folders([one, two], include=["/*.md"])
    assert [page.page_id for page in found.pages] == ["one/a.md", "two/b.md"]
    assert found.excluded == 1
    (tmp_path / "none").mkdir()
    with pytest.raises(PageError, match="none: there is no readable page"):
        read_folders([one, tmp_path / "none"])
