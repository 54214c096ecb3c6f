"""torch.optim: SGD with momentum (Nesterov's as in Sutskever et al. 2013), Adam (Kingma and Ba
2015), AdamW (Loshchilov and Hutter 2019), RMSprop (Tieleman and Hinton 2012) and Adagrad.

Numbers are rounded as PyTorch's kernels round them: after each step, with products fused into sums.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any

from .gradients import reset
from .scalar import Tensor
from .session import Session
from .tensor_array import TensorArray

Options = dict[str, Any]
Rounding = Callable[[Iterable[float]], list[float]]

OF_TENSORS = (TensorArray,)


class Optimizer:
    """Parameters in groups, each with its options; a program may derive an optimizer of its own."""

    _seegrad_session: Session

    def __init__(self, params: Any, defaults: Options) -> None:
        _check(defaults)
        self.defaults = defaults
        items: list[Any] = [params] if isinstance(params, OF_TENSORS) else list(params)
        if not items:
            raise ValueError("optimizer got an empty parameter list")
        are_groups = all(isinstance(x, dict) for x in items)
        groups: list[Options] = items if are_groups else [{"params": items}]
        self.param_groups = [
            {**group, **{k: v for k, v in defaults.items() if k not in group}} for group in groups
        ]
        for group in self.param_groups:
            held = group["params"]
            group["params"] = [held] if isinstance(held, OF_TENSORS) else list(held)
            for x in group["params"]:
                _check_parameter(x)
        self._seegrad_memory: dict[int, Options] = {}
        """The momenta and counts of each parameter, by the identity of the parameter."""

    def zero_grad(self, set_to_none: bool = True) -> None:
        for group in self.param_groups:
            for x in group["params"]:
                reset(self._seegrad_session, x, to_none=set_to_none)

    def step(self) -> None:
        raise NotImplementedError

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for i, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {i}")
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return "\n".join([*lines, ")"])


class ParameterRule(Optimizer, ABC):
    """An optimizer that moves each parameter by itself, from its numbers and gradient."""

    def step(self) -> None:
        """Move each parameter that has a gradient."""
        session = self._seegrad_session
        for group in self.param_groups:
            for x in group["params"]:
                array = session.array(x)
                cells = [cell for cell in array.grid.items() if isinstance(cell, Tensor)]
                if not any(cell.reached for cell in cells):
                    continue
                memory = self._seegrad_memory.setdefault(id(x), {"kept": x, "steps": 0})
                memory["steps"] += 1
                numbers = [cell.data for cell in cells]
                slopes = [cell.grad for cell in cells]
                moved = self._seegrad_moved(numbers, slopes, group, memory, array.dtype.convert)
                for cell, number in zip(cells, moved, strict=True):
                    cell.data = number
                array.storage.version[0] += 1

    @abstractmethod
    def _seegrad_moved(
        self, p: list[float], g: list[float], group: Options, memory: Options, rounded: Rounding
    ) -> list[float]:
        """The numbers of a parameter after a step from `p` with the gradient `g`."""


ParameterRule.__name__ = ParameterRule.__qualname__ = "_ParameterRule"  # not for programs


def _check(options: Options) -> None:
    words = {
        "lr": "learning rate",
        "momentum": "momentum value",
        "weight_decay": "weight_decay value",
        "eps": "epsilon value",
    }
    for key, name in words.items():
        if key in options and not options[key] >= 0.0:
            raise ValueError(f"Invalid {name}: {options[key]}")
    for i, beta in enumerate(options.get("betas", ())):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {i}: {beta}")
    if options.get("nesterov") and (options["momentum"] <= 0 or options["dampening"] != 0):
        raise ValueError("Nesterov momentum requires a momentum and zero dampening")


def _check_parameter(x: Any) -> None:
    if not isinstance(x, TensorArray):
        raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {_type(x)}")
    if not x.is_leaf:
        raise ValueError("can't optimize a non-leaf Tensor")


def _type(x: Any) -> str:
    return type(x).__name__


_SHARED = {"maximize": False, "foreach": None, "differentiable": False, "fused": None}


class SGD(ParameterRule):
    """p ← p − lr·v with v ← momentum·v + (1 − dampening)·g."""

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        options = {
            "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay,
            "nesterov": nesterov, **_SHARED, "maximize": maximize,
        }  # fmt: skip
        Optimizer.__init__(self, params, options)

    def _seegrad_moved(
        self, p: list[float], g: list[float], group: Options, memory: Options, rounded: Rounding
    ) -> list[float]:
        g = slope(p, g, group, rounded)
        if group["momentum"]:
            g = self._seegrad_velocity(g, group, memory, rounded)
        (step,) = rounded([-group["lr"]])
        return rounded(x + step * d for x, d in zip(p, g, strict=True))

    def _seegrad_velocity(
        self, g: list[float], group: Options, memory: Options, rounded: Rounding
    ) -> list[float]:
        momentum, share = rounded([group["momentum"], 1 - group["dampening"]])
        if "velocity" in memory:
            slowed = rounded(v * momentum for v in memory["velocity"])
            memory["velocity"] = rounded(v + share * d for v, d in zip(slowed, g, strict=True))
        else:
            memory["velocity"] = list(g)
        velocity: list[float] = memory["velocity"]
        if not group["nesterov"]:
            return velocity
        return rounded(d + momentum * v for d, v in zip(g, velocity, strict=True))


def slope(p: list[float], g: list[float], group: Options, rounded: Rounding) -> list[float]:
    """The gradient with the decay of the weights."""
    if group["maximize"]:
        g = [-d for d in g]
    if not group["weight_decay"]:
        return g
    (decay,) = rounded([group["weight_decay"]])
    return rounded(d + decay * x for d, x in zip(g, p, strict=True))


class Adam(ParameterRule):
    """p ← p − lr·m̂ / (√v̂ + ε), the decayed means of g and g² without their bias towards 0."""

    decoupled = False

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float | None = None,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        decay = (0.01 if self.decoupled else 0) if weight_decay is None else weight_decay
        options = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": decay, "amsgrad": amsgrad,
            "capturable": False, **_SHARED, "maximize": maximize,
            "decoupled_weight_decay": self.decoupled,
        }  # fmt: skip
        Optimizer.__init__(self, params, options)

    def _seegrad_moved(
        self, p: list[float], g: list[float], group: Options, memory: Options, rounded: Rounding
    ) -> list[float]:
        if self.decoupled:
            (keep,) = rounded([1 - group["lr"] * group["weight_decay"]])
            p = rounded(x * keep for x in p)
            g = [-d for d in g] if group["maximize"] else g
        else:
            g = slope(p, g, group, rounded)
        m, v = _means(g, group["betas"], memory, rounded)
        first, second = (1 - beta ** memory["steps"] for beta in group["betas"])
        scale, eps, step = rounded([math.sqrt(second), group["eps"], -group["lr"] / first])
        if group["amsgrad"]:
            memory["most"] = v = list(map(max, memory.get("most", v), v))
        roots = rounded(map(math.sqrt, v))
        roots = rounded(x + eps for x in rounded(x / scale for x in roots))
        moves = rounded(a / b for a, b in zip(rounded(step * x for x in m), roots, strict=True))
        return rounded(x + d for x, d in zip(p, moves, strict=True))


def _means(
    g: list[float], betas: tuple[float, float], memory: Options, rounded: Rounding
) -> tuple[list[float], list[float]]:
    """The decayed means of the gradient and of its square."""
    zeros = [0.0] * len(g)
    share, keep, square = rounded([1 - betas[0], betas[1], 1 - betas[1]])
    m, v = memory.get("mean", zeros), memory.get("square", zeros)
    ways = rounded(d - a for a, d in zip(m, g, strict=True))
    memory["mean"] = rounded(a + share * way for a, way in zip(m, ways, strict=True))
    kept, parts = rounded(a * keep for a in v), rounded(square * d for d in g)
    memory["square"] = rounded(a + b * d for a, b, d in zip(kept, parts, g, strict=True))
    return memory["mean"], memory["square"]


class AdamW(Adam):
    """Adam with the decay of the weights apart from the gradient."""

    decoupled = True


class RMSprop(ParameterRule):
    """p ← p − lr·g / (√v + ε) with the decayed mean v of g² (Tieleman and Hinton 2012)."""

    def __init__(
        self,
        params: Any,
        lr: float = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
    ) -> None:
        options = {
            "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered,
            "weight_decay": weight_decay, "capturable": False, "foreach": None, "maximize": False,
            "differentiable": False,
        }  # fmt: skip
        Optimizer.__init__(self, params, options)

    def _seegrad_moved(
        self, p: list[float], g: list[float], group: Options, memory: Options, rounded: Rounding
    ) -> list[float]:
        g = slope(p, g, group, rounded)
        keep, share, eps, step = rounded(
            [group["alpha"], 1 - group["alpha"], group["eps"], -group["lr"]]
        )
        kept = rounded(keep * v for v in memory.get("square", [0.0] * len(g)))
        parts = rounded(share * d for d in g)
        memory["square"] = rounded(a + b * d for a, b, d in zip(kept, parts, g, strict=True))
        spread = memory["square"]
        if group["centered"]:
            held = memory.get("mean", [0.0] * len(g))
            memory["mean"] = rounded(m + share * (d - m) for m, d in zip(held, g, strict=True))
            spread = rounded(v - m * m for v, m in zip(spread, memory["mean"], strict=True))
        roots = rounded(x + eps for x in rounded(map(math.sqrt, spread)))
        if not group["momentum"]:
            moves = rounded(a / b for a, b in zip(rounded(step * d for d in g), roots, strict=True))
            return rounded(x + d for x, d in zip(p, moves, strict=True))
        (momentum,) = rounded([group["momentum"]])
        slowed = rounded(momentum * v for v in memory.get("velocity", [0.0] * len(g)))
        ways = rounded(d / r for d, r in zip(g, roots, strict=True))
        memory["velocity"] = rounded(v + d for v, d in zip(slowed, ways, strict=True))
        return rounded(x + step * v for x, v in zip(p, memory["velocity"], strict=True))


class Adagrad(ParameterRule):
    """p ← p − lr·g / (√Σg² + ε) (Duchi et al. 2011)."""

    def __init__(
        self,
        params: Any,
        lr: float = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
    ) -> None:
        options = {
            "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value, **_SHARED,
        }  # fmt: skip
        Optimizer.__init__(self, params, options)

    def _seegrad_moved(
        self, p: list[float], g: list[float], group: Options, memory: Options, rounded: Rounding
    ) -> list[float]:
        g = slope(p, g, group, rounded)
        rate = group["lr"] / (1 + (memory["steps"] - 1) * group["lr_decay"])
        step, eps, first = rounded([-rate, group["eps"], group["initial_accumulator_value"]])
        sums = memory.get("sums", [first] * len(g))
        memory["sums"] = rounded(s + d * d for s, d in zip(sums, g, strict=True))
        roots = rounded(x + eps for x in rounded(map(math.sqrt, memory["sums"])))
        moves = rounded(a / b for a, b in zip(rounded(step * d for d in g), roots, strict=True))
        return rounded(x + d for x, d in zip(p, moves, strict=True))


OPTIMIZERS: tuple[type, ...] = (Optimizer, ParameterRule, SGD, Adam, AdamW, RMSprop, Adagrad)
