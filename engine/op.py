"""An entry of the table of differentiable operations, and the table itself.

An entry states its formula and partial derivatives as text in a small formula language
(`engine.formulas`). The forward function, the partials, the equations on the page and the kernel's
code are generated from it. The entries are in `engine.ops` and `engine.math_ops`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from .formulas import DEFINED, Function, compile_pull, compile_text, names_in

Point = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Op:
    """One differentiable operation y = f(x₁, …, xₙ) on real numbers.

    `formula` is f; `partials[i]` is ∂y/∂xᵢ and may use `y`. `kink` is the condition on the inputs
    under which f is not differentiable; the partial there is PyTorch's subgradient, described in
    `kink_says`. `domain` is the condition under which f is real and finite, described in
    `domain_says`. `samples` are points inside the domain and away from kinks at which tests compare
    the partials with finite differences. `forward_says` describes the forward pass to visitors and
    `backward_says[i]` the contribution to the gradient of xᵢ, shown only if xᵢ has one; `{y}`,
    `{x0}`, `{x1}` are replaced by the names of the output and the inputs. `module` is the module
    that programs have it from; an operation without one is a word of the language. `slug` names
    its page in addresses: its name, or a word for a sign. `expansion` is the operation in more
    elementary ones of the table, as in a textbook, which may overflow or cancel where the formula
    does not; `expansions_at` are those for a constant last input.
    """

    name: str
    params: tuple[str, ...]
    formula: str
    partials: tuple[str, ...]
    forward_says: str
    backward_says: tuple[str, ...]
    samples: tuple[Point, ...]
    symbol: str = ""
    domain: str = ""
    domain_says: str = ""
    kink: str = ""
    kink_says: str = ""
    activation: bool = False
    module: str = ""
    expansion: str = ""
    expansions_at: Mapping[float, str] = field(default_factory=dict, compare=False)
    slug: str = ""
    compute: Function = field(init=False, repr=False, compare=False)
    pull: Callable[[Any], None] = field(init=False, repr=False, compare=False)
    derive: tuple[Function, ...] = field(init=False, repr=False, compare=False)
    at_kink: Callable[..., bool] = field(init=False, repr=False, compare=False)
    in_domain: Callable[..., bool] = field(init=False, repr=False, compare=False)
    saves: bool = field(init=False, repr=False, compare=False)
    """Whether a partial uses the inputs or the output, which PyTorch then saves."""

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        set_(self, "symbol", self.symbol or self.name)
        set_(self, "slug", self.slug or self.name)
        set_(self, "compute", compile_text(self.formula, self.params))
        with_output = ("y", *self.params)
        set_(self, "derive", tuple(compile_text(text, with_output) for text in self.partials))
        set_(self, "pull", compile_pull(self.params, self.partials))
        set_(self, "at_kink", compile_text(self.kink or "1 < 0", self.params))
        set_(self, "in_domain", compile_text(self.domain or "0 < 1", self.params))
        saved = {"y", *self.params}
        set_(self, "saves", any(names_in(text) & saved for text in self.partials))

    def partials_at(self, y: float, *numbers: float) -> list[float]:
        """The partials by slot, where the operation has computed `y` from `numbers`."""
        return [derive(y, *numbers) for derive in self.derive]

    def computed_by(self, compute: Function) -> Op:
        """The same operation of another library, whose results may differ in the last digit."""
        other = copy(self)
        object.__setattr__(other, "compute", compute)
        return other

    @property
    def is_word(self) -> bool:
        """Whether programs write a call, `tanh(x)`, rather than an operator, `a + b`."""
        return self.name.isidentifier() and self.name != "neg"

    @property
    def called(self) -> str:
        """The function as programs call it: `tanh`, `math.cosh`."""
        return f"{self.module}.{self.name}" if self.module else self.name


OPS: dict[str, Op] = {}
"""Every operation by name, as programs write it."""


def define(name: str, params: str, formula: str, partials: tuple[str, ...], **rest: object) -> None:
    op = OPS[name] = Op(name, tuple(params.split()), formula, partials, **rest)  # type: ignore[arg-type]
    DEFINED[name] = op.compute
