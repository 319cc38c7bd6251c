"""Folders of many formats, indexed: is it said when most of one was left aside?

    python -m benchmarks.durability.left_aside [--folders 60] [--seed 7]

Each folder has a page and files that are read, that may hold pages and have no reader,
that are broken, and that no one takes for pages. `index --strict` must end with 3 and a
warning with the right counts exactly when more were left aside than read, `check` must
say the same, and with the others excluded neither. Prints tries and failures; exit 1
for any.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import sys
import tempfile
from pathlib import Path

from claimscope.tui.cli import main as claimscope

READ = (".md", ".txt", ".markdown")
UNREAD = (".rst", ".mdx", ".adoc", ".org", ".docx", ".ipynb", ".tex", "")
NO_PAGES = (".png", ".css", ".py", ".svg", ".yaml", ".woff2", ".lock")
SENTENCE = "The ferry of row {} leaves at noon."


def fill(folder: Path, chance: random.Random) -> tuple[int, int]:
    """(files left aside, those and the files read)."""
    read, unread = chance.randint(1, 6), chance.randint(0, 8)
    for kinds, count in ((READ, read), (UNREAD, unread), (NO_PAGES, 5)):
        for number in range(count):
            place = folder / chance.choice(("", "guide", "guide/api"))
            place.mkdir(parents=True, exist_ok=True)
            name = f"{kinds[0][1:]}{number}{chance.choice(kinds)}"
            (place / name).write_text(SENTENCE.format(f"{kinds[0]} {number}"))
    broken = chance.randint(0, 2)
    for number in range(broken):
        (folder / f"broken{number}.txt").write_bytes(b"\0\1\2 no text")
    return unread + broken, read + unread + broken


def said(*words: str) -> tuple[int, str]:
    """The exit code of a command and all that it wrote."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = claimscope(list(words))
    return code, out.getvalue()


def faults_of(root: Path, chance: random.Random) -> list[str]:
    pages = root / "pages"
    pages.mkdir()
    unread, of = fill(pages, chance)
    is_most = 2 * unread > of
    counts = f"{unread} of {of} files were not read"
    answer = root / "answer.md"
    answer.write_text(SENTENCE.format(".md 0"))
    left = [f"--exclude=*{suffix}" for suffix in UNREAD if suffix]
    left += ["--exclude=rst*", "--exclude=broken*"]
    check = ("check", str(answer), "--against", str(pages), "--strict")
    wrong = []
    for words, wanted in (
        (("pages", "index", str(pages), "--strict"), is_most),
        (check, is_most),
        (("pages", "index", str(pages), "--strict", *left), False),
        ((*check, *left), False),
    ):
        code, text = said(*words)
        if (code == 3, "WARNING" in text, counts in text) != (wanted,) * 3:
            wrong.append(f"{' '.join(words[:1])} {code}, wanted {wanted}: {text[:300]}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folders", type=int, default=60)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    faults: list[str] = []
    for _ in range(options.folders):
        with tempfile.TemporaryDirectory() as made:
            os.environ["CLAIMSCOPE_WORKSPACE"] = f"{made}/workspace"
            faults += faults_of(Path(made), chance)
    print(f"folders: {4 * options.folders} tries, {len(faults)} failures")
    for one in faults[:10]:
        print(f"  {one}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
