"""Markers as chatbots write them: read, or named as unread, never dropped."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.cite.marker_resolution import keys_of, page_names, passage_names
from claimscope.core.models import Page
from claimscope.core.text.citations.marker_content import MarkerItem, PageNames
from claimscope.core.text.citations.markers import (
    attach_markers,
    find_markers,
    find_unread,
    strip_markers,
)
from claimscope.core.text.sentences import split_sentences
from claimscope.stores.index.memory_corpus import MemoryCorpus
from tests.doubles import fakes

FIRST, SECOND = MarkerItem(position=1), MarkerItem(position=2)


@pytest.mark.parametrize(
    "text",
    [
        "The kiln burns oak [^1]. A firing takes nine hours [^2].",
        "The kiln burns oak[^1]. A firing takes nine hours[^2].",
        "The kiln burns oak [^1^]. A firing takes nine hours [^2^].",
        "The kiln burns oak【1】. A firing takes nine hours【2】.",
        "The kiln burns oak【1†source】. A firing takes nine hours【2†L4-L9】.",
        "The kiln burns oak［1］. A firing takes nine hours［２］.",
        "The kiln burns oak.<sup>1</sup> A firing takes nine hours.<sup>[2]</sup>",
        "The kiln burns oak<sup>1</sup>. A firing takes nine hours<sup>2</sup>.",
        "The kiln burns oak¹. A firing takes nine hours².",
        "The kiln burns oak.¹ A firing takes nine hours.²",
        "The kiln burns oak [Source 1]. A firing takes nine hours [Source: 2].",
        "The kiln burns oak [doc1]. A firing takes nine hours [Doc 2].",
        "The kiln burns oak [ref. 1]. A firing takes nine hours [Passage #2].",
        "The kiln burns oak [c:1]. A firing takes nine hours [c:2].",
        "The kiln burns oak (Source 1). A firing takes nine hours (source 2).",
        "The kiln burns oak [1, p. 7]. A firing takes nine hours [2, pp. 3-4].",
        "The kiln burns oak [Quelle 1]. A firing takes nine hours [来源2].",
    ],
)
def test_positions_in_any_dialect(text: str) -> None:
    markers = find_markers(text)
    assert [marker.items for marker in markers] == [(FIRST,), (SECOND,)]
    spans = split_sentences(text, "markdown")
    owners = attach_markers(text, spans, markers)
    first, second = (text[slice(*spans[owner or 0])] for owner in owners)
    assert "kiln" in first and "firing" in second
    assert strip_markers(text) == "The kiln burns oak. A firing takes nine hours."
    assert find_unread(text) == ()


@pytest.mark.parametrize(
    "marker",
    ["[Sources 1, 2]", "[source 1 and source 2]", "[doc1; doc2]", "¹,²", "[^1,2]"],
)
def test_several_in_one_marker(marker: str) -> None:
    (found,) = find_markers(f"The kiln burns oak {marker}.")
    assert found.items == (FIRST, SECOND)


@pytest.mark.parametrize(
    "text",
    [
        "The yard has 40 m² and x² is 9.",
        "It weighs 10³ kilograms, 7² of them clay.",
        "The field is 3 km<sup>2</sup> wide.",
        "See [Fig. 3] and [Table 2] and [step 4].",
        "- [x] done\n- [ ] not done",
        "Call `f[^1]` and `rows[doc1]`.",
    ],
)
def test_powers_figures_and_code_are_no_markers(text: str) -> None:
    assert find_markers(text) == ()
    assert find_unread(text) == ()


@pytest.mark.parametrize(
    "marker",
    ["[S1]", "[citation needed]", "[source]", "[4:0†kiln.pdf]", "[@aven2020]", "{1}"]
    + ["<ref>1</ref>", "(2)", "[^oak]", "(Aven 2020)", "[aven2020]", "[S:2]"],
)
def test_a_marker_of_unknown_kind_is_named_and_not_dropped(marker: str) -> None:
    text = f"The kiln burns oak {marker}."
    assert find_markers(text) == ()
    (one,) = find_unread(text)
    assert (one.text, text[one.start : one.end]) == (marker, marker)
    assert one.reason


def test_a_file_in_daggers_is_the_page_of_that_name() -> None:
    (found,) = find_markers("The kiln burns oak【4:0†kiln.md】.", ("kiln.md",))
    assert found.items == (MarkerItem(page_id="kiln.md"),)


# --- lists of references ----------------------------------------------------


@pytest.mark.parametrize(
    "closing",
    [
        "References:\n[1] Yearbook of the kiln\n[2] Notes on firing",
        "## Sources\n\n- [1] Yearbook of the kiln\n- [2] Notes on firing",
        "**Sources**\n1. Yearbook of the kiln [1]\n2. Notes on firing [2]",
        "Sources: [1], [2]",
        "Quellen:\n[1] Jahrbuch\n[2] Notizen",
        "[1] Yearbook of the kiln\n[2] Notes on firing",
        "[^1]: Yearbook of the kiln\n[^2]: Notes on firing",
    ],
)
def test_a_closing_list_of_references_cites_nothing(closing: str) -> None:
    body = "The kiln burns oak [1]. A firing takes nine hours [2]."
    markers = find_markers(f"{body}\n\n{closing}")
    assert [marker.items for marker in markers] == [(FIRST,), (SECOND,)]
    assert all(marker.end <= len(body) for marker in markers)
    assert find_unread(f"{body}\n\n{closing}") == ()


def test_an_answer_that_cites_in_a_closing_list_alone_is_told_so() -> None:
    text = "The kiln burns oak.\n\nSources:\n[1] Yearbook\n[2] Notes"
    assert find_markers(text) == ()
    assert [one.text for one in find_unread(text)] == ["[1]", "[2]"]
    assert "cites nothing" in find_unread(text)[0].reason


def test_a_list_says_which_page_a_number_is() -> None:
    known = ("PMID:70001", "https://kiln.example/firing")
    text = (
        "The kiln burns oak [1]. A firing takes nine hours [2]. It is old [^a].\n\n"
        "[^a]: PMID:70001\n\nReferences\n"
        "1. Aven. Yearbook. PMID: 70001.\n2. https://kiln.example/firing"
    )
    assert [marker.items for marker in find_markers(text, known)] == [
        (MarkerItem(page_id="PMID:70001"),),
        (MarkerItem(page_id="https://kiln.example/firing"),),
        (MarkerItem(page_id="PMID:70001"),),
    ]


def test_a_marker_on_the_last_line_is_no_list() -> None:
    text = "The kiln burns oak.\n\n[PMID:70001, S:5]"
    (found,) = find_markers(text, ("PMID:70001",))
    assert attach_markers(text, split_sentences(text, "markdown"), (found,)) == (0,)


# --- author and year --------------------------------------------------------

PAGES = (
    Page(page_id="k1", text="It burns oak.", authors=("Aven T",), published="2020-03"),
    Page(page_id="k2", text="Nine hours.", title="Lind et al. (2019): On firing"),
    Page(page_id="papers/brandt2018.md", text="It is old."),
    Page(page_id="k4", text="Twins.", authors=("Orm, Ida",), published="2011"),
    Page(page_id="k5", text="Twins.", authors=("Ida Orm",), published="May 2011"),
)


def names_for(text: str) -> PageNames:
    found = page_names(text, MemoryCorpus("kilns", PAGES, fakes.FakeEmbedder()))
    assert isinstance(found, PageNames)
    return found


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("It burns oak (Aven 2020).", ["k1"]),
        ("It burns oak (Aven, 2020, p. 4).", ["k1"]),
        ("Aven (2020) says that it burns oak.", ["k1"]),
        ("It takes nine hours (Lind et al., 2019).", ["k2"]),
        ("It is so (see Aven 2020; Lind & Moe, 2019).", ["k1", "k2"]),
        ("It is old (Brandt 2018).", ["papers/brandt2018.md"]),
    ],
)
def test_author_and_year_where_the_pages_say_who_that_is(
    text: str, pages: list[str]
) -> None:
    markers = find_markers(text, names_for(text))
    assert [item.page_id for marker in markers for item in marker.items] == pages
    assert "20" not in strip_markers(text, markers)


def test_an_author_whom_no_page_names() -> None:
    """By its form a citation, `et al.` is one that nobody can look up; `(Turin 2006)`
    may be a place and a year, and is only named."""
    text = "It is so (Moe et al., 2007). It was so (Turin 2006)."
    (found,) = find_markers(text, names_for(text))
    assert found.items == (MarkerItem(author="Moe et al., 2007"),)
    (one,) = find_unread(text, names_for(text))
    assert (one.text, one.reason) == ("(Turin 2006)", "no page says who that is")


def test_two_pages_of_one_author_and_year_are_neither() -> None:
    text = "They are twins (Orm 2011)."
    assert find_markers(text, names_for(text)) == ()
    assert [one.text for one in find_unread(text, names_for(text))] == ["(Orm 2011)"]


def test_a_passage_says_who_wrote_it_at_its_beginning() -> None:
    text = "It burns oak (Aven 2020)."
    contexts = ("Nine hours.", "Aven T, Moe B (2020). The kiln burns oak.")
    (found,) = find_markers(text, passage_names(text, contexts, ()))
    assert found.items == (SECOND,)


def test_pages_are_not_read_for_names_that_no_answer_uses() -> None:
    corpus = MemoryCorpus("kilns", PAGES, fakes.FakeEmbedder())
    assert not isinstance(page_names("It burns oak [k1].", corpus), PageNames)
    assert set(keys_of(PAGES[0])) == {("aven", "2020")}


_PARTS = st.sampled_from(
    [
        "[^1]",
        "¹",
        "<sup>2</sup>",
        "【3†x】",
        "(Aven 2020)",
        "Aven (2020)",
        "［1］",
        "{1}",
    ]
    + [
        "[Source 1]",
        "m",
        " ",
        "Oak burns. ",
        "\n",
        "References:\n",
        "[1] x\n",
        "`",
        "(",
    ]
)


@given(st.lists(_PARTS, max_size=25).map("".join))
def test_markers_lie_apart_and_what_is_unread_is_no_marker(text: str) -> None:
    names = PageNames(("k1",), {("aven", "2020"): "k1"})
    markers = find_markers(text, names)
    last = 0
    for marker in markers:
        assert last <= marker.start < marker.end
        assert text[marker.start : marker.end] == marker.text
        assert marker.items
        last = marker.end
    places = {(marker.start, marker.end) for marker in markers}
    assert not places & {(one.start, one.end) for one in find_unread(text, names)}
    strip_markers(text, markers)
    attach_markers(text, split_sentences(text), markers)
