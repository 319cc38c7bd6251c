"""The exact prompt and the raw reply of the model calls behind a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import CallRecord
from claimscope.core.ports import RunReader
from claimscope.tui.screens.base.view import ScreenContext, TextScreen
from claimscope.tui.widgets.flow import Paragraph, Piece, para, safe_piece


class CallsScreen(TextScreen):
    """Shows calls by their keys, as the run's journal has them."""

    NAME = "Model calls"
    PURPOSE = "Read the exact prompt and the raw reply behind a verdict or grade."
    TEXT = "calls-text"
    AUTO_FOCUS = "#calls-text"

    def __init__(
        self, context: ScreenContext, reader: RunReader, keys: Sequence[str]
    ) -> None:
        super().__init__(context)
        self._run = reader
        self._keys = keys

    def on_mount(self) -> None:
        paragraphs: list[Paragraph] = []
        for number, call_key in enumerate(self._keys, 1):
            if paragraphs:
                paragraphs.append(para())
            head = f"Call {number} of {len(self._keys)}  "
            try:
                record = self._run.call(call_key)
            except ClaimscopeError as error:
                paragraphs.append(para(safe_piece(str(error))))
                continue
            if record is None:
                text = f"{head}{call_key}: not in the run's journal."
                paragraphs.append(para(safe_piece(text, "dim")))
            else:
                paragraphs += _call(head, record)
        self.reader.show(paragraphs)


def _call(head: str, record: CallRecord) -> Iterator[Paragraph]:
    yield para(Piece(head, "heading"), safe_piece(f"{record.purpose}, {record.model}"))
    usage = record.usage
    facts = {
        "model digest": record.model_digest,
        "prompt digest": record.prompt_digest,
        "options": ", ".join(f"{k} {v}" for k, v in record.options.items()),
        "ended by": record.done_reason,
        "tokens": f"{usage.prompt_tokens} in, {usage.completion_tokens} out",
        "seconds": f"{usage.model_seconds:.1f} of model time",
        "key": record.key,
    }
    for name, value in facts.items():
        if value:
            yield para(safe_piece(f"{name}: {value}", "dim"), hanging=2)
    for role, content in _messages(record.prompt):
        yield para()
        yield para(safe_piece(role, "heading"))
        yield para(safe_piece(content))
    if record.thinking:
        yield para()
        yield para(Piece("thinking", "heading"))
        yield para(safe_piece(record.thinking, "dim"))
    yield para()
    yield para(Piece("raw reply", "heading"))
    yield para(safe_piece(record.reply) if record.reply else Piece("(empty)", "dim"))


def _messages(prompt: str) -> Iterator[tuple[str, str]]:
    """(role, content) of rendered messages; the text itself when it is not JSON."""
    import orjson

    try:
        messages = orjson.loads(prompt)
    except orjson.JSONDecodeError:
        messages = None
    if not isinstance(messages, list):
        yield "prompt", prompt
        return
    for message in messages:
        if isinstance(message, dict):
            yield str(message.get("role", "?")), str(message.get("content", ""))
        elif isinstance(message, list) and len(message) == 2:
            yield str(message[0]), str(message[1])
        else:
            yield "prompt", str(message)
