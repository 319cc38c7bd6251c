"""The table of screens: each by its name, found when it is opened.

Screens open each other by these names (`View.open_screen`), so none imports another,
and none is loaded before somebody wants it. Help, command palette and keys are made
from the listed ones, in this order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import cast

from claimscope.tui.screens.base.view import View

LISTED: Mapping[str, str] = {
    "home": "home.screen:HomeScreen",
    "new-run": "new_run:NewRunScreen",
    "models": "models:ModelsScreen",
    "judge": "judge:JudgeScreen",
    "run": "live:LiveScreen",
    "results": "results.screen:ResultsScreen",
    "quadrants": "results.quadrants:QuartersScreen",
    "stepper": "stepper.screen:StepperScreen",
    "pages": "pages.screen:PagesScreen",
    "skipped": "pages.skipped:SkippedScreen",
    "suite": "suite.screen:SuiteScreen",
    "case": "suite.case_form:CaseForm",
    "page": "pages.page:PageScreen",
    "calls": "stepper.calls:CallsScreen",
    "compare": "compare.screen:CompareScreen",
    "trends": "trends:TrendsScreen",
    "sweeps": "lab.list:LabsScreen",
    "new-sweep": "lab.new:NewLabScreen",
    "sweep": "lab.screen:LabScreen",
    "metrics": "metrics:MetricsScreen",
    "settings": "settings:SettingsScreen",
    "help": "help:HelpScreen",
}
"""Module below tui/screens/ and class of each screen."""
UNLISTED: Mapping[str, str] = {
    "agreement": "agreement:AgreementScreen",
    "candidates": "stepper.candidates:CandidatesScreen",
    "flips": "stepper.flips:stepper_at",
}
"""The same for what is a part of another one, and for what makes a screen."""


@cache
def maker_of(name: str) -> Callable[..., View]:
    """What makes the screen of that name, loaded now. Raises KeyError."""
    place = LISTED[name] if name in LISTED else UNLISTED[name]
    module, _, attribute = place.partition(":")
    found = getattr(import_module(f"claimscope.tui.screens.{module}"), attribute)
    return cast(Callable[..., View], found)


def listed_screens() -> Sequence[type[View]]:
    """Every listed screen; loads all of them."""
    return [cast(type[View], maker_of(name)) for name in LISTED]
