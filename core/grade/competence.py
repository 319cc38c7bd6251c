"""A judge that cannot tell true claims from false ones gives no grades.

A grade of faithfulness says whether the evidence states what the answer says. A model
that cannot do so for one planted claim cannot do it for a whole answer, and its grades
look like any others. So it is asked the planted claims first, by the calls that a run
makes for its verdicts (core/verify/witnesses/response_bias.py), and measured once for
both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property

from claimscope.core.grade.grades import METRICS
from claimscope.core.models import Case, Grade
from claimscope.core.ports import ChatModel, Grader
from claimscope.core.verify.witnesses.language_model import ModelVerifier
from claimscope.core.verify.witnesses.model_question import USUAL, QuestionForm
from claimscope.core.verify.witnesses.response_bias import Leanings

WHY = (
    "{model} cannot tell true claims from false ones on planted documents, so it gives "
    "no grades"
)
ONLY_VERIFIES = (
    "{model} is asked as {form} was trained: it verifies claims and gives no grades"
)
REMEDY = "Choose another model; `claimscope models probe` shows what one can do."


@dataclass
class FitGrader:
    """A Grader that asks another one when its model is fit for it."""

    chat: ChatModel
    grader: Grader
    leanings: Leanings
    """What is known of the models of the run, shared with its verifiers."""
    _: KW_ONLY
    claims_per_call: int = 1
    votes: int = 1
    """Both as of its verifiers, so that their calls are the same."""
    on_note: Callable[[str], None] | None = None
    """Hears once that there will be no grades."""
    form: QuestionForm = USUAL
    """How its model is asked; one that only verifies claims gives no grades."""
    _is_told: bool = field(default=False, init=False)

    @cached_property
    def _asker(self) -> ModelVerifier:
        return ModelVerifier(
            self.chat,
            claims_per_call=self.claims_per_call,
            votes=self.votes,
            leanings=self.leanings,
            form=self.form,
        )

    async def __call__(
        self, case: Case, answer: str, context: Sequence[str]
    ) -> Sequence[Grade]:
        """The grades; of an unfit model unscored ones that say so. Raises as the other
        grader does, and ModelError when the planted claims cannot be asked at all."""
        if self.form.only_verifies:
            why = ONLY_VERIFIES.format(model=self.chat.name, form=self.form.name)
        elif await self._is_fit():
            return await self.grader(case, answer, context)
        else:
            why = WHY.format(model=self.chat.name)
        if self.on_note is not None and not self._is_told:
            self._is_told = True
            self.on_note(f"{why}. {REMEDY}")
        return tuple(
            Grade(name=name, unscored_reason=why, model=self.chat.name)
            for name in METRICS
        )

    async def _is_fit(self) -> bool:
        """Whether its word on planted claims counts at all."""
        if self.chat.name not in self.leanings.known:
            await self._asker.verify(())  # measures, and asks nothing further
        return self.leanings.known[self.chat.name].trust > 0
