"""A wheel in an empty environment, made to judge an answer in an empty folder."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

WAYS = ("venv", "tool", "pipx")
"""uv venv with the versions of requirements.txt; `uv tool install` and `pipx install`,
which take the newest versions that the wheel allows."""
PIPX = "pipx==1.18.4"
LIST = Path(__file__).resolve().parents[2] / "requirements.txt"
PAGE = "# The harbour\n\nThe spring tide is 4.2 metres high.\n"
ANSWER = "The spring tide is 4.2 metres high. The spring tide is 5.1 metres high.\n"
SAID = (
    'answer.md:1:1: supported: The spring tide is 4.2 metres high. [times.md:S:1 "The '
    'spring tide is 4.2 metres high."]',
    'answer.md:1:37: contradicted: The spring tide is 5.1 metres high. [times.md:S:1 "'
    'The spring tide is 4.2 metres high."]',
    "2 claims: 1 supported, 1 contradicted",
)
UNWANTED = ("torch", "transformers", "sentence_transformers")
"""Needed once, to export the embedder; never again."""


class TrialError(Exception):
    """What was tried does not do what it should; the message says all."""


@dataclass(frozen=True)
class Trial:
    """One way to install a wheel, and what it must do then. All of it lies in
    `folder`; `flags` are those of torch_build.py for uv."""

    uv: str
    way: str
    wheel: Path
    version: str
    folder: Path
    flags: Sequence[str] = ()

    def passed(self) -> str:
        """One line about it. Raises TrialError."""
        self.folder.mkdir(parents=True)
        self._install()
        stated = self._run("--version").stdout.strip()
        if stated != self.version:
            raise TrialError(
                f"{self.way}: claimscope --version says {stated}, the wheel is "
                f"{self.version}"
            )
        self._judge()
        return (
            f"{self.way}: installed, --version and check right, no torch after the "
            f"first check; {self._size()} on disk"
        )

    @property
    def environment(self) -> Path:
        """The folder of the virtual environment."""
        below = {"venv": "venv", "tool": "tools/claimscope", "pipx": "venvs/claimscope"}
        return self.folder / below[self.way]

    def _install(self) -> None:
        """Raises TrialError."""
        if self.way == "venv":
            self._call([self.uv, "venv", "--quiet", str(self.environment)], {})
            words = [self.uv, "pip", "install", "--quiet", *self.flags]
            words += ["--python", str(self.environment), "-c", str(LIST)]
            self._call([*words, str(self.wheel)], {})
        elif self.way == "tool":
            words = [self.uv, "tool", "install", "--quiet", *self.flags]
            places = {
                "UV_TOOL_DIR": str(self.folder / "tools"),
                "UV_TOOL_BIN_DIR": str(self.folder / "bin"),
            }
            self._call([*words, str(self.wheel)], places)
        else:
            words = [self.uv, "tool", "run", "--quiet", "--from", PIPX, "pipx"]
            places = {
                "PIPX_HOME": str(self.folder),
                "PIPX_BIN_DIR": str(self.folder / "bin"),
                "PIPX_MAN_DIR": str(self.folder / "man"),
                "PATH": os.pathsep.join(
                    [str(Path(self.uv).parent), os.environ["PATH"]]
                ),
            }
            if self.flags:
                places["UV_TORCH_BACKEND"] = self.flags[-1]
            self._call(
                [*words, "install", "--backend", "uv", str(self.wheel)],
                places,
            )

    def _judge(self) -> None:
        """Twice: the second check finds the exported embedder and imports no torch.
        Raises TrialError."""
        pages = self.folder / "work" / "harbour"
        pages.mkdir(parents=True)
        (pages / "times.md").write_text(PAGE, "utf-8")
        (pages.parent / "answer.md").write_text(ANSWER, "utf-8")
        words = ("check", "answer.md", "--against", "harbour")
        for flags in ((), ("-X", "importtime")):
            done = self._run(*words, flags=flags)
            lines = tuple(done.stdout.splitlines())
            if done.returncode != 1 or lines != SAID:
                raise TrialError(
                    f"{self.way}: check ended with {done.returncode} (1 wanted) and "
                    f"said\n{done.stdout}{done.stderr}"
                )
        loaded = imported(done.stderr)
        if found := [name for name in UNWANTED if name in loaded]:
            raise TrialError(f"{self.way}: the second check imports {', '.join(found)}")
        if "onnxruntime" not in loaded:
            raise TrialError(f"{self.way}: the second check embeds nothing")

    def _run(
        self, *words: str, flags: Sequence[str] = ()
    ) -> subprocess.CompletedProcess[str]:
        """The installed program as somebody without any settings calls it; with
        `flags` of Python as a module, else by its script."""
        script = self.environment / "bin" / "claimscope"
        python = [str(self.environment / "bin" / "python"), *flags, "-m", "claimscope"]
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        work = self.folder / "work"
        work.mkdir(exist_ok=True)
        return subprocess.run(
            [*(python if flags else [str(script)]), *words],
            cwd=work,
            env={"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
            capture_output=True,
            text=True,
            check=False,
        )

    def _call(self, words: Sequence[str], extra: Mapping[str, str]) -> None:
        call(words, extra, f"{self.way}: ")

    def _size(self) -> str:
        """As du says it: blocks on disk, a file with several names once."""
        done = subprocess.run(
            ["du", "-sh", str(self.environment)],
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.split()[0]


def call(words: Sequence[str], extra: Mapping[str, str], place: str = "") -> None:
    """Runs a command whose output matters only when it fails. Raises TrialError."""
    done = subprocess.run(
        words,
        env={**os.environ, **extra},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = (done.stdout + done.stderr).strip()
        raise TrialError(f"{place}{' '.join(words)} failed:\n{said}")


def imported(importtime: str) -> set[str]:
    """Packages of which `python -X importtime` saw a module. A package alone counts
    for nothing: an import that is refused is listed too, and thinc's of torch is."""
    lines = (
        line for line in importtime.splitlines() if line.startswith("import time:")
    )
    names = (line.rpartition("|")[2].strip() for line in lines)
    return {name.partition(".")[0] for name in names if "." in name}
