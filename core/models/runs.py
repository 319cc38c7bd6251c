"""Samples, runs, and what is kept of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple

from claimscope.core.models.base import JsonValue, Model
from claimscope.core.models.suites import Answer, Case
from claimscope.core.models.verdicts import (
    CitationProposal,
    CitationResult,
    ClaimResult,
    Grade,
    Label,
    Placing,
    RequiredClaimResult,
    Score,
    Skipped,
    UnreadMarker,
)


class FailureKind(StrEnum):
    """Kinds of failure a person steps through and filters by."""

    CONTRADICTED = "contradicted"
    NOT_SUPPORTED = "not_supported"
    MISSING_CLAIM = "missing_claim"
    BROKEN_CITATION = "broken_citation"
    MISATTRIBUTED = "misattributed"
    EMPTY = "empty"
    WRONG_ABSTENTION = "wrong_abstention"
    LOW_GRADE = "low_grade"
    PLANTED_GRADE = "planted_grade"
    UNSCORED = "unscored"


class Failure(Model):
    """One reason why a sample does not pass, and where."""

    kind: FailureKind
    message: str
    claim_index: int | None = None
    citation_index: int | None = None
    start: int | None = None
    end: int | None = None


class Usage(Model):
    """What a call, a sample or a run cost."""

    calls: int = 0
    prompt_tokens: int = 0
    """All of the prompt, those from the server's prefix cache too."""
    cached_tokens: int = 0
    """Prompt tokens the server had read before; 0 where it does not say."""
    completion_tokens: int = 0
    model_seconds: float = 0.0
    prompt_seconds: float = 0.0
    """Of the model's seconds, those spent reading prompts."""
    load_seconds: float = 0.0
    """Of the model's seconds, those spent loading it."""
    wall_seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        mine, its = dict(self), dict(other)
        return Usage(**{name: mine[name] + its[name] for name in mine})


class SampleKey(Model):
    """One (case, answer, iteration)."""

    case_id: str
    provider: str
    iteration: int = 1

    def __str__(self) -> str:
        """`case/provider/iteration`; a slash inside an id is escaped, so that no two
        samples share a name."""
        case_id, provider = (
            part.replace("%", "%25").replace("/", "%2F")
            for part in (self.case_id, self.provider)
        )
        return f"{case_id}/{provider}/{self.iteration}"


class SampleResult(Model):
    """Everything that was found out about one sample."""

    key: SampleKey
    case: Case
    answer: Answer
    abstained: bool = False
    claims: tuple[ClaimResult, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    required_claims: tuple[RequiredClaimResult, ...] = ()
    citations: tuple[CitationResult, ...] = ()
    proposals: tuple[CitationProposal, ...] = ()
    """Changes that make citations of the answer good."""
    unread_markers: tuple[UnreadMarker, ...] = ()
    """What looks like a citation of the answer and cites nothing."""
    grades: tuple[Grade, ...] = ()
    scores: tuple[Score, ...] = ()
    failures: tuple[Failure, ...] = ()
    passed: bool | None = None
    """None = unscored: neither pass nor fail."""
    error: str | None = None
    """Why the sample could not be judged at all."""
    usage: Usage = Usage()
    """Of all times it was judged in this run; nothing where it was carried over."""
    finished: str | None = None
    """UTC, ISO 8601."""
    grounds: str | None = None
    """What was looked up in the pages, and a digest of what was found, as JSON
    (core/run/provenance.py): whether other pages would give another result."""
    carried_from: str | None = None
    """The run it was judged in, where a re-analysis took it over unchanged."""


class RowScore(NamedTuple):
    """What a metric says of a sample, without the reasons."""

    value: float | None
    """None = unscored, or not applicable."""
    scale: tuple[float, float]
    applicable: bool
    placing: Placing | None = None
    """Whether it has a tier, a level or neither."""


@dataclass(frozen=True, slots=True)
class SampleRow:
    """A sample as a list of 100,000 shows it: no texts but the question. Made when the
    sample is saved; the whole result is read when it is asked for by `key`. No
    pydantic: it never crosses a border, and there are many."""

    case_id: str
    provider: str
    iteration: int
    category: str | None
    difficulty: str | None
    domain: str | None
    question: str
    passed: bool | None
    """None = unscored: neither pass nor fail."""
    abstained: bool
    error: str | None
    """Why the sample could not be judged at all."""
    labels: Mapping[Label, int]
    """Claims by verdict; labels without a claim are not there."""
    failures: tuple[FailureKind, ...]
    """Kinds of its failures, one for each failure, in their order."""
    is_disputed: bool
    """Several judges gave a claim different labels, or grades far apart."""
    metrics: tuple[str, ...]
    """What it was scored by; rows that were scored alike share one tuple."""
    values: tuple[RowScore, ...]
    """Beside `metrics`."""
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    """Wall time."""
    finished: str | None
    """UTC, ISO 8601."""
    likely: int = 0
    """Claims that are supported by no proof and no two witnesses; `labels` counts them
    as supported."""

    @property
    def scores(self) -> Mapping[str, RowScore]:
        return dict(zip(self.metrics, self.values, strict=True))

    def score(self, metric: str) -> RowScore | None:
        """One score; None = the metric was not asked for."""
        if metric not in self.metrics:
            return None
        return self.values[self.metrics.index(metric)]

    @property
    def key(self) -> SampleKey:
        return SampleKey(
            case_id=self.case_id, provider=self.provider, iteration=self.iteration
        )


class CallRecord(Model):
    """A finished model call: reply and audit in one. The key is looked up before
    a call is made (digest of model, prompt, input and options)."""

    key: str
    purpose: str
    """decompose, verify, grade …"""
    model: str
    model_digest: str | None = None
    server: str | None = None
    """Version of the server that gave it."""
    prompt_digest: str
    prompt: str
    """The exact rendered messages, as JSON."""
    options: dict[str, JsonValue] = {}
    reply: str
    thinking: str | None = None
    done_reason: str | None = None
    logprobs: tuple[tuple[str, float], ...] = ()
    """Top alternatives of the first generated token: (token, log-probability)."""
    usage: Usage = Usage()
    earlier: Usage = Usage()
    """What the same call cost when it was made before, and then made anew."""
    made_in: str | None = None
    """The run that paid for it, where its reply was taken over from there."""
    finished: str | None = None


class HumanVerdict(Model):
    """A person's word on a verdict; the last one on a claim counts, all are kept."""

    sample: SampleKey
    claim_index: int
    machine: Label
    human: Label | None
    """Equal to `machine` = agreed; None = an earlier word was taken back."""
    is_claim: bool = True
    """False: the person says that it states no fact at all; `human` is then
    unscored."""
    note: str = ""
    at: str
    """UTC, ISO 8601."""
    by: str | None = None
    required: bool = False
    """It is on a required claim of the case that was looked for in the answer:
    `claim_index` counts those. Supported = the answer says it, not enough info = it is
    missing."""
    claim: str | None = None
    """The claim's text as the person saw it: a sample that was judged again may have
    other claims, and the word is not on those. None = not recorded."""

    @property
    def subject(self) -> tuple[SampleKey, int, bool]:
        """What it is on: sample, index, whether among the required claims."""
        return self.sample, self.claim_index, self.required

    @property
    def is_agreement(self) -> bool:
        """Whether the person let the machine's verdict stand."""
        return self.is_claim and self.human is not None and self.human == self.machine

    @property
    def is_overrule(self) -> bool:
        """Whether it says something else than the machine."""
        return self.human is not None and not self.is_agreement


class CitationDecision(Model):
    """A person's yes to a proposal; the last word on each counts, all are kept."""

    sample: SampleKey
    proposal: CitationProposal
    accepted: bool
    """False: an earlier yes was taken back."""
    at: str
    """UTC, ISO 8601."""
    by: str | None = None


RunState = Literal["running", "paused", "finished", "cancelled", "failed", "stopped"]


class RunHeader(Model):
    """What a run is: written once, first record of its journal."""

    run_id: str
    created: str
    fingerprint: str
    suite_id: str
    suite_title: str | None = None
    suite_path: str | None = None
    suite_digest: str
    answers_path: str | None = None
    pages_path: str | None = None
    """Folder the corpus was read from."""
    answers_digest: str
    corpus: str | None = None
    corpus_version: str | None = None
    embedding_model: str | None = None
    verifier: str
    """evidence or ollama."""
    judge: bool = False
    model: str | None = None
    model_digest: str | None = None
    judges: tuple[str, ...] = ()
    """All models that judge, when they are several: `name@digest`."""
    fitness: dict[str, str] = {}
    """By model: what its probe said when the run began (fit, fit with care, unfit,
    unprobed). Told, not part of the fingerprint."""
    metrics: tuple[str, ...] = ()
    skip_bad_cases: bool = False
    """Malformed cases of the suite were left out."""
    include_unreviewed: bool = False
    """Cases that a model wrote and nobody has accepted were judged as well."""
    rubric: str = "general"
    providers: tuple[str, ...] = ()
    iterations: int = 1
    concurrency: int = 5
    seed: int = 7
    total_samples: int
    version: str
    """Claimscope's version."""
    made_from: str | None = None
    """The run whose model calls it may use, and with `carries` whose results."""
    carries: bool = False
    """A re-analysis: results for which the pages still say the same are taken over."""
    added_answers: tuple[str, ...] = ()
    """Answers files that were added later."""
    amended: tuple[str, ...] = ()
    """What was added to the run after it began, in words with the time."""
    settings: dict[str, JsonValue] = {}
    prices: str | None = None
    """What a million tokens cost by model when it began, as the setting `prices`; told,
    not part of the fingerprint."""
    currency: str = "USD"


class CallCount(Model):
    """The journalled model calls for one purpose."""

    purpose: str
    """What asked: decompose, verify (the witness "word"), grade, probe …"""
    calls: int
    prompt_tokens: int
    """Read for them, cached ones among them."""


class RunStatus(Model):
    """Where a run stands; derived from its journal."""

    header: RunHeader
    state: RunState
    completed: int
    passed: int
    failed: int
    unscored: int
    usage: Usage
    calls: tuple[CallCount, ...] = ()
    """By purpose, the most first."""
    parts: int = 1
    """How often it was started or resumed."""
    error: str | None = None
    pid: int | None = None
    updated: str | None = None


def judge_id(name: str, weights: str | None) -> str:
    """`name@digest`, the digest's first twelve digits as Ollama shows them."""
    return f"{name}@{weights[:12]}" if weights else name
