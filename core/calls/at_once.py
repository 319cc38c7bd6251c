"""Calls that are made side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence


async def at_once(calls: Sequence[Coroutine[object, object, None]]) -> None:
    """Runs calls side by side. The first error ends the others and is raised."""
    tasks = [asyncio.ensure_future(call) for call in calls]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
