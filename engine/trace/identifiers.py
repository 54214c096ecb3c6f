"""Identifiers for the Values of a trace, in programs made from it."""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata
from collections.abc import Collection, Sequence

from engine.formula_code import torch_function
from engine.formula_python import TOTAL
from engine.ops import OPS

from .model import Node

LONGEST = 40
RESERVED = frozenset(
    {
        *keyword.kwlist, *keyword.softkwlist, *dir(builtins), *OPS, *TOTAL, "maximum", "minimum",
        "math", "struct", "f32", "torch", "nn", "functional", "jax", "jnp", "lax", "numpy", "np",
        "Value", "micrograd", "INF", "NAN", "forward", "gradients", "power_of",
        *[f"{name}_of" for name in OPS], *[torch_function(name) for name in OPS],
    }
)  # fmt: skip
"""Words of Python, and the names of what exported programs import or define."""
_SPOKEN = re.compile(r"[^\W\d]\w*(\.\w+|\[\w+\])*")


def identifiers(nodes: Sequence[Node], reserved: Collection[str] = RESERVED) -> dict[str, str]:
    """An identifier for each node, by id, from its label; `x_`, that of its gradient, is free too.

    A Value without a label is `t1`, `t2`, … unless its name is that of a neuron or an element.
    """
    used = set(reserved)
    counts: dict[str, int] = {}
    found: dict[str, str] = {}
    unnamed: list[str] = []
    for node in nodes:
        text = node.label or (node.name if _SPOKEN.fullmatch(node.name) else "")
        if text:
            found[node.id] = _free(_identifier(text), used, counts)
        else:
            unnamed.append(node.id)
    count = 0
    for id_ in unnamed:
        count += 1
        while not _is_free(f"t{count}", used):
            count += 1
        found[id_] = _taken(f"t{count}", used)
    return found


def _identifier(text: str) -> str:
    """`text` as an identifier: `w[0]` is w_0."""
    normal = unicodedata.normalize("NFKC", text)
    word = re.sub(r"\W+", "_", normal).strip("_")[:LONGEST].rstrip("_") or "x"
    word = word if word.isidentifier() else f"x_{word}"
    word = word if word.isidentifier() else "x"
    return unicodedata.normalize("NFKC", word)


def _is_free(word: str, used: set[str]) -> bool:
    return not {word, f"{word}_"} & used


def _taken(word: str, used: set[str]) -> str:
    used |= {word, f"{word}_"}
    return word


def _free(word: str, used: set[str], counts: dict[str, int]) -> str:
    """`word`, or the first free of `word2`, `word3`, …; `counts` are the last ones tried by word.

    No word becomes free again, so that a loop's thousands of `L` take one search together.
    """
    count = counts.get(word, 1)
    free = _counted(word, count)
    while not _is_free(free, used):
        count += 1
        free = _counted(word, count)
    counts[word] = count
    return _taken(free, used)


def _counted(word: str, count: int) -> str:
    joint = "_" if word[-1].isdigit() else ""
    return word if count == 1 else f"{word}{joint}{count}"
