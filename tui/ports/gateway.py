"""What the app asks of the outside: one object, so that it runs on fakes as well.

The app knows runs, suites and corpora only through a `Gateway`. The real one is put
together in `tui/gateway/`; tests hand in a small one. Nothing here loads a model or
a database: what is slow is called by the app in a thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from claimscope.core.grade.probe import Probe
from claimscope.core.models import Evidence, Page, RunHeader, SampleResult, Sentence
from claimscope.core.ports import OnProgress, RunReader, RunStore
from claimscope.tui.ports.labs import LabGateway
from claimscope.tui.ports.library import Library

if TYPE_CHECKING:
    from claimscope.core.analysis.summary.cost import Prices

VerifierName = Literal["evidence", "model", "classifier"]
HealthState = Literal["ok", "warning", "error"]


@dataclass(frozen=True)
class SuiteInfo:
    """A suite one can start a run of."""

    name: str
    """What `claimscope run` takes: a shipped name or a path."""
    title: str
    cases: int
    path: str
    problem: str | None = None
    """Why it cannot be used, when its file has a mistake."""


@dataclass(frozen=True)
class CorpusInfo:
    """An indexed set of pages."""

    name: str
    pages: int
    sentences: int
    model_id: str
    version: str


class HealthCheck(NamedTuple):
    """One line of the health list."""

    name: str
    state: HealthState
    text: str
    remedy: str = ""


@dataclass(frozen=True)
class SettingInfo:
    """A setting, all of it as a person types and reads it."""

    name: str
    value: str
    """Empty = none."""
    source: str
    """`default`, the settings file, or the variable it comes from."""
    default: str
    meaning: str
    limits: str
    changes_verdicts: bool = False
    """It belongs to the fingerprint of a run."""


@dataclass(frozen=True)
class ModelInfo:
    """A model that a host has."""

    name: str
    host: str
    digest: str
    size_bytes: int
    parameters: str | None = None
    quantization: str | None = None
    context_tokens: int | None = None
    """Tokens it was trained for."""
    capabilities: tuple[str, ...] = ()
    is_remote: bool = False
    """It runs on somebody else's machine."""
    is_loaded: bool = False
    loaded_context: int | None = None
    """Tokens of the context it is in memory with."""
    loaded_until: str | None = None
    """UTC, ISO 8601."""
    fitness: str | None = None
    """What its last probe said; None = never probed."""
    is_chosen: bool = False
    """It is the model of the settings."""
    refused: str | None = None
    """Why it would not be used here, in a few words; None = nothing known."""


@dataclass(frozen=True)
class HostInfo:
    """A server of the pool and what it has, or why it cannot be asked."""

    url: str
    version: str | None = None
    models: tuple[ModelInfo, ...] = ()
    problem: str | None = None
    remedy: str = ""
    is_down: bool = False
    """Nothing answers there."""
    software: str = "Ollama"
    """What stands before the version for people."""


@dataclass(frozen=True)
class PullStep:
    """How far a host is with fetching a model."""

    host: str
    status: str
    """In Ollama's words, e.g. `pulling manifest`; `success` at the end."""
    done: int
    """Bytes, over all layers."""
    total: int
    """0 = not known yet."""
    rate: float | None = None
    """Bytes a second of late."""

    @property
    def eta_seconds(self) -> float | None:
        """Seconds to go at this rate."""
        return (self.total - self.done) / self.rate if self.rate else None


OnStep = Callable[[PullStep], None]


class KeptProbe(NamedTuple):
    """A probe of the workspace."""

    probe: Probe
    is_outdated: bool
    """It was made with other cases, prompts or thresholds than there are now."""


@dataclass(frozen=True)
class NewRun:
    """What the New run screen asks for."""

    suite: str
    answers: str | None = None
    """An answers file in place of the suite's own."""
    verifier: VerifierName = "evidence"
    judge: bool = False
    model: str | None = None
    """Needed by the verifier `model` and by the judge."""
    iterations: int = 1
    concurrency: int = 5
    classifier: str | None = None
    """Folder of the verifier `classifier`."""
    judges: tuple[str, ...] = ()
    """Further models that judge beside `model`."""
    server: str | None = None
    """`ollama`, or the address of a server with the OpenAI API; None = as the settings
    say."""
    pass_rule: str | None = None
    """`grades`, `claims` or `both`; None = as the settings say."""
    metrics: tuple[str, ...] = ()
    """As `--metrics` takes them; empty = all that have something to do."""


@dataclass(frozen=True)
class CandidateSearch:
    """Sentences that a claim was held against, best first."""

    where: str
    """Among which sentences they were looked for, in words."""
    hits: tuple[Evidence, ...]
    is_as_then: bool | None
    """Whether the run found the same; None = the run kept no record of it."""


class Gateway(Protocol):
    """Everything the app works with. Methods may block; all raise ClaimscopeError."""

    @property
    def folder(self) -> Path:
        """The workspace: where saved views and exports go."""

    @property
    def runs(self) -> RunStore: ...

    @property
    def library(self) -> Library:
        """Pages and suites, as their screens read and change them."""

    @property
    def labs(self) -> LabGateway:
        """Sweeps, as their screens read and steer them."""

    def suites(self) -> Sequence[SuiteInfo]: ...

    def prices(self, run: RunReader) -> Prices | None:
        """What the models of a run cost by the settings; None when no price is set."""

    def corpora(self) -> Sequence[CorpusInfo]: ...

    def hosts(self) -> Sequence[HostInfo]:
        """Each server of the pool with its models, or why it cannot be asked."""

    def pull(self, name: str, on_step: OnStep, is_stopped: Callable[[], bool]) -> bool:
        """Has each host fetch a model; False when stopped."""

    def settings(self) -> Sequence[SettingInfo]:
        """Every setting with where its value comes from."""

    def change_setting(self, name: str, text: str | None) -> None:
        """Writes one into the settings file; None takes it out of there."""

    def choose_model(self, name: str) -> None:
        """Makes it the model of new runs, in the settings file."""

    def probes(self) -> Sequence[KeptProbe]:
        """All probes that are kept, newest first."""

    def probe(
        self,
        model: str,
        context_tokens: int | None,
        on_step: OnProgress,
        is_stopped: Callable[[], bool],
    ) -> bool:
        """Probes a model and keeps what came out; False when stopped. None = the
        context of the settings."""

    def health(self) -> Sequence[HealthCheck]: ...

    def tell_losses(self, tell: Callable[[str], object]) -> None:
        """Has each run file told that is found to be cut, from any thread."""

    def start_run(self, wanted: NewRun) -> str:
        """Starts the engine as a process of its own; gives the run's id."""

    def resume_run(self, run_id: str) -> None:
        """Starts the engine again on a run that is not finished."""

    def page(self, corpus: str, page_id: str) -> Page | None: ...

    def sentences(self, corpus: str, page_id: str) -> Sequence[Sentence]:
        """All sentences of a page in order; empty when there is no such page."""

    def candidate_searches(
        self, header: RunHeader, sample: SampleResult, claim: str
    ) -> Sequence[CandidateSearch]:
        """The sentences that a claim of a run was held against, looked up again."""
