"""What a prompt asks for: keywords, questions and tasks, read from its grammar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from claimscope.core.text.english import Analysis, EnglishToken, Grammar

Kind = Literal[
    "who", "when", "where", "number", "why", "how", "several", "whether", "other"
]
"""What kind of thing answers a question, or does a task: `why` a reason, `how` a way,
`several` more than one thing."""

TASKS = frozenset(
    """analyse analyze argue assess calculate categorize classify compare complete
    compose compute contrast convert create critique debate define demonstrate derive
    describe design determine develop discuss distinguish draft elaborate enumerate
    estimate evaluate examine explain explore find generate give highlight identify
    illustrate interpret introduce justify list mention name outline paraphrase predict
    present propose prove provide recommend review rewrite show sketch solve specify
    state suggest summarise summarize tell trace translate write""".split()
)
"""Verbs that, as an order or after "can you", set a task."""
_DONE_BY: dict[str, Kind] = {
    "calculate": "number", "compute": "number", "estimate": "number",
    "justify": "why", "argue": "why", "prove": "why",
    "list": "several", "enumerate": "several",
}  # fmt: skip
"""What a task's verb wants to be there before it is done."""
COMPARING = frozenset({"compare", "contrast", "distinguish"})
# "the concept of X", "the difference between X and Y": X and Y are what is asked about.
_SHELLS = frozenset(
    """aspect concept definition description difference explanation idea importance
    kind list meaning name notion number overview role sort summary term topic type
    way""".split()
)
_SHELL_PREPOSITIONS = frozenset({"of", "between", "behind"})
_AMOUNTS = frozenset("many much long old far often tall high big deep large".split())
_KINDS: dict[str, Kind] = {
    "who": "who", "whom": "who", "whose": "who", "when": "when", "where": "where",
    "why": "why",
}  # fmt: skip


@dataclass(frozen=True)
class Keyword:
    """A thing that a prompt speaks of: a noun chunk without its articles."""

    text: str
    words: tuple[tuple[str, str], ...]
    """Lemma and lower-case form of each content word."""
    at: tuple[int, int]
    """Sentence and token, for telling which task or question it belongs to."""


@dataclass(frozen=True)
class QuestionOrTask:
    """A question or a task, with the keywords it is about."""

    text: str
    verb: str
    """The task's verb; empty for a question."""
    kind: Kind
    keywords: tuple[Keyword, ...]


@dataclass(frozen=True)
class PromptRequests:
    """All that a prompt asks for."""

    keywords: tuple[Keyword, ...]
    questions: tuple[QuestionOrTask, ...]
    tasks: tuple[QuestionOrTask, ...]


def requests_of(prompt: Analysis) -> PromptRequests:
    """Keywords, questions and tasks of a prompt."""
    keywords: list[Keyword] = []
    questions: list[QuestionOrTask] = []
    tasks: list[QuestionOrTask] = []
    for number, sentence in enumerate(prompt.sentences):
        verbs = list(_task_verbs(sentence))
        found = list(_keywords(sentence, number, set(verbs)))
        keywords += found
        tasks += _tasks(sentence, verbs, found)
        if not verbs and _is_question(sentence):
            questions += _questions(sentence, found)
    distinct = {keyword.words: keyword for keyword in reversed(keywords)}
    return PromptRequests(
        tuple(distinct.values())[::-1], tuple(questions), tuple(tasks)
    )


def phrases(sentence: Grammar) -> Iterator[tuple[int, str, tuple[EnglishToken, ...]]]:
    """Noun chunks: where the head stands, the text without article, content words."""
    for start, end, head in sentence.chunks:
        tokens = [
            t
            for t in sentence.tokens[start:end]
            if t.is_content and (t.pos != "NUM" or t.entity in {"EVENT", "PRODUCT"})
        ]
        if any(token.pos in {"NOUN", "PROPN"} for token in tokens):
            text = sentence.passage.text[tokens[0].start : tokens[-1].end]
            yield head, text, tuple(tokens)


def _keywords(sentence: Grammar, number: int, verbs: set[int]) -> Iterator[Keyword]:
    found = False
    verb_starts = {sentence.tokens[verb].start for verb in verbs}
    for head, text, tokens in phrases(sentence):
        # A task's verb that is taken for a noun: "List uses of copper".
        kept = [token for token in tokens if token.start not in verb_starts]
        if not kept or _is_shell(sentence, head):
            continue
        found = True
        text = sentence.passage.text[kept[0].start : kept[-1].end]
        yield Keyword(text, _words(kept), (number, head))
    if found:
        return
    for index, token in enumerate(sentence.tokens):  # "How does one apologise?"
        if token.is_content and index not in verbs and token.pos != "NUM":
            yield Keyword(token.text, _words([token]), (number, index))


def _words(tokens: Sequence[EnglishToken]) -> tuple[tuple[str, str], ...]:
    return tuple((token.lemma, token.text.lower()) for token in tokens)


def _is_shell(sentence: Grammar, head: int) -> bool:
    after = sentence.tokens[head + 1 : head + 2]
    return (
        sentence.tokens[head].lemma in _SHELLS
        and bool(after)
        and after[0].lemma in _SHELL_PREPOSITIONS
    )


def _task_verbs(sentence: Grammar) -> Iterator[int]:
    """Orders ("Explain …, and describe …", "Please list …") and polite ones ("Can you
    explain …?"). The first word is believed to be a verb whatever the tagger says."""
    words = [t for t in sentence.tokens if t.pos not in {"SPACE", "PUNCT"}]
    opening = [t for t in words if t.text.lower() not in {"please", "kindly", "now"}]
    first = opening[0] if opening else None
    polite = len(opening) > 2 and opening[1].text.lower() == "you"
    polite = polite and opening[0].pos == "AUX"
    if first is None:
        return
    is_order = (
        first.text.lower() in TASKS
        or polite
        and any(token.lemma in TASKS for token in opening[2:4])
    )
    if not is_order:
        return
    for index, token in enumerate(sentence.tokens):
        if token is first and not polite:
            yield index
        elif (polite or token.dep in {"conj", "ROOT", "ccomp", "xcomp"}) and (
            token.lemma in TASKS and token.pos == "VERB" and token.tag == "VB"
        ):
            yield index


def _tasks(
    sentence: Grammar, verbs: Sequence[int], keywords: Sequence[Keyword]
) -> Iterator[QuestionOrTask]:
    """Each verb with the keywords up to the next one."""
    ends = [*verbs[1:], len(sentence.tokens)]
    for verb, end in zip(verbs, ends, strict=False):
        own = tuple(key for key in keywords if verb <= key.at[1] < end)
        text = sentence.passage.text
        stop = sentence.tokens[end - 1].end
        part = text[sentence.tokens[verb].start : stop].strip(" ,.;?!")
        part = part.removesuffix(" and").rstrip(" ,")
        name = sentence.tokens[verb].text.lower()
        yield QuestionOrTask(
            part, name, _task_kind(name, sentence.tokens[verb:end]), own
        )


def _task_kind(verb: str, tokens: Sequence[EnglishToken]) -> Kind:
    """ "Explain why …" is done by a reason, "tell me when …" by a time, "list …" by
    several things."""
    if verb in _DONE_BY:
        return _DONE_BY[verb]
    for token, after in zip(tokens[1:4], (*tokens[2:4], None), strict=False):
        if token.tag.startswith("W"):
            found = _kind([token, *([after] if after else [])])
            return "how" if found == "other" and token.text.lower() == "how" else found
        if token.pos == "NOUN" and token.lemma == "reason":
            return "why"
    return "other"


def _is_question(sentence: Grammar) -> bool:
    text = sentence.passage.text.rstrip("\"'”’)* ")
    first = next((t for t in sentence.tokens if t.pos not in {"SPACE", "PUNCT"}), None)
    return text.endswith("?") or (first is not None and first.tag.startswith("W"))


def _questions(
    sentence: Grammar, keywords: Sequence[Keyword]
) -> Iterator[QuestionOrTask]:
    """A sentence may ask twice: "When was it built, and why is it protected?"."""
    tokens = sentence.tokens
    joints = [
        at
        for at in range(1, len(tokens))
        if tokens[at].tag.startswith("W") and tokens[at - 1].pos == "CCONJ"
    ]
    ends = [*joints, len(tokens)]
    for start, end in zip([0, *joints], ends, strict=True):
        own = tuple(key for key in keywords if start <= key.at[1] < end)
        text = sentence.passage.text[tokens[start].start : tokens[end - 1].end]
        text = text.removesuffix(" and").rstrip(" ,")
        yield QuestionOrTask(text, "", _kind(tokens[start:end]), own)


def _kind(tokens: Sequence[EnglishToken]) -> Kind:
    for token, after in zip(tokens, (*tokens[1:], None), strict=True):
        low = token.text.lower()
        if not token.tag.startswith("W"):
            continue
        if low == "how" and after is not None and after.text.lower() in _AMOUNTS:
            return "number"
        return _KINDS.get(low, "other")
    return "whether"
