"""The project's own file: what is judged against what, for everybody who works on it.

`claimscope.toml`, or `[tool.claimscope]` of `pyproject.toml`, in the working directory
or above it; so that on any machine, from any folder, `claimscope check` is all there is
to type. Paths in it are relative to it. It comes with the files of others, so it names
no host: texts would be sent there.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from claimscope.core.errors import SettingsError
from claimscope.stores.workspace.regular_files import read_regular

FILES = ("claimscope.toml", "pyproject.toml")
NAMES = ("against", "answers", "include", "exclude", "text_field", "strict")
"""What such a file says beside settings."""
OF_THE_MACHINE = tuple(
    """ollama_host base_url api_key_file chroma_url chroma_token cluster otel_endpoint
    """.split()
)
"""Settings that say where texts are sent, and with which key."""
_LISTS = ("against", "answers", "include", "exclude")


@dataclass(frozen=True)
class Project:
    """What a project's file says."""

    path: Path
    against: tuple[Path, ...] = ()
    answers: tuple[str, ...] = ()
    """Patterns, relative to the folder of the file."""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    text_field: str | None = None
    strict: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)

    def answer_files(self) -> list[Path]:
        """The files that the patterns mean. Raises SettingsError when one means
        none."""
        found: dict[Path, None] = {}
        for pattern in self.answers:
            files = sorted(self._matching(pattern))
            if not files:
                raise SettingsError(
                    f"{self.path}: answers: no file is meant by {pattern!r}",
                    "correct the pattern, e.g. 'answers/*.md'",
                )
            found.update(dict.fromkeys(files))
        return list(found)

    def _matching(self, pattern: str) -> Iterator[Path]:
        try:
            yield from (p for p in self.path.parent.glob(pattern) if p.is_file())
        except (ValueError, NotImplementedError) as error:
            raise SettingsError(
                f"{self.path}: answers: {pattern!r}: {error}",
                "write a pattern relative to the file, e.g. 'answers/*.md'",
            ) from error


def project_above(start: Path) -> Project | None:
    """The project's file of a folder, or of the nearest one above it that has one.
    Raises SettingsError for one that cannot be used."""
    for folder in (start.absolute(), *start.absolute().parents):
        for name in FILES:
            values = _read_values(folder / name)
            if values is not None:
                return _project(folder / name, values)
    return None


def _read_values(path: Path) -> Mapping[str, Any] | None:
    """What a file says to us; None when it says nothing."""
    try:
        values = tomllib.loads(read_regular(path).decode("utf-8"))
    except FileNotFoundError:
        return None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        if path.name != FILES[0]:
            return None  # the file of another tool, which will say so
        raise SettingsError(f"{path}: not TOML: {error}", "correct the line") from None
    except OSError:
        return None
    if path.name == FILES[0]:
        return values
    tool = values.get("tool")
    own = tool.get("claimscope") if isinstance(tool, dict) else None
    return own if isinstance(own, dict) else None


def _project(path: Path, values: Mapping[str, Any]) -> Project:
    found: dict[str, Any] = {}
    for name in NAMES:
        if name in values:
            found[name] = _validate(path, name, values[name])
    if "against" in found:
        found["against"] = tuple(path.parent / one for one in found["against"])
    settings = {name: value for name, value in values.items() if name not in NAMES}
    for name in OF_THE_MACHINE:
        if name in settings:
            raise SettingsError(
                f"{path}: {name} is no matter of a project: texts are sent there",
                f"set it for this machine (CLAIMSCOPE_{name.upper()}), or by its flag",
            )
    return Project(path, settings=settings, **found)


def _validate(path: Path, name: str, value: Any) -> Any:
    if name in _LISTS:
        items = [value] if isinstance(value, str) else value
        if isinstance(items, list) and all(isinstance(one, str) for one in items):
            return tuple(items)
        wanted = 'a text or a list of texts, e.g. ["pages"]'
    elif name == "strict":
        if isinstance(value, bool):
            return value
        wanted = "true or false"
    else:
        if isinstance(value, str):
            return value
        wanted = "a text"
    raise SettingsError(f"{path}: {name} = {value!r}", f"write {wanted}")
