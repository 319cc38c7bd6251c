"""The keys of Results."""

from __future__ import annotations

from textual.binding import BindingType

from claimscope.tui.screens.base.view import key

KEYS: list[BindingType] = [
    key(
        "enter",
        "step",
        "step through",
        "Step through claims",
        id="results.step",
        key_display="enter",
    ),
    key(
        "slash",
        "search",
        "find",
        "Only samples with a text in them",
        id="results.find",
        key_display="/",
        opens_line=True,
    ),
    key("f", "filter", "filter", "Only one kind of failure", id="results.filter"),
    key(
        "x",
        "failures",
        "failures",
        "Only samples that did not pass",
        id="results.failures",
    ),
    key("s", "sort", "sort", "Sort by a column", id="results.sort"),
    key("c", "columns", "columns", "Choose the columns", id="results.columns"),
    key(
        "v",
        "views",
        "views",
        "Show a saved view, save what is shown as one, or remove one",
        id="results.views",
    ),
    key("e", "export", "export", "Write what is shown to a file", id="results.export"),
    key(
        "w",
        "compare",
        "compare",
        "Compare with another run, or providers with one another",
        id="results.compare",
    ),
    key(
        "u",
        "quarters",
        "quarters",
        "Which samples are faithful, which complete, and what failed in each",
        id="results.quarters",
    ),
    key("t", "trends", "trends", "The suite over time", id="results.trends"),
    key("r", "reload", "reload", "Read what was finished since", id="results.reload"),
]
