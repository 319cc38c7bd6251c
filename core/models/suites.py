"""What is judged: cases, suites and answers."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from claimscope.core.models.base import Difficulty, Importance, JsonValue, Model


class CaseClaim(Model):
    """A statement a good answer makes."""

    text: str = Field(min_length=1)
    importance: Importance = "required"


class ExpectedCitation(Model):
    """Key evidence a good answer cites."""

    page_id: str = Field(min_length=1)
    sentence: int | None = Field(default=None, ge=0)
    key_phrase: str | None = None


class Case(Model):
    """One question of a suite with what is known about its right answer."""

    id: str = Field(min_length=1)
    question: str = Field(min_length=1)
    category: str | None = None
    difficulty: Difficulty | None = None
    reference: str | None = None
    claims: tuple[CaseClaim, ...] = ()
    citations: tuple[ExpectedCitation, ...] = ()
    rationale: str | None = None
    domain: str | None = None
    brands: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    """The case's own ground truth; when empty, the corpus is."""
    metadata: dict[str, JsonValue] = {}
    """What others note about it. `generated: true` with `accepted: null` marks a case
    that a model wrote and no person has looked at yet."""


class Suite(Model):
    """A test set: cases and where their pages and answers are."""

    format: Literal["claimscope.suite"] = "claimscope.suite"
    version: Literal[1] = 1
    id: str = Field(min_length=1)
    title: str | None = None
    description: str | None = None
    rubric: str = "general"
    pages: str | None = None
    """Folder of ground-truth pages, relative to the suite file."""
    pages_include: tuple[str, ...] = ()
    """Only files of that folder that match one of these, as in .gitignore."""
    pages_exclude: tuple[str, ...] = ()
    """Files of that folder that are left aside, as in .gitignore."""
    pages_text_field: str | None = None
    """Of records in that folder the field of the text, when it has no usual name."""
    answers: str | None = None
    """Answers file, relative to the suite file."""
    metadata: dict[str, JsonValue] = {}
    """What others note about it: `version` and `created` of a test set that was
    imported. No run depends on it."""
    cases: tuple[Case, ...]


class RetrievedText(Model):
    """Something that was retrieved for an answer."""

    page_id: str | None = None
    sentence: int | None = Field(default=None, ge=0)
    """None = the page as a whole, or a text of no known place."""
    text: str | None = None


class Answer(Model):
    """A response to a case, as a provider gave it."""

    case_id: str = Field(min_length=1)
    provider: str = "default"
    model: str | None = None
    text: str
    created: str | None = None
    retrieved: tuple[str | RetrievedText, ...] | None = None
    """What it was written from, best first: sentence ids (`PMID:7:S:2`), page ids or
    texts; None = not known."""
    metadata: dict[str, JsonValue] = {}
