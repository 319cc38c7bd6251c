"""Spans of a run, its samples and its calls, sent to an OpenTelemetry collector.

Off unless the setting `otel_endpoint` names an address, and sent nowhere else: by no
proxy and no redirect. A collector that does not answer costs a run a few seconds at its
end, and one line.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from claimscope.core import tracing
from claimscope.core.errors import InputError
from claimscope.core.models import RunHeader, RunStatus
from claimscope.core.settings import Settings
from claimscope.core.tracing import TraceSpan, Value
from claimscope.tui.process.output import say
from claimscope.tui.process.version import version

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

PATH = "/v1/traces"
SEND_SECONDS = 5.0
"""For one batch, with its tries."""
LARGEST_ANSWER = 65_536
"""Bytes of a collector's answer that are read."""


@contextmanager
def span_to_collector(
    settings: Settings,
    name: str,
    values: Mapping[str, Value | None],
    exporter: SpanExporter | None = None,
) -> Iterator[TraceSpan]:
    """What is done within is the span `name`, with those of samples and calls below it;
    nothing is recorded where the settings name no collector. `exporter`: in place of
    the one that sends. Raises SettingsError, and InputError when the libraries are
    missing."""
    if settings.otel_endpoint is None:
        with tracing.span(name, values) as found:
            yield found
        return
    url = endpoint(settings)
    told = _counting_losses(exporter or exporter_to(url))
    provider = _provider(told)
    quiet = logging.getLogger("opentelemetry")
    level = quiet.level
    quiet.setLevel(logging.CRITICAL)  # what went wrong is said below, once
    try:
        tracer = _Recorder(provider.get_tracer("claimscope"))
        with tracing.recording(tracer), tracing.span(name, values) as found:
            yield found
    finally:
        provider.shutdown()
        quiet.setLevel(level)
        if told.lost:
            say(
                f"note: {told.lost} spans could not be sent to {url}; what was judged "
                "is not touched by it"
            )


def run_attributes(header: RunHeader) -> dict[str, Value | None]:
    return {
        "claimscope.run": header.run_id,
        "claimscope.suite": header.suite_id,
        "claimscope.verifier": header.verifier,
        "claimscope.model": header.model,
        "claimscope.samples": header.total_samples,
    }


def end_attributes(status: RunStatus) -> dict[str, Value | None]:
    return {
        "claimscope.state": status.state,
        "claimscope.passed": status.passed,
        "claimscope.failed": status.failed,
        "claimscope.unscored": status.unscored,
    }


def check_collector(settings: Settings) -> None:
    """Before anything is done: whether spans can be sent as the settings say. Raises
    as `span_to_collector`."""
    if settings.otel_endpoint is not None:
        exporter_to(endpoint(settings)).shutdown()


def endpoint(settings: Settings) -> str:
    """The address in full. Raises SettingsError."""
    from claimscope.core.http.server_address import UrlSetting, near_url

    named = UrlSetting("otel_endpoint", f"http://127.0.0.1:4318{PATH}", PATH)
    return near_url(settings.otel_endpoint or "", named, offline=settings.offline)


class _Recorder:
    """OpenTelemetry's tracer as core asks for one."""

    def __init__(self, tracer: Any) -> None:
        self._tracer = tracer

    @contextmanager
    def span(self, name: str) -> Iterator[TraceSpan]:
        # An exception's text may repeat a page or an answer, so none is recorded.
        with self._tracer.start_as_current_span(
            name, record_exception=False, set_status_on_exception=False
        ) as found:
            yield _Recorded(found)


class _Recorded:
    def __init__(self, span: Any) -> None:
        self._span = span

    def note(self, values: Mapping[str, Value | None]) -> None:
        for name, value in values.items():
            if value is not None:
                self._span.set_attribute(name, value)

    def fail(self, kind: str) -> None:
        from opentelemetry.trace import Status, StatusCode

        self._span.set_attribute("error.type", kind)
        self._span.set_status(Status(StatusCode.ERROR))


def _provider(exporter: Any) -> Any:
    """It has the name of the program and its version, and nothing of the machine."""
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.sdk.trace.sampling import ALWAYS_ON

    # The switch is set for all libraries (core/telemetry.py); this one was asked for.
    switch = os.environ.pop("OTEL_SDK_DISABLED", None)
    try:
        provider = TracerProvider(
            sampler=ALWAYS_ON,
            resource=Resource(
                {"service.name": "claimscope", "service.version": version()}
            ),
            shutdown_on_exit=False,
        )
    finally:
        if switch is not None:
            os.environ["OTEL_SDK_DISABLED"] = switch
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return provider


def exporter_to(url: str) -> SpanExporter:
    """What sends spans there; an InputError without the extra `otel`."""
    try:
        import requests
        from opentelemetry.exporter.otlp.proto.http import trace_exporter
    except ImportError as error:
        raise InputError(
            f"spans cannot be sent: {error.name or error} is not installed",
            "pip install 'claimscope[otel]', or leave otel_endpoint out",
        ) from error

    class Session(requests.Session):
        """No proxy, no redirect, and no answer without end."""

        def request(self, *args: Any, **more: Any) -> requests.Response:
            reply = super().request(*args, **{**more, "stream": True})
            if reply.is_redirect or 300 <= reply.status_code < 400:
                reply.close()
                raise requests.TooManyRedirects(f"HTTP {reply.status_code}")
            reply._content = reply.raw.read(LARGEST_ANSWER)
            reply.close()
            return reply

    session = Session()
    session.trust_env = False
    exporter: SpanExporter = trace_exporter.OTLPSpanExporter(
        endpoint=url, timeout=SEND_SECONDS, session=session
    )
    return exporter


def _counting_losses(exporter: Any) -> Any:
    """The exporter, with the spans counted that did not arrive."""
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

    class Told(SpanExporter):
        lost = 0

        def export(self, spans: Sequence[Any]) -> SpanExportResult:
            found: SpanExportResult = exporter.export(spans)
            if found is not SpanExportResult.SUCCESS:
                self.lost += len(spans)
            return found

        def shutdown(self) -> None:
            exporter.shutdown()

    return Told()
