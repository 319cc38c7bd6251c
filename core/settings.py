"""Every setting with its default, its meaning and its limits.

Values come, the later over the earlier, from the defaults below, the settings file
(TOML), the environment (`CLAIMSCOPE_…`) and flags. Reading them is the business of
`stores/configuration.py`; here is only what they are.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, ValidationInfo, field_validator

from claimscope.core.models import Model

VerifierName = Literal["none", "ollama", "classifier"]
Verdicts = Literal["majority", "mean"]
CorrectnessMode = Literal["f1", "precision", "recall"]
CorrectnessPreset = Literal["default", "equal", "factual", "semantic"]


class Settings(Model):
    """All settings of a run; immutable once it started."""

    verifier: VerifierName = "none"
    """`none`: embeddings, lexical evidence and rules. `ollama`: with a local model.
    `classifier`: with a local NLI or grounded-factuality sequence classifier."""
    classifier: str | None = None
    """Folder of that classifier."""
    classifier_labels: str | None = None
    """Which of its outputs is which, e.g. `supported=1` or
    `supported=0,contradicted=2`; None = by their names in its config.json."""
    judge: bool = False
    """Ask the model for the two grades."""
    model: str | None = None
    """Ollama model for decomposition, verification and grades."""
    judges: tuple[str, ...] = ()
    """Further Ollama models that judge beside `model`; each verdict is kept apart."""
    panel: Verdicts = "majority"
    """How several judges become one verdict: the majority, or the mean support."""
    ollama_host: str | None = None
    """Address of Ollama, or several with commas between them (a pool); None =
    OLLAMA_HOST, else the default port on loopback."""
    ollama_parallel: int = Field(default=1, ge=1, le=64)
    """Calls at once on each host: what its OLLAMA_NUM_PARALLEL is."""
    first_token_seconds: float = Field(default=300.0, gt=0)
    """Longest wait for a model to load, the queue and the prompt."""
    between_tokens_seconds: float = Field(default=60.0, gt=0)
    """Longest silence inside a reply."""
    context_tokens: int | None = Field(default=None, ge=512)
    """One fixed num_ctx for every call of a run; None = planned from its longest
    call. Lowered to what the model can."""
    claims_per_call: int = Field(default=1, ge=1, le=5)
    """1: a one-token verdict for each claim, with its probability. More: a JSON reply
    for several claims on one document, faster on some servers, less sure."""
    votes: int = Field(default=3, ge=1, le=15)
    """How often a claim is asked where the server gives no log-probabilities."""
    offline: bool = True
    """Refuse models that run on another machine."""
    concurrency: int = Field(default=5, ge=1, le=64)
    """Samples judged at once."""
    retries: int = Field(default=2, ge=0, le=10)
    """How often a failed model call is tried again."""
    iterations: int = Field(default=1, ge=1, le=100)
    seed: int = 7
    embedding_model: str = "default"
    """`default` = all-MiniLM-L6-v2 from the installed package, `ollama:NAME` = a model of
    Ollama, else a local folder."""
    evidence_sentences: int = Field(default=8, ge=1, le=50)
    """Candidate sentences a claim is held against."""
    claim_similarity: float = Field(default=0.75, gt=0, lt=1)
    """A required claim is found strictly above this cosine (METRICS A)."""
    pass_grade: int = Field(default=4, ge=1, le=5)
    """Both grades must reach it (METRICS B)."""
    correctness_mode: CorrectnessMode = "f1"
    """What factual_correctness is: F1 of both directions, or one of them alone."""
    correctness_beta: float = Field(default=1.0, gt=0, le=10)
    """Above 1, recall (the reference's claims) weighs more in that F; below 1, less."""
    correctness_preset: CorrectnessPreset = "default"
    """Shares of factual and semantic part in answer_correctness: 0.75/0.25, equal
    0.5/0.5, factual 0.9/0.1, semantic 0.1/0.9."""
    factual_weight: float | None = Field(default=None, ge=0, le=1)
    """In place of the preset's; the other weight is the rest to 1."""
    semantic_weight: float | None = Field(default=None, ge=0, le=1)
    """In place of the preset's; with factual_weight it must sum to 1."""
    require_all_required: bool = True
    """A sample fails when a required claim is missing."""
    unsupported_fails: bool = True
    """A claim no page supports fails its sample."""

    @field_validator("semantic_weight")
    @classmethod
    def _sums_to_one(cls, value: float | None, info: ValidationInfo) -> float | None:
        factual = info.data.get("factual_weight")
        if value is not None and factual is not None and abs(value + factual - 1) > 1e-9:
            raise ValueError(
                f"with factual_weight {factual:g} it must be {1 - factual:g}, so that "
                "both sum to 1"
            )
        return value


JUDGING = (
    "verifier",
    "judge",
    "classifier",
    "classifier_labels",
    "panel",
    "claims_per_call",
    "votes",
    "context_tokens",
    "embedding_model",
    "evidence_sentences",
    "claim_similarity",
    "pass_grade",
    "correctness_mode",
    "correctness_beta",
    "correctness_preset",
    "factual_weight",
    "semantic_weight",
    "require_all_required",
    "unsupported_fails",
    "seed",
)
"""Settings that change what a run finds out, and so belong to its fingerprint."""
