"""Names of the parts of a network of the program's own classes: its layers, neurons and weights.

`n.layers[0].neurons[1].w[2]` is called l0.n1.w2, as in the built-in networks; with several networks
the variable stands in front of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.tensors.tensor_array import TensorArray, value_of
from engine.value import Value

from .follow import is_a
from .objects import is_object, number_of, own_dict, rename, set_name

VISITED = 5000
LABEL_LENGTH = 40
"""Objects that are visited."""
DEPTH = 8


def name_parts(names: Mapping[str, Any]) -> set[int]:
    """Name what `names` hold somewhere inside: nameless Values and objects, and networks' parts.

    The only network has the name "". Returns the identities of what they hold.
    """
    roots = {name: x for name, x in names.items() if _is_whole(x)}
    found: dict[int, tuple[Any, str, str]] = {}
    for root, whole in roots.items():
        for number, path in _parts(whole):
            found.setdefault(id(number), (number, root, path))
    several = len({root for x, root, _ in found.values() if not _is_whole(x)}) > 1
    for x, root, path in found.values():
        name = ".".join(filter(None, (root, path))) if several else path
        if _is_whole(x):
            rename(x, name)
        elif is_object(x):
            set_name(x, name)
        else:
            x.label = x.label or name
    return set(found)


def name_items(names: Mapping[str, Any]) -> None:
    """Name the nameless numbers in lists and dicts as a program reaches them: ws[0], p['a']."""
    left = VISITED
    todo = [(x, name, 0) for name, x in reversed(list(names.items())) if type(x) in _HOLDERS]
    while todo and left > 0:
        held, path, depth = todo.pop()
        inside = []
        for key, item in held.items() if isinstance(held, dict) else enumerate(held):
            left -= 1
            if left < 0:
                break
            if type(key) not in (int, str):
                continue
            shown = f"{path}[{key!r}]"[:LABEL_LENGTH]
            if type(item) in _HOLDERS and depth < DEPTH:
                inside.append((item, shown, depth + 1))
            elif is_object(item) and number_of(item) is not None:
                set_name(item, shown)
            elif is_a(item := value_of(item), Value) and item.op is None:
                item.label = item.label or shown
        todo += reversed(inside)


def _is_whole(x: Any) -> bool:
    """Whether `x` is an object of the program without a number of its own."""
    return is_object(x) and number_of(x) is None


def _parts(whole: Any) -> Iterator[tuple[Any, str]]:
    """The objects in `whole`, itself included, and the way to each."""
    seen, todo = {id(whole)}, [(whole, "", 0)]
    while todo:
        x, path, depth = todo.pop()
        x = value_of(x)
        if is_a(x, Value) or number_of(x) is not None:
            yield x, path
            continue
        if is_object(x):
            yield x, path
        inside = []
        for name, item in _items(x):
            if id(item) not in seen and len(seen) < VISITED and depth < DEPTH:
                seen.add(id(item))
                shown = name[:1] if is_a(item, list | tuple) else name
                is_item = is_a(x, list | tuple)
                way = f"{path}{name}" if is_item else ".".join(filter(None, (path, shown)))
                inside.append((item, way, depth + 1))
        todo += reversed(inside)


def _items(x: Any) -> Iterator[tuple[str, Any]]:
    if is_a(x, list | tuple):
        yield from ((str(i), item) for i, item in enumerate(x) if _is_inner(item))
    elif is_object(x):
        yield from ((name, item) for name, item in own_dict(x).items() if _is_inner(item))


_INNER = (Value, list, tuple, TensorArray)


def _is_inner(x: Any) -> bool:
    return is_object(x) or is_a(x, _INNER)


_HOLDERS = (list, tuple, dict)
"""Exactly these types: those of the program may have code of their own."""
