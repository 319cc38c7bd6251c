"""Who did it to whom: a sentence with the claim's own words, two of them exchanged.

"Marsh beat Tolland" has every word of "Tolland beat Marsh". Only sentences that are
word for word the claim but for the exchange are told: a freer order of words may say
the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claimscope.core.verify.rules.comparison import Laid, WindowFinding, finding_of
from claimscope.core.verify.token_alignment import AlignedText
from claimscope.core.verify.word_forms import STOP, Word, stem

LEAST = 5
"""Words a claim needs for its order to tell something."""
MOST = 6
"""Words that may be exchanged."""
CLAUSE = 6
"""Words a part of a sentence needs to be held against the claim by itself."""
SYMMETRIC = re.compile(
    r"(?i)\b(?:meets?|met|marr(?:y|ies|ied)|married|borders?|bordering|resembles?"
    r"|differs?|equals?|same|similar|alike|near|close to|next to|beside|opposite"
    r"|parallel|adjacent|between|together|both|each other|versus|vs|drew|draw|tied"
    r"|connect(?:s|ed)?|link(?:s|ed)?|join(?:s|ed)?|associated|correlat\w+|related"
    r"|combin\w+|mix(?:ed|es)?|merge[sd]?|agree[sd]?|cooperat\w+|friends?"
    r"|neighbou?rs?|twin\w*|cousins?|siblings?|brothers?|sisters?|played?|faced?"
    r"|compared|and vice)\b"
)
_COMPARED = re.compile(r"(?i)\b(?:than|before|after)\b")
_BE = frozenset("is are was were be been the a an".split())
_JOINTS = frozenset(("and", "or"))
_RELATING = frozenset(
    "is are was were be has have had of to from by in on at for than into with"
    " its his her their".split()
)
_BY = re.compile(
    r"\b(?P<verb>[a-z]{3,}(?:ed|en|wn|lt|nt|ft|de|ght|ung|un)) by "
    r"(?P<name>[A-Z][\w'’.-]*(?: (?:of |de |van |von )?[A-Z][\w'’-]*)*)"
)
_CLAUSES = re.compile(r"[,;:]\s+(?:and|but|while|whereas)?|\s+(?:while|whereas|but)\s+")


@dataclass(frozen=True)
class Exchange:
    """Words of the claim and words of the sentence in their places."""

    mine: str
    theirs: str


def exchanges(side: AlignedText, laid: Sequence[Laid]) -> Iterator[WindowFinding]:
    """A finding where the nearest sentence has the claim's words in other roles,
    unless another candidate has them in the claim's."""
    for one in laid[:1]:
        sentence = one.window.sentence
        found = (
            exchanged_words(side, sentence)
            or parallel(side, sentence)
            or agent(side, sentence)
        )
        if found is None or any(_follows(side, x.window.sentence) for x in laid):
            return
        message = f"The claim says “{found.mine}”, the page says “{found.theirs}”."
        # "X is faster than Y on small files" leaves open which is faster.
        is_limited = _COMPARED.search(side.text) and len(sentence.words) > len(
            side.words
        )
        yield finding_of(
            "name",
            "missing" if is_limited else "conflict",
            found.mine,
            found.theirs,
            message,
            one.window,
            veto=True,
        )


def exchanged_words(side: AlignedText, sentence: AlignedText) -> Exchange | None:
    """Two words or names of the claim that stand in each other's place; None when the
    sentence is not otherwise the same, or the relation holds both ways."""
    mine, theirs = side.words, sentence.words
    if len(mine) < LEAST or SYMMETRIC.search(side.text):
        return None
    for turned in _aligned(mine, theirs):
        apart = [
            at
            for at, (a, b) in enumerate(zip(mine, turned, strict=True))
            if a.stem != b.stem
        ]
        if not 2 <= len(apart) <= min(MOST, len(mine) - 2):
            continue
        if not _is_exchange([mine[at] for at in apart], [turned[at] for at in apart]):
            continue
        groups = _groups(apart)
        if len(groups) == 2 and _is_relation(side, groups):
            return Exchange(
                side.text[mine[apart[0]].start : mine[apart[-1]].end],
                _between(sentence, [turned[at] for at in apart]),
            )
    return None


def _aligned(
    mine: Sequence[Word], theirs: Sequence[Word]
) -> Iterator[tuple[Word, ...]]:
    """The sentence's words in as many as the claim has: from each place, and turned
    round, as a phrase may open or end it."""
    size = len(mine)
    for start in range(len(theirs) - size + 1):
        yield tuple(theirs[start : start + size])
    if len(theirs) == size:
        for start in range(1, size):
            yield (*theirs[start:], *theirs[:start])


def _is_exchange(mine: Sequence[Word], theirs: Sequence[Word]) -> bool:
    if any(word.is_stop or word.is_number for word in (*mine, *theirs)):
        return False
    return sorted(w.stem for w in mine) == sorted(w.stem for w in theirs)


def _groups(places: Sequence[int]) -> list[list[int]]:
    """Neighbouring places together."""
    groups: list[list[int]] = []
    for place in places:
        if groups and place == groups[-1][-1] + 1:
            groups[-1].append(place)
        else:
            groups.append([place])
    return groups


def _is_relation(side: AlignedText, groups: Sequence[Sequence[int]]) -> bool:
    """What stands between the two relates them: no list, no "A is the B", no way
    from one to the other."""
    words = side.words
    first, second = groups[0], groups[1]
    between = words[first[-1] + 1 : second[0]]
    low = [word.text.lower() for word in between]
    if not low or all(word in _BE for word in low):
        return False
    text = side.text[words[first[-1]].end : words[second[0]].start]
    if "," in text or any(word in _JOINTS for word in low):
        return any(word in _RELATING for word in low)
    before = words[first[0] - 1].text.lower() if first[0] else ""
    return not (before == "from" and low == ["to"])


def _between(sentence: AlignedText, found: Sequence[Word]) -> str:
    start = min(word.start for word in found)
    return sentence.text[start : max(word.end for word in found)]


def parallel(side: AlignedText, sentence: AlignedText) -> Exchange | None:
    """A part of the sentence that is the claim but for one word, where the claim's
    word stands in the same surroundings of another part: "23 people in the splint
    group" for "23 people in the CPAP group"."""
    parts = [part for part in _parts(sentence) if len(part) >= CLAUSE]
    for part in parts:
        if len(part) != len(side.words):
            continue
        pairs = list(zip(side.words, part, strict=True))
        apart = [at for at, (a, b) in enumerate(pairs) if a.stem != b.stem]
        if len(apart) != 1:
            continue
        mine, theirs = pairs[apart[0]]
        if mine.is_stop or theirs.is_stop or mine.is_number or theirs.is_number:
            continue
        around = _around(side.words, apart[0])
        elsewhere = [other for other in parts if other is not part]
        if any(
            word.stem == mine.stem and around & _around(other, at)
            for other in elsewhere
            for at, word in enumerate(other)
        ):
            return Exchange(mine.text, theirs.text)
    return None


def _parts(sentence: AlignedText) -> list[tuple[Word, ...]]:
    ends = [match.start() for match in _CLAUSES.finditer(sentence.text)]
    starts = [match.end() for match in _CLAUSES.finditer(sentence.text)]
    spans = zip([0, *starts], [*ends, len(sentence.text)], strict=True)
    return [
        tuple(word for word in sentence.words if start <= word.start < end)
        for start, end in spans
    ]


def _around(found: Sequence[Word], at: int) -> set[str]:
    near = [found[place] for place in (at - 1, at + 1) if 0 <= place < len(found)]
    return {word.stem for word in near if not word.is_stop}


def _follows(side: AlignedText, sentence: AlignedText) -> bool:
    """The claim itself stands in the sentence, word for word."""
    mine = [word.stem for word in side.words]
    theirs = [word.stem for word in sentence.words]
    size = len(mine)
    return any(theirs[at : at + size] == mine for at in range(len(theirs) - size + 1))


def agent(side: AlignedText, sentence: AlignedText) -> Exchange | None:
    """Another name after the same "designed by", where the claim's name stands in the
    sentence as somebody who did something else."""
    for match in _BY.finditer(side.text):
        verb, mine = stem(match["verb"]), match["name"]
        for other in _BY.finditer(sentence.text):
            theirs = other["name"]
            if stem(other["verb"]) != verb or mine == theirs or theirs in side.text:
                continue
            if mine in theirs or theirs in mine:
                continue
            # "By Venn, and Quill paid": a name with a verb of its own is no second
            # name after "by".
            acts = re.search(
                rf"(?:,|\band\b|\bwhile\b|\bbut\b)\s+{re.escape(mine)}\s+[a-z]{{3,}}",
                sentence.text[other.end() :],
            )
            if acts is not None and acts.group().split()[-1] not in STOP:
                return Exchange(match.group(), other.group())
    return None
