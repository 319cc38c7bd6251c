"""Fits the verifier without a language model and writes its data file.

    python -m benchmarks.quality.fit_verifier DATA [--vectors FILE] [--support]

DATA holds `<set>.jsonl` with labelled rows. Only the sets of `labelled.FITTING` are
fitted on, for the support everyday pairs of the project too: web texts tell little of
what the entailment model is worth on short passages. Trees (gradient boosting, monotone
where a feature has a clear direction) and a logistic regression are blended; threshold,
calibration and bands are set on predictions for documents held out while fitting.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.quality.labelled import (
    FITTING,
    KeptVectors,
    Labelled,
    balanced_accuracy,
    everyday,
    labelled,
    read,
)
from claimscope.core.backends.embedders import default_embedder
from claimscope.core.text.sentences import split_sentences
from claimscope.core.verify.fit import calibration
from claimscope.core.verify.fit.calibration import (
    Doubles,
    EvidenceModel,
    model_from,
    support_model,
)
from claimscope.core.verify.word_forms import RARITY_FILE, words

RISING = ("cosine", "share", "gathered", "grams", "common", "entails")
FALLING = ("lost", "opposed", "apart", "contradicts")
HEARD = ("entails", "contradicts")
"""Features of the entailment model's word."""
SEEDS = 3
TREE_SHARE = 0.5
SET_WEIGHTS = {"summedits": 0.2}
"""Its one-word edits are hardly visible to these features: mostly noise to a fit."""
LEFT_OUT = ("length", "words", "sentence", "units", "negat", "gathered")
"""Features that tell the sets apart rather than right from wrong."""
LICENCES = {
    "wice": "ODC-BY, CC BY-SA",
    "factcheck_bench": "Apache-2.0",
    "summedits": "Apache-2.0",
}


def rarities(folder: Path, names: Sequence[str]) -> dict[str, str]:
    """Stems of the evidence texts by rarity: log inverse sentence frequency, 1 for
    those in fewer than five sentences."""
    counts: Counter[str] = Counter()
    total = 0
    for name in names:
        for text in {str(row["evidence"]) for row in read(folder, name)}:
            for start, end in split_sentences(text):
                total += 1
                counts.update({word.stem for word in words(text[start:end])})
    levels: dict[str, list[str]] = defaultdict(list)
    for stem, count in counts.items():
        if count >= 5 and not stem[0].isdigit():
            level = min(1.0, math.log((total + 1) / (count + 1)) / math.log(total / 5))
            levels[f"{level:.2f}"].append(stem)
    return {level: " ".join(sorted(levels[level])) for level in sorted(levels)}


def weights(sets: Sequence[Labelled]) -> Doubles:
    """Sets weigh the same but for SET_WEIGHTS; within one, both labels do."""
    found = []
    for one in sets:
        yes = one.supported == 1
        share = SET_WEIGHTS.get(one.name, 1.0) / 2
        found.append(np.where(yes, share / yes.sum(), share / (~yes).sum()))
    joined = np.concatenate(found)
    return np.asarray(joined / joined.mean())


def directions(names: Sequence[str]) -> list[int]:
    """1 where more of a feature can only speak for the claim, -1 against, else 0."""
    return [
        1 if name.startswith(RISING) else -1 if name.startswith(FALLING) else 0
        for name in names
    ]


def unread(one: Labelled) -> Labelled:
    """A set without what the entailment model says."""
    kept = [i for i, name in enumerate(one.names) if not name.startswith(HEARD)]
    names = tuple(one.names[i] for i in kept)
    return replace(one, features=one.features[:, kept], names=names)


def fit(sets: Sequence[Labelled]) -> dict[str, Any]:
    """Trees and linear part, as the data file has them; threshold not yet set."""
    columns = [i for i, name in enumerate(sets[0].names) if is_used(name)]
    names = [sets[0].names[column] for column in columns]
    rows = np.concatenate([one.features[:, columns] for one in sets])
    supported = np.concatenate([one.supported for one in sets])
    weight = weights(sets)
    return {
        "features": list(names),
        "trees": fit_trees(rows, supported, weight, names),
        "linear": fit_linear(rows, supported, weight),
        "tree_share": TREE_SHARE,
        "calibration": {"slope": 1.0, "intercept": 0.0},
        "threshold": 0.5,
        "bands": {"low": 0.35, "high": 0.65},
    }


def is_used(name: str) -> bool:
    return not name.startswith(LEFT_OUT) and not name.endswith(".max")


def fit_trees(
    rows: Doubles, supported: Any, weight: Doubles, names: Sequence[str]
) -> dict[str, Any]:
    """Gradient boosting with several seeds, flattened into lists of nodes."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    found: dict[str, list[Any]] = {
        key: [] for key in ("roots", "feature", "threshold", "left", "right", "value")
    }
    base = 0.0
    for seed in range(SEEDS):
        model = HistGradientBoostingClassifier(
            max_iter=80,
            learning_rate=0.06,
            max_leaf_nodes=6,
            min_samples_leaf=40,
            l2_regularization=10,
            max_features=0.4,
            monotonic_cst=directions(names),
            random_state=seed,
        )
        # Threads that wait for one another are slower than one on a busy machine.
        with threadpool_limits(1):
            model.fit(rows, supported, sample_weight=weight)
        base += float(np.ravel(model._baseline_prediction)[0]) / SEEDS
        for (predictor,) in model._predictors:
            append(found, predictor.nodes)
    return {**found, "base": base}


def append(found: dict[str, list[Any]], nodes: Any) -> None:
    """One tree's nodes, their children's numbers moved."""
    first = len(found["feature"])
    found["roots"].append(first)
    for node in nodes:
        leaf = bool(node["is_leaf"])
        found["feature"].append(-1 if leaf else int(node["feature_idx"]))
        found["threshold"].append(0.0 if leaf else float(node["num_threshold"]))
        found["left"].append(0 if leaf else first + int(node["left"]))
        found["right"].append(0 if leaf else first + int(node["right"]))
        found["value"].append(round(float(node["value"]) / SEEDS, 5) if leaf else 0.0)


def fit_linear(rows: Doubles, supported: Any, weight: Doubles) -> dict[str, Any]:
    """Logistic regression over standardised features."""
    from sklearn.linear_model import LogisticRegression

    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    scale[scale < 1e-9] = 1.0
    model = LogisticRegression(C=0.02, max_iter=1000)
    model.fit((rows - mean) / scale, supported, sample_weight=weight)
    return {
        "mean": [round(float(value), 6) for value in mean],
        "scale": [round(float(value), 6) for value in scale],
        "weights": [round(float(value), 6) for value in model.coef_[0]],
        "bias": float(model.intercept_[0]),
    }


def held_out(sets: Sequence[Labelled], folds: int = 4) -> list[Doubles]:
    """Log-odds of each row by a model that did not see its document."""
    from sklearn.model_selection import GroupKFold

    found = [np.zeros(len(one.supported)) for one in sets]
    cuts = [
        list(GroupKFold(folds).split(one.features, one.supported, one.groups))
        for one in sets
    ]
    for fold in range(folds):
        seen = [part(one, cuts[i][fold][0]) for i, one in enumerate(sets)]
        model = model_from(fit(seen))
        for i, one in enumerate(sets):
            rows = cuts[i][fold][1]
            found[i][rows] = model.log_odds(columns_of(one, model)[rows])
    return found


def columns_of(one: Labelled, model: EvidenceModel) -> Doubles:
    """A set's features in the model's order."""
    places = [one.names.index(name) for name in model.features]
    return np.asarray(one.features[:, places])


def part(one: Labelled, rows: Any) -> Labelled:
    """Some rows of a set."""
    return replace(
        one,
        rows=[one.rows[row] for row in rows],
        features=one.features[rows],
        supported=one.supported[rows],
        groups=one.groups[rows],
        vetoed=one.vetoed[rows],
    )


def fitted_on(sets: Sequence[Labelled]) -> dict[str, Any]:
    """A complete model: fitted, calibrated, with threshold and bands."""
    from sklearn.linear_model import LogisticRegression

    data = fit(sets)
    outside = held_out(sets)
    joined = np.concatenate(outside)
    supported = np.concatenate([one.supported for one in sets])
    platt = LogisticRegression(C=1e6).fit(
        joined[:, None], supported, sample_weight=weights(sets)
    )
    slope, intercept = float(platt.coef_[0][0]), float(platt.intercept_[0])
    data["calibration"] = {"slope": slope, "intercept": intercept}
    supports = [1 / (1 + np.exp(-(slope * odds + intercept))) for odds in outside]
    data["threshold"] = best_threshold(sets, supports)
    data["bands"] = bands(data["threshold"])
    return data


def model_for(name: str, sets: Mapping[str, Labelled], own: Labelled) -> EvidenceModel:
    """What makes the support of a set: a model that was not fitted on it. `own`: the
    everyday pairs of the project."""
    if name not in FITTING:
        return support_model()
    others = [sets[other] for other in FITTING if other != name]
    return model_from(fitted_on([*others, own]))


def best_threshold(sets: Sequence[Labelled], supports: Sequence[Doubles]) -> float:
    """Where the mean balanced accuracy of the held-out rows is highest; the middle of
    the places that are within half a point of it."""
    places = np.linspace(0.2, 0.8, 61)
    means = np.array(
        [
            np.mean(
                [
                    balanced_accuracy(one.supported, (support >= place) & ~one.vetoed)
                    for one, support in zip(sets, supports, strict=True)
                ]
            )
            for place in places
        ]
    )
    good = places[means >= means.max() - 0.005]
    return round(float(np.median(good)), 3)


def bands(threshold: float) -> dict[str, float]:
    """Review lies around the threshold, as wide as a third of what is left."""
    low = threshold - threshold / 3
    high = threshold + (1 - threshold) / 3
    return {"low": round(low, 3), "high": round(high, 3)}


def write(path: Path, data: Mapping[str, Any]) -> None:
    """The data file, one key a line."""
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in data.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument(
        "--support", action="store_true", help="leave likeness as it is"
    )
    options = parser.parse_args()
    made = "Written by benchmarks/quality/fit_verifier.py; do not edit."
    if not options.support:
        rarity = rarities(options.data, FITTING)
        write(RARITY_FILE, {"about": made, "rarity": rarity})
    embedder = KeptVectors(default_embedder(), options.vectors)
    sets = [labelled(options.data, name, embedder) for name in FITTING]
    own = everyday(embedder)
    embedder.save()
    about = {
        "about": made,
        "fitted": date.today().isoformat(),
        "sets": {one.name: len(one.rows) for one in sets},
        "licences": LICENCES,
        "embedding": embedder.model_id,
    }
    with_own = {**about, "own rows": len(own.rows), **fitted_on([*sets, own])}
    write(calibration.SUPPORT_FILE, with_own)
    if not options.support:
        likeness = fitted_on([unread(one) for one in sets])
        write(calibration.MODEL_FILE, {**about, **likeness})


if __name__ == "__main__":
    main()
