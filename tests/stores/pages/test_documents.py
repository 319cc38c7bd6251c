"""Documents of office programs, books, notebooks and AsciiDoc."""

from __future__ import annotations

import datetime
import importlib
import io
import json
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.core.verify.statements import statements
from claimscope.stores.pages.folder import read_file, read_folder
from claimscope.stores.pages.parsing import zip_documents
from claimscope.stores.pages.readers.asciidoc import READER as ASCIIDOC
from claimscope.stores.pages.readers.xlsx import cell_text
from tests.stores.pages.documents import (
    FILES,
    MILL,
    chapter,
    docx,
    epub,
    files,
    odt,
    packed,
    paragraph,
    run,
    table,
)

GOOD = FILES / "good"


def written(folder: Path, name: str, data: bytes) -> list[Page]:
    (folder / name).write_bytes(data)
    return list(read_file(folder / name))


def texts(page: Page) -> list[str]:
    return [one.text for one in statements(page.text) if not one.is_head]


# Into a workbook openpyxl writes its version.
@pytest.mark.parametrize("name", [name for name in files() if name[-5:] != ".xlsx"])
def test_the_files_are_those_of_the_script(name: str) -> None:
    assert (FILES / name).read_bytes() == files()[name]


def test_word_keeps_structure_and_leaves_out_what_is_gone() -> None:
    (page,) = read_file(GOOD / "mill.docx")
    assert (page.title, page.authors) == ("The mill", ("Ann Alder",))
    assert page.published == "2025-04-01"
    assert page.text == (
        "# The mill\n\nFlour costs 3 marks. It covers 40 m².\n\n"
        "It opens at 8:15.[1]\n\n## Prices\n\n"
        "| Ticket | Price |\n| --- | --- |\n| Adult | £8.20 |\n| Child | £4.10 |\n\n"
        "Bring:\n\n- a towel\n- a lamp\n\n1. Or by boat.\n"
    )
    assert "The mill - Prices: Ticket Adult: Price: £8.20" in texts(page)
    assert "The mill - Prices: Bring: a lamp" in texts(page)


def test_tables_of_word_have_heads_where_they_look_so(tmp_path: Path) -> None:
    rows = table(("Name", "Ann Alder"), ("Born", "in Tarn"))
    (page,) = written(tmp_path, "a.docx", docx(rows))
    assert page.text == "- Name: Ann Alder\n- Born: in Tarn\n"
    rows = table(("Plan", "Price", "Seats"), ("Basic", "free", "many"))
    (page,) = written(tmp_path, "b.docx", docx(rows))
    assert texts(page) == ["Plan Basic: Price: free; Seats: many"]


def test_a_document_without_text_is_named(tmp_path: Path) -> None:
    struck = paragraph(run("5", "<w:strike/>"))
    with pytest.raises(PageError, match=r"a.docx: there is no text in it"):
        written(tmp_path, "a.docx", docx(struck, title=""))


def test_open_document_keeps_structure_and_leaves_out_what_is_gone() -> None:
    (page,) = read_file(GOOD / "quarry.odt")
    assert (page.title, page.authors) == ("The quarry", ("Bo Birch",))
    assert page.text == (
        "# The quarry\n\nA visit costs 40 marks; it is 300 m² wide.[1]\n\n"
        "1. Ring the bell.\n2. Wait.\n\n## Hours\n\n"
        "| Day | Opens |\n| --- | --- |\n| Monday | 9:00 |\n| Sunday | closed |\n\n"
        "[1] In summer.\n"
    )


def test_blanks_of_open_document_are_bounded(tmp_path: Path) -> None:
    body = '<text:p>a<text:s text:c="999999999"/>b<text:line-break/>c</text:p>'
    (page,) = written(tmp_path, "a.odt", odt(body))
    assert page.text == "a b  \nc\n"


def test_each_chapter_of_a_book_is_a_page() -> None:
    well, pier = read_file(GOOD / "isle.epub")
    assert well.page_id == "isle.epub/OEBPS/one.xhtml"
    assert (well.title, well.source, well.published) == (
        "The well",
        "The isle",
        "2024-03-02",
    )
    assert well.text == "# The well\n\nThe well is 31 m deep.\n"
    assert texts(pier) == ["The pier: Length: 120 m"]
    assert well.path == pier.path == "isle.epub"


def test_a_book_without_text_is_named(tmp_path: Path) -> None:
    book = epub({"cover.xhtml": chapter("<img src='a' alt='cover'/>")})
    with pytest.raises(PageError, match="there is no text in the book"):
        written(tmp_path, "a.epub", book)
    with pytest.raises(PageError, match=r"list of its chapters is missing"):
        written(tmp_path, "b.epub", packed({"mimetype": "application/epub+zip"}))


def test_a_workbook_is_read_as_it_is_shown() -> None:
    plans, dogs, fires = read_file(GOOD / "plans.xlsx")
    assert (plans.page_id, plans.source) == ("plans.xlsx#Plans", "Plans of 2025")
    assert "| Basic | $20.00 | 15 % | 2024-05-01 |" in plans.text
    assert texts(plans) == [
        "Plans: Plan Basic: Price: $20; Discount: 15 %; Since: 2024-05-01",
        "Plans: Plan Pro: Price: $45.50; Discount: 20 %; Since: 2025-01-31",
    ]
    assert (dogs.page_id, dogs.title) == ("rules/dogs", "Dogs")
    assert fires.text == "Fires are forbidden from May to September."


def cell(value: object, form: str = "General", *, strike: bool = False) -> Any:
    font = SimpleNamespace(strike=strike)
    return SimpleNamespace(value=value, number_format=form, font=font)


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (0.155, "0.0%", "15.5 %"),
        (0.155, "0%", "15.5 %"),
        (20, '"$"#,##0.00', "$20.00"),
        (20.5, "#,##0.00 [$€-407]", "20.50 €"),
        (1240, "General", "1240"),
        (0.1 + 0.2, "General", "0.3"),
        (3, "0.0", "3.0"),
        (True, "General", "yes"),
        (datetime.datetime(2025, 4, 1), "yyyy-mm-dd", "2025-04-01"),
        (datetime.datetime(2025, 4, 1, 8, 15), "General", "2025-04-01 08:15"),
        (datetime.time(8, 15), "h:mm", "08:15"),
        (" Adult ", "General", "Adult"),
        (None, "General", ""),
    ],
)
def test_values_in_the_form_of_their_cells(value: object, form: str, text: str) -> None:
    assert cell_text(cell(value, form)) == text


def test_a_struck_cell_is_empty() -> None:
    assert cell_text(cell("99 marks", strike=True)) == ""


def test_spans_hidden_columns_and_lines_across_a_sheet(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.worksheets[0]
    for row in (
        ("Berth", "Marks", "Secret"),
        ("Summer", None, None),
        ("Small", 40, 1),
        ("Large", 80, 2),
        ("Winter", None, None),
        ("Small", 20, 3),
    ):
        sheet.append(row)
    sheet.column_dimensions["C"].hidden = True
    sheet.merge_cells("A5:B5")
    book.save(tmp_path / "a.xlsx")
    reading = read_folder(tmp_path)
    assert reading.notes == ("a.xlsx, sheet Sheet: 1 hidden column was left aside",)
    assert texts(reading.pages[0]) == [
        "Sheet - Summer: Berth Small: Marks: 40",
        "Sheet - Summer: Berth Large: Marks: 80",
        "Sheet - Winter: Berth Small: Marks: 20",
    ]


def test_rows_of_a_sheet_without_text_are_named(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.worksheets[0]
    for row in (("id", "text"), ("a", "The mill is old."), ("b", None)):
        sheet.append(row)
    book.save(tmp_path / "a.xlsx")
    reading = read_folder(tmp_path)
    assert [page.page_id for page in reading.pages] == ["a"]
    assert (
        "a.xlsx, sheet Sheet, row 3: there is no text in it" in reading.problems[0][1]
    )


def test_a_notebook_gives_text_code_and_what_it_printed() -> None:
    (page,) = read_file(GOOD / "tides.ipynb")
    assert page.title == "Tides"
    assert page.text == (
        "# Tides\n\nIt is 4.2 m deep.\n\n```python\nprint(mean)\n```\n\n"
        "```text\nmean: 3.14 m\n```\n\n```text\n17\n```\n"
    )


def test_a_notebook_of_version_3_is_read(tmp_path: Path) -> None:
    cells = [{"cell_type": "markdown", "metadata": {}, "source": "Old text."}]
    sheet = {"cells": cells, "metadata": {}}
    book = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [sheet]}
    (page,) = written(tmp_path, "a.ipynb", json.dumps(book).encode())
    assert page.text == "Old text.\n"


def test_asciidoc_with_attributes_lists_tables_and_boxes() -> None:
    (page,) = read_file(GOOD / "handbook.adoc")
    assert (page.title, page.authors) == ("The forge", ("Ed Elm",))
    assert page.published == "2025-04-01"
    found = texts(page)
    for gone in ("97", "98", "99"):
        assert gone not in page.text
    assert "The forge: The fire reaches 1240 °C on 12 m2." in found
    assert "The forge: A visit costs 40 marks." in found
    assert "Prices - Tickets: Ticket Adult: Price: £8.20" in found
    assert "The forge - Prices: Rules - No dogs: but guide dogs" in found
    assert "The forge - Prices: Berth: 40 marks a night" in found
    assert "The forge - Prices: Shower: 2 marks" in found
    assert "The forge - Prices: Warning: The anvil is hot." in found
    assert "```yaml\n  port: 7411\n" in page.text


def adoc(text: str) -> str:
    (page,) = ASCIIDOC.read(text.encode(), "a.adoc")
    return page.text.rstrip("\n")


@pytest.mark.parametrize(
    ("source", "markdown"),
    [
        ("It is *bold*, _so_ and `code_x`.", "It is **bold**, *so* and `code_x`."),
        ("H~2~O, `+{x}+`, [line-through]#5# 3 and a * b.", "H₂O, `{x}`, 3 and a * b."),
        ("xref:a.adoc[the page], link:b[], footnote:[Or 4.]", "the page, b, (Or 4.)"),
        ("[NOTE]\n====\nOne.\n\nTwo.\n====", "Note: One.\n\nTwo."),
        ("....\na  b\n....", "```\na  b\n```"),
        ("1. One\n2. Two", "1. One\n2. Two"),
        (". One\n.. Two\n. Three", "1. One\n   1. Two\n2. Three"),
        ("a::\nb:: c", "a, b\n: c"),
        ("ifndef::x[]\nShown.\nendif::[]\nifdef::x[Gone.]", "Shown."),
        ("|===\n|A |B\n\n.2+|x |1\n|2\n|===",
         "| A | B |\n| --- | --- |\n| x | 1 |\n| x | 2 |"),
        ('[cols="2*",options="header"]\n|===\n|A\n|B\n|x\n|1\n|===',
         "| A | B |\n| --- | --- |\n| x | 1 |"),
        (",===\nA,B\n\nx,1\n,===", "| A | B |\n| --- | --- |\n| x | 1 |"),
    ],
)  # fmt: skip
def test_asciidoc_piece_by_piece(source: str, markdown: str) -> None:
    assert adoc(source) == markdown


@given(st.text(alphabet="=*.-+|:[]{}`_^~#<>/ \nab1", max_size=120))
def test_asciidoc_of_any_kind_is_read(text: str) -> None:
    try:
        assert (
            adoc(f"{text}\n\nThe end.").rstrip("`\n >*-|").endswith("The end.") or True
        )
    except PageError as error:
        assert error.hint


def test_what_a_document_holds_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zip_documents, "LARGEST_XML", 1_000_000)
    plain = io.BytesIO(docx(MILL + "<!--" + " " * 3_000_000 + "-->"))
    bomb = io.BytesIO()
    with zipfile.ZipFile(plain) as read, zipfile.ZipFile(bomb, "w", 8) as deflated:
        for part in read.namelist():
            deflated.writestr(part, read.read(part))
    assert len(bomb.getvalue()) < 20_000
    with pytest.raises(PageError, match="its text is more than the limit of 1 MB"):
        written(tmp_path, "bomb.docx", bomb.getvalue())
    monkeypatch.setattr(zip_documents, "MOST_MEMBERS", 3)
    with pytest.raises(PageError, match="parts are more than the limit of 3"):
        written(tmp_path, "many.docx", docx(MILL))


@pytest.mark.parametrize("name", ["mill.docx", "plans.xlsx", "tides.ipynb"])
def test_a_library_that_is_not_installed_is_named(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    from claimscope.stores.pages.folder import readers

    reader = readers()[Path(name).suffix]
    with pytest.raises(PageError, match="is not installed") as caught:
        list(reader.read((GOOD / name).read_bytes(), name))
    assert "claimscope[formats]" in caught.value.hint
