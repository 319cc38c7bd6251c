"""Every screen as lines: which command prints it, and what has no command of its own.

For terminals on which no screen can be drawn, for pipes and for scripts. A screen that
a command prints already is only named here, so that there is one text of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from claimscope.core.errors import InputError
from claimscope.core.report.text import one_line, status_line
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.cli.parser import COMMANDS

if TYPE_CHECKING:
    from claimscope.core.models import RunStatus
    from claimscope.stores.suites.loading import LoadedSuite
    from claimscope.tui.app.keymap import Action
    from claimscope.tui.ports.gateway import Desk, SettingInfo


@dataclass(frozen=True)
class Printed:
    """A screen and how it is printed."""

    name: str
    """As typed: `claimscope show NAME`."""
    screen: str
    """Its name on the screen."""
    takes: str
    """What may follow the name, in words; empty = nothing."""
    command: str
    """The command that prints it; empty = only `show` does."""


TABLE: Sequence[Printed] = (
    Printed("home", "Home", "", ""),
    Printed("pages", "Pages", "[CORPUS]", "pages"),
    Printed("suite", "Suite", "[SUITE]", ""),
    Printed("new-run", "New run", "", ""),
    Printed("run", "Run", "[RUN]", ""),
    Printed("results", "Results", "[RUN]", "show"),
    Printed("stepper", "Claim stepper", "[RUN]", ""),
    Printed("compare", "Compare", "[RUN]", "compare"),
    Printed("trends", "Trends", "[SUITE]", "trends"),
    Printed("judge", "Judge", "", "probe"),
    Printed("models", "Models", "", "models"),
    Printed("lab", "Lab", "[SWEEP]", "lab"),
    Printed("metrics", "Metrics", "[METRIC]", "metrics"),
    Printed("settings", "Settings", "", ""),
    Printed("keys", "Help", "", ""),
)
NAMES = {printed.name: printed for printed in TABLE}


def table_lines() -> Iterator[str]:
    """What can be printed, and which command prints the same."""
    yield "claimscope show RUN [CASE]   a run, or one case of it; RUN may be `last`"
    for one in TABLE:
        same = f"   as `claimscope {one.command}`" if one.command else ""
        words = f"claimscope show {one.name} {one.takes}".rstrip()
        yield f"{words:<34} {one.screen}{same}"


# --- screens that another command prints --------------------------------------


def words_of(name: str, more: str | None, desk: Desk) -> list[str] | None:
    """The words of the command that prints a screen; None = it is printed here.

    Raises InputError when there is nothing to print.
    """
    if name == "pages":
        return ["pages", "--corpus", more or _only_corpus(desk)]
    if name == "results":
        return ["show", more or "last"]
    if name == "compare":
        return ["compare", *_runs_to_compare(desk, more)]
    if name in ("trends", "judge", "models", "lab", "metrics"):
        command = NAMES[name].command
        if command not in COMMANDS:
            raise InputError(
                f"this version has no command {command}", "`claimscope show` lists them"
            )
        return [command, *([more] if more else [])]
    return None


def _only_corpus(desk: Desk) -> str:
    names = [corpus.name for corpus in desk.corpora()]
    if len(names) == 1:
        return names[0]
    if not names:
        raise InputError(
            "no pages are indexed in this workspace", "claimscope index FOLDER"
        )
    raise InputError(
        "which corpus?", f"claimscope show pages NAME: one of {', '.join(names)}"
    )


def _runs_to_compare(desk: Desk, more: str | None) -> list[str]:
    """A run and the one before it of the same suite; alone, its providers."""
    statuses = list(desk.runs.runs())
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


def home_data(desk: Desk) -> dict[str, object]:
    """Suites, corpora, runs and health as JSON has them."""
    return {
        "suites": [asdict(suite) for suite in desk.suites()],
        "corpora": [asdict(corpus) for corpus in desk.corpora()],
        "runs": list(desk.runs.runs()),
        "health": [check._asdict() for check in desk.health()],
    }


def home_lines(desk: Desk) -> Iterator[str]:
    """Home, list by list."""
    yield "suites"
    for suite in desk.suites():
        text = suite.problem or f"{counted_noun(suite.cases, 'case')}  {suite.title}"
        yield f"  {one_line(suite.name):<12} {one_line(text)}"
    yield "indexed pages"
    corpora = desk.corpora()
    for corpus in corpora:
        yield (
            f"  {one_line(corpus.name):<12} {counted_noun(corpus.pages, 'page')}, "
            f"{counted_noun(corpus.sentences, 'sentence')}, {one_line(corpus.model_id)}"
        )
    if not corpora:
        yield "  none yet: claimscope index FOLDER"
    yield "runs"
    statuses = list(desk.runs.runs())
    for status in statuses:
        yield f"  {status_line(status)}"
    if not statuses:
        yield "  none yet: claimscope demo, or claimscope run SUITE"
    yield "health"
    for check in desk.health():
        remedy = f" → {check.remedy}" if check.remedy else ""
        text = one_line(f"{check.name}: {check.text}{remedy}")
        yield f"  {check.state:<8} {text}"


def new_run_lines(desk: Desk) -> Iterator[str]:
    """What a run can be made of, and the command that begins it."""
    for suite in desk.suites():
        if suite.problem:
            yield one_line(f"{suite.name}: cannot be used: {suite.problem}")
        else:
            title = one_line(f"{suite.title}, {counted_noun(suite.cases, 'case')}")
            yield f"claimscope run {suite.name:<14} {title}"
    yield "claimscope run SUITE --help     verifier, judge, models, iterations, gate"


def run_lines(status: RunStatus) -> Iterator[str]:
    """How far a run is and what one can do about it."""
    yield status_line(status)
    if status.error:
        yield f"  {one_line(status.error)}"
    name = status.header.run_id
    if status.state in ("running", "paused"):
        yield f"claimscope attach {name}     follow it"
        yield f"claimscope pause {name}      let it wait; resume goes on"
        yield f"claimscope cancel {name}     end it"
    elif status.state != "finished":
        yield f"claimscope resume {name}     go on with it"
    else:
        yield f"claimscope show {name}       its results"


def suite_lines(loaded: LoadedSuite) -> Iterator[str]:
    """A line a case, with how many answers and expected claims it has."""
    yield one_line(f"{loaded.suite.title or loaded.suite.id}  {loaded.path}")
    if known := loaded.suite.metadata:
        yield one_line("  ".join(f"{name} {value}" for name, value in known.items()))
    answers: dict[str, int] = {}
    for answer in loaded.answers:
        answers[answer.case_id] = answers.get(answer.case_id, 0) + 1
    for case in loaded.suite.cases:
        parts = [part for part in (case.category, case.difficulty) if part]
        about = f" ({', '.join(parts)})" if parts else ""
        count = (
            f"{counted_noun(answers.get(case.id, 0), 'answer')}, "
            f"{counted_noun(len(case.claims), 'claim')}"
        )
        yield one_line(f"{case.id}{about}  {count}  {case.question}")


def settings_lines(found: Sequence[SettingInfo]) -> Iterator[str]:
    """Name, value, source, then meaning and limits."""
    for info in found:
        yield one_line(f"{info.name} = {info.value or 'none'}  ({info.source})")
        default = info.default or "none"
        text = f"{info.meaning} It takes {info.limits}; default {default}."
        yield f"    {one_line(text)}"


def key_lines() -> Iterator[str]:
    """Id, keys and meaning of every action, by where it is at hand."""
    where = ""
    for action in _actions():
        if action.where != where:
            where = action.where
            yield where
        keys = ", ".join(action.keys)
        yield f"  {action.id:<20} {keys:<24} {action.text}"
    yield 'own keys: a table [keys] in claimscope.toml, e.g. "step.agree" = "y"'
    yield 'whole sets: key_set = "vim" or "emacs" there, or in Settings'


def key_data() -> list[dict[str, object]]:
    """The same as JSON has it."""
    return [asdict(action) for action in _actions()]


def _actions() -> Sequence[Action]:
    from claimscope.tui.app.app import ClaimscopeApp
    from claimscope.tui.app.keymap import actions

    return actions(ClaimscopeApp)
