"""Tables of the tests that no editor writes: Parquet, Excel, a folder of `datasets`.

    python tests/stores/suites/make_tables.py

writes them into `files/`. `datasets` itself is not needed: it saves Arrow streams and
two files of JSON, and so does this.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FILES = Path(__file__).parent / "files"
ROWS: list[dict[str, Any]] = [
    {
        "user_input": "When does it leave?",
        "response": "At 8:15.",
        "reference": "At 8:15.",
        "retrieved_contexts": ["The ferry leaves at 8:15.", "It runs daily."],
    },
    {
        "user_input": "What does it cost?",
        "response": "Nine crowns.",
        "reference": None,
        "retrieved_contexts": ["A crossing costs four crowns."],
    },
]


def parquet(path: Path, rows: list[dict[str, Any]]) -> None:
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)


def dataset(folder: Path, rows: list[dict[str, Any]], *, missing: bool = False) -> None:
    """A folder as `Dataset.save_to_disk` leaves it; `missing`: without its data."""
    import pyarrow
    import pyarrow.ipc

    folder.mkdir(parents=True, exist_ok=True)
    name = "data-00000-of-00001.arrow"
    if not missing:
        table = pyarrow.Table.from_pylist(rows)
        with pyarrow.OSFile(str(folder / name), "wb") as sink:
            with pyarrow.ipc.new_stream(sink, table.schema) as writer:
                writer.write_table(table)
    state = {"_data_files": [{"filename": name}], "_split": "train"}
    (folder / "state.json").write_text(json.dumps(state))
    (folder / "dataset_info.json").write_text(json.dumps({"features": {}}))


def excel(path: Path, rows: list[tuple[Any, ...]], others: int = 0) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Answers"
    for row in rows:
        sheet.append(row)
    for number in range(others):
        book.create_sheet(f"Notes {number + 1}").append(("What is left to do",))
    book.save(path)


def main() -> None:
    good, broken = FILES / "good", FILES / "broken"
    parquet(good / "ragas.parquet", ROWS)
    dataset(good / "ragas-dataset", ROWS)
    columns = ("input", "actual_output", "expected_output", "context")
    first = ("When does it leave?", "At 8:15.", "At 8:15.", "['It leaves at 8:15.']")
    excel(good / "deepeval.xlsx", [columns, first], others=1)
    asked = ("Frage", "Antwort", "Soll", "Quelle 1", "Quelle 2")
    told = ("Wann fährt sie?", "Um neun.", "Um 8:15.", "Sie fährt um 8:15.", "Täglich.")
    excel(good / "mapped.xlsx", [asked, told])
    excel(broken / "unknown.xlsx", [asked, told])
    data = (good / "ragas.parquet").read_bytes()
    (broken / "cut-off.parquet").write_bytes(data[: len(data) // 2])
    dataset(broken / "half-dataset", ROWS, missing=True)
    text = "question,ground_truth,answer\nWann?,Um 8:15.,Um neun.\n"
    (good / "ragas-utf16.csv").write_bytes(text.encode("utf-16"))
    (broken / "ragas-utf16.csv").write_bytes(text.encode("utf-16")[:-1])


if __name__ == "__main__":
    main()
