"""The one reader of JSON replies: tolerant of wrapping, strict about content.

Models put JSON into fences and prose, think aloud before it, and leave a comma too
many. All of that is read. What is not read is anything that would need a guess: two
different objects, a cut one, a grade out of range, a string that a repair changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from claimscope.core.errors import ReplyUnreadable

THOUGHT_END = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)

TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)
"""A whole string, which is kept, or a comma before a closing bracket."""


class ReplyModel(BaseModel):
    """Base of what a model is asked to reply; unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


R = TypeVar("R", bound=ReplyModel)


def _whole_number(value: object) -> object:
    """Models write 4, 4.0 and "4"; true is no number, whatever Python says."""
    if isinstance(value, bool):
        raise ValueError("not a number")
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and re.fullmatch(r"\s*\d{1,9}\s*", value):
        return int(value)
    return value


WholeNumber = Annotated[int, BeforeValidator(_whole_number)]

GradeValue = Annotated[Literal[1, 2, 3, 4, 5], BeforeValidator(_whole_number)]
"""A grade from 1 to 5; an enum in the schema, which grammars keep to."""


class _Doubtful(ValueError):
    """JSON that says two things at once."""


def read_reply(raw: str, kind: type[R]) -> R:
    """The object of `kind` in a reply. Raises ReplyUnreadable, which keeps `raw`.

    Text before a closing think tag is a thought, unless the tag stands inside the
    object. Strict JSON anywhere is preferred to JSON that needs a repair.
    """
    for parse in (_strict, _without_commas, _repaired):
        for visible in _visible(raw):
            found = list(_objects(visible, parse, kind))
            if any(other != found[0] for other in found):
                raise _unreadable(raw, kind, "it holds several different objects")
            if found:
                return found[0]
    raise _unreadable(raw, kind, _what_is_wrong(raw, kind))


def _visible(raw: str) -> Iterator[str]:
    """The reply whole if it is all one object, then after each end of thought, the
    last one first, then whole."""
    if raw.strip()[:1] == "{" and _end_of_object(raw, raw.index("{")) == len(
        raw.rstrip()
    ):
        yield raw
    for tag in reversed(list(THOUGHT_END.finditer(raw))):
        yield raw[tag.end() :]
    yield raw


def _objects(text: str, parse: Any, kind: type[R]) -> Iterator[R]:
    """Every outermost object of the text that is a valid `kind`."""
    position = 0
    while (begin := text.find("{", position)) >= 0:
        end = _end_of_object(text, begin)
        if end is None:
            position = begin + 1  # a lone brace in prose
            continue
        try:
            value = kind.model_validate(parse(text[begin:end]))
        except ValueError:  # ValidationError is one
            position = begin + 1
            continue
        yield value
        position = end


def _end_of_object(text: str, begin: int) -> int | None:
    """Where the object that begins at `begin` ends; None when it never does."""
    depth, in_string, escaped = 0, False, False
    for position in range(begin, len(text)):
        character = text[position]
        if in_string:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                in_string = False
        elif character == '"':
            in_string = True
        elif character in "{[":
            depth += 1
        elif character in "}]":
            depth -= 1
            if depth == 0:
                return position + 1
    return None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Doubtful("a field occurs twice")
    return found


def _strict(text: str) -> Any:
    # strict=False: a line break inside a string is read as one.
    return json.loads(text, object_pairs_hook=_once, strict=False)


def _without_commas(text: str) -> Any:
    """Strict JSON after trailing commas outside strings are dropped."""
    return _strict(TRAILING_COMMA.sub(lambda match: match[1] or "", text))


def _repaired(text: str) -> Any:
    """The object after a repair that changed no string. Raises ValueError."""
    from json_repair import loads

    try:
        _without_commas(text)
    except _Doubtful:
        raise
    except ValueError:
        pass
    found = loads(text, skip_json_loads=True)
    for string in _strings(found):
        forms = (json.dumps(string, ensure_ascii=a)[1:-1] for a in (True, False))
        if string not in text and not any(form in text for form in forms):
            raise ValueError("the repair changed a string")
    return found


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _strings(key)
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _what_is_wrong(raw: str, kind: type[R]) -> str:
    begin = raw.find("{")
    if begin < 0:
        return "it holds no JSON object"
    end = _end_of_object(raw, begin)
    if end is None:
        return "its JSON object is not closed"
    try:
        kind.model_validate(_strict(raw[begin:end]))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "the object"
        return f"{field}: {first['msg']}"
    except ValueError:
        pass
    return "its JSON cannot be read"


def _unreadable(raw: str, kind: type[R], why: str) -> ReplyUnreadable:
    fields = ", ".join(kind.model_fields)
    return ReplyUnreadable(
        f"The model's reply is not what was asked for (JSON with {fields}): {why}.",
        "The reply is kept as it came. A larger model follows the form more often.",
        raw=raw,
    )


def schema_of(kind: type[ReplyModel]) -> dict[str, Any]:
    """The JSON schema for Ollama's `format`: plain, without titles and texts.

    Grammars put fields in alphabetical order, whatever the order here: name them so
    that reasons come before what follows from them.
    """

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: plain(inner)
                for key, inner in value.items()
                if not (key in ("title", "description") and isinstance(inner, str))
            }
        return value

    schema = plain(kind.model_json_schema())
    assert "$defs" not in schema, "keep replies flat: servers' converters are simple"
    return dict(schema)
