"""The metrics that there are: one file each in this package, and those that other
packages bring (plugins.py)."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from claimscope.core.metrics.base import Metric
from claimscope.core.metrics.plugins import FoundPlugins, find_plugins


@cache
def discover() -> dict[str, Metric]:
    """Metrics by id: those of this package, then those that other packages bring
    (core/metrics/plugins.py)."""
    return {**built_in(), **found_plugins().metrics}


@cache
def found_plugins() -> FoundPlugins:
    """Metrics of other packages, and what is wrong with those that were left out."""
    return find_plugins(built_in())


@cache
def built_in() -> dict[str, Metric]:
    """Metrics by id, from every module of this package and of those in it with a
    `METRICS` tuple; what is shown first has the lowest `POSITION`."""
    package = importlib.import_module("claimscope.core.metrics")
    modules = [
        importlib.import_module(info.name)
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]
    modules.sort(key=lambda m: (getattr(m, "POSITION", 100), m.__name__))
    return {
        metric.id: metric
        for module in modules
        for metric in getattr(module, "METRICS", ())
    }
