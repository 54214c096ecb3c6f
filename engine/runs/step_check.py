"""A check of one step: the kernel's gradient beside central differences in fifty digits.

For a parameter p the difference is

    (L(p + h) − L(p − h)) / 2h,    h = 10⁻²⁰,

of the loss of the step's batch, penalties and dropout included, computed with 50 digits: its own
error is below 10⁻²⁸ of the loss, so that every digit in which the gradient differs is an error of
the gradient. A large network is checked along one random direction v: the difference of L along v
beside Σ vᵢ·∂L/∂pᵢ. The loss is that of the reference loop, computed anew from the table's formulas.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import chain, pairwise
from random import Random
from typing import NamedTuple

from engine.cancellation import Cancelled, IsCancelled, never_cancelled
from engine.fifty_digits import fifty_digits, operation
from engine.kernel.run import Run
from engine.training.dropout import masks_of
from engine.training.features import featured
from engine.training.losses import LOSSES
from engine.training.segments import segment_at
from engine.training.settings import RunSettings
from engine.training.textbook import answer, network
from engine.value import Value, args_first

STEP = Decimal("1e-20")
WORK = 6_000_000
"""Multiplications, all differences together, up to which every parameter is checked by itself."""
MOST_WORK = 5_000_000
"""Multiplications of a loss that is checked at all: three of these take seconds."""
QUICK = frozenset({"+", "-", "*", "/", "neg", "abs", "max", "min", "relu", "leaky_relu"})
SLOW = 200
"""Multiplications that any other operation takes as long as, such as exp."""
DIGITS = 17.0
"""The digits of a float: more cannot agree."""
BEND = 1e-6
"""Share of the slope by which the slopes on both sides differ at a kink, and nowhere else."""

Loss = Callable[[Sequence[Decimal]], Decimal]


class Compared(NamedTuple):
    """One derivative: the kernel's, the difference in fifty digits, and how many digits agree.

    At a kink the difference is nan, and the kernel's is right between the slopes on both sides.
    """

    name: str
    gradient: float
    difference: float
    digits: float
    at_kink: bool = False


class StepCheck(NamedTuple):
    """The check of a step: a row for each parameter, or one along a direction.

    `digits` is that of the whole gradient: −log₁₀ of the length of the error over the length of the
    difference.
    """

    step: int
    parameters: int
    rows: tuple[Compared, ...]
    digits: float
    is_direction: bool


class LossTooLarge(Exception):
    """The loss of a batch takes more operations than are computed with fifty digits."""


def check_step(run: Run, is_cancelled: IsCancelled = never_cancelled) -> StepCheck:
    """Check the gradient at the step of a run. Raises LossTooLarge and Cancelled."""
    snapshot, parameters = run.snapshot(), run.parameters()
    loss, work = _loss(run)
    if work > MOST_WORK:
        raise LossTooLarge(
            f"The loss of this batch takes as long as {work:,} multiplications; up to "
            f"{MOST_WORK:,} are computed with fifty digits. Take a smaller batch or network."
        )
    is_direction = 2 * len(parameters) * work > WORK
    with fifty_digits():
        check = _Check(loss, [Decimal(x) for x in parameters], is_cancelled)
        if is_direction:
            rows = [check.along(snapshot.gradient, run.step)]
        else:
            rows = check.each(snapshot.gradient, names_of(run.spec.layers))
    kept = [row for row in rows if not row.at_kink]
    digits = agreeing([row.gradient for row in kept], [row.difference for row in kept])
    return StepCheck(run.step, len(parameters), tuple(rows), digits, is_direction)


def names_of(layers: Sequence[int]) -> list[str]:
    """The names of the parameters of a network, in the order of `MLP.parameters()`."""
    return [
        f"l{i}.n{j}.{w}"
        for i, (inputs, neurons) in enumerate(pairwise(layers))
        for j in range(neurons)
        for w in (*(f"w{k}" for k in range(inputs)), "b")
    ]


def agreeing(found: Sequence[float], right: Sequence[float]) -> float:
    """The digits in which vectors agree: −log₁₀ of the relative error, in [0, DIGITS]; or nan."""
    if not all(map(math.isfinite, (*found, *right))):
        return math.nan
    error = math.hypot(*(a - b for a, b in zip(found, right, strict=True)))
    size = max(math.hypot(*found), math.hypot(*right))
    if error == 0:
        return DIGITS
    return max(0.0, min(DIGITS, -math.log10(error / size)))


class _Check:
    """A loss around one point."""

    def __init__(self, loss: Loss, point: list[Decimal], is_cancelled: IsCancelled) -> None:
        self.loss, self.point, self.is_cancelled = loss, point, is_cancelled
        self.here = loss(point)

    def each(self, gradient: Sequence[float], names: Sequence[str]) -> list[Compared]:
        """Every parameter by itself."""
        rows = []
        for i, name in enumerate(names):
            direction = [0] * len(self.point)
            direction[i] = 1
            rows.append(self._compared(name, gradient[i], direction))
        return rows

    def along(self, gradient: Sequence[float], seed: int) -> Compared:
        """All of them along one random direction."""
        draws = Random(seed)
        direction = [draws.choice((-1, 1)) for _ in self.point]
        amount = sum(v * Decimal(g) for v, g in zip(direction, gradient, strict=True))
        return self._compared("a random direction", float(amount), direction)

    def _compared(self, name: str, gradient: float, direction: Sequence[int]) -> Compared:
        if self.is_cancelled():
            raise Cancelled
        up, down = (self._slope(direction, sign) for sign in (1, -1))
        if not (up.is_finite() and down.is_finite()):
            return Compared(name, gradient, math.nan, math.nan)
        if float(abs(up - down)) > BEND * float(max(abs(up), abs(down))):
            low, high = float(min(up, down)), float(max(up, down))
            room = abs(high - low) * 1e-12
            is_between = low - room <= gradient <= high + room
            return Compared(name, gradient, math.nan, DIGITS if is_between else 0.0, at_kink=True)
        right = float((up + down) / 2)
        return Compared(name, gradient, right, agreeing([gradient], [right]))

    def _slope(self, direction: Sequence[int], sign: int) -> Decimal:
        """The slope on one side: their mean is the central difference."""
        h = sign * STEP
        moved = [p + v * h if v else p for p, v in zip(self.point, direction, strict=True)]
        return (self.loss(moved) - self.here) / h


def _loss(run: Run) -> tuple[Loss, int]:
    """The loss of the step's batch as a function of the parameters, and its work."""
    spec, step = run.spec, run.step
    now, samples = segment_at(spec, step).settings, run.training
    batch = run.batch_of(step)
    sample, work = _loss_of_a_sample(spec, bool(now.dropout))
    numbers = [
        _decimals(featured(spec, samples.inputs[i]), samples.targets[i], *masks_of(now, step, i))
        for i in batch
    ]
    share = Decimal(1 / len(batch)) if LOSSES[spec.loss].mean else Decimal(1)
    l1, l2 = Decimal(now.l1), Decimal(now.l2)

    def loss(parameters: Sequence[Decimal]) -> Decimal:
        total = share * sum(sample([*parameters, *given]) for given in numbers)
        return total + l1 * sum(map(abs, parameters)) + l2 * sum(p * p for p in parameters)

    return loss, work * len(batch)


def _decimals(*rows: Sequence[float]) -> list[Decimal]:
    return [Decimal(x) for row in rows for x in row]


def _loss_of_a_sample(spec: RunSettings, has_masks: bool) -> tuple[Loss, int]:
    """The loss of one sample, of parameters, inputs, targets and masks, and its work."""
    net = network(spec, [0.5] * spec.parameter_count)
    inputs = [Value(0.5) for _ in range(spec.layers[0])]
    targets = [Value(0.5) for _ in range(spec.layers[-1])]
    hidden = spec.layers[1:-1] if has_masks else ()
    masks = [[Value(0.5) for _ in range(neurons)] for neurons in hidden]
    output = LOSSES[spec.loss].sample(answer(net, inputs, masks), targets)
    return _compiled(output, [*net.parameters(), *inputs, *targets, *chain(*masks)])


def _compiled(output: Value, leaves: Sequence[Value]) -> tuple[Loss, int]:
    """A graph as a function of its leaves on decimal numbers, and its work."""
    order = args_first(output)
    at = {value: i for i, value in enumerate(order)}
    steps = [
        (i, operation(value.op.name), [at[arg] for arg in value.args])
        for i, value in enumerate(order)
        if value.op is not None
    ]
    given = [Decimal(value.data) for value in order]
    places = [at.get(leaf) for leaf in leaves]

    def compute(numbers: Sequence[Decimal]) -> Decimal:
        held = given.copy()
        for place, x in zip(places, numbers, strict=True):
            if place is not None:
                held[place] = x
        for i, function, args in steps:
            held[i] = function(*[held[arg] for arg in args])
        return held[-1]

    work = sum(1 if v.op.name in QUICK else SLOW for v in order if v.op is not None)
    return compute, work
