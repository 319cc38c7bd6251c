"""A double of servers with the OpenAI API, on a real socket: llama.cpp, vLLM, LM Studio
and one that says nothing of itself.

What it answers is scripted as for the double of Ollama, and translated: so whatever
plays a model there plays it here. The shapes of llama.cpp's are held to a real one by
tests/ollama/test_llama_server.py.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.doubles.fake_ollama import Reply, said
from tests.doubles.loopback import LoopbackHandler, LoopbackServer
from tests.doubles.ollama.server import Answer

Kind = Literal["llama.cpp", "vllm", "lmstudio", "bare"]
SSE = "text/event-stream"
WINDOW = 4096
META = {
    "vocab_type": 2,
    "n_vocab": 49152,
    "n_ctx": WINDOW,
    "n_ctx_train": 8192,
    "n_embd": 576,
    "n_params": 134515008,
    "size": 96576768,
    "ftype": "Q4_1",
}


def failure(status: int, message: str, **more: object) -> Reply:
    """An error as such servers say it."""
    error = {"code": status, "message": message, "type": "error", **more}
    return Reply(status, (json.dumps({"error": error}).encode(),), "application/json")


LOADING = failure(503, "Loading model", type="unavailable_error")
TOO_LONG = {
    "llama.cpp": failure(
        400,
        "request (4031 tokens) exceeds the available context size (2048 tokens), "
        "try increasing it",
        type="exceed_context_size_error",
        n_prompt_tokens=4031,
        n_ctx=2048,
    ),
    "vllm": failure(
        400,
        "This model's maximum context length is 2048 tokens. However, you requested "
        "4031 tokens in the messages. Please reduce the length of the messages.",
    ),
    "lmstudio": failure(
        400,
        "The number of tokens to keep from the initial prompt is greater than the "
        "context length",
    ),
    "openai": failure(400, "Too much.", code="context_length_exceeded"),
}


class Handler(LoopbackHandler):
    """One connection."""

    fake: FakeOpenAI

    def do_GET(self) -> None:
        self._note("GET")
        if (refusal := self._refused()) is not None:
            return self._send(refusal)
        self._send(self.fake.get(self.path))

    def do_POST(self) -> None:
        self._note("POST")
        size = int(self.headers.get("Content-Length", "0"))
        data = self.rfile.read(size)
        if (refusal := self._refused()) is not None:
            return self._send(refusal)
        if self.path != "/v1/chat/completions":
            return self._send(failure(404, "File Not Found"))
        try:
            self._stream(self.fake.reply(json.loads(data)))
        except ConnectionError:
            self.fake.gone.set()
            self.close_connection = True

    def _note(self, method: str) -> None:
        self.fake.paths.append(f"{method} {self.path}")
        self.fake.headers.append({k.lower(): v for k, v in self.headers.items()})

    def _refused(self) -> Reply | None:
        if self.fake.redirects_to is not None:
            return Reply(307, (), f"{self.fake.redirects_to}{self.path}")
        if self.fake.key is None:
            return None
        given = self.headers.get("Authorization", "")
        if given == f"Bearer {self.fake.key}":
            return None
        return failure(401, f"Incorrect API key provided: {given[7:]}")

    def _send(self, reply: Reply) -> None:
        data = b"".join(reply.lines)
        self.send_response(reply.status)
        if reply.status == 307:
            self.send_header("Location", reply.content_type)
        else:
            self.send_header("Content-Type", reply.content_type)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, reply: Reply) -> None:
        if reply.content_type != SSE:
            return self._send(reply)
        self._send_stream(reply)


@dataclass
class FakeOpenAI(LoopbackServer):
    """Use as a context manager. Chat calls get `script` in order, then `answer`."""

    handler = Handler
    kind: Kind = "llama.cpp"
    models: list[dict[str, Any]] = field(default_factory=list)
    """Entries of the list; empty = one model `m:1b` as this kind of server has it."""
    window: int = WINDOW
    script: list[Reply] = field(default_factory=list)
    """Replies of Ollama, translated; one whose type is not NDJSON goes as it is."""
    answer: Answer = lambda body: said("fine")
    chats: list[dict[str, Any]] = field(default_factory=list)
    """Bodies of the chat calls that came."""
    headers: list[dict[str, str]] = field(default_factory=list)
    """Of every call."""
    paths: list[str] = field(default_factory=list)
    key: str | None = None
    """What it wants as a bearer token."""
    refuses: tuple[str, ...] = ()
    """Parts of a request that it does not know and says so."""
    with_logprobs: bool = True
    list_script: list[Reply] = field(default_factory=list)
    """What the list of models gets, in order; then the true list."""
    redirects_to: str | None = None
    gone: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        """As --base-url has it."""
        return f"http://127.0.0.1:{self._port}/v1"

    def listed(self) -> list[dict[str, Any]]:
        """The list of models."""
        if self.models:
            return self.models
        own: dict[str, Any] = {"id": "m:1b", "object": "model", "created": 1}
        if self.kind == "llama.cpp":
            own |= {
                "owned_by": "llamacpp",
                "aliases": ["m:1b", "small"],
                "meta": {**META, "n_ctx": self.window},
            }
        elif self.kind == "vllm":
            own |= {
                "owned_by": "vllm",
                "root": "acme/m-1b",
                "max_model_len": self.window,
            }
        return [own]

    def get(self, path: str) -> Reply:
        """The reply to a GET."""
        with self.lock:
            if path == "/v1/models":
                if self.list_script:
                    return self.list_script.pop(0)
                return _json({"object": "list", "data": self.listed()})
        if self.kind == "llama.cpp" and path == "/props":
            settings = {"n_ctx": self.window}
            return _json(
                {"default_generation_settings": settings, "build_info": "b1-7e4c0a9"}
            )
        if self.kind == "vllm" and path == "/version":
            return _json({"version": "0.11.0"})
        if self.kind == "lmstudio" and path == "/api/v0/models":
            own = {
                "id": "m:1b",
                "type": "llm",
                "arch": "tiny",
                "publisher": "acme",
                "quantization": "4bit",
                "state": "loaded",
                "max_context_length": 131072,
                "loaded_context_length": self.window,
            }
            return _json({"data": [own]})
        return failure(404, "File Not Found", type="not_found_error")

    def reply(self, body: dict[str, Any]) -> Reply:
        """The reply to a chat call."""
        self.chats.append(body)
        for part in self.refuses:
            if part in body:
                return failure(400, f"Unsupported parameter: '{part}'")
        with self.lock:
            if self.script:
                found = self.script.pop(0)
            else:
                found = self.answer(as_ollama(body, self.window))
        return self.translated(found)

    def translated(self, reply: Reply) -> Reply:
        """A reply of Ollama as this server says it."""
        if "ndjson" not in reply.content_type:
            if reply.status == 200 or reply.content_type == SSE:
                return reply
            return _error_of(reply)
        events = [e for line in reply.lines for e in _events(line, self.with_logprobs)]
        if reply.lines and not reply.cut and b'"done": true' in reply.lines[-1]:
            events.append(b"data: [DONE]\n\n")
        return Reply(reply.status, tuple(events), SSE, reply.cut, reply.hold)


def as_ollama(body: dict[str, Any], window: int) -> dict[str, Any]:
    """A request as it would have come to Ollama, for what plays a model there."""
    options = {
        "num_ctx": window,
        "num_predict": body.get("max_tokens") or body.get("max_completion_tokens"),
        "temperature": body.get("temperature"),
        "seed": body.get("seed"),
    }
    found = {**body, "options": options, "truncate": False}
    if wanted := body.get("response_format"):
        found["format"] = wanted["json_schema"]["schema"]
    return found


def event(value: object) -> bytes:
    """One event of a stream."""
    return b"data: " + json.dumps(value).encode() + b"\n\n"


def chunk(
    delta: object = None, reason: object = None, **more: object
) -> dict[str, Any]:
    """A chunk of a chat."""
    choice = {"index": 0, "delta": delta or {}, "finish_reason": reason}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m:1b",
        "choices": [{**choice, **more}],
    }


def ending(reason: str = "stop", **counts: object) -> tuple[bytes, ...]:
    """The last events of a stream."""
    usage = {"prompt_tokens": 3000, "completion_tokens": 7, "total_tokens": 3007}
    closing = {**chunk(), "choices": [], "usage": {**usage, **counts}}
    return event(chunk(reason=reason)), event(closing), b"data: [DONE]\n\n"


def _events(data: bytes, with_logprobs: bool) -> Iterator[bytes]:
    try:
        value = json.loads(data)
    except ValueError:
        yield b"data: " + data.strip() + b"\n\n"
        return
    if "error" in value:
        yield event({"error": {"code": 500, "message": value["error"]}})
        return
    message = value.get("message") or {}
    delta = {"content": message.get("content")}
    if thought := message.get("thinking"):
        delta["reasoning_content"] = thought
    logprobs = None
    if (items := value.get("logprobs")) and with_logprobs:
        logprobs = {"content": items}
    if message.get("content") or message.get("thinking"):
        yield event(chunk(delta, logprobs=logprobs))
    if value.get("done"):
        read, cached = value["prompt_eval_count"], value["prompt_eval_cached_count"]
        yield event(chunk(reason=value["done_reason"]))
        usage = {
            "prompt_tokens": read,
            "completion_tokens": value["eval_count"],
            "prompt_tokens_details": {"cached_tokens": cached},
        }
        yield event({**chunk(), "choices": [], "usage": usage})


def _error_of(reply: Reply) -> Reply:
    try:
        text = json.loads(b"".join(reply.lines))["error"]
    except (ValueError, KeyError, TypeError):
        return reply
    if isinstance(text, dict):
        return reply
    with suppress(ValueError):  # llama-server's own JSON inside Ollama's
        return _json(json.loads(text), reply.status)
    return failure(reply.status, text)


def _json(value: object, status: int = 200) -> Reply:
    return Reply(status, (json.dumps(value).encode(),), "application/json")
