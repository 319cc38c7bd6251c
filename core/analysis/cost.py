"""What a run cost: tokens, calls, time and, where a price is set, money.

Calls whose reply could not be used cost as much as others, so every sample counts,
unscored ones too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import Field

from claimscope.core.analysis.iterations import by_iteration
from claimscope.core.models import Model, SampleResult, Usage

MILLION = 1_000_000


class Prices(Model):
    """Of a million tokens; 0 for models on one's own machine."""

    prompt: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    completion: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    currency: str = "USD"


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
    """Of all samples together."""
    return priced(
        name,
        sum((sample.usage for sample in samples), Usage()),
        prices,
        samples=len(samples),
        unscored=sum(sample.passed is None for sample in samples),
    )


def priced(
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
    """Of each iteration."""
    return {
        number: cost(f"iteration {number}", part, prices)
        for number, part in by_iteration(samples).items()
    }


def costs_by_sample(
    samples: Iterable[SampleResult], prices: Prices
) -> tuple[Cost, ...]:
    """Of each sample, named by its key."""
    return tuple(cost(str(sample.key), [sample], prices) for sample in samples)
