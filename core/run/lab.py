"""A lab: models, temperatures, top_p and system prompts side by side.

Each combination is a cell: its answers are written by the model of the cell, and an
ordinary run judges them. The lab only ties the runs together, so that stepping through
claims, comparing and reporting work on a cell as on any run.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Literal

from claimscope.core.calls.context_planning import ContextRoom
from claimscope.core.calls.journalled import FrontedChat
from claimscope.core.errors import InputError
from claimscope.core.models import JsonValue, Model, digest
from claimscope.core.ports import ChatModel, ChatReply, ChatRequest

MOST_CELLS = 64
MOST_ITERATIONS = 20
HIGHEST_TEMPERATURE = 2.0
LONGEST_PROMPT = 8000
"""Characters of a system prompt: the evidence has to fit beside it."""
ANSWER = "answer"
"""The purpose of the calls that a cell changes."""

CellState = Literal[
    "waiting", "answering", "answered", "judging", "finished", "failed", "cancelled"
]
LabState = Literal["running", "paused", "finished", "failed", "stopped", "cancelled"]


class PromptVersion(Model):
    """A version of the system prompt; the text is kept, so that a lab goes on with
    what it began with when the file was changed since."""

    name: str
    text: str

    @property
    def digest(self) -> str:
        return digest(self.text)


class Axes(Model):
    """What is varied."""

    models: tuple[str, ...]
    temperatures: tuple[float, ...] = (0.0,)
    top_ps: tuple[float, ...] = ()
    """Empty = what the server takes."""
    prompts: tuple[PromptVersion, ...] = ()
    """Empty = no system prompt."""


class LabCell(Model):
    """One combination, and the run that judges its answers."""

    name: str
    model: str
    temperature: float
    top_p: float | None = None
    """None = left to the server, and at temperature 0, where it decides nothing."""
    prompt: str | None = None
    """Name of the version of the system prompt."""
    draws: int = 1
    """Answers to each case, each with a seed of its own."""
    run_id: str
    state: CellState = "waiting"
    answered: int = 0
    """Answers that are there, of draws times cases."""
    unanswered: dict[str, str] = {}
    """`case/draw` → why the model gave no answer: counted beside every figure."""
    error: str | None = None
    """Why the cell failed."""

    def provider(self, draw: int) -> str:
        """Whose answers they are, in the run; draws count from 1."""
        return self.name if draw == 1 else f"{self.name} #{draw}"

    @property
    def is_over(self) -> bool:
        """Nothing is left to do."""
        return self.state in ("finished", "failed", "cancelled")


class Lab(Model):
    """A sweep and where it stands."""

    lab_id: str
    created: str
    suite: str
    """What its runs are runs of: a path."""
    suite_id: str
    suite_digest: str
    pages: str | None = None
    metrics: tuple[str, ...] = ()
    cases: tuple[str, ...]
    axes: Axes
    iterations: int = 1
    settings: dict[str, JsonValue | list[str]] = {}
    """How answers are judged, and the seed."""
    cells: tuple[LabCell, ...]
    state: LabState = "running"
    error: str | None = None
    pid: int | None = None
    updated: str | None = None
    version: str = ""

    def cell(self, name: str) -> LabCell:
        """A cell by its name. Raises KeyError."""
        for cell in self.cells:
            if cell.name == name:
                return cell
        raise KeyError(name)

    def prompt(self, cell: LabCell) -> PromptVersion | None:
        return next((p for p in self.axes.prompts if p.name == cell.prompt), None)

    def with_cell(self, name: str, **update: object) -> Lab:
        """The same lab with a cell that got on."""
        cells = tuple(
            c.model_copy(update=update) if c.name == name else c for c in self.cells
        )
        return self.model_copy(update={"cells": cells})

    def wanted_of(self, cell: LabCell) -> int:
        return cell.draws * len(self.cases)


# --- what is asked for ----------------------------------------------------------


def check_axes(axes: Axes, iterations: int = 1) -> None:
    """Raises InputError for what cannot be swept, or would say the same twice."""
    if not axes.models:
        raise InputError("--models: no model is named", "name some: --models a,b")
    if not axes.temperatures:
        raise InputError("--temperatures: there is none", "for example 0,0.7")
    for temperature in axes.temperatures:
        if not 0 <= temperature <= HIGHEST_TEMPERATURE:
            raise InputError(
                f"--temperatures: {temperature:g} is not from 0 to "
                f"{HIGHEST_TEMPERATURE:g}",
                "0 always takes the likeliest word, 1 draws as the model was trained",
            )
    for top_p in axes.top_ps:
        if not 0 < top_p <= 1:
            raise InputError(
                f"--top-p: {top_p:g} is not above 0 and at most 1",
                "0.9 draws from the likeliest words that make up 90 % together",
            )
    if axes.top_ps and max(axes.temperatures) == 0:
        raise InputError(
            "--top-p: at temperature 0 it decides nothing, and no other is named",
            "add a temperature above 0, or leave --top-p out",
        )
    if iterations > 1 and max(axes.temperatures) == 0:
        raise InputError(
            "--iterations: at temperature 0 each answer comes out the same",
            "add a temperature above 0, or leave --iterations out",
        )
    if not 1 <= iterations <= MOST_ITERATIONS:
        raise InputError(
            f"--iterations: {iterations} is not from 1 to {MOST_ITERATIONS}"
        )
    _check_twice("--models", axes.models)
    _check_twice("--temperatures", [f"{one:g}" for one in axes.temperatures])
    _check_twice("--top-p", [f"{one:g}" for one in axes.top_ps])
    _check_prompts(axes.prompts)


def _check_twice(flag: str, values: Sequence[str]) -> None:
    for number, value in enumerate(values):
        if value in values[:number]:
            raise InputError(f"{flag}: {value} is named twice", "name each once")


def _check_prompts(prompts: Sequence[PromptVersion]) -> None:
    _check_twice("--prompts", [prompt.name for prompt in prompts])
    for number, prompt in enumerate(prompts):
        if not prompt.text.strip():
            raise InputError(
                f"--prompts: {prompt.name} is empty", "write the system prompt there"
            )
        if len(prompt.text) > LONGEST_PROMPT:
            raise InputError(
                f"--prompts: {prompt.name} has {len(prompt.text)} characters, more "
                f"than {LONGEST_PROMPT}",
                "the sentences that are answered from have to fit beside it",
            )
        for other in prompts[:number]:
            if other.text.strip() == prompt.text.strip():
                raise InputError(
                    f"--prompts: {other.name} and {prompt.name} say the same",
                    "leave one out",
                )


def cells_of(axes: Axes, iterations: int, lab_id: str) -> tuple[LabCell, ...]:
    """All combinations, model by model, so that each model is loaded once. At
    temperature 0 there is one cell, whatever top_p, with one draw. Raises InputError
    for too many."""
    prompts: list[str | None] = [prompt.name for prompt in axes.prompts]
    combinations = dict.fromkeys(
        (model, temperature, top_p if temperature else None, prompt)
        for model, prompt, temperature, top_p in product(
            axes.models, prompts or [None], axes.temperatures, axes.top_ps or (None,)
        )
    )
    if len(combinations) > MOST_CELLS:
        raise InputError(
            f"these make {len(combinations)} cells, more than {MOST_CELLS}",
            "name fewer models, temperatures, top_p or prompts, or make several labs",
        )
    return tuple(
        LabCell(
            name=cell_name(model, temperature, top_p, prompt),
            model=model,
            temperature=temperature,
            top_p=top_p,
            prompt=prompt,
            draws=iterations if temperature else 1,
            run_id=f"{lab_id}-c{number:02}",
        )
        for number, (model, temperature, top_p, prompt) in enumerate(combinations, 1)
    )


def cell_name(
    model: str, temperature: float, top_p: float | None, prompt: str | None
) -> str:
    """`llama3.2:3b t0.7 p0.9 v2`: what a person reads, and the provider of answers."""
    parts = [model, f"t{temperature:g}"]
    if top_p is not None:
        parts.append(f"p{top_p:g}")
    if prompt is not None:
        parts.append(prompt)
    return " ".join(parts)


def sample_cases(ids: Sequence[str], count: int | None, seed: int) -> tuple[str, ...]:
    """`count` of the cases by chance, in the order of the suite; None = all. Every
    cell answers the same ones, so that cells are compared case by case."""
    if count is None or count >= len(ids):
        return tuple(ids)
    if count < 1:
        raise InputError(f"--cases: {count} is too few", "at least 1")
    chosen = set(random.Random(seed).sample(range(len(ids)), count))
    return tuple(name for number, name in enumerate(ids) if number in chosen)


def numbers(flag: str, text: str) -> tuple[float, ...]:
    """`0,0.7` as figures. Raises InputError that names the flag."""
    found = []
    for part in (part.strip() for part in text.split(",")):
        if not part:
            continue
        try:
            value = float(part)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise InputError(f"{flag}: {part!r} is no number", "for example 0,0.7")
        found.append(value)
    return tuple(found)


# --- how a cell asks its model ----------------------------------------------------


class CellChat(FrontedChat):
    """The model of a cell: answers with its temperature, top_p and system prompt;
    all other calls (how much fits is measured) stay as they are."""

    def __init__(
        self, chat: ChatModel, cell: LabCell, prompt: PromptVersion | None
    ) -> None:
        super().__init__(chat)
        self._prompt = prompt
        self.options: dict[str, JsonValue] = {"temperature": cell.temperature}
        if cell.top_p is not None:
            self.options["top_p"] = cell.top_p

    async def chat(self, request: ChatRequest) -> ChatReply:
        if request.purpose != ANSWER:
            return await self._chat.chat(request)
        messages = request.messages
        if self._prompt is not None:
            messages = (("system", self._prompt.text), *messages)
        options = {**request.options, **self.options}
        return await self._chat.chat(
            replace(request, messages=messages, options=options)
        )


class RoomBesidePrompt(ContextRoom):
    """Room for evidence beside the system prompt of a cell."""

    def __init__(
        self, chat: ChatModel, texts: Sequence[str], prompt: PromptVersion | None
    ) -> None:
        super().__init__(chat, texts)
        self._taken = len(prompt.text) if prompt else 0

    async def characters(self, beside: int, reply_tokens: int) -> int:
        return await super().characters(beside + self._taken, reply_tokens)


def made_in_cell(made: str, cell: LabCell, prompt: PromptVersion | None) -> str:
    """Digest of what decides the answers of a cell; `made`: of model, template, pages
    and settings (core/services/generation.py)."""
    return digest(
        made,
        f"{cell.temperature:g} {cell.top_p if cell.top_p is not None else '-'}",
        prompt.digest if prompt else "",
    )[:16]
