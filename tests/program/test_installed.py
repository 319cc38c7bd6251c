"""API and plugin from a built wheel, in a folder outside the repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.test_packaging import GENERATED, ROOT, SHIPPED, build

pytestmark = pytest.mark.slow

EMBEDDER = """
import zlib

import numpy as np

import claimscope.core
from claimscope.tui import workbench


class Words:
    model_id, dimensions = "words@1/fp32", 256

    def embed(self, texts):
        vectors = np.full((len(texts), 256), 1e-6, dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                vectors[row, zlib.crc32(word.encode()) % 256] += 1
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


workbench.make_embedder = lambda settings: Words()
print("from", claimscope.core.__file__)
"""
TESTS = """
import pytest
from claimscope import evaluate_sync


@pytest.mark.claimscope("harbour.json")
def test_answers(claimscope_case):
    claimscope_case.check()


def test_api(request):
    result = evaluate_sync(request.path.parent / "harbour.json")
    assert (result.status.passed, result.status.failed) == (1, 1)
"""
TRUTH = ("The ferry leaves at 8:15 every morning.",)
SUITE = {
    "format": "claimscope.suite",
    "version": 1,
    "id": "harbour",
    "answers": "answers.jsonl",
    "cases": [
        {"id": name, "question": "When does the ferry leave?", "contexts": TRUTH}
        for name in ("right", "wrong")
    ],
}
ANSWERS = {
    "right": "The ferry leaves at 8:15 every morning.",
    "wrong": "The ferry leaves at 9:30 every morning.",
}


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """A wheel, built as for a release."""
    source = tmp_path / "source"
    source.mkdir()
    for name in SHIPPED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, symlinks=True, ignore=GENERATED)
        else:
            shutil.copy(ROOT / name, source / name)
    return build("wheel", source, source / "dist")


def test_api_and_plugin_work_where_only_the_wheel_is(
    wheel: Path, tmp_path: Path
) -> None:
    site, mine = tmp_path / "site", tmp_path / "mine"
    mine.mkdir()
    with zipfile.ZipFile(wheel) as archive:
        assert {
            f"claimscope/{part}/py.typed" for part in ("core", "stores", "tui")
        } <= (set(archive.namelist()))
        archive.extractall(site)
    (mine / "conftest.py").write_text(EMBEDDER, "utf-8")
    (mine / "test_harbour.py").write_text(TESTS, "utf-8")
    (mine / "harbour.json").write_text(json.dumps(SUITE), "utf-8")
    rows = [{"case_id": name, "text": text} for name, text in ANSWERS.items()]
    (mine / "answers.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-rA", "-s", "-p", "no:cacheprovider"],
        cwd=mine,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    assert f"from {site}" in said, said
    assert "PASSED test_harbour.py::test_answers[right/default]" in said
    assert "FAILED test_harbour.py::test_answers[wrong/default]" in said
    assert "PASSED test_harbour.py::test_api" in said
    assert "contradicted claim: The claim says 9:30, the page says 8:15." in said
    assert "] The ferry leaves at 9:30 every morning." in said
