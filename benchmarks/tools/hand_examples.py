"""Examples of each metric worked out by hand, and those of the seed documents.

Figures that a seed gives for its own example are kept beside ours, with the reason
where they differ. `worked_examples.py` makes the table in docs/metrics.md of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log


@dataclass(frozen=True)
class Example:
    """One row of a file for `claimscope score`, and what a metric is to say of it."""

    metric: str
    section: str
    row: Mapping[str, object]
    hand: float
    """The value worked out by hand."""
    working: str
    seed: str = "–"
    """The seed's own figure, where it gives one."""
    why: str = ""
    """Why the seed's differs."""
    settings: Mapping[str, object] = field(default_factory=dict)
    grade: int | None = None
    """For metrics of a judge: the grade that a model gave."""


ORLA = "The Orla crane lifts 40 tonnes. It was painted red in 1952."
CRANE: Mapping[str, object] = {
    "question": "What is known of the Orla crane?",
    "answer": "The Orla crane lifts 40 tonnes. The Orla crane lifts 55 tonnes.",
    "contexts": [ORLA],
}
TWO_OF_THREE: Mapping[str, object] = {
    "question": "What is known of the Orla crane?",
    "answer": "The Orla crane lifts 40 tonnes. The Orla crane was painted red.",
    "reference": "The Orla crane lifts 40 tonnes. The Orla crane was painted red. "
    "Its driver came from Tarnby.",
}
SAME: Mapping[str, object] = {"question": "Tell.", "answer": ORLA, "reference": ORLA}
PARIS: Mapping[str, object] = {
    "question": "What is Paris?",
    "answer": "Paris is the capital of France. The Eiffel Tower is in Paris.",
    "reference": "Paris is the capital of France. "
    "The Eiffel Tower is located in Paris.",
}
COSINE_OF_PARIS = 0.991
REQUIRED: Mapping[str, object] = {
    "question": "What is known of the Orla crane?",
    "answer": "The Orla crane lifts 40 tonnes.",
    "claims": [
        {"text": "The Orla crane lifts 40 tonnes.", "importance": "required"},
        {"text": "Tickets are sold at the west gate.", "importance": "required"},
        {"text": "The museum has a café.", "importance": "optional"},
    ],
}
CITED: Mapping[str, object] = {
    "question": "What does the crane lift?",
    "answer": "The Orla crane lifts 40 tonnes [1]. Nobody has lifted more [7].",
    "contexts": [ORLA, "The quay was flooded in 1981."],
    "citations": [{"page_id": "1"}, {"page_id": "2"}],
}
RETRIEVED: Mapping[str, object] = {
    "question": "What does the crane lift?",
    "answer": "The Orla crane lifts 40 tonnes.",
    "retrieved": ["q:1:S:9", "q:2:S:0", "q:1:S:3", "q:3:S:1", "q:4:S:2"],
    "citations": [{"page_id": "q:1", "sentence": 3}, {"page_id": "q:4"}],
}
CARRIED: Mapping[str, object] = {
    "question": "What does the crane lift?",
    "answer": "The Orla crane lifts 40 tonnes [1]. The quay was flooded in 1981 [1].",
    "contexts": ["The Orla crane lifts 40 tonnes."],
}
PRIMARY: Mapping[str, object] = {
    "question": "What is the first-line treatment for type 2 diabetes?",
    "answer": "Metformin is recommended as first-line therapy [PMID:12345678, S:3].",
    "citations": [
        {
            "page_id": "PMID:12345678",
            "sentence": 3,
            "key_phrase": "Metformin is recommended as first-line therapy",
        }
    ],
}


def named(answer: str) -> Mapping[str, object]:
    """A row about a source."""
    return {
        "question": "Where can I read on?",
        "answer": answer,
        "domain": "example.com",
        "brands": ["Orla Works"],
    }


def prompted(question: str, answer: str) -> Mapping[str, object]:
    """A row of text quality."""
    return {"question": question, "answer": answer}


WEATHER = (
    "The weather is nice today. However, it might rain later. Therefore, we should "
    "bring umbrellas."
)
UMBRELLA = "The weather is nice. However, it might rain. Therefore, bring an umbrella."
CATS = "Cats are animals. Pizza is food. Cars are vehicles."
HUMAN = "AI is artificial intelligence that simulates human thinking."
MACHINES = (
    "Artificial intelligence (AI) is the simulation of human intelligence in machines. "
    "AI applications include machine learning, natural language processing, and "
    "computer vision."
)
LEARNING = (
    "Machine learning is a subset of artificial intelligence that enables computers to "
    "learn from data."
)
INDUSTRIES = (
    "Artificial intelligence is transforming industries. It enables automation and "
    "improves efficiency. In conclusion, AI will continue to shape our future."
)
WORDS = "The sophisticated algorithm demonstrates remarkable efficiency and "
WORDS += "effectiveness."
CONCEPT = (
    "Explain the concept of artificial intelligence and describe its applications."
)

EXAMPLES = (
    Example("claim_support", "003", CRANE, 1 / 2, "1 of 2 claims supported"),
    Example("hallucination_rate", "003", CRANE, 1 / 2, "1 of 2 claims contradicted"),
    Example(
        "factual_correctness",
        "003 step 1",
        TWO_OF_THREE,
        0.8,
        "precision 2/2, recall 2/3: F1 = 2 x 1 x 2/3 / (1 + 2/3)",
    ),
    Example(
        "answer_correctness",
        "003 step 3",
        SAME,
        1,
        "0.75 x 1 + 0.25 x 1: the texts are the same",
    ),
    Example(
        "factual_correctness",
        "003 usage example",
        PARIS,
        1,
        "2 of 2 claims supported, both ways",
        "high",
    ),
    Example(
        "semantic_similarity", "003 step 2", SAME, 1, "cosine of a text and itself"
    ),
    Example("accuracy", "000 metric 1", SAME, 100, "100 x cosine of a text and itself"),
    Example(
        "claim_completeness",
        "000 metric 2",
        REQUIRED,
        50,
        "100 x 1 found / 2 required; the optional one is not counted",
    ),
    Example(
        "attribution",
        "000 metric 3, url",
        named("See https://example.com/cranes for more."),
        100,
        "an address: 100",
        "100",
    ),
    Example(
        "attribution",
        "000 metric 3, domain",
        named("The page of www.example.com says so."),
        75,
        "a domain: 75",
        "75",
    ),
    Example(
        "attribution",
        "000 metric 3, brand",
        named("Orla Works says so."),
        50,
        "a brand: 50",
        "50",
    ),
    Example(
        "attribution",
        "000 metric 3, bonus",
        named("Orla Works says so on example.com, and Orla Works should know."),
        95,
        "75 + 2 further mentions x 10",
        "bonus, capped",
    ),
    Example(
        "highlights",
        "000 feedback",
        {
            "question": "What does the crane lift?",
            "answer": "The Orla crane lifts 40 tonnes. My uncle sings in a choir here.",
            "contexts": [ORLA],
        },
        100 * 31 / 62,
        "31 characters of the matched sentence / 62 of both",
    ),
    Example(
        "citation_existence", "002 property 3", CITED, 1 / 2, "1 of 2 is in the list"
    ),
    Example("citation_precision", "002 property 4", CITED, 1 / 2, "1 valid / 2 in all"),
    Example("citation_recall", "002 property 5", CITED, 1 / 2, "1 hit / 2 expected"),
    Example("citation_f1", "002 metrics", CITED, 1 / 2, "2 x 0.5 x 0.5 / (0.5 + 0.5)"),
    Example(
        "citation_recall",
        "002 test set",
        PRIMARY,
        1,
        "same page, same sentence: 1 hit / 1 expected",
    ),
    Example(
        "citation_support_recall",
        "002; ALCE",
        CARRIED,
        1 / 2,
        "1 of 2 sentences carried by what it cites",
    ),
    Example(
        "citation_support_precision",
        "002; ALCE",
        CARRIED,
        1 / 2,
        "1 of 2 citations carries its sentence",
    ),
    Example("recall_at_1", "002", RETRIEVED, 0, "0 of 2 in the first"),
    Example("recall_at_3", "002", RETRIEVED, 1 / 2, "1 of 2 in the first three"),
    Example("recall_at_5", "002", RETRIEVED, 1, "2 of 2 in the first five"),
    Example("recall_at_10", "002", RETRIEVED, 1, "2 of 2: only five were retrieved"),
    Example("judge_faithfulness", "001", CRANE, 2, "the grade itself", grade=2),
    Example("judge_completeness", "001", CRANE, 4, "the grade itself", grade=4),
    Example(
        "coherence",
        "004 part 1, example",
        prompted("How is the weather?", WEATHER),
        1,
        "connectors min(2 / (0.3 x 3), 1) = 1, pronouns 1, topics 1",
        "0.89",
        "the seed multiplies by 0.3 where its formula divides by it",
    ),
    Example(
        "coherence",
        "004 test cases, connected",
        prompted("How is the weather?", UMBRELLA),
        1,
        "as above: 2 connectors in 3 sentences",
        "0.8",
        "as above; what counts is that it is above the next",
    ),
    Example(
        "coherence",
        "004 test cases, unconnected",
        prompted("What are things?", CATS),
        (0 + 1 + 1 - 1.4 / 3) / 3,
        "connectors 0, pronouns 1, 2 shifts beyond 0.2 a sentence: 1 - 1.4/3",
        "0.3",
        "no pronoun is unclear, so that part alone gives 1/3",
    ),
    Example(
        "prompt_completeness",
        "004 part 2, example",
        prompted(CONCEPT, MACHINES),
        (0.6 + 0.4 * 22 / 25 + 1 + 1) / 3,
        "keywords 0.6 x 2/2 + 0.4 x 22/25 words, no question, 2 of 2 tasks",
        "1.0",
        "the seed leaves the length out of its keyword coverage",
    ),
    Example(
        "prompt_completeness",
        "004 test cases, direct",
        prompted("Explain machine learning.", LEARNING),
        1,
        "keyword 1/1, 15 words of 7.5, task done",
        "0.9",
        "by the formula nothing is missing",
    ),
    Example(
        "prompt_completeness",
        "004 test cases, irrelevant",
        prompted("Explain machine learning.", "The weather is nice today."),
        0.4 * 5 / 7.5 / 3,
        "keyword 0/1, 0.4 x 5/7.5 words; no question or task can count",
        "0.1",
        "0.09 is 0.1",
    ),
    Example(
        "length",
        "004 part 3, example",
        prompted("What is AI?", HUMAN),
        1 - abs(log(8 / 7.5)),
        "1 - |ln(8 words / (2.5 x 3))|",
        "0.82",
        "the seed counts 9 words where there are 8",
    ),
    Example(
        "structure",
        "004 part 4, example",
        prompted("What is artificial intelligence?", INDUSTRIES),
        1,
        "1 paragraph of 1, introduction, conclusion",
        "1.0",
    ),
    Example(
        "vocabulary",
        "004 part 5, example",
        prompted("What does it do?", WORDS),
        (1 + 6 / 8 + 1) / 3,
        "8 of 8 unique, 6 of 8 over 6 letters and rare, none repeated",
        "0.79",
        "the seed counts 3 sophisticated words; its rule gives 6",
    ),
    Example(
        "overall_quality",
        "004 weights",
        prompted("What is AI?", HUMAN),
        0.5 * (1 - abs(log(8 / 7.5))) + 0.5 * 2 / 3,
        "half length, half structure (no conclusion: 2/3)",
        settings={"quality_weights": "length=0.5,structure=0.5"},
    ),
    Example(
        "overall",
        "000 open questions",
        {**CRANE, "domain": "orla.example", "brands": ["Orla"]},
        (3 * 0.5 + 1 * 0.6) / 4,
        "3 x claim support 0.5 + 1 x attribution 60/100, over 4",
        settings={"metric_weights": "claim_support=3,attribution=1"},
    ),
)
