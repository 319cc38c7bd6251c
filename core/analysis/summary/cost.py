"""What a run cost: tokens, calls, time and, where a price is set, money.

Calls whose reply could not be used cost as much as others, so every sample counts,
unscored ones too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pydantic import Field

from claimscope.core.analysis.summary.iterations import by_iteration
from claimscope.core.models import Model, SampleResult, Usage
from claimscope.core.ports import RunReader
from claimscope.core.settings import Settings, prices_in

MILLION = 1_000_000


class Prices(Model):
    """Of a million tokens; 0 for models on one's own machine."""

    prompt: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    completion: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    currency: str = "USD"


def prices_of(
    usage: Mapping[str, Usage], table: Mapping[str, tuple[float, float]], currency: str
) -> Prices:
    """One pair of prices for what several models used: each model's own prices,
    weighted by its tokens, so that the sum of a run is exact. Its parts (samples,
    iterations) are then priced as if each had the run's mixture of models.

    `usage` by model; `table` is Settings.prices_by_model.
    """
    prompt = completion = 0.0
    total = sum(usage.values(), Usage())
    for model, part in usage.items():
        of_prompt, of_completion = priced_as(model, table)
        prompt += part.prompt_tokens * of_prompt
        completion += part.completion_tokens * of_completion
    return Prices(
        prompt=prompt / max(total.prompt_tokens, 1),
        completion=completion / max(total.completion_tokens, 1),
        currency=currency,
    )


def prices_of_run(run: RunReader, settings: Settings) -> Prices:
    """What the run says of its models, else the settings."""
    status = run.status()
    header, usage = status.header, dict[str, Usage]()
    table, currency = settings.prices_by_model, settings.currency
    if header.prices:
        table, currency = prices_in(header.prices), header.currency
    if table:
        usage = run.usage_by_model() or {header.model or "": status.usage}
    return prices_of(usage, table, currency)


def priced_as(
    model: str, table: Mapping[str, tuple[float, float]]
) -> tuple[float, float]:
    """Prices of a model as the table names it: with its tag, or without `:latest`
    or the digest that a panel writes behind it; (0, 0) when it does not."""
    bare = model.partition("@")[0]
    for name in (model, bare, f"{bare}:latest", bare.removesuffix(":latest")):
        if name in table:
            return table[name]
    return 0.0, 0.0


class Cost(Model):
    """Of a sample, an iteration or a run."""

    name: str
    samples: int
    unscored: int
    """Samples among them that could not be judged; their calls count."""
    usage: Usage
    total_tokens: int
    amount: float
    """prompt tokens x price + completion tokens x price, per million."""
    currency: str


def cost(name: str, samples: Sequence[SampleResult], prices: Prices) -> Cost:
    return price_of(
        name,
        sum((sample.usage for sample in samples), Usage()),
        prices,
        samples=len(samples),
        unscored=sum(sample.passed is None for sample in samples),
    )


def price_of(
    name: str, usage: Usage, prices: Prices, *, samples: int, unscored: int
) -> Cost:
    """Of a usage that is known as a whole."""
    return Cost(
        name=name,
        samples=samples,
        unscored=unscored,
        usage=usage,
        total_tokens=usage.prompt_tokens + usage.completion_tokens,
        amount=(
            usage.prompt_tokens * prices.prompt
            + usage.completion_tokens * prices.completion
        )
        / MILLION,
        currency=prices.currency,
    )


def costs_by_iteration(
    samples: Iterable[SampleResult], prices: Prices
) -> dict[int, Cost]:
    return {
        number: cost(f"iteration {number}", part, prices)
        for number, part in by_iteration(samples).items()
    }


def costs_by_sample(
    samples: Iterable[SampleResult], prices: Prices
) -> tuple[Cost, ...]:
    """Of each sample, named by its key."""
    return tuple(cost(str(sample.key), [sample], prices) for sample in samples)
