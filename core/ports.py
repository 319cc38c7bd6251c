"""Every seam on one page: what core asks of stores, models and the outside.

Stores and model adapters implement these; `tui/bootstrap/` is the only place where
they meet. Synchronous ports may block (disk, CPU): the engine calls them in a
worker thread. Asynchronous ports wait for a server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from claimscope.core.models import (
    CallRecord,
    Case,
    CitationDecision,
    Evidence,
    Grade,
    HumanVerdict,
    JsonValue,
    Page,
    RunHeader,
    RunState,
    RunStatus,
    SampleKey,
    SampleResult,
    SampleRow,
    Sentence,
    Usage,
    Verdict,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Floats: TypeAlias = "npt.NDArray[np.float32]"


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def model_id(self) -> str:
        """Name, weights digest and precision, e.g. `all-MiniLM-L6-v2@53aa5117/fp32`.

        Vectors of different ids are never mixed.
        """

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Floats:
        """Vectors of texts, shape (len(texts), dimensions), L2-normalised.

        A text longer than the model's window is chunked and the chunks' vectors
        averaged, never cut. Raises EmbeddingError.
        """


@dataclass(frozen=True)
class Progress:
    """How far a long action is; sent to a callback about twice a second."""

    action: str
    done: int
    total: int
    rate: float
    """Items a second, over this run of the action."""
    eta_seconds: float | None
    note: str = ""
    """What is waited for meanwhile, e.g. a model that is being loaded."""

    @classmethod
    def paced(
        cls, action: str, done: int, total: int, seconds: float, before: int = 0
    ) -> Progress:
        """With rate and time left by the seconds since there were `before`."""
        rate = (done - before) / seconds if seconds else 0.0
        left = (total - done) / rate if rate else None
        return cls(action, done, total, rate, left)


OnProgress = Callable[[Progress], None]


class Corpus(Protocol):
    """An indexed set of pages (stores/index/page_index.py, memory_corpus.py)."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str:
        """Hash of pages, splitter and embedding model."""

    @property
    def model_id(self) -> str: ...

    def page_ids(self) -> Sequence[str]: ...

    def page(self, page_id: str) -> Page | None: ...

    def sentences(self, page_id: str) -> Sequence[Sentence]:
        """All sentences of a page in order; empty when there is no such page."""

    def vectors(self, page_id: str) -> Floats:
        """Vectors of the page's sentences, shape (n, dimensions)."""

    def search(
        self,
        query: str,
        *,
        k: int = 10,
        min_similarity: float | None = None,
        sources: Sequence[str] = (),
    ) -> SearchResult:
        """The k best sentences, embedding and BM25 orders fused, with neighbours."""


@dataclass(frozen=True)
class SearchResult:
    """Ranked evidence; `fallback` says why page search answered instead."""

    hits: tuple[Evidence, ...]
    fallback: str | None = None


# --- language models --------------------------------------------------------


@dataclass(frozen=True)
class ChatRequest:
    """One call of a language model."""

    purpose: str
    """decompose, verify, grade: shown and journalled."""
    messages: tuple[tuple[str, str], ...]
    """(role, content) pairs."""
    prompt_digest: str
    """Digest of the prompt template, not of the filled prompt."""
    schema: dict[str, Any] | None = None
    max_tokens: int = 512
    top_logprobs: int = 0
    options: dict[str, JsonValue] = field(default_factory=dict)
    """Further options, e.g. {"temperature": 0.7}; temperature 0 and the run's seed
    are set by the adapter."""
    is_everyones: bool = False
    """Each worker of a cluster asks it, so they share such calls out: none takes many
    ahead. Decides nothing of the reply."""


@dataclass(frozen=True)
class ChatReply:
    """A complete reply. Incomplete ones are raised as errors, never returned."""

    content: str
    thinking: str | None
    done_reason: str
    logprobs: tuple[tuple[str, float], ...]
    usage: Usage
    call_key: str = ""


Phase = Literal["loading", "queued", "reading", "writing", "idle"]


@dataclass(frozen=True)
class ModelState:
    """What a model does for us right now; told at most twice a second."""

    host: str
    model: str
    phase: Phase
    seconds: float
    """How long it has been in this phase."""


OnState = Callable[[ModelState], None]


DESCRIBED = "desc:"
"""In front of a digest that is of what a server says of its weights, not of them."""


class ChatModel(Protocol):
    """A language model behind a server (core/backends/hosted/chat.py)."""

    @property
    def name(self) -> str: ...

    @property
    def digest(self) -> str | None: ...

    @property
    def context_tokens(self) -> int: ...

    async def chat(self, request: ChatRequest) -> ChatReply:
        """Raises a ModelError; never returns a cut, empty or unfinished reply."""


@dataclass(frozen=True)
class ServedModel:
    """A model as its server tells of it."""

    name: str
    digest: str
    """Empty where the server gives none."""
    size_bytes: int
    parameters: str | None
    quantization: str | None
    context_tokens: int | None
    """Tokens it was trained for."""
    capabilities: tuple[str, ...]
    """Empty where the server does not say."""
    is_remote: bool
    """It runs on somebody else's machine."""
    is_loaded: bool
    loaded_context: int | None
    """Tokens of the context it is in memory with."""
    loaded_until: str | None
    """ISO 8601."""


@dataclass(frozen=True)
class Inventory:
    """What a server is, and the models it has."""

    software: str
    """What stands before the version for people."""
    version: str
    models: tuple[ServedModel, ...]


class ModelServer(Protocol):
    """A server of language models, as it is listed."""

    @property
    def url(self) -> str:
        """As errors and screens name it."""

    async def inventory(self) -> Inventory:
        """Raises ServerDown, ModelError."""

    async def close(self) -> None: ...


class CallStore(Protocol):
    """Finished model calls by key: resume, cache and audit in one."""

    def call(self, key: str) -> CallRecord | None: ...

    def save_call(self, record: CallRecord) -> None:
        """Durable when it returns."""


class CallLog(CallStore, Protocol):
    """Where the calls of a run are looked up and saved, with a word on them."""

    def save_note(self, message: str) -> None: ...


# --- verification -----------------------------------------------------------


@dataclass(frozen=True)
class Question:
    """What a verifier is asked: a claim against candidate evidence."""

    claim: str
    evidence: tuple[Evidence, ...]
    """Candidates, best first, with ±1 context."""
    question: str | None = None
    documents: tuple[tuple[str, str], ...] = ()
    """(page id, text) of the candidates' pages, for a verifier that reads short ones
    whole; empty where only the candidates are known."""


class Verifier(Protocol):
    """Judges claims against evidence (core/verify/verifier.py, by_model.py)."""

    @property
    def name(self) -> str:
        """Recorded in each verdict, e.g. `evidence-2` or `ollama`."""

    async def verify(self, questions: Sequence[Question]) -> Sequence[Verdict]:
        """One verdict a question, in order. What cannot be judged is unscored with
        its reason; ModelError is raised only when no question can be judged."""


# --- runs -------------------------------------------------------------------


class RunWriter(CallLog, Protocol):
    """The engine's side of a run's journal: one writer, each save durable."""

    def header(self) -> RunHeader: ...

    def amend(self, header: RunHeader) -> None:
        """Saves the header of a run to which something was added."""

    def save_sample(self, result: SampleResult) -> None: ...

    def together(self) -> AbstractContextManager[Sequence[RunStatus]]:
        """What is saved within is durable when the block ends, with one wait for the
        disk; nothing of it when it raises. Gives the status after each sample then."""

    def save_state(self, state: RunState, error: str | None = None) -> None: ...

    def save_note(self, message: str) -> None:
        """A line of the run's log (a retry, a warning)."""

    def save_embedded(self, texts: int, tokens: int) -> None:
        """What a part of the run had its embedding model read."""

    def save_searched(self, times: Mapping[int, int]) -> None:
        """How long the searches of a part took (core/run/search_times.py)."""

    def save_model_state(self, state: ModelState) -> None:
        """What a model does now: kept until the next word, not part of the record."""

    def finished(self) -> dict[str, SampleResult]:
        """Finished samples by str(key), each read in full: for small runs. To plan
        what is left, `finished_keys` or `rows` is enough."""

    def samples(self) -> Iterator[SampleResult]:
        """Finished samples in the order they were first saved, each read when its turn
        comes and held by nobody."""

    def finished_keys(self) -> dict[str, str | None]:
        """str(key) of each finished sample → why it could not be judged; None = it
        was. Reads no result."""

    def rows(self) -> Sequence[SampleRow]:
        """As RunReader.rows."""

    def control(self) -> Control:
        """What the viewer asked for: run, pause or cancel."""

    def status(self) -> RunStatus: ...

    def close(self) -> None: ...


Control = Literal["run", "pause", "cancel"]


class RunReader(Protocol):
    """A viewer's side: never takes the lock, never blocks the engine."""

    def status(self) -> RunStatus: ...

    def samples(self) -> Sequence[SampleResult]:
        """Results in the order they were first saved; each is read from disk when it
        is asked for, so `samples()[-8:]` costs eight."""

    def rows(self) -> Sequence[SampleRow]:
        """A light row a sample, in the order of `samples`: what lists, filters and
        counts of any size are made of. Reads no result."""

    def sample(self, key: SampleKey) -> SampleResult | None:
        """One result in full, by the key of its row."""

    def call(self, key: str) -> CallRecord | None: ...

    def usage_by_model(self) -> dict[str, Usage]:
        """What each model used; empty when no call was journalled."""

    def notes(self) -> Sequence[tuple[str, str]]:
        """(time, message) of the run's log."""

    def embedded(self) -> tuple[int, int] | None:
        """(texts, tokens) that its embedding model read, over the parts that ended;
        None where no part has said."""

    def searched(self) -> Mapping[int, int] | None:
        """How long its searches took, over the parts that ended; None where no part
        has said."""

    def model_states(self) -> Sequence[ModelState]:
        """What each model does right now; empty when nobody has said."""

    def refresh(self) -> bool:
        """Reads what was appended since; True when there was something new."""

    def human_verdicts(self) -> Sequence[HumanVerdict]:
        """All words in order; the last one on a claim counts."""

    def save_human(self, *verdicts: HumanVerdict) -> None:
        """Appends words, all of them or none. Raises StoreError."""

    def citation_decisions(self) -> Sequence[CitationDecision]:
        """All words on proposals in order; the last one on a proposal counts."""

    def save_decision(self, decision: CitationDecision) -> None: ...

    def ask(self, control: Control) -> None:
        """Leaves a request to the engine."""

    def requested_control(self) -> Control:
        """The request that was left last; `run` when there is none."""


class RunStore(Protocol):
    """All runs of a workspace."""

    def create(self, header: RunHeader) -> RunWriter: ...

    def open(self, run_id: str) -> RunWriter:
        """For resuming. Raises StoreLocked, StoreError when there is no such run."""

    def read(self, run_id: str) -> RunReader: ...

    def runs(self) -> Iterable[RunStatus]:
        """Newest first. A damaged run is listed with state `failed` and its error."""


class PageReader(Protocol):
    """Reads one file format into pages (stores/pages/readers/)."""

    suffixes: tuple[str, ...]

    def read(self, data: bytes, path: str) -> Iterator[Page]:
        """Pages of a file. `path` is relative to the indexed folder and names the
        file in messages. Raises PageError."""


class Grader(Protocol):
    """Gives both grades; core/grade/grades.py bound to a model and a rubric."""

    async def __call__(
        self, case: Case, answer: str, context: Sequence[str]
    ) -> Sequence[Grade]: ...


class UsageMeter(Protocol):
    """Counts what the model calls of one sample cost."""

    def begin(self) -> None: ...

    def take(self) -> Usage: ...


@dataclass(frozen=True)
class PairProbabilities:
    """Probabilities of one pair, [0, 1]."""

    support: float
    contradiction: float | None = None
    """None: the classifier has no such output."""


class PairClassifier(Protocol):
    """What a verifier asks of a classifier."""

    @property
    def name(self) -> str: ...

    @property
    def can_contradict(self) -> bool: ...

    def tokens(self, text: str) -> int:
        """How many tokens a text has, alone."""

    def room(self, claim: str) -> int:
        """Tokens left for a premise beside a claim; may be negative."""

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[PairProbabilities | None]:
        """(premise, claim) pairs in order; None where no number came out."""


ENTAILS, CONTRADICTS, SILENT = range(3)
"""Columns of what an EntailmentReader says."""


class EntailmentReader(Protocol):
    """Reads whether a premise entails a claim, contradicts it or says nothing of it."""

    @property
    def digest(self) -> str:
        """Of its weights: verdicts by two are never mixed in a run."""

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """(premise, claim), both in canonical form. Shape (len(pairs), 3): entails,
        contradicts, silent; each row adds up to 1. Raises EmbeddingError."""
