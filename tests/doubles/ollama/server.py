"""The double as a server on loopback: a real socket, so that the client runs as it is.

What a call gets is scripted by the test; what every Ollama checks before its model is
asked (body, model, options, Host header) is checked here too, and what it remembers
(which model is loaded, with which context) it remembers.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.doubles.loopback import LoopbackServer
from tests.doubles.ollama.handler import POSTS, Handler
from tests.doubles.ollama.models import (
    DEFAULT_CONTEXT,
    DIGEST,
    Loaded,
    info,
    listed,
    model,
    running,
    vector,
)
from tests.doubles.ollama.replies import (
    INPUT_TOO_LONG,
    NAN,
    NO_EMBEDDINGS,
    NOT_ALLOWED,
    NOT_FOUND,
    USUAL_LOAD,
    Reply,
    as_json,
    as_line,
    embedded,
    page,
    pull_failed,
    pulling,
    said,
    state,
)
from tests.doubles.ollama.speech import tokens

VERSION = "0.33.3"
Answer = Callable[[dict[str, Any]], Reply]


@dataclass
class FakeOllama(LoopbackServer):
    """Use as a context manager. Chat calls get `script` in order, then `answer`."""

    handler = Handler
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
    poison: str | None = None
    """A text that holds it makes a vector of no numbers."""
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
    redirects_to: str | None = None
    """Sends every call on to this address, with status 307, instead of an answer."""
    paths: list[str] = field(default_factory=list)
    """Every call, as `GET /api/version`, in the order it came."""
    most_at_once: int = 0
    """Chat calls that were open at once, at most."""
    _open: int = 0

    def stop(self) -> None:
        """As a killed server; it has no model in memory then."""
        super().stop()
        with self.lock:
            self.loaded.clear()

    def digest(self, name: str) -> str:
        """The digest of a model as it is now."""
        return self.digests.get(name, DIGEST)

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Counts a chat call as open."""
        with self.lock:
            self._open += 1
            self.most_at_once = max(self.most_at_once, self._open)
        try:
            yield
        finally:
            with self.lock:
                self._open -= 1

    def known(self, name: object) -> str | None:
        """The full name of a model that is here."""
        full = name if ":" in str(name) else f"{name}:latest"
        return str(full) if full in self.models else None

    def get(self, path: str) -> Reply:
        """The reply to a GET."""
        with self.lock:
            if path == "/":
                return page("Ollama is running")
            if path == "/api/version":
                return as_json({"version": VERSION})
            if path == "/api/tags":
                if self.tags_script:
                    return self.tags_script.pop(0)
                found = [listed(n, m, self.digest(n)) for n, m in self.models.items()]
                return as_json({"models": found})
            if path == "/api/ps":
                found = [
                    running(n, self.models[n], self.digest(n), one)
                    for n, one in reversed(self.loaded.items())
                    if n in self.models
                ]
                return as_json({"models": found})
        return NOT_ALLOWED if path in POSTS else NOT_FOUND

    def reply(self, body: dict[str, Any]) -> Reply:
        """The reply to a chat call."""
        self.chats.append(body)
        with self.lock:
            return self.script.pop(0) if self.script else self.answer(body)

    def needs_load(self, name: str, body: dict[str, Any], *, embeds: bool) -> Loaded:
        """What the call needs in memory."""
        asked = int((body.get("options") or {}).get("num_ctx", DEFAULT_CONTEXT))
        limit = info(self.models[name], "context_length") or asked
        given = min(asked, limit) if self.granted is None else self.granted
        return Loaded(given, asked, body.get("shift") is not False, embeds)

    def load(self, name: str, needed: Loaded) -> int:
        """Notes a model as loaded; nanoseconds it took."""
        with self.lock:
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
        with self.lock:
            if self.embed_script:
                return self.embed_script.pop(0)
        shown = self.models[name]
        if "embedding" not in (shown.get("capabilities") or []):
            return NO_EMBEDDINGS
        given = body.get("input", [])
        texts = [given] if isinstance(given, str) else list(given)
        if self.poison is not None and any(self.poison in text for text in texts):
            return NAN
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
        with self.lock:
            if self.pull_script:
                return self.pull_script.pop(0)
            if full not in self.registry:
                return pull_failed("pull model manifest: file does not exist")
            self.models[full] = self.registry[full]
        return Reply(lines=pulling())


def _as_response(data: bytes) -> bytes:
    """A line of a chat as /api/generate says it."""
    value = json.loads(data)
    if "message" not in value:
        return data
    value["response"] = value.pop("message")["content"]
    if value["done"]:
        value["context"] = [1, 2, 3]
    return as_line(value)
