"""exp, log, tanh and others in the formula language, which `formula` compiles to WebAssembly.

WebAssembly has + − × ÷ √ and comparisons, but no transcendental functions. Each entry of TABLE is a
short program: one `name = expression` per line, from `x` to `y`. IEEE 754 prescribes every
rounding, so the results are bit-identical on all machines.

Besides + − × ÷, unary minus, comparisons, `A if C else B` (a branchless select) and CONSTANTS, the
programs use these instructions, each on an f64x2:

    abs(a)              |a|
    pmin(a, b)          b if b < a else a; propagates a nan in `a`
    pmax(a, b)          b if a < b else a; propagates a nan in `a`
    copysign(a, b)      a with the sign of b
    bits_add(a, b)  bits_sub(a, b)  bits_and(a, b)  bits_or(a, b)
                        on the bit patterns as integers; an integer literal, 7 or 0x7, is itself
                        the pattern
    shift_left(a, n)  shift_right(a, n)
                        logical shifts of the bit pattern (i64x2.shl, i64x2.shr_u)

A blank line divides a program into stages. Over many numbers each stage may run in a loop of its
own: a processor looks ahead by some hundred instructions, and only in short chains of them does it
find the next numbers' to fill its units with (measured for tanh: two loops take 0.8 of one).

Powers of two: doubles near 1.5·2⁵² are spaced by 1, so adding that constant rounds to an integer k
and leaves k in the lowest bits, from where a shift moves it into the exponent field. The constants
NEAREST… include the exponent bias, which saves an instruction.

Coefficients are minimax approximations; `python -m scripts.coefficients` computes them and the
other constants. Errors are in ulp, the spacing of doubles at the exact result: the maximum and the
mean over some 10⁶ points, most of them hard cases (interval boundaries, neighbours of zeros, tiny,
huge and subnormal numbers). Sources:

    Cody, Waite     Software Manual for the Elementary Functions, 1980
    Dekker          A floating-point technique for extending the available precision, 1971
    fdlibm          Freely Distributable LIBM, K. C. Ng and others, Sun Microsystems, 1993
    Shepherd, Laframboise
                    Chebyshev approximation of (1 + 2x)exp(x²)erfc x in 0 ≤ x < ∞, 1981
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KernelFunction:
    """A function of one number.

    `text` computes `y` from `x`; `help` describes method and error; `domain` states where the
    result is valid and its value elsewhere.
    """

    name: str
    text: str
    help: str
    domain: str


PARTS: dict[str, float] = {
    "LN2": 0.6931471805599453,
    "PER_LN2": 1.4426950408889634,
    "PER_HALF_PI": 0.6366197723675814,
    "LN2_HIGH": 0.6931471805598903,
    "LN2_LOW": 5.497923018708371e-14,
    "HALF_PI_HIGH": 1.5707963267341256,
    "HALF_PI_MIDDLE": 6.077100506303966e-11,
    "HALF_PI_LOW": 2.0222662487959506e-21,
}
"""Constants of the argument reductions. HIGH, MIDDLE and LOW sum to one number; all but the last
have trailing zero bits, so that their products with the integers k are exact."""

POLYNOMIALS: dict[str, tuple[float, ...]] = {
    "TANH": (
        0.3333333333333211,
        -0.022222222221176466,
        0.0021164020862847006,
        -0.00021163980255984823,
        2.1374830574404876e-05,
        -2.1525250149452172e-06,
        1.9433193743008705e-07,
    ),
    "EXP": (
        0.16666666666666555,
        -0.0027777777776698325,
        6.613756250562524e-05,
        -1.6533837554588674e-06,
        4.136059969419695e-08,
    ),
    "LOG": (
        0.6666666666666734,
        0.3999999999941401,
        0.2857142874255375,
        0.22222198554588302,
        0.18183565365359505,
        0.15314022232099894,
        0.1479624944405429,
    ),
    "SIN": (
        -0.16666666666666632,
        0.008333333333322415,
        -0.00019841269829808266,
        2.7557313692065917e-06,
        -2.5050758136943763e-08,
        1.5896796829841764e-10,
    ),
    "COS": (
        0.0416666666666666,
        -0.0013888888888874125,
        2.480158728948247e-05,
        -2.7557314352414356e-07,
        2.087572328411015e-09,
        -1.1359648352953951e-11,
    ),
    "ERFC": (
        -0.08200759324914055,
        -0.25695810639178956,
        0.38938742400485266,
        -0.3693707509714087,
        0.2722937406163524,
        -0.16324839594079354,
        0.07940237548258255,
        -0.030073075157926787,
        0.007806605882175411,
        -0.0006582146283197044,
        -0.0004893262374221596,
        0.00022993444170588075,
        -1.5279176909211202e-05,
        -2.2276827997743792e-05,
        6.9122757070030205e-06,
        1.4596016738480022e-06,
        -1.1504387730976211e-06,
        -5.3717637056553463e-08,
        1.614746683181312e-07,
        3.8583457557894205e-09,
        -1.7236439215466356e-08,
        -2.486140762907531e-09,
    ),
}
"""Coefficients in ascending order; programs name the i-th of TANH TANH_i."""

CONSTANTS: dict[str, float] = {
    **PARTS,
    **{f"{name}_{i}": c for name, row in POLYNOMIALS.items() for i, c in enumerate(row)},
    "INFINITY": math.inf,
    "NAN": math.nan,
    "NEAREST": 1.5 * 2.0**52,
    "NEAREST_EXP": 1.5 * 2.0**52 + 2046,  # 2·1023: 2ᵏ is split in two factors, each with bias 1023
    "NEAREST_TANH": 1.5 * 2.0**52 + 511,  # 2·(k + 511) = 1023 + 2k − 1, for 4ᵏ/2
    "BIAS_LOG": 2.0**52 + 1023,
    "BIAS_LOG_UP": 2.0**52 + 1023 + 54,
    "LEAST_NORMAL": 2.0**-1022,
    "UP": 2.0**54,
}
"""All constants that programs may use."""

_EXP = """
a = pmax(pmin(x, 710.0), -746.0)
m = a * PER_LN2 + NEAREST_EXP
k = m - NEAREST_EXP
r = (a - k * LN2_HIGH) - k * LN2_LOW
z = r * r
w = z * z
c = z * ((EXP_0 + EXP_1 * z) + w * ((EXP_2 + EXP_3 * z) + w * EXP_4))
f = (r + r) / ((2.0 + c) - r) + 1.0
h = shift_right(m, 1)
y = f * shift_left(h, 52) * shift_left(bits_sub(m, h), 52)
"""

_TANH = """
a = pmin(bits_and(x, 0x7FFFFFFFFFFFFFFF), 22.0)
m = (a * PER_LN2 - 0.2925) + NEAREST_TANH
s = a - (m - NEAREST_TANH) * LN2
h = shift_left(m, 53) - 0.5

z = s * s
w = z * z
p = (TANH_0 + TANH_1 * z) + w * (TANH_2 + TANH_3 * z)
q = (TANH_4 + TANH_5 * z) + w * TANH_6
c = z * (p + (w * w) * q) + 1.0
e = h * (c + s)
one = pmin(h, 1.0)
t = (s - one * c) / (e + c) + one
y = bits_or(t, bits_and(x, 0x8000000000000000))
"""

_LOG_PARTS = """
i = bits_add(u, 0x95F619980C433)
f = bits_add(bits_and(i, 0xFFFFFFFFFFFFF), 0x3FE6A09E667F3BCD) - 1.0
s = f / (2.0 + f)
z = s * s
w = z * z
h = f * f * 0.5
q = (LOG_2 + LOG_3 * z) + w * ((LOG_4 + LOG_5 * z) + w * LOG_6)
g = s * (h + z * ((LOG_0 + LOG_1 * z) + w * q))
"""

_LOG = f"""
u = x if x >= LEAST_NORMAL else x * UP
b = BIAS_LOG if x >= LEAST_NORMAL else BIAS_LOG_UP
{_LOG_PARTS}
k = bits_or(shift_right(i, 52), 0x4330000000000000) - b
y = k * LN2_HIGH - ((h - (g + k * LN2_LOW)) - f)
y = (y if x < INFINITY else x) if x > 0.0 else (-INFINITY if x == 0.0 else NAN)
"""

_LOG1P = f"""
u = 1.0 + x
d = (x - (u - 1.0)) / u
{_LOG_PARTS}
k = bits_or(shift_right(i, 52), 0x4330000000000000) - BIAS_LOG
y = k * LN2_HIGH - ((h - (g + (k * LN2_LOW + d))) - f)
y = (y if u < INFINITY else u) if u > 0.0 else (-INFINITY if u == 0.0 else NAN)
y = copysign(y, x)
"""

_SIN_COS_PARTS = """
m = x * PER_HALF_PI + NEAREST
k = m - NEAREST
a = x - k * HALF_PI_HIGH
b = a - k * HALF_PI_MIDDLE
r = b - (k * HALF_PI_LOW - ((a - b) - k * HALF_PI_MIDDLE))
z = r * r
w = z * z
s = r + r * z * ((SIN_0 + SIN_1 * z) + w * ((SIN_2 + SIN_3 * z) + w * (SIN_4 + SIN_5 * z)))
d = (COS_0 + COS_1 * z) + w * ((COS_2 + COS_3 * z) + w * (COS_4 + COS_5 * z))
c = 1.0 - (0.5 * z - w * d)
"""

_SIN = f"""
{_SIN_COS_PARTS}
y = c if bits_and(m, 1) != 0.0 else s
y = -y if bits_and(m, 2) != 0.0 else y
y = (y if x != 0.0 else x) if abs(x) <= 1000000.0 else NAN
"""

_COS = f"""
{_SIN_COS_PARTS}
y = s if bits_and(m, 1) != 0.0 else c
y = -y if bits_and(bits_add(m, 1), 2) != 0.0 else y
y = y if abs(x) <= 1000000.0 else NAN
"""

_ERFC = """
a = pmin(abs(x), 27.3)
p = a / (a + 4.0)
t = (p + p) - 1.0
w = t * t
v = w * w
g = (ERFC_16 + ERFC_17 * t) + w * (ERFC_18 + ERFC_19 * t) + v * (ERFC_20 + ERFC_21 * t)
g = (ERFC_12 + ERFC_13 * t) + w * (ERFC_14 + ERFC_15 * t) + v * g
g = (ERFC_8 + ERFC_9 * t) + w * (ERFC_10 + ERFC_11 * t) + v * g
g = (ERFC_4 + ERFC_5 * t) + w * (ERFC_6 + ERFC_7 * t) + v * g
g = (ERFC_0 + ERFC_1 * t) + w * (ERFC_2 + ERFC_3 * t) + v * g
f = p * g
h = 0.5 * a
d = (a + h) + 1.0
o = 1.0 / d
b = bits_and(d, 0xFFFFFFFFF8000000)
g = bits_and((f + 1.0) * o, 0xFFFFFFFFF8000000)
j = (((1.0 - g * b) + f) - g * (((1.0 - b) + a) + h)) * o
b = bits_and(a, 0xFFFFFFFFF8000000)
l = (a - b) * (a + b)
b = b * b
m = NEAREST_EXP - b * PER_LN2
k = NEAREST_EXP - m
u = k * LN2_HIGH - b
l = k * LN2_LOW - l
r = u + l
z = r * r
w = z * z
c = z * ((EXP_0 + EXP_1 * z) + w * ((EXP_2 + EXP_3 * z) + w * EXP_4))
e = r * (r - c) / ((2.0 + c) - r) + l
n = g + (g * u + (g * e + (j + j * (u + e))))
h = shift_right(m, 1)
t = n * shift_left(h, 52) * shift_left(bits_sub(m, h), 52)
y = 2.0 - t if x < 0.0 else t
"""

TABLE: tuple[KernelFunction, ...] = (
    KernelFunction(
        name="exp",
        text=_EXP,
        help=(
            "x = k·ln 2 + r with integer k and |r| ≤ ln 2 / 2, ln 2 in two parts (Cody, Waite);"
            " eˣ = 2ᵏ·eʳ. With r·coth(r/2) = 2 + c follows eʳ = 1 + 2r/(2 + c − r) (fdlibm). c is"
            " even: r² times a polynomial of degree 4 in r², approximated to 2⁻⁶³."
            " 2ᵏ is applied as two factors, so that overflow occurs at the right argument and"
            " subnormal results are rounded once. Error 1.38 ulp, mean 0.28."
        ),
        domain="all numbers",
    ),
    KernelFunction(
        name="log",
        text=_LOG,
        help=(
            "x = 2ᵏ·(1 + f) with √½ ≤ 1 + f < √2, subnormal x scaled by 2⁵⁴;"
            " log x = k·ln 2 + log(1 + f), ln 2 in two parts. With s = f/(2 + f), log(1 + f) ="
            " 2·artanh s = f − (f²/2 − s·(f²/2 + R)), whose first two terms are nearly exact"
            " (fdlibm); R = 2·artanh(s)/s − 2 is s² times a polynomial of degree 6 in s²,"
            " |s| ≤ 0.1716. Error 0.87 ulp, mean 0.26."
        ),
        domain="x ≥ 0, −inf at 0; nan below",
    ),
    KernelFunction(
        name="log1p",
        text=_LOG1P,
        help=(
            "log u for u = 1 + x, rounded, plus d = (x − (u − 1))/u, the rounding error times the"
            " derivative of log at u (fdlibm). For tiny x, u is 1 and the result is d = x."
            " Error 0.87 ulp, mean 0.23."
        ),
        domain="x ≥ −1, −inf at −1; nan below",
    ),
    KernelFunction(
        name="tanh",
        text=_TANH,
        help=(
            "|x| = k·ln 2 + s with integer k. With s·coth s = c and h = (4ᵏ − 1)/2, the addition"
            " theorem is tanh|x| = (h(c + s) + s)/(h(c + s) + c) = 1 − (c − s)/(h(c + s) + c)."
            " k is 0 below artanh ½ = 0.5493 = (½ + 0.2925)·ln 2, where the first form is s/c,"
            " with s = |x| exact. Above, tanh|x| ≥ ½, and the second form is insensitive to errors"
            " of its quotient. min(h, 1), 0 for k = 0 and otherwise 1, selects the form; one"
            " division serves both. −0.144 ≤ s ≤ 0.5494; c is 1 + s² times a polynomial of degree"
            " 6 in s², approximated to 2⁻⁵³·0.64; it converges fast, as the nearest poles are at"
            " ±πi. For |x| > 22, tanh is ±1. Error 1.94 ulp, mean 0.39."
        ),
        domain="all numbers",
    ),
    KernelFunction(
        name="sin",
        text=_SIN,
        help=(
            "x = k·π/2 + r with integer k and |r| ≤ π/4, π/2 in three parts (Cody, Waite), of which"
            " k·HIGH and k·MIDDLE are exact for |k| < 2²⁰; the rounding error of the second"
            " difference is compensated (Dekker). sin r = r + r³·(degree 5 in r²), cos r = 1 −"
            " (r²/2 − r⁴·(degree 5 in r²)); the two lowest bits of k select function and sign."
            " Points include both neighbours of each multiple of π/2. Error 1.48 ulp, mean 0.29."
        ),
        domain="|x| ≤ 10⁶; nan beyond, rather than a wrong number",
    ),
    KernelFunction(
        name="cos",
        text=_COS,
        help="As sin, with k + 1. Error 1.50 ulp, mean 0.30.",
        domain="|x| ≤ 10⁶; nan beyond, rather than a wrong number",
    ),
    KernelFunction(
        name="erfc",
        text=_ERFC,
        help=(
            "With a = |x|, erfc a = e^(−a²)·F/(1 + 1.5a); erfc(−a) = 2 − erfc a. F goes from 1 to"
            " 0.846 and is smooth in t = (a − 4)/(a + 4) up to infinity (as in Shepherd,"
            " Laframboise, who take 1 + 2a and 3.75): F = 1 + a/(a + 4)·(degree 21 in t),"
            " approximated to 2⁻⁵⁶. Rounding errors are carried along in parts of at most 26 bits,"
            " whose products are exact (Dekker): F/(1 + 1.5a) = g + j, where g is short;"
            " a² = b + (a − a′)(a + a′), where a′ is a cut to 26 bits and b = a′²; −a² = −k·ln 2 +"
            " u + l, where u is exact; e^(u + l) − 1 = u + e, by the series of exp. The result is"
            " 2⁻ᵏ·(g + (g·u + …)): one rounding of half an ulp, the others of smaller terms."
            " Error 1.6 ulp, mean 0.25; subnormal results within 2 of the least subnormal."
        ),
        domain="all numbers",
    ),
)
"""All functions by name."""

FUNCTIONS: dict[str, str] = {function.name: function.text for function in TABLE}
"""Programs by function name, the input of `formula`."""
