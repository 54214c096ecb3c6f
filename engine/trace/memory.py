"""The forward numbers that the backward pass must remember, read from the table of operations.

The rule of an op is the text of its partials: that of tanh, `1 - y ** 2`, reads the output, those
of ×, `b` and `a`, read the other input, and those of +, `1`, read nothing. What a rule reads has to
be kept from the forward pass until the backward pass comes to the op, and a number that several
rules read is kept once. A partial is needed only for a variable: a Value with a gradient, or one
computed from such. The constants of the program's text are no forward numbers: they need no memory,
and a constant exponent is put into the rule, so that x ** 1 keeps nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from engine.caches import cached
from engine.formulas import names_in
from engine.ops import OPS

from .cases import EXPONENTS, specialised
from .model import Node
from .traced import Trace


class NeededPartials(NamedTuple):
    """The partials of an op that are needed, by slot, with the names of what they read.

    The names are those of the op's inputs in the table, and `y` for its output.
    """

    op: str
    partials: tuple[tuple[int, str], ...]
    reads: tuple[str, ...]


class Reading(NamedTuple):
    """What the rule of the op that computed `node` reads: ids of Values, in the order of slots."""

    node: str
    rule: NeededPartials
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
    found = variables(trace)
    moving = [by_id[of] for of in found]
    readings = tuple(reading(node, by_id, found) for node in moving if node.op is not None)
    read = {one for each in readings for one in each.keeps}
    return Memory(
        readings,
        tuple(found),
        tuple(of for of in found if of in read),
        frozenset(node.id for node in moving if not node.args),
        tuple(node.id for node in moving if node.args and node.op is None),
    )


def variables(trace: Trace) -> dict[str, None]:
    """The ids of the Values with a gradient, and of what is computed from them, in order."""
    found: dict[str, None] = {}
    for node in trace.nodes:  # in topological order, so args come first
        if node.grad is not None or any(arg in found for arg in node.args):
            found[node.id] = None
    return found


def reading(node: Node, by_id: Mapping[str, Node], among: Collection[str]) -> Reading:
    """What the rule of the op of `node` reads of the variables `among`."""
    rule = rule_of(node, by_id, among)
    held = dict(zip(OPS[rule.op].params, node.args, strict=True)) | {"y": node.id}
    ids = dict.fromkeys(held[name] for name in rule.reads)
    return Reading(node.id, rule, tuple(one for one in ids if one in among))


def rule_of(node: Node, by_id: Mapping[str, Node], among: Collection[str]) -> NeededPartials:
    """The partials by `among` that the op of `node` needs, with a constant exponent put in."""
    assert node.op is not None
    slot = EXPONENTS.get(node.op)
    is_fixed = slot is not None and node.args[slot] not in among
    exponent = by_id[node.args[slot]].data if slot is not None and is_fixed else None
    return _rule(node.op, tuple(i for i, arg in enumerate(node.args) if arg in among), exponent)


@cached("memory rules")
def _rule(name: str, slots: tuple[int, ...], exponent: float | None) -> NeededPartials:
    """The rule of an op for the inputs in `slots`, at a constant exponent if it has one."""
    op, texts = OPS[name], list(OPS[name].partials)
    if exponent is not None:
        param = op.params[EXPONENTS[name]]
        texts = [specialised(text, param, exponent) for text in texts]
    needed = tuple((i, texts[i]) for i in slots)
    return NeededPartials(name, needed, _read(op.params, (text for _, text in needed)))


def _read(params: tuple[str, ...], texts: Iterable[str]) -> tuple[str, ...]:
    """The inputs and the output that occur in the texts, in this order."""
    found = {name for text in texts for name in names_in(text)}
    return tuple(name for name in (*params, "y") if name in found)
