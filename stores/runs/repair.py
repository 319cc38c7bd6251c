"""Repair of a damaged journal: every good record is kept, the damaged file too.

A record is good when its checksum says so, before or behind the damage; where only the
line feed between two records was lost, both are found again. The damaged file stays
beside the new one under another name. What was lost is not guessed: a run judges it
again when it is resumed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from claimscope.core.errors import StoreError
from claimscope.core.models import RunHeader
from claimscope.stores.runs.journal_format import (
    FORMAT,
    LinePlace,
    current_version,
    decode,
    encode,
    is_cut_short,
    is_whole,
    whole_records_in,
)
from claimscope.stores.workspace.locks import WriterLock
from claimscope.stores.workspace.paths import replace_file, sync_folder
from claimscope.stores.workspace.regular_files import open_regular


@dataclass
class Repair:
    """What became of a journal."""

    path: Path
    kept: int = 0
    """Records (lines) that are good."""
    lost: list[LinePlace] = field(default_factory=list)
    """Damaged stretches of the old file; they are not in the new one."""
    torn: int = 0
    """Bytes at the end that a kill left there: no damage, a writer cuts them."""
    original: Path | None = None
    """Where the damaged file is; None when there was nothing to repair."""
    header_restored: bool = False
    """The run's header was lost and taken from the list of runs."""

    @property
    def lost_bytes(self) -> int:
        """Bytes in no record that could be kept."""
        return sum(place.length for place in self.lost)


def repair(
    path: Path, what: str = "This file", known: RunHeader | None = None
) -> Repair:
    """Makes a journal good again; one that is good stays untouched.

    `known`: the header of the run, put back when its record is lost. Raises StoreLocked
    while it is written, StoreError when it is no journal or of a newer version.
    """
    if not path.is_file():
        raise StoreError(f"{path}: there is no such file.", "Name a journal or a run.")
    try:
        with WriterLock(path, what), open_regular(path) as file:
            found = Repair(path)
            version, has_header = _count_records(file, found, known)
            if not found.lost:
                return found
            found.original = _keep_original(path)
            head = [encode([FORMAT, version])]
            if not has_header and known is not None:
                found.header_restored = True
                header = known.model_dump(mode="json")
                head.append(encode([["p", "header", 1, header]]))
            replace_file(path, (*head, *_good_lines(file)))
            return found
    except OSError as error:
        raise StoreError(
            f"{path}: cannot be repaired: {error.strerror}.",
            "Nothing was changed. Free some disk space or check who may write there.",
        ) from error


def _count_records(
    file: BinaryIO, found: Repair, known: RunHeader | None
) -> tuple[int, bool]:
    """Counts what is good; (version of the journal, does it have a run's header)."""
    version, has_header, last = None, known is None, b""
    for line, place in _stretches(file):
        if place is not None:
            found.lost.append(place)
            last = line
            continue
        last = b""
        content: Any = decode(line)
        if _is_first(content):
            version = _supported_version(found.path, content)
            continue
        found.kept += 1
        has_header = has_header or any(_is_run_header(change) for change in content)
    if last and is_cut_short(last):
        found.torn = found.lost.pop().length
    if version is None and not found.kept:
        raise StoreError(
            f"{found.path}: not one good record is in this file.",
            "It is no journal of Claimscope, or nothing of it is left. It was not "
            "touched.",
        )
    return version or current_version(), has_header


def _good_lines(file: BinaryIO) -> Iterator[bytes]:
    return (
        line
        for line, place in _stretches(file)
        if place is None and not _is_first(decode(line))
    )


def _stretches(file: BinaryIO) -> Iterator[tuple[bytes, LinePlace | None]]:
    """(line, None) for good lines, (bytes, their place) for what is lost."""
    file.seek(0)
    offset = 0
    for line in file:
        if is_whole(line) and isinstance(decode(line), list):
            yield line, None
        else:
            done = 0
            for place, good in whole_records_in(line):
                if place.offset > done:
                    lost = line[done : place.offset]
                    yield lost, LinePlace(offset + done, len(lost))
                yield good, None
                done = place.offset + place.length
                if line[done - 1 : done] != b"\n":  # only its line feed was lost
                    yield line[done - 1 : done] + b"\n", LinePlace(offset + done - 1, 1)
            if done < len(line):
                yield line[done:], LinePlace(offset + done, len(line) - done)
        offset += len(line)


def _is_first(content: Any) -> bool:
    return isinstance(content, list) and content[:1] == [FORMAT]


def _supported_version(path: Path, content: list[Any]) -> int:
    version = content[1]
    if isinstance(version, int) and 1 <= version <= current_version():
        return version
    raise StoreError(
        f"{path}: a journal of version {version}; this Claimscope repairs versions up "
        f"to {current_version()}.",
        "Repair it with the Claimscope that made it, or a newer one.",
    )


def _is_run_header(change: Any) -> bool:
    return isinstance(change, list) and change[:3] == ["p", "header", 1]


def _keep_original(path: Path) -> Path:
    """A second name for the file, never one that is taken."""
    moment = f"{datetime.now(UTC):%Y%m%d-%H%M%S}"
    for number in range(1000):
        suffix = f"-{number}" if number else ""
        other = path.with_name(f"{path.name}.damaged-{moment}{suffix}")
        try:
            os.link(path, other)
        except FileExistsError:
            continue
        sync_folder(path.parent)
        return other
    raise StoreError(f"{path}: too many damaged copies lie beside it.")
