"""Names of Values without a label: their source text, or an expression of their args' names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from engine.numbers import spoken
from engine.ops import OPS
from engine.record.source import Span

LENGTH = 40
_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SELF = re.compile(r"\bself\b")
_EXPRESSION = re.compile(r"[-+*/ ]")


class Named(Protocol):
    """The attributes of a trace's node that determine its name."""

    @property
    def id(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def op(self) -> str | None: ...
    @property
    def args(self) -> tuple[str, ...]: ...
    @property
    def data(self) -> float: ...
    @property
    def grad(self) -> float | None: ...
    @property
    def span(self) -> Span: ...


class Called(NamedTuple):
    """What the reader's own class calls an operation, and its args."""

    title: str
    args: Sequence[str]


def source(span: Span, lines: Sequence[str]) -> str:
    """The text at `span` on one line, cut to LENGTH characters."""
    line, column, end_line, end_column = span
    if line == end_line:
        return cut(" ".join(lines[line - 1][column - 1 : end_column - 1].split()))
    taken = list(lines[line - 1 : end_line])
    taken[-1] = taken[-1][: end_column - 1]
    taken[0] = taken[0][column - 1 :]
    return cut(" ".join(" ".join(taken).split()))


def is_of_method(text: str) -> bool:
    """Whether the text of an expression names `self`, which says nothing outside of its method."""
    return bool(_SELF.search(text))


def statement(span: Span, lines: Sequence[str]) -> str:
    """The text at `span` if it is on one line, else its first line."""
    line, column, end_line, end_column = span
    text = lines[line - 1]
    return (text[column - 1 : end_column - 1] if line == end_line else text).strip()


def names(
    nodes: Sequence[Named],
    lines: Sequence[str],
    known: Mapping[str, str],
    called: Mapping[str, Called],
) -> dict[str, str]:
    """The name of each node, by id: its label, its name in `known`, its operation in `called`, its
    number (`Value(2)` of a leaf), its source text if unique, or its operation on the names of its
    args. Nodes are in topological order. Labels shared by several nodes are numbered, a₁ and a₂, as
    ∂a/∂a would be ambiguous.
    """
    made = Counter([node.span for node in nodes if not node.label and node.op])
    labels = Counter([node.label for node in nodes])
    used: Counter[str] = Counter()
    found: dict[str, str] = {}
    for node in nodes:
        if node.label:
            found[node.id] = node.label
            if labels[node.label] > 1:
                used[node.label] += 1
                found[node.id] += str(used[node.label]).translate(_SUBSCRIPT)
        elif node.id in known:
            found[node.id] = known[node.id]
        elif node.id in called:
            title, args = called[node.id]
            found[node.id] = cut(_call(title, [found[arg] for arg in args]))
        elif node.op is None:
            found[node.id] = _given(node, lines)
        elif made[node.span] == 1 and not is_of_method(text := source(node.span, lines)):
            found[node.id] = text
        else:  # one call, such as that of a network, made many
            found[node.id] = cut(written(node.op, [found[arg] for arg in node.args]))
    return found


def _given(node: Named, lines: Sequence[str]) -> str:
    """The number of an unnamed Value; `Value(2)` if it has a gradient, unlike a constant."""
    number = spoken(node.data)
    is_leaf = node.grad is not None and source(node.span, lines).startswith("Value(")
    return f"Value({number})" if is_leaf else number


def _call(title: str, args: Sequence[str]) -> str:
    if title in OPS and len(OPS[title].params) == len(args):
        return written(title, args)
    return f"{title}({', '.join(args)})"


def written(op: str, args: Sequence[str], *, spaced: bool = False) -> str:
    """An operation on named args as a program writes it; `spaced` as a formula shows it, uncut."""
    entry = OPS[op]
    if entry.is_word:
        return f"{op}({', '.join(args)})"
    held = [f"({arg})" if op != "+" and _EXPRESSION.search(arg) else arg for arg in args]
    if len(args) == 1:
        return f"-{held[0]}"
    sign = entry.symbol if spaced else op
    return f" {sign} ".join(held) if spaced or op in "+-/" else sign.join(held)


def cut(text: str) -> str:
    return text if len(text) <= LENGTH else f"{text[: LENGTH - 1]}…"
