"""The table of questions: each reads a record's flow and answers, or is silent.

To add one, add an entry, and a script that needs it to tests/data/torch_scripts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from engine.pytorch.flow import TensorFlow
from engine.pytorch.questions import (
    errors,
    functions,
    gradients,
    layers,
    losses,
    numbers_born,
    updates,
)
from engine.pytorch.questions.answer import RunAnswer
from engine.pytorch.record import ProgramRecord

Ask = Callable[[TensorFlow], Iterator[RunAnswer]]


class RunQuestion(NamedTuple):
    """A question as people ask it; `is_listing` ones are asked by name alone."""

    words: str
    ask: Ask
    is_listing: bool = False


QUESTIONS = (
    RunQuestion(
        "Why does backward() say that a tensor was modified in place?", errors.changed_in_place
    ),
    RunQuestion("Why does it say that a leaf is changed in place?", errors.leaf_in_place),
    RunQuestion("Why does it go through the graph a second time?", errors.second_pass),
    RunQuestion("Why does the loss not require grad?", errors.no_graph),
    RunQuestion("Why can no gradient be created?", errors.no_scalar),
    RunQuestion("Where was the first nan or inf born, and from what?", numbers_born.nan_births),
    RunQuestion("Is the softmax taken twice?", losses.double_softmax),
    RunQuestion("Does nll_loss get logarithms?", losses.probabilities_to_nll),
    RunQuestion("Does the binary cross entropy get what it expects?", losses.sigmoids_and_bce),
    RunQuestion("Was a broadcast not meant?", losses.unmeant_broadcasts),
    RunQuestion("Are gradients zeroed between steps?", updates.missing_zero_grad),
    RunQuestion("Are they zeroed too early?", updates.zeroed_before_step),
    RunQuestion("Does the optimizer step?", updates.no_step),
    RunQuestion("Which parameters has no optimizer?", updates.not_in_an_optimizer),
    RunQuestion("Why is this grad None?", gradients.asked_of_results),
    RunQuestion("Which parameters got no gradient?", gradients.without_gradient),
    RunQuestion("Which got the gradient zero?", gradients.zero_gradients),
    RunQuestion("Do gradients vanish or explode by layer?", layers.vanishing),
    RunQuestion("Is a Function's own backward right?", functions.wrong_functions),
    RunQuestion("What was detached, or under no_grad?", gradients.list_cuts, is_listing=True),
)


def answers(record: ProgramRecord) -> list[RunAnswer]:
    """All that is wrong with what was recorded, each once for a line."""
    flow = TensorFlow(record)
    found: dict[tuple[str, int], RunAnswer] = {}
    for question in QUESTIONS:
        for answer in () if question.is_listing else question.ask(flow):
            line = 0 if answer.place is None else answer.place.line
            found.setdefault((answer.kind, line), answer)
    return list(found.values())


def cut_answers(record: ProgramRecord) -> list[RunAnswer]:
    """All places where the graph ends."""
    return list(gradients.list_cuts(TensorFlow(record)))
