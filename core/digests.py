"""The digest that names what was read or asked; apart from the models, so that what
only needs a name for a file does not load pydantic."""

from __future__ import annotations


def digest(*parts: str) -> str:
    """The sha256 of parts, in hex; parts are length-prefixed so that they cannot
    run into one another."""
    import hashlib  # OpenSSL: a millisecond of the first frame

    state = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        state.update(str(len(data)).encode() + b":" + data)
    return state.hexdigest()
