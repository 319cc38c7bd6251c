"""How a model is asked whether a document states a claim, and what its reply means.

Models of general use are asked a question in words, in three wordings. Models that were
trained for just this have a form of their own, which is documented with them: asked
otherwise they answer at random. They are known by their names (`form_of`), on Ollama,
where a template brings the form's other half.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from claimscope.core.errors import ReplyUnreadable
from claimscope.core.models import digest
from claimscope.core.ports import ChatReply, ChatRequest
from claimscope.core.prompts.templates import prompt

YES, NO = "yes", "no"
WORDINGS = ("verify", "verify_support", "verify_true")
"""Prompts of the one question; all say Yes for a claim that is supported."""
LEAST_MASS = 0.05
"""Probability that Yes and No must have together, or the reply says neither."""
WITHOUT_LOGPROBS = 0.85
"""Probability of a bare word, from a server that gives none with it."""
_SCORE = re.compile(r"<score>\s*(yes|no)\s*(?:</score>|$)", re.I)
_GUARDIAN = re.compile(r"granite-?(?P<a>\d(?:\.\d)?)?-guardian(?:-(?P<b>\d(?:\.\d)?))?")
SCORED_SINCE = 3.3
"""Versions of Granite Guardian from here on answer in tags."""
QUOTE_TOKENS = 240
"""A long sentence, or a row of a table."""
SCORE_TOKENS = 16
"""`<score> yes </score>` and an end."""


@dataclass(frozen=True)
class QuestionForm:
    """How one kind of model is asked."""

    name: str
    ask: Callable[[str, str, str], ChatRequest]
    """From document, claim and wording."""
    support: Callable[[ChatReply], float]
    """From a reply to the probability that the document states the claim. Raises
    ReplyUnreadable."""
    wordings: tuple[str, ...] = ("",)
    only_verifies: bool = True
    """It can neither take answers apart nor grade them."""
    takes_votes: bool = True
    """Its reply is the bare word Yes or No, so that it can be asked repeatedly."""
    is_reversed: bool = False
    """Yes says that the claim is not supported."""


def ask(document: str, claim: str, wording: str = WORDINGS[0]) -> ChatRequest:
    """The one-token question: document first, so that the next claim on it is cheap."""
    template = prompt(wording)
    return ChatRequest(
        purpose="verify",
        messages=(("user", template.fill(document=document, claim=_flat(claim))),),
        prompt_digest=template.digest,
        max_tokens=1,
        top_logprobs=10,
    )


def _flat(claim: str) -> str:
    """In one line: a claim brings no question of its own."""
    return " ".join(claim.split())


def ask_if_ruled_out(document: str, claim: str) -> ChatRequest:
    """The one-token question whether the document rules the claim out. Only models that
    are proven readers know a claim that is ruled out from one that is not stated
    (reading_rates.py)."""
    return ask(document, claim, "verify_denial")


def ask_for_quote(document: str, claim: str) -> ChatRequest:
    """For the sentence of the document that settles the claim, word for word."""
    template = prompt("verify_quote")
    text = template.fill(document=document, claim=_flat(claim))
    return ChatRequest(
        purpose="verify",
        messages=(("user", text),),
        prompt_digest=template.digest,
        max_tokens=QUOTE_TOKENS,
    )


def yes(reply: ChatReply) -> float:
    """Probability of Yes among Yes and No, in any case and spacing.

    Raises ReplyUnreadable when the first token is neither.
    """
    mass = {YES: 0.0, NO: 0.0}
    for token, logprob in reply.logprobs:
        word = token.strip(" \n\t\"'*.,:▁Ġ").casefold()
        if word in mass:
            mass[word] += math.exp(logprob)
    total = mass[YES] + mass[NO]
    if total >= LEAST_MASS:
        return mass[YES] / total
    word = reply.content.strip(" \n\t\"'*.,:").casefold()
    if not reply.logprobs and word in mass:
        return WITHOUT_LOGPROBS if word == YES else 1 - WITHOUT_LOGPROBS
    raise ReplyUnreadable(
        f"The model answered {reply.content!r} where Yes or No was asked for.",
        "A larger model follows the form more often.",
        raw=reply.content,
    )


# --- models that were trained for it ----------------------------------------------


def ask_minicheck(document: str, claim: str, wording: str = "") -> ChatRequest:
    """As Bespoke-MiniCheck is asked; its system prompt comes with the model."""
    return ask(document, claim, "minicheck")


def ask_guardian(document: str, claim: str, wording: str = "") -> ChatRequest:
    """As Granite Guardian up to 3.2 is asked for the risk groundedness: the claim as
    what an assistant said on a context."""
    return ChatRequest(
        purpose="verify",
        messages=(
            ("system", "groundedness"),
            ("context", document),
            ("assistant", claim),
        ),
        prompt_digest=digest("granite guardian: groundedness"),
        max_tokens=1,
        top_logprobs=10,
    )


def ask_guardian_scored(document: str, claim: str, wording: str = "") -> ChatRequest:
    """The same of 3.3 and later, which read documents and answer in tags."""
    return ChatRequest(
        purpose="verify",
        messages=(
            ("system", "groundedness"),
            ("document", document),
            ("assistant", claim),
        ),
        prompt_digest=digest("granite guardian: groundedness, scored"),
        max_tokens=SCORE_TOKENS,
    )


def not_at_risk(reply: ChatReply) -> float:
    """Yes says that the claim is not grounded. Raises ReplyUnreadable."""
    return 1 - yes(reply)


def score_no(reply: ChatReply) -> float:
    """The word in the tags, which comes without a probability. Raises
    ReplyUnreadable."""
    found = _SCORE.search(reply.content)
    if found is None:
        raise ReplyUnreadable(
            f"The model answered {reply.content!r} where <score> was asked for.",
            "Is it Granite Guardian, with the template of Ollama's library?",
            raw=reply.content,
        )
    is_at_risk = found[1].casefold() == YES
    return 1 - WITHOUT_LOGPROBS if is_at_risk else WITHOUT_LOGPROBS


USUAL = QuestionForm("questions", ask, yes, WORDINGS, only_verifies=False)
MINICHECK = QuestionForm("Bespoke-MiniCheck", ask_minicheck, yes)
GUARDIAN = QuestionForm("Granite Guardian", ask_guardian, not_at_risk, is_reversed=True)
GUARDIAN_SCORED = QuestionForm(
    "Granite Guardian", ask_guardian_scored, score_no, takes_votes=False
)


def form_of(model: str, server: str = "ollama") -> QuestionForm:
    """How the model of this name is asked. Elsewhere than on Ollama nobody knows which
    template a verifier has, so it is asked as any other model."""
    if server != "ollama":
        return USUAL
    name = model.casefold().rpartition("/")[2].partition(":")[0]
    if "minicheck" in name:
        return MINICHECK
    guardian = _GUARDIAN.search(name)
    if guardian is None:
        return USUAL
    version = float(guardian["a"] or guardian["b"] or 0)
    return GUARDIAN_SCORED if version >= SCORED_SINCE else GUARDIAN
