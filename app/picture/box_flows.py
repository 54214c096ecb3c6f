"""What goes into a closed box and comes out of it in a step, as Values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from app.picture.steps import ClosedBox, Folded
from engine.trace.model import Frame, Node


class BoxFlow(NamedTuple):
    """The ids of the results of a box, of what they are computed from, and of its own leaves.

    In a backward step the gradient goes from the results to the others.
    """

    results: Sequence[str]
    args: Sequence[str]
    own: Sequence[str]


def box_flow(
    frames: Sequence[Frame],
    box: ClosedBox,
    by_id: Mapping[str, Node],
    closed: Mapping[str, Folded],
) -> BoxFlow:
    """What flows in the frames of a step inside a box; `closed` are the closed formulas."""
    if frames[-1].pass_ == "forward":
        made = [frame.node for frame in frames]
        reached = _args([by_id[key] for key in made], closed)
    else:
        made = [at for frame in frames if (at := _at_work(frame)) is not None]
        reached = _receivers(frames)
    there = [by_id[key] for key in dict.fromkeys(reached)]
    return BoxFlow(
        [key for key in box.results if key in made] or _end(made, frames[-1].pass_),
        [node.id for node in there if node.id not in box.inside and node.kind != "constant"],
        [node.id for node in there if node.id in box.inside and not node.args],
    )


def _args(nodes: Iterable[Node], closed: Mapping[str, Folded]) -> Iterator[str]:
    for node in nodes:
        yield from closed[node.id].args if node.id in closed else node.args


def _at_work(frame: Frame) -> str | None:
    """The Value whose operation passes gradients on in a frame; None where a gradient is set."""
    return frame.written.user if frame.written else frame.node


def _receivers(frames: Iterable[Frame]) -> Iterator[str]:
    for frame in frames:
        if frame.written:
            yield frame.node
        else:
            yield from [part.to for part in frame.contributions]


def _end(made: Sequence[str], pass_: str) -> Sequence[str]:
    """The Value nearest to the output, of a part of a box without its results."""
    return [made[-1] if pass_ == "forward" else made[0]] if made else []
