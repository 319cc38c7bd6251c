"""The keys of the claim stepper: the screen that is worked with for hours."""

from __future__ import annotations

from textual.binding import BindingType

from claimscope.tui.screens.view import key

KEYS: list[BindingType] = [
    key(
        "n",
        "failure(1)",
        "next",
        "Next failure",
        id="step.next_failure",
        group="failure",
    ),
    key(
        "p",
        "failure(-1)",
        "previous",
        "Previous failure",
        id="step.last_failure",
        group="failure",
    ),
    key(
        "j,down",
        "item(1)",
        "next",
        "Next claim or other item",
        id="step.next_item",
        group="claim",
    ),
    key(
        "k,up",
        "item(-1)",
        "previous",
        "Previous claim or other item",
        id="step.last_item",
        group="claim",
    ),
    key(
        "right_square_bracket",
        "sample(1)",
        "next",
        "Next sample",
        id="step.next_sample",
        key_display="]",
        group="sample",
    ),
    key(
        "left_square_bracket",
        "sample(-1)",
        "previous",
        "Previous sample",
        id="step.last_sample",
        key_display="[",
        group="sample",
    ),
    key("a", "agree", "agree", "The machine is right", id="step.agree"),
    key("o", "overrule", "overrule", "Give another verdict", id="step.overrule"),
    key("N", "note", "note", "Write a note on the claim", id="step.note"),
    key("u", "undo", "undo", "Take back the last word given", id="step.undo"),
    key("f", "filter", "filter", "Only one kind of failure", id="step.filter"),
    key("g", "page", "page", "The whole page, sentence marked", id="step.page"),
    key("r", "calls", "raw", "Prompt and raw reply of the model", id="step.calls"),
    key("c", "copy", "copy", "Copy claim and evidence (OSC 52)", id="step.copy"),
    key(
        "tab",
        "app.focus_next",
        "pane",
        "Let space and page keys scroll the other pane",
        id="step.pane",
    ),
]
