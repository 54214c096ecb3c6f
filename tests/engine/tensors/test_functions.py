"""Functions of tensors: results, grad_fn and gradients as printed by PyTorch."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from engine.tensors import gradients, operators
from engine.tensors.arrangement import cat, reshape, stack
from engine.tensors.creation import linspace, tensor
from engine.tensors.elementwise import where
from engine.tensors.functions import METHODS
from engine.tensors.losses import LOSSES
from engine.tensors.optimizer_rows import ALL
from engine.tensors.session import Session
from engine.tensors.table_functions import FUNCTIONS
from tests.oracles.records import Oracle
from tests.support.each import for_each
from tests.support.library_draws import drawn_matrix

from .machine import session


class Case(NamedTuple):
    """A function of ours, and how `tests.oracles.tensor_functions` calls PyTorch's."""

    name: str
    ours: Callable[..., Any]
    theirs: tuple[str, str, list[Any], dict[str, Any]]
    shapes: tuple[str, ...]


_DOMAINS = {
    **dict.fromkeys(("log", "sqrt", "log2", "log10", "rsqrt", "log1p"), "positive"),
    **dict.fromkeys(("asin", "acos", "atanh", "arcsin"), "fractions"),
    "acosh": "beyond one",
}
"""The matrices that lie in the domain of a function."""


def _method(name: str, *args: Any, **kwargs: Any) -> Case:
    """A method that both have, on a matrix."""
    return Case(
        f"{name}{args or ''}{kwargs or ''}",
        lambda x: METHODS[name](x, *args, **kwargs),
        ("method", name, [*args], kwargs),
        (_DOMAINS.get(name, "matrix"),),
    )


def _operator(name: str, *shapes: str) -> Case:
    return Case(
        f"{name} {shapes}",
        lambda x, y: getattr(x, f"__{name}__")(y),
        ("method", f"__{name}__", [], {}),
        shapes,
    )


def _with_number(name: str) -> Case:
    return Case(
        f"{name} 2.5",
        lambda x: getattr(x, f"__{name}__")(2.5),
        ("method", f"__{name}__", [2.5], {}),
        ("positive",),
    )


def _functional(name: str, **kwargs: Any) -> Case:
    return Case(
        f"{name}{kwargs or ''}",
        lambda x: FUNCTIONS[name](x, **kwargs),
        ("functional", name, [], kwargs),
        ("matrix",),
    )


def _loss(name: str, reduction: str) -> Case:
    probabilities = [[0.0, 1.0, 0.25], [1.0, 0.5, 0.0]]
    classes = name == "nll_loss"
    target = [0, 2] if classes else probabilities

    def ours(x: Any) -> Any:
        if name == "binary_cross_entropy":
            x = METHODS["sigmoid"](x)
        return LOSSES[name](x, tensor(x.session, target), reduction=reduction)

    theirs = ("functional", name, [target], {"reduction": reduction})
    return Case(f"{name} {reduction}", ours, theirs, ("matrix",))


_OF_PAIRS = (
    "mse_loss", "l1_loss", "cross_entropy", "nll_loss", "binary_cross_entropy",
    "binary_cross_entropy_with_logits", "smooth_l1_loss", "huber_loss", "kl_div",
)  # fmt: skip
DIMS: list[dict[str, Any]] = [{}, {"dim": 0}, {"dim": 1}, {"dim": -1, "keepdim": True}]
CASES: list[Case] = [
    *[_method(name) for name in (
        "exp", "log", "sqrt", "sin", "cos", "tan", "tanh", "sigmoid", "relu", "abs", "neg",
        "square", "reciprocal", "rsqrt", "norm", "flatten", "t", "clone", "double", "log2",
        "log10", "squeeze", "exp2", "expm1", "log1p", "sinh", "cosh", "atan", "asinh", "erf",
        "erfc", "deg2rad", "rad2deg", "asin", "acos", "acosh", "atanh", "arcsin", "arctan",
    )],
    *[_method(name, **dim) for name in ("sum", "mean", "max", "min", "argmax", "std", "var", "amax")
      for dim in DIMS],
    *[_method(name, dim) for name in ("softmax", "log_softmax", "logsumexp", "cumsum", "unsqueeze")
      for dim in (0, 1)],
    _method("pow", 3), _method("clamp", -0.5, 0.5), _method("clamp", min=0.0),
    _method("view", -1), _method("reshape", 3, 2), _method("transpose", 0, 1),
    _method("permute", 1, 0), _method("expand", 2, 2, 3), _method("reshape", 4, -1),
    _method("sum", 5), _method("view", 4, 2), _method("prod"),
    *[_operator(name, a, b) for name in ("add", "sub", "mul", "truediv")
      for a, b in (("matrix", "vector"), ("vector", "matrix"), ("matrix", "pair"))],
    *[_operator("matmul", a, b) for a in ("matrix", "vector", "square") for b in (
        "square", "vector", "matrix", "pair")],
    _operator("pow", "positive", "matrix"),
    _operator("mod", "matrix", "vector"), _operator("mod", "positive", "positive"),
    Case("atan2", METHODS["atan2"], ("torch", "atan2", [], {}), ("matrix", "vector")),
    *[_with_number(f"{side}{name}") for side in ("", "r") for name in (
        "add", "sub", "mul", "truediv", "pow")],
    _with_number("mod"),
    *[_functional(name) for name in (
        "gelu", "leaky_relu", "elu", "logsigmoid", "silu", "softplus")],
    _functional("gelu", approximate="tanh"), _functional("leaky_relu", negative_slope=0.2),
    *[_loss(name, reduction) for name in _OF_PAIRS for reduction in ("mean", "sum", "none")],
    Case("stack", lambda x: stack([x, x], 1), ("twice", "stack", [1], {}), ("matrix",)),
    Case("cat", lambda x, y: cat([x, y]), ("of several", "cat", [], {}),
         ("matrix", "square")),
    Case("cat of others", lambda x, y: cat([x, y], 1), ("of several", "cat", [1], {}),
         ("matrix", "square")),
    Case("where", lambda x, y: where(x > 0, x, y), ("where", "", [], {}),
         ("matrix", "vector")),
]  # fmt: skip


def _numbers(shape: str) -> Any:
    draw = random.Random(11)
    rows = [[draw.gauss(0, 1) for _ in range(3)] for _ in range(3)]
    return {
        "matrix": rows[:2], "square": rows, "vector": rows[2], "pair": rows[2][:2],
        "positive": [[abs(x) + 0.1 for x in row] for row in rows[:2]],
        "fractions": [[math.tanh(x) for x in row] for row in rows[:2]],
        "beyond one": [[abs(x) + 1.1 for x in row] for row in rows[:2]],
    }[shape]  # fmt: skip


def _outcome(compute: Callable[[], Any]) -> tuple[Any, str]:
    try:
        result = compute()
    except (RuntimeError, IndexError, ValueError) as error:
        return None, f"{type(error).__name__}: {error}"
    return result, repr(result)


@for_each("case", CASES, ids=[case.name for case in CASES])
def test_a_function_is_pytorch_s(case: Case, oracle: Oracle) -> None:
    numbers = [_numbers(shape) for shape in case.shapes]
    wanted = oracle("tensor_functions.outcome", *case.theirs, numbers)
    s = session()
    inputs = [tensor(s, x, requires_grad=True) for x in numbers]
    result, text = _outcome(lambda: case.ours(*inputs))
    assert text == wanted["text"]
    if "grads" in wanted:
        _check_gradients(s, result, inputs, wanted)


def _check_gradients(s: Session, result: Any, inputs: list[Any], wanted: dict[str, Any]) -> None:
    shape = wanted["shape"]
    weights = linspace(s, 0.5, 1.5, math.prod(shape))
    gradients.backward(result, reshape(weights, tuple(shape)))
    for x, (shape, grad) in zip(inputs, wanted["grads"], strict=True):
        found = x.gradient
        assert found is not None
        assert [*found.shape] == shape
        assert found.numbers() == pytest.approx(grad, rel=1e-5, abs=1e-6)


def test_every_sign_has_a_function() -> None:
    assert {"add", "sub", "mul", "truediv", "pow", "matmul", "mod"} <= set(operators.FUNCTIONS)


def test_probabilities_as_targets(oracle: Oracle) -> None:
    s, target, x = session(), [[0.2, 0.8, 0.0], [0.5, 0.25, 0.25]], _numbers("matrix")
    ours = LOSSES["cross_entropy"](tensor(s, x), tensor(s, target))
    wanted = oracle("tensor_functions.outcome", "functional", "cross_entropy", [target], {}, [x])
    assert ours.numbers() == [wanted["item"]]


OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("SGD", {"lr": 0.05}),
    ("SGD", {"lr": 0.1, "momentum": 0.9}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.01}),
    ("Adam", {"lr": 0.01}),
    ("Adam", {"lr": 0.01, "betas": (0.8, 0.9), "weight_decay": 0.1}),
    ("AdamW", {"lr": 0.01}),
]


@for_each(("name", "options"), OPTIONS)
def test_a_step_moves_as_pytorch_s(name: str, options: dict[str, Any], oracle: Oracle) -> None:
    (kind,) = [cls for cls in ALL if cls.__name__ == name]
    (start, *slopes) = drawn_matrix(6, 20)
    wanted = oracle("tensor_functions.steps", name, options, start, slopes)
    s = session()
    x = tensor(s, start, requires_grad=True)
    bound: Any = type(name, (kind,), {"_seegrad_session": s})
    ours = bound([x], **options)
    for slope, after in zip(slopes, wanted["after"], strict=True):
        gradients.set_gradient(x, tensor(s, slope))
        ours.step()
        assert x.numbers() == pytest.approx(after, rel=1e-6, abs=1e-8)
    assert repr(ours) == wanted["text"]
