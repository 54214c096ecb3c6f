"""The table of input features: functions of two inputs that a network sees in place of them.

Formulas are texts in the language of `engine.ops`, in `x1` and `x2`: the reference loop, the
kernel, exports and pictures compute them from the same text. To add a feature, add one entry to
FEATURES.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from engine.formulas import Function, compile_text

from .fields import FieldType, nearest, refusal

PLAIN = ("x1", "x2")
"""The inputs that features are functions of, and the features of a run without the setting."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One feature: its name in addresses and code, its label in pictures, and its formula."""

    name: str
    label: str
    formula: str
    help: str

    def __call__(self, x: Sequence[float]) -> float:
        """The feature of two inputs."""
        return _FUNCTIONS[self.name](*x)


FEATURES: dict[str, Feature] = {
    feature.name: feature
    for feature in (
        Feature("x1", "x₁", "x1", "The first input."),
        Feature("x2", "x₂", "x2", "The second input."),
        Feature("x1_squared", "x₁²", "x1*x1", "The square of the first input."),
        Feature("x2_squared", "x₂²", "x2*x2", "The square of the second input."),
        Feature("x1_x2", "x₁x₂", "x1*x2", "The product of both inputs."),
        Feature("sin_x1", "sin x₁", "sin(x1)", "The sine of the first input, in radians."),
        Feature("sin_x2", "sin x₂", "sin(x2)", "The sine of the second input, in radians."),
    )
}
"""Every feature by its name."""


_LOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_FUNCTIONS: dict[str, Function] = {
    name: compile_text(feature.formula, PLAIN) for name, feature in FEATURES.items()
}


class RunInputs(Protocol):
    """The settings of a run that say what its network sees."""

    @property
    def features(self) -> tuple[str, ...]: ...
    @property
    def inputs(self) -> int: ...


def featured(spec: RunInputs, x: Sequence[float]) -> Sequence[float]:
    """What the network of a run sees of a sample's inputs: its features, or the inputs as such."""
    return tuple(FEATURES[name](x) for name in spec.features) if spec.features else x


def input_names(spec: RunInputs) -> list[str]:
    """The labels of the network's inputs: x₁, x₂, …, or those of its features."""
    if spec.features:
        return [FEATURES[name].label for name in spec.features]
    return [f"x{str(i + 1).translate(_LOW)}" for i in range(spec.inputs)]


class Features(FieldType):
    """Names of distinct features in the order of the network's inputs; () for the plain inputs."""

    __slots__ = ()
    joint: ClassVar[str] = ","

    def read(self, field: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list | tuple):
            raise refusal(field, value, f"; give a list such as {list(PLAIN)}.".replace("'", '"'))
        for name in value:
            if not isinstance(name, str) or name not in FEATURES:
                known = nearest(name if isinstance(name, str) else "", FEATURES)
                raise refusal(field, name, f", which is not known; {known}")
            if value.count(name) > 1:
                raise refusal(field, name, " twice; give it once.")
        return () if tuple(value) == PLAIN else tuple(value)

    def parse(self, text: str) -> object:
        return [name.strip() for name in text.split(",") if name.strip()]

    def text(self, value: Sequence[str]) -> str:
        return ",".join(value)
