"""What a server sends: lines of a stream, errors, and pages that are not Ollama's.

Keys, types and texts are those of Ollama 0.33, held to a real one by
tests/ollama/test_contract.py.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

CREATED = "2026-01-02T03:04:05.000000001Z"
NDJSON = "application/x-ndjson"
JSON = "application/json; charset=utf-8"
USUAL_LOAD = 1_500_000
"""Nanoseconds that a call spends on a model that is already loaded."""


@dataclass(frozen=True)
class Reply:
    """What one call gets."""

    status: int = 200
    lines: tuple[bytes, ...] = ()
    content_type: str = NDJSON
    cut: bool = False
    """The connection is closed in the middle."""
    hold: threading.Event | None = None
    """Waited for before the last line is sent (or before the first one, if alone)."""


def as_line(value: object) -> bytes:
    """One line of a stream."""
    return json.dumps(value).encode() + b"\n"


def as_json(value: object) -> Reply:
    """A whole object."""
    return Reply(200, (json.dumps(value).encode(),), JSON)


def line(content: str = "", thinking: str = "", **more: object) -> bytes:
    """One line of a chat."""
    message: dict[str, object] = {"role": "assistant", "content": content}
    if thinking:
        message["thinking"] = thinking
    chunk = {"model": "m", "created_at": CREATED, "message": message, "done": False}
    return as_line({**chunk, **more})


def counts(**more: object) -> dict[str, Any]:
    """What a closing line has besides: durations in nanoseconds, tokens."""
    usual: dict[str, Any] = {
        "done": True,
        "done_reason": "stop",
        "total_duration": 2_000_000_000,
        "load_duration": USUAL_LOAD,
        "prompt_eval_count": 3000,
        "prompt_eval_cached_count": 0,
        "prompt_eval_duration": 1_400_000_000,
        "eval_count": 7,
        "eval_duration": 500_000_000,
    }
    return {**usual, **more}


def last(**more: object) -> bytes:
    """The closing line of a chat with its counts."""
    return line(**counts(**more))


def said(content: str, thinking: str = "", **more: object) -> Reply:
    """A whole reply, in pieces of a few characters as servers send them."""
    pieces = [content[i : i + 5] for i in range(0, len(content), 5)]
    thoughts = [line(thinking=thinking)] if thinking else []
    return Reply(lines=(*thoughts, *map(line, pieces), last(**more)))


def logprob(token: str, value: float) -> dict[str, Any]:
    """An alternative of a token."""
    return {"token": token, "logprob": value, "bytes": list(token.encode())}


def chose(options: dict[str, float], **more: object) -> Reply:
    """A one-token reply with the log-probabilities of its alternatives."""
    top = [logprob(token, value) for token, value in options.items()]
    first = {**top[0], "top_logprobs": top}
    closing = last(**{"done_reason": "length", "eval_count": 1, **more})
    return Reply(lines=(line(str(first["token"]), logprobs=[first]), closing))


def failed(status: int, text: str) -> Reply:
    """An error before the first byte."""
    body = json.dumps({"error": text}, separators=(",", ":")).encode()
    return Reply(status, (body,), JSON)


def broke_off(text: str) -> Reply:
    """An error after the stream began: status 200 and a last line."""
    return Reply(lines=(line("Hel"), as_line({"error": text})))


def html(status: int) -> Reply:
    """What a proxy answers."""
    page = b"<html><head><style>p{}</style></head><body><h1>Bad gateway</h1></body>"
    return Reply(status, (page,), "text/html")


def page(text: str, status: int = 200) -> Reply:
    """A page of plain text."""
    return Reply(status, (text.encode(),), "text/plain; charset=utf-8")


def too_long(tokens: int, room: int) -> Reply:
    """A prompt refused: llama-server's JSON inside the text of Ollama's."""
    message = (
        f"request ({tokens} tokens) exceeds the available context size "
        f"({room} tokens), try increasing it"
    )
    error = {
        "code": 400,
        "message": message,
        "type": "exceed_context_size_error",
        "n_prompt_tokens": tokens,
        "n_ctx": room,
    }
    return failed(400, json.dumps({"error": error}, separators=(",", ":")))


def no_schema(schema: dict[str, Any]) -> Reply:
    """A schema that cannot be made a grammar."""
    told = json.dumps(schema, separators=(",", ":"))
    message = (
        "Field 'json_schema': \"json_schema\": JSON schema conversion failed:\n"
        f"Unrecognized schema: {told}"
    )
    error = {"code": 400, "message": message, "type": "invalid_request_error"}
    return failed(400, json.dumps({"error": error}, separators=(",", ":")))


TOO_LONG = too_long(9020, 2048)
LONGER = failed(
    400,
    "the prompt is longer than the context length currently available to the model; "
    "shorten the prompt, adjust the context length in settings, or use a model with a "
    "longer context length",
)
"""The same of a prompt that may be cut by messages, but not shifted."""
INPUT_TOO_LONG = failed(400, "the input length exceeds the context length")
"""Of /api/embed."""
BUSY = failed(503, "server busy, please try again.  maximum pending requests exceeded")
NO_BODY = failed(400, "missing request body")
NO_EMBEDDINGS = failed(
    501, "This server does not support embeddings. Start it with `--embeddings`"
)
NAN = failed(500, "failed to encode response: json: unsupported value: NaN")
"""What becomes of a vector that holds no number: JSON has no word for it."""
FORBIDDEN = Reply(403, (), "")
"""A Host header of elsewhere: no body at all."""
NOT_FOUND = Reply(404, (b"404 page not found",), "text/plain")
NOT_ALLOWED = Reply(405, (b"405 method not allowed",), "text/plain")


def missing(name: object) -> Reply:
    """No such model, as chat, generate and show say it."""
    return failed(404, f"model '{name}' not found")


def missing_try(name: object) -> Reply:
    """No such model, as embed and the scheduler say it."""
    return failed(404, f'model "{name}" not found, try pulling it first')


def state(reason: str, is_chat: bool, name: str = "m") -> Reply:
    """The answer to a call that only loads or unloads."""
    said: dict[str, object] = {"response": ""}
    if is_chat:
        said = {"message": {"role": "assistant", "content": ""}}
    value = {"model": name, "created_at": CREATED, **said}
    body = json.dumps({**value, "done": True, "done_reason": reason}).encode()
    return Reply(200, (body,), JSON)


def embedded(vectors: Sequence[Sequence[float]], **more: object) -> Reply:
    """Vectors; a number may be NaN, which some servers send as such."""
    value = {
        "model": "m",
        "embeddings": vectors,
        "total_duration": 90_000_000,
        "load_duration": USUAL_LOAD,
        "prompt_eval_count": 8 * len(vectors),
    }
    return Reply(200, (json.dumps({**value, **more}).encode(),), JSON)


LAYERS = {"sha256:" + "a" * 64: 4000, "sha256:" + "b" * 64: 300}
"""Digests and sizes in bytes of what is pulled."""


def pulling(*, done: bool = True) -> tuple[bytes, ...]:
    """Lines of a pull: layers come at once, mixed; `completed` is left out while it
    is 0. Without `done` the last line is missing, as when it did not succeed."""
    lines: list[dict[str, object]] = [{"status": "pulling manifest"}]
    for quarter in range(5):
        for layer, total in LAYERS.items():
            step: dict[str, object] = {
                "status": f"pulling {layer.removeprefix('sha256:')[:12]}",
                "digest": layer,
                "total": total,
            }
            if quarter:
                step["completed"] = total * quarter // 4
            lines.append(step)
    lines += [{"status": "verifying sha256 digest"}, {"status": "writing manifest"}]
    if done:
        lines.append({"status": "success"})
    return tuple(map(as_line, lines))


def pull_failed(text: str) -> Reply:
    """A pull that could not begin: the error comes as a line, with status 200."""
    start = as_line({"status": "pulling manifest"})
    return Reply(lines=(start, as_line({"error": text})))
