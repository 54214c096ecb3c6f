"""Recompute the constants and coefficients of engine/kernel/mathematics.py.

    python -m scripts.coefficients            print them as source code
    python -m scripts.coefficients --check    exit 1 if the module's differ

Requires mpmath. The polynomials are weighted minimax approximations, computed by the exchange
algorithm of E. Ya. Remez (1934; see E. W. Cheney, Introduction to Approximation Theory, 1966) with
40 digits and finally rounded to doubles. Constants used in parts are split so that products with
small integers are exact (W. J. Cody and W. Waite, Software Manual for the Elementary Functions,
1980).
"""

import argparse
import sys
from collections.abc import Callable
from typing import TypeAlias

from mpmath import mp, mpf

from engine.kernel import mathematics

DIGITS = 40
GRID = 400  # points at which the error is evaluated
TURNS = 20
NEAR = 1e-10  # in place of 0, where quotients such as (sin r − r)/r³ are 0/0
MARGIN = 1.0001  # widens intervals by the rounding of the reduction
TANH_END = 0.5494  # slightly above artanh ½
ERFC_END = 27.3  # erfc underflows to 0 from here on

Real: TypeAlias = Callable[[mpf], mpf]


def remez(f: Real, weight: Real, interval: tuple[mpf, mpf], degree: int) -> list[float]:
    """The coefficients, in ascending order, of the polynomial p that minimises max weight·|p − f|.

    The error of the best p equioscillates at degree + 2 points. Each iteration solves for a p that
    does so at the current points, then moves the points to the extrema of its error. Raises
    ArithmeticError without convergence.
    """
    low, high = interval
    count = degree + 2

    def spread(number: int) -> list[mpf]:
        steps = [mp.cos(mp.pi * (2 * i + 1) / (2 * number)) for i in range(number)]
        return [(low + high - (high - low) * step) / 2 for step in steps]

    points = spread(count)
    grid = [(x, f(x), weight(x)) for x in spread(GRID)]
    for _ in range(TURNS):
        system = mp.matrix(count, count)
        for i, x in enumerate(points):
            for j in range(degree + 1):
                system[i, j] = x**j
            system[i, degree + 1] = (-1) ** i / weight(x)
        solution = list(mp.lu_solve(system, mp.matrix([f(x) for x in points])))
        falling = solution[degree::-1]
        errors = [(x, w * (mp.polyval(falling, x) - value)) for x, value, w in grid]
        peaks = _peaks(errors, count)
        points = [x for x, _ in peaks]
        if max(abs(error) for _, error in peaks) < abs(solution[-1]) * 1.001:
            return [float(number) for number in solution[: degree + 1]]
    raise ArithmeticError("the exchange algorithm did not converge")


def _peaks(errors: list[tuple[mpf, mpf]], count: int) -> list[tuple[mpf, mpf]]:
    """The largest error of each run of one sign; outer ones are dropped if more than `count`."""
    peaks: list[tuple[mpf, mpf]] = []
    for x, error in errors:
        if not peaks or (error > 0) != (peaks[-1][1] > 0):
            peaks.append((x, error))
        elif abs(error) > abs(peaks[-1][1]):
            peaks[-1] = (x, error)
    while len(peaks) > count:
        del peaks[0 if abs(peaks[0][1]) < abs(peaks[-1][1]) else -1]
    if len(peaks) < count:
        raise ArithmeticError("the error has too few sign changes")
    return peaks


def split(number: mpf, *bits: int) -> list[float]:
    """`number` as a sum of doubles: parts with the given numbers of bits, then the remainder."""
    found = []
    for width in bits:
        fraction, exponent = mp.frexp(number)
        part = mp.ldexp(mp.floor(mp.ldexp(fraction, width)), exponent - width)
        found.append(float(part))
        number -= part
    return [*found, float(number)]


def parts() -> dict[str, float]:
    """The constants of the argument reductions."""
    with mp.workdps(DIGITS):
        ln2, half_pi = mp.log(2), mp.pi / 2
        two, three = split(ln2, 42), split(half_pi, 33, 33)
        return {
            "LN2": float(ln2),
            "PER_LN2": float(1 / ln2),
            "PER_HALF_PI": float(1 / half_pi),
            **dict(zip(("LN2_HIGH", "LN2_LOW"), two, strict=True)),
            **dict(zip(("HALF_PI_HIGH", "HALF_PI_MIDDLE", "HALF_PI_LOW"), three, strict=True)),
        }


def polynomials() -> dict[str, tuple[float, ...]]:
    """The coefficients of each polynomial, in ascending order."""
    with mp.workdps(DIGITS):
        near = mpf(NEAR)
        ends = {
            "TANH": mpf(TANH_END),
            "EXP": mp.log(2) / 2 * MARGIN,
            "LOG": (mp.sqrt(2) - 1) / (mp.sqrt(2) + 1) * MARGIN,
            "SIN": mp.pi / 4 * MARGIN,
            "COS": mp.pi / 4 * MARGIN,
        }
        # Functions of s that polynomials in s² approximate, with weights and degrees.
        wanted: dict[str, tuple[Real, Real, int]] = {
            "TANH": (
                lambda s: (s * mp.coth(s) - 1) / s**2,
                lambda s: s**2 * mp.frexp(mp.tanh(s))[0],  # so that errors are in ulp of tanh s
                6,
            ),
            "EXP": (lambda s: (s * mp.coth(s / 2) - 2) / s**2, lambda s: s**3, 4),
            "LOG": (lambda s: (2 * mp.atanh(s) / s - 2) / s**2, lambda s: s**2, 6),
            "SIN": (lambda s: (mp.sin(s) / s - 1) / s**2, lambda s: s**2, 5),
            "COS": (lambda s: (mp.cos(s) - 1 + s**2 / 2) / s**4, lambda s: s**4, 5),
        }
        found = {
            name: remez(_of_root(f), _of_root(weight), (near, ends[name] ** 2), degree)
            for name, (f, weight, degree) in wanted.items()
        }
        end = mpf(ERFC_END)
        found["ERFC"] = remez(
            lambda t: (_erfc_factor(4 * (1 + t) / (1 - t)) - 1) / (1 + t) * 2,
            lambda t: 1 + t,
            (near - 1, (end - 4) / (end + 4)),
            21,
        )
        return {name: tuple(numbers) for name, numbers in found.items()}


def _of_root(f: Real) -> Real:
    """f(√z) as a function of z."""
    return lambda z: f(mp.sqrt(z))


def _erfc_factor(a: mpf) -> mpf:
    return (1 + 1.5 * a) * mp.exp(a**2) * mp.erfc(a)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compute the kernel's coefficients.")
    parser.add_argument("--check", action="store_true", help="compare them with the module's")
    check = parser.parse_args().check
    singles, series = parts(), polynomials()
    if check:
        same = (singles, series) == (mathematics.PARTS, mathematics.POLYNOMIALS)
        print("The coefficients agree." if same else "Some coefficients differ.")
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
