"""What is found out about an answer: claims, verdicts, citations, grades, scores."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field, model_validator

from claimscope.core.models.base import Importance, JsonValue, Model
from claimscope.core.models.pages import Evidence


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
        "greeting",
        "heading",
        "offer",
        "question",
        "opinion",
        "abstention",
        "reference",
        "other",
    ]
    """`reference`: an entry of the list of sources at the end."""


class Label(StrEnum):
    """What was found out about a claim."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_ENOUGH_INFO = "not_enough_info"
    UNSCORED = "unscored"


Band = Literal["supported", "review", "not_supported"]


RULE_IDS = (
    "figure",
    "crossing",
    "date",
    "weekday",
    "absent-name",
    "other-name",
    "denial",
    "quantifier",
    "hedge",
    "condition",
    "attribution",
    "measure",
    "undenied",
    "quotation",
    "exchange",
    "exchanged-figure",
    "neighbours-figure",
    "cause",
    "role",
)
"""Of the rules that hold claim and evidence side by side (core/verify/rules), in their
order; settings name them."""


class RuleFinding(Model):
    """What a rule saw when it laid claim and evidence side by side."""

    rule: Literal["number", "unit", "date", "name", "negation", "quote", "scope"]
    """What it is about."""
    id: str = ""
    """The rule of the registry that made it (core/verify/rules/registry.py)."""
    outcome: Literal["match", "conflict", "missing"]
    claim_text: str
    evidence_text: str | None = None
    message: str
    veto: bool = False
    """Forbids "supported"."""


Says = Literal["entails", "contradicts", "doubts", "silent"]


PEERS = "peers"
"""Name of the witness that finds a claim stated of another thing."""


class Testimony(Model):
    """What one witness says of a claim, and of which sentence."""

    witness: str
    """rules, entailment, word, reader, likeness …"""
    says: Says
    """`doubts`: not against the claim, yet enough that it is not proved."""
    strength: float | None = Field(default=None, ge=0, le=1)
    """How sure it is, where it gives a number; not a probability of truth."""
    place: str | None = None
    """Sentence id of what it rests on."""
    reason: str = ""
    decisive: bool = False
    """The verdict rests on it."""
    entails: float | None = Field(default=None, ge=0, le=1)
    contradicts: float | None = Field(default=None, ge=0, le=1)
    """Of the entailment model, what it gives to either, whatever it says."""


class Vote(Model):
    """What one of several judges said of a claim: kept apart, never only counted."""

    judge: str
    """Name of the model, or of the verifier without one."""
    label: Label
    support: float | None = Field(default=None, ge=0, le=1)
    reason: str = ""
    call_keys: tuple[str, ...] = ()
    unscored_reason: str | None = None


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
    votes: tuple[Vote, ...] = ()
    """One for each judge, when there are several."""
    testimony: tuple[Testimony, ...] = ()
    """What each witness said; the one the verdict rests on first."""

    @property
    def is_likely(self) -> bool:
        """Supported, but by no proof and no two witnesses: a person should look."""
        return self.label is Label.SUPPORTED and self.band == "review"

    @property
    def word(self) -> str:
        """What it is called everywhere: its label, or that it is only likely."""
        return "likely" if self.is_likely else self.label.value.replace("_", " ")

    @property
    def of_another(self) -> Testimony | None:
        """Who says that the first sentence shown is about another thing."""
        return next((one for one in self.testimony if one.witness == PEERS), None)

    @property
    def is_disputed(self) -> bool:
        """Whether judges that gave a label gave different ones."""
        said = {vote.label for vote in self.votes if vote.label != Label.UNSCORED}
        return len(said) > 1


class ClaimResult(Model):
    """A claim with its verdict."""

    claim: Claim
    verdict: Verdict
    machine: Verdict | None = None
    """The machine's own verdict, where `verdict` is a person's word instead of it
    (core/analysis/agreement/overrides.py). Never set in what a run saves."""


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
    unscored_reason: str | None = None
    """Why it could not be looked for at all: neither found nor missing."""
    stated: bool = False
    """Not near enough to count as found, yet the verifier reads it in the answer, in
    other words: not counted by the formula, and no failure."""
    by_words: bool = False
    """The embedding model failed: the similarity is the overlap of words."""

    @property
    def label(self) -> Label:
        """As a verdict: supported where the answer says it, not enough info where it is
        missing."""
        if self.unscored_reason:
            return Label.UNSCORED
        said = self.found or self.stated
        return Label.SUPPORTED if said else Label.NOT_ENOUGH_INFO


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
    exists: bool | None = None
    """Its page and sentence are in the evidence; None = it could not be looked up."""
    supports: bool | None = None
    """It carries a claim of its sentence, or a part that the others lack; None = it
    could not be judged."""
    is_likely: bool = False
    """It supports by no proof and no two witnesses: a person should look."""

    @model_validator(mode="before")
    @classmethod
    def _told_by_state(cls, fields: Any) -> Any:
        """Both facts follow from most states: runs from before the fields have them."""
        if not isinstance(fields, dict) or "exists" in fields:
            return fields
        state = CitationState(fields["state"]) if "state" in fields else None
        if state in (None, CitationState.UNVERIFIABLE):
            return fields
        return {
            **fields,
            "exists": state is not CitationState.BROKEN,
            "supports": state is CitationState.VALID,
        }

    @property
    def word(self) -> str:
        """Its state, and that its support is only likely."""
        return f"{self.state.value} (likely)" if self.is_likely else self.state.value


class CitationProposal(Model):
    """A change of an answer that makes a citation of it good, for a person to accept:
    `answer[start:end] == text` becomes `by`."""

    kind: Literal["replace", "add"]
    start: int
    end: int
    """Equal to `start` where there is nothing yet."""
    text: str
    """The marker as written; empty for one to add."""
    by: str
    """With the white space before it, for one to add."""
    entry: str = ""
    """A line for the list of references at the end, where a new source is named."""
    sources: tuple[str, ...]
    """Ids of the sentences that do support the claims."""
    quotes: tuple[str, ...]
    """Their texts."""
    claim_indexes: tuple[int, ...]
    is_likely: bool = False
    """That they support the claims is not proved: a person should look."""
    accepted: bool = False
    """A person took it (core/cite/repair.py). Never set in what a run saves."""

    @property
    def word(self) -> str:
        """How sure it is, and that a person took it."""
        sure = "likely" if self.is_likely else "proved"
        return f"{sure}, accepted" if self.accepted else sure


class UnreadMarker(Model):
    """A part of an answer that looks like a citation and was read as none."""

    text: str
    start: int
    end: int
    reason: str


class GradeVote(Model):
    """The grade of one of several judges."""

    judge: str
    value: int | None = Field(default=None, ge=1, le=5)
    reason: str = ""
    call_key: str | None = None
    unscored_reason: str | None = None


class Grade(Model):
    """One grade of the judge, 1-5; value None = unscored, with the reason. A whole
    number from one judge; from several it may be their mean."""

    name: Literal["faithfulness", "completeness"]
    value: float | None = Field(default=None, ge=1, le=5)
    reason: str = ""
    unscored_reason: str | None = None
    model: str | None = None
    call_key: str | None = None
    raw_reply: str | None = None
    """Kept when it could not be read."""
    votes: tuple[GradeVote, ...] = ()
    """One for each judge, when there are several."""


class ScoreSpan(Model):
    """A place that a score rests on: a mention, a matched chunk, an unmatched part."""

    kind: str
    """What it is, in the metric's own words: `url`, `brand`, `unmatched` …"""
    text: str
    start: int | None = None
    """Place in the answer, when it is there."""
    end: int | None = None
    source: str | None = None
    """Sentence id or address of what it was matched with."""
    address: str | None = None
    """Web address of the page it was matched with, where that is known."""
    value: float | None = None
    """Similarity or weight."""
    note: str = ""


Placing = Literal["tier", "level"]
"""What a value is called by: tiers of 0-100, levels of 0-1."""


class Score(Model):
    """What a metric says of one sample; value None = unscored or not applicable."""

    metric: str
    value: float | None = None
    scale: tuple[float, float] = (0.0, 1.0)
    tier: str | None = None
    """excellent, good, fair, poor on the 0-100 scale (METRICS A)."""
    level: str | None = None
    """excellent, good, moderate, poor on the 0-1 scale (METRICS D)."""
    applicable: bool = True
    reason: str = ""
    """Why there is no value; else empty."""
    details: dict[str, JsonValue] = {}
    """The counts it was computed from."""
    evidence: tuple[ScoreSpan, ...] = ()
    """The places it was computed from."""
