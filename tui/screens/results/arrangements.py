"""Arrangements of Results: what is shown, in what order, in which columns.

A person who looks at the same thing in each run gives it a name. Named arrangements
are kept in the workspace as JSON, readable and editable by hand; a file with a mistake
is told of, and is never written over.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import orjson
from pydantic import Field, ValidationError

from claimscope.core.errors import InputError
from claimscope.core.models import Model
from claimscope.stores.workspace.paths import make_private, write_atomically
from claimscope.stores.workspace.regular_files import read_regular
from claimscope.tui.review.items import Wanted

BY_CASE = "case"
"""The answers of all providers to a case stand together."""
VIEWS = "views.json"
LONGEST_NAME = 40


class Arrangement(Model):
    """A filter, an order and columns."""

    text: str = ""
    """Only samples with this in them, whatever the case of its letters."""
    kind: Wanted | None = None
    failures_only: bool = False
    sort: str = BY_CASE
    columns: tuple[str, ...] | None = None
    """Names of tui/screens/results_columns.py; None = what fits the width."""


class NamedView(Model):
    """An arrangement with its name."""

    name: str = Field(min_length=1, max_length=LONGEST_NAME)
    arrangement: Arrangement = Arrangement()


class _File(Model):
    format: Literal["claimscope.views"] = "claimscope.views"
    version: Literal[1] = 1
    views: tuple[NamedView, ...] = ()


class SavedViews:
    """The named arrangements of a workspace."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / VIEWS

    def read(self) -> Sequence[NamedView]:
        """All of them, by name. Raises InputError for a file with a mistake."""
        try:
            found = _File.model_validate(orjson.loads(read_regular(self.path)))
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise self._unusable(error.strerror or str(error)) from error
        except orjson.JSONDecodeError as error:
            raise self._unusable(
                f"line {error.lineno}, column {error.colno}: {error.msg}"
            ) from error
        except ValidationError as error:
            problem = error.errors()[0]
            place = ".".join(str(part) for part in problem["loc"])
            raise self._unusable(f"{place}: {problem['msg']}") from error
        return sorted(found.views, key=lambda view: view.name)

    def _unusable(self, what: str) -> InputError:
        return InputError(
            f"{self.path}: {what}",
            "mend the file, or move it away to begin without saved views",
        )

    def save(self, view: NamedView) -> None:
        """Keeps a view; one of the same name is replaced. Raises InputError for a file
        with a mistake, which is left as it is, and StoreError."""
        others = [known for known in self.read() if known.name != view.name]
        self._write([*others, view])

    def remove(self, name: str) -> None:
        """Forgets a view. Raises as `save`."""
        self._write([known for known in self.read() if known.name != name])

    def _write(self, views: Sequence[NamedView]) -> None:
        document = _File(views=tuple(sorted(views, key=lambda view: view.name)))
        make_private(self.path.parent)
        data = orjson.dumps(
            document.model_dump(mode="json"), option=orjson.OPT_INDENT_2
        )
        write_atomically(self.path, data + b"\n")
