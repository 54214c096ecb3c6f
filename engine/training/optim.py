"""The tables of optimizers and schedules: how a gradient changes a parameter, and how fast.

Rules are text in the formula language of the op table, as assignments one a line. The names they
may use: `p` the parameter, `g` its gradient, the optimizer's own `state` (one number for each
parameter) and `scalars` (one for the run), `rate` (that of this step), `momentum` and
`weight_decay`. The recurrences and their constants are PyTorch's. To add an optimizer or a
schedule, add one entry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.ops import Function, compile_text


@dataclass(frozen=True, slots=True)
class Optimizer:
    """One update rule.

    `state` names numbers that every parameter has of its own, 0 at the start; `scalars` names
    numbers of the whole run, with their start, which `before` moves on once a step, ahead of the
    updates.
    """

    name: str
    help: str
    formula: str
    update: str
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
"""What a rule may use besides its own names."""
SCHEDULED = ("rate", "end", "step", "steps")
"""What a schedule may use."""

_ADAM = """\
m = 0.9 * m + 0.1 * g
v = 0.999 * v + 0.001 * g ** 2
p = p - rate * (m / (1 - c1)) / (sqrt(v / (1 - c2)) + 1e-8)"""
_ADAM_SCALARS = (("c1", 1.0), ("c2", 1.0))
_ADAM_BEFORE = "c1 = 0.9 * c1\nc2 = 0.999 * c2"

OPTIMIZERS: dict[str, Optimizer] = {
    optimizer.name: optimizer
    for optimizer in (
        Optimizer(
            "sgd",
            "Gradient descent: a step against the gradient.",
            "p ← p − η·g",
            "p = p - rate * g",
        ),
        Optimizer(
            "momentum",
            "Steps keep a part of the direction of the steps before (Polyak 1964).",
            "v ← μ·v + g,  p ← p − η·v",
            "v = momentum * v + g\np = p - rate * v",
            state=("v",),
        ),
        Optimizer(
            "nesterov",
            "Momentum that looks one step ahead (Nesterov 1983).",
            "v ← μ·v + g,  p ← p − η·(g + μ·v)",
            "v = momentum * v + g\np = p - rate * (g + momentum * v)",
            state=("v",),
        ),
        Optimizer(
            "rmsprop",
            "Each gradient is divided by its recent size (Hinton 2012).",
            "v ← 0.99·v + 0.01·g²,  p ← p − η·g ∕ (√v + ε)",
            "v = 0.99 * v + 0.01 * g ** 2\np = p - rate * g / (sqrt(v) + 1e-8)",
            state=("v",),
        ),
        Optimizer(
            "adam",
            "Momentum, divided by the recent size of the gradient (Kingma, Ba 2015).",
            "m ← 0.9·m + 0.1·g,  v ← 0.999·v + 0.001·g²,  p ← p − η·m̂ ∕ (√v̂ + ε)",
            _ADAM,
            state=("m", "v"),
            scalars=_ADAM_SCALARS,
            before=_ADAM_BEFORE,
        ),
        Optimizer(
            "adamw",
            "Adam that also shrinks every parameter a little (Loshchilov, Hutter 2019).",
            "p ← p − η·λ·p,  then as Adam",
            f"p = p - rate * weight_decay * p\n{_ADAM}",
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
        Schedule("constant", "The same learning rate in every step.", "η", "rate"),
        Schedule(
            "linear",
            "From the learning rate down to the last one in equal steps.",
            "η·(1 − t∕T) + η_T·t∕T",
            "rate * (1 - step / steps) + end * (step / steps)",
        ),
        Schedule(
            "cosine",
            "From the learning rate to the last one along half a cosine (Loshchilov, Hutter 2017).",
            "η·(1 + cos(π·t∕T))∕2 + η_T·(1 − cos(π·t∕T))∕2",
            "rate * (1 + cos(pi * step / steps)) / 2 + end * (1 - cos(pi * step / steps)) / 2",
        ),
    )
}
"""Every schedule by its name."""


def assignments(text: str) -> list[tuple[str, str]]:
    """The name and the expression of each line of a rule."""
    lines = (line.partition(" = ") for line in text.splitlines())
    return [(name, expression) for name, _, expression in lines]


def rate_of(schedule: Schedule) -> Function:
    """The function of (rate, end, step, steps) that a schedule describes."""
    return compile_text(schedule.rate, SCHEDULED)


class Updater:
    """An optimizer at work on `count` parameters: its numbers, and one update at a time.

    An infinity or nan in a gradient goes its way into the parameter and never raises.
    """

    def __init__(
        self, optimizer: Optimizer, count: int, momentum: float = 0.9, weight_decay: float = 0.01
    ) -> None:
        self.numbers = {"momentum": momentum, "weight_decay": weight_decay}
        self.numbers |= dict(optimizer.scalars)
        self.state = [dict.fromkeys(optimizer.state, 0.0) for _ in range(count)]
        scalars = tuple(name for name, _ in optimizer.scalars)
        self._before = _compiled(optimizer.before, (*scalars, *OPTIONS))
        self._update = _compiled(optimizer.update, ("p", "g", *optimizer.state, *scalars, *OPTIONS))

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
