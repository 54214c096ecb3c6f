"""The table of operations: each is one entry, and everything else is read from it.

An entry gives its formula and its partial derivatives as text in a small formula language:
numbers, the entry's own parameters, `y` (the output already computed; in partials only), `pi`,
`+ - * / **`, unary minus, comparisons, `A if C else B`, and calls of FUNCTIONS or of operations
further up in the table. From that text come the forward function, the partials, the equations on
the page and the words around them. The text is compiled once, when this module is imported; text
that a visitor types never comes here.

To add an operation, add one entry to TABLE.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from . import real, syntax

Point = tuple[float, ...]
Function = Callable[..., float]

FUNCTIONS: dict[str, Function] = {
    "exp": real.exp,
    "log": real.log,
    "log1p": real.log1p,
    "sqrt": real.sqrt,
    "sin": real.sin,
    "cos": real.cos,
    "tan": real.tan,
    "tanh": real.tanh,
    "erfc": real.erfc,
    "abs": abs,
    "max": real.maximum,
    "min": real.minimum,
}
CONSTANTS = {"pi": math.pi}


@dataclass(frozen=True, slots=True)
class Op:
    """One differentiable operation y = f(x1, ..., xn) on real numbers.

    `formula` is f, `partials[i]` is dy/dxi, which may use `y`. `kink` is a condition on the inputs
    under which f has no derivative; the partial there is a subgradient, chosen as PyTorch does and
    said in `kink_says`. `domain` is the condition under which f is real and finite, said in
    `domain_says`. `samples` are points inside the domain, away from kinks, at which tests compare
    the partials with differences. `forward` and `backward` are what the page says about the two
    passes; `{y}`, `{x0}`, `{x1}` stand for the names of the output and the inputs.
    """

    name: str
    params: tuple[str, ...]
    formula: str
    partials: tuple[str, ...]
    forward: str
    backward: str
    samples: tuple[Point, ...]
    symbol: str = ""
    domain: str = ""
    domain_says: str = ""
    kink: str = ""
    kink_says: str = ""
    activation: bool = False
    compute: Function = field(init=False, repr=False, compare=False)
    pull: Callable[[Any], None] = field(init=False, repr=False, compare=False)
    derive: tuple[Function, ...] = field(init=False, repr=False, compare=False)
    at_kink: Callable[..., bool] = field(init=False, repr=False, compare=False)
    in_domain: Callable[..., bool] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        set_(self, "symbol", self.symbol or self.name)
        set_(self, "compute", compile_text(self.formula, self.params))
        with_output = ("y", *self.params)
        set_(self, "derive", tuple(compile_text(text, with_output) for text in self.partials))
        set_(self, "pull", compile_pull(self.params, self.partials))
        set_(self, "at_kink", compile_text(self.kink or "1 < 0", self.params))
        set_(self, "in_domain", compile_text(self.domain or "0 < 1", self.params))

    @property
    def saves(self) -> bool:
        """Whether the backward pass needs numbers of the forward pass, which PyTorch then saves."""
        return any(names_in(text) for text in self.partials)

    @property
    def is_word(self) -> bool:
        """Whether programs call it by a name, `tanh(x)`, rather than by a sign, `a + b`."""
        return self.name.isidentifier() and self.name != "neg"


class _Total(ast.NodeTransformer):
    """Numbers become floats; divisions and powers become calls that never raise."""

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant(float(node.value))  # type: ignore[arg-type]

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        function = {ast.Div: "divide", ast.Pow: "power"}.get(type(node.op))
        if function is None:
            return node
        return ast.Call(ast.Name(function, ast.Load()), [node.left, node.right], [])


def compile_text(text: str, params: tuple[str, ...]) -> Function:
    """The function of `params` that `text`, an entry of the table, describes."""
    source = f"lambda {', '.join(params)}: {_total(text)}"
    function: Function = eval(compile(source, f"<{text}>", "eval"), _names())
    return function


def compile_pull(params: tuple[str, ...], partials: tuple[str, ...]) -> Callable[[Any], None]:
    """The function of a Value that adds its contributions to the `grad` of its args.

    The same partials as `Op.derive`, in one straight run: the hot path of a backward pass. For
    "*" it reads `g = out.grad; A0, A1 = out.args; ...; A0.grad += g * b; A1.grad += g * a`.
    """
    args = [f"A{slot}" for slot in range(len(params))]
    lines = ["g = out.grad", f"{', '.join(args)}, = out.args"]
    used = {name for text in partials for name in names_in(text)}
    lines += [
        f"{name} = {arg}.data" for name, arg in zip(params, args, strict=True) if name in used
    ]
    lines += ["y = out.data"] if "y" in used else []
    for arg, text in zip(args, partials, strict=True):
        lines.append(f"{arg}.grad += " + ("g" if text == "1" else f"g * ({_total(text)})"))
    names = _names()
    exec("def pull(out):\n  " + "\n  ".join(lines), names)
    pull: Callable[[Any], None] = names["pull"]
    return pull


def names_in(text: str) -> set[str]:
    """The names that an entry's text mentions: parameters, `y`, functions."""
    return {node.id for node in ast.walk(syntax.module(text)) if isinstance(node, ast.Name)}


def _total(text: str) -> str:
    return ast.unparse(ast.fix_missing_locations(_Total().visit(syntax.expression(text))))


def _names() -> dict[str, Any]:
    """What the text of the table may call; operations further up in the table included."""
    names: dict[str, Any] = {name: op.compute for name, op in OPS.items()}
    names |= {**FUNCTIONS, **CONSTANTS, "divide": real.divide, "power": real.power}
    return names | {"__builtins__": {}}


OPS: dict[str, Op] = {}
"""Every operation by its name, which is how programs write it."""


def define(name: str, params: str, formula: str, partials: tuple[str, ...], **rest: object) -> None:
    OPS[name] = Op(name, tuple(params.split()), formula, partials, **rest)  # type: ignore[arg-type]


_PAIRS = ((2.0, -3.0), (-1.5, 0.25), (0.5, 4.0))
_LINE = ((-2.0,), (-0.3,), (0.7,), (3.0,))
_POSITIVE = ((0.1,), (1.0,), (2.5,), (40.0,))

define(
    "+",
    "a b",
    "a + b",
    ("1", "1"),
    forward="add {x0} and {x1}",
    backward="each input receives the gradient of {y} unchanged",
    samples=_PAIRS,
)
define(
    "-",
    "a b",
    "a - b",
    ("1", "-1"),
    symbol="−",
    forward="subtract {x1} from {x0}",
    backward="{x0} receives the gradient of {y} unchanged, {x1} receives it with the other sign",
    samples=_PAIRS,
)
define(
    "*",
    "a b",
    "a * b",
    ("b", "a"),
    symbol="×",
    forward="multiply {x0} by {x1}",
    backward="each input receives the other input times the gradient of {y}",
    samples=_PAIRS,
)
define(
    "/",
    "a b",
    "a / b",
    ("1 / b", "-y / b"),
    symbol="÷",
    domain="b != 0",
    domain_says="b other than 0",
    forward="divide {x0} by {x1}",
    backward=(
        "{x0} receives one over {x1}, {x1} minus the quotient over {x1}, times the gradient of {y}"
    ),
    samples=_PAIRS,
)
define(
    "**",
    "a b",
    "a ** b",
    ("b * a ** (b - 1) if b != 0 else 0", "y * log(a) if a != 0 or b < 0 else 0"),
    domain="a > 0 or (a < 0 and b % 1 == 0) or (a == 0 and b >= 0)",
    domain_says="a above 0, or b a whole number (not below 0 where a is 0)",
    forward="raise {x0} to the power {x1}",
    backward="the power rule: the exponent comes down and the power drops by one",
    samples=((2.0, 3.0), (0.5, -1.5), (3.0, 0.5), (1.7, 2.2)),
)
define(
    "neg",
    "x",
    "-x",
    ("-1",),
    symbol="−",
    forward="change the sign of {x0}",
    backward="the gradient passes with its sign changed",
    samples=_LINE,
)
define(
    "exp",
    "x",
    "exp(x)",
    ("y",),
    forward="raise e to the power {x0}",
    backward="the exponential is its own derivative, so the partial is the output itself",
    samples=_LINE,
)
define(
    "log",
    "x",
    "log(x)",
    ("1 / x",),
    domain="x > 0",
    domain_says="x above 0",
    forward="take the natural logarithm of {x0}",
    backward="the partial is one over the input",
    samples=_POSITIVE,
)
define(
    "sqrt",
    "x",
    "sqrt(x)",
    ("1 / (2 * y)",),
    domain="x >= 0",
    domain_says="x from 0 upwards",
    symbol="√",
    forward="take the square root of {x0}",
    backward="the partial is one over twice the root",
    samples=_POSITIVE,
)
define(
    "sin",
    "x",
    "sin(x)",
    ("cos(x)",),
    forward="take the sine of {x0} (in radians)",
    backward="the partial is the cosine of the input",
    samples=_LINE,
)
define(
    "cos",
    "x",
    "cos(x)",
    ("-sin(x)",),
    forward="take the cosine of {x0} (in radians)",
    backward="the partial is minus the sine of the input",
    samples=_LINE,
)
define(
    "tan",
    "x",
    "tan(x)",
    ("1 + y ** 2",),
    forward="take the tangent of {x0} (in radians)",
    backward="the partial is one plus the output squared",
    samples=((-1.0,), (-0.3,), (0.7,), (1.2,)),
)
define(
    "tanh",
    "x",
    "tanh(x)",
    ("1 - y ** 2",),
    activation=True,
    forward="squash {x0} into the range from −1 to 1",
    backward="the partial is one minus the output squared: near ±1 hardly anything passes",
    samples=_LINE,
)
define(
    "sigmoid",
    "x",
    "1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x))",
    ("y * (1 - y)",),
    activation=True,
    symbol="σ",
    forward="squash {x0} into the range from 0 to 1",
    backward="the partial is the output times one minus the output, at most a quarter",
    samples=_LINE,
)
define(
    "relu",
    "x",
    "max(x, 0)",
    ("1 if y > 0 else 0",),
    activation=True,
    kink="x == 0",
    kink_says="at 0 relu has a kink; the partial there is taken as 0",
    forward="keep {x0} if it is positive, else give 0",
    backward="the gradient passes where {x0} was positive and stops where it was not",
    samples=_LINE,
)
define(
    "leaky_relu",
    "x",
    "x if x > 0 else 0.01 * x",
    ("1 if y > 0 else 0.01",),
    activation=True,
    symbol="leaky",
    kink="x == 0",
    kink_says="at 0 leaky_relu has a kink; the partial there is taken as 0.01",
    forward="keep {x0} if it is positive, else give a hundredth of it",
    backward="the gradient passes where {x0} was positive, and a hundredth of it where not",
    samples=_LINE,
)
define(
    "softplus",
    "x",
    "max(x, 0) + log1p(exp(-abs(x)))",
    ("sigmoid(x)",),
    activation=True,
    forward="take log(1 + e^{x0}), a smooth relu",
    backward="the partial is the sigmoid of the input",
    samples=_LINE,
)
define(
    "silu",
    "x",
    "x * sigmoid(x)",
    ("sigmoid(x) + y * (1 - sigmoid(x))",),
    activation=True,
    forward="multiply {x0} by its own sigmoid",
    backward="the product rule on the input and its sigmoid",
    samples=_LINE,
)
define(
    "gelu",
    "x",
    "x * (erfc(-x / sqrt(2)) / 2)",
    ("erfc(-x / sqrt(2)) / 2 + x * exp(-x ** 2 / 2) / sqrt(2 * pi)",),
    activation=True,
    forward="multiply {x0} by the chance that a standard normal number is smaller",
    backward="the product rule on the input and the normal distribution function",
    samples=_LINE,
)
define(
    "abs",
    "x",
    "abs(x)",
    ("1 if x > 0 else -1 if x < 0 else 0",),
    symbol="|x|",
    kink="x == 0",
    kink_says="at 0 the absolute value has a kink; the partial there is taken as 0",
    forward="drop the sign of {x0}",
    backward="the gradient passes with the sign of {x0}",
    samples=_LINE,
)
define(
    "max",
    "a b",
    "max(a, b)",
    ("1 if a > b else 0 if a < b else 0.5", "1 if b > a else 0 if b < a else 0.5"),
    kink="a == b",
    kink_says="both inputs are equal, a kink of max; the gradient is split evenly",
    forward="take the larger of {x0} and {x1}",
    backward="the gradient goes to the larger input, the other one receives nothing",
    samples=_PAIRS,
)
define(
    "min",
    "a b",
    "min(a, b)",
    ("1 if a < b else 0 if a > b else 0.5", "1 if b < a else 0 if b > a else 0.5"),
    kink="a == b",
    kink_says="both inputs are equal, a kink of min; the gradient is split evenly",
    forward="take the smaller of {x0} and {x1}",
    backward="the gradient goes to the smaller input, the other one receives nothing",
    samples=_PAIRS,
)

ACTIVATIONS: tuple[str, ...] = tuple(name for name, op in OPS.items() if op.activation)
