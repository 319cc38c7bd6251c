"""Replies that no Ollama sends: each is an error of that row, said with its reason, and
the next row is judged as if nothing had been."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from claimscope.core.backends.hosted.failures import error_text
from claimscope.core.backends.hosted.timeouts import CallLimits
from claimscope.core.backends.ollama.embedding import OllamaEmbedder
from claimscope.core.errors import EmbeddingError, ModelError
from claimscope.core.http import reply_limits
from claimscope.core.ports import ChatRequest
from tests.doubles.fake_ollama import FakeOllama, Reply, embedder, last, line, said
from tests.doubles.ollama.faults import MODEL
from tests.material.fault_ways import Setting, a_grade, a_run, judge
from tests.material.ollama_pool import OllamaServer

DEEP = "[" * 100_000
HALF = "\ud83d"
QUICK = CallLimits(first_token=60, between_tokens=60, retries=0, backoff=0)
REQUEST = ChatRequest(
    "verify", (("user", "How deep is it?"),), "p1", max_tokens=1, top_logprobs=5
)


def chunk(**more: Any) -> Reply:
    """A reply of one closing line with these fields in place of its own."""
    value = {**json.loads(last()), **more}
    return Reply(lines=(json.dumps(value).encode() + b"\n",))


def raw(text: str) -> Reply:
    """A line as it stands, then a true end."""
    return Reply(lines=(text.encode("utf-8", "surrogatepass") + b"\n", last()))


def token(**more: Any) -> Reply:
    """A one-token reply whose first log-probability is this."""
    return chunk(
        message={"role": "assistant", "content": "Yes"},
        logprobs=[{"token": "Yes", "logprob": -0.1, **more}],
    )


LINES: dict[str, Reply] = {
    "deep nesting": raw('{"message": ' + DEEP),
    "deep error": raw('{"error": ' + DEEP),
    "half a character": chunk(message={"role": "assistant", "content": f"Yes{HALF}"}),
    "half a thought": chunk(
        message={"role": "assistant", "content": "Yes", "thinking": HALF}
    ),
    "message a string": chunk(message="Yes"),
    "message a list": chunk(message=["Yes"]),
    "content a list": chunk(message={"role": "assistant", "content": ["Yes"]}),
    "content a number": chunk(message={"role": "assistant", "content": 4}),
    "thinking an object": chunk(message={"content": "Yes", "thinking": {"a": 1}}),
    "done_reason a list": chunk(
        message={"role": "assistant", "content": "Yes"}, done_reason=["stop"]
    ),
    "logprobs an object": chunk(logprobs={"token": "Yes", "logprob": -0.1}),
    "logprobs a list of texts": chunk(logprobs=["Yes"]),
    "no log-probability": chunk(logprobs=[{"token": "Yes"}]),
    "token a list": token(token=["Yes"]),
    "half a token": token(token=HALF),
    "top_logprobs a number": token(top_logprobs=4),
    "log-probability above 0": token(logprob=0.5),
    "log-probability a text": token(logprob="-0.1"),
    "log-probability NaN": token(logprob=float("nan")),
    "log-probability above 0 in the list": token(
        top_logprobs=[{"token": "Yes", "logprob": 3.0}]
    ),
    "not JSON": raw("Yes"),
    "a number": raw("4"),
    "a text with half a character": raw(f'"{HALF}"'),
}
"""Lines of a stream."""
COUNTS: dict[str, Any] = {
    "1e999": "1e999",
    "below 0": "-4",
    "a text": '"seven"',
    "a list": "[]",
    "NaN": "NaN",
    "true": "true",
    "too large": "9" * 400,
}
CONTENTS = {
    "deep nesting": '{"explanation": ' + DEEP,
    "half a character": '{"explanation": "It names \\ud83d it", "grade": 4}',
    "1e999": '{"explanation": "It names it", "grade": 1e999}',
    "minus infinity": '{"explanation": "It names it", "grade": -Infinity}',
    "long number": '{"explanation": "It names it", "grade": ' + "4" * 5000 + "}",
    "NaN": '{"explanation": "It names it", "grade": NaN}',
    "a list": '{"explanation": ["It"], "grade": [4]}',
}
"""What a model says where JSON with a grade was asked for."""


@pytest.fixture
def fake() -> Iterator[FakeOllama]:
    with FakeOllama(answer=judge) as started:
        yield started


def counted(text: str) -> Reply:
    """A good reply with one count that is none."""
    end = last().replace(b'"eval_count": 7', f'"eval_count": {text}'.encode())
    assert end != last()
    return Reply(lines=(line("Yes"), end))


REPLIES = LINES | {f"count {name}": counted(text) for name, text in COUNTS.items()}


@pytest.mark.parametrize("name", REPLIES)
async def test_a_reply_that_is_none_is_an_error_of_its_call(
    fake: FakeOllama, name: str
) -> None:
    async with OllamaServer(fake.host, limits=QUICK) as server:
        chat = await server.chat_model(MODEL)
        fake.script = [REPLIES[name]]
        with pytest.raises(ModelError) as error:
            await chat.chat(REQUEST)
        assert error.value.hint and "\ud83d" not in str(error.value)
        assert (await chat.chat(REQUEST)).content


@pytest.mark.parametrize("name", REPLIES)
async def test_a_run_goes_on_after_it(fake: FakeOllama, name: str) -> None:
    fake.script = [REPLIES[name]]
    ending = await a_run(Setting(fake, QUICK))
    assert ending.text.startswith("run finished: 1 passed, 1 unscored: "), ending
    assert "nternal error" not in ending.text


@pytest.mark.parametrize("name", CONTENTS)
async def test_what_a_model_says_is_a_grade_or_unscored(
    fake: FakeOllama, name: str
) -> None:
    fake.answer = lambda body: said(CONTENTS[name])
    ending = await a_grade(Setting(fake, QUICK))
    assert ending.text.startswith("unscored: "), ending
    assert "nternal" not in ending.text


DEEP_ERROR = b'{"error": ' + DEEP.encode()


@pytest.mark.parametrize("reply", [b'{"error": "\\ud83d"}', DEEP_ERROR])
async def test_an_error_that_is_none_is_one(fake: FakeOllama, reply: bytes) -> None:
    fake.answer = lambda body: Reply(400, (reply,), "application/json")
    ending = await a_run(Setting(fake, QUICK))
    assert ending.text.startswith("run finished: 0 passed, 2 unscored: "), ending
    assert "nternal error" not in ending.text
    ending.text.encode()


async def test_a_deep_field_that_nobody_asked_for_is_ignored(fake: FakeOllama) -> None:
    deep = "[" * 500 + "]" * 500
    reply = f'{{"explanation": "It names it", "grade": 4, "more": {deep}}}'
    fake.answer = lambda body: said(reply)
    assert (await a_grade(Setting(fake, QUICK))).text == "answered: grade 4"


def test_a_text_of_an_error_is_one_line_of_text() -> None:
    error_text(json.dumps({"error": "a \ud800 b"})).encode()
    assert error_text('{"error": ' + DEEP).encode()


FAR_MORE = 70_000


async def test_a_reply_without_an_end_is_given_up(
    fake: FakeOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reply_limits, "LARGEST_REPLY", 65_536)
    async with OllamaServer(fake.host, limits=QUICK) as server:
        chat = await server.chat_model(MODEL)
        for endless in (
            Reply(lines=(b"x" * FAR_MORE,)),  # one line
            Reply(lines=tuple(line("word ") for _ in range(1000))),
            Reply(500, (b"x" * FAR_MORE,), "text/html"),
        ):
            fake.script = [endless]
            with pytest.raises(ModelError, match="sent more than"):
                await chat.chat(REQUEST)
        assert (await chat.chat(REQUEST)).content
        fake.tags_script = [Reply(200, (b" " * FAR_MORE,), "application/json")]
        with pytest.raises(ModelError, match="sent more than"):
            await server.models()


async def test_a_long_pull_is_no_long_reply(
    fake: FakeOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reply_limits, "LARGEST_REPLY", 1000)
    step = b'{"status": "pulling 0123"}\n'
    success = b'{"status": "success"}\n'
    fake.pull_script = [
        Reply(lines=(*(step for _ in range(200)), success)),
        Reply(lines=(b'{"status": "' + b"x" * 2000,)),
    ]
    async with OllamaServer(fake.host, limits=QUICK) as server:
        assert len([step async for step in server.pull("n:1b")]) == 201
        with pytest.raises(ModelError, match="sent more than"):
            [step async for step in server.pull("n:1b")]


@pytest.mark.parametrize(
    "tags",
    [
        '{"models": ' + DEEP,
        '{"models": [{"name": "m:1b", "size": 1e999}]}',
        '{"models": [{"name": "m:1b", "details": "none"}]}',
        '{"models": [{"name": "m:1b", "details": {"context_length": 1e999}}]}',
    ],
)
async def test_a_list_that_is_none_is_not_ollamas(fake: FakeOllama, tags: str) -> None:
    fake.tags_script = [Reply(200, (tags.encode(),), "application/json")]
    async with OllamaServer(fake.host, limits=QUICK) as server:
        with pytest.raises(ModelError, match="is not Ollama"):
            await server.models()


async def test_names_of_models_are_text(fake: FakeOllama) -> None:
    tags = '{"models": [{"name": "m\\ud800:1b", "digest": "\\ud800"}]}'
    fake.tags_script = [Reply(200, (tags.encode(),), "application/json")]
    async with OllamaServer(fake.host, limits=QUICK) as server:
        (one,) = await server.models()
    f"{one.name} {one.digest}".encode()


@pytest.mark.parametrize(
    "reply",
    [
        '{"embeddings": ' + DEEP,
        '{"embeddings": [[1e999, 1]]}',
        '{"embeddings": "none"}',
        '{"embeddings": [["a"]]}',
        '{"embeddings": [[NaN]]}',
        '{"embeddings": [[]]}',
    ],
)
def test_vectors_that_are_none_are_an_error_of_the_texts(
    fake: FakeOllama, reply: str
) -> None:
    fake.models["e:1b"] = embedder()
    fake.embed_script = [Reply(200, (reply.encode(),), "application/json")]
    model = OllamaEmbedder("e:1b", fake.host, limits=QUICK)
    with pytest.raises(EmbeddingError):
        model.embed(["The basin is eleven metres deep."])
    assert model.embed(["The basin is eleven metres deep."]).shape == (1, 16)
