"""Reference implementation of the number formats, on the exact decimal value of a double.

No float formatting is used: digits come from `decimal`, which converts doubles exactly and rounds
ties to even.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Context, Decimal
from random import Random
from struct import unpack
from typing import Any

from tests.support.places import ROOT

WIDTH = 11  # characters of the widest number on a card
EXACT = Context(prec=1200, rounding=ROUND_HALF_EVEN, Emin=-9999, Emax=9999)
TABLE = ROOT / "tests/data/number-texts.jsonl"


def is_share(x: float) -> bool:
    """Whether `percent` is tested with `x`."""
    return 0 <= x <= 1 and not _sign(x)


def table() -> list[dict[str, Any]]:
    """The rows of the table: `x` and its texts, or `count` and `noun` and theirs."""
    return [json.loads(line) for line in TABLE.read_text("utf-8").splitlines()]


# The rules


def texts(x: float) -> dict[str, str]:
    """Every text of `x`; `percent` only of a share."""
    inside = _minus(_short(x))
    spoken = _short(x) if "e" in _short(x) else _bare(_short(x))
    found = {
        "short": _short(x),
        "full": _full(x),
        "plain": _full(x).removesuffix(".0"),
        "spoken": spoken,
        "in_sentence": _minus(spoken),
        "with_minus": _minus(_full(x)),
        "in_equation": inside,
        "in_parentheses": f"({inside})" if inside[0] == "−" else inside,
        "longer": _minus(_longer(x, 5)),
        "brief": _brief(x),
        "signed": "+" + _brief(x) if x > 0 else _brief(x),
        "fixed": _minus(_sign(x) + _decimals(x, 4)) if abs(x) < 1e5 else _brief(x),
        "compact": _compact(x),
        "in_room": next((t for d in range(6, 1, -1) if len(t := _compact(x, d)) <= 6), ""),
    }
    if is_share(x):
        text = _bare(_decimals(100 * x, 1)) + "%"
        found["percent"] = "99.9%" if text == "100%" and x < 1 else text
    return found


def _short(x: float) -> str:
    if not math.isfinite(x):
        return _special(x)
    choices = [_sign(x) + _padded(*_scientific(x, digits)) for digits in (4, 3)]
    if x == 0 or 1e-3 <= abs(x) < 1e5:
        choices.insert(0, _sign(x) + _decimals(x, 4))
    return next(text for text in choices if len(text) <= WIDTH)


def _longer(x: float, more: int) -> str:
    """`_short(x)` with 4 + `more` decimals, at least 4 of which stay where they are zeros."""
    if not math.isfinite(x):
        return _special(x)
    mantissa, power = _decimals(x, 4 + more), 0
    if "e" in _short(x):
        mantissa, power = _scientific(x, 4 + more)
    whole, decimals = mantissa.split(".")
    kept = f"{whole}.{decimals[:4]}{decimals[4:].rstrip('0')}"
    return _sign(x) + (_padded(kept, power) if "e" in _short(x) else kept)


def products() -> list[dict[str, str]]:
    """The rows of the table with the factors of a `product` and their texts."""
    return [row for row in table() if "product" in row]


def _full(x: float) -> str:
    if not math.isfinite(x):
        return _special(x)
    if x == 0:
        return _sign(x) + "0.0"
    digits, power = _shortest(abs(x))
    if not -4 <= power < 16:
        mantissa = digits[0] + ("." + digits[1:] if digits[1:] else "")
        return _sign(x) + _padded(mantissa, power)
    number = f"{Decimal(digits).scaleb(power - len(digits) + 1):f}"
    return _sign(x) + (number if "." in number else number + ".0")


def _brief(x: float) -> str:
    if not math.isfinite(x):
        return _minus(_special(x))
    size = abs(x)
    if size == 0:
        return "0"
    if size < 1e-3 or size >= 1e5:
        mantissa, power = _scientific(x, 2 if size < 1 else 1)
        return _minus(f"{_sign(x)}{mantissa}e{power}")
    above = sum(size >= power for power in (0.01, 1, 10, 100))
    return _minus(_sign(x) + _decimals(x, 5 - above))


def _compact(x: float, digits: int = 6) -> str:
    if not math.isfinite(x):
        return _minus(_special(x))
    if x == 0:
        return "0"
    mantissa, power = _scientific(x, digits - 1)
    if -4 <= power < digits:
        return _minus(_sign(x) + _bare(f"{Decimal(mantissa).scaleb(power):f}"))
    return _minus(f"{_sign(x)}{_bare(mantissa)}e{power}")


# Their parts


def _sign(x: float) -> str:
    return "-" if math.copysign(1, x) < 0 else ""


def _special(x: float) -> str:
    return "nan" if math.isnan(x) else _sign(x) + "inf"


def _minus(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")


def _bare(text: str) -> str:
    while "." in text and text[-1] in "0.":
        text = text[:-1]
    return text


def _padded(mantissa: str, power: int) -> str:
    return f"{mantissa}e{'-' if power < 0 else '+'}{str(abs(power)).zfill(2)}"


def _decimals(x: float, count: int) -> str:
    return f"{Decimal(abs(x)).quantize(Decimal(10) ** -count, context=EXACT):f}"


def _scientific(x: float, decimals: int) -> tuple[str, int]:
    """The mantissa of |x|, which may be 0, with `decimals` decimals, and the power of ten."""
    exact = Decimal(abs(x))
    power = exact.adjusted() if exact else 0
    rounded = exact.quantize(Decimal((0, (1,), power - decimals)), context=EXACT)
    if rounded and rounded.adjusted() > power:  # 9.99995 becomes 10.0000
        power += 1
        rounded = exact.quantize(Decimal((0, (1,), power - decimals)), context=EXACT)
    return f"{rounded.scaleb(-power, context=EXACT):f}", power


def _shortest(size: float) -> tuple[str, int]:
    """The shortest digits that round-trip to `size`, and the power of ten of the first."""
    exact = Decimal(size)
    power = exact.adjusted()
    for count in range(1, 18):
        last = Decimal((0, (1,), power - count + 1))
        below = exact.quantize(last, rounding=ROUND_DOWN, context=EXACT)
        readable = [n for n in (below, EXACT.add(below, last)) if float(n) == size]
        if readable:
            _, near = min((_distance(n, exact), n) for n in readable)
            digits = "".join(map(str, near.as_tuple().digits))
            return digits.rstrip("0"), near.adjusted()
    raise AssertionError(size)


def _distance(near: Decimal, exact: Decimal) -> tuple[Decimal, int]:
    """Sort key of a candidate: its distance, then even before odd."""
    return abs(EXACT.subtract(near, exact)), near.as_tuple().digits[-1] % 2


# Numbers


def random_numbers(each: int, seed: int) -> Iterator[float]:
    """`each` doubles of every kind: random bits, ties, few decimals, integers, common sizes."""
    drawn = Random(seed)
    for _ in range(each):
        yield unpack("<d", drawn.randbytes(8))[0]
        yield _half_way(drawn)
        yield round(drawn.uniform(-1, 1) * 10 ** drawn.randint(-6, 7), drawn.randint(0, 9))
        yield float(drawn.randint(-(10 ** drawn.randint(1, 20)), 10 ** drawn.randint(1, 20)))
        yield drawn.uniform(*drawn.choice([(0, 1), (-1, 1), (-10, 10), (-1e3, 1e3), (-1e6, 1e6)]))


def _half_way(drawn: Random) -> float:
    """Ties: numbers with few binary digits, and integers that end in 5 and zeros."""
    odd = drawn.choice([-1, 1]) * (2 * drawn.randint(0, 10 ** drawn.randint(1, 6)) + 1)
    if drawn.random() < 0.5:
        return math.ldexp(odd, -drawn.randint(1, 40))
    zeros: int = 10 ** drawn.randint(0, 12)
    return float(5 * odd * zeros)
