"""A form: fields to fill in, one a line, and a start; what is wrong is said below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Generic, TypeVar

from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Label, Select

from claimscope.core.errors import ClaimscopeError
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.ports.gateway import HostInfo, SuiteInfo
from claimscope.tui.screens.base.view import ScreenContext, View
from claimscope.tui.widgets.flow import plain

Wish = TypeVar("Wish")
"""What a form says."""
Begun = TypeVar("Begun")
"""What comes of it."""
NO_SUITE = (("no suite yet (Home, o: open one)", ""),)
"""Until the suites are read, and when there is none; a blank line could be chosen."""
JUDGES = (("no grades", "no"), ("grades of faithfulness and completeness", "yes"))
QUALITIES = (("not scored", ""), ("scored beside the other metrics", "+quality"))
"""Text quality is asked for."""


class Form(View, Generic[Wish, Begun]):
    """Starts something in the background, unless a field is wrong."""

    PREFIX: ClassVar[str] = ""
    """Of the ids of its fields."""
    STARTING: ClassVar[str] = ""
    """Said while it starts."""

    def __init__(self, context: ScreenContext) -> None:
        super().__init__(context)
        self._is_starting = False

    def wanted(self) -> Wish:
        """What the form says. Raises ValueError that names the field."""
        raise NotImplementedError

    def start(self, wanted: Wish) -> Begun:
        """Called in a thread. Raises ClaimscopeError."""
        raise NotImplementedError

    def started(self, begun: Begun) -> None:
        """It runs."""
        raise NotImplementedError

    # --- fields ---

    def line(
        self, name: str, hint: str = "", value: str = "", label: str = ""
    ) -> Horizontal:
        id = f"{self.PREFIX}-{name}"
        field = Input(value, placeholder=hint, id=id, compact=True)
        return self._field(name, field, label)

    def options(
        self, name: str, options: Sequence[tuple[str, str]], label: str = ""
    ) -> Horizontal:
        """A field with options (text, value), the first one chosen."""
        field = Select[str](
            options,
            value=options[0][1],
            allow_blank=False,
            id=f"{self.PREFIX}-{name}",
            compact=True,
        )
        return self._field(name, field, label)

    def _field(self, name: str, field: Select[str] | Input, label: str) -> Horizontal:
        id = f"field-{name}"
        return Horizontal(Label(label or name), field, classes="field", id=id)

    def read_lists(
        self,
        chosen: str | None,
        show_hosts: Callable[[Sequence[HostInfo]], object],
        no_hosts: Callable[[ClaimscopeError], object],
        no_suites: Callable[[ClaimscopeError], object] | None = None,
    ) -> None:
        """Reads in the background what there is to choose from. no_suites: what to do
        about an error, instead of telling it."""
        gateway = self.context.gateway
        self.in_background(
            lambda: list(gateway.suites()),
            lambda suites: self.show_suites(suites, chosen),
            no_suites,
            group="suites",
        )
        self.in_background(
            lambda: list(gateway.hosts()), show_hosts, no_hosts, group="hosts"
        )

    def show_suites(self, suites: Sequence[SuiteInfo], chosen: str | None) -> None:
        """Those that can be used; the chosen one, else the first, is in hand."""
        usable = [suite for suite in suites if suite.problem is None]
        if not usable:
            return
        select: Select[str] = self.query_one(f"#{self.PREFIX}-suite", Select)
        names = [suite.name for suite in usable]
        select.set_options(
            (
                Content(
                    plain(f"{s.title or s.name} ({counted_noun(s.cases, 'case')})")
                ),
                s.name,
            )
            for s in usable
        )
        select.value = chosen if chosen and chosen in names else names[0]

    def value(self, name: str) -> str:
        field = self.query_one(f"#{self.PREFIX}-{name}")
        assert isinstance(field, Input | Select)
        return field.value.strip() if isinstance(field.value, str) else ""

    def say(self, where: str, text: str) -> None:
        """Writes it below the fields."""
        label = self.query_one(f"#{self.PREFIX}-{where}", Label)
        label.update(Content(plain(text)))

    # --- starting ---

    def on_input_submitted(self) -> None:
        self.action_start()

    def action_start(self) -> None:
        if self._is_starting:
            return
        try:
            wanted = self.wanted()
        except ValueError as error:
            self.say("problem", f"{self.context.glyphs.contradicted} {error}")
            return
        self._is_starting = True
        self.say("problem", self.STARTING)
        self.in_background(
            lambda: self.start(wanted), self.started, self._refused, group="start"
        )

    def _refused(self, error: ClaimscopeError) -> None:
        self._is_starting = False
        sign = self.context.glyphs.contradicted
        self.say("problem", f"{sign} {error.title}: {error}")
