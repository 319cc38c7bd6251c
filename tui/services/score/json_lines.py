"""JSON lines of a file or of stdin, one by one: what is wrong with a line is noted with
its place, and the rest goes on. Only the standard library is needed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from claimscope.core.errors import InputError

T = TypeVar("T")


def read_lines(
    file: str, read: Callable[[bytes], T], problems: list[str], hint: str
) -> Iterator[T]:
    """What `read` makes of each line that is not blank; `-` is stdin.

    Its ValueError, and nesting too deep for the parser, go to problems with file and
    line. Raises InputError with the hint when the file cannot be opened.
    """
    try:
        stream = sys.stdin.buffer if file == "-" else open(file, "rb")
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}", hint) from None
    with stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                found = read(line)
            except ValueError as error:
                problems.append(f"{file}: line {number}: {error}")
            except RecursionError:
                problems.append(f"{file}: line {number}: nested too deeply")
            else:
                yield found


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Items in groups of `size`, the last one perhaps shorter."""
    group: list[T] = []
    for item in items:
        group.append(item)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group
