"""The rules, each with an id, a version and what it is right about.

A rule lays a sentence of the claim beside the candidates. What it finds is a match, a
conflict (with the words of both sides) or something missing; a finding with a veto is a
doubt. How often each is right on labelled rows is printed by
`benchmarks/quality/rule_precision.py`. No rule is right often enough to contradict by
itself: a conflict needs the consent of the entailment model
(core/verify/witnesses/without_model.py), else it is a doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from claimscope.core.errors import SettingsError
from claimscope.core.models import digest
from claimscope.core.text.quantities.quantity import Quantity
from claimscope.core.verify.rules.causes import cause_findings
from claimscope.core.verify.rules.comparison import Laid, WindowFinding
from claimscope.core.verify.rules.exchanged_figures import (
    crossings,
    exchanged_figures,
    neighbours_figures,
)
from claimscope.core.verify.rules.exchanged_roles import exchanges
from claimscope.core.verify.rules.figures import numbers
from claimscope.core.verify.rules.modality import (
    attributions,
    conditions,
    hedges,
    quantifiers,
)
from claimscope.core.verify.rules.modifiers import measures, one_sided_denials
from claimscope.core.verify.rules.names import missing_names, other_names
from claimscope.core.verify.rules.negation import denials
from claimscope.core.verify.rules.parsed_roles import role_findings
from claimscope.core.verify.rules.quotations import quotes
from claimscope.core.verify.rules.times import dates, weekdays
from claimscope.core.verify.token_alignment import AlignedText

Find = Callable[
    [AlignedText, Sequence[Laid], Sequence[Quantity]], Iterator[WindowFinding]
]
"""(a sentence of the claim, candidates by alignment, the question's figures)."""


@dataclass(frozen=True)
class Rule:
    """One rule. Its version changes with what it finds."""

    id: str
    version: int
    about: str
    """What it looks at, as a list of rules says it."""
    find: Find
    is_exact: bool = False
    """It asks for the claim's own words: its conflicts need no further check, and no
    consent of the entailment model, which sees an exchange worst of all."""


def _plain(
    find: Callable[[AlignedText, Sequence[Laid]], Iterator[WindowFinding]],
) -> Find:
    """A rule that the question's figures do not matter to."""
    return lambda side, laid, given: find(side, laid)


RULES: tuple[Rule, ...] = (
    Rule("figure", 3, "a figure with its unit, or what follows from figures", numbers),
    Rule("crossing", 1, "a figure the page gives to something else", _plain(crossings)),
    Rule("date", 1, "a date or time of day", _plain(dates)),
    Rule("weekday", 1, "a day of the week", _plain(weekdays)),
    Rule("absent-name", 1, "a name no candidate has", _plain(missing_names)),
    Rule("other-name", 1, "a near copy with another name", _plain(other_names)),
    Rule("denial", 1, "a denial, or an opposite word", _plain(denials)),
    Rule("quantifier", 1, "all, most, some, none", _plain(quantifiers)),
    Rule("hedge", 1, "may, about, expected: said with less certainty", _plain(hedges)),
    Rule("condition", 1, "a condition the claim leaves out", _plain(conditions)),
    Rule("attribution", 1, "what the page only reports", _plain(attributions)),
    Rule("measure", 1, "mean, median, most, least", _plain(measures)),
    Rule("undenied", 1, "a denial on one side only", _plain(one_sided_denials)),
    Rule("quotation", 1, "quoted words", _plain(quotes)),
    Rule(
        "exchange",
        2,
        "the claim's words in other roles",
        _plain(exchanges),
        is_exact=True,
    ),
    Rule(
        "exchanged-figure",
        1,
        "the claim's figures, each said of the other thing",
        _plain(exchanged_figures),
        is_exact=True,
    ),
    Rule(
        "neighbours-figure",
        2,
        "a figure that a like sentence gives to another named thing",
        _plain(neighbours_figures),
        is_exact=True,
    ),
    Rule("cause", 1, "what led to what", _plain(cause_findings)),
    Rule(
        "role",
        2,
        "two things in each other's part of a verb",
        _plain(role_findings),
        is_exact=True,
    ),
)
BY_ID = {rule.id: rule for rule in RULES}


def without(off: Collection[str]) -> tuple[Rule, ...]:
    """The rules but for some. Raises SettingsError for an id that is none."""
    for name in off:
        if name not in BY_ID:
            raise SettingsError(
                f"rules_off names {name!r}, which is no rule.",
                "`claimscope help rules` lists them.",
            )
    return tuple(rule for rule in RULES if rule.id not in off)


@cache
def rules_digest() -> str:
    """Changes with the version of any rule."""
    return digest(*(f"{one.id} {one.version}" for one in RULES))
