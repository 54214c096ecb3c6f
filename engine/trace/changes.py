"""Changes from frame to frame: the numbers that a frame sets, and the highlights.

The only input of both renderers, the server's and the browser's, so that they agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .model import Frame, Node


class Changes(NamedTuple):
    """The changes of one frame. `numbers` are data in forward frames, gradients in backward ones.

    In a frame of an op, `sources` are the Values that the numbers come from and `slots` the op's
    args that they flow through; otherwise `slots` is None.
    """

    numbers: Mapping[str, float]
    sources: tuple[str, ...] = ()
    slots: tuple[int, ...] | None = None


def changes(frame: Frame, nodes: Mapping[str, Node]) -> Changes:
    """The changes of `frame`; `nodes` are those of its trace by id."""
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
