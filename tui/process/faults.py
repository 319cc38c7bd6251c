"""Our own faults, told as errors and logged with their traceback.

What nobody foresaw must not leave a screen waiting for ever, nor a reader without a way
to report it.
"""

from __future__ import annotations

import logging

from claimscope.core.errors import ClaimscopeError, InternalError

log = logging.getLogger(__name__)
REMEDY = (
    "Please report it: `claimscope doctor --bundle FILE` packs the log, in which it "
    "stands where this happened."
)


def log_error(error: BaseException) -> ClaimscopeError:
    """The error as it is shown, and logged; of an internal one the traceback."""
    if isinstance(error, ClaimscopeError):
        log.info("%s: %s", error.title, error.message)
    else:
        log.error("internal error: %s", error, exc_info=error)
    return as_shown(error)


def as_shown(error: BaseException) -> ClaimscopeError:
    """What was foreseen as it is, any other one as an internal error."""
    if isinstance(error, ClaimscopeError):
        return error
    return InternalError(f"{type(error).__name__}: {error}", REMEDY)
