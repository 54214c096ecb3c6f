"""Gradients checked by nudges: right ones agree, wrong ones are caught, kinks are named."""

from __future__ import annotations

import math
from dataclasses import replace

import mpmath
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from engine.ops import OPS, Op
from engine.trace.build import trace
from engine.trace.gradcheck import GradientCheck, Lines, check, cost, values
from engine.trace.measure import FIRST
from engine.trace.model import Frame
from engine.trace.replay import Replay
from engine.trace.traced import Trace
from tests.support.each import for_each
from tests.support.places import DATA
from tests.support.programs import LEAVES, Exact, TooClose, expressions


def call(op: Op, args: list[str]) -> str:
    """An operation as a program writes it."""
    if op.name == "neg":
        return f"-{args[0]}"
    return f"{op.called}({', '.join(args)})" if op.is_word else f" {op.name} ".join(args)


def program(op: Op, point: tuple[float, ...]) -> str:
    """An operation on leaves."""
    names = ["a", "b"][: len(point)]
    made = "{} = {!r}" if op.module else "{} = Value({!r})"
    leaves = [made.format(name, x) for name, x in zip(names, point, strict=True)]
    return "\n".join(["import math, operator", *leaves, f"y = {call(op, names)}"])


SAMPLES = [(op, point) for op in OPS.values() for point in op.samples]


def spoken(sample: tuple[Op, tuple[float, ...]]) -> str:
    """The name of a sample."""
    return f"{sample[0].name}{sample[1]}"


@for_each(("op", "point"), SAMPLES, ids=spoken)
def test_every_operation_agrees_at_its_samples(op: Op, point: tuple[float, ...]) -> None:
    found = check(trace(program(op, point)))
    assert len(found) == len(point)
    for one in found:
        assert one.verdict == "agrees"
        assert one.ok
        assert one.slope == pytest.approx(one.grad, rel=1e-6, abs=1e-7)


@for_each(
    ("text", "left", "right"),
    [
        ("a = Value(0.0)\ny = relu(a)", "0.0000", "1.0000"),
        ("a = Value(0.0)\ny = abs(a)", "−1.0000", "1.0000"),
        ("a = Value(0.0)\ny = leaky_relu(a)", "0.0100", "1.0000"),
        ("a = Value(2.0)\ny = max(a, 2.0)", "0.0000", "1.0000"),
        ("a = Value(2.0)\ny = min(a, 2.0)", "1.0000", "0.0000"),
        ("a = Value(3.0)\ny = relu(a * a - 9)", "0.0000", "6.0000"),
    ],
)
def test_kinks_are_named_with_both_slopes(text: str, left: str, right: str) -> None:
    (found,) = check(trace(text))
    assert found.verdict.startswith("kink")
    assert f"{left} from the left, {right} from the right" in found.verdict
    assert found.ok


@pytest.mark.parametrize(
    ("text", "op"),
    [
        ("a = Value(1.0)\nb = Value(1.0)\nt = max(min(a, b), a)", "min"),  # this is a
        ("a = Value(0.0)\nb = Value(0.0)\nt = relu(a) - relu(-a) + b", "relu"),  # a + b
    ],
)
def test_a_kink_on_the_way_is_named_where_the_whole_has_none(text: str, op: str) -> None:
    found = check(trace(text))[0]
    assert found.slope == pytest.approx(1.0)
    assert found.grad != found.slope
    assert found.verdict == f"kink on the path: the subgradient of {op} is a convention"
    assert found.ok


def test_a_kink_of_another_leaf_excuses_nothing() -> None:
    right = trace("a = Value(2.0)\nb = Value(0.0)\ny = a * 3 * 1\nz = y + relu(b)")
    (found,) = check(damaged(right, "v1", 2.0), ["v1"])
    assert found.verdict.startswith("differs")


@for_each(
    "text",
    [
        "a = Value(0.0)\ny = sqrt(a)",
        "a = Value(0.0)\ny = 1 / a",
        "a = Value(-1.0)\ny = log(a)",
        "a = Value(math.nan)\ny = a * 2",
        "a = Value(710.0)\ny = exp(a)",
        "a = Value(1e-308)\ny = max(a, a**-1)",
    ],
)
def test_verdict_names_non_finite_numbers(text: str) -> None:
    (found,) = check(trace(text))
    assert found.verdict.startswith("not finite")
    assert not found.ok


@for_each(
    ("text", "grad"),
    [
        ("a = Value(1e-7)\ny = log(a)", 1e7),
        ("a = Value(0.003)\ny = log(a)", 1 / 0.003),
        ("a = Value(1e-9)\ny = a ** 1.5", 1.5 * math.sqrt(1e-9)),
        ("a = Value(1e10)\ny = sin(a)", 0.8731196226768561),  # cos(10^10) by mpmath
        ("a = Value(1e10)\ny = cos(139.0 - a)", 0.9577730467619484),
        ("a = Value(1e12)\ny = a + sin(a)", 1.7914463018146396),
        ("a = Value(0.0)\ny = (a + a) / (a + 1e-9)", 2e9),
        ("a = Value(0.0)\ny = exp(cos(a * 1e9))", 0.0),
        ("a = Value(1e-12)\ny = 3 * a", 3.0),
        ("a = Value(1e9)\ny = a * a", 2e9),
        ("a = Value(3.0)\ny = 1e9 + 0.001 * a", 0.001),
        ("a = Value(30.0)\ny = exp(a * a / 30)", 2 * math.exp(30)),
        ("a = Value(20.0)\ny = tanh(a)", 0.0),
        ("a = Value(1e-9)\ny = relu(a)", 1.0),
        ("a = Value(1.000001)\ny = relu(a - 1)", 1.0),
    ],
)
def test_the_step_suits_the_number(text: str, grad: float) -> None:
    """Each of these is called wrong, a kink or out of the domain by a step that suits 1."""
    (found,) = check(trace(text), ["v1"])
    assert found.verdict == "agrees"
    assert found.slope == pytest.approx(grad, rel=1e-3, abs=1e-12)


def test_a_nudge_that_leaves_the_domain_is_named_with_the_slope_of_one_side() -> None:
    (found,) = check(trace("a = Value(0.0)\ny = a ** 1.5"), ["v1"])
    assert found.verdict.startswith("the nudge leaves the domain")
    assert "from the right it is" in found.verdict
    assert not found.ok


def test_a_slope_that_is_lost_in_rounding_is_said_to_be_so() -> None:
    (found,) = check(trace("a = Value(2.0)\ny = 1e16 + (1 + 1e-9 * tanh(a))"), ["v1"])
    assert found.verdict.startswith("too small to measure")
    assert not found.ok


@for_each(
    "text",
    [
        "a = Value(1e16)\ny = sin(a)",
        "a = Value(1.0)\ny = sin(a * 1e16)",
        "a = Value(1e16)\ny = tanh(a - 1e16)",
        "a = Value(3.0)\ny = tanh((a - 3.0) * 1e18)",
        "a = Value(1e9)\ny = cos(a ** 2)",
        "a = Value(1e22)\ny = sin(a)",
    ],
)
def test_a_function_finer_than_floats_is_not_called_wrong(text: str) -> None:
    found = trace(text)
    (checked,) = check(found, ["v1"])
    assert checked.verdict.startswith("too small to measure")
    assert checked.verdict.endswith("varies between one number and the next")


def test_a_wrong_gradient_where_floats_are_dense_enough_still_differs() -> None:
    for text in ("a = Value(1e10)\ny = sin(a)", "a = Value(0.0)\ny = tanh(a * 1e6)"):
        (checked,) = check(damaged(trace(text), "v1", 1.5), ["v1"])
        assert checked.verdict.startswith("differs"), text


def test_small_gradients_are_compared_by_their_size() -> None:
    right = trace("a = Value(2.0)\ny = a * 3e-12")
    (found,) = check(damaged(right, "v1", 3.0), ["v1"])  # 9e-12
    assert found.verdict.startswith("differs")
    assert found.error == pytest.approx(2 / 3)


def test_contributions_that_cancel_leave_rounding() -> None:
    """The slope of a difference quotient by its own step: -3/h + 3/h, and what rounding leaves."""
    text = "h = Value(0.0001)\na = 2.0\ny = ((a + h) * -3.0 + 10 - (a * -3.0 + 10)) / h"
    (found,) = check(trace(text), ["v1"])
    assert found.ok, found.verdict


@pytest.mark.parametrize(
    ("text", "slope"),
    [
        ("x = torch.tensor(1.2345, requires_grad=True)\ny = x * 3.1 - x * 3.0999", 1e-4),
        ("x = torch.tensor(1.2345, requires_grad=True)\ny = torch.exp(torch.tanh(x * 5))",
         5 * math.exp(math.tanh(6.1725)) / math.cosh(6.1725) ** 2),
    ],
)  # fmt: skip
def test_a_gradient_of_32_bits_agrees_but_for_its_rounding(text: str, slope: float) -> None:
    right = trace(f"import torch\n{text}\ny.backward()")
    (found,) = check(right, ["v1"])
    assert found.verdict == "agrees, but for the rounding of 32-bit numbers"
    assert found.slope == pytest.approx(slope, rel=1e-5)
    assert found.grad != pytest.approx(slope, rel=1e-5)
    (wrong,) = check(damaged(right, "v1", 2.0), ["v1"])
    assert wrong.verdict.startswith("differs")


def test_every_value_is_checked_and_not_only_leaves() -> None:
    found = trace("a = Value(2.0)\nb = Value(-3.0)\ne = a * b\nL = e * e + a")
    checks = {one.node: one for one in check(found, values(found))}
    names = {node.id: node.name for node in found.nodes}
    grads = {names[key]: one.grad for key, one in checks.items()}
    assert grads == {"a": 37.0, "b": -24.0, "e": -12.0, "e * e": 1.0}  # 2ab² + 1, 2a²b, 2ab, 1
    assert all(one.ok for one in checks.values())


@given(
    st.sampled_from(["a", "3*a + 1", "a*a", "exp(a/4)", "sin(a)", "1/a", "a**3"]),
    st.floats(-6, 6).filter(lambda x: abs(x) > 1e-6),
    st.integers(-12, 12),
)
def test_scale_of_the_output_does_not_matter(text: str, x: float, power: int) -> None:
    """A check is right at any scale: agrees where it is, differs where the gradient is doubled."""
    right = trace(f"a = Value({x!r})\ny = ({text}) * 1e{power}")
    (found,) = check(right)
    assert found.ok, found
    if found.error < 1e-3 and abs(found.grad) > 1e-3 * 10.0**power:
        (wrong,) = check(damaged_leaf(right, 2.0))
        assert wrong.verdict.startswith("differs")


def test_a_sweep_shows_truncation_and_rounding() -> None:
    """Of exp's central difference at 1: e h²/6 for large steps, some ε/h for small ones."""
    found = trace("a = Value(1.0)\ny = exp(a)")
    steps = {step.h: abs(step.slope - math.e) for step in Lines(found).sweep(found.nodes[0])}
    for h, wrong in steps.items():
        if h > 1e-4:
            assert wrong == pytest.approx(math.e * h * h / 6, rel=0.02)
        elif h < 1e-8:
            assert wrong <= 4 * math.e * 2.3e-16 / h
    assert min(steps.values()) < 1e-9
    assert steps[min(steps)] > 1e-6


SNIPPETS = [
    "seeds/3_manual_computation.py", "seeds/1_example_graph.py", "tutorials/micrograd_readme.py",
    "tutorials/neuron_tanh_by_exp.py", "tutorials/softmax_nll.py", "tutorials/shared_values.py",
    "tutorials/gradient_descent.py", "tutorials/sigmoid_log_loss.py",
    "tutorials/torch_functions.py",
]  # fmt: skip


@for_each("name", SNIPPETS)
def test_the_gradients_of_the_tutorials_agree(name: str) -> None:
    found = check(trace((DATA / name).read_text("utf-8")))
    assert found
    assert {one.verdict for one in found} == {"agrees"}


def test_every_parameter_of_a_trained_network_agrees() -> None:
    text = (DATA / "tutorials/lecture_mlp.py").read_text("utf-8")
    trained = trace(text)
    parameters = [n.id for n in trained.nodes if n.key and n.key.startswith("l")]
    found = check(trained, parameters)
    assert len(found) == 41
    assert {one.verdict for one in found} == {"agrees"}


def test_a_gradient_that_was_there_before_is_not_held_against_this_pass() -> None:
    (found,) = check(trace("a = Value(3.0)\nb = a * 2\nb.backward()\nb = a * 5\nb.backward()"))
    assert (found.grad, found.verdict) == (5.0, "agrees")


# Wrong gradients


def damaged(found: Trace, to: str, by: float) -> Trace:
    """A trace in which the first contribution to a node is wrong by a factor."""
    frames: list[Frame] = []
    done = False
    for frame in found.frames:
        contributions = []
        for c in frame.contributions:
            if c.to == to and not done:
                c = c._replace(amount=c.amount * by, after=c.before + c.amount * by)
                done = True
            contributions.append(c)
        frames.append(frame._replace(contributions=tuple(contributions)))
    assert done
    return replace(found, frames=tuple(frames))


def damaged_leaf(found: Trace, by: float) -> Trace:
    """A trace in which the last contribution to the first leaf doubles its gradient, or so."""
    total = sum(c.amount for f in found.frames for c in f.contributions if c.to == "v1")
    last = max(i for i, f in enumerate(found.frames) if any(c.to == "v1" for c in f.contributions))
    frames = list(found.frames)
    parts = frames[last].contributions
    changed = tuple(
        c._replace(amount=c.amount + (by - 1) * total, after=by * total) if c.to == "v1" else c
        for c in parts
    )
    frames[last] = frames[last]._replace(contributions=changed)
    return replace(found, frames=tuple(frames))


WRONG = [
    "a = Value(2.0)\nb = Value(-3.0)\ny = a * b",
    "a = Value(0.5)\nb = Value(0.3)\ny = tanh(a * b) + a",
    "a = Value(2.0)\nb = Value(5.0)\ny = (a - b) ** 2 / a",
    "a = Value(1.5)\nb = Value(2.5)\ny = exp(a) * log(b)",
]


@for_each("by", [1.01, 0.99, 2.0, -1.0, 0.0])
@for_each("text", WRONG)
def test_a_contribution_that_is_wrong_is_caught(text: str, by: float) -> None:
    right = trace(text)
    assert all(one.verdict == "agrees" for one in check(right))
    for leaf in right.nodes:
        if leaf.kind == "leaf":
            (found,) = check(damaged(right, leaf.id, by), [leaf.id])
            assert found.verdict.startswith("differs")
            assert not found.ok


@for_each(("op", "point"), SAMPLES, ids=spoken)
def test_a_partial_with_the_other_sign_is_caught(op: Op, point: tuple[float, ...]) -> None:
    right = trace(program(op, point))
    for one in check(right):
        if abs(one.grad) > 1e-3:
            (found,) = check(damaged(right, one.node, -1.0), [one.node])
            assert found.verdict.startswith("differs")


def test_a_gradient_that_is_not_a_number_is_caught() -> None:
    right = trace(WRONG[0])
    (found,) = check(damaged(right, "v1", math.nan), ["v1"])
    assert not found.ok


# The measure itself


def test_a_check_says_what_was_measured() -> None:
    found = check(trace("a = Value(3.0)\nb = Value(4.0)\ny = a * a * b"))
    assert len(found) == 2
    assert all(isinstance(one, GradientCheck) for one in found)
    assert found[0].grad == 24.0
    assert found[0].h == pytest.approx(3 * FIRST)
    assert found[0].error < 1e-9
    assert found[0].slope == pytest.approx(24.0, abs=1e-6)


def test_some_leaves_or_all() -> None:
    found = trace("a = Value(3.0)\nb = Value(4.0)\ny = a * b")
    leaves = [n.id for n in found.nodes if n.kind == "leaf"]
    assert [one.node for one in check(found)] == leaves
    assert [one.node for one in check(found, [leaves[1]])] == [leaves[1]]
    assert check(found, []) == []
    assert cost(found) >= 2 * len(leaves) * 3


def test_replaying_a_graph_gives_its_own_numbers() -> None:
    found = trace((DATA / "tutorials/micrograd_readme.py").read_text("utf-8"))
    replay = Replay(found.nodes)
    assert found.output
    output = replay.index[found.output]
    for node in found.nodes:
        if node.kind == "leaf":
            at = replay.index[node.id]
            again = replay.output(at, node.data, replay.dependents(at), output)
            assert again == found.nodes[output].data


def test_replaying_is_the_program_with_another_leaf() -> None:
    text = "a = Value(2.0)\nb = Value(-3.0)\nL = tanh(a*b + a) ** 2"
    found = trace(text)
    replay = Replay(found.nodes)
    assert found.output
    at, output = replay.index["v1"], replay.index[found.output]
    for x in (-1.0, 0.25, 7.0):
        moved = trace(text, {"a": x})
        assert replay.output(at, x, replay.dependents(at), output) == moved.nodes[-1].data


@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(expressions, st.tuples(*[st.integers(-32, 32).map(lambda n: (n or 1) / 16) for _ in LEAVES]))
def test_smooth_programs_agree(text: str, x: tuple[float, ...]) -> None:
    with mpmath.workdps(20):
        try:
            Exact(text)(**{name: mpmath.mpf(v) for name, v in zip(LEAVES, x, strict=True)})
        except TooClose:
            assume(False)
    lines = [f"{name} = Value({v!r})" for name, v in zip(LEAVES, x, strict=True)]
    for one in check(trace("\n".join([*lines, f"y = {text} * 1"]))):
        assert one.ok, one
