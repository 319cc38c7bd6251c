"""What the calibrated verifier sees of a claim and its candidates, as numbers.

Each sentence of the claim is measured against the candidate sentences, then the
least, the mean and the most over its sentences are taken: a claim is no better than
its worst part. No feature grows with the length of the evidence, so that irrelevant
passages change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from claimscope.core.models import Evidence
from claimscope.core.ports import Floats
from claimscope.core.verify.evidence import units_of
from claimscope.core.verify.rules.comparison import WindowFinding
from claimscope.core.verify.rules.negation import opposite_words
from claimscope.core.verify.token_alignment import AlignedText, AlignedWindow
from claimscope.core.verify.word_forms import Word, rarity, words

Vectors = Callable[[str], Floats]
"""Vector of a text that was embedded before."""
FAR = 15
"""Distance in words beyond which two words are simply apart."""


@dataclass(frozen=True)
class CandidateFeatures:
    """A candidate sentence with the sets and vectors the features need."""

    window: AlignedWindow
    stems: frozenset[str]
    near: frozenset[str]
    """Stems of sentence, neighbours and title."""
    vector: Floats
    around: Floats
    """Mean vector of the sentence and its neighbours, normalised."""


def texts_of(claim: str, evidence: Sequence[Evidence]) -> list[str]:
    """The texts whose vectors `features` will ask for."""
    found = units_of(claim)
    for one in evidence:
        found += [text for text in (one.text, one.before, one.after) if text]
    return found


def features(
    claim: str,
    windows: Sequence[AlignedWindow],
    found_by_rules: Sequence[WindowFinding],
    vectors: Vectors,
) -> dict[str, float]:
    """Features by name; there must be a window. What a rule found to stand in the
    evidence in another form ("twelve", 12) is not missing."""
    pool = [_candidate(one, vectors) for one in windows]
    matched = frozenset(
        word.stem
        for finding in found_by_rules
        if finding.shown.outcome == "match" and finding.shown.rule != "quote"
        for word in words(finding.shown.claim_text)
    )
    measured = [_unit(unit, vectors(unit), pool, matched) for unit in units_of(claim)]
    found: dict[str, float] = {"units": float(min(len(measured), 8))}
    for name in measured[0]:
        values = [row[name] for row in measured]
        found[f"{name}.min"] = min(values)
        found[f"{name}.mean"] = sum(values) / len(values)
        found[f"{name}.max"] = max(values)
    return found


def _candidate(window: AlignedWindow, vectors: Vectors) -> CandidateFeatures:
    evidence = window.evidence
    parts = [text for text in (evidence.before, evidence.text, evidence.after) if text]
    around = np.mean([vectors(text) for text in parts], axis=0)
    return CandidateFeatures(
        window,
        window.sentence.stems,
        window.everything,
        vectors(evidence.text),
        around / max(float(np.linalg.norm(around)), 1e-9),
    )


def _unit(
    unit: str,
    vector: Floats,
    pool: Sequence[CandidateFeatures],
    matched: frozenset[str],
) -> dict[str, float]:
    """Features of one sentence of the claim."""
    side = AlignedText(unit)
    weights = [rarity(word.stem) for word in side.content]
    total = sum(weights) or 1.0

    def share(stems: frozenset[str]) -> float:
        pairs = zip(side.content, weights, strict=True)
        known = stems | matched
        return sum(weight for word, weight in pairs if word.stem in known) / total

    cosines = np.array([float(one.vector @ vector) for one in pool])
    shares = np.array([share(one.stems) for one in pool])
    order = np.argsort(-(cosines + shares), kind="stable")[:8]
    ranked = [pool[i] for i in order]
    best = ranked[0]
    nearest = max(ranked, key=lambda one: share(one.near))
    union = frozenset().union(*(one.near for one in ranked))
    found = _similarity(vector, cosines, [pool[i] for i in order], int(order[0]))
    found["share1"] = float(shares.max())
    found["share3"] = share(nearest.near)
    found["share4"] = share(frozenset().union(*(one.near for one in ranked[:4])))
    found["share"] = share(union)
    found["gathered"] = found["share1"] / max(found["share"], 0.01)
    found |= _missing(side, weights, union | matched, "")
    found |= _missing(side, weights, nearest.near | matched, "3")
    found |= _order(side, best, ranked)
    found |= _polarity(side, best)
    found["length"] = float(len(side.content))
    found["words"] = float(len(side.words))
    found["sentence"] = float(min(len(best.window.sentence.words), 80))
    return found


def _similarity(
    vector: Floats, cosines: Floats, ranked: Sequence[CandidateFeatures], best: int
) -> dict[str, float]:
    falling = np.sort(cosines)[::-1]
    together = np.mean([one.vector for one in ranked[:3]], axis=0)
    together = together / max(float(np.linalg.norm(together)), 1e-9)
    return {
        "cosine1": float(falling[0]),
        "cosine2": float(falling[min(1, len(falling) - 1)]),
        "cosine_best": float(cosines[best]),
        "cosine3": max(float(one.around @ vector) for one in ranked[:4]),
        "cosine_all": float(together @ vector),
    }


def _missing(
    side: AlignedText, weights: Sequence[float], known: frozenset[str], suffix: str
) -> dict[str, float]:
    """Words of the claim that stand nowhere: how many, how rare, of what kind."""
    lost = [
        (word, weight)
        for word, weight in zip(side.content, weights, strict=True)
        if word.stem not in known
    ]
    return {
        f"lost{suffix}": float(len(lost)),
        f"lost_max{suffix}": max((weight for _, weight in lost), default=0.0),
        f"lost_numbers{suffix}": float(sum(word.is_number for word, _ in lost)),
        f"lost_names{suffix}": float(sum(word.is_name for word, _ in lost)),
    }


def _order(
    side: AlignedText, best: CandidateFeatures, ranked: Sequence[CandidateFeatures]
) -> dict[str, float]:
    """Do the words stand in the same order and as near to each other?"""
    mine = [word.stem for word in side.words]
    sentences = [[w.stem for w in one.window.sentence.words] for one in ranked]
    texts = sentences + [[w.stem for w in one.window.context.words] for one in ranked]
    found = {}
    for size in (2, 3):
        grams = {
            tuple(text[i : i + size])
            for text in texts
            for i in range(len(text) - size + 1)
        }
        own = [tuple(mine[i : i + size]) for i in range(len(mine) - size + 1)]
        found[f"grams{size}"] = sum(gram in grams for gram in own) / max(1, len(own))
    kept = [word.stem for word in side.content]
    contents = [[w.stem for w in one.window.sentence.content] for one in ranked[:3]]
    most = max(common(mine, text) for text in sentences[:3])
    found["common"] = most / max(1, len(mine))  # ":" is a claim without a word
    most = max(common(kept, text) for text in contents)
    found["common_content"] = most / max(1, len(kept))
    found["apart"] = _apart(kept, best)
    return found


def common(left: Sequence[str], right: Sequence[str]) -> int:
    """Length of the longest common subsequence."""
    from rapidfuzz.distance import LCSseq

    return int(LCSseq.similarity(left, right))


def _apart(stems: Sequence[str], best: CandidateFeatures) -> float:
    """Mean distance in the evidence of words that are neighbours in the claim."""
    places: dict[str, list[int]] = {}
    number = 0
    evidence = best.window.evidence
    for text in (evidence.before, evidence.text, evidence.after):
        for word in AlignedText(text).words if text else ():
            number += 1
            if not word.is_stop:
                places.setdefault(word.stem, []).append(number)
        number += 5
    gaps = []
    for left, right in zip(stems, stems[1:], strict=False):
        near = FAR
        if left != right and left in places and right in places:
            near = min(abs(a - b) for a in places[left] for b in places[right])
        gaps.append(min(near, FAR))
    return sum(gaps) / len(gaps) if gaps else 0.0


def _polarity(side: AlignedText, best: CandidateFeatures) -> dict[str, float]:
    """Negation on one side only, opposite words."""
    mine = _negators(side.words)
    theirs = _negators(best.window.sentence.words)
    around = _negators(best.window.context.words)
    return {
        "negated": float(mine > 0),
        "negation_added": float(mine > 0 and theirs + around == 0),
        "negation_lost": float(mine == 0 and theirs > 0),
        "opposed": float(opposite_words(side, best.window.sentence) is not None),
    }


def _negators(found: Sequence[Word]) -> int:
    return sum(word.is_negator for word in found)
