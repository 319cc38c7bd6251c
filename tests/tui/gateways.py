"""A gateway for tests: runs in memory, one suite, one corpus, no process started."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from claimscope.core.analysis.summary.cost import Prices
from claimscope.core.models import Page, RunHeader, SampleResult, Sentence
from claimscope.core.ports import OnProgress, Progress, RunReader
from claimscope.core.text.sentences import sentences
from claimscope.stores.runs.memory import MemoryRunStore
from claimscope.tui.ports.gateway import (
    CandidateSearch,
    CorpusInfo,
    HealthCheck,
    HostInfo,
    KeptProbe,
    NewRun,
    OnStep,
    PullStep,
    SettingInfo,
    SuiteInfo,
)
from tests.tui.labs import FakeLabs
from tests.tui.libraries import FakeLibrary


@dataclass
class FakeGateway:
    """Remembers what was started and resumed."""

    folder: Path = Path("no-workspace")
    runs: MemoryRunStore = field(default_factory=MemoryRunStore)
    library: FakeLibrary = field(default_factory=FakeLibrary)
    labs: FakeLabs = field(default_factory=FakeLabs)
    suite_list: list[SuiteInfo] = field(default_factory=list)
    price: Prices | None = None
    corpus_list: list[CorpusInfo] = field(default_factory=list)
    checks: list[HealthCheck] = field(default_factory=list)
    pages: dict[str, Page] = field(default_factory=dict)
    searches: list[CandidateSearch] | Exception = field(default_factory=list)
    started: list[NewRun] = field(default_factory=list)
    resumed: list[str] = field(default_factory=list)
    next_run_id: str = ""
    failure: Exception | None = None
    """Raised by start_run, resume_run, pull and choose_model."""
    host_list: list[HostInfo] | Exception = field(default_factory=list)
    pull_steps: list[PullStep] = field(default_factory=list)
    pull_waits: threading.Event | None = None
    """After its steps a pull goes on until it is stopped."""
    pulled: list[str] = field(default_factory=list)
    chosen: list[str] = field(default_factory=list)
    probe_list: list[KeptProbe] = field(default_factory=list)
    probe_steps: list[Progress] = field(default_factory=list)
    probe_waits: threading.Event | None = None
    """After its steps a probe goes on until it is stopped."""
    probed: list[tuple[str, int | None]] = field(default_factory=list)
    setting_list: list[SettingInfo] | Exception = field(default_factory=list)
    changed: list[tuple[str, str | None]] = field(default_factory=list)
    losses: list[str] = field(default_factory=list)
    """Of run files that were cut."""

    def tell_losses(self, tell: Callable[[str], object]) -> None:
        for loss in self.losses:
            tell(loss)

    def suites(self) -> Sequence[SuiteInfo]:
        return self.suite_list

    def prices(self, run: RunReader) -> Prices | None:
        return self.price

    def corpora(self) -> Sequence[CorpusInfo]:
        return self.corpus_list

    def hosts(self) -> Sequence[HostInfo]:
        if isinstance(self.host_list, Exception):
            raise self.host_list
        return self.host_list

    def pull(self, name: str, on_step: OnStep, is_stopped: Callable[[], bool]) -> bool:
        if self.failure:
            raise self.failure
        self.pulled.append(name)
        for step in self.pull_steps:
            on_step(step)
        if self.pull_waits:
            while not is_stopped():
                self.pull_waits.wait(0.01)
            return False
        return True

    def probes(self) -> Sequence[KeptProbe]:
        return self.probe_list

    def probe(
        self,
        model: str,
        context_tokens: int | None,
        on_step: OnProgress,
        is_stopped: Callable[[], bool],
    ) -> bool:
        if self.failure:
            raise self.failure
        self.probed.append((model, context_tokens))
        for step in self.probe_steps:
            on_step(step)
        if self.probe_waits:
            while not is_stopped():
                self.probe_waits.wait(0.01)
            return False
        return True

    def settings(self) -> Sequence[SettingInfo]:
        if isinstance(self.setting_list, Exception):
            raise self.setting_list
        return self.setting_list

    def change_setting(self, name: str, text: str | None) -> None:
        if self.failure:
            raise self.failure
        self.changed.append((name, text))

    def choose_model(self, name: str) -> None:
        if self.failure:
            raise self.failure
        self.chosen.append(name)

    def health(self) -> Sequence[HealthCheck]:
        return self.checks

    def start_run(self, wanted: NewRun) -> str:
        if self.failure:
            raise self.failure
        self.started.append(wanted)
        return self.next_run_id

    def resume_run(self, run_id: str) -> None:
        if self.failure:
            raise self.failure
        self.resumed.append(run_id)

    def page(self, corpus: str, page_id: str) -> Page | None:
        return self.pages.get(page_id)

    def candidate_searches(
        self, header: RunHeader, sample: SampleResult, claim: str
    ) -> Sequence[CandidateSearch]:
        if isinstance(self.searches, Exception):
            raise self.searches
        return self.searches

    def sentences(self, corpus: str, page_id: str) -> Sequence[Sentence]:
        page = self.pages.get(page_id)
        return sentences(page) if page else ()
