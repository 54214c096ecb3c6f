"""Functions of tensors: results, grad_fn and gradients as printed by PyTorch."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import pytest

from engine.tensors import class_losses, gradients, operators
from engine.tensors.arrangement import cat, reshape, stack
from engine.tensors.creation import linspace, tensor
from engine.tensors.elementwise import where
from engine.tensors.functions import ACTIVATIONS, LOSSES, METHODS
from engine.tensors.optimizers import SGD, Adam, AdamW, Optimizer
from engine.tensors.session import Session

from .machine import session

Case = tuple[str, Callable[..., Any], Callable[..., Any], tuple[str, ...]]


_DOMAINS = {
    **dict.fromkeys(("log", "sqrt", "log2", "log10", "rsqrt", "log1p"), "positive"),
    **dict.fromkeys(("asin", "acos", "atanh", "arcsin"), "fractions"),
    "acosh": "beyond one",
}
"""The matrices that lie in the domain of a function."""


def _method(name: str, *args: Any, **kwargs: Any) -> Case:
    """A method that both have, on a matrix."""
    return (
        f"{name}{args or ''}{kwargs or ''}",
        lambda s, x: METHODS[name](s, x, *args, **kwargs),
        lambda torch, x: getattr(x, name)(*args, **kwargs),
        (_DOMAINS.get(name, "matrix"),),
    )


def _operator(name: str, *shapes: str) -> Case:
    return (
        f"{name} {shapes}",
        lambda s, x, y: getattr(x, f"__{name}__")(y),
        lambda torch, x, y: getattr(x, f"__{name}__")(y),
        shapes,
    )


def _with_number(name: str) -> Case:
    return (
        f"{name} 2.5",
        lambda s, x: getattr(x, f"__{name}__")(2.5),
        lambda torch, x: getattr(x, f"__{name}__")(2.5),
        ("positive",),
    )


def _functional(name: str, **kwargs: Any) -> Case:
    return (
        f"{name}{kwargs or ''}",
        lambda s, x: (ACTIVATIONS | LOSSES)[name](s, x, **kwargs),
        lambda torch, x: getattr(torch.nn.functional, name)(x, **kwargs),
        ("matrix",),
    )


def _loss(name: str, reduction: str) -> Case:
    probabilities = [[0.0, 1.0, 0.25], [1.0, 0.5, 0.0]]
    classes = name == "nll_loss"
    target = [0, 2] if classes else probabilities

    def prepared(x: Any, sigmoid: Callable[[Any], Any]) -> Any:
        return sigmoid(x) if name == "binary_cross_entropy" else x

    return (
        f"{name} {reduction}",
        lambda s, x: LOSSES[name](
            s,
            prepared(x, lambda x: METHODS["sigmoid"](s, x)),
            tensor(s, target),
            reduction=reduction,
        ),
        lambda torch, x: getattr(torch.nn.functional, name)(
            prepared(x, torch.sigmoid), torch.tensor(target), reduction=reduction
        ),
        ("matrix",),
    )


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
    ("atan2", METHODS["atan2"], lambda torch, x, y: torch.atan2(x, y),
     ("matrix", "vector")),
    *[_with_number(f"{side}{name}") for side in ("", "r") for name in (
        "add", "sub", "mul", "truediv", "pow")],
    _with_number("mod"),
    *[_functional(name) for name in (
        "gelu", "leaky_relu", "elu", "logsigmoid", "silu", "softplus")],
    _functional("gelu", approximate="tanh"), _functional("leaky_relu", negative_slope=0.2),
    *[_loss(name, reduction) for name in LOSSES for reduction in ("mean", "sum", "none")],
    ("stack", lambda s, x: stack(s, [x, x], 1), lambda torch, x: torch.stack([x, x], 1),
     ("matrix",)),
    ("cat", lambda s, x, y: cat(s, [x, y]), lambda torch, x, y: torch.cat([x, y]),
     ("matrix", "square")),
    ("cat of others", lambda s, x, y: cat(s, [x, y], 1), lambda torch, x, y: torch.cat([x, y], 1),
     ("matrix", "square")),
    ("where", lambda s, x, y: where(s, x > 0, x, y), lambda torch, x, y: torch.where(x > 0, x, y),
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


@pytest.mark.filterwarnings("ignore:reduction:UserWarning")  # of kl_div
@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_function_is_pytorch_s(case: Case, torch: Any) -> None:
    _, ours, theirs, shapes = case
    s = session()
    inputs = [tensor(s, _numbers(shape), requires_grad=True) for shape in shapes]
    references = [torch.tensor(_numbers(shape), requires_grad=True) for shape in shapes]
    result, text = _outcome(lambda: ours(s, *inputs))
    reference, wanted = _outcome(lambda: theirs(torch, *references))
    assert text == wanted
    if getattr(reference, "requires_grad", False):
        _check_gradients(torch, s, (result, inputs), (reference, references))


def _check_gradients(torch: Any, s: Session, ours: Any, theirs: Any) -> None:
    (result, inputs), (reference, references) = ours, theirs
    count = reference.numel()
    weights = torch.linspace(0.5, 1.5, count).reshape(reference.shape)
    reference.backward(weights.to(reference.dtype))
    gradients.backward(s, result, reshape(s, linspace(s, 0.5, 1.5, count), tuple(weights.shape)))
    for x, y in zip(inputs, references, strict=True):
        found = gradients.gradient(s, x)
        assert found is not None
        assert found.shape == tuple(y.grad.shape)
        assert found.numbers() == pytest.approx(y.grad.flatten().tolist(), rel=1e-5, abs=1e-6)


def test_every_sign_has_a_function() -> None:
    assert {"add", "sub", "mul", "truediv", "pow", "matmul", "mod"} <= set(operators.FUNCTIONS)


def test_probabilities_as_targets(torch: Any) -> None:
    s, target = session(), [[0.2, 0.8, 0.0], [0.5, 0.25, 0.25]]
    ours = class_losses.cross_entropy(s, tensor(s, _numbers("matrix")), tensor(s, target))
    theirs = torch.nn.functional.cross_entropy(
        torch.tensor(_numbers("matrix")), torch.tensor(target)
    )
    assert ours.numbers() == [theirs.item()]


OPTIONS: list[tuple[type[Optimizer], dict[str, Any]]] = [
    (SGD, {"lr": 0.05}),
    (SGD, {"lr": 0.1, "momentum": 0.9}),
    (SGD, {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.01}),
    (Adam, {"lr": 0.01}),
    (Adam, {"lr": 0.01, "betas": (0.8, 0.9), "weight_decay": 0.1}),
    (AdamW, {"lr": 0.01}),
]


@pytest.mark.parametrize(("kind", "options"), OPTIONS)
def test_a_step_moves_as_pytorch_s(
    kind: type[Optimizer], options: dict[str, Any], torch: Any
) -> None:
    torch.manual_seed(0)
    start, slopes = torch.randn(20), torch.randn(5, 20)
    p = start.clone().requires_grad_()
    theirs = getattr(torch.optim, kind.__name__)([p], **options)
    s = session()
    x = tensor(s, start.tolist(), requires_grad=True)
    bound: Any = type(kind.__name__, (kind,), {"_seegrad_session": s})
    ours = bound([x], **options)
    for slope in slopes:
        p.grad = slope.clone()
        gradients.set_gradient(s, x, tensor(s, slope.tolist()))
        theirs.step()
        ours.step()
        assert x.numbers() == pytest.approx(p.tolist(), rel=1e-6, abs=1e-8)
    assert repr(ours) == repr(theirs)
