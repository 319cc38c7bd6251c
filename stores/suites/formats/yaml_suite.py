"""Suites as YAML: the JSON format, in the notation many write by hand."""

from __future__ import annotations

from typing import Any

from claimscope.core.errors import SuiteError
from claimscope.stores.suites.formats.json_suite import parts
from claimscope.stores.suites.formats.suite_format import RawSuite

MOST_DEEP = 100
"""Levels of nesting; the parser's own recursion ends a process before an exception."""


class YamlSuite:
    """Dates are read as the text they were written as."""

    suffixes: tuple[str, ...] = (".yaml", ".yml")

    def read(self, text: str, name: str) -> RawSuite:
        return parts(load(text, name), name)


def load(text: str, name: str) -> Any:
    """The value of a YAML file. Raises SuiteError naming line and column."""
    import yaml

    try:
        _check_depth(text, name)
        return yaml.load(text, _loader())
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise SuiteError(
            f"{name}{place}: not YAML: {problem}.",
            'Check the indentation; put values with a colon in "quotation marks".',
        ) from error
    except (RecursionError, ValueError, TypeError, KeyError, AttributeError) as error:
        # A tag such as !!int before something else fails as Python does.
        raise SuiteError(
            f"{name}: not YAML: {type(error).__name__}: {str(error)[:100]}.",
            "Check the file.",
        ) from error


def _check_depth(text: str, name: str) -> None:
    import yaml

    depth = 0
    for event in yaml.parse(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MOST_DEEP:
            line = f", line {event.start_mark.line + 1}" if event.start_mark else ""
            raise SuiteError(
                f"{name}{line}: nested more than {MOST_DEEP} levels deep.",
                "A suite needs four.",
            )


def _loader() -> Any:
    """The safe loader that leaves dates, and numbers with colons, as text."""
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc]
        yaml_implicit_resolvers = {
            first: [
                (tag, pattern)
                for tag, pattern in resolvers
                if tag != "tag:yaml.org,2002:timestamp"
            ]
            for first, resolvers in base.yaml_implicit_resolvers.items()
        }

    return Loader


FORMAT = YamlSuite()
