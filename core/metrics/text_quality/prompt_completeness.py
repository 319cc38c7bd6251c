"""prompt_completeness: does an answer do what its prompt asks (METRICS E)?

Mean of keywords: 0.6 x matched / keywords + 0.4 x min(words / expected, 1); questions:
answered / questions, 1 when none is asked; tasks: fulfilled / tasks, 1 when there are
none. Expected = length_ratio x prompt words, as for the metric length.

Keywords are the noun chunks of the prompt, matched when all their content words occur
(by lemma) or a noun chunk of the answer has a cosine of 0.65 or more. With no keyword
matched the answer is off topic: questions and tasks count as 0, even where the prompt
has none. A question is answered by a statement that says something new, with the kind
of thing that is asked for (who: a name or noun; when: a time; where: a place; how many:
a number; why: a reason), when a keyword of it is matched; one that asks whether needs
no more than a statement, and a yes or a no at the head of the answer is one: it takes
up the keywords of that question. A task is fulfilled by a statement that says something
new when a keyword of it is matched and what its verb wants is there: "explain why" and
"justify" a reason, "explain how" a way, "calculate" a number, "list" two things or
more, or as many as are asked for; a comparison two keywords, or one and a word that
compares.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar

from claimscope.core.errors import EmbeddingError
from claimscope.core.metrics.base import Embed, Findings, Metric, inapplicable
from claimscope.core.metrics.similarity import by_vectors
from claimscope.core.metrics.text_quality.base import REPLIES, TextQuality, grammar_of
from claimscope.core.metrics.text_quality.prompt_requests import (
    COMPARING,
    Keyword,
    Kind,
    PromptRequests,
    QuestionOrTask,
    phrases,
    requests_of,
)
from claimscope.core.models import JsonValue, Score, ScoreSpan
from claimscope.core.text.english import Analysis, Grammar
from claimscope.core.text.non_factual import is_abstention
from claimscope.core.text.prose import words

SIMILAR = 0.65
"""Cosine of two phrases from which on they name one thing: "the annual fee" and "yearly
cost" have 0.66, "climate change" and "global warming" 0.77, "Paris" and "London" 0.58
(all-MiniLM-L6-v2)."""
KEYWORD_SHARE, LENGTH_SHARE = 0.6, 0.4
_ENTITIES: dict[Kind, frozenset[str]] = {
    "who": frozenset({"PERSON", "ORG", "NORP"}),
    "when": frozenset({"DATE", "TIME", "EVENT"}),
    "where": frozenset({"GPE", "LOC", "FAC", "ORG"}),
    "number": frozenset(
        {"CARDINAL", "MONEY", "QUANTITY", "PERCENT", "DATE", "TIME", "ORDINAL"}
    ),
}
_WORDS: dict[Kind, frozenset[str]] = {
    "when": frozenset("after before when until since during while now once".split()),
    "where": frozenset("in at on near inside under behind here there".split()),
    "number": frozenset("none no free nothing both several few".split()),
    "why": frozenset(
        "because since due as so therefore thus hence reason cause result lead".split()
    ),
    "how": frozenset(
        "by through via with use using when then if first step way method".split()
    ),
}
_PARTS: dict[Kind, frozenset[str]] = {
    "who": frozenset({"NOUN", "PROPN"}),
    "number": frozenset({"NUM"}),
}
_COUNTS = "one two three four five six seven eight nine ten".split()
_COMPARISONS = frozenset(
    "than whereas unlike both while similar different differ compare contrast".split()
)


@dataclass(frozen=True)
class PromptCompleteness(TextQuality):
    """Shown when asked for by name; needs spaCy's English model."""

    id: str = "prompt_completeness"
    title: str = "does what the prompt asks"
    reads_grammar: ClassVar[bool] = True
    reads_prompt: ClassVar[bool] = True

    def measure(self, findings: Findings) -> Score:
        """Scale 0-1; a prompt that names nothing: not applicable. Without vectors
        keywords are matched by lemma alone, and the details say so."""
        question = findings.case.question
        grammar = grammar_of(question)
        prompt = requests_of(grammar)
        if not prompt.keywords:
            return inapplicable(self.id, "the case's question names no thing")
        answer = grammar_of(findings.answer.text)
        matched, by = matches(prompt.keywords, answer, findings.embed)
        replied = yes_or_no(answer, prompt)
        matched |= {keyword for ask in replied for keyword in ask.keywords}
        known = {t.lemma for one in grammar.sentences for t in one.tokens}
        sayings = [
            (one, news(one, known)) for one in answer.sentences if states_anything(one)
        ]
        met = [
            ask
            for ask in (*prompt.questions, *prompt.tasks)
            if ask in replied or is_met(ask, matched, sayings)
        ]
        expected = findings.settings.length_ratio * len(words(question))
        count = len(words(findings.answer.text))
        parts = (
            KEYWORD_SHARE * len(matched) / len(prompt.keywords)
            + LENGTH_SHARE * min(count / expected, 1.0),
            share(prompt.questions, met, bool(matched)),
            share(prompt.tasks, met, bool(matched)),
        )
        return Score(
            metric=self.id,
            value=sum(parts) / 3,
            details={
                **counts(prompt, matched, met),
                "matched_by": by,
                "words": count,
                "expected_words": expected,
                "keyword_score": parts[0],
                "question_score": parts[1],
                "task_score": parts[2],
            },
            evidence=missing(prompt, matched, met),
        )


def share(
    asks: Sequence[QuestionOrTask], met: Collection[QuestionOrTask], on_topic: bool
) -> float:
    """Part of asks that are met, from 0 to 1."""
    if not on_topic:
        return 0.0
    return sum(ask in met for ask in asks) / len(asks) if asks else 1.0


def matches(
    keywords: Sequence[Keyword], answer: Analysis, embed: Embed | None
) -> tuple[set[Keyword], str]:
    """The keywords an answer speaks of, and by what they were matched."""
    lemmas = {t.lemma for one in answer.sentences for t in one.tokens}
    forms = {word for one in answer.sentences for word in one.passage.words}
    found = {
        keyword
        for keyword in keywords
        if all(lemma in lemmas or form in forms for lemma, form in keyword.words)
    }
    left = [keyword for keyword in keywords if keyword not in found]
    named = {text for one in answer.sentences for _, text, _ in phrases(one)}
    if not left or not named:
        return found, "lemma"
    if embed is None:
        return found, "lemma; there are no vectors"
    try:
        cosines = by_vectors([k.text for k in left], sorted(named), embed)
    except EmbeddingError:
        return found, "lemma; there are no vectors"
    near = {k for k, row in zip(left, cosines, strict=True) if row.max() >= SIMILAR}
    return found | near, "lemma and vectors"


def states_anything(sentence: Grammar) -> bool:
    """Questions and admissions of not knowing do not."""
    text = sentence.passage.text
    return not (text.rstrip("\"'”’)* ").endswith("?") or is_abstention(text))


def news(sentence: Grammar, known: Collection[str]) -> bool:
    """Does it say something that the prompt does not?"""
    return any(
        (token.is_content or token.pos == "NUM") and token.lemma not in known
        for token in sentence.tokens
    )


def yes_or_no(answer: Analysis, prompt: PromptRequests) -> list[QuestionOrTask]:
    """The questions that the head of an answer takes up by a yes or a no: all of those
    that ask whether, where the prompt asks nothing else."""
    first = answer.sentences[0].passage.words[:2] if answer.sentences else ()
    is_reply = bool(first) and (first[0] in REPLIES or first == ("of", "course"))
    asks = prompt.questions
    if not is_reply or any(ask.kind != "whether" for ask in asks):
        return []
    return list(asks)


def is_met(
    ask: QuestionOrTask,
    matched: Collection[Keyword],
    sayings: Sequence[tuple[Grammar, bool]],
) -> bool:
    """Is a question answered, or a task fulfilled, by what the answer states? `sayings`
    are its statements, and whether each says something new."""
    own = [keyword for keyword in ask.keywords if keyword in matched]
    if not matched or (ask.keywords and not own):
        return False
    if ask.verb in COMPARING and len(own) < 2:
        return bool(own) and any(
            token.lemma in _COMPARISONS for one, _ in sayings for token in one.tokens
        )
    if ask.kind == "whether":  # "Is it open?" "It is open." says nothing new
        return bool(sayings)
    if ask.kind == "several":
        return things(ask, sayings) >= wanted_things(ask)
    return any(is_new and fits(one, ask.kind) for one, is_new in sayings)


def wanted_things(ask: QuestionOrTask) -> int:
    """How many a list is to have: "list its three oldest cranes" 3, else two."""
    numbers = (count_of(word) for word in ask.text.lower().split())
    return next((number for number in numbers if number), 2)


def count_of(word: str) -> int | None:
    """A small number in digits or in a word; None for other words."""
    if word.isdecimal() and len(word) < 3:
        return int(word)
    return _COUNTS.index(word) + 1 if word in _COUNTS else None


def things(ask: QuestionOrTask, sayings: Sequence[tuple[Grammar, bool]]) -> int:
    """Different things that new statements name, beside those of the task itself."""
    own = {lemma for keyword in ask.keywords for lemma, _ in keyword.words}
    found = set()
    for one, is_new in sayings:
        for _, _, tokens in phrases(one) if is_new else ():
            words = frozenset(t.lemma for t in tokens) - own
            if words:
                found.add(words)
    return len(found)


def fits(sentence: Grammar, kind: Kind) -> bool:
    """Does a sentence hold the kind of thing that is asked for?"""
    if kind == "other":
        return True
    return any(
        token.entity in _ENTITIES.get(kind, ())
        or token.lemma in _WORDS.get(kind, ())
        or token.pos in _PARTS.get(kind, ())
        for token in sentence.tokens
    )


def counts(
    prompt: PromptRequests,
    matched: Collection[Keyword],
    met: Collection[QuestionOrTask],
) -> dict[str, JsonValue]:
    """How many there are, and how many of them are met."""
    return {
        "keywords": len(prompt.keywords),
        "matched": len(matched),
        "questions": len(prompt.questions),
        "answered": sum(ask in met for ask in prompt.questions),
        "tasks": len(prompt.tasks),
        "fulfilled": sum(ask in met for ask in prompt.tasks),
    }


def missing(
    prompt: PromptRequests,
    matched: Collection[Keyword],
    met: Collection[QuestionOrTask],
) -> tuple[ScoreSpan, ...]:
    """What of the prompt is not dealt with; it stands in no place of the answer."""
    left = [("missing keyword", k.text) for k in prompt.keywords if k not in matched]
    left += [("open question", ask.text) for ask in prompt.questions if ask not in met]
    left += [("open task", ask.text) for ask in prompt.tasks if ask not in met]
    return tuple(ScoreSpan(kind=kind, text=text) for kind, text in left)


POSITION = 92
METRICS: tuple[Metric, ...] = (PromptCompleteness(),)
