"""Calls of NumPy and PyTorch as operations of the table `ARRAY_OPS`: which operands, which params.

`call_of("sum", (x, 0), {"keepdims": True})` is the operation `sum` of the operand x with the
params `axes` and `keepdims`. A function that is not known is an operation of its own name, of the
arrays among its arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias


class ArrayCall(NamedTuple):
    """An operation with its operands and params; without an `op` its result is a leaf."""

    op: str | None
    operands: Sequence[Any] = ()
    params: Mapping[str, Any] = {}


Arguments: TypeAlias = Sequence[Any]
Keywords: TypeAlias = Mapping[str, Any]

SAME = "same"
"""The op of a call whose result has the elements of its operand: a copy, a conversion."""
SIGNS = {">": "greater", "<": "less", ">=": "greater_equal", "<=": "less_equal", "==": "equal",
         "!=": "not_equal", "//": "floor_divide", "%": "mod", "&": "and", "|": "or"}  # fmt: skip
"""The operations of signs that the table calls otherwise."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_ONE = {
    "negative": "neg", "absolute": "abs", "fabs": "abs", "arctan": "atan", "expit": "sigmoid",
    **{name: name for name in _words(
        "neg abs exp log log2 log10 log1p expm1 exp2 sqrt rsqrt square tanh sinh cosh sin cos tan "
        "atan sigmoid relu gelu silu softplus elu erf leaky_relu reciprocal sign softsign"
    )},
}  # fmt: skip
_TWO = {
    "add": "+", "subtract": "-", "sub": "-", "multiply": "*", "mul": "*", "divide": "/",
    "true_divide": "/", "div": "/", "power": "**", "pow": "**", "maximum": "max",
    "minimum": "min", "fmax": "max", "fmin": "min", "matmul": "@", "mm": "@",
    "bmm": "@", "mv": "@", "dot": "@", "outer": "outer", "gt": "greater", "lt": "less",
    "greater": "greater", "less": "less", "greater_equal": "greater_equal",
    "less_equal": "less_equal", "equal": "equal", "not_equal": "not_equal",
}  # fmt: skip
_FOLDS = {
    "sum": "sum", "mean": "mean", "prod": "prod", "max": "amax", "amax": "amax", "min": "amin",
    "amin": "amin", "var": "var", "std": "std", "argmax": "argmax", "argmin": "argmin",
    "logsumexp": "logsumexp", "norm": "norm", "average": "mean",
}  # fmt: skip
_SAME = frozenset(_words(
    "copy clone array asarray asanyarray astype float double tensor as_tensor contiguous type to "
    "float32 float64 from_numpy numpy cpu item positive requires_grad_ Parameter"
))  # fmt: skip
_CUT = frozenset({"detach", "data"})
_NEW = frozenset(_words(
    "zeros_like ones_like empty_like full_like rand_like randn_like zeros ones eye full rand randn "
    "randint normal uniform arange linspace permutation identity one_hot random grad"
))  # fmt: skip
_SHAPED = frozenset(_words("reshape view ravel flatten squeeze unsqueeze expand_dims"))
_JOINS = frozenset(_words("concatenate concat cat stack vstack hstack column_stack"))
_LOSSES = frozenset(_words(
    "cross_entropy nll_loss mse_loss binary_cross_entropy binary_cross_entropy_with_logits l1_loss "
    "smooth_l1_loss huber_loss"
))  # fmt: skip
_FOLD_KEYS = {"dim": "axes", "axis": "axes", "keepdim": "keepdims", "keepdims": "keepdims",
              "ddof": "ddof", "correction": "ddof", "unbiased": "unbiased"}  # fmt: skip


def call_of(
    name: str, args: Arguments, keywords: Keywords, is_array: Callable[[Any], bool]
) -> ArrayCall:
    """The operation that a call of the function or method of this name is."""
    base = name[:-1] if name.endswith("_") and not name.endswith("__") else name
    if name in _SAME and args:
        return ArrayCall(SAME, args[:1])
    if base in _NEW:
        return ArrayCall(None)
    if base in _ONE:
        return ArrayCall(_ONE[base], args[:1])
    if base in _TWO and len(args) > 1:
        return ArrayCall(_TWO[base], args[:2])
    if base in _FOLDS and args and is_array(args[0]) and not _is_pair(base, args, is_array):
        return ArrayCall(_FOLDS[base], args[:1], _fold(base, args[1:], keywords))
    if base in ("max", "min") and len(args) == 2:
        return ArrayCall(base, args)
    if base in _CUT and args:
        return ArrayCall("detach", args[:1])
    for find in (_shaped, _joined, _chosen, _composed):
        found = find(base, args, keywords)
        if found is not None:
            return found
    operands = [x for x in (*args, *keywords.values()) if is_array(x)]
    return ArrayCall(name[:40] if operands else None, operands)


def _is_pair(name: str, args: Arguments, is_array: Callable[[Any], bool]) -> bool:
    return name in ("max", "min") and len(args) == 2 and is_array(args[1])


def _fold(name: str, args: Arguments, keywords: Keywords) -> dict[str, Any]:
    """The axes of a reduction, and whether they stay, which a positional truth value says."""
    found = {_FOLD_KEYS[key]: x for key, x in keywords.items() if key in _FOLD_KEYS}
    for x in args:
        if isinstance(x, bool):
            found["keepdims"] = x
        elif isinstance(x, int | tuple | list) and "axes" not in found and name != "norm":
            found["axes"] = x
    if found.pop("unbiased", True) is False:
        found["ddof"] = 0
    if isinstance(found.get("axes"), list):
        found["axes"] = tuple(found["axes"])
    return {key: x for key, x in found.items() if x is not None and x is not False}


def _shaped(name: str, args: Arguments, keywords: Keywords) -> ArrayCall | None:
    """Views; `ArrayTape` adds the shape of the result."""
    if name in ("T", "t", "mT", "transpose", "permute", "swapaxes"):
        axes = [x for x in (*args[1:], keywords.get("axes"), keywords.get("dims")) if x is not None]
        if len(axes) == 1 and isinstance(axes[0], tuple | list):
            axes = list(axes[0])
        elif len(axes) == 2 and name != "permute":
            return ArrayCall("transpose", args[:1], {"a": axes[0], "b": axes[1]})
        return ArrayCall("permute", args[:1], {"axes": tuple(axes)} if axes else {})
    if name in _SHAPED:
        return ArrayCall("reshape", args[:1])
    if name in ("broadcast_to", "expand", "expand_as"):
        return ArrayCall("expand", args[:1])
    return None


def _joined(name: str, args: Arguments, keywords: Keywords) -> ArrayCall | None:
    if name not in _JOINS or not args or not isinstance(args[0], list | tuple):
        return None
    parts = list(args[0])
    axis = keywords.get("axis", keywords.get("dim", args[1] if len(args) > 1 else 0))
    is_flat = all(len(getattr(part, "shape", ())) < 2 for part in parts)
    if name == "stack" or (is_flat and name in ("vstack", "column_stack")):
        return ArrayCall("stack", parts, {"axis": 1 if name == "column_stack" else axis})
    if name in ("hstack", "column_stack"):
        axis = 0 if is_flat else 1
    return ArrayCall("concatenate", parts, {"axis": axis})


def _chosen(name: str, args: Arguments, keywords: Keywords) -> ArrayCall | None:
    if name == "where" and len(args) == 3:
        return ArrayCall("where", args)
    if name in ("clip", "clamp") and args:
        low = args[1] if len(args) > 1 else keywords.get("min", keywords.get("a_min"))
        high = args[2] if len(args) > 2 else keywords.get("max", keywords.get("a_max"))
        params = {"low": low, "high": high}
        return ArrayCall("clip", args[:1], {key: x for key, x in params.items() if x is not None})
    if name == "einsum" and args and isinstance(args[0], str):
        return ArrayCall("einsum", args[1:], {"equation": args[0]})
    return None


def _composed(name: str, args: Arguments, keywords: Keywords) -> ArrayCall | None:
    if name in ("softmax", "log_softmax", "cumsum", "cumprod") and args:
        axis = args[1] if len(args) > 1 else keywords.get("dim", keywords.get("axis", -1))
        return ArrayCall(name, args[:1], {"axis": axis})
    if name in _LOSSES and len(args) > 1:
        return ArrayCall(name, args[:2], {"reduction": keywords.get("reduction", "mean")})
    if name == "linear" and len(args) > 1:
        return ArrayCall("linear", [x for x in args[:3] if x is not None])
    return None
