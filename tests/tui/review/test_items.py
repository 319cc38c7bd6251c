"""Which items a sample has, and in which order one steps through them."""

from __future__ import annotations

from typing import Literal

from claimscope.core.models import (
    Failure,
    FailureKind,
    HumanVerdict,
    Label,
    SampleResult,
)
from claimscope.stores.runs.sample_rows import RowMaker, light_of
from claimscope.tui.review.cursor import Place, Rows, next_failure
from claimscope.tui.review.items import (
    LIKELY,
    Item,
    Words,
    first_failure,
    items,
    row_kinds,
)
from tests.tui.sample_run import (
    empty_sample,
    error_sample,
    failed_sample,
    passed_sample,
)


def samples() -> list[SampleResult]:
    return [failed_sample(), passed_sample(), empty_sample(), error_sample()]


def test_everything_a_sample_was_judged_on_is_an_item() -> None:
    row = items(failed_sample())
    assert [item.kind for item in row] == [
        *("claim", "claim", "claim"),
        "missing",
        *("citation", "citation"),
        *("grade", "grade"),
        *("skipped", "skipped"),
    ]
    failing = [(item.kind, item.index) for item in row if item.is_failure]
    assert failing == [
        ("claim", 1),
        ("claim", 2),
        ("missing", 0),
        ("citation", 1),
        ("grade", 0),
        ("grade", 1),
    ]


def test_a_failure_that_belongs_to_nothing_is_an_item_of_its_own() -> None:
    row = items(empty_sample())
    assert [(item.kind, item.kinds) for item in row] == [
        ("finding", frozenset({FailureKind.EMPTY}))
    ]


def test_a_planted_grade_stands_at_its_place_among_the_claims() -> None:
    sample = failed_sample()
    planted = Failure(
        kind=FailureKind.PLANTED_GRADE,
        message="asks for a grade",
        start=20,
        end=30,
    )
    changed = sample.model_copy(update={"failures": (*sample.failures, planted)})
    kinds = [item.kind for item in items(changed)]
    assert kinds[:4] == ["claim", "finding", "claim", "claim"]


def test_a_claim_that_is_not_supported_fails_even_when_the_sample_passed() -> None:
    sample = failed_sample().model_copy(update={"failures": (), "passed": True})
    kinds = [item.kinds for item in items(sample) if item.kind == "claim"]
    assert kinds == [
        frozenset(),
        frozenset({FailureKind.CONTRADICTED}),
        frozenset({FailureKind.NOT_SUPPORTED}),
    ]


def test_next_failure_goes_on_across_samples_and_passes_over_good_ones() -> None:
    rows = Rows(samples())
    seen = walk(rows, Place(0, -1), 1)
    assert seen == [(0, 1), (0, 2), (0, 3), (0, 5), (0, 6), (0, 7), (2, 0), (3, 0)]
    assert walk(rows, Place(3, 1), -1) == seen[::-1]


def walk(rows: Rows, place: Place, step: Literal[1, -1]) -> list[tuple[int, int]]:
    """All places one comes to."""
    seen = []
    while (found := next_failure(rows, place, step)) is not None:
        seen.append((found.sample, found.item))
        place = found
    return seen


def test_next_failure_of_one_kind_only() -> None:
    rows = Rows(samples())
    found = next_failure(rows, Place(0, 0), 1, FailureKind.EMPTY)
    assert found == Place(2, 0)
    assert next_failure(rows, Place(2, 0), 1, FailureKind.EMPTY) is None


def test_first_failure_of_a_sample_without_one_is_its_first_item() -> None:
    assert first_failure(items(passed_sample())) == 0
    assert first_failure(items(failed_sample())) == 1
    assert first_failure(()) == 0


def test_kinds_are_counted_most_frequent_first() -> None:
    counts = Rows(list(samples())).counts()
    assert next(iter(counts.items())) == (FailureKind.UNSCORED, 2)
    assert counts[FailureKind.CONTRADICTED] == 1


def word(human: Label | None, note: str = "") -> HumanVerdict:
    return HumanVerdict(
        sample=failed_sample().key,
        claim_index=1,
        machine=Label.CONTRADICTED,
        human=human,
        note=note,
        at="2026-11-27T14:00:00Z",
    )


def test_the_last_word_on_a_claim_counts() -> None:
    words = Words.read([word(Label.CONTRADICTED), word(Label.SUPPORTED, "see S:1")])
    assert words.counts() == (0, 1)
    last = words.on(failed_sample(), Item("claim", 1))
    assert last is not None and last.human is Label.SUPPORTED
    assert words.on(failed_sample(), Item("claim", 0)) is None


def test_a_word_taken_back_counts_no_more() -> None:
    words = Words.read([word(Label.CONTRADICTED), word(None)])
    assert words.counts() == (0, 0)
    assert words.on(failed_sample(), Item("claim", 1)) is None


def test_a_note_may_stand_without_a_verdict() -> None:
    words = Words.read([word(None, "look again")])
    assert words.counts() == (0, 0)
    last = words.on(failed_sample(), Item("claim", 1))
    assert last is not None and last.note == "look again"


def test_a_row_of_a_list_knows_what_is_only_likely() -> None:
    sample = next(one for one in samples() if one.claims)
    verdict = sample.claims[0].verdict.model_copy(
        update={"label": Label.SUPPORTED, "band": "review"}
    )
    claims = (sample.claims[0].model_copy(update={"verdict": verdict}),)
    stored = sample.model_copy(update={"claims": claims}).model_dump(mode="json")
    row = RowMaker().row(light_of(stored))
    assert row.likely == 1
    assert LIKELY in row_kinds(row)
    proved = sample.model_copy(update={"claims": ()}).model_dump(mode="json")
    assert LIKELY not in row_kinds(RowMaker().row(light_of(proved)))
