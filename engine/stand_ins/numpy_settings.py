"""NumPy's settings: how arrays print, and what is said of divisions by zero."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from engine.arrays.context import ERRORS, Context, PrintOptions
from engine.arrays.dtypes import ArrayDType
from engine.arrays.scalars import scalar

from .ordinary import bound

MODES = ("ignore", "warn", "raise", "print", "call", "log")


class During:
    """A setting for the body of a `with` statement."""

    def __init__(self, change: Callable[[], None], restore: Callable[[], None]) -> None:
        self._change, self._restore = change, restore

    def __enter__(self) -> None:
        self._change()

    def __exit__(self, *args: object) -> None:
        self._restore()


class ArraySettings:
    """The functions that read and change the settings of a run."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def functions(self) -> dict[str, Callable[..., Any]]:
        """They by name."""
        kind = type(self)
        methods: dict[str, Callable[..., Any]] = {
            "set_printoptions": kind._set_printing,
            "get_printoptions": kind._printing,
            "printoptions": kind._while_printing,
            "seterr": kind._set_errors,
            "errstate": kind._while_errors,
        }
        return {name: bound(self, method, name) for name, method in methods.items()}

    def _printing(self) -> dict[str, Any]:
        options = self.context.printing
        return {name: getattr(options, name) for name in PrintOptions.__slots__}

    def _set_printing(
        self, precision: Any = None, threshold: Any = None, edgeitems: Any = None,
        linewidth: Any = None, suppress: Any = None, nanstr: Any = None, infstr: Any = None,
        formatter: Any = None, sign: Any = None, floatmode: Any = None, *, legacy: Any = None,
        override_repr: Any = None,
    ) -> None:  # fmt: skip
        given = {
            "precision": precision, "threshold": threshold, "edgeitems": edgeitems,
            "linewidth": linewidth, "suppress": suppress, "nanstr": nanstr, "infstr": infstr,
            "sign": sign, "floatmode": floatmode,
        }  # fmt: skip
        if legacy or override_repr is not None:
            self.context.host.refuse(
                "Arrays print as NumPy 2 prints them.", "Leave legacy and override_repr out."
            )
        changed = {name: value for name, value in given.items() if value is not None}
        self._check(changed)
        self.context.printing = PrintOptions(
            **self._printing() | changed | {"formatter": formatter}
        )

    def _check(self, changed: dict[str, Any]) -> None:
        if changed.get("floatmode", "fixed") not in ("fixed", "unique", "maxprec", "maxprec_equal"):
            raise ValueError(
                "floatmode option must be one of 'fixed', 'unique', 'maxprec', 'maxprec_equal', "
                f"got {changed['floatmode']!r}"
            )
        if changed.get("sign", "-") not in ("-", "+", " "):
            raise ValueError("sign option must be one of ' ', '+', or '-'")
        for name, most in (("precision", 400), ("linewidth", 10_000), ("edgeitems", 1000)):
            value = changed.get(name, 0)
            if not isinstance(value, int):
                if value == math.inf:
                    changed[name] = most
                    continue
                raise TypeError(f"{name} must be an integer")
            changed |= {name: min(max(value, 0), most)} if name in changed else {}
        for name in ("nanstr", "infstr"):
            if len(str(changed.get(name, ""))) > 100:
                self.context.host.refuse(f"{name} is too long.", "Take at most 100 letters.")

    def _while_printing(self, **options: Any) -> During:
        before = self.context.printing

        def restore() -> None:
            self.context.printing = before

        return During(lambda: self._set_printing(**options), restore)

    def _set_errors(
        self, all: Any = None, divide: Any = None, over: Any = None, under: Any = None,  # noqa: A002
        invalid: Any = None,
    ) -> dict[str, str]:  # fmt: skip
        before = dict(self.context.errors)
        given = dict(zip(ERRORS, (divide, over, under, invalid), strict=True))
        for name, mode in given.items():
            mode = all if mode is None else mode
            if mode is not None and mode not in MODES:
                raise KeyError(mode)
            if mode is not None:
                self.context.errors[name] = mode
        return before

    def _while_errors(self, **modes: Any) -> During:
        before = dict(self.context.errors)

        def change() -> None:
            self._set_errors(**modes)

        def restore() -> None:
            self.context.errors = dict(before)

        return During(change, restore)


class FloatLimits:
    """`np.finfo(dtype)`."""

    def __init__(self, dtype: ArrayDType) -> None:
        if dtype.kind != "f":
            raise ValueError(f"data type {dtype!r} not inexact")
        single = dtype.bits == 32
        values = {
            "eps": 2.0 ** (-23 if single else -52),
            "max": (2 - 2.0**-23) * 2.0**127 if single else 1.7976931348623157e308,
            "tiny": 2.0 ** (-126 if single else -1022),
        }
        values |= {"min": -values["max"], "smallest_normal": values["tiny"]}
        vars(self).update({name: scalar(x, dtype) for name, x in values.items()})
        self.bits, self.dtype = dtype.bits, dtype


class IntLimits:
    """`np.iinfo(dtype)`."""

    def __init__(self, dtype: ArrayDType) -> None:
        if dtype.kind not in "iu":
            raise ValueError(f"Invalid integer data type {dtype.kind!r}.")
        signed = dtype.kind == "i"
        self.bits, self.dtype = dtype.bits, dtype
        self.max = 2 ** (dtype.bits - signed) - 1
        self.min = -self.max - 1 if signed else 0
