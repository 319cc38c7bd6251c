"""Every example of the README and of the pages in docs/ is run, in one workspace.

They run in the order in which a newcomer reads them, the README first, from nothing;
each page has a folder of its own. A fenced block with a file name is that file;
`console` blocks are commands with what they print (`...` stands for anything), `python`
blocks are run one after the other. What needs a server is parsed, so that no flag of it
can be out of date.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from claimscope.core.backends import embedders
from claimscope.stores.workspace.interface_settings import WORKSPACE_VARIABLE
from claimscope.tui import cli
from claimscope.tui.cli.command_table import in_present_names
from claimscope.tui.cli.parser import build_parser
from tests.doubles.fakes import FakeEmbedder

DOCS = Path(__file__).parents[2] / "docs"
MADE_ELSEWHERE = {"metrics.md", "formats.md", "screens.md", "conformance.md"}
"""Each has a test of its own that holds it to the code."""
README = "../README.md"
LINKED = re.findall(r"\]\(([\w-]+\.md)\)", (DOCS / "README.md").read_text("utf-8"))
PAGES = ["README.md", *(name for name in LINKED if name not in MADE_ELSEWHERE)]
"""In the order of docs/README.md."""
FAKE = """
from claimscope.tui import workbench
from tests.doubles.fakes import FakeEmbedder

workbench.make_embedder = lambda settings: FakeEmbedder()
"""
"""Spares the examples the weights of an embedding model."""
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """A fenced block."""

    language: str
    words: tuple[str, ...]
    text: str
    line: int

    def word(self, name: str) -> str | None:
        """The value of `name=value` behind the language."""
        values = [w.partition("=")[2] for w in self.words if w.startswith(f"{name}=")]
        return values[0] if values else None

    @property
    def file(self) -> str | None:
        """The file that it is."""
        return next((word for word in self.words if "=" not in word), None)


def blocks(name: str) -> list[Block]:
    found = []
    for token in MarkdownIt().parse((DOCS / name).read_text("utf-8")):
        if token.type == "fence":
            language, *words = token.info.split() or [""]
            line = token.map[0] + 1 if token.map else 0
            found.append(Block(language, tuple(words), token.content, line))
    return found


def commands(block: Block) -> list[tuple[str, str]]:
    """(command, what it prints)."""
    parts = re.split(r"^\$ ", block.text, flags=re.M)[1:]
    return [(p.partition("\n")[0], p.partition("\n")[2]) for p in parts]


def parsed(command: str) -> None:
    """Raises SystemExit where the command is not understood."""
    program, *words = shlex.split(command, comments=True)
    if program == "make":
        goals = re.findall(r"^([a-z-]+):", (DOCS.parent / "Makefile").read_text(), re.M)
        assert set(words) <= set(goals), f"there is no `{command}`"
        return
    words = in_present_names(words).words
    build_parser(words).parse_args(words)


def run(command: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """(exit code, standard output), in the current folder."""
    program, *arguments = shlex.split(command, comments=True)
    if program == "pytest":
        Path("conftest.py").write_text(FAKE, "utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *arguments],
            env={**os.environ, "PYTHONPATH": str(DOCS.parent)},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout
    assert program == "claimscope", f"there is no way to run {program} here"
    capsys.readouterr()
    try:
        code = cli.main(arguments)
    except SystemExit as end:
        code = int(end.code or 0)
    return code, capsys.readouterr().out


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace of somebody who reads all pages, one after the other."""
    return tmp_path_factory.mktemp("newcomer")


def test_every_page_is_linked() -> None:
    there = {f.name for f in DOCS.glob("*.md")} - {"README.md"}
    assert set(LINKED) == there


def test_the_readme_is_for_a_newcomer() -> None:
    assert len((DOCS / README).read_text("utf-8").splitlines()) < 200


@pytest.mark.slow
@pytest.mark.parametrize("name", [README, *PAGES])
def test_every_example_of_the_page_runs(
    name: str,
    newcomer: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(embedders, "embedder_for", lambda *a, **k: FakeEmbedder())
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(newcomer))
    monkeypatch.chdir(tmp_path)
    found = blocks(name)
    for block in found:
        if block.file is not None:
            file = tmp_path / block.file
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, "utf-8")
    known: dict[str, object] = {"__name__": "docs"}
    for block in found:
        place = f"docs/{name}, line {block.line}"
        if block.language == "python" and block.file is None:
            exec(compile(block.text, place, "exec"), known)
        for command, expected in commands(block) if block.language == "console" else ():
            if block.word("needs"):
                parsed(command)
                continue
            code, said = run(command, capsys)
            wanted = int(block.word("exit") or 0)
            assert code == wanted, f"{place}: `{command}` ended with {code}\n{said}"
            if expected:
                assert doctest.OutputChecker().check_output(expected, said, FLAGS), (
                    f"{place}: `{command}` printed\n{said}"
                )


@pytest.mark.parametrize("name", [README, *PAGES, "../CONTRIBUTING.md"])
def test_links_lead_to_files(name: str) -> None:
    text = (DOCS / name).read_text("utf-8")
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text)
    there = (DOCS / name).parent
    assert [link for link in links if not (there / link.strip()).exists()] == []
