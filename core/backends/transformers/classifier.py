"""A sequence classifier at work, through sentence-transformers' CrossEncoder.

Slow to import, so nothing is loaded before the first pair is judged. Texts are never
cut: callers ask how many tokens there is room for. Libraries fill what a file lacks
with random numbers and only log it; a classifier whose last layer is random judges at
random, so that is refused.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from logging import ERROR, getLogger
from pathlib import Path
from typing import Any

import numpy as np

from claimscope.core.backends.transformers.classifier_folder import ClassifierFolder
from claimscope.core.backends.transformers.classifier_labels import Numbers
from claimscope.core.errors import ModelError, SettingsError
from claimscope.core.ports import PairProbabilities
from claimscope.core.telemetry import switch_off

BATCH = 16
LONGEST = 512
"""Tokens of premise and claim. Some models take more, but were trained on less."""
SPARE = 4
"""Tokens kept free: joined texts may have one more than their parts."""
AGAIN = (
    "check that config.json, weights and tokenizer.json belong together, or copy the "
    "model again"
)


class Classifier:
    """The classifier of a folder; loaded at first use, one batch at a time."""

    def __init__(self, folder: ClassifierFolder) -> None:
        self._folder = folder
        self._lock = threading.RLock()
        self._model: Any = None

    @property
    def name(self) -> str:
        return self._folder.name

    @property
    def can_contradict(self) -> bool:
        return self._folder.labels.contradicted is not None

    def tokens(self, text: str) -> int:
        with self._lock:
            tokenizer = self._loaded().tokenizer
            found = tokenizer(
                _clean(text, tokenizer),
                add_special_tokens=False,
                truncation=False,
                verbose=False,
            )
        return len(found["input_ids"])

    def room(self, claim: str) -> int:
        with self._lock:
            model = self._loaded()
            positions = getattr(model.config, "max_position_embeddings", -1)
            longest = min(
                int(model.tokenizer.model_max_length),
                positions if positions and positions > 0 else LONGEST,
                LONGEST,
            )
            signs = int(model.tokenizer.num_special_tokens_to_add(pair=True))
        return longest - signs - SPARE - self.tokens(claim)

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[PairProbabilities | None]:
        """Equal pairs are judged once, in batches of pairs of about equal length.
        Raises ModelError when the model fails, SettingsError when it cannot load."""
        unique = sorted(dict.fromkeys(pairs), key=lambda pair: len("".join(pair)))
        if not unique:
            return []
        with self._lock:
            model = self._loaded()
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    logits = np.concatenate(
                        [
                            self._logits(model, unique[i : i + BATCH])
                            for i in range(0, len(unique), BATCH)
                        ]
                    )
            except Exception as error:  # whatever the libraries raise
                raise ModelError(
                    f"The classifier {self.name} failed "
                    f"({type(error).__name__}: {error}).",
                    "A smaller classifier needs less memory; `claimscope doctor` "
                    "looks at the folder.",
                ) from error
        found = dict(zip(unique, self._probabilities(logits), strict=True))
        return [found[pair] for pair in pairs]

    def _probabilities(self, logits: Numbers) -> list[PairProbabilities | None]:
        with np.errstate(all="ignore"):  # what is not finite is found below
            support, against = self._folder.labels.probabilities(logits)
        bounded = np.clip(support, 1e-6, 1 - 1e-6)
        odds = np.log(bounded / (1 - bounded))
        odds = self._folder.slope * odds + self._folder.intercept
        calibrated = 0.5 * (1 + np.tanh(odds / 2))
        return [
            PairProbabilities(
                float(calibrated[row]), None if against is None else float(against[row])
            )
            if np.isfinite(logits[row]).all()
            else None
            for row in range(len(logits))
        ]

    def _logits(self, model: Any, pairs: Sequence[tuple[str, str]]) -> Numbers:
        """Raw outputs, shape (len(pairs), outputs)."""
        clean = [
            (_clean(premise, model.tokenizer), _clean(claim, model.tokenizer))
            for premise, claim in pairs
        ]
        if self._folder.is_joined:
            raw = _joined_logits(model, clean)
        else:
            raw = model.predict(clean, batch_size=BATCH, show_progress_bar=False)
        return np.asarray(raw, dtype=np.float64).reshape(len(pairs), -1)

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                self._model = load(self._folder)
            return self._model


def _joined_logits(model: Any, pairs: Sequence[tuple[str, str]]) -> Any:
    """Premise, end sign, claim as one text."""
    import torch

    tokenizer = model.tokenizer
    end = tokenizer.eos_token or tokenizer.sep_token
    if not end:
        raise ValueError("its tokenizer has no end sign")
    features = tokenizer(
        [f"{premise}{end}{claim}" for premise, claim in pairs],
        padding=True,
        truncation=False,
        return_tensors="pt",
    ).to(model.device)
    with torch.inference_mode():
        return model.model(**features).logits.float().cpu().numpy()


def _clean(text: str, tokenizer: Any) -> str:
    """Without the tokenizer's own signs: a page or an answer that writes the end sign
    would pass for premise and claim. Lone surrogates are no text."""
    for sign in tokenizer.all_special_tokens:
        text = text.replace(sign, " ")
    return text.encode("utf-8", "replace").decode("utf-8")


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
