"""Changes from frame to frame: the numbers that a frame sets, and the highlights.

The only input of both renderers, the server's and the browser's, so that they agree.
"""

from __future__ import annotations

from collections.abc import Mapping

from .model import Frame, FrameChanges, Node


def changes(frame: Frame, nodes: Mapping[str, Node]) -> FrameChanges:
    """The changes of `frame`; `nodes` are those of its trace by id."""
    if frame.given:
        return FrameChanges({name: nodes[name].data for name in frame.given})
    if frame.written is not None:
        return FrameChanges({frame.node: frame.written.after})
    if frame.seed is not None:
        return FrameChanges({frame.node: frame.after})
    if frame.pass_ == "forward":
        args = nodes[frame.node].args
        sources = args if len(args) < 2 else tuple(dict.fromkeys(args))
        return FrameChanges({frame.node: frame.data}, sources, tuple(range(len(args))))
    received = {c.to: c.after for c in frame.contributions}
    return FrameChanges(received, (frame.node,), tuple([c.slot for c in frame.contributions]))
