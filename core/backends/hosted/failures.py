"""What can go wrong between us and a server of models, as our errors with a remedy.

The server answers errors as JSON, as JSON inside the text of JSON, as HTML from a
proxy, or as the last line of a stream that began well; the client library and httpx
raise half a dozen types. Here each of them becomes one of ours.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from claimscope.core.errors import (
    ModelChanged,
    ModelError,
    ModelMissing,
    PromptTooLong,
    ReplyTimeout,
    ServerBusy,
    ServerDown,
)

TOO_LONG = re.compile(
    r"exceeds the available context|exceed_context_size|prompt is longer than the "
    r"context|input length exceeds the context"
)

LONGEST_BODY = 20_000
"""Characters of an error's text that are looked at for its message."""


@dataclass(frozen=True)
class PoolErrors:
    """The errors of a pool, in the words for its kind of server."""

    name: str
    """As its only server is called, at the beginning of a sentence."""
    name_at: str
    """The same before an address."""
    noun: str
    has: str
    """Before the list of its models."""
    start_hint: str
    missing_hint: str
    """With `{model}`, as those below."""
    missing_hint_at: str
    """Of one server of several."""
    differ_hint: str

    def all_down(self, problems: Sequence[str]) -> ServerDown:
        """No connection to any of them; `problems` has a sentence for each."""
        return ServerDown(
            f"No {self.noun} of the pool can be used: {' '.join(problems)}",
            self.start_hint,
        )

    def model_missing(
        self, model: str, installed: Sequence[str] | None = None, url: str | None = None
    ) -> ModelMissing:
        """The server does not have the model. `url`: names one of several."""
        have = ""
        if installed is not None:
            have = f" {self.has}: {', '.join(sorted(installed)) or 'none'}."
        where = f"{self.name_at} {url}" if url else self.name
        hint = self.missing_hint_at if url else self.missing_hint
        return ModelMissing(
            f"{where} has no model {model!r}.{have}", hint.format(model=model)
        )

    def hosts_differ(self, model: str, digests: Mapping[str, str]) -> ModelError:
        """They hold different weights under one name; `digests` by address."""
        each = ", ".join(f"{one[:12] or '?'} at {url}" for url, one in digests.items())
        return ModelError(
            f"The {self.noun}s of the pool hold different models under the name "
            f"{model!r}: {each}.",
            "Verdicts of two models must not mix: "
            + self.differ_hint.format(model=model),
        )

    def hangs(self, url: str, model: str, calls: int) -> ReplyTimeout:
        """A server that takes calls and answers none."""
        return ReplyTimeout(
            f"{self.name_at} {url} answered none of the last {calls} calls of "
            f"{model!r} in time; it is not asked any more.",
            "See its log and start it anew, then resume the run. If it is only slow, "
            "raise `first_token_seconds` or `between_tokens_seconds`, or take a "
            "smaller model.",
        )


def model_changed(url: str, model: str, before: str, now: str) -> ModelChanged:
    """The name stands for other weights than before."""
    return ModelChanged(
        f"The model {model!r} at {url} is another one than at the start: its digest "
        f"was {before[:12]} and is {now[:12]} now.",
        "Verdicts of two models must not mix: start a new run.",
    )


def runs_elsewhere(model: str) -> ModelError:
    """A cloud model, which offline mode refuses."""
    return ModelError(
        f"The model {model!r} runs on a remote server, not on this machine.",
        "Offline, Claimscope sends no text away: choose a local model. Only with "
        "`offline = false` in the settings may text leave this machine.",
    )


def prompt_too_long(detail: str) -> PromptTooLong:
    """The prompt was refused, or read only in part."""
    return PromptTooLong(
        detail,
        "Raise `context_tokens`, or give shorter pages or answers. A prompt that was "
        "cut is never judged.",
    )


def busy(server: str, status: int, text: str, retry_after: str | None) -> ServerBusy:
    """A server that may answer later; `text`: what it says in its error."""
    error = ServerBusy(
        f"{server} could not answer (HTTP {status}): {text}.",
        "It may be short of memory or busy: see its log, try a smaller model, or "
        "run again later.",
    )
    error.retry_after = seconds_of(retry_after)
    return error


def timed_out(server: str) -> ReplyTimeout:
    """A call on whose connection nothing came in time."""
    return ReplyTimeout(
        f"{server} did not answer in time.",
        "See its log; it may be loading a model or hang.",
    )


def no_answer(server: str, seconds: float) -> ReplyTimeout:
    """No answer to a short question, such as what models there are."""
    return ReplyTimeout(
        f"{server} did not answer in {seconds:.0f} s.",
        "See its log; start it anew if it hangs.",
    )


def seconds_of(retry_after: str | None) -> float | None:
    """Seconds from now that a Retry-After header says, as a number or as a date; None
    for none that can be read."""
    text = (retry_after or "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        then = parsedate_to_datetime(text)
    except ValueError:
        return None
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    return max(0.0, (then - datetime.now(UTC)).total_seconds())


def error_text(body: str) -> str:
    """The message inside an error body, in one line, at most 300 characters."""
    text: object = body
    for _ in range(3):  # llama-server's JSON comes as text inside Ollama's JSON
        try:
            inner = json.loads(text) if isinstance(text, str) else text
        except (ValueError, RecursionError):
            break
        if not isinstance(inner, dict):
            break
        text = inner.get("error", inner.get("message", text))
    if isinstance(text, dict):
        text = text.get("message", text)
    text = str(text)[:LONGEST_BODY]
    shown = re.sub(r"<(style|script).*?</\1>|<[^>]*>", " ", text, flags=re.S)
    shown = " ".join(whole_characters(shown).split())
    return shown[:300].rstrip(".") or "no message"


def whole_characters(text: str) -> str:
    """A text without halves of surrogate pairs, which JSON can hold and no file can."""
    return text.encode("utf-8", "replace").decode("utf-8")


def reason(error: BaseException) -> str:
    """Why there is no connection, in the system's words where it has some."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, OSError) and (number := seen.errno or 0) > 0:
            return os.strerror(number).lower()
        if isinstance(seen, OSError) and seen.strerror:
            return seen.strerror.lower()  # a name that is not found has other numbers
        if isinstance(seen, TimeoutError):
            return "timed out"
        seen = seen.__cause__ or seen.__context__
    return ""
