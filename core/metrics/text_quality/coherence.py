"""coherence: do the sentences of an answer hang together (METRICS E)?

Mean of connectors: min(n / (0.3 x sentences), 1); pronouns: 1 - unclear / pronouns, 1
when there are none; topics: 1 - shifts / sentences, where shifts count only beyond 0.2
per sentence.

A pronoun of the third person is clear when an earlier noun of fitting number stands in
its sentence or the two before. The "it" that stands for nothing ("it rains", "it is
true that") is not counted. A shift: neighbouring sentences share no content lemma, the
cosine of their vectors is below 0.2, and the second does not go on with a pronoun for
what the first is about ("The crane lifts stones. It was painted green.").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from claimscope.core.errors import EmbeddingError
from claimscope.core.metrics.base import Findings, Metric, inapplicable, unscored
from claimscope.core.metrics.similarity import NO_MODEL
from claimscope.core.metrics.text_quality.base import TextQuality, grammar_of, span
from claimscope.core.models import Score, ScoreSpan
from claimscope.core.text.english import EnglishToken, Grammar
from claimscope.core.text.linguistics import stands_for_nothing

CONNECTORS_A_SENTENCE = 0.3
SHIFTS_A_SENTENCE = 0.2
"""So many are no fault."""
UNLIKE = 0.2
"""A lower cosine is another topic."""
LOOK_BACK = 2
"""Sentences before that a pronoun may point into."""
_SINGULAR = frozenset("he him his himself she her hers herself it its itself".split())
_PLURAL = frozenset("they them their theirs themselves".split())
_POINTERS = {"this": "one", "that": "one", "these": "many", "those": "many"}
_WEATHER = frozenset("rain snow hail drizzle thunder freeze thaw".split())
_CONNECTORS = re.compile(
    r"(?i)\b(?:however|therefore|furthermore|moreover|consequently|thus|hence|meanwhile"
    r"|nevertheless|nonetheless|additionally|likewise|similarly|conversely|instead"
    r"|otherwise|accordingly|subsequently|besides|because|although|though|whereas"
    r"|finally|in addition|for (?:example|instance)|as a (?:result|consequence)"
    r"|on the (?:(?:one|other) hand|contrary)|in (?:contrast|particular|other words"
    r"|conclusion|summary|short|turn)|by contrast|after that|at the same time"
    r"|that is why|for this reason|due to this|even so)\b"
    # These connect only at the head of a sentence: "so small", "he also" do not.
    r"|^(?:so|then|next|also|still|yet|but|first|firstly|second|secondly|third|thirdly"
    r"|lastly|similarly)\b(?=,|\s+[a-z])"
)


@dataclass(frozen=True)
class Coherence(TextQuality):
    """Shown when asked for by name; needs spaCy's English model and vectors."""

    id: str = "coherence"
    title: str = "sentences hang together"
    reads_grammar: ClassVar[bool] = True

    def measure(self, findings: Findings) -> Score:
        """Scale 0-1; no sentences: not applicable. Unscored when sentences that share
        no word cannot be compared for want of vectors."""
        text = findings.answer.text
        sentences = grammar_of(text).sentences
        if not sentences:
            return inapplicable(self.id, "the answer has no sentences")
        try:
            shifts = list(shifts_of(sentences, findings))
        except EmbeddingError as error:
            return unscored(self.id, str(error))
        total = len(sentences)
        connectors = sum(connectors_in(one) for one in sentences)
        pronouns = list(pronouns_of(sentences))
        unclear = [(one, token) for one, token, is_clear in pronouns if not is_clear]
        linked = min(connectors / (CONNECTORS_A_SENTENCE * total), 1.0)
        clear = 1 - len(unclear) / len(pronouns) if pronouns else 1.0
        on_topic = 1 - max(0.0, len(shifts) - SHIFTS_A_SENTENCE * total) / total
        return Score(
            metric=self.id,
            value=(linked + clear + on_topic) / 3,
            details={
                "sentences": total,
                "connectors": connectors,
                "pronouns": len(pronouns),
                "unclear_pronouns": len(unclear),
                "topic_shifts": len(shifts),
                "connector_score": linked,
                "pronoun_score": clear,
                "topic_score": on_topic,
            },
            evidence=(*_unclear_spans(text, unclear), *_shift_spans(text, shifts)),
        )


def connectors_in(sentence: Grammar) -> int:
    """Words and phrases that tie a sentence to another."""
    return sum(1 for _ in _CONNECTORS.finditer(sentence.passage.text))


def pronouns_of(
    sentences: Sequence[Grammar],
) -> Iterator[tuple[Grammar, EnglishToken, bool]]:
    """Pronouns of the third person, and whether each is clear."""
    for at, sentence in enumerate(sentences):
        for index, token in enumerate(sentence.tokens):
            number = _number_of(sentence, token)
            if number is None:
                continue
            before = sentences[max(0, at - LOOK_BACK) : at]
            nouns = [_nouns(one, len(one.tokens)) for one in before]
            nouns.append(_nouns(sentence, index))
            yield sentence, token, any(number in found for found in nouns)


def _number_of(sentence: Grammar, token: EnglishToken) -> str | None:
    """`one` or `many`: what the pronoun may stand for; None for other words."""
    low = token.text.lower()
    if token.pos == "PRON" and token.tag == "DT":  # not "this room", "that" of a clause
        return _POINTERS.get(low)
    if low in _PLURAL:
        return "many"
    if low not in _SINGULAR:
        return None
    is_empty = low == "it" and (
        token.dep == "expl"
        or sentence.tokens[token.head].lemma in _WEATHER
        or stands_for_nothing(sentence.passage.text, token.start)
    )
    return None if is_empty else "one"


def _nouns(sentence: Grammar, end: int) -> set[str]:
    """Numbers of the nouns among the first tokens; nouns joined by "and" are many."""
    found: set[str] = set()
    for token in sentence.tokens[:end]:
        if token.pos not in {"NOUN", "PROPN"}:
            continue
        found.add("many" if token.is_plural else "one")
        if token.dep == "conj" and sentence.tokens[token.head].pos in {"NOUN", "PROPN"}:
            found.add("many")
    return found


def follows(left: Grammar, right: Grammar) -> bool:
    """Does a sentence go on with what the one before is about, by a pronoun as its
    subject that may stand for a noun there, or for what a pronoun there stands for?"""
    for token in right.tokens:
        number = _number_of(right, token)
        if number is None or not token.dep.startswith("nsubj"):
            continue
        pronouns = {_number_of(left, other) for other in left.tokens}
        return number in _nouns(left, len(left.tokens)) | pronouns
    return False


Shift = tuple[Grammar, float]


def shifts_of(sentences: Sequence[Grammar], findings: Findings) -> Iterator[Shift]:
    """Sentences that leave the topic of the one before, with the cosine of both.
    Raises EmbeddingError."""
    pairs = [
        (left, right)
        for left, right in zip(sentences, sentences[1:], strict=False)
        if not left.lemmas & right.lemmas and not follows(left, right)
    ]
    if not pairs:
        return
    if findings.embed is None:
        raise EmbeddingError(NO_MODEL)
    texts = list(dict.fromkeys(one.passage.text for pair in pairs for one in pair))
    vectors = dict(zip(texts, findings.embed(texts), strict=True))
    for left, right in pairs:
        cosine = float(vectors[left.passage.text] @ vectors[right.passage.text])
        if cosine < UNLIKE:
            yield right, cosine


def _unclear_spans(
    text: str, unclear: Sequence[tuple[Grammar, EnglishToken]]
) -> Iterator[ScoreSpan]:
    for sentence, token in unclear:
        part = (token.start, token.end)
        note = "no noun before it that it could stand for"
        yield span("unclear pronoun", text, sentence.passage, part, note)


def _shift_spans(text: str, shifts: Sequence[Shift]) -> Iterator[ScoreSpan]:
    for sentence, cosine in shifts:
        note = "nothing in common with the sentence before"
        yield span("topic shift", text, sentence.passage, None, note, cosine)


POSITION = 91
METRICS: tuple[Metric, ...] = (Coherence(),)
