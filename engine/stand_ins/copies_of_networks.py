"""Deep copies of Values, tensors and networks, whose parameters are leaves of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.nn import MLP, Layer, Neuron
from engine.tensors.gradients import require
from engine.tensors.tensor_array import TensorArray
from engine.value import Value

Part = Callable[[Any], Any]
_ONLY_LEAVES = (
    "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at "
    "the moment.  If you were attempting to deepcopy a module, this may be because of a "
    "torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
)


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


def _tensor(m: Any, x: Any, part: Part, memo: dict[int, Any]) -> Any:
    """A leaf with the numbers and the gradient of the leaf `x`."""
    if x.made_by:
        raise RuntimeError(_ONLY_LEAVES)
    made: TensorArray = x.new(x.numbers())
    if x.requires_grad:
        require(made)
    made.is_parameter = x.is_parameter
    if x.gradient is not None:
        made.gradient = x.gradient.new(x.gradient.numbers())
    return made


LIBRARY: dict[type, Callable[..., Any]] = {
    Value: _value,
    TensorArray: _tensor,
    Neuron: _network,
    Layer: _network,
    MLP: _network,
}
