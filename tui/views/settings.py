"""A setting: its value, what it means, what it takes, where it comes from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimscope.core.report.view import (
    Column,
    Fields,
    Part,
    Row,
    Section,
    Span,
    line,
    row,
)
from claimscope.tui.ports.gateway import SettingInfo

NONE = "none"
COLUMNS = (Column("setting", width=22), Column("value"), Column("from", width=22))
CHANGES = "It changes verdicts: a run begun before is not resumed with it."


def settings_view(found: Sequence[SettingInfo]) -> Iterator[Part]:
    for info in found:
        value = Span(f"{info.name} = {info.value or NONE}", "strong")
        yield Section(line(value), (line(info.meaning), *_about(info)))


def setting_view(info: SettingInfo) -> Iterator[Part]:
    yield line(Span(info.name, "heading"), f"  {info.meaning}")
    yield from _about(info)


def _about(info: SettingInfo) -> Iterator[Part]:
    fields = [
        ("takes", line(info.limits)),
        ("default", line(info.default or NONE)),
        ("from", line(info.source)),
    ]
    yield Fields(tuple(fields))
    if info.changes_verdicts:
        yield line(Span(CHANGES, "faint"))


def setting_row(info: SettingInfo) -> Row:
    """Name, value, and which kind of place it comes from."""
    is_default = info.source == "default"
    return row(
        Span(info.name, "" if is_default else "strong"),
        Span(info.value or NONE, "" if info.value else "faint"),
        Span(_short(info.source), "faint" if is_default else "human"),
    )


def _short(source: str) -> str:
    """`file`, when it is one: its path is long and stands below."""
    is_name = source == "default" or source.isupper() or source == "flag"
    return source if is_name else "settings file"
