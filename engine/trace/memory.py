"""The forward numbers that the backward pass must remember, read from the table of operations.

The rule of an op is the text of its partials: that of tanh, `1 - y ** 2`, reads the output, those
of ×, `b` and `a`, read the other input, and those of +, `1`, read nothing. What a rule reads has to
be kept from the forward pass until the backward pass comes to the op, and a number that several
rules read is kept once. A partial is needed only for an input that has a gradient. The constants of
the program's text are no forward numbers: they need no memory, and a constant exponent is put into
the rule, so that x ** 1 keeps nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from engine.formulas import names_in
from engine.ops import OPS

from .cases import EXPONENTS, specialised
from .model import Node
from .traced import Trace


class Rule(NamedTuple):
    """The partials of an op that are needed, by slot, with the names of what they read.

    The names are those of the op's inputs in the table, and `y` for its output.
    """

    op: str
    partials: tuple[tuple[int, str], ...]
    reads: tuple[str, ...]


class Reading(NamedTuple):
    """What the rule of the op that computed `node` reads: ids of Values, in the order of slots."""

    node: str
    rule: Rule
    keeps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Memory:
    """The rules of a graph in the order of the forward pass, and the numbers that they keep.

    `numbers` are the ids of all forward numbers, `kept` those of them that a rule reads, both in
    the order of the trace. `leaves` are numbers that are there without being computed. `unknown`
    are Values of which it is not known how they were computed, so that no rule is known either.
    """

    readings: tuple[Reading, ...]
    numbers: tuple[str, ...]
    kept: tuple[str, ...]
    leaves: frozenset[str]
    unknown: tuple[str, ...]

    @property
    def computed(self) -> tuple[str, ...]:
        """The kept numbers that an op computed; the others are leaves."""
        return tuple(one for one in self.kept if one not in self.leaves)


def memory(trace: Trace) -> Memory:
    """The forward numbers that the backward pass of a trace's graph reads."""
    by_id = {node.id: node for node in trace.nodes}
    moving = [node for node in trace.nodes if node.grad is not None]
    readings = tuple(reading(node, by_id) for node in moving if node.op is not None)
    read = {one for found in readings for one in found.keeps}
    return Memory(
        readings,
        tuple(node.id for node in moving),
        tuple(node.id for node in moving if node.id in read),
        frozenset(node.id for node in moving if not node.args),
        tuple(node.id for node in moving if node.args and node.op is None),
    )


def reading(node: Node, by_id: Mapping[str, Node]) -> Reading:
    """What the rule of the op of `node` reads."""
    rule = rule_of(node, by_id)
    held = dict(zip(OPS[rule.op].params, node.args, strict=True)) | {"y": node.id}
    ids = dict.fromkeys(held[name] for name in rule.reads)
    return Reading(node.id, rule, tuple(one for one in ids if by_id[one].grad is not None))


def rule_of(node: Node, by_id: Mapping[str, Node]) -> Rule:
    """The partials that the op of `node` needs, with a constant exponent put in."""
    assert node.op is not None
    op, slot = OPS[node.op], EXPONENTS.get(node.op)
    texts = dict(enumerate(op.partials))
    if slot is not None and by_id[node.args[slot]].grad is None:
        exponent = by_id[node.args[slot]].data
        texts = {i: specialised(text, op.params[slot], exponent) for i, text in texts.items()}
    needed = tuple((i, texts[i]) for i, arg in enumerate(node.args) if by_id[arg].grad is not None)
    return Rule(node.op, needed, _read(op.params, (text for _, text in needed)))


def _read(params: tuple[str, ...], texts: Iterable[str]) -> tuple[str, ...]:
    """The inputs and the output that occur in the texts, in this order."""
    found = {name for text in texts for name in names_in(text)}
    return tuple(name for name in (*params, "y") if name in found)
