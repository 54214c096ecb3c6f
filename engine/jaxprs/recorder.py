"""The record of a function of JAX: its equations as they are evaluated, and each one's vjp.

Functions under `jit` and `checkpoint`, the branch of a `cond` that is taken, and a `scan` of few
turns are opened; longer ones, `while` loops and functions with rules of their own are one equation
each. Every equation
is evaluated by itself, so that numbers are those of JAX with `jax.disable_jit()`, bit for bit.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import jax
import numpy as np
from jax import lax
from jax import numpy as jnp
from jax.extend.core import ClosedJaxpr, Literal

from engine.jaxprs.slopes import PulledEquation, in_float64
from engine.live.refusal import CannotShow
from engine.pytorch.record import (
    Argument,
    Figures,
    NodeFrame,
    OperationFrame,
    PassFrame,
    ProgramRecord,
    RecordedTensor,
    Sent,
    SourcePlace,
    TensorState,
)
from engine.pytorch.rules import JAX as PREFIX

CORNER = 8
_OPENED = {
    "jit": "jaxpr", "pjit": "jaxpr", "closed_call": "call_jaxpr", "core_call": "call_jaxpr",
    "checkpoint": "jaxpr", "remat2": "jaxpr",
}  # fmt: skip
"""Equations that are opened, with the parameter that holds what is inside."""
TURNS = 64
"""Turns up to which a scan is opened."""


class JaxResult(NamedTuple):
    """The record, what the function returned, and its gradients with respect to `argnums`."""

    record: ProgramRecord
    value: Any
    gradients: Any
    pulled: Sequence[PulledEquation]


@dataclass(eq=False, slots=True)
class _Known:
    """A number of the evaluation: its value, its state in the record, and the Node that made it."""

    value: Any
    state: TensorState
    node: str = ""


class _Equation(NamedTuple):
    """An equation that ran: its operation, inputs and outputs, and how to run it again."""

    node: str
    frame: OperationFrame
    inputs: list[_Known]
    outputs: list[_Known]
    run: Callable[..., Any]
    wide: Callable[..., Any]
    """The same in float64."""
    several: bool


def recorded(
    function: Callable[..., Any],
    argnums: int | Sequence[int],
    keep: int,
    args: Sequence[Any],
    named: Mapping[str, Any],
) -> JaxResult:
    """Evaluate a function, and its gradients. Raises CannotShow for one that returns no scalar."""
    recording = _JaxRecording(keep)
    closed, shape = jax.make_jaxpr(lambda *a: function(*a, **named), return_shape=True)(*args)
    leaves, tree = jax.tree.flatten(tuple(args))
    names = _names(function, tuple(args))
    given = [recording.leaf(x, name) for x, name in zip(leaves, names, strict=True)]
    outputs = recording.evaluate(closed, given)
    value = jax.tree.unflatten(jax.tree.structure(shape), [it.value for it in outputs])
    if len(outputs) != 1 or jnp.shape(outputs[0].value) != ():
        shapes = ", ".join(str(tuple(jnp.shape(it.value))) for it in outputs)
        raise CannotShow(
            f"A gradient is that of one number, and this function returns {shapes or 'nothing'}: "
            "return the loss alone, such as its mean."
        )
    found = recording.backward(outputs[0])
    sums = [found.get(leaf) for leaf in given]
    full = [jnp.zeros_like(x) if g is None else g for x, g in zip(leaves, sums, strict=True)]
    gradients = jax.tree.unflatten(tree, full)
    wanted = (
        gradients[argnums] if isinstance(argnums, int) else tuple(gradients[i] for i in argnums)
    )
    return JaxResult(recording.record, value, wanted, recording.pulled)


def _names(function: Callable[..., Any], args: tuple[Any, ...]) -> list[str]:
    """What each number of the arguments is called: `params['w1']`."""
    try:
        parameters = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        parameters = []
    found = []
    for path, _ in jax.tree_util.tree_flatten_with_path(args)[0]:
        at = path[0].idx
        first = parameters[at] if at < len(parameters) else f"argument {at + 1}"
        found.append(first + jax.tree_util.keystr(path[1:]))
    return found


class _JaxRecording:
    def __init__(self, keep: int) -> None:
        self.keep = keep
        self.record = ProgramRecord()
        self.equations: list[_Equation] = []
        self.leaves: list[_Known] = []
        self.pulled: list[PulledEquation] = []

    def leaf(self, value: Any, name: str) -> _Known:
        known = self.known(jnp.asarray(value))
        tensor = self.record.tensors[known.state.tensor]
        tensor.name = name
        if _is_derived(known.value):
            tensor.role, tensor.requires_grad = "leaf", True
            self.leaves.append(known)
        return known

    def known(self, value: Any, node: str = "") -> _Known:
        name = f"t{len(self.record.tensors) + 1}"
        state = TensorState(name, 0)
        shape, dtype = tuple(jnp.shape(value)), str(jnp.result_type(value))
        self.record.tensors[name] = RecordedTensor(name, shape, dtype)
        self.record.figures[state] = figures_of(value, self.keep)
        return _Known(value, state, node)

    def evaluate(
        self, closed: ClosedJaxpr, given: Sequence[_Known], within: str = ""
    ) -> list[_Known]:
        """Evaluate equations in their order; the results."""
        jaxpr = closed.jaxpr
        constants = [self.known(value) for value in closed.consts]
        known = dict(zip((*jaxpr.constvars, *jaxpr.invars), (*constants, *given), strict=True))

        def read(variable: Any) -> _Known:
            return self.known(variable.val) if isinstance(variable, Literal) else known[variable]

        for equation in jaxpr.eqns:
            inputs = list(map(read, equation.invars))
            results = self._results(equation, inputs, within)
            known.update(zip(equation.outvars, results, strict=True))
        return list(map(read, jaxpr.outvars))

    def _results(self, equation: Any, inputs: list[_Known], within: str) -> list[_Known]:
        """What an equation gives; one that holds others is opened."""
        name, params = equation.primitive.name, equation.params
        path = f"{within}.{params.get('name') or name}".strip(".")
        if name in _OPENED and _OPENED[name] in params:
            body = params[_OPENED[name]]
            closed = body if hasattr(body, "consts") else ClosedJaxpr(body, ())
            return self.evaluate(closed, inputs, path)
        if name == "cond":
            branches = params["branches"]
            at = min(max(int(inputs[0].value), 0), len(branches) - 1)
            return self.evaluate(branches[at], inputs[1:], path)
        if name == "scan" and params["length"] <= TURNS:
            return self._turns(equation, inputs, path)
        return self._run(equation, inputs, within)

    def _turns(self, equation: Any, inputs: list[_Known], within: str) -> list[_Known]:
        params = equation.params
        first, carried = params["num_consts"], params["num_consts"] + params["num_carry"]
        carry, rows = inputs[first:carried], inputs[carried:]
        place, collected = _place(equation), []
        order = range(params["length"])
        for turn in reversed(order) if params["reverse"] else order:
            taken = [
                self._apply("index", place, within, [row], partial(_row, turn))[0] for row in rows
            ]
            results = self.evaluate(params["jaxpr"], [*inputs[:first], *carry, *taken], within)
            carry = results[: params["num_carry"]]
            collected.append(results[params["num_carry"] :])
        if params["reverse"]:
            collected.reverse()
        stacked = [
            self._apply("stack", place, within, list(column), _stacked)[0]
            for column in zip(*collected, strict=True)
        ]
        return [*carry, *stacked]

    def _run(self, equation: Any, inputs: list[_Known], within: str) -> list[_Known]:
        primitive = equation.primitive
        bound = primitive.get_bind_params(equation.params)
        functions, params = bound if isinstance(bound, tuple) else ((), bound)

        def run(*given: Any) -> Any:
            with equation.ctx.manager:
                return primitive.bind(*functions, *given, **params)

        name, several = _name(equation), primitive.multiple_results
        wide = partial(in_float64, equation)
        return self._apply(name, _place(equation), within, inputs, run, several, wide)

    def _apply(
        self,
        name: str,
        place: SourcePlace | None,
        within: str,
        inputs: list[_Known],
        run: Callable[..., Any],
        several: bool = False,
        wide: Callable[..., Any] | None = None,
    ) -> list[_Known]:
        result = run(*[it.value for it in inputs])
        node = f"n{len(self.equations) + 1}"
        frame = OperationFrame(
            len(self.record.frames),
            place,
            within,
            PREFIX + name,
            tuple(Argument(str(i), (it.state,)) for i, it in enumerate(inputs)),
            node=node if any(_is_derived(it.value) for it in inputs) else "",
        )
        self.record.frames.append(frame)
        outputs = [self.known(x, node) for x in (result if several else [result])]
        frame.outputs = tuple(it.state for it in outputs)
        for it in outputs:
            self.record.tensors[it.state.tensor].requires_grad = bool(frame.node)
        self.equations.append(_Equation(node, frame, inputs, outputs, run, wide or run, several))
        return outputs

    # The backward pass

    def backward(self, output: _Known) -> dict[_Known, Any]:
        """The gradients of the leaves: cotangents through each equation's vjp, last one first."""
        sums: dict[_Known, Any] = {output: jnp.ones_like(output.value)}
        count = len(self.record.frames)
        frame = PassFrame(count, None, "", 1, (output.state,), nodes=len(self.equations))
        self.record.frames.append(frame)
        for equation in reversed(self.equations):
            self._back(equation, sums)
        for leaf in self.leaves:
            self._leave(leaf, sums.get(leaf))
        return sums

    def _back(self, equation: _Equation, sums: dict[_Known, Any]) -> None:
        came = [sums.get(it) for it in equation.outputs]
        slots = [i for i, it in enumerate(equation.inputs) if _is_derived(it.value)]
        if not slots or all(g is None for g in came):
            return

        def moved(*given: Any) -> Any:
            values = [it.value for it in equation.inputs]
            for slot, value in zip(slots, given, strict=True):
                values[slot] = value
            return equation.run(*values)

        try:
            result, pull = jax.vjp(moved, *[equation.inputs[i].value for i in slots])
        except (TypeError, ValueError, NotImplementedError) as error:
            equation.frame.error = f"{type(error).__name__}: {error}"[:200]
            return  # such as a while loop, of which there is no vjp
        sent = pull(_filled(result, came, equation.several))
        rows = []
        for slot, contribution in zip(slots, sent, strict=True):
            known = equation.inputs[slot]
            rows.append(Sent(_target(known), 0, figures_of(contribution, self.keep)))
            before = sums.get(known)
            sums[known] = contribution if before is None else before + contribution
        frame = NodeFrame(
            len(self.record.frames),
            equation.frame.place,
            equation.frame.module,
            equation.node,
            equation.frame.op,
            1,
            equation.frame.index,
            tuple(None if g is None else figures_of(g, self.keep) for g in came),
            tuple(rows),
        )
        self.record.frames.append(frame)
        values = [it.value for it in equation.inputs]
        self.pulled.append(PulledEquation(frame, equation.wide, values, slots, came, sent))

    def _leave(self, leaf: _Known, gradient: Any) -> None:
        tensor = leaf.state.tensor
        figures = None if gradient is None else figures_of(gradient, self.keep)
        self.record.grads[tensor] = figures
        if figures is not None:
            frame = NodeFrame(
                len(self.record.frames), None, "", f"of {tensor}", "argument", 1, None,
                (figures,), (), leaf=tensor, after=figures,
            )  # fmt: skip
            self.record.frames.append(frame)


def _target(known: _Known) -> str:
    return known.node or f"of {known.state.tensor}"


def _row(turn: int, x: Any) -> Any:
    return lax.index_in_dim(x, turn, keepdims=False)


def _stacked(*rows: Any) -> Any:
    return jnp.stack(rows)


def _name(equation: Any) -> str:
    """The primitive's name; of a function with a rule of its own, the function's."""
    inner = equation.params.get("call_jaxpr")
    name = equation.params.get("name") or getattr(
        getattr(getattr(inner, "jaxpr", None), "debug_info", None), "func_name", ""
    )
    return str(name or equation.primitive.name) if inner is not None else equation.primitive.name


def _place(equation: Any) -> SourcePlace | None:
    """The program's line of an equation."""
    from jax._src import source_info_util

    try:
        frame = source_info_util.user_frame(equation.source_info.traceback)
    except (AttributeError, TypeError):
        return None
    if frame is None:
        return None
    import linecache

    text = linecache.getline(frame.file_name, frame.start_line).rstrip("\n")
    place = SourcePlace(frame.file_name, frame.start_line, frame.function_name, text)
    if frame.start_line == frame.end_line:
        place.column, place.end = frame.start_column, frame.end_column
    return place


def _is_derived(value: Any) -> bool:
    return bool(jnp.issubdtype(jnp.result_type(value), jnp.floating))


def _filled(result: Any, came: Sequence[Any], several: bool) -> Any:
    """Cotangents for all results of an equation, 0 where none came."""
    results = list(result) if several else [result]
    full = [g if g is not None else _zero(value) for value, g in zip(results, came, strict=True)]
    return full if several else full[0]


def _zero(value: Any) -> Any:
    if _is_derived(value):
        return jnp.zeros_like(value)
    return np.zeros(jnp.shape(value), jax.dtypes.float0)


def figures_of(value: Any, keep: int) -> Figures:
    """The figures of an array."""
    shape, dtype = tuple(jnp.shape(value)), str(jnp.result_type(value))
    found = Figures(shape, dtype)
    if dtype.startswith(("key", "float0")):
        return found
    array = np.asarray(value)
    if array.size <= keep:
        found.kept = array.reshape(-1).tolist()
    elif array.ndim:
        corner = array if array.ndim < 3 else array[(0,) * (array.ndim - 2)]
        found.corner = (corner[:CORNER] if array.ndim == 1 else corner[:CORNER, :CORNER]).tolist()
    if array.size and jnp.issubdtype(array.dtype, jnp.floating):
        wide = array.astype(np.float64)
        found.least, found.largest = float(wide.min()), float(wide.max())
        found.mean, found.norm = float(wide.mean()), float(np.sqrt((wide * wide).sum()))
        found.nans, found.infs = int(np.isnan(wide).sum()), int(np.isinf(wide).sum())
    return found
