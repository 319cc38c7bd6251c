"""The samples of a run as a sequence, of which each is read when it is asked for: a run
may have 100,000 of them on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import overload

from claimscope.core.models import SampleResult


class LazySamples(Sequence[SampleResult]):
    """Samples that are read from disk one by one, when they are asked for."""

    def __init__(
        self, ids: tuple[int, ...], read: Callable[[int], SampleResult]
    ) -> None:
        self._ids = ids
        self._read = read

    @overload
    def __getitem__(self, place: int) -> SampleResult: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[SampleResult]: ...

    def __getitem__(self, place: int | slice) -> SampleResult | Sequence[SampleResult]:
        if isinstance(place, slice):
            return LazySamples(self._ids[place], self._read)
        return self._read(self._ids[place])

    def __len__(self) -> int:
        return len(self._ids)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(other) != len(self):
            return False
        return all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # as of a list
