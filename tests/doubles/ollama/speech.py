"""A model that says little, but counts, stops and remembers as a real one does.

`FakeOllama(answer=speaking())` plays it: its replies depend on the request alone, obey
num_predict and a schema, come with log-probabilities when asked, and read what they
read before from the cache.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Any

from tests.doubles.ollama.models import DEFAULT_CONTEXT
from tests.doubles.ollama.replies import (
    LONGER,
    Reply,
    counts,
    last,
    line,
    logprob,
    no_schema,
    too_long,
)

FRAME = 9
"""Tokens of a template around the messages."""
WORDS = ("Yes", ".", " The", " basin", " is", " eleven", " metres", " deep", ".")
ALTERNATIVES = ("No", " no", "Maybe", " yes", "It", "I", "A", "The", "In", "To")
KINDS = ("object", "array", "string", "integer", "number", "boolean", "null")
TOKEN = re.compile(r"\w+|[^\w\s]")


def tokens(text: str) -> list[str]:
    """The tokens of a text: words and marks."""
    return TOKEN.findall(text)


def speaking() -> Callable[[dict[str, Any]], Reply]:
    """A model with a memory of its last prompt."""
    memory: list[str] = []

    def answer(body: dict[str, Any]) -> Reply:
        schema = body.get("format")
        if isinstance(schema, dict) and schema.get("type", "object") not in KINDS:
            return no_schema(schema)
        read = list(_prompt(body))
        options = body.get("options") or {}
        room = int(options.get("num_ctx", DEFAULT_CONTEXT))
        size = len(read) + FRAME
        if size >= room:
            if body.get("truncate") is False:
                return too_long(size, room)
            if body.get("shift") is False:
                return LONGER
            size = room // 2 + 2  # cut in silence
        pairs = zip(memory, read, strict=False)
        known = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        memory[:] = read
        return _spoken(body, size, min(known, size - 1))

    return answer


def _prompt(body: dict[str, Any]) -> Iterator[str]:
    for message in body["messages"]:
        yield from tokens(str(message["content"]))


def _spoken(body: dict[str, Any], size: int, known: int) -> Reply:
    words = _words(body.get("format"))
    limit = int((body.get("options") or {}).get("num_predict", -1))
    is_cut = 0 <= limit < len(words)
    said = words[:limit] if is_cut else words
    top = int(body.get("top_logprobs") or 0) if body.get("logprobs") else None
    lines = [line(word, **_alternatives(word, top)) for word in said]
    closing = counts(
        done_reason="length" if is_cut else "stop",
        prompt_eval_count=size,
        prompt_eval_cached_count=known,
        prompt_eval_duration=1_000_000 * (size - known),
        eval_count=len(said) + (0 if is_cut else 1),
    )
    return Reply(lines=(*lines, last(**closing)))


def _words(schema: object) -> tuple[str, ...]:
    if not isinstance(schema, dict):
        return WORDS
    text = json.dumps(instance(schema))
    return tuple(text[i : i + 3] for i in range(0, len(text), 3))


def instance(schema: dict[str, Any]) -> Any:
    """The simplest value that a schema of plain types allows."""
    if "enum" in schema:
        return schema["enum"][0]
    if "const" in schema:
        return schema["const"]
    kind = schema.get("type")
    if kind == "object":
        return {
            key: instance(inner) for key, inner in schema.get("properties", {}).items()
        }
    if kind == "array":
        return [instance(schema["items"])] * int(schema.get("minItems", 1))
    plain: dict[object, Any] = {"string": "Eleven metres.", "boolean": True}
    return plain.get(kind, 1)


def _alternatives(token: str, top: int | None) -> dict[str, Any]:
    if top is None:
        return {}
    found = logprob(token, -0.25)
    if top:
        others = [logprob(other, -2.0 - n) for n, other in enumerate(ALTERNATIVES)]
        found["top_logprobs"] = [logprob(token, -0.25), *others][:top]
    return {"logprobs": [found]}
