"""Warnings and notes of a trace: numbers that are not finite, arithmetic that no longer holds."""

from __future__ import annotations

from tests.support.each import for_each
from tests.support.traces import EACH, EXAMPLE, trace


def alarms(text: str) -> list[tuple[str | None, str]]:
    """The warnings, with the label of the node."""
    found = trace(text)
    labels = {n.id: n.label for n in found.nodes}
    return [(labels[w.node] if w.node else None, w.message) for w in found.warnings]


@for_each(
    ("text", "label", "message"),
    [
        ("x = Value(0.0)\ny = 1 / x\nz = y * 2", "y", "y is inf: 1.0 / 0.0 gives inf"),
        ("x = Value(0.0)\ny = x / x\nz = y + 1", "y", "y is nan: 0.0 / 0.0 gives nan"),
        ("x = Value(0.0)\ny = log(x)\nz = exp(y)", "y", "y is -inf: log(0.0) gives -inf"),
        ("x = Value(-1.0)\ny = log(x)\nz = relu(y)", "y", "y is nan: log(-1.0) gives nan"),
        ("x = Value(710.0)\ny = exp(x)", "y", "beyond the largest 64-bit float"),
        ("x = Value(-8.0)\ny = x ** (1/3)", "y", "y is nan: "),
        ("x = Value(math.inf)\ny = sin(x)", "x", "x is inf from the start."),
        ("x = Value(1e308)\ny = x * 10\nz = y - y", "y", "10.0 gives inf, beyond the largest"),
    ],
)
def test_a_warning_names_the_first_node_responsible(text: str, label: str, message: str) -> None:
    found = alarms(text.replace("math.inf", "math.inf, label='x'"))
    assert found[0][0] == label
    assert message in found[0][1]
    assert sum("The gradient" not in m for _, m in found) == 1


def test_a_warning_says_what_the_operation_needs() -> None:
    ((_, message),) = alarms("x = Value(0.0)\ny = log(x)")[:1]
    assert message.endswith("log(x) needs x > 0.")


def test_a_gradient_that_is_not_finite_is_a_warning_of_its_own() -> None:
    found = alarms("x = Value(0.0)\ny = sqrt(x)\nz = y * 3")
    assert found == [("y", "The gradient of x is not finite: y contributes 3.0000 × inf = inf.")]


def test_the_gradient_of_a_computed_exponent_is_of_no_interest() -> None:
    assert alarms("x = Value(-2.0)\ny = x ** (1 + 1)") == []
    assert alarms("x = Value(-2.0)\ny = x ** (0.5 * (1 + 3))") == []
    ((_, message),) = alarms("x = Value(-2.0)\nn = 1.0\ny = x ** (n + 1)")
    assert message.startswith("The gradient of a Value is not finite: y contributes 1.0000 × nan")


@for_each(
    ("text", "messages"),
    [
        ("a = Value(2.0)\nb = a * 3\na.data = 5\nb.backward()",
         ["The data of a was changed after b was computed from it."]),
        ("a = Value(2.0)\nb = a * 3\na.data = 5\nc = b + a\nc.backward()",
         ["The data of a was changed after b was computed from it."]),
        ("a = Value(2.0)\nb = a * 3\nb.data = 7.0\nc = b + 1",
         ["The data of b was set by hand after it was computed."]),
        ("a = Value(2.0)\nb = Value(1.0)\nb.data = 4.0\nc = a * b\na.data = 5\nc.backward()",
         ["The data of a or b was changed after c was computed from it."]),
        ("a = Value(2.0)\nb = a * 3\nb.backward()\na.data = 5",
         ["The numbers are those of this pass; a was changed after it."]),
        ("a = Value(2.0)\na.data = 5\nb = a * 3\nb.backward()", []),
        ("a = Value(2.0)\nb = a * 3\na.data = 5\nb = a * 3\nb.backward()", []),
        ("a = Value(-1.0)\nb = log(a)\nc = b * 0\nc.backward()", []),
    ],
)  # fmt: skip
def test_warning_on_data_that_no_longer_follows_from_its_op(text: str, messages: list[str]) -> None:
    assert [note.message for note in trace(text).notes] == messages


@EACH
def test_no_warning_on_data_that_follows_from_its_op(text: str) -> None:
    assert not any("The data of" in note.message for note in trace(text).notes)


def test_where_all_is_finite_there_is_no_warning() -> None:
    assert alarms(EXAMPLE) == []


def test_warning_on_an_output_that_does_not_depend_on_a_leaf() -> None:
    found = trace("a = Value(1.0)\nb = Value(2.0)\nL = b * 3")
    assert [note.message for note in found.notes] == [
        "L does not depend on a: its gradient is 0.",
    ]
