"""Words of a claim and of a sentence, made comparable: stems, rarity, names, negation.

Light on purpose: no model is loaded, so that features of a claim cost well under a
millisecond a sentence. A rare word in common says more than a usual one: how rare words
are in plain English was counted by benchmarks/quality/fit_verifier.py over the texts
that the verifier was fitted on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from unicodedata import normalize

from claimscope.core.text.quantities.number_words import number_word

RARITY_FILE = Path(__file__).with_name("word_rarity.json")
UNKNOWN_RARITY = 1.0
_WORD = re.compile(
    r"[A-Za-z]+[-/]?\d[\w-]*|\d[\d,]*(?:\.\d+)?"
    # A letter may be written as two characters: its sign and its mark.
    r"|(?:[^\W\d_][\u0300-\u036f]*)+(?:['’](?:[^\W\d_][\u0300-\u036f]*)+)?",
    re.U,
)
STOP = frozenset(
    """a an the and or but of to in on at by for with from as is are was were be been
    being it its this that these those he she they them his her their him hers theirs
    we us our you your i me my do does did have has had having will would shall should
    can could may might must not no nor so than then there here who whom whose which
    what when where while if into onto about also such each other some any own same too
    very just both out up down over under again more most s t""".split()
)
NEGATORS = frozenset(
    """not no never none neither nor without cannot nobody nothing nowhere hardly unable
    fail failed fails lack lacks lacking n't""".split()
)
_CLAUSE_ENDS = frozenset("but however although though whereas only except".split())
_ENDINGS = (
    ("ational", "ate"), ("ization", "ize"), ("fulness", "ful"), ("ousness", "ous"),
    ("iveness", "ive"), ("ity", "y"), ("ingly", ""), ("edly", ""), ("ing", ""),
    ("ied", "y"), ("ed", ""), ("ly", ""), ("er", ""), ("ment", ""), ("ion", ""),
    ("e", ""),
)  # fmt: skip
_OPPOSITES = """
increase decrease;more less;more fewer;high low;higher lower;raise lower;first last
before after;always never;all none;begin end;start end;win lose;rise fall;early late
earlier later;large small;big small;old young;older younger;new old;north south
east west;male female;man woman;men women;husband wife;son daughter;brother sister
father mother;positive negative;accept reject;accept refuse;agree disagree
approve reject;allow prohibit;allow forbid;permit forbid;support oppose;buy sell
open close;open shut;enter leave;success failure;succeed fail;gain lose;best worst
good bad;better worse;strong weak;easy difficult;easy hard;hot cold;warm cold
major minor;maximum minimum;above below;inside outside;indoor outdoor
include exclude;safe dangerous;public private;rich poor;same different
similar different;left right;top bottom;likely unlikely;possible impossible
legal illegal;active inactive;permanent temporary;recommend discourage
encourage discourage;confirm deny;import export;majority minority;present absent
alive dead;arrive depart;cheap expensive;long short;fast slow;full empty;wide narrow
heavy light;optional mandatory;optional required;optional compulsory
voluntary mandatory;free paid;shallow deep;wet dry;soft hard;thick thin
morning evening;weekday weekend;summer winter;spring autumn;day night;acute chronic
benign malignant;upper lower;internal external;oral intravenous;live inactivated
beginner advanced;odd even;slower faster;quicker slower;shorten lengthen
widen narrow;complete incomplete;correct incorrect;direct indirect
dependent independent;sufficient insufficient;effective ineffective
accurate inaccurate;regular irregular;approve disapprove;appear disappear
connect disconnect;visible invisible;advantage disadvantage;formal informal
valid invalid;frequent infrequent;proper improper;expensive inexpensive
experienced inexperienced;secure insecure;mature immature;reversible irreversible
relevant irrelevant;honest dishonest;mobile immobile;improve worsen
strengthen weaken;reduce increase;stimulate inhibit;activate inhibit
dismiss allow;dismiss uphold;overturn uphold;acquit convict
double triple;double halve;triple halve;double quadruple;triple quadruple
"""
_UP = "rise rose risen increase increased grow grew grown climb raise raised"
_DOWN = """fall fell fallen decrease decreased drop dropped decline declined lowers
    lowered shrink shrank reduce reduced"""
_COMPARED = re.compile(
    r"\s+(?:more|less|fewer|later|earlier|longer|older|younger|only|just|least)\b", re.I
)
RARE = 0.98
"""Rarity from which a capitalised first word is taken for a name."""


@cache
def _rarities() -> dict[str, float]:
    found: dict[str, float] = {}
    levels = json.loads(RARITY_FILE.read_text(encoding="utf-8"))["rarity"]
    for level, words in levels.items():
        found.update(dict.fromkeys(words.split(), float(level)))
    return found


def rarity(stem: str) -> float:
    """Inverse sentence frequency, (0, 1]; 1 for a stem never seen."""
    return _rarities().get(stem, UNKNOWN_RARITY)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text with what it is compared by."""

    text: str
    start: int
    end: int
    stem: str
    is_stop: bool
    is_number: bool
    is_name: bool
    """Capital first letter though not first in its sentence, or letters with digits."""
    is_negator: bool
    negated: bool = False
    """Stands under a negation of its clause."""


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A word without its ending, lower case; equal for the forms of a word."""
    low = word.lower()
    if len(low) <= 3:
        return low
    if low.endswith("ies"):
        low = low[:-3] + "y"
    elif low.endswith("s") and not low.endswith(("ss", "us", "is")):
        low = low[:-1]
    for ending, instead in _ENDINGS:
        if low.endswith(ending) and len(low) - len(ending) >= 3:
            low = low[: len(low) - len(ending)] + instead
            break
    if len(low) > 3 and low[-1] == low[-2] and low[-1] not in "lsz":
        low = low[:-1]
    if len(low) > 3 and low.endswith("e"):
        low = low[:-1]
    return low


@lru_cache(maxsize=16384)
def words(text: str) -> tuple[Word, ...]:
    """The words of a text in order."""
    found: list[Word] = []
    reach = 0
    last = 0
    for match in _WORD.finditer(text):
        raw = match.group()
        low = normalize("NFC", raw.lower()).replace("’", "'")
        between = text[last : match.start()]
        last = match.end()
        if re.search(r"[,.;:!?()\n]", between) or low in _CLAUSE_ENDS:
            reach = 0
        is_negator = _negates(low, between, text[match.end() : match.end() + 12])
        if is_negator:
            reach = 3
        low = low.removesuffix("'s")
        value = number_word(low)
        is_number = raw[0].isdigit() or value is not None
        is_stop = low in STOP or is_negator or (len(low) == 1 and not is_number)
        negated = reach > 0 and not is_stop
        reach -= negated
        has_digit = not is_number and any(c.isdigit() for c in raw)
        found.append(
            Word(
                raw,
                match.start(),
                match.end(),
                value or _key(low, is_number or has_digit, is_stop),
                is_stop,
                is_number,
                has_digit or _is_name(raw, is_stop, found, between),
                is_negator,
                negated,
            )
        )
    return tuple(found)


def _negates(low: str, between: str, following: str) -> bool:
    """A negation, not a bound ("no more than four", "not only"); "step-free" is one."""
    if low == "free":
        return between.endswith("-")
    if low not in NEGATORS and not low.endswith("n't"):
        return False
    return _COMPARED.match(following) is None


def _is_name(raw: str, is_stop: bool, before: Sequence[Word], between: str) -> bool:
    """A capital says it, unless it opens a sentence: then a rare word must follow."""
    if not raw[0].isupper() or is_stop or number_word(raw.lower()) is not None:
        return False
    return not _opens(before, between) or rarity(stem(raw)) >= RARE


def _opens(before: Sequence[Word], between: str) -> bool:
    """Whether a word is the first of a sentence: its capital says nothing then."""
    if not before:
        return True
    return bool(re.search(r"[.!?:][\"”’)]*\s", between)) and len(before[-1].text) > 3


def _key(low: str, is_plain: bool, is_stop: bool) -> str:
    if is_plain:
        return low.replace(",", "")
    return low if is_stop else stem(low)


@lru_cache(maxsize=1)
def directions() -> tuple[frozenset[str], frozenset[str]]:
    """Stems of words for going up and for going down."""
    up, down = (frozenset(stem(word) for word in text.split()) for text in (_UP, _DOWN))
    return up, down


@lru_cache(maxsize=1)
def opposites() -> dict[str, frozenset[str]]:
    """Stems that exclude one another."""
    found: dict[str, set[str]] = {}
    up, down = directions()
    for group, others in ((up, down), (down, up)):
        for one in group:
            found.setdefault(one, set()).update(others)
    for pair in re.split(r"[;\n]", _OPPOSITES.strip()):
        left, right = (stem(word) for word in pair.split())
        found.setdefault(left, set()).add(right)
        found.setdefault(right, set()).add(left)
    return {word: frozenset(others) for word, others in found.items()}


def stems(texts: Iterable[str | None]) -> frozenset[str]:
    """Stems of all words of some texts."""
    return frozenset(word.stem for text in texts if text for word in words(text))


def content_words(found: Sequence[Word]) -> list[Word]:
    """Words that carry meaning; all when none does."""
    return [word for word in found if not word.is_stop] or list(found)
