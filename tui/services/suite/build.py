"""Suites that are made: of pages, with a local model whose calls are kept, or as a
sample of logged questions with the answers that were logged."""

from __future__ import annotations

import asyncio
import os
from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from claimscope.core.calls.journalled import CallMeter, JournalledChat
from claimscope.core.errors import ClaimscopeError, InputError
from claimscope.core.models import Answer, JsonValue, Suite, Usage, digest
from claimscope.core.ports import ChatModel, Corpus, Embedder
from claimscope.core.report.text import one_line
from claimscope.core.services.suite_building.builder import (
    BuildRequest,
    DraftedCases,
    Tools,
    build,
)
from claimscope.core.services.suite_building.candidates import case_of
from claimscope.core.services.suite_building.material import KINDS
from claimscope.core.services.suite_building.sampling import DrawnSample, sample
from claimscope.core.settings import Settings
from claimscope.core.text.plurals import counted_noun, verb_of
from claimscope.stores.runs.call_journal import CallJournal
from claimscope.stores.suites.importing import ImportResult, import_file
from claimscope.stores.workspace.paths import Workspace, make_private, safe_name
from claimscope.tui.bootstrap.judges import (
    cached_embedder,
    chat_models,
    model_verifier,
    no_leanings,
    plain_verifier,
)
from claimscope.tui.bootstrap.servers import say_note
from claimscope.tui.process.output import progress_bar, say
from claimscope.tui.services.pages.index import index_folder


@dataclass(frozen=True)
class PagesWish:
    """What is to be built, of which pages, and where it goes."""

    pages: Path
    out: Path
    recipe: BuildRequest


@dataclass(frozen=True)
class BuiltSuite:
    """The suite, how it came about, and what it cost now."""

    suite: Suite
    built: DraftedCases
    usage: Usage


@dataclass(frozen=True)
class SuiteToWrite:
    suite: Suite
    answers: tuple[Answer, ...]
    words: tuple[str, ...]
    """For people, a line each."""
    figures: dict[str, object]
    """For programs."""


def from_pages(
    workspace: Workspace, settings: Settings, arguments: Namespace
) -> SuiteToWrite:
    """The suite of `--from-pages`. Raises InputError, ModelError, StoreError."""
    pages: Path = arguments.from_pages
    if not pages.is_dir():
        raise InputError(f"--from-pages {pages}: no such folder", "name the folder")
    recipe = BuildRequest(arguments.cases, settings.seed)
    try:
        found = asyncio.run(
            build_from_pages(
                workspace, settings, PagesWish(pages, arguments.out, recipe)
            )
        )
    except (KeyboardInterrupt, ClaimscopeError):
        say("what the model wrote so far is kept: the same command goes on from there")
        raise
    return SuiteToWrite(found.suite, (), tuple(_words(found)), _figures(found))


def _words(found: BuiltSuite) -> Iterator[str]:
    built, usage = found.built, found.usage
    yield (
        f"{counted_noun(len(built.candidates), 'case')} of {built.drafts} drafts "
        f"{verb_of(len(built.candidates), 'waits', 'wait')} for a person to "
        f"accept or drop them; {counted_noun(usage.calls, 'call')}, "
        f"{usage.completion_tokens} tokens "
        "written"
    )
    for reason, count in _by_count(built.dropped):
        yield f"  dropped  {reason} ({count})"
    for line in shortfall(built):
        yield f"  fewer than asked for  {line}"


def _figures(found: BuiltSuite) -> dict[str, object]:
    built = found.built
    return {
        "drafts": built.drafts,
        "dropped": dict(_by_count(built.dropped)),
        "kinds": {
            KINDS[kind]: {"wanted": number, "offered": built.offered(kind)}
            for kind, number in built.wanted.items()
        },
        "usage": found.usage.model_dump(),
    }


def _by_count(dropped: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(dropped.items(), key=lambda pair: (-pair[1], pair[0]))


async def build_from_pages(
    workspace: Workspace, settings: Settings, wish: PagesWish
) -> BuiltSuite:
    """A suite of candidates. A call that was made before, for the same pages, model
    and seed, is not made again. Raises InputError, ModelError, StoreError."""
    judging = settings.model_copy(update={"judge": True, "judges": ()})
    async with AsyncExitStack() as stack:
        embedder = stack.enter_context(cached_embedder(workspace, settings))
        chats = await stack.enter_async_context(chat_models(judging))
        assert chats is not None  # a model is needed, or it raises
        corpus = stack.enter_context(_corpus(workspace, wish.pages, embedder))
        calls = stack.enter_context(closing(_calls(workspace, corpus)))
        meter = CallMeter()
        meter.begin()
        chat = JournalledChat(chats.for_iteration(1), calls, meter)
        verifier = plain_verifier(settings, embedder)
        if settings.asks_model:
            verifier = model_verifier(
                [chat], verifier, settings, no_leanings(), say_note
            )
        bar = stack.enter_context(progress_bar())
        tools = Tools(corpus, chat, verifier, embedder, bar, _say if not bar else None)
        built = await build(wish.recipe, tools)
        if not built.candidates:
            raise _nothing(built, wish.pages)
        return BuiltSuite(_suite(wish, built, chat), built, meter.take())


@contextmanager
def _corpus(workspace: Workspace, pages: Path, embedder: Embedder) -> Iterator[Corpus]:
    name = f"{pages.absolute().name or 'pages'}-{digest(str(pages.absolute()))[:8]}"
    with index_folder(workspace.index, name, pages, embedder) as indexed:
        yield indexed.corpus


def _calls(workspace: Workspace, corpus: Corpus) -> CallJournal:
    """Calls of all builds from these pages."""
    folder = make_private(workspace.root / "builds")
    return CallJournal(folder / f"{safe_name(corpus.name)}.journal", "This build")


def _suite(wish: PagesWish, built: DraftedCases, chat: ChatModel) -> Suite:
    made_by: Mapping[str, JsonValue] = {
        "model": chat.name,
        "model_digest": chat.digest,
        "seed": wish.recipe.seed,
    }
    cases = {
        case.id: case
        for case in (case_of(one, dict(made_by)) for one in built.candidates)
    }
    return Suite(
        id=wish.out.stem,
        title=f"Built from {wish.pages.absolute().name} by {chat.name}",
        description=f"{built.drafts} drafts, {sum(built.dropped.values())} dropped, "
        f"{len(cases)} offered (seed {wish.recipe.seed}). A run leaves out cases that "
        "nobody has accepted.",
        pages=os.path.relpath(wish.pages.absolute(), wish.out.absolute().parent),
        cases=tuple(cases.values()),
    )


def _nothing(built: DraftedCases, pages: Path) -> InputError:
    reasons = _by_count(built.dropped)[:4]
    said = "; ".join(f"{reason} ({count})" for reason, count in reasons)
    return InputError(
        f"{pages}: no case could be made of these pages: {built.drafts} drafts"
        + (f": {said}" if said else ", for no sentence there can carry a question"),
        "try a larger model, or pages with whole sentences",
    )


def shortfall(built: DraftedCases) -> list[str]:
    """Kinds of which there are fewer than wanted, in words."""
    return [
        f"{KINDS[kind]}: {built.offered(kind)} of {number}"
        for kind, number in built.wanted.items()
        if built.offered(kind) < number
    ]


def _say(words: str) -> None:
    say(one_line(words))


# --- of logs --------------------------------------------------------------------------


def from_logs(
    workspace: Workspace, settings: Settings, arguments: Namespace
) -> SuiteToWrite:
    """The suite of `--from-logs`: people asked these questions, so nobody needs to
    accept them. Raises SuiteError, EmbeddingError."""
    file: Path = arguments.from_logs
    found = import_file(file, arguments.provider)
    with cached_embedder(workspace, settings) as embedder:
        drawn = sample(found.suite.cases, arguments.cases, settings.seed, embedder)
    known = {case.id for case in drawn.cases}
    suite = Suite(
        id=arguments.out.stem,
        title=f"Sample of {file.name}",
        description=f"{len(drawn.cases)} of {drawn.read} logged questions, by category "
        f"in proportion to how many different ones it has (seed {settings.seed}).",
        cases=drawn.cases,
    )
    answers = tuple(one for one in found.answers if one.case_id in known)
    return SuiteToWrite(
        suite,
        answers,
        tuple(_sample_words(found, drawn)),
        _sample_figures(found, drawn),
    )


def _sample_words(found: ImportResult, drawn: DrawnSample) -> Iterator[str]:
    yield (
        f"{found.tool}: {counted_noun(found.rows, 'row')}, "
        f"{counted_noun(drawn.read, 'question')}, {drawn.equal} in "
        f"the same words as another, {drawn.near} passed over as near one that was "
        f"taken; {len(drawn.cases)} taken"
    )
    for name, (taken, size) in drawn.by_category.items():
        yield one_line(f"  {name or '(no category)'}  {taken} of {size}")
    for problem in found.problems:
        yield one_line(f"  not taken  {problem}")


def _sample_figures(found: ImportResult, drawn: DrawnSample) -> dict[str, object]:
    return {
        "tool": found.tool,
        "rows": found.rows,
        "questions": drawn.read,
        "equal": drawn.equal,
        "near": drawn.near,
        "categories": [
            {"category": name, "taken": taken, "different": size}
            for name, (taken, size) in drawn.by_category.items()
        ],
        "problems": list(found.problems),
    }
