"""What a server says of its models: installed, described, in memory.

Lists and cards are read from JSON and not through the client library, whose types leave
out what runs on somebody else's machine (`remote_host`, `remote_model`), and of a list
what a model can do and its context.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from claimscope.core.backends.hosted.failures import whole_characters
from claimscope.core.ports import ServedModel

CLOUD = ("-cloud", ":cloud")
"""How names of models end that run on somebody else's machine."""


@dataclass(frozen=True)
class InstalledModel:
    """A model that a server has."""

    name: str
    digest: str
    size_bytes: int
    parameters: str | None
    quantization: str | None
    family: str | None = None
    modified: str | None = None
    """ISO 8601, as the server says it."""
    capabilities: tuple[str, ...] = ()
    """Empty on servers that do not list them; the card has them then."""
    remote: bool = False
    """Runs on somebody else's machine."""
    context_tokens: int | None = None
    """Tokens the model was trained for; None where the list does not say."""


@dataclass(frozen=True)
class ModelCard:
    """What a server says about a model."""

    name: str
    context_tokens: int | None
    """Tokens the model was trained for."""
    capabilities: tuple[str, ...]
    remote: bool
    """Runs on somebody else's machine."""
    embedding_dimensions: int | None = None


@dataclass(frozen=True)
class RunningModel:
    """A model in a server's memory."""

    name: str
    digest: str
    context_tokens: int | None
    """The num_ctx it was really loaded with."""
    size_bytes: int
    expires: str | None
    """ISO 8601: when it is unloaded unless it is used before."""


@dataclass(frozen=True)
class ListedModel:
    """All that is known of an installed model."""

    model: InstalledModel
    card: ModelCard
    running: RunningModel | None

    def summarise(self) -> ServedModel:
        """As people see it."""
        model, card, running = self.model, self.card, self.running
        return ServedModel(
            name=model.name,
            digest=model.digest,
            size_bytes=model.size_bytes,
            parameters=model.parameters,
            quantization=model.quantization,
            context_tokens=card.context_tokens or model.context_tokens,
            capabilities=card.capabilities or model.capabilities,
            is_remote=model.remote or card.remote,
            is_loaded=running is not None,
            loaded_context=running.context_tokens if running else None,
            loaded_until=running.expires if running else None,
        )


def full_name(name: str) -> str:
    """The name with its tag; Ollama takes `:latest` for a name without one."""
    last = name.rpartition("/")[2]  # a registry's port is no tag
    return name if ":" in last else f"{name}:latest"


def is_cloud(name: str) -> bool:
    """Whether a name says that the model runs elsewhere."""
    return name.endswith(CLOUD)


def installed_of(item: dict[str, Any]) -> InstalledModel:
    """An entry of /api/tags."""
    details = item.get("details") or {}
    name = _text(item.get("model") or item.get("name"))
    return InstalledModel(
        name=name,
        digest=_text(item.get("digest")),
        size_bytes=int(item.get("size") or 0),
        parameters=_text(details.get("parameter_size")) or None,
        quantization=_text(details.get("quantization_level")) or None,
        family=_text(details.get("family")) or None,
        modified=_text(item.get("modified_at")) or None,
        capabilities=tuple(map(_text, item.get("capabilities") or ())),
        remote=_is_remote(item) or is_cloud(name),
        context_tokens=_count(details.get("context_length")),
    )


def card_of(name: str, shown: dict[str, Any]) -> ModelCard:
    """The answer of /api/show."""
    info = shown.get("model_info") or {}
    family = info.get("general.architecture")
    return ModelCard(
        name=name,
        context_tokens=_count(info.get(f"{family}.context_length")),
        capabilities=tuple(map(_text, shown.get("capabilities") or ())),
        remote=_is_remote(shown) or is_cloud(name),
        embedding_dimensions=_count(info.get(f"{family}.embedding_length")),
    )


def running_of(item: Any) -> RunningModel:
    """A model of the official client's ps()."""
    return RunningModel(
        name=_text(item.model or item.name),
        digest=_text(item.digest),
        context_tokens=item.context_length or None,
        size_bytes=int(item.size or 0),
        expires=item.expires_at.isoformat() if item.expires_at else None,
    )


def entries(answer: object) -> Sequence[dict[str, Any]]:
    """The models of a list. Raises ValueError for what is no list of Ollama's."""
    if not isinstance(answer, dict):
        raise ValueError("no list of models")
    found = answer.get("models") or []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise ValueError("no list of models")
    return found


def _text(value: object) -> str:
    """ "" for None; shown and kept, so it is a text that can be."""
    return whole_characters(str(value or ""))


def _is_remote(item: dict[str, Any]) -> bool:
    return bool(item.get("remote_host") or item.get("remote_model"))


def _count(value: object) -> int | None:
    return int(value) if isinstance(value, int | float) and value else None
