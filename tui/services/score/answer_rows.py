"""Where `answers cite` finds answers: rows of JSON lines, or one answer as a text.

Both can be written anew: of rows only the answers change, every other byte of the file
stays as it was.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from claimscope.core.errors import InputError
from claimscope.core.services.scoring import Row
from claimscope.stores.workspace.regular_files import read_regular
from claimscope.tui.services.score.rows import row_of

TEXTS = (".md", ".markdown", ".txt", ".text")
"""Endings of a file that is one answer."""
QUESTION = "Does the answer agree with the pages?"
_BOM = b"\xef\xbb\xbf"


@dataclass
class AnswerSource:
    """A file of answers as it was read."""

    name: str
    data: bytes
    is_text: bool
    _lines: list[bytes] = field(default_factory=list)
    _places: list[int] = field(default_factory=list)
    """The line of each row."""

    def rows(self, problems: list[str]) -> Iterator[Row]:
        """The answers; lines that are none go to problems, with file, line, field."""
        if self.is_text:
            yield Row(id=self.name, question=QUESTION, answer=self._text())
            return
        self._lines = self.data.splitlines(keepends=True)
        for number, line in enumerate(self._lines):
            if not line.strip():
                continue
            where = f"{self.name}: line {number + 1}"
            try:
                row = row_of(line)
            except ValueError as error:
                problems.append(f"{where}: {error}; the line is skipped")
            except RecursionError:
                problems.append(f"{where}: nested too deeply")
            else:
                self._places.append(number)
                yield row

    def anew(self, answers: Mapping[int, str]) -> bytes:
        """The file with other answers for some rows, by their number."""
        if self.is_text:
            text = answers.get(0)
            if text is None:
                return self.data
            bom = _BOM if self.data.startswith(_BOM) else b""
            return bom + text.encode()
        lines = list(self._lines)
        for number, text in answers.items():
            line = lines[self._places[number]]
            fields = {**json.loads(line), "answer": text}
            end = line[len(line.rstrip(b"\r\n")) :]
            lines[self._places[number]] = (
                json.dumps(fields, ensure_ascii=False).encode() + end
            )
        return b"".join(lines)

    def _text(self) -> str:
        if b"\0" in self.data:
            raise InputError(f"{self.name}: this is a binary file", "name a text file")
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError(
                f"{self.name}: byte {error.start}: not UTF-8", "save the file as UTF-8"
            ) from None


def is_text(file: str) -> bool:
    """Whether a file is one answer, by the end of its name."""
    return file != "-" and Path(file).suffix.lower() in TEXTS


def source_of(arguments: argparse.Namespace) -> AnswerSource:
    """The whole file of a command. Raises InputError when it cannot be read, and for a
    text without pages to hold it against."""
    file: str = arguments.file
    if is_text(file) and arguments.against is None:
        raise InputError(
            f"{file}: an answer by itself has no ground truth",
            "--against FOLDER names the pages that are true",
        )
    try:
        data = sys.stdin.buffer.read() if file == "-" else read_regular(file)
    except OSError as error:
        raise InputError(
            f"{file}: {error.strerror}",
            "name a JSON lines file, a text or Markdown file, or - for stdin",
        ) from None
    return AnswerSource(file, data, is_text(file))
