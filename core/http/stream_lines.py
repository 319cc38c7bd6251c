"""One line of a chat stream, checked: what is used further on has the types it should.

Whatever answers at the address may send any JSON: nested without end, a number where a
text belongs, half a character, a probability above 1. None of it may reach a journal
or a verdict, nor end more than the one call, and the message says what was wrong.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from claimscope.core.errors import ModelError

COUNTS = tuple(
    """prompt_eval_count prompt_eval_cached_count prompt_eval_duration eval_count
    total_duration load_duration""".split()
)
LARGEST = 2**53
"""Of a count: more tokens or nanoseconds than any call has."""
ROUNDING = 1e-3
"""A log-probability this much above 0 is 0: servers round."""


class NotALine(ValueError):
    """What came has not the types that it should; the text says where."""


@dataclass(frozen=True)
class StreamLine:
    """What a line says."""

    content: str = ""
    thinking: str = ""
    logprobs: tuple[tuple[str, float], ...] = ()
    """Of the first token: (token, log-probability)."""
    is_last: bool = False
    done_reason: str = ""
    counts: dict[str, int] | None = None
    """Tokens and nanoseconds of the closing line, by their names in COUNTS."""
    error: bool = False
    """The server says that something went wrong, in words of its own."""


def line_of(text: str) -> StreamLine:
    """Raises ModelError for what is no line of Ollama's."""
    try:
        return _line(object_of(text))
    except NotALine as error:
        raise ModelError(
            f"The server sent something that is not Ollama's: {error}.",
            "Check the address: is a proxy or another server answering there?",
        ) from error


def _line(value: dict[str, Any]) -> StreamLine:
    if "error" in value:
        return StreamLine(error=True)
    message = object_in(value, "message")
    is_last = value.get("done") is True
    return StreamLine(
        text_in(message, "content"),
        text_in(message, "thinking"),
        first_token(value.get("logprobs")),
        is_last,
        text_in(value, "done_reason") if is_last else "",
        {name: count_in(value, name) for name in COUNTS if name in value}
        if is_last
        else None,
    )


# --- what is in JSON of whatever kind; each raises NotALine ---------------------


def object_of(text: str) -> dict[str, Any]:
    """The object that a text is."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise _strange(f"{text[:80]!r}")
    return value


def object_in(values: dict[str, Any], name: str) -> dict[str, Any]:
    """The object of a field; empty for none."""
    value = values.get(name)
    if not isinstance(value, dict | None):
        raise _strange(f"`{name}` is {_kind(value)}")
    return value or {}


def text_in(values: dict[str, Any], name: str) -> str:
    """The text of a field; empty for none."""
    value = values.get(name)
    if not isinstance(value, str | None):
        raise _strange(f"`{name}` is {_kind(value)}")
    value = value or ""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise _strange(f"`{name}` holds half of a character") from error
    return value


def count_in(values: dict[str, Any], name: str) -> int:
    """A number from 0 on; 0 for null."""
    value = values[name]
    if value is None:
        return 0
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 <= value <= LARGEST:  # NaN is neither
        shown = f"{value:g}" if isinstance(value, float) else _kind(value)
        raise _strange(f"`{name}` is {shown}")
    return int(value)


def first_token(items: object) -> tuple[tuple[str, float], ...]:
    """(token, log-probability) of the first token and its alternatives."""
    if not items:
        return ()
    if not isinstance(items, list) or not isinstance(items[0], dict):
        raise _strange(f"`logprobs` is {_kind(items)} and no list of tokens")
    found = items[0].get("top_logprobs") or [items[0]]
    if not isinstance(found, list):
        raise _strange(f"`top_logprobs` is {_kind(found)}")
    return tuple(map(_chance, found))


def _chance(item: object) -> tuple[str, float]:
    if not isinstance(item, dict) or "token" not in item:
        raise _strange("`logprobs` names no token")
    value = item.get("logprob")
    if (
        not isinstance(value, int | float)
        or isinstance(value, bool)
        or math.isnan(value)
        or value > ROUNDING
    ):
        raise _strange(f"a log-probability is {value!r}, and not 0 or below")
    return text_in(item, "token"), min(float(value), 0.0)


def _kind(value: object) -> str:
    if value is None or isinstance(value, bool):
        return str(value).lower()
    for kind, name in ((str, "a text"), (list, "a list"), (dict, "an object")):
        if isinstance(value, kind):
            return name
    return "a number"


def _strange(what: str) -> NotALine:
    return NotALine(what[:200])
