"""Several judges on screen: each word under the verdict, and a filter on disputes."""

from __future__ import annotations

from textual.pilot import Pilot

from claimscope.core.models import (
    Grade,
    GradeVote,
    Label,
    SampleResult,
    Vote,
)
from claimscope.tui.review.cursor import Rows
from claimscope.tui.review.items import DISPUTED, Item, items
from claimscope.tui.screens.stepper.screen import StepperScreen
from claimscope.tui.widgets.glyphs import ASCII
from tests.doubles.fakes import call
from tests.tui.gateways import FakeGateway
from tests.tui.pilot import app_on, check_snapshot, press, settle, text_of, told
from tests.tui.sample_run import (
    PAGE,
    RUN_ID,
    failed_sample,
    passed_sample,
    run_header,
)

SMALL, LARGE = "small:1b", "large:9b"
NASTY = "[b]x[/b]\x1b[31m"
"""A model's reason that would like to draw."""


def with_votes(sample: SampleResult, number: int, *votes: Vote) -> SampleResult:
    """The sample with what several judges said of one of its claims."""
    claims = list(sample.claims)
    keys = tuple(key for vote in votes for key in vote.call_keys)
    verdict = claims[number].verdict.model_copy(
        update={
            "votes": votes,
            "verifier": "panel-majority",
            "model": f"{SMALL}, {LARGE}",
            "call_keys": keys,
        }
    )
    claims[number] = claims[number].model_copy(update={"verdict": verdict})
    return sample.model_copy(update={"claims": tuple(claims)})


def agreed() -> SampleResult:
    """A failed sample in which both judges say the same of its second claim."""
    votes = [
        Vote(judge=judge, label=Label.CONTRADICTED, support=0.1, reason="It is 4.2.")
        for judge in (SMALL, LARGE)
    ]
    return with_votes(failed_sample(), 1, *votes)


def disputed() -> SampleResult:
    """A sample that passed, though one judge did not support its claim."""
    sample = with_votes(
        passed_sample(),
        0,
        Vote(
            judge=SMALL,
            label=Label.NOT_ENOUGH_INFO,
            support=0.31,
            reason=NASTY
            + " no sentence gives the year of its filling in so many words",
            call_keys=("k1",),
        ),
        Vote(
            judge=LARGE,
            label=Label.SUPPORTED,
            support=0.97,
            reason="Sentence 0 gives the year.",
            call_keys=("k2",),
        ),
    )
    votes = (
        GradeVote(judge=SMALL, value=2, reason="thin", call_key="k1"),
        GradeVote(judge=LARGE, value=5, reason="all there", call_key="k2"),
    )
    grade = Grade(
        name="faithfulness", value=11 / 3, reason="Judges: 2, 5.", votes=votes
    )
    return sample.model_copy(update={"grades": (grade,)})


def gateway() -> FakeGateway:
    """A finished run of both."""
    made = FakeGateway(pages={PAGE.page_id: PAGE})
    writer = made.runs.create(run_header(total_samples=2))
    writer.save_call(call("k1", model=SMALL, reply="No"))
    writer.save_call(call("k2", model=LARGE, reply="Yes"))
    for sample in (agreed(), disputed()):
        writer.save_sample(sample)
    writer.save_state("finished")
    writer.close()
    return made


def here(pilot: Pilot[None]) -> tuple[int, Item | None]:
    """Sample and item in hand."""
    screen = pilot.app.screen
    assert isinstance(screen, StepperScreen)
    return screen.place.sample, screen.item


async def choose_disputed(pilot: Pilot[None]) -> None:
    """The last choice of the filter."""
    await press(pilot, "f", "end", "enter")


def test_a_disputed_claim_is_no_failure_and_may_be_asked_for() -> None:
    row = items(disputed())
    claim = row[0]
    assert claim.is_disputed and not claim.is_failure
    assert claim.matches(DISPUTED) and not claim.matches(None)
    assert not any(item.matches(DISPUTED) for item in items(agreed()))
    assert len(Rows([agreed(), disputed()])[1]) == len(row)


def test_disputes_are_counted_apart_and_last() -> None:
    counts = Rows([agreed(), disputed()]).counts()
    assert list(counts)[-1] == DISPUTED
    assert counts[DISPUTED] == 2  # a claim and a grade


async def test_the_filter_steps_through_disputes_of_samples_that_passed() -> None:
    app = app_on(gateway(), open_run=RUN_ID, step=True)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await choose_disputed(pilot)
        sample, item = here(pilot)
        assert sample == 1 and item is not None and item.kind == "claim"
        shown = text_of(pilot)
        assert "only: judges disagree" in shown
        assert "small:1b: ? not enough info 0.31: " in shown
        assert "large:9b: ✔ supported 0.97: Sentence 0 gives the year." in shown
        assert "claim ✔≠" in shown
        check_snapshot(pilot, "stepper_judges")
        await press(pilot, "n")
        _, item = here(pilot)
        assert item is not None and item.kind == "grade"
        shown = text_of(pilot)
        assert "faithfulness: 3.67 of 5" in shown
        assert "small:1b: 2 of 5: thin" in shown
        assert "2 model calls: r" in shown
        await press(pilot, "n")
        assert "No further claim or grade that judges disagree on." in told(pilot)


async def test_r_shows_the_calls_of_every_judge() -> None:
    app = app_on(gateway(), open_run=RUN_ID, step=True)
    async with app.run_test(size=(80, 60)) as pilot:
        await settle(pilot)
        await choose_disputed(pilot)
        await press(pilot, "r")
        shown = text_of(pilot)
        assert "Call 1 of 2 verify, small:1b" in shown
        assert "Call 2 of 2 verify, large:9b" in shown


async def test_what_judges_write_is_inert_and_ascii_has_a_sign_for_disputes() -> None:
    app = app_on(gateway(), open_run=RUN_ID, step=True, glyphs=ASCII)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await choose_disputed(pilot)
        shown = text_of(pilot)
        assert "[b]x[/b]" in shown
        assert "\x1b" not in shown
        assert "claim +!" in shown


async def test_results_keep_only_samples_that_judges_disagree_on() -> None:
    app = app_on(gateway(), open_run=RUN_ID)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "f", "end", "enter")
        assert "1 of 2 samples, judges disagree" in text_of(pilot)
        await press(pilot, "enter")
        assert here(pilot)[0] == 0
        assert "only: judges disagree" in text_of(pilot)
