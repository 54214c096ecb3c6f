"""torch.autograd: gradients as functions of a program ask for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.stand_ins.contract import Machine
from engine.stand_ins.library import LibraryModule
from engine.stand_ins.tensor_kinds import session_of
from engine.tensors.arrangement import stack, unbind
from engine.tensors.gradients import (
    NOT_RECORDED,
    backward,
    gradients_apart,
    require,
    seeds,
)
from engine.tensors.opened import hessian as second_derivatives
from engine.tensors.opened import recorded_gradients
from engine.tensors.own_functions import OwnFunction
from engine.tensors.tensor_array import TensorArray

from .quiet import Quiet
from .torch_nn import absent

UNUSED = (
    "The differentiated Tensor at index {} appears to not have been used in the graph. Set "
    "allow_unused=True if this is the desired behavior."
)
_ABSENT = "gradcheck gradgradcheck profiler forward_ad graph"


def names(m: Machine) -> dict[str, Any]:
    """The names of the module torch.autograd."""
    functional = {
        **absent(m, "torch.autograd.functional", "jvp vhp hvp"),
        "vjp": lambda func, inputs, v=None, create_graph=False: vjp(m, func, inputs, v),
        "jacobian": lambda func, inputs, create_graph=False: jacobian(m, func, inputs),
        "hessian": lambda func, inputs, create_graph=False: hessian(m, func, inputs),
    }
    own = type("Function", (OwnFunction,), {"_seegrad_session": session_of(m)})
    return {
        **absent(m, "torch.autograd", _ABSENT),
        "Function": own,
        "grad": _named("grad", lambda *args, **options: grad(m, *args, **options)),
        "backward": lambda tensors, grad_tensors=None, **options: _backward(
            m, tensors, grad_tensors, **options
        ),
        "Variable": lambda data, requires_grad=False: _variable(m, data, requires_grad),
        "functional": LibraryModule("torch.autograd.functional", functional),
        "set_detect_anomaly": lambda mode=True, **options: Quiet(),
        "detect_anomaly": lambda **options: Quiet(),
    }


def _named(name: str, function: Any) -> Any:
    function.__name__ = function.__qualname__ = name
    return function


def _listed(x: Any) -> list[Any]:
    return list(x) if isinstance(x, list | tuple) else [x]


def grad(
    m: Machine,
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool | None = None,
    **options: Any,
) -> tuple[Any, ...]:
    """torch.autograd.grad: the gradients of the outputs' sum, which leave x.grad as it was."""
    given, wanted = _listed(outputs), _listed(inputs)
    if not all(x.requires_grad for x in given):
        raise RuntimeError(NOT_RECORDED)
    if not all(x.requires_grad for x in wanted):
        raise RuntimeError("One of the differentiated Tensors does not require grad")
    weights = [None] * len(given) if grad_outputs is None else _listed(grad_outputs)
    found: Sequence[Any]
    if create_graph:
        found = recorded_gradients(seeds(given, weights), wanted)
    else:
        found = gradients_apart(given, weights, wanted, retain_graph=bool(retain_graph))
    if not allow_unused and any(x is None for x in found):
        unused = next(i for i, x in enumerate(found) if x is None)
        raise RuntimeError(UNUSED.format(unused))
    return tuple(found)


def _backward(m: Machine, tensors: Any, grad_tensors: Any = None, **options: Any) -> None:
    given = _listed(tensors)
    seeds = [None] * len(given) if grad_tensors is None else _listed(grad_tensors)
    for x, seed in zip(given, seeds, strict=True):
        backward(x, seed, retain_graph=bool(options.get("retain_graph")))


def _variable(m: Machine, data: Any, requires_grad: bool) -> Any:
    """torch.autograd.Variable, PyTorch's old name of a tensor that may record gradients."""
    if not isinstance(data, TensorArray):
        raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
    return require(data) if requires_grad else data


# Derivatives of functions


def _start(m: Machine, inputs: Any) -> Any:
    """A leaf with the numbers of the only argument."""
    if not isinstance(inputs, TensorArray):
        m.refuse("This takes one tensor here.", "Join the arguments to one tensor.")
    return require(inputs.new(inputs.numbers()))


def vjp(m: Machine, func: Any, inputs: Any, v: Any = None) -> tuple[Any, Any]:
    """f(x), and the gradient of Σ v·f(x) for x."""
    x = _start(m, inputs)
    result = m.call(func, x)
    if not result.requires_grad:
        return result, x.detached() * 0.0
    (found,) = gradients_apart([result], [v], [x], retain_graph=True)
    return result.detached(), found


def _gradient_function(m: Machine, func: Any, argnums: int = 0, has_aux: bool = False) -> Any:
    """torch.func.grad: the function whose value is the gradient of another."""
    if has_aux:
        m.refuse("has_aux is False here.", "Leave it out.")

    def gradient(*args: Any) -> Any:
        given = list(args)
        given[argnums] = _start(m, given[argnums])
        result = m.call(func, *given)
        if not result.requires_grad:
            return given[argnums].detached() * 0.0
        return gradients_apart([result], [None], [given[argnums]], retain_graph=True)[0]

    return gradient


def _batched_function(m: Machine, func: Any, in_dims: Any = 0, out_dims: int = 0) -> Any:
    """torch.vmap: the function for each slice along an axis, its results side by side."""

    def batched(*args: Any) -> Any:
        dims = in_dims if isinstance(in_dims, tuple) else (in_dims,) * len(args)
        lengths = [x.shape[d] for x, d in zip(args, dims, strict=True) if d is not None]
        slices = [
            [x] * lengths[0] if d is None else list(unbind(x, d))
            for x, d in zip(args, dims, strict=True)
        ]
        found = [m.call(func, *part) for part in zip(*slices, strict=True)]
        if isinstance(found[0], tuple):
            return tuple(stack(list(parts), out_dims) for parts in zip(*found, strict=True))
        return stack(found, out_dims)

    return batched


def function_names(m: Machine) -> dict[str, Any]:
    """The names of the module torch.func."""
    return {
        **absent(m, "torch.func", "jvp linearize functional_call"),
        "grad": lambda func, argnums=0, has_aux=False: _gradient_function(
            m, func, argnums, has_aux
        ),
        "vmap": lambda func, in_dims=0, out_dims=0: _batched_function(m, func, in_dims, out_dims),
        "jacrev": lambda func: lambda x: jacobian(m, func, x),
        "jacfwd": lambda func: lambda x: jacobian(m, func, x),
        "hessian": lambda func: lambda x: hessian(m, func, x),
    }


def jacobian(m: Machine, func: Any, inputs: Any) -> Any:
    """∂f(x)ᵢ/∂xⱼ, in the shape of f(x) and then that of x."""
    x = _start(m, inputs)
    result, session = x.session.array(m.call(func, x)), x.session
    session.room((*result.shape, *x.shape))
    rows: list[float] = []
    for place in range(result.size if result.requires_grad else 0):
        weight = result.new([float(i == place) for i in range(result.size)])
        with session.recorded(False):
            (row,) = gradients_apart([result], [weight], [x], retain_graph=True)
        rows += [0.0] * x.size if row is None else row.numbers()
    rows = rows or [0.0] * (result.size * x.size)
    return x.new(x.dtype.convert(rows), (*result.shape, *x.shape))


def hessian(m: Machine, func: Any, inputs: Any) -> Any:
    """∂²f(x)/∂xᵢ∂xⱼ of a function whose result is one number."""
    x = _start(m, inputs)
    result = x.session.array(m.call(func, x))
    if result.size != 1:
        raise RuntimeError(
            "The Tensor returned by the function given to hessian should contain a single element"
        )
    shape = (*x.shape, *x.shape)
    x.session.room(shape)
    rows = second_derivatives(result, x) if result.requires_grad else [0.0] * x.size**2
    return x.new(x.dtype.convert(rows), shape)
