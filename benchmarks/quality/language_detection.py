"""How often a short text is taken for another language than it is in.

    python -m benchmarks.quality.language_detection [--english SENTENCES.txt]

Sentences are the examples that spaCy brings for 30 languages, cut to so many letters;
for English a file with one sentence a line may be added, as there are few. For each
length: English taken for another language, and others for English, by the rule of
`languages.language` and when the likeliest language is simply believed.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterator
from pathlib import Path

from claimscope.core.text import languages

LANGUAGES = (
    "ar bg ca cs da de el es fi fr he hr hu id it ja ko nb nl pl pt ro ru sk sv tr uk "
    "vi zh hi"
).split()
LETTERS = (20, 25, 30, 40, 60)


def examples(code: str) -> list[str]:
    """spaCy's sentences of a language."""
    module = importlib.import_module(f"spacy.lang.{code}.examples")
    return [str(sentence) for sentence in module.sentences]


def cut(sentence: str, letters: int) -> str | None:
    """Its first words with so many letters; None when it is shorter."""
    taken: list[str] = []
    for word in sentence.split():
        taken.append(word)
        if sum(c.isalpha() for c in "".join(taken)) >= letters:
            return " ".join(taken)
    return None


def errors(texts: list[str], is_english: bool) -> Iterator[str]:
    """Shares of wrong ones: by the rule, and by the likeliest language."""
    likeliest = [languages.loaded_identifier().classify(text)[0] for text in texts]
    for found in ([languages.language(text) for text in texts], likeliest):
        wrong = sum((code == "en") is not is_english for code in found)
        yield f"{wrong / len(texts):7.3f}" if texts else "      -"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--english", type=Path)
    options = parser.parse_args()
    english = examples("en")
    if options.english:
        english += options.english.read_text("utf-8").splitlines()
    others = [sentence for code in LANGUAGES for sentence in examples(code)]
    print("letters  English: n   rule  likeliest   others: n   rule  likeliest")
    for letters in LETTERS:
        left = [short for text in english if (short := cut(text, letters))]
        right = [short for text in others if (short := cut(text, letters))]
        ours, plain = errors(left, True)
        theirs, plainly = errors(right, False)
        print(
            f"{letters:7} {len(left):11} {ours} {plain}   {len(right):9} {theirs} "
            f"{plainly}"
        )


if __name__ == "__main__":
    main()
