"""The one reader of JSON replies: tolerant of wrapping, strict about content.

Models put JSON into fences and prose, think aloud before it, and leave a comma too
many. All of that is read. What is not read is anything that would need a guess: two
different objects, a cut one, a grade out of range, a string that a repair changed.
Above all, nothing inside a string is ever read as the reply: there stands what the
judged text wanted it to be.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from claimscope.core.errors import ReplyUnreadable

THOUGHT = re.compile(r"<(/?)(?:think|thinking|reasoning)>", re.IGNORECASE)
"""Begins a thought, or ends one (which some templates begin unseen)."""

OBJECT = re.compile(r"""\{\s*(?:(["'])|//|/\*|\w+\s*:)""")
"""A brace that begins an object: before a key or a comment; not one of prose."""

TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)
"""A whole string, which is kept, or a comma before a closing bracket."""


_HALF = re.compile("[\ud800-\udfff]")


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


@dataclass
class _Search(Generic[R]):
    """What was read so far."""

    objects: list[R] = field(default_factory=list)
    problem: str | None = None
    """Why an object is not what was asked for; the first one's."""
    is_refused: bool = False
    """Whether nothing may be read, whatever else there is."""

    def refuse(self, problem: str) -> None:
        self.problem, self.is_refused = self.problem or problem, True


def read_reply(raw: str, kind: type[R]) -> R:
    """The object of `kind` in a reply. Raises ReplyUnreadable, which keeps `raw`."""
    found = _read_objects(raw, kind)
    if any(other != found.objects[0] for other in found.objects):
        found.refuse("it holds several different objects")
    if found.is_refused or not found.objects:
        fields = ", ".join(kind.model_fields)
        raise ReplyUnreadable(
            f"The model's reply is not what was asked for (JSON with {fields}): "
            f"{found.problem or 'it holds no JSON object'}.",
            "The reply is kept as it came. A larger model follows the form more often.",
            raw=raw,
        )
    return found.objects[0]


def _read_objects(raw: str, kind: type[R]) -> _Search[R]:
    """Reads a reply from front to back, thoughts left out, each object whole."""
    found, position = _Search[R](), 0
    while True:
        tag = THOUGHT.search(raw, position)
        brace = OBJECT.search(raw, position, tag.start() if tag else len(raw))
        if brace is None and tag is None:
            return found
        if brace is None:
            assert tag is not None
            begins = not tag[1]
            ends = (one.end() for one in THOUGHT.finditer(raw, tag.end()) if one[1])
            end = next(ends, None) if begins else tag.end()
            if end is None:  # the rest was thought; there is no reply after it
                return found
            if not begins:  # all that came before was thought
                found = _Search[R]()
            position = end
            continue
        position = _read_object(raw, brace, kind, found)
        if position < 0:
            after = _thought_around(raw, brace.start())
            if after is None:
                found.refuse("its JSON object is not closed")
                return found
            found, position = _Search[R](), after


def _thought_around(raw: str, begin: int) -> int | None:
    """Where the thought ends that an object, begun and not closed, stands in; None
    when it does not stand in one. A tag inside one of its strings is text."""
    for tag in THOUGHT.finditer(raw, begin):
        if tag[1] and not _scan_object(raw[: tag.start()], begin, "\"'").in_string:
            return tag.end()
    return None


def _read_object(
    raw: str, brace: re.Match[str], kind: type[R], found: _Search[R]
) -> int:
    """Reads the object at a brace; where to go on, or -1 when it is not closed."""
    begin = brace.start()
    either = _scan_object(raw, begin, "\"'").end
    end = _scan_object(raw, begin, '"').end if brace[1] == '"' else either
    if end is None:
        return -1
    text = raw[begin:end]
    try:
        # Where an apostrophe counts or not, a repair would have to guess.
        value = _parse_object(text, kind, may_repair=end == either)
    except (ValueError, RecursionError):
        found.problem = found.problem or "its JSON cannot be read"
        return end
    problems = []
    for inner in _objects_of(value):
        try:
            found.objects.append(kind.model_validate(inner))
        except ValidationError as error:
            problems.append((_first_problem(error), inner))
            continue
        return end
    for problem, inner in problems:
        if kind.model_fields.keys() <= inner.keys():
            # It is the reply, and a bad one: another one would be a guess.
            found.refuse(problem)
        found.problem = found.problem or problem
    return end


def _objects_of(value: Any) -> Iterator[dict[str, Any]]:
    """An object, then those inside it: some models wrap the reply in another."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from _objects_of(inner)


def _first_problem(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"])) or "the object"
    return f"{place}: {first['msg']}"


@dataclass(frozen=True)
class _Scan:
    """Where an object ends, None = nowhere; whether the text ends in its string."""

    end: int | None
    in_string: bool


def _scan_object(text: str, begin: int, quotes: str) -> _Scan:
    """Follows the brackets of an object from `begin`; `quotes` delimit its strings."""
    depth, inside, position = 0, "", begin
    while position < len(text):
        character = text[position]
        if inside:
            if character == "\\":
                position += 1
            elif character == inside:
                inside = ""
        elif character in quotes:
            inside = character
        elif character in "{[":
            depth += 1
        elif character in "}]":
            depth -= 1
            if depth == 0:
                return _Scan(position + 1, False)
        position += 1
    return _Scan(None, bool(inside))


def _refuse_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Doubtful("a field occurs twice")
    return found


def _load_strict(text: str) -> Any:
    # strict=False: a line break inside a string is read as one.
    value = json.loads(text, object_pairs_hook=_refuse_repeats, strict=False)
    if "\\u" in text and any(map(_HALF.search, _strings(value))):
        raise _Doubtful("a string holds half of a character")
    return value


def _parse_object(text: str, kind: type[R], *, may_repair: bool) -> Any:
    """The object as it stands, else without trailing commas, else after a repair.

    Raises ValueError, RecursionError.
    """
    for candidate in (text, TRAILING_COMMA.sub(lambda match: match[1] or "", text)):
        try:
            return _load_strict(candidate)
        except _Doubtful:
            raise
        except ValueError:
            continue
    if not may_repair:
        raise ValueError("a repair would be a guess")
    return _repair_object(text, kind)


def _repair_object(text: str, kind: type[R]) -> Any:
    """The object after a repair that changed no string. Raises ValueError."""
    from json_repair import loads

    for name in kind.model_fields:
        if len(re.findall(rf"\b{name}\b[\"']?\s*:", text)) > 1:
            raise _Doubtful("a field may occur twice")
    try:
        found = loads(text, skip_json_loads=True)
    except Exception as error:  # it promises nothing for arbitrary text
        raise ValueError("it cannot be repaired") from error
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
