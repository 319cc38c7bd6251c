"""The twenty ways in which Ollama fails, as the double plays them.

A fault that passes is scripted before the true answer of the double; one that lasts
takes its place. `tests/core/backends/ollama/test_failures.py` has the end state of
each.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.doubles.ollama.models import (
    DEFAULT_CONTEXT,
    OTHER_DIGEST,
    embedder,
    model,
)
from tests.doubles.ollama.replies import (
    BUSY,
    Reply,
    broke_off,
    chose,
    html,
    last,
    line,
    said,
)
from tests.doubles.ollama.server import Answer, FakeOllama

MODEL = "m:1b"
EMBEDDER = "e:1b"
Play = Callable[[FakeOllama], None]


@dataclass(frozen=True)
class Fault:
    """One way to fail."""

    name: str
    what: str
    """What the server does."""
    play: Play


def once(*replies: Reply) -> Play:
    """A fault that passes after these replies."""

    def play(fake: FakeOllama) -> None:
        fake.script[:] = replies

    return play


def always(answer: Reply | Answer) -> Play:
    """A fault that lasts."""

    def play(fake: FakeOllama) -> None:
        fake.answer = answer if callable(answer) else lambda body: answer

    return play


def verdicts(*labels: str) -> Reply:
    """A batch reply on the first claims, one label each."""
    entries = [
        {"claim": number, "quote": "", "verdict": label}
        for number, label in enumerate(labels, start=1)
    ]
    return said(json.dumps({"verdicts": entries}))


def graded(grade: object) -> Reply:
    """A reply of the judge."""
    return said(json.dumps({"explanation": "It names the depth.", "grade": grade}))


def _cut_prompt(body: dict[str, Any]) -> Reply:
    room = int(body["options"].get("num_ctx", DEFAULT_CONTEXT))
    return chose({"No": -0.1, "Yes": -2.4}, prompt_eval_count=room // 2 + 2)


def _slow_load(fake: FakeOllama) -> None:
    fake.loading = threading.Event()


def _not_a_number(fake: FakeOllama) -> None:
    fake.models[EMBEDDER] = embedder()
    fake.poison = "basin was dug"


def _hung(fake: FakeOllama) -> None:
    fake.script = [Reply(lines=(last(),), hold=threading.Event())]


def _foreign(fake: FakeOllama) -> None:
    fake.refuses_hosts = True


def _removed(fake: FakeOllama) -> None:
    answer = fake.answer

    def last_answer(body: dict[str, Any]) -> Reply:
        fake.models.clear()
        return answer(body)

    fake.answer = last_answer


def _replaced(fake: FakeOllama) -> None:
    answer = fake.answer

    def other_answer(body: dict[str, Any]) -> Reply:
        fake.digests[MODEL] = OTHER_DIGEST
        return answer(body)

    fake.answer = other_answer


def _cloud(fake: FakeOllama) -> None:
    fake.models[MODEL] = model(
        remote_host="https://cloud.example:443", remote_model="m:480b"
    )


def _small(fake: FakeOllama) -> None:
    fake.granted = 2048


FAULTS = (
    Fault("slow load", "sends nothing until the model is loaded", _slow_load),
    Fault("no final chunk", "ends the stream without a last line", always(
        Reply(lines=(line("Eleven metres"),)))),
    Fault("error after first byte", "status 200, then an error line", once(
        broke_off("an error was encountered while running the model: EOF"))),
    Fault("cut connection", "closes the connection in a reply", once(
        Reply(lines=(line("Elev"),), cut=True))),
    Fault("queue full", "503 twice", once(BUSY, BUSY)),
    Fault("model gone", "404 from the second call on", _removed),
    Fault("HTML page", "502 from a proxy", always(html(502))),
    Fault("only thoughts", "empty content beside thinking", always(
        said("", thinking="The page says eleven metres, so"))),
    Fault("empty at the limit", "done_reason length, empty content", always(
        said("", done_reason="length", eval_count=400))),
    Fault("token repeat", "200 with done: false after 40 equal tokens", always(
        Reply(lines=tuple(line("\n") for _ in range(40))))),
    Fault("invalid JSON", "a reply under a schema that is none", always(
        said('{"explanation": "It names the depth", grade is four'))),
    Fault("wrong count", "two verdicts on three claims", once(
        verdicts("supported", "supported"))),
    Fault("out of range", "a grade of 7", always(graded(7))),
    Fault("cut prompt", "reads num_ctx/2 + 2 tokens of the prompt", always(
        _cut_prompt)),
    Fault("NaN embedding", "500 for one text: its vector is NaN", _not_a_number),
    Fault("changed digest", "another model under the same name", _replaced),
    Fault("hung call", "never sends a byte", _hung),
    Fault("foreign host", "403 with an empty body", _foreign),
    Fault("cloud model", "the model runs on another server", _cloud),
    Fault("wrong context", "gives half the context asked for", _small),
)  # fmt: skip
NAMES = tuple(fault.name for fault in FAULTS)


def fault(name: str) -> Fault:
    """The fault of this name."""
    return next(one for one in FAULTS if one.name == name)
