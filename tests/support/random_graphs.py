"""Random programs whose graphs share Values: one assignment a line, each from earlier names."""

from __future__ import annotations

from hypothesis import strategies as st

_FUNCTIONS = ("exp", "log", "sqrt", "tanh", "sigmoid", "relu", "abs", "softplus")
_numbers = st.integers(-12, 12).map(lambda n: repr(n / 4))


@st.composite
def graphs(draw: st.DrawFn, passes: int = 2) -> str:
    """A program of at most nine operations and `passes` passes; its numbers may be nan or inf."""
    lines = [f"v{i} = Value({draw(_numbers)})" for i in range(draw(st.integers(1, 3)))]
    for _ in range(draw(st.integers(1, 9))):
        names = st.sampled_from([f"v{i}" for i in range(len(lines))])
        lines.append(f"v{len(lines)} = {draw(_term(names))}")
    last = f"v{len(lines) - 1}"
    return "\n".join([*lines, *[f"{last}.backward()"] * draw(st.integers(0, passes))])


def _term(names: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("{} {} {}".format, names, st.sampled_from("+-*/"), names),
        st.builds("{}({})".format, st.sampled_from(_FUNCTIONS), names),
        st.builds("{}({}, {})".format, st.sampled_from(("max", "min")), names, names),
        st.builds("{} * {}".format, names, _numbers),
        st.builds("{}**2".format, names),
    )
