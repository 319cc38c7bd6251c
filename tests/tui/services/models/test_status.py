"""What a model is and does, in words."""

from __future__ import annotations

import pytest

from claimscope.core.ports import ModelState, Phase
from claimscope.tui.services.models.status import clock_time, size, state_words

HOST = "http://127.0.0.1:1"


def state(phase: Phase, seconds: float = 1.0, host: str = HOST) -> ModelState:
    return ModelState(host, "m:7b", phase, seconds)


@pytest.mark.parametrize(
    ("phase", "words"),
    [
        ("loading", "loading m:7b, 38 s"),
        ("queued", "m:7b waits in the server's queue, 38 s"),
        ("reading", "m:7b reads the prompt, 38 s"),
        ("writing", "m:7b writes, 38 s"),
        ("idle", "m:7b is idle"),
    ],
)
def test_each_phase_has_words(phase: Phase, words: str) -> None:
    assert state_words(state(phase, 38.2)) == words


def test_a_host_is_named_when_there_are_several() -> None:
    assert state_words(state("writing"), with_host=True) == (
        "m:7b writes at 127.0.0.1:1, 1 s"
    )


def test_sizes_are_those_of_ollama() -> None:
    assert [size(n) for n in (0, 98_363_004, 1_117_321_342)] == [
        "0 kB",
        "98 MB",
        "1.1 GB",
    ]


@pytest.mark.parametrize("moment", [None, "", "soon", "2026-99-01T00:00:00Z"])
def test_a_time_that_is_none_is_left_out(moment: str | None) -> None:
    assert clock_time(moment) == ""
