"""The version, from the installed package's metadata."""

from __future__ import annotations


def version() -> str:
    """As installed; a checkout that was not installed says so."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("claimscope")
    except PackageNotFoundError:
        return "0+checkout"
