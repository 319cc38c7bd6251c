"""`claimscope lsp` with a real client, over the pipes of a process of its own."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.lsp.client import LanguageClient

ROOT = Path(__file__).parent.parent.parent
SERVER = """
from claimscope.tui import bootstrap
from claimscope.tui.cli import main
from tests import fakes
bootstrap.make_embedder = lambda settings: fakes.FakeEmbedder(model_id="fake")
raise SystemExit(main(["lsp"]))
"""
TEXT = "# Fähre 🚢\n\n🚢 The ferry leaves at 9:30 every morning. Penguins nest there.\n"
PAGE = "# The harbour\n\nThe ferry leaves at 8:15 every morning.\n"
SECONDS = 120


class Client(LanguageClient):
    """Keeps what the server publishes."""

    def __init__(self) -> None:
        super().__init__("test", "1")
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.shown: asyncio.Queue[types.ShowMessageParams] = asyncio.Queue()

        def publish(params: types.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

        def show(params: types.ShowMessageParams) -> None:
            self.shown.put_nowait(params)

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


@pytest_asyncio.fixture
async def client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Client]:
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / '.src'}:{ROOT}")
    monkeypatch.setenv("CLAIMSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CLAIMSCOPE_WORKSPACE", str(tmp_path / "workspace"))
    client = Client()
    await client.start_io(sys.executable, "-c", SERVER)
    await client.initialize_async(
        types.InitializeParams(types.ClientCapabilities(), process_id=None)
    )
    client.initialized(types.InitializedParams())
    yield client
    await client.shutdown_async(None)
    client.exit(None)
    await cast(Any, client).stop()


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
