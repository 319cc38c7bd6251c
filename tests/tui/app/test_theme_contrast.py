"""Every word on the screen can be read in every theme that ships."""

from __future__ import annotations

import pytest
from rich.color_triplet import ColorTriplet

from claimscope.tui.app.themes import SHIPPED, read_themes
from tests.tui.pilot import app_on, press, settle
from tests.tui.sample_run import RUN_ID
from tests.tui.screens.test_stepper import gateway_with_a_run

LEAST = 3.0
"""Contrast that WCAG 2.2 asks of large text; what is dim on purpose has it too."""
THEMES = [theme for theme in read_themes([SHIPPED])[0] if not theme.ansi]


def luminance(colour: ColorTriplet) -> float:
    """Relative luminance (WCAG 2.2)."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in colour.normalized
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: ColorTriplet, other: ColorTriplet) -> float:
    """1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_goes_from_1_to_21() -> None:
    black, white = ColorTriplet(0, 0, 0), ColorTriplet(255, 255, 255)
    assert contrast(black, white) == pytest.approx(21)
    assert contrast(white, white) == 1
    assert contrast(ColorTriplet(119, 119, 119), white) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", [theme.name for theme in THEMES])
async def test_words_stand_out_from_what_is_behind_them(theme: str) -> None:
    app = app_on(gateway_with_a_run(), open_run=RUN_ID, step=True, theme=theme)
    faint = set()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        for keys in (("a",), ("escape",), ("?",)):
            await press(pilot, *keys)
            for strip in app.screen._compositor.render_strips():
                for text, style, _ in strip:
                    words = any(sign.isalnum() for sign in text)
                    if style and words and style.color and style.bgcolor:
                        ink, paper = style.color.triplet, style.bgcolor.triplet
                        if ink and paper and contrast(ink, paper) < LEAST:
                            faint.add((text.strip(), ink.hex, paper.hex))
    assert faint == set()
