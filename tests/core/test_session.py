"""Runs of an ONNX model are bounded, and say the same in parts as at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from claimscope.core.inference import session
from claimscope.core.inference.embedding import default_embedder
from claimscope.core.inference.session import BoundedSession

TEXTS = [f"The mill of Arbel was built in 15{n:02}. " * (1 + n % 9) for n in range(40)]


def test_parts_of_a_batch_say_what_it_says_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = default_embedder().embed(TEXTS)
    monkeypatch.setattr(session, "MOST_PAIRS", 1)
    assert np.allclose(default_embedder().embed(TEXTS), whole, atol=1e-6)


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
