"""What a library would take along for nothing stays away, from it alone."""

from __future__ import annotations

import importlib
import subprocess
import sys
import threading
from typing import Any

import pytest

from claimscope.core.lean_imports import importing_without, standing_in
from claimscope.core.text.languages import identifier, language

LEAN = """
import sys
from claimscope.stores.index.lexical import LexicalIndex
from claimscope.core.text import english
english.analyse("The mill was built in 1503.")
found = LexicalIndex(["the old mill", "a new mill", "the sea"]).scores("old mill")
lean = [name in sys.modules for name in ("spacy.cli", "typer", "scipy")]
import scipy.sparse
again = LexicalIndex(["the old mill", "a new mill", "the sea"]).scores("old mill")
import spacy, spacy.cli
print(*lean, found.tolist() == again.tolist(), spacy.cli.info.__module__)
"""
GRAMMAR = """
import sys
from claimscope.core.text import english
found = english.analyse("The mill was built in 1503.")
assert found is not None and found.lemmas
print("torch" in sys.modules)
import torch
print(torch.tensor([2]).item())
"""
CHROMA = """
import sys, tempfile
from pathlib import Path
from claimscope.stores.index.chroma import ChromaIndex, load_chromadb
with tempfile.TemporaryDirectory() as name:
    index = ChromaIndex(Path(name))
    print(index.counts())
    index.close()
print(*[one in sys.modules for one in ("grpc", "click", "tornado", "chromadb")])
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
print(OTLPSpanExporter.__module__, "grpc" in sys.modules)
"""
READERS = """
import sys, tempfile
from pathlib import Path
from claimscope.stores.pages.folder import read_folder
with tempfile.TemporaryDirectory() as name:
    (Path(name) / "mill.md").write_text("# Mill\\n\\nIt is old.")
    print(len(read_folder(Path(name)).pages), "docutils" in sys.modules)
    (Path(name) / "mill.rst").write_text("Mill\\n====\\n\\nIt is old.")
    print(len(read_folder(Path(name)).pages), "docutils" in sys.modules)
"""


def test_chromadb_loads_nothing_to_report_with_and_keeps_nobody_from_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CHROMA], capture_output=True, text=True, check=False
    )
    counts, lean, exporter = done.stdout.splitlines() or [done.stderr] * 3
    assert counts == "{'sentences': 0, 'pages': 0}", done.stderr
    assert lean == "False False False True"
    assert exporter == "opentelemetry.exporter.otlp.proto.grpc.trace_exporter True"


def test_who_reads_no_restructured_text_loads_no_docutils() -> None:
    done = subprocess.run(
        [sys.executable, "-c", READERS], capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines() == ["1 False", "2 True"], done.stderr


@pytest.mark.slow
def test_the_grammar_loads_no_torch_and_keeps_nobody_from_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", GRAMMAR], capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["False", "2"], done.stderr


@pytest.mark.slow
def test_search_and_grammar_load_no_command_line_and_no_sparse_matrices() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LEAN], capture_output=True, text=True, check=False
    )
    words = ["False", "False", "False", "True", "spacy.cli.info"]
    assert done.stdout.split() == words, done.stderr


def test_something_else_stands_in_until_the_real_one_is_asked_for() -> None:
    for name in ("wsgiref.util", "wsgiref"):
        sys.modules.pop(name, None)
    with standing_in("wsgiref", "util", "guess_scheme"):
        scope: dict[str, Any] = {}
        exec("from wsgiref.util import guess_scheme", scope)
        assert "request_uri" not in dir(sys.modules["wsgiref.util"])
    assert "wsgiref" not in sys.modules
    assert scope["guess_scheme"]({"HTTPS": "on"}) == "https"
    assert importlib.import_module("wsgiref.util").request_uri
    with standing_in("wsgiref", "util", "guess_scheme"):
        assert importlib.import_module("wsgiref.util").request_uri


def test_other_threads_are_let_through() -> None:
    found: list[str] = []
    with importing_without("colorsys"):
        sys.modules.pop("colorsys", None)
        with pytest.raises(ModuleNotFoundError, match="not wanted"):
            importlib.import_module("colorsys")
        thread = threading.Thread(
            target=lambda: found.append(importlib.import_module("colorsys").__name__)
        )
        thread.start()
        thread.join()
    assert found == ["colorsys"]
    assert importlib.import_module("colorsys")


def test_several_threads_load_one_model_of_languages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from claimscope.core.text import languages

    languages.loaded_identifier.cache_clear()
    language.cache_clear()
    loads: list[int] = []
    load = identifier

    def counted() -> Any:
        loads.append(1)
        return load()

    monkeypatch.setattr(languages, "identifier", counted)
    text = "Die Mühle wurde im Jahre {} von der Zunft der Weber gebaut."
    threads = [
        threading.Thread(target=language, args=(text.format(year),))
        for year in range(1500, 1504)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(loads) == 1
