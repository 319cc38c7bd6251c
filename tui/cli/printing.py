"""Every screen as lines: which command prints it, and what has no command of its own.

For terminals on which no screen can be drawn, for pipes and for scripts. A screen that
a command prints already is only named here, so that there is one text of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError
from claimscope.core.report.view import Column, Fields, Part, Table, line, row

if TYPE_CHECKING:
    from claimscope.tui.app.keymap import Action
    from claimscope.tui.ports.gateway import Gateway


@dataclass(frozen=True)
class ScreenListing:
    name: str
    """As typed: `claimscope show NAME`."""
    screen: str
    """Its name on the screen."""
    takes: str
    """What may follow the name, in words; empty = nothing."""
    command: str
    """The command that prints it; empty = only `show` does."""


TABLE: Sequence[ScreenListing] = (
    ScreenListing("home", "Home", "", ""),
    ScreenListing("pages", "Pages", "[CORPUS]", "pages"),
    ScreenListing("suite", "Suite", "[SUITE]", ""),
    ScreenListing("new-run", "New run", "", ""),
    ScreenListing("run", "Run", "[RUN]", ""),
    ScreenListing("results", "Results", "[RUN]", "runs show"),
    ScreenListing("stepper", "Claim stepper", "[RUN]", ""),
    ScreenListing("compare", "Compare", "[RUN]", "compare"),
    ScreenListing("trends", "Trends", "[SUITE]", "runs trends"),
    ScreenListing("judge", "Judge", "", "models probe"),
    ScreenListing("models", "Models", "", "models"),
    ScreenListing("lab", "Lab", "[SWEEP]", "answers sweep"),
    ScreenListing("metrics", "Metrics", "[METRIC]", "help metrics"),
    ScreenListing("settings", "Settings", "", ""),
    ScreenListing("keys", "Help", "", ""),
)
SCREENS = (Column("screen"), Column("printed by"), Column("the same as"))
KEYS = (Column("where"), Column("id"), Column("keys"), Column("what it does"))
NAMES = {printed.name: printed for printed in TABLE}


def table_view() -> Table:
    """What can be printed, and which command prints the same."""
    rows = (
        row(
            one.screen,
            f"claimscope show {one.name} {one.takes}".rstrip(),
            f"claimscope {one.command}" if one.command else "",
        )
        for one in TABLE
    )
    return Table(SCREENS, tuple(rows))


# --- screens that another command prints --------------------------------------


def words_of(name: str, more: str | None, gateway: Gateway) -> list[str] | None:
    """The words of the command that prints a screen; None = it is printed here.

    Raises InputError when there is nothing to print.
    """
    if name == "pages":
        return ["pages", "list", "--corpus", more or _only_corpus(gateway)]
    if name == "results":
        return ["runs", "show", more or "last"]
    if name == "compare":
        return ["compare", *_runs_to_compare(gateway, more)]
    if name in ("trends", "judge", "models", "lab", "metrics"):
        return [*NAMES[name].command.split(), *([more] if more else [])]
    return None


def _only_corpus(gateway: Gateway) -> str:
    names = [corpus.name for corpus in gateway.corpora()]
    if len(names) == 1:
        return names[0]
    if not names:
        raise InputError(
            "no pages are indexed in this workspace", "claimscope pages index FOLDER"
        )
    raise InputError(
        "which corpus?", f"claimscope show pages NAME: one of {', '.join(names)}"
    )


def _runs_to_compare(gateway: Gateway, more: str | None) -> list[str]:
    """A run and the one before it of the same suite; alone, its providers."""
    statuses = list(gateway.runs.runs())
    newest = next(
        (s for s in statuses if more in (None, "last", s.header.run_id)), None
    )
    if newest is None:
        raise InputError(
            f"there is no run {more!r}" if more else "there is no run to compare",
            "`claimscope runs` lists them; `claimscope run SUITE` makes one",
        )
    after = statuses[statuses.index(newest) + 1 :]
    for before in after:
        if before.header.suite_id == newest.header.suite_id:
            return [before.header.run_id, newest.header.run_id]
    return [newest.header.run_id, "--providers"]


# --- screens that have no command of their own --------------------------------


def home_data(gateway: Gateway) -> dict[str, object]:
    """Suites, corpora, runs and health as JSON has them."""
    return {
        "suites": [asdict(suite) for suite in gateway.suites()],
        "corpora": [asdict(corpus) for corpus in gateway.corpora()],
        "runs": list(gateway.runs.runs()),
        "health": [check._asdict() for check in gateway.health()],
    }


def new_run_view(gateway: Gateway) -> Iterator[Part]:
    """What a run can be made of, and the command that begins it."""
    from claimscope.tui.views.home import SUITES, suite_row

    yield Table(SUITES, tuple(map(suite_row, gateway.suites())))
    yield line()
    yield Fields(
        (
            ("claimscope run NAME", line("begins a run")),
            (
                "claimscope run --help",
                line("verifier, judge, models, iterations, gate"),
            ),
        )
    )


def key_view() -> Iterator[Part]:
    """Id, keys and meaning of every action, by where it is at hand."""
    rows = (row(a.where, a.id, ", ".join(a.keys), a.text) for a in _actions())
    yield Table(KEYS, tuple(rows))
    yield line()
    yield line('own keys: a table [keys] in claimscope.toml, e.g. "step.agree" = "y"')
    yield line('whole sets: key_set = "vim" or "emacs" there, or in Settings')


def key_data() -> list[dict[str, object]]:
    """The same as JSON has it."""
    return [asdict(action) for action in _actions()]


def _actions() -> Sequence[Action]:
    from claimscope.tui.app.app import ClaimscopeApp
    from claimscope.tui.app.keymap import actions

    return actions(ClaimscopeApp)
