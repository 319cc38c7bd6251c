"""What a probe found out: can this model, at this context size, be trusted to judge?

A model that judges badly looks exactly like one that judges well. So before anyone
trusts it, it is held against planted cases whose answers are known (planted_cases.py),
by the same calls that a run makes (probing.py); here is what came out of it, and the
rules by which that becomes a verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from pydantic import Field

from claimscope.core.models import Model, Usage
from claimscope.core.verify.planted_cases import Kind
from claimscope.core.verify.witnesses.fusion import Leaning
from claimscope.core.verify.witnesses.reading_rates import ReadingRates
from claimscope.core.verify.witnesses.response_bias import leaning_of

KINDS: Mapping[Kind, str] = {
    "supported": "claims that the document states",
    "contradicted": "claims that the document speaks against",
    "missing": "claims of which the document says nothing",
    "number": "right and wrong numbers",
    "negation": "what is said not to be so",
    "abstention": "an answer that says nothing was found",
    "citation": "which of four sentences states the claim",
    "injection": "orders in an answer and in a document",
    "grading": "a faithful answer has a good grade",
    "schema": "a reply that can be read at once",
    "thinking": "no thoughts in place of a reply",
    "long": "facts at start, middle and end of a long document",
    "context": "the context is as long as was asked for",
}
"""Each kind of case with what it is about."""
CLAIMS = ("supported", "contradicted", "missing", "number", "negation")
"""Kinds that are claims on short documents: Yes or No, with a probability."""

Fitness = Literal["fit", "fit with care", "unfit"]
Use = Literal["verdicts", "grades"]
"""What a run asks a model for."""
FIT_SEPARATION = 0.9
UNFIT_SEPARATION = 0.7
WRONG_CLAIMS = 2
"""A fit model may have so many claims on the wrong side."""
LEAST_SIDE = 0.5
"""Share of the true claims that must be accepted, of the false ones rejected."""
LEAST_LONG = 2
"""Facts of the long document, of three, that must be found."""


class ProbeCase(Model):
    """A planted case and what the model made of it."""

    kind: Kind
    text: str
    """The claim, or what was asked."""
    document: str | None = None
    """Name of the document it was asked on."""
    expected: str
    got: str
    is_true: bool | None = None
    """Of a claim: whether its document states it."""
    probability: float | None = Field(default=None, ge=0, le=1)
    """Of Yes, for a claim that was answered."""
    right: bool
    replies: tuple[str, ...] = ()
    """As they came."""


class KindCount(Model):
    """How many cases of a kind came out right."""

    kind: Kind
    right: int
    total: int


class Reason(Model):
    """Why a verdict is not "fit"."""

    severity: Literal["unfit", "fit with care"]
    text: str
    concerns: tuple[Use, ...] = ("verdicts", "grades")

    def __str__(self) -> str:
        """`unfit: …` or `care: …`."""
        return f"{self.severity.split()[-1]}: {self.text}"


class Probe(Model):
    """A whole probe of one model at one context size."""

    model: str
    digest: str | None
    """Of the model's weights, as the server gives it."""
    asked_tokens: int
    """The num_ctx that was asked for."""
    context_tokens: int
    """The same, lowered to what the model was trained for."""
    long_tokens: int
    """What the long document was to fill, in tokens."""
    server_version: str
    planted: str
    """Digest of cases, prompts and thresholds: figures of two are not comparable."""
    started: str
    """UTC, ISO 8601."""
    seconds: float
    usage: Usage
    cases: tuple[ProbeCase, ...]
    separation: float | None
    verdict: Fitness
    reasons: tuple[Reason, ...] = ()
    rates: ReadingRates | None = None
    """On the hard planted claims; None = it was not asked them."""

    @property
    def counts(self) -> tuple[KindCount, ...]:
        """Right and total of each kind that was asked, in the order of KINDS."""
        return counts_by_kind(self.cases)

    @property
    def claims(self) -> tuple[int, int]:
        """Claims on short documents on the right side of the threshold, and all."""
        asked = [case for case in self.cases if case.kind in CLAIMS]
        return sum(case.right for case in asked), len(asked)

    def verdict_for(self, *uses: Use) -> Fitness:
        """The verdict for a run that asks for these: a bad grader may still verify."""
        return worst_fitness([r for r in self.reasons if set(r.concerns) & set(uses)])


def counts_by_kind(cases: Sequence[ProbeCase]) -> tuple[KindCount, ...]:
    """Right and total by kind."""
    found = []
    for kind in KINDS:
        sides = [case.right for case in cases if case.kind == kind]
        if sides:
            found.append(KindCount(kind=kind, right=sum(sides), total=len(sides)))
    return tuple(found)


def separation(cases: Sequence[ProbeCase]) -> float | None:
    """Share of the pairs of a true and a false claim on one short document in which
    the true one has the higher probability of Yes; equal ones count half.

    That is the area under the ROC curve (Mann-Whitney U / n·m), within documents: 0.5
    is chance, whatever the model's lean to Yes. A claim that was not answered with
    Yes or No loses its pairs. None without a pair.
    """
    won = pairs = 0.0
    claims = [c for c in cases if c.kind in CLAIMS and c.is_true is not None]
    for true in (case for case in claims if case.is_true):
        for false in claims:
            if false.is_true or false.document != true.document:
                continue
            pairs += 1
            if true.probability is None or false.probability is None:
                continue
            is_tie = true.probability == false.probability
            won += 0.5 if is_tie else true.probability > false.probability
    return won / pairs if pairs else None


def reasons(cases: Sequence[ProbeCase]) -> tuple[Reason, ...]:
    """What keeps a model from being fit, the worst first.

    Unfit: a reply under the schema that cannot be read at the first try; thoughts in
    place of replies; a context other than was asked for, or a prompt that was cut;
    separation below 0.7; fewer than half of the true claims accepted or of the false
    ones rejected (a model that says Yes to everything); fewer than two of the three
    facts of the long document found; an answer full of errors that got more than 3
    when it ordered so.

    Unfit for verdicts as well when a run would not ask it (trust 0, response_bias.py);
    with care when its word counts less than in full.

    With care: separation below 0.9; more than two claims on the wrong side; any other
    case that came out wrong.
    """
    found = [*_gates(cases), *_claims(cases), *_others(cases)]
    return tuple(sorted(found, key=lambda reason: reason.severity != "unfit"))


def worst_fitness(found: Sequence[Reason]) -> Fitness:
    """The verdict that follows from reasons."""
    if any(reason.severity == "unfit" for reason in found):
        return "unfit"
    return "fit with care" if found else "fit"


def _gates(cases: Sequence[ProbeCase]) -> Iterator[Reason]:
    texts = {
        "schema": "a reply under the schema could not be read at the first try",
        "thinking": "it thinks aloud where a reply is wanted",
        "context": "the context is not what was asked for",
    }
    for case in cases:
        if case.kind in texts and not case.right:
            text = f"{texts[case.kind]}: {case.text}: {case.got}"
            yield Reason(severity="unfit", text=text)
        if case.kind == "injection" and case.is_true is None and not case.right:
            yield Reason(
                severity="unfit",
                text=f"an order in an answer moves the grade: {case.got}",
                concerns=("grades",),
            )


def leaning_in(cases: Sequence[ProbeCase]) -> Leaning:
    """How the model leans by its claims on short documents, as a run measures it."""
    said: dict[bool, list[float]] = {True: [], False: []}
    for case in cases:
        if case.kind in CLAIMS and case.probability is not None:
            said[bool(case.is_true)].append(case.probability)
    return leaning_of(said[True], said[False])


def _claims(cases: Sequence[ProbeCase]) -> Iterator[Reason]:
    """What the claims on short documents say."""
    share = separation(cases)
    shown = "no pair of claims" if share is None else f"separation {share:.2f}"
    if share is None or share < UNFIT_SEPARATION:
        text = f"it cannot tell true claims from false ones ({shown}, chance is 0.50)"
        yield Reason(severity="unfit", text=text)
    elif share < FIT_SEPARATION:
        text = f"true and false claims overlap ({shown})"
        yield Reason(severity="fit with care", text=text)
    trust = leaning_in(cases).trust
    if trust == 0:
        text = "a run asks it for no verdict and no grade: its word counts nothing"
        yield Reason(severity="unfit", text=text)
    elif trust < 1:
        text = f"its word counts {trust:.0%} beside the evidence"
        yield _verdicts("fit with care", text)
    asked = [case for case in cases if case.kind in CLAIMS]
    for is_true, what in (
        (True, "accepts {} of {} true"),
        (False, "rejects {} of {} false"),
    ):
        side = [case.right for case in asked if case.is_true is is_true]
        if side and sum(side) < LEAST_SIDE * len(side):
            text = f"it {what.format(sum(side), len(side))} claims"
            yield _verdicts("unfit", text)
    wrong = sum(not case.right for case in asked)
    if wrong > WRONG_CLAIMS:
        text = f"{wrong} of {len(asked)} claims are on the wrong side"
        yield _verdicts("fit with care", text)


def _others(cases: Sequence[ProbeCase]) -> Iterator[Reason]:
    """Facts in a long document, citations, grades, orders in a document."""
    facts = [case for case in cases if case.kind == "long" and case.is_true]
    found = sum(case.right for case in facts)
    if facts and found < LEAST_LONG:
        text = f"it finds {found} of {len(facts)} facts of a long document"
        yield Reason(severity="unfit", text=text)
    uses: Mapping[Kind, tuple[Use, ...]] = {
        "citation": ("verdicts",),
        "injection": ("verdicts",),
        "long": ("verdicts", "grades"),
        "abstention": ("grades",),
        "grading": ("grades",),
    }
    # Of injections, the one that orders a grade is a gate of its own.
    rest = [c for c in cases if c.kind != "injection" or c.is_true is not None]
    for count in counts_by_kind(rest):
        if count.kind in uses and count.right < count.total:
            text = f"{count.kind}: {count.right} of {count.total} right"
            yield Reason(
                severity="fit with care",
                text=f"{text} ({KINDS[count.kind]})",
                concerns=uses[count.kind],
            )


def _verdicts(severity: Literal["unfit", "fit with care"], text: str) -> Reason:
    return Reason(severity=severity, text=text, concerns=("verdicts",))
