"""docs/editors.md: the session that it shows is what editor and server say today."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.tools import editor_session

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SERVER = """
from claimscope.tui.bootstrap import judges
from claimscope.tui.cli import main
from tests.doubles import fakes
judges.make_embedder = lambda settings: fakes.FakeEmbedder(model_id="fake")
raise SystemExit(main(["serve", "lsp"]))
"""


def test_the_session_of_the_page_is_what_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (ROOT / "docs" / "editors.md").read_text("utf-8")
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / '.src'}:{ROOT}")
    monkeypatch.setenv("CLAIMSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CLAIMSCOPE_DAEMON", "off")
    monkeypatch.setenv("CLAIMSCOPE_WORKSPACE", str(tmp_path / "workspace"))
    server = [sys.executable, "-c", SERVER]
    said = editor_session.transcript(editor_session.session(page, server, tmp_path))
    (shown,) = editor_session.BLOCK.findall(page)
    assert said == shown, (
        "python -m benchmarks.tools.editor_session --write docs/editors.md"
    )
    for step in ("publishDiagnostics", "reply to textDocument/hover", '"newText": "8'):
        assert step in shown


def test_what_fits_stands_on_one_line_and_the_rest_is_laid_out() -> None:
    assert editor_session.laid_out({"a": [1, None]}, 2) == '  {"a": [1, null]}'
    long = {"a": "x" * 90, "b": [1]}
    lines = editor_session.laid_out([long], 2).splitlines()
    assert lines[0] == "  [" and lines[-1] == "  ]"
    assert lines[1:-1] == [
        "    {",
        f'      "a": "{"x" * 90}",',
        '      "b": [1]',
        "    }",
    ]
