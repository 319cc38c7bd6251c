"""What a training takes of further pairs."""

from __future__ import annotations

import random
from collections import Counter

from benchmarks.quality.entailment.material import Pair
from benchmarks.quality.entailment.train import some_groups


def test_some_pairs_are_whole_groups_of_a_premise() -> None:
    pairs = [
        Pair(f"premise {n % 20}", f"claim {n}", n % 2, "further") for n in range(100)
    ]
    found = some_groups(pairs, 23, random.Random(1))
    sizes = Counter(pair.premise for pair in found)
    assert len(found) == 25 and set(sizes.values()) == {5}
    assert sizes != Counter(p.premise for p in some_groups(pairs, 23, random.Random(2)))


def test_all_are_taken_where_there_are_fewer() -> None:
    pairs = [Pair(f"premise {n % 3}", f"claim {n}", 0, "further") for n in range(9)]
    found = some_groups(pairs, 10, random.Random(1))
    assert len(found) == 9 and set(found) == set(pairs)
