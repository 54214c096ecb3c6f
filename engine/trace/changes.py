"""What a frame shows: the numbers that it gives to Values, and which Values and edges it lights.

The page without scripts and the browser both paint from this alone, so that they cannot differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .model import Frame, Node


class Changes(NamedTuple):
    """What one frame changes. `numbers` are data in a forward frame, gradients in a backward one.

    In a frame with an op at work, `sources` are the Values that the numbers came from and `slots`
    the args of the op that they flow through; elsewhere `slots` is None.
    """

    numbers: Mapping[str, float]
    sources: tuple[str, ...] = ()
    slots: tuple[int, ...] | None = None


def changes(frame: Frame, nodes: Mapping[str, Node]) -> Changes:
    """What `frame` changes, given the nodes of its trace by id."""
    if frame.given:
        return Changes({name: nodes[name].data for name in frame.given})
    if frame.seed is not None:
        return Changes({frame.node: frame.after})
    if frame.pass_ == "forward":
        args = nodes[frame.node].args
        sources = args if len(args) < 2 else tuple(dict.fromkeys(args))
        return Changes({frame.node: frame.data}, sources, tuple(range(len(args))))
    received = {c.to: c.after for c in frame.contributions}
    return Changes(received, (frame.node,), tuple([c.slot for c in frame.contributions]))
