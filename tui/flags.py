"""Flags that several commands share."""

from __future__ import annotations

import argparse
from pathlib import Path

MODEL_FLAGS = (
    "verifier",
    "classifier",
    "classifier_labels",
    "model",
    "judges",
    "panel",
    "ollama_host",
    "context_tokens",
    "embedding_model",
    "concurrency",
    "judge",
    "iterations",
    "seed",
)


def add_model_flags(parser: argparse.ArgumentParser) -> None:
    """Which verifier and which models."""
    group = parser.add_argument_group("models")
    group.add_argument(
        "--verifier",
        choices=("none", "ollama", "classifier"),
        help="none: embeddings, lexical evidence and rules (default); ollama: "
        "with a local language model as well; classifier: with a local NLI or "
        "groundedness classifier",
    )
    group.add_argument(
        "--classifier",
        type=absolute,
        metavar="FOLDER",
        help="that classifier: config.json, weights, tokenizer; nothing is downloaded",
    )
    group.add_argument(
        "--classifier-labels",
        metavar="ROLE=N,…",
        help="which of its outputs is which, when their names do not say: "
        "supported=1, or supported=0,contradicted=2",
    )
    group.add_argument("--model", metavar="NAME", help="the Ollama model")
    group.add_argument(
        "--judges",
        metavar="A,B",
        help="further Ollama models that judge beside --model; each word is kept",
    )
    group.add_argument(
        "--panel",
        choices=("majority", "mean"),
        help="how several judges make one verdict and grade (default: majority)",
    )
    group.add_argument(
        "--ollama-host", metavar="URL", help="default: OLLAMA_HOST, else port 11434"
    )
    group.add_argument(
        "--context-tokens", type=int, metavar="N", help="num_ctx of every call (4096)"
    )
    group.add_argument(
        "--embedding-model",
        metavar="FOLDER",
        help="a local sentence-transformers model (default: all-MiniLM-L6-v2)",
    )


def absolute(folder: str) -> str:
    """The folder wherever a run goes on."""
    return str(Path(folder).expanduser().absolute())


def given(arguments: argparse.Namespace) -> dict[str, object | None]:
    """Settings given as flags; None = not given."""
    return {name: getattr(arguments, name, None) for name in MODEL_FLAGS}
