"""Suite: read, edit, add and delete cases; accept or drop what a model wrote."""

from __future__ import annotations

from collections.abc import Callable

from textual import work

from claimscope.core.errors import ClaimscopeError
from claimscope.stores.suites.editing import (
    Fields,
    SuiteDraft,
    case_name,
    mark_of,
    moves_of,
    new_id,
)
from claimscope.tui.dialogs.choice import Choice, ChoiceDialog
from claimscope.tui.process.faults import told
from claimscope.tui.screens.base.view import AskNewRun, key
from claimscope.tui.screens.suite.case_list import CaseList
from claimscope.tui.screens.suite.cases import CaseFilter
from claimscope.tui.widgets.table import Table


class SuiteScreen(CaseList):
    """Cases above, the one under the cursor below."""

    NAME = "Suite"
    PURPOSE = "Read and edit the cases of a suite; accept or drop generated ones."
    AUTO_FOCUS = "#suite-list"
    BINDINGS = [
        key("enter", "edit", "edit", "Edit it", id="suite.edit", key_display="enter"),
        key("n", "add", "new", "Write a new case", id="suite.new"),
        key("d", "delete", "delete", "Delete the case", id="suite.delete"),
        key("u", "undo", "undo", "Take the last change back", id="suite.undo"),
        key("a", "accept", "accept", "Accept a generated case", id="suite.accept"),
        key("x", "drop", "drop", "Drop a generated case", id="suite.drop"),
        key(
            "slash",
            "find",
            "find",
            "Find",
            id="suite.find",
            key_display="/",
            opens_line=True,
        ),
        key("c", "choose('category')", "category", "One category", id="suite.category"),
        key(
            "y",
            "choose('difficulty')",
            "difficulty",
            "One difficulty",
            id="suite.difficulty",
        ),
        key("g", "candidates", "generated", "Only generated", id="suite.generated"),
        key("w", "faults", "mistakes", "Only with mistakes", id="suite.mistakes"),
        key(
            "m",
            "follow",
            "moved",
            "Point an expected citation to where its key phrase stands now",
            id="suite.follow",
        ),
        key("s", "start", "run", "Start a run of this suite", id="suite.run"),
        key("r", "reload", "reload", "Read the file again", id="suite.reload"),
    ]

    def on_table_selected(self, event: Table.Selected) -> None:
        """A double click on a row."""
        self.action_edit()

    # --- changing ---

    def _change(self, action: Callable[[], None]) -> None:
        """Does it, in a copy where the file itself is not edited."""
        if self._is_editable:
            action()
            return

        def answered(value: str | None) -> None:
            if value == "copy":
                self._copy(action)

        choices = [
            Choice("copy", "make a copy of mine and edit that", "y"),
            Choice("no", "leave it", "n"),
        ]
        title = f"{self._path.parent.name}/{self._path.name} is not edited itself."
        self.app.push_screen(ChoiceDialog(title, choices), answered)

    @work(thread=True, exclusive=True, group="copy", exit_on_error=False)
    def _copy(self, action: Callable[[], None]) -> None:
        try:
            path = self.setting.desk.library.copy_suite(self._path)
        except Exception as error:
            self.from_thread(self.tell_error, told(error))
            return
        self.from_thread(self.tell, f"You edit your copy: {path}")
        self.from_thread(self._read, path, action)

    def _do(self, change: Callable[[SuiteDraft], int | None]) -> None:
        """A change of the draft; shows the row that it gives."""
        draft = self._draft
        if draft is None:
            return
        try:
            at = change(draft)
        except ClaimscopeError as error:
            self.tell_error(error)
            return
        self._after(at)

    def _after(self, at: int | None) -> None:
        self._show(at)
        self._lint()

    def action_edit(self) -> None:
        """The form of the case in hand."""
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
        """The form of a new case."""
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
        """Takes the last change back."""
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
        """A run of this suite."""
        self.post_message(AskNewRun(str(self._path)))
