"""VerifyMean: balanced accuracy of "supported" on six public sets, one threshold.

    python -m benchmarks.quality.verify_mean DATA [--vectors FILE] [--more]

Each set is scored by a model that was not fitted on it: attributionbench, qags and
faithbench by the model that ships, wice, factcheck_bench and summedits by one fitted
on the other two of them and the project's own pairs, threshold included. `--more` adds
the three-way sets.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from benchmarks.quality.fit_verifier import columns_of, model_for
from benchmarks.quality.labelled import (
    MEASURED,
    KeptVectors,
    Labelled,
    everyday,
    labelled,
    questions,
    read,
    score,
)
from claimscope.core.backends.embedders import default_embedder
from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.models import Label
from claimscope.core.ports import Embedder
from claimscope.core.verify.fit.calibration import (
    EvidenceModel,
)
from claimscope.core.verify.verifier import EvidenceVerifier

MORE = ("healthver", "climate_fever")


def said(
    one: Labelled, model: EvidenceModel
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which rows the verifier calls supported."""
    support = model.support(columns_of(one, model))
    return np.asarray((support >= model.threshold) & ~one.vetoed)


def three_way(folder: Path, name: str, embedder: Embedder) -> str:
    """Macro-F1 of the three labels; precision and recall of "contradicted"."""
    rows = read(folder, name)
    verdicts = EvidenceVerifier(embedder, shipped_model()).verify_now(
        questions(rows, embedder)
    )
    right = {
        "supported": Label.SUPPORTED,
        "contradicted": Label.CONTRADICTED,
        "not_enough": Label.NOT_ENOUGH_INFO,
    }
    scores = []
    shown = ""
    for label, verdict in right.items():
        gold = np.array([row["label"] == label for row in rows])
        got = np.array([one.label is verdict for one in verdicts])
        hits = float((gold & got).sum())
        precision, recall = hits / max(got.sum(), 1), hits / max(gold.sum(), 1)
        scores.append(2 * precision * recall / max(precision + recall, 1e-9))
        if label == "contradicted":
            shown = f"contradicted precision {precision:.2f} recall {recall:.3f}"
    return f"{name:18} macro-F1 {100 * np.mean(scores):5.1f}   {shown}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--more", action="store_true")
    options = parser.parse_args()
    embedder = KeptVectors(default_embedder(), options.vectors)
    sets: dict[str, Labelled] = {}
    began = time.perf_counter()
    for name in MEASURED:
        sets[name] = labelled(options.data, name, embedder)
    seconds = time.perf_counter() - began
    own = everyday(embedder)
    embedder.save()
    scores = []
    for name, one in sets.items():
        scores.append(score(one, said(one, model_for(name, sets, own))))
        print(f"{name:18} {scores[-1]:5.1f}   n = {len(one.rows)}")
    print(f"{'VerifyMean':18} {np.mean(scores):5.1f}")
    count = sum(len(one.rows) for one in sets.values())
    print(f"{count / seconds:.1f} rows a second")
    for name in MORE if options.more else ():
        print(three_way(options.data, name, embedder))
    embedder.save()


if __name__ == "__main__":
    main()
