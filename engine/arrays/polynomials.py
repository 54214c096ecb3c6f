"""Polynomials of one variable, their coefficients from the highest power down."""

from __future__ import annotations

from typing import Any

from engine.array_ops.grid import from_items

from .array import Array, as_array, combined
from .context import Context
from .dtypes import FLOAT64
from .least_squares import least_squares
from .linear import LinAlgError
from .scalars import plain

_WIDTH = 70  # letters of a line of a printed polynomial


def polyfit(context: Context, x: Any, y: Any, deg: Any) -> Array:
    """The coefficients of the polynomial of degree `deg` with the least Σ(y − p(x))²."""
    xs, ys = as_array(context, x, FLOAT64), as_array(context, y, FLOAT64)
    degree = int(deg)
    if degree < 0:
        raise ValueError("expected deg >= 0")
    if xs.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if not xs.size:
        raise TypeError("expected non-empty vector for x")
    if ys.ndim != 1:
        context.host.refuse("polyfit takes a vector y here.", "Fit one column after the other.")
    if ys.shape != xs.shape:
        raise TypeError("expected x and y to have same length")
    width = degree + 1
    context.admit((xs.size, width))
    powers = [[at ** (degree - k) for k in range(width)] for at in xs.items()]
    lengths = [sum(row[k] ** 2 for row in powers) ** 0.5 or 1.0 for k in range(width)]
    scaled = [[p / n for p, n in zip(row, lengths, strict=True)] for row in powers]
    found = least_squares(scaled, [[value] for value in ys.items()], xs.size * 2.0**-52)
    if found is None:
        raise LinAlgError("SVD did not converge in Linear Least Squares")
    if found.rank < width:
        context.host.note("RankWarning: Polyfit may be poorly conditioned")
    items = [row[0] / n for row, n in zip(found.solution, lengths, strict=True)]
    return Array(context, from_items(items, (width,)), FLOAT64)


def polyval(context: Context, p: Any, x: Any) -> Any:
    """The polynomial at `x`, by Horner's rule."""
    terms = p.coefficients if isinstance(p, Polynomial) else as_array(context, p)
    at = as_array(context, x) if isinstance(x, (list, tuple)) else x
    total: Any = combined(context, "*", at, 0)
    for term in terms:
        total = combined(context, "+", combined(context, "*", total, at), term)
    return total


def vander(context: Context, x: Any, N: Any = None, increasing: bool = False) -> Array:  # noqa: N803
    """The powers of each element, one row for each."""
    array = as_array(context, x)
    width = len(array) if N is None else int(N)
    context.admit((len(array), max(width, 0)))
    order = range(width) if increasing else range(width - 1, -1, -1)
    items = [plain(value) ** k for value in array.items() for k in order]
    return Array(context, from_items(items, (len(array), width)), array.dtype)


class Polynomial:
    """`np.poly1d`: called with a number or an array it is the value of the polynomial."""

    def __init__(self, context: Context, coefficients: Any) -> None:
        array = as_array(context, coefficients)
        items = list(array.items())
        while len(items) > 1 and items[0] == 0:
            del items[0]
        self.context = context
        self.coefficients = Array(context, from_items(items, (len(items),)), array.dtype)

    c = coef = coeffs = property(lambda self: self.coefficients)

    @property
    def order(self) -> int:
        return len(self.coefficients) - 1

    o = order

    def __call__(self, x: Any) -> Any:
        if isinstance(x, Polynomial):
            self.context.host.refuse("Polynomials of polynomials are not here.", "Give a number.")
        return polyval(self.context, self, x)

    def deriv(self, m: Any = 1) -> Polynomial:
        """The m-th derivative."""
        items = list(self.coefficients.items())
        for _ in range(min(int(m), len(items))):
            n = len(items) - 1
            items = [x * (n - k) for k, x in enumerate(items[:-1])] or [0]
        return self._like(items)

    def _like(self, items: list[Any]) -> Polynomial:
        return Polynomial(self.context, items)

    def _terms(self, other: Any) -> list[Any]:
        found = other.coefficients if isinstance(other, Polynomial) else [plain(other)]
        return list(found)

    def _added(self, other: Any, sign: int) -> Polynomial:
        a, b = list(self.coefficients), self._terms(other)
        width = max(len(a), len(b))
        a, b = [0] * (width - len(a)) + a, [0] * (width - len(b)) + b
        return self._like([x + sign * y for x, y in zip(a, b, strict=True)])

    def __add__(self, other: Any) -> Polynomial:
        return self._added(other, 1)

    def __sub__(self, other: Any) -> Polynomial:
        return self._added(other, -1)

    def __mul__(self, other: Any) -> Polynomial:
        a, b = list(self.coefficients), self._terms(other)
        self.context.admit((len(a) + len(b),))
        items = [0] * (len(a) + len(b) - 1)
        for i, x in enumerate(a):
            for j, y in enumerate(b):
                items[i + j] += x * y
        return self._like(items)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Polynomial:
        return self._like([-x for x in self.coefficients])

    def __getitem__(self, power: int) -> Any:
        """The coefficient of a power; 0 beyond the highest."""
        return self.coefficients[self.order - power] if 0 <= power <= self.order else 0

    def __len__(self) -> int:
        return self.order

    def __repr__(self) -> str:
        return f"poly1d({repr(self.coefficients)[6:-1]})"

    def __str__(self) -> str:
        """Two lines: the powers above the polynomial."""
        items = [float(x) for x in self.coefficients]
        text = ""
        for k, x in enumerate(items):
            term = _term(abs(x) if text else x, self.order - k)
            if term:
                text += (f" {'-' if x < 0 else '+'} {term}") if text else term
        return _raised(text or "0")


def _term(x: float, power: int) -> str:
    number = f"{x:.4g}"
    if number == "0":
        return ""
    if power == 0:
        return number
    return f"{number} x" if power == 1 else f"{number} x**{power}"


def _raised(text: str) -> str:
    """The powers on a line of their own above the terms."""
    lines, above, below = " ", "", ""
    while "**" in text:
        part, _, rest = text.partition("**")
        digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]
        text = rest[len(digits) :]
        raised, term = " " * (len(part) - 1) + digits, part + " " * (len(digits) - 1)
        if len(below) + len(term) > _WIDTH:
            lines += f"{above}\n{below}\n "
            above, below = raised, term
        else:
            above, below = above + raised, below + term
    return f"{lines}{above}\n{below}{text}"
