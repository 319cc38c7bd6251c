"""The claim stepper on what flipped: the samples of a list of flips, at one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from claimscope.core.ports import RunReader
from claimscope.core.report.views.flips import Flip
from claimscope.tui.review.comparison import KeyedSamples
from claimscope.tui.review.items import items
from claimscope.tui.screens.base.view import ScreenContext
from claimscope.tui.screens.stepper.screen import StepperScreen


def stepper_at(
    context: ScreenContext,
    reader: RunReader,
    shown: Sequence[Flip],
    flip: Flip,
    *,
    old: bool,
) -> StepperScreen:
    """Of the samples of `shown` that the side has, on the claim of `flip`, or at the
    first failure of its sample. Raises StoreError."""
    keys = (one.key_of(old=old) for one in shown)
    distinct = list(dict.fromkeys(key for key in keys if key is not None))
    key = flip.key_of(old=old)
    assert key is not None
    number = distinct.index(key)
    samples = KeyedSamples(reader, distinct)
    stepper = StepperScreen(context, reader, samples, number)
    claim = flip.claim(old=old)
    if claim is not None:
        sample = samples[number]
        for n, item in enumerate(items(sample)):
            if item.kind == "claim" and sample.claims[item.index].claim == claim.claim:
                stepper.place = replace(stepper.place, item=n)
    return stepper
