"""What the model is shown is what the answer says was retrieved, best first."""

from __future__ import annotations

from claimscope.core.models import Case, Page
from claimscope.core.services.generation import evidence_for
from claimscope.stores.index.memory_corpus import MemoryCorpus
from tests.doubles import fakes

PAGES = (
    Page(page_id="mill:1", text="The mill is old. It grinds oats. Geese live here."),
    Page(page_id="mill:2", text="The pond is deep. Carp live in it."),
)


def test_hits_come_first_then_the_neighbours_that_are_shown() -> None:
    corpus = MemoryCorpus("mill", PAGES, fakes.FakeEmbedder())
    case = Case(id="c", question="grinds oats")
    shown = evidence_for(case, corpus, 1, 5000)
    (best,) = corpus.search("grinds oats", k=1).hits
    assert shown.retrieved[0] == best.sentence_id
    assert len(shown.retrieved) == len(shown.lines) == len(set(shown.retrieved))
    assert {line[1:].partition("]")[0] for line in shown.lines} == {
        one.replace(":S:", ", S:") for one in shown.retrieved
    }


def test_the_contexts_of_a_case_need_not_be_named_again() -> None:
    case = Case(id="c", question="grinds oats", contexts=("It grinds oats.",))
    assert evidence_for(case, None, 1, 5000).retrieved == ()
