"""Labelled public rows (claim, evidence text, label) for fitting and measuring.

The rows are not part of the project; each benchmark takes the folder that holds
`<set>.jsonl`. Vectors may be kept in a file between runs, as they take the longest.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.ports import Embedder, Floats, Question
from claimscope.core.verify.evidence import questions_of_rows
from claimscope.core.verify.fit.calibration import Doubles, matrix
from claimscope.core.verify.verifier import EvidenceVerifier

FITTING = ("wice", "factcheck_bench", "summedits")
"""Sets whose licence allows to ship what was fitted on them."""
MEASURED = (
    "wice",
    "attributionbench",
    "factcheck_bench",
    "summedits",
    "qags",
    "faithbench",
)
EVERYDAY = (
    "rows",
    "fresh/rows",
    "later/rows",
    "newest/rows",
    "figures/rows",
    "figures/second",
)
"""Rows of the project's own that the support is fitted on too."""
NOT_MEASURED = ("ExpertQA", "BEGIN")
"""Sources of attributionbench that its mean leaves out."""
BATCH = 256


@dataclass(frozen=True)
class Labelled:
    """One set: features of each row, whether it is supported, and its parts."""

    name: str
    rows: list[dict[str, object]]
    features: Doubles
    names: tuple[str, ...]
    supported: np.ndarray[tuple[int], np.dtype[np.int64]]
    groups: np.ndarray[tuple[int], np.dtype[np.str_]]
    vetoed: np.ndarray[tuple[int], np.dtype[np.bool_]]
    """Rows a rule forbids to be supported."""


class KeptVectors:
    """An embedder that remembers vectors in a file (half precision)."""

    def __init__(self, embedder: Embedder, path: Path | None) -> None:
        self._embedder = embedder
        self._path = path
        self._known: dict[str, Floats] = {}
        if path is not None and path.exists():
            texts = json.loads(path.with_suffix(".json").read_text("utf-8"))
            self._known = dict(zip(texts, np.load(path), strict=True))
        self._is_changed = False

    @property
    def model_id(self) -> str:
        return self._embedder.model_id

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    def embed(self, texts: Sequence[str]) -> Floats:
        """Vectors, those known from the file."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            vectors = self._embedder.embed(new).astype(np.float16)
            self._known.update(zip(new, vectors, strict=True))
            self._is_changed = True
        return np.array([self._known[text] for text in texts], dtype=np.float32)

    def save(self) -> None:
        """Writes the file when there is one and something is new."""
        if self._path is None or not self._is_changed:
            return
        np.save(self._path, np.array(list(self._known.values())))
        texts = json.dumps(list(self._known))
        self._path.with_suffix(".json").write_text(texts, "utf-8")


def read(folder: Path, name: str) -> list[dict[str, object]]:
    with (folder / f"{name}.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def questions(rows: Sequence[dict[str, object]], embedder: Embedder) -> list[Question]:
    """Rows with their candidate sentences, as `claimscope answers verify` asks them."""
    asked = [(str(row["claim"]), str(row["evidence"]), None) for row in rows]
    found: list[Question] = []
    for first in range(0, len(asked), BATCH):
        found += questions_of_rows(asked[first : first + BATCH], embedder)
    return found


def labelled(folder: Path, name: str, embedder: Embedder) -> Labelled:
    return labelled_rows(name, read(folder, name), embedder)


def everyday(embedder: Embedder) -> Labelled:
    """Everyday pairs of the project as one more set."""
    folder = Path(__file__).parent / "everyday"
    rows = [row for name in EVERYDAY for row in read(folder, name)]
    return labelled_rows(
        "everyday",
        [
            {**row, "label": row["gold"], "group": row["evidence"], "part": "all"}
            for row in rows
        ],
        embedder,
    )


def labelled_rows(
    name: str, rows: list[dict[str, object]], embedder: Embedder
) -> Labelled:
    """Rows with their features; those without any evidence get zeros."""
    asked = questions(rows, embedder)
    verifier = EvidenceVerifier(embedder, shipped_model())
    readings = iter(verifier.read([one for one in asked if one.evidence]))
    taken = [next(readings) if one.evidence else None for one in asked]
    names = tuple(next(one.row for one in taken if one is not None))
    blank = dict.fromkeys(names, 0.0)
    return Labelled(
        name,
        rows,
        matrix([one.row if one else blank for one in taken], names),
        names,
        np.array([row["label"] == "supported" for row in rows], dtype=np.int64),
        np.array([f"{name}/{row['group']}" for row in rows]),
        np.array(
            [one is None or any(f.shown.veto for f in one.findings) for one in taken]
        ),
    )


def parts(one: Labelled) -> list[np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """The rows whose balanced accuracies are averaged."""
    native = [str(row["part"]) for row in one.rows]
    if one.name == "wice":
        return [np.array([part == "test" for part in native])]
    if one.name == "attributionbench":
        sources = np.array([part.split("/")[1] for part in native])
        kept = sorted(set(sources) - set(NOT_MEASURED))
        return [sources == source for source in kept]
    if one.name == "summedits":
        return [np.array(native) == part for part in sorted(set(native))]
    return [np.ones(len(native), dtype=np.bool_)]


def balanced_accuracy(
    supported: np.ndarray[tuple[int], np.dtype[np.int64]],
    said: np.ndarray[tuple[int], np.dtype[np.bool_]],
) -> float:
    """Mean of the shares right among supported and among other rows."""
    yes = supported == 1
    return float((said[yes].mean() + (~said[~yes]).mean()) / 2)


def score(one: Labelled, said: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> float:
    """Balanced accuracy of a set in percent, the mean over its parts."""
    return 100 * float(
        np.mean([balanced_accuracy(one.supported[p], said[p]) for p in parts(one)])
    )
