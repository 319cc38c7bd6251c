"""The session of docs/editors.md: what an editor and `claimscope serve lsp` say.

    python -m benchmarks.tools.editor_session                          # prints it
    python -m benchmarks.tools.editor_session --write docs/editors.md

A real client (that of pygls) starts a real server on the two files of the page, opens
the answer, asks for what is wrong, why, and what to do about it, and does that. A tap
between the two writes down every message as it crosses the pipe. A test holds the page
to it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 120
"""For an answer of the server."""
WIDTH = 86
"""Characters of a line of the transcript, where that can be."""
SHOWN_AS = "file:///trip"
"""In place of the folder in which the session was held."""
BLOCK = re.compile(r"(?<=^```text\n)→ initialize.*?(?=^```$)", re.M | re.S)
FILE = re.compile(r"^```\w+ ([\w./-]+)\n(.*?)^```$", re.M | re.S)
ANSWER = "answers/ferry.md"
"""The file of the page that is opened."""


# --- the tap ----------------------------------------------------------------------


def tap(log: Path, server: Sequence[str]) -> int:
    """Starts a server and passes on what it and its client say, with a line of JSON for
    each message: who said it, and what."""
    process = subprocess.Popen(server, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None
    guard = threading.Lock()
    with log.open("w", encoding="utf-8") as file:

        def note(who: str, body: bytes) -> None:
            with guard:
                print(json.dumps([who, json.loads(body)]), file=file, flush=True)

        said = threading.Thread(
            target=passed_on, args=("→", sys.stdin.buffer, process.stdin, note)
        )
        said.daemon = True
        said.start()
        passed_on("←", process.stdout, sys.stdout.buffer, note)
    return process.wait()


def passed_on(who: str, source: IO[bytes], target: IO[bytes], note: Any) -> None:
    """Messages with their heads, until the source ends."""
    while True:
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = source.readline()
            if not line:
                target.close()
                return
            head += line
        found = re.search(rb"Content-Length: (\d+)", head)
        assert found is not None, head
        body = source.read(int(found[1]))
        note(who, body)
        target.write(head + body)
        target.flush()


# --- the session ------------------------------------------------------------------


async def held(folder: Path, command: Sequence[str]) -> None:
    """Opens the answer, looks at the first finding, takes its fix and saves."""
    from lsprotocol import types
    from pygls.lsp.client import LanguageClient

    published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
    client = LanguageClient("an editor", "1")

    def publish(params: types.PublishDiagnosticsParams) -> None:
        published.put_nowait(params)

    client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(publish)
    await client.start_io(*command)
    folders = [types.WorkspaceFolder(folder.as_uri(), folder.name)]
    await client.initialize_async(
        types.InitializeParams(
            types.ClientCapabilities(), process_id=None, workspace_folders=folders
        )
    )
    client.initialized(types.InitializedParams())
    path = folder / ANSWER
    uri = path.as_uri()
    item = types.TextDocumentItem(uri, "markdown", 1, path.read_text("utf-8"))
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    found = await asyncio.wait_for(published.get(), SECONDS)
    first = found.diagnostics[0]
    document = types.TextDocumentIdentifier(uri)
    await client.text_document_hover_async(
        types.HoverParams(document, first.range.start)
    )
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(document, first.range, types.CodeActionContext([first]))
    )
    action = cast(types.CodeAction, (actions or [])[0])
    assert action.edit is not None and action.edit.changes is not None
    (edit,) = action.edit.changes[uri]
    change = types.TextDocumentContentChangePartial(edit.range, edit.new_text)
    versioned = types.VersionedTextDocumentIdentifier(2, uri)
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(versioned, [change])
    )
    client.text_document_did_save(types.DidSaveTextDocumentParams(document))
    await asyncio.wait_for(published.get(), SECONDS)
    await client.shutdown_async(None)
    client.exit(None)
    await cast(Any, client).stop()


@dataclass(frozen=True)
class Message:
    who: str
    """`→` the editor, `←` the server."""
    body: Mapping[str, Any]


def session(page: str, server: Sequence[str], place: Path) -> list[Message]:
    """What is said of the files of the page; `place`: an empty folder."""
    folder, log = place / "trip", place / "log"
    for name, text in FILE.findall(page):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    command = [sys.executable, __file__, "--tap", str(log), *server]
    asyncio.run(held(folder, command))
    lines = log.read_text("utf-8").replace(folder.as_uri(), SHOWN_AS).splitlines()
    return [Message(*json.loads(line)) for line in lines]


# --- the transcript ---------------------------------------------------------------


def transcript(messages: Sequence[Message]) -> str:
    """Each message as its direction, its method and what it carries. Replies name what
    they reply to; ids, which are made up anew each time, are left out."""
    bodies = [one.body for one in messages]
    asked = {b["id"]: b["method"] for b in bodies if {"id", "method"} <= b.keys()}
    parts = []
    for one in messages:
        body = one.body
        if "method" in body:
            head, carried = body["method"], body.get("params")
        else:
            head = f"reply to {asked[body['id']]}"
            carried = body.get("result", body.get("error"))
        parts.append(f"{one.who} {head}\n{laid_out(carried, 2)}\n")
    return "\n".join(parts)


def laid_out(value: Any, indent: int = 0) -> str:
    """JSON with what fits into a line on one."""
    short = json.dumps(value, ensure_ascii=False)
    pad = " " * indent
    if len(short) + indent <= WIDTH or not isinstance(value, dict | list):
        return pad + short
    inner = []
    if isinstance(value, dict):
        for name, one in value.items():
            part = laid_out(one, indent + 2).lstrip()
            inner.append(f"{pad}  {json.dumps(name)}: {part}")
        return pad + "{\n" + ",\n".join(inner) + f"\n{pad}}}"
    inner = [laid_out(one, indent + 2) for one in value]
    return pad + "[\n" + ",\n".join(inner) + f"\n{pad}]"


def main() -> int:
    if sys.argv[1:2] == ["--tap"]:
        return tap(Path(sys.argv[2]), sys.argv[3:])
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", type=Path, help="the page to write it into")
    options = parser.parse_args()
    page = options.write or ROOT / "docs" / "editors.md"
    text = page.read_text("utf-8")
    with tempfile.TemporaryDirectory() as name:
        os.environ["PYTHONPATH"] = str(ROOT / ".src")
        os.environ["CLAIMSCOPE_DAEMON"] = "off"
        os.environ["CLAIMSCOPE_WORKSPACE"] = str(Path(name) / "workspace")
        server = [sys.executable, "-m", "claimscope", "serve", "lsp"]
        found = transcript(session(text, server, Path(name)))
    if options.write is None:
        print(found, end="")
        return 0
    page.write_text(BLOCK.sub(lambda _: found, text), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
