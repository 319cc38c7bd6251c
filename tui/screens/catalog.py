"""All screens in one table: help and command palette are made from it."""

from __future__ import annotations

from collections.abc import Sequence

from claimscope.tui.screens.base.view import View
from claimscope.tui.screens.compare.screen import CompareScreen
from claimscope.tui.screens.help import HelpScreen
from claimscope.tui.screens.home.screen import HomeScreen
from claimscope.tui.screens.judge import JudgeScreen
from claimscope.tui.screens.lab.list import LabsScreen
from claimscope.tui.screens.lab.new import NewLabScreen
from claimscope.tui.screens.lab.screen import LabScreen
from claimscope.tui.screens.live import LiveScreen
from claimscope.tui.screens.metrics import MetricsScreen
from claimscope.tui.screens.models import ModelsScreen
from claimscope.tui.screens.new_run import NewRunScreen
from claimscope.tui.screens.pages.page import PageScreen
from claimscope.tui.screens.pages.screen import PagesScreen
from claimscope.tui.screens.pages.skipped import SkippedScreen
from claimscope.tui.screens.results.quadrants import QuartersScreen
from claimscope.tui.screens.results.screen import ResultsScreen
from claimscope.tui.screens.settings import SettingsScreen
from claimscope.tui.screens.stepper.calls import CallsScreen
from claimscope.tui.screens.stepper.screen import StepperScreen
from claimscope.tui.screens.suite.case_form import CaseForm
from claimscope.tui.screens.suite.screen import SuiteScreen
from claimscope.tui.screens.trends import TrendsScreen

SCREENS: Sequence[type[View]] = (
    HomeScreen,
    NewRunScreen,
    ModelsScreen,
    JudgeScreen,
    LiveScreen,
    ResultsScreen,
    QuartersScreen,
    StepperScreen,
    PagesScreen,
    SkippedScreen,
    SuiteScreen,
    CaseForm,
    PageScreen,
    CallsScreen,
    CompareScreen,
    TrendsScreen,
    LabsScreen,
    NewLabScreen,
    LabScreen,
    MetricsScreen,
    SettingsScreen,
    HelpScreen,
)
