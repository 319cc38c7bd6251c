"""The pytest plugin as its users have it: in a folder outside the repository.

Most runs are in this process, which has loaded what judging needs; one is in processes
of its own, as pytest-xdist makes them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from claimscope.core.errors import ReplyTimeout
from claimscope.core.models import Label, Page
from claimscope.core.verify.decomposition import decompose
from claimscope.stores.index.memory_corpus import MemoryCorpus
from claimscope.tui import workbench
from claimscope.tui.pytest_plugin.case import message_lines
from claimscope.tui.pytest_plugin.gate import gate_of, lines
from tests.doubles.fakes import FakeEmbedder, sample

pytestmark = pytest.mark.slow

pytest_plugins = ["pytester"]

PAGE = "The spring tide is 4.2 metres high. The ferry leaves at 8:15 every morning."
CASES = {"t-1": "How high is the spring tide?", "t-2": "When does the ferry leave?"}
ANSWERS = {
    "t-1": "The spring tide is 4.2 metres high.",
    "t-2": "The ferry leaves at 9:30 every morning.",
}
FAKE = """
from claimscope.tui import workbench
from tests.doubles.fakes import FakeEmbedder

workbench.make_embedder = lambda settings: FakeEmbedder()
"""
CHECK = "    claimscope_case.check()\n"


@pytest.fixture(scope="module", autouse=True)
def libraries() -> None:
    """Loads what judging needs: pytester forgets what was imported in its runs."""
    corpus = MemoryCorpus("warm", [Page(page_id="p", text=PAGE)], FakeEmbedder())
    assert decompose(PAGE, ()).claims and corpus.search("ferry").hits


@pytest.fixture
def tides(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a suite; no embedding model is needed."""
    monkeypatch.setattr(workbench, "make_embedder", lambda settings: FakeEmbedder())
    folder = pytester.path
    (folder / "tides" / "pages").mkdir(parents=True)
    (folder / "tides" / "pages" / "harbour.md").write_text(PAGE, "utf-8")
    suite = {
        "format": "claimscope.suite",
        "version": 1,
        "id": "tides",
        "pages": "pages",
        "answers": "answers.jsonl",
        "cases": [{"id": name, "question": text} for name, text in CASES.items()],
    }
    (folder / "tides" / "suite.json").write_text(json.dumps(suite), "utf-8")
    rows = [{"case_id": n, "provider": "mine", "text": t} for n, t in ANSWERS.items()]
    (folder / "tides" / "answers.jsonl").write_text(
        "\n".join(json.dumps(row) for row in rows), "utf-8"
    )
    return folder


@dataclass(frozen=True)
class Done:
    """How a pytest ended."""

    code: int
    said: str


def tested(pytester: pytest.Pytester, source: str) -> Done:
    """pytest in this process, in that folder."""
    pytester.makepyfile(test_tides=f"import pytest\n\n{source}")
    found = pytester.runpytest_inprocess(
        "-rA", "-p", "no:asyncio", "-p", "no:textual-snapshot"
    )
    return Done(int(found.ret), found.stdout.str() + found.stderr.str())


def tested_apart(folder: Path, source: str, *flags: str) -> Done:
    """pytest in processes of its own."""
    (folder / "test_tides.py").write_text(f"import pytest\n\n{source}", "utf-8")
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA", *flags],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / '.src'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    return Done(done.returncode, done.stdout + done.stderr)


def marked(suite: str = "tides", *further: str, body: str = CHECK) -> str:
    """A test function below its markers."""
    markers = [f'@pytest.mark.claimscope("{suite}")', *further]
    return "\n".join(markers) + f"\ndef test_answers(claimscope_case):\n{body}"


def test_each_sample_is_a_test_and_a_failure_shows_claim_and_evidence(
    tides: Path, pytester: pytest.Pytester
) -> None:
    done = tested(pytester, marked())
    assert done.code == 1, done.said
    assert "PASSED test_tides.py::test_answers[t-1/mine]" in done.said
    assert "FAILED test_tides.py::test_answers[t-2/mine]" in done.said
    said = done.said.split("AssertionError: ")[1]
    assert said.startswith("t-2/mine fails: 1 of 1 claim wrong")
    assert "] The ferry leaves at 9:30 every morning." in said
    assert "harbour.md:S:1: “The ferry leaves at 8:15 every morning.”" in said


@pytest.mark.parametrize(("demanded", "code"), [(0.5, 0), (0.6, 1)])
def test_with_a_threshold_the_gate_decides(
    tides: Path, pytester: pytest.Pytester, demanded: float, code: int
) -> None:
    gate = f"@pytest.mark.claimscope_gate(pass_rate={demanded})"
    done = tested(pytester, marked("tides", gate))
    assert done.code == code, done.said
    assert "1 passed, 1 xfailed" in done.said
    word = "failed" if code else "passed"
    assert f"  {word}: pass_rate 0.5 >= {demanded} over 2 of 2" in done.said


def test_the_first_process_counts_what_others_judged(tides: Path) -> None:
    (tides / "conftest.py").write_text(FAKE, "utf-8")
    gate = "@pytest.mark.claimscope_gate(pass_rate=0.6)"
    done = tested_apart(tides, marked("tides", gate), "-n", "1")
    assert done.code == 1, done.said
    assert "failed: pass_rate 0.5 >= 0.6 over 2 of 2" in done.said


def test_a_test_can_judge_what_a_program_answers(
    tides: Path, pytester: pytest.Pytester
) -> None:
    body = """\
    answers = {"t-1": "The spring tide is 4.2 metres high."}
    text = answers.get(claimscope_case.case.id, "It leaves at 7:05.")
    result = claimscope_case.judge(text)
    assert claimscope_case.result is result
    assert claimscope_case.score("claim_support").metric == "claim_support"
    claimscope_case.check()
"""
    (tides / "tides" / "answers.jsonl").write_text("", "utf-8")
    unasked = "\ndef test_unasked(claimscope_case):\n" + CHECK
    second = '\n@pytest.mark.claimscope("tides")' + unasked
    done = tested(pytester, marked(body=body) + second)
    assert "PASSED test_tides.py::test_answers[t-1]" in done.said, done.said
    assert "FAILED test_tides.py::test_answers[t-2]" in done.said
    assert "case t-1 has no answer" in done.said


def test_an_unscored_sample_is_skipped_and_lacks_in_coverage(
    tides: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def cannot(task: object, services: object) -> None:
        raise ReplyTimeout("no token came")

    monkeypatch.setattr(workbench, "evaluate", cannot)
    done = tested(pytester, marked())
    assert "2 skipped" in done.said, done.said
    assert "unscored: Server took too long: no token came" in done.said
    assert "not judged: coverage 0 >= 0.9 over 0 of 2" in done.said
    assert done.code == 1


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def test_answers(claimscope_case): ...", "needs the marker"),
        (marked("no-such"), "no-such: there is no such suite"),
        (marked('tides", provider="nobody'), "'nobody' has no answer in"),
        (marked('tides", sweet="nobody'), "unexpected keyword argument 'sweet'"),
    ],
)
def test_a_wrong_marker_is_refused_in_words(
    tides: Path, pytester: pytest.Pytester, source: str, words: str
) -> None:
    done = tested(pytester, source)
    assert words in done.said
    assert "Traceback" not in done.said
    assert done.code != 0


def test_the_plugin_alone_loads_nothing(tmp_path: Path) -> None:
    source = """
def test_names():
    import sys
    assert 'claimscope.tui.pytest_plugin' in sys.modules
    assert not {'pydantic', 'numpy', 'textual', 'torch', 'chromadb'} & set(sys.modules)
"""
    plugins = "no:hypothesispytest", "no:textual-snapshot", "no:typeguard"
    flags = [flag for plugin in plugins for flag in ("-p", plugin)]
    done = tested_apart(tmp_path, source, *flags)
    assert done.code == 0, done.said


def test_the_message_holds_no_control_byte_of_a_text() -> None:
    result = sample(text="It opens at \x1b[31m9.", label=Label.CONTRADICTED)
    assert "\x1b" not in "\n".join(message_lines(result))


def test_a_sample_without_a_result_counts_as_unscored() -> None:
    done = sample().model_dump_json()
    records: list[dict[str, Any]] = [
        {"gate": {"pass_rate": 1.0}, "result": done},
        {"gate": {}, "result": None},
    ]
    gate = gate_of("test_x", records)
    assert gate.state == "not_judged"
    assert "coverage 0.5 >= 0.9 over 1 of 2" in "\n".join(lines(gate))
