"""Compute every figure of engine/kernel/mathematics.py anew.

    python -m scripts.coefficients            print them as that module writes them
    python -m scripts.coefficients --check    exit 1 if a figure there is another

Needs mpmath. The polynomials are best approximations: the largest weighted error on the interval is
as small as the degree allows. They are found by the exchange algorithm of Remez (E. Ya. Remez, 1934;
explained in E. W. Cheney, Introduction to Approximation Theory, 1966) in 40 digits and rounded to
doubles at the end. Constants that are used in parts are split so that products with small whole
numbers are exact (W. J. Cody and W. Waite, Software Manual for the Elementary Functions, 1980).
"""

import argparse
import sys
from collections.abc import Callable

from mpmath import mp, mpf

from engine.kernel.mathematics import PARTS, POLYNOMIALS

DIGITS = 40
GRID = 400  # points at which the error is looked at
ERFC_END = mpf("27.3")  # from where on erfc is 0
Real = Callable[[mpf], mpf]


def remez(f: Real, weight: Real, interval: tuple[mpf, mpf], degree: int) -> list[mpf]:
    """The coefficients, lowest first, of the p for which max weight·|p − f| is smallest.

    Such a p has an error that reaches its maximum, with alternating signs, at degree + 2 points.
    Each turn solves for p with such an error at the points so far, then moves the points to where
    the error of that p is largest.
    """
    low, high = interval
    count = degree + 2

    def spread(i: int, of: int) -> mpf:
        return (low + high - (high - low) * mp.cos(mp.pi * (i + mpf(0.5)) / of)) / 2

    points = [spread(i, count) for i in range(count)]
    grid = [(x, f(x), weight(x)) for x in (spread(i, GRID) for i in range(GRID))]
    for _ in range(20):
        system, values = mp.matrix(count, count), mp.matrix(count, 1)
        for i, x in enumerate(points):
            for j in range(degree + 1):
                system[i, j] = x**j
            system[i, degree + 1] = (-1) ** i / weight(x)
            values[i] = f(x)
        *found, level = mp.lu_solve(system, values)
        peaks: list[tuple[mpf, mpf]] = []
        for x, value, w in grid:
            error = w * (mp.polyval(found[::-1], x) - value)
            if peaks and (error > 0) == (peaks[-1][1] > 0):
                if abs(error) > abs(peaks[-1][1]):
                    peaks[-1] = (x, error)
            else:
                peaks.append((x, error))
        while len(peaks) > count:
            del peaks[0 if abs(peaks[0][1]) < abs(peaks[-1][1]) else -1]
        if len(peaks) < count:
            raise ArithmeticError("the error does not alternate; use more digits")
        points = [x for x, _ in peaks]
        if max(abs(error) for _, error in peaks) < abs(level) * mpf("1.001"):
            break
    return found


def split(number: mpf, *bits: int) -> list[float]:
    """`number` as a sum of doubles: parts of so many significant bits each, then the rest."""
    parts = []
    for width in bits:
        fraction, exponent = mp.frexp(number)
        part = mp.ldexp(mp.floor(mp.ldexp(fraction, width)), exponent - width)
        parts.append(float(part))
        number -= part
    return [*parts, float(number)]


def parts() -> dict[str, float]:
    """The constants that are no whole numbers."""
    ln2, half_pi = mp.log(2), mp.pi / 2
    found = {"LN2": float(ln2), "PER_LN2": float(1 / ln2), "PER_HALF_PI": float(1 / half_pi)}
    found |= zip(("LN2_HIGH", "LN2_LOW"), split(ln2, 42), strict=True)
    names = ("HALF_PI_HIGH", "HALF_PI_MIDDLE", "HALF_PI_LOW")
    return found | dict(zip(names, split(half_pi, 33, 33), strict=True))


def in_square(f: Real) -> Real:
    """f(√z) as a function of z."""
    return lambda z: f(mp.sqrt(z))


def polynomials() -> dict[str, list[float]]:
    """The coefficients of each polynomial, lowest first."""
    ln2 = mp.log(2)
    near = mpf(10) ** -10  # instead of 0, where the quotients are 0/0
    margin = mpf("1.0001")  # what rounding may add to an interval
    half = (ln2 / 2 * margin) ** 2
    eighth = (mp.pi / 4 * margin) ** 2
    atanh_end = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1) * margin) ** 2
    found = {
        "TANH": remez(
            in_square(lambda s: (s * mp.coth(s) - 1) / s**2),
            in_square(lambda s: s**2 * 2 * mp.frexp(mp.tanh(s))[0]),  # what it is in ulp of tanh
            (near, mpf("0.5494") ** 2),
            6,
        ),
        "EXP": remez(
            in_square(lambda r: (r * mp.coth(r / 2) - 2) / r**2),
            lambda z: z ** mpf(1.5),
            (near, half),
            4,
        ),
        "LOG": remez(
            in_square(lambda s: (2 * mp.atanh(s) / s - 2) / s**2),
            lambda z: z,
            (near, atanh_end),
            6,
        ),
        "SIN": remez(
            in_square(lambda r: (mp.sin(r) / r - 1) / r**2),
            lambda z: z,
            (near, eighth),
            5,
        ),
        "COS": remez(
            in_square(lambda r: (mp.cos(r) - 1 + r**2 / 2) / r**4),
            lambda z: z**2,
            (near, eighth),
            5,
        ),
    }
    found["ERFC"] = remez(
        lambda t: (_erfc_factor(4 * (1 + t) / (1 - t)) - 1) / ((1 + t) / 2),
        lambda t: (1 + t) / 2,
        (near - 1, (ERFC_END - 4) / (ERFC_END + 4)),
        21,
    )
    return {name: [float(number) for number in numbers] for name, numbers in found.items()}


def _erfc_factor(a: mpf) -> mpf:
    return (1 + mpf("1.5") * a) * mp.exp(a**2) * mp.erfc(a)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compute the figures of the kernel's functions.")
    parser.add_argument("--check", action="store_true", help="compare them with the module's")
    check = parser.parse_args().check
    with mp.workdps(DIGITS):
        singles, series = parts(), polynomials()
    if check:
        same = singles == PARTS and series == {n: list(c) for n, c in POLYNOMIALS.items()}
        print("The figures are the same." if same else "Some figures are not the same.")
        return 0 if same else 1
    for name, number in singles.items():
        print(f'    "{name}": {number!r},')
    for name, numbers in series.items():
        print(
            f'    "{name}": (', *(f"        {number!r}," for number in numbers), "    ),", sep="\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
