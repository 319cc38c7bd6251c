"""Claims in another language than English, without a wrong verdict.

Rules and weights know English words, and all-MiniLM was trained on English: for it
"42,50 Euro" says the same as "24,50 Euro", "erlaubt" the same as "nicht erlaubt". So
without a model that reads the language a claim is judged only as far as needs no
language: a sentence of the pages that says it word for word supports it; one that is
the same but for a figure, or but for a word of negation, contradicts it. The rest is
unscored with the reason, or, with an embedding model of the user's own choice,
calibrated as usual but never supported against a figure or a negation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from claimscope.core.models import (
    Evidence,
    Label,
    RequiredClaimResult,
    Verdict,
)
from claimscope.core.ports import Question
from claimscope.core.text.languages.detection import language_of, name_of
from claimscope.core.verify.fit.calibration import EvidenceModel
from claimscope.core.verify.near_duplicates import (
    ENDINGS,
    readings_of,
    shape_of,
    twin_of,
)

UNREAD = "not judged without a model that reads"
"""In the reason of every such unscored verdict."""
REMEDY = (
    "ask a language model (--verifier ollama), or name the folder of a multilingual "
    "embedding model (--embedding-model)"
)


def language_of_question(question: Question) -> str:
    """Of a claim and what it is held against: `en`, or the language that one of both
    is clearly in."""
    own = language_of(question.claim)
    if own != "en":
        return own
    return language_of(question.claim, *(one.text for one in question.evidence[:3]))


def foreign_verdict(
    question: Question,
    language: str,
    shown: Sequence[Evidence],
    support: float,
    model: EvidenceModel,
    *,
    only_english: bool,
    verifier: str,
) -> Verdict:
    """The verdict on a claim in another language. `shown`: its best candidates;
    `support`: what the calibrated model makes of it, worth something only when the
    embedding model reads the language (`only_english` is False)."""
    twin = twin_of(question.claim, question.evidence, language)
    if twin is not None:
        rest = (one for one in shown if one != twin.evidence)
        is_for = twin.label is Label.SUPPORTED
        told = f"{twin.evidence.sentence_id} says so, word for word."
        return Verdict(
            label=twin.label,
            support=max(support, model.high) if is_for else min(support, model.low / 2),
            band="supported" if is_for else "not_supported",
            evidence=(twin.evidence, *rest)[: max(1, len(shown))],
            rules=(twin.rule,) if twin.rule else (),
            reason=twin.rule.message if twin.rule else told,
            verifier=verifier,
        )
    if only_english:
        return Verdict(
            label=Label.UNSCORED,
            evidence=tuple(shown),
            reason="The claim could not be judged.",
            verifier=verifier,
            unscored_reason=f"{UNREAD} {name_of(language)}: {REMEDY}",
        )
    problem = unproved_parts(question.claim, shown[0].text if shown else "", language)
    is_supported = support >= model.threshold and problem is None
    support = support if problem is None else min(support, model.low / 2)
    told = f"{shown[0].sentence_id} says so." if is_supported else ""
    return Verdict(
        label=Label.SUPPORTED if is_supported else Label.NOT_ENOUGH_INFO,
        support=support,
        band=model.band(support),
        evidence=tuple(shown),
        reason=told or problem or "No candidate sentence says as much.",
        verifier=verifier,
    )


def required_as_written(
    results: Sequence[RequiredClaimResult],
    answer: str,
    sentences: Sequence[tuple[int, int]],
    clean: Callable[[str], str],
) -> tuple[RequiredClaimResult, ...]:
    """What an embedding model of English found of required claims in an answer, claims
    in another language looked for word for word instead. `sentences`: spans of answer;
    `clean` takes citation markers out."""
    spans = [
        Evidence(page_id="answer", index=n, text=clean(answer[a:b]), start=a, end=b)
        for n, (a, b) in enumerate(sentences)
    ]
    return tuple(_as_written(result, spans) for result in results)


def _as_written(
    result: RequiredClaimResult, spans: Sequence[Evidence]
) -> RequiredClaimResult:
    language = language_of(result.text, *(one.text for one in spans[:3]))
    if language == "en":
        return result
    twin = twin_of(result.text, spans, language)
    if twin is None:
        place = dict.fromkeys(("similarity", "matched_text", "start", "end"))
        reason = f"{UNREAD} {name_of(language)}: {REMEDY}"
        return result.model_copy(
            update=place | {"found": False, "unscored_reason": reason}
        )
    is_found = twin.label is Label.SUPPORTED
    return result.model_copy(
        update={
            "found": is_found,
            "matched_text": twin.evidence.text,
            "start": twin.evidence.start,
            "end": twin.evidence.end,
            "conflicts_with": None if is_found else twin.evidence.text,
        }
    )


def unproved_parts(claim: str, text: str, language: str) -> str | None:
    """What of a claim a near sentence cannot prove: a figure that it does not have,
    or a negation that only one of both has."""
    mine, theirs = shape_of(claim, language), shape_of(text, language)
    known = [readings_of(figure) for figure in theirs.figures]
    for figure in mine.figures:
        if not any(readings_of(figure) & one for one in known):
            return f"The nearest sentence does not have “{figure}”."
    if (mine.negations, len(ENDINGS.findall(claim))) != (
        theirs.negations,
        len(ENDINGS.findall(text)),
    ):
        return "Claim and nearest sentence differ by a negation."
    return None


def is_unread(verdict: Verdict) -> bool:
    """Is it unscored only because nothing without a model reads its language, so that
    a model which does may be asked?"""
    return (verdict.unscored_reason or "").startswith(UNREAD)


def left_open(verdict: Verdict) -> Verdict:
    """As a model that reads the language finds it: without support and rules."""
    if not is_unread(verdict):
        return verdict
    return verdict.model_copy(
        update={
            "label": Label.NOT_ENOUGH_INFO,
            "unscored_reason": None,
            "reason": "",
            "support": None,
        }
    )
