"""The default model as an ONNX file, made once and kept in the cache.

Importing sentence-transformers takes 7 s and 400 MB, onnxruntime 0.3 s and 60 MB,
with the same vectors: so the first use pays for an export and no later one does. The
weights lie beside the file and are mapped from there: of the words' vectors, half of
all, only what is used comes into memory.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from claimscope.core.backends.onnx import weights
from claimscope.core.errors import EmbeddingError
from claimscope.core.ports import Floats
from claimscope.core.telemetry import switch_off

FORMAT = 2
"""Raised when the exported graph changes; files of older formats are ignored."""
WHOLE = 1
"""The format that held graph and weights in one file."""
SMALL = 1024
"""Bytes below which a tensor stays in the file of the graph."""
PARITY = 0.9999
"""Smallest cosine between exported and original vectors."""
PROBES = (
    "Sea level is measured at the harbour gauge.",
    "The course costs $29.00 and lasts six weeks; no experience is needed.",
    "In 42 adults, 10 mg a day lowered the mean pressure by 7.4 mmHg (p = 0.03).",
    "Ærø, Łódź and 東京 are places.",
    "no",
)
"""Texts of different length, so that padding and masking are part of the check."""


def exported_model(cache: Path, on_note: Callable[[str], None] | None) -> Path:
    """The ONNX file of the default model; exported first when it is not there.

    Inputs input_ids, attention_mask, token_type_ids, each (batch, tokens) int64;
    output (batch, tokens, 384) float32. Two processes exporting at once do the work
    twice and leave one whole file. Raises EmbeddingError.
    """
    target = place_of(cache, FORMAT)
    if target.is_file():
        return target
    whole = place_of(cache, WHOLE)
    if whole.is_file():
        with suppress(Exception):  # damaged: it is made anew
            _write_in_parts(whole, target)
            whole.unlink()
            return target
    folder = weights.model_folder()
    weights.check(folder / "model.safetensors", weights.WEIGHTS_SHA256)
    if on_note is not None:
        on_note(f"Preparing the embedding model {weights.NAME} (once, about 15 s) …")
    try:
        cache.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=target.stem, suffix=".part", dir=cache)
        os.close(handle)
    except OSError as error:
        raise _cache_error(cache, error) from error
    part = Path(name)
    try:
        export_into(folder, part)
        _write_in_parts(part, target)
    except OSError as error:
        raise _cache_error(cache, error) from error
    finally:
        part.unlink(missing_ok=True)
    if on_note is not None:
        on_note(f"The embedding model {weights.NAME} is ready.")
    return target


def export_in_own_process(cache: Path) -> None:
    """The same in a process of its own, for one that must stay small and have no
    threads. Raises EmbeddingError."""
    if place_of(cache, FORMAT).is_file():
        return
    code = (
        "import sys; from pathlib import Path; "
        "from claimscope.core.backends.onnx.export import exported_model; "
        "exported_model(Path(sys.argv[1]), None)"
    )
    done = _run_python(code, cache)
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        raise EmbeddingError(
            f"{cache}: the embedding model could not be prepared: {' '.join(last)}",
            "Run a check without the resident engine: it says what is wrong.",
        )


def memory_mapped(graph: Path, cache: Path) -> Path:
    """A file of the same graph with its weights beside it, mapped from there; made in
    the cache at first use, by a process of its own: to take a model apart needs three
    times its size. Where that cannot be, the file itself. Raises EmbeddingError when
    it cannot be read."""
    found = weights.file_sha256(graph)[:16]
    target = cache / f"{graph.parent.name}-{found}-{FORMAT}.onnx"
    if target.is_file():
        return target
    code = (
        "import sys; from pathlib import Path; "
        "from claimscope.core.backends.onnx.export import _write_in_parts; "
        "target = Path(sys.argv[2]); target.parent.mkdir(parents=True, exist_ok=True); "
        "_write_in_parts(Path(sys.argv[1]), target)"
    )
    _run_python(code, graph, target)
    return target if target.is_file() else graph


def _run_python(code: str, *arguments: Path) -> subprocess.CompletedProcess[str]:
    # The child must find the same packages, however this process found them.
    path = os.pathsep.join(part for part in sys.path if part)
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def place_of(cache: Path, form: int) -> Path:
    """The graph of the exported model in a cache, in a form (WHOLE or FORMAT)."""
    return cache / f"{weights.NAME}-{weights.WEIGHTS_SHA256[:16]}-fp32-{form}.onnx"


def _write_in_parts(whole: Path, target: Path) -> None:
    """Writes a graph with its weights beside it. Their name tells what they are: two
    processes never mix theirs. Raises OSError, and what onnx raises."""
    import onnx

    beside = f"{target.stem}-{weights.file_sha256(whole)[:8]}.weights"
    with tempfile.TemporaryDirectory(prefix=target.stem, dir=target.parent) as name:
        folder = Path(name)
        onnx.save_model(
            onnx.load(str(whole)),
            str(folder / target.name),
            save_as_external_data=True,
            location=beside,
            size_threshold=SMALL,
        )
        (folder / beside).replace(target.with_name(beside))
        (folder / target.name).replace(target)


def _cache_error(cache: Path, error: OSError) -> EmbeddingError:
    return EmbeddingError(
        f"{cache}: the exported model cannot be written ({error.strerror}).",
        "Set CLAIMSCOPE_CACHE to a folder you can write to, with 100 MB free.",
    )


def export_into(folder: Path, part: Path) -> None:
    """Exports the installed model, checks it against the original, writes `part`."""
    switch_off()
    with warnings.catch_warnings():
        # The TorchScript exporter is deprecated but exact; the warnings of the
        # libraries concern their own future, not this file.
        warnings.simplefilter("ignore")
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging as progress

        quiet: Any = progress.disable_progress_bar
        quiet()  # stderr belongs to the caller
        model: Any = SentenceTransformer(
            str(folder),
            device="cpu",
            local_files_only=True,
            model_kwargs={"attn_implementation": "eager"},
        )
        _write_graph(model, part)
        expected = np.asarray(model.encode(list(PROBES)), dtype=np.float32)
    from claimscope.core.backends.onnx.embedding import OnnxEmbedder

    check_parity(OnnxEmbedder(lambda: part).embed(PROBES), expected)


def _write_graph(model: Any, part: Path) -> None:
    import torch

    names = ("input_ids", "attention_mask", "token_type_ids")

    class States(torch.nn.Module):
        """The network with plain tensors in and out, as the exporter wants it."""

        def __init__(self) -> None:
            super().__init__()
            self.network: Any = model[0].auto_model

        def forward(self, ids: Any, mask: Any, types: Any) -> Any:
            return self.network(
                input_ids=ids, attention_mask=mask, token_type_ids=types
            ).last_hidden_state

    sample = model.tokenizer(list(PROBES), padding=True, return_tensors="pt")
    with torch.no_grad():
        torch.onnx.export(
            States().eval(),
            tuple(sample[name] for name in names),
            str(part),
            input_names=list(names),
            output_names=["states"],
            dynamic_axes={n: {0: "batch", 1: "tokens"} for n in (*names, "states")},
            opset_version=17,
            dynamo=False,
        )


def check_parity(found: Floats, expected: Floats) -> None:
    """An EmbeddingError unless each vector is near to the expected one (PARITY)."""
    expected = expected / np.linalg.norm(expected, axis=1, keepdims=True)
    worst = float((found * expected).sum(axis=1).min())
    if not worst >= PARITY:
        raise EmbeddingError(
            f"The exported model {weights.NAME} gives other vectors than the original "
            f"(cosine {worst:.5f}, wanted {PARITY}).",
            "Choose a sentence-transformers model by its folder instead, and report "
            "the versions of torch and transformers.",
        )
