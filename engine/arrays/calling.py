"""How functions of arrays take their arguments, and hand on what they compute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.array_ops.grid import shape_text

from .array import Array, as_array
from .context import Context
from .dtypes import cast


def of_array(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of an array as one of the run and of anything that makes an array.

    Others, whose first argument is called `context`, are unchanged.
    """
    code = getattr(f, "__code__", None)
    name = code.co_varnames[0] if code else "context"
    if name == "context":
        return f

    def function(context: Context, *args: Any, **options: Any) -> Any:
        if not args and name not in options:
            return f(**options)  # which says what is missing
        first, *rest = args or (options.pop(name),)
        return f(as_array(context, first), *rest, **options)

    return function


def delivered(context: Context, found: Any, out: Any) -> Any:
    """`found`, or `out` with its elements replaced by it."""
    if isinstance(out, tuple) and len(out) == 1:
        (out,) = out
    if out is None:
        return found
    if not isinstance(out, Array):
        raise TypeError("return arrays must be of ArrayType")
    array = as_array(context, found)
    if array.shape != out.shape:
        raise ValueError(
            f"non-broadcastable output operand with shape {shape_text(out.shape)} doesn't match "
            f"the broadcast shape {shape_text(array.shape)}"
        )
    if "buifO".find(array.dtype.kind) > "buifO".find(out.dtype.kind):
        raise TypeError(
            f"Cannot cast ufunc output from {array.dtype!r} to {out.dtype!r} with casting rule "
            "'same_kind'"
        )
    out.grid.write(cast(array.items(), out.dtype))
    return out
