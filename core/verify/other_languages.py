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

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from claimscope.core.models import (
    Evidence,
    Label,
    RequiredClaimResult,
    RuleFinding,
    Verdict,
)
from claimscope.core.ports import Question
from claimscope.core.text.languages import language_of, name_of
from claimscope.core.verify.fit.calibration import EvidenceModel

NEGATIONS = {
    "de": "nicht kein keine keinen keinem keiner keines nie niemals nirgends",
    "es": "no nunca jamás ni tampoco ningún ninguna ninguno",
    "fr": "ne n pas jamais aucun aucune",
    "it": "non mai nessun nessuno nessuna",
    "pt": "não nunca nenhum nenhuma",
    "nl": "niet geen nooit",
    "sv": "inte ingen inget aldrig",
    "pl": "nie nigdy",
    "ru": "не нет никогда",
}
"""Words by language; of one that is not here only the same negations are no matter."""
ENDINGS = re.compile("ません|ない|なかった|禁止|不可|不能|没有|不是")
"""Signs of negation where words are not set apart (Japanese, Chinese)."""
DENIED = "Claim and page differ by a word of negation only."
_FIGURE = re.compile(r"\d+(?:[.,'’ ]\d+)*")
_MINUS = re.compile(r"(?<![^\s(])[-−–](?=\d)")
_WORD = re.compile(r"[^\W_]+|[#€$£¥%‰<>≤≥±−]")
UNREAD = "not judged without a model that reads"
"""In the reason of every such unscored verdict."""
REMEDY = (
    "ask a language model (--verifier ollama), or name the folder of a multilingual "
    "embedding model (--embedding-model)"
)


@dataclass(frozen=True)
class Shape:
    """A sentence without its figures, and they apart."""

    words: tuple[str, ...]
    """Lower case, `#` for each figure; signs (€, %, <, minus) are words too."""
    figures: tuple[str, ...]
    plain: tuple[str, ...]
    """The words without those of negation."""

    @property
    def negations(self) -> int:
        """How many words of negation were taken out."""
        return len(self.words) - len(self.plain)


def shape_of(text: str, language: str) -> Shape:
    """The same however a text is spelt, spaced and punctuated."""
    denying = NEGATIONS.get(language, "").split()
    composed = unicodedata.normalize("NFKC", text).casefold()
    composed = _MINUS.sub("−", composed)
    figures = tuple(_FIGURE.findall(composed))
    words = tuple(_WORD.findall(_FIGURE.sub(" # ", composed)))
    plain = tuple(word for word in words if word not in denying)
    return Shape(words, figures, plain)


def readings_of(figure: str) -> frozenset[str]:
    """What a figure may mean: its separators group thousands or begin decimals, and
    which of both depends on the country. `1.850` is 1850 or 1.85."""
    parts = re.split(r"[.,'’ ]", figure)
    found = set()
    if len(parts) == 1 or all(len(part) == 3 for part in parts[1:]):
        found.add("".join(parts).lstrip("0") or "0")
    if len(parts) > 1 and figure[len(figure) - len(parts[-1]) - 1] in ".,":
        whole = "".join(parts[:-1]).lstrip("0") or "0"
        decimals = parts[-1].rstrip("0")
        found.add(f"{whole}.{decimals}" if decimals else whole)
    return frozenset(found)


def same_figures(left: Sequence[str], right: Sequence[str]) -> bool | None:
    """Whether figures are equal one by one; None = it depends on how they are read."""
    if len(left) != len(right):
        return None
    found: bool | None = True
    for mine, theirs in zip(left, right, strict=True):
        if mine == theirs:
            continue
        if not readings_of(mine) & readings_of(theirs):
            return False
        if len(readings_of(mine)) > 1 or len(readings_of(theirs)) > 1:
            found = None
    return found


@dataclass(frozen=True)
class NearDuplicate:
    """A sentence of the pages with the same words as a claim."""

    evidence: Evidence
    label: Label
    rule: RuleFinding | None = None


def find_near_duplicate(
    claim: str, evidence: Iterable[Evidence], language: str
) -> NearDuplicate | None:
    """The sentence that says a claim word for word, else one that says it but for its
    figures, or but for a word of negation."""
    mine = shape_of(claim, language)
    against: NearDuplicate | None = None
    if not mine.plain:
        return None
    for one in evidence:
        theirs = shape_of(one.text, language)
        if mine.plain != theirs.plain:
            continue
        agree = same_figures(mine.figures, theirs.figures)
        if mine.words == theirs.words and agree:
            return NearDuplicate(one, Label.SUPPORTED)
        if against is None and mine.words == theirs.words and agree is False:
            against = NearDuplicate(
                one, Label.CONTRADICTED, _figure_conflict(mine, theirs)
            )
        # Two denials in other words ("nie", "niemals"), or in other places, may say
        # the same.
        elif against is None and agree and not (mine.negations and theirs.negations):
            against = NearDuplicate(
                one, Label.CONTRADICTED, _conflict("negation", claim, one.text, DENIED)
            )
    return against


def _figure_conflict(mine: Shape, theirs: Shape) -> RuleFinding:
    left, right = next(
        pair
        for pair in zip(mine.figures, theirs.figures, strict=True)
        if not readings_of(pair[0]) & readings_of(pair[1])
    )
    message = f"The claim says “{left}”, the page says “{right}”."
    return _conflict("number", left, right, message)


def _conflict(rule: str, claim: str, evidence: str, message: str) -> RuleFinding:
    return RuleFinding(
        rule=rule,
        outcome="conflict",
        claim_text=claim,
        evidence_text=evidence,
        message=message,
        veto=True,
    )


def language_of_question(question: Question) -> str:
    """`en`, or the language that claim or evidence is clearly in."""
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
    twin = find_near_duplicate(question.claim, question.evidence, language)
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
    twin = find_near_duplicate(result.text, spans, language)
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
    """Is it unscored only because nothing reads its language without a model?"""
    return (verdict.unscored_reason or "").startswith(UNREAD)


def as_left_open(verdict: Verdict) -> Verdict:
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
