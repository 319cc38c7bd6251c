"""Headings, paragraphs, tables and running titles of print."""

from __future__ import annotations

import pytest

from claimscope.stores.pages.layout.document import join_cut_words, text_of
from claimscope.stores.pages.layout.leaves import Cell, Grid, Leaf
from claimscope.stores.pages.layout.words import Style
from tests.stores.pages.layout.leaflets import BOLD, leaf, line, paragraph

WOODS = "ash bay elm fir yew oak".split()


def test_lines_of_print_become_paragraphs() -> None:
    text = text_of(
        [
            paragraph(
                "The first sen-\ntence is well-known, and a well-\nknown one. "
                "It ends.\n"
                "Another begins here and goes on until the end of the line."
            )
        ]
    )
    assert "The first sentence is" in text
    assert "a well-known one" in text
    assert "It ends.\n\nAnother" in text
    assert text_of([Leaf(()), Leaf(())]) == ""


def test_a_line_that_had_no_room_for_the_next_word_goes_on() -> None:
    # The columns are narrow: most lines are short, and the next word is long.
    text = text_of(
        [
            paragraph(
                "Sent by the\nAdministration of\nthe harbour on\nMonday.\nShips wait."
            )
        ]
    )
    assert text.startswith("Sent by the\nAdministration of\nthe harbour on\nMonday.")
    assert text.endswith("\n\nShips wait.")


def test_larger_print_and_bold_lines_are_headings() -> None:
    large = Style(16.0)
    text = text_of(
        [
            leaf(
                ("The harbour", 50, 0, large),
                ("and its boats", 50, 18, large),
                ("Ferries leave every hour from the northern pier.", 50, 50),
                ("Fares", 50, 75, BOLD),
                ("A child travels free. The others pay at the pier.", 50, 88),
            )
        ]
    )
    assert text.split("\n\n") == [
        "# The harbour and its boats",
        "Ferries leave every hour from the northern pier.",
        "## Fares",
        "A child travels free. The others pay at the pier.",
    ]


def test_a_bold_line_over_a_table_heads_it() -> None:
    rows = [("Boat", "Seats", "Load"), ("Skiff", "3", "240 kg"), ("Punt", "6", "1 t")]
    cells = [
        (text, 50 + 100 * column, 100 + 12 * row)
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
    ]
    text = text_of([leaf(("It is lent.", 50, 0), ("Boats", 50, 60, BOLD), *cells)])
    assert "# Boats\n\n| Boat | Seats | Load |" in text


def test_bold_words_in_running_text_are_marked() -> None:
    text = text_of(
        [
            leaf(
                ("Backups.", 50, 0, BOLD),
                ("They are kept for seven days.", 92.5, 0),
                ("Each night one is made of all that is there.", 50, 12),
            )
        ]
    )
    assert text.startswith("**Backups.** They are kept")


def test_marks_of_notes_are_no_digits() -> None:
    text = text_of(
        [leaf(("310", 50, 3), ("1", 65, 1, Style(6.0)), ("kilograms", 71, 3))]
    )
    assert text == "310¹ kilograms"


def test_running_titles_and_numbers_of_leaves_are_dropped() -> None:
    texts = [[f"The {wood} {n} burns" for wood in WOODS] for n in "xyz"]
    leaves = [
        leaf(
            (f"Handbook of the kiln {n}", 50, 0),
            *((text, 50, 40 + 12 * row) for row, text in enumerate(said)),
            (f"Page {n} of 3", 50, 300),
        )
        for n, said in enumerate(texts, start=1)
    ]
    text = text_of(leaves)
    assert "Handbook" not in text and "Page" not in text
    assert text.count("burns") == 18
    assert text_of([leaf(("Text", 50, 40), ("1", 50, 300))]) == "Text"
    assert text_of([leaf(("How many?", 50, 40), ("12", 50, 300))]).endswith("12")


def test_what_differs_on_two_leaves_is_no_running_title() -> None:
    def fees(year: int, fee: int) -> Leaf:
        return leaf(
            (f"Fees of {year}", 50, 0, Style(16.0)),
            ("Ashlow locks", 300, 20),
            ("A family fee is paid at the gate.", 50, 60),
            (f"It is {fee} marks, and less in winter.", 50, 72),
            (f"Page {year - 2022}", 50, 300),
        )

    text = text_of([fees(2023, 60), fees(2024, 75)])
    assert "# Fees of 2023" in text and "# Fees of 2024" in text
    assert "60 marks" in text and "75 marks" in text
    assert "Ashlow" not in text and "Page" not in text


def test_a_table_goes_on_over_the_leaf() -> None:
    def table(*rows: tuple[str, str], is_bold: bool) -> Grid:
        return Grid(
            tuple(
                tuple(
                    Cell(
                        n,
                        n,
                        (
                            line(
                                text, style=BOLD if is_bold and not row else Style(10.0)
                            ),
                        ),
                    )
                    for n, text in enumerate(cells)
                )
                for row, cells in enumerate(rows)
            ),
            2,
        )

    first = table(("Boat", "Seats"), ("Skiff", "3"), is_bold=True)
    again = table(("Boat", "Seats"), ("Punt", "6"), is_bold=True)
    other = table(("Lamp", "Watts"), ("Arc", "90"), is_bold=True)
    text = text_of([Leaf((first,)), Leaf((again,)), Leaf((other,))])
    assert text.split("\n\n") == [
        "| Boat | Seats |\n| --- | --- |\n| Skiff | 3 |\n| Punt | 6 |",
        "| Lamp | Watts |\n| --- | --- |\n| Arc | 90 |",
    ]


@pytest.mark.parametrize(
    ("cut", "whole"),
    [
        ("insur-\nance", "insurance"),
        ("insur\u2010\nance", "insurance"),
        ("insur\u00ad\nance", "insurance"),
        ("Ap-\npear-\nance", "Appearance"),
        ("hand-\nbuilt ware", "hand-built ware"),
        ("well-known, well-\nknown", "well-known, well-known"),
        ("from 3-\n5 days", "from 3-\n5 days"),
    ],
)
def test_cut_words(cut: str, whole: str) -> None:
    assert join_cut_words(cut) == whole
