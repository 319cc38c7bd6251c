"""What can go wrong between us and Ollama, as our errors with a remedy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from claimscope.core.backends.hosted.failures import (
    TOO_LONG,
    PoolErrors,
    busy,
    error_text,
    prompt_too_long,
    reason,
    timed_out,
)
from claimscope.core.errors import ConnectionLost, ModelError, ServerDown

BAD_REQUEST = re.compile(r"option \"|invalid option|must be (of type|between)|schema")
"""Texts of a 500 that is our fault: asking again would not help."""
_FETCH = "Fetch it with `ollama pull {model}`"
ERRORS = PoolErrors(
    name="Ollama",
    name_at="The Ollama at",
    noun="host",
    has="Installed",
    start_hint="Start Ollama on at least one of them with `ollama serve`, or name "
    "others in the setting `ollama_host`. Without Ollama use `--verifier none`.",
    missing_hint=_FETCH + ", or choose an installed model.",
    missing_hint_at=_FETCH + " there, or leave that host out.",
    differ_hint="`ollama pull {model}` on each host, or leave out the one that "
    "differs.",
)


def server_down(url: str, why: str = "") -> ServerDown:
    """No connection."""
    return ServerDown(
        f"No Ollama answers at {url}{f' ({why})' if why else ''}.",
        "Start it with `ollama serve`, or name another address with OLLAMA_HOST. "
        "Without Ollama use `--verifier none`.",
    )


def not_ollama(url: str) -> ModelError:
    """Something else answers there."""
    return ModelError(
        f"What answers at {url} is not Ollama.",
        "Name the right address with OLLAMA_HOST.",
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
        return ERRORS.model_missing(model)
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


def json_of(reply: Any, url: str, model: str = "") -> Any:
    """The JSON of an answer. Raises ModelError."""
    if reply.status_code >= 400:
        raise http_failure(reply.status_code, reply.text, model)
    try:
        return reply.json()
    except (ValueError, RecursionError) as error:
        raise not_ollama(url) from error


def _sizes(body: str) -> str | None:
    sent = re.search(r'n_prompt_tokens\\*":\s*(\d+)', body)
    room = re.search(r'n_ctx\\*":\s*(\d+)', body)
    if not (sent and room):
        return None
    return f"The prompt has {sent[1]} tokens; the context holds {room[1]}."


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
