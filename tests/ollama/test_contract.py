"""The double is held to the real server: what both can play, both must answer alike.

Each call is made of both. Status, kind of content, texts of errors, and the keys and
types of every object are compared: the double may have no key that the real one never
has, and lack none that it always has.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from claimscope.core.backends.ollama.failures import http_failure
from tests.doubles import fake_ollama
from tests.doubles.fake_ollama import FakeOllama, speaking

# Read before the fixture that hides the user's settings from every test.
HOST = os.environ.get("OLLAMA_HOST") or "127.0.0.1:11555"
REQUIRED = bool(os.environ.get("CLAIMSCOPE_REQUIRE_OLLAMA"))
MODEL = "smollm2:135m"
ROOM = {"num_ctx": 2048, "temperature": 0, "seed": 7}
LONG = "The harbour holds deep water. " * 900
OPEN = ("model_info", "tensors", "parameters")
"""Parts of /api/show that differ from model to model."""
PATIENCE = 120.0
"""Seconds; only so that a server that hangs fails its test."""


@dataclass(frozen=True)
class Call:
    """One request."""

    path: str
    body: object = None
    """None = a GET; a text is sent as it is."""
    host: str | None = None


def chat(text: str = "Is water wet? Yes or No.", **more: Any) -> Call:
    """A chat with one context and no shift: nothing else would keep the model."""
    options = {**ROOM, "num_predict": 3, **more.pop("options", {})}
    body = {
        "model": MODEL,
        "messages": [{"role": "user", "content": text}],
        "truncate": False,
        "shift": False,
        "options": options,
    }
    return Call("/api/chat", {**body, **more})


def generate(**more: Any) -> Call:
    """A completion, or a load where there is no prompt."""
    body = {"model": MODEL, "shift": False, "truncate": False, "options": ROOM}
    return Call("/api/generate", {**body, **more})


SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
}
CALLS = {
    "root": Call("/"),
    "version": Call("/api/version"),
    "tags": Call("/api/tags"),
    "show": Call("/api/show", {"model": MODEL}),
    "load": generate(keep_alive="30m"),
    "ps": Call("/api/ps"),
    "chat stream": chat(),
    "chat whole": chat(stream=False),
    "one token with its alternatives": chat(
        logprobs=True, top_logprobs=5, options={"num_predict": 1}
    ),
    "log-probabilities without alternatives": chat(logprobs=True),
    "a schema cut at its limit": chat(format=SCHEMA, options={"num_predict": 2}),
    "generate stream": generate(prompt="Hello", options={**ROOM, "num_predict": 2}),
    "an unknown option": chat(options={"zzz": 1}),
    "an option of a wrong type": chat(options={"num_ctx": "many"}),
    "too many alternatives": chat(logprobs=True, top_logprobs=21),
    "a schema that is none": chat(format={"type": "zzz"}),
    "thinking it has not": chat(think=True),
    "thinking switched off": chat(think=False),
    "too long": chat(LONG),
    "too long, not to be shifted": chat(LONG, truncate=True),
    "chat without the model": chat(model="nope:1b"),
    "generate without the model": generate(model="nope:1b"),
    "show without the model": Call("/api/show", {"model": "nope:1b"}),
    "embed without the model": Call("/api/embed", {"model": "nope:1b", "input": "x"}),
    "no body": Call("/api/chat", ""),
    "half a body": Call("/api/chat", "{"),
    "a foreign host": Call("/api/version", host="elsewhere.example"),
    "no such path": Call("/api/nothing", {}),
    "a wrong method": Call("/api/chat"),
}
RELOADS = {
    "no messages": Call("/api/chat", {"model": MODEL, "messages": []}),
    "embed on a chat model": Call("/api/embed", {"model": MODEL, "input": "x"}),
}
"""Calls after which the model is loaded anew: last."""


@dataclass(frozen=True)
class Heard:
    """What came back."""

    status: int
    kind: str
    """Of its content, without the character set."""
    values: tuple[Any, ...]
    """Its objects; a line of a stream is one."""
    text: str


Ask = Callable[[Call], Heard]


def asker(url: str) -> Iterator[Ask]:
    """Makes calls of a server."""
    import httpx

    with httpx.Client(base_url=url, timeout=PATIENCE, trust_env=False) as client:

        def ask(call: Call) -> Heard:
            body = call.body if isinstance(call.body, str) else json.dumps(call.body)
            reply = client.request(
                "GET" if call.body is None else "POST",
                call.path,
                content=None if call.body is None else body,
                headers={"Host": call.host} if call.host else {},
            )
            kind = reply.headers.get("content-type", "").split(";")[0]
            is_json = kind.endswith("json")
            lines = reply.text.splitlines() if is_json else []
            values = tuple(json.loads(line) for line in lines)
            return Heard(reply.status_code, kind, values, reply.text.strip())

        yield ask


@pytest.fixture
def double() -> Iterator[Ask]:
    """The double, with a model of the same name."""
    models = {MODEL: fake_ollama.model()}
    with FakeOllama(models=models, answer=speaking()) as fake:
        yield from asker(f"http://{fake.host}")


@pytest.fixture
def real() -> Iterator[Ask]:
    """The server of `make ollama`; without one, skips, or fails where it must be."""
    import httpx

    url = HOST if "://" in HOST else f"http://{HOST}"
    try:
        with httpx.Client(trust_env=False, timeout=5) as client:
            client.get(f"{url}/api/version").raise_for_status()
    except httpx.HTTPError as error:
        reason = f"no Ollama at {url} ({error}); start one with `make ollama`"
        if REQUIRED:
            pytest.fail(reason)
        pytest.skip(reason)
    yield from asker(url)


@pytest.fixture(params=["double", pytest.param("real", marks=pytest.mark.ollama)])
def either(request: pytest.FixtureRequest) -> Ask:
    """Each of the two."""
    found: Ask = request.getfixturevalue(request.param)
    return found


# --- comparing ----------------------------------------------------------------


def kinds(value: object, path: str = "") -> dict[str, str]:
    """Every path in a value with the JSON type of what stands there."""
    found: dict[str, str] = {}
    if isinstance(value, dict):
        found[path] = "object"
        for key, inner in value.items():
            where = f"{path}.{key}"
            found |= {where: "open"} if key in OPEN else kinds(inner, where)
    elif isinstance(value, list):
        found[path] = "array"
        for inner in value:
            found |= kinds(inner, f"{path}[]")
    else:
        names = {str: "text", bool: "yes or no", int: "integer", float: "number"}
        found[path] = names.get(type(value), "null")
        if path.endswith("logprob"):
            found[path] = "number"
    return found


def differences(mine: Sequence[object], true: Sequence[object]) -> list[str]:
    """What the values of the double have that the true ones never have, or lack that
    they always have, or have of another type."""
    ours, theirs = [kinds(value) for value in mine], [kinds(value) for value in true]
    known = {path: kind for value in theirs for path, kind in value.items()}
    always = set.intersection(*map(set, theirs)) if theirs else set()
    found = set()
    for value in ours:
        found |= {f"{path} is not Ollama's" for path in value.keys() - known.keys()}
        found |= {f"{path} is missing" for path in always - value.keys()}
        found |= {
            f"{path} is {kind}, not {known[path]}"
            for path, kind in value.items()
            if known.get(path, kind) != kind
        }
    return sorted(found)


def by_role(values: Sequence[Any]) -> dict[str, list[Any]]:
    """The objects of a reply apart: errors, lines of a stream, the closing line."""
    roles: dict[str, list[Any]] = {}
    for value in values:
        is_object = isinstance(value, dict)
        role = "error" if is_object and "error" in value else "value"
        if is_object and "done" in value:
            role = "closing" if value["done"] else "line"
        roles.setdefault(role, []).append(value)
    return roles


def plain(text: str) -> str:
    """An error's text without its figures."""
    return re.sub(r"\d+", "N", text)


def check_alike(mine: Heard, true: Heard) -> None:
    """Fails with what differs."""
    assert (mine.status, mine.kind) == (true.status, true.kind), true.text[:300]
    ours, theirs = by_role(mine.values), by_role(true.values)
    assert ours.keys() == theirs.keys()
    for role, values in ours.items():
        assert differences(values, theirs[role]) == [], role
    if true.status >= 400:
        assert plain(mine.text) == plain(true.text)


@pytest.mark.parametrize(
    ("mine", "found"),
    [
        ({"a": 1, "b": "x"}, []),
        ({"a": 1, "b": "x", "c": [{"d": 1.5}]}, []),
        ({"a": 1}, [".b is missing"]),
        ({"a": 1, "b": "x", "e": 1}, [".e is not Ollama's"]),
        ({"a": "1", "b": "x"}, [".a is text, not integer"]),
        ({"a": 1, "b": "x", "c": [{"d": "y"}]}, [".c[].d is text, not number"]),
    ],
)
def test_a_difference_is_found(mine: object, found: list[str]) -> None:
    true = [{"a": 1, "b": "x"}, {"a": 2, "b": "y", "c": [{"d": 0.5}]}]
    assert differences([mine], true) == found


@pytest.mark.ollama
@pytest.mark.parametrize("name", CALLS)
def test_the_double_answers_as_the_real_one(name: str, double: Ask, real: Ask) -> None:
    if name == "ps":
        for ask in (double, real):
            ask(chat())
    check_alike(double(CALLS[name]), real(CALLS[name]))


# --- what we rely on, of both ---------------------------------------------------


def test_a_stream_is_lines_and_a_last_one_with_its_counts(either: Ask) -> None:
    *lines, closing = either(chat(options={"num_predict": 6})).values
    assert lines and not any(line["done"] for line in lines)
    assert closing["done"] is True and closing["message"]["content"] == ""
    assert closing["prompt_eval_count"] > 5 and closing["eval_count"] > 0
    assert closing["total_duration"] > closing["prompt_eval_duration"] > 0


def test_a_reply_ends_at_its_limit(either: Ask) -> None:
    call = chat("Count from one to one hundred.", options={"num_predict": 2})
    closing = either(call).values[-1]
    assert (closing["done_reason"], closing["eval_count"]) == ("length", 2)


def test_a_token_comes_with_as_many_alternatives_as_asked(either: Ask) -> None:
    call = chat(logprobs=True, top_logprobs=5, options={"num_predict": 1})
    (item,) = either(call).values[0]["logprobs"]
    assert len(item["top_logprobs"]) == 5
    assert item["token"].encode() == bytes(item["bytes"])
    values = [one["logprob"] for one in item["top_logprobs"]]
    assert values == sorted(values, reverse=True) and values[0] <= 0


def test_a_prompt_read_before_comes_from_the_cache_and_counts(either: Ask) -> None:
    text = "The harbour holds deep water. " * 20
    first = either(chat(f"{text} Is it wet?")).values[-1]
    second = either(chat(f"{text} Is it deep?")).values[-1]
    assert second["prompt_eval_cached_count"] > 80
    assert abs(second["prompt_eval_count"] - first["prompt_eval_count"]) < 5


def test_a_refused_prompt_names_both_sizes(either: Ask) -> None:
    heard = either(chat(LONG))
    error = http_failure(heard.status, heard.text, MODEL)
    assert re.search(r"has \d{4} tokens; the context holds 2048", error.message)


def test_the_true_context_is_told(either: Ask) -> None:
    either(chat())
    loaded = {one["name"]: one for one in either(Call("/api/ps")).values[0]["models"]}
    assert loaded[MODEL]["context_length"] == 2048


def test_an_unknown_option_is_ignored(either: Ask) -> None:
    assert either(chat(options={"zzz": 1})).status == 200


def test_names_of_this_machine_are_answered_to(either: Ask) -> None:
    for host in ("localhost", "localhost:1", "127.0.0.1", "[::1]:1", "box.local"):
        assert either(Call("/api/version", host=host)).status == 200, host
    for host in ("elsewhere.example", "elsewhere.example:80"):
        heard = either(Call("/api/version", host=host))
        assert (heard.status, heard.text) == (403, ""), host


# --- last: these load the model anew ---------------------------------------------


@pytest.mark.ollama
@pytest.mark.parametrize("name", RELOADS)
def test_the_double_answers_as_the_real_one_after_a_reload(
    name: str, double: Ask, real: Ask
) -> None:
    check_alike(double(RELOADS[name]), real(RELOADS[name]))


def test_another_context_is_a_load_that_takes_time(either: Ask) -> None:
    either(chat())
    again = either(chat()).values[-1]["load_duration"]
    other = either(chat(options={"num_ctx": 1024})).values[-1]["load_duration"]
    assert other > 5 * again
    either(chat())  # as the other tests want it
