"""Whether a trace is drawn as boxes or as single Values.

A person can read some forty Values one by one; a picture can hold a thousand. In between the
address decides, and by itself a network or a loop is drawn as boxes.
"""

from __future__ import annotations

from app.picture.group_tree import DrawnGroup, GroupTree, group_tree
from engine.trace.traced import Trace


def is_boxed(trace: Trace, wanted: bool | None, over: int, limit: int) -> bool:
    """Whether `trace` is drawn as boxes: as `wanted`, within `limit` Values.

    With None, one of more than `over` cards is.
    """
    count = len(trace.nodes)
    if wanted or count > limit:
        return True
    return wanted is None and count > over and cards(group_tree(trace, gather=False)) > over


def can_box(sections: dict[str, DrawnGroup]) -> bool:
    """Whether there are groups beside formulas and arrays."""
    return any(not section.is_folded for section in sections.values())


def cards(tree: GroupTree) -> int:
    """The cards and boxes of a picture in which only formulas and arrays are closed."""
    found = 0
    for level, chain in tree.chains().items():
        if not any(tree.sections[group].is_folded for group in chain):
            folded = [key for key in tree.children.get(level, ()) if tree.sections[key].is_folded]
            found += tree.members.get(level, 0) + len(folded)
    return found
