"""What programs find in place of libraries, and the built-in classes: read, called, imported."""

from __future__ import annotations

import ast
import contextlib
import copy
from types import FunctionType, MethodType
from typing import Any

from engine.arrays.array import Array
from engine.nn import Module
from engine.record.follow import FOLLOWED, is_a, plain
from engine.record.objects import known
from engine.stand_ins import copies_of_networks, imports, numpy, torch
from engine.stand_ins.charts import Axes, Figure
from engine.stand_ins.contract import Kind
from engine.stand_ins.implicit import CLASSES
from engine.stand_ins.importing import Imports
from engine.stand_ins.inits import INITS
from engine.stand_ins.library import LibraryModule, Missing
from engine.stand_ins.network_calls import call_network
from engine.stand_ins.quiet import Quiet
from engine.stand_ins.tables import KINDS
from engine.tensors.tensor_array import TensorArray
from engine.value import Value

_TYPES: tuple[type, ...] = tuple(
    one
    for kind in KINDS
    for one in (kind.types if isinstance(kind.types, tuple) else (kind.types,))
)
CONSTRUCTORS = {**numpy.CONSTRUCTORS, **torch.TORCH_CONSTRUCTORS}
_SILENT = (Quiet, Figure, Axes)
"""Objects that a notebook shows as pictures."""
_NOTHING = object()
_BY_TYPE: dict[type, Kind | None] = {}
"""The entries of the types that a run has met."""


def kind_of(kind: type) -> Kind | None:
    """The entry of a type that a stand-in or the built-in classes make; None of any other."""
    found: Any = _BY_TYPE.get(kind, _NOTHING)
    if found is _NOTHING:
        found = next((entry for entry in KINDS if issubclass(kind, entry.types)), None)
        _BY_TYPE[kind] = found
    entry: Kind | None = found
    return entry


def _install(cls: type, name: str, method: Any) -> None:
    """Give a class a special method of the tables, which Python itself looks up."""

    def special(self: Any, *args: Any, **keywords: Any) -> Any:
        return method(known.machine, self, *args, **keywords)

    special.__name__ = name
    setattr(cls, name, special)


def _install_all() -> None:
    for entry in KINDS:
        types = entry.types if isinstance(entry.types, tuple) else (entry.types,)
        for cls in types:
            for name, method in entry.methods.items():
                is_special = name.startswith("__") and name.endswith("__")
                is_ours = not issubclass(cls, (Value, Module, float, int))
                if is_special and is_ours and name not in vars(cls):
                    with contextlib.suppress(TypeError):
                        _install(cls, name, method)
    for cls, copied in copies_of_networks.LIBRARY.items():
        _install(cls, "__deepcopy__", _deep(copied))


def _deep(copied: Any) -> Any:
    return lambda m, x, memo: copied(m, x, lambda part: copy.deepcopy(part, memo), _Memo(memo))


class _Memo:
    """The memo of `copy.deepcopy`, as the tables write to it."""

    def __init__(self, memo: dict[int, Any]) -> None:
        self.memo = memo

    def __setitem__(self, key: int, pair: tuple[Any, Any]) -> None:
        self.memo[key] = pair[1]


_install_all()


class StandIns:
    """The stand-ins of one run."""

    def __init__(self, machine: Any) -> None:
        self.machine = machine
        self.imports = Imports(machine)
        _BY_TYPE.clear()  # the classes of the last program held all of its run
        self.is_used = False
        """Whether the program may use a stand-in or a built-in class."""
        self.lends = not machine.source.each(ast.ClassDef)
        """Whether plain numbers have the attributes of Values: in a program without classes."""
        self.nameable = frozenset(
            {*FOLLOWED, *(kind for kind in _TYPES if issubclass(kind, Value)), list}
            | {TensorArray, Array}
        )
        """Types of what is named by the variable that holds it."""

    def adopt(self, cls: type) -> None:
        """A class of the program: its objects are Python's alone, unless it builds on ours."""
        if not issubclass(cls, (Value, Module, *_TYPES)):
            self.machine.plain_kinds.add(cls)

    # Objects

    def read(self, o: Any, name: str) -> Any:
        """`o.name`"""
        m, kind = self.machine, type(o)
        if kind in FOLLOWED and not self.lends:
            return getattr(plain(o), name)
        entry = kind_of(kind)
        if entry is None:
            if kind is super:
                return self._of_super(o, name)
            if is_a(o, type) and issubclass(o, Value | Module):
                return self._of_type(o, name)
            return getattr(o, name)
        if kind is LibraryModule:
            return o.names[name] if name in o.names else imports.of_library(m, o, name)
        if kind is Missing:
            return getattr(o, name)
        if kind in FOLLOWED and name.startswith("__"):
            return getattr(plain(o), name)
        for base in kind.__mro__:
            if base in m.patches and name in m.patches[base]:
                return _patched(m.patches[base][name], o)
            if base in _TYPES:
                break
            if name in vars(base):
                return getattr(o, name)
        held = getattr(o, "__dict__", {})
        if name in held and kind not in _TYPES:
            return held[name]
        reader = entry.attributes.get(name)
        if reader is not None:
            return reader(m, o)
        method = entry.methods.get(name)
        if method is not None:
            return lambda *args, **keywords: method(m, o, *args, **keywords)
        if kind in FOLLOWED:
            return getattr(plain(o), name)
        if kind in _TYPES and not (name.startswith("__") and name.endswith("__")):
            if issubclass(kind, float | int) and hasattr(o, name):
                return getattr(o, name)
            raise AttributeError(f"'{_name_of(kind)}' object has no attribute '{name}'")
        return getattr(o, name)

    def _of_super(self, o: Any, name: str) -> Any:
        m = self.machine
        mro = o.__self_class__.__mro__
        for base in mro[mro.index(o.__thisclass__) + 1 :]:
            if name not in vars(base) and base not in INITS:
                continue
            if base in INITS and name == "__init__":
                return lambda *args, **keywords: INITS[base](m, o.__self__, *args, **keywords)
            entry = kind_of(base)
            if base in _TYPES and entry is not None and name in entry.methods:
                method = entry.methods[name]
                return lambda *args, **keywords: method(m, o.__self__, *args, **keywords)
            break
        return getattr(o, name)

    def _of_type(self, cls: Any, name: str) -> Any:
        m = self.machine
        entry = kind_of(cls)
        own = next((base for base in cls.__mro__ if name in vars(base)), None)
        if cls in INITS and name == "__init__":
            return lambda self, *args, **keywords: INITS[cls](m, self, *args, **keywords)
        if (own is None or own in INITS) and entry is not None and name in entry.methods:
            method = entry.methods[name]
            return lambda *args, **keywords: method(m, *args, **keywords)
        return getattr(cls, name)

    def write(self, o: Any, name: str, value: Any) -> None:
        """`o.name = value`"""
        kind = type(o)
        entry = kind_of(kind)
        setter = entry.setters.get(name) if entry is not None else None
        if kind in FOLLOWED and (setter is None or not self.lends):
            setattr(plain(o), name, value)
        elif setter is not None:
            setter(self.machine, o, value)
        elif kind in INITS and issubclass(kind, Module):
            self.machine.refuse(f"{name[:40]} cannot be set here.", "Remove the line.")
        elif is_a(o, type) and o in CLASSES.values():
            self.machine.patches.setdefault(o, {})[name] = value
        else:
            setattr(o, name, value)

    # Calls

    def call(self, function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """`function(*args, **keywords)`"""
        m, kind = self.machine, type(function)
        if issubclass(kind, type):
            return self._made(function, args, keywords)
        if issubclass(kind, Module):
            kind_of(kind)
            if kind in INITS or "__call__" not in _own_names(kind):
                return call_network(m, function, args, keywords)
            return function(*args, **keywords)
        found = kind_of(kind)
        if found is not None:
            method = found.methods.get("__call__")
            if method is not None:
                return method(m, function, *args, **keywords)
            if kind is Missing:
                function.refuse()
        return function(*args, **keywords)

    def _made(self, cls: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """An object of a class."""
        m = self.machine
        constructor = CONSTRUCTORS.get(cls)
        if constructor is not None:
            return constructor(m, *args, **keywords)
        if cls in INITS:
            made = object.__new__(cls)
            INITS[cls](m, made, *args, **keywords)
            return made
        if not issubclass(cls, Value | Module):
            return cls(*args, **keywords)
        around, m.maker = m.maker, m.node
        try:
            for base in cls.__mro__:
                if "__init__" in vars(base):
                    if base not in INITS:
                        return cls(*args, **keywords)
                    made = cls.__new__(cls)
                    INITS[base](m, made, *args, **keywords)
                    return made
            return cls(*args, **keywords)
        finally:
            m.maker = around

    def names_of(self, owner: Any) -> set[str]:
        """The attributes that objects of a type have."""
        if not isinstance(owner, type):
            return set()
        entry = kind_of(owner)
        if entry is None:
            return set(dir(owner))
        return {*entry.attributes, *entry.methods}

    def is_callable(self, x: Any) -> bool:
        entry = kind_of(type(x))
        return entry is not None and "__call__" in entry.methods

    def is_silent(self, x: Any) -> bool:
        """Whether a notebook shows `x` as a picture, not as text."""
        return is_a(x, _SILENT) or hasattr(type(x), "_repr_svg_")


def _patched(value: Any, o: Any) -> Any:
    """What a program has added to a built-in class, read from an object of this class."""
    return MethodType(value, o) if isinstance(value, FunctionType) else value


def _own_names(kind: type) -> set[str]:
    """The names that the program's own classes define among the bases of a class."""
    return {name for base in kind.__mro__ if base not in _TYPES for name in vars(base)}


def _name_of(kind: type) -> str:
    return kind.__name__
