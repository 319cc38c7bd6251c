"""Metrics: a page of help for each, read from the code, reached from any screen."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot

from claimscope.core.metrics import discovery
from claimscope.core.metrics.descriptions import page_of
from claimscope.core.metrics.plugins import FoundPlugins
from claimscope.tui.screens.home.screen import HomeScreen
from claimscope.tui.screens.metrics import MetricsScreen
from tests.tui.gateways import FakeGateway
from tests.tui.pilot import app_on, check_snapshot, press, settle, text_of, told

FEW = ("claim_support", "hallucination_rate", "claim_completeness", "overall")


@pytest.fixture(autouse=True)
def few_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four of the metrics, so that the picture does not change with each new one."""
    found = {name: discovery.built_in()[name] for name in FEW}
    monkeypatch.setattr("claimscope.core.metrics.descriptions.discover", lambda: found)
    monkeypatch.setattr(
        discovery, "found_plugins", lambda: FoundPlugins({}, ("metric of x left out",))
    )


@asynccontextmanager
async def metrics() -> AsyncIterator[Pilot[None]]:
    app = app_on(FakeGateway())
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await press(pilot, "M")
        assert isinstance(app.screen, MetricsScreen)
        yield pilot


async def test_each_metric_has_its_scale_and_its_page() -> None:
    async with metrics() as pilot:
        shown = text_of(pilot)
        assert "hallucination_rate 0-1 claims not supported" in shown
        assert "claim_completeness 0-100 required claims found" in shown
        assert "claim_support = supported / verified answer claims" in shown
        assert "metric of x left out" in told(pilot)
        pilot.app.clear_notifications()
        await settle(pilot)
        check_snapshot(pilot, "metrics")


async def test_the_page_follows_the_cursor_and_scrolls() -> None:
    async with metrics() as pilot:
        pilot.app.clear_notifications()
        await press(pilot, "down", "down", "down")
        assert "weighted mean of chosen metrics" in text_of(pilot)
        assert "from claimscope.core.metrics.overall" not in text_of(pilot)
        await press(pilot, "d", "d", "d")
        assert "from claimscope.core.metrics.overall" in text_of(pilot)
        await press(pilot, "u", "u", "u")
        assert "weighted mean of chosen metrics" in text_of(pilot)


async def test_escape_goes_back_and_the_palette_knows_it() -> None:
    async with metrics() as pilot:
        await press(pilot, "M")
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, HomeScreen)
        commands = pilot.app.get_system_commands(pilot.app.screen)
        assert "What each metric means" in [command.title for command in commands]


def test_every_metric_explains_itself() -> None:
    for metric in discovery.built_in().values():
        page = page_of(metric)
        assert page.scale[0] < page.scale[1]
        assert len(" ".join(page.paragraphs)) > 80, metric.id
        assert page.origin.startswith("claimscope.core.metrics.")
