"""What a probe found out, for the Judge screen: a row of the list, and all of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claimscope.core.grade.probe import KINDS, Probe, ProbeCase
from claimscope.core.report.probe_text import figures
from claimscope.tui.ports.gateway import HostInfo, KeptProbe
from claimscope.tui.widgets.flow import Paragraph, Piece, para, said
from claimscope.tui.widgets.glyphs import Glyphs

NEVER = "Never probed. p: probe now (about two minutes on a small machine)."
OUTDATED = "Made with other cases or prompts than this version has; p: probe again."
NO_HOST = """\
No model server answers, and no probe is kept.
  ollama serve             starts one; r reads again
  claimscope doctor        says what works here"""
NO_MODELS = """\
No server has a model to probe.
  claimscope pull NAME     has it fetch one; r reads again"""


@dataclass(frozen=True)
class Judge:
    """A line of the list: a model, with a probe of it if there is one."""

    model: str
    is_installed: bool
    kept: KeptProbe | None = None


def judges(hosts: Sequence[HostInfo], kept: Sequence[KeptProbe]) -> list[Judge]:
    """Installed models with their probes, one line for each context; models without
    one; then probes of models that no host has (any more)."""
    installed = {
        model.digest: model.name
        for host in hosts
        for model in host.models
        if not model.is_remote
    }
    found = []
    for digest, name in sorted(installed.items(), key=lambda item: item[1]):
        own = [one for one in kept if one.probe.digest == digest]
        found += [Judge(name, True, one) for one in own] or [Judge(name, True)]
    gone = [one for one in kept if one.probe.digest not in installed]
    return found + [Judge(one.probe.model, False, one) for one in gone]


def cells(judge: Judge, glyphs: Glyphs) -> list[Piece]:
    """Model, context, verdict, separation, claims, time of the probe."""
    if judge.kept is None:
        word = Piece(f"{glyphs.unscored} unprobed", "unscored")
        return [said(judge.model), Piece(""), word, Piece(""), Piece(""), Piece("")]
    probe = judge.kept.probe
    right, total = probe.claims
    share = "" if probe.separation is None else f"{probe.separation:.2f}"
    return [
        said(judge.model if judge.is_installed else f"{judge.model} (not here)"),
        Piece(f"{probe.context_tokens:,}"),
        verdict(judge.kept, glyphs),
        Piece(share),
        Piece(f"{right}/{total}"),
        said(probe.started[:16].replace("T", " ")),
    ]


def verdict(kept: KeptProbe, glyphs: Glyphs) -> Piece:
    """Sign and word."""
    if kept.is_outdated:
        return Piece(f"{glyphs.unscored} outdated", "unscored")
    signs = {
        "fit": (glyphs.supported, "supported"),
        "fit with care": (glyphs.not_enough_info, "not_enough_info"),
        "unfit": (glyphs.contradicted, "contradicted"),
    }
    sign, role = signs[kept.probe.verdict]
    return Piece(f"{sign} {kept.probe.verdict}", role)


def details(judge: Judge, glyphs: Glyphs) -> Iterator[Paragraph]:
    """Verdict with its reasons, figures by kind, what came out wrong."""
    if judge.kept is None:
        yield para(Piece(NEVER, "human"))
        return
    probe = judge.kept.probe
    if judge.kept.is_outdated:
        yield para(Piece(OUTDATED, "human"))
    yield para(
        verdict(judge.kept, glyphs),
        said(f"  {probe.model} at {probe.context_tokens:,} tokens", "strong"),
    )
    for reason in probe.reasons:
        yield para(Piece("  "), said(str(reason)), hanging=4)
    yield para(said(figures(probe), "dim"))
    yield para()
    yield from _kinds(probe, glyphs)
    wrong = [case for case in probe.cases if not case.right]
    if wrong:
        yield para()
        yield para(Piece("what came out wrong", "heading"))
    for case in wrong:
        yield from _case(case, glyphs)


def _kinds(probe: Probe, glyphs: Glyphs) -> Iterator[Paragraph]:
    for count in probe.counts:
        all_right = count.right == count.total
        sign = glyphs.supported if all_right else glyphs.contradicted
        role = "supported" if all_right else "contradicted"
        yield para(
            Piece(f"{sign} {count.right}/{count.total}", role),
            Piece(f"  {count.kind:<13}"),
            Piece(KINDS[count.kind], "dim"),
            hanging=19,
        )


def _case(case: ProbeCase, glyphs: Glyphs) -> Iterator[Paragraph]:
    where = f" ({case.document})" if case.document else ""
    yield para(
        Piece(f"{glyphs.contradicted} ", "contradicted"),
        said(f"{case.kind}{where}: {case.text}"),
        said(f"  expected {case.expected}, got {case.got}", "dim"),
        hanging=2,
    )
    for reply in case.replies[:1]:
        text = " ".join(reply.split())
        if len(text) > 3:  # a bare Yes or No is in the figures already
            yield para(Piece("    "), said(f"“{text[:300]}”", "dim"), hanging=4)
