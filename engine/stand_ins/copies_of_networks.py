"""Deep copies of the library's Values and networks, whose parameters are leaves of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.nn import MLP, Layer, Neuron
from engine.value import Value

Part = Callable[[Any], Any]
VALUE_COST = 16  # operations: a copy takes its place among the leaves
MODULE_COST = 12  # operations: an object with a name and a list of its own


def _value(m: Any, x: Value, part: Part, memo: dict[int, Any]) -> Value:
    """A leaf with the number, gradient and label of the leaf `x`."""
    if x.op is not None:
        m.refuse("Only a leaf can be copied here, not a result.", "Write Value(x.data).")
    made = Value(x.data, label=x.label)
    made.data, made.grad = x.data, x.grad
    m.leaf(made)
    return made


def _network(m: Any, x: Any, part: Part, memo: dict[int, Any]) -> Any:
    """A network of copied parts. Its hook, by which the run observes its calls, is that of `x`."""
    made = object.__new__(type(x))
    memo[id(x)] = (x, made)
    for name, value in list(vars(x).items()):
        vars(made)[name] = value if name == "hook" else part(value)
    held = [made.b, *made.w] if type(made) is Neuron and type(made.w) is list else []
    m.tape.parameters.update(map(id, held))
    return made


LIBRARY: dict[type, Callable[..., Any]] = {
    Value: _value,
    Neuron: _network,
    Layer: _network,
    MLP: _network,
}
