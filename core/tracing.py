"""Spans: what was done when, and how long it took, for whoever wants to see it.

Nothing is recorded unless a tracer is at work (tui/process/tracing.py brings that of
OpenTelemetry).
A span holds names, counts and times; no text of a page, a question or an answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Protocol

Value = str | int | float | bool


class TraceSpan(Protocol):
    """Something that is being done."""

    def note(self, values: Mapping[str, Value | None]) -> None:
        """Adds what is known by now; None is left out."""

    def fail(self, kind: str) -> None:
        """It did not end well; `kind` is the name of the error."""


class Tracer(Protocol):
    """Who records spans."""

    def span(self, name: str) -> AbstractContextManager[TraceSpan]:
        """One below that of the task it is begun in."""


class _Nothing:
    def note(self, values: Mapping[str, Value | None]) -> None: ...

    def fail(self, kind: str) -> None: ...


_NOTHING = _Nothing()
_TRACER: ContextVar[Tracer | None] = ContextVar("tracer", default=None)


@contextmanager
def recording(tracer: Tracer) -> Iterator[None]:
    """Spans of this task, and of those it begins, are recorded there."""
    token = _TRACER.set(tracer)
    try:
        yield
    finally:
        _TRACER.reset(token)


@contextmanager
def span(
    name: str, values: Mapping[str, Value | None] | None = None
) -> Iterator[TraceSpan]:
    """Something that is done within the block; an error that leaves it is its end."""
    tracer = _TRACER.get()
    if tracer is None:
        yield _NOTHING
        return
    with tracer.span(name) as found:
        found.note(values or {})
        try:
            yield found
        except BaseException as error:
            found.fail(type(error).__name__)
            raise
