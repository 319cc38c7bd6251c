"""A classifier's folder, looked at before anything slow is loaded.

What cannot work is refused here, with its reason: a folder without weights, a model
of another kind, one that needs code of its own to run (nobody's code is run), one
whose outputs have no meaning that is known. Nothing is ever downloaded.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimscope.core.backends.transformers.classifier_labels import (
    LabelPlaces,
    labels_of,
)
from claimscope.core.caches import cache_folder
from claimscope.core.errors import SettingsError
from claimscope.core.models import digest

CONFIG = "config.json"
CALIBRATION = "claimscope.json"
"""Optional, beside the weights: {"slope": 1.0, "intercept": 0.0}, a logistic
calibration of the log-odds of "supported"."""
WEIGHTS = ("model*.safetensors", "pytorch_model*.bin")
TOKENIZERS = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "vocab.*",
    "merges.txt",
    "*.model",
)
FAMILIES = ("minicheck", "hhem", "hallucination_evaluation")
"""Known by name: their outputs have none, and 1 (or the only one) is "supported"."""
CARD = 4000
"""Characters of a model card that say what it is."""
KEPT_DIGESTS = "file_digests.json"
BIG = 10_000_000
"""Bytes from which a file's digest is kept: reading gigabytes takes seconds."""


@dataclass(frozen=True)
class ClassifierFolder:
    """A sequence classifier on disk that can be used."""

    path: Path
    name: str
    labels: LabelPlaces
    is_joined: bool
    """Reads premise and claim as one text with the end sign between them, as
    MiniCheck was trained, not as a pair."""
    slope: float = 1.0
    intercept: float = 0.0

    def digest(self) -> str:
        """Changes with weights, tokenizer, configuration, calibration and labels."""
        patterns = (CONFIG, *WEIGHTS, *TOKENIZERS)
        files = {p for pattern in patterns for p in self.path.glob(pattern)}
        parts = [f"{path.name}={file_digest(path)}" for path in sorted(files)]
        calibration = f"{self.slope}, {self.intercept}"
        return digest(*parts, self.labels.describe(), calibration)


def classifier_folder(
    folder: str | None, labels: str | None = None
) -> ClassifierFolder:
    """The classifier of the settings. Raises SettingsError that says what is wrong
    with the folder and what to do."""
    if not folder:
        raise SettingsError(
            "no classifier is named",
            "--classifier FOLDER names a local NLI or groundedness classifier",
        )
    path = Path(folder).expanduser().absolute()
    if not path.is_dir():
        what = "is not a folder" if path.exists() else "no such folder"
        raise SettingsError(
            f"classifier {folder}: {what}",
            "name a folder with config.json, weights and tokenizer; nothing is "
            "downloaded",
        )
    config = _config(path)
    check_files(folder, path)
    check_kind(folder, config)
    about = _about(path, config)
    try:
        found = labels_of(
            config, labels, is_known=any(family in about for family in FAMILIES)
        )
    except SettingsError as error:
        message = f"classifier {folder}: {error.message}"
        raise SettingsError(message, error.hint) from None
    slope, intercept = _calibration(path)
    return ClassifierFolder(
        path, name_of(path), found, "minicheck" in about, slope, intercept
    )


def check_files(folder: str, path: Path) -> None:
    """Raises SettingsError when weights or a tokenizer are missing."""
    if not any(True for pattern in WEIGHTS for _ in path.glob(pattern)):
        raise SettingsError(
            f"classifier {folder}: there are no weights in the folder",
            "copy model.safetensors (or pytorch_model.bin) into it",
        )
    if not any(True for pattern in TOKENIZERS for _ in path.glob(pattern)):
        raise SettingsError(
            f"classifier {folder}: there is no tokenizer in the folder",
            "copy the model's tokenizer.json and tokenizer_config.json into it",
        )


def check_kind(folder: str, config: Mapping[str, Any]) -> None:
    """Raises SettingsError when a configuration is not of a sequence classifier that
    runs without code of its own."""
    own = config.get("auto_map")
    if own:
        raise SettingsError(
            f"classifier {folder}: this model runs only with Python code of its own "
            "(auto_map in its config.json), which is never run",
            "take a classifier that transformers knows by itself, such as a DeBERTa "
            "or RoBERTa one",
        )
    architectures = config.get("architectures")
    kinds = architectures if isinstance(architectures, list) else []
    if not any(str(kind).endswith("ForSequenceClassification") for kind in kinds):
        what = ", ".join(str(kind) for kind in kinds) or "none"
        raise SettingsError(
            f"classifier {folder}: not a sequence classifier (architectures in its "
            f"config.json: {what})",
            "take a model whose architecture ends in ForSequenceClassification; one "
            "that writes text is asked by --verifier ollama",
        )


def name_of(path: Path) -> str:
    """The folder's name; of a snapshot in a Hugging Face cache, the model's."""
    if path.parent.name == "snapshots":
        return path.parent.parent.name.removeprefix("models--").replace("--", "/")
    return path.resolve().name if path.name in ("", ".", "..") else path.name


def _config(path: Path) -> dict[str, Any]:
    file = path / CONFIG
    try:
        found = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise SettingsError(
            f"classifier {path}: there is no {CONFIG} in the folder",
            "name the folder that a model was saved to, the one with its weights",
        ) from None
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"{file}: it cannot be read as JSON ({error})", "copy the model again"
        ) from None
    if not isinstance(found, dict):
        raise SettingsError(f"{file}: it is not an object", "copy the model again")
    return found


def _about(path: Path, config: Mapping[str, Any]) -> str:
    """What names a model's family: its folder, its own name, the head of its card."""
    card = ""
    with suppress(OSError):
        card = (path / "README.md").read_text("utf-8", "replace")[:CARD]
    # The card's first heading, not its text, which may compare the model to others.
    title = next((line for line in card.splitlines() if line.startswith("# ")), "")
    own = str(config.get("_name_or_path", ""))
    return " ".join((name_of(path), own, title)).casefold().replace("-", "_")


def _calibration(path: Path) -> tuple[float, float]:
    """Slope and intercept; 1 and 0 when there is no file."""
    file = path / CALIBRATION
    try:
        data = json.loads(file.read_text("utf-8"))
        slope, intercept = float(data["slope"]), float(data["intercept"])
    except FileNotFoundError:
        return 1.0, 0.0
    except (OSError, ValueError, KeyError, TypeError):
        slope, intercept = 0.0, 0.0
    if not 0 < slope < float("inf") or not abs(intercept) < float("inf"):
        raise SettingsError(
            f"{file}: not a calibration",
            'write {"slope": 1.0, "intercept": 0.0} with a slope above 0, or delete it',
        )
    return slope, intercept


def file_digest(path: Path) -> str:
    """The sha256 of a file; of a big one it is kept in the cache, for as long as the
    file has the same size and time. Raises SettingsError when it cannot be read."""
    try:
        state = path.stat()
        if state.st_size < BIG:
            return sha256_of(path)
        key = f"{path.resolve()} {state.st_size} {state.st_mtime_ns}"
        kept = _kept_digests()
        if key not in kept:
            kept[key] = sha256_of(path)
            _keep(kept)
        return kept[key]
    except OSError as error:
        raise SettingsError(
            f"{path}: the file cannot be read ({error.strerror})", "check its mode"
        ) from None


def sha256_of(path: Path) -> str:
    """Of all its bytes, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _kept_digests() -> dict[str, str]:
    try:
        found = json.loads((cache_folder() / KEPT_DIGESTS).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _keep(digests: dict[str, str]) -> None:
    """Only a cache: where it cannot be written, digests are computed again."""
    with suppress(OSError):
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        fresh = folder / f"{KEPT_DIGESTS}.{os.getpid()}"
        fresh.write_text(json.dumps(digests, indent=1), "utf-8")
        fresh.replace(folder / KEPT_DIGESTS)
