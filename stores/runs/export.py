"""A run as plain TinyDB JSON: readable without Claimscope, by `TinyDB(path)`.

Tables, ids and documents are those of the journal; what people said is the table
`human`. Written record by record, so that a long run needs no more memory than a short
one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import orjson

from claimscope.stores.runs.journal_lines import Row


def plain_tinydb(tables: Mapping[str, Mapping[int, Row]]) -> Iterator[bytes]:
    """The parts of one JSON document: {table: {id: document}}."""
    yield b"{"
    for number, (name, table) in enumerate(tables.items()):
        yield (b",\n" if number else b"\n") + orjson.dumps(name) + b": {"
        for row_number, (row_id, row) in enumerate(table.items()):
            yield b",\n" if row_number else b"\n"
            yield b' "%d": ' % row_id + orjson.dumps(row)
        yield b"\n}"
    yield b"\n}\n"
