"""Runs of an ONNX model are bounded, and say the same in parts as at once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from claimscope.core.backends.embedders import default_embedder
from claimscope.core.backends.onnx import session
from claimscope.core.backends.onnx.session import (
    MOST_BYTES,
    BoundedSession,
    MemoryRoom,
    bytes_of,
)

TEXTS = [f"The mill of Arbel was built in 15{n:02}. " * (1 + n % 9) for n in range(40)]


@pytest.mark.slow
def test_parts_of_a_batch_say_what_it_says_at_once(
    exported_models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = default_embedder(exported_models).embed(TEXTS)
    monkeypatch.setattr(session, "MOST_PAIRS", 1)
    assert np.allclose(default_embedder(exported_models).embed(TEXTS), whole, atol=1e-6)


def test_a_batch_is_not_split_where_texts_depend_on_one_another() -> None:
    shapes: list[tuple[int, int]] = []
    ids = np.zeros((64, 192))
    Counted(shapes, splits=False).run(["first"], {"ids": ids})
    assert shapes == [(64, 192)]


class Counted(BoundedSession):
    """Keeps the shapes that are run."""

    def __init__(self, shapes: list[tuple[int, int]], *, splits: bool) -> None:
        self._shapes, self._splits = shapes, splits

    def _run(self, outputs: Any, inputs: Any) -> list[Any]:
        self._shapes.append(inputs["ids"].shape)
        return [inputs["ids"][:, 0]]


def test_a_run_holds_no_more_pairs_of_tokens_than_are_allowed() -> None:
    shapes: list[tuple[int, int]] = []

    ids = np.arange(64 * 192).reshape(64, 192)
    (found,) = Counted(shapes, splits=True).run(["first"], {"ids": ids})
    assert (found == ids[:, 0]).all()
    assert {rows for rows, _ in shapes} == {8} and len(shapes) == 8
    shapes.clear()
    Counted(shapes, splits=True).run(["first"], {"ids": ids[:, :20]})
    assert shapes == [(64, 20)]


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"no model")
    with pytest.raises(Exception, match="model.onnx"):
        BoundedSession(tmp_path / "model.onnx", 1, 2)


def test_what_a_run_takes_was_measured() -> None:
    # 30 pairs of 80 tokens took 44 MB, 32 of 192 took 163.
    assert bytes_of(30, 80) == pytest.approx(44e6, rel=0.05)
    assert bytes_of(32, 192) == pytest.approx(163e6, rel=0.05)


def test_runs_that_fit_together_go_on_at_once_and_others_wait() -> None:
    room, half = MemoryRoom(2), MOST_BYTES // 2
    inside = threading.Barrier(2)  # broken unless both are in at once
    with ThreadPoolExecutor(2) as pool:

        def both() -> None:
            with room.holding(half):
                inside.wait(timeout=20)

        for done in [pool.submit(both) for _ in range(2)]:
            done.result()
        with room.holding(half):
            entered = threading.Event()

            def large() -> None:
                with room.holding(half + 1):
                    entered.set()

            waiting = pool.submit(large)
            assert not entered.wait(timeout=0.05)
        waiting.result(timeout=20)
        assert entered.is_set()


def test_no_more_runs_go_on_than_there_are_cores_for() -> None:
    room = MemoryRoom(1)
    entered = threading.Event()

    def second() -> None:
        with room.holding(1):
            entered.set()

    with ThreadPoolExecutor(1) as pool:
        with room.holding(1):
            waiting = pool.submit(second)
            assert not entered.wait(timeout=0.05)
        waiting.result(timeout=20)
    assert entered.is_set()


def test_a_run_larger_than_the_bound_goes_on_alone_and_a_fault_gives_room_back() -> (
    None
):
    room = MemoryRoom(2)
    with pytest.raises(ValueError, match="broken"), room.holding(10 * MOST_BYTES):
        raise ValueError("broken")
    with room.holding(MOST_BYTES):
        pass
