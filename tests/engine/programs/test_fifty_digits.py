"""Random arithmetic against 50 digits."""

from __future__ import annotations

import mpmath
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from engine.trace.build import trace
from tests.support.programs import LEAVES, Exact, TooClose, expressions, node

inputs = st.tuples(*[st.integers(-32, 32).filter(bool).map(lambda n: n / 16) for _ in LEAVES])


@settings(
    max_examples=150,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
@given(expressions, inputs)
def test_random_expressions_agree_with_fifty_digits(text: str, x: tuple[float, ...]) -> None:
    exact = Exact(text)
    with mpmath.workdps(50):
        point = [mpmath.mpf(v) for v in x]
        try:
            right = exact(**dict(zip(LEAVES, point, strict=True)))
        except TooClose:
            assume(False)
        lines = [f"{name} = Value({v!r})" for name, v in zip(LEAVES, x, strict=True)]
        found = trace("\n".join([*lines, f"y = {text} * 1"]))
        assert abs(node(found, "y").data - right) <= 1e-12 * abs(right)
        for i, name in enumerate(LEAVES):
            if any(n.label == name for n in found.nodes):
                check_slope(exact, point, i, node(found, name).grad)


def check_slope(exact: Exact, point: list[mpmath.mpf], i: int, grad: float | None) -> None:
    """A gradient against the derivative that mpmath takes with 50 digits."""

    def along(t: mpmath.mpf) -> mpmath.mpf:
        moved = [t if j == i else x for j, x in enumerate(point)]
        return exact(**dict(zip(LEAVES, moved, strict=True)))

    assert grad is not None
    try:
        slope = mpmath.diff(along, point[i])
    except TooClose:
        assume(False)
    # Contributions may cancel in the sum: held against the larger of the slope and 1.
    assert abs(grad - slope) <= 1e-12 * max(abs(slope), 1)
