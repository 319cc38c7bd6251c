"""Words that mean the same, and words that exclude one another, from WordNet's files.

    PYTHONPATH=FOLDER python -m benchmarks.quality.entailment.wordnet DICT OUT

DICT is the folder of WordNet 3.0's data (the Debian package wordnet-base), FOLDER where
the package lemminflect lies. Written are lines of tag, word, other word, "same" or
"opposite", with all inflected forms. Two words mean the same only when the sense
in which each is mostly used is the same: "begin" and "start", not "take" and "ask". The
table is part of the training material; its licence lies beside it.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

NAMES = {"verb": "VERB", "noun": "NOUN", "adj": "ADJ", "adv": "ADV"}
TAGS = {
    "VERB": ("VB", "VBD", "VBG", "VBN", "VBZ", "VBP"),
    "NOUN": ("NN", "NNS"),
    "ADJ": ("JJ",),
    "ADV": ("RB",),
}
LEAST = 3
"""Times that a word was counted in a sense in WordNet's own texts, at least."""
SAME = {"VERB": 0.7, "NOUN": 0.85, "ADJ": 0.8, "ADV": 0.7}
OPPOSITE = 0.4
"""Least share of a word's uses that are in the sense in question."""


def senses(folder: Path, part: str) -> dict[tuple[str, str], int]:
    """(synset, word): the number of that sense of the word, 1 the most frequent."""
    found = {}
    for line in (folder / f"index.{part}").read_text("utf-8").splitlines():
        if line.startswith(" "):
            continue
        fields = line.split()
        offsets = fields[-int(fields[2]) :]
        for number, offset in enumerate(offsets, 1):
            found[offset, fields[0]] = number
    return found


def counts(folder: Path) -> dict[tuple[str, str, int], int]:
    """(part of speech, word, number of the sense): how often it was counted."""
    parts = {"1": "noun", "2": "verb", "3": "adj", "4": "adv", "5": "adj"}
    found = {}
    for line in (folder / "cntlist.rev").read_text("utf-8").splitlines():
        key, number, count = line.split()
        word, _, rest = key.partition("%")
        found[parts[rest[0]], word, int(number)] = int(count)
    return found


def synsets(
    folder: Path, part: str
) -> Iterator[tuple[str, list[str], list[tuple[int, str, int]]]]:
    """(offset, words, opposites: own word's place, other synset, its word's place)."""
    for line in (folder / f"data.{part}").read_text("utf-8").splitlines():
        if line.startswith(" "):
            continue
        fields = line.partition("|")[0].split()
        size = int(fields[3], 16)
        words = [w.partition("(")[0].lower() for w in fields[4 : 4 + 2 * size : 2]]
        at = 4 + 2 * size
        opposites = []
        for n in range(int(fields[at])):
            sign, offset, _, places = fields[at + 1 + 4 * n : at + 5 + 4 * n]
            if sign == "!":
                opposites.append((int(places[:2], 16), offset, int(places[2:], 16)))
        yield fields[0], words, opposites


def pairs(folder: Path) -> Iterator[tuple[str, str, str, str]]:
    """(part of speech, word, other, "same" or "opposite") of lemmas."""
    counted = counts(folder)
    for part, name in NAMES.items():
        sense = senses(folder, part)
        known = {offset: words for offset, words, _ in synsets(folder, part)}

        totals: Counter[str] = Counter()
        for (kind, word, _), times in counted.items():
            totals[word] += times if kind == part else 0

        def common(
            word: str,
            offset: str,
            share: float,
            known: tuple[str, dict[tuple[str, str], int], Counter[str]] = (
                part,
                sense,
                totals,
            ),
        ) -> bool:
            part, sense, totals = known
            number = sense.get((offset, word), 99)
            times = counted.get((part, word, number), 0)
            return word.isalpha() and times >= max(LEAST, share * totals[word])

        for offset, words, opposites in synsets(folder, part):
            same = [word for word in words if common(word, offset, SAME[name])]
            for one in same:
                for other in same:
                    if one != other:
                        yield name, one, other, "same"
            for mine, where, theirs in opposites:
                one = words[mine - 1]
                other = known[where][theirs - 1]
                if common(one, offset, OPPOSITE) and common(other, where, OPPOSITE):
                    yield name, one, other, "opposite"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    from lemminflect import getInflection

    lines: dict[str, None] = {}
    kinds: dict[str, int] = defaultdict(int)
    for name, one, other, kind in pairs(arguments.folder):
        kinds[f"{name} {kind}"] += 1
        for tag in TAGS[name]:
            mine, theirs = getInflection(one, tag=tag), getInflection(other, tag=tag)
            if mine and theirs and " " not in mine[0] + theirs[0]:
                lines[f"{tag}\t{mine[0]}\t{theirs[0]}\t{kind}"] = None
    arguments.out.write_text("\n".join(lines) + "\n", "utf-8")
    print(dict(kinds), len(lines), "lines", file=sys.stderr)


if __name__ == "__main__":
    main()
