"""Labs: cells, what is refused, how a cell asks, and which cell is called best."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.analysis.compare.matrix import Matrix, matrix
from claimscope.core.errors import InputError
from claimscope.core.models import Usage
from claimscope.core.ports import ChatReply, ChatRequest
from claimscope.core.report.renderers.plain import lines
from claimscope.core.report.views.lab import lab_view
from claimscope.core.run.lab import (
    Axes,
    CellChat,
    PromptVersion,
    RoomBesidePrompt,
    cells_of,
    check_axes,
    made_in_cell,
    sample_cases,
)
from tests.tui.labs import judged, made_lab

V1, V2 = PromptVersion(name="v1", text="Be brief."), PromptVersion(name="v2", text="Go")


class Recorder:
    """A model that remembers what it was asked."""

    name, digest, context_tokens = "m:1b", "d", 1000

    def __init__(self) -> None:
        self.requests: list[ChatRequest] = []

    async def chat(self, request: ChatRequest) -> ChatReply:
        self.requests.append(request)
        return ChatReply("yes", None, "stop", (), Usage(prompt_tokens=10))


# --- cells ----------------------------------------------------------------------


def test_at_temperature_zero_one_cell_stands_for_all_top_p_and_draws() -> None:
    axes = Axes(models=("a", "b"), temperatures=(0, 0.7), top_ps=(0.9, 1))
    cells = cells_of(axes, 3, "lab")
    assert [(c.name, c.draws) for c in cells if c.model == "a"] == [
        ("a t0", 1),
        ("a t0.7 p0.9", 3),
        ("a t0.7 p1", 3),
    ]
    assert cells[0].top_p is None


@given(
    models=st.lists(st.sampled_from("abcd"), min_size=1, unique=True),
    temperatures=st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, unique=True),
    top_ps=st.lists(st.sampled_from([0.5, 0.9]), unique=True),
    prompts=st.lists(st.sampled_from([V1, V2]), unique_by=lambda p: p.name),
)
def test_cells_are_all_different_and_come_model_by_model(
    models: list[str],
    temperatures: list[float],
    top_ps: list[float],
    prompts: list[PromptVersion],
) -> None:
    axes = Axes(
        models=tuple(models),
        temperatures=tuple(temperatures),
        top_ps=tuple(top_ps),
        prompts=tuple(prompts),
    )
    cells = cells_of(axes, 2, "lab")
    warm = sum(t > 0 for t in temperatures) * max(len(top_ps), 1)
    each = (warm + (0.0 in temperatures)) * max(len(prompts), 1)
    assert len(cells) == len(models) * each
    providers = [c.provider(draw) for c in cells for draw in range(1, c.draws + 1)]
    assert len(set(providers)) == len(providers)
    assert len({c.run_id for c in cells}) == len(cells)
    order = list(dict.fromkeys(c.model for c in cells))
    assert [c.model for c in cells] == [m for m in order for _ in range(each)]


def test_too_many_cells_are_refused_with_their_number() -> None:
    axes = Axes(models=tuple(map(str, range(33))), temperatures=(0, 1))
    with pytest.raises(InputError, match="make 66 cells, more than 64"):
        cells_of(axes, 1, "lab")


@pytest.mark.parametrize(
    ("prompts", "message"),
    [
        ((V1, V1), "v1 is named twice"),
        ((V1, PromptVersion(name="v3", text="Be brief. ")), "v1 and v3 say the same"),
        ((PromptVersion(name="v0", text=" \n"),), "v0 is empty"),
        ((PromptVersion(name="long", text="a" * 9000),), "has 9000 characters"),
    ],
)
def test_prompts_that_say_nothing_new_are_refused(
    prompts: tuple[PromptVersion, ...], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        check_axes(Axes(models=("a",), prompts=prompts))


@given(st.integers(1, 60), st.integers(1, 60), st.integers())
def test_a_sample_of_cases_keeps_their_order_and_is_the_same_again(
    total: int, count: int, seed: int
) -> None:
    ids = [f"c{number}" for number in range(total)]
    found = sample_cases(ids, count, seed)
    assert len(found) == min(total, count)
    assert list(found) == [name for name in ids if name in found]
    assert found == sample_cases(ids, count, seed)


# --- asking ---------------------------------------------------------------------


async def test_only_answers_are_asked_for_with_what_the_cell_varies() -> None:
    axes = Axes(models=("m",), temperatures=(0.7,), top_ps=(0.9,), prompts=(V1,))
    (cell,) = cells_of(axes, 1, "lab")
    inner = Recorder()
    chat = CellChat(inner, cell, V1)
    for purpose in ("answer", "measure"):
        await chat.chat(ChatRequest(purpose, (("user", "?"),), "digest"))
    answer, measure = inner.requests
    assert answer.messages == (("system", "Be brief."), ("user", "?"))
    assert answer.options == {"temperature": 0.7, "top_p": 0.9}
    assert measure.messages == (("user", "?"),) and measure.options == {}


async def test_a_system_prompt_takes_room_from_the_evidence() -> None:
    long = PromptVersion(name="long", text="a" * 500)
    plain = RoomBesidePrompt(Recorder(), (), None)
    beside = RoomBesidePrompt(Recorder(), (), long)
    room = await plain.characters(0, 100)
    assert await beside.characters(0, 100) == room - 500


def test_answers_of_different_cells_are_told_apart() -> None:
    axes = Axes(models=("m",), temperatures=(0, 0.7), top_ps=(0.9, 1))
    cells = cells_of(axes, 1, "lab")
    made = {made_in_cell("x", cell, prompt) for cell in cells for prompt in (None, V1)}
    assert len(made) == 2 * len(cells)


# --- which is best --------------------------------------------------------------


def marks(found: Matrix, column: str) -> list[str]:
    entries = [row.entry(column) for row in found.rows]
    return [entry.mark if entry else "" for entry in entries]


def test_a_cell_far_ahead_of_all_others_is_best() -> None:
    found = matrix(
        [
            ("a", judged([0.3] * 12)),
            ("b", judged([0.9] * 12)),
            ("c", judged([0.2] * 12)),
        ]
    )
    assert marks(found, "accuracy") == ["behind", "best", "behind"]
    assert marks(found, "pass_rate") == ["behind", "best", "behind"]


def test_of_two_equal_leaders_none_is_best_and_the_third_is_behind() -> None:
    found = matrix(
        [
            ("a", judged([0.9] * 12)),
            ("b", judged([0.9] * 12)),
            ("c", judged([0.1] * 12)),
        ]
    )
    assert marks(found, "accuracy") == ["level", "level", "behind"]


def test_five_cases_never_show_a_best() -> None:
    found = matrix([("a", judged([1.0] * 5)), ("b", judged([0.0] * 5))])
    assert found.is_too_small
    assert set(marks(found, "accuracy")) == {"level"}


def test_a_cell_without_verdicts_has_no_value_and_hinders_a_best() -> None:
    found = matrix([("a", judged([0.9] * 12)), ("b", judged([None] * 12)), ("c", [])])
    entries = [row.entry("accuracy") for row in found.rows]
    assert [e.value if e else None for e in entries] == [pytest.approx(0.9), None, None]
    assert [e.unscored if e else None for e in entries] == [0, 12, 0]
    assert marks(found, "accuracy") == ["level"] * 3


@given(st.integers(0, 2**32), st.integers(2, 5))
def test_at_most_one_cell_is_best_and_it_has_the_highest_mean(
    seed: int, cells: int
) -> None:
    rng = random.Random(seed)
    shift = [rng.choice((0, 0.4)) for _ in range(cells)]
    rows = [
        (str(n), judged([rng.random() / 2 + shift[n] for _ in range(10)]))
        for n in range(cells)
    ]
    found = matrix(rows)
    for column in found.columns:
        entries = [e for row in found.rows if (e := row.entry(column))]
        highest = max(e.value for e in entries if e.value is not None)
        best = [e for e in entries if e.mark == "best"]
        assert len(best) <= 1
        assert all(e.value == highest for e in best)
        if best:
            assert all(e.mark == "behind" for e in entries if e is not best[0])


def test_equal_cells_are_rarely_called_best() -> None:
    """60 labs of three cells that are alike: no more than 3 have a best."""
    rng = random.Random(1)
    false = 0
    for _ in range(60):
        rows = [(n, judged([rng.random() for _ in range(12)])) for n in "abc"]
        found = matrix(rows)
        false += "best" in marks(found, "accuracy")
    assert false <= 3


def test_the_text_has_n_beside_each_figure_and_names_what_is_missing() -> None:
    lab = made_lab().with_cell("m:1b t0", state="finished", answered=9)
    lab = lab.with_cell("m:1b t0", unanswered={"c9/1": "no\x1b[31m"})
    rows = {cell.name: judged([0.9] * 9 + [None]) for cell in lab.cells[:1]}
    found = matrix([(cell.name, rows.get(cell.name, ())) for cell in lab.cells])
    text = "\n".join(lines(lab_view(lab, found), width=100))
    assert "0.90 n9/10" in text
    assert "m:1b t0   finished   9 of 10 answers   run" in text
    assert "c9/1: no answer: no" in text
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 140
