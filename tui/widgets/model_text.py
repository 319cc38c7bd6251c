"""Models and hosts as the Models screen shows them, without a screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimscope.core.report.views.probe import fitness
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.ports.gateway import HostInfo, ModelInfo
from claimscope.tui.services.models.status import in_memory, size
from claimscope.tui.widgets.flow import Paragraph, Piece, para, said
from claimscope.tui.widgets.glyphs import Glyphs
from claimscope.tui.widgets.rendered import piece

NO_MODELS = """\
No models yet. Press p and name one, e.g. qwen2.5:7b: Ollama fetches it.
Without a network, copy its files to that machine and use `ollama create`; or start a
server with the OpenAI API and name it: settings server and base_url."""
NO_HOST = "No model server answers. What needs no model works without one."


def cells(model: ModelInfo, glyphs: Glyphs) -> list[Piece]:
    """A row of the list."""
    return [
        Piece(glyphs.current if model.is_chosen else " ", "key"),
        Piece(model.name, "strong" if model.is_chosen else ""),
        Piece(size(model.size_bytes) if model.size_bytes else "?"),
        Piece(model.parameters or "?"),
        Piece(model.quantization or "?"),
        Piece(f"{model.context_tokens:,}" if model.context_tokens else "?"),
        Piece(f"{glyphs.running} loaded" if model.is_loaded else "no"),
        Piece(f"{glyphs.contradicted} refused", "contradicted")
        if model.refused
        else piece(fitness(model.fitness), glyphs),
    ]


def details(model: ModelInfo, glyphs: Glyphs, *, several: bool) -> Iterator[Paragraph]:
    """All that is known of the model under the cursor."""
    where = f"  on {model.host}" if several else ""
    chosen = "  (model of new runs)" if model.is_chosen else ""
    yield para(said(model.name, "strong"), said(where, "dim"), Piece(chosen, "human"))
    yield para(
        said(f"digest {model.digest[:12] or '?'}"),
        said(f"   can: {', '.join(model.capabilities) or '?'}"),
        said(f"   in memory: {in_memory(model)}"),
    )
    if model.refused:
        remedy = " (setting offline)" if model.is_remote else ""
        text = f"{glyphs.contradicted} {model.refused}{remedy}"
        yield para(Piece(text, "contradicted"))
    elif model.fitness is None:
        yield para(
            Piece("Nobody knows whether it can judge: "),
            said(f"claimscope probe {model.name}", "key"),
        )


def host_lines(hosts: Sequence[HostInfo], glyphs: Glyphs) -> Iterator[Paragraph]:
    """A line a host: what it is, or what is wrong and the remedy."""
    for host in hosts:
        if host.problem is None:
            count = counted_noun(len(host.models), "model")
            yield para(
                Piece(f"{glyphs.supported} ", "supported"),
                said(f"{host.url}  {host.software} {host.version}, {count}"),
            )
        else:
            yield para(
                Piece(f"{glyphs.contradicted} ", "contradicted"),
                said(host.problem),
                said(f" {host.remedy}", "dim"),
                hanging=2,
            )
