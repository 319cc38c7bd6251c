"""Questions and their facts, as a model writes them for sentences it is given."""

from __future__ import annotations

import re
from dataclasses import dataclass

from claimscope.core.calls.replies import ReplyModel, read_reply, schema_of
from claimscope.core.ports import ChatModel, ChatRequest, Corpus
from claimscope.core.prompts.fencing import fence_mark
from claimscope.core.prompts.templates import prompt
from claimscope.core.services.suite_building.material import (
    Material,
    name_of,
    passage_of,
    title_of,
    title_stems,
)
from claimscope.core.verify.word_forms import content_words, stems, words

REPLY_TOKENS = 260
_PART_ENDS = re.compile(r"(?<=[:.?!])\s+")
MOST_FACTS = {"single": 1, "several": 3, "comparison": 2}


class CaseReply(ReplyModel):
    """A question and what answers it; fields in the order a grammar writes them."""

    facts: tuple[str, ...]
    question: str


@dataclass(frozen=True)
class Draft:
    """What the model wrote; nothing of it is believed yet."""

    question: str
    facts: tuple[str, ...] = ()

    @property
    def reference(self) -> str:
        """The facts as an answer."""
        return " ".join(self.facts)


async def write(chat: ChatModel, material: Material, corpus: Corpus) -> Draft:
    """The model's draft for some material. Raises ModelError.

    An unanswerable question is one that the sentence answers of its own page, asked of
    another subject.
    """
    reply = await chat.chat(_request(material, corpus))
    found = read_reply(reply.content, CaseReply)
    question = _one_line(found.question)
    if material.subject is not None:
        return Draft(with_other_subject(question, material, corpus))
    facts = (_with_full_stop(_one_line(fact)) for fact in found.facts)
    if len(material.page_ids) == 1 and not names(
        question, material.page_ids[0], corpus
    ):
        question = f"{title_in(corpus, material.page_ids[0])}: {question}"
    return Draft(question, tuple(dict.fromkeys(fact for fact in facts if fact)))


def with_other_subject(question: str, material: Material, corpus: Corpus) -> str:
    """The question, with the other subject's title wherever it names its page; "" when
    it does not. (A small model that is asked to do it answers with the title.)"""
    assert material.subject is not None  # of this kind it has one
    page = corpus.page(material.page_ids[0])
    if page is None:
        return ""
    title = title_in(corpus, material.subject)
    found, count = name_of(page).subn(lambda _: title, question)
    return found if count else ""


def names(question: str, page_id: str, corpus: Corpus) -> bool:
    """Whether a question has a word of a page's title, or a name that stands on
    the page: what is asked of "the fee" is asked of nothing."""
    page = corpus.page(page_id)
    if page is None:
        return False
    by_title = title_stems(page) & {
        word.stem for word in content_words(words(question))
    }
    return bool(by_title or names_in(question) & stems([page.text]))


def parts_of(question: str) -> list[str]:
    """The parts of a question after which a capital letter makes no name."""
    return [part for part in _PART_ENDS.split(question) if part]


def names_in(question: str) -> frozenset[str]:
    found = (word for part in parts_of(question) for word in words(part))
    return frozenset(word.stem for word in found if word.is_name)


def _request(material: Material, corpus: Corpus) -> ChatRequest:
    """An unanswerable question begins as one about a single fact."""
    kind = "single" if material.kind == "unanswerable" else material.kind
    template = prompt(f"build_{kind}")
    titles = [title_in(corpus, page_id) for page_id in material.page_ids]
    texts = [_one_line(one.text) for one in material.sources]
    if kind == "comparison":
        passage = "\n".join(
            f'{n}. On the page "{title}": {text}'
            for n, (title, text) in enumerate(zip(titles, texts, strict=True), 1)
        )
        values = {"title": titles[0], "other": titles[1]}
    else:
        passage = passage_of(corpus, material.sources)
        if kind == "several":
            texts = [f"{n}. {text}" for n, text in enumerate(texts, 1)]
        values = {"title": titles[0], "sentences": "\n".join(texts)}
    text = template.fill(passage=passage, mark=fence_mark(passage), **values)
    schema = schema_of(CaseReply)
    schema["properties"]["facts"]["minItems"] = 1
    schema["properties"]["facts"]["maxItems"] = MOST_FACTS[kind]
    return ChatRequest(
        purpose="build",
        messages=(("user", text),),
        prompt_digest=template.digest,
        schema=schema,
        max_tokens=REPLY_TOKENS,
    )


def title_in(corpus: Corpus, page_id: str) -> str:
    """What a page is called, in one line."""
    page = corpus.page(page_id)
    return _one_line(title_of(page)) if page is not None else page_id


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _with_full_stop(fact: str) -> str:
    """A fact is a sentence: without a full stop two would be read as one."""
    return fact if not fact or fact[-1] in ".!?。！？" else f"{fact}."
