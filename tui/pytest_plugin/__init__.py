"""The pytest plugin: the samples of a suite as tests, one test a sample.

It is loaded in every pytest run of an environment that has Claimscope, so it imports
nothing until a test asks for the fixture `claimscope_case`.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from claimscope.tui.pytest_plugin.case import ClaimscopeCase
    from claimscope.tui.pytest_plugin.source import Source

FIXTURE = "claimscope_case"
RECORD = "claimscope"
"""Attribute of a report."""
MARKERS = (
    "claimscope(suite, answers=None, pages=None, provider=None, settings=None, "
    "metrics=()): the samples that claimscope_case goes through; paths are relative "
    "to the test file.",
    "claimscope_gate(min_coverage=0.9, at_most=None, **at_least): figures that all "
    "samples of the test must reach together, e.g. pass_rate=0.8; a sample that fails "
    "is then an expected failure.",
)
SOURCES: pytest.StashKey[dict[str, Source]] = pytest.StashKey()
JUDGED: pytest.StashKey[dict[str, list[dict[str, Any]]]] = pytest.StashKey()
CASE: pytest.StashKey[ClaimscopeCase] = pytest.StashKey()


def pytest_configure(config: pytest.Config) -> None:
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)
    config.stash[SOURCES] = {}
    config.stash[JUDGED] = {}
    config.pluginmanager.register(Reports(config.stash[JUDGED]), "claimscope-reports")


class Reports:
    """Gathers what was written into reports, by test."""

    def __init__(self, judged: dict[str, list[dict[str, Any]]]) -> None:
        self._judged = judged

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Called in the first process, for tests of all processes."""
        record = getattr(report, RECORD, None)
        if record is not None:
            self._judged.setdefault(record["test"], []).append(record)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each sample of the marker's suite."""
    if FIXTURE not in metafunc.fixturenames:
        return
    from claimscope.tui.pytest_plugin.source import Source, samples_of

    marker = metafunc.definition.get_closest_marker("claimscope")
    if marker is None:
        raise pytest.UsageError(
            f"{metafunc.definition.nodeid}: {FIXTURE} needs the marker "
            '@pytest.mark.claimscope("SUITE"), which names a suite'
        )
    source = Source.of(marker, Path(metafunc.definition.path).parent)
    known = metafunc.config.stash[SOURCES]
    # One source for all tests with equal markers: pages are embedded once.
    source = known.setdefault(repr(source), source)
    samples = samples_of(source)
    metafunc.parametrize(
        FIXTURE,
        [(source, sample) for sample in samples],
        ids=[sample.name for sample in samples],
        indirect=True,
    )


@pytest.fixture
def claimscope_case(request: pytest.FixtureRequest) -> ClaimscopeCase:
    """A case of the suite with its answer: `check()` fails where the sample fails."""
    from claimscope.tui.pytest_plugin.case import ClaimscopeCase

    source, sample = request.param
    gate = request.node.get_closest_marker("claimscope_gate")
    made = ClaimscopeCase(source, sample, gated=_has_figures(gate))
    request.node.stash[CASE] = made
    return made


def _has_figures(gate: pytest.Mark | None) -> bool:
    """Does it demand a figure, so that a single sample may fail?"""
    return gate is not None and bool(set(gate.kwargs) - {"min_coverage"})


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Writes what was judged into the report, which reaches the process that counts
    when tests run in several."""
    report = yield
    is_last_word = call.when == "call" or (call.when == "setup" and call.excinfo)
    if is_last_word and FIXTURE in getattr(item, "fixturenames", ()):
        case = item.stash.get(CASE, None)
        gate = item.get_closest_marker("claimscope_gate")
        record = {
            "test": item.nodeid.partition("[")[0],
            "gate": dict(gate.kwargs) if gate else {},
            "result": case.judged_json() if case else None,
        }
        setattr(report, RECORD, record)
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Stops what was started for judging, and holds the samples to their gates."""
    for source in session.config.stash[SOURCES].values():
        source.close()
    if hasattr(session.config, "workerinput"):
        return  # a process of pytest-xdist: the first process counts
    judged = session.config.stash[JUDGED]
    if judged and session.exitstatus == pytest.ExitCode.OK:
        from claimscope.tui.pytest_plugin.gate import gates

        if any(gate.state != "passed" for gate in gates(judged)):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Figures of each test and what its gate says of them."""
    judged = config.stash[JUDGED]
    if not judged:
        return
    from claimscope.tui.pytest_plugin.gate import gates, lines

    terminalreporter.section("claimscope")
    for gate in gates(judged):
        for line in lines(gate):
            terminalreporter.write_line(line, red=gate.state != "passed")
