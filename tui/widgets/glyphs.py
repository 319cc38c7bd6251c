"""Signs for states: a glyph and a word, so that no meaning hangs on colour alone."""

from __future__ import annotations

from dataclasses import dataclass

from claimscope.core.models import Label, Verdict
from claimscope.core.report.terms import LIKELY


def verdict_role(verdict: Verdict) -> str:
    """The style of a verdict: its label's, or that of "likely"."""
    return LIKELY if verdict.is_likely else verdict.label.value


@dataclass(frozen=True)
class Glyphs:
    """One set of signs, each one cell wide."""

    supported: str
    likely: str
    """Supported, but by no proof and no two witnesses."""
    contradicted: str
    not_enough_info: str
    unscored: str
    running: str
    paused: str
    stopped: str
    current: str
    """Before the claim in hand and the row under the cursor."""
    skipped: str
    full: str
    """A filled cell of a bar."""
    empty: str
    rule: str
    """A horizontal line, one cell."""
    more: str
    """Stands for what was cut off."""
    disputed: str
    """After the sign of what judges disagree on."""
    risen: str
    """A figure that went up, beyond noise."""
    fallen: str
    level: str
    """A figure that did not move beyond noise."""
    point: str
    """A value in a plot."""
    chosen: str
    """The value in a plot that the cursor is on."""

    def label(self, label: Label) -> str:
        return str(getattr(self, label.value))

    def verdict(self, verdict: Verdict) -> str:
        """The sign of a verdict, its own for one that is only likely."""
        return self.likely if verdict.is_likely else self.label(verdict.label)

    def passed(self, passed: bool | None) -> str:
        if passed is None:
            return self.unscored
        return self.supported if passed else self.contradicted

    def bar(self, done: int, total: int, width: int) -> str:
        """A progress bar of `width` cells."""
        filled = 0 if total <= 0 else min(width, width * done // total)
        return self.full * filled + self.empty * (width - filled)


UNICODE = Glyphs(*"✔◐✘?–▶‖■▶·█░─…≠▲▼≈●◆")
ASCII = Glyphs(*"+%x?->=#>.#.-~!^v=o@")


def glyphs_for(encoding: str | None) -> Glyphs:
    """The signs a terminal of this encoding can show."""
    name = (encoding or "").lower().replace("-", "").replace("_", "")
    return UNICODE if name in {"utf8", "utf16", "utf8sig"} else ASCII
