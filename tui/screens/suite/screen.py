"""Suite: read, edit, add and delete cases; accept or drop what a model wrote."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from textual import work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input

from claimscope.core.errors import ClaimscopeError
from claimscope.core.text.plurals import counted_noun
from claimscope.stores.suites.editing import (
    Fields,
    SuiteDraft,
    case_name,
    mark_of,
    moves_of,
    new_id,
)
from claimscope.stores.suites.lint import LintFinding
from claimscope.tui.dialogs.choice import Choice
from claimscope.tui.process.faults import log_error
from claimscope.tui.screens.base.view import AskNewRun, ScreenContext, View
from claimscope.tui.screens.suite.cases import (
    CaseFilter,
    CaseFindings,
    findings_of,
    values_of,
)
from claimscope.tui.views.case import ON_SCREEN, case_row, finding_lines
from claimscope.tui.widgets.bindings import key
from claimscope.tui.widgets.case_text import case_document
from claimscope.tui.widgets.document import Document
from claimscope.tui.widgets.flow import Piece, para, plain
from claimscope.tui.widgets.keybar import KeyBar
from claimscope.tui.widgets.rendered import cells, columns
from claimscope.tui.widgets.table import ScreenTable

NO_CASES = "No cases yet. n: write the first one."
NO_MATCH = "No case fits. esc: all cases."
ALL = "all"


class SuiteScreen(View):
    """Cases above, the one under the cursor below."""

    NAME = "Suite"
    PURPOSE = "Read and edit the cases of a suite; accept or drop generated ones."
    AUTO_FOCUS = "#suite-list"
    BINDINGS = [
        key("enter", "suite.edit", "edit", "Edit it"),
        key("n", "suite.new", "new", "Write a new case", action="add"),
        key("d", "suite.delete", "delete", "Delete the case"),
        key("u", "suite.undo", "undo", "Take the last change back"),
        key("a", "suite.accept", "accept", "Accept a generated case"),
        key("x", "suite.drop", "drop", "Drop a generated case"),
        key("slash", "suite.find", "find", "Find", opens_line=True),
        key(
            "c",
            "suite.category",
            "category",
            "One category",
            action="choose('category')",
        ),
        key(
            "y",
            "suite.difficulty",
            "difficulty",
            "One difficulty",
            action="choose('difficulty')",
        ),
        key("g", "suite.generated", "generated", "Only generated", action="candidates"),
        key("w", "suite.mistakes", "mistakes", "Only with mistakes", action="faults"),
        key(
            "m",
            "suite.follow",
            "moved",
            "Point an expected citation to where its key phrase stands now",
        ),
        key("s", "suite.run", "run", "Start a run of this suite", action="start"),
        key("r", "suite.reload", "reload", "Read the file again"),
    ]

    def __init__(self, context: ScreenContext, path: Path) -> None:
        super().__init__(context)
        self._path = path
        self._draft: SuiteDraft | None = None
        self._is_editable = True
        self._findings = CaseFindings({})
        self._of_file: Sequence[LintFinding] = ()
        """What is known by reading the suite's pages."""
        self._shown = CaseFilter()
        self._rows: Sequence[int] = ()

    def compose(self) -> ComposeResult:
        yield Input(id="suite-line", placeholder="words (enter: to the list)")
        yield self.list_pane("suite-list", columns(ON_SCREEN, 0))
        yield Document(id="suite-case", classes="pane")
        yield Document(id="suite-notes", can_focus=False)
        yield KeyBar()

    def on_mount(self) -> None:
        self.action_reload()

    # --- reading ---

    @property
    def _list(self) -> ScreenTable:
        return self.query_one("#suite-list", ScreenTable)

    def action_reload(self) -> None:
        """Reads the file again; what could be undone is forgotten."""
        self._of_file = ()
        self._read(self._path)

    def _read(self, path: Path, then: Callable[[], None] = lambda: None) -> None:
        library = self.context.gateway.library

        def read() -> tuple[SuiteDraft, bool, CaseFindings]:
            draft = library.open_suite(path)
            return draft, library.is_editable(path), findings_of(draft)

        def show(found: tuple[SuiteDraft, bool, CaseFindings]) -> None:
            self._take(*found)
            then()

        self.in_background(read, show, self._show_error, group="suite")

    def _show_error(self, error: ClaimscopeError) -> None:
        words = f"{error.message}\n{error.hint}"
        self._list.show(0, lambda row: (), empty=words)
        self.tell_error(error)

    def _take(self, draft: SuiteDraft, editable: bool, findings: CaseFindings) -> None:
        self._draft, self._is_editable = draft, editable
        self._path, self._findings = draft.path, findings
        self._show()
        self._lint()

    @work(thread=True, exclusive=True, group="lint", exit_on_error=False)
    def _lint(self) -> None:
        """The mistakes anew; those of expected citations by reading the pages."""
        draft = self._draft
        if draft is None:
            return
        self.from_thread(self._take_findings, findings_of(draft, self._of_file))
        if not draft.fields.get("pages") or not any(
            isinstance(case, dict) and case.get("citations") for case in draft.cases
        ):
            return
        try:
            found = self.context.gateway.library.lint_suite(draft.path)
        except Exception as error:
            self.from_thread(self.tell_error, log_error(error))
            return
        self._of_file = found
        self.from_thread(self._take_findings, findings_of(draft, found))

    def _take_findings(self, findings: CaseFindings) -> None:
        if findings != self._findings:
            self._findings = findings
            self._show()

    # --- showing ---

    def _show(self, at: int | None = None) -> None:
        """The cases that fit; the cursor goes to a row of the file, if that is one."""
        draft = self._draft
        if draft is None:
            return
        before = self._row
        self._rows = self._shown.rows(draft, self._findings)
        words = self._shown.words_of()
        table = self._list

        def show_case(place: int) -> Sequence[Piece]:
            row = self._rows[place]
            found = self._findings.of(row)
            shown = case_row(draft.cases[row], row, ON_SCREEN, found)
            return cells(shown, ON_SCREEN, 0, self.context.glyphs)

        empty = NO_MATCH if words else NO_CASES
        table.show(len(self._rows), show_case, empty=empty)
        wanted = before if at is None else at
        if wanted in self._rows:
            table.go_to(self._rows.index(wanted))
        table.border_title = Content(plain(self._title(draft, words)))
        self._show_notes()
        self._show_case()

    def _title(self, draft: SuiteDraft, words: str) -> str:
        name = str(draft.fields.get("title") or draft.fields.get("id") or "suite")
        count = f"{len(self._rows):,} of {counted_noun(len(draft.cases), 'case')}"
        waiting = sum(mark_of(case) == "candidate" for case in draft.cases)
        parts = [
            name,
            count if words else counted_noun(len(draft.cases), "case"),
            words,
        ]
        parts.append(f"{waiting:,} generated to look at" if waiting else "")
        parts.append("" if self._is_editable else "ships: a copy is edited")
        return "  ".join(part for part in parts if part)

    def _show_notes(self) -> None:
        self.show_parts("suite-notes", finding_lines(self._findings.of_suite))

    def _show_case(self) -> None:
        pane = self.query_one("#suite-case", Document)
        row, draft = self._row, self._draft
        if draft is None or row is None:
            pane.border_title = ""
            pane.show([para(Piece("No case under the cursor.", "dim"))])
            return
        case = draft.cases[row]
        pane.border_title = Content(plain(case_name(case, row)))
        findings = self._findings.of(row)
        pane.show(list(case_document(case, findings, self.context.glyphs)))

    @property
    def _row(self) -> int | None:
        """The row of the file under the cursor."""
        cursor = self._list.cursor
        if self._draft is None or cursor >= len(self._rows):
            return None
        row = self._rows[cursor]
        return row if row < len(self._draft.cases) else None

    def on_screen_table_moved(self, event: ScreenTable.Moved) -> None:
        self._show_case()

    # --- choosing what is shown ---

    def action_find(self) -> None:
        line = self.query_one("#suite-line", Input)
        self.open_line(line)

    def on_input_changed(self, event: Input.Changed) -> None:
        self._filter(replace(self._shown, words=event.value.strip()))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._list.focus()

    def _filter(self, shown: CaseFilter) -> None:
        if shown != self._shown:
            self._shown = shown
            self._show()

    def action_candidates(self) -> None:
        """Only what a model wrote and nobody looked at, or all again."""
        self._filter(replace(self._shown, candidates=not self._shown.candidates))

    def action_faults(self) -> None:
        self._filter(replace(self._shown, faults=not self._shown.faults))

    def action_choose(self, name: str) -> None:
        if self._draft is None:
            return
        values = values_of(self._draft, name)
        choices = [Choice(ALL, "all"), *(Choice(f"={v}", v) for v in values)]

        def show(value: str) -> None:
            wanted = None if value == ALL else value[1:]
            if name == "category":
                self._filter(replace(self._shown, category=wanted))
            else:
                self._filter(replace(self._shown, difficulty=wanted))

        self.choose(f"Which {name}?", choices, show)

    def action_leave(self) -> None:
        """Shows all cases again, else goes back."""
        line = self.query_one("#suite-line", Input)
        if line.has_class("-open") or self._shown != CaseFilter():
            self.close_line(line, self._list)
            self._filter(CaseFilter())
        else:
            super().action_leave()

    def on_screen_table_selected(self, event: ScreenTable.Selected) -> None:
        self.action_edit()

    # --- changing ---

    def _change(self, action: Callable[[], None]) -> None:
        """Does it, in a copy where the file itself is not edited."""
        if self._is_editable:
            action()
            return

        def copy(value: str) -> None:
            if value == "copy":
                self.in_background(
                    lambda: self.context.gateway.library.copy_suite(self._path),
                    lambda path: self._edit_copy(path, action),
                    group="copy",
                )

        choices = [
            Choice("copy", "make a copy of mine and edit that", "y"),
            Choice("no", "leave it", "n"),
        ]
        title = f"{self._path.parent.name}/{self._path.name} is not edited itself."
        self.choose(title, choices, copy)

    def _edit_copy(self, path: Path, action: Callable[[], None]) -> None:
        self.tell(f"You edit your copy: {path}")
        self._read(path, action)

    def _do(self, change: Callable[[SuiteDraft], int | None]) -> None:
        """A change of the draft; shows the row that it gives."""
        if self._draft is not None:
            with self.telling_errors():
                self._after(change(self._draft))

    def _after(self, at: int | None) -> None:
        self._show(at)
        self._lint()

    def action_edit(self) -> None:
        if self._row is not None:
            self._change(self._edit)

    def _edit(self) -> None:
        row, draft = self._row, self._draft
        if draft is None or row is None:
            return
        case = draft.cases[row]
        if not isinstance(case, dict):
            self.tell("This case is no object: d deletes it.", warning=True)
            return

        def save(fields: Fields) -> None:
            draft.change(row, fields)
            self._after(row)

        self._open_form(draft, case, row, save)

    def action_add(self) -> None:
        self._change(self._add)

    def _add(self) -> None:
        draft = self._draft
        if draft is None:
            return

        def save(fields: Fields) -> None:
            self._shown = CaseFilter()
            self._after(draft.add(fields))

        case = {"id": new_id(draft.cases), "question": ""}
        self._open_form(draft, case, len(draft.cases), save)

    def _open_form(
        self, draft: SuiteDraft, case: Fields, row: int, save: Callable[[Fields], None]
    ) -> None:
        taken = frozenset(
            case_name(other, number)
            for number, other in enumerate(draft.cases)
            if number != row
        )
        self.open_screen("case", case, draft.path, taken, save)

    def action_delete(self) -> None:
        """Takes the case out; u brings it back."""
        if self._row is not None:
            self._change(self._delete)

    def _delete(self) -> None:
        if (row := self._row) is not None:
            self._do(lambda draft: draft.delete(row))
            self.tell("Deleted; u brings it back.")

    def action_undo(self) -> None:
        draft = self._draft
        if draft is None or draft.last_change is None:
            self.tell("Nothing to take back.")
            return
        words = draft.last_change

        def undo(draft: SuiteDraft) -> int | None:
            undone = draft.undo()
            return undone[1] if undone else None

        self._do(undo)
        self.tell(f"Taken back: {words}")

    def action_accept(self) -> None:
        """Accepts what a model wrote; the next one follows."""
        self._decide(lambda draft, row: draft.accept(row))

    def action_drop(self) -> None:
        """Drops what a model wrote; the next one follows."""
        self._decide(lambda draft, row: draft.delete(row))

    def _decide(self, change: Callable[[SuiteDraft, int], None]) -> None:
        row, draft = self._row, self._draft
        if draft is None or row is None:
            return
        if mark_of(draft.cases[row]) != "candidate":
            self.tell("A person wrote or accepted this case: enter edits, d deletes.")
            return

        def decide(draft: SuiteDraft) -> int | None:
            change(draft, row)
            waiting = [
                n for n, c in enumerate(draft.cases) if mark_of(c) == "candidate"
            ]
            return next((n for n in waiting if n >= row), row)

        self._change(lambda: self._do(decide))

    def action_follow(self) -> None:
        """Accepts where the first expected citation that has moved stands now."""
        row, draft = self._row, self._draft
        if draft is None or row is None:
            return
        moves = moves_of(draft, self._findings.of(row))
        if not moves:
            self.tell("No expected citation of this case is known to have moved.")
            return
        _, number, moved = moves[0]

        def move(draft: SuiteDraft) -> int:
            draft.move([(row, number, moved)])
            return row

        def change() -> None:
            self._do(move)
            place = f"{moved['page_id']}, S:{moved['sentence']}"
            self.tell(f"citations[{number + 1}] is {place} now; u takes it back.")

        self._change(change)

    def action_start(self) -> None:
        self.post_message(AskNewRun(str(self._path)))
