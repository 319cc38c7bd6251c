"""Tables without boxes, told from lists and from columns of running text."""

from __future__ import annotations

from collections.abc import Sequence

from claimscope.stores.pages.layout.aligned import with_tables
from claimscope.stores.pages.layout.leaves import Grid, Leaf, Rule
from tests.stores.pages.layout.leaflets import leaf, paragraph


def grids(one: Leaf) -> list[Grid]:
    return [
        part for part in with_tables(one.parts, one.rules) if isinstance(part, Grid)
    ]


def texts(grid: Grid) -> list[list[str]]:
    return [[cell.text for cell in row] for row in grid.rows]


ROWS = [("Boat", "Seats", "Load"), ("Skiff", "3", "240 kg"), ("Punt", "6", "500 kg")]


def set_in_columns(
    rows: Sequence[tuple[str, ...]], pitch: float = 12
) -> list[tuple[str, float, float]]:
    return [
        (text, 50 + 100 * column, pitch * number)
        for number, row in enumerate(rows)
        for column, text in enumerate(row)
        if text
    ]


def test_rows_and_columns() -> None:
    (grid,) = grids(leaf(*set_in_columns(ROWS)))
    assert texts(grid) == [list(row) for row in ROWS]


def test_an_empty_cell_stays_empty() -> None:
    rows = [*ROWS, ("Raft", "", "90 kg")]
    (grid,) = grids(leaf(*set_in_columns(rows)))
    assert [(cell.first, cell.text) for cell in grid.rows[-1]] == [
        (0, "Raft"),
        (2, "90 kg"),
    ]


def test_a_cell_of_two_lines_is_one() -> None:
    lines = [
        *set_in_columns(ROWS, pitch=34),
        ("each with", 250, 45),
        ("a jacket", 250, 56),
    ]
    lines.sort(key=lambda one: (one[2] // 34, one[1], one[2]))
    (grid,) = grids(leaf(*lines))
    assert texts(grid)[1] == ["Skiff", "3", "240 kg\neach with\na jacket"]


def test_strokes_part_rows_that_stand_close() -> None:
    rows = [
        ("Boat", "Load"),
        ("Skiff", "240 kg"),
        ("", "with a mast"),
        ("Punt", "500 kg"),
    ]
    rules = [Rule(40, 260, top) for top in (11, 35)]
    (grid,) = grids(leaf(*set_in_columns(rows), rules=rules))
    assert texts(grid)[1] == ["Skiff", "240 kg\nwith a mast"]


def test_columns_of_text_are_no_table() -> None:
    left = [(f"The left column goes {n}", 50.0, 12.0 * n) for n in range(6)]
    right = [(f"the right column has {n}", 250.0, 12.0 * n) for n in range(6)]
    one = leaf(*left, *right)
    assert grids(one) == []
    assert len(list(with_tables(one.parts, ()))) == 12


def test_bullets_and_numbers_are_no_column() -> None:
    items = [(mark, 50.0, 12.0 * n) for n, mark in enumerate(["•", "2.", "(c)"])]
    said = [(f"Row {n} of the list", 75.0, 12.0 * n) for n in range(3)]
    one = leaf(*said, *items)
    found = [
        part.text for part in with_tables(one.parts, ()) if not isinstance(part, Grid)
    ]
    assert found == [
        "• Row 0 of the list",
        "2. Row 1 of the list",
        "(c) Row 2 of the list",
    ]


def test_what_stands_on_one_line_is_joined() -> None:
    one = leaf(("Offered by", 50, 0), ("the harbour", 150, 0), ("Below it", 50, 60))
    found = [
        part.text for part in with_tables(one.parts, ()) if not isinstance(part, Grid)
    ]
    assert found == ["Offered by the harbour", "Below it"]


def test_text_below_a_table_is_no_part_of_it() -> None:
    note = paragraph("Prices are those of the summer.", top=36).parts
    table = leaf(*set_in_columns(ROWS)).parts
    found = list(with_tables((*table, *note), ()))
    assert [isinstance(part, Grid) for part in found] == [True, False]


def test_a_line_at_the_head_is_first_though_written_last() -> None:
    one = leaf(("The text", 50, 40), ("goes on", 50, 52), ("The title", 50, 0))
    assert [
        part.text for part in with_tables(one.parts, ()) if not isinstance(part, Grid)
    ] == ["The title", "The text", "goes on"]
