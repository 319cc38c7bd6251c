"""Carries what models do from the client to whoever shows it.

The client is made before the run's journal and its progress line are, so it tells a
relay, and those who want to hear join later.
"""

from __future__ import annotations

from claimscope.core.ports import ModelState, OnState


class ModelWatch:
    """Tells each state to all listeners, in the order they joined."""

    def __init__(self) -> None:
        self._listeners: list[OnState] = []

    def __call__(self, state: ModelState) -> None:
        for listener in self._listeners:
            listener(state)

    def add(self, listener: OnState) -> None:
        self._listeners.append(listener)
