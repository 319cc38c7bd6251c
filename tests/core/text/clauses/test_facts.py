"""Sentences of several facts, and what must stay together."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimscope.core.text.clauses.facts import split_facts


def said_in(text: str) -> tuple[str, ...]:
    return tuple(fact.text for fact in split_facts(text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "The plan includes 2 projects, costs 10 euros a month, and allows 5 users.",
            (
                "The plan includes 2 projects",
                "The plan costs 10 euros a month",
                "The plan allows 5 users.",
            ),
        ),
        (
            "The mill was built in 1931, burned down in 1940, and was rebuilt in 1950.",
            (
                "The mill was built in 1931",
                "The mill burned down in 1940",
                "The mill was rebuilt in 1950.",
            ),
        ),
        (
            "The hall, which seats 200, belongs to the town.",
            ("The hall belongs to the town.", "The hall seats 200"),
        ),
        (
            "Ana Ruiz, who was born in Lund, won the prize in 1903.",
            ("Ana Ruiz won the prize in 1903.", "Ana Ruiz was born in Lund"),
        ),
        (
            "The sea is bounded by hills and separated from the bay by an island.",
            (
                "The sea is bounded by hills",
                "The sea is separated from the bay by an island.",
            ),
        ),
        (
            "Tarn Press is a publisher that specializes in maps.",
            ("Tarn Press is a publisher.", "Tarn Press specializes in maps."),
        ),
    ],
)
def test_each_fact_stands_alone(text: str, said: tuple[str, ...]) -> None:
    assert said_in(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "The museum opens and closes at 9.",
        "The club bought and restored the mill in 1990.",
        "If it rains, the gate closes and the pump stops at 9.",
        "The pump never stops at night and needs no oil.",
        "The service does not store passwords and share keys with others.",
        "Either the pump stops at 9 or the gate closes.",
        "Take bus 27 to Skerra Lane, which runs every 30 minutes.",
        "The Oak plan is the only plan that includes export.",
        "She was born in Oslo and moved to Lund in 1990.",
        "Tickets cost 9 marks.",
        "The data shows dogs can become infected, but do not seem to show symptoms.",
        "We propose a model without reducing the decoder, which boosts the quality.",
        "Batman was created by writer Bill Finger and artist Bob Kane for a paper.",
        "This website tells of the role they played, and still play, at sea.",
        "The dose is 25 micrograms, which equals 1,000 IU.",
        "",
    ],
)
def test_what_may_hold_for_all_parts_keeps_them_together(text: str) -> None:
    assert said_in(text) == (text,)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "The mill grinds oats, barley and rye.",
            (
                "The mill grinds oats.",
                "The mill grinds barley.",
                "The mill grinds rye.",
            ),
        ),
        (
            "Kestrel reads several formats such as CSV, XLSX, and ODS.",
            (
                "Kestrel reads several formats such as CSV.",
                "Kestrel reads several formats such as XLSX.",
                "Kestrel reads several formats such as ODS.",
            ),
        ),
        (
            "The kit contains a hammer and an axe.",
            ("The kit contains a hammer.", "The kit contains an axe."),
        ),
        (
            "Wardens may inspect the boats and close the harbour to visitors.",
            (
                "Wardens may inspect the boats",
                "Wardens may close the harbour to visitors.",
            ),
        ),
        (
            "The stewards help with finding and greeting new members.",
            (
                "The stewards help with finding new members.",
                "The stewards help with greeting new members.",
            ),
        ),
        (
            "The harbour's depth, width and shape are set by the council.",
            (
                "The harbour's depth is set by the council.",
                "The harbour's width is set by the council.",
                "The harbour's shape is set by the council.",
            ),
        ),
        (
            "The stewards are responsible for sorting, weighing, and storing parcels.",
            (
                "The stewards are responsible for sorting parcels.",
                "The stewards are responsible for weighing parcels.",
                "The stewards are responsible for storing parcels.",
            ),
        ),
        (
            "The alloy consists of about 21% tin and 79% lead.",
            ("The alloy consists of about 21% tin.", "The alloy consists of 79% lead."),
        ),
        (
            "Ana Ruiz was born in Tarn and later served as a clerk.",
            ("Ana Ruiz was born in Tarn", "Ana Ruiz later served as a clerk."),
        ),
        (
            "The bell was cast for a school and lent to Tarn by the town in 1990.",
            (
                "The bell was cast for a school",
                "The bell was lent to Tarn by the town in 1990.",
            ),
        ),
        (
            "The fee was set in 1990 and rose by 5 marks in 2001.",
            ("The fee was set in 1990", "The fee rose by 5 marks in 2001."),
        ),
        (
            "Tarn Press was founded in 1931 and has since moved to Osk.",
            ("Tarn Press was founded in 1931", "Tarn Press has since moved to Osk."),
        ),
        (
            "Osk uses a simple and open format.",
            ("Osk uses a simple format.", "Osk uses an open format."),
        ),
        (
            "Ana Ruiz, the third mayor of Tarn, retired in 1962.",
            (
                "Ana Ruiz retired in 1962.",
                "Ana Ruiz was the third mayor of Tarn",
            ),
        ),
        (
            "Tarn Press is a publisher founded in 1931.",
            ("Tarn Press is a publisher.", "Tarn Press was founded in 1931."),
        ),
        (
            "The upper lock opens at noon, whereas the lower lock opens at six.",
            ("The upper lock opens at noon", "The lower lock opens at six."),
        ),
        (
            "Although the mill is old, the wheel was replaced in 1990.",
            ("The mill is old", "The wheel was replaced in 1990."),
        ),
        (
            "The tower is old, although it was repaired in 1990.",
            ("The tower is old", "The tower was repaired in 1990."),
        ),
        (
            "Founded in 1931 by two sisters, Tarn Press has a shop.",
            ("Tarn Press has a shop.", "Tarn Press was founded in 1931 by two sisters"),
        ),
        (
            "Located on the quay, the old mill grinds oats.",
            ("The old mill grinds oats.", "The old mill is located on the quay"),
        ),
        (
            "The mill, built in 1931, grinds oats.",
            ("The mill grinds oats.", "The mill was built in 1931"),
        ),
        (
            "The mayor of Tarn, Ana Ruiz, resigned in May.",
            ("The mayor of Tarn resigned in May.", "The mayor of Tarn was Ana Ruiz"),
        ),
        (
            "One poet who won the medal is Ana Ruiz.",
            ("Ana Ruiz is one poet.", "Ana Ruiz won the medal."),
        ),
        (
            "The pipe is the work of many crews, which maintain the valves.",
            ("The pipe is the work of many crews.", "Many crews maintain the valves"),
        ),
        (
            "The guide serves the town, which is old, having won a prize.",
            ("The guide serves the town, having won a prize.", "The town is old"),
        ),
        (
            "The price and weight of the old bell are printed on the tag.",
            (
                "The price of the old bell is printed on the tag.",
                "The weight of the old bell is printed on the tag.",
            ),
        ),
        (
            "The shop sells rare and signed books.",
            ("The shop sells rare books.", "The shop sells signed books."),
        ),
        (
            "The wool is warm, light and cheap.",
            ("The wool is warm.", "The wool is light.", "The wool is cheap."),
        ),
        (
            "The shop carries a range of tools such as saws and planes.",
            (
                "The shop carries a range of tools such as saws.",
                "The shop carries a range of tools such as planes.",
            ),
        ),
        (
            "You can pay by card, phone or cash.",
            (
                "You can pay by card.",
                "You can pay by phone.",
                "You can pay by cash.",
            ),
        ),
        (
            "The hill was held by 3 tribes such as the Alders, Saxons, and old Finns.",
            (
                "The hill was held by 3 tribes such as the Alders.",
                "The hill was held by 3 tribes such as Saxons.",
                "The hill was held by 3 tribes such as old Finns.",
            ),
        ),
        # verbs that the parser takes for nouns
        (
            "The Bramble press prints posters, maps, and cards.",
            (
                "The Bramble press prints posters.",
                "The Bramble press prints maps.",
                "The Bramble press prints cards.",
            ),
        ),
        (
            "Clubs advertise to create good will, to influence voters, to maintain or "
            "increase the dues, and to create trust.",
            (
                "Clubs advertise to create good will.",
                "Clubs advertise to influence voters.",
                "Clubs advertise to maintain or increase the dues.",
                "Clubs advertise to create trust.",
            ),
        ),
    ],
)
def test_each_member_is_told_with_what_is_said_of_it(
    text: str, said: tuple[str, ...]
) -> None:
    assert said_in(text) == said


@pytest.mark.parametrize(
    "text",
    [
        # several things that are one together
        "The ferry sails between Oslo and Bergen.",
        "The dough is a mixture of flour and water.",
        "The clerk compared the list and the register.",
        "The road links Tarn and Osk.",
        "The council consists of a mayor and a clerk.",
        "Tarn and Osk share a harbour.",
        "Tarn and Osk are the two oldest towns.",
        "The colours of the flag are red and blue.",
        "Tarn and Osk have 12 mills.",
        "The shop sells 5 apples and pears.",
        # what denies or limits
        "The shop does not sell bread and milk.",
        "Only members and guests may enter.",
        "The pump works without oil and water.",
        "The gate lacks a lock and a bell.",
        "The fee covers the hall and the stage together.",
        "The shop sells either bread and milk or nothing.",
        # what says of which things it speaks
        "Shops with a bell and a lock are insured.",
        # what is left out in one member stands in another
        "Rash occurred in 4 children in the red group and in 9 in the blue group.",
        "The fee is 110 marks for children and 185 marks for adults.",
        "The lack of light causes rickets in children and weak bones in adults.",
        "The level rose from 41 to 78 with milk and from 40 to 43 with water.",
        "Tarn has 20 mills and Osk has 35 mills.",
        "The work is slow and easy on the hands.",
        # what a figure counts
        "The market takes place twice a week, on Mondays and Fridays.",
        "The hall has two doors, on the north side and the south side.",
        "The cook needs at least 400 g of fruit and nuts a day.",
        # two lists that may be meant pairwise
        "Ana and Bo studied law and medicine.",
        "The boats sail to Tarn and Osk on Mondays and Fridays.",
        # names
        "Peat and Bog is taught in May.",
        "The answer is in the book “Salt and Light”.",
        "The monthly pass is for zones A and B.",
        "You may take a bag or a case of up to 5 or 6 kg.",
        "Members may not bring dogs or cats.",
        "The fund can lower a risk that is unique to one company or industry.",
        "The studies also identify some limitations and areas for improvement.",
        "Guests can reach the fort by bus, by ferry, or on foot.",
        "The lamp is red or green.",
        # what may say when, or of which thing
        "Taken with food, the pill works faster.",
        "Take bus 27 to Skerra Lane, which runs at night.",
        # of some the one holds, of some the other, or both of all
        "The town flies red and white flags.",
        "The treaty marked the end of old feuds and Osk's slow integration into the "
        "league.",
        # what is no verb, no subject, no thing of which more could be said
        "Without any rule the guard does nothing and ends the day.",
        "Guests need no booking except on the Tern, which has 48 seats.",
        # what stands for a thing that another member names
        "The guide shows how to dump the data and load it into a new base.",
        "The fee covers the hall and its stage.",
        # times
        "The lamp is red while the pump runs.",
        "The tower holds a bell, while the other has 2.",
        "Oak slows the growth of moss, while lime and ash help it.",
        # no clause of its own
        "Kelp keeps encrypted, dated copies.",
        "Is the mill open on Mondays and Fridays?",
    ],
)
def test_what_is_one_together_stays_together(text: str) -> None:
    assert said_in(text) == (text,)


_THINGS = ["oats", "a bell", "the old mill", "rye bread", "Tarn cheese", "five lamps"]


@settings(deadline=None, max_examples=40)  # the language model loads within one
@given(
    st.sampled_from(["The shop sells", "The list names", "Kestrel was seen with"]),
    st.lists(st.sampled_from(_THINGS), min_size=2, max_size=5, unique=True),
    st.booleans(),
    st.sampled_from(["", " in the hall", " on Mondays"]),
)
def test_a_fact_adds_no_word_and_points_at_its_own(
    start: str, things: list[str], comma: bool, end: str
) -> None:
    joined = ", ".join(things[:-1]) + ("," if comma and len(things) > 2 else "")
    text = f"{start} {joined} and {things[-1]}{end}."
    found = split_facts(text)
    for fact in found:
        assert len(fact.text) == len(fact.origins)
        words = {word.strip(",.") for word in text.split()}
        assert {word.strip(",.") for word in fact.text.split()} <= words
        letters = [
            (char, text[at])
            for char, at in zip(fact.text, fact.origins, strict=True)
            if char.isalnum()
        ]
        assert all(left.casefold() == right.casefold() for left, right in letters)
    said = " ".join(fact.text for fact in found)
    assert all(thing in said for thing in things)


def test_a_denied_twin_never_comes_apart() -> None:
    for verb in ("sells", "lends", "repairs"):
        assert len(split_facts(f"The shop {verb} boats and sails.")) == 2
        assert len(split_facts(f"The shop only {verb} boats and sails.")) == 1
        assert len(split_facts(f"The shop never {verb} boats and sails.")) == 1
