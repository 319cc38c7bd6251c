"""Vectors from an embedding model that Ollama has.

Servers cut long texts in silence unless forbidden, answer chat models with an error
after loading them anew, and may give vectors that hold no numbers. Long texts are
taken in pieces here, and a vector that cannot be searched with is an error.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from claimscope.core.backends.hosted.failures import runs_elsewhere
from claimscope.core.backends.hosted.model_list import (
    InstalledModel,
    ModelCard,
    card_of,
    entries,
    full_name,
    installed_of,
)
from claimscope.core.backends.hosted.timeouts import (
    CONNECT_SECONDS,
    LIST_SECONDS,
    CallLimits,
)
from claimscope.core.backends.ollama import failures
from claimscope.core.backends.ollama.address import server_hosts, server_url
from claimscope.core.backends.ollama.server import KEEP_ALIVE, STRANGE, plain_headers
from claimscope.core.backends.text_windows import mean_vectors
from claimscope.core.errors import (
    ClaimscopeError,
    ConnectionLost,
    EmbeddingError,
    ModelError,
    PromptTooLong,
    ServerBusy,
    ServerDown,
)
from claimscope.core.http import redirects, reply_limits
from claimscope.core.ports import Floats
from claimscope.core.run.meters import meters

PREFIX = "ollama:"
"""How the setting `embedding_model` names a model of Ollama."""
BATCH = 32
LEAST = 16
"""Characters of a piece that is not cut further: every model holds as many."""
REMEDY = (
    'Name an embedding model, e.g. `embedding_model = "ollama:nomic-embed-text"` '
    "after `ollama pull nomic-embed-text`, or leave the setting at `default`."
)


class OllamaEmbedder:
    """An Embedder behind Ollama; connects at first use, safe for threads."""

    def __init__(
        self,
        name: str,
        host: str | None = None,
        *,
        limits: CallLimits | None = None,
        offline: bool = True,
    ) -> None:
        """`host`: any form of OLLAMA_HOST; of several with commas, the first, since
        vectors of one index come from one place."""
        self.name = name
        self.url = server_url(server_hosts(host)[0])
        self._limits = limits or CallLimits()
        self._offline = offline
        self._lock = threading.Lock()

    @property
    def model_id(self) -> str:
        """`ollama:NAME@DIGEST`, with 12 digits. Raises EmbeddingError."""
        return f"{PREFIX}{self.name}@{self._found[0].digest[:12]}"

    @cached_property
    def dimensions(self) -> int:
        """Raises EmbeddingError."""
        known = self._found[1].embedding_dimensions
        return known or int(self._vectors([("a", "text 1 of 1")]).shape[1])

    def embed(self, texts: Sequence[str]) -> Floats:
        """Vectors, shape (len(texts), dimensions). Equal texts are computed once."""
        rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        if not rows:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        first = {text: len(texts) - 1 - i for i, text in enumerate(reversed(texts))}
        named = [(text, f"text {first[text] + 1} of {len(texts)}") for text in rows]
        vectors = np.concatenate(
            [self._batch(named[i : i + BATCH]) for i in range(0, len(named), BATCH)]
        )
        return vectors[[rows[text] for text in texts]]

    def close(self) -> None:
        """Closes the connections; harmless when there are none."""
        for name in ("_client", "_session"):
            if name in self.__dict__:
                self.__dict__.pop(name).close()

    def _batch(self, named: Sequence[tuple[str, str]]) -> Floats:
        """Vectors of (text, its name in messages) pairs, in pieces where needed."""
        try:
            return self._vectors(named)
        except PromptTooLong as error:
            if len(named) > 1:
                return np.concatenate([self._batch([one]) for one in named])
            text, place = named[0]
            halves = halves_of(text)
            if halves is None:
                raise EmbeddingError(
                    f"{self.name} refused {place} as too long: {text[:40]!r}.", REMEDY
                ) from error
            parts = np.concatenate([self._batch([(half, place)]) for half in halves])
            return mean_vectors(parts, [0] * len(parts), 1)

    def _vectors(self, named: Sequence[tuple[str, str]]) -> Floats:
        """One call. Raises PromptTooLong, EmbeddingError."""
        self._check()
        texts = [text.encode("utf-8", "replace").decode() for text, _ in named]
        try:
            reply = self._ask(
                lambda: self._client.embed(
                    self.name, texts, truncate=False, keep_alive=KEEP_ALIVE
                )
            )
        except PromptTooLong:
            raise
        except ModelError as error:
            if "unsupported value: NaN" in error.message and len(named) > 1:
                return np.concatenate([self._vectors([one]) for one in named])
            raise self._embedding_error(error, named) from error
        meters().embedded.add(len(texts), reply.prompt_eval_count or 0)
        return checked_vectors(reply.embeddings, named, self.name)

    def _embedding_error(
        self, error: ModelError, named: Sequence[tuple[str, str]]
    ) -> EmbeddingError:
        text, place = named[0]
        if "NaN" in error.message:
            return unusable(self.name, place, text)
        if "does not support embeddings" in error.message:
            return EmbeddingError(
                f"The model {self.name!r} makes no embeddings.", REMEDY
            )
        return EmbeddingError(error.message, error.hint)

    def _check(self) -> None:
        """Refuses a model that cannot embed before the server loads it for nothing."""
        card = self._found[1]
        if card.capabilities and "embedding" not in card.capabilities:
            raise EmbeddingError(
                f"The model {self.name!r} makes no embeddings "
                f"({', '.join(card.capabilities)}).",
                REMEDY,
            )

    @cached_property
    def _found(self) -> tuple[InstalledModel, ModelCard]:
        """The model on the server. Raises EmbeddingError."""
        with self._lock:
            try:
                return self._find()
            except ClaimscopeError as error:
                raise EmbeddingError(error.message, error.hint) from error

    def _find(self) -> tuple[InstalledModel, ModelCard]:
        full = full_name(self.name)
        known = {one.name: one for one in self._list()}
        if full not in known:
            raise failures.ERRORS.model_missing(self.name, list(known))
        shown = self._ask(
            lambda: self._session.post(
                "/api/show", json={"model": full}, timeout=LIST_SECONDS
            )
        )
        try:
            card = card_of(full, failures.json_of(shown, self.url, self.name))
        except STRANGE as error:
            raise failures.not_ollama(self.url) from error
        if self._offline and (card.remote or known[full].remote):
            raise runs_elsewhere(self.name)
        return known[full], card

    def _list(self) -> Sequence[InstalledModel]:
        reply = self._ask(lambda: self._session.get("/api/tags", timeout=LIST_SECONDS))
        try:
            found = entries(failures.json_of(reply, self.url))
            return [installed_of(one) for one in found]
        except STRANGE as error:
            raise failures.not_ollama(self.url) from error

    @cached_property
    def _client(self) -> Any:
        from ollama import Client

        return Client(host=self.url, **self._options())

    @cached_property
    def _session(self) -> Any:
        """A session of httpx, for what the client's types leave out (see server.py)."""
        import httpx

        return httpx.Client(base_url=self.url, **self._options())

    def _options(self) -> dict[str, Any]:
        import httpx

        return {
            "timeout": httpx.Timeout(self._limits.first_token, connect=CONNECT_SECONDS),
            # An embedder is never closed, so nothing may stay open between calls.
            "limits": httpx.Limits(max_keepalive_connections=0),
            "trust_env": False,  # a proxy must not come between us and loopback
            "follow_redirects": False,
            "headers": plain_headers(),
            "event_hooks": {"response": [self._check_reply]},
        }

    def _check_reply(self, reply: Any) -> None:
        redirects.refuse_redirect(reply, self.url)
        reply_limits.limit_reply(reply, self.url)

    def _ask(self, question: Callable[[], Any]) -> Any:
        """The answer, asked again after what may pass by itself. Raises ModelError."""
        from tenacity import (
            Retrying,
            retry_if_exception,
            stop_after_attempt,
            wait_exponential,
            wait_random,
        )

        def once() -> Any:
            try:
                with failures.mapped_errors(self.url, self.name):
                    return question()
            except (ValueError, RecursionError) as error:  # no JSON, or other fields
                raise failures.not_ollama(self.url) from error

        backoff = self._limits.backoff
        tries = Retrying(
            retry=retry_if_exception(_may_pass),
            stop=stop_after_attempt(self._limits.retries + 1),
            wait=wait_exponential(backoff, max=30) + wait_random(0, backoff),
            reraise=True,
        )
        return tries(once)


def _may_pass(error: BaseException) -> bool:
    if isinstance(error, ServerBusy):
        return "NaN" not in error.message  # the same text gives it again
    return isinstance(error, ServerDown | ConnectionLost)


def halves_of(text: str) -> tuple[str, str] | None:
    """The text in two about equal parts, between words if it can be; None for one too
    short to cut."""
    if len(text) < LEAST:
        return None
    middle = len(text) // 2
    border = text.rfind(" ", middle // 2, middle)
    cut = border if border > 0 else middle
    left, right = text[:cut].strip(), text[cut:].strip()
    return (left, right) if left and right else None


def checked_vectors(
    vectors: Sequence[Sequence[float]], named: Sequence[tuple[str, str]], model: str
) -> Floats:
    """The vectors, L2 = 1, shape (len(named), n).

    Raises EmbeddingError for another number of them, for differing lengths, and for
    one that is not finite or zero, which would poison every search; it names the text.
    """
    if len(vectors) != len(named):
        raise EmbeddingError(
            f"The model {model!r} gave {len(vectors)} vectors for {len(named)} texts, "
            f"beginning at {named[0][1]}.",
            "Choose another embedding model.",
        )
    for vector, (text, place) in zip(vectors, named, strict=True):
        values = np.asarray(vector, dtype=np.float64)
        norm = float(np.linalg.norm(values)) if len(values) else 0.0
        if len(values) != len(vectors[0]) or not (np.isfinite(norm) and norm > 0):
            raise unusable(model, place, text)
    found = np.asarray(vectors, dtype=np.float64)
    norms = np.linalg.norm(found, axis=1, keepdims=True)
    return np.asarray(found / norms, dtype=np.float32)


def unusable(model: str, place: str, text: str) -> EmbeddingError:
    """A vector that no search can use."""
    return EmbeddingError(
        f"The model {model!r} gave no usable vector for {place}: {text[:60]!r}.",
        "Choose another embedding model, or update Ollama and pull this one again.",
    )
