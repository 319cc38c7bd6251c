"""Sixty pieces of chatbot answers keep their claims."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.quality import answer_claims

ROWS = answer_claims.rows()


def test_there_are_sixty_of_all_kinds() -> None:
    assert len(ROWS) == len({row["text"] for row in ROWS}) == 60
    assert {row["kind"] for row in ROWS} == {
        "number", "table", "question", "mark", "lead-in", "fragment", "advice",
        "self-talk", "referent", "former", "facts", "identifier", "imperative", "code",
    }  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=[row["text"][:30] for row in ROWS])
def test_claims_and_skipped_parts_are_right(row: dict[str, Any]) -> None:
    got = answer_claims.found(row["text"])
    assert got == {"claims": row["claims"], "skipped": row["skipped"]}


def test_the_script_counts_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer_claims.main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    table, fresh = (line.split() for line in lines if line.startswith("all "))
    assert table[1] == table[3] == "60" and int(table[2]) < 30
    assert fresh[1] == "27" and int(fresh[3]) >= 26
