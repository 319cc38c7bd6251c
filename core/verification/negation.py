"""Does a sentence say the opposite of a claim? By negation or by an opposite word."""

from __future__ import annotations

from claimscope.core.verification.windows import Side
from claimscope.core.verification.wording import Word, opposites


def opposed(claim: Side, sentence: Side) -> tuple[str, str] | None:
    """(words of the claim, words of the sentence) that exclude each other; None when
    nothing does.

    A word that both say counts when just one of them negates it; a word that only
    the claim says counts when the sentence says its opposite and not the word.
    """
    theirs = {word.stem: word for word in sentence.content}
    for word in claim.content:
        other = theirs.get(word.stem)
        if other is not None and word.negated != other.negated:
            if _is_clear(claim, sentence, word):
                return _phrase(claim, word), _phrase(sentence, other)
    turned = any(w.is_negator for w in (*claim.words, *sentence.words))
    if turned:
        return None
    for word in claim.content:
        if word.stem in theirs:
            continue
        for opposite in _opposites_of(word.stem):
            found = theirs.get(opposite)
            if found is not None and opposite not in claim.stems:
                return word.text, found.text
    return None


def _is_clear(claim: Side, sentence: Side, word: Word) -> bool:
    """The negated word is the first one under its negator, and it stands once."""
    for side in (claim, sentence):
        same = [other for other in side.content if other.stem == word.stem]
        if len(same) != 1:
            return False
        if same[0].negated and not _is_first(side, same[0]):
            return False
    return True


def _is_first(side: Side, word: Word) -> bool:
    place = side.words.index(word)
    for before in reversed(side.words[:place]):
        if before.is_negator:
            return True
        if not before.is_stop:
            return False
    return False


def _phrase(side: Side, word: Word) -> str:
    """The word with its negator."""
    if not word.negated:
        return word.text
    place = side.words.index(word)
    start = next(
        (w.start for w in reversed(side.words[:place]) if w.is_negator), word.start
    )
    return side.text[start : word.end]


def _opposites_of(stem: str) -> list[str]:
    found = list(opposites().get(stem, ()))
    for prefix in ("un", "non"):
        if stem.startswith(prefix) and len(stem) - len(prefix) >= 4:
            found.append(stem.removeprefix(prefix))
        if len(stem) >= 4:
            found.append(prefix + stem)
    return found
