"""Compare: what differs, what flipped, and the way to the claim behind it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from claimscope.core.errors import JournalDamaged
from claimscope.core.models import (
    Label,
    RequiredClaimResult,
    SampleKey,
    SampleResult,
    Score,
)
from claimscope.core.report.views.flips import Flip, flip_counts
from claimscope.stores.runs.memory import MemoryRunStore
from claimscope.tui.screens.compare.screen import CompareScreen
from claimscope.tui.screens.results.screen import ResultsScreen
from claimscope.tui.screens.stepper.screen import StepperScreen
from claimscope.tui.screens.trends import TrendsScreen
from claimscope.tui.widgets.glyphs import ASCII
from claimscope.tui.widgets.table import ScreenTable
from tests.doubles import fakes
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

OLD, NEW = "20261127-120000-ab12", "20261128-120000-cd34"
WRONG = "The reservoir holds 9 million cubic metres."


def a_run(
    gateway: FakeGateway, run_id: str, samples: Iterator[SampleResult], **fields: Any
) -> None:
    """A finished run."""
    done = list(samples)
    day = run_id[6:8]
    known = {"created": f"2026-11-{day}T12:00:00Z", "total_samples": len(done)}
    writer = gateway.runs.create(fakes.header(run_id, **{**known, **fields}))
    for sample in done:
        writer.save_sample(sample)
    writer.save_state("finished")
    writer.close()


def samples(lost: int, gained: int = 0) -> Iterator[SampleResult]:
    """Twelve cases, two providers: alpha fails the first `lost`, beta the last three
    but for `gained` of them."""
    for n in range(12):
        is_lost, is_won = n < lost, n >= 9 + gained
        bad, text = Label.CONTRADICTED, WRONG
        yield (
            fakes.sample(f"c{n:02}", label=bad, text=text)
            if is_lost
            else (fakes.sample(f"c{n:02}"))
        )
        yield (
            fakes.sample(f"c{n:02}", "beta", label=bad, text=text)
            if is_won
            else (fakes.sample(f"c{n:02}", "beta"))
        )


def gateway_with_two_runs(tmp_path: Path | None = None) -> FakeGateway:
    gateway = FakeGateway() if tmp_path is None else FakeGateway(folder=tmp_path)
    a_run(gateway, OLD, samples(0), model="oak:2b")
    a_run(gateway, NEW, samples(9, 1), model="elm:4b")
    return gateway


@asynccontextmanager
async def compare(
    gateway: FakeGateway,
    *keys: str,
    size: tuple[int, int] = (80, 24),
    run_id: str = NEW,
    **options: Any,
) -> AsyncIterator[Pilot[None]]:
    """The screen for a run, and keys pressed in the dialog that it opens with."""
    app = app_on(gateway, **options)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        pilot.app.push_screen(CompareScreen(app.context, run_id))
        await settle(pilot)
        await press(pilot, *keys)
        yield pilot


def rows(pilot: Pilot[None]) -> list[str]:
    """The flips on the screen, spaces squeezed."""
    lines = [" ".join(line.split()) for line in lines_of(pilot)]
    begin = next(n for n, line in enumerate(lines) if line.startswith("what A -> B"))
    return [line for line in lines[begin + 1 : -1] if line]


async def test_head_figures_and_flips_of_two_runs() -> None:
    async with compare(gateway_with_two_runs(), "enter") as pilot:
        shown = text_of(pilot)
        assert f"A {OLD} 2026-11-27 12:00 21 of 24 passed, 0 unscored" in shown
        assert "beyond noise: pass_rate ▼ worse" in shown
        assert "model: oak:2b -> elm:4b" in shown
        assert "pass_rate 0.875 0.542 -0.333 [" in shown
        assert "20 flips" in shown
        assert rows(pilot)[0].startswith("sample ✔ -> ✘ failed c00 alpha")
        check_snapshot(pilot, "compare")
        await check_pictures(pilot, "compare")


async def test_a_wide_screen_shows_both_verdicts_beside_the_flips() -> None:
    async with compare(gateway_with_two_runs(), "enter", size=(120, 40)) as pilot:
        await press(pilot, *["down"] * 10)
        shown = text_of(pilot)
        assert "A [✔ supported 0.95]" in shown
        assert "B [✘ contradicted 0.03]" in shown
        assert "noise floor" in shown
        check_snapshot(pilot, "compare_wide")


async def test_a_narrow_screen_shows_verdicts_in_place_of_figures() -> None:
    async with compare(gateway_with_two_runs(), "enter", "v") as pilot:
        shown = text_of(pilot)
        assert "both verdicts" in shown
        assert "failure only in B: claim is contradicted" in shown
        assert "95% interval" not in shown
        check_snapshot(pilot, "compare_verdicts")
        await press(pilot, "v")
        assert "95% interval" in text_of(pilot)


def tiered(case: str, value: float, tier: str, found: bool) -> SampleResult:
    score = Score(metric="accuracy", value=value, scale=(0, 100), tier=tier)
    required = RequiredClaimResult(
        text="It opened in 1952.", importance="required", found=found
    )
    fields = {"scores": (score,), "required_claims": (required,)}
    return fakes.sample(case).model_copy(update=fields)


def gateway_with_moved_tiers(tmp_path: Path, **after: Any) -> FakeGateway:
    """One score falls by two tiers with a claim that is lost, one rises, one stays."""
    gateway = FakeGateway(folder=tmp_path)
    before = (tiered("a", 86, "excellent", True), tiered("b", 50, "fair", True))
    later = (tiered("a", 64, "fair", False), tiered("b", 72, "good", True))
    same = tiered("c", 90, "excellent", True)
    a_run(gateway, OLD, iter((*before, same)))
    a_run(gateway, NEW, iter((*later, same)), **after)
    return gateway


async def test_tiers_that_moved_are_lines_with_the_claims_that_changed(
    tmp_path: Path,
) -> None:
    async with compare(gateway_with_moved_tiers(tmp_path), "enter") as pilot:
        title = str(
            pilot.app.screen.query_one("#compare-flips", ScreenTable).border_title
        )
        assert title == "1 flip, 2 tiers moved"
        shown = [line for line in rows(pilot) if line.startswith("tier")]
        assert [line[:43] for line in shown] == [
            "tier ▼ excellent -> fair a alpha accuracy 8",
            "tier ▲ fair -> good b alpha accuracy 50.0 -",
        ]
        await press(pilot, "v")
        details = text_of(pilot)
        assert "accuracy ▼ excellent -> fair (86.0 -> 64.0)" in details
        assert "required, found -> missing: It opened in 1952." in details
        check_snapshot(pilot, "compare_tiers")
        await press(pilot, "e", "enter")
        text = next((tmp_path / "exports").glob("compare-*.txt")).read_text("utf-8")
        assert "tiers that moved: 2, 1 of them down" in text
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, StepperScreen)


async def test_what_decides_a_pass_is_in_the_head(tmp_path: Path) -> None:
    """Once where both runs have one rule, beside each where they do not."""
    async with compare(gateway_with_moved_tiers(tmp_path), "enter") as pilot:
        assert text_of(pilot).count("passed by claims") == 1
    graded = {"settings": {"pass_rule": "grades"}, "judge": True}
    gateway = gateway_with_moved_tiers(tmp_path, **graded)
    async with compare(gateway, "enter") as pilot:
        shown = " ".join(text_of(pilot).split())
        assert "0 unscored passed by claims B 2026" in shown
        assert "0 unscored passed by grades (4 or more)" in shown


async def test_equal_runs_are_within_noise_and_nothing_flips() -> None:
    gateway = FakeGateway()
    a_run(gateway, OLD, samples(2))
    a_run(gateway, NEW, samples(2))
    async with compare(gateway, "enter") as pilot:
        shown = text_of(pilot)
        assert "≈ within noise: no figure differs by more than chance" in shown
        assert "changed between them: nothing" in shown
        assert "No sample and no claim flipped." in shown
        assert "≈ same" in shown


def test_claims_of_one_side_are_no_flips() -> None:
    key, what = SampleKey(case_id="c01", provider="p"), cast(Any, None)
    found = [Flip("worse", key, key, "a", what), Flip("only_a", key, None, "b", what)]
    assert flip_counts(found) == "1 flip, 1 claim of one side only"
    assert flip_counts(found[:1] * 2) == "2 flips"
    assert flip_counts(()) == "0 flips"


async def test_swapping_makes_worse_better() -> None:
    async with compare(gateway_with_two_runs(), "enter", "s") as pilot:
        shown = text_of(pilot)
        assert f"A {NEW}" in shown
        assert "pass_rate ▲ better" in shown
        assert rows(pilot)[0].startswith("sample ✔ -> ✘ failed c09 beta")


async def test_kind_and_text_narrow_the_list() -> None:
    async with compare(gateway_with_two_runs(), "enter") as pilot:
        await press(pilot, "f", "down", "down", "enter")
        assert "1 flip, 1 of 20 lines, samples that passed in B only" in text_of(pilot)
        assert rows(pilot) == ["sample ✘ -> ✔ passed c09 beta claim is contradicted"]
        await press(pilot, "f", "home", "enter", "/", *"c03")
        assert [row.split()[0] for row in rows(pilot)] == ["sample", "claim"]
        await press(pilot, *"zzz")
        assert "Nothing fits the filter" in text_of(pilot)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, CompareScreen)
        assert "20 flips" in text_of(pilot)


async def test_enter_opens_the_claim_in_b_and_o_in_a() -> None:
    async with compare(gateway_with_two_runs(), "enter", *["down"] * 11) as pilot:
        assert "claim" in rows(pilot)[-1]
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, StepperScreen)
        stepper = pilot.app.screen
        assert stepper.sample is not None and stepper.item is not None
        assert stepper.sample.key.case_id == "c01"
        assert stepper.sample.passed is False
        assert stepper.item.kind == "claim"
        await press(pilot, "escape", "o")
        assert isinstance(pilot.app.screen, StepperScreen)
        assert pilot.app.screen.sample is not None
        assert pilot.app.screen.sample.key.case_id == "c01"
        assert pilot.app.screen.sample.passed is True


async def test_an_overrule_in_the_stepper_changes_the_comparison() -> None:
    gateway = gateway_with_two_runs()
    async with compare(gateway, "enter") as pilot:
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, StepperScreen)
        await press(pilot, "o", "s")
        await press(pilot, "escape")
        assert "18 flips" in text_of(pilot)


async def test_providers_of_one_run() -> None:
    gateway = FakeGateway()
    a_run(gateway, NEW, samples(9))
    async with compare(gateway) as pilot:
        assert "its providers: alpha -> beta" in text_of(pilot)
        await press(pilot, "enter")
        shown = text_of(pilot)
        assert "A alpha" in shown and "B beta" in shown
        assert "paired by case, iteration: 12 samples of 12 cases" in shown
        assert "pass_rate 0.250 0.750 +0.500" in shown
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, StepperScreen)
        assert pilot.app.screen.sample is not None
        assert pilot.app.screen.sample.key.provider == "beta"


async def test_leaving_the_dialog_leaves_the_screen_until_something_is_shown() -> None:
    async with compare(gateway_with_two_runs(), "escape") as pilot:
        assert not isinstance(pilot.app.screen, CompareScreen)
    async with compare(gateway_with_two_runs(), "enter", "w", "escape") as pilot:
        assert isinstance(pilot.app.screen, CompareScreen)
        assert "20 flips" in text_of(pilot)


async def test_a_run_that_is_alone_says_what_to_do() -> None:
    gateway = FakeGateway()
    a_run(
        gateway,
        NEW,
        (s for s in samples(0) if s.key.provider == "alpha"),
        providers=("alpha",),
    )
    async with compare(gateway) as pilot:
        assert isinstance(pilot.app.screen, CompareScreen)
        shown = text_of(pilot)
        assert shown.count("There is nothing to compare this run with") == 1
        assert "Start another run of the suite (n on Home)" in shown
        await press(pilot, "enter", "o", "s", "v", "e", "f", "escape")
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, CompareScreen)


async def test_runs_without_a_sample_in_common_are_named() -> None:
    gateway = FakeGateway()
    a_run(gateway, OLD, iter([fakes.sample("x1")]))
    a_run(gateway, NEW, iter([fakes.sample("y1")]))
    async with compare(gateway, "enter") as pilot:
        assert "have no finished sample in common" in text_of(pilot)
        assert "compare runs of one suite" in told(pilot)


async def test_a_damaged_run_is_said_in_place_of_the_figures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gateway = gateway_with_two_runs()
    async with compare(gateway) as pilot:

        def damaged(store: MemoryRunStore, run_id: str) -> object:
            raise JournalDamaged("run.journal: damaged at byte 100.", "Copy it back.")

        monkeypatch.setattr(MemoryRunStore, "read", damaged)
        await press(pilot, "enter")
        assert "run.journal: damaged at byte 100." in text_of(pilot)
        assert "Copy it back." in text_of(pilot)


async def test_export_writes_every_flip_as_text_and_json(tmp_path: Path) -> None:
    async with compare(gateway_with_two_runs(tmp_path), "enter", "e") as pilot:
        assert "Write the comparison to" in text_of(pilot)
        await press(pilot, "enter")
        (text,) = (tmp_path / "exports").glob("compare-*.txt")
        found = json.loads(text.with_suffix(".json").read_text("utf-8"))
        assert len(found["sample_flips"]) == 10
        assert "samples that flipped: 10" in text.read_text("utf-8")
        assert "Written:" in told(pilot)


async def test_ascii_signs_and_hostile_texts_are_shown_inert() -> None:
    gateway = FakeGateway()
    evil = "\x1b[31m[bold]red[/] \u202eevil\x07"
    a_run(gateway, OLD, iter([fakes.sample("c1", text=evil)]))
    bad = fakes.sample("c1", text=evil, label=Label.CONTRADICTED)
    a_run(gateway, NEW, iter([bad]), model=evil)
    async with compare(gateway, "enter", "down", "v", glyphs=ASCII) as pilot:
        shown = "\n".join(lines_of(pilot))
        assert "+ -> x contradicted" in shown
        assert "[bold]red[/]" in shown
        assert not set(shown) & {"\x1b", "\x07", "\u202e"}
        assert not set(shown) & set("✔✘▲▼≈")


async def test_the_list_asks_for_the_rows_on_the_screen_only() -> None:
    async with compare(gateway_with_two_runs(), "enter") as pilot:
        table = pilot.app.screen.query_one("#compare-flips", ScreenTable)
        asked: list[int] = []
        cells = table._cells

        def spy(row: int):  # type: ignore[no-untyped-def]
            asked.append(row)
            return cells(row % 20)

        table.show(100_000, spy)
        await press(pilot, "end")
        assert len(set(asked)) < 40


async def test_home_and_results_lead_to_compare_and_trends() -> None:
    async with app_on(gateway_with_two_runs()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "w")
        assert "Compare 20261128-120000-cd34 with" in text_of(pilot)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, CompareScreen)
        await press(pilot, "escape", "t")
        assert isinstance(pilot.app.screen, TrendsScreen)
        assert "reservoirs 2 finished runs" in text_of(pilot)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, ResultsScreen)
        await press(pilot, "w", "enter")
        assert isinstance(pilot.app.screen, CompareScreen)
        await press(pilot, "escape", "t")
        assert isinstance(pilot.app.screen, TrendsScreen)


async def test_a_workspace_without_runs_says_so() -> None:
    async with app_on(FakeGateway()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "w")
        assert "There is no run to compare yet" in told(pilot)
        await press(pilot, "t")
        assert "there is no finished run" in text_of(pilot)
