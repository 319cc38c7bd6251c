"""What a judge is asked about a suite: how long its prompts become is planned by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from claimscope.stores.suites.loading import LoadedSuite


class Asked(Sequence[str]):
    """Each question with its answer, as long as a judge is shown them; made when they
    are looked at: 20,000 would hold 12 MB while a run goes on."""

    def __init__(self, loaded: LoadedSuite) -> None:
        self._loaded = loaded
        self._questions = {case.id: case.question for case in loaded.suite.cases}

    def __len__(self) -> int:
        return len(self._loaded.answers)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...

    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return [self[number] for number in range(len(self))[place]]
        answer = self._loaded.answers[place]
        return self._questions.get(answer.case_id, "") + answer.text
