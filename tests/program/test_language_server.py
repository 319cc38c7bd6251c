"""`claimscope serve lsp` with a real client, over the pipes of a process of its own."""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from claimscope.tui.process.child import CommandFailed
from claimscope.tui.resident import place, sample
from claimscope.tui.resident.client import EngineAnswer, Unusable
from tests.processes.resident_engine import at_home, started, status

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent
SERVER = """
from claimscope.tui.bootstrap import judges
from claimscope.tui.cli import main
from tests.doubles import fakes
judges.make_embedder = lambda settings: fakes.FakeEmbedder(model_id="fake")
raise SystemExit(main(["serve", "lsp"]))
"""
STARTING = """
import sys
from subprocess import DEVNULL, Popen
from claimscope.tui.resident import sample
from tests.processes.resident_engine import ENGINE
line = [sys.executable, "-c", ENGINE, "600"]
streams = {"stdin": DEVNULL, "stdout": DEVNULL, "stderr": DEVNULL}
sample.start = lambda: Popen(line, **streams)
"""
"""The engine that this server starts has faked embeddings too."""
TEXT = "# Fähre 🚢\n\n🚢 The ferry leaves at 9:30 every morning. Penguins nest there.\n"
PAGE = "# The harbour\n\nThe ferry leaves at 8:15 every morning.\n"
SECONDS = 120


class Client(LanguageClient):
    """Keeps what the server publishes."""

    def __init__(self) -> None:
        super().__init__("test", "1")
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.shown: asyncio.Queue[types.ShowMessageParams] = asyncio.Queue()
        self.logged: list[str] = []

        def publish(params: types.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

        def show(params: types.ShowMessageParams) -> None:
            self.shown.put_nowait(params)

        def keep(params: types.LogMessageParams) -> None:
            self.logged.append(params.message)

        self.feature(types.WINDOW_LOG_MESSAGE)(keep)
        self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(publish)
        self.feature(types.WINDOW_SHOW_MESSAGE)(show)

    async def diagnostics(self) -> list[types.Diagnostic]:
        found = await asyncio.wait_for(self.published.get(), SECONDS)
        return list(found.diagnostics)


@pytest.fixture
def answer(tmp_path: Path) -> Path:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "harbour.md").write_text(PAGE)
    (tmp_path / "claimscope.toml").write_text('against = "pages"\n')
    path = tmp_path / "answers" / "ferry.md"
    path.parent.mkdir()
    path.write_text(TEXT)
    return path


@asynccontextmanager
async def editor(code: str = SERVER) -> AsyncIterator[Client]:
    """An editor with a server of its own."""
    client = Client()
    await client.start_io(sys.executable, "-c", code)
    await client.initialize_async(
        types.InitializeParams(types.ClientCapabilities(), process_id=None)
    )
    client.initialized(types.InitializedParams())
    try:
        yield client
        await client.shutdown_async(None)
    finally:
        client.exit(None)
        await cast(Any, client).stop()


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What servers find around them."""
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / '.src'}:{ROOT}")
    monkeypatch.setenv("CLAIMSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CLAIMSCOPE_WORKSPACE", str(tmp_path / "workspace"))


@pytest_asyncio.fixture
async def client(places: None) -> AsyncIterator[Client]:
    async with editor() as client:
        yield client


@pytest.fixture
def runtime(places: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The user's runtime folder, without an engine; its name is short enough for a
    socket. An engine that a test started is stopped."""
    with tempfile.TemporaryDirectory(prefix="cs-") as name:
        yield at_home(monkeypatch, Path(name))
        words = [sys.executable, "-m", "claimscope", "serve", "daemon", "stop"]
        subprocess.run(words, check=True, capture_output=True)


def opened(client: Client, path: Path, text: str) -> types.TextDocumentIdentifier:
    item = types.TextDocumentItem(path.as_uri(), "markdown", 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    return types.TextDocumentIdentifier(path.as_uri())


async def test_an_editor_sees_what_is_wrong_why_and_puts_it_right(
    client: Client, answer: Path
) -> None:
    document = opened(client, answer, TEXT)
    wrong, unknown = await client.diagnostics()
    assert (wrong.code, wrong.severity) == (
        "contradicted",
        types.DiagnosticSeverity.Error,
    )
    assert unknown.code == "not-enough-info"
    # The ship is two units of UTF-16, in which editors count.
    said = "🚢 The ferry leaves at 9:30 every morning."
    assert wrong.range.start == types.Position(2, 0)
    assert wrong.range.end == types.Position(2, len(said) + 1)

    at = types.Position(2, 10)
    hover = await client.text_document_hover_async(types.HoverParams(document, at))
    assert hover is not None and isinstance(hover.contents, types.MarkupContent)
    assert "harbour.md:S:" in hover.contents.value and "8:15" in hover.contents.value

    context = types.CodeActionContext([wrong])
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(document, wrong.range, context)
    )
    (action,) = actions or []
    assert isinstance(action, types.CodeAction) and action.edit and action.edit.changes
    assert action.title == "Say '8:15', as the page does, not '9:30'"
    (edit,) = action.edit.changes[document.uri]
    start = len("🚢 The ferry leaves at ") + 1
    assert edit.new_text == "8:15"
    assert edit.range == types.Range(
        types.Position(2, start), types.Position(2, start + 4)
    )

    changed = types.VersionedTextDocumentIdentifier(2, document.uri)
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            changed,
            [types.TextDocumentContentChangePartial(edit.range, edit.new_text)],
        )
    )
    gone = await client.text_document_code_action_async(
        types.CodeActionParams(document, wrong.range, context)
    )
    assert not gone, "an action for a text that is not there any more"
    client.text_document_did_save(types.DidSaveTextDocumentParams(document))
    assert [one.code for one in await client.diagnostics()] == ["not-enough-info"]
    client.text_document_did_close(types.DidCloseTextDocumentParams(document))
    assert await client.diagnostics() == []


async def test_a_file_that_nobody_judges_has_no_diagnostics_and_a_mistake_is_said(
    client: Client, answer: Path, tmp_path: Path
) -> None:
    (tmp_path / "claimscope.toml").write_text("")
    opened(client, answer, TEXT)
    assert await client.diagnostics() == []
    (tmp_path / "claimscope.toml").write_text('against = "gone"\n')
    opened(client, answer.with_name("other.md"), TEXT)
    shown = await asyncio.wait_for(client.shown.get(), SECONDS)
    assert "gone: no such folder" in shown.message


# --- judged by the resident engine -------------------------------------------------

needs_linux = pytest.mark.skipif(not place.is_possible(), reason="needs Linux")


def loaded_by(client: Client) -> str:
    """Files that the server of an editor has mapped into its memory."""
    pid = cast(Any, client)._server.pid
    return Path(f"/proc/{pid}/maps").read_text()


@needs_linux
async def test_two_editors_share_one_engine_and_load_nothing(
    runtime: Path, answer: Path
) -> None:
    engine = started()
    plain = (
        "from claimscope.tui.cli import main\nraise SystemExit(main(['serve', 'lsp']))"
    )
    async with editor(plain) as one, editor(plain) as other:
        document = opened(one, answer, TEXT)
        at = types.Position(2, 10)
        assert [d.code for d in await one.diagnostics()] == [
            "contradicted",
            "not-enough-info",
        ]
        hover = await one.text_document_hover_async(types.HoverParams(document, at))
        assert hover is not None and isinstance(hover.contents, types.MarkupContent)
        assert "8:15" in hover.contents.value
        # A mark of the order of bytes is a character of the text, for an editor.
        said = "\ufeffThe ferry leaves at 9:30 every morning."
        opened(other, answer.with_name("other.md"), said)
        (wrong,) = await other.diagnostics()
        assert wrong.range.end == types.Position(0, len(said))
        for client in (one, other):
            assert "numpy" not in loaded_by(client)
            assert client.logged == []
    assert status()["checks"] == 2
    engine.terminate()
    engine.wait(SECONDS)


@needs_linux
async def test_an_editor_starts_the_engine_that_it_needs(
    runtime: Path, answer: Path, tmp_path: Path
) -> None:
    async with editor(STARTING + SERVER) as client:
        (tmp_path / "claimscope.toml").write_text("")
        opened(client, answer, TEXT)
        assert await client.diagnostics() == []
        assert not place.socket_path().exists()  # no pages: nothing to judge
        (tmp_path / "claimscope.toml").write_text('against = "pages"\n')
        opened(client, answer.with_name("other.md"), TEXT)
        assert len(await client.diagnostics()) == 2
        assert status()["checks"] == 1
        # A mistake is told by the check, and is no reason to do without the engine.
        (tmp_path / "claimscope.toml").write_text('against = "gone"\n')
        opened(client, answer.with_name("third.md"), TEXT)
        shown = await asyncio.wait_for(client.shown.get(), SECONDS)
        assert "gone: no such folder" in shown.message
        assert (client.logged, status()["checks"]) == ([], 2)


@needs_linux
async def test_without_an_engine_the_server_judges_and_says_so_once(
    runtime: Path, answer: Path
) -> None:
    broken = "from claimscope.tui.resident import sample\nsample.REST_SECONDS = 0\n"
    broken += "import subprocess\nsample.start = lambda: subprocess.Popen(['false'])\n"
    async with editor(broken + SERVER) as client:
        for name in ("ferry.md", "other.md"):
            opened(client, answer.with_name(name), TEXT)
            assert len(await client.diagnostics()) == 2
        assert client.logged == [
            "the resident engine is not used: it did not start; `claimscope serve "
            "daemon run` says why; judged in this process"
        ]


def asked(mode: str, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], list[str]]:
    """(what was tried, what was told) of three answers one after the other, the engine
    being killed at the first."""
    tried: list[str] = []
    told: list[str] = []

    def output_of(*words: object) -> EngineAnswer:
        tried.append("ask")
        raise Unusable("it was killed")

    monkeypatch.setenv("CLAIMSCOPE_DAEMON", mode)
    monkeypatch.setattr(sample, "output_of", output_of)
    judge = sample.ResidentJudge(
        argparse.Namespace(daemon=None, workspace=None), told.append
    )
    for _ in range(3):
        assert judge.sample("a.md", "Ferries leave.", Path("/"), ()) is None
    return tried, told


@needs_linux
def test_an_engine_with_something_wrong_is_left_alone_for_a_while(
    own_folders: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "the resident engine is not used: it was killed; judged in this process"
    assert asked("off", monkeypatch) == ([], [])
    assert asked("use", monkeypatch) == (["ask"], [said])
    monkeypatch.setattr(sample, "REST_SECONDS", 0.0)
    assert asked("use", monkeypatch) == (["ask"] * 3, [said])


def test_a_check_that_printed_nothing_is_an_error_in_its_own_words() -> None:
    said = (
        "note: slow\nclaimscope: Wrong use: --against gone: no such folder\n  name it\n"
    )
    with pytest.raises(CommandFailed) as caught:
        sample.result_of(EngineAnswer(2, b"", said))
    assert caught.value.message == "Wrong use: --against gone: no such folder"
    assert caught.value.hint == "name it"
