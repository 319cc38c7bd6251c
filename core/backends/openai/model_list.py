"""What servers with the OpenAI API say of themselves and of their models.

The API itself knows names only. llama.cpp adds `meta`, vLLM `max_model_len`, and LM
Studio has a list of its own; what each says of a model's context is used, and what
tells weights apart becomes a digest. None of them gives a digest of the weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from claimscope.core.backends.hosted.failures import whole_characters
from claimscope.core.backends.hosted.model_list import (
    InstalledModel,
    ListedModel,
    ModelCard,
    RunningModel,
)
from claimscope.core.http.stream_lines import (
    NotALine,
    count_in,
    object_in,
    object_of,
    text_in,
)
from claimscope.core.models import digest
from claimscope.core.ports import DESCRIBED, ServedModel

META = ("n_params", "n_vocab", "n_embd", "size", "vocab_type")
DETAILS = ("root", "ftype", "arch", "quantization", "compatibility_type", "publisher")
ABSENT = ("not-loaded", "unloaded", "loading")


@dataclass(frozen=True)
class APIModel:
    """A model of a server."""

    model: InstalledModel
    window: int | None
    """Tokens of context that the server gives it; None = it does not say."""
    is_ready: bool = True
    """Nothing says that it is still to be loaded."""

    @property
    def card(self) -> ModelCard:
        """What decides whether and how it is asked."""
        return ModelCard(self.model.name, self.window, self.model.capabilities, False)

    def summarise(self) -> ServedModel:
        """As people see it."""
        model, window = self.model, self.window
        loaded = RunningModel(model.name, model.digest, window, model.size_bytes, None)
        return ListedModel(
            model, self.card, loaded if self.is_ready else None
        ).summarise()


def models_in(text: str, more: Mapping[str, dict[str, Any]]) -> tuple[APIModel, ...]:
    """The models of GET /models; `more`: by name what LM Studio's own list says. A
    model with other names is there under each. Raises NotALine."""
    found = entries(text)
    return tuple(
        _model_of(name, {**item, **more.get(name, {})})
        for item in found
        for name in _names(item)
    )


def entries(text: str) -> list[dict[str, Any]]:
    """The objects of a list of models. Raises NotALine."""
    found = object_of(text).get("data")
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise NotALine("no list of models")
    return found


def _names(item: dict[str, Any]) -> list[str]:
    name = text_in(item, "id")
    if not name:
        raise NotALine("a model without a name")
    aliases = item.get("aliases")
    more = aliases if isinstance(aliases, list) else []
    others = (whole_characters(one) for one in more if isinstance(one, str) and one)
    return list(dict.fromkeys([name, *others]))


def _model_of(name: str, item: dict[str, Any]) -> APIModel:
    meta = object_in(item, "meta")
    kind = text_in(item, "type") if isinstance(item.get("type"), str) else ""
    quantization = _text(item, "quantization") or _text(meta, "ftype") or None
    parameters = _count(meta, "n_params")
    model = InstalledModel(
        name=name,
        digest=_description(item, meta),
        size_bytes=_count(meta, "size"),
        parameters=_parameters(parameters) if parameters else None,
        quantization=quantization,
        family=_text(item, "arch") or None,
        capabilities=("embedding",) if kind.startswith("embedding") else (),
        context_tokens=_count(meta, "n_ctx_train")
        or _count(item, "max_context_length")
        or None,
    )
    window = (
        _count(meta, "n_ctx")
        or _count(item, "max_model_len")
        or _count(item, "loaded_context_length")
    )
    return APIModel(model, window or None, _text(item, "state") not in ABSENT)


def _description(item: dict[str, Any], meta: dict[str, Any]) -> str:
    """A digest of what tells weights apart; "" where nothing does but the name."""
    said = {
        **{name: _text(item, name) or _text(meta, name) for name in DETAILS},
        **{name: str(_count(meta, name) or "") for name in META},
    }
    if said["root"] == text_in(item, "id"):
        said["root"] = ""
    if not any(said.values()):
        return ""
    parts = (f"{name}={value}" for name, value in sorted(said.items()))
    return DESCRIBED + digest(*parts)


def _parameters(count: int) -> str:
    """`135M`, `7.6B`."""
    if count < 1_000_000_000:
        return f"{count / 1e6:.0f}M"
    return f"{count / 1e9:.1f}B"


def _text(values: dict[str, Any], name: str) -> str:
    return text_in(values, name) if isinstance(values.get(name), str) else ""


def _count(values: dict[str, Any], name: str) -> int:
    value = values.get(name)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return count_in(values, name) if is_number else 0
