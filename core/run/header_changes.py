"""What is different between two headers of a run, and which of it may be.

A run goes on only when its verdicts would mean the same: everything in the
fingerprint must be as it was. Two things may be added to a run all the same, because
no result that is there depends on them: iterations, and answers to further cases or
of further providers. Such an amendment is saved in the journal with its time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from claimscope.core.errors import InputError, RunMismatch
from claimscope.core.models import Answer, JsonValue, RunHeader
from claimscope.core.run.plan import SHOWN, fingerprint

DIGESTS = {"suite_digest", "answers_digest", "corpus_version"}
"""Parts whose value says nothing to a person."""
HIDDEN_SETTINGS = {
    "prompts": "the prompts",
    "evidence_model": "the fitted models behind verdicts",
}
"""Digests among the settings."""
SHORT = 60
"""Characters of a value that is shown."""


@dataclass(frozen=True)
class HeaderChange:
    """A part of the fingerprint that is another one now."""

    part: str
    """Name of the header's field; of a setting: `settings.<name>`."""
    name: str
    """For people."""
    old: str | None = None
    new: str | None = None
    """None = the value says nothing to a person, or is long."""

    def __str__(self) -> str:
        """`the model: small:1b → large:9b`."""
        if self.old is None or self.new is None:
            return self.name
        return f"{self.name}: {self.old} → {self.new}"


def changes(old: RunHeader, new: RunHeader) -> tuple[HeaderChange, ...]:
    """Every part of the fingerprint that differs, settings one by one."""
    return tuple(_changes(old, new))


def _changes(old: RunHeader, new: RunHeader) -> Iterator[HeaderChange]:
    for part, name in SHOWN.items():
        before, after = getattr(old, part), getattr(new, part)
        if before == after:
            continue
        if part == "settings":
            yield from _settings(before, after)
        elif part in DIGESTS:
            yield HeaderChange(part, name)
        else:
            yield HeaderChange(part, name, *_short_values(before, after))


def _settings(
    before: dict[str, JsonValue], after: dict[str, JsonValue]
) -> Iterator[HeaderChange]:
    for name in {**before, **after}:
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        part = f"settings.{name}"
        if name in HIDDEN_SETTINGS:
            yield HeaderChange(part, HIDDEN_SETTINGS[name])
        else:
            yield HeaderChange(part, f"the setting {name}", *_short_values(old, new))


def _short_values(old: object, new: object) -> tuple[str | None, str | None]:
    before, after = _format_value(old), _format_value(new)
    if len(before) + len(after) > SHORT:
        return None, None
    return before, after


def _format_value(value: object) -> str:
    if value is None or value == "":
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value)) or "none"
    text = str(value)
    is_digest = len(text) >= 32 and all(c in "0123456789abcdef" for c in text)
    return text[:12] if is_digest else text


def check_resumable(
    old: RunHeader, new: RunHeader, amended: Collection[str] = ()
) -> None:
    """Raises RunMismatch that lists every part that changed since old was written,
    but for those that were `amend` on purpose."""
    found = [one for one in changes(old, new) if one.part not in amended]
    if found:
        listed = "".join(f"\n  {one}" for one in found)
        raise RunMismatch(
            f"run {old.run_id} cannot go on: old verdicts would be mixed with new "
            f"ones. Changed since it started:{listed}",
            f"`claimscope runs resume {old.run_id} --as-new` starts a new run with "
            "what changed; calls that\n  stay the same are not made again. Or put back "
            "what changed.",
        )


def amend(old: RunHeader, new: RunHeader, at: str) -> RunHeader:
    """The header of a run with what new adds to it. Raises InputError when new takes
    something away, RunMismatch when something else changed."""
    check_resumable(old, new, amended=("iterations", "answers_digest"))
    words = []
    if new.iterations < old.iterations:
        raise InputError(
            f"run {old.run_id} has {old.iterations} iterations; there is no taking "
            f"back to {new.iterations}",
            f"give --iterations {old.iterations + 1} or more",
        )
    if new.iterations > old.iterations:
        words.append(f"iterations {old.iterations} → {new.iterations}")
    if new.answers_digest != old.answers_digest:
        words.append(f"samples {old.total_samples} → {new.total_samples}, by answers")
    header = old.model_copy(
        update={
            "iterations": new.iterations,
            "answers_digest": new.answers_digest,
            "added_answers": new.added_answers,
            "providers": new.providers,
            "total_samples": new.total_samples,
            "amended": (*old.amended, *(f"{at} {word}" for word in words)),
        }
    )
    return header.model_copy(update={"fingerprint": fingerprint(header)})


def join_answers(
    known: Sequence[Answer], further: Sequence[Answer], file: str
) -> tuple[Answer, ...]:
    """Answers of a run with those of a file added; equal ones once.

    Raises InputError when the file has another text for an answer that is known: its
    sample would be saved under the same key.
    """
    by_key = {(answer.case_id, answer.provider): answer for answer in known}
    added = []
    for answer in further:
        old = by_key.get((answer.case_id, answer.provider))
        if old is None:
            added.append(answer)
        elif old != answer:
            raise InputError(
                f"{file}: the answer of {answer.provider!r} to case "
                f"{answer.case_id!r} is another one than in this run",
                "give the new answer a provider of its own, or start a new run",
            )
    return (*known, *added)
