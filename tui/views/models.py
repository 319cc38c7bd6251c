"""The models that servers have, what they take, and whether they can judge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from claimscope.core.report.view import (
    TEXT_ONLY,
    Column,
    Part,
    Prose,
    Row,
    Section,
    Span,
    Table,
    line,
    row,
    sign_span,
)
from claimscope.core.report.views.probe import fitness
from claimscope.core.text.plurals import counted_noun
from claimscope.tui.ports.gateway import HostInfo, ModelInfo
from claimscope.tui.services.models.status import in_memory, size

COLUMNS = (
    Column("", width=1),
    Column("model"),
    Column("size", "right", 7),
    Column("param.", "right", 6),
    Column("quant.", width=7),
    Column("context", "right", 8),
    Column("in memory", width=9),
    Column("probe", width=15),
    Column("held", least=TEXT_ONLY),
    Column("digest", least=TEXT_ONLY),
    Column("can", least=TEXT_ONLY),
)


def models_view(hosts: Sequence[HostInfo]) -> Iterator[Part]:
    """A table for each server that answers."""
    for host in hosts:
        if host.version is not None:
            rows = tuple(map(model_row, host.models))
            parts = (Table(COLUMNS, rows),) if rows else ()
            yield Section(line(_host(host)), parts)


def _host(host: HostInfo) -> str:
    count = counted_noun(len(host.models), "model")
    return f"{host.url}  {host.software} {host.version}, {count}"


def model_row(model: ModelInfo) -> Row:
    refused = sign_span("refused", "contradicted")
    return row(
        Span("", "key", "current") if model.is_chosen else "",
        Span(model.name, "strong" if model.is_chosen else ""),
        size(model.size_bytes) if model.size_bytes else "?",
        model.parameters or "?",
        model.quantization or "?",
        f"{model.context_tokens:,}" if model.context_tokens else "?",
        Span("loaded", sign="running") if model.is_loaded else "no",
        refused if model.refused else fitness(model.fitness),
        in_memory(model),
        model.digest[:12] or "?",
        model.refused or ", ".join(model.capabilities) or "?",
    )


def model_view(model: ModelInfo, *, several: bool) -> Iterator[Prose]:
    """All that is known of a model. several: there is more than one server."""
    where = f"  on {model.host}" if several else ""
    chosen = "  (model of new runs)" if model.is_chosen else ""
    yield line(Span(model.name, "strong"), Span(where, "faint"), Span(chosen, "human"))
    yield line(
        f"digest {model.digest[:12] or '?'}",
        f"   can: {', '.join(model.capabilities) or '?'}",
        f"   in memory: {in_memory(model)}",
    )
    if model.refused:
        remedy = " (setting offline)" if model.is_remote else ""
        yield line(sign_span(f"{model.refused}{remedy}", "contradicted"))
    elif model.fitness is None:
        command = Span(f"claimscope models probe {model.name}", "key")
        yield line("Nobody knows whether it can judge: ", command)


def host_lines(hosts: Sequence[HostInfo]) -> Iterator[Prose]:
    """A line a server: what it is, or what is wrong and the remedy."""
    for host in hosts:
        if host.problem is None:
            yield line(sign_span("", "supported"), _host(host))
        else:
            sign = sign_span("", "contradicted")
            yield line(sign, host.problem, Span(f" {host.remedy}", "faint"))
