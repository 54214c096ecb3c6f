"""The note on leaves that the output of a scene does not depend on."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from engine.language.own import gradients_of
from engine.language.plain import Taped
from engine.language.program import Note, Run
from engine.language.scenes import Stage
from engine.value import Value

NAMED = 3
"""Names that the note lists."""


def notes(run: Run, stage: Stage, ids: Collection[Value]) -> list[Note]:
    """The note on the leaves that the program named for this scene, of which none is in `ids`.

    Those are made after the output of the scene before, and before this one's: a long notebook has
    many scenes, none of which needs the leaves of the others. Parts of networks are left out, as
    are plain numbers if there are Values.
    """
    output = stage.backward.order[-1]
    if not output.args:
        return []
    unused = {label: leaf for label, leaf in _candidates(run, stage) if drawn(leaf) not in ids}
    for value in ids:
        unused.pop(value.label, None)
    if not unused:
        return []
    message = f"{output.label or 'The output'} does not depend on {_listed([*unused])}"
    if all(_has_no_gradient(leaf) for leaf in unused.values()):
        message += ": its gradient is 0" if len(unused) == 1 else ": their gradients are 0"
    first = next(iter(unused.values()))
    place = first.origin.node if isinstance(first, Value) else first.node
    return [Note(f"{message}.", run.source.span(place))]


def drawn(leaf: Value | Taped) -> Value | None:
    """The Value that is drawn for a leaf, if one is."""
    return leaf if isinstance(leaf, Value) else leaf.value


def _candidates(run: Run, stage: Stage) -> Iterator[tuple[str, Value | Taped]]:
    """The leaves that were made for this scene, with their names."""
    end: float = stage.backward.order[-1].serial
    start = max((at for at in [scene.made for scene in run.scenes] if at < end), default=-1.0)
    leaves = [leaf for leaf in run.leaves if not leaf.args]
    if stage.held is not None:
        leaves = [leaf for leaf in leaves if getattr(leaf, "owner", None) is not None]
    for leaf in [leaf for leaf in leaves if isinstance(leaf, Value)] or leaves:
        owner = getattr(leaf, "owner", None)
        is_part = id(leaf if owner is None else owner) in run.parts
        is_value = owner is None or bool(gradients_of(owner))
        if is_value and leaf.label and not is_part and start < leaf.serial < end:
            yield leaf.label, leaf


def _has_no_gradient(leaf: Value | Taped) -> bool:
    owner = getattr(leaf, "owner", None)
    if isinstance(leaf, Value):
        return leaf.grad == 0
    return owner is None or all(grad == 0 for grad in gradients_of(owner))


def _listed(names: list[str]) -> str:
    """`a`, `a and b`, or `a, b, c and 39 others`."""
    rest = len(names) - NAMED
    if rest > 0:
        return f"{', '.join(names[:NAMED])} and {rest:,} other{'s' if rest > 1 else ''}"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
