"""A judge that cannot tell true claims from false ones gives no grades.

A grade of faithfulness says whether the evidence states what the answer says. A model
that cannot do so for one planted claim cannot do it for a whole answer, and its grades
look like any others. So it is asked the planted claims first, by the calls that a run
makes for its verdicts (core/verify/witnesses/response_bias.py), and measured once for
both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

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


class FitGrader:
    """A Grader that asks another one when its model is fit for it."""

    def __init__(
        self,
        chat: ChatModel,
        grader: Grader,
        leanings: Leanings,
        *,
        claims_per_call: int = 1,
        votes: int = 1,
        on_note: Callable[[str], None] | None = None,
        form: QuestionForm = USUAL,
    ) -> None:
        """`leanings`: what is known of the models of the run, shared with its
        verifiers; `claims_per_call` and `votes` as theirs, so that their calls are the
        same. `on_note` hears once that there will be no grades. `form`: how its
        model is asked; one that only verifies claims gives none."""
        self._form = form
        self._chat = chat
        self._grader = grader
        self._leanings = leanings
        self._on_note = on_note
        self._asker = ModelVerifier(
            chat,
            claims_per_call=claims_per_call,
            votes=votes,
            leanings=leanings,
            form=form,
        )
        self._is_told = False

    async def __call__(
        self, case: Case, answer: str, context: Sequence[str]
    ) -> Sequence[Grade]:
        """The grades; of an unfit model unscored ones that say so. Raises as the other
        grader does, and ModelError when the planted claims cannot be asked at all."""
        if self._form.only_verifies:
            why = ONLY_VERIFIES.format(model=self._chat.name, form=self._form.name)
        elif await self._is_fit():
            return await self._grader(case, answer, context)
        else:
            why = WHY.format(model=self._chat.name)
        if self._on_note is not None and not self._is_told:
            self._is_told = True
            self._on_note(f"{why}. {REMEDY}")
        return tuple(
            Grade(name=name, unscored_reason=why, model=self._chat.name)
            for name in METRICS
        )

    async def _is_fit(self) -> bool:
        """Whether its word on planted claims counts at all."""
        if self._chat.name not in self._leanings.known:
            await self._asker.verify(())  # measures, and asks nothing further
        return self._leanings.known[self._chat.name].trust > 0
