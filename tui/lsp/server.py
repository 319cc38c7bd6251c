"""Answers in an editor: diagnostics, evidence on hover, the page's value put in.

Judging takes a while, so a file is judged when it is opened and when it is saved, one
after the other, in a thread: by the resident engine, which all editors share, else in
this process. What was found holds for the text that was judged: an action is offered
only while the file still says the same.
"""

from __future__ import annotations

import argparse
import asyncio
import copy
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from claimscope.core.errors import ClaimscopeError
from claimscope.core.models import SampleResult
from claimscope.core.report.check_findings import (
    AnswerText,
    Finding,
    findings,
    line_starts,
    place,
)
from claimscope.core.report.text import one_line
from claimscope.stores.workspace.project import project_above
from claimscope.tui.process.version import version
from claimscope.tui.resident.sample import ResidentJudge

log = logging.getLogger(__name__)
SOURCE = "claimscope"
CheckWords = Callable[[argparse.Namespace, Sequence[Path]], list[str]]
"""The words of a check that judges by these arguments against these folders."""
_LEVELS = {
    "contradicted": types.DiagnosticSeverity.Error,
    "planted grade": types.DiagnosticSeverity.Error,
    "not enough info": types.DiagnosticSeverity.Warning,
    "broken citation": types.DiagnosticSeverity.Warning,
    "misattributed citation": types.DiagnosticSeverity.Warning,
    "unscored": types.DiagnosticSeverity.Information,
}


@dataclass(frozen=True)
class JudgedDocument:
    """What was found in a text."""

    text: str
    sample: SampleResult


@dataclass(frozen=True)
class Correction:
    """`text[start:end]` put right by what a page says."""

    start: int
    end: int
    by: str
    title: str
    places: tuple[tuple[int, int], ...]
    """(start, end) of the claims that it mends."""


class Checker:
    """Judges files, one after the other, and keeps what was found of each."""

    def __init__(self, arguments: argparse.Namespace, check_words: CheckWords) -> None:
        self._arguments, self._check_words = arguments, check_words
        self._notes: list[str] = []
        self._resident = ResidentJudge(arguments, self._notes.append)
        self._turn = asyncio.Lock()
        self._judged: dict[str, JudgedDocument] = {}

    async def judge(self, uri: str, text: str) -> JudgedDocument | None:
        """What is found in a file; None when nobody says which pages are true. Raises
        ClaimscopeError."""
        path = Path(to_fs_path(uri) or uri)
        async with self._turn:
            sample = await asyncio.to_thread(self._sample, path, text)
        if sample is None:
            self._judged.pop(uri, None)
            return None
        self._judged[uri] = JudgedDocument(text, sample)
        return self._judged[uri]

    def _sample(self, path: Path, text: str) -> SampleResult | None:
        arguments = copy.copy(self._arguments)
        arguments.project = project = project_above(path.parent)
        folders = [Path(folder) for folder in arguments.against]
        if project is not None and project.against:
            folders = list(project.against)
            arguments.include = arguments.include or list(project.include)
            arguments.exclude = arguments.exclude or list(project.exclude)
            arguments.text_field = arguments.text_field or project.text_field
        if not folders or not text.strip():
            return None
        words = self._check_words(arguments, folders)
        sample = self._resident.sample(path.name, text, _existing(path), words)
        if sample is None:
            sample = _judged_here(path.name, text, folders, arguments)
        return sample

    def found(self, document: TextDocument) -> JudgedDocument | None:
        """What was found, while the file still says what was judged."""
        judged = self._judged.get(document.uri)
        return judged if judged and judged.text == document.source else None

    def new_notes(self) -> list[str]:
        """Why the resident engine was not used, each reason once."""
        notes = self._notes.copy()
        self._notes.clear()
        return notes

    def forget(self, uri: str) -> None:
        self._judged.pop(uri, None)


def _existing(path: Path) -> Path:
    """The folder of a file, or the next one above that is there."""
    return next(folder for folder in path.absolute().parents if folder.is_dir())


def _judged_here(
    name: str, text: str, folders: Sequence[Path], arguments: argparse.Namespace
) -> SampleResult:
    """The result of an answer, judged in this process, which then loads what judges.
    Raises ClaimscopeError."""
    from claimscope.tui.services.check.answers import check_answers

    return check_answers([AnswerText(name, text)], folders, arguments).samples[0]


def make_server(
    arguments: argparse.Namespace, check_words: CheckWords
) -> LanguageServer:
    """The server, not started yet."""
    server = LanguageServer(SOURCE, version(), types.TextDocumentSyncKind.Incremental)
    checker = Checker(arguments, check_words)

    async def judge(uri: str) -> None:
        document = server.workspace.get_text_document(uri)
        text, number = document.source, document.version
        try:
            judged = await checker.judge(uri, text)
        except ClaimscopeError as error:
            _say(server, f"{Path(uri).name}: {error}")
            return
        finally:
            for note in checker.new_notes():
                log.info("%s", note)
                server.window_log_message(
                    types.LogMessageParams(types.MessageType.Warning, one_line(note))
                )
        diagnostics = list(_diagnostics(document, judged)) if judged else []
        server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, diagnostics, number)
        )

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        await judge(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        await judge(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        checker.forget(uri)
        server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, [])
        )

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hovered(params: types.HoverParams) -> types.Hover | None:
        document = server.workspace.get_text_document(params.text_document.uri)
        judged = checker.found(document)
        offset = document.offset_at_position(params.position)
        return _hover(document, judged, offset) if judged else None

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )
    def asked_for_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        document = server.workspace.get_text_document(params.text_document.uri)
        judged = checker.found(document)
        return list(_actions(document, judged, params.range)) if judged else []

    return server


def _say(server: LanguageServer, text: str) -> None:
    server.window_show_message(
        types.ShowMessageParams(types.MessageType.Warning, one_line(text))
    )


def _range(document: TextDocument, text: str, start: int, end: int) -> types.Range:
    """Offsets in code points as a range in the units of the editor. Where nothing
    stands yet, the range is empty."""
    starts = line_starts(text)
    lines = text.splitlines(keepends=True)

    def position(offset: int) -> types.Position:
        line, column = place(starts, offset)
        plain = types.Position(line - 1, column - 1)
        return document.position_codec.position_to_client_units(lines, plain)

    return types.Range(position(start), position(max(end, start)))


def _diagnostics(
    document: TextDocument, judged: JudgedDocument
) -> Iterator[types.Diagnostic]:
    for finding in findings(judged.sample):
        level = _LEVELS.get(finding.state)
        if level is not None:
            yield types.Diagnostic(
                _range(document, judged.text, finding.start, finding.end),
                _message(finding),
                level,
                finding.state.replace(" ", "-"),
                source=SOURCE,
            )


def _message(finding: Finding) -> str:
    return one_line(f"{finding.state}: {finding.text} {finding.note}".strip())


def _hover(
    document: TextDocument, judged: JudgedDocument, offset: int
) -> types.Hover | None:
    """The verdict on the claim at an offset, and the sentences it rests on."""
    at = [r for r in judged.sample.claims if r.claim.start <= offset < r.claim.end]
    if not at:
        return None
    parts = []
    for result in at:
        verdict = result.verdict
        why = verdict.unscored_reason or verdict.reason
        lines = [f"{verdict.word}: {one_line(result.claim.text)}"]
        lines += [one_line(why)] if why else []
        lines += [f"{e.sentence_id}: {one_line(e.text)}" for e in verdict.evidence[:3]]
        parts.append("\n".join(lines))
    # As plain text: what pages and answers say is no markup of ours.
    content = types.MarkupContent(types.MarkupKind.PlainText, "\n\n".join(parts))
    ends = _range(document, judged.text, at[0].claim.start, at[0].claim.end)
    return types.Hover(content, ends)


def corrections(judged: JudgedDocument) -> Iterator[Correction]:
    """Values of contradicted claims for which the page has another, where the claim
    says the value once; then citations that would be good."""
    for result in judged.sample.claims:
        start, end = result.claim.start, result.claim.end
        said = judged.text[start:end]
        for rule in result.verdict.rules:
            value, by = rule.claim_text, rule.evidence_text
            if rule.outcome != "conflict" or not by or said.count(value) != 1:
                continue
            if result.verdict.word != "contradicted" or "\n" in by:
                continue
            first = start + said.index(value)
            title = f"Say {by!r}, as the page does, not {value!r}"
            yield Correction(
                first, first + len(value), by, one_line(title), ((start, end),)
            )
    for one in judged.sample.proposals:
        if not one.entry:  # else the list of references would lack a line
            claims = (judged.sample.claims[index].claim for index in one.claim_indexes)
            places = ((one.start, one.end), *((c.start, c.end) for c in claims))
            title = f"Cite {one.by.strip()} ({one.word}: {', '.join(one.sources)})"
            yield Correction(one.start, one.end, one.by, one_line(title), places)


def _actions(
    document: TextDocument, judged: JudgedDocument, asked: types.Range
) -> Iterator[types.CodeAction]:
    first = document.offset_at_position(asked.start)
    last = document.offset_at_position(asked.end)
    for one in corrections(judged):
        if not any(start <= last and first <= end for start, end in one.places):
            continue
        edit = types.TextEdit(_range(document, judged.text, one.start, one.end), one.by)
        yield types.CodeAction(
            one.title,
            types.CodeActionKind.QuickFix,
            edit=types.WorkspaceEdit({document.uri: [edit]}),
        )
