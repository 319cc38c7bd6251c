"""The figures of the sentences that were written before the code stay what they are."""

from __future__ import annotations

import pytest

from benchmarks.quality.sentence_claims import main


def test_most_sentences_are_right(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["sentence_claims"])
    main()
    printed = capsys.readouterr().out.splitlines()
    assert int(printed[-2].split()[0]) >= 48
    assert "whole           11 of 13" in printed
