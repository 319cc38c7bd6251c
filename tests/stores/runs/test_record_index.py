"""Which samples of a run are finished, and which of those could not be judged: what a
resume asks of all of them at once."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.stores.runs.index_file import IndexDamaged, IndexFile, marks_of
from claimscope.stores.runs.record_index import RecordIndex
from claimscope.stores.runs.run_store import RUN_INDEX, DiskRunStore
from tests.doubles import fakes

RUN = "20261127-120000-ab12"
CASES = ("plain", "with\x1fsign", "late", "", "naïve ☂ 0", "two\nlines", "a 0 b")
FAILED = {"late": "no model", "two\nlines": "it \x1f broke"}


def saved(root: Path, cases: tuple[str, ...]) -> DiskRunStore:
    """A run with a sample a case, closed."""
    store = DiskRunStore(root)
    writer = store.create(fakes.header(RUN, total_samples=len(cases)))
    for case in cases:
        sample = fakes.sample("c")
        key = sample.key.model_copy(update={"case_id": case})
        update = {"key": key, "error": FAILED.get(case)}
        writer.save_sample(sample.model_copy(update=update))
    writer.close()
    return store


def expected(cases: tuple[str, ...]) -> dict[str, str | None]:
    """By hand."""
    return {f"{case}/alpha/1": FAILED.get(case) for case in cases}


@pytest.mark.parametrize("count", range(len(CASES) + 1))
def test_all_of_them_with_their_errors(tmp_path: Path, count: int) -> None:
    writer = saved(tmp_path, CASES[:count]).open(RUN)
    assert writer.finished_keys() == expected(CASES[:count])
    writer.save_sample(fakes.sample("new"))  # not in the file yet
    assert writer.finished_keys() == expected((*CASES[:count], "new"))
    writer.close()


def test_they_are_put_together_by_sqlite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = tuple(case for case in CASES if "\x1f" not in case)
    writer = saved(tmp_path, cases).open(RUN)
    monkeypatch.setattr(RecordIndex, "_keys", None)  # the slower way
    assert writer.finished_keys() == expected(cases)
    writer.close()


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE records SET key = 'other/alpha/1' WHERE key LIKE 'plain%'",
        "UPDATE records SET flag = 1 - flag WHERE key LIKE 'plain%'",
        "UPDATE records SET id = 77 WHERE key LIKE 'plain%'",
        "DELETE FROM records WHERE key LIKE 'late%'",
    ],
)
def test_an_index_that_says_something_else_is_not_believed(
    tmp_path: Path, harm: str
) -> None:
    store = saved(tmp_path, CASES)
    with sqlite3.connect(tmp_path / RUN / RUN_INDEX) as database:
        assert database.execute(harm).rowcount == 1
    database.close()
    writer = store.open(RUN)
    assert writer.finished_keys() == expected(CASES)
    writer.close()


NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)


@given(st.dictionaries(NAMES, st.booleans(), max_size=6))
def test_both_ways_say_the_same(records: dict[str, bool]) -> None:
    file = IndexFile.new(None)
    rows = [(n, key, int(flag)) for n, (key, flag) in enumerate(records.items())]
    file._connection.executemany(
        "INSERT INTO records VALUES ('t', ?, ?, ?, 0, 0, 0, NULL, 0)", rows
    )

    try:
        found = file.keys_by_flag("t")
    except IndexDamaged:
        assert any("\x1f" in key for key in records)
    else:
        plain = [key for _, key, flag in rows if not flag]
        assert sorted(found.plain) == sorted(plain)
        assert sorted(found.flagged) == [row for row in rows if row[2]]
        assert found.marks == marks_of(rows)
    file.close()
