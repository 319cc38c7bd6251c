"""What a judge is asked is made when it is looked at, and is the same each time."""

from __future__ import annotations

import json
from pathlib import Path

from claimscope.stores.suites.loading import load_suite
from claimscope.tui.services.run.planning import QuestionsAndAnswers


def test_each_question_stands_before_its_answer(tmp_path: Path) -> None:
    cases = [{"id": "a", "question": "How old?"}, {"id": "b", "question": "How long?"}]
    answers = [("b", "9 m."), ("a", "50 years."), ("b", "Nine metres.")]
    suite = {"format": "claimscope.suite", "version": 1, "id": "s", "cases": cases}
    (tmp_path / "suite.json").write_text(json.dumps({**suite, "answers": "a.jsonl"}))
    rows = [
        {"case_id": case, "provider": f"p{n}", "text": text}
        for n, (case, text) in enumerate(answers)
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    asked = QuestionsAndAnswers(load_suite(tmp_path / "suite.json"))
    whole = ["How long?9 m.", "How old?50 years.", "How long?Nine metres."]
    assert list(asked) == whole and len(asked) == 3
    assert asked[1:] == whole[1:] and asked[-1] == whole[-1]
    assert max(map(len, asked)) == len(whole[2])
