"""A disk that fills up during a run, and one that may not be written: what is left?

    python -m benchmarks.durability.full_disk [--spare 32 256 640 1280]

A run of 60 samples is judged unbroken. Then a workspace with its index is put on a
small tmpfs with `spare` KiB left (in a mount namespace of its own: no root is needed,
but `unshare -rm` must be allowed), the run is started there until the disk is full, the
disk is made larger, and the run is resumed. Shown for each: how the full disk was told,
samples kept, samples judged again although they were saved, differences from the
unbroken run. Then the disk is made read-only: what reads goes on, what writes says so.
Exit 1 for a traceback, a lost or repeated sample, or a difference.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.durability.kill_run import PARTS, Engine, differences, write_suite
from claimscope.core.models import RunStatus, SampleResult

INSIDE = "CLAIMSCOPE_FULL_DISK_INSIDE"
KIB = 1024
Result = tuple[RunStatus, list[SampleResult]]
OVERRULE = (
    *("labels", "override", "last", "light-01", "1", "contradicted"),
    *("--provider", "alder"),
)
READS = (("runs",), ("runs", "show", "last"), ("report", "last", "--format", "csv"))
WRITES = (
    ("pages", "index", "PAGES"),
    ("run", "SUITE"),
    OVERRULE,
)


def size_of(folder: Path) -> int:
    """KiB that the files take in pages of 4 KiB, and one page a folder."""
    pages = sum(
        1 if path.is_dir() else -(-path.stat().st_size // 4096)
        for path in [folder, *folder.rglob("*")]
    )
    return 4 * pages


def mount(folder: Path, kib: int, *more: str) -> None:
    options = ",".join([f"size={kib}k", *more])
    what = [] if more else ["-t", "tmpfs"]
    subprocess.run(["mount", *what, "-o", options, "tmpfs", str(folder)], check=True)


def fill(base: Path, suite: Path, spare: int, unbroken: Result) -> bool:
    """One disk that fills up; True when all was right."""
    place = base.with_name(f"disk-{spare}")
    place.mkdir()
    mount(place, size_of(base) + spare)
    workspace = place / "workspace"
    shutil.copytree(base, workspace)
    engine = Engine(workspace, [])
    log = base.with_name(f"log-{spare}")
    code, lines = said(engine, log, "run", str(suite))
    run_id = engine.newest(set())
    before = engine.snapshot(run_id) or {}
    mount(place, 64 * KIB, "remount")
    again = ("runs", "resume", run_id) if run_id else ("run", str(suite))
    code2, lines2 = said(engine, log, *again)
    run_id = run_id or engine.newest(set())
    after = engine.snapshot(run_id) or {}
    kept = {key: part for key, part in before.items() if key != PARTS}
    lost = [key for key in kept if key not in after]
    repeated = [key for key in kept if key in after and after[key] != kept[key]]
    different = ["no run"]
    if run_id is not None:
        different = differences(unbroken, engine.result(run_id))
    traced = any("Traceback" in line for line in [*lines, *lines2])
    told = [line for line in lines if line.strip()][-2:]
    print(
        f"{spare:>5} KiB left: exit {code}; kept {len(kept)}; then exit {code2}: lost "
        f"{len(lost)}, repeated {len(repeated)}, different {len(different)}"
    )
    for line in (*told, *different):
        print(f"        {line.replace(str(base.parent), '…')[:150]}")
    return not (lost or repeated or different or traced or code2 not in (0, 1))


def said(engine: Engine, log: Path, *command: str) -> tuple[int, list[str]]:
    """Exit code and lines of one command; its log is on another disk."""
    with log.open("w+b") as file:
        process = subprocess.run(
            engine.words(*command),
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            check=False,
        )
        file.seek(0)
        return process.returncode, file.read().decode("utf-8", "replace").splitlines()


def read_only(base: Path, suite: Path) -> bool:
    """What reads goes on, what writes is refused in words; True when it was so."""
    place = base.with_name("read-only")
    place.mkdir()
    mount(place, 64 * KIB)
    workspace = place / "workspace"
    shutil.copytree(base, workspace)
    mount(place, 64 * KIB, "remount", "ro")
    engine, log = Engine(workspace, []), base.with_name("log-read-only")
    is_right = True
    for command in (*READS, *WRITES):
        names = {"PAGES": str(suite.parent / "pages"), "SUITE": str(suite)}
        words = [names.get(word, word) for word in command]
        code, lines = said(engine, log, *words)
        traced = any("Traceback" in line for line in lines)
        is_right &= not traced and (code == 0) == (command in READS)
        last = next((line for line in reversed(lines) if line.strip()), "")
        shown = "" if command in READS else last.replace(str(base.parent), "…")
        print(f"  {' '.join(command):32} exit {code}  {shown[:110]}")
    return is_right


def inside(spares: list[int]) -> int:
    """All of it, in the mount namespace; gives the exit code."""
    folder = Path(tempfile.mkdtemp(prefix="full-disk-"))
    try:
        suite = write_suite(folder)
        engine = Engine(folder / "unbroken", [])
        code, lines = said(engine, folder / "log", "run", str(suite))
        run_id = engine.newest(set())
        if run_id is None:
            print(f"the unbroken run failed, exit {code}: {lines[-3:]}")
            return 1
        unbroken = engine.result(run_id)
        base = folder / "base"
        words = ("pages", "index", str(suite.parent / "pages"), "--name", "lights")
        said(Engine(base, []), folder / "log", *words)
        print(f"{len(unbroken[1])} samples; an index of {size_of(base)} KiB")
        right = [fill(base, suite, spare, unbroken) for spare in spares]
        print("read-only:")
        right.append(read_only(engine.workspace, suite))
        return 0 if all(right) else 1
    finally:
        if os.environ.get("KEEP") is None:
            shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    """Goes into a mount namespace first; gives the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--spare", type=int, nargs="+", default=[32, 256, 640, 1280], help="KiB"
    )
    spares = parser.parse_args().spare
    if os.environ.get(INSIDE):
        return inside(spares)
    words = ["unshare", "-rm", sys.executable, *sys.argv]
    return subprocess.run(
        words, env={**os.environ, INSIDE: "1"}, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
