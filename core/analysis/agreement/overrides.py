"""What a person's words make of a run: their verdicts for the machine's.

A label that a person gave replaces the machine's verdict on that claim, and all that
depends on it is computed again by the code that judged: metrics of claims, the
weighted overall, failures, pass or fail. Everything else stays, and the machine's own
verdict stays beside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import ValidationError

from claimscope.core.cite.marker_edits import accepted_proposals, mark_accepted
from claimscope.core.errors import StoreError
from claimscope.core.metrics import overall
from claimscope.core.metrics.base import Findings, inapplicable
from claimscope.core.metrics.discovery import discover
from claimscope.core.metrics.tiers import with_tier
from claimscope.core.models import (
    ClaimResult,
    Failure,
    HumanVerdict,
    Label,
    RequiredClaimResult,
    RunHeader,
    RunStatus,
    SampleKey,
    SampleResult,
    Score,
    Skipped,
    Verdict,
)
from claimscope.core.ports import RunReader
from claimscope.core.run.outcome import (
    claim_failures,
    failures_of,
    passed,
    required_failures,
)
from claimscope.core.settings import JUDGING, Settings
from claimscope.core.text.injection import injected_spans
from claimscope.core.verify.decomposition import is_empty

_IN_HAND = frozenset({"claims", "required_claims"})
"""Needs of the metrics that people's words change."""
HUMAN = "human"
"""Verifier of a verdict that is a person's."""
Subject = tuple[SampleKey, int, bool]
"""Sample, index of a claim, whether among the required claims of the case."""
StandingVerdicts = Mapping[Subject, HumanVerdict]
"""The word that counts, by what it is on."""
People = dict[str | None, HumanVerdict]
"""Words on one claim by who said them, the latest last."""


@dataclass(frozen=True)
class CorrectedRun:
    """The samples of a run as people see them."""

    status: RunStatus
    """Passed, failed and unscored counted from `samples`."""
    samples: Sequence[SampleResult]
    overruled: int
    """Claims that people gave another verdict than the machine, or no claims."""


def apply_overrides(reader: RunReader) -> CorrectedRun:
    """A run with its people's words in place of the machine's verdicts."""
    accepted = accepted_proposals(reader.citation_decisions())
    status, samples = reader.status(), in_order(reader.samples())
    samples = [mark_accepted(sample, accepted) for sample in samples]
    words = reader.human_verdicts()
    if not words:
        return CorrectedRun(status, samples, 0)
    changed = with_overrides(samples, words, settings_of(status.header))
    outcomes = [sample.passed for sample in changed]
    counted = status.model_copy(
        update={
            "passed": outcomes.count(True),
            "failed": outcomes.count(False),
            "unscored": outcomes.count(None),
        }
    )
    return CorrectedRun(counted, changed, overruled_claims(samples, words))


def in_order(samples: Iterable[SampleResult]) -> list[SampleResult]:
    """By case, provider and iteration: several are judged at once, and the order in
    which they were finished is another one each time."""
    return sorted(
        samples, key=lambda one: (one.key.case_id, one.key.provider, one.key.iteration)
    )


def settings_of(header: RunHeader) -> Settings:
    """The settings that a run was judged by; defaults for what an older one lacks.

    Raises StoreError for settings of another version that mean nothing here.
    """
    known = {name: header.settings[name] for name in JUDGING if name in header.settings}
    try:
        return Settings.model_validate(known)
    except ValidationError as error:
        name = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise StoreError(
            f"run {header.run_id} was judged by a setting {name} that this version "
            "cannot read",
            f"open it with the version that made it, {header.version}",
        ) from error


# --- which words count --------------------------------------------------------


def by_person(words: Iterable[HumanVerdict]) -> dict[Subject, People]:
    """By claim, the last word of each person, the person who spoke last being last.

    Who takes a word back takes back their own: that of another person stands again.
    """
    found: dict[Subject, People] = {}
    for word in words:
        take(word, found)
    return found


def take(word: HumanVerdict, found: dict[Subject, People]) -> None:
    """Adds a further word to those of all claims."""
    people = found.setdefault(word.subject, {})
    people.pop(word.by, None)
    if word.human is not None:
        people[word.by] = word
    if not people:
        del found[word.subject]


def latest(people: People) -> HumanVerdict:
    """The word that counts of those on one claim."""
    return next(reversed(people.values()))


def words_that_count(words: Iterable[HumanVerdict]) -> StandingVerdicts:
    """The word that counts on each claim: the last one that was not taken back."""
    return {place: latest(people) for place, people in by_person(words).items()}


def word_on(
    result: ClaimResult, sample: SampleResult, words: StandingVerdicts
) -> HumanVerdict | None:
    """The word on a claim; none when it was said of another text."""
    word = words.get((sample.key, result.claim.index, False))
    return _on_text(word, result.claim.text)


def word_on_required(
    index: int, sample: SampleResult, words: StandingVerdicts
) -> HumanVerdict | None:
    """The word on a required claim of the case, by its place; see word_on."""
    word = words.get((sample.key, index, True))
    return _on_text(word, sample.required_claims[index].text)


def _on_text(word: HumanVerdict | None, text: str) -> HumanVerdict | None:
    return word if word is None or word.claim in (None, text) else None


def is_overruled(result: ClaimResult, word: HumanVerdict | None) -> bool:
    """Does the word differ from the verdict that the claim has?"""
    if word is None:
        return False
    return not word.is_claim or word.human != result.verdict.label


def overruled_claims(
    samples: Iterable[SampleResult], words: Iterable[HumanVerdict]
) -> int:
    """Claims whose machine verdict does not stand."""
    counting = words_that_count(words)
    return sum(count_overruled(sample, counting) for sample in samples)


def count_overruled(sample: SampleResult, words: StandingVerdicts) -> int:
    """Claims of a sample, required ones too, whose machine verdict does not stand."""
    of_claims = sum(is_overruled(r, word_on(r, sample, words)) for r in sample.claims)
    return of_claims + len(_required_overruled(sample, words))


def _required_overruled(
    sample: SampleResult, words: StandingVerdicts
) -> dict[int, HumanVerdict]:
    """By place among the required claims."""
    said = {
        n: word_on_required(n, sample, words)
        for n in range(len(sample.required_claims))
    }
    return {
        n: word
        for n, word in said.items()
        if word is not None and word.human != sample.required_claims[n].label
    }


# --- what they change ---------------------------------------------------------


def with_overrides(
    samples: Iterable[SampleResult],
    words: Iterable[HumanVerdict],
    settings: Settings | None = None,
) -> list[SampleResult]:
    """Samples, in their order, with people's verdicts for the machine's.

    settings: those of the run (`settings_of`), which say what fails a sample. A sample
    nobody overruled is given back as it is. What a person calls no claim is moved to
    the skipped parts: it counts neither way.
    """
    counting, by = words_that_count(words), settings or Settings()
    return [sample_with_overrides(sample, counting, by) for sample in samples]


def sample_with_overrides(
    sample: SampleResult, words: StandingVerdicts, settings: Settings
) -> SampleResult:
    if not count_overruled(sample, words):
        return sample
    said = [(result, word_on(result, sample, words)) for result in sample.claims]
    claims = tuple(
        _with_verdict_of(result, word)
        if word and is_overruled(result, word)
        else result
        for result, word in said
        if word is None or word.is_claim
    )
    skipped = [
        _as_skipped(result, sample) for result, w in said if w and not w.is_claim
    ]
    changed = sample.model_copy(
        update={
            "claims": claims,
            "skipped": tuple(sorted([*sample.skipped, *skipped], key=lambda s: s.start))
            if skipped
            else sample.skipped,
            "required_claims": tuple(_required_as_said(sample, words)),
        }
    )
    findings = findings_again(changed, settings)
    failures = _failures_again(sample, changed, findings, settings)
    return changed.model_copy(
        update={
            "scores": tuple(_score_again(sample.scores, findings)),
            "failures": failures,
            "passed": passed(findings, failures, settings.pass_rule),
        }
    )


def _with_verdict_of(result: ClaimResult, word: HumanVerdict) -> ClaimResult:
    """The claim with the person's verdict; evidence, rules and votes are kept."""
    machine = result.verdict
    said = f"{word.by or 'A person'} overruled {machine.label.value}"
    reason = f"{said}: {word.note}" if word.note else f"{said}."
    label = word.human or Label.UNSCORED
    verdict: Verdict = machine.model_copy(
        update={
            "label": label,
            "support": None,
            "band": None,
            "reason": "" if label is Label.UNSCORED else reason,
            "unscored_reason": reason if label is Label.UNSCORED else None,
            "verifier": HUMAN,
            "model": None,
        }
    )
    return result.model_copy(update={"verdict": verdict, "machine": machine})


def _required_as_said(
    sample: SampleResult, words: StandingVerdicts
) -> Iterator[RequiredClaimResult]:
    """The required claims; those that a person overruled are found or not as said."""
    said = _required_overruled(sample, words)
    for number, result in enumerate(sample.required_claims):
        word = said.get(number)
        if word is None:
            yield result
            continue
        nobody = word.human is Label.UNSCORED
        reason = f"{word.by or 'a person'} says that nobody can tell"
        yield result.model_copy(
            update={
                "found": word.human is Label.SUPPORTED,
                "stated": False,
                "unscored_reason": reason if nobody else None,
            }
        )


def _as_skipped(result: ClaimResult, sample: SampleResult) -> Skipped:
    start, end = result.claim.start, result.claim.end
    text = sample.answer.text[start:end]
    return Skipped(text=text, start=start, end=end, reason="other")


def findings_again(sample: SampleResult, settings: Settings) -> Findings:
    """What metrics of claims and the outcome read, from what a run keeps. Texts and
    vectors that other metrics need are not among it."""
    return Findings(
        case=sample.case,
        answer=sample.answer,
        claims=sample.claims,
        required=sample.required_claims,
        citations=sample.citations,
        grades=sample.grades,
        abstained=sample.abstained,
        partly_abstained=any(s.reason == "abstention" for s in sample.skipped),
        empty=is_empty(sample.answer.text),
        judged=bool(sample.grades),
        settings=settings,
    )


def _failures_again(
    before: SampleResult, sample: SampleResult, findings: Findings, settings: Settings
) -> tuple[Failure, ...]:
    """Those of claims and of required claims anew, the others as they were; all anew
    where no claim is left, because what an answer without claims means depends on the
    case."""
    if not sample.claims and before.claims:
        return failures_of(findings, injected_spans(sample.answer.text), settings)
    old = [*required_failures(findings_again(before, settings), settings)]
    others = [f for f in before.failures if f.claim_index is None and f not in old]
    found = [
        *claim_failures(findings, settings),
        *required_failures(findings, settings),
        *others,
    ]
    return tuple(sorted(found, key=lambda f: (f.start is None, f.start or 0)))


def _score_again(scores: Sequence[Score], findings: Findings) -> Iterator[Score]:
    made: dict[str, Score] = {}
    metrics = discover()
    for score in scores:
        metric = metrics.get(score.metric)
        if score.metric == overall.ID:
            known = {**_scores_in_overall(score, findings.settings), **made}
            score = overall.Overall().score(replace(findings, scores=known))
        elif metric is not None and _IN_HAND & metric.needs and score.applicable:
            score = metric.score(replace(findings, scores=made))
        score = with_tier(score, findings.settings)
        made[score.metric] = score
        yield score


def _scores_in_overall(score: Score, settings: Settings) -> dict[str, Score]:
    """Scores behind an overall that are not shown themselves, from its evidence: they
    cannot be computed again without texts and vectors."""
    if score.value is None:
        return {}
    found: dict[str, Score] = {}
    values = {span.text: span.value for span in score.evidence}
    metrics = discover()
    for name in settings.weights:
        metric = metrics.get(name)
        if metric is None or _IN_HAND & metric.needs:
            continue
        value = values.get(name)
        if value is None:
            found[name] = inapplicable(name, "it did not apply")
            continue
        # `rescaled` turns a figure round where low is good, and it is its own inverse.
        found[name] = Score(
            metric=name, value=overall.to_unit_scale(Score(metric=name, value=value))
        )
    return found
