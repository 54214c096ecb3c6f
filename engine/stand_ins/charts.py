"""`matplotlib.pyplot`: what a program plots, as plain data in `m.charts`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.arrays.array import Array
from engine.record.charts import Chart, Series
from engine.stand_ins.contract import Machine
from engine.value import Value

from .quiet import EveryName, Quiet, quiet_kind, quiet_names

POINTS = 2_000
"""Points of a series that are kept; of a longer one, evenly spaced ones."""
CHARTS = 12
SERIES = 20
_BINS = 10
_MOST_BINS = 200
_TITLE = 120


class Axes:
    """Axes of a run, whose chart is kept once something is drawn in it."""

    def __init__(self, m: Machine) -> None:
        self.m, self.chart, self.kept = m, Chart(), False

    def add(self, series: Series) -> None:
        chart = self.chart
        if not self.kept:
            if len(self.m.charts) >= CHARTS:
                return self.m.note(f"Only the first {CHARTS} charts are drawn.")
            self.m.charts.append(chart)
            chart.kind, self.kept = series.kind, True
        if len(chart.series) < SERIES:
            chart.series.append(series)
        return None


class Figure:
    """A figure: one pair of axes, or several."""

    def __init__(self, m: Machine) -> None:
        self.axes = Axes(m)


class ChartGrid(list[Any]):
    """The axes of `plt.subplots(2, 3)`, which are also read as `axes[0, 1]` and `axes.flat`."""

    def __getitem__(self, key: Any) -> Any:
        found: Any = self
        for one in key if isinstance(key, tuple) else (key,):
            found = list.__getitem__(found, one)
        return found

    @property
    def T(self) -> ChartGrid:  # noqa: N802 - matplotlib's name
        return self

    @property
    def flat(self) -> ChartGrid:
        rows = [row if isinstance(row, ChartGrid) else [row] for row in self]
        return ChartGrid(axes for row in rows for axes in row)

    def flatten(self) -> ChartGrid:
        return self.flat

    ravel = flatten


# Numbers


def _numbers(m: Machine, given: Any, *, texts: bool = False) -> list[Any]:
    """The numbers of an iterable as floats; ValueError if there is something else in it."""
    if isinstance(given, Array) and given.ndim == 1 and given.dtype.kind in "biuf":
        return list(map(float, given.items()))
    made: list[Any] = []
    for item in list(given):
        x = item.data if isinstance(item, Value) else item
        if isinstance(x, str) and texts:
            made.append(x[:40])
        elif isinstance(x, str) or not hasattr(type(x), "__float__"):
            raise ValueError("no number")
        else:
            made.append(float(x))
    return made


def _thinned(items: list[Any]) -> list[Any]:
    step = -(-len(items) // POINTS)
    return items[::step] if step > 1 else items


def _is_series(x: Any) -> bool:
    return hasattr(type(x), "__iter__") and not isinstance(x, str | dict)


def _series(m: Machine, kind: str, x: Any, y: Any, label: Any) -> Series | None:
    """The series of `x` against `y`; None for anything that is not two rows of numbers."""
    try:
        ys = _numbers(m, y)
        xs = list(map(float, range(len(ys)))) if x is None else _numbers(m, x, texts=True)
    except (ValueError, TypeError):
        return None
    if len(xs) != len(ys):
        message = f"x and y must have same first dimension, but have shapes ({len(xs)},)"
        raise ValueError(f"{message} and ({len(ys)},)")
    shown = "" if label is None else str(label)[:_TITLE]
    return Series(kind, _thinned(xs), _thinned(ys), "" if shown.startswith("_") else shown)


# Calls


def plot(m: Machine, axes: Axes, *args: Any, **kwargs: Any) -> list[Quiet]:
    """`plot(y)`, `plot(x, y)`, `plot(x, y, "r--", x2, y2)`."""
    rest = [arg for arg in args if not isinstance(arg, str)]
    lines = 0
    while rest and lines < SERIES:
        x, y = (None, rest[0]) if len(rest) == 1 else rest[:2]
        del rest[:2]
        if not _is_series(y):
            x, y = ([x] if x is not None else None), [y]
        if made := _series(m, "line", x, y, kwargs.get("label")):
            axes.add(made)
        lines += 1
    return [Quiet("line") for _ in range(lines)]


def scatter(m: Machine, axes: Axes, x: Any = (), y: Any = (), *args: Any, **kwargs: Any) -> Quiet:
    x, y = (row if _is_series(row) else [row] for row in (x, y))
    if made := _series(m, "scatter", x, y, kwargs.get("label")):
        axes.add(made)
    return Quiet("points")


def bar(m: Machine, axes: Axes, x: Any = (), height: Any = (), *args: Any, **kwargs: Any) -> Quiet:
    ys = height if _is_series(height) else [height]
    xs = x if _is_series(x) else [x]
    if made := _series(m, "bar", xs, ys, kwargs.get("label")):
        axes.add(made)
    return Quiet("bars")


def hist(m: Machine, axes: Axes, x: Any = (), bins: Any = None, **kwargs: Any) -> tuple[Any, ...]:
    """A histogram of equal bins, as bars over their middles."""
    try:
        numbers = _numbers(m, x)
    except (ValueError, TypeError):
        return [], [], Quiet("bars")
    count = min(bins, _MOST_BINS) if isinstance(bins, int) and bins > 0 else _BINS
    low, high = (min(numbers), max(numbers)) if numbers else (0.0, 1.0)
    low, high = (low - 0.5, high + 0.5) if low == high else (low, high)
    width = (high - low) / count
    counts = [0.0] * count
    for number in numbers:
        if low <= number <= high:
            counts[min(int((number - low) / width), count - 1)] += 1
    edges = [low + width * i for i in range(count + 1)]
    shown = str(kwargs.get("label", ""))[:_TITLE]
    axes.add(Series("bar", [edge + width / 2 for edge in edges[:-1]], list(counts), shown))
    return counts, edges, Quiet("bars")


def imshow(m: Machine, axes: Axes, x: Any = (), *args: Any, **kwargs: Any) -> Quiet:
    """An image of rows of numbers, each cut to what fits into POINTS."""
    try:
        rows = [_numbers(m, row) for row in list(x)]
    except (ValueError, TypeError):
        return Quiet("image")
    width = min(map(len, rows), default=0)
    if width and len(rows) * width <= POINTS:
        flat = [number for row in rows for number in row[:width]]
        axes.add(Series("image", [], flat, width=width))
    return Quiet("image")


def _text(name: str) -> Callable[..., Quiet]:
    def write(m: Machine, axes: Axes, text: Any = "", *args: Any, **kwargs: Any) -> Quiet:
        setattr(axes.chart, name, str(text)[:_TITLE])
        return Quiet(name)

    return write


_DRAWN: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("plot", "semilogy", "semilogx", "loglog", "step", "errorbar"), plot),
    "scatter": scatter, "bar": bar, "hist": hist, "imshow": imshow, "matshow": imshow,
}  # fmt: skip
_WORDS = {name: _text(name) for name in ("title", "xlabel", "ylabel")}
AXES = quiet_kind(Axes, {**_DRAWN, **{f"set_{name}": f for name, f in _WORDS.items()}})


def _set(m: Machine, axes: Axes, **kwargs: Any) -> None:
    for name, text in kwargs.items():
        if name in _WORDS:
            _WORDS[name](m, axes, text)


def _figure_axes(m: Machine, figure: Figure, *args: Any, **kwargs: Any) -> Any:
    figure.axes = Axes(m)
    return figure.axes


def _grid(m: Machine, figure: Figure, nrows: Any = 1, ncols: Any = 1, **kwargs: Any) -> Any:
    """The axes of `subplots(rows, columns)`, in the shape that matplotlib gives them."""
    nrows, ncols = (min(max(int(n), 1), CHARTS) for n in (nrows, ncols))
    rows = [ChartGrid(Axes(m) for _ in range(ncols)) for _ in range(nrows)]
    figure.axes = rows[-1][-1]
    if nrows == ncols == 1:
        return figure.axes
    if 1 in (nrows, ncols):
        return ChartGrid(rows).flat
    return ChartGrid(rows)


AXES.methods["set"] = _set  # type: ignore[index]
FIGURE = quiet_kind(
    Figure,
    {
        "add_subplot": _figure_axes, "gca": lambda m, figure: figure.axes,
        "subplots": _grid,
        "suptitle": lambda m, figure, *args, **kwargs: _WORDS["title"](m, figure.axes, *args),
    },
)  # fmt: skip


class _State:
    """The current figure of a run."""

    def __init__(self, m: Machine) -> None:
        self.m, self.figure = m, Figure(m)

    def begin(self, *args: Any, **kwargs: Any) -> Figure:
        self.figure = Figure(self.m)
        return self.figure

    def subplots(self, *args: Any, **kwargs: Any) -> tuple[Figure, Any]:
        figure = self.begin()
        kwargs = {key: x for key, x in kwargs.items() if key in ("nrows", "ncols")}
        return figure, _grid(self.m, figure, *args[:2], **kwargs)

    def subplot(self, *args: Any, **kwargs: Any) -> Any:
        return _figure_axes(self.m, self.figure)


def pyplot_names(m: Machine) -> EveryName[Any]:
    """The names of `matplotlib.pyplot`."""
    state = _State(m)

    def on_axes(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            return function(m, state.figure.axes, *args, **kwargs)

        return call

    entries: dict[str, Any] = {name: on_axes(f) for name, f in (_DRAWN | _WORDS).items()}
    entries |= dict.fromkeys(("figure", "show", "close", "clf"), state.begin)
    entries |= dict.fromkeys(("subplot", "axes"), state.subplot)
    entries |= {"subplots": state.subplots, "suptitle": on_axes(_WORDS["title"])}
    entries |= {"gca": lambda: state.figure.axes, "gcf": lambda: state.figure}
    return quiet_names(m, entries)
