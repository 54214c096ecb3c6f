"""Losses: a number for a whole batch, by element or by class.

`params["reduction"]` is "mean", "sum" or "none"; the mean of a loss by class is that of the samples
that count, weighted as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from engine.formulas import compile_text

from .flat import Flat, Misfit, Numbers, axis_of, from_rows, rows_along
from .grid import Shape
from .pointwise import Pointwise, columns_of
from .rows import log_softmax, softmax
from .table import ArrayOp, Flats, Params, Pulled, Shapes, Wanted, define, names, rules


def reduced(data: Numbers, shape: Shape, params: Params, count: float | None = None) -> Flat:
    """Losses of single elements as the reduction says; `count` is what a mean divides by."""
    if params.get("reduction", "mean") == "none":
        return Flat(shape, data)
    total = sum(data)
    if params.get("reduction", "mean") == "sum":
        return Flat((), [total])
    n = len(data) if count is None else count
    return Flat((), [total / n if n else float("nan")])


def weights_of(g: Flat, n: int, params: Params, count: float | None = None) -> Numbers:
    """The gradient with respect to each of n losses."""
    if params.get("reduction", "mean") == "none":
        return g.data
    whole = n if count is None else count
    (x,) = g.data
    return [x / whole if params.get("reduction", "mean") == "mean" and whole else x] * n


@dataclass(frozen=True, slots=True, eq=False)
class PointwiseLoss:
    """A loss of single elements, reduced."""

    each: Pointwise

    def shape(self, shapes: Shapes, params: Params) -> Shape:
        wide = self.each.shape(shapes, params)
        return wide if params.get("reduction", "mean") == "none" else ()

    def forward(self, args: Sequence[Flat], params: Params) -> Flat:
        found = self.each.forward(args, params)
        return reduced(found.data, found.shape, params)

    def backward(self, g: Flat, args: Flats, y: Flat, params: Params, wanted: Wanted) -> Pulled:
        found = self.each.forward(args, params)
        spread = Flat(found.shape, weights_of(g, len(found.data), params))
        return self.each.backward(spread, args, found, params, wanted)

    def reads(self, cell: int, shapes: Shapes, params: Params) -> list[list[int]]:
        if params.get("reduction", "mean") == "none":
            return self.each.reads(cell, shapes, params)
        cells = range(prod(self.each.shape(shapes, params)))
        columns = zip(*(self.each.reads(i, shapes, params) for i in cells), strict=True)
        return [list(dict.fromkeys(i for (i,) in column)) for column in columns]

    def scalar(self, cell: int, shapes: Shapes, params: Params) -> str:
        if params.get("reduction", "mean") == "none":
            return self.each.scalar(cell, shapes, params)
        n = prod(self.each.shape(shapes, params))
        total = " + ".join(f"({self.each.scalar(i, shapes, params)})" for i in range(n))
        return f"({total}) / {n}" if params.get("reduction", "mean") == "mean" else total


@dataclass(frozen=True, eq=False)
class _LossRow:
    """A loss of single elements as text: of an output x and a target t."""

    name: str
    formula: str
    partials: tuple[str, str]
    words: str
    rule: str
    node: str
    settings: dict[str, float]
    samples: tuple[Shape, ...] = ((2, 3), (2, 3))
    first: tuple[float, ...] = ()


_PROBABILITIES = (0.2, 0.7, 0.5, 0.9, 0.35, 0.6)
_ROWS = (
    _LossRow("mse_loss", "(x - t) ** 2", ("2 * (x - t)", "-2 * (x - t)"),
             "the mean squared distance from the target", "g * 2 * (x - t) / n",
             "MseLossBackward0", {}),
    _LossRow("l1_loss", "abs(x - t)",
             ("1 if x > t else -1 if x < t else 0", "-1 if x > t else 1 if x < t else 0"),
             "the mean absolute distance from the target", "g * sign(x - t) / n",
             "MeanBackward0", {}),
    _LossRow("smooth_l1_loss",
             "0.5 * (x - t) ** 2 / beta if abs(x - t) < beta else abs(x - t) - 0.5 * beta",
             ("(x - t) / beta if abs(x - t) < beta else 1 if x > t else -1 if x < t else 0",
              "-(x - t) / beta if abs(x - t) < beta else -1 if x > t else 1 if x < t else 0"),
             "squares of short distances, and long distances themselves",
             "g * clip((x - t) / beta) / n", "SmoothL1LossBackward0", {"beta": 1.0}),
    _LossRow("huber_loss",
             "0.5 * (x - t) ** 2 if abs(x - t) <= delta else delta * (abs(x - t) - 0.5 * delta)",
             ("x - t if abs(x - t) <= delta else delta if x > t else -delta",
              "t - x if abs(x - t) <= delta else -delta if x > t else delta"),
             "squares of short distances, and multiples of long ones",
             "g * clip(x - t) / n", "HuberLossBackward0", {"delta": 1.0}),
    _LossRow("binary_cross_entropy",
             "-(t * max(log(x), -100) + (1 - t) * max(log1p(-x), -100))",
             ("(x - t) / max((1 - x) * x, 1e-12)", "max(log1p(-x), -100) - max(log(x), -100)"),
             "minus the logarithm of the probability given to the target",
             "g * (x - t) / (x * (1 - x)) / n", "BinaryCrossEntropyBackward0", {},
             first=_PROBABILITIES),
    _LossRow("binary_cross_entropy_with_logits",
             "(1 - t) * x + softplus(-x) * (1 + (pos_weight - 1) * t)",
             ("(1 - t) - (1 + (pos_weight - 1) * t) * (1 - sigmoid(x))",
              "softplus(-x) * (pos_weight - 1) - x"),
             "minus the logarithm of the probability that the sigmoid gives to the target",
             "g * (sigmoid(x) - t) / n", "BinaryCrossEntropyWithLogitsBackward0",
             {"pos_weight": 1.0}),
    _LossRow("kl_div", "(t * log(t) if t > 0 else 0) - t * x",
             ("-t", "log(t) + 1 - x if t > 0 else 0"),
             "the divergence of the target from the probabilities with logarithms x", "-g * t / n",
             "KlDivBackward0", {}, ((2, 3), (2, 3))),
    _LossRow("soft_margin_loss", "softplus(-t * x)",
             ("-t * sigmoid(-t * x)", "-x * sigmoid(-t * x)"),
             "ln(1 + e^{−tx})", "-g * t * sigmoid(-t * x) / n", "SoftMarginLossBackward0", {}),
    _LossRow("hinge_loss", "max(0, 1 - t * x)",
             ("-t if t * x < 1 else 0", "-x if t * x < 1 else 0"),
             "how far t·x is below 1", "-g * t / n if t * x < 1 else 0", "ClampMinBackward0", {}),
    _LossRow("poisson_nll_loss", "exp(x) - t * x", ("exp(x) - t", "-x"),
             "minus the logarithm of a Poisson probability, its mean eˣ", "g * (exp(x) - t) / n",
             "MeanBackward0", {}),
)  # fmt: skip


_TARGETS = {"kl_div", "binary_cross_entropy", "binary_cross_entropy_with_logits"}
"""Losses whose targets are probabilities."""
for _row in _ROWS:
    _params = ("x", "t", *_row.settings)
    _loss = PointwiseLoss(
        Pointwise(
            ("x", "t"), _row.settings, _row.formula, _row.partials,
            compile_text(_row.formula, _params), columns_of(_row.partials, _params),
        )
    )  # fmt: skip
    _samples: tuple[Any, ...] = tuple(
        (_row.samples, {"reduction": reduction, **({"first": _row.first} if _row.first else {}),
                        **({"second": _PROBABILITIES} if _row.name in _TARGETS else {})})
        for reduction in ("mean", "sum", "none")
    )  # fmt: skip
    define(
        ArrayOp(
            _row.name, ("x", "t"), _loss.forward, _loss.backward, _loss.shape, _loss.reads,
            _loss.scalar, _row.words, rules(_row.rule, ""), (), names(_row.name), _row.node,
            samples=_samples,
        )
    )  # fmt: skip


# By class


class _Classes:
    """The classes of the targets: indices, or probabilities of the same shape as the inputs.

    `params`: "axis" of the classes (1, or 0 for a single sample), "probabilities", "weight" of each
    class, "ignore_index", "label_smoothing". Rows stand sample by sample.
    """

    def __init__(self, shape: Shape, params: Params) -> None:
        self.axis = axis_of(params.get("axis", 1 if len(shape) > 1 else 0), len(shape))
        self.count = shape[self.axis]
        self.samples = (*shape[: self.axis], *shape[self.axis + 1 :])
        self.weight: Sequence[float] | None = params.get("weight")
        self.ignored = params.get("ignore_index", -100)
        self.smoothing = params.get("label_smoothing", 0.0)
        self.given = params.get("probabilities", False)

    def targets(self, t: Flat) -> list[Numbers]:
        """For each sample the factor of each class's −ln p: its probability times its weight."""
        if self.given:
            rows = rows_along(t, [self.axis])
            return [self._smoothed(list(row)) for row in rows]
        rows = []
        for k in t.data:
            row = [0.0] * self.count
            if k != self.ignored:
                if not 0 <= k < self.count:
                    raise Misfit(
                        f"Target {k} is out of bounds.", f"Target {int(k)} is out of bounds."
                    )
                row[int(k)] = 1.0
                row = self._smoothed(row)
            rows.append(row)
        return rows

    def _smoothed(self, row: Numbers) -> Numbers:
        if self.smoothing:
            rest = self.smoothing / self.count
            row = [p * (1.0 - self.smoothing) + rest for p in row]
        return (
            row if self.weight is None else [p * w for p, w in zip(row, self.weight, strict=True)]
        )

    def divisor(self, t: Flat) -> float:
        """What the mean divides by: the weights of the targets' classes, or the samples."""
        if self.given:
            return float(prod(self.samples))
        kept = [int(k) for k in t.data if k != self.ignored]
        if self.weight is None:
            return float(len(kept))
        return sum(self.weight[k] for k in kept)


@dataclass(frozen=True, slots=True, eq=False)
class ClassLoss:
    """−Σ t·z over classes, where z are the inputs, or with `logits` their log-softmax."""

    logits: bool

    def shape(self, shapes: Shapes, params: Params) -> Shape:
        x, t = shapes[:2]
        classes = _Classes(x, params)
        wanted = x if classes.given else classes.samples
        if tuple(t) != tuple(wanted):
            raise Misfit(
                f"the targets have shape {tuple(t)}, not {tuple(wanted)}",
                _target_words(x, t, classes),
            )
        return classes.samples if params.get("reduction", "mean") == "none" else ()

    def _rows(self, x: Flat, axis: int) -> list[Numbers]:
        rows = rows_along(x, [axis])
        return [log_softmax(row, {}) for row in rows] if self.logits else rows

    def forward(self, args: Sequence[Flat], params: Params) -> Flat:
        x, t = args[:2]
        self.shape([x.shape, t.shape], params)
        classes = _Classes(x.shape, params)
        pairs = zip(self._rows(x, classes.axis), classes.targets(t), strict=True)
        losses = [-sum(p * z for p, z in zip(ps, zs, strict=True) if p) for zs, ps in pairs]
        return reduced(losses, classes.samples, params, classes.divisor(t))

    def backward(self, g: Flat, args: Flats, y: Flat, params: Params, wanted: Wanted) -> Pulled:
        x, t = args[:2]
        classes = _Classes(x.shape, params)
        targets = classes.targets(t)
        weights = weights_of(g, len(targets), params, classes.divisor(t))
        pulled = []
        for row, ps, w in zip(rows_along(x, [classes.axis]), targets, weights, strict=True):
            if self.logits:
                whole = sum(ps)
                pulled.append(
                    [w * (q * whole - p) for p, q in zip(ps, softmax(row, {}), strict=True)]
                )
            else:
                pulled.append([-w * p for p in ps])
        found: Pulled = [from_rows(pulled, x.shape, [classes.axis]), None]
        if len(wanted) > 1 and wanted[1] and classes.given:
            zs = self._rows(x, classes.axis)
            keep = 1.0 - classes.smoothing
            rows = [
                [-w * z * keep * (classes.weight[i] if classes.weight else 1.0)
                 for i, z in enumerate(row)]
                for row, w in zip(zs, weights, strict=True)
            ]  # fmt: skip
            found[1] = from_rows(rows, t.shape, [classes.axis])
        return found

    def reads(self, cell: int, shapes: Shapes, params: Params) -> list[Sequence[int]]:
        x, t = shapes[:2]
        if params.get("reduction", "mean") != "none":
            return [range(prod(x)), range(prod(t))]
        classes = _Classes(x, params)
        rows = rows_along(Flat(x, list(range(prod(x)))), [classes.axis])
        return [rows[cell], rows[cell] if classes.given else [cell]]

    def scalar(self, cell: int, shapes: Shapes, params: Params) -> str:
        """Classes that an index names are written as `(1 if t[0] == 2 else 0)`."""
        x = shapes[0]
        classes = _Classes(x, params)
        rows = rows_along(Flat(x, list(range(prod(x)))), [classes.axis])
        if params.get("reduction", "mean") == "none":
            return self._loss_text(cell, rows[cell], classes)
        total = " + ".join(f"({self._loss_text(i, row, classes)})" for i, row in enumerate(rows))
        if params.get("reduction", "mean") == "sum":
            return total
        counts = [f"({self._weight_text(i, classes)})" for i in range(len(rows))]
        divisor = str(len(rows)) if classes.given else " + ".join(counts)
        return f"({total}) / ({divisor})"

    def _weight_text(self, sample: int, classes: _Classes) -> str:
        weights = classes.weight or [1] * classes.count
        found = "0"
        for k in range(classes.count):
            found = f"{weights[k]!r} if t[{sample}] == {k} else {found}"
        return f"0 if t[{sample}] == {classes.ignored} else {found}"

    def _loss_text(self, sample: int, row: Numbers, classes: _Classes) -> str:
        total = " + ".join(f"exp(x[{i}])" for i in row)
        terms = []
        for k, i in enumerate(row):
            p = f"t[{i}]" if classes.given else f"(1 if t[{sample}] == {k} else 0)"
            if classes.smoothing:
                p = f"({p} * {1 - classes.smoothing!r} + {classes.smoothing / classes.count!r})"
            if classes.weight is not None:
                p = f"{p} * {classes.weight[k]!r}"
            z = f"(x[{i}] - log({total}))" if self.logits else f"x[{i}]"
            terms.append(f"{p} * {z}")
        text = f"-({' + '.join(terms)})"
        return text if classes.given else f"0 if t[{sample}] == {classes.ignored} else {text}"


def _target_words(x: Shape, t: Shape, classes: _Classes) -> str:
    if len(x) == 2 and len(t) == 1:
        return f"Expected input batch_size ({x[0]}) to match target batch_size ({t[0]})."
    return f"Expected target size {list(classes.samples)}, got {list(t)}"


_INDEXED: tuple[Any, ...] = tuple(
    (((3, 4), (3,)), {"second": (1.0, 3.0, 0.0), **params})
    for params in (
        {}, {"reduction": "sum"}, {"reduction": "none"}, {"weight": (1.0, 0.5, 2.0, 1.5)},
        {"ignore_index": 3}, {"label_smoothing": 0.2},
    )
)  # fmt: skip
_ALIKE: tuple[Any, ...] = (
    (((2, 3), (2, 3)), {"second": (0.2, 0.5, 0.3, 0.1, 0.1, 0.8), "probabilities": True}),
    (((1, 2, 3), (1, 2, 3)), {"second": (0.2, 0.5, 0.3, 0.8, 0.5, 0.7), "probabilities": True}),
    (((2, 3, 2), (2, 2)), {"second": (1.0, 2.0, 0.0, 1.0)}),
    (((3,), ()), {"second": (2.0,)}),
)  # fmt: skip
for _name, _it, _says, _texts, _node, _given in (
    ("cross_entropy", ClassLoss(True),
     "minus the logarithm of the probability that the softmax gives to the target",
     ("g * (softmax(x) - t) / n", ""), "NllLossBackward0", (*_INDEXED, *_ALIKE)),
    ("nll_loss", ClassLoss(False), "minus the logarithm of the probability of the target",
     ("-g * t / n", ""), "NllLossBackward0", _INDEXED[:-1]),
):  # fmt: skip
    define(
        ArrayOp(
            _name, ("x", "t"), _it.forward, _it.backward, _it.shape, _it.reads, _it.scalar, _says,
            rules(*_texts), (), names(_name), _node, samples=_given,
        )
    )  # fmt: skip
