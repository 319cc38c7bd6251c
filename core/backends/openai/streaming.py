"""A stream of the OpenAI API: server-sent events to lines, each checked.

The client library builds its objects from whatever comes, without looking at the types;
what reaches a journal or a verdict is looked at here, as for Ollama (lines.py).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from claimscope.core.backends.hosted.streaming import Dialect
from claimscope.core.errors import ModelError
from claimscope.core.http.stream_lines import (
    NotALine,
    StreamLine,
    count_in,
    first_token,
    object_in,
    object_of,
    text_in,
)

DONE = "[DONE]"
FIELDS = ("event:", "id:", "retry:", ":")
"""What may stand beside data in a stream of events, and says nothing."""
MILLION = 1_000_000
"""Nanoseconds of a millisecond."""


async def event_lines(data: AsyncIterator[bytes]) -> AsyncIterator[str]:
    """The JSON of each event, until the server says that it is done. Raises ModelError
    for what is no stream of events."""
    rest = b""
    async for part in data:
        *whole, rest = (rest + part).split(b"\n")
        for line in whole:
            for text in _event(line):
                if text == DONE:
                    return
                yield text
    for text in _event(rest):
        if text != DONE:
            yield text


def _event(line: bytes) -> Iterator[str]:
    try:
        text = line.decode("utf-8").strip("\r")
    except UnicodeDecodeError as error:
        raise _strange("bytes that are not UTF-8") from error
    if not text.strip() or text.startswith(FIELDS):
        return
    name, sign, value = text.partition(":")
    if name not in ("data", "error") or not sign:
        raise _strange(f"{text[:80]!r}")
    # llama.cpp was used to send `error: {…}` in place of an event.
    yield value.strip() if name == "data" else f'{{"error": {value.strip()}}}'


def line_of(text: str) -> StreamLine:
    """One event. Raises ModelError for what is no chunk of a chat."""
    try:
        return _line(object_of(text))
    except NotALine as error:
        raise _strange(str(error)) from error


def _line(value: dict[str, Any]) -> StreamLine:
    if value.get("error") is not None:
        return StreamLine(error=True)
    choice = _first_choice(value)
    delta = object_in(choice, "delta")
    reason = text_in(choice, "finish_reason")
    thinking = text_in(delta, "reasoning_content") or text_in(delta, "reasoning")
    logprobs = object_in(choice, "logprobs").get("content")
    return StreamLine(
        text_in(delta, "content"),
        thinking,
        first_token(logprobs),
        bool(reason),
        reason,
        _counts(value),
    )


def _first_choice(value: dict[str, Any]) -> dict[str, Any]:
    choices = value.get("choices")
    if not isinstance(choices, list | None):
        raise NotALine("`choices` is no list")
    if not choices:
        return {}
    if not isinstance(choices[0], dict):
        raise NotALine("`choices` holds no object")
    return choices[0]


def _counts(value: dict[str, Any]) -> dict[str, int]:
    """Tokens and nanoseconds, by the names that Ollama has for them (lines.COUNTS);
    `timings` is llama.cpp's."""
    found: dict[str, int] = {}
    if usage := object_in(value, "usage"):
        details = object_in(usage, "prompt_tokens_details")
        for ours, theirs in (
            ("prompt_eval_count", "prompt_tokens"),
            ("eval_count", "completion_tokens"),
        ):
            if theirs in usage:
                found[ours] = count_in(usage, theirs)
        if "cached_tokens" in details:
            found["prompt_eval_cached_count"] = count_in(details, "cached_tokens")
    if timings := object_in(value, "timings"):
        times = {
            name: count_in(timings, name) * MILLION
            for name in ("prompt_ms", "predicted_ms")
            if name in timings
        }
        found["prompt_eval_duration"] = times.get("prompt_ms", 0)
        found["total_duration"] = sum(times.values())
    return found


def _strange(what: str) -> ModelError:
    return ModelError(
        f"The server sent something that is not of the OpenAI API: {what[:200]}.",
        "Check the address given by --base-url: is a proxy or another server "
        "answering there?",
    )


DIALECT = Dialect("The server", line_of)
