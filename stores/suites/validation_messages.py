"""What pydantic found wrong with a row of a file, in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

_KINDS = {
    "string_type": "must be text",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "bool_type": "must be true or false",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
}


@dataclass(frozen=True)
class RowMistake:
    """What is wrong with a field, and what to do about it."""

    field: str
    """`claims[2].text`, counted from 1; "" for the row itself."""
    words: str
    remedy: str

    def __str__(self) -> str:
        return f"field {self.field}: {self.words}" if self.field else self.words


def mistakes_of(error: ValidationError, model: type[BaseModel]) -> Iterator[RowMistake]:
    """All that pydantic found."""
    for details in error.errors(include_url=False):
        field = _place(details["loc"])
        words = _mistake_words(details, model)
        yield RowMistake(field, words, _remedy(details, model))


def problems_of(error: ValidationError, model: type[BaseModel]) -> Iterator[str]:
    """`field difficulty: 'hrad' is not one of easy, medium, hard`, one a problem."""
    return map(str, mistakes_of(error, model))


def nearest(name: str, known: Sequence[str]) -> str | None:
    """The known name that `name` was probably meant to be."""
    found = get_close_matches(name, known, n=1, cutoff=0.6)
    return found[0] if found else None


def _place(parts: tuple[int | str, ...]) -> str:
    """`claims[2].text`, counted from 1."""
    place = ""
    for part in parts:
        if isinstance(part, int):
            place += f"[{part + 1}]"
        else:
            place += f".{part}" if place else part
    return place


def _mistake_words(details: ErrorDetails, model: type[BaseModel]) -> str:
    kind, value = details["type"], details["input"]
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        known = nearest(str(details["loc"][-1]), _fields(model, details["loc"]))
        return "is not known" + (f"; is {known} meant?" if known else "")
    if kind == "literal_error":
        expected = str(details.get("ctx", {}).get("expected", ""))
        choices = expected.replace(" or ", ", ").replace("'", "")
        return f"{_format_value(value)} is not one of {choices}"
    if kind == "string_too_short":
        return "is empty"
    if kind == "greater_than_equal":
        return f"{_format_value(value)} is less than {details.get('ctx', {}).get('ge')}"
    if kind in _KINDS:
        return f"{_KINDS[kind]}, not {_format_value(value)}"
    return details["msg"][:1].lower() + details["msg"][1:]


def _remedy(details: ErrorDetails, model: type[BaseModel]) -> str:
    kind = details["type"]
    name = str(details["loc"][-1]) if details["loc"] else "it"
    if kind == "missing":
        return f'add "{name}"'
    if kind == "extra_forbidden":
        fields = _fields(model, details["loc"])
        meant = nearest(name, fields)
        if meant:
            return f'rename it to "{meant}"'
        return f"remove it; there are: {', '.join(fields)}"
    if kind == "literal_error":
        expected = str(details.get("ctx", {}).get("expected", ""))
        choices = [
            choice.strip("' ") for choice in expected.replace(" or ", ",").split(",")
        ]
        meant = nearest(str(details["input"]), choices)
        return f'write "{meant}"' if meant else "write one of them, or remove the field"
    if kind == "string_too_short":
        return "fill it in" if name in ("id", "question", "text") else "remove it"
    if kind in _KINDS:
        return f"correct it: it {_KINDS[kind]}"
    return "correct it"


def _fields(model: type[BaseModel], place: tuple[int | str, ...]) -> list[str]:
    """Field names of the model a place lies in, as far as it can be followed."""
    for part in place[:-1]:
        if isinstance(part, int) or part not in model.model_fields:
            continue
        for inner in (
            *getattr(model.model_fields[part].annotation, "__args__", ()),
            model.model_fields[part].annotation,
        ):
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                model = inner
                break
    return list(model.model_fields)


def _format_value(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…'"
