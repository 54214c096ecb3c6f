"""`copy.deepcopy` of the library's Values and networks."""

from __future__ import annotations

from engine.trace.build import trace
from tests.support.programs import node, printed, refusal

NETWORK = """\
import copy
from micrograd.engine import Value
from micrograd.nn import MLP
a = MLP(2, [3, 1])
b = copy.deepcopy(a)
"""


def test_copy_has_parameters_of_its_own_with_the_same_numbers() -> None:
    lines = printed(
        f"{NETWORK}"
        "print([p.data for p in a.parameters()] == [p.data for p in b.parameters()], repr(b))\n"
        "b.parameters()[0].data = 7.0\n"
        "print(a.parameters()[0].data == 7.0, a.layers[0] is b.layers[0], len(b.parameters()))"
    )
    parts = "ReLUNeuron(2), ReLUNeuron(2), ReLUNeuron(2)"
    assert lines == [
        f"True MLP of [Layer of [{parts}], Layer of [LinearNeuron(3)]]",
        "False False 13",
    ]


def test_calls_of_a_copy_are_drawn_as_those_of_a_network() -> None:
    found = trace(f"{NETWORK}L = b([Value(1.0), Value(2.0)])\nL.backward()")
    assert {"layer", "neuron"} <= {group.kind for group in found.groups}
    assert sum(one.kind == "leaf" for one in found.nodes) == 13 + 2


def test_gradients_of_a_copy_stay_its_own() -> None:
    found = trace("import copy\na = Value(3.0, label='a')\na.grad = 2.0\n"
                  "b = copy.deepcopy(a)\nb.label = 'b'\nL = a * b\nL.backward()")  # fmt: skip
    assert (node(found, "a").grad, node(found, "b").grad) == (5.0, 5.0)


def test_shared_parts_are_copied_once() -> None:
    lines = printed("import copy\na = Value(1.0)\nb = copy.deepcopy([a, a])\n"
                    "print(b[0] is b[1], b[0] is a)")  # fmt: skip
    assert lines == ["True False"]


def test_result_is_refused() -> None:
    error = refusal("import copy\na = Value(2.0) * 3\nb = copy.deepcopy(a)")
    assert error.message == "Only a leaf can be copied here, not a result."
