"""Ways through a run in the stepper: by text, by page, by what is no failure; and
answers that are hard to show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import pytest
from rich.cells import cell_len
from textual import events
from textual.widgets import Input

from claimscope.core.errors import StoreError
from claimscope.core.models import Evidence, Label, SampleResult, SampleRow
from claimscope.stores.runs.memory import MemoryRunStore
from claimscope.tui.review.cursor import Place, Rows, next_failure, seek, unstable_cases
from claimscope.tui.review.items import CONFLICT, UNSTABLE, items
from claimscope.tui.screens.stepper.screen import StepperScreen
from claimscope.tui.widgets.document import Document
from tests.tui.gateways import FakeGateway
from tests.tui.pilot import check_snapshot, lines_of, press, settle, text_of, told
from tests.tui.sample_run import (
    RUN_ID,
    claim,
    empty_sample,
    evidence,
    failed_sample,
    passed_sample,
    run_header,
)
from tests.tui.screens.test_stepper import (
    gateway_with,
    gateway_with_a_run,
    overrulable,
    place,
    saved,
    stepping,
)


def marked(pane: Document) -> list[str]:
    """What is marked as found in a pane."""
    return [p.text for line in pane.lines for p in line if p.has("found")]


async def test_a_text_is_found_in_claims_and_evidence_whatever_its_case() -> None:
    async with stepping(gateway_with_a_run()) as pilot:
        await press(pilot, "/", *"FISHING", "enter")
        assert place(pilot) == Place(0, 2)  # its nearest sentence speaks of fishing
        pane = pilot.app.screen.query_one("#step-finding", Document)
        assert marked(pane) == ["Fishing"]
        assert "find: FISHING 1 of 1 (< >)" in text_of(pilot)
        await press(pilot, ".")
        assert place(pilot) == Place(0, 2)  # round and back
        await press(pilot, "/", *["backspace"] * 7, *"1974", "enter", ".")
        # The claim that is missing, the sentence before it left out, the next sample.
        assert place(pilot) == Place(1, 0)
        assert "find: 1974 2 of 2 (< >)" in text_of(pilot)
        await press(pilot, "<")
        assert place(pilot) == Place(0, 3)
        assert "find: 1974 1 of 2 (< >)" in text_of(pilot)
        await press(pilot, "<")
        assert place(pilot) == Place(1, 0)
        await press(pilot, "/", *["backspace"] * 4, "enter")
        assert "find:" not in text_of(pilot)
        assert marked(pane) == []


async def test_the_next_match_asks_when_nothing_was_looked_for() -> None:
    async with stepping(gateway_with_a_run()) as pilot:
        await press(pilot, ".")
        assert "text in claims, evidence" in text_of(pilot)
        await press(pilot, "escape", "/", *"[b]x", "enter")
        assert "Nothing has “[b]x” in it." in told(pilot)
        assert place(pilot) == Place(0, 1)


async def test_the_place_follows_what_is_typed_and_escape_goes_back() -> None:
    async with stepping(gateway_with_a_run()) as pilot:
        await press(pilot, "/", *"fis")
        assert place(pilot) == Place(0, 2)
        assert "find: fis 1 of 1" in text_of(pilot)
        await press(pilot, "x")
        assert place(pilot) == Place(0, 1)  # nothing has it: where it began
        assert "find: fisx 0 found" in text_of(pilot)
        await press(pilot, "backspace", "backspace")
        assert place(pilot) == Place(0, 2)
        await press(pilot, "escape")
        assert place(pilot) == Place(0, 1)
        assert "find:" not in text_of(pilot)
        await press(pilot, "n")  # the keys of the stepper again
        assert place(pilot) == Place(0, 2)


async def test_keys_that_are_typed_quickly_are_not_taken_for_commands() -> None:
    gateway = gateway_with_a_run()
    async with stepping(gateway) as pilot:
        for sign, name in [("/", "slash"), ("f", "f"), ("a", "a"), ("n", "n")]:
            pilot.app.post_message(events.Key(name, sign))
        await settle(pilot)
        line = pilot.app.screen.query_one("#step-search", Input)
        assert (line.value, place(pilot)) == ("fan", Place(0, 1))
        assert saved(gateway) == []


async def test_a_search_that_is_given_up_leaves_the_one_before() -> None:
    async with stepping(gateway_with_a_run()) as pilot:
        await press(pilot, "/", *"1974", "enter", "/", "x", "escape")
        assert place(pilot) == Place(0, 3)
        assert "find: 1974 1 of 2 (< >)" in text_of(pilot)


async def test_typing_finds_what_stands_only_before_the_place_in_hand() -> None:
    async with stepping(gateway_with_a_run()) as pilot:
        await press(pilot, "n", "n", "/", *"orla", "enter")
        assert place(pilot) == Place(0, 2)


async def test_l_goes_from_likely_claim_to_likely_claim() -> None:
    sure = passed_sample()
    claim = sure.claims[0]
    doubted = claim.verdict.model_copy(update={"band": "review"})
    key = sure.key.model_copy(update={"provider": "cedar"})
    claims = (claim.model_copy(update={"verdict": doubted}),)
    likely = sure.model_copy(update={"key": key, "claims": claims})
    assert likely.claims[0].verdict.is_likely
    async with stepping(gateway_with(failed_sample(), sure, likely)) as pilot:
        await press(pilot, "l")
        assert place(pilot) == Place(2, 0)
        assert "◐ likely" in text_of(pilot)
        await press(pilot, "l")
        assert "No further claim that is only likely." in told(pilot)


async def test_s_goes_to_the_next_claim_on_the_same_page() -> None:
    other = failed_sample()
    far = other.claims[1]
    elsewhere = far.verdict.evidence[0].model_copy(update={"page_id": "PMID:5"})
    verdict = far.verdict.model_copy(update={"evidence": (elsewhere,)})
    changed = other.model_copy(
        update={
            "claims": (
                other.claims[0],
                far.model_copy(update={"verdict": verdict}),
                other.claims[2],
            )
        }
    )
    async with stepping(gateway_with(changed, passed_sample())) as pilot:
        await press(pilot, "k", "s")
        assert place(pilot) == Place(0, 2)
        await press(pilot, "s")
        assert place(pilot) == Place(1, 0)
        await press(pilot, "s")
        assert "No further claim rests on PMID:99000007." in told(pilot)
        await press(pilot, "S", "S")
        assert place(pilot) == Place(0, 0)
        await press(pilot, "j", "s")
        assert "No further claim rests on PMID:5." in told(pilot)


async def test_what_rests_on_no_page_says_so() -> None:
    async with stepping(gateway_with(empty_sample())) as pilot:
        await press(pilot, "s")
        assert "rests on no page" in told(pilot)


def disagreeing() -> SampleResult:
    """A claim of which two pages say different things."""
    sample = passed_sample()
    other = Evidence(
        page_id="PMID:99000008",
        index=3,
        text="The Varn reservoir was filled in 1976.",
        start=0,
        end=38,
        title="Dams of the north",
        similarity=0.8,
    )
    result = sample.claims[0]
    verdict = result.verdict.model_copy(
        update={
            "label": Label.UNSCORED,
            "unscored_reason": "sources conflict",
            "conflicting": (other,),
        }
    )
    return sample.model_copy(
        update={
            "claims": (result.model_copy(update={"verdict": verdict}),),
            "passed": None,
        }
    )


async def test_the_filter_finds_claims_that_sources_disagree_on() -> None:
    async with stepping(gateway_with(failed_sample(), disagreeing())) as pilot:
        await press(pilot, "f")
        assert "sources disagree (1)" in text_of(pilot)
        await press(pilot, "end", "enter")
        assert place(pilot) == Place(1, 0)
        shown = text_of(pilot)
        assert "only: sources disagree" in shown
        assert "Speaks against it Dams of the north PMID:99000008:S:3" in shown
        check_snapshot(pilot, "stepper_conflict")


def iterations() -> list[SampleResult]:
    """One case three times, of which one failed; another that failed each time."""
    found = []
    for number, passed in ((1, True), (2, False), (3, True)):
        sample = failed_sample() if not passed else passed_sample()
        key = passed_sample().key.model_copy(update={"iteration": number})
        found.append(sample.model_copy(update={"key": key}))
    for number in (1, 2, 3):
        key = empty_sample().key.model_copy(update={"iteration": number})
        found.append(empty_sample().model_copy(update={"key": key}))
    return found


async def test_the_filter_finds_samples_that_flip_over_iterations() -> None:
    gateway = gateway_with_iterations()
    async with stepping(gateway) as pilot:
        await press(pilot, "f")
        assert "unstable over iterations (3)" in text_of(pilot)
        await press(pilot, "end", "enter")
        assert place(pilot) == Place(1, 1)  # where it failed, at what failed
        await press(pilot, "n")
        assert place(pilot) == Place(2, 0)
        await press(pilot, "p", "p")
        assert place(pilot) == Place(0, 0)
        assert "only: unstable over iterations" in text_of(pilot)


def gateway_with_iterations() -> FakeGateway:
    gateway = gateway_with_a_run()
    gateway.runs = MemoryRunStore()
    writer = gateway.runs.create(run_header(total_samples=6, iterations=3))
    for sample in iterations():
        writer.save_sample(sample)
    writer.save_state("finished")
    writer.close()
    return gateway


def test_only_a_pass_beside_a_fail_is_unstable() -> None:
    gateway = gateway_with_iterations()
    rows = gateway.runs.read(RUN_ID).rows()
    assert unstable_cases(rows) == {("var-001", "birch")}
    unscored = [row for row in rows if row.passed is not False]
    assert unstable_cases(unscored) == frozenset()


def test_marks_beside_failures_do_not_make_a_failure() -> None:
    rows = Rows(iterations(), frozenset({("var-001", "birch")}))
    assert UNSTABLE in rows[0][0].marks and not rows[0][0].is_failure
    (item,) = items(disagreeing())
    assert item.matches(CONFLICT)


# --- many samples ---------------------------------------------------------------


class Shelved(Sequence[SampleResult]):
    """Samples with light rows; counts which are read."""

    def __init__(self, samples: Sequence[SampleResult]) -> None:
        store = MemoryRunStore()
        writer = store.create(run_header(total_samples=len(samples)))
        for sample in samples:
            writer.save_sample(sample)
        self._rows = store.read(RUN_ID).rows()
        self._samples = samples
        self.read: list[int] = []

    def row(self, place: int) -> SampleRow:
        return self._rows[place]

    def __len__(self) -> int:
        return len(self._samples)

    @overload
    def __getitem__(self, place: int) -> SampleResult: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[SampleResult]: ...

    def __getitem__(self, place: int | slice) -> SampleResult | Sequence[SampleResult]:
        if isinstance(place, slice):
            return self._samples[place]
        self.read.append(place)
        return self._samples[place]


def many(number: int) -> list[SampleResult]:
    """Passed samples of many cases; the last one failed."""
    found = []
    for n in range(number):
        sample = failed_sample() if n == number - 1 else passed_sample()
        key = sample.key.model_copy(update={"case_id": f"case-{n:04}"})
        found.append(sample.model_copy(update={"key": key}))
    return found


def test_samples_that_cannot_hold_what_is_wanted_are_not_read() -> None:
    from claimscope.core.models import FailureKind

    shelved = Shelved(many(50))
    rows = Rows(shelved)
    found = next_failure(rows, Place(0, 0), 1, FailureKind.CONTRADICTED)
    assert found == Place(49, 1)
    assert shelved.read == [0, 49]
    assert rows.counts()[FailureKind.CONTRADICTED] == 1


def test_a_search_stops_after_so_many_samples_and_goes_on_from_there() -> None:
    shelved = Shelved(many(50))
    rows, at = Rows(shelved), Place(0, 0)
    sightings = 0
    while True:
        sighting = seek(rows, at, 1, lambda _, item: item.kind == "missing", most=20)
        sightings += 1
        if sighting.rest is None:
            break
        at = sighting.rest
    assert sighting.found == Place(49, 3)
    assert sightings == 3
    assert set(shelved.read) == set(range(50))
    back = seek(rows, Place(49, 0), -1, lambda sample, _: sample == 3, most=20)
    assert back.rest is not None
    assert seek(rows, back.rest, -1, lambda n, _: n == 3).found == Place(3, 0)


async def test_a_long_search_goes_on_in_the_background(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("claimscope.tui.screens.stepper.screen.SOON", 5)
    async with stepping(gateway_with(*many(30))) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, StepperScreen)
        await press(pilot, "[", "[", "[")
        screen.place = Place(0, 0)
        await press(pilot, "/", *"orla", "enter")
        assert place(pilot) == Place(29, 2)


async def test_a_sample_that_cannot_be_read_is_told_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with stepping(gateway_with_a_run()) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, StepperScreen)

        def gone(number: int) -> SampleResult:
            raise StoreError("The record is damaged.", "Run: claimscope runs repair")

        monkeypatch.setattr(screen.state.rows, "sample", gone)
        screen.state.rows._made.clear()
        await press(pilot, "]")
        assert "The record is damaged." in text_of(pilot)
        await press(pilot, *"njkauogrcwsfN", "[")
        assert "The record is damaged." in text_of(pilot)


# --- words in the answer ----------------------------------------------------------


async def test_an_overruled_claim_has_the_persons_sign_in_the_answer() -> None:
    async with stepping(gateway_with(overrulable())) as pilot:
        await press(pilot, "o", "s")
        assert "▶✔The reservoir holds 9 million" in text_of(pilot)
        await press(pilot, "u")
        assert "▶✘The reservoir holds 9 million" in text_of(pilot)


# --- scripts of the world -----------------------------------------------------------


def in_script(sentences: Sequence[str]) -> SampleResult:
    """An answer of these sentences, each a claim, the second one contradicted."""
    text = " ".join(sentences)
    results = [
        claim(
            text,
            part,
            number,
            label=Label.CONTRADICTED if number == 1 else Label.SUPPORTED,
            evidence=(evidence(0, text=part, before=part, after=part, title=part),),
        )
        for number, part in enumerate(sentences)
    ]
    sample = passed_sample()
    answer = sample.answer.model_copy(update={"text": text})
    case = sample.case.model_copy(update={"question": sentences[0]})
    key = sample.key.model_copy(update={"provider": sentences[0][:6]})
    return sample.model_copy(
        update={
            "claims": tuple(results),
            "answer": answer,
            "case": case,
            "key": key,
            "passed": False,
            "failures": (),
        }
    )


CHINESE = ("水库建于一九七四年，" * 6 + "。", "它的容量为九百万立方米" * 9 + "。")
ARABIC = ("امتلأ الخزان في عام 1974. " * 5, "يبلغ ارتفاع السد ثمانية وثلاثين مترا " * 9)
JOINED = ("👩‍🔬 می‌شود " * 9, "नदी का पानी ऊँचा है " * 12)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("sentences", [CHINESE, ARABIC, JOINED])
async def test_lines_of_any_script_keep_to_the_width(
    sentences: Sequence[str], size: tuple[int, int]
) -> None:
    stripped = [sentence.strip() for sentence in sentences]
    async with stepping(gateway_with(in_script(stripped)), size=size) as pilot:
        assert place(pilot) == Place(0, 1)
        for pane in pilot.app.screen.query(Document):
            width = pane.scrollable_content_region.width
            for line in pane.lines:
                assert cell_len("".join(piece.text for piece in line)) <= width
        answer = pilot.app.screen.query_one("#step-answer", Document)
        current = "".join(
            piece.text
            for line in answer.lines
            for piece in line
            if piece.has("current")
        )
        sign, shown = current[:2], current[2:]
        assert sign == "▶✘"
        assert "".join(shown.split()) == "".join(stripped[1].split())
        top = round(answer.scroll_y)
        height = answer.scrollable_content_region.height
        in_sight = answer.lines[top : top + height]
        assert any(piece.has("current") for line in in_sight for piece in line)
        if sentences is CHINESE and size == (80, 24):
            check_snapshot(pilot, "stepper_wide_letters")


async def test_a_claim_longer_than_the_screen_can_be_read_to_its_end() -> None:
    long = "The reservoir was filled " + "slowly and " * 300 + "in 1974"
    sample = in_script(["It is large.", long])
    async with stepping(gateway_with(sample)) as pilot:
        assert place(pilot) == Place(0, 1)
        await press(pilot, "end")
        assert "Verdict by evidence-1" in text_of(pilot)
        await press(pilot, "tab", "end")
        assert "and in 1974" in " ".join(lines_of(pilot)[5:14])
