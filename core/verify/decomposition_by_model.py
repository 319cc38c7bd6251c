"""Claims by a language model, each held to its sentence by code.

The decomposition without a model says which sentences state facts. Those with several
facts or an open pronoun are rewritten by the model, one sentence a call; what it
writes counts only if it adds no number, name or negation and loses no content word.
Else the sentence keeps the claims it had. So a model can only improve on them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from claimscope.core.calls.replies import ReplyModel, read_reply, schema_of
from claimscope.core.errors import (
    ModelError,
    PromptTooLong,
    ReplyIncomplete,
    ReplyTimeout,
    ReplyUnreadable,
)
from claimscope.core.models import Claim, Skipped
from claimscope.core.ports import ChatModel, ChatRequest
from claimscope.core.prompts.fencing import fence_mark, leave_out_spans
from claimscope.core.prompts.templates import prompt
from claimscope.core.text.clauses.facts import claim_key
from claimscope.core.text.injection import injected_spans
from claimscope.core.text.linguistics import main_subject, resolve_clear_pronoun
from claimscope.core.verify.decomposition import Decomposition, decompose
from claimscope.core.verify.restatement import PRONOUN, restatement_problem

SIMPLE_WORDS = 12
"""A sentence up to this long states one fact, as a rule."""
MOST_CLAIMS = 10
BUDGET = 400
_JOINED = re.compile(
    r"[,;:—]|\b(?:and|but|which|who|whose|where|while|because|although|so)\b", re.I
)


class ClaimsReply(ReplyModel):
    """What the model is asked for."""

    claims: tuple[str, ...]


@dataclass(frozen=True)
class ModelDecomposer:
    """Takes an answer apart with a model's help."""

    chat: ChatModel
    on_note: Callable[[str], None] | None = None
    """Told when the model's work on a sentence could not be used."""

    async def __call__(
        self, answer: str, known_page_ids: Sequence[str] = ()
    ) -> Decomposition:
        """Claims and skipped parts, in order of the text.

        Raises ServerDown, ModelMissing, ServerBusy; a bad reply only leaves its
        sentence as the decomposition without a model has it.
        """
        plain = decompose(answer, known_page_ids)
        whole = decompose(answer, known_page_ids, whole=True)
        asked = {
            start: " ".join(claim.text for claim in group)
            for start, group in groupby(whole.claims, key=_sentence_of)
        }
        shown = leave_out_spans(answer, injected_spans(answer))
        claims: list[Claim] = []
        for start, group in groupby(plain.claims, key=_sentence_of):
            before = list(group)
            said = " ".join(claim.text for claim in before)
            if not _is_cut(before[0], plain.skipped):
                said = asked.get(start, said)
            claims += await self._sentence(answer, shown, before, said)
        return Decomposition(_numbered(claims), plain.skipped, plain.abstained)

    async def _sentence(
        self, answer: str, shown: str, before: list[Claim], sentence: str
    ) -> list[Claim]:
        """The claims of one sentence: the model's, or those it had. A model is shown
        the sentence as it was said, and asked only where more may be in it."""
        if not any(needs_model(claim.text) for claim in before):
            return before
        try:
            texts = await self._ask(shown, sentence, [one.text for one in before])
        except (ReplyUnreadable, ReplyIncomplete, ReplyTimeout, PromptTooLong) as error:
            self._note(sentence, error)
            return before
        texts = _name_pronouns(texts, sentence)
        problem = restatement_problem(texts, sentence, answer)
        if problem is not None:
            self._note(sentence, problem)
            return before
        place = before[0].model_copy(
            update={
                "index": 0,
                "start": min(claim.start for claim in before),
                "end": max(claim.end for claim in before),
            }
        )
        return [place.model_copy(update={"text": text}) for text in texts]

    async def _ask(self, shown: str, sentence: str, draft: Sequence[str]) -> list[str]:
        """Statements of a sentence. With those that code made of it as a draft, a small
        model leaves out and puts in less than without."""
        template = prompt("decompose")
        text = template.fill(
            answer=shown,
            mark=fence_mark(shown),
            sentence=sentence,
            draft=json.dumps(draft, ensure_ascii=False),
        )
        schema = schema_of(ClaimsReply)
        schema["properties"]["claims"]["maxItems"] = MOST_CLAIMS
        reply = await self.chat.chat(
            ChatRequest(
                purpose="decompose",
                messages=(("user", text),),
                prompt_digest=template.digest,
                schema=schema,
                max_tokens=BUDGET,
            )
        )
        found = read_reply(reply.content, ClaimsReply).claims
        return list(dict.fromkeys(" ".join(c.split()) for c in found if c.strip()))

    def _note(self, sentence: str, why: ModelError | str) -> None:
        if self.on_note is not None:
            reason = why.message if isinstance(why, ModelError) else why
            self.on_note(
                f"“{sentence[:60]}” was not taken apart by {self.chat.name}: {reason}"
            )


def _name_pronouns(texts: Sequence[str], sentence: str) -> list[str]:
    """Statements with the subject of their sentence for the pronoun they open with: a
    small model writes the name once and "It" in what follows."""
    known = main_subject(sentence)
    if known is None:
        return [*texts]
    return [resolve_clear_pronoun(text, known) or text for text in texts]


def needs_model(text: str) -> bool:
    """Whether a claim may hold several facts, or speaks of something by a pronoun."""
    several = len(text.split()) > SIMPLE_WORDS and _JOINED.search(text) is not None
    return several or PRONOUN.match(text) is not None


def _sentence_of(claim: Claim) -> int:
    return claim.sentence_start


def _is_cut(claim: Claim, skipped: Sequence[Skipped]) -> bool:
    """Is a part of the claim's sentence no statement, and not to be shown?"""
    return any(
        part.start < claim.sentence_end and claim.sentence_start < part.end
        for part in skipped
    )


def _numbered(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Claims without repetitions, numbered from 0."""
    unique: dict[str, Claim] = {}
    for claim in claims:
        unique.setdefault(claim_key(claim.text), claim)
    return tuple(
        claim.model_copy(update={"index": index})
        for index, claim in enumerate(unique.values())
    )
