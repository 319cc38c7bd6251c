"""The properties of the reply reader over many more replies than the tests take.

    python -m benchmarks.durability.reply_reader [--examples 10000]

Any wrapping of a reply is read through, no cut reply is read as another one, of two
different replies none is taken, and arbitrary text is read or refused, never worse.
"""

from __future__ import annotations

import argparse
import time

from hypothesis import settings

from tests.core.calls import test_replies

PROPERTIES = (
    test_replies.test_any_wrapping_is_read_through,
    test_replies.test_a_cut_reply_is_never_another_one,
    test_replies.test_of_two_different_replies_none_is_taken,
    test_replies.test_any_text_is_read_or_refused,
    test_replies.test_a_repair_changes_no_string,
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=10_000)
    chosen = parser.parse_args()
    many = settings(max_examples=chosen.examples, deadline=None, database=None)
    for check in PROPERTIES:
        started = time.monotonic()
        many(check)()
        seconds = time.monotonic() - started
        print(f"{check.__name__}: {chosen.examples} examples hold ({seconds:.0f} s)")


if __name__ == "__main__":
    main()
