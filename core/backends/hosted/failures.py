"""What can go wrong between us and Ollama, as our errors with a remedy.

The server answers errors as JSON, as JSON inside the text of JSON, as HTML from a
proxy, or as the last line of a stream that began well; the client library and httpx
raise half a dozen types. Here each of them becomes one of ours.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from claimscope.core.errors import (
    ConnectionLost,
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
BAD_REQUEST = re.compile(r"option \"|invalid option|must be (of type|between)|schema")
"""Texts of a 500 that is our fault: asking again would not help."""

LONGEST_BODY = 20_000
"""Characters of an error's text that are looked at for its message."""


def server_down(url: str, why: str = "") -> ServerDown:
    """No connection."""
    return ServerDown(
        f"No Ollama answers at {url}{f' ({why})' if why else ''}.",
        "Start it with `ollama serve`, or name another address with OLLAMA_HOST. "
        "Without Ollama use `--verifier none`.",
    )


def all_down(problems: Sequence[str]) -> ServerDown:
    """No connection to any host of a pool; `problems` has a sentence for each."""
    return ServerDown(
        f"No host of the pool can be used: {' '.join(problems)}",
        "Start Ollama on at least one of them with `ollama serve`, or name others in "
        "the setting `ollama_host`. Without Ollama use `--verifier none`.",
    )


def not_ollama(url: str) -> ModelError:
    """Something else answers there."""
    return ModelError(
        f"What answers at {url} is not Ollama.",
        "Name the right address with OLLAMA_HOST.",
    )


def model_missing(
    model: str, installed: Sequence[str] | None = None, url: str | None = None
) -> ModelMissing:
    """The server does not have the model. `url`: names one host of several."""
    have = ""
    if installed is not None:
        have = f" Installed: {', '.join(sorted(installed)) or 'none'}."
    where = f"The Ollama at {url}" if url else "Ollama"
    return ModelMissing(
        f"{where} has no model {model!r}.{have}",
        f"Fetch it with `ollama pull {model}`"
        + (
            " there, or leave that host out."
            if url
            else ", or choose an installed model."
        ),
    )


def model_changed(url: str, model: str, before: str, now: str) -> ModelChanged:
    """The name stands for other weights than before."""
    return ModelChanged(
        f"The model {model!r} at {url} is another one than at the start: its digest "
        f"was {before[:12]} and is {now[:12]} now.",
        "Verdicts of two models must not mix: start a new run.",
    )


def hosts_differ(model: str, digests: Mapping[str, str]) -> ModelError:
    """Hosts of a pool hold different weights under one name; `digests` by address."""
    each = ", ".join(f"{digest[:12]} at {url}" for url, digest in digests.items())
    return ModelError(
        f"The hosts of the pool hold different models under the name {model!r}: "
        f"{each}.",
        f"Verdicts of two models must not mix: `ollama pull {model}` on each host, or "
        "leave out the one that differs.",
    )


def hangs(url: str, model: str, calls: int) -> ReplyTimeout:
    """A host that takes calls and answers none."""
    return stopped_answering(f"The Ollama at {url}", model, calls)


def stopped_answering(server: str, model: str, calls: int) -> ReplyTimeout:
    """The same of a server of any kind. `server`, here and below: what the message
    calls it, as its first words."""
    return ReplyTimeout(
        f"{server} answered none of the last {calls} calls of {model!r} in time; it is "
        "not asked any more.",
        "See its log and start it anew, then resume the run. If it is only slow, raise "
        "`first_token_seconds` or `between_tokens_seconds`, or take a smaller model.",
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


def http_failure(
    status: int, body: str, model: str, retry_after: str | None = None
) -> ModelError:
    """The error for an answer of the server that is not 2xx. `retry_after`: the header
    of that name, if one came."""
    text = error_text(body)
    if TOO_LONG.search(body):
        return prompt_too_long(_sizes(body) or f"Ollama refused the prompt: {text}.")
    if status == 404 and "not found" in text:
        return model_missing(model)
    if status == 503 or (status in (500, 502, 504) and not BAD_REQUEST.search(text)):
        return busy("Ollama", status, text, retry_after)
    if status == 403:
        return ModelError(
            f"Ollama refused the request (HTTP 403){f': {text}' if body else ''}.",
            "Call it by localhost or an address, or set OLLAMA_ORIGINS on the server.",
        )
    return ModelError(
        f"Ollama refused the request (HTTP {status}): {text}.",
        "Check the model's name and the address (is it really Ollama?).",
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


def _sizes(body: str) -> str | None:
    sent = re.search(r'n_prompt_tokens\\*":\s*(\d+)', body)
    room = re.search(r'n_ctx\\*":\s*(\d+)', body)
    if not (sent and room):
        return None
    return f"The prompt has {sent[1]} tokens; the context holds {room[1]}."


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


@contextmanager
def mapped_errors(url: str, model: str = "") -> Iterator[None]:
    """Turns errors of httpx and of the client library into ours."""
    import httpx
    from ollama import ResponseError

    try:
        yield
    except ResponseError as error:
        raise http_failure(error.status_code, error.error, model) from error
    except (httpx.ConnectError, httpx.ConnectTimeout, ConnectionError) as error:
        raise server_down(url, reason(error)) from error
    except httpx.TimeoutException as error:
        raise timed_out(f"Ollama at {url}") from error
    except (httpx.TransportError, httpx.StreamError) as error:
        raise ConnectionLost(
            f"The connection to Ollama at {url} was lost ({type(error).__name__}).",
            "See its log: the model's process may have ended for want of memory.",
        ) from error
    except (httpx.InvalidURL, UnicodeError) as error:
        raise server_down(url) from error
