"""Things joined by "and", of each of which the sentence says the same.

"Reads PNG, JPEG and TIFF" says three things. To leave members of a list out says less
and never more where the rest of the sentence only asks that there be such a thing. So
nothing is taken apart below a denial, a condition or an "only", where several things
are one together (between A and B, a mix of A and B), where a figure counts them all, in
the phrase that says what is spoken of (shops with A and B are closed), and where two
lists may be meant pairwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from claimscope.core.text.clauses.assembly import assemble
from claimscope.core.text.linguistics import (
    HELPING,
    SUBJECTS,
    has_dependent,
    is_plural,
    subject_of,
)
from claimscope.core.text.readable import MappedText

KINDS = frozenset({"NOUN", "PROPN", "ADJ", "VERB", "ADP"})
"""Parts of speech whose lists can be told apart."""
_BETWEEN = frozenset({",", "and", "or", "also", "both", "as", "well"})
_BEFORE_LAST = (
    ["and"],
    [",", "and"],
    [",", "and", "also"],
    ["as", "well", "as"],
    [",", "as", "well", "as"],
    ["or"],
    [",", "or"],
)
KEEPS_WHOLE = re.compile(
    r"""(?ix)\b(?:not|never|no|none|nor|neither|either|nothing|nobody|hardly|barely
    |scarcely|rarely|seldom|few|fewer|little|without|only|solely|just|merely|purely
    |exclusively|alone|except|unless|respectively|together|jointly|each|altogether
    |total|combined|overall|sum|average|between|among|amongst|versus|vs|whether
    |lacks?|lacked|fails?|failed|den(?:y|ies|ied)|refus\w+|reject\w*|avoid\w*
    |unlikely|impossible|doubt\w*|enough|sufficient|simultaneously|alternat\w+|half
    |instead|rather|cannot|both\ of)\b|n[’']t\b|\?"""
)
"""Words that reach over a whole list, or deny it."""
_ONE_TOGETHER = re.compile(
    r"""(?ix)(?:mix|combin|merg|connect|link|join|unit|compar|blend|separat|distin
    |differ|swap|exchang|balanc|divid|match|pair|switch|toggl|cho[io]s|select|rang
    |consist|compris|compos|marr|ratio|sum|relation|trade|collab|interact|interpl
    |conflict|contrast|simil|correl|border|distan|union|intersect
    |couple|team|duo|equal|same|alike|identical|mean$|means$|refer|call|nam(?:e|ed)$
    |know|stand|spell|split|made$|makes?$|making)"""
)
"""Beginnings of words whose things are one together, and of those that give a name."""
_WHOLE = re.compile(r"(?i)(?:sets?|product|means?)$")
"""The same, of nouns only."""
_SHARED = re.compile(
    r"(?i)(?:meets?|met|shares?|shared|agree|form|work|live|account|make|cost|add)"
)
"""Verbs whose subjects may do together what is said."""
_STEPS = frozenset(
    """dobj pobj attr acomp oprd dative xcomp pcomp prep ccomp acl relcl agent conj
    advcl""".split()
)
_UNLISTED = frozenset("from than as except besides".split())
_FINITE = frozenset({"VBZ", "VBD", "VBP", "MD"})
_PER = frozenset({"of", "per", "to", "up", "about", "around", "over"})
_TIMES = frozenset("twice thrice two three four five six both pair double".split())
_ALL = frozenset({"attr", "acomp", "prep"})
_POSSIBLE = frozenset({"can", "may", "might", "could"})
_STANDS_FOR = frozenset("it its they them their one ones".split())
_QUALITIES = frozenset({"JJ", "JJR", "VBN", "VBG", "NN"})
_MIXED = frozenset(
    """black white grey gray red green blue yellow orange brown purple pink violet gold
    silver hot cold sweet sour""".split()
)
"""Of what is red and blue, each may be both."""
_BARE = frozenset({"VB", "VBG"})
ONE_FOR_MANY = {"are": "is", "were": "was", "have": "has"}
"""Forms of verbs behind several things, and behind one."""
MOST = 16
"""Members of a list; a longer one is left whole."""
_OWN = frozenset({"det", "poss", "nummod", "predet"})


@dataclass(frozen=True)
class Coordination:
    """Members of a list by the indices of their tokens."""

    heads: tuple[Any, ...]
    members: tuple[range, ...]

    @property
    def tail(self) -> range:
        """What is said of all members behind the last: "the price and size of it"."""
        end = self.heads[0].right_edge.i + 1
        return range(self.members[-1].stop, max(end, self.members[-1].stop))

    @property
    def is_choice(self) -> bool:
        """Is the last joined by "or"?"""
        last = self.members[-1].start
        return bool(self.heads[0].doc[last - 1].lower_ == "or")

    @property
    def span(self) -> range:
        """All of it, with what stands between the members."""
        return range(self.members[0].start, self.members[-1].stop)


def coordinated_statements(
    doc: Any, root: Any, *, behind: int = 0
) -> tuple[MappedText, ...]:
    """One statement for each member of the only list of a sentence, where it begins
    behind that character."""
    if keeps_lists_whole(doc):
        return ()
    found = [
        one
        for token in doc
        if (one := coordination_at(doc, token)) is not None
        and (not one.is_choice or may_split(doc, root, one))
    ]
    outer = [
        one for one in found if not any(_contains_list(other, one) for other in found)
    ]
    if len(outer) != 1 or outer[0].heads[0].idx < behind:
        return ()
    if not may_split(doc, root, outer[0]):
        return ()
    return tuple(_without_others(doc, outer[0]))


def _contains_list(outer: Coordination, inner: Coordination) -> bool:
    """Is a list part of a member of another, or the end of it?"""
    return outer is not inner and (
        inner.heads[0] in outer.heads[1:]
        or any(
            inner.span.start in member and inner.span.stop <= member.stop
            for member in outer.members
        )
    )


def _without_others(doc: Any, one: Coordination) -> Iterator[MappedText]:
    before = list(doc[: one.span.start])
    after = list(doc[one.span.stop :])
    while before and before[-1].lower_ == "both":
        before.pop()
    is_subject = one.heads[0].dep_ in SUBJECTS
    for head, member in zip(one.heads, one.members, strict=True):
        own = [
            *_shared_determiner(one, head),
            *(doc[at] for at in member),
            *_shared_object(doc, one, head, member),
        ]
        rest: list[Any] = after
        if is_subject:
            rest = [piece for token in after if (piece := _agree_with(token, head))]
        begins = not before and own[0].is_lower
        yield assemble([*before, *own, *rest], begins=begins)


def _shared_determiner(one: Coordination, head: Any) -> list[Any]:
    """The article or owner of the first member, where a later one has none."""
    first = one.heads[0]
    if head is first or any(child.dep_ in _OWN for child in head.lefts):
        return []
    if first.tag_ == "VB":
        is_own = any(child.tag_ == "TO" for child in head.lefts)
        return [] if is_own else [c for c in first.lefts if c.tag_ == "TO"]
    is_what = first.dep_ == "attr" and head.tag_ == "NN"
    lent = [
        child
        for child in first.lefts
        if child.dep_ == "poss"
        or (
            child.dep_ == "det"
            and not _are_examples(one)
            and (child.lower_ not in {"a", "an"} or is_what)
        )
    ]
    tokens = [token for child in lent for token in child.subtree]
    return [] if head.pos_ == "PROPN" and not has_dependent(first, "poss") else tokens


def _shared_object(doc: Any, one: Coordination, head: Any, member: range) -> list[Any]:
    """The object that only the last verb has: "finding and attracting staff"."""
    last = one.heads[-1]
    is_verb = head.pos_ == "VERB" or (
        last.pos_ == "VERB" and head.lower_.endswith("ing")
    )
    if head is last or not is_verb:
        return []
    if head.i + 1 != member.stop:
        return []
    return list(doc[last.i + 1 : one.span.stop])


def _agree_with(token: Any, head: Any) -> Any | None:
    """A word of the predicate as it stands behind one member."""
    if token.lower_ == "all" and token.pos_ in {"ADV", "DET", "PRON"}:
        return None
    if not is_one(head):
        return token
    return (
        ONE_FOR_MANY.get(token.lower_)
        if token.tag_ in {"VBP", "VBD"} and (token.lower_ in ONE_FOR_MANY)
        else token
    )


def is_one(head: Any) -> bool:
    """Is a member one thing?"""
    return "Plur" not in head.morph.get("Number")


def keeps_lists_whole(doc: Any) -> bool:
    """Whether a word of a sentence keeps all its lists together."""
    return KEEPS_WHOLE.search(doc.text) is not None


def may_split(doc: Any, root: Any, one: Coordination) -> bool:
    """Whether each member of a list may be told alone."""
    head = one.heads[0]
    if head.dep_ == "ROOT" or not _is_tail_shared(doc, one):
        return False
    if one.is_choice and not _may_be_either(doc, root, one):
        return False
    if _are_examples(one):
        return not any(is_kept(doc, one) for is_kept in _KEPT_EXAMPLES)
    if any(is_kept(doc, one) for is_kept in _KEPT) or _is_gone_on(doc, one):
        return False
    if head.dep_ in SUBJECTS:
        return head.head.i == root.i and _subjects_may_split(doc, root, one)
    return not _is_told_of(doc, one) and _path_may_split(root, one)


def _is_tail_shared(doc: Any, one: Coordination) -> bool:
    """Is there nothing behind the last member, or an "of" of all? In "towns and areas
    for bathing" the last may be meant alone."""
    first = one.heads[0]
    return not one.tail or all(
        child.lower_ == "of" and first.pos_ in {"NOUN", "PROPN"}
        for child in first.children
        if child.i >= one.tail.start
    )


def _may_be_either(doc: Any, root: Any, one: Coordination) -> bool:
    """ "You can pay by card or in cash", "it may cause rash or fever": each may be. A
    figure, and what is, is one of them only."""
    over = one.heads[0].head
    if one.heads[0].dep_ in SUBJECTS or root.i not in {over.i, over.head.i}:
        return False
    is_possible = any(child.lower_ in _POSSIBLE for child in root.children)
    return is_possible and not any(
        token.like_num for token in doc[one.span.start : one.span.stop]
    )


def _are_examples(one: Coordination) -> bool:
    """Behind "including" or "such as" each stands for itself, whatever that is of."""
    over = one.heads[0].head
    is_such = any(child.lower_ == "such" for child in over.lefts)
    return bool(
        over.dep_ == "prep"
        and (over.lower_ == "including" or (over.lower_ == "as" and is_such))
    )


def _are_no_things(_doc: Any, one: Coordination) -> bool:
    """Members that are neither nouns nor doings, or too many."""
    are_things = all(
        head.pos_ in {"NOUN", "PROPN"} or head.lower_.endswith("ing")
        for head in one.heads
    )
    return not are_things or len(one.heads) > MOST


def _is_gone_on(doc: Any, one: Coordination) -> bool:
    """ "the start of A and B into C": does the noun above the list go on behind it?"""
    end = max(one.span.stop, one.tail.stop)
    after = doc[end] if end < len(doc) else None
    if after is None or after.dep_ != "prep":
        return False
    over = after.head
    return bool(over.pos_ == "NOUN" and over.i < one.span.start)


def _is_uneven(_doc: Any, one: Coordination) -> bool:
    """Members of other kinds, or more than can be looked at one by one."""
    kinds = {_kind(token) for token in one.heads}
    # Of "sourcing and screening staff", one is often read as a noun; of "warm, light
    # and cheap" and "rare and signed", one as a noun or a verb.
    is_same = len(kinds) == 1 or all(t.lower_.endswith("ing") for t in one.heads)
    is_same = is_same or _are_qualities(one)
    is_plain = is_same and one.heads[0].pos_ in KINDS
    return not is_plain or len(one.heads) > MOST


def _is_told_of(doc: Any, one: Coordination) -> bool:
    """Is there a verb behind it that it, or its last member, may be the subject of?"""
    if all(has_dependent(head, "aux") for head in one.heads):
        return False  # "to cool the streets, and to draw birds where there are trees"
    return any(token.tag_ in _FINITE for token in doc[one.span.stop :]) or any(
        token.tag_ in _FINITE and token.dep_ not in {"relcl", "aux", "auxpass"}
        for member in one.members
        for token in doc[member.start : member.stop]
    )


def _is_gapped(doc: Any, one: Coordination) -> bool:
    """ "4 adults in one group and 9 in the other": what is left out in one member
    stands in another. Then each has figures, or the same preposition."""
    over = one.heads[0].head
    is_under = one.heads[0].dep_ == "pobj"
    if is_under and any(t.lower_ == over.lower_ for t in doc[one.span.start :]):
        return True
    words = [doc[member.start : member.stop] for member in one.members]
    if any(token.like_num for member in words for token in member):
        is_last = all(token.is_punct for token in doc[one.span.stop :])
        is_noun = one.heads[0].pos_ in {"NOUN", "PROPN"}
        joined = {t.lower_ for member in words for t in member if t.pos_ == "ADP"}
        is_each = all(map(_has_count, one.heads))
        return not (is_last and is_noun and is_each and joined <= _PER)
    tails = [
        any(c.dep_ == "prep" and c.i not in one.tail for c in head.children)
        for head in one.heads
    ]
    return any(tails[:-1]) and not tails[-1]


def _is_counted_before(doc: Any, one: Coordination) -> bool:
    """ "twice a week, on Mondays and Fridays": neither is twice a week."""
    return any(
        token.text in _TIMES or token.lower_ == str(len(one.heads))
        for token in doc[: one.span.start]
    )


def _is_followed(doc: Any, one: Coordination) -> bool:
    """ "slow and easy on the hands", "Tarn and Osk on Mondays": of one or of all?"""
    last = one.heads[-1]
    is_end = all(token.is_punct for token in doc[one.span.stop :])
    if last.pos_ == "ADJ":
        return (
            last.dep_ != "amod"
            and one.heads[0].dep_ != "amod"
            and (not is_end or has_dependent(last, "prep"))
        )
    return bool(last.pos_ == "PROPN" and has_dependent(last, "prep"))


def _refers_back(doc: Any, one: Coordination) -> bool:
    """ "dump the data and load it": what it is stands in another member."""
    later = (doc[member.start : member.stop] for member in one.members[1:])
    return any(token.lower_ in _STANDS_FOR for member in later for token in member)


def _is_half_counted(_doc: Any, one: Coordination) -> bool:
    """ "5 apples and pears": five of both?"""
    return any(map(_is_counted, one.heads)) and not all(map(_has_count, one.heads))


def _is_rest_of_list(doc: Any, one: Coordination) -> bool:
    """ "by bus, by ferry or on foot", of which the parser joined the last two."""
    start = one.span.start
    is_behind_comma = start > 0 and doc[start - 1].text == ","
    first = one.heads[0]
    return is_behind_comma and (first.pos_ == "ADP" or first.dep_ == "appos")


def _is_half_graded(_doc: Any, one: Coordination) -> bool:
    """ "more open and active": more active, too?"""
    graded = [has_dependent(head, "advmod") for head in one.heads]
    return one.heads[0].pos_ == "ADJ" and graded[0] and not all(graded)


def _are_clauses(_doc: Any, one: Coordination) -> bool:
    """Verbs with subjects or forms of their own, or what may be read as a verb."""
    heads = one.heads
    if any(child.dep_ in SUBJECTS for head in heads for child in head.children):
        return True
    if heads[0].pos_ != "VERB":
        return False
    is_bare = has_dependent(heads[0], "dobj") and heads[-1].right_edge.i == heads[-1].i
    if heads[0].tag_ == "VB":
        # "to rest and eat bread": is it rested, too?
        is_bare = is_bare or _lacks_object(one)
    return is_bare or any(
        head.tag_ not in _BARE and not head.lower_.endswith("ing") for head in heads
    )


def _lacks_object(one: Coordination) -> bool:
    """Has the last an object, and one before it nothing behind it?"""
    if not has_dependent(one.heads[-1], "dobj"):
        return False
    pairs = zip(one.heads[:-1], one.members[:-1], strict=True)
    return any(head.i + 1 == member.stop for head, member in pairs)


def _is_title(doc: Any, one: Coordination) -> bool:
    """A name with "and" in it: "History of Rivers and People", "Peat and Bog is"; or
    "zones A and B", each of which is one of the zones."""
    are_names = all(doc[member.start].text[:1].isupper() for member in one.members)
    first = one.heads[0]
    over = first.head if first.dep_ == "pobj" else None
    is_under_name = over is not None and over.head.pos_ == "PROPN"
    if are_names and first.dep_ in SUBJECTS:
        is_under_name = any(
            verb.tag_ == "VBZ" or verb.lower_ == "was"
            for verb in (first.head, *first.head.children)
        )
    return (are_names and is_under_name) or any(
        child.tag_ in {"NNS", "NNPS"} and child.dep_ in {"compound", "nmod"}
        for child in first.lefts
    )


def _are_qualities(one: Coordination) -> bool:
    """Bare words that say what a thing is like, the first an adjective."""
    first = one.heads[0]
    is_quality = first.pos_ == "ADJ" and first.dep_ in {"acomp", "amod"}
    return is_quality and all(
        len(member) == 1 and head.tag_ in _QUALITIES
        for head, member in zip(one.heads, one.members, strict=True)
    )


def _kind(token: Any) -> str:
    return "NOUN" if token.pos_ == "PROPN" else str(token.pos_)


def _is_counted(token: Any) -> bool:
    return any(left.like_num for child in token.lefts for left in child.subtree)


def _has_count(head: Any) -> bool:
    """Is it said how many of it there are?"""
    return _is_counted(head) or any(c.lower_ in {"a", "an"} for c in head.lefts)


def _is_inside(doc: Any, one: Coordination) -> bool:
    """In brackets, in quotation marks or behind a colon."""
    before = doc[: one.span.start].text
    depth = sum(
        before.count(left) - before.count(right) for left, right in ("()", "[]")
    )
    within = doc[one.span.start : one.span.stop].text
    if any(within.count(left) != within.count(right) for left, right in ("()", "[]")):
        return True
    quotes = before.count('"') % 2 or before.count("“") > before.count("”")
    return bool(depth or quotes or re.search(r":\s|;", before))


_KEPT = (
    _is_uneven,
    _are_clauses,
    _is_title,
    _is_inside,
    _is_gapped,
    _is_counted_before,
    _is_followed,
    _is_half_counted,
    _is_half_graded,
    _is_rest_of_list,
    _refers_back,
)
"""What keeps a list together, whatever it stands under."""
_KEPT_EXAMPLES = (
    _are_no_things,
    _are_clauses,
    _is_inside,
    _is_gapped,
    _is_told_of,
    _refers_back,
)
"""What keeps a list of examples together."""


def _subjects_may_split(doc: Any, root: Any, one: Coordination) -> bool:
    """May what is said of several subjects be said of each?"""
    after = doc[one.span.stop :]
    if any(child.dep_ == "conj" for child in root.children):
        return False
    if any(token.like_num for token in after) or _SHARED.match(root.text):
        return False
    if any(map(_is_one_together, after)):
        return False
    if has_dependent(root, "attr") or has_dependent(root, "expl"):
        return False
    is_be = root.lower_ in ONE_FOR_MANY and has_dependent(root, "acomp")
    if not (is_be or root.text.endswith("ed") or _has_auxiliary(root)):
        return False  # "Ana and Bo run the mill": "Ana run"
    return not any(child.lower_ == "of" for child in one.heads[-1].children)


def _has_auxiliary(root: Any) -> bool:
    return any(
        child.dep_ in HELPING and child.tag_ != "VBP" or (child.lower_ in ONE_FOR_MANY)
        for child in root.children
    )


def _path_may_split(root: Any, one: Coordination) -> bool:
    """Does every word from the list up to the main verb allow it?"""
    head = one.heads[0]
    token = head
    while token.i != root.i:
        if token.i != head.i and _is_counted(token):
            return False  # "400 g of fruit and vegetables"
        if token is not head and token.pos_ not in {"ADP", "SCONJ"}:
            if _is_one_together(token) and not all(map(_is_counted, one.heads)):
                return False
        if not _is_step(token, one):
            return False
        token = token.head
    if has_dependent(root, "expl"):
        return False
    is_all = (head.dep_ in _ALL or root.tag_ == "VBG") and _is_many(root)
    is_whole = _is_one_together(root) and not all(map(_is_counted, one.heads))
    return not (is_all or is_whole or head.i < root.i)


def _is_one_together(token: Any) -> bool:
    if token.lower_ == "range" and token.dep_ == "dobj":
        return False  # "a range of tools such as"
    is_noun = token.pos_ in {"NOUN", "PROPN"}
    return _ONE_TOGETHER.match(token.text) is not None or (
        is_noun and _WHOLE.match(token.text) is not None
    )


def _is_many(root: Any) -> bool:
    """ "The colours are red and blue": neither is all."""
    subject = subject_of(root)
    is_be = root.lower_ in {"is", "are", "was", "were"} or root.tag_ == "VBG"
    return is_be and subject is not None and is_plural(subject)


def _is_step(token: Any, one: Coordination) -> bool:
    if token.dep_ == "amod":
        noun = token.head
        is_one = token is one.heads[0] and noun.i > one.span.stop - 1
        is_all = not is_plural(noun) or not any(t.lower_ in _MIXED for t in one.heads)
        return bool(is_one and is_all and _are_plain(one.heads))
    if token.dep_ == "agent":
        return all(head.pos_ != "PROPN" for head in one.heads)
    if token.dep_ == "advcl":
        return token.tag_ == "VBG" or any(c.lower_ == "to" for c in token.children)
    if token.dep_ == "prep" and token.lower_ in _UNLISTED:
        is_such = token.nbor(-1).lower_ == "such" or token.head.pos_ == "VERB"
        return bool(token.lower_ == "as" and is_such)
    return token.dep_ in _STEPS


def _are_plain(heads: Sequence[Any]) -> bool:
    """No superlative, no figure: "the largest and oldest mill" is one mill."""
    return all(
        head.tag_ not in {"JJS", "RBS"} and not has_dependent(head, "npadvmod")
        for head in heads
    )


def coordination_at(doc: Any, head: Any) -> Coordination | None:
    """The list that begins with a word, where its form is plain: A and B; A, B(,) and
    C. Whatever else is joined is no list that could be told apart."""
    if head.dep_ == "conj" or head.pos_ not in KINDS | {"NUM"}:
        return None
    heads = _parallel_infinitives(doc, head) or _joined(head)
    heads.sort(key=lambda token: token.i)
    if len(heads) < 2:
        return None
    edges = [_edge(one) for one in heads]
    members: list[range] = []
    for before, (one, edge) in enumerate(zip(heads[1:], edges[1:], strict=True)):
        at = edge
        while at > 0 and doc[at - 1].lower_ in _BETWEEN:
            at -= 1
        members.append(range(edges[before], at))
        between = [token.lower_ for token in doc[at:edge]]
        if one is heads[-1]:
            if between not in _BEFORE_LAST:
                return None
        elif between not in ([","], ["and"]):
            return None
    members.append(range(edges[-1], _end(heads[-1])))
    is_whole = all(one.i in member for one, member in zip(heads, members, strict=True))
    return Coordination(tuple(heads), tuple(members)) if is_whole else None


def _end(head: Any) -> int:
    """Where the last member ends, with a bracket that is closed behind it."""
    doc, stop = head.doc, int(head.right_edge.i) + 1
    text = doc[head.left_edge.i : stop].text
    is_open = text.count("(") > text.count(")")
    return stop + int(is_open and stop < len(doc) and doc[stop].text == ")")


def _joined(head: Any) -> list[Any]:
    heads = [head]
    for one in heads:
        heads += [c for c in one.children if c.dep_ == "conj" and c.i > one.i]
    if _is_choice(max(heads, key=lambda token: token.i)):
        return heads
    # "bread, tea or coffee, and jam": the second is one member
    return [one for one in heads if one is head or not _is_choice(one)]


def _is_choice(head: Any) -> bool:
    """Is it joined by "or"?"""
    return bool(head.left_edge.i and head.doc[head.left_edge.i - 1].lower_ == "or")


def _parallel_infinitives(doc: Any, head: Any) -> list[Any]:
    """ "to cool the streets, to draw birds, and to give shade", whatever of these the
    parser joined to what; empty where there are not three."""
    if not any(child.tag_ == "TO" for child in head.lefts):
        return []
    later = [
        token.head
        for token in doc[head.i + 1 :]
        if token.tag_ == "TO"
        and token.head.i > token.i
        and doc[token.i - 1].lower_ in {",", "and"}
    ]
    is_row = len(later) > 1 and doc[later[-1].left_edge.i - 1].lower_ == "and"
    return [head, *later] if is_row else []


def _edge(head: Any) -> int:
    """Where a member begins: with what belongs to it alone."""
    edge = int(head.left_edge.i)
    while head.doc[edge].lower_ in {"both", ","} and edge < head.i:
        edge += 1
    return edge
