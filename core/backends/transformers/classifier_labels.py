"""Which output of a classifier means "supported".

Classifiers do not agree on the order of their labels, nor on their names, and a wrong
guess turns every verdict round. So labels are read from the model's configuration by
name; labels without a name are believed only of families that are known, and else the
user is asked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from claimscope.core.errors import SettingsError

Numbers = npt.NDArray[np.float64]
SUPPORTED = frozenset(
    "entailment entailed entails entail supported supports support consistent "
    "factual grounded faithful true yes".split()
)
CONTRADICTED = frozenset(
    "contradiction contradicted contradicts contradict contradictory refuted refutes "
    "refute".split()
)
OTHER = frozenset(
    "neutral notentailment nonentailment notentailed unknown unsupported notsupported "
    "notenoughinfo notenoughinformation nei inconsistent hallucination hallucinated "
    "unfaithful notfaithful notgrounded ungrounded false no".split()
)
ROLES = ("supported", "contradicted", "neutral")
ASK = (
    "say which output is which by --classifier-labels (or the setting "
    "classifier_labels), e.g. supported=1, or supported=0,contradicted=2"
)
_UNNAMED = re.compile(r"label_?\d+|\d+")


@dataclass(frozen=True)
class LabelPlaces:
    """Places of the outputs that matter, from 0."""

    count: int
    supported: int | None
    """None: the only output says the reverse, that the claim is not supported."""
    contradicted: int | None = None

    def probabilities(self, logits: Numbers) -> tuple[Numbers, Numbers | None]:
        """P(supported) and, where there is such an output, P(contradicted), each of
        shape (n,), from logits of shape (n, count): the softmax, or the sigmoid of a
        single one."""
        if self.count == 1:
            single = 0.5 * (1 + np.tanh(logits[:, 0] / 2))
            return (1 - single if self.supported is None else single), None
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares = powers / powers.sum(axis=1, keepdims=True)
        against = None if self.contradicted is None else shares[:, self.contradicted]
        return shares[:, self.supported or 0], against

    def describe(self) -> str:
        """For the doctor and for digests: `3 outputs, supported=0, contradicted=2`."""
        parts = [f"{self.count} output{'s' if self.count > 1 else ''}"]
        if self.supported is None:
            parts.append("not supported=0")
        else:
            parts.append(f"supported={self.supported}")
        if self.contradicted is not None:
            parts.append(f"contradicted={self.contradicted}")
        return ", ".join(parts)


def names_of(config: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the outputs in order, as the configuration gives them; names that
    only number them when it gives none. Raises SettingsError when they have gaps."""
    named = config.get("id2label")
    if not isinstance(named, dict) or not named:
        # What transformers assumes as well.
        count = config.get("num_labels")
        return tuple(f"LABEL_{i}" for i in range(count if type(count) is int else 2))
    try:
        by_place = {int(place): str(name) for place, name in named.items()}
        return tuple(by_place[place] for place in range(len(by_place)))
    except (KeyError, ValueError):
        raise SettingsError(
            f"config.json: id2label = {named!r}: its keys are not 0, 1, 2 …",
            "number the outputs from 0",
        ) from None


def labels_of(
    config: Mapping[str, Any], wanted: str | None = None, *, is_known: bool = False
) -> LabelPlaces:
    """The labels of a configuration. `wanted` is the user's word and goes first;
    `is_known`: of a family whose unnamed outputs mean 1 = supported (of two) or
    "supported" (of one). Raises SettingsError when it cannot be told."""
    names = names_of(config)
    if wanted:
        return _wanted_places(wanted, names)
    kinds = [re.sub(r"[^a-z]", "", name.casefold()) for name in names]
    if all(_UNNAMED.fullmatch(name.casefold()) for name in names):
        if is_known and len(names) <= 2:
            return LabelPlaces(len(names), len(names) - 1)
        raise SettingsError(f"its outputs have no names ({', '.join(names)})", ASK)
    supported = [place for place, kind in enumerate(kinds) if kind in SUPPORTED]
    against = [place for place, kind in enumerate(kinds) if kind in CONTRADICTED]
    if len(names) == 1 and not supported and kinds[0] in CONTRADICTED | OTHER:
        return LabelPlaces(1, None)
    strange = [
        name
        for name, kind in zip(names, kinds, strict=True)
        if kind not in SUPPORTED | CONTRADICTED | OTHER
    ]
    if len(supported) != 1 or len(against) > 1 or strange:
        raise SettingsError(
            f"it cannot be told from the names of its outputs ({', '.join(names)}) "
            "which one means that a text supports a claim",
            ASK,
        )
    return LabelPlaces(len(names), supported[0], against[0] if against else None)


def _wanted_places(wanted: str, names: tuple[str, ...]) -> LabelPlaces:
    """The user's `role=output` pairs; an output is a place or a name."""
    found: dict[str, int] = {}
    for pair in wanted.split(","):
        role, _, output = (part.strip() for part in pair.partition("="))
        lowered = [name.casefold() for name in names]
        if output.casefold() in lowered:
            place = lowered.index(output.casefold())
        else:
            place = int(output) if output.isdecimal() else -1
        if role not in ROLES or role in found or not 0 <= place < len(names):
            outputs = ", ".join(f"{i} ({name})" for i, name in enumerate(names))
            raise SettingsError(
                f"classifier_labels = {wanted!r}: {pair.strip()!r} does not name "
                "a role and an output",
                f"roles are {', '.join(ROLES)}; outputs are {outputs}",
            )
        if place in found.values():
            raise SettingsError(
                f"classifier_labels = {wanted!r}: output {place} has two roles",
                "give each output one role",
            )
        found[role] = place
    if "supported" not in found:
        raise SettingsError(
            f"classifier_labels = {wanted!r} does not say which output is supported",
            ASK,
        )
    return LabelPlaces(len(names), found["supported"], found.get("contradicted"))
