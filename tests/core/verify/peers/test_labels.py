"""Which of several things side by side a text names."""

from __future__ import annotations

import pytest

from claimscope.core.verify.peers.labels import Label, Peers, label_of


def peers(
    *texts: str, names: tuple[str, ...] = (), shorter: tuple[str, ...] = ()
) -> Peers:
    labels = [labelled(text) for text in texts]
    return Peers(
        labels,
        names=[label for label in labels if label.text in names],
        shorter=[labelled(text) for text in shorter],
    )


def labelled(text: str) -> Label:
    found = label_of(text)
    assert found is not None
    return found


def named(group: Peers, text: str) -> set[str]:
    return {label.text for label in group.named_in(text)}


TICKETS = peers("Saver", "Super Saver", "Open Return")
CARDS = peers("Reed credit card", "Heron credit card", "Youth card (11 to 17)")
ROUTES = peers("Route 12: Sandmere – Oxley", "Route 27", "Night route N4")
CLASSES = peers("Class K", "Class M", "Class S")
PITCHES = peers("Meadow pitch", "River pitch", "Orchard pitch")


@pytest.mark.parametrize(
    ("group", "text", "names"),
    [
        (TICKETS, "I have a Super Saver for tomorrow.", {"Super Saver"}),
        (TICKETS, "My saver is late.", {"Saver"}),
        (TICKETS, "A Saver and a Super Saver.", {"Saver", "Super Saver"}),
        (TICKETS, "When does the bus return?", set()),
        (CARDS, "I found my Reed card.", {"Reed credit card"}),
        (CARDS, "Which credit card is it?", set()),
        (CARDS, "Her Youth card is lost.", {"Youth card"}),
        (CARDS, "In her youth she had none.", set()),
        (ROUTES, "What about route 27?", {"Route 27"}),
        (ROUTES, "The pass is valid on routes 12 and 27.", {"Route 12", "Route 27"}),
        (ROUTES, "A ticket is valid for 27 minutes.", set()),
        (CLASSES, "It is never accepted for classes M and S.", {"Class M", "Class S"}),
        (CLASSES, "There are four classes.", set()),
        (PITCHES, "Dogs are welcome on the meadow.", {"Meadow pitch"}),
        (PITCHES, "A meadow is nice.", set()),
        (peers("Stage 3", "Stage 4"), "It takes four stages.", set()),
        (peers("--strategy canary", "--strategy recreate"), "`recreate` stops it.",
         {"--strategy recreate"}),
        (TICKETS, "", set()),
    ],
)  # fmt: skip
def test_what_a_text_names(group: Peers, text: str, names: set[str]) -> None:
    assert named(group, text) == names


def test_a_thing_may_be_called_shorter_elsewhere() -> None:
    courses = peers("Lino cut for beginners", "Intaglio weekend", shorter=("Lino",))
    assert named(courses, "Lino and other courses") == {"Lino cut for beginners"}


def test_an_ordinary_word_is_what_a_sentence_begins_with() -> None:
    group = peers("Tools", "Books", names=("Books",))
    subject = group.named_as_subject
    assert {x.text for x in subject("Tools are lent for five days.")} == {"Tools"}
    late = "Who breaks what was lent pays for tools and Books."
    assert {x.text for x in subject(late)} == {"Books"}


@pytest.mark.parametrize(
    "text",
    ["", "–", "yes", "14 days or more", "under 3 seconds", "from 6 to 15 years", "€30",
     "This cell says in many plain words what guests may do", "2024"],
)  # fmt: skip
def test_values_and_sentences_are_no_labels(text: str) -> None:
    assert label_of(text) is None


def test_a_bare_figure_or_letter_has_the_kind_before_it() -> None:
    zone, room = label_of("3", "Zone"), label_of("B", "Room")
    assert zone is not None and zone.text == "Zone 3"
    assert room is not None and room.text == "Room B"


def test_only_what_is_listed_together_stands_side_by_side() -> None:
    ticket, discount, saver = (labelled(x) for x in ("Flex", "Saver discount", "Saver"))
    group = Peers([ticket, discount, saver], [frozenset({ticket.stems, saver.stems})])
    assert group.are_beside(ticket, saver)
    assert not group.are_beside(discount, saver)
    assert not group.are_beside(saver, saver)
