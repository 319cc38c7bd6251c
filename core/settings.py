"""Every setting with its default, its meaning and its limits.

Values come, the later over the earlier, from the defaults below, the settings file
(TOML), the environment (`CLAIMSCOPE_…`) and flags. Reading them is the business of
`stores/workspace/configuration.py`; here is only what they are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field, SecretStr, ValidationInfo, field_validator

from claimscope.core.models import RULE_IDS, Model

ServerKind = Literal["ollama", "openai"]
VerifierName = Literal["none", "model", "ollama", "openai", "classifier"]
LANGUAGE_MODEL = ("model", "ollama", "openai")
"""Verifiers that are a language model; which server has it, is the setting `server`."""
Verdicts = Literal["majority", "mean"]
Chunking = Literal["auto", "none", "sentences", "paragraphs"]
SourceConflicts = Literal["unscored", "supported", "contradicted"]
CorrectnessMode = Literal["f1", "precision", "recall"]
PassRule = Literal["both", "grades", "claims"]
CorrectnessPreset = Literal["default", "equal", "factual", "semantic"]

QUALITY_METRICS = (
    "coherence",
    "prompt_completeness",
    "length",
    "structure",
    "vocabulary",
)
"""Metrics that overall_quality is made of (METRICS E)."""
QUALITY_WEIGHTS = (
    "coherence=0.25,prompt_completeness=0.25,length=0.2,structure=0.15,vocabulary=0.15"
)


class Settings(Model):
    """All settings of a run; immutable once it started."""

    server: ServerKind = "ollama"
    """What speaks for language models: `ollama`, or `openai`, a server with the OpenAI
    API at `base_url` (llama.cpp, vLLM, LM Studio)."""
    base_url: str | None = None
    """Address of that server, e.g. http://127.0.0.1:8080/v1, or several with commas
    between them (a pool). Needed by server = openai; Ollama does not use it."""
    api_key_file: str | None = None
    """File with the key that such a server wants, and nothing else; CLAIMSCOPE_API_KEY
    goes before it. The key itself is no setting and is kept nowhere."""
    server_parallel: int = Field(default=1, ge=1, le=256)
    """Calls at once on each such server: its slots (llama.cpp: --parallel)."""
    verifier: VerifierName = "none"
    """`none`: embeddings, lexical evidence and rules. `model`: with a language model of
    the server, whose kind (ollama, openai) is then the value. `classifier`: with a
    local NLI or grounded-factuality sequence classifier."""
    classifier: str | None = None
    """Folder of that classifier."""
    classifier_labels: str | None = None
    """Which of its outputs is which, e.g. `supported=1` or
    `supported=0,contradicted=2`; None = by their names in its config.json."""
    judge: bool = False
    """Ask the model for the two grades."""
    model: str | None = None
    """Language model for decomposition, verification and grades."""
    judges: tuple[str, ...] = ()
    """Further language models that judge beside `model`; each verdict is kept apart."""
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
    """One context length (Ollama: num_ctx) for every call of a run; None = planned from
    its longest call. Lowered to what the model, or its server, can."""
    claims_per_call: int = Field(default=1, ge=1, le=5)
    """1: a one-token verdict for each claim, with its probability. More: a JSON reply
    for several claims on one document, faster on some servers, less sure."""
    votes: int = Field(default=3, ge=1, le=15)
    """How often a claim is asked where the server gives no log-probabilities."""
    cluster: str | None = None
    """Dask scheduler whose workers judge, e.g. tcp://box:8786; None = this machine."""
    chroma_url: str | None = None
    """Address of a Chroma server that holds the index for several machines; None =
    ChromaDB's files in the workspace."""
    chroma_token: SecretStr | None = None
    """What that server wants as a bearer token; never logged nor saved with a run."""
    otel_endpoint: str | None = None
    """Address of an OpenTelemetry collector (OTLP over HTTP) that is told what was done
    when, e.g. http://127.0.0.1:4318/v1/traces; None = nobody is told. Names, counts and
    times, no text."""
    offline: bool = True
    """Refuse models that run on another machine."""
    concurrency: int = Field(default=5, ge=1, le=64)
    """Samples judged at once."""
    retries: int = Field(default=2, ge=0, le=10)
    """How often a failed model call is tried again."""
    continue_on_error: bool = True
    """A sample that cannot be judged is unscored and the run goes on; without this it
    ends there, to be resumed."""
    iterations: int = Field(default=1, ge=1, le=100)
    """How often each answer is judged anew, to see what is unstable."""
    seed: int = 7
    """Seed of the models' choices; each iteration takes the next one."""
    embedding_model: str = "default"
    """`default` = all-MiniLM-L6-v2 from the installed package, `ollama:NAME` = a model
    of Ollama, else a local folder."""
    evidence_sentences: int = Field(default=8, ge=1, le=50)
    """Candidate sentences a claim is held against."""
    rules_off: str | None = None
    """Rules that are not asked, by their ids with commas between them (`claimscope
    rules` lists them)."""
    claim_similarity: float = Field(default=0.75, gt=0, lt=1)
    """A required claim is found strictly above this cosine (METRICS A)."""
    pass_grade: int = Field(default=4, ge=1, le=5)
    """Both grades must reach it (METRICS B)."""
    pass_faithfulness: int | None = Field(default=None, ge=1, le=5)
    """What this grade must reach, in place of pass_grade."""
    pass_completeness: int | None = Field(default=None, ge=1, le=5)
    """The same, of the other grade."""
    pass_rule: PassRule = "both"
    """What decides whether a sample passes: the judge's `grades` alone, the `claims`
    alone (with citations and required claims), or `both`. An empty answer, and one that
    gives the judge an order, fails by each of them."""
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
    accuracy_chunking: Chunking = "auto"
    """How answer and reference are taken apart for accuracy: `auto` = whole when they
    fit the embedding model's window, else sentences packed to the window."""
    accuracy_aggregation: Literal["mean", "max"] = "mean"
    """How the chunks of an answer become one accuracy."""
    embedding_window: int = Field(default=254, ge=16)
    """Tokens the embedding model reads at once; longer texts are chunked, not cut."""
    highlight_similarity: float = Field(default=0.75, gt=0, lt=1)
    """An answer sentence is matched by ground truth strictly above this cosine."""
    attribution_url: float = Field(default=100, ge=0, le=100)
    """Attribution (METRICS A): points of an address on the case's domain."""
    attribution_domain: float = Field(default=75, ge=0, le=100)
    """Points of the domain alone."""
    attribution_brand: float = Field(default=50, ge=0, le=100)
    """Points of a brand."""
    attribution_bonus: float = Field(default=10, ge=0, le=100)
    """Points of each further mention."""
    attribution_cap: float = Field(default=100, gt=0, le=100)
    """Most points there are."""
    length_ratio: float = Field(default=2.5, gt=0, le=1000)
    """Words an answer should have for each word of its prompt (METRICS E)."""
    quality_profile: Literal["essay", "chat", "report", "list", "yes-no"] = "essay"
    """What kind of text an answer is to be, for length and structure: `essay` = the
    document's formulas, others as in
    core/metrics/text_quality/quality_profiles.toml."""
    quality_weights: str = QUALITY_WEIGHTS
    """Weights of overall_quality, as metric_weights; a metric that is left out counts
    nothing, and they must sum to 1 (METRICS E)."""
    metric_weights: str | None = None
    """Weights of the metric `overall`, as `accuracy=0.5,claim_support=1` or a table
    [metric_weights] of the settings file: any numbers >= 0, not all 0."""
    prices: str | None = None
    """What a million tokens cost by model, prompt/completion, as
    `big-model=0.15/0.6,other=1/2`, or a table [prices] of the settings file with
    "big-model" = "0.15/0.6". A model that is not named costs 0: it is one's own."""
    currency: str = "USD"
    """What prices are in."""
    tier_excellent: float = Field(default=85, gt=0, le=100)
    """Tiers of scores from 0 to 100 (METRICS A): excellent from here on."""
    tier_good: float = Field(default=70, gt=0, le=100, validate_default=True)
    """From here on good."""
    tier_fair: float = Field(default=50, gt=0, le=100, validate_default=True)
    """From here on fair."""
    level_excellent: float = Field(default=0.9, gt=0, le=1)
    """Levels of scores from 0 to 1 (METRICS D): excellent from here on."""
    level_good: float = Field(default=0.7, gt=0, le=1, validate_default=True)
    """From here on good."""
    level_moderate: float = Field(default=0.5, gt=0, le=1, validate_default=True)
    """From here on moderate."""
    require_all_required: bool = True
    """A sample fails when a required claim is missing."""
    unsupported_fails: bool = True
    """A claim no page supports fails its sample."""
    source_conflicts: SourceConflicts = "unscored"
    """How a claim counts that one page supports and another denies (METRICS F): left
    unscored for a person, or as `supported`, or as `contradicted`; both sentences are
    shown either way."""

    @property
    def asks_model(self) -> bool:
        """Whether a language model verifies claims."""
        return self.verifier in LANGUAGE_MODEL

    @property
    def calls_per_server(self) -> int:
        return self.ollama_parallel if self.server == "ollama" else self.server_parallel

    @property
    def calls_at_once(self) -> int:
        """On all servers together."""
        hosts = self.ollama_host if self.server == "ollama" else self.base_url
        return len((hosts or "").split(",")) * self.calls_per_server

    @property
    def rules_without(self) -> tuple[str, ...]:
        """`rules_off` one by one."""
        return tuple(self.rules_off.split(",")) if self.rules_off else ()

    @property
    def pass_grades(self) -> tuple[int, int]:
        """What faithfulness and completeness must reach."""
        faithfulness, completeness = self.pass_faithfulness, self.pass_completeness
        return (
            self.pass_grade if faithfulness is None else faithfulness,
            self.pass_grade if completeness is None else completeness,
        )

    @property
    def weights(self) -> dict[str, float]:
        """`metric_weights` by metric id; empty when there are none."""
        return weights_in(self.metric_weights or "")

    @property
    def prices_by_model(self) -> dict[str, tuple[float, float]]:
        """`prices` as (prompt, completion) by model; empty when there are none."""
        return prices_in(self.prices or "")

    @field_validator("verifier")
    @classmethod
    def _is_of_the_server(cls, value: str, info: ValidationInfo) -> str:
        server = str(info.data.get("server", "ollama"))
        if value == "openai" and server != value:
            raise ValueError("it needs --server openai and --base-url")
        return server if value in LANGUAGE_MODEL else value

    @field_validator("rules_off", mode="before")
    @classmethod
    def _are_rules(cls, value: object) -> object:
        if isinstance(value, Sequence) and not isinstance(value, str):
            value = ",".join(map(str, value))
        if not isinstance(value, str):
            return value
        names = {name.strip() for name in value.split(",")} - {""}
        if not names:
            return None
        unknown = sorted(names - set(RULE_IDS))
        if unknown:
            raise ValueError(
                f"{unknown[0]!r} is no rule; `claimscope help rules` lists them"
            )
        return ",".join(sorted(names))

    @field_validator("prices", mode="before")
    @classmethod
    def _are_prices(cls, value: object) -> object:
        value = _as_text(value)
        if not isinstance(value, str) or not value.strip():
            return value or None
        prices_in(value)
        return value

    @field_validator("metric_weights", mode="before")
    @classmethod
    def _are_weights(cls, value: object) -> object:
        value = _as_text(value)
        if not isinstance(value, str) or not value.strip():
            return value or None
        weights = weights_in(value)
        if not any(weights.values()):
            raise ValueError("one weight at least must be above 0")
        return ",".join(f"{name}={weight:g}" for name, weight in weights.items())

    @field_validator("quality_weights", mode="before")
    @classmethod
    def _are_quality_weights(cls, value: object) -> object:
        value = _as_text(value)
        if not isinstance(value, str):
            return value
        weights = weights_in(value)
        for name in weights:
            if name not in QUALITY_METRICS:
                raise ValueError(
                    f"{name!r} is no metric of text quality; those are "
                    + ", ".join(QUALITY_METRICS)
                )
        total = sum(weights.values())
        if abs(total - 1) > 1e-4:  # thirds are written in short
            raise ValueError(f"the weights sum to {total:g}; they must sum to 1")
        return ",".join(f"{name}={weight:g}" for name, weight in weights.items())

    @field_validator("tier_good", "tier_fair", "level_good", "level_moderate")
    @classmethod
    def _is_below(cls, value: float, info: ValidationInfo) -> float:
        name = str(info.field_name)
        above = info.data.get(ABOVE[name])
        if above is not None and value >= above:
            raise ValueError(f"{value:g} must be below {ABOVE[name]} ({above:g})")
        return value

    @field_validator("semantic_weight")
    @classmethod
    def _sums_to_one(cls, value: float | None, info: ValidationInfo) -> float | None:
        factual = info.data.get("factual_weight")
        if (
            value is not None
            and factual is not None
            and abs(value + factual - 1) > 1e-9
        ):
            raise ValueError(
                f"with factual_weight {factual:g} it must be {1 - factual:g}, so that "
                "both sum to 1"
            )
        return value


ABOVE = {
    "tier_good": "tier_excellent",
    "tier_fair": "tier_good",
    "level_good": "level_excellent",
    "level_moderate": "level_good",
}


def _as_text(value: object) -> object:
    """A table of values by name as a flag gives it; all else as it is."""
    if isinstance(value, Mapping):
        return ",".join(f"{name}={one}" for name, one in value.items())
    return value


def weights_in(text: str) -> dict[str, float]:
    """Weights by name in `a=0.5,b=1`. Raises ValueError that names the part."""
    weights: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, sign, number = (piece.strip() for piece in part.partition("="))
        if not name or not sign:
            raise ValueError(f"{part!r} is no weight; write NAME=NUMBER")
        try:
            weight = float(number)
        except ValueError:
            raise ValueError(f"{name}: {number!r} is not a number") from None
        if not 0 <= weight < math.inf:
            raise ValueError(f"{name}: {number} is not a number from 0 on")
        if name in weights:
            raise ValueError(f"{name} has two weights")
        weights[name] = weight
    return weights


def prices_in(text: str) -> dict[str, tuple[float, float]]:
    """(prompt, completion) by model in `a=0.15/0.6,b=1/2`. Raises ValueError that
    names the part."""
    prices: dict[str, tuple[float, float]] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, sign, pair = (piece.strip() for piece in part.rpartition("="))
        try:
            prompt, completion = (float(number) for number in pair.split("/"))
        except ValueError:
            name = ""
        if not name or not sign:
            raise ValueError(
                f"{part!r} is not MODEL=PROMPT/COMPLETION, the prices of a million "
                "tokens, e.g. big-model=0.15/0.6"
            )
        if not all(0 <= price < math.inf for price in (prompt, completion)):
            raise ValueError(f"{name}: {pair} are not two prices from 0 on")
        if name in prices:
            raise ValueError(f"{name} has two prices")
        prices[name] = (prompt, completion)
    return prices


JUDGING = tuple(
    """server verifier judge classifier classifier_labels panel claims_per_call votes
    context_tokens embedding_model evidence_sentences rules_off claim_similarity
    pass_grade pass_faithfulness pass_completeness pass_rule correctness_mode
    correctness_beta correctness_preset factual_weight semantic_weight
    accuracy_chunking accuracy_aggregation embedding_window highlight_similarity
    attribution_url attribution_domain attribution_brand attribution_bonus
    attribution_cap length_ratio quality_profile quality_weights metric_weights
    tier_excellent tier_good tier_fair level_excellent level_good level_moderate
    require_all_required unsupported_fails source_conflicts seed""".split()
)
"""Settings that change what a run finds out, and so belong to its fingerprint."""
