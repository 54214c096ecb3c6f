"""The functions of single elements that scalars of the language do not have: activations with
settings, limits, steps, comparisons.

Kinks follow PyTorch: each partial is the subgradient that PyTorch takes there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, eq=False)
class PointwiseRow:
    """y = f(args; settings), with its partials by argument, which may use y.

    `fixed` says that no gradient passes at all, as through a comparison. A name that is left out is
    that of the row.
    """

    name: str
    args: tuple[str, ...]
    formula: str
    partials: tuple[str, ...]
    words: str
    settings: Mapping[str, float] = field(default_factory=dict)
    numpy: str = ""
    torch: str = ""
    node: str = ""
    samples: tuple[tuple[float, ...], ...] = ((-2.3,), (-0.4,), (0.7,), (3.4,))
    fixed: bool = False


_X = ("x",)
_AB = ("a", "b")
_PAIRS = ((2.0, -3.0), (-1.5, 0.25), (0.5, 4.0))
_STEP = {"partials": ("0",), "args": _X}


_r = PointwiseRow


def _compared(name: str, sign: str, said: str, numpy: str, torch: str) -> PointwiseRow:
    return _r(
        name, _AB, f"1 if a {sign} b else 0", ("0", "0"),
        f"1 where a is {said} b, else 0, element by element",
        numpy=numpy, torch=torch, samples=_PAIRS, fixed=True,
    )  # fmt: skip


ROWS = (
    _r("elu", _X, "x if x > 0 else alpha * expm1(x)", ("1 if x > 0 else y + alpha",),
        "keep x where it is positive, elsewhere α(eˣ − 1)", {"alpha": 1.0}),
    _r("celu", _X, "x if x > 0 else alpha * expm1(x / alpha)",
        ("1 if x > 0 else exp(x / alpha)",),
        "keep x where it is positive, elsewhere α(e^{x/α} − 1)", {"alpha": 1.0}),
    _r("selu", _X, "scale * x if x > 0 else scale * alpha * expm1(x)",
        ("scale if x > 0 else y + scale * alpha",),
        "an elu whose slope keeps mean 0 and variance 1 through layers",
        {"alpha": 1.6732632423543772, "scale": 1.0507009873554805}, node="Elu"),
    _r("leaky", _X, "x if x > 0 else slope * x", ("1 if x > 0 else slope",),
        "keep x where it is positive, elsewhere a small multiple of it", {"slope": 0.01},
        torch="leaky_relu", node="LeakyRelu"),
    _r("logsigmoid", _X, "-softplus(-x)", ("1 - sigmoid(x)",),
        "the logarithm of the sigmoid of x", torch="logsigmoid", node="LogSigmoid"),
    _r("smooth_relu", _X, "softplus(beta * x) / beta if beta * x <= threshold else x",
        ("sigmoid(beta * x) if beta * x <= threshold else 1",),
        "a smooth relu, log(1 + e^{βx})/β", {"beta": 1.0, "threshold": 20.0}, torch="softplus",
        node="Softplus"),
    _r("mish", _X, "x * tanh(softplus(x))",
        ("tanh(softplus(x)) + x * sigmoid(x) * (1 - tanh(softplus(x)) ** 2)",),
        "x times the hyperbolic tangent of its softplus"),
    _r("softsign", _X, "x / (1 + abs(x))", ("1 / (1 + abs(x)) ** 2",),
        "x over one plus its absolute value", node="Div"),
    _r("tanhshrink", _X, "x - tanh(x)", ("tanh(x) ** 2",), "x minus its hyperbolic tangent",
        node="Sub"),
    _r("gelu_tanh", _X, "0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x ** 3)))",
        (("0.5 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x ** 3))) + 0.5 * x * "
          "(1 - tanh(sqrt(2 / pi) * (x + 0.044715 * x ** 3)) ** 2) * sqrt(2 / pi) * "
          "(1 + 0.134145 * x ** 2)"),),
        "the approximation of gelu by a hyperbolic tangent", torch="gelu", node="Gelu"),
    _r("relu6", _X, "min(max(x, 0), 6)", ("1 if x > 0 and x < 6 else 0",),
        "keep x within 0 and 6", node="Hardtanh"),
    _r("hardtanh", _X, "low if x < low else high if x > high else x",
        ("1 if x > low and x < high else 0",), "keep x within two limits",
        {"low": -1.0, "high": 1.0}, node="Hardtanh"),
    _r("hardsigmoid", _X, "min(max(x + 3, 0), 6) / 6", ("1 / 6 if x > -3 and x < 3 else 0",),
        "a sigmoid of straight lines", node="Hardsigmoid"),
    _r("hardswish", _X, "x * min(max(x + 3, 0), 6) / 6",
        ("0 if x <= -3 else 1 if x >= 3 else x / 3 + 0.5",), "x times its hard sigmoid",
        node="Hardswish"),
    _r("softshrink", _X, "x - lambd if x > lambd else x + lambd if x < -lambd else 0",
        ("1 if x > lambd or x < -lambd else 0",), "move x towards 0 by λ", {"lambd": 0.5}),
    _r("hardshrink", _X, "x if x > lambd or x < -lambd else 0",
        ("1 if x > lambd or x < -lambd else 0",), "0 within λ of 0, else x", {"lambd": 0.5}),
    _r("threshold", _X, "x if x > threshold else value", ("1 if x > threshold else 0",),
        "keep x above a threshold, elsewhere a value", {"threshold": 0.0, "value": 0.0}),
    _r("prelu", ("x", "a"), "x if x > 0 else a * x", ("1 if x > 0 else a", "0 if x > 0 else x"),
        "keep x where it is positive, elsewhere a times it", node="PreluKernel", samples=_PAIRS),
    _r("clip", _X, "low if x < low else high if x > high else x",
        ("1 if x >= low and x <= high else 0",), "keep x within two limits",
        {"low": float("-inf"), "high": float("inf")}, numpy="clip", torch="clamp clip",
        node="Clamp"),
    _r("rsqrt", _X, "1 / sqrt(x)", ("-y / (2 * x)",), "one over the square root of x",
        samples=((0.3,), (2.0,))),
    _r("reciprocal", _X, "1 / x", ("-y * y",), "one over x", numpy="reciprocal",
        samples=((0.3,), (-2.0,))),
    _r("square", _X, "x * x", ("2 * x",), "x times x", numpy="square", node="Pow"),
    _r("heaviside", _AB, "0 if a < 0 else b if a == 0 else 1", ("0", "1 if a == 0 else 0"),
        "0 where a is negative, 1 where it is positive, b at 0", numpy="heaviside", samples=_PAIRS),
    _r("logit", _X, "log(x / (1 - x))",
        ("1 / (x * (1 - x)) if x >= 0 and x <= 1 else log(-1)",), "the inverse of the sigmoid",
        samples=((0.2,), (0.7,))),
    _r("logaddexp", _AB, "max(a, b) + log1p(exp(-abs(a - b)))",
        ("sigmoid(a - b)", "sigmoid(b - a)"), "the logarithm of eᵃ + eᵇ", numpy="logaddexp",
        samples=_PAIRS),
    _r("xlogy", _AB, "0 if a == 0 else a * log(b)", ("log(b)", "a / b"), "a times ln b",
        samples=((2.0, 3.0), (0.5, 0.2))),
    _r("lerp", ("a", "b", "w"), "a + w * (b - a)", ("1 - w", "w", "b - a"),
        "the point between a and b at w", samples=((2.0, -3.0, 0.3),)),
    _r("floor", formula="floor(x)", words="round x down", numpy="floor", **_STEP),  # type: ignore[arg-type]
    _r("ceil", formula="-floor(-x)", words="round x up", numpy="ceil", **_STEP),  # type: ignore[arg-type]
    _r("trunc", formula="trunc(x)", words="cut off the decimals of x", numpy="trunc fix",
        torch="trunc fix", **_STEP),  # type: ignore[arg-type]
    _r("round", formula=(
        "floor(x + 0.5) - 1 if floor(x + 0.5) == x + 0.5 and floor(x + 0.5) % 2 != 0 "
        "else floor(x + 0.5)"
    ), words="round x to the nearest integer, halves to the even one", numpy="round rint around",
        **_STEP),  # type: ignore[arg-type]
    _r("sign", formula="1 if x > 0 else -1 if x < 0 else x * 0", words="the sign of x",
        numpy="sign", torch="sign sgn", **_STEP),  # type: ignore[arg-type]
    _compared("greater", ">", "greater than", "greater", "gt greater"),
    _compared("less", "<", "less than", "less", "lt less"),
    _compared("greater_equal", ">=", "at least", "greater_equal", "ge greater_equal"),
    _compared("less_equal", "<=", "at most", "less_equal", "le less_equal"),
    _compared("equal", "==", "equal to", "equal", "eq"),
    _compared("not_equal", "!=", "not equal to", "not_equal", "ne not_equal"),
    _r("floor_divide", _AB, "floor(a / b)", ("0", "0"), "the quotient of a and b, rounded down",
        numpy="floor_divide", samples=_PAIRS, fixed=True),
)  # fmt: skip
