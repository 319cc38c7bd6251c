"""Where models made or fetched once are kept on this machine."""

from __future__ import annotations

import os
from pathlib import Path

CACHE_VARIABLE = "CLAIMSCOPE_CACHE"


def cache_folder() -> Path:
    """Where exported models are kept: $CLAIMSCOPE_CACHE or the user's cache."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        return Path(chosen).expanduser()
    from platformdirs import user_cache_path

    return user_cache_path("claimscope", appauthor=False)
