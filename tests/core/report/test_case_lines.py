"""Claims and citations as lines to edit: what is not touched comes back as it was."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.report.case_lines import (
    citation_lines,
    citations_of,
    claim_lines,
    claims_of,
)
from claimscope.tui.widgets.case_text import case_document
from claimscope.tui.widgets.flow import lay_out
from claimscope.tui.widgets.glyphs import UNICODE

CLAIMS: list[dict[str, Any]] = [
    {"text": "It is 900 °C.", "odd": 1},
    {"text": "It cools slowly.\nFor two days.", "importance": "expected"},
    {"text": "expected: a word of the text"},
]


@given(
    st.lists(
        st.fixed_dictionaries(
            {"text": st.text(min_size=1).filter(str.strip)},
            optional={
                "importance": st.sampled_from(["required", "expected", "optional"]),
                "odd": st.integers(),
            },
        ),
        max_size=5,
    )
)
def test_untouched_claims_come_back_as_they_were(claims: list[dict[str, Any]]) -> None:
    assert claims_of(claim_lines(claims), claims) == claims


@given(
    st.lists(
        st.fixed_dictionaries(
            {"page_id": st.text(min_size=1).filter(str.strip)},
            optional={
                "sentence": st.integers(0, 99),
                "key_phrase": st.text(min_size=1).filter(str.strip),
                "odd": st.booleans(),
            },
        ),
        max_size=5,
    )
)
def test_untouched_citations_come_back_as_they_were(
    citations: list[dict[str, Any]],
) -> None:
    assert citations_of(citation_lines(citations), citations) == citations


def test_lines_read_as_a_person_writes_them() -> None:
    assert claim_lines(CLAIMS) == (
        "It is 900 °C.\n"
        "expected: It cools slowly.\n    For two days.\n"
        "required: expected: a word of the text"
    )
    assert claims_of("A.\n\noptional: B.\n  goes on", []) == [
        {"text": "A."},
        {"text": "B.\ngoes on", "importance": "optional"},
    ]


def test_a_changed_line_keeps_what_it_does_not_say() -> None:
    text = claim_lines(CLAIMS).replace("900", "950")
    assert claims_of(text, CLAIMS)[0] == {"text": "It is 950 °C.", "odd": 1}
    text = claim_lines(CLAIMS).replace("expected: It", "It")
    assert claims_of(text, CLAIMS)[1]["importance"] == "required"


def test_a_deleted_line_takes_its_claim_along() -> None:
    lines = claim_lines(CLAIMS).split("\n")
    assert claims_of("\n".join(lines[1:]), CLAIMS) == CLAIMS[1:]


def test_citations_name_page_sentence_and_phrase() -> None:
    text = "PMID:1 | 3 | a | b\nkiln.md\nkiln.md | | hot\nkiln.md | x"
    assert citations_of(text, []) == [
        {"page_id": "PMID:1", "sentence": 3, "key_phrase": "a | b"},
        {"page_id": "kiln.md"},
        {"page_id": "kiln.md", "key_phrase": "hot"},
        {"page_id": "kiln.md", "sentence": "x"},
    ]


def test_metadata_is_told_in_words() -> None:
    marks = {"generated": True, "accepted": None, "seed": 7}
    case = {"id": "kiln-1", "question": "How hot?", "metadata": marks}
    lines = lay_out(case_document(case, (), UNICODE), 80)
    told = ["".join(piece.text for piece in line).strip() for line in lines]
    assert told[-3:] == ["metadata   generated: yes", "accepted: –", "seed: 7"]
