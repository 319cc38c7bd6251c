"""The lines of a chat stream to one reply that is known to be whole.

A 200 proves nothing: the stream may end without a last line, be cut at the token
limit, hold only thoughts, or answer half a prompt. Each of these is an error here.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field

from claimscope.core.backends.hosted.failures import (
    TOO_LONG,
    error_text,
    prompt_too_long,
)
from claimscope.core.errors import (
    ConnectionLost,
    ModelError,
    ReplyIncomplete,
    ServerBusy,
)
from claimscope.core.http.stream_lines import StreamLine, line_of
from claimscope.core.models import Usage
from claimscope.core.ports import ChatReply, ChatRequest

NEAR = 8
"""Tokens by which the count of a cut prompt may miss half the context."""


@dataclass(frozen=True)
class Dialect:
    """How a kind of server writes its replies."""

    name: str
    """As errors call such a server, at the beginning of a sentence."""
    line_of: Callable[[str], StreamLine]
    """Reads one line of a stream. Raises ModelError."""
    cuts_at_half: bool = False
    """A prompt that is too long may be cut in silence to half the context and 2."""


OLLAMA = Dialect("Ollama", line_of, cuts_at_half=True)


@dataclass
class ReplyParts:
    """What has come so far."""

    dialect: Dialect = OLLAMA
    content: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    logprobs: tuple[tuple[str, float], ...] = ()
    is_ended: bool = False
    """The closing line came."""
    done_reason: str = ""
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, text: str) -> None:
        """Takes one line. Raises ModelError for an error line or for no JSON."""
        line = self.dialect.line_of(text)
        if line.error:
            raise _late_error(text, self.dialect.name)
        self.content.append(line.content)
        self.thinking.append(line.thinking)
        self.logprobs = self.logprobs or line.logprobs
        self.counts.update(line.counts or {})
        if line.is_last:
            self.is_ended, self.done_reason = True, line.done_reason


def _late_error(line: str, name: str) -> ModelError:
    if TOO_LONG.search(line):
        return prompt_too_long(f"{name} refused the prompt: {error_text(line)}.")
    return ServerBusy(
        f"{name} broke off its reply: {error_text(line)}.",
        "See its log: the model's process may have ended for want of memory.",
    )


async def collect(lines: AsyncIterator[str], dialect: Dialect = OLLAMA) -> ReplyParts:
    """All lines of a stream. Raises ModelError."""
    parts = ReplyParts(dialect)
    async for line in lines:
        if line.strip():
            parts.add(line)
    return parts


def finished_reply(
    parts: ReplyParts, request: ChatRequest, context: int, wall_seconds: float
) -> ChatReply:
    """The reply, when it is whole. Raises ReplyIncomplete, PromptTooLong."""
    name, counts, reason = parts.dialect.name, parts.counts, parts.done_reason
    content, thinking = "".join(parts.content), "".join(parts.thinking)
    if not parts.is_ended:
        raise with_raw(_unfinished_error(content, name), content)
    check_prompt(counts, request, context, parts.dialect)
    one_token = request.max_tokens == 1 and bool(content or parts.logprobs)
    if reason == "length" and not one_token:
        cut = _cut_error(
            bool(content.strip()), bool(thinking), request, counts, context
        )
        raise with_raw(cut, content)
    if reason not in ("stop", "length"):
        raise ReplyIncomplete(
            f"{name} ended the reply for the reason {reason or 'none given'!r}.",
            "The server may be shutting down or unloading the model: run again.",
            raw=content,
        )
    if not content.strip() and not one_token:
        raise _empty_error(thinking)
    return ChatReply(
        content=content,
        thinking=thinking or None,
        done_reason=reason,
        logprobs=parts.logprobs,
        usage=_usage(counts, wall_seconds),
    )


def _usage(counts: Mapping[str, int], wall_seconds: float) -> Usage:
    """What a call cost, from its closing line; servers count in nanoseconds."""
    read = counts.get("prompt_eval_count", 0)
    return Usage(
        calls=1,
        prompt_tokens=read,
        cached_tokens=min(read, counts.get("prompt_eval_cached_count", 0)),
        completion_tokens=counts.get("eval_count", 0),
        model_seconds=counts.get("total_duration", 0) / 1e9,
        prompt_seconds=counts.get("prompt_eval_duration", 0) / 1e9,
        load_seconds=counts.get("load_duration", 0) / 1e9,
        wall_seconds=wall_seconds,
    )


def with_raw(error: ReplyIncomplete, raw: str) -> ReplyIncomplete:
    """The error with what there was of the reply, for whoever can use a part."""
    error.raw = raw
    return error


def _unfinished_error(content: str, name: str) -> ReplyIncomplete:
    if not content:
        return ConnectionLost(
            f"{name} closed the connection without a reply.", "See its log; run again."
        )
    return ReplyIncomplete(
        f"The reply stopped after {len(content)} characters without an end mark "
        "(the server broke off, or the model repeated itself).",
        "Another model may do better.",
    )


def _cut_error(
    said: bool,
    thought: bool,
    request: ChatRequest,
    counts: Mapping[str, int],
    context: int,
) -> ReplyIncomplete:
    if thought and not said:
        return ReplyIncomplete(
            f"The model spent its budget of {request.max_tokens} tokens thinking and "
            "gave no answer.",
            "Choose a model whose thinking can be switched off, or a larger budget.",
        )
    written = counts.get("eval_count", 0)
    if counts.get("prompt_eval_count", 0) + written >= context - 1:
        return ReplyIncomplete(
            f"The reply was cut after {written} tokens: the context is full.",
            "Raise `context_tokens`.",
        )
    return ReplyIncomplete(
        f"The reply was cut at the limit of {request.max_tokens} tokens.",
        "Another model may be briefer.",
    )


def _empty_error(thinking: str) -> ReplyIncomplete:
    if thinking:
        return ReplyIncomplete(
            "The model only thought and gave no answer.",
            "Choose a model whose thinking can be switched off.",
        )
    return ReplyIncomplete("The model gave an empty reply.", "Try another model.")


def check_prompt(
    counts: Mapping[str, int],
    request: ChatRequest,
    context: int,
    dialect: Dialect = OLLAMA,
) -> None:
    """Refuses a reply to a prompt that was not read in full.

    We ask for an error instead of a cut, but a server may be too old to know the
    option. Signs: fewer tokens read than the prompt has words (a word is at least one
    token), or a count at the mark where servers cut (half the context and 2) for a
    prompt that by its letters has clearly more. Raises PromptTooLong.
    """
    read = counts.get("prompt_eval_count", 0)
    if read == 0:
        return
    texts = [content for _, content in request.messages]
    words = sum(len(text.split()) for text in texts)
    letters = sum(len(text.encode("utf-8", "replace")) for text in texts)
    at_cut = (
        dialect.cuts_at_half
        and abs(read - (context // 2 + 2)) <= NEAR
        and letters / 5 > read * 1.2
    )
    if read < words or at_cut:
        raise prompt_too_long(
            f"{dialect.name} read only {read} tokens of a prompt of {words} words: it "
            "was cut."
        )
