"""One connection of the double: what is checked before a model is asked, and sending.

What is said is decided in server.py.
"""

from __future__ import annotations

import json
from contextlib import suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tests.doubles.loopback import LoopbackHandler
from tests.doubles.ollama.replies import (
    FORBIDDEN,
    NO_BODY,
    NOT_FOUND,
    USUAL_LOAD,
    Reply,
    as_json,
    as_line,
    failed,
    missing,
    missing_try,
    state,
)

if TYPE_CHECKING:
    from tests.doubles.ollama.server import FakeOllama

LOCAL = (".localhost", ".local", ".internal")
"""Names that a server on loopback takes for its own, beside addresses."""
POSTS = ("/api/chat", "/api/generate", "/api/show", "/api/embed", "/api/pull")


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


class Handler(LoopbackHandler):
    """One connection."""

    fake: FakeOllama

    def do_GET(self) -> None:
        self.fake.paths.append(f"GET {self.path}")
        if self.fake.redirects_to is not None:
            return self._redirect(self.fake.redirects_to)
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
        if self.fake.redirects_to is not None:
            return self._redirect(self.fake.redirects_to)
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
            return self._send(as_json(self.fake.models[name]))
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

    def _redirect(self, address: str) -> None:
        self.send_response(307)
        self.send_header("Location", f"{address}{self.path}")
        self.send_header("Content-Length", "0")
        self.end_headers()

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
        self._send_stream(reply)


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
    return as_json(found)
