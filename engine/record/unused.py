"""The leaves that a program named for a scene, and that its output does not depend on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.value import Value

from .model import Stage, Unused
from .objects import PLAIN, gradients_of

MOST = 10_000


def unused(run: Any, stage: Stage) -> list[Unused]:
    """The unused leaves of a run that has ended, the first of each name.

    They are made after the output of the scene before, and before this one's: a long notebook has
    many scenes, none of which needs the leaves of the others. Parts of networks are left out, as
    are plain numbers if there are Values.
    """
    order = stage.backward.order
    if not order[-1].args:
        return []
    drawn = set(map(id, order))
    found = {
        leaf.label: leaf
        for leaf in _candidates(run, stage)
        if id(leaf if isinstance(leaf, Value) else leaf.value) not in drawn
    }
    for value in order:
        found.pop(value.label, None)
    return [
        Unused(label, leaf.origin.node if isinstance(leaf, Value) else leaf.node, gradient)
        for label, leaf in list(found.items())[:MOST]
        for gradient in [_has_gradient(leaf)]
    ]


def _candidates(run: Any, stage: Stage) -> Iterator[Any]:
    """The leaves that were made for this scene and have a name."""
    end: float = stage.backward.order[-1].serial
    start = max((at for at in [scene.made for scene in run.scenes] if at < end), default=-1.0)
    leaves = [leaf for leaf in run.leaves if not leaf.args]
    if stage.held is not None:
        leaves = [leaf for leaf in leaves if _owner(leaf) is not None]
    for leaf in [leaf for leaf in leaves if isinstance(leaf, Value)] or leaves:
        owner = _owner(leaf)
        is_here = bool(leaf.label) and start < leaf.serial < end
        is_part = id(leaf if owner is None else owner) in run.parts
        if is_here and not is_part and (owner is None or gradients_of(owner)):
            yield leaf


def _owner(leaf: Any) -> Any:
    return leaf.owner if type(leaf) in PLAIN else None


def _has_gradient(leaf: Any) -> bool:
    if isinstance(leaf, Value):
        return leaf.grad != 0
    return leaf.owner is not None and any(grad != 0 for grad in gradients_of(leaf.owner))
