"""All screens in one table: help and command palette are made from it."""

from __future__ import annotations

from collections.abc import Sequence

from claimscope.tui.screens.calls import CallsScreen
from claimscope.tui.screens.case_form import CaseForm
from claimscope.tui.screens.compare import CompareScreen
from claimscope.tui.screens.help import HelpScreen
from claimscope.tui.screens.home import HomeScreen
from claimscope.tui.screens.judge import JudgeScreen
from claimscope.tui.screens.lab import LabScreen
from claimscope.tui.screens.labs import LabsScreen
from claimscope.tui.screens.live import LiveScreen
from claimscope.tui.screens.metrics import MetricsScreen
from claimscope.tui.screens.models import ModelsScreen
from claimscope.tui.screens.new_lab import NewLabScreen
from claimscope.tui.screens.new_run import NewRunScreen
from claimscope.tui.screens.page import PageScreen
from claimscope.tui.screens.pages import PagesScreen
from claimscope.tui.screens.quarters import QuartersScreen
from claimscope.tui.screens.results import ResultsScreen
from claimscope.tui.screens.settings import SettingsScreen
from claimscope.tui.screens.skipped import SkippedScreen
from claimscope.tui.screens.stepper import StepperScreen
from claimscope.tui.screens.suite import SuiteScreen
from claimscope.tui.screens.trends import TrendsScreen
from claimscope.tui.screens.view import View

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
