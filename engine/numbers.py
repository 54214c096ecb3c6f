"""Number formats; those that scripts compute are identical in `static/js/common/numbers.js`.

A format with fewer digits rounds the exact value of the double to nearest, ties to even, as
Python's `format` does. The sign bit is kept: -0.0 and negative numbers that round to zero have a
minus sign.

Machine-readable formats (`short`, `full`, `spoken`, `plain`) use the hyphen-minus; formats for
sentences, equations and pictures (`in_sentence`, `in_equation`, `brief`, `signed`, `fixed`,
`compact`) use the minus sign U+2212, in exponents too, and `with_minus` puts it into any text of a
number. Non-finite numbers are "nan" and "inf" with their sign.

`tests/data/number-texts.jsonl` lists hard cases, against which Python and JavaScript are tested.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

WIDTH = 11  # characters that fit on a card
DIGITS = 4
NONE = "–"  # for a missing number
MOST_MORE = 12  # decimals beyond DIGITS, all that tell one double from the next


def short(x: float) -> str:
    """`x` in at most WIDTH characters: "2.0000", "1.2346e+08", "-1.235e-308", "nan", "inf".

    Four decimals for 0 and 1e-3 <= |x| < 1e5 where they fit; otherwise four decimals of the
    mantissa, or three where four do not fit.
    """
    if not math.isfinite(x):
        return repr(x)
    size = abs(x)
    if size == 0 or 1e-3 <= size < 1e5:
        text = f"{x:.{DIGITS}f}"
        if len(text) <= WIDTH:
            return text
    text = f"{x:.{DIGITS}e}"
    return text if len(text) <= WIDTH else f"{x:.{DIGITS - 1}e}"


def full(x: float) -> str:
    """The shortest decimal that round-trips to `x`: "2.0", "0.30000000000000004", "1e+22".

    Of several, the nearest to `x`, ties to the even digit. Below 1e-4 and from 1e16 on it has an
    exponent of at least two digits.
    """
    return repr(x)


def plain(x: float) -> str:
    """`full(x)` without a trailing ".0": "3", "0.1", "1e-05"."""
    return full(x).removesuffix(".0")


def spoken(x: float) -> str:
    """`short(x)` without trailing zeros, for names: "2", "0.5", "1.2346e+08"."""
    text = short(x)
    return text if "e" in text else _without_idle_zeros(text)


def in_sentence(x: float) -> str:
    """`spoken(x)` with U+2212."""
    return with_minus(spoken(x))


def in_equation(x: float, *, paren: bool = False, more: int = 0) -> str:
    """`short(x)` with U+2212; `paren` puts a negative number in parentheses.

    `more` is a number of further decimals; zeros at their end are left out: "0.00134279".
    """
    text = with_minus(_longer(x, more))
    return f"({text})" if paren and text.startswith("−") else text


def more_digits(
    numbers: Sequence[float], result: float, compute: Callable[..., float], places: int = 0
) -> int:
    """The least `more` for `numbers` with which computing with the shown texts gives the shown
    `result`, itself written with `more=places`.

    "0.0013 × 0.0013" does not give "1.8030e-06"; "0.0013427 × 0.0013428" does. 0 if no number of
    digits does, as with numbers that are not finite.
    """
    if not (math.isfinite(result) and all(map(math.isfinite, numbers))):
        return 0
    goal = _longer(result, places)
    for more in range(MOST_MORE + 1):
        if _longer(compute(*[float(_longer(x, more)) for x in numbers]), places) == goal:
            return more
    return 0


def _longer(x: float, more: int) -> str:
    """`short(x)` with `more` decimals, of which those beyond its own are not idle zeros."""
    text = short(x)
    if more == 0 or not math.isfinite(x):
        return text
    mantissa, e, exponent = f"{x:.{DIGITS + more}{'e' if 'e' in text else 'f'}}".partition("e")
    end = len(mantissa) - more
    return mantissa[:end] + mantissa[end:].rstrip("0") + e + exponent


_DECIMALS = ((5, 0.01), (4, 1), (3, 10), (2, 100))
"""The decimals of `brief` for numbers below each bound."""


def brief(x: float | str | None) -> str:
    """A number in few characters: "0.00391", "1.181", "23.40", "5.31e−5"; "–" for None.

    Five decimals for 1e-3 <= |x| < 1e-2, four below 1, three below 10, two below 100, one below
    1e5; otherwise an exponent without padding, and of the mantissa one decimal, or two of a small
    number. Zero of either sign is "0". A string such as "nan" is a number that JSON cannot
    represent.
    """
    if x is None:
        return NONE
    x = float(x)
    if not math.isfinite(x):
        return with_minus(repr(x))
    size = abs(x)
    if size == 0:
        return "0"
    if not 1e-3 <= size < 1e5:
        return with_minus(_with_short_exponent(f"{x:.{1 if size > 1 else 2}e}"))
    decimals = next((n for n, least in _DECIMALS if size < least), 1)
    return with_minus(f"{x:.{decimals}f}")


def signed(x: float | str) -> str:
    """`brief(x)` with an explicit plus sign."""
    return f"+{brief(x)}" if float(x) > 0 else brief(x)


def fixed(x: float | str) -> str:
    """Four decimals, which align in a column; `brief(x)` from |x| = 1e5 on."""
    x = float(x)
    return with_minus(f"{x:.{DIGITS}f}") if abs(x) < 1e5 else brief(x)


def compact(x: float, digits: int = 6) -> str:
    """At most `digits` significant digits without trailing zeros: "0.25", "20", "2e6", "5e−5".

    Rounded to these digits first; with an exponent below 1e-4 and from 10 ** digits on. Zero is
    "0".
    """
    return with_minus(_with_short_exponent(f"{x:.{digits}g}")) if x else "0"


def in_room(x: float, room: int) -> str:
    """`compact(x)` with as many digits as fit in `room` characters; "" if not even two do."""
    texts = (compact(x, digits) for digits in (6, 5, 4, 3, 2))
    return next((text for text in texts if len(text) <= room), "")


def percent(share: float | None) -> str:
    """A share from 0 to 1 as a percentage: "100%", "98.4%"; "–" for None.

    The double `100 * share` rounded to one decimal, without a trailing ".0"; "100%" for 1 only.
    """
    if share is None:
        return NONE
    if 0.999 < share < 1:
        return "99.9%"
    return f"{100 * share:.1f}".removesuffix(".0") + "%"


def counted(count: int, noun: str) -> str:
    """A count with thousands separators and its noun: "1 step", "1,200 steps"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def to_json(x: float) -> float | str:
    """`x` for JSON, which lacks non-finite numbers: they become "nan", "inf", "-inf"."""
    return x if math.isfinite(x) else repr(x)


LARGEST_EXACT = 2**53
"""JavaScript reads all integers up to here exactly."""


def whole_to_json(x: int | None) -> int | str | None:
    """`x` for pages, whose scripts would round larger integers: these become text."""
    return x if x is None or abs(x) <= LARGEST_EXACT else str(x)


def with_minus(text: str) -> str:
    """The text of a number with U+2212 in place of the hyphen-minus."""
    return text.replace("-", "−")


def _without_idle_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def _with_short_exponent(text: str) -> str:
    mantissa, e, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}" if e else text
