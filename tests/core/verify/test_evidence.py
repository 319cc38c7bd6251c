"""Candidates: the right sentences, with their places; noise changes nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.verify.evidence import (
    candidates_from_rows,
    candidates_from_text,
    units_of,
)
from claimscope.core.verify.token_alignment import AlignedWindow
from tests.doubles import fakes

PASSAGES = (
    "Wool is washed in May. The mill at Oster has six wheels. It stands by a weir.",
    "Bread is baked at dawn. The oven holds forty loaves.",
)


def test_best_sentence_first_with_its_place() -> None:
    claim = "The mill at Oster has six wheels."
    best = candidates_from_text(claim, PASSAGES, fakes.FakeEmbedder())[0]
    assert best.text == claim
    assert (best.page_id, best.index) == ("passage:0", 1)
    assert PASSAGES[0][best.start : best.end] == best.text
    assert best.before == "Wool is washed in May."
    assert best.after == "It stands by a weir."


def test_no_more_than_asked_for() -> None:
    found = candidates_from_text("Bread is baked.", PASSAGES, fakes.FakeEmbedder(), k=2)
    assert len(found) == 2


def test_no_passages_no_candidates() -> None:
    assert candidates_from_text("Bread is baked.", [], fakes.FakeEmbedder()) == ()
    assert candidates_from_text("Bread is baked.", [" \n"], fakes.FakeEmbedder()) == ()


def test_noise_does_not_push_the_sentence_out() -> None:
    noise = [f"Tram line {n} was painted green in spring." for n in range(40)]
    claim = "The oven holds forty loaves."
    for count in (0, 3, 9, 40):
        texts = [*noise[:count], *PASSAGES]
        best = candidates_from_text(claim, texts, fakes.FakeEmbedder())[0]
        assert best.text == claim


def test_each_sentence_of_a_long_claim_finds_its_own() -> None:
    claim = "The mill at Oster has six wheels. The oven holds forty loaves."
    found = candidates_from_text(claim, PASSAGES, fakes.FakeEmbedder(), k=1)
    texts = {one.text for one in found}
    assert {
        "The mill at Oster has six wheels.",
        "The oven holds forty loaves.",
    } <= texts


def test_rows_are_embedded_once() -> None:
    embedder = fakes.FakeEmbedder()
    rows = [("Bread is baked.", PASSAGES[1]), ("The oven is hot.", PASSAGES[1])]
    found = candidates_from_rows(rows, embedder)
    assert len(embedder.batches) == 1
    assert len(embedder.texts) == len(set(embedder.texts))
    assert found[0] == candidates_from_text(
        "Bread is baked.", [PASSAGES[1]], fakes.FakeEmbedder()
    )


def test_rows_without_any_text() -> None:
    assert candidates_from_rows([], fakes.FakeEmbedder()) == []
    assert candidates_from_rows([("A claim.", "")], fakes.FakeEmbedder()) == [()]


def test_lead_ins_are_no_part_of_a_claim() -> None:
    claim = "Here is a short summary:\n\nThe mill has six wheels. It stands by a weir."
    assert units_of(claim) == ["The mill has six wheels.", "It stands by a weir."]
    assert units_of("Yes.") == ["Yes."]


@given(st.lists(st.text(max_size=120), max_size=4), st.text(min_size=1, max_size=60))
def test_offsets_quote_the_passage(passages: list[str], claim: str) -> None:
    for one in candidates_from_text(claim, passages, fakes.FakeEmbedder()):
        number = int(one.page_id.removeprefix("passage:"))
        assert passages[number][one.start : one.end] == one.text
        assert one.index >= 0


def test_rows_on_different_texts_are_never_taken_for_one_page() -> None:
    ferry, mill = "The ferry runs daily.", "The mill has two stones."
    rows = [("The ferry runs.", ferry), ("The mill is old.", mill), ("It runs.", ferry)]
    first, second, third = candidates_from_rows(rows, fakes.FakeEmbedder())
    assert first[0].page_id == third[0].page_id != second[0].page_id


def test_the_number_of_a_passage_is_no_number_of_its_text() -> None:
    texts = [f"Room {name} is closed." for name in ("north", "south", "east")]
    found = candidates_from_text("Room 2 is closed.", texts, fakes.FakeEmbedder())
    assert all("2" not in AlignedWindow(one).subject for one in found)
