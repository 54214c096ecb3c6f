"""`seegrad.jax` against `jax.grad` under `jax.disable_jit()`, bit for bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from jax import lax
from jax import numpy as jnp

import seegrad
from engine.live.refusal import CannotShow
from tests.support.each import for_each

KEYS = jax.random.split(jax.random.PRNGKey(0), 4)
PARAMS = {
    "w1": jax.random.normal(KEYS[0], (4, 8)),
    "b1": jnp.zeros(8),
    "w2": jax.random.normal(KEYS[1], (8, 3)),
}
X = jax.random.normal(KEYS[2], (5, 4))
Y = jax.nn.one_hot(jnp.array([0, 1, 2, 0, 1]), 3)


def mlp(params: Any, x: Any, y: Any) -> Any:
    h = jax.nn.relu(x @ params["w1"] + params["b1"])
    z = h @ params["w2"]
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(z) * y, -1)) + jnp.sum(params["w1"] ** 2)


def clipped(x: Any) -> Any:
    return jnp.clip(x, -1, 1)


tripled = jax.custom_vjp(clipped)
tripled.defvjp(lambda x: (tripled(x), x), lambda _, g: (3 * g,))


def recurrent(w: Any, xs: Any) -> Any:
    def turn(h: Any, x: Any) -> Any:
        h = jnp.tanh(w @ h + x)
        return h, h

    _, hs = lax.scan(turn, jnp.zeros(3), xs)
    return hs.sum()


def branched(w: Any, x: Any) -> Any:
    return lax.cond(x[0] > 0, lambda w: (w * w).sum(), lambda w: jnp.sin(w).sum(), w)


CASES = {
    "mlp": (mlp, (PARAMS, X, Y)),
    "jit": (jax.jit(mlp), (PARAMS, X, Y)),
    "custom_vjp": (lambda w: tripled(w * 2).sum(), (jnp.array([1.0, -3.0, 0.2]),)),
    "scan": (recurrent, (PARAMS["w1"][:3, :3], jax.random.normal(KEYS[3], (5, 3)))),
    "cond": (branched, (jnp.array([1.0, 2.0]), jnp.array([1.0]))),
    "other branch": (branched, (jnp.array([1.0, 2.0]), jnp.array([-1.0]))),
    "checkpoint": (
        jax.checkpoint(lambda t: jnp.sin(jnp.exp(t)).sum()),
        (jnp.array([1.0, 2.0]),),
    ),
    "loop": (lambda w: lax.fori_loop(0, 3, lambda _, a: a * w, 1.0), (jnp.array(2.0),)),
    "twice": (lambda w: (w * w * w).sum(), (jnp.array([2.0, 3.0]),)),
}


@for_each("name", CASES)
def test_value_and_gradients_are_jax_s(name: str) -> None:
    function, args = CASES[name]
    run = seegrad.jax(function)(*args)
    with jax.disable_jit():
        value, gradients = jax.value_and_grad(function)(*args)
    assert np.array_equal(run.value, value)
    pairs = zip(jax.tree.leaves(run.gradients), jax.tree.leaves(gradients), strict=True)
    assert all(np.array_equal(one, other) for one, other in pairs)


def test_equations_have_lines_names_and_contributions() -> None:
    """x y + y at x = 2, y = 3: by hand ∂x = 3, ∂y = 2 + 1."""

    def f(x: Any, y: Any) -> Any:
        return x * y + y

    run = seegrad.jax(f, argnums=(0, 1))(2.0, 3.0)
    assert (float(run.value), *map(float, run.gradients)) == (9.0, 3.0, 3.0)
    product, total = run.record.operations
    assert (product.short, total.short) == ("mul", "add")
    assert product.place is not None
    assert product.place.expression == "x * y"
    assert [run.record.name(s) for s in product.inputs] == ["x", "y"]
    first, second = (f for f in run.record.node_runs if not f.leaf)
    assert (first.name, second.name) == ("jax::add", "jax::mul")
    assert [s.figures and s.figures.values for s in second.sent] == [[3.0], [2.0]]
    assert "multiply a by b" in run.html or "mul" in run.svg
    assert run["y"].grad is not None
    assert run["y"].grad.values == [3.0]


def test_pages_and_json() -> None:
    run = seegrad.jax(mlp)(PARAMS, X, Y)
    assert "relu" in run.svg
    assert "params[&#39;w1&#39;]" in run.svg
    assert len(run.html) < 120_000
    again = seegrad.load(run.json())
    assert again.html == run.html


def test_bad_input_is_a_sentence() -> None:
    function: Any
    for function in (3.5, None, "x"):
        with pytest.raises(CannotShow, match="takes a function"):
            seegrad.jax(function)
    with pytest.raises(CannotShow, match=r"returns \(2,\)"):
        seegrad.jax(lambda w: w * 2)(jnp.ones(2))
    with pytest.raises(CannotShow, match="returns"):
        seegrad.jax(lambda w: (w, w))(1.0)
    with pytest.raises(CannotShow, match="record it again"):
        seegrad.load(seegrad.jax(lambda w: w * 2)(1.0).json()).check()


squared = jax.custom_vjp(lambda x: x * x)
squared.defvjp(lambda x: (x * x, x), lambda x, g: (3 * x * g,))  # by hand it is 2x


def test_check_tells_right_rules_from_wrong_ones() -> None:
    """Of the cases only `tripled` has a rule that is not the derivative, on purpose."""
    for name, (function, args) in CASES.items():
        found = seegrad.jax(function)(*args).check()
        assert [it.name for it in found.wrong] == ["jax::clipped"] * (name == "custom_vjp")
        assert sum(it.verdict == "right" for it in found) >= len(found) - 1
    found = seegrad.jax(lambda w: squared(w).sum())(jnp.array([1.0, 2.0])).check()
    (wrong,) = found.wrong
    assert wrong.sent is not None
    assert wrong.measured is not None
    assert wrong.sent / wrong.measured == pytest.approx(1.5)
    assert wrong.line == next(
        i
        for i, line in enumerate(Path(__file__).read_text().split("\n"), 1)
        if "squared(w)" in line
    )
