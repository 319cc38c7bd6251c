"""Tiers and levels by the settings, whichever metric gave the value.

METRICS A: excellent >= 85, good >= 70, fair >= 50, poor below, of scores from 0 to
100. METRICS D: excellent >= 0.9, good >= 0.7, moderate >= 0.5, poor, of scores from 0
to 1. All six limits are settings, so they are applied in one place.
"""

from __future__ import annotations

from claimscope.core.models import Placing, Score
from claimscope.core.settings import Settings


def tier(value: float, settings: Settings) -> str:
    """Tier of a value from 0 to 100.

    >>> tier(72, Settings()), tier(72, Settings(tier_excellent=90, tier_good=75))
    ('good', 'fair')
    """
    if value >= settings.tier_excellent:
        return "excellent"
    if value >= settings.tier_good:
        return "good"
    return "fair" if value >= settings.tier_fair else "poor"


def level(value: float, settings: Settings) -> str:
    """Level of a value from 0 to 1.

    >>> level(0.5, Settings()), level(0.49, Settings())
    ('moderate', 'poor')
    """
    if value >= settings.level_excellent:
        return "excellent"
    if value >= settings.level_good:
        return "good"
    return "moderate" if value >= settings.level_moderate else "poor"


def place(value: float | None, kind: Placing | None, settings: Settings) -> str | None:
    """Tier or level of a value; None where the metric has neither, or no value.

    >>> place(72, "tier", Settings()), place(0.72, "level", Settings())
    ('good', 'good')
    """
    if value is None or kind is None:
        return None
    return tier(value, settings) if kind == "tier" else level(value, settings)


def placing(score: Score) -> Placing | None:
    """Whether a score has a tier, a level or neither."""
    if score.tier is not None:
        return "tier"
    return "level" if score.level is not None else None


def with_tier(score: Score, settings: Settings) -> Score:
    """The score with its tier or level, where its metric gives one, by the settings."""
    if score.value is None:
        return score
    changed = {}
    if score.tier is not None:
        changed["tier"] = tier(score.value, settings)
    if score.level is not None:
        changed["level"] = level(score.value, settings)
    return score.model_copy(update=changed) if changed else score
