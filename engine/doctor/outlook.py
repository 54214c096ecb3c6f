"""What is to be expected of a run without illness: it has learnt, is learning, or has stopped."""

from __future__ import annotations

from typing import Any, NamedTuple

from .evidence import RunEvidence, rounded


class Outlook(NamedTuple):
    """Whether a run has learnt its data, why that is said, and what to try if it has not."""

    learned: bool
    message: str
    advice: str

    def to_json(self) -> dict[str, Any]:
        """The outlook as plain data."""
        return self._asdict()


def outlook_of(evidence: RunEvidence) -> Outlook:
    """The outlook of the run of `evidence`; of one that has broken, that it has not learnt."""
    learning = evidence.learning
    if evidence.broken is not None or not learning.standings:
        return Outlook(False, "Not learned: the numbers are not finite.", "")
    last = learning.standings[-1]
    level = f"the loss over all training data is {rounded(last.loss * evidence.scale)}"
    constant = rounded(learning.constant * evidence.scale)
    beside = f"{level}, and the best constant answer has {constant}"
    if learning.is_done:
        return Outlook(True, f"It has learned its training data: {beside}.", "")
    if len(learning.standings) < 2:
        return Outlook(False, f"Not learned yet: {beside}.", "Press Play.")
    if evidence.course.is_falling:
        return Outlook(
            False, f"Not learned yet: {beside}, and it is falling.", "Train for more steps."
        )
    advice = "Try more steps, another learning rate, or a larger network."
    return Outlook(False, f"Not learned yet: {beside}, and it hardly falls.", advice)
