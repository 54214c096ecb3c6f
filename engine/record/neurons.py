"""The forward passes of built-in neurons, with the place of each Value as it is computed.

Adopting the graph of a forward pass afterwards would visit each of its Values twice more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine.nn import LINEAR, Layer, Module, Neuron
from engine.ops import OPS
from engine.value import Value

from .live_numbers import LiveNumber, Origin

if TYPE_CHECKING:
    from .tape import Tape

_ADD, _TIMES = OPS["+"], OPS["*"]
PLAIN = frozenset({Value, LiveNumber})
"""The types of built-in Values that follow no rules but their class's own."""
_new = object.__new__
_tuple = tuple.__new__


def output_of(tape: Tape, module: Module, inputs: Any) -> Any:
    """`module.forward(inputs)`, bit for bit and in its order, of a neuron or a layer of Values.

    None for any other module, for micrograd's, whose ints stay ints, and where the program has put
    other objects into its lists.
    """
    if tape.machine.follows_micrograd or type(inputs) is not list or not inputs:
        return None
    if not PLAIN.issuperset(map(type, inputs)):
        return None
    if type(module) is Neuron and _is_plain(module):
        return _sum(tape, module, inputs)
    if type(module) is not Layer or not all(map(_is_plain, module.neurons)):
        return None
    m = tape.machine
    around, out = m.scope, []
    for neuron in module.neurons:
        m.scope = "neuron", neuron, around
        out.append(_sum(tape, neuron, inputs))
    m.scope = around
    return out[0] if len(out) == 1 else out


def _is_plain(neuron: Any) -> bool:
    """Whether a neuron is a sum of products of built-in Values, as its class has it."""
    if type(neuron) is not Neuron or neuron.strict:
        return False
    weights = neuron.w
    if type(weights) is not list or not weights or type(neuron.b) not in PLAIN:
        return False
    return PLAIN.issuperset(map(type, weights))


def _sum(tape: Tape, neuron: Neuron, inputs: Sequence[Value]) -> Value:
    """The output of one neuron at the present place and scope."""
    m = tape.machine
    made, total = tape.made, neuron.b
    origin = _tuple(Origin, (m.node, m.scope, None))
    for weight, x in zip(neuron.w, inputs, strict=False):
        product, after = _new(Value), _new(Value)
        product.data = product.made_with = data = weight.data * x.data
        product.args = weight, x
        product.op = _TIMES
        product.serial = made
        made += 1
        after.data = after.made_with = total.data + data
        after.args = total, product
        after.op = _ADD
        after.serial = made
        made += 1
        product.grad = after.grad = 0.0
        product.label = after.label = ""
        product.origin = after.origin = origin
        total = after
    if neuron.activation != LINEAR:
        op, arg, total = OPS[neuron.activation], total, _new(Value)
        total.data = total.made_with = op.compute(arg.data)
        total.args, total.op, total.serial = (arg,), op, made
        total.grad, total.label, total.origin = 0.0, "", origin
        made += 1
    tape.made, tape.last = made, total
    return total
