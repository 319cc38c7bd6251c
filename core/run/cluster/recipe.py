"""What goes to a worker and what comes back: plain data, so that any process that has
the package can judge with it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

import numpy as np

from claimscope.core.models import Page, SampleResult, Sentence
from claimscope.core.ports import Corpus, Floats
from claimscope.core.run.plan import Models
from claimscope.core.run.search_times import Times
from claimscope.core.settings import Settings

OWN = tuple(
    """ollama_host ollama_parallel base_url api_key_file server_parallel otel_endpoint
    chroma_token cluster""".split()
)
"""Settings that each machine has for itself; they do not travel."""
NAMES = {
    "embedding": "the embedding model",
    "verifier": "the verifier",
    "model": "the model",
    "model_digest": "the model's weights",
    "judges": "the judges, or their weights",
    "prompts_digest": "the prompts",
    "evidence_digest": "the fitted model behind verdicts",
}
"""Parts of `Models` with their names for people."""


@dataclass(frozen=True)
class CorpusCopy:
    """An indexed corpus as it is now, for a worker's memory."""

    name: str
    version: str
    model_id: str
    pages: tuple[Page, ...]
    sentences: tuple[Sentence, ...]
    """In order of (page id, index)."""
    vectors: Floats
    """Shape (len(sentences), dimensions)."""


@dataclass(frozen=True)
class ServerCorpus:
    """A corpus that workers read from a Chroma server by themselves."""

    name: str
    version: str
    url: str


@dataclass(frozen=True)
class RunRecipe:
    """Everything that a worker needs to judge samples of one run as its coordinator
    would."""

    token: str
    """Names this part of the run on the cluster."""
    version: str
    """Of the program."""
    settings: Settings
    """Without those in `OWN`."""
    models: Models
    """What the worker must find, to the weights."""
    rubric: str
    metrics: tuple[str, ...]
    context_tokens: int | None
    """As it was planned from the longest call; None = no model is asked."""
    corpus: CorpusCopy | ServerCorpus | None


@dataclass(frozen=True)
class JudgedSample:
    """A sample that came back."""

    result: SampleResult
    notes: tuple[str, ...] = ()
    """What people should know, as the worker's verifiers said it."""
    searched: Times = field(default_factory=dict)
    """How long the worker's searches took since it told last."""


def copy_of(corpus: Corpus) -> CorpusCopy:
    """A corpus in one piece; all of it is read."""
    ids = sorted(corpus.page_ids())
    pages = [page for page_id in ids if (page := corpus.page(page_id)) is not None]
    sentences = [corpus.sentences(page.page_id) for page in pages]
    vectors = [
        corpus.vectors(page.page_id)
        for page, own in zip(pages, sentences, strict=True)
        if own
    ]
    return CorpusCopy(
        corpus.name,
        corpus.version,
        corpus.model_id,
        tuple(pages),
        tuple(s for own in sentences for s in own),
        np.concatenate(vectors) if vectors else np.zeros((0, 0), dtype=np.float32),
    )


def travelling(settings: Settings) -> Settings:
    """The settings as they go to other machines: without addresses and secrets."""
    usual = Settings()
    return settings.model_copy(update={name: getattr(usual, name) for name in OWN})


def differences(wanted: Models, found: Models) -> list[str]:
    """What a worker has otherwise than the run needs it, in plain words."""
    return [
        f"{NAMES[field.name]}: {getattr(found, field.name) or 'none'} there, "
        f"{getattr(wanted, field.name) or 'none'} here"
        for field in fields(Models)
        if getattr(wanted, field.name) != getattr(found, field.name)
    ]
