"""Prompts are files: read, filled and known by digest, so that a result says which.

`core/prompts/<name>.md` is a `string.Template` below a front matter of `purpose` and
`version`; `core/prompts/rubrics/<name>.md` has a section for each grade.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template

from claimscope.core.errors import SettingsError
from claimscope.core.models import digest

FOLDER = Path(__file__).parent.parent / "prompts"


@dataclass(frozen=True)
class PromptTemplate:
    """A template for one kind of call."""

    name: str
    purpose: str
    version: str
    text: str
    digest: str
    """Of the whole file: any change makes other call keys."""

    def fill(self, **values: str) -> str:
        """The text with each `$name` filled; a `$` in a value stays as it is.

        Raises KeyError for a name without a value.
        """
        return Template(self.text).substitute(values)


@dataclass(frozen=True)
class Rubric:
    """What each grade from 5 to 1 means, by grade name."""

    name: str
    version: str
    scales: Mapping[str, str]
    digest: str


@cache
def prompt(name: str) -> PromptTemplate:
    """A shipped prompt by its file name without suffix."""
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    head, body = _front_matter(text)
    return PromptTemplate(name, head["purpose"], head["version"], body, digest(text))


def rubric_names() -> tuple[str, ...]:
    """The shipped rubrics."""
    return tuple(sorted(path.stem for path in (FOLDER / "rubrics").glob("*.md")))


@cache
def rubric(name: str) -> Rubric:
    """A shipped rubric. Raises SettingsError that lists the known ones."""
    if name not in rubric_names():
        raise SettingsError(
            f"There is no rubric {name!r}.",
            f"Rubrics are: {', '.join(rubric_names())}.",
        )
    text = (FOLDER / "rubrics" / f"{name}.md").read_text(encoding="utf-8")
    head, body = _front_matter(text)
    scales = {}
    for section in f"\n{body}".split("\n## ")[1:]:
        title, _, scale = section.partition("\n")
        scales[title.strip()] = scale.strip()
    return Rubric(name, head["version"], scales, digest(text))


def _front_matter(text: str) -> tuple[dict[str, str], str]:
    """The fields of the front matter, and the text below it."""
    _, head, body = text.split("---\n", 2)
    fields = (line.partition(":") for line in head.splitlines() if line.strip())
    return {name.strip(): value.strip() for name, _, value in fields}, body.strip()


def prompts_digest() -> str:
    """One digest of all shipped prompts and rubrics, for a run's fingerprint."""
    files = sorted(FOLDER.rglob("*.md"))
    return digest(
        *(part for p in files for part in (p.stem, p.read_text(encoding="utf-8")))
    )
