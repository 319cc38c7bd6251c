"""Keeps secrets of this machine out of what leaves it.

A host may need a token, in its address or in the environment. None is kept in a run,
but a server's error can repeat it, and an error is part of a report. So what is known
to be secret is blotted out, sign for sign so that offsets stay true, in every text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pydantic import BaseModel

SHORTEST = 6
"""A shorter value is a word that texts may well contain."""
_NAMES = re.compile(r"(^|_)(api_?key|key|token|secret|password|passwd)s?$", re.I)
_OURS = ("CLAIMSCOPE_", "OLLAMA_", "CHROMA_", "GITHUB_")
_LOGIN = re.compile(r"(?<=://)[^/\s@\"'<>]+(?=@)")
M = TypeVar("M", bound="BaseModel")


def secrets_of(
    settings: Mapping[str, object], environment: Mapping[str, str]
) -> frozenset[str]:
    """Values of settings and variables that are secret by their name, and logins and
    tokens in addresses of hosts."""
    ours = {n: v for n, v in environment.items() if n.startswith(_OURS)}
    found: set[str] = set()
    for name, value in [*settings.items(), *ours.items()]:
        # A pydantic SecretStr; not by its type, because the log of a program that has
        # painted nothing yet asks, and pydantic takes a third of that time.
        if hasattr(value, "get_secret_value"):
            value = value.get_secret_value()
        if not isinstance(value, str):
            continue
        if _NAMES.search(name):
            found.add(value)
        for part in value.split(","):
            found.update(_of_address(part.strip()))
    return frozenset(value for value in found if len(value) >= SHORTEST)


def _of_address(text: str) -> Iterable[str]:
    if "@" not in text and "?" not in text:
        return
    from urllib.parse import parse_qsl, unquote, urlsplit

    try:
        parts = urlsplit(text if "://" in text else f"//{text}")
    except ValueError:
        return
    login, sign, _ = parts.netloc.rpartition("@")
    if sign:
        yield login
        password = login.partition(":")[2] or login
        yield from (password, unquote(password))
    yield from (value for _, value in parse_qsl(parts.query))


def blot_out(text: str, secrets: frozenset[str]) -> str:
    """Text without the secrets, as long as it was."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "*" * len(secret))
    return text


def without_logins(text: str) -> str:
    """Text without what stands before the `@` of an address."""
    return _LOGIN.sub(lambda match: "*" * len(match[0]), text)


def without_secrets(values: Sequence[M], secrets: frozenset[str]) -> list[M]:
    """Models with every secret in any of their texts blotted out. Those that hold none
    are given back as they are."""
    return [_clean(value, secrets) if secrets else value for value in values]


def _clean(value: M, secrets: frozenset[str]) -> M:
    plain = value.model_dump(mode="python")
    changed = _blot_values(plain, secrets)
    return value if changed == plain else type(value).model_validate(changed)


def _blot_values(value: Any, secrets: frozenset[str]) -> Any:
    if isinstance(value, str):
        # A word of a fixed vocabulary stays what it is: enums are texts as well.
        return blot_out(value, secrets) if type(value) is str else value
    if isinstance(value, dict):
        return {k: _blot_values(v, secrets) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_blot_values(item, secrets) for item in value)
    return value
