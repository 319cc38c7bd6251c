"""Probes of models, kept by weights and context size: one file for each, the last one.

A probe speaks of certain weights (the model's digest) at a certain num_ctx, asked by
certain prompts. What was found with other ones is not taken for it.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from claimscope.core.errors import StoreError
from claimscope.core.grade.probe import Probe
from claimscope.stores.workspace.paths import safe_name, write_atomically
from claimscope.stores.workspace.regular_files import read_regular

SUFFIX = ".json"


class ProbeStore:
    """The probes of a workspace."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def save(self, probe: Probe) -> Path:
        """Keeps a probe in place of the one before it; readers see one of the two,
        never a part. Gives its file. Raises StoreError."""
        path = self._path(probe.digest or probe.model, probe.context_tokens)
        write_atomically(path, probe.model_dump_json(indent=1).encode())
        return path

    def latest(self, digest: str, context_tokens: int) -> Probe | None:
        """The probe of these weights at exactly this context size.

        Raises StoreError for a file that cannot be read.
        """
        path = self._path(digest, context_tokens)
        return _read_probe(path) if path.exists() else None

    def covering(
        self, digest: str, context_tokens: int, planted: str | None = None
    ) -> Probe | None:
        """The newest probe that speaks of these weights at this context size: made at
        it, at a larger one, or at all the model can. `planted`: only one made with
        these cases and prompts. Raises StoreError."""
        found = [
            probe
            for probe in self.probes()
            if (probe.digest or probe.model) == digest
            and planted in (None, probe.planted)
            and _covers(probe, context_tokens)
        ]
        return found[0] if found else None

    def probes(self) -> tuple[Probe, ...]:
        """All that can be read, newest first."""
        found, _ = self._read_all()
        return tuple(sorted(found, key=lambda probe: probe.started, reverse=True))

    def problems(self) -> tuple[StoreError, ...]:
        """One error for each file that cannot be read."""
        return tuple(self._read_all()[1])

    def _read_all(self) -> tuple[list[Probe], list[StoreError]]:
        found, problems = list[Probe](), list[StoreError]()
        for path in sorted(self._folder.glob(f"*{SUFFIX}")):
            try:
                found.append(_read_probe(path))
            except StoreError as error:
                problems.append(error)
        return found, problems

    def _path(self, digest: str, context_tokens: int) -> Path:
        return self._folder / (safe_name(f"{digest}-{context_tokens}") + SUFFIX)


def _covers(probe: Probe, context_tokens: int) -> bool:
    is_all_the_model_can = probe.context_tokens < probe.asked_tokens
    return probe.context_tokens >= context_tokens or is_all_the_model_can


def _read_probe(path: Path) -> Probe:
    try:
        return Probe.model_validate_json(read_regular(path))
    except OSError as error:
        raise StoreError(
            f"{path}: this probe cannot be read: {error.strerror}.",
            "Check who may read it.",
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise StoreError(
            f"{path}: this is no probe of this version: {place}: {first['msg']}.",
            "Probe the model again: `claimscope models probe MODEL`; or remove the "
            "file.",
        ) from error
