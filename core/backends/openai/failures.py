"""What can go wrong between us and a server with the OpenAI API, with a remedy.

Texts of a server may repeat the key that it was sent; it is taken out of them
(server.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from claimscope.core.backends.hosted.failures import (
    PoolErrors,
    busy,
    error_text,
    prompt_too_long,
    reason,
    timed_out,
)
from claimscope.core.errors import (
    ClaimscopeError,
    ConnectionLost,
    ModelError,
    ServerDown,
)
from claimscope.core.http.api_key import VARIABLE
from claimscope.core.http.stream_lines import NotALine, object_in, object_of

TOO_LONG = re.compile(
    r"exceeds? the (available )?context|exceed_context_size|context_length_exceeded"
    r"|maximum (context|model) length|longer than the (model's context|maximum)"
    r"|(greater than|overflows?|with) (the )?context( length)?",
    re.I,
)
"""A prompt that does not fit, as llama.cpp, vLLM, SGLang and LM Studio say it."""
LOADING = re.compile(r"loading model|model is loading", re.I)
NO_MODEL = re.compile(r"model.{0,300}(not (exist|found|loaded)|unknown)|no model", re.I)
_CHOOSE = (
    "Choose one that it has by --model, or start the server with this one (llama.cpp: "
    "--alias gives it a short name)."
)
ERRORS = PoolErrors(
    name="The server",
    name_at="The server at",
    noun="server",
    has="It has",
    start_hint="Start at least one of them, or name others with --base-url. Without a "
    "model use `--verifier none`.",
    missing_hint=_CHOOSE,
    missing_hint_at=_CHOOSE,
    differ_hint="start all with the same file, or leave out the one that differs.",
)


def server_down(url: str, why: str = "") -> ServerDown:
    """No connection."""
    return ServerDown(
        f"No model server answers at {url}{f' ({why})' if why else ''}.",
        "Start it (llama.cpp: `llama-server -m FILE.gguf`), or name another address "
        "with --base-url. Without a model use `--verifier none`.",
    )


def not_openai(url: str) -> ModelError:
    """Something else answers there."""
    return ModelError(
        f"What answers at {url} does not speak the OpenAI API.",
        "Name the right address with --base-url; its path is /v1 on most servers.",
    )


def is_ollama(url: str) -> ModelError:
    """Ollama, which does not do by this API what it does by its own."""
    host = url.partition("://")[2].partition("/")[0]
    return ModelError(
        f"What answers at {url} is Ollama, which cuts a long prompt in silence when it "
        "is asked by the OpenAI API.",
        f"Ask it by its own: --server ollama --ollama-host {host}.",
    )


def http_failure(
    url: str, status: int, body: str, model: str, retry_after: str | None = None
) -> ModelError:
    """The error for an answer that is not 2xx; `body` without the key."""
    text = error_text(body)
    if is_too_long(status, body):
        return prompt_too_long(f"The server at {url} refused the prompt: {text}.")
    if status in (401, 403):
        return ModelError(
            f"The server at {url} refused the key, or wants one (HTTP {status}): "
            f"{text}.",
            f"Give it in {VARIABLE}, or in a file named by the setting api_key_file.",
        )
    if status in (400, 404, 422) and model and NO_MODEL.search(text):
        return ERRORS.model_missing(model, url=url)
    if status in (404, 405):
        return not_openai(url)
    if status in (408, 429) or (status >= 500 and status != 501):
        return busy(f"The server at {url}", status, text, retry_after)
    return ModelError(
        f"The server at {url} refused the request (HTTP {status}): {text}.",
        "Check the model's name and the address; see the server's log.",
    )


def is_too_long(status: int, body: str) -> bool:
    """Whether a prompt was refused for its length, by the words or the code of an
    error."""
    if status not in (400, 413, 422, 500):
        return False
    try:
        error = object_in(object_of(body), "error")
    except NotALine:
        error = {}
    said = f"{error_text(body)} {error.get('code')} {error.get('type')}"
    return TOO_LONG.search(said) is not None


@contextmanager
def mapped_errors(url: str) -> Iterator[None]:
    """Turns errors of the client library and of httpx2 into ours; an answer with a
    status is the caller's (openai.APIStatusError passes)."""
    import httpx2
    import openai

    try:
        yield
    except (ClaimscopeError, openai.APIStatusError):
        raise
    except (openai.OpenAIError, httpx2.HTTPError, httpx2.StreamError, OSError) as error:
        raise _ours(error, url) from error
    except (httpx2.InvalidURL, UnicodeError) as error:
        raise server_down(url) from error


def _ours(error: BaseException, url: str) -> ClaimscopeError:
    """The client wraps what happened, our own refusals of a reply among it."""
    import httpx2

    causes: list[BaseException] = []
    seen: BaseException | None = error
    while seen is not None and seen not in causes:
        causes.append(seen)
        seen = seen.__cause__ or seen.__context__
    for cause in causes:
        if isinstance(cause, ClaimscopeError):
            return cause
    if any(isinstance(c, httpx2.ConnectError | httpx2.ConnectTimeout) for c in causes):
        return server_down(url, reason(error))
    if any(isinstance(c, httpx2.TimeoutException) for c in causes):
        return timed_out(f"The server at {url}")
    return ConnectionLost(
        f"The connection to {url} was lost ({type(causes[-1]).__name__}).",
        "See the server's log: its process may have ended for want of memory.",
    )
