"""Flags that several commands share."""

from __future__ import annotations

import argparse

MODEL_FLAGS = (
    "verifier",
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
        choices=("none", "ollama"),
        help="none: embeddings, lexical evidence and rules (default); ollama: "
        "with a local language model as well",
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


def given(arguments: argparse.Namespace) -> dict[str, object | None]:
    """Settings given as flags; None = not given."""
    return {name: getattr(arguments, name, None) for name in MODEL_FLAGS}
