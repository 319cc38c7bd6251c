"""What differs between two runs by what their headers say: suite, pages, models,
settings. A difference of scores means little before this is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimscope.core.models import Model, RunHeader
from claimscope.core.settings import JUDGING

FIELDS = {
    "suite_id": "suite",
    "suite_digest": "content of the suite",
    "answers_digest": "answers",
    "corpus": "corpus",
    "corpus_version": "content of the corpus",
    "embedding_model": "embedding model",
    "verifier": "verifier",
    "judge": "judge",
    "model": "model",
    "model_digest": "digest of the model",
    "judges": "judges",
    "metrics": "metrics",
    "rubric": "rubric",
    "providers": "providers",
    "iterations": "iterations",
    "seed": "seed",
    "skip_bad_cases": "malformed cases left out",
    "include_unreviewed": "generated cases that nobody has accepted",
    "version": "version of claimscope",
}
"""Fields of a header that bear on what a run finds out, in words."""
IN_TREND = tuple(
    """suite_digest corpus corpus_version embedding_model verifier judge model
    model_digest judges rubric version""".split()
)
"""Those that make two runs of a suite less comparable. Answers differ by intent."""


class HeaderDifference(Model):
    """One thing that is not the same in both runs."""

    what: str
    before: str | None
    """None = it had none."""
    after: str | None


def changes(before: RunHeader, after: RunHeader) -> tuple[HeaderDifference, ...]:
    """All of FIELDS and the settings of judging that differ."""
    return (*_fields(before, after, tuple(FIELDS)), *_settings(before, after))


def trend_changes(before: RunHeader, after: RunHeader) -> tuple[HeaderDifference, ...]:
    """What makes a step of a trend less comparable than it looks."""
    return (*_fields(before, after, IN_TREND), *_settings(before, after))


def _fields(
    before: RunHeader, after: RunHeader, names: Sequence[str]
) -> Iterator[HeaderDifference]:
    for name in names:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield HeaderDifference(
                what=FIELDS[name], before=_format_value(old), after=_format_value(new)
            )


def _settings(before: RunHeader, after: RunHeader) -> Iterator[HeaderDifference]:
    for name in JUDGING:
        if name in FIELDS:
            continue
        old, new = before.settings.get(name), after.settings.get(name)
        # An older run may not know a setting: that is no difference anybody made.
        if name in before.settings and name in after.settings and old != new:
            yield HeaderDifference(
                what=f"setting {name}",
                before=_format_value(old),
                after=_format_value(new),
            )


def _format_value(value: object) -> str | None:
    if value is None or value == ():
        return None
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
