"""A fault that nobody foresaw is shown and logged; nothing waits for it for ever."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from claimscope.core.errors import InternalError
from claimscope.tui.ports.gateway import CorpusInfo
from claimscope.tui.process import faults
from claimscope.tui.screens.base.view import View
from claimscope.tui.screens.home.screen import HomeScreen
from tests.tui.gateways import FakeGateway
from tests.tui.pilot import app_on, press, settle, text_of, told
from tests.tui.sample_run import finished_run


class FaultyGateway(FakeGateway):
    """A gateway with a fault of ours in one of its lists."""

    def corpora(self) -> Sequence[CorpusInfo]:
        raise TypeError("'NoneType' object is not iterable")


async def test_a_fault_of_a_worker_is_shown_where_it_was_waited_for(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with app_on(FaultyGateway()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Reading" not in text_of(pilot)
        assert "TypeError: 'NoneType' object is not iterable" in text_of(pilot)
        assert "claimscope doctor --bundle" in told(pilot)
    faulty = [one for one in caplog.records if one.levelno == logging.ERROR]
    assert {one.exc_info[0] for one in faulty if one.exc_info} == {TypeError}


@pytest.mark.parametrize(
    "keys",
    [("p",), ("t",), ("m",), ("g",), ("w",), ("l",), ("comma",), ("enter",)],
)
async def test_no_screen_reads_for_ever(
    keys: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a worker meets, even in what it shows on the screen."""
    gateway = FakeGateway()
    finished_run(gateway.runs)
    async with app_on(gateway).run_test(size=(80, 24)) as pilot:
        await settle(pilot)

        def fails(
            self: View, callback: Callable[..., object], *_: object, **__: object
        ) -> None:
            raise RuntimeError("a fault")

        monkeypatch.setattr(View, "from_thread", fails)
        await press(pilot, *keys)
        assert not isinstance(pilot.app.screen, HomeScreen)
        assert "Reading" not in text_of(pilot)
        assert "RuntimeError: a fault" in told(pilot)


async def test_a_fault_in_what_is_shown_is_no_end_of_the_app() -> None:
    """RuntimeError is also what a thread meets when the app has ended."""
    async with app_on(FakeGateway()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, View)

        def shows() -> None:
            raise RuntimeError("cannot be shown")

        screen.run_worker(
            lambda: screen.from_thread(shows), thread=True, exit_on_error=False
        )
        await settle(pilot)
        assert "cannot be shown" in told(pilot)


async def test_a_fault_of_the_interface_ends_it_without_a_traceback(
    capsys: pytest.CaptureFixture[str],
) -> None:
    app = app_on(FakeGateway())
    with pytest.raises(ZeroDivisionError):
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)

            def fails() -> None:
                raise ZeroDivisionError("a fault")

            app.screen.call_next(fails)
            await settle(pilot)
    assert isinstance(app.problem, InternalError)
    assert faults.REMEDY in str(app.problem)
    assert "Traceback" not in capsys.readouterr().err


def test_what_was_foreseen_is_told_as_it_is() -> None:
    error = InternalError("a", "b")
    assert faults.log_error(error) is error


def test_no_worker_ends_the_app_by_what_it_meets() -> None:
    folder = Path(faults.__file__).parents[1]
    sources = [path.read_text() for path in folder.rglob("*.py")]
    begun = re.compile(r"@work\(.*\)|run_worker\([^)]*\)")
    workers = [line for text in sources for line in begun.findall(text)]
    assert len(workers) > 20
    assert [line for line in workers if "exit_on_error=False" not in line] == []
