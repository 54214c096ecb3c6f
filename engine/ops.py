"""The table of differentiable operations, from which everything else is derived.

These are the words of the language: arithmetic, elementary functions, activations. Those of the
module `math` follow in `engine.math_ops`. To add an operation, add one call of `define`.
"""

from __future__ import annotations

from .op import OPS, Op, define

__all__ = ["ACTIVATIONS", "OPS", "Op"]

_PAIRS = ((2.0, -3.0), (-1.5, 0.25), (0.5, 4.0))
_LINE = ((-2.0,), (-0.3,), (0.7,), (3.0,))
_POSITIVE = ((0.1,), (1.0,), (2.5,), (40.0,))

define(
    "+",
    "a b",
    "a + b",
    ("1", "1"),
    slug="add",
    forward_says="add {x0} and {x1}",
    backward_says=(
        "{x0} receives the gradient of {y} unchanged",
        "{x1} receives the gradient of {y} unchanged",
    ),
    samples=_PAIRS,
)
define(
    "-",
    "a b",
    "a - b",
    ("1", "-1"),
    symbol="−",
    slug="subtract",
    forward_says="subtract {x1} from {x0}",
    backward_says=(
        "{x0} receives the gradient of {y} unchanged",
        "{x1} receives the gradient of {y} negated",
    ),
    samples=_PAIRS,
    expansion="a + -b",
)
define(
    "*",
    "a b",
    "a * b",
    ("b", "a"),
    symbol="×",
    slug="multiply",
    forward_says="multiply {x0} by {x1}",
    backward_says=(
        "{x0} receives the gradient of {y} times {x1}",
        "{x1} receives the gradient of {y} times {x0}",
    ),
    samples=_PAIRS,
)
define(
    "/",
    "a b",
    "a / b",
    ("1 / b", "-y / b"),
    symbol="÷",
    domain="b != 0",
    domain_says="b ≠ 0",
    slug="divide",
    forward_says="divide {x0} by {x1}",
    backward_says=(
        "{x0} receives the gradient of {y} over {x1}",
        "{x1} receives the gradient of {y} times minus the quotient over {x1}",
    ),
    samples=_PAIRS,
    expansion="a * b ** -1",
)
define(
    "**",
    "a b",
    "a ** b",
    ("b * a ** (b - 1) if b != 0 else 0", "y * log(a) if a != 0 or b < 0 else 0"),
    domain="a > 0 or (a < 0 and b % 1 == 0) or (a == 0 and b >= 0)",
    domain_says="a > 0, or an integer b (b ≥ 0 where a = 0)",
    slug="power",
    forward_says="raise {x0} to the power {x1}",
    backward_says=(
        "the partial for {x0} is that of the power rule",
        "the partial for {x1} is the output times the logarithm of {x0}",
    ),
    samples=((2.0, 3.0), (0.5, -1.5), (3.0, 0.5), (1.7, 2.2)),
    expansion="exp(b * log(a))",
    expansions_at={2.0: "a * a", 3.0: "a * a * a"},
)
define(
    "neg",
    "x",
    "-x",
    ("-1",),
    symbol="−",
    forward_says="negate {x0}",
    backward_says=("the gradient is negated",),
    samples=_LINE,
    expansion="x * -1",
)
define(
    "exp",
    "x",
    "exp(x)",
    ("y",),
    forward_says="raise e to the power {x0}",
    backward_says=("the exponential is its own derivative, so the partial is the output itself",),
    samples=_LINE,
)
define(
    "log",
    "x",
    "log(x)",
    ("1 / x",),
    domain="x > 0",
    domain_says="x > 0",
    forward_says="take the natural logarithm of {x0}",
    backward_says=("the partial is the reciprocal of the input",),
    samples=_POSITIVE,
)
define(
    "sqrt",
    "x",
    "sqrt(x)",
    ("1 / (2 * y)",),
    domain="x >= 0",
    domain_says="x ≥ 0",
    symbol="√",
    forward_says="take the square root of {x0}",
    backward_says=("the partial is the reciprocal of twice the output",),
    samples=_POSITIVE,
    expansion="x ** 0.5",
)
define(
    "sin",
    "x",
    "sin(x)",
    ("cos(x)",),
    forward_says="take the sine of {x0} (in radians)",
    backward_says=("the partial is the cosine of the input",),
    samples=_LINE,
)
define(
    "cos",
    "x",
    "cos(x)",
    ("-sin(x)",),
    forward_says="take the cosine of {x0} (in radians)",
    backward_says=("the partial is minus the sine of the input",),
    samples=_LINE,
)
define(
    "tan",
    "x",
    "tan(x)",
    ("1 + y ** 2",),
    forward_says="take the tangent of {x0} (in radians)",
    backward_says=("the partial is one plus the output squared",),
    samples=((-1.0,), (-0.3,), (0.7,), (1.2,)),
    expansion="sin(x) / cos(x)",
)
define(
    "tanh",
    "x",
    "tanh(x)",
    ("1 - y ** 2",),
    activation=True,
    forward_says="squash {x0} into the interval from −1 to 1",
    backward_says=("the partial is one minus the output squared, close to 0 for outputs near ±1",),
    samples=_LINE,
    expansion="(exp(2 * x) - 1) / (exp(2 * x) + 1)",
)
define(
    "sigmoid",
    "x",
    "1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x))",
    ("y * (1 - y)",),
    activation=True,
    symbol="σ",
    forward_says="squash {x0} into the interval from 0 to 1",
    backward_says=("the partial is the output times one minus the output, at most 0.25",),
    samples=_LINE,
    expansion="1 / (1 + exp(-x))",
)
define(
    "relu",
    "x",
    "max(x, 0)",
    ("1 if y > 0 else 0",),
    activation=True,
    kink="x == 0",
    kink_says="relu has a kink at 0; the subgradient 0 is used",
    forward_says="keep {x0} if it is positive, otherwise return 0",
    backward_says=("the gradient passes if {x0} is positive and is 0 otherwise",),
    samples=_LINE,
    expansion="max(x, 0)",
)
define(
    "leaky_relu",
    "x",
    "x if x > 0 else 0.01 * x",
    ("1 if y > 0 else 0.01",),
    activation=True,
    symbol="leaky",
    kink="x == 0",
    kink_says="leaky_relu has a kink at 0; the subgradient 0.01 is used",
    forward_says="keep {x0} if it is positive, otherwise multiply it by 0.01",
    backward_says=("the gradient passes if {x0} is positive and is multiplied by 0.01 otherwise",),
    samples=_LINE,
    expansion="max(x, 0.01 * x)",
)
define(
    "softplus",
    "x",
    "max(x, 0) + log1p(exp(-abs(x)))",
    ("sigmoid(x)",),
    activation=True,
    forward_says="take log(1 + e^{x0}), a smooth relu",
    backward_says=("the partial is the sigmoid of the input",),
    samples=_LINE,
    expansion="log(1 + exp(x))",
)
define(
    "silu",
    "x",
    "x * sigmoid(x)",
    ("sigmoid(x) + y * (1 - sigmoid(x))",),
    activation=True,
    forward_says="multiply {x0} by its own sigmoid",
    backward_says=("the product rule for the input and its sigmoid",),
    samples=_LINE,
    expansion="x * sigmoid(x)",
)
define(
    "gelu",
    "x",
    "x * (erfc(-x / sqrt(2)) / 2)",
    ("erfc(-x / sqrt(2)) / 2 + x * exp(-x ** 2 / 2) / sqrt(2 * pi)",),
    activation=True,
    forward_says="multiply {x0} by the standard normal distribution function of {x0}",
    backward_says=("the product rule for the input and the normal distribution function",),
    samples=_LINE,
    expansion="x * erfc(-x / sqrt(2)) / 2",
)
define(
    "abs",
    "x",
    "abs(x)",
    ("1 if x > 0 else -1 if x < 0 else 0",),
    symbol="|x|",
    kink="x == 0",
    kink_says="the absolute value has a kink at 0; the subgradient 0 is used",
    forward_says="take the absolute value of {x0}",
    backward_says=("the gradient is multiplied by the sign of {x0}",),
    samples=_LINE,
    expansion="max(x, -x)",
)
define(
    "max",
    "a b",
    "max(a, b)",
    ("1 if a > b else 0 if a < b else 0.5", "1 if b > a else 0 if b < a else 0.5"),
    kink="a == b",
    kink_says="max has a kink where its inputs are equal; the gradient is split evenly",
    forward_says="take the larger of {x0} and {x1}",
    backward_says=(
        "{x0} receives the gradient of {y} if it is the larger, otherwise 0",
        "{x1} receives the gradient of {y} if it is the larger, otherwise 0",
    ),
    samples=_PAIRS,
)
define(
    "min",
    "a b",
    "min(a, b)",
    ("1 if a < b else 0 if a > b else 0.5", "1 if b < a else 0 if b > a else 0.5"),
    kink="a == b",
    kink_says="min has a kink where its inputs are equal; the gradient is split evenly",
    forward_says="take the smaller of {x0} and {x1}",
    backward_says=(
        "{x0} receives the gradient of {y} if it is the smaller, otherwise 0",
        "{x1} receives the gradient of {y} if it is the smaller, otherwise 0",
    ),
    samples=_PAIRS,
    expansion="-max(-a, -b)",
)

from . import math_ops as _math_ops  # noqa: E402, F401  # its entries come after those above

ACTIVATIONS: tuple[str, ...] = tuple(name for name, op in OPS.items() if op.activation)
