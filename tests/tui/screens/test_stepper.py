"""Stepping, agreeing, overruling, taking back, filtering: what is shown and kept."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot

from claimscope.core.errors import StoreError
from claimscope.core.models import (
    HumanVerdict,
    Label,
    SampleResult,
    Score,
    ScoreSpan,
)
from claimscope.tui.review.cursor import Place
from claimscope.tui.screens.stepper.screen import StepperScreen
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.glyphs import ASCII
from tests.tui.gateways import FakeGateway
from tests.tui.pictures import check_pictures
from tests.tui.pilot import (
    app_on,
    check_snapshot,
    lines_of,
    press,
    settle,
    text_of,
    told,
)
from tests.tui.sample_run import (
    PAGE,
    RUN_ID,
    failed_sample,
    finished_run,
    run_header,
)


@asynccontextmanager
async def stepping(
    gateway: FakeGateway, size: tuple[int, int] = (80, 24), **options: object
) -> AsyncIterator[Pilot[None]]:
    """The app on the stepper of the run of `gateway`."""
    app = app_on(gateway, open_run=RUN_ID, step=True, **options)
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, StepperScreen)
        yield pilot


def gateway_with_a_run() -> FakeGateway:
    gateway = FakeGateway(pages={PAGE.page_id: PAGE})
    finished_run(gateway.runs)
    return gateway


def gateway_with(*samples: SampleResult) -> FakeGateway:
    """A gateway with a finished run of these samples."""
    gateway = FakeGateway(pages={PAGE.page_id: PAGE})
    writer = gateway.runs.create(run_header(total_samples=len(samples)))
    for sample in samples:
        writer.save_sample(sample)
    writer.save_state("finished")
    writer.close()
    return gateway


def saved(gateway: FakeGateway) -> list[HumanVerdict]:
    """What the run's record holds, read afresh."""
    return list(gateway.runs.read(RUN_ID).human_verdicts())


def place(pilot: Pilot[None]) -> Place:
    screen = pilot.app.screen
    assert isinstance(screen, StepperScreen)
    return screen.place


async def test_it_opens_on_the_first_failure_with_its_evidence() -> None:
    async with stepping(gateway_with_a_run()) as pilot:
        shown = text_of(pilot)
        where = "Reservoirs of Varn · 20261127-120000-ab12 · var-001 · alder"
        assert f"{where} sample 1 of 4 ✘ failed by claims Q How large" in shown
        signs = "✔ supported ◐ likely ✘ contradicted ? not enough info – unscored"
        assert f"answer {signs}" in shown
        assert "▶✘The reservoir holds 9 million cubic metres" in shown
        assert "✔The dam is 38 metres high [PMID:99000007, S:2]" in shown
        assert "✘ contradicted support 0.08" in shown
        assert "✘ number answer: 9 million ≠ page: 4.2 million" in shown
        assert "Water storage at Varn PMID:99000007:S:1" in shown
        assert "filled in 1974. It holds 4.2 million cubic metres when full." in shown
        check_snapshot(pilot, "stepper")
        await check_pictures(pilot, "stepper")


async def test_on_a_wide_screen_answer_and_evidence_stand_side_by_side() -> None:
    async with stepping(gateway_with_a_run(), size=(120, 40)) as pilot:
        title = next(line for line in lines_of(pilot) if "─answer" in line)
        assert "claim  ? not enough info  – unscored" in title
        shown = lines_of(pilot)
        at = next(n for n, line in enumerate(shown) if "all of this sample" in line)
        assert shown[at + 2].startswith("✘    claim     The reservoir holds 9 million")
        check_snapshot(pilot, "stepper_wide")


async def test_the_matching_words_and_the_conflict_are_emphasised() -> None:
    async with stepping(gateway_with_a_run()) as pilot:
        pane = pilot.app.screen.query_one("#step-finding", Document)
        pieces = [piece for line in pane.lines for piece in line]
        assert "4.2 million" in [p.text for p in pieces if p.has("conflict")]
        assert "9 million" in [p.text for p in pieces if p.has("conflict")]
        assert "metres" in [p.text for p in pieces if p.has("matched")]
        dim = " ".join(piece.text for piece in pieces if piece.has("dim"))
        assert "was filled in 1974." in dim


async def test_n_and_p_go_from_failure_to_failure_across_samples() -> None:
    async with stepping(gateway_with_a_run()) as pilot:
        seen = [place(pilot)]
        for _ in range(7):
            await press(pilot, "n")
            seen.append(place(pilot))
        assert [(p.sample, p.item) for p in seen] == [
            (0, 1),
            (0, 2),
            (0, 3),
            (0, 5),
            (0, 6),
            (0, 7),
            (2, 0),
            (3, 0),
        ]
        assert "Ollama does not answer at 127.0.0.1:11434 (3 tries)." in text_of(pilot)
        await press(pilot, "n")
        assert place(pilot) == seen[-1]
        assert "No further failure" in told(pilot)
        await press(pilot, "p")
        assert place(pilot) == Place(2, 0)
        assert "(the answer is empty)" in text_of(pilot)


async def test_every_item_can_be_reached_and_says_what_it_is() -> None:
    says = [
        "✔ supported support 0.97",
        "✘ contradicted",
        "? not enough info",
        "✘ required claim is missing A good answer says The reservoir was filled",
        "✔ citation valid [PMID:99000007, S:2]",
        "✘ citation broken [PMID:404, S:1] does not exist There is no page PMID:404",
        "✘ faithfulness: 2 of 5 Reason A figure is wrong.",
        "– completeness: unscored the reply was cut",
        "· not judged: greeting Good question!",
        "· not judged: offer Let me know",
        "var-001 · birch sample 2 of 4 ✔ passed by claims Q",
    ]
    async with stepping(gateway_with_a_run()) as pilot:
        await press(pilot, "k")
        for expected in says:
            assert expected in text_of(pilot)
            await press(pilot, "j")


async def test_brackets_go_from_sample_to_sample() -> None:
    async with stepping(gateway_with_a_run()) as pilot:
        await press(pilot, "]", "]")
        assert place(pilot) == Place(2, 0)
        await press(pilot, "[")
        assert place(pilot) == Place(1, 0)
        assert "sample 2 of 4" in text_of(pilot)


async def test_agreeing_is_saved_at_once_and_the_next_failure_follows() -> None:
    gateway = gateway_with_a_run()
    async with stepping(gateway) as pilot:
        await press(pilot, "a")
        (word,) = saved(gateway)
        assert (word.machine, word.human) == (Label.CONTRADICTED, Label.CONTRADICTED)
        assert (str(word.sample), word.claim_index) == ("var-001/alder/1", 1)
        assert (word.at, word.by) == ("2026-11-27T14:00:00Z", "tester")
        assert place(pilot) == Place(0, 2)
        assert "you: 1 agreed, 0 overruled" in text_of(pilot)


async def test_overruling_keeps_label_and_note() -> None:
    gateway = gateway_with_a_run()
    async with stepping(gateway) as pilot:
        await press(pilot, "o")
        assert "The machine says ✘ contradicted. You say:" in text_of(pilot)
        check_snapshot(pilot, "overrule")
        await press(pilot, "down", "tab", *"both", "enter")
        (word,) = saved(gateway)
        assert word.human is Label.NOT_ENOUGH_INFO
        assert word.note == "both"
        await press(pilot, "k")
        assert "You overruled: ? not enough info note: both" in text_of(pilot)
        assert "you: 0 agreed, 1 overruled" in text_of(pilot)


async def test_a_letter_overrules_at_once_and_escape_changes_nothing() -> None:
    gateway = gateway_with_a_run()
    async with stepping(gateway) as pilot:
        await press(pilot, "o", "escape")
        assert saved(gateway) == []
        await press(pilot, "o", "s")
        assert [word.human for word in saved(gateway)] == [Label.SUPPORTED]
        assert place(pilot) == Place(0, 2)


@pytest.mark.parametrize("theme", ["claimscope-monochrome", "claimscope-ansi"])
async def test_a_dialog_in_the_terminals_own_colours_hides_no_claim(theme: str) -> None:
    async with stepping(gateway_with_a_run(), theme=theme) as pilot:
        await press(pilot, "o")
        shown = text_of(pilot)
        assert "The machine says" in shown
        assert "✔The dam is 38 metres high" in shown


async def test_scores_and_outcome_follow_a_word_at_once_and_go_back() -> None:
    gateway = gateway_with(overrulable())
    async with stepping(gateway) as pilot:
        assert "✘ failed by claims Q" in text_of(pilot)
        assert "claim_support 0.50" in text_of(pilot)
        await press(pilot, "o", "s")
        assert "✔ passed by claims (machine: ✘ failed) Q" in text_of(pilot)
        assert "claim_support 1.00 (machine 0.50)" in text_of(pilot)
        check_snapshot(pilot, "stepper_overruled")
        await press(pilot, "u")
        assert "✘ failed by claims Q" in text_of(pilot)
        assert "(machine" not in text_of(pilot)


async def test_what_states_no_fact_is_no_claim() -> None:
    gateway = gateway_with(overrulable())
    async with stepping(gateway) as pilot:
        await press(pilot, "o", "f")
        (word,) = saved(gateway)
        assert (word.human, word.is_claim) == (Label.UNSCORED, False)
        assert word.claim == "The reservoir holds 9 million cubic metres"
        assert "You overruled: · states no fact, not a claim" in text_of(pilot)
        assert "✔ passed by claims (machine: ✘ failed)" in text_of(pilot)


async def test_a_word_of_somebody_else_is_theirs_to_take_back() -> None:
    gateway = gateway_with(overrulable())
    async with stepping(gateway, by="ann") as pilot:
        await press(pilot, "o", "s")
    async with stepping(gateway) as pilot:
        await press(pilot, "u")
        assert "That word is of ann" in told(pilot)
        await press(pilot, "o", "n")
        assert "✘ failed by claims Q" in text_of(pilot)
        await press(pilot, "u")
        assert [(w.by, w.human) for w in saved(gateway)][-1] == ("tester", None)
        assert "✔ passed by claims (machine: ✘ failed)" in text_of(
            pilot
        )  # ann's stands again


def overrulable() -> SampleResult:
    """Two claims, one contradicted, which is all that is wrong; scores are real."""
    sample = failed_sample()
    claims = sample.claims[:2]
    scores = [
        Score(metric="claim_support", value=0.5),
        Score(metric="hallucination_rate", value=0.5),
    ]
    of_claims = [f for f in sample.failures if f.claim_index == 1]
    return sample.model_copy(
        update={
            "claims": claims,
            "scores": tuple(scores),
            "failures": tuple(of_claims),
            "required_claims": (),
            "citations": (),
            "grades": (),
        }
    )


async def test_undo_takes_back_the_last_word_and_goes_back_to_it() -> None:
    gateway = gateway_with_a_run()
    async with stepping(gateway) as pilot:
        await press(pilot, "a", "p", "o", "s", "u")
        assert place(pilot) == Place(0, 1)
        words = saved(gateway)
        contradicted, supported = Label.CONTRADICTED, Label.SUPPORTED
        assert [w.human for w in words] == [contradicted, supported, contradicted]
        assert "you: 1 agreed, 0 overruled" in text_of(pilot)
        await press(pilot, "u")
        assert saved(gateway)[-1].human is None
        assert "You agreed" not in text_of(pilot)


async def test_undo_reaches_a_word_of_an_earlier_sitting() -> None:
    gateway = gateway_with_a_run()
    async with stepping(gateway) as pilot:
        await press(pilot, "a")
    async with stepping(gateway) as pilot:
        assert place(pilot) == Place(0, 2)  # the first claim without a word
        await press(pilot, "k")
        assert "You agreed: ✘ contradicted" in text_of(pilot)
        await press(pilot, "u")
        assert [word.human for word in saved(gateway)] == [Label.CONTRADICTED, None]
        await press(pilot, "u")
        assert "no word of yours" in told(pilot)
        assert len(saved(gateway)) == 2


async def test_a_note_is_kept_and_can_be_changed() -> None:
    gateway = gateway_with_a_run()
    async with stepping(gateway) as pilot:
        await press(pilot, "N", *"odd", "enter")
        assert [(w.human, w.note) for w in saved(gateway)] == [(None, "odd")]
        assert "note: odd" in text_of(pilot)
        await press(pilot, "N", *"er", "enter")
        assert saved(gateway)[-1].note == "odder"


async def test_only_claims_take_a_word() -> None:
    gateway = gateway_with_a_run()
    async with stepping(gateway) as pilot:
        await press(pilot, "n", "n", "n", "a", "o", "N")
        assert saved(gateway) == []
        assert "Only a claim" in told(pilot)


async def test_a_missing_claim_can_be_overruled_and_agreed_with() -> None:
    gateway = gateway_with_a_run()
    async with stepping(gateway) as pilot:
        await press(pilot, "n", "n", "o")
        assert "The machine says ? missing from the answer. You say:" in text_of(pilot)
        assert "s ✔ the answer says it" in text_of(pilot)
        assert "x – nobody can tell" in text_of(pilot)
        check_snapshot(pilot, "overrule_missing")
        await press(pilot, "s")
        (word,) = saved(gateway)
        assert (word.required, word.claim_index) == (True, 0)
        assert (word.machine, word.human) == (Label.NOT_ENOUGH_INFO, Label.SUPPORTED)
        assert place(pilot) == Place(0, 5)
        await press(pilot, "p")
        assert "You overruled: ✔ the answer says it" in text_of(pilot)
        assert "missing ✔" in text_of(pilot)
        await press(pilot, "u", "a")
        assert [w.human for w in saved(gateway)][1:] == [None, Label.NOT_ENOUGH_INFO]
        await press(pilot, "p")
        assert "You agreed: ? missing from the answer" in text_of(pilot)


async def test_all_that_is_stepped_through_is_agreed_with_and_taken_back() -> None:
    gateway = gateway_with_a_run()
    async with stepping(gateway) as pilot:
        await press(pilot, "o", "s", "A")  # one has a word already
        shown = text_of(pilot)
        assert "Agree with 2 verdicts of 1 sample?" in shown
        assert "y yes: 1 not enough info, 1 missing" in shown
        check_snapshot(pilot, "agree_all")
        await press(pilot, "enter")  # no is offered first
        assert len(saved(gateway)) == 1
        await press(pilot, "A", "y")
        assert [(w.claim_index, w.required) for w in saved(gateway)][1:] == [
            *((2, False), (0, True))
        ]
        assert all(word.is_agreement for word in saved(gateway)[1:])
        assert "you: 2 agreed, 1 overruled" in text_of(pilot)
        await press(pilot, "A")
        assert "No failure is without a word." in told(pilot)
        await press(pilot, "u")
        assert "Took back 2 words." in told(pilot)
        assert [word.human for word in saved(gateway)][3:] == [None, None]
        assert "you: 0 agreed, 1 overruled" in text_of(pilot)
        await press(pilot, "u")
        assert "you:" not in text_of(pilot)


async def test_only_the_kind_that_is_filtered_for_is_agreed_with() -> None:
    gateway = gateway_with_a_run()
    async with stepping(gateway) as pilot:
        await press(pilot, "f", *["down"] * 3, "enter")
        assert "only: contradicted claim" in text_of(pilot)
        await press(pilot, "A", "y")
        assert [word.machine for word in saved(gateway)] == [Label.CONTRADICTED]


async def test_a_word_that_cannot_be_saved_is_not_shown_as_saved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gateway = gateway_with_a_run()
    async with stepping(gateway) as pilot:

        def full(*verdicts: HumanVerdict) -> None:
            raise StoreError("The disk is full.", "Make room.")

        screen = pilot.app.screen
        assert isinstance(screen, StepperScreen)
        monkeypatch.setattr(screen._reader, "save_human", full)
        await press(pilot, "a")
        assert "The disk is full." in told(pilot)
        assert place(pilot) == Place(0, 1)
        assert "agreed" not in text_of(pilot)
        await press(pilot, "A", "y")
        assert "agreed" not in text_of(pilot)
        assert "takes them back" not in told(pilot)


async def test_the_filter_steps_through_one_kind_of_failure() -> None:
    async with stepping(gateway_with_a_run()) as pilot:
        await press(pilot, "f")
        assert "broken citation (1)" in text_of(pilot)
        await press(pilot, "down", "down", "enter")
        assert "only: broken citation" in text_of(pilot)
        assert place(pilot) == Place(0, 5)
        await press(pilot, "n")
        assert "No further broken citation" in told(pilot)
        await press(pilot, "f", "home", "enter", "n")
        assert place(pilot) == Place(0, 6)


async def test_the_page_is_shown_in_full_with_the_sentence_marked() -> None:
    async with stepping(gateway_with_a_run()) as pilot:
        await press(pilot, "g")
        shown = text_of(pilot)
        assert "journal" not in shown and "published: 2024-05-02" in shown
        assert "▶ It holds 4.2 million cubic metres when full." in shown
        assert "Fishing is allowed" in shown
        check_snapshot(pilot, "page")
        await press(pilot, "escape")
        assert place(pilot) == Place(0, 1)


async def test_a_long_page_is_scrolled_to_the_sentence_marked() -> None:
    rest = "".join(f"\n\nMore of the valley, part {n}." for n in range(60))
    gateway = gateway_with_a_run()
    before = "".join(f"Of the valley before, part {n}.\n\n" for n in range(60))
    gateway.pages[PAGE.page_id] = PAGE.model_copy(
        update={"text": before + PAGE.text + rest}
    )
    async with stepping(gateway) as pilot:
        await press(pilot, "g")
        shown = text_of(pilot)
        assert "▶ It holds 4.2 million cubic metres when full." in shown
        assert "published" not in shown


async def test_a_page_that_is_gone_is_named() -> None:
    gateway = gateway_with_a_run()
    gateway.pages.clear()
    async with stepping(gateway) as pilot:
        await press(pilot, "g")
        assert "PMID:99000007 is not in varn." in text_of(pilot)


async def test_the_raw_prompt_and_reply_are_shown() -> None:
    async with stepping(gateway_with_a_run()) as pilot:
        await press(pilot, "r")
        shown = text_of(pilot)
        assert "Is it so?" in shown
        assert "raw reply Yes" in shown
        assert "temperature 0, seed 7" in shown
        check_snapshot(pilot, "calls")
        await press(pilot, "escape", "n", "r")
        assert "No language model was asked" in told(pilot)


async def test_copy_gives_claim_verdict_and_evidence() -> None:
    async with stepping(gateway_with_a_run()) as pilot:
        await press(pilot, "c")
        assert pilot.app.clipboard == (
            "contradicted: The reservoir holds 9 million cubic metres\n"
            "[PMID:99000007:S:1] It holds 4.2 million cubic metres when full."
        )


async def test_foreign_text_is_inert() -> None:
    evil = "\x1b]0;title\x07[bold]Its[/bold] keeper is called Orla [PMID:1, S:2]"
    sample = failed_sample()
    text = sample.answer.text.replace("Good question!", evil)
    answer = sample.answer.model_copy(update={"text": text})
    case = sample.case.model_copy(update={"question": "Why \x1b[2J [red]so[/red]?"})
    changed = sample.model_copy(update={"answer": answer, "case": case, "claims": ()})
    async with stepping(gateway_with(changed)) as pilot:
        shown = text_of(pilot)
        assert "␛]0;title␇[bold]Its[/bold] keeper" in shown
        assert "[PMID:1, S:2]" in shown
        assert "Why ␛[2J [red]so[/red]?" in shown
        assert "\x1b" not in shown


async def test_a_long_answer_is_scrolled_to_the_claim_in_hand() -> None:
    sample = failed_sample()
    filler = "The weather in the valley is mild in spring. " * 80
    shift = len(filler)
    claims = tuple(
        result.model_copy(
            update={
                "claim": result.claim.model_copy(
                    update={
                        "start": result.claim.start + shift,
                        "end": result.claim.end + shift,
                    }
                )
            }
        )
        for result in sample.claims
    )
    changed = sample.model_copy(
        update={
            "answer": sample.answer.model_copy(
                update={"text": filler + sample.answer.text}
            ),
            "claims": claims,
            "citations": (),
            "skipped": (),
        }
    )
    async with stepping(gateway_with(changed)) as pilot:
        await press(pilot, "n", "n")
        assert "▶?Its keeper is called Orla" in text_of(pilot)


async def test_spans_outside_of_the_answer_break_nothing() -> None:
    sample = failed_sample()
    short = sample.answer.model_copy(update={"text": "The dam."})
    async with stepping(
        gateway_with(sample.model_copy(update={"answer": short}))
    ) as pilot:
        assert "The dam." in text_of(pilot)
        await press(pilot, "n", "n", "n", "j")


async def test_a_run_without_samples_says_so() -> None:
    async with stepping(gateway_with()) as pilot:
        assert "no finished sample yet" in text_of(pilot)
        await press(pilot, "n", "p", "j", "k", "]", "[", "a", "g", "r", "c", "u")
        assert "no finished sample yet" in text_of(pilot)


async def test_without_utf8_every_sign_of_ours_is_ascii() -> None:
    async with stepping(gateway_with_a_run(), glyphs=ASCII) as pilot:
        shown = text_of(pilot)
        assert ">xThe reservoir holds 9 million cubic metres" in shown
        assert "x contradicted" in shown
        assert [char for char in shown if not char.isascii()] == []
        await press(pilot, "o")  # a dialog and its line
        assert "note (tab to get here)" in text_of(pilot)
        assert [char for char in text_of(pilot) if not char.isascii()] == []


async def test_every_key_is_on_the_screen_or_in_the_help() -> None:
    async with stepping(gateway_with_a_run()) as pilot:
        bar = lines_of(pilot)[-1]
        for part in ("n/p failure", "j/k claim", "]/[ sample", "a agree", "o overrule"):
            assert part in bar
        assert bar.endswith("esc back  ? more keys")
        await press(pilot, "?")
        for pane in ("Next failure", "Take back the last word given"):
            assert pane in text_of(pilot)
        check_snapshot(pilot, "help")
        await check_pictures(pilot, "help")


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (120, 40), (30, 8)])
async def test_any_size_is_survived(size: tuple[int, int]) -> None:
    async with stepping(gateway_with_a_run(), size=size) as pilot:
        await press(pilot, *"nnjjg")
        await pilot.resize_terminal(100, 30)
        await settle(pilot)
        assert len(lines_of(pilot)) == 30


def covered_sample() -> SampleResult:
    """Its answer begins with a sentence that the page has; the rest it has not."""
    sample = failed_sample()
    text = sample.answer.text
    end = text.index(".") + 1
    has = ScoreSpan(
        kind="matched",
        text=text[:end],
        start=0,
        end=end,
        source="PMID:99000007:S:0",
        value=0.93,
        note="The Varn reservoir was filled in 1974.",
    )
    lacks = ScoreSpan(
        kind="unmatched", text=text[end + 1 :], start=end + 1, end=len(text)
    )
    percent = 100 * end / (len(text) - 1)
    score = Score(
        metric="highlights", value=percent, scale=(0, 100), evidence=(has, lacks)
    )
    return sample.model_copy(update={"scores": (*sample.scores, score)})


async def test_the_answer_is_painted_by_what_the_ground_truth_has() -> None:
    sample = covered_sample()
    first = sample.answer.text.split(".")[0]
    async with stepping(gateway_with(sample), (100, 40)) as pilot:
        before = text_of(pilot)
        await press(pilot, "v")
        shown = text_of(pilot)
        assert f"✔1 {first}." in shown
        assert "✔ 1 PMID:99000007:S:0, 0.93: “The Varn reservoir was filled" in shown
        assert "no sentence has: " in shown
        await press(pilot, "v")
        assert text_of(pilot) == before


async def test_a_run_without_highlights_says_how_to_have_them() -> None:
    async with stepping(gateway_with_a_run()) as pilot:
        await press(pilot, "v")
        assert "highlights was not asked for in this run" in text_of(pilot)
