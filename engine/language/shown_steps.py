"""The steps that a scene shows, where a program writes more gradients than there are frames."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine.record.model import Pull, Write


def places_shown(steps: Sequence[Write | Pull], most: int) -> Sequence[int]:
    """The places of the steps that have frames: the first `most`, then the last of each Value.

    So every Value ends with the gradient that it has.
    """
    if len(steps) <= most:
        return range(len(steps))
    ended: set[int] = set()
    last: list[int] = []
    for at in range(len(steps) - 1, most - 1, -1):
        if not ended.issuperset(written := _written(steps[at])):
            ended.update(written)
            last.append(at)
    return [*range(most), *reversed(last)]


def _written(step: Write | Pull) -> Collection[int]:
    """The identities of what a step sets the gradient of."""
    if isinstance(step, Pull):
        return [id(given.to) for given in step.contributions]
    return (id(step.of),)
