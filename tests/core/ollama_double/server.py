"""The double as a server on loopback: a real socket, so that the client runs as it is.

What a call gets is scripted by the test; what every Ollama checks before its model is
asked (body, model, options, Host header) is checked here too, and what it remembers
(which model is loaded, with which context) it remembers.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from typing import Any, Self
from urllib.parse import urlsplit

from tests.core.ollama_double.models import (
    DEFAULT_CONTEXT,
    DIGEST,
    Loaded,
    info,
    listed,
    model,
    running,
    vector,
)
from tests.core.ollama_double.replies import (
    FORBIDDEN,
    INPUT_TOO_LONG,
    JSON,
    NO_BODY,
    NO_EMBEDDINGS,
    NOT_ALLOWED,
    NOT_FOUND,
    USUAL_LOAD,
    Reply,
    as_line,
    embedded,
    failed,
    missing,
    missing_try,
    page,
    pull_failed,
    pulling,
    said,
    state,
)
from tests.core.ollama_double.speech import tokens

VERSION = "0.33.3"
LOCAL = (".localhost", ".local", ".internal")
"""Names that a server on loopback takes for its own, beside addresses."""
Answer = Callable[[dict[str, Any]], Reply]


@dataclass
class FakeOllama:
    """Use as a context manager. Chat calls get `script` in order, then `answer`."""

    models: dict[str, dict[str, Any]] = field(default_factory=lambda: {"m:1b": model()})
    """What /api/show says, by name."""
    script: list[Reply] = field(default_factory=list)
    answer: Answer = lambda body: said("fine")
    chats: list[dict[str, Any]] = field(default_factory=list)
    """Bodies of the chat calls that came."""
    gone: threading.Event = field(default_factory=threading.Event)
    """Set when a client left before its reply was whole."""
    digests: dict[str, str] = field(default_factory=dict)
    """By name, where it is not DIGEST."""
    loaded: dict[str, Loaded] = field(default_factory=dict)
    """Models in memory, the last used last."""
    loads: list[tuple[str, int]] = field(default_factory=list)
    """(name, num_ctx) of each load: a second one of the same model is a reload."""
    loading: threading.Event | None = None
    """A load waits for it; nothing is sent meanwhile."""
    load_begun: threading.Event = field(default_factory=threading.Event)
    """Set when a call waits for a load."""
    granted: int | None = None
    """The context that calls are given whatever they ask for."""
    embed_script: list[Reply] = field(default_factory=list)
    """What embed calls get, in order; then true vectors."""
    embeds: list[dict[str, Any]] = field(default_factory=list)
    generates: list[dict[str, Any]] = field(default_factory=list)
    registry: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Models that can be pulled, by name."""
    pull_script: list[Reply] = field(default_factory=list)
    """What pull calls get, in order; then what the registry has."""
    pulls: list[dict[str, Any]] = field(default_factory=list)
    tags_script: list[Reply] = field(default_factory=list)
    """What /api/tags gets, in order; then the true list."""
    refuses_hosts: bool = False
    """Takes every Host header for a foreign one, as behind a tunnel."""
    paths: list[str] = field(default_factory=list)
    """Every call, as `GET /api/version`, in the order it came."""
    most_at_once: int = 0
    """Chat calls that were open at once, at most."""
    _open: int = 0
    _port: int = 0
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _connections: set[socket.socket] = field(default_factory=set)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Listens, after a `stop` at the same port again."""
        owner = self

        class Bound(Handler):
            @property
            def fake(self) -> FakeOllama:
                return owner

        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), Bound)
        self._server.daemon_threads = True
        self._port = self._server.server_port
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}
        )
        self._thread.start()

    def stop(self) -> None:
        """Ends as a killed server does: no new connection, the open ones cut."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        with self._lock:
            for connection in self._connections:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            self._connections.clear()
            self.loaded.clear()

    @property
    def host(self) -> str:
        """host:port, as OLLAMA_HOST has it."""
        return f"127.0.0.1:{self._port}"

    def digest(self, name: str) -> str:
        """The digest of a model as it is now."""
        return self.digests.get(name, DIGEST)

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Counts a chat call as open."""
        with self._lock:
            self._open += 1
            self.most_at_once = max(self.most_at_once, self._open)
        try:
            yield
        finally:
            with self._lock:
                self._open -= 1

    def known(self, name: object) -> str | None:
        """The full name of a model that is here."""
        full = name if ":" in str(name) else f"{name}:latest"
        return str(full) if full in self.models else None

    def get(self, path: str) -> Reply:
        """The reply to a GET."""
        with self._lock:
            if path == "/":
                return page("Ollama is running")
            if path == "/api/version":
                return _json({"version": VERSION})
            if path == "/api/tags":
                if self.tags_script:
                    return self.tags_script.pop(0)
                found = [listed(n, m, self.digest(n)) for n, m in self.models.items()]
                return _json({"models": found})
            if path == "/api/ps":
                found = [
                    running(n, self.models[n], self.digest(n), one)
                    for n, one in reversed(self.loaded.items())
                    if n in self.models
                ]
                return _json({"models": found})
        return NOT_ALLOWED if path in POSTS else NOT_FOUND

    def reply(self, body: dict[str, Any]) -> Reply:
        """The reply to a chat call."""
        self.chats.append(body)
        with self._lock:
            return self.script.pop(0) if self.script else self.answer(body)

    def needs_load(self, name: str, body: dict[str, Any], *, embeds: bool) -> Loaded:
        """What the call needs in memory."""
        asked = int((body.get("options") or {}).get("num_ctx", DEFAULT_CONTEXT))
        limit = info(self.models[name], "context_length") or asked
        given = min(asked, limit) if self.granted is None else self.granted
        return Loaded(given, asked, body.get("shift") is not False, embeds)

    def load(self, name: str, needed: Loaded) -> int:
        """Notes a model as loaded; nanoseconds it took."""
        with self._lock:
            is_new = self.loaded.pop(name, None) != needed
            self.loaded[name] = needed
            if is_new:
                self.loads.append((name, needed.asked))
        return 5_000_000_000 if is_new else USUAL_LOAD

    def generate(self, name: str, body: dict[str, Any]) -> Reply:
        """The reply to a call that loads, unloads or completes."""
        self.generates.append(body)
        if not body.get("prompt"):
            return state("load", False, name)
        chat = {**body, "messages": [{"role": "user", "content": body["prompt"]}]}
        found = self.answer(chat)
        lines = tuple(map(_as_response, found.lines))
        return Reply(found.status, lines, found.content_type, found.cut, found.hold)

    def embed(self, name: str, body: dict[str, Any]) -> Reply:
        """The reply to an embed call."""
        self.embeds.append(body)
        with self._lock:
            if self.embed_script:
                return self.embed_script.pop(0)
        shown = self.models[name]
        if "embedding" not in (shown.get("capabilities") or []):
            return NO_EMBEDDINGS
        given = body.get("input", [])
        texts = [given] if isinstance(given, str) else list(given)
        room = info(shown, "context_length") or DEFAULT_CONTEXT
        if body.get("truncate") is False and any(len(tokens(t)) > room for t in texts):
            return INPUT_TOO_LONG
        size = body.get("dimensions") or info(shown, "embedding_length") or 16
        counted = sum(len(tokens(text)) for text in texts)
        return embedded(
            [vector(text, int(size)) for text in texts],
            model=name,
            prompt_eval_count=counted,
        )

    def pull(self, body: dict[str, Any]) -> Reply:
        """The reply to a pull; a model that was pulled is here from then on."""
        self.pulls.append(body)
        name = str(body.get("model") or body.get("name"))
        full = name if ":" in name else f"{name}:latest"
        with self._lock:
            if self.pull_script:
                return self.pull_script.pop(0)
            if full not in self.registry:
                return pull_failed("pull model manifest: file does not exist")
            self.models[full] = self.registry[full]
        return Reply(lines=pulling())


def _json(value: object) -> Reply:
    return Reply(200, (json.dumps(value).encode(),), JSON)


def _as_response(data: bytes) -> bytes:
    """A line of a chat as /api/generate says it."""
    value = json.loads(data)
    if "message" not in value:
        return data
    value["response"] = value.pop("message")["content"]
    if value["done"]:
        value["context"] = [1, 2, 3]
    return as_line(value)


def refused(fake: FakeOllama, body: dict[str, Any], name: str) -> Reply | None:
    """What is checked before a model is loaded; None when there is nothing."""
    top = body.get("top_logprobs") or 0
    if not 0 <= top <= 20:
        return failed(400, "top_logprobs must be between 0 and 20")
    able = fake.models[name].get("capabilities") or []
    if "completion" not in able and able:
        return failed(400, f'"{name}" does not support chat')
    if body.get("think") and "thinking" not in able:
        return failed(400, f'"{name}" does not support thinking')
    for option, value in (body.get("options") or {}).items():
        if option in ("num_ctx", "num_predict", "seed") and not isinstance(value, int):
            return failed(500, f'option "{option}" must be of type integer')
    return None


def is_local(host: str) -> bool:
    """Is the Host header one that a server on loopback answers to?"""
    name = urlsplit(f"//{host}").hostname or ""
    with suppress(ValueError):
        ip_address(name)
        return True
    return name in ("", "localhost") or name.endswith(LOCAL)


POSTS = ("/api/chat", "/api/generate", "/api/show", "/api/embed", "/api/pull")


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"

    @property
    def fake(self) -> FakeOllama:
        """The double this handler works for."""
        raise NotImplementedError

    def setup(self) -> None:
        super().setup()
        with self.fake._lock:
            self.fake._connections.add(self.connection)

    def finish(self) -> None:
        with self.fake._lock:
            self.fake._connections.discard(self.connection)
        with suppress(OSError):
            super().finish()

    def handle(self) -> None:
        # A client that left while its reply was sent is noted, never printed.
        with suppress(ConnectionError, ValueError):
            super().handle()

    def log_message(self, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        self.fake.paths.append(f"GET {self.path}")
        self._send(self.fake.get(self.path) if self._is_local() else FORBIDDEN)

    def do_POST(self) -> None:
        self.fake.paths.append(f"POST {self.path}")
        size = int(self.headers.get("Content-Length", "0"))
        data = self.rfile.read(size)
        try:
            self._post(data)
        except ConnectionError:
            self.fake.gone.set()
            self.close_connection = True

    def _post(self, data: bytes) -> None:
        if not self._is_local():
            return self._send(FORBIDDEN)
        if self.path not in POSTS:
            return self._send(NOT_FOUND)
        if not data:
            return self._send(NO_BODY)
        try:
            body = json.loads(data)
        except ValueError:
            return self._send(failed(400, "unexpected EOF"))
        if self.path == "/api/pull":
            return self._stream(self.fake.pull(body), body)
        name = self.fake.known(body.get("model"))
        if name is None:
            if self.path == "/api/chat":
                self.fake.chats.append(body)
            return self._send(self._missing(body.get("model")))
        if self.path == "/api/show":
            return self._send(_json(self.fake.models[name]))
        self._run(name, body)

    def _missing(self, name: object) -> Reply:
        return missing_try(name) if self.path == "/api/embed" else missing(name)

    def _run(self, name: str, body: dict[str, Any]) -> None:
        """Calls that need the model in memory."""
        fake, embeds = self.fake, self.path == "/api/embed"
        if not embeds and (problem := refused(fake, body, name)):
            return self._send(problem)
        is_chat = self.path == "/api/chat"
        is_empty = not body.get("messages" if is_chat else "prompt") and not embeds
        if is_empty and body.get("keep_alive") == 0:
            fake.loaded.pop(name, None)
            fake.generates.append(body)
            return self._send(state("unload", is_chat, name))
        needed = fake.needs_load(name, body, embeds=embeds)
        if fake.loading is not None and fake.loaded.get(name) != needed:
            fake.load_begun.set()
            self._wait(fake.loading)
        took = fake.load(name, needed)
        if embeds:
            return self._send(fake.embed(name, body))
        if is_chat and is_empty:
            return self._send(state("load", True, name))
        if not is_chat:
            return self._stream(_timed(fake.generate(name, body), name, took), body)
        with fake.counted():
            self._stream(_timed(fake.reply(body), name, took), body)

    def _is_local(self) -> bool:
        return not self.fake.refuses_hosts and is_local(self.headers.get("Host", ""))

    def _send(self, reply: Reply) -> None:
        """A reply at once, with its length."""
        data = b"".join(reply.lines)
        self.send_response(reply.status)
        if reply.content_type:
            self.send_header("Content-Type", reply.content_type)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, reply: Reply, body: dict[str, Any]) -> None:
        if body.get("stream") is False and reply.hold is None and not reply.cut:
            return self._send(whole(reply))
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


def _timed(reply: Reply, name: str, load: int) -> Reply:
    """The reply with the model's name and the time its load took in its lines."""
    if (
        reply.status != 200
        or not reply.lines
        or not reply.content_type.endswith("json")
    ):
        return reply
    lines = []
    for data in reply.lines:
        try:
            value = json.loads(data)
        except ValueError:
            return reply
        if isinstance(value, dict) and "model" in value:
            value["model"] = name
            if value.get("load_duration") == USUAL_LOAD:
                value["load_duration"] = load
            data = as_line(value)
        lines.append(data)
    return Reply(200, tuple(lines), reply.content_type, reply.cut, reply.hold)


def whole(reply: Reply) -> Reply:
    """A stream as one object, as it comes with `stream: false`."""
    values = [json.loads(data) for data in reply.lines]
    if reply.status != 200 or not values:
        return reply
    if "error" in values[-1]:
        return failed(500, values[-1]["error"])
    found = dict(values[-1])
    if "response" in found:
        found["response"] = "".join(value.get("response", "") for value in values)
    if "message" in found:
        parts = [value["message"] for value in values]
        content = "".join(part["content"] for part in parts)
        found["message"] = {"role": "assistant", "content": content}
        if thoughts := "".join(part.get("thinking", "") for part in parts):
            found["message"]["thinking"] = thoughts
    if items := [item for value in values for item in value.get("logprobs", [])]:
        found["logprobs"] = items
    return _json(found)
