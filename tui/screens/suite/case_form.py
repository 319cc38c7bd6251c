"""A case of a suite to edit: what is wrong is said at its field while one types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.suggester import SuggestFromList
from textual.widgets import Input, Label, TextArea

from claimscope.core.errors import ClaimscopeError
from claimscope.core.report.case_lines import (
    citation_lines,
    citations_of,
    claim_lines,
    claims_of,
)
from claimscope.stores.suites.editing import Fields
from claimscope.stores.suites.lint import LintFinding
from claimscope.tui.screens.base.view import ScreenContext, View
from claimscope.tui.screens.suite.cases import faults_of
from claimscope.tui.views.case import entries, root_of, text_of
from claimscope.tui.widgets.bindings import key
from claimscope.tui.widgets.flow import plain
from claimscope.tui.widgets.keybar import KeyBar

SHORT = ("id", "category", "difficulty")
LONG = {
    "question": "",
    "reference": "a right answer",
    "claims": "one a line; `expected: …` or `optional: …` when not required",
    "citations": "one a line: page id | sentence | key phrase",
}
"""Fields with a text of several lines, and what to write there."""
NEEDED = ("id", "question")
DIFFICULTIES = ("easy", "medium", "hard")


class CaseForm(View):
    """Edits one case; what it does not show is kept."""

    NAME = "Case"
    PURPOSE = "Edit a case of a suite: question, reference, claims, citations."
    AUTO_FOCUS = "#case-question"
    BINDINGS = [
        key("ctrl+s", "case.save", "save", "Save the case"),
        key("tab", "case.next", "next field", "Next field", action="app.focus_next"),
        key(
            "shift+tab",
            "case.previous",
            "field before",
            "Field before",
            action="app.focus_previous",
        ),
    ]

    def __init__(
        self,
        context: ScreenContext,
        case: Mapping[str, Any],
        path: Path,
        taken: frozenset[str],
        save: Callable[[Fields], None],
    ) -> None:
        """path: the suite's file. taken: ids of the other cases. save: raises
        ClaimscopeError; the form then stays."""
        super().__init__(context)
        self._case = dict(case)
        self._path = path
        self._taken = taken
        self._save = save
        self._shown = {name: plain(self._text(name)) for name in (*SHORT, *LONG)}
        self._said: dict[str, str] = {}
        self._leaves = False
        """Escape was pressed once while something was not saved."""

    def _text(self, name: str) -> str:
        if name == "claims":
            return claim_lines(entries(self._case, name))
        if name == "citations":
            return citation_lines(entries(self._case, name))
        return text_of(self._case, name)

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="case-form", can_focus=False):
            with Horizontal(id="case-short"):
                for name in SHORT:
                    yield Label(name)
                    yield Input(
                        self._shown[name],
                        id=f"case-{name}",
                        compact=True,
                        select_on_focus=False,
                        suggester=SuggestFromList(DIFFICULTIES)
                        if name == "difficulty"
                        else None,
                    )
            yield Label("", id="case-problem-short", classes="case-problem")
            for name, hint in LONG.items():
                with Horizontal(classes="case-head"):
                    yield Label(Content(f"{name}  "), classes="case-name")
                    yield Label(Content(hint), id=f"case-hint-{name}")
                yield TextArea(
                    self._shown[name], id=f"case-{name}", compact=True, soft_wrap=True
                )
            yield Label("", id="case-problem-other", classes="case-problem")
        yield KeyBar()

    def on_mount(self) -> None:
        self._check()

    # --- what stands in the form ---

    def _written(self, name: str) -> str:
        widget = self.query_one(f"#case-{name}")
        if isinstance(widget, TextArea):
            return widget.text
        assert isinstance(widget, Input)
        return widget.value

    def _changed(self, name: str) -> bool:
        return self._written(name) != self._shown[name]

    def fields(self) -> Fields:
        """The case as the form says; what was not touched is as it was."""
        case = dict(self._case)
        for name in (*SHORT, *LONG):
            if not self._changed(name):
                continue
            text = self._written(name)
            if name == "claims":
                case[name] = claims_of(text, entries(case, name))
            elif name == "citations":
                case[name] = citations_of(text, entries(case, name))
            elif text.strip():
                case[name] = text.strip()
            elif name in NEEDED:
                case[name] = ""
            else:
                case.pop(name, None)
        return case

    # --- what is wrong ---

    @on(TextArea.Changed)
    @on(Input.Changed)
    def _check(self) -> None:
        """Looks at the case again and says at each field what is wrong."""
        self._leaves = False
        found = self._faults()
        short = [f for f in found if root_of(f) in SHORT]
        other = [f for f in found if root_of(f) not in (*SHORT, *LONG)]
        self._say("case-problem-short", self._words(short))
        for name, hint in LONG.items():
            wrong = self._words([f for f in found if root_of(f) == name])
            self._say(f"case-hint-{name}", wrong or hint)
            self.query_one(f"#case-hint-{name}").set_class(bool(wrong), "-wrong")
        self._say("case-problem-other", self._words(other))

    def _faults(self) -> list[LintFinding]:
        fields = self.fields()
        found = faults_of(fields, self._path)
        if fields.get("id") in self._taken:
            words = "another case has this id"
            found.append(LintFinding("error", "", "", "id", words, "give another one"))
        return found

    def _words(self, findings: list[LintFinding]) -> str:
        glyphs = self.context.glyphs
        return "; ".join(
            f"{glyphs.contradicted if f.level == 'error' else glyphs.not_enough_info} "
            f"{f.field}: {f.message}"
            for f in findings
        )

    def _say(self, where: str, text: str) -> None:
        """Writes it when it is new: each write is sent over the line."""
        if self._said.get(where) != text:
            self._said[where] = text
            self.query_one(f"#{where}", Label).update(Content(plain(text)))

    # --- leaving ---

    def action_save(self) -> None:
        """Saves, unless something is wrong that was not wrong before: a field of
        another program, or a mistake elsewhere, must not keep one from correcting."""
        known = {(f.field, f.message) for f in faults_of(self._case, self._path)}
        wrong = [
            f
            for f in self._faults()
            if f.level == "error"
            and (root_of(f) in NEEDED or (f.field, f.message) not in known)
        ]
        if wrong:
            name = root_of(wrong[0])
            self._say(
                "case-problem-other",
                f"not saved: {wrong[0].field}: {wrong[0].message}; {wrong[0].remedy}",
            )
            if name in (*SHORT, *LONG):
                self.query_one(f"#case-{name}").focus()
            return
        try:
            self._save(self.fields())
        except ClaimscopeError as error:
            self._say("case-problem-other", f"not saved: {error.message} {error.hint}")
            return
        super().action_leave()

    def action_leave(self) -> None:
        """Back; once more when something would be lost."""
        if not self._leaves and any(map(self._changed, (*SHORT, *LONG))):
            self._leaves = True
            words = "not saved: ctrl+s saves, esc again leaves it as it was"
            self._say("case-problem-other", words)
        else:
            super().action_leave()
