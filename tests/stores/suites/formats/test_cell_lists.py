"""Lists in the cells of tables, as the programs that write them print them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.stores.suites.formats.cell_lists import UnreadableList, parse_list
from claimscope.stores.suites.formats.contexts import passages, passages_of

GATE = "The lock's gate opens at dawn."
TOLL = 'Boats pay a "small" toll.'
TWO = [GATE, TOLL]


@pytest.mark.parametrize(
    "cell",
    [
        json.dumps(TWO),
        repr(TWO),
        repr(tuple(TWO)),
        f"[{GATE!r} {TOLL!r}]",
        f"[{GATE!r}\n {TOLL!r}]",
        f"array([{GATE!r},\n       {TOLL!r}], dtype=object)",
        f"np.array([{GATE!r}, {TOLL!r}], dtype='<U30')",
        f"[np.str_({GATE!r}), np.str_({TOLL!r})]",
        json.dumps([{"text": GATE}, {"page_content": TOLL}]),
        repr([{"content": GATE, "score": 0.5}, {"passage": TOLL}]),
        f"[Document(page_content={GATE!r}, metadata={{'source': 'a', 'n': [1, None]}}),"
        f" Document(metadata={{}}, page_content={TOLL!r})]",
        f"[NodeWithScore(node=TextNode(id_='1', text={GATE!r}), score=0.7),"
        f" NodeWithScore(node=TextNode(text={TOLL!r}), score=nan)]",
        f"[Document(metadata={{'at': datetime.date(2024, 5, 1)}},"
        f" page_content={GATE!r}), {TOLL!r}]",
    ],
)
def test_each_way_of_printing_two_passages_gives_two(cell: str) -> None:
    assert passages(cell) == TWO


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("['The gate opens.' ... 'Boats pay.']", "values were left out at '...'"),
        ("['The gate opens.', 'Boats", "character 20"),
        ("['The gate opens.', ", "it breaks off"),
        ("['The gate opens.'] and more", "'and'|character"),
        ("[Document(page_content='The gate opens.'", "breaks off"),
        ("[<store.Document object at 0x7f3a>]", "it is no list"),
        ("('The gate opens.', 'Boats", "it is no list"),
        ("[Chunk(number=7)]", r"Chunk\(…\) has no text"),
    ],
)
def test_a_list_that_cannot_be_read_is_refused_with_the_reason(
    cell: str, why: str
) -> None:
    with pytest.raises(UnreadableList, match=why) as caught:
        passages(cell)
    assert "JSON" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "[1] The gate opens at dawn.",
        "[See the plan](plan.md) of the lock.",
        "[[Lock]] is a page.",
        "[Note] Boats pay a toll.",
        "(Boats pay a toll.)",
        "(1) Open the gate, (2) pay.",
        '("Lock" is a word.)',
        "(12)",
        "Array(s) of gates.",
        "An answer, not a list.",
        "# Gates\n\nThey open.\n",
        "Gates:\n- open at dawn.\n- close at dusk.",
        "The gate, which is old,\nopens at dawn.",
    ],
)
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert passages(text) == [text]


@pytest.mark.parametrize(
    "text", ["The gate opens.;Boats pay.", "The gate opens.\nBoats pay."]
)
def test_whole_sentences_that_a_program_joined_are_parted(text: str) -> None:
    assert passages(text) == ["The gate opens.", "Boats pay."]


def test_no_value_among_passages_is_dropped_and_named_by_its_place() -> None:
    found = passages_of("['The gate opens.', nan, None, 'Boats pay.', '']")
    assert found.texts == ["The gate opens.", "Boats pay."]
    assert [number for number, _ in found.lost] == [2, 3, 5]
    assert passages([{"text": float("nan")}, {"text": "Boats pay."}]) == ["Boats pay."]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_what_python_prints_is_read_back(texts: list[str]) -> None:
    assert parse_list(repr(texts)) == texts
    assert parse_list(json.dumps(texts)) == texts


@given(st.text(alphabet="[](){}'\",:=.\\ aN1-<>\n", max_size=40))
def test_any_cell_is_read_or_refused(cell: str) -> None:
    try:
        passages(cell)
    except UnreadableList as error:
        assert "write the" in str(error)


def test_deep_and_long_cells_end() -> None:
    with pytest.raises(UnreadableList):
        parse_list("['a', " * 5_000)
    assert parse_list("[" * 100_000) is None
    assert parse_list("[" + "9" * 20_000 + "]") is None
    with pytest.raises(UnreadableList, match="a number of 20,000 digits"):
        parse_list("['a', " + "9" * 20_000 + "]")
    fields = ", ".join(f"f{n}={n}" for n in range(20_000))
    assert passages(f"Document({fields}, page_content='The gate opens.')") == [
        "The gate opens."
    ]
    assert len(parse_list(repr(["a"] * 50_000)) or ()) == 50_000
