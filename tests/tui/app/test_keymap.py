"""Keys of the user's own: what can be used is, what cannot is told of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.stores.workspace.interface_settings import Interface
from claimscope.tui.app.app import ClaimscopeApp
from claimscope.tui.app.key_sets import key_sets, keys_in, wanted_keys
from claimscope.tui.app.keymap import Action, actions, usable
from claimscope.tui.screens.stepper.screen import StepperScreen
from tests.tui.gateways import FakeGateway
from tests.tui.pilot import app_on, press, settle, text_of, told
from tests.tui.sample_run import RUN_ID, finished_run

KNOWN = actions(ClaimscopeApp)
IDS = [action.id for action in KNOWN]


def test_every_action_has_an_id_keys_and_a_meaning() -> None:
    assert len(set(IDS)) == len(IDS) > 50
    assert all(action.keys and action.text and action.where for action in KNOWN)


@pytest.mark.parametrize(
    ("wanted", "problem"),
    [
        ({"step.agre": "y"}, "did you mean step.agree?"),
        ({"nonesuch": "y"}, "`claimscope show keys` lists them"),
        ({"home.new": "nix"}, "'nix' is no key"),
        ({"home.new": "hyper+"}, "'hyper+' is no key"),
        ({"results.sort": "/"}, "slash is the key of results.find"),
        ({"results.sort": "question_mark"}, "the key of view.help"),
        ({"results.sort": "ctrl+q"}, "the key of app.quit"),
    ],
)
def test_what_cannot_be_used_is_left_out(wanted: dict[str, str], problem: str) -> None:
    keymap, (told,) = usable(wanted, KNOWN)
    assert keymap == {}
    assert problem in told


def test_two_actions_may_change_places() -> None:
    wanted = {"results.sort": "slash", "results.find": "s"}
    assert usable(wanted, KNOWN) == (wanted, [])


def test_screens_that_are_never_there_together_share_keys() -> None:
    assert usable({"home.new": "N"}, KNOWN) == ({"home.new": "N"}, [])


def test_characters_get_the_names_that_textual_knows() -> None:
    keymap, problems = usable({"step.agree": "y,+", "step.note": ";"}, KNOWN)
    assert keymap == {"step.agree": "y,plus", "step.note": "semicolon"}
    assert problems == []


KEYS = st.sampled_from(["a", "s", "/", "f5", "ctrl+x", "enter", "nix", "j,down"])


@given(st.dictionaries(st.sampled_from([*IDS, "none.such"]), KEYS, max_size=6))
def test_each_entry_is_used_or_told_of_and_none_clashes(wanted: dict[str, str]) -> None:
    keymap, problems = usable(wanted, KNOWN)
    assert len(keymap) + len(problems) == len(wanted)
    assert usable(keymap, KNOWN) == (keymap, [])


async def test_a_key_that_clashes_is_told_of_and_the_rest_counts() -> None:
    gateway = FakeGateway()
    finished_run(gateway.runs)
    keys = {"step.agree": "y", "step.undo": "o", "step.agre": "z"}
    app = app_on(gateway, open_run=RUN_ID, step=True, keymap=keys)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, StepperScreen)
        assert "y agree" in text_of(pilot)
        assert "o is the key of step.overrule" in told(pilot)
        assert "did you mean step.agree?" in told(pilot)
        await press(pilot, "y")
        assert len(list(gateway.runs.read(RUN_ID).human_verdicts())) == 1


def test_no_screen_gives_another_meaning_to_a_key_that_works_everywhere() -> None:
    everywhere = ("everywhere", "every screen")
    taken = {key for a in KNOWN if a.where in everywhere for key in single(a)}
    own = {key: a.id for a in KNOWN if a.where not in everywhere for key in single(a)}
    assert {key: own[key] for key in taken & set(own)} == {}


def single(action: Action) -> list[str]:
    """Each key of an action."""
    return [key for keys in action.keys for key in keys.split(",")]


# --- sets that ship -----------------------------------------------------------------


@pytest.mark.parametrize("name", key_sets()[1:])
def test_a_set_that_ships_can_be_used_whole(name: str) -> None:
    wanted = keys_in(name)
    assert len(wanted) > 10
    keymap, problems = usable(wanted, KNOWN)
    assert problems == []
    assert keymap.keys() == wanted.keys()


def test_a_persons_own_keys_go_before_those_of_the_set() -> None:
    own = Interface(key_set="vim", keys={"step.copy": "Y"})
    keys, problems = wanted_keys(own)
    assert (keys["step.copy"], keys["step.next_match"], problems) == ("Y", "n", [])
    assert wanted_keys(Interface()) == ({}, [])
    keys, (problem,) = wanted_keys(Interface(key_set="vi"))
    assert not keys and problem == (
        "key_set = 'vi': there is no such set; there are: default, emacs, vim"
    )


async def test_with_the_keys_of_vim_n_goes_to_the_next_match() -> None:
    gateway = FakeGateway()
    finished_run(gateway.runs)
    app = app_on(gateway, open_run=RUN_ID, step=True, keymap=keys_in("vim"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert told(pilot) == ""
        screen = app.screen
        assert isinstance(screen, StepperScreen)
        await press(pilot, "/", *"1974", "enter")
        first = screen.place
        await press(pilot, "n")
        assert screen.place.sample == first.sample + 1
        await press(pilot, "N")
        assert screen.place == first
        await press(pilot, "J")
        assert screen.place != first
        await press(pilot, "colon")
        assert "Search for commands" in text_of(pilot)
