"""Notebooks: their text, their code, and what the code has printed."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any

from claimscope.core.errors import PageError
from claimscope.core.models import Page
from claimscope.stores.pages.parsing.decoding import decode
from claimscope.stores.pages.parsing.metadata import metadata
from claimscope.stores.pages.parsing.zip_documents import import_library
from claimscope.stores.pages.readers.markdown import markdown_page, without_comments

_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
LONGEST_OUTPUT = 20_000
"""Characters of what a cell has printed; a longer one is a log."""


class NotebookReader:
    """Notebooks of every version, made anew in the newest by nbformat."""

    suffixes: tuple[str, ...] = (".ipynb",)

    def read(self, data: bytes, path: str) -> Iterator[Page]:
        notebook = _notebook(decode(data, path), path)
        facts = notebook.get("metadata") or {}
        kernel = facts.get("language_info") or facts.get("kernelspec") or {}
        language = str(kernel.get("name") or "").partition("3")[0]
        text = "\n\n".join(
            block for cell in notebook["cells"] for block in _blocks(cell, language)
        )
        yield markdown_page(path, f"{text}\n" if text else "", metadata(facts))


def _notebook(text: str, path: str) -> Any:
    nbformat = import_library("nbformat", path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of missing ids of cells
            notebook = nbformat.reads(text, as_version=4)
        cells = notebook["cells"]
        if not all(isinstance(cell["source"], str) for cell in cells):
            raise ValueError("the source of a cell is no text")
        return notebook
    except Exception as error:
        # nbformat fails in its own ways on broken notebooks.
        problem = " ".join(str(error).split())[:120] or type(error).__name__
        raise PageError(
            f"{path}: the notebook cannot be read: {problem}.",
            "Open it in Jupyter and save it again.",
        ) from error


def _blocks(cell: Any, language: str) -> Iterator[str]:
    source = cell["source"].strip("\n")
    kind = cell.get("cell_type")
    if kind == "markdown":
        yield without_comments(source)
    elif kind == "code" and source.strip():
        yield _fence(source, language)
        for output in cell.get("outputs") or ():
            text = _COLOURS.sub("", _printed_text(output)).strip("\n")
            if text.strip() and len(text) <= LONGEST_OUTPUT:
                yield _fence(text, "text")


def _printed_text(output: Any) -> str:
    """What a person reads below a cell; pictures and errors say nothing that holds."""
    if output.get("output_type") == "stream":
        text = output.get("text") if output.get("name") == "stdout" else ""
    else:
        kinds = output.get("data") or {}
        text = kinds.get("text/markdown") or kinds.get("text/plain")
    return text if isinstance(text, str) else "".join(text or ())


def _fence(text: str, language: str) -> str:
    longest = max((len(run) for run in re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


READER = NotebookReader()
