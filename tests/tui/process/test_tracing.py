"""Spans of a run, its samples and its calls: what they say, and where they go."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
)
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from claimscope.core import tracing as core_tracing
from claimscope.core.errors import SettingsError
from claimscope.core.ports import Embedder
from claimscope.core.settings import Settings
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.bootstrap import judges
from claimscope.tui.cli import main
from claimscope.tui.process import tracing
from tests.doubles import fakes
from tests.doubles.fake_ollama import FakeOllama, Reply, failed
from tests.doubles.planted_model import judging
from tests.material.suite_folder import write_suite

QUESTION = "When was the Orla harbour crane built?"
TEXT = "The Orla harbour crane was built in 1952."
KEY = "sesame-4711"

IDS_AND_TIMES = re.compile(r"0x[0-9a-f]+|[\d-]+T[\d:.]+Z")


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOllama]:
    def make(settings: Settings) -> Embedder:
        return fakes.FakeEmbedder()

    def answer(body: dict[str, Any]) -> Reply:
        try:
            return judging()(body)
        except (AssertionError, KeyError, StopIteration):
            return failed(400, f"no words for {TEXT}")

    monkeypatch.setattr(judges, "make_embedder", make)
    with FakeOllama(answer=answer) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.host)
        yield server


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    return write_suite(
        tmp_path,
        "crane",
        {"crane": f"# The crane\n\n{TEXT}\n"},
        [{"id": "built", "question": QUESTION}],
        [{"case_id": "built", "provider": p, "text": TEXT} for p in ("a", "b")],
    )


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    exporter = InMemorySpanExporter()
    monkeypatch.setattr(exporter, "shutdown", lambda: None)  # it is asked afterwards
    monkeypatch.setattr(tracing, "exporter_to", lambda url: exporter)
    return exporter


MODEL = ("--verifier", "model", "--model", "m:1b")
SENT = ("--set", "otel_endpoint=http://127.0.0.1:4318")


def tree(spans: Sequence[ReadableSpan]) -> dict[str, list[ReadableSpan]]:
    """Spans by name; each one's parent is one level above."""
    found: dict[str, list[ReadableSpan]] = {}
    for one in spans:
        found.setdefault(one.name, []).append(one)
    ids = {one.context.span_id: one.name for one in spans if one.context}
    for name, above in (("sample", "run"), ("call", "sample")):
        for one in found.get(name, []):
            assert one.parent is not None and ids[one.parent.span_id] == above
    return found


def test_a_run_has_samples_and_samples_have_calls(
    ollama: FakeOllama, suite: Path, memory: InMemorySpanExporter
) -> None:
    assert main(["run", str(suite), *MODEL, *SENT]) in (0, 3)
    spans = tree(memory.get_finished_spans())
    (run,), samples, calls = spans["run"], spans["sample"], spans["call"]
    assert len(samples) == 2 and len(calls) == len(ollama.chats) >= 16
    about = dict(run.attributes or {})
    assert about["claimscope.suite"] == "crane"
    assert about["claimscope.verifier"] == "ollama"
    assert about["claimscope.state"] == "finished"
    outcomes = ("passed", "failed", "unscored")
    assert sum(int(str(about[f"claimscope.{name}"])) for name in outcomes) == 2
    assert {(s.attributes or {})["claimscope.provider"] for s in samples} == {"a", "b"}
    asked = dict(calls[0].attributes or {})
    assert asked["gen_ai.request.model"] == "m:1b"
    assert asked["claimscope.purpose"] == "verify"
    assert int(str(asked["gen_ai.usage.input_tokens"])) > 0
    assert dict(run.resource.attributes).keys() == {"service.name", "service.version"}


def test_no_text_is_in_them(
    ollama: FakeOllama, suite: Path, memory: InMemorySpanExporter
) -> None:
    ollama.answer = lambda body: failed(400, f"no words for {TEXT}")
    main(["run", str(suite), *MODEL, *SENT])
    spans = memory.get_finished_spans()
    calls = [one for one in spans if one.name == "call"]
    assert calls and all((c.attributes or {})["error.type"] for c in calls)
    assert all(not c.status.is_ok and not c.events for c in calls)
    said = " ".join(one.to_json() for one in spans)
    said = IDS_AND_TIMES.sub("", said)  # they are made of any digits
    for text in (TEXT, QUESTION, "1952", "no words", str(suite.parent)):
        assert text not in said


def test_a_check_is_one_too(
    ollama: FakeOllama,
    suite: Path,
    tmp_path: Path,
    memory: InMemorySpanExporter,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CLAIMSCOPE_OTEL_ENDPOINT", "127.0.0.1:4318")
    answer = tmp_path / "answer.txt"
    answer.write_text(TEXT)
    main(["check", str(answer), "--against", str(suite.parent / "pages")])
    names = [one.name for one in memory.get_finished_spans()]
    assert names == ["sample", "check"]


def test_off_unless_it_is_named(
    ollama: FakeOllama, suite: Path, memory: InMemorySpanExporter
) -> None:
    main(["run", str(suite), *MODEL])
    assert memory.get_finished_spans() == ()
    with core_tracing.span("alone") as found:
        found.note({"a": 1})
        found.fail("None")


# --- a collector on loopback ---------------------------------------------------------


class Collector:
    """Takes spans by OTLP over HTTP."""

    def __init__(self, status: int = 200, location: str = "") -> None:
        self.requests: list[ExportTraceServiceRequest] = []
        self.paths: list[str] = []
        self.status, self.location = status, location


@contextmanager
def listening(collector: Collector) -> Iterator[str]:
    """Its address."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            pass

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            collector.requests.append(ExportTraceServiceRequest.FromString(data))
            collector.paths.append(self.path)
            self.send_response(collector.status)
            if collector.location:
                self.send_header("Location", collector.location)
            self.send_header("Content-Length", "0")
            self.end_headers()

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def sent(collector: Collector) -> list[str]:
    return [
        span.name
        for request in collector.requests
        for resource in request.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]


def test_a_collector_gets_them(
    ollama: FakeOllama, suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("CLAIMSCOPE_API_KEY", KEY)
    collector = Collector()
    with listening(collector) as host:
        main(["run", str(suite), *MODEL, "--set", f"otel_endpoint={host}"])
    names = sent(collector)
    assert names.count("run") == 1 and names.count("sample") == 2
    assert names.count("call") == len(ollama.chats)
    assert set(collector.paths) == {"/v1/traces"}
    assert KEY not in str(collector.requests)


@pytest.mark.parametrize("status", [400, 307])
def test_one_that_refuses_costs_a_line(
    status: int,
    ollama: FakeOllama,
    suite: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    elsewhere = Collector()
    with listening(elsewhere) as other:
        collector = Collector(status, f"http://{other}/v1/traces")
        with listening(collector) as host:
            main(["run", str(suite), "--set", f"otel_endpoint=http://{host}/v1/traces"])
    told = capsys.readouterr().err
    assert f"3 spans could not be sent to http://{host}/v1/traces" in told
    assert "Traceback" not in told and elsewhere.requests == []


def test_nobody_there_costs_a_line(
    ollama: FakeOllama,
    suite: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tracing, "SEND_SECONDS", 0.5)
    code = main(["run", str(suite), "--set", "otel_endpoint=127.0.0.1:9"])
    assert code == 0
    assert "3 spans could not be sent" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("https://collector.example.com", "offline"),
        ("ftp://127.0.0.1", "cannot be read"),
        ("http://me:S3cret@127.0.0.1", "cannot be read"),
    ],
)
def test_an_address_that_is_none_ends_it_before_the_run(
    address: str,
    why: str,
    ollama: FakeOllama,
    suite: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["run", str(suite), "--set", f"otel_endpoint={address}"]) == 2
    told = capsys.readouterr().err
    assert "otel_endpoint" in told and why in told and "S3cret" not in told
    assert list(DiskRunStore(Workspace.find(None).runs).runs()) == []
    with pytest.raises(SettingsError):
        tracing.endpoint(Settings(otel_endpoint=address))
