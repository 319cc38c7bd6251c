"""Query logs: what people asked a system, what it said, and what it was shown.

Rows of queryLogId, question, answer, context; the context may be a text, texts, or
objects as the system kept them, which are written out.
"""

from __future__ import annotations

from claimscope.stores.suites.imports.collector import Collector
from claimscope.stores.suites.imports.document import ToolFile

LISTS = ("records", "entries", "logs", "queries", "results", "testCases", "data")
_ID = ("queryLogId", "query_log_id", "queryId", "query_id")
_QUESTION = ("question", "query")
_ANSWER = ("answer", "response")


class QueryLogs:
    """An id that is logged several times is one case with several answers."""

    name = "query logs"
    order = 30
    lists: tuple[str, ...] = LISTS

    def fits(self, document: ToolFile) -> bool:
        return any(
            set(_ID) & set(row) and set(_QUESTION) & set(row)
            for _, row in document.rows_in(*self.lists)
        )

    def take(self, document: ToolFile, into: Collector) -> None:
        for place, fields in document.rows_in(*self.lists):
            row = into.row(place, fields)
            row.case["id"] = row.text(*_ID) or row.case["id"]
            row.take("question", *_QUESTION)
            row.take_contexts("context", "contexts")
            row.take("reference", "reference", "expectedAnswer")
            row.take("category", "category")
            row.take("domain", "domain")
            row.take_difficulty("difficulty")
            more = {
                field: value
                for field, value in (
                    ("model", row.text("model")),
                    ("provider", row.text("provider", "aiProvider")),
                    ("created", row.text("createdAt", "timestamp", "respondedAt")),
                )
                if value is not None
            }
            row.take_answer(*_ANSWER, **more)
            row.close()


IMPORTER = QueryLogs()
