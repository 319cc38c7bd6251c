"""Chooses the build of PyTorch: the small one where no NVIDIA GPU is seen.

    python -m benchmarks.tools.torch_build UV [--torch auto|cpu|usual|BACKEND]

On Linux the usual build carries CUDA, five of the environment's seven gigabytes. Prints
the flags for `uv pip install` on standard output, and on standard error one line that
says what was chosen and why. The small build comes from an index of PyTorch's own, to
which uv knows the way; where that does not answer, the usual build is taken. BACKEND is
any other that uv knows. Runs anything is installed: standard library only.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

DRIVERS = (
    "/proc/driver/nvidia/version",
    "/dev/nvidiactl",
    "/usr/lib/wsl/lib/nvidia-smi",
)
"""What stands on a machine whose NVIDIA driver is loaded; the last one under WSL."""
SMALL = ("--torch-backend", "cpu")
PATIENCE_S = 5
"""Seconds that the index of the small build may take to answer."""
LIST = Path(__file__).resolve().parents[2] / "requirements.txt"


def sees_gpu(drivers: Sequence[str] = DRIVERS) -> bool:
    """Whether a driver of NVIDIA is loaded."""
    return any(Path(path).exists() for path in drivers)


def pinned(requirements: str) -> str:
    """`torch==2.15.0` of a list of versions; without one, whatever is newest."""
    lines = (line.strip() for line in requirements.splitlines())
    return next((line for line in lines if line.startswith("torch==")), "torch")


def answers(uv: str, wanted: str) -> bool:
    """Whether the index of the small build has that version: one try, no retry."""
    command = [uv, "pip", "compile", "-", "--no-deps", "--quiet"]
    try:
        done = subprocess.run(
            [*command, "--python", sys.executable, *SMALL],
            input=wanted,
            text=True,
            env={
                **os.environ,
                "UV_HTTP_TIMEOUT": str(PATIENCE_S),
                "UV_HTTP_RETRIES": "0",
            },
            capture_output=True,
            timeout=4 * PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def choice(
    torch: str, platform: str, gpu: bool, reachable: Callable[[], bool]
) -> tuple[Sequence[str], str]:
    """The flags for uv, and why, in one line. `torch` is what the user asked for;
    `reachable` is asked only where it decides."""
    if torch == "usual":
        return (), "the usual build, as asked for"
    if torch != "auto":
        return (SMALL[0], torch), f"the build for {torch}, as asked for"
    if platform != "linux":
        return (), "the usual build; here it holds no CUDA"
    if gpu:
        return (), "the usual build with CUDA, since an NVIDIA GPU is seen"
    if reachable():
        return SMALL, "the small build for CPUs, since no NVIDIA GPU is seen"
    return (), (
        "the usual build with CUDA; no NVIDIA GPU is seen, but the index of the small "
        "build does not answer"
    )


def chosen(uv: str, torch: str = "auto") -> tuple[Sequence[str], str]:
    """The same for this machine and the version of the list."""
    wanted = pinned(LIST.read_text("utf-8"))
    return choice(torch, sys.platform, sees_gpu(), lambda: answers(uv, wanted))


def main() -> None:
    """Prints the flags; the reason on standard error."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("uv", help="the uv that will install")
    parser.add_argument("--torch", metavar="BUILD", default="auto")
    arguments = parser.parse_args()
    flags, reason = chosen(arguments.uv, arguments.torch)
    print(f"PyTorch: {reason}", file=sys.stderr)
    print(*flags)


if __name__ == "__main__":
    main()
