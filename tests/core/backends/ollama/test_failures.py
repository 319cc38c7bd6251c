"""Twenty faults of a server, each through the client and the product to its end.

An end is an answer after a number of calls, an error with a name, or an unscored
result with its reason. It is never a verdict or a grade from a bad reply. The ends
are printed as one table at the end of the run (end_states.py).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from claimscope.core.backends.hosted import timeouts
from claimscope.core.backends.hosted.timeouts import CallLimits
from claimscope.core.backends.pool import pool
from claimscope.core.errors import ModelError
from claimscope.core.models import (
    Evidence,
    FailureKind,
    Label,
)
from claimscope.core.ports import ModelState, Question
from claimscope.core.verify.witnesses.language_model import ModelVerifier
from tests.doubles.fake_ollama import (
    FakeOllama,
    Reply,
    chose,
    contents,
    said,
    speaking,
    tokens,
)
from tests.doubles.ollama.faults import (
    NAMES,
    fault,
    verdicts,
)
from tests.material.end_states import row, rows, table
from tests.material.fault_ways import (
    ANSWERS,
    CONTEXTS,
    LIMITS,
    SHORT,
    Ending,
    Setting,
    Way,
    a_batch,
    a_grade,
    a_model,
    a_run,
    a_run_on_its_vectors,
    a_slow_model,
    a_verdict_on_long_words,
    journalled,
    judge,
    no_rules,
)


@pytest.fixture
def fake() -> Iterator[FakeOllama]:
    with FakeOllama(answer=judge) as started:
        yield started


@pytest.fixture(autouse=True)
def look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a waiting model does is told without delay."""
    monkeypatch.setattr(timeouts, "TICK_SECONDS", 0.01)


# --- the table ------------------------------------------------------------------


@dataclass(frozen=True)
class Expected:
    """How a fault has to end."""

    way: Way
    calls: int
    """Of chat, retries included."""
    end: str
    """A pattern of the whole end."""
    limits: CallLimits = LIMITS
    digest_seconds: float = 60
    """How long a digest that was read is relied on."""


ENDS: dict[str, Expected] = {
    "slow load": Expected(
        a_slow_model, 1, "told that it loads, then answered: supported"
    ),
    "no final chunk": Expected(
        a_grade, 2, "unscored: The reply stopped after 13 characters without an end.*"
    ),
    "error after first byte": Expected(a_grade, 2, "answered: grade 4"),
    "cut connection": Expected(a_grade, 2, "answered: grade 4"),
    "queue full": Expected(a_grade, 3, "answered: grade 4"),
    "model gone": Expected(
        a_run,
        3,
        "run finished: 0 passed, 2 unscored: Model is not installed: Ollama has no "
        "model 'm:1b'.*",
    ),
    "HTML page": Expected(
        a_run,
        6,
        r"run finished: 0 passed, 2 unscored: Server is busy: .*HTTP 502\): "
        "Bad gateway.",
    ),
    "only thoughts": Expected(
        a_grade, 2, "unscored: The model only thought and gave no answer."
    ),
    "empty at the limit": Expected(
        a_grade, 2, "unscored: The reply was cut at the limit of 800 tokens."
    ),
    "token repeat": Expected(a_grade, 2, "unscored: .* without an end mark .*"),
    "invalid JSON": Expected(
        a_grade, 2, "unscored: .* not what was asked for .*; raw reply kept"
    ),
    "wrong count": Expected(a_batch, 2, "answered: supported, supported, supported"),
    "out of range": Expected(
        a_grade, 2, "unscored: .* not what was asked for .*grade.*; raw reply kept"
    ),
    "cut prompt": Expected(
        a_verdict_on_long_words,
        1,
        "unscored: Ollama read only 2050 tokens of a prompt of .* it was cut.",
    ),
    "NaN embedding": Expected(
        a_run_on_its_vectors,
        6,
        "run finished: 2 passed, 0 unscored",  # words alone were compared
    ),
    "changed digest": Expected(
        a_run,
        1,
        "run failed: 0 passed, 0 unscored: The model .* is another one than at the "
        "start: its digest was f{12} and is e{12} now.* start a new run.",
        digest_seconds=0,
    ),
    "wrong context": Expected(
        a_run,
        2,
        "run finished: 0 passed, 2 unscored: Context is shorter than asked for: "
        ".*asked for with 4096 tokens; the server at .* gives 2048.",
    ),
    "hung call": Expected(
        a_run,
        6,
        "run finished: 1 passed, 1 unscored: Ollama sent no first token within 2 s.",
        SHORT,
    ),
    "foreign host": Expected(
        a_model, 0, r"ModelError: Ollama refused the request \(HTTP 403\).*"
    ),
    "cloud model": Expected(
        a_model, 0, "ModelError: The model 'm:1b' runs on a remote server.*"
    ),
}


def test_every_fault_has_an_end() -> None:
    assert len(NAMES) == len(set(NAMES)) == 20
    assert set(ENDS) == set(NAMES)


async def ended(name: str, fake: FakeOllama) -> Ending:
    """Plays the fault and asks in its way."""
    fault(name).play(fake)
    expected = ENDS[name]
    try:
        async with asyncio.timeout(60):
            return await expected.way(Setting(fake, expected.limits))
    except ModelError as error:
        assert error.hint
        return Ending(f"{type(error).__name__}: {error.message}")


@pytest.mark.parametrize("name", ENDS)
async def test_a_fault_ends_as_it_must(
    name: str,
    fake: FakeOllama,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> None:
    monkeypatch.setattr(pool, "DIGEST_SECONDS", ENDS[name].digest_seconds)
    ending = await ended(name, fake)
    what, calls = fault(name).what, len(fake.chats)
    shown = ending.text.replace(fake.host, "HOST")
    record_property(*row(NAMES.index(name) + 1, name, what, calls, shown))
    assert re.fullmatch(ENDS[name].end, ending.text)
    assert calls == ENDS[name].calls
    kinds = {one.kind for sample in ending.samples for one in sample.failures}
    assert kinds <= {FailureKind.UNSCORED}, "a bad reply is no sign against an answer"


@dataclass
class Report:
    """What a test leaves behind, as pytest keeps it."""

    when: str
    user_properties: tuple[tuple[str, str], ...]


def test_the_table_has_each_end_once_and_in_order() -> None:
    second, first = row(2, "cut", "cuts", 3, "b"), row(1, "slow", "waits", 1, "a")
    reports = [
        Report("call", (second, ("other", "x"))),
        Report("call", (first,)),
        Report("teardown", (first,)),
        object(),
    ]
    found = rows(reports)
    assert found == [(1, "slow", "waits", 1, "a"), (2, "cut", "cuts", 3, "b")]
    assert [line.split() for line in table(found)] == [
        ["1", "slow", "waits", "1", "a"],
        ["2", "cut", "cuts", "3", "b"],
    ]


# --- more than one row can show -------------------------------------------------


async def test_a_claim_that_a_batch_leaves_out_again_is_unscored(
    fake: FakeOllama,
) -> None:
    fake.answer = lambda body: verdicts()
    ending = await a_batch(Setting(fake))
    assert ending.text == "answered: unscored, unscored, unscored; raw reply kept"
    assert len(fake.chats) == 4, "together once, then each alone"


async def test_a_slow_server_that_hangs_once_costs_one_claim(fake: FakeOllama) -> None:
    fault("slow load").play(fake)
    fault("hung call").play(fake)
    heard: list[str] = []

    def hear(state: ModelState) -> None:
        heard.append(state.phase)
        if state.phase == "loading" and fake.loading is not None:
            fake.loading.set()

    ending = await a_run(Setting(fake, SHORT, hear))
    assert ending.text.startswith("run finished: 1 passed, 1 unscored: Ollama sent no")
    assert "loading" in heard
    assert len(fake.chats) == 6, "the hung call is made once"
    alpha, beta = ending.samples
    assert alpha.error is None and beta.error is None
    assert [grade.value for grade in alpha.grades] == [4, 4], "the rest is judged"


async def test_a_long_page_is_read_in_parts_that_fit(fake: FakeOllama) -> None:
    filler = "The quay was swept and the ropes were dried again. " * 900
    sentences = [s.strip() + "." for s in (CONTEXTS[0] + " " + filler).split(".")[:-1]]
    page = [
        Evidence(page_id="basin", index=i, text=text, start=0, end=len(text))
        for i, text in enumerate(sentences)
    ]
    assert sum(len(text.split()) for text in sentences) > 9000
    true = speaking()

    def answer(body: dict[str, Any]) -> Reply:
        is_stated = CONTEXTS[0].split(".")[0] in contents([body])[0]
        said = true(body)
        odds = {"Yes": -0.05, "No": -3.0} if is_stated else {"No": -0.05, "Yes": -3.0}
        return chose(odds) if said.status == 200 else said

    fake.answer = answer
    async with journalled(Setting(fake)) as chat:
        verifier = ModelVerifier(chat, None, no_rules, wordings=("verify",))
        (found,) = await verifier.verify([Question(ANSWERS["alpha"], tuple(page))])
    assert found.label is Label.SUPPORTED
    assert all(len(tokens(text)) < 4096 for text in contents(fake.chats))


async def test_a_page_that_could_not_be_read_is_no_sign_against_a_claim(
    fake: FakeOllama,
) -> None:
    unread, no = said("", done_reason="unload"), chose({"No": -0.05, "Yes": -3.0})
    fake.script, fake.answer = [unread], lambda body: no
    pages = (
        Evidence(page_id="basin", index=0, text=CONTEXTS[0], start=0, end=9),
        Evidence(page_id="fees", index=0, text="Mooring is free.", start=0, end=9),
    )
    async with journalled(Setting(fake)) as chat:
        verifier = ModelVerifier(chat, None, no_rules, wordings=("verify",))
        (found,) = await verifier.verify([Question(ANSWERS["alpha"], pages)])
    assert found.label is Label.UNSCORED
    assert "unload" in (found.unscored_reason or "")
