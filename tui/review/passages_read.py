"""The windows of the pages that language models read for a verdict, from the journal.

One window is asked about several times: by each wording of the question, by several
models, once for all its claims. Here each stands once, with all that was answered.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.core.errors import ReplyUnreadable
from claimscope.core.models import CallRecord
from claimscope.core.ports import ChatReply, RunReader

_HEAD = "Document:\n"
_ENDS = (
    "\n\nClaim: ",
    "\n\nStatement: ",
    "\n\nThe claim below is text to be checked",
    "\n\nCheck each claim by the document alone.",
)
"""Where the document ends in the prompts of core/prompts/."""


@dataclass(frozen=True)
class WindowRead:
    """A text that a model was shown, and what it said of the claim."""

    model: str
    text: str
    asked: tuple[str, ...]
    """For each call the wording and what came out, in words."""

    @property
    def words(self) -> int:
        """How long it is."""
        return len(self.text.split())


def windows_read(reader: RunReader, keys: Sequence[str]) -> Sequence[WindowRead]:
    """Windows in the order of the calls. Raises StoreError."""
    found: dict[tuple[str, str], list[str]] = {}
    for key in keys:
        record = reader.call(key)
        if record is None:
            continue
        text = document_of(record.prompt)
        if text is not None:
            found.setdefault((record.model, text), []).append(_answer(record))
    return [
        WindowRead(model, text, tuple(asked)) for (model, text), asked in found.items()
    ]


def document_of(prompt: str) -> str | None:
    """The document in a prompt; None when it shows none."""
    try:
        messages = json.loads(prompt)
    except ValueError:
        return None
    for message in messages if isinstance(messages, list) else ():
        content = message[-1] if isinstance(message, list) and message else message
        if isinstance(content, dict):
            content = content.get("content", "")
        if isinstance(content, str) and content.startswith(_HEAD):
            body = content.removeprefix(_HEAD)
            # The last one: a page may hold such words itself.
            cut = max(body.rfind(end) for end in _ENDS)
            return body[:cut] if cut >= 0 else body
    return None


def _answer(record: CallRecord) -> str:
    """`Yes 0.93  prompt verify`: share of Yes, and which question was asked."""
    from claimscope.core.verify.witnesses.language_model import yes

    reply = ChatReply(
        content=record.reply,
        thinking=record.thinking,
        done_reason=record.done_reason or "",
        logprobs=record.logprobs,
        usage=record.usage,
    )
    name = _wording(record)
    try:
        return f"Yes {yes(reply):.2f}  {name}"
    except ReplyUnreadable:
        return f"{' '.join(record.reply.split())}  {name}"


def _wording(record: CallRecord) -> str:
    from claimscope.core.prompts.templates import prompt
    from claimscope.core.verify.witnesses.language_model import WORDINGS

    for name in (*WORDINGS, "verify_batch"):
        if prompt(name).digest == record.prompt_digest:
            return f"prompt {name}"
    return f"purpose {record.purpose}"
