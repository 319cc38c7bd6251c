"""The end of the interface when its terminal is gone.

A dropped SSH line usually ends us by SIGHUP. Under `nohup`, or on a terminal that is
not our controlling one, no signal comes: Textual's writer dies of the first byte, its
reader finds the end of the input again and again, and a core is kept busy for ever.
Nothing is lost by an end: runs have an engine of their own, and what is judged is
saved.
"""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Callable

EXIT_CODE = 129
"""128 + SIGHUP, as shells count."""


def _leave() -> None:
    os._exit(EXIT_CODE)  # nothing else is sure to get through: writing to it blocks


def watch_terminal(descriptor: int, leave: Callable[[], None] = _leave) -> None:
    """Calls `leave` once the terminal behind `descriptor` is gone; costs nothing until
    then. What is no terminal is not watched."""
    if not os.isatty(descriptor) or not hasattr(select, "poll"):
        return

    def watch() -> None:
        poll = select.poll()
        poll.register(descriptor, 0)  # a hang-up is told without being asked for
        for _, event in poll.poll():
            if event & (select.POLLHUP | select.POLLERR):
                leave()

    threading.Thread(target=watch, name="hang-up", daemon=True).start()
