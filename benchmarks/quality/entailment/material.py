"""Pairs of passage and claim, labelled, from the frames of this folder.

A frame is a passage with claims that it states, rules out, or leaves open, written for
this project; slots vary names, figures and words (frames/*.jsonl). From one frame come
many pairs: other values, distracting sentences, a figure changed, a claim denied.
"""

from __future__ import annotations

import ast
import hashlib
import json
import operator
import random
import re
import string
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimscope.core.verify.normalisation import canonical
from claimscope.core.verify.statements import join_statements, statements

FRAMES = Path(__file__).parent / "frames"
LABELS = ("entails", "contradicts", "silent")
GROUPS = {"true": 0, "false": 1, "silent": 2}
HELD_OUT = 12
"""One frame in so many is kept for validation."""


def premise_of(passage: str) -> str:
    """A short passage as one premise: its statements in order."""
    return join_statements([one.text for one in statements(passage) if not one.is_head])


@dataclass(frozen=True)
class Pair:
    """A premise and a claim, both in canonical form, with the index of the label."""

    premise: str
    claim: str
    label: int
    kind: str


_START = """
    Bar Bel Cor Dan Dol Ed Fal Fen Gar Gil Hal Har Ing Jor Kel Kes Lan Lor Mar Mel
    Nor Oak Or Pel Quin Ram Ros Sel Sol Tam Tor Ul Val Ver Wes Win Yar Zan
""".split()
_MIDDLE = "a e i o u ar el en in or al er".split()
_TAILS = {
    "product": "dex ton via max ra lo rix mo vo nix tra bell dor".split(),
    "town": "ford ham ton bury stead mouth field wick dale port bridge haven".split(),
    "org": (
        "tech works Systems Foods Bank Group Labs Rail Energy Press Motors Travel"
    ).split(),
    "drug": "stat mab pril vir zole din cillin nib formin prost oxin amide".split(),
    "river": "a e el en er is ow ay".split(),
    "software": "db kit Base flow Sync hub lint Cast mux port Query".split(),
    "surname": "sen berg ley man well son by ner ski croft low rand".split(),
}
WOMEN = """
    Ada Bea Cleo Dora Edith Freya Greta Hana Ines Jana Kira Lena Maya Nora Olga
    Petra Rosa Sara Tess Uma Vera Wilma Yara Zoe Alma Brita
""".split()
MEN = """
    Adam Ben Carl David Emil Finn Gus Hugo Ivan Jonas Kurt Leo Milo Nils Otto Paul
    Quinn Ralf Sven Tom Udo Viktor Will Yan Zeno Aron
""".split()
MONTHS = """
    January February March April May June July August September October November
    December
""".split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_ONES = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen
    fourteen fifteen sixteen seventeen eighteen nineteen
""".split()
_TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = {
    1: "first",
    2: "second",
    3: "third",
    5: "fifth",
    8: "eighth",
    9: "ninth",
    12: "twelfth",
}


def in_words(n: int) -> str:
    """A whole number below a million in words."""
    if n < 20:
        return _ONES[n]
    if n < 100:
        return _TENS[n // 10] + (f"-{_ONES[n % 10]}" if n % 10 else "")
    if n < 1000:
        rest = f" and {in_words(n % 100)}" if n % 100 else ""
        return f"{_ONES[n // 100]} hundred{rest}"
    rest = f" {in_words(n % 1000)}" if n % 1000 else ""
    return f"{in_words(n // 1000)} thousand{rest}"


def ordinal(n: int) -> str:
    if n % 100 in (11, 12, 13):
        return f"{n}th"
    return f"{n}" + {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")


def ordinal_in_words(n: int) -> str:
    if n in _ORDINALS:
        return _ORDINALS[n]
    if n < 20:
        return in_words(n) + "th"
    if n % 10 == 0:
        return in_words(n)[:-1] + "ieth"
    return f"{_TENS[n // 10]}-{ordinal_in_words(n % 10)}"


_MODELS = "10 20 30 50 100 200 300 S X Mini Pro".split()


def made_name(kind: str, chance: random.Random) -> str:
    stem = chance.choice(_START) + (
        chance.choice(_MIDDLE) if chance.random() < 0.5 else ""
    )
    tail = chance.choice(_TAILS[kind])
    if tail[0].isupper():
        return f"{stem}{chance.choice(('', 'o', 'a'))} {tail}"
    if kind == "product" and chance.random() < 0.4:
        return f"{stem}{tail} {chance.choice(_MODELS)}"
    return stem + tail


class _Words(string.Formatter):
    def format_field(self, value: Any, spec: str) -> str:
        if spec == "w":
            return in_words(int(value))
        if spec == "o":
            return ordinal(int(value))
        if spec == "ow":
            return ordinal_in_words(int(value))
        return str(super().format_field(value, spec))


def said_of(wording: str, values: dict[str, Any]) -> str:
    """A wording of a frame with its slots filled."""
    return str(_Words().vformat(wording, (), values))


def _drawn(kind: Any, chance: random.Random) -> Any:
    if isinstance(kind, list):
        return chance.choice(kind)
    name, _, bounds = kind.partition(":")
    if name == "person":
        return f"{chance.choice(WOMEN + MEN)} {made_name('surname', chance)}"
    if name in ("woman", "man", "month", "weekday"):
        lists = {"woman": WOMEN, "man": MEN, "month": MONTHS, "weekday": WEEKDAYS}
        return chance.choice(lists[name])
    if name in _TAILS:
        return made_name(name, chance)
    low, high = re.match(r"(-?[\d.]+)-(-?[\d.]+)", bounds).groups()  # type: ignore[union-attr]
    step = bounds.partition(f"{low}-{high}")[2].lstrip(":")
    if name == "decimal":
        return round(chance.uniform(float(low), float(high)), 1)
    return chance.randrange(int(float(low)), int(float(high)) + 1, int(step or 1))


_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}


def _computed(text: str, values: dict[str, Any]) -> Any:
    def value(node: ast.AST) -> Any:
        if isinstance(node, ast.BinOp):
            return _OPERATORS[type(node.op)](value(node.left), value(node.right))
        if isinstance(node, ast.Name):
            return values[node.id]
        if isinstance(node, ast.Constant):
            return node.value
        raise ValueError(f"cannot compute {text!r}")

    found = value(ast.parse(text, mode="eval").body)
    return round(found, 2) if isinstance(found, float) else found


def filled(frame: dict[str, Any], chance: random.Random) -> dict[str, Any] | None:
    """Values for the slots of a frame; None when none fit."""
    for _ in range(40):
        values: dict[str, Any] = {}
        if frame.get("rows"):
            values |= chance.choice(frame["rows"])
        computed = {}
        for name, kind in frame.get("slots", {}).items():
            if isinstance(kind, str) and kind.startswith("="):
                computed[name] = kind[1:]
            else:
                values[name] = _drawn(kind, chance)
        try:
            for name, text in computed.items():
                values[name] = _computed(text, values)
        except (ZeroDivisionError, KeyError):
            return None
        if len({str(v) for v in values.values()}) < len(values):
            continue
        if any(isinstance(v, int | float) and v < 0 for v in values.values()):
            continue
        if all(_holds(one, values) for one in frame.get("where", ())):
            return values
    return None


def _holds(rule: str, values: dict[str, Any]) -> bool:
    left, sign, right = re.match(r"(.+?)\s*([<>])\s*(.+)", rule).groups()  # type: ignore[union-attr]
    a, b = _computed(left, values), _computed(right, values)
    return bool(a < b if sign == "<" else a > b)


def frames(folder: Path = FRAMES) -> list[dict[str, Any]]:
    """All frames, each with an `id`; broken lines are named and left out."""
    found = []
    for path in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            try:
                frame = json.loads(line)
                frame["id"] = f"{path.stem}:{number}"
                values = filled(frame, random.Random(0))
                if values is None:
                    raise ValueError("no values fit")
                for group in ("evidence", "turned", *GROUPS):
                    for text in frame.get(group, ()):
                        said_of(text, values)
            except (
                ValueError,
                KeyError,
                IndexError,
                TypeError,
                AttributeError,
            ) as error:
                print(f"{path.name}:{number}: left out: {type(error).__name__} {error}")
                continue
            found.append(frame)
    return found


def number_of(frame: dict[str, Any]) -> int:
    """A hash of its place."""
    return int(hashlib.sha256(frame["id"].encode()).hexdigest(), 16)


def is_held_out(frame: dict[str, Any]) -> bool:
    """By its number, so that it stays out for good."""
    return number_of(frame) % HELD_OUT == 0


_AUX = re.compile(r"\b(is|are|was|were|has|have|can|will|does|did|do)\b(?! not\b)")
_SCOPED = re.compile(
    r"(?i)\b(?:not|no|never|none|neither|nor|only|all|every|each|both|any|some|most"
    r"|many|few|several|and|but|or|because|if|unless|until|either|n't|without|nothing"
    r"|nobody|also|so|more|less|fewer|than|at least|at most|up to|must|may|should"
    r"|cannot|still|yet|always|too|just|about|first|then|who|which|that|when|where)\b|n't|,|;|:"
)
_FIGURE = re.compile(r"(?<![\w.,-])\d+(?:\.\d+)?(?![\w.,]*\d)")


def denied(claim: str) -> str | None:
    """The claim with its verb denied, when that turns it round for sure."""
    if _SCOPED.search(claim):
        return None
    found = list(_AUX.finditer(claim))
    if len(found) != 1:
        return None
    one = found[0]
    rest = claim[one.end() :]
    if one[1] in ("has", "have") and not re.match(r"\s+(?:been|\w+ed)\b", rest):
        return None
    if one[1] in ("do", "does", "did"):
        return None
    return f"{claim[: one.end()]} not{rest}"


def other_figure(claim: str, premise: str, chance: random.Random) -> str | None:
    """The claim with one figure of the premise changed to one that stands nowhere."""
    places = [
        m
        for m in _FIGURE.finditer(claim)
        if re.search(rf"(?<![\w.]){re.escape(m.group())}(?![\w.])", premise)
    ]
    if not places:
        return None
    one = chance.choice(places)
    digits = one.group()
    for _ in range(10):
        spot = chance.randrange(len(digits))
        if not digits[spot].isdigit():
            continue
        changed = digits[:spot] + chance.choice("123456789") + digits[spot + 1 :]
        if changed != digits and changed not in premise:
            return claim[: one.start()] + changed + claim[one.end() :]
    return None


def pairs_of(
    frame: dict[str, Any],
    chance: random.Random,
    others: Sequence[str] = (),
    strangers: Sequence[str] = (),
    made: bool = True,
) -> Iterator[Pair]:
    """Pairs of one filling of a frame. `others`: passages to distract with;
    `strangers`: claims of other frames."""
    values = filled(frame, chance)
    if values is None:
        return
    # A turned passage states the false claims and rules out the true ones.
    is_turned = bool(frame.get("turned")) and chance.random() < 0.5
    wordings = frame["turned"] if is_turned else frame["evidence"]
    passage = said_of(chance.choice(wordings), values)
    if others and chance.random() < 0.12:
        extra = chance.choice(others)
        passage = (
            f"{extra}\n\n{passage}"
            if chance.random() < 0.5
            else f"{passage}\n\n{extra}"
        )
    kind = frame["kind"]
    premise = premise_of(passage)
    for group, label in GROUPS.items():
        if is_turned and label < 2:
            label = 1 - label
        for text in frame[group]:
            # What is not stated is learned first, and from few.
            if made and label == 2 and chance.random() < 0.3:
                continue
            claim = canonical(said_of(text, values))
            claim = re.sub(r"^[-*•]\s+", "", claim)
            if chance.random() < 0.15:
                claim = claim.rstrip(".")
            yield Pair(premise, claim, label, kind)
            if not made:
                continue
            if label < 2 and chance.random() < 0.25:
                turned = denied(claim)
                if turned:
                    yield Pair(premise, turned, 1 - label, kind)
            if (
                label == 0
                and kind not in ("bounds", "comparison")
                and chance.random() < 0.2
            ):
                turned = other_figure(claim, premise, chance)
                if turned:
                    yield Pair(premise, turned, 1, kind)
    if made and strangers:
        yield Pair(premise, chance.choice(strangers), 2, kind)


def copied(premise: str, said: Sequence[str], chance: random.Random) -> Iterator[Pair]:
    """Pairs whose claim is a statement of the passage as it stands, or with one figure
    changed, exchanged, or its verb denied: the first thing to learn is to compare."""
    for text in said:
        if not 4 <= len(text.split()) <= 30:
            continue
        turn = chance.random()
        if turn < 0.3:
            yield Pair(premise, text, 0, "copy")
        elif turn < 0.55:
            changed = other_figure(text, premise, chance)
            if changed:
                yield Pair(premise, changed, 1, "copy")
        elif turn < 0.75:
            changed = exchanged(text, premise, chance)
            if changed:
                yield Pair(premise, changed, 1, "copy")
        else:
            changed = denied(text)
            if changed:
                yield Pair(premise, changed, 1, "copy")


def exchanged(text: str, premise: str, chance: random.Random) -> str | None:
    """The statement with another figure of the passage in place of its own."""
    own = [m for m in _FIGURE.finditer(text)]
    if len(own) != 1:
        return None
    others = {m.group() for m in _FIGURE.finditer(premise)} - {own[0].group()}
    if not others:
        return None
    other = chance.choice(sorted(others))
    return text[: own[0].start()] + other + text[own[0].end() :]


def comparisons(seed: int, fillings: int = 8, distracted: float = 0.1) -> list[Pair]:
    """Pairs by `copied`, and claims of strangers, from the passages of all frames."""
    chance = random.Random(seed)
    taken = [one for one in frames() if not is_held_out(one)]
    read = []
    for frame in taken:
        for _ in range(fillings if frame.get("slots") or frame.get("rows") else 1):
            values = filled(frame, chance)
            if values is None:
                continue
            passage = said_of(chance.choice(frame["evidence"]), values)
            read.append([one.text for one in statements(passage) if not one.is_head])
    found: list[Pair] = []
    for said in read:
        premise = join_statements(said)
        if chance.random() < distracted:
            premise = join_statements([*said, *chance.choice(read)])
        found += copied(premise, said, chance)
        if chance.random() < 0.5:
            found.append(
                Pair(
                    premise, chance.choice(chance.choice(read) or [premise]), 2, "copy"
                )
            )
    found = [p for p in dict.fromkeys(found) if p.claim not in ("", p.premise)]
    chance.shuffle(found)
    return found


def material(
    seed: int,
    fillings: int = 12,
    without: Sequence[str] = (),
    held_out: bool = False,
    older: float = 1.0,
    newest: float = 1.0,
    turn: tuple[int, int] = (0, 1),
) -> list[Pair]:
    """Pairs for training (or, `held_out`, for validation), shuffled.

    A frame with slots gives `fillings` fillings, one without gives a quarter of them.
    `older`, `newest`: shares of the frames of all rounds but the newest, and of it.
    `turn`: (which, of how many) parts of the newest round, for workers that share it.
    """
    chance = random.Random(seed)
    rounds = {one["id"].partition("_")[0] for one in frames()}
    last = max(name for name in rounds if name.startswith("round"))

    def is_drawn(frame: dict[str, Any]) -> bool:
        if not frame["id"].startswith(last):
            return chance.random() < older
        part = number_of(frame) // HELD_OUT % turn[1]
        return chance.random() < newest and part == turn[0]

    taken = [
        one
        for one in frames()
        if is_held_out(one) == held_out
        and one["kind"] not in without
        and (held_out or is_drawn(one))
    ]
    passages, claims = [], []
    for frame in taken:
        values = filled(frame, chance)
        if values is not None:
            passages.append(said_of(frame["evidence"][0], values))
            claims.append(canonical(said_of(frame["true"][0], values)))
    short = [text for text in passages if len(text) < 260]
    found: list[Pair] = []
    for frame in taken:
        count = (
            fillings
            if frame.get("slots") or frame.get("rows")
            else max(1, fillings // 4)
        )
        for _ in range(1 if held_out else count):
            found += pairs_of(
                frame, chance, () if held_out else short, () if held_out else claims,
                made=not held_out,
            )  # fmt: skip
    found = list(dict.fromkeys(found))
    chance.shuffle(found)
    return found
