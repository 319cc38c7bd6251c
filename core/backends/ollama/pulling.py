"""The lines of a pull to one figure: how much of a model has come.

A server fetches several layers at once and says so in turns, leaves out `completed`
while it is 0, and ends a pull that failed like one that did not: only a last line
`success` means that the model is there.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from typing import Any

from claimscope.core.backends.ollama.failures import not_ollama
from claimscope.core.errors import ModelError, ModelMissing

UNKNOWN = re.compile(r"file does not exist|manifest unknown|not found", re.IGNORECASE)
NO_NETWORK = re.compile(
    r"no such host|dial tcp|i/o timeout|connection refused|network is unreachable|TLS",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class PullProgress:
    """A line of a pull, with all layers that were named so far added up."""

    status: str
    """In Ollama's words, e.g. `pulling manifest`; `success` at the end."""
    digest: str | None
    """Of the layer that this line is about."""
    completed: int
    """Bytes of all layers known so far."""
    total: int
    """Bytes of all layers known so far; 0 before the first is known."""


async def pull_steps(
    lines: AsyncIterator[Any], url: str, name: str
) -> AsyncGenerator[PullProgress]:
    """The steps of a pull from the client library's lines.

    Raises ModelError for a line that says so, and when the end is not `success`.
    """
    from ollama import ResponseError

    layers: dict[str, tuple[int, int]] = {}
    status = ""
    try:
        async for line in lines:
            status = line.status or ""
            if line.digest:
                layers[line.digest] = (line.completed or 0, line.total or 0)
            yield PullProgress(
                status=status,
                digest=line.digest or None,
                completed=sum(done for done, _ in layers.values()),
                total=sum(size for _, size in layers.values()),
            )
    except ResponseError as error:
        raise not_pulled(url, name, error.error) from error
    except (ValueError, RecursionError) as error:  # no JSON, or other fields
        raise not_ollama(url) from error
    if status != "success":
        raise not_pulled(url, name, f"it stopped after {status or 'nothing'!r}")


def not_pulled(url: str, name: str, text: str) -> ModelError:
    """The error for what came instead of `success`."""
    if UNKNOWN.search(text):
        return ModelMissing(
            f"Ollama's library has no model {name!r} (says the server at {url}).",
            "Check the name, and the tag behind the colon.",
        )
    if NO_NETWORK.search(text):
        return ModelError(
            f"The server at {url} could not reach Ollama's library: {text}.",
            "It needs a network for this. Without one, copy the model's files to that "
            "machine and use `ollama create`.",
        )
    return ModelError(
        f"The server at {url} did not fetch {name!r}: {text}.",
        "What came is kept: run it again, it goes on there.",
    )
