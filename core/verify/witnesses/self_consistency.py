"""Confidence by repetition, for servers that send no log-probabilities with a word.

The same question is asked several times with some chance in the choice of words; the
share of each word stands for its probability. Never the model's own number: models
say 90 % whatever they think.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from claimscope.core.errors import ReplyIncomplete, ReplyUnreadable
from claimscope.core.ports import ChatModel, ChatRequest

TEMPERATURE = 0.7
"""Enough for a model in doubt to say both; one that is sure still says one."""
YES, NO = "yes", "no"
_AROUND = " \r\n\t\"'*.,:;!()[]`▁Ġ"


async def vote_share(
    chat: ChatModel, request: ChatRequest, n: int, seeds: Sequence[int] = ()
) -> tuple[float, tuple[str, ...]]:
    """Share of Yes among n answers to a question of one word, in (0, 1), and the keys
    of the calls. Errors as in `shares`."""
    found, keys = await shares(chat, request, n, (YES, NO), seeds)
    return found[YES], keys


async def shares(
    chat: ChatModel,
    request: ChatRequest,
    n: int,
    words: Sequence[str],
    seeds: Sequence[int] = (),
) -> tuple[dict[str, float], tuple[str, ...]]:
    """Share of each word (lower case, e.g. the letters of labels) among n answers,
    and the keys of the calls.

    One answer a seed (default 1 to n). Each word is counted once more than it was said
    (Laplace's rule of succession): five equal answers are no proof. Raises
    ReplyUnreadable when fewer than half say one of the words; other ModelErrors as
    they come, but an incomplete reply only counts as one that cannot be read.
    """
    chosen = tuple(seeds) or tuple(range(1, n + 1))
    if n < 1 or len(chosen) != n or len(set(chosen)) != n:
        raise ValueError(f"{n} votes need as many different seeds, not {chosen}")
    said, keys, last = Counter[str](), list[str](), ""
    for seed in chosen:
        options = {**request.options, "temperature": TEMPERATURE, "seed": seed}
        one = replace(request, top_logprobs=0, options=options)
        try:
            reply = await chat.chat(one)
        except ReplyIncomplete as error:
            last = error.raw or last
            continue
        if reply.call_key:
            keys.append(reply.call_key)
        word = reply.content.strip(_AROUND).casefold()
        if word in words:
            said[word] += 1
        else:
            last = reply.content
    readable = said.total()
    if 2 * readable < n:
        raise ReplyUnreadable(
            f"Of {n} answers only {readable} were one of {', '.join(words)}; the last "
            f"other one was {last!r}.",
            "A larger model follows the form more often.",
            raw=last,
        )
    whole = readable + len(words)
    return {word: (said[word] + 1) / whole for word in words}, tuple(keys)
