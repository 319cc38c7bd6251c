"""Explores the property tests at random for as long as it is told.

`make test` tries the same examples each time. This tries new ones: one test file after
the other in a random order, each with a new seed, until the minutes are over. Prints
how many examples were tried and how many tests failed; a failing example is printed by
Hypothesis, kept in `.hypothesis/`, tried first the next time, and belongs as an
`@example` above its test once the fault is mended. Exit code 1 when a test failed.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TRIED = re.compile(r"(\d+) passing(?: examples)?, (\d+) failing")
FAILED = re.compile(r"^FAILED (\S+)", re.MULTILINE)
PASSED, SOME_FAILED, NONE_CHOSEN = 0, 1, 5  # of pytest's exit codes


@dataclass
class Count:
    files: int = 0
    examples: int = 0
    failed: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)
    """Files that could not be run."""


def property_tests(chosen: list[str]) -> list[str]:
    """Test files that state a property, all or those below `chosen`."""
    tops = [ROOT / one for one in chosen] or [ROOT / "tests"]
    files = [p for top in tops for p in ([top] if top.is_file() else top.rglob("*.py"))]
    return sorted(str(p) for p in files if "@given(" in p.read_text())


def command(path: str, seed: int) -> list[str]:
    """pytest on the properties of one file."""
    words = ["-m", "pytest", path, "-m", "hypothesis", "-p", "no:cacheprovider"]
    words += ["--hypothesis-profile=fuzz", f"--hypothesis-seed={seed}"]
    return [sys.executable, *words, "--hypothesis-show-statistics", "-rf"]


def explore(path: str, count: Count, limit_s: float) -> None:
    """Adds one file with a seed of its own to the count."""
    seed = random.SystemRandom().getrandbits(32)
    try:
        done = subprocess.run(
            command(path, seed),
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=limit_s,
        )
    except subprocess.TimeoutExpired:
        return  # the time is over in the middle of a file
    count.files += 1
    count.examples += sum(int(a) + int(b) for a, b in TRIED.findall(done.stdout))
    if done.returncode in (PASSED, NONE_CHOSEN):
        return
    print(f"── {path}, seed {seed}\n{done.stdout}{done.stderr}", flush=True)
    if done.returncode == SOME_FAILED:
        count.failed |= set(FAILED.findall(done.stdout))
    else:
        count.broken.add(path)


def run(minutes: float, chosen: list[str]) -> Count:
    """Explores until the time is over."""
    files, count = property_tests(chosen), Count()
    if not files:
        raise SystemExit("fuzz: no property tests there; name test files or folders")
    until = time.monotonic() + minutes * 60
    while True:
        for path in random.sample(files, len(files)):
            left = until - time.monotonic()
            if left <= 0:
                return count
            explore(path, count, left)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("tests", nargs="*", help="test files or folders; none: all")
    options = parser.parse_args()
    count = run(options.minutes, options.tests)
    print(
        f"{count.files} files explored, {count.examples} examples tried, "
        f"{len(count.failed)} tests failed, {len(count.broken)} files could not be run"
    )
    for name in sorted(count.failed | count.broken):
        print(f"  {name}")
    raise SystemExit(1 if count.failed or count.broken else 0)


if __name__ == "__main__":
    main()
