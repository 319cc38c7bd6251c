"""How much of a folder stayed unread.

An answer that is held against a fifth of its pages looks as if the other four fifths
said nothing, so that is said loudly, with numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from claimscope.core.text.plurals import counted_noun, verb_of

_PICTURES = """.png .jpg .jpeg .gif .svg .webp .avif .ico .bmp .tif .tiff .psd .ai .eps
 .drawio .excalidraw .mp3 .wav .ogg .flac .m4a .mp4 .mov .avi .webm .mkv"""
_FONTS = ".ttf .otf .woff .woff2 .eot"
_PROGRAMS = """.py .pyi .pyc .js .mjs .cjs .ts .jsx .tsx .css .scss .sass .less .vue
 .svelte .map .wasm .c .h .cc .cpp .hpp .cs .go .rs .java .kt .swift .rb .php .lua .pl
 .sh .bash .zsh .fish .ps1 .bat .cmd .sql .so .dll .dylib .exe .o .a .class .jar .whl"""
_SETTINGS = """.yaml .yml .toml .ini .cfg .conf .env .lock .mod .sum .properties .sha256
 .sig .pem .crt"""
_NO_PAGES = frozenset(f"{_PICTURES} {_FONTS} {_PROGRAMS} {_SETTINGS}".split())
"""Formats that no one takes for pages; whatever is not named here may be one."""

REMEDY = (
    "verdicts know nothing of what stands there: save these files in a format that is "
    "read (docs/formats.md), or leave them out (--exclude PATTERN; of a suite: "
    '"pages_exclude")'
)


@dataclass(frozen=True)
class UnreadFiles:
    """Files of a folder that may hold pages and gave none."""

    count: int
    of: int
    """Those, and the files that gave a page."""
    kinds: tuple[tuple[str, int], ...]
    """(suffix, files), most first."""

    @property
    def is_most(self) -> bool:
        """Whether more files were left aside than read."""
        return 2 * self.count > self.of

    @property
    def warning(self) -> str:
        """The words, where most of the folder was left aside; else ""."""
        return self.words() if self.is_most else ""

    def words(self) -> str:
        """`8 of 9 files were not read (8 .rst)`."""
        kinds = kinds_text(self.kinds)
        return (
            f"{self.count:,} of {counted_noun(self.of, 'file')} "
            f"{verb_of(self.count, 'was', 'were')} not read ({kinds})"
        )


def unread_of(
    read: Iterable[str], wrong: Iterable[str], ignored: Iterable[str]
) -> UnreadFiles:
    """What stayed unread, from the names of the files that gave a page, of those with a
    problem, and of those without a reader."""
    given = set(read)
    lost = {name for name in wrong if not _is_hidden(name)} | {
        name for name in ignored if may_hold_pages(name)
    }
    lost -= given
    return UnreadFiles(len(lost), len(lost | given), tuple(count_by_kind(lost)))


def may_hold_pages(name: str) -> bool:
    """Whether a file without a reader could be one that somebody counts on."""
    return not _is_hidden(name) and kind_of(name).removesuffix(".gz") not in _NO_PAGES


def count_by_kind(names: Iterable[str]) -> Sequence[tuple[str, int]]:
    """(kind, files), most first."""
    counts = Counter(kind_of(name) for name in names)
    return sorted(counts.items(), key=lambda one: (-one[1], one[0]))


def kinds_text(kinds: Sequence[tuple[str, int]], most: int = 5) -> str:
    """`8 .rst, 1 .pdf and 2 of other formats`."""
    text = ", ".join(f"{count:,} {kind}" for kind, count in kinds[:most])
    others = sum(count for _, count in kinds[most:])
    return text + (f" and {others:,} of other formats" if others else "")


def kind_of(name: str) -> str:
    """`.md`, `.jsonl.gz`; of a file in an archive, its own."""
    path = PurePosixPath(name.lower())
    if path.suffix == ".gz":
        return PurePosixPath(path.stem).suffix + ".gz"
    return path.suffix or "no suffix"


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") for part in PurePosixPath(name).parts)
