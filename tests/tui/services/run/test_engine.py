"""Runs in one process: each counts what it read and searched itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from claimscope.core.ports import Floats
from claimscope.core.run.meters import meters
from claimscope.core.settings import Settings
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.bootstrap import judges
from claimscope.tui.services.run.engine import to_its_end
from claimscope.tui.services.run.planning import RunRequest
from tests.doubles import fakes

NAMES = ("heron", "kiln", "weir")


class CountingEmbedder(fakes.FakeEmbedder):
    """Counts as embedders do; a text is a token."""

    def embed(self, texts: Sequence[str]) -> Floats:
        meters().embedded.add(len(texts), len(texts))
        return super().embed(texts)


@pytest.fixture(autouse=True)
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judges, "make_embedder", lambda settings: CountingEmbedder())


def suite_of(folder: Path, name: str, cases: int) -> Path:
    """So many cases about pages of their own, each answered."""
    (folder / name).mkdir(parents=True)
    rows, answers = [], []
    for number in range(cases):
        fact = f"The {name} number {number} is {number + 3} metres long."
        (folder / name / f"{number}.md").write_text(f"# {name} {number}\n\n{fact}\n")
        rows.append({"id": f"{name}-{number}", "question": f"How long is {number}?"})
        answers.append({"case_id": f"{name}-{number}", "text": fact})
    fields = {"format": "claimscope.suite", "version": 1, "id": name, "pages": name}
    path = folder / f"{name}.json"
    path.write_text(json.dumps({**fields, "answers": f"{name}.jsonl", "cases": rows}))
    lines = "".join(json.dumps(row) + "\n" for row in answers)
    (folder / f"{name}.jsonl").write_text(lines)
    return path


def figures(workspace: Workspace, run_id: str) -> tuple[tuple[int, int], int]:
    """(texts and tokens embedded, searches) of a run."""
    reader = DiskRunStore(workspace.runs).read(run_id)
    embedded, searched = reader.embedded(), reader.searched()
    assert embedded is not None and searched is not None
    return embedded, sum(searched.values())


async def run(workspace: Workspace, suite: Path) -> None:
    wanted = RunRequest(str(suite), run_id=f"20260101-000000-{suite.stem}")
    status = await to_its_end(workspace, Settings(), wanted, begun=False)
    assert status.state == "finished"


def test_two_runs_at_once_have_their_own_figures(tmp_path: Path) -> None:
    suites = [suite_of(tmp_path, name, 2 + n) for n, name in enumerate(NAMES)]
    alone, together = Workspace(tmp_path / "alone"), Workspace(tmp_path / "together")

    async def one_by_one() -> None:
        for suite in suites:
            await run(alone, suite)

    async def at_once() -> None:
        await asyncio.gather(*(run(together, suite) for suite in suites))

    meters().embedded.take()  # what other tests read outside of runs
    asyncio.run(one_by_one())
    asyncio.run(at_once())
    for suite in suites:
        run_id = f"20260101-000000-{suite.stem}"
        found = figures(together, run_id)
        assert found == figures(alone, run_id)
        assert found[0][0] > 0 and found[1] > 0
    assert meters().embedded.take() == (0, 0)
