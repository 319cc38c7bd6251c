"""Suite: cases are shown, edited on disk, taken back, accepted and dropped."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from claimscope.stores.suites.loading import shipped_suites
from claimscope.tui.screens.suite.case_form import CaseForm
from claimscope.tui.screens.suite.screen import SuiteScreen
from tests.tui.gateways import FakeGateway
from tests.tui.libraries import FakeLibrary
from tests.tui.pictures import check_pictures
from tests.tui.pilot import app_on, check_snapshot, press, settle, text_of, told

CASES: list[dict[str, Any]] = [
    {
        "id": "kiln-1",
        "question": "How hot is it [red]?",
        "category": "heat",
        "difficulty": "hrad",
        "claims": [{"text": "It is 900 °C.", "odd": 1}],
    },
    {
        "id": "kiln-2",
        "question": "How long?",
        "reference": "Two days.",
        "category": "time",
        "metadata": {"generated": True, "accepted": None},
    },
    {
        "id": "kiln-3",
        "question": "Why?",
        "reference": "It cracks.",
        "metadata": {"generated": True, "accepted": None},
    },
]


def written(folder: Path) -> Path:
    path = folder / "suite.json"
    path.write_text(json.dumps({"id": "kilns", "title": "Kilns", "cases": CASES}))
    return path


def cases_in(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["cases"]
    return found


@asynccontextmanager
async def suite(path: Path, copies: Path | None = None) -> AsyncIterator[Pilot[None]]:
    """The app on the Suite screen."""
    gateway = FakeGateway(library=FakeLibrary(suites=copies or path.parent))
    app = app_on(gateway)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        app.push_screen(SuiteScreen(app.context, path))
        await settle(pilot)
        yield pilot


async def test_cases_are_shown_with_what_is_wrong_at_the_field(tmp_path: Path) -> None:
    async with suite(written(tmp_path)) as pilot:
        shown = text_of(pilot)
        assert "✘ kiln-1 How hot is it [red]? heat hrad 1" in shown
        assert "✘ difficulty: 'hrad' is not one of easy, medium, hard" in shown
        assert "2 generated to look at" in shown
        check_snapshot(pilot, "suite")
        await check_pictures(pilot, "suite")


async def test_a_case_is_edited_where_it_stands(tmp_path: Path) -> None:
    path = written(tmp_path)
    async with suite(path) as pilot:
        await press(pilot, "enter")
        form = pilot.app.screen
        assert isinstance(form, CaseForm)
        assert "'hrad' is not one of" in text_of(pilot)
        check_snapshot(pilot, "case")
        form.query_one("#case-question", TextArea).text = "How hot?"
        form.query_one("#case-difficulty", Input).value = "hadr"
        await press(pilot, "ctrl+s")
        assert "not saved: difficulty" in text_of(pilot)
        assert cases_in(path) == CASES
        form.query_one("#case-difficulty", Input).value = "hard"
        await press(pilot, "ctrl+s")
        assert isinstance(pilot.app.screen, SuiteScreen)
        first = cases_in(path)[0]
        assert (first["question"], first["difficulty"]) == ("How hot?", "hard")
        assert first["claims"] == CASES[0]["claims"]
        await press(pilot, "u")
        assert cases_in(path) == CASES
        assert "Taken back: change of case kiln-1" in told(pilot)


async def test_generated_cases_are_accepted_or_dropped(tmp_path: Path) -> None:
    path = written(tmp_path)
    async with suite(path) as pilot:
        await press(pilot, "a")
        assert cases_in(path) == CASES  # a person wrote the first one
        await press(pilot, "g", "a")
        assert cases_in(path)[1]["metadata"]["accepted"] is True
        await press(pilot, "x")
        assert [case["id"] for case in cases_in(path)] == ["kiln-1", "kiln-2"]


async def test_an_expected_citation_that_moved_is_pointed_anew(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "kiln.txt").write_text("A kiln. It burns oak. It is hot.")
    citation = {"page_id": "kiln.txt", "sentence": 0, "key_phrase": "burns oak"}
    case = {"id": "k", "question": "What of it?", "citations": [citation, citation]}
    path = tmp_path / "suite.json"
    path.write_text(json.dumps({"id": "kilns", "pages": "pages", "cases": [case]}))
    async with suite(path) as pilot:
        assert "S:0 of kiln.txt does not hold the key phrase" in text_of(pilot)
        await press(pilot, "m")
        places = [c["sentence"] for c in cases_in(path)[0]["citations"]]
        assert places == [1, 0]  # one by one
        assert "citations[1] is kiln.txt, S:1 now" in told(pilot)
        await press(pilot, "m")
        assert [c["sentence"] for c in cases_in(path)[0]["citations"]] == [1, 1]
        assert "does not hold" not in text_of(pilot)
        await press(pilot, "m")
        assert "No expected citation of this case is known" in told(pilot)
        await press(pilot, "u", "u")
        assert cases_in(path) == [case]


async def test_what_was_written_is_not_lost_by_one_escape(tmp_path: Path) -> None:
    path = written(tmp_path)
    async with suite(path) as pilot:
        await press(pilot, "n")
        form = pilot.app.screen
        form.query_one("#case-question", TextArea).text = "A new one?"
        await press(pilot, "escape")
        assert "not saved: ctrl+s saves" in text_of(pilot)
        await press(pilot, "ctrl+s")
        assert cases_in(path)[3] == {"id": "case-004", "question": "A new one?"}


async def test_a_shipped_suite_is_copied_before_it_is_changed(tmp_path: Path) -> None:
    path = shipped_suites()["courses"]
    before = path.read_bytes()
    async with suite(path, tmp_path / "suites") as pilot:
        assert "ships: a copy is edited" in text_of(pilot)
        await press(pilot, "d", "y")
        copy = tmp_path / "suites" / "courses" / "suite.json"
        assert len(cases_in(copy)) == len(json.loads(before)["cases"]) - 1
        assert path.read_bytes() == before
