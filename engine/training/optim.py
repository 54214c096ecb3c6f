"""The tables of optimizers and learning-rate schedules.

An update rule is text in the formula language of the op table, one assignment per line, over `p`
(the parameter), `g` (its gradient), the optimizer's `state` (per parameter) and `scalars` (per
run), `rate` (the learning rate of the step), `momentum` and `weight_decay`. Recurrences and
constants are PyTorch's. To add an optimizer or a schedule, add one entry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.formulas import Function, compile_text


@dataclass(frozen=True, slots=True)
class OptimizerRule:
    """One optimizer.

    `state` names per-parameter variables, initially 0; `scalars` names per-run variables with their
    initial values, which `before` advances once per step, ahead of the updates. `rate` is a
    learning rate with which networks of some dozen neurons learn: at the same rate, the steps of
    one optimizer are not as long as those of another.
    """

    name: str
    help: str
    formula: str
    update: str
    rate: float
    state: tuple[str, ...] = ()
    scalars: tuple[tuple[str, float], ...] = ()
    before: str = ""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The learning rate of a step, an expression in `rate`, `end`, `step` and `steps`."""

    name: str
    help: str
    formula: str
    rate: str


OPTIONS = ("rate", "momentum", "weight_decay")
"""Variables of every update rule."""
SCHEDULED = ("rate", "end", "step", "steps")
"""Variables of a schedule."""

_ADAM = """\
m = 0.9 * m + 0.1 * g
v = 0.999 * v + 0.001 * g ** 2
p = p - rate * (m / (1 - c1)) / (sqrt(v / (1 - c2)) + 1e-8)"""
_ADAM_SCALARS = (("c1", 1.0), ("c2", 1.0))
_ADAM_BEFORE = "c1 = 0.9 * c1\nc2 = 0.999 * c2"

OPTIMIZERS: dict[str, OptimizerRule] = {
    optimizer.name: optimizer
    for optimizer in (
        OptimizerRule(
            "sgd",
            "Stochastic gradient descent.",
            "p ← p − η·g",
            "p = p - rate * g",
            rate=0.1,
        ),
        OptimizerRule(
            "momentum",
            "Gradient descent with a decaying sum of past gradients (Polyak 1964).",
            "v ← μ·v + g,  p ← p − η·v",
            "v = momentum * v + g\np = p - rate * v",
            rate=0.02,
            state=("v",),
        ),
        OptimizerRule(
            "nesterov",
            "Momentum with a look-ahead gradient (Nesterov 1983).",
            "v ← μ·v + g,  p ← p − η·(g + μ·v)",
            "v = momentum * v + g\np = p - rate * (g + momentum * v)",
            rate=0.02,
            state=("v",),
        ),
        OptimizerRule(
            "rmsprop",
            "Gradients divided by their running root mean square (Hinton 2012).",
            "v ← 0.99·v + 0.01·g²,  p ← p − η·g ∕ (√v + ε)",
            "v = 0.99 * v + 0.01 * g ** 2\np = p - rate * g / (sqrt(v) + 1e-8)",
            rate=0.01,
            state=("v",),
        ),
        OptimizerRule(
            "adam",
            "Running mean of gradients over their root mean square (Kingma, Ba 2015).",
            "m ← 0.9·m + 0.1·g,  v ← 0.999·v + 0.001·g²,  p ← p − η·m̂ ∕ (√v̂ + ε)",
            _ADAM,
            rate=0.02,
            state=("m", "v"),
            scalars=_ADAM_SCALARS,
            before=_ADAM_BEFORE,
        ),
        OptimizerRule(
            "adamw",
            "Adam with decoupled weight decay (Loshchilov, Hutter 2019).",
            "p ← p − η·λ·p,  then as Adam",
            f"p = p - rate * weight_decay * p\n{_ADAM}",
            rate=0.02,
            state=("m", "v"),
            scalars=_ADAM_SCALARS,
            before=_ADAM_BEFORE,
        ),
    )
}
"""Every optimizer by its name."""

SCHEDULES: dict[str, Schedule] = {
    schedule.name: schedule
    for schedule in (
        Schedule("constant", "A constant learning rate.", "η", "rate"),
        Schedule(
            "linear",
            "Linear interpolation from the initial to the final learning rate.",
            "η·(1 − t∕T) + η_T·t∕T",
            "rate * (1 - step / steps) + end * (step / steps)",
        ),
        Schedule(
            "cosine",
            "Cosine annealing from the initial to the final rate (Loshchilov, Hutter 2017).",
            "η·(1 + cos(π·t∕T))∕2 + η_T·(1 − cos(π·t∕T))∕2",
            "rate * (1 + cos(pi * step / steps)) / 2 + end * (1 - cos(pi * step / steps)) / 2",
        ),
    )
}
"""Every schedule by its name."""


def assignments(text: str) -> list[tuple[str, str]]:
    """The variable and the expression of each line of a rule."""
    lines = (line.partition(" = ") for line in text.splitlines())
    return [(name, expression) for name, _, expression in lines]


def rate_of(schedule: Schedule) -> Function:
    """A schedule as a function of (rate, end, step, steps)."""
    return compile_text(schedule.rate, SCHEDULED)


class Updater:
    """An optimizer with its state for `count` parameters.

    Infinities and nan in a gradient propagate into the parameter and never raise.
    """

    def __init__(
        self,
        optimizer: OptimizerRule,
        count: int,
        momentum: float = 0.9,
        weight_decay: float = 0.01,
    ) -> None:
        self._optimizer = optimizer
        self.numbers = {"momentum": momentum, "weight_decay": weight_decay}
        self.numbers |= dict(optimizer.scalars)
        self.state = [dict.fromkeys(optimizer.state, 0.0) for _ in range(count)]
        scalars = tuple(name for name, _ in optimizer.scalars)
        self._before = _compiled(optimizer.before, (*scalars, *OPTIONS))
        self._update = _compiled(optimizer.update, ("p", "g", *optimizer.state, *scalars, *OPTIONS))

    def take_state(self, before: Updater) -> None:
        """Continue with the state of the same optimizer with other options."""
        self.state = before.state
        self.numbers |= {name: before.numbers[name] for name, _ in self._optimizer.scalars}

    def step(
        self, parameters: Sequence[float], gradient: Sequence[float], rate: float
    ) -> list[float]:
        """The parameters after one update against `gradient`."""
        self.numbers["rate"] = rate
        for name, expression in self._before:
            self.numbers[name] = expression(**self.numbers)
        out = []
        for p, g, own in zip(parameters, gradient, self.state, strict=True):
            numbers = {**self.numbers, **own, "p": p, "g": g}
            for name, expression in self._update:
                numbers[name] = expression(**numbers)
            own.update((name, numbers[name]) for name in own)
            out.append(numbers["p"])
        return out


def _compiled(text: str, names: tuple[str, ...]) -> list[tuple[str, Function]]:
    return [(name, compile_text(expression, names)) for name, expression in assignments(text)]
