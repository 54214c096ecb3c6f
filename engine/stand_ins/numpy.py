"""The module `numpy`: small arrays of numbers and of Values, with NumPy's results and texts."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

from engine import real
from engine.arrays import (
    arrangement,
    choosing,
    contractions,
    distribution,
    elementary,
    elementwise,
    joining,
    least_squares,
    linear,
    making,
    picking,
    polynomials,
    printing,
    reductions,
    selecting,
)  # fmt: skip
from engine.arrays.array import Array, as_array, combined, operand, result
from engine.arrays.calling import delivered, of_array
from engine.arrays.context import Context, PrintOptions
from engine.arrays.dtypes import FLOAT64, ArrayDType, dtype_of_name
from engine.arrays.elementary import refuse_narrow
from engine.arrays.elementwise import UFUNCS
from engine.arrays.joining import Bracketed, joined, lattice
from engine.arrays.scalars import (
    CLASSES,
    Bool,
    Float32,
    Float64,
    Int64,
    Scalar,
    Str,
    plain,
    round_to,
)
from engine.arrays.ufuncs import Ufunc
from engine.ops import OPS, Op
from engine.record.follow import FOLLOWED, TapedFloat64, retyped
from engine.stand_ins.contract import Machine
from engine.stand_ins.library import LibraryModule

from . import numpy_tensors
from .numpy_context import context_of
from .numpy_random import random_names
from .numpy_settings import ArraySettings, FloatLimits, IntLimits
from .ordinary import bound

_OWN_NAMES: dict[Any, str] = {
    making: """
        arange linspace logspace geomspace zeros ones full zeros_like ones_like full_like eye
        identity diag meshgrid fromiter vectorize
    """,
    reductions: """
        prod mean var std average median ptp argmax argmin count_nonzero cumsum cumprod
    """,
    arrangement: """
        reshape ravel swapaxes squeeze expand_dims broadcast_to flip roll atleast_1d atleast_2d
        copy rot90 fliplr flipud moveaxis shares_memory resize broadcast_arrays rollaxis
        broadcast_shapes
    """,
    joining: """
        concatenate stack vstack hstack column_stack append tile repeat split outer array_split
        hsplit vsplit dstack block
    """,
    choosing: """
        where clip nonzero argwhere isclose allclose array_equal sort argsort unique
        searchsorted diff gradient partition lexsort
    """,
    distribution: """
        percentile quantile histogram bincount interp nan_to_num
    """,
    picking: """
        triu tril ndenumerate ndindex unravel_index isin convolve pad fill_diagonal take
        take_along_axis flatnonzero insert delete nditer triu_indices tril_indices tri
        diag_indices put copyto ravel_multi_index piecewise
    """,
    linear: """
        dot vdot matmul inner trace
    """,
    contractions: """
        einsum tensordot kron
    """,
    polynomials: """
        polyfit polyval vander
    """,
    least_squares: """
        cov corrcoef
    """,
    selecting: """
        select ix_ digitize cross trapezoid apply_along_axis intersect1d union1d setdiff1d
        setxor1d nansum nanmean nanmax nanmin nanstd nancumsum nanargmax nanargmin nanvar
        nanmedian
    """,
}
"""Functions that NumPy calls as they are called here."""
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(module, name) for module, own in _OWN_NAMES.items() for name in own.split()},
    "array": numpy_tensors.array, "asarray": numpy_tensors.asarray,
    "asanyarray": numpy_tensors.asarray, "empty": making.zeros, "empty_like": making.zeros_like,
    "sum": reductions.sum_of, "max": reductions.maximum_of, "min": reductions.minimum_of,
    "amax": reductions.maximum_of, "amin": reductions.minimum_of, "all": reductions.all_of,
    "any": reductions.any_of, "transpose": arrangement.transposed,
    "concat": joining.concatenate, "poly1d": polynomials.Polynomial,
    "indices": joining.coordinates, "ascontiguousarray": arrangement.contiguous,
    "may_share_memory": arrangement.shares_memory, "matrix_transpose": arrangement.turned,
    "diagflat": lambda v, k=0: making.diag(v.context, arrangement.ravel(v), k),
    "argpartition": lambda a, kth, axis=-1: choosing.argsort(a, axis),
    "ediff1d": lambda ary: choosing.diff(arrangement.ravel(ary)),
}  # fmt: skip
FUNCTIONS = {name: of_array(f) for name, f in _FUNCTIONS.items()}
"""Functions of the module, `f(context, …)`, by name."""

_LINEAR = {
    linear: "norm inv det solve qr cholesky",
    least_squares: "lstsq pinv matrix_rank svdvals svd cond eigvalsh matrix_power",
}
LINEAR = {
    name: of_array(getattr(module, name)) for module, names in _LINEAR.items()
    for name in names.split()
}  # fmt: skip

_SIGNS = {name: sign for sign, name in UFUNCS.items()} | {
    "true_divide": "/", "mod": "%", "bitwise_not": "",
}  # fmt: skip
_OTHER_NAMES = {
    "abs": "absolute", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "radians": "deg2rad",
    "degrees": "rad2deg", "positive": "", "fix": "trunc",
}  # fmt: skip
_LOGICAL = {
    "logical_and": lambda x, y: x and y, "logical_or": lambda x, y: x or y,
    "logical_xor": operator.ne,
}  # fmt: skip
_CONSTANTS: dict[str, Any] = {
    "pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan, "newaxis": None,
    "euler_gamma": 0.5772156649015329, "__version__": "2.4.6", "ndarray": Array, "bool": Bool,
    "bool_": Bool, "str_": Str, "generic": Scalar, "double": Float64, "single": Float32,
    "int_": Int64, "intp": Int64, "floating": (Float64, Float32), "integer": Int64,
    "number": (Float64, Float32, Int64), "object_": object, "True_": Bool(1), "False_": Bool(0),
}  # fmt: skip


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `numpy`."""
    context = context_of(m)
    table = dict(_CONSTANTS) | CLASSES | ArraySettings(context).functions()
    table |= {name: bound(context, f, name) for name, f in FUNCTIONS.items()}
    for name in elementary.ELEMENTARY:
        table[name] = bound(context, _elementary(name), name)
    pairs = {name: _operator(sign) for name, sign in _SIGNS.items() if sign}
    pairs |= {**{name: _logical(f) for name, f in _LOGICAL.items()}, **_OF_PAIRS}
    table |= {name: Ufunc(context, name, f) for name, f in pairs.items()}
    table |= {name: table[same] for name, same in _OTHER_NAMES.items() if same}
    table |= {name: bound(context, f, name) for name, f in _OF_THIS_MODULE.items()}
    for name, make in (("c_", joined(True)), ("r_", joined(False)), ("mgrid", lattice(True)),
                       ("ogrid", lattice(False))):  # fmt: skip
        table[name] = Bracketed(context, make)
    table["random"] = LibraryModule("numpy.random", random_names(context))
    table["linalg"] = LibraryModule("numpy.linalg", linear_names(m))
    return table


def linear_names(m: Machine) -> dict[str, Any]:
    """The names of the module `numpy.linalg`."""
    context = context_of(m)
    table: dict[str, Any] = {name: bound(context, f, name) for name, f in LINEAR.items()}
    return {**table, "LinAlgError": linear.LinAlgError}


def random_module_names(m: Machine) -> dict[str, Any]:
    """The names of the module `numpy.random`."""
    return random_names(context_of(m))


def _followed(context: Context, op: Op | None, found: Any, *args: Any) -> Any:
    """`found` as what `op` computes from numbers, if one of them is followed."""
    if type(found) is not Float64 or FOLLOWED.isdisjoint(map(type, args)):
        return found
    m: Any = context.host
    if op is None:
        return m.own.connected(found, args)
    return m.tape.follow(op, found, args, m.node)


def _elementary(name: str) -> Callable[..., Any]:
    op = elementary.OPERATIONS.get(name)

    def function(context: Context, x: Any, out: Any = None) -> Any:
        side = operand(context, x)
        found = result(context, *elementary.apply(context, name, side.grid, side.dtype))
        return delivered(context, _followed(context, op, found, x), out)

    return function


def _operator(sign: str) -> Callable[..., Any]:
    op = elementwise.OPERATIONS.get(sign)

    def function(context: Context, x1: Any, x2: Any) -> Any:
        found = combined(context, sign, x1, x2)
        return _followed(context, op, found, x1, x2)

    return function


def _extreme(name: str) -> Callable[..., Any]:
    """The larger or the smaller of two; max(0, x) is drawn as relu."""
    select = choosing.maximum if name == "max" else choosing.minimum

    def function(context: Context, x1: Any, x2: Any) -> Any:
        found = select(context, x1, x2)
        zero = [x for x in (x1, x2) if type(x) is int or type(x) is float]
        if name == "max" and zero == [0]:
            return _followed(context, OPS["relu"], found, x2 if zero[0] is x1 else x1)
        return _followed(context, OPS[name], found, x1, x2)

    return function


def _logical(f: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def function(context: Context, x1: Any, x2: Any) -> Any:
        return choosing.logical(context, f, x1, x2)

    return function


def rounded(context: Context, a: Any, decimals: Any = 0) -> Any:
    """Elements to the nearest decimals, ties to even."""
    array, digits = as_array(context, a), operator.index(decimals)
    if array.dtype.kind == "O":
        grid = array.grid.map(lambda x: round(x, digits) if digits else round(x))
    else:
        if array.dtype.kind == "b":
            refuse_narrow(context, "round", array.dtype)
        grid = array.grid.map(lambda x: round_to(x, digits))
    return _followed(context, None, result(context, grid, array.dtype), a)


def _step(x: float, middle: float) -> float:
    """0 below 0, 1 above, `middle` at 0."""
    return middle if x == 0 else x if x != x else float(x > 0)


def _log_of_sum(x: float, y: float) -> float:
    """log(eˣ + eʸ)"""
    return x + math.log(2) if x == y else max(x, y) + math.log1p(math.exp(-abs(x - y)))


def _paired(f: Callable[[float, float], float], name: str = "") -> Callable[..., Any]:
    """A function of two floats, element by element; `name` is that of the operation, if any."""
    op = OPS.get(name)

    def function(context: Context, x1: Any, x2: Any) -> Any:
        sides = [operand(context, x) for x in (x1, x2)]
        if not any(side.weak or side.dtype.bits > 8 for side in sides):
            refuse_narrow(context, name or "this", sides[0].dtype)
        return _followed(context, op, choosing.of_floats(context, f, x1, x2), x1, x2)

    return function


def _float_power(context: Context, x1: Any, x2: Any) -> Any:
    """x1 ** x2 in 64-bit floats, whatever the types of the two."""
    power = OPS["**"]
    base, exponent = (as_array(context, x).astype(FLOAT64) for x in (x1, x2))
    found = choosing.of_floats(context, power.compute, base, exponent)
    return _followed(context, power, found, x1, x2)


def _sinc(y: float, _: float) -> float:
    """sin y / y, 1 at 0"""
    return math.sin(y) / y if y else 1.0


def _cut_remainder(context: Context, x1: Any, x2: Any) -> Any:
    """x1 − x2·(x1 / x2 cut off), with the sign of x1; of integers an integer."""
    found = choosing.of_floats(context, real.fmod, x1, x2, whole=True)
    return _followed(context, OPS["fmod"], found, x1, x2)


_OF_PAIRS: Mapping[str, Callable[..., Any]] = {
    "maximum": _extreme("max"), "minimum": _extreme("min"),
    "hypot": _paired(math.hypot, "hypot"), "heaviside": _paired(_step),
    "arctan2": _paired(math.atan2, "atan2"), "copysign": _paired(math.copysign),
    "fmod": _cut_remainder,
    "float_power": _float_power, "logaddexp": _paired(_log_of_sum),
}  # fmt: skip
_OF_THIS_MODULE: Mapping[str, Callable[..., Any]] = {
    "round": rounded, "around": rounded, "atan2": _paired(math.atan2, "atan2"),
    "divmod": lambda context, x1, x2: (
        combined(context, "//", x1, x2), combined(context, "%", x1, x2)
    ),
    "shape": lambda context, a: as_array(context, a).shape,
    "ndim": lambda context, a: as_array(context, a).ndim,
    "size": lambda context, a: as_array(context, a).size,
    "isscalar": lambda context, x: isinstance(x, (int, float, str, Scalar)),
    "dtype": lambda context, x: dtype_of_name(x),
    "finfo": lambda context, dtype=float: FloatLimits(dtype_of_name(_type(dtype))),
    "iinfo": lambda context, dtype=int: IntLimits(dtype_of_name(_type(dtype))),
    "real": lambda context, x: x if isinstance(x, (int, float, Array)) else as_array(context, x),
    "positive": lambda context, x: +as_array(context, x) if isinstance(x, (Array, list)) else +x,
    "sinc": lambda context, x: choosing.of_floats(
        context, _sinc, combined(context, "*", math.pi, x), 1.0
    ),
    "array_str": lambda context, a: str(as_array(context, a)),
    "array_repr": lambda context, a: repr(as_array(context, a)),
    "array2string": lambda context, a, **options: _array2string(context, a, options),
}  # fmt: skip


def _type(x: Any) -> Any:
    return x.dtype if isinstance(x, Array) else x


def _array2string(context: Context, a: Any, options: dict[str, Any]) -> str:
    separator = options.pop("separator", " ")
    array = as_array(context, a)
    names = {"max_line_width": "linewidth", "suppress_small": "suppress"}
    known = {names.get(name, name): value for name, value in options.items()}
    before = context.printing
    current = {name: getattr(before, name) for name in PrintOptions.__slots__}
    context.printing = PrintOptions(**current | known)
    try:
        return printing.bracketed(context, array.grid, array.dtype, separator, "")
    finally:
        context.printing = before


def make_scalar(kind: Any) -> Callable[..., Any]:
    """The guarded constructor of a class of scalars: `np.float64(x)`."""

    def construct(m: Machine, x: Any = 0) -> Any:
        if kind is Float64 and type(x) in FOLLOWED:
            return retyped(x, TapedFloat64)
        context = context_of(m)
        dtype: ArrayDType = dtype_of_name(kind)
        if isinstance(x, (int, float)):
            return result(context, as_array(context, plain(x)).astype(dtype).grid, dtype)
        array = as_array(context, x, dtype)
        return result(context, array.grid, array.dtype)

    return construct


def _no_array(m: Machine, *args: Any, **kwargs: Any) -> Any:
    m.refuse("np.ndarray is not called here.", "Write np.zeros(shape) or np.array(list).")


CONSTRUCTORS: dict[type, Callable[..., Any]] = {
    **{kind: make_scalar(kind) for kind in (*CLASSES.values(), Bool)},
    Str: lambda m, x="": Str(x), Array: _no_array,
}  # fmt: skip
"""The guarded constructors of NumPy's types."""
