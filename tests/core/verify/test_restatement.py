"""Statements for a sentence: what was added, lost or left hanging is told by code."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.verify.decomposition_by_model import ModelDecomposer
from claimscope.core.verify.restatement import restatement_problem
from tests.doubles.scripted import ScriptedChat

RATED = "Ana Holm rated the ferry three stars in June and 10 km of its route as dull."


@pytest.mark.parametrize(
    ("texts", "why"),
    [
        (["Her score is three."], "added 'score'"),
        (["She rated it in June."], "left open what 'She' stands for"),
        (["Ana Holm rated the ferry three in June."], "'three' without what it counts"),
        (["Ana Holm rated 10 of its route as dull."], "'10' without what it counts"),
        (["Ana Holm rated 10 miles of its route as dull."], "added 'miles'"),
        (["Ana Holm rated the ferry four stars."], "added 'four'"),
        (["Ana Holm rated the ferry three stars in June."], "lost '10'"),
    ],
)
def test_a_fragment_that_nothing_could_prove_is_refused(
    texts: Sequence[str], why: str
) -> None:
    assert why in (restatement_problem(texts, RATED, RATED) or "nothing")


@pytest.mark.parametrize(
    ("sentence", "texts"),
    [
        (
            RATED,
            [
                "Ana Holm rated the ferry three stars in June.",
                "Ana Holm rated 10 km of the ferry's route as dull.",
            ],
        ),
        (
            "The tram, opened in 1911, has 40 large cars and runs 24 hours a day.",
            [
                "The tram opened in 1911.",
                "The tram has 40 large cars.",
                "The tram runs 24 hours a day.",
            ],
        ),
        (
            "It may close at 6 pm if the lake is up, and all trips end at noon.",
            ["It may close at 6 pm if the lake is up.", "All trips end at noon."],
        ),
    ],
)
def test_a_true_restatement_is_accepted(sentence: str, texts: Sequence[str]) -> None:
    assert restatement_problem(texts, sentence, sentence) is None


@pytest.mark.parametrize(
    ("sentence", "texts", "why"),
    [
        ("The hut is red and cold.", ["The hut is cold."], "lost 'red'"),
        ("It may rain and snow.", ["It rains.", "It snows."], "lost 'may'"),
        ("It is open if dry, and free.", ["It is open, dry, free."], "lost 'if'"),
        ("Not all huts are open or new.", ["No huts are open or new."], "lost 'all'"),
        ("The hut is cold.", ["The hut is dry and cold."], "added 'dry'"),
        ("The hut has two beds.", ["The hut has two huts, beds of two."], "without"),
    ],
)
def test_small_words_that_matter_are_kept(
    sentence: str, texts: Sequence[str], why: str
) -> None:
    assert why in (restatement_problem(texts, sentence, sentence) or "nothing")


SENTENCES = (
    "The Lindal ferry, which carries 40 cars, sails every hour and does not run on "
    "25 December.",
    "Ana Holm, whom 12 of 20 guests gave five points, rated the boat three stars.",
    "The dose, which is 10 mg for adults, may be doubled after 48 hours if needed.",
)
SMALL = frozenset(
    """the which and does but for was were with that this have been from into also
    there""".split()
)
WORDS = sorted({word for text in SENTENCES for word in re.findall(r"\w+", text)})


@st.composite
def statements(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A sentence, and what a model may make of it: parts of it, cut and mixed with
    words and numbers of elsewhere, or the sentence bent by a word."""
    sentence = draw(st.sampled_from(SENTENCES))
    words = sentence.split()
    other = st.sampled_from([*WORDS, "7", "seven", "not", "blue", "mg", "It"])

    def part(piece: tuple[int, int, list[str], bool]) -> str:
        start, end, more, is_first = piece
        kept = words[min(start, end) : max(start, end)]
        return " ".join([*more, *kept] if is_first else [*kept, *more])

    place = st.integers(0, len(words))
    some = st.lists(other, max_size=2)
    parts = st.lists(st.tuples(place, place, some, st.booleans()).map(part), max_size=4)
    bent = place.map(lambda n: " ".join(words[:n] + words[n + 1 :]))
    return sentence, draw(st.one_of(parts, bent.map(lambda text: [text, sentence])))


def content(text: str) -> set[str]:
    """Beginnings of the longer words and all numbers of a text."""
    found = re.findall(r"\w+", text.casefold())
    return {w.removesuffix("s")[:5] for w in found if len(w) > 3 and w not in SMALL} | {
        w for w in found if w.isdigit()
    }


def numbers(text: str) -> set[str]:
    """Numbers in digits and the number words that occur here."""
    known = r"\d+|three|five|seven|one|two|twelve|twenty"
    return set(re.findall(rf"\b(?:{known})\b", text.casefold()))


@given(statements())
async def test_whatever_the_model_replies_nothing_is_added_or_lost(
    made: tuple[str, list[str]],
) -> None:
    sentence, texts = made
    notes: list[str] = []
    chat = ScriptedChat(lambda request: json.dumps({"claims": texts}))
    found = await ModelDecomposer(chat, notes.append)(sentence)
    claims = [claim.text for claim in found.claims]
    assert claims
    for text in claims:
        assert numbers(text) <= numbers(sentence)
    assert content(sentence) <= content(" ".join(claims))
    assert len({text.casefold() for text in claims}) == len(claims)
    assert len(chat.asked) <= 1  # not where code told the facts apart
