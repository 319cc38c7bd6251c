"""Hostile texts in every place that foreign text can come from, and what leaks of them.

A text on a screen may come from an answer, a page, a model's reply, a file name, an
error. `poisoned_gateway` puts a hostile one into each of those fields; `visit` opens
every screen and looks at every cell that would be sent to the terminal.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from textual.geometry import Region
from textual.pilot import Pilot

from claimscope.core.errors import StoreError
from claimscope.core.models import Label, Model, Page, SampleResult
from claimscope.tui.ports.gateway import (
    CorpusInfo,
    HealthCheck,
    HostInfo,
    ModelInfo,
    SettingInfo,
    SuiteInfo,
)
from claimscope.tui.screens.base.view import OpenRun, View
from claimscope.tui.screens.home.screen import HomeScreen
from claimscope.tui.screens.stepper.screen import StepperScreen
from tests.doubles.fakes import call
from tests.tui.gateways import FakeGateway
from tests.tui.pilot import press, settle
from tests.tui.sample_run import PAGE, empty_sample, failed_sample, run_header

M = TypeVar("M", bound=Model)
SIZE = (100, 40)
SAMPLES = 5
"""Of each kind: rows that are seen together, so that a round sends more texts."""
PARTS = (
    "\x1b]0;owned\x07",
    "\x1b[2J\x1b[H",
    "\x1b[31m",
    "\x1bP+q544e\x1b\\",
    "\x9b31m",
    "\x9d52;c;QQ==\x9c",
    "\x00",
    "\x07",
    "\x08\x08\x08",
    "\x7f",
    "\r",
    "\n",
    "\t",
    "\x0b\x0c",
    "\u202eevil\u202c",
    "\u2066\u2069",
    "\u200b\ufeff",
    "\U000e0041\U000e007f",
    "\ud800",
    "[red]",
    "[/]",
    "[/red]",
    "[@click=app.quit]here[/]",
    "[link=file:///etc/passwd]x[/link]",
    "[PMID:1, S:2]",
    "[bold",
    "\\[",
    "[]",
    "{}",
    "%s %(a)s",
    "$x ${y}",
    "彼は来た",
    "שלום",
    "e\u0301\u0301",
    "👩‍👩‍👧",
    "a" * 90,
    "plain words",
    " ",
)
FORBIDDEN = frozenset(
    [*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0))]
    + list("\u061c\u200b\u200e\u200f\u2028\u2029\ufeff")
    + list("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    + [chr(code) for code in range(0xD800, 0xE000, 0x100)]
)
KEPT = frozenset(
    "kind state label band rule outcome importance metric verifier difficulty name "
    "created finished run_id format key keys call_keys how source_kind".split()
)
"""Fields that hold one of a few words, or an id of ours."""


def hostile(chance: random.Random) -> str:
    """A text of up to eight parts."""
    return "".join(chance.choices(PARTS, k=chance.randint(1, 8)))


def poisoned(model: M, text: Callable[[], str]) -> M:
    """The same with a hostile text in each free field that takes one; without halves
    of surrogate pairs, which no file of ours can hold."""
    kind = type(model)
    data = _listed(model.model_dump())
    for place, field in list(_leaves(data)):
        if field in KEPT:
            continue
        before, where = _at(data, place), _parent(data, place)
        where[place[-1]] = _whole(text())
        try:
            kind.model_validate(data)
        except ValueError:  # it takes only certain words
            where[place[-1]] = before
    return kind.model_validate(data)


def _whole(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _leaves(data: Any, place: tuple[Any, ...] = (), field: str = "") -> Iterator[Any]:
    if isinstance(data, dict):
        for name, value in data.items():
            yield from _leaves(value, (*place, name), str(name))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from _leaves(value, (*place, number), field)
    elif isinstance(data, str) and not isinstance(data, Label):
        yield place, field


def _at(data: Any, place: Sequence[Any]) -> Any:
    for step in place:
        data = data[step]
    return data


def _parent(data: Any, place: Sequence[Any]) -> Any:
    return _at(data, place[:-1])


def _listed(value: Any) -> Any:
    """Tuples as lists, so that what is in them can be replaced."""
    if isinstance(value, dict):
        return {name: _listed(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_listed(inner) for inner in value]
    return value


def poisoned_gateway(text: Callable[[], str]) -> FakeGateway:
    """A gateway on which everything has hostile texts in it."""
    gateway = FakeGateway(
        suite_list=[
            SuiteInfo(text(), text(), 3, text()),
            SuiteInfo(text(), text(), 0, text(), problem=text()),
        ],
        corpus_list=[CorpusInfo(text(), 3, 9, text(), text())],
        checks=[
            HealthCheck(text(), "ok", text()),
            HealthCheck(text(), "error", text(), text()),
        ],
        host_list=[
            HostInfo(
                text(), text(), (ModelInfo(text(), text(), text(), 7, text(), text()),)
            ),
            HostInfo(text(), problem=text(), remedy=text()),
        ],
        setting_list=[
            SettingInfo(text(), text(), text(), text(), text(), text())
            for _ in range(12)
        ],
        pages={PAGE.page_id: Page(page_id=PAGE.page_id, text=text(), title=text())},
    )
    header = poisoned(run_header(), text)
    writer = gateway.runs.create(header)
    writer.save_state("running")
    reply = call("k1")
    writer.save_call(poisoned(reply, text).model_copy(update={"key": "k1"}))
    for sample in (failed_sample(), empty_sample()):
        for number in range(SAMPLES):
            found = with_texts(sample, text)
            key = found.key.model_copy(update={"iteration": number + 1})
            writer.save_sample(found.model_copy(update={"key": key}))
    writer.save_note(_whole(text()))
    writer.save_state("failed", _whole(text()))
    writer.close()
    return gateway


def with_texts(sample: SampleResult, text: Callable[[], str]) -> SampleResult:
    """The sample with hostile texts; offsets stay inside its answer."""
    long = _whole(text() + sample.answer.text + text())
    found = poisoned(sample, text)
    return found.model_copy(
        update={"answer": found.answer.model_copy(update={"text": long})}
    )


# --- looking ------------------------------------------------------------------


def leaks(pilot: Pilot[None]) -> list[str]:
    """Runs of text on the screen with something that a terminal would obey."""
    screen = pilot.app.screen
    found = []
    for y, strip in enumerate(screen._compositor.render_strips()):
        for part in strip:
            if part.control or FORBIDDEN & set(part.text):
                found.append(f"{type(screen).__name__} line {y}: {part.text!r}")
            if part.style is not None and (part.style.link or _obeys(part.style.meta)):
                found.append(f"{type(screen).__name__} line {y}: obeyed {part.text!r}")
    region: Region = screen.region
    assert region.size == SIZE
    return found


def _obeys(meta: dict[str, Any]) -> bool:
    return "@click" in meta


async def visit(pilot: Pilot[None]) -> list[str]:
    """Opens every screen from Home, and steps through a run; gives what leaks."""
    app = pilot.app
    await settle(pilot)
    home = app.screen
    assert isinstance(home, HomeScreen)
    found = leaks(pilot)
    names = ("models", "judge", "new_run", "compare", "trends", "pages", "suite", "lab")
    for name in names:
        if hasattr(home, f"action_{name}"):
            await app.run_action(name, home)
            await settle(pilot)
            found += leaks(pilot)
            await _back(pilot, home)
    for key in ("comma", "M", "?"):
        await press(pilot, key, "down")
        found += leaks(pilot)
        await _back(pilot, home)
    status = next(iter(home.context.gateway.runs.runs()))
    for results in (False, True):
        app.post_message(OpenRun(status.header.run_id, results=results))
        await settle(pilot)
        await settle(pilot)
        found += leaks(pilot)
        if results:
            found += await _step(pilot)
        await _back(pilot, home)
    screen = app.screen
    assert isinstance(screen, View)
    screen.tell_error(StoreError("x" + str(status.error), str(status.error)))
    await settle(pilot)
    return found + leaks(pilot)


async def _step(pilot: Pilot[None]) -> list[str]:
    """Every item of the stepper, with its dialogs, calls and page."""
    await press(pilot, "enter")
    stepper = pilot.app.screen
    assert isinstance(stepper, StepperScreen)
    found = leaks(pilot)
    for number in range(8):
        for key in ("o", "f", "N", "r", "g") if number == 1 else ():
            await press(pilot, key)
            found += leaks(pilot)
            await _back(pilot, stepper)
        await press(pilot, "j")
        found += leaks(pilot)
    return found


async def _back(pilot: Pilot[None], to: object) -> None:
    for _ in range(4):
        if pilot.app.screen is to:
            return
        await press(pilot, "escape")
    assert pilot.app.screen is to, f"stuck on {pilot.app.screen!r}"
