"""What a command ends with: every error is a message and an exit code."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable

log = logging.getLogger(__name__)


def run_to_exit_code(
    run: Callable[[argparse.Namespace], int], arguments: argparse.Namespace
) -> int:
    """Turns every error into a message and an exit code."""
    try:
        return run(arguments)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our stdout went away (`| head`): not an error of ours.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        return report_error(error)


def report_error(error: Exception) -> int:
    """Prints the error's title, message and hint; gives its exit code."""
    from claimscope.core.errors import ClaimscopeError
    from claimscope.core.logins import without_logins
    from claimscope.core.text.sanitising import sanitise

    if isinstance(error, ClaimscopeError):
        log.info("ended: %s: %s", error.title, error.message)
        text = without_logins(f"claimscope: {error.title}: {error}")
        print(sanitise(text), file=sys.stderr)
        return error.exit_code
    log.error("internal error: %s", error, exc_info=error)
    if os.environ.get("CLAIMSCOPE_TRACEBACK"):
        raise error
    print(
        sanitise(
            without_logins(
                f"claimscope: internal error: {type(error).__name__}: {error}"
            )
        )
        + "\n  please report it: `claimscope doctor --bundle FILE` packs the log, with "
        "where it happened; CLAIMSCOPE_TRACEBACK=1 shows it here",
        file=sys.stderr,
    )
    return 3
