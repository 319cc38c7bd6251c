"""Citation markers: which brackets are citations, what they name, whose they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.text.citations.marker_content import MarkerItem
from claimscope.core.text.citations.markers import (
    attach_markers,
    find_markers,
    strip_markers,
)
from claimscope.core.text.sentences import split_sentences

KNOWN = (
    "PMID:70001",
    "PMID:70002",
    "course/BEE-7",
    "Field notes, part 2: weirs.md",
    "https://weir.example/visit/hours",
)


def item(page: str | None = None, sentence: int | None = None) -> MarkerItem:
    return MarkerItem(page_id=page, sentence=sentence)


def both(*sentences: int) -> tuple[MarkerItem, ...]:
    return tuple(item("PMID:70001", place) for place in sentences)


@pytest.mark.parametrize(
    ("marker", "items"),
    [
        ("[PMID:70001, S:2]", (item("PMID:70001", 2),)),
        ("[pmid: 70001 , s : 2]", (item("PMID:70001", 2),)),
        ("[PMID 70001]", (item("PMID:70001"),)),
        ("[70001]", (item("PMID:70001"),)),
        ("[PMID:70001:S:4]", (item("PMID:70001", 4),)),
        ("[PMID:70001, S:2-4]", tuple(item("PMID:70001", n) for n in (2, 3, 4))),
        ("[PMID:70001, S:2,5]", tuple(item("PMID:70001", n) for n in (2, 5))),
        (
            "[PMID:70001, S:2; PMID:70002, S:1]",
            (item("PMID:70001", 2), item("PMID:70002", 1)),
        ),
        ("[PMID:70001, S:2; S:6]", (item("PMID:70001", 2), item("PMID:70001", 6))),
        ("[PMID:70001, PMID:70002]", (item("PMID:70001"), item("PMID:70002"))),
        ("[course/bee-7, S:12]", (item("course/BEE-7", 12),)),
        ("[Field notes, part 2: weirs.md, S:0]", (item(KNOWN[3], 0),)),
        ("[Field notes, part 2: weirs.md]", (item(KNOWN[3]),)),
        ("[https://weir.example/visit/hours]", (item(KNOWN[4]),)),
        ("[weir.example/visit/hours/, S:5-6]", (item(KNOWN[4], 5), item(KNOWN[4], 6))),
        ("[3]", (MarkerItem(position=3),)),
        ("[ 1, 3 ]", (MarkerItem(position=1), MarkerItem(position=3))),
        ("[2-4]", tuple(MarkerItem(position=n) for n in (2, 3, 4))),
        ("[0]", (MarkerItem(position=0),)),
        ("[PMID:999, S:1]", (item("PMID:999", 1),)),
        ("[course/NONE-1]", (item("course/NONE-1"),)),
        ("[https://weir.example/none]", (item("https://weir.example/none"),)),
        ("[Almanac, S:3]", (item("Almanac", 3),)),
        ("[PMID:70001, S:0,1, 70002]", (*both(0, 1), item("PMID:70002"))),
        (r"\[3\]", (MarkerItem(position=3),)),
    ],
)
def test_what_a_marker_names(marker: str, items: tuple[MarkerItem, ...]) -> None:
    text = f"The weir was built in 1931 {marker}. It holds."
    (found,) = find_markers(text, KNOWN)
    assert found.items == items
    assert text[found.start : found.end] == found.text == marker


@pytest.mark.parametrize(
    "text",
    [
        "See [the hours](https://weir.example/visit/hours).",
        "See [3](https://weir.example/a_(b)) and ![4](weir.png).",
        "He wrote [sic] that it [emphasis added] holds.",
        "The tide lies in the interval [1, 2] on most days.",
        "It rises by [1, 2] metres.",
        "- [ ] oil the gate\n- [x] clean the grid",
        "Call `rows[3]` first.",
        "```\nprint(rows[1])\n```",
        "Then rows[0] and x[1] are read, and my_rows[2] too.",
        "A share lies in [0, 1].",
        "Moss [2019] doubts it.",
        "[see the list][1] for more.",
        "[1]: https://weir.example/visit/hours",
        "The interval was [0.29, 0.78].",
        "[] and [ ] and [, ;] and [S:2]",
        "[Note: it froze]",
    ],
)
def test_what_is_no_citation(text: str) -> None:
    assert find_markers(text, KNOWN) == ()


def test_a_number_after_a_sentence_is_a_sentence_also_where_a_page_has_it_for_id() -> (
    None
):
    (marker,) = find_markers("It holds [PMID:70001, S:0,1].", ("PMID:70001", "1"))
    assert marker.items == both(0, 1)
    (marker,) = find_markers("It holds [1].", ("PMID:70001", "1"))
    assert marker.items == (item("1"),)


def test_neighbouring_markers_are_two() -> None:
    found = find_markers("It holds [1][2].")
    assert [marker.items for marker in found] == [
        (MarkerItem(position=1),),
        (MarkerItem(position=2),),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Sixty hens were kept. [PMID:70001, S:3] Eggs rose by 9 %. [PMID:70001, S:5].",
        "Sixty hens were kept [PMID:70001, S:3]. Eggs rose by 9 % [PMID:70001, S:5].",
        "Sixty hens were kept.[PMID:70001, S:3] Eggs rose by 9 %.[PMID:70001, S:5]",
    ],
)
def test_a_marker_belongs_to_the_sentence_before_it(text: str) -> None:
    spans, markers = split_sentences(text, "markdown"), find_markers(text, KNOWN)
    assert len(spans) == 2
    assert attach_markers(text, spans, markers) == (0, 1)
    claims = [strip_markers(text[start:end]) for start, end in spans]
    assert claims == ["Sixty hens were kept.", "Eggs rose by 9 %."]


def test_a_marker_on_a_line_of_its_own_belongs_to_the_line_before() -> None:
    text = "Eggs rose by 9 %.\n\n[PMID:70001, S:5]\n\n- [2] Hens slept."
    assert attach_markers(
        text, split_sentences(text, "markdown"), find_markers(text, KNOWN)
    ) == (0, 2)


def test_markers_without_a_sentence_have_no_owner() -> None:
    assert attach_markers("[1]", [], find_markers("[1]")) == (None,)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("It fell [1], then rose [2].", "It fell, then rose."),
        ("It fell ([PMID:70001]).", "It fell."),
        ("It fell **[1]** again.", "It fell again."),
        ("It fell [1]again.", "It fell again."),
        ("Nothing to do.", "Nothing to do."),
    ],
)
def test_strip(text: str, plain: str) -> None:
    assert strip_markers(text, find_markers(text, KNOWN)) == plain


_PARTS = st.sampled_from(
    ["[", "]", "PMID:", "7", "0", ", S:", "S:1-999999999", ";", ",", " ", "(", ")", ":"]
    + ["course/BEE-7", "Eggs rose. ", "`", "```\n", "\n", "^", "\\", "-", "é", "🥚"]
)


@given(st.lists(_PARTS, max_size=30).map("".join) | st.text(max_size=120))
def test_spans_are_exact_and_every_marker_names_something(text: str) -> None:
    markers = find_markers(text, KNOWN)
    last = 0
    for marker in markers:
        assert last <= marker.start < marker.end
        assert text[marker.start : marker.end] == marker.text
        assert 0 < len(marker.items) < 500
        last = marker.end
    spans = split_sentences(text)
    for owner in attach_markers(text, spans, markers):
        assert owner is not None and 0 <= owner < len(spans)
    strip_markers(text, markers)
