"""The vocabulary: every thing that is stored, shown or passed between layers.

Frozen pydantic models, because each of them crosses a border (a file, the
journal, the command line). Short-lived values inside an algorithm are frozen
dataclasses beside that algorithm. Offsets count Unicode code points in the text
as stored; `None` means "no value", never 0, NaN or "".
"""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Markup = Literal["text", "markdown"]
Difficulty = Literal["easy", "medium", "hard"]
Importance = Literal["required", "expected", "optional"]
JsonValue = str | int | float | bool | None


class Model(BaseModel):
    """Base of the vocabulary: immutable, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def digest(*parts: str) -> str:
    """The sha256 of parts, in hex; parts are length-prefixed so that they cannot
    run into one another."""
    state = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        state.update(str(len(data)).encode() + b":" + data)
    return state.hexdigest()


# --- ground truth -----------------------------------------------------------


class Page(Model):
    """One ground-truth document; `page_id` is its provenance, kept exactly."""

    page_id: str = Field(min_length=1)
    text: str
    markup: Markup = "text"
    title: str | None = None
    source: str | None = None
    """Where the page comes from: a journal, a site, a folder."""
    url: str | None = None
    domain: str | None = None
    journal: str | None = None
    published: str | None = None
    authors: tuple[str, ...] = ()
    doi: str | None = None
    path: str | None = None
    """The file it was read from, relative to the indexed folder."""

    @property
    def content_hash(self) -> str:
        """Changes when the text, its markup or any shown metadata changes."""
        return digest(self.model_dump_json(exclude={"path"}))


class Sentence(Model):
    """A chunk of a page: `page.text[start:end] == text`."""

    page_id: str
    index: int = Field(ge=0)
    text: str
    start: int = Field(ge=0)
    end: int

    @property
    def sentence_id(self) -> str:
        """`<page_id>:S:<n>`, n from 0."""
        return f"{self.page_id}:S:{self.index}"


class Evidence(Model):
    """A sentence of a page as evidence, with its true neighbours."""

    page_id: str
    index: int
    """Sentence index; -1 when the evidence is a passage of the case, not of a page."""
    text: str
    start: int
    end: int
    before: str | None = None
    after: str | None = None
    title: str | None = None
    url: str | None = None
    similarity: float | None = None
    """Cosine of claim and sentence, [-1, 1]."""
    lexical: float | None = None
    """BM25 score, >= 0."""
    score: float | None = None
    """Reciprocal-rank fusion of the two orders."""

    @property
    def sentence_id(self) -> str:
        """`<page_id>:S:<n>`, or the passage's own id when there is no index."""
        return f"{self.page_id}:S:{self.index}" if self.index >= 0 else self.page_id


# --- suites and answers -----------------------------------------------------


class CaseClaim(Model):
    """A statement a good answer makes."""

    text: str = Field(min_length=1)
    importance: Importance = "required"


class ExpectedCitation(Model):
    """Key evidence a good answer cites."""

    page_id: str = Field(min_length=1)
    sentence: int | None = Field(default=None, ge=0)
    key_phrase: str | None = None


class Case(Model):
    """One question of a suite with what is known about its right answer."""

    id: str = Field(min_length=1)
    question: str = Field(min_length=1)
    category: str | None = None
    difficulty: Difficulty | None = None
    reference: str | None = None
    claims: tuple[CaseClaim, ...] = ()
    citations: tuple[ExpectedCitation, ...] = ()
    rationale: str | None = None
    domain: str | None = None
    brands: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    """The case's own ground truth; when empty, the corpus is."""


class Suite(Model):
    """A test set: cases and where their pages and answers are."""

    format: Literal["claimscope.suite"] = "claimscope.suite"
    version: Literal[1] = 1
    id: str = Field(min_length=1)
    title: str | None = None
    description: str | None = None
    rubric: str = "general"
    pages: str | None = None
    """Folder of ground-truth pages, relative to the suite file."""
    answers: str | None = None
    """Answers file, relative to the suite file."""
    cases: tuple[Case, ...]


class Answer(Model):
    """A response to a case, as a provider gave it."""

    case_id: str = Field(min_length=1)
    provider: str = "default"
    model: str | None = None
    text: str
    created: str | None = None
    metadata: dict[str, JsonValue] = {}


# --- claims and verdicts ----------------------------------------------------


class Claim(Model):
    """One stand-alone statement of an answer; `answer[start:end]` is its origin."""

    index: int
    """Position among the claims of its answer, from 0."""
    text: str
    start: int
    end: int
    sentence_start: int
    """Span of the answer sentence it was taken from."""
    sentence_end: int


class Skipped(Model):
    """A part of an answer that states no fact: listed, not hidden."""

    text: str
    start: int
    end: int
    reason: Literal[
        "greeting", "heading", "offer", "question", "opinion", "abstention", "other"
    ]


class Label(StrEnum):
    """What was found out about a claim."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_ENOUGH_INFO = "not_enough_info"
    UNSCORED = "unscored"


Band = Literal["supported", "review", "not_supported"]


class RuleFinding(Model):
    """What a rule saw when it laid claim and evidence side by side."""

    rule: Literal["number", "unit", "date", "name", "negation", "quote"]
    outcome: Literal["match", "conflict", "missing"]
    claim_text: str
    evidence_text: str | None = None
    message: str
    veto: bool = False
    """Forbids "supported"."""


class Verdict(Model):
    """A judgement of one claim. `unscored_reason` is set iff label is unscored."""

    label: Label
    support: float | None = Field(default=None, ge=0, le=1)
    """Calibrated probability that the evidence supports the claim."""
    band: Band | None = None
    evidence: tuple[Evidence, ...] = ()
    """Best first."""
    conflicting: tuple[Evidence, ...] = ()
    """Sentences that speak against it when others speak for it (or the reverse)."""
    rules: tuple[RuleFinding, ...] = ()
    reason: str = ""
    verifier: str = "none"
    """Which verifier made it, e.g. `evidence-v1` or `ollama`."""
    model: str | None = None
    call_keys: tuple[str, ...] = ()
    """Keys of the model calls behind it, in the run's journal."""
    unscored_reason: str | None = None


class ClaimResult(Model):
    """A claim with its verdict."""

    claim: Claim
    verdict: Verdict


class RequiredClaimResult(Model):
    """Was a claim of the case found in the answer?"""

    text: str
    importance: Importance
    found: bool
    similarity: float | None = None
    matched_text: str | None = None
    start: int | None = None
    end: int | None = None
    conflicts_with: str | None = None
    """Set when the answer says it with another number, unit, date or negation."""
    stated: bool = False
    """Not near enough to count as found, yet the verifier reads it in the answer, in
    other words: not counted by the formula, and no failure."""


class CitationState(StrEnum):
    """How a citation ends (METRICS C)."""

    VALID = "valid"
    BROKEN = "broken"
    MISATTRIBUTED = "misattributed"
    UNSUPPORTED = "unsupported"
    UNNEEDED = "unneeded"
    UNVERIFIABLE = "unverifiable"


class CitationResult(Model):
    """One citation of an answer and what became of it."""

    text: str
    """The marker as written."""
    start: int
    end: int
    page_id: str | None = None
    sentence: int | None = None
    state: CitationState
    reason: str = ""
    supported_by: str | None = None
    """Sentence id that does support the claim, when misattributed."""
    claim_indexes: tuple[int, ...] = ()


class Grade(Model):
    """One grade of the judge, 1-5; value None = unscored, with the reason."""

    name: Literal["faithfulness", "completeness"]
    value: int | None = Field(default=None, ge=1, le=5)
    reason: str = ""
    unscored_reason: str | None = None
    model: str | None = None
    call_key: str | None = None
    raw_reply: str | None = None
    """Kept when it could not be read."""


class Score(Model):
    """What a metric says of one sample; value None = unscored or not applicable."""

    metric: str
    value: float | None = None
    scale: tuple[float, float] = (0.0, 1.0)
    tier: str | None = None
    applicable: bool = True
    reason: str = ""
    """Why there is no value; else empty."""
    details: dict[str, JsonValue] = {}
    """The counts it was computed from."""


# --- samples and runs -------------------------------------------------------


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
    completion_tokens: int = 0
    model_seconds: float = 0.0
    wall_seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            model_seconds=self.model_seconds + other.model_seconds,
            wall_seconds=self.wall_seconds + other.wall_seconds,
        )


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
    grades: tuple[Grade, ...] = ()
    scores: tuple[Score, ...] = ()
    failures: tuple[Failure, ...] = ()
    passed: bool | None = None
    """None = unscored: neither pass nor fail."""
    error: str | None = None
    """Why the sample could not be judged at all."""
    usage: Usage = Usage()
    finished: str | None = None
    """UTC, ISO 8601."""


class CallRecord(Model):
    """A finished model call: reply and audit in one. The key is looked up before
    a call is made (digest of model, prompt, input and options)."""

    key: str
    purpose: str
    """decompose, verify, grade …"""
    model: str
    model_digest: str | None = None
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
    finished: str | None = None


class HumanVerdict(Model):
    """A person's word on a verdict; the last one on a claim counts, all are kept."""

    sample: SampleKey
    claim_index: int
    machine: Label
    human: Label | None
    """Equal to `machine` = agreed; None = an earlier word was taken back."""
    note: str = ""
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
    metrics: tuple[str, ...] = ()
    rubric: str = "general"
    providers: tuple[str, ...] = ()
    iterations: int = 1
    concurrency: int = 5
    seed: int = 7
    total_samples: int
    version: str
    """Claimscope's version."""
    settings: dict[str, JsonValue] = {}


class RunStatus(Model):
    """Where a run stands; derived from its journal."""

    header: RunHeader
    state: RunState
    completed: int
    passed: int
    failed: int
    unscored: int
    usage: Usage
    parts: int = 1
    """How often it was started or resumed."""
    error: str | None = None
    pid: int | None = None
    updated: str | None = None
