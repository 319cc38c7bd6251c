"""Each page format by files of our own making, and their broken twins."""

from __future__ import annotations

import gzip
import io
import re
import zipfile
from pathlib import Path

import pytest

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.core.text.sentences import sentences
from claimscope.stores.pages.folder import read_file, read_folder
from claimscope.stores.pages.parsing.archives import gunzip, members

FILES = Path(__file__).parent / "files"
GOOD, BROKEN, SITE = FILES / "good", FILES / "broken", FILES / "site"


def one(name: str) -> Page:
    return read_file(GOOD / name)[0]


def test_every_good_file_is_read_without_a_word() -> None:
    reading = read_folder(GOOD)
    assert reading.problems == () and reading.ignored == () and reading.notes == ()
    counts = {count.suffix: (count.files, count.pages) for count in reading.formats()}
    assert counts[".csv"] == (2, 3)
    assert counts[".xml.gz"] == (1, 2)
    assert counts[".pdf"] == (5, 5)
    assert counts[".txt"] == (3, 4)
    assert sum(pages for _, pages in counts.values()) == len(reading.pages) == 40


@pytest.mark.parametrize(
    ("name", "words", "kept"),
    [
        ("binary.txt", "the file is binary", 0),
        ("cut-off.pdf", "the PDF cannot be read", 0),
        ("scanned.pdf", "only pictures (a scan)", 0),
        ("half-scanned.pdf", "1 of 2 leaves are pictures without text (leaf 2)", 1),
        ("password.pdf", "encrypted and needs a password", 0),
        ("cut-off.xml", "cut-off.xml, line 38: not XML", 1),
        ("no-abstract.xml", "article 2 (PMID:90000002): it has no abstract", 1),
        ("entities.xml", "declares entities", 0),
        ("feed.xml", "its outermost element is <rss>", 0),
        ("no-abstract.nbib", "line 17 (PMID:91000002): it has no abstract", 1),
        ("not-nbib.nbib", "there is no record in it", 0),
        ("no-text-column.csv", "line 1: no column is named text (columns: name", 0),
        ("open-quote.csv", "open-quote.csv, line 4: not CSV", 1),
        ("extra-cells.csv", "line 3: it has more cells than the first row", 1),
        ("trailing-comma.json", "trailing-comma.json, line 2, column 26", 0),
        ("mixed.json", "record 2: no text in a field named text (fields:", 1),
        ("suite.json", "it is a suite, not pages", 0),
        ("settings.json", "there is no page in it", 0),
        ("mixed.jsonl", "mixed.jsonl, line 2, column 8: not JSON", 1),
        ("empty.md", "the file is empty", 0),
        ("cut-off.docx", "it is no DOCX file", 0),
        ("no-document.docx", "there is no Word document in it", 0),
        ("entities.docx", "declares entities", 0),
        ("old.docx", "it has a password, or is of an old Office format", 0),
        ("half.odt", "half.odt, line 1: not XML", 0),
        ("half.epub", "half.epub/OEBPS/three.xhtml: the chapter is missing", 2),
        ("locked.epub", "the book is protected against copying", 0),
        ("no-workbook.xlsx", "the workbook cannot be read", 0),
        ("cut-off.ipynb", "the notebook cannot be read", 0),
        ("front-only.mdx", "there is no text in it", 0),
        ("menu.html", "there is no text in it", 0),
        ("not-gzip.txt.gz", "the gzip file is broken", 0),
        ("cut-off.txt.gz", "the gzip file is broken", 0),
        ("cut-off.zip", "the zip file is broken", 0),
        ("leaves.zip", "leaves.zip/../../outside.txt: its name leads out", 1),
    ],
)
def test_a_broken_file_is_named_and_the_rest_goes_on(
    name: str, words: str, kept: int
) -> None:
    reading = read_folder(BROKEN)
    inside = f"{name}/../../outside.txt"
    messages = [text for where, text in reading.problems if where in (name, inside)]
    assert words in messages[0]
    assert "\n  " in messages[0], "no remedy"
    pages = [page for page in reading.pages if page.path in (name, f"{name}/fine.txt")]
    assert len(pages) == kept


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("elsewhere.rst", "not followed, their text stands elsewhere: 1 autofunction"),
        ("hidden.xlsx", "1 cell holds a formula that no program has worked out"),
        ("hidden.xlsx", "sheet Drafts: the sheet is hidden and was left aside"),
        (
            "includes.adoc",
            "it includes other files, which were not followed: fees.adoc",
        ),
        ("front-matter.md", "line 3: the front matter was set aside: mapping values"),
    ],
)
def test_what_of_a_file_was_set_aside_is_noted_and_its_text_read(
    name: str, words: str
) -> None:
    reading = read_folder(BROKEN)
    assert any(name in note and words in note for note in reading.notes)
    assert [page.path for page in reading.pages].count(name) == 1
    assert read_file(BROKEN / name)[0].text


def test_every_broken_file_is_in_the_test_above() -> None:
    reading = read_folder(BROKEN)
    named = {name.split("/")[0] for name, _ in reading.problems}
    named |= {re.split("[,:]", note)[0] for note in reading.notes}
    assert named == {file.name for file in BROKEN.iterdir()}


def test_pdf_gives_sentences_without_running_titles() -> None:
    page = one("kiln-handbook.pdf")
    texts = [sentence.text for sentence in sentences(page)]
    assert texts[0] == "# Firing the small kiln"
    assert "heated to 1,240 °C\nfor a stoneware firing" in texts[2]
    assert "Page 1 of 3" not in page.text and "Handbook of" not in page.text
    assert page.title == "Kiln handbook"
    assert one("no-printing.pdf").text == page.text


def test_pdf_keeps_values_in_their_rows_and_columns() -> None:
    page = one("boat-hire.pdf")
    assert "# Boat hire at Fennick Pond\n\nBoats are hired" in page.text
    assert "|  | Skiff | Punt | Pedal boat |" in page.text
    assert "| Deposit, given back at the hut | 20.00 | 40.00 | none |" in page.text
    # Without strokes, and the mark of a note beside a figure.
    assert "| Pedal boat | 4 | 310 kg¹ |" in page.text
    assert "**Groups.** From five boats on the sixth is free." in page.text
    assert "\n• Nobody lands on the heron island" in page.text


def test_pdf_is_read_as_it_looks() -> None:
    page = one("mill-figures.pdf")
    assert page.title == "Figures of the Ashlow mill"
    # A slanted watermark and the second stroke of bold print are no text.
    assert "D" not in page.text.replace("Days", "")
    assert page.text.count("dressed every 400 hours") == 1
    # Rows told by colours alone; an empty cell; strokes between columns alone.
    assert "| 1913 |  | 240 |\n| 1914 | 77 | 61 |" in page.text
    assert "| Part | Price |\n| --- | --- |\n| Cog | 4.20 |\n| Belt |" in page.text
    # A leaf that is printed upwards.
    assert page.text.endswith(
        "The upper sluice is opened in March and the lower one in May."
    )


def test_pdf_leaves_may_lie_anywhere() -> None:
    page = one("locks.pdf")
    # The file calls itself "Microsoft Word - leaflet.docx".
    assert page.title == "The locks of Ashlow"
    # A leaf whose corner is far from zero, one on its head, one with narrow spaces.
    assert "The upper lock takes boats of 14 metres." in page.text
    assert "is shut in January.\nIts keeper lives beside it." in page.text
    assert page.text.endswith("Each passage costs 6 marks by day.")


def test_pubmed_keeps_labels_and_markup_is_text() -> None:
    page = one("sleep.xml")
    assert page.page_id == "PMID:90000001"
    assert page.title == "Evening light and sleep in Mus fictus."
    assert page.text.startswith("BACKGROUND: Evening light delays sleep")
    assert page.text.endswith("38 min later (p < 0.01) at 102 lux & above.")
    assert (page.published, page.journal) == ("2024-03-05", "Journal of Invented Sleep")
    assert page.doi == "10.0000/jis.2024.001"
    assert page.authors == ("Quill B Alder", "Invented Sleep Group")
    old = read_file(GOOD / "sleep.xml")[1]
    assert (old.published, old.doi) == ("1998 Nov-Dec", None)


def test_nbib_whatever_its_file_is_called() -> None:
    first, second = read_file(GOOD / "tea.nbib")
    assert first.page_id == "PMID:91000001"
    assert first.title == (
        "Tea temperature and the taste of biscuits: a fictional trial."
    )
    assert first.text.endswith("held for 4 s at 60 degrees and for 2 s at 80 degrees.")
    assert (first.doi, first.published) == ("10.0000/tea.77", "2023-02-07")
    assert first.authors == ("Ona Birch", "Ivo T Cedar")
    assert second.published == "2021 Winter"
    assert read_file(GOOD / "tea-export.txt")[0].text == first.text


def test_tables_and_records() -> None:
    boat, hut = read_file(GOOD / "fees.csv")
    assert boat.text == "A rowing boat costs 6 marks an hour, a sailing boat 14."
    assert boat.authors == ("Ann Alder", "Bo Birch")
    assert hut.text == "A hut costs 40 marks a night.\nChildren stay free."
    assert one("rules.csv").text == "Räder müssen draußen bleiben; auch kleine."
    assert one("opening.tsv").page_id == "opening/mill"
    north, shade = read_file(GOOD / "parks.json")
    assert (north.domain, shade.page_id) == ("parks.example", "PMID:92000001")
    assert one("one.json").markup == "markdown"
    assert one("letter.txt").text.startswith("Die Fähre fährt täglich außer")


def test_a_saved_site_gives_its_pages_their_addresses() -> None:
    reading = read_folder(SITE)
    assert {page.path: page.page_id for page in reading.pages} == {
        "about.html": "https://isle.example/about-us",
        "ferry.html": "https://isle.example/ferry",
        "find?topic=dogs": "https://isle.example/find?topic=dogs",
        "index.html": "https://isle.example/",
        "isle.example/tickets/index.html": "https://isle.example/tickets/",
    }
    assert {page.domain for page in reading.pages} == {"isle.example"}
    assert reading.notes == (
        "sitemap.xml: 1 of 5 addresses have no page here: https://isle.example/gone",
    )
    assert reading.problems == ()
    assert one("saved.html").page_id == "https://isle.example/luggage"


def test_a_list_of_urls_may_name_files_but_none_outside(tmp_path: Path) -> None:
    inside = tmp_path / "in"
    inside.mkdir()
    (tmp_path / "secret.txt").write_text("Outside.")
    (inside / "a.txt").write_text("The first page.")
    (inside / "urls.txt").write_text(
        "# saved in May\nhttps://isle.example/a\ta.txt\n"
        "https://isle.example/b\t../secret.txt\n"
    )
    reading = read_folder(inside)
    assert [page.page_id for page in reading.pages] == ["https://isle.example/a"]
    assert "1 of 2 addresses" in reading.notes[0]
    (inside / "urls.txt").write_text("Web addresses are called URLs.")
    names = [page.page_id for page in read_folder(inside).pages]
    assert names == ["a.txt", "urls.txt"]


def test_patterns_choose_files(tmp_path: Path) -> None:
    for name in ("top.md", "drafts/one.md", "guide/two.md", "guide/three.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"This is {name}.")
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        archive.writestr("four.md", "This is four.")
        archive.writestr("five.txt", "This is five.")

    def names(include: list[str], exclude: list[str]) -> list[str]:
        reading = read_folder(tmp_path, include=include, exclude=exclude)
        return sorted(page.page_id for page in reading.pages)

    assert names(["*.md"], ["drafts/"]) == [
        "guide/two.md",
        "packed.zip/four.md",
        "top.md",
    ]
    assert names([], ["/guide", "*.zip", "drafts"]) == ["top.md"]
    assert names(["packed.zip"], []) == ["packed.zip/five.txt", "packed.zip/four.md"]
    with pytest.raises(PageError, match="4 files left aside"):
        read_folder(tmp_path, include=["*.pdf"])


def test_what_is_packed_is_bounded() -> None:
    bomb = gzip.compress(bytes(3_000_000))
    with pytest.raises(PageError, match="more than the limit of 1 MB"):
        gunzip(bomb, "bomb.txt.gz", 1_000_000)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(12):
            archive.writestr(f"{number}.txt", bytes(900_000))
        archive.writestr("big.txt", bytes(1_100_000))
    found = dict(members(packed.getvalue(), "bomb.zip", 1_000_000))
    sizes = [len(part) for part in found.values() if isinstance(part, bytes)]
    assert sum(sizes) <= 4_000_000
    assert isinstance(found["bomb.zip/big.txt"], PageError)


def test_names_of_an_archive_that_lead_out_are_refused() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in ("../a.txt", "/b.txt", "x/../../c.txt", "C:/d.txt", "..\\e.txt"):
            archive.writestr(name, "text")
        link = zipfile.ZipInfo("link.txt")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/hostname")
    found = dict(members(packed.getvalue(), "a.zip", 1_000))
    assert len(found) == 6
    assert all(isinstance(part, PageError) for part in found.values())


@pytest.mark.parametrize("name", [b"\0~", b"./"])
def test_a_file_of_an_archive_without_a_name_is_refused(name: bytes) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("~~", "text")
        archive.writestr("b.txt", "good")
    data = packed.getvalue().replace(b"~~", name)  # no program packs such a name
    found = dict(members(data, "a.zip", 1_000))
    assert found.pop("a.zip/b.txt") == b"good"
    assert all(isinstance(part, PageError) for part in found.values())


def test_names_that_hold_one_another_are_no_authors(tmp_path: Path) -> None:
    lines = ["---", "a0: &a0 [x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    (tmp_path / "bomb.md").write_text(
        "\n".join([*lines, "authors: *a11", "---", "Text."])
    )
    (page,) = read_file(tmp_path / "bomb.md")
    assert page.authors == ()


@pytest.mark.parametrize("charset", ["hex", "idna", "unicode_escape", "x\xff", "none"])
def test_a_declared_encoding_that_pages_never_have_is_not_believed(
    tmp_path: Path, charset: str
) -> None:
    sentence = "Die Fähre fährt täglich um zehn Uhr von der alten Brücke ab. " * 3
    text = f'<html><head><meta charset="{charset}"></head><p>{sentence}</p></html>'
    (tmp_path / "a.html").write_bytes(text.encode("cp1252"))
    (page,) = read_file(tmp_path / "a.html")
    assert "Die F" in page.text and "hrt t" in page.text


@pytest.mark.parametrize("block", ["- " * 3000 + "a", "[" * 3000, "a: !!int x"])
def test_front_matter_that_breaks_its_parser_costs_no_text(
    tmp_path: Path, block: str
) -> None:
    (tmp_path / "a.md").write_text(f"---\n{block}\nb: c\n---\nText.\n")
    reading = read_folder(tmp_path)
    assert [page.text for page in reading.pages] == ["Text.\n"]
    assert "the front matter was set aside" in reading.notes[0]
