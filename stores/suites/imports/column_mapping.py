"""Rows of any table by the names that a person gives: `question=Q,answer=Reply`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claimscope.core.errors import SuiteError
from claimscope.stores.suites.imports.collector import Collector, ImportedRow
from claimscope.stores.suites.imports.document import ToolFile, objects

TARGETS = """id question answer reference contexts claims citations category difficulty
 domain rationale provider model""".split()
"""What a column may become."""
_MOST_NAMED = 20


def parse_mapping(text: str) -> dict[str, tuple[str, ...]]:
    """`question=Q,contexts=a+b` as the columns of each target. Raises SuiteError."""
    found: dict[str, tuple[str, ...]] = {}
    for part in text.split(","):
        target, sign, columns = part.partition("=")
        target = target.strip()
        names = tuple(name.strip() for name in columns.split("+") if name.strip())
        if not sign or not names:
            raise SuiteError(
                f"--map: {part.strip()!r} is not TARGET=COLUMN.",
                "E.g. --map question=Q,answer=Reply,contexts=Doc1+Doc2.",
            )
        if target not in TARGETS:
            raise SuiteError(
                f"--map: {target!r} is nothing that a column becomes.",
                f"Targets: {', '.join(TARGETS)}.",
            )
        if len(names) > 1 and target != "contexts":
            raise SuiteError(
                f"--map: {target} is one column, not {len(names)}.",
                "Only contexts are of several (contexts=a+b).",
            )
        found[target] = names
    if "question" not in found:
        raise SuiteError(
            "--map: no column is the question.", "E.g. --map question=Q,answer=Reply."
        )
    return found


class ColumnMapping:
    """An importer for one file, made of what a person says of its columns."""

    name = "columns"
    order = 0
    lists: tuple[str, ...] = ()

    def __init__(self, mapping: Mapping[str, tuple[str, ...]]) -> None:
        self._mapping = mapping

    def fits(self, document: ToolFile) -> bool:
        return True

    def take(self, document: ToolFile, into: Collector) -> None:
        rows = document.rows or _first_list(document.value)
        self._check(document.name, rows)
        for place, fields in rows:
            self._row(into.row(place, self._flat(fields)))

    def _flat(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The fields, with those inside of others under their path (`a.b`)."""
        flat = dict(fields)
        for name in (name for names in self._mapping.values() for name in names):
            if name not in flat and (value := _inside(fields, name)) is not None:
                flat[name] = value
                flat.pop(name.split(".")[0], None)
        return flat

    def _check(self, name: str, rows: tuple[tuple[str, dict[str, Any]], ...]) -> None:
        known = dict.fromkeys(str(key) for _, row in rows for key in row)
        for target, columns in self._mapping.items():
            for column in columns:
                if column in known or any(
                    _inside(row, column) is not None for _, row in rows
                ):
                    continue
                names = ", ".join(key[:40] for key in list(known)[:_MOST_NAMED])
                raise SuiteError(
                    f"{name}: no column is named {column} (columns: {names}).",
                    f"Correct --map {target}={column}.",
                )

    def _row(self, row: ImportedRow) -> None:
        mapping = self._mapping
        if "id" in mapping:
            row.case["id"] = row.text(*mapping["id"]) or row.case["id"]
        for target in ("question", "reference", "category", "domain", "rationale"):
            if target in mapping:
                row.take(target, *mapping[target])
        if "difficulty" in mapping:
            row.take_difficulty(*mapping["difficulty"])
        self._contexts(row)
        for target, field in (("claims", "text"), ("citations", "page_id")):
            for name in mapping.get(target, ()):
                texts = map(str.strip, row.texts(name))
                row.take_texts(name, target, field, texts)
        more = {
            target: value
            for target in ("provider", "model")
            if target in mapping and (value := row.text(*mapping[target])) is not None
        }
        if "answer" in mapping:
            row.take_answer(*mapping["answer"], **more)
        row.close()

    def _contexts(self, row: ImportedRow) -> None:
        """The passages of all these columns, in their order."""
        texts: list[str] = []
        for name in self._mapping.get("contexts", ()):
            row.case.pop("contexts", None)
            row.take_contexts(name)
            texts += row.case.get("contexts", ())
        if texts:
            row.case["contexts"] = texts


def _inside(fields: Mapping[str, Any], path: str) -> Any:
    value: Any = fields
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _first_list(value: Any) -> tuple[tuple[str, dict[str, Any]], ...]:
    """The first list of objects in a JSON object."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, list) and (found := objects(inner, str(key))):
                return found
    return ()
