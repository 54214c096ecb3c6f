"""The table of NumPy's names: what is in it exists in NumPy, under that name."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from engine.language.machine import Machine
from engine.language.modules import MODULES
from engine.language.modules.numpy_kinds import ATTRIBUTES, METHODS
from engine.language.modules.numpy_random import OF_GENERATOR, OF_LEGACY
from engine.record.source import Limits, Source
from engine.trace.build import trace
from tests.oracles.records import Oracle
from tests.support.programs import printed


def _machine() -> Machine:
    limits = Limits()
    return Machine(Source("x = 1.0", limits), limits, {})


def _names() -> dict[str, list[str]]:
    """The names of ours by the owner of theirs."""
    modules = ("numpy", "numpy.random", "numpy.linalg")
    return {
        **{module: sorted(MODULES[module](_machine())) for module in modules},
        "numpy.ndarray": sorted({**ATTRIBUTES, **METHODS}),
        "numpy.random.RandomState": sorted(OF_LEGACY),
        "numpy.random.Generator": sorted(OF_GENERATOR),
    }


@pytest.mark.parametrize("owner", _names())
def test_every_name_is_one_of_numpys(owner: str, oracle: Oracle) -> None:
    assert oracle("programs.names_missing", owner, _names()[owner]) == []


def test_the_modules_of_a_run_share_their_settings() -> None:
    m = _machine()
    numpy, random = MODULES["numpy"](m), MODULES["numpy.random"](m)
    numpy["random"].names["seed"](42)
    assert random["rand"]() == 0.3745401188473625
    numpy["set_printoptions"](precision=2)
    assert str(MODULES["numpy"](m)["array"]([1 / 3])) == "[0.33]"
    assert str(MODULES["numpy"](_machine())["array"]([1 / 3])) == "[0.33333333]"


def test_settings_last_as_long_as_their_block() -> None:
    m = _machine()
    numpy = MODULES["numpy"](m)
    one = numpy["array"]([1.0])
    with numpy["errstate"](divide="ignore"):
        assert str(one / 0) == "[inf]"
    with numpy["errstate"](divide="raise"), pytest.raises(FloatingPointError):
        one / 0
    assert m.notes == []
    one / 0
    assert [note.message for note in m.notes] == [
        "RuntimeWarning: divide by zero encountered in divide"
    ]
    with numpy["printoptions"](precision=1):
        assert str(numpy["array"]([0.25])) == "[0.2]"
    assert str(numpy["array"]([0.25])) == "[0.25]"


OWN = """
import numpy as np

class Value:
    def __init__(self, data):
        self.data, self.grad = data, 0.0

a = Value(0.5)
b = Value({formula})
b.grad = 1.0
"""


@pytest.mark.parametrize(
    ("formula", "ops", "data"),
    [
        ("np.exp(a.data)", ["exp"], math.exp(0.5)),
        ("np.tanh(a.data * 2)", ["*", "tanh"], math.tanh(1.0)),
        ("np.maximum(0, a.data)", ["relu"], 0.5),
        ("np.multiply(a.data, 3.0)", ["*"], 1.5),
        ("float(np.log(a.data))", ["log"], math.log(0.5)),
        ("np.sqrt(a.data).item()", ["sqrt"], math.sqrt(0.5)),
        ("np.float64(a.data + 1)", ["+"], 1.5),
        ("1 / (1 + np.exp(-a.data))", ["neg", "exp", "+", "/"], 1 / (1 + math.exp(-0.5))),
    ],
)
def test_numpys_numbers_are_drawn_with_their_formula(
    formula: str, ops: list[str], data: float
) -> None:
    drawn = trace(OWN.format(formula=formula))
    nodes = [node for node in drawn.nodes if node.op]
    assert [node.op for node in nodes] == ops
    assert nodes[-1].data == pytest.approx(data, rel=1e-15)
    assert not drawn.stale


def test_numbers_that_numpy_computed_are_of_its_type() -> None:
    text = OWN.format(formula="np.exp(a.data) * 1")
    numbers = "[b.data * 0, 0 * b.data, a.data + np.float64(1)]"
    shown = f"print(type(b.data), {numbers}, type(a.data))"
    numbers = "[np.float64(0.0), np.float64(0.0), np.float64(1.5)]"
    assert printed(text + shown) == [f"<class 'numpy.float64'> {numbers} <class 'float'>"]
    assert printed(text + "print([float(b.data) * 0, b.data.item() * 0])") == ["[0.0, 0.0]"]


def test_numpys_rules_hold_for_followed_numbers() -> None:
    text = "import numpy as np\nx = 2.0\nprint(x / np.float64(0), x < np.float64(3), -x * np.inf)"
    assert printed(text) == ["inf True -inf"]
    assert printed("import numpy as np\nx = 2.0\nprint([x < np.float64(3)])") == ["[np.True_]"]


def test_indices_are_walked_in_row_major_order() -> None:
    text = """
import numpy as np
print(list(np.ndindex(2, 2)))
print([(at, int(x)) for at, x in np.ndenumerate(np.array([[5], [6]]))])
print([part.tolist() for part in np.array_split(np.arange(5), 2)])
print(np.heaviside([-1.0, 0.0, 2.0], 0.5))
"""
    assert printed(text) == [
        "[(0, 0), (0, 1), (1, 0), (1, 1)]",
        "[((0, 0), 5), ((1, 0), 6)]",
        "[[0, 1, 2], [3, 4]]",
        "[0.  0.5 1. ]",
    ]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("torch.from_numpy([1.0])", "TypeError: expected np.ndarray (got list)"),
        ("torch.ones(2, requires_grad=True).numpy()", "RuntimeError: Can't call numpy() on Tensor"),
        (
            "torch.tensor(np.array([{}]))",
            "TypeError: can't convert np.ndarray of type",
        ),
    ],
)
def test_tensors_and_arrays_meet_with_pytorchs_errors(call: str, error: str) -> None:
    text = f"""
import numpy as np
import torch
try:
    {call}
except (TypeError, RuntimeError) as error:
    print(f"{{type(error).__name__}}: {{error}}")
"""
    assert printed(text)[0].startswith(error)


@pytest.mark.parametrize(
    ("formula", "elsewhere", "here"),
    [
        ("np.tanh(a.data)", math.tanh, lambda x: (math.exp(2 * x) - 1) / (math.exp(2 * x) + 1)),
        ("np.power(a.data, -1)", lambda x: math.pow(x, -1), lambda x: 1 / x),
    ],
)
def test_numpys_last_digit_is_no_change_by_hand(
    formula: str, elsewhere: Callable[[float], float], here: Callable[[float], float]
) -> None:
    """Where NumPy rounds another way than the C library, the drawn operation does so too."""
    numbers = [0.6 + 0.001 * k for k in range(10_000)]
    x = next(x for x in numbers if elsewhere(x) != here(x))
    drawn = trace(OWN.format(formula=formula).replace("Value(0.5", f"Value({x!r}"))
    assert here(x) in [node.data for node in drawn.nodes]
    assert not drawn.stale
    assert drawn.notes == ()
