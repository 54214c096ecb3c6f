"""Directional differences in float64 of each equation of JAX, against what its vjp sent.

As `engine.pytorch.slopes`: with incoming gradients g, contributions c and a random direction v of
the inputs, Σ c·v has to be Σ g·(f(x + hv) − f(x − hv)) / 2h.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import numpy as np
from jax import numpy as jnp
from jax.errors import JaxRuntimeError
from jax.extend.core import ClosedJaxpr, Literal

from engine.pytorch.record import NodeFrame
from engine.pytorch.slopes import CLOSE, SEED, STEP, TRIES, CheckedNode, Slope

_INNER = ("call_jaxpr", "jaxpr")
_CUT = "stop_gradient"
_LOOPS = ("scan", "while", "cond")


class PulledEquation(NamedTuple):
    """A run of an equation's vjp: `slots` are the inputs that were sent contributions."""

    frame: NodeFrame
    run: Callable[..., Any]
    inputs: Sequence[Any]
    slots: Sequence[int]
    came: Sequence[Any]
    sent: Sequence[Any]


def checked(pulled: Sequence[PulledEquation]) -> list[CheckedNode]:
    """Every equation that was pulled back, in that order."""
    with jax.enable_x64(True):
        return [_checked(it) for it in pulled]


def _checked(it: PulledEquation) -> CheckedNode:
    place = it.frame.place
    node, name, line = it.frame.node, it.frame.name, None if place is None else place.line
    if name.endswith(_CUT):
        return CheckedNode(node, name, line, "not checked", why="it is to send no gradient")
    try:
        found = [_measured(it, SEED + i) for i in range(TRIES)]
    except (TypeError, ValueError, NotImplementedError, JaxRuntimeError) as error:
        why = f"it does not run in float64 by itself: {type(error).__name__}"
        return CheckedNode(node, name, line, "not checked", why=why)
    slope = next((each for each in found if each.is_right), found[0])
    if slope.is_kink and not slope.is_right:
        return CheckedNode(node, name, line, "not checked", why="it is at a kink")
    verdict = "right" if slope.is_right else "wrong"
    return CheckedNode(node, name, line, verdict, slope.sent, slope.measured)


def _measured(it: PulledEquation, seed: int) -> Slope:
    random = np.random.default_rng(seed)
    starts = {slot: np.asarray(it.inputs[slot], np.float64) for slot in it.slots}
    directions = {slot: random.standard_normal(x.shape) for slot, x in starts.items()}
    parts = [
        np.asarray(c, np.float64) * directions[slot]
        for slot, c in zip(it.slots, it.sent, strict=True)
    ]
    sent, size = sum(float(x.sum()) for x in parts), sum(float(abs(x).sum()) for x in parts)

    def at(step: float) -> list[Any]:
        values = list(it.inputs)
        for slot, start in starts.items():
            values[slot] = jnp.asarray(start + step * directions[slot])
        result = it.run(*values)
        return list(result) if isinstance(result, list | tuple) else [result]

    measured = bend = 0.0
    for g, high, here, low in zip(it.came, at(STEP), at(0.0), at(-STEP), strict=True):
        if g is None:
            continue
        if jnp.result_type(high) != jnp.float64:
            raise TypeError
        one, other = _difference(high, here), _difference(here, low)
        incoming = np.asarray(g, np.float64)
        flows = incoming * _difference(high, low) / (2 * STEP)
        measured += float(flows.sum())
        size += float(abs(flows).sum())
        bend += float((incoming * (one - other) / STEP).sum())
    noise = size + 1e-12
    return Slope(it.frame.node, it.frame.name, sent, measured, noise, abs(bend) > CLOSE * noise)


def _difference(a: Any, b: Any) -> Any:
    """a − b, 0 where both are the same infinity."""
    a, b = np.asarray(a), np.asarray(b)
    return np.where(a == b, 0.0, a - b)


def in_float64(equation: Any, *given: Any) -> Any:
    """What an equation gives in float64; one that holds others, by running those."""
    primitive, params = equation.primitive, equation.params
    inner = next((params[name] for name in _INNER if name in params), None)
    if inner is not None and primitive.name not in _LOOPS:
        return _evaluated(inner if hasattr(inner, "consts") else ClosedJaxpr(inner, ()), given)
    bound = primitive.get_bind_params({name: _widened(x) for name, x in params.items()})
    functions, params = bound if isinstance(bound, tuple) else ((), bound)
    with equation.ctx.manager:
        return primitive.bind(*functions, *given, **params)


def _evaluated(closed: Any, given: Sequence[Any]) -> list[Any]:
    jaxpr = closed.jaxpr
    held = dict(zip((*jaxpr.constvars, *jaxpr.invars), (*closed.consts, *given), strict=True))

    def read(variable: Any) -> Any:
        return variable.val if isinstance(variable, Literal) else held[variable]

    for equation in jaxpr.eqns:
        result = in_float64(equation, *[_wide(read(it)) for it in equation.invars])
        results = result if isinstance(result, list | tuple) else [result]
        held.update(zip(equation.outvars, results, strict=True))
    return [read(it) for it in jaxpr.outvars]


def _wide(x: Any) -> Any:
    return jnp.asarray(x, jnp.float64) if jnp.issubdtype(jnp.result_type(x), jnp.floating) else x


def _widened(x: Any) -> Any:
    """A parameter: float64 for every kind of float."""
    is_float = isinstance(x, np.dtype) and jnp.issubdtype(x, jnp.floating)
    return np.dtype("float64") if is_float else x
