"""A record as JSON, and back. Reading runs nothing, and does not import PyTorch."""

from __future__ import annotations

import dataclasses
import json
import math
import types
from collections.abc import Mapping
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from engine.pytorch import record as model
from engine.pytorch.record import Figures, ProgramRecord, TorchFrame

FORMAT = "seegrad-recording"
_FRAMES = {
    kind.__name__: kind
    for kind in (
        model.CallFrame, model.OperationFrame, model.PassFrame, model.NodeFrame, model.StepFrame,
    )
}  # fmt: skip
_LIVE = {"run", "code", "at"}
"""What belongs to the process that recorded."""
_NUMBERS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
Kind = TypeVar("Kind")


class NoRecordingError(ValueError):
    """A text that is not the JSON of a recording; the message says so."""


def write(record: ProgramRecord) -> str:
    """The record as JSON."""
    return json.dumps({"format": FORMAT, **_plain(record)}, separators=(",", ":"))


def read(text: str) -> ProgramRecord:
    """The record in a JSON text. Raises NoRecordingError."""
    try:
        found = json.loads(text)
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise NoRecordingError("This is not the JSON of a recording.")
        return _built(ProgramRecord, found)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        if isinstance(error, NoRecordingError):
            raise
        raise NoRecordingError("This is not the JSON of a recording, or it is damaged.") from None


def _plain(value: Any) -> Any:
    if isinstance(value, Figures):
        kept = {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return kept | {"kept": _plain(value.values), "corner": _plain(_listed(value.corner))}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        kept = {
            f.name: _plain(getattr(value, f.name))
            for f in dataclasses.fields(value)
            if f.name not in _LIVE
        }
        return kept | ({"frame": type(value).__name__} if isinstance(value, TorchFrame) else {})
    if isinstance(value, Mapping):
        if any(not isinstance(key, str) for key in value):
            return [[_plain(key), _plain(x)] for key, x in value.items()]
        return {key: _plain(x) for key, x in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(x) for x in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, complex):
        return {"real": _plain(value.real), "imag": _plain(value.imag)}
    return value


def _listed(corner: Any) -> Any:
    return corner if corner is None or isinstance(corner, list) else corner.tolist()


def _built(kind: type[Kind], found: Mapping[str, Any]) -> Kind:
    """An object of a class of the model, out of its fields."""
    hints = get_type_hints(kind)
    fields = {
        f.name: _typed(hints[f.name], found[f.name])
        for f in dataclasses.fields(kind)  # type: ignore[arg-type]
        if f.init and f.name in found
    }
    if kind is Figures:
        fields |= {name: _numbers(fields.get(name)) for name in ("kept", "corner")}
    return kind(**fields)


def _numbers(value: Any) -> Any:
    """Numbers in nested lists, nan and infinities as such."""
    if isinstance(value, list):
        return [_numbers(x) for x in value]
    if isinstance(value, dict):
        return complex(_numbers(value["real"]), _numbers(value["imag"]))
    return _NUMBERS[value] if isinstance(value, str) else value


def _typed(hint: Any, value: Any) -> Any:
    """A value as its annotation wants it."""
    origin, args = get_origin(hint), get_args(hint)
    if value is None or hint is Any:
        return value
    if origin in (Union, types.UnionType):
        return _typed(next(arg for arg in args if arg is not type(None)), value)
    if hint is TorchFrame:
        return _built(_FRAMES[value["frame"]], value)
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        hints = get_type_hints(hint)
        return hint(*(_typed(hints[name], x) for name, x in zip(hint._fields, value, strict=True)))
    if dataclasses.is_dataclass(hint):
        return _built(hint, value)  # type: ignore[arg-type]
    if origin is tuple:
        inner = [args[0]] * len(value) if args[-1] is Ellipsis else args
        return tuple(_typed(arg, x) for arg, x in zip(inner, value, strict=True))
    if origin is list:
        return [_typed(args[0], x) for x in value]
    if origin in (dict, Mapping):
        pairs = value.items() if isinstance(value, dict) else value
        return {_typed(args[0], key): _typed(args[1], x) for key, x in pairs}
    return _NUMBERS[value] if hint is float and isinstance(value, str) else value
