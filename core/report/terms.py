"""The words that a person reads: one word for one thing, whatever says it.

Screens, commands and reports take them from here. What programs read (JSON, CSV) has
the ids of the models instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from claimscope.core.models import FailureKind, Label
from claimscope.core.run.outcome import pass_words
from claimscope.core.text.plurals import counted_noun, verb_of

if TYPE_CHECKING:
    from claimscope.core.metrics.base import Need

WORDS: Mapping[Label, str] = {
    Label.SUPPORTED: "supported",
    Label.CONTRADICTED: "contradicted",
    Label.NOT_ENOUGH_INFO: "not enough info",
    Label.UNSCORED: "unscored",
}
REQUIRED_WORDS: Mapping[Label, str] = {
    Label.SUPPORTED: "the answer says it",
    Label.CONTRADICTED: "the answer says otherwise",
    Label.NOT_ENOUGH_INFO: "missing from the answer",
    Label.UNSCORED: "nobody can tell",
}
"""What a label means of a claim that the case requires."""
LIKELY = "likely"
"""Supported, but by no proof and no two witnesses."""
OUTCOMES: Mapping[bool | None, str] = {
    True: "passed",
    False: "failed",
    None: "unscored",
}
"""What becomes of a sample."""
FAILURES: Mapping[FailureKind, str] = {
    FailureKind.CONTRADICTED: "contradicted claim",
    FailureKind.NOT_SUPPORTED: "claim not supported",
    FailureKind.MISSING_CLAIM: "required claim missing",
    FailureKind.BROKEN_CITATION: "broken citation",
    FailureKind.MISATTRIBUTED: "misattributed citation",
    FailureKind.EMPTY: "empty answer",
    FailureKind.WRONG_ABSTENTION: "wrong abstention",
    FailureKind.LOW_GRADE: "low grade",
    FailureKind.PLANTED_GRADE: "planted grade",
    FailureKind.UNSCORED: "unscored",
}
NEEDS: Mapping[Need, str] = {
    "reference": "a reference",
    "required_claims": "required claims",
    "citations": "citations",
    "expected_citations": "expected citations",
    "retrieval": "expected citations",
    "source_names": "a domain",
    "judge": "a judge",
    "claims": "claims",
}
"""What a metric cannot do without, in short; the handbook says it at length."""


def overruled_words(count: int) -> str:
    """`3 overruled by people`."""
    return f"{count} overruled by people"


def aside_words(metrics: Iterable[str]) -> str:
    """`12 metrics need a reference, citations or a judge`, of metrics that apply to no
    sample; empty for none."""
    ids = list(metrics)
    if not ids:
        return ""
    from claimscope.core.metrics.discovery import discover

    known = discover()
    needs = {need for id in ids if id in known for need in known[id].needs}
    words = list(dict.fromkeys(word for need, word in NEEDS.items() if need in needs))
    count = counted_noun(len(ids), "metric")
    if not words:
        return f"{count} {verb_of(len(ids), 'does', 'do')} not apply"
    *first, last = words
    listed = f"{', '.join(first)} or {last}" if first else last
    return f"{count} {verb_of(len(ids), 'needs', 'need')} {listed}"


def rule_words(settings: Mapping[str, object], *, judge: bool) -> str:
    """`by claims and grades`: what decides, without the bounds, for a header."""
    words = pass_words(settings, judge=judge).removeprefix("passed ")
    return words.partition(" (")[0]
