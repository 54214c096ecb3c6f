"""The operations of the modules `math` and `operator` that are no words of the language."""

from __future__ import annotations

from functools import partial

from . import op

define = partial(op.define, module="math")

_LINE = ((-2.0,), (-0.3,), (0.7,), (3.0,))
_POSITIVE = ((0.1,), (1.0,), (2.5,), (40.0,))
_INSIDE = ((-0.9,), (-0.3,), (0.0,), (0.7,))
_PAIRS = ((2.0, -3.0), (-1.5, 0.25), (0.5, 4.0))

define(
    "exp2",
    "x",
    "exp2(x)",
    ("y * log(2)",),
    forward_says="raise 2 to the power {x0}",
    backward_says=("the partial is the output times the natural logarithm of 2",),
    samples=_LINE,
    expansion="exp(x * log(2))",
)
define(
    "expm1",
    "x",
    "expm1(x)",
    ("exp(x)",),
    forward_says="raise e to the power {x0} and subtract 1, accurate near 0",
    backward_says=("the partial is e to the power of the input",),
    samples=_LINE,
    expansion="exp(x) - 1",
)
define(
    "log2",
    "x",
    "log2(x)",
    ("1 / (x * log(2))",),
    domain="x > 0",
    domain_says="x > 0",
    forward_says="take the logarithm of {x0} to base 2",
    backward_says=("the partial is the reciprocal of the input times the logarithm of 2",),
    samples=_POSITIVE,
    expansion="log(x) / log(2)",
)
define(
    "log10",
    "x",
    "log10(x)",
    ("1 / (x * log(10))",),
    domain="x > 0",
    domain_says="x > 0",
    forward_says="take the logarithm of {x0} to base 10",
    backward_says=("the partial is the reciprocal of the input times the logarithm of 10",),
    samples=_POSITIVE,
    expansion="log(x) / log(10)",
)
define(
    "log1p",
    "x",
    "log1p(x)",
    ("1 / (1 + x)",),
    domain="x > -1",
    domain_says="x > −1",
    forward_says="take the natural logarithm of one plus {x0}, accurate near 0",
    backward_says=("the partial is the reciprocal of one plus the input",),
    samples=((-0.9,), (1e-3,), (0.7,), (40.0,)),
    expansion="log(1 + x)",
)
define(
    "cbrt",
    "x",
    "cbrt(x)",
    ("1 / (3 * y ** 2)",),
    symbol="∛",
    forward_says="take the cube root of {x0}",
    backward_says=("the partial is the reciprocal of three times the output squared",),
    samples=_LINE,
)
define(
    "asin",
    "x",
    "asin(x)",
    ("1 / sqrt((1 - x) * (1 + x))",),
    domain="x >= -1 and x <= 1",
    domain_says="−1 ≤ x ≤ 1",
    forward_says="take the angle (in radians) whose sine is {x0}",
    backward_says=("the partial is one over the cosine of the output",),
    samples=_INSIDE,
    expansion="atan(x / sqrt(1 - x ** 2))",
)
define(
    "acos",
    "x",
    "acos(x)",
    ("-1 / sqrt((1 - x) * (1 + x))",),
    domain="x >= -1 and x <= 1",
    domain_says="−1 ≤ x ≤ 1",
    forward_says="take the angle (in radians) whose cosine is {x0}",
    backward_says=("the partial is minus one over the sine of the output",),
    samples=_INSIDE,
    expansion="pi / 2 - asin(x)",
)
define(
    "atan",
    "x",
    "atan(x)",
    ("1 / (1 + x ** 2)",),
    forward_says="take the angle (in radians) whose tangent is {x0}",
    backward_says=("the partial is the reciprocal of one plus the input squared",),
    samples=_LINE,
)
define(
    "atan2",
    "a b",
    "atan2(a, b)",
    (
        "b / (a ** 2 + b ** 2) if a != 0 or b != 0 else 0",
        "-a / (a ** 2 + b ** 2) if a != 0 or b != 0 else 0",
    ),
    kink="a == 0 and b <= 0",
    kink_says="atan2 jumps where a = 0 and b < 0, and has no derivative at the origin; 0 is used",
    forward_says="take the angle (in radians) of the point with abscissa {x1} and ordinate {x0}",
    backward_says=(
        "the partial for {x0} is {x1} over the squared distance from the origin",
        "the partial for {x1} is minus {x0} over the squared distance from the origin",
    ),
    samples=_PAIRS,
)
define(
    "sinh",
    "x",
    "sinh(x)",
    ("cosh(x)",),
    forward_says="take the hyperbolic sine of {x0}",
    backward_says=("the partial is the hyperbolic cosine of the input",),
    samples=_LINE,
    expansion="(exp(x) - exp(-x)) / 2",
)
define(
    "cosh",
    "x",
    "cosh(x)",
    ("sinh(x)",),
    forward_says="take the hyperbolic cosine of {x0}",
    backward_says=("the partial is the hyperbolic sine of the input",),
    samples=_LINE,
    expansion="(exp(x) + exp(-x)) / 2",
)
define(
    "asinh",
    "x",
    "asinh(x)",
    ("1 / sqrt(x ** 2 + 1)",),
    forward_says="take the number whose hyperbolic sine is {x0}",
    backward_says=("the partial is one over the hyperbolic cosine of the output",),
    samples=_LINE,
    expansion="log(x + sqrt(x ** 2 + 1))",
)
define(
    "acosh",
    "x",
    "acosh(x)",
    ("1 / sqrt((x - 1) * (x + 1))",),
    domain="x >= 1",
    domain_says="x ≥ 1",
    forward_says="take the positive number whose hyperbolic cosine is {x0}",
    backward_says=("the partial is one over the hyperbolic sine of the output",),
    samples=((1.25,), (2.0,), (40.0,)),
    expansion="log(x + sqrt(x ** 2 - 1))",
)
define(
    "atanh",
    "x",
    "atanh(x)",
    ("1 / ((1 - x) * (1 + x))",),
    domain="x > -1 and x < 1",
    domain_says="−1 < x < 1",
    forward_says="take the number whose hyperbolic tangent is {x0}",
    backward_says=("the partial is the reciprocal of one minus the input squared",),
    samples=_INSIDE,
    expansion="log((1 + x) / (1 - x)) / 2",
)
define(
    "erf",
    "x",
    "erf(x)",
    ("2 * exp(-x ** 2) / sqrt(pi)",),
    forward_says="take the error function of {x0}",
    backward_says=("the partial is the bell curve at the input, of area 2",),
    samples=_LINE,
)
define(
    "erfc",
    "x",
    "erfc(x)",
    ("-2 * exp(-x ** 2) / sqrt(pi)",),
    forward_says="take one minus the error function of {x0}",
    backward_says=("the partial is minus the bell curve at the input, of area 2",),
    samples=_LINE,
    expansion="1 - erf(x)",
)
define(
    "degrees",
    "x",
    "x * (180 / pi)",
    ("180 / pi",),
    symbol="deg",
    forward_says="convert {x0} from radians to degrees",
    backward_says=("the gradient is multiplied by the degrees of a radian",),
    samples=_LINE,
    expansion="x * (180 / pi)",
)
define(
    "radians",
    "x",
    "x * (pi / 180)",
    ("pi / 180",),
    symbol="rad",
    forward_says="convert {x0} from degrees to radians",
    backward_says=("the gradient is multiplied by the radians of a degree",),
    samples=_LINE,
    expansion="x * (pi / 180)",
)
define(
    "hypot",
    "a b",
    "hypot(a, b)",
    ("a / y if y != 0 else 0", "b / y if y != 0 else 0"),
    kink="a == 0 and b == 0",
    kink_says="hypot has a kink at the origin; the subgradient 0 is used",
    forward_says="take the length of the vector ({x0}, {x1})",
    backward_says=(
        "the partial for {x0} is {x0} over the length",
        "the partial for {x1} is {x1} over the length",
    ),
    samples=_PAIRS,
    expansion="sqrt(a ** 2 + b ** 2)",
)
define(
    "fmod",
    "a b",
    "fmod(a, b)",
    ("1", "-trunc(a / b)"),
    domain="b != 0",
    domain_says="b ≠ 0",
    kink="fmod(a, b) == 0 and a != 0",
    kink_says="fmod jumps where a is a multiple of b; the slope beside the jump is used",
    forward_says="take the remainder of {x0} over {x1}, with the sign of {x0}",
    backward_says=(
        "{x0} receives the gradient of {y} unchanged",
        "{x1} receives the gradient of {y} times minus the whole part of the quotient",
    ),
    samples=((7.5, 2.0), (-5.0, 3.0), (4.3, -1.7)),
)
define(
    "copysign",
    "a b",
    "copysign(a, b)",
    ("y / a if a != 0 else 0", "0"),
    kink="a == 0 or b == 0",
    kink_says="copysign has a kink at a = 0 and jumps at b = 0; the subgradient 0 is used",
    forward_says="give {x0} the sign of {x1}",
    backward_says=(
        "the gradient is negated if the sign changed",
        "{x1} decides the sign alone, so its gradient is 0",
    ),
    samples=_PAIRS,
)
op.define(
    "mod",
    "a b",
    "a % b",
    ("1", "-floor(a / b)"),
    module="operator",
    domain="b != 0",
    domain_says="b ≠ 0",
    kink="a % b == 0",
    kink_says="a mod b jumps where a is a multiple of b; the slope beside the jump is used",
    forward_says="take the remainder of {x0} over {x1}, with the sign of {x1}",
    backward_says=(
        "{x0} receives the gradient of {y} unchanged",
        "{x1} receives the gradient of {y} times minus the quotient rounded down",
    ),
    samples=((7.5, 2.0), (-5.0, 3.0), (4.3, -1.7)),
)
