"""torch.optim: what all optimizers share; `optimizer_rows` has each as a row."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any

from .gradients import reset
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
                reset(x, to_none=set_to_none)

    def step(self) -> None:
        raise NotImplementedError

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for i, group in enumerate(self.param_groups):
            lines += [*[""][: i > 0], f"Parameter Group {i}"]
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return "\n".join([*lines, ")"])


class ParameterRule(Optimizer, ABC):
    """An optimizer that moves each parameter by itself, from its numbers and gradient."""

    def step(self) -> None:
        """Move each parameter that has a gradient."""
        for group in self.param_groups:
            for x in group["params"]:
                if x.gradient is None:
                    continue
                memory = self._seegrad_memory.setdefault(id(x), {"kept": x, "steps": 0})
                memory["steps"] += 1
                slopes = x.gradient.numbers()
                x.grid.write(
                    self._seegrad_moved(x.numbers(), slopes, group, memory, x.dtype.convert)
                )
                x.storage.version[0] += 1

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


def slope(p: list[float], g: list[float], group: Options, rounded: Rounding) -> list[float]:
    """The gradient with the decay of the weights."""
    if group["maximize"]:
        g = [-d for d in g]
    if not group["weight_decay"]:
        return g
    (decay,) = rounded([group["weight_decay"]])
    return rounded(d + decay * x for d, x in zip(g, p, strict=True))


OPTIMIZERS: tuple[type, ...] = (Optimizer, ParameterRule)
