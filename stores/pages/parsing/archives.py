"""Packed page files: .gz of any format, and .zip as a folder of pages.

Nothing is unpacked to disk. What comes out is bounded, whatever the archive claims
about itself: a few kilobytes can hold gigabytes.
"""

from __future__ import annotations

import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath

from claimscope.core.errors import PageError

MOST_MEMBERS = 20_000
"""Files of one archive."""
LARGEST_ARCHIVE = 4
"""What all files of an archive may hold, in multiples of the largest file."""
BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)


def gunzip(data: bytes, name: str, largest: int) -> bytes:
    """What a .gz holds. Raises PageError when it is broken or holds too much."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            plain = stream.read(largest + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise PageError(
            f"{name}: the gzip file is broken: {error}.", "Pack or copy it again."
        ) from error
    if len(plain) > largest:
        raise PageError(
            f"{name}: unpacked it is more than the limit of {largest / 1e6:,.0f} MB.",
            "Split the file.",
        )
    return plain


def members(
    data: bytes, name: str, largest: int
) -> Iterator[tuple[str, bytes | PageError]]:
    """(`archive.zip/path`, bytes or why they are not read) of the files in a .zip.

    Raises PageError when the archive itself cannot be read, or holds too much.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except BROKEN as error:
        raise PageError(
            f"{name}: the zip file is broken: {error}.", "Pack or copy it again."
        ) from error
    with archive:
        files = [i for i in archive.infolist() if not _is_left_out(i)]
        if len(files) > MOST_MEMBERS:
            raise PageError(
                f"{name}: {len(files):,} files are more than the limit of"
                f" {MOST_MEMBERS:,}.",
                "Unpack it, and index the folder.",
            )
        room = largest * LARGEST_ARCHIVE
        for info in files:
            inner = _inner_name(info.filename)
            place = f"{name}/{inner}"
            try:
                plain = _read_member(archive, info, place, min(largest, room))
            except PageError as error:
                yield place, error
                continue
            room -= len(plain)
            yield place, plain


def _is_left_out(info: zipfile.ZipInfo) -> bool:
    """Folders and hidden files; one without a name, of a broken archive, is none."""
    return bool(info.filename) and (info.is_dir() or _is_hidden(info))


def _read_member(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, place: str, largest: int
) -> bytes:
    path = PurePosixPath(info.filename.replace("\\", "/"))
    is_link = (info.external_attr >> 16) & 0o170000 == 0o120000
    first = (*path.parts, "")[0]
    if not path.parts:
        raise PageError(f"{place}: a file without a name; not read.", "Pack it again.")
    if path.is_absolute() or ".." in path.parts or ":" in first or is_link:
        raise PageError(
            f"{place}: its name leads out of the archive; not read.",
            "Pack the pages again under plain names.",
        )
    if info.flag_bits & 1:
        raise PageError(
            f"{place}: it is encrypted and needs a password.", "Pack it without one."
        )
    try:
        with archive.open(info) as stream:
            plain = stream.read(largest + 1)
    except BROKEN as error:
        raise PageError(
            f"{place}: cannot be unpacked: {error}.", "Pack or copy the archive again."
        ) from error
    if len(plain) > largest:
        raise PageError(
            f"{place}: unpacked it is more than the limit of {largest / 1e6:,.0f} MB"
            " that is left to it.",
            "Unpack the archive, and index the folder.",
        )
    return plain


def _is_hidden(info: zipfile.ZipInfo) -> bool:
    """What systems leave in archives beside the files (`__MACOSX/._page.md`)."""
    parts = PurePosixPath(info.filename).parts
    return any(p == "__MACOSX" or (p[0] == "." and p[:2] != "..") for p in parts)


def _inner_name(name: str) -> str:
    return name.encode("utf-8", "replace").decode().lstrip("/") or "?"
