"""docs/conformance.md: what it says holds is run, line by line.

A line is `| number | requirement | check | state |`. A check is a command with the
texts it must print (`command` → `text` → `text`), or a Python expression that is true.
"""

from __future__ import annotations

import asyncio
import io
import json
import re
import shlex
import threading
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from claimscope.core.backends import embedders
from claimscope.core.errors import EmbeddingError
from claimscope.core.ports import Floats
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui import cli
from claimscope.tui.gateway.workspace import WorkspaceGateway
from tests.docs.test_documents import blocks, commands
from tests.doubles.fake_ollama import (
    FakeOllama,
    Reply,
    chose,
    failed,
    missing,
    model,
    said,
)
from tests.doubles.fakes import FakeEmbedder
from tests.doubles.planted_model import judging
from tests.tui.pilot import app_on, press, settle, text_of

PAGE = "conformance.md"
DOCS = Path(__file__).parents[2] / "docs"
NUMBER = re.compile(r"[A-F]\d+")


@dataclass(frozen=True)
class Line:
    """One requirement."""

    number: str
    requirement: str
    check: str
    state: str

    @property
    def parts(self) -> list[str]:
        """What stands in backticks: the command or expression, then what it prints."""
        return re.findall(r"`([^`]+)`", self.check)


def lines() -> list[Line]:
    """The requirements of the page, in its order."""
    found = []
    for row in (DOCS / PAGE).read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in row.strip("|").split(" | ")]
        if row.startswith("|") and NUMBER.fullmatch(cells[0].strip()):
            assert len(cells) == 4, row
            found.append(Line(*cells))
    return found


PLANTED = judging()
FIVE = threading.Event()
"""Five calls are open that wait for one another."""
WAITING: list[str] = []
BUSY_TIMES: dict[str, int] = {}
"""How often a prompt was refused."""


def grading(body: dict[str, Any]) -> Reply:
    """5 and 4 of 5; 2 and 3 for what birch answers."""
    if body["options"]["num_predict"] == 1:  # claims that show whether a model is fit
        try:
            return PLANTED(body)
        except (AssertionError, KeyError):  # how many tokens a page has; our claims
            yes, no = (-5.0, -0.01) if body["model"] == "n:1b" else (-0.01, -5.0)
            return chose({"Yes": yes, "No": no})
    prompt = body["messages"][0]["content"]
    if "Grade the" not in prompt:
        return said("The ferry leaves at 8:15 [harbour, S:1].")
    if "busy" in prompt and BUSY_TIMES.get(prompt, 0) < 2:
        BUSY_TIMES[prompt] = BUSY_TIMES.get(prompt, 0) + 1
        return failed(503, "the server is busy")
    if "lost" in prompt:
        return missing(body["model"])
    is_birch = "5.1 metres" in prompt
    if "Grade the faithfulness" in prompt:
        grade = 2 if is_birch else 5
    else:
        grade = 3 if is_birch else 4
    reply = said(json.dumps({"explanation": f"It is a {grade}.", "grade": grade}))
    if "together" not in prompt:
        return reply
    WAITING.append(prompt)
    if len(WAITING) == 5:
        FIVE.set()
    return replace(reply, hold=FIVE)


EMBEDDERS: list[str] = []
"""Names of the embedding models that were asked for."""
SAID: dict[str, str] = {}
"""What each command printed: many lines look at one."""


def shown(command: str) -> str:
    """What a command prints, on either stream."""
    if command not in SAID:
        said_here = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
        with redirect_stdout(said_here), redirect_stderr(said_here):
            with suppress(SystemExit):
                cli.main(words_of(command))
        SAID[command] = said_here.buffer.getvalue().decode()
    return SAID[command]


def seen(*keys: str, run: str | None = None, size: tuple[int, int] = (80, 24)) -> str:
    """What the interface shows after some keys: from Home, or from a run's first
    failure in the stepper. Lines are joined by a space."""
    gateway = WorkspaceGateway(Workspace.find(None))
    return asyncio.run(_pressed(gateway, keys, run, size))


async def _pressed(
    gateway: WorkspaceGateway,
    keys: Sequence[str],
    run: str | None,
    size: tuple[int, int],
) -> str:
    if run == "last":
        run = next(iter(gateway.runs.runs())).header.run_id
    app = app_on(gateway, open_run=run, step=run is not None)
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        await press(pilot, *keys)
        return text_of(pilot)


def printed(command: str) -> Any:
    """The JSON that a command prints."""
    return json.loads(shown(command))


def words_of(command: str) -> list[str]:
    program, *words = shlex.split(command)
    assert program == "claimscope", command
    return words


@dataclass(frozen=True)
class Place:
    """The folder of the page's files and runs."""

    folder: Path
    host: str
    names: dict[str, Any]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Made once for all lines."""
    folder = tmp_path_factory.mktemp("conformance")
    SAID.clear()
    models = {"m:1b": model(), "n:1b": model()}
    digests = {"n:1b": "b" * 64}
    with FakeOllama(models=models, digests=digests, answer=grading) as ollama:
        with pytest.MonkeyPatch.context() as patch:
            use(patch, folder, ollama.host)
            known = made(folder, ollama)
        yield Place(folder, ollama.host, known)


@pytest.fixture
def names(place: Place, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What expressions may use, in that folder and with its models."""
    use(monkeypatch, place.folder, place.host)
    return place.names


def made(folder: Path, ollama: FakeOllama) -> dict[str, Any]:
    """Writes the page's files, runs its commands and its Python."""
    for block in blocks(PAGE):
        if block.file is not None:
            file = folder / block.file
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, "utf-8")
        for command, _ in commands(block) if block.language == "console" else ():
            assert cli.main(words_of(command)) == 0, command
    known: dict[str, Any] = {"ollama": ollama, "shown": shown, "printed": printed}
    known |= {"seen": seen, "embedders": EMBEDDERS}
    for block in blocks(PAGE):
        if block.language == "python":
            exec(compile(block.text, f"docs/{PAGE}", "exec"), known)
    return known


def use(patch: pytest.MonkeyPatch, folder: Path, host: str) -> None:
    """The place, its workspace and its models."""
    patch.setattr(embedders, "embedder_for", embedder)
    patch.setenv("CLAIMSCOPE_WORKSPACE", str(folder / "workspace"))
    patch.setenv("OLLAMA_HOST", host)
    patch.chdir(folder)


def embedder(name: str, **more: object) -> FakeEmbedder:
    """No weights are needed; a folder that is not there is told as such."""
    EMBEDDERS.append(name)
    return Broken() if name.startswith("/no/") else FakeEmbedder()


class Broken(FakeEmbedder):
    """A model that cannot be read."""

    def embed(self, texts: Sequence[str]) -> Floats:
        raise EmbeddingError("the model cannot be read", "name another")


def test_every_line_has_a_number_of_its_own_and_a_state() -> None:
    found = lines()
    assert len({line.number for line in found}) == len(found) >= 198
    for line in found:
        if line.state == "holds":
            assert line.parts, f"{line.number} holds, and nothing shows it"
        else:
            assert re.fullmatch(r"missing: .{10,}", line.state), line


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", [one for one in lines() if one.state == "holds"], ids=lambda one: one.number
)
def test_what_holds_is_shown(line: Line, names: dict[str, Any]) -> None:
    check, *wanted = line.parts
    if not check.startswith("claimscope "):
        assert not wanted, f"{line.number}: an expression prints nothing"
        assert eval(check, names) is True, f"{line.number}: {line.requirement}"
        return
    assert wanted, f"{line.number}: nothing says what `{check}` prints"
    told = " ".join(shown(check).split())
    for text in wanted:
        assert " ".join(text.split()) in told, f"{line.number}: `{text}` not in {told}"
