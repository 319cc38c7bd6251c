"""A small double of Ollama on loopback: true shapes, scripted faults.

It speaks HTTP on a real socket, so that what is tested is the client as it runs. The
shapes are those of Ollama 0.33.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

CREATED = "2026-01-02T03:04:05.000000001Z"
DIGEST = "f" * 64


@dataclass(frozen=True)
class Reply:
    """What one chat call gets."""

    status: int = 200
    lines: tuple[bytes, ...] = ()
    content_type: str = "application/x-ndjson"
    cut: bool = False
    """The connection is closed in the middle."""
    hold: threading.Event | None = None
    """Waited for before the last line is sent (or before the first one, if alone)."""


def line(content: str = "", thinking: str = "", **more: object) -> bytes:
    """One line of a stream."""
    message: dict[str, object] = {"role": "assistant", "content": content}
    if thinking:
        message["thinking"] = thinking
    chunk = {"model": "m", "created_at": CREATED, "message": message, "done": False}
    return json.dumps({**chunk, **more}).encode() + b"\n"


def last(**more: object) -> bytes:
    """The closing line with its counts."""
    counts: dict[str, Any] = {
        "done": True,
        "done_reason": "stop",
        "total_duration": 2_000_000_000,
        "prompt_eval_count": 3000,
        "prompt_eval_cached_count": 0,
        "eval_count": 7,
    }
    return line(**{**counts, **more})


def said(content: str, thinking: str = "", **more: object) -> Reply:
    """A whole reply, in pieces of a few characters as servers send them."""
    pieces = [content[i : i + 5] for i in range(0, len(content), 5)]
    thoughts = [line(thinking=thinking)] if thinking else []
    return Reply(lines=(*thoughts, *map(line, pieces), last(**more)))


def chose(options: dict[str, float]) -> Reply:
    """A one-token reply with the log-probabilities of its alternatives."""
    top = [{"token": token, "logprob": p} for token, p in options.items()]
    first = {**top[0], "top_logprobs": top}
    closing = last(done_reason="length", eval_count=1)
    return Reply(lines=(line(str(first["token"]), logprobs=[first]), closing))


def failed(status: int, text: str) -> Reply:
    """An error before the first byte."""
    body = json.dumps({"error": text}).encode()
    return Reply(status, (body,), "application/json; charset=utf-8")


def broke_off(text: str) -> Reply:
    """An error after the stream began: status 200 and a last line."""
    return Reply(lines=(line("Hel"), json.dumps({"error": text}).encode() + b"\n"))


def html(status: int) -> Reply:
    """What a proxy answers."""
    page = b"<html><head><style>p{}</style></head><body><h1>Bad gateway</h1></body>"
    return Reply(status, (page,), "text/html")


TOO_LONG = failed(
    400,
    json.dumps(
        {
            "error": {
                "code": 400,
                "message": "request (9020 tokens) exceeds the available context size "
                "(2048 tokens), try increasing it",
                "type": "exceed_context_size_error",
                "n_prompt_tokens": 9020,
                "n_ctx": 2048,
            }
        }
    ),
)
BUSY = failed(503, "server busy, please try again.  maximum pending requests exceeded")


def model(**changes: object) -> dict[str, Any]:
    """What /api/show says of a model."""
    shown: dict[str, Any] = {
        "details": {"family": "tiny", "parameter_size": "1B"},
        "model_info": {"general.architecture": "tiny", "tiny.context_length": 8192},
        "capabilities": ["completion"],
    }
    return {**shown, **changes}


@dataclass
class FakeOllama:
    """Use as a context manager. Chat calls get `script` in order, then `answer`."""

    models: dict[str, dict[str, Any]] = field(default_factory=lambda: {"m:1b": model()})
    script: list[Reply] = field(default_factory=list)
    answer: Callable[[dict[str, Any]], Reply] = lambda body: said("fine")
    chats: list[dict[str, Any]] = field(default_factory=list)
    """Bodies of the chat calls that came."""
    gone: threading.Event = field(default_factory=threading.Event)
    """Set when a client left before its reply was whole."""

    def __enter__(self) -> Self:
        owner = self

        class Bound(_Handler):
            @property
            def fake(self) -> FakeOllama:
                return owner

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Bound)
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}
        )
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def host(self) -> str:
        """host:port, as OLLAMA_HOST has it."""
        return f"127.0.0.1:{self._server.server_port}"

    def reply(self, body: dict[str, Any]) -> Reply:
        """The reply to a chat call."""
        self.chats.append(body)
        if body["model"] not in self.models:
            return failed(404, f"model '{body['model']}' not found")
        return self.script.pop(0) if self.script else self.answer(body)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def fake(self) -> FakeOllama:
        """The double this handler works for."""
        raise NotImplementedError

    def log_message(self, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        listed = [
            {
                "name": name,
                "model": name,
                "modified_at": CREATED,
                "size": 1000,
                "digest": DIGEST,
                "details": shown["details"],
            }
            for name, shown in self.fake.models.items()
        ]
        pages: dict[str, object] = {
            "/api/version": {"version": "0.33.3"},
            "/api/tags": {"models": listed},
            "/api/ps": {"models": [{**m, "context_length": 4096} for m in listed[:1]]},
        }
        self._json(200 if self.path in pages else 404, pages.get(self.path, {}))

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length", "0"))
        body = json.loads(self.rfile.read(size))
        if self.path == "/api/chat":
            try:
                self._stream(self.fake.reply(body))
            except (BrokenPipeError, ConnectionResetError):
                self.fake.gone.set()
        elif self.path == "/api/show" and body["model"] in self.fake.models:
            self._json(200, self.fake.models[body["model"]])
        else:
            self._json(404, {"error": f"model '{body.get('model')}' not found"})

    def _json(self, status: int, value: object) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, reply: Reply) -> None:
        if reply.hold is not None and len(reply.lines) < 2:
            self._wait(reply.hold)
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.content_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, data in enumerate(reply.lines):
            if reply.hold is not None and 0 < number == len(reply.lines) - 1:
                self._wait(reply.hold)
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        if reply.cut:
            self.close_connection = True
            return
        self.wfile.write(b"0\r\n\r\n")

    def _wait(self, hold: threading.Event) -> None:
        """Until released, or the client is gone."""
        self.connection.settimeout(0.02)
        for _ in range(1500):
            if hold.is_set():
                break
            with suppress(TimeoutError):
                if self.connection.recv(1) == b"":
                    raise BrokenPipeError
        self.connection.settimeout(None)


def contents(chats: Sequence[dict[str, Any]]) -> list[str]:
    """The last message of each chat call."""
    return [chat["messages"][-1]["content"] for chat in chats]
