"""A classifier's folder becomes a model in memory: offline, silent, and whole.

Libraries fill what a file lacks with random numbers and only log it; a classifier
whose last layer is random judges at random, so that is refused.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from logging import ERROR, getLogger
from pathlib import Path
from typing import Any

from claimscope.core.backends.transformers.classifier_folder import ClassifierFolder
from claimscope.core.errors import SettingsError
from claimscope.core.telemetry import switch_off

AGAIN = (
    "check that config.json, weights and tokenizer.json belong together, or copy the "
    "model again"
)


def load(folder: ClassifierFolder) -> Any:
    """A sentence-transformers CrossEncoder that gives raw outputs, in single
    precision. Raises SettingsError that says what is wrong with the folder."""
    switch_off()
    try:
        with silence():
            import torch
            from sentence_transformers import CrossEncoder

            model: Any = CrossEncoder(
                str(folder.path),
                local_files_only=True,
                trust_remote_code=False,
                # Raw numbers, not a folder's own choice of what to make of them.
                activation_fn=torch.nn.Identity(),
            )
            model.float()  # half precision is for graphics processors
            missing = missing_head(model.model, folder.path)
    except Exception as error:  # whatever the libraries raise
        raise SettingsError(
            f"classifier {folder.path}: the model cannot be loaded "
            f"({type(error).__name__}: {error})",
            AGAIN,
        ) from error
    outputs = int(model.config.num_labels)
    if outputs != folder.labels.count:
        raise SettingsError(
            f"classifier {folder.path}: it has {outputs} outputs, its config.json "
            f"names {folder.labels.count}",
            "correct id2label in config.json",
        )
    if missing:
        raise SettingsError(
            f"classifier {folder.path}: its weights have no {', '.join(missing)}: the "
            "layer that tells the labels was not saved, or was never trained",
            AGAIN,
        )
    return model


def missing_head(model: Any, folder: Path) -> list[str]:
    """Names of weights above the body of the model that its files lack."""
    import torch
    from safetensors import safe_open

    held: set[str] = set()
    for path in folder.glob("model*.safetensors"):
        with safe_open(path, "pt") as file:
            held.update(file.keys())
    if not held:
        for path in folder.glob("pytorch_model*.bin"):
            held.update(torch.load(path, map_location="meta", weights_only=True))
    body = f"{model.base_model_prefix}."
    head = {name for name in model.state_dict() if not name.startswith(body)}
    return sorted(head - held)


@contextmanager
def silence() -> Iterator[None]:
    """No warnings, bars or log lines of the libraries: stderr belongs to the caller."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        switch_off()
        from transformers.utils import logging

        told: Any = logging
        told.disable_progress_bar()
        loggers = [getLogger("sentence_transformers"), told.get_logger("transformers")]
        levels = [logger.level for logger in loggers]
        for logger in loggers:
            logger.setLevel(ERROR)
        try:
            yield
        finally:
            for logger, level in zip(loggers, levels, strict=True):
                logger.setLevel(level)
