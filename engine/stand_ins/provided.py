"""What programs find in place of libraries, and the built-in classes: read, called, imported."""

from __future__ import annotations

import ast
import builtins
import contextlib
import copy
import functools
import importlib
import sys
from types import FunctionType, MethodType, ModuleType
from typing import Any

from engine.arrays.array import Array
from engine.nn import Module
from engine.record.follow import FOLLOWED, plain
from engine.record.objects import known
from engine.stand_ins import (
    copies_of_networks,
    imports,
    numpy,
    own_micrograd,
    torch,
)
from engine.stand_ins.charts import Axes, Figure
from engine.stand_ins.contract import Kind
from engine.stand_ins.implicit import CLASSES
from engine.stand_ins.imports import DRAWS, drawer
from engine.stand_ins.inits import INITS
from engine.stand_ins.kinds_of_values import op_of, operation
from engine.stand_ins.library import LibraryModule, Missing
from engine.stand_ins.names import LIBRARIES, UNKNOWN
from engine.stand_ins.network_calls import call_network
from engine.stand_ins.quiet import Quiet
from engine.stand_ins.tables import FOLLOWING, KINDS, MODULES
from engine.tensors.tensor_array import TensorArray
from engine.value import Value

_TYPES: tuple[type, ...] = tuple(
    one
    for kind in KINDS
    for one in (kind.types if isinstance(kind.types, tuple) else (kind.types,))
)
CONSTRUCTORS = {**numpy.CONSTRUCTORS, **torch.TORCH_CONSTRUCTORS}
_SAME = {"typing_extensions": "typing"}
"""Libraries whose names are those of a module of Python."""
_SILENT = (Quiet, Figure, Axes)
"""Objects that a notebook shows as pictures."""
_EXPECTING = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException", ""})
"""What a handler names that is ready for a missing module; "" stands for a bare one."""
_NOTHING = object()
_BY_TYPE: dict[type, Kind | None] = {}


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
        self.modules: dict[str, ModuleType] = {}
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
            if isinstance(o, type) and issubclass(o, Value | Module):
                return self._of_type(o, name)
            return getattr(o, name)
        if kind is LibraryModule:
            return o.names[name] if name in o.names else m.stand_ins.beyond(o, name)
        if kind is Missing:
            return self.beyond(o, name)
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
        if setter is not None:
            setter(self.machine, o, value)
        elif kind in INITS and issubclass(kind, Module):
            self.machine.refuse(f"{name[:40]} cannot be set here.", "Remove the line.")
        elif isinstance(o, type) and o in CLASSES.values():
            self.machine.patches.setdefault(o, {})[name] = value
        else:
            setattr(o, name, value)

    def beyond(self, owner: Any, name: str) -> Any:
        """A name that a stand-in has not."""
        if isinstance(owner, Missing):
            return imports.of_missing(self.machine, owner.path, name)
        return imports.of_library(self.machine, owner, name)

    # Calls

    def call(self, function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """`function(*args, **keywords)`"""
        m, kind = self.machine, type(function)
        if isinstance(function, type):
            return self._made(function, args, keywords)
        if isinstance(function, Module):
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
        return isinstance(x, _SILENT) or hasattr(type(x), "_repr_svg_")

    # Names and modules

    def implicit(self, name: str) -> Any:
        """A name that no line of the program has set; UNKNOWN if it has no meaning."""
        m = self.machine
        if name in CLASSES:
            return CLASSES[name]
        if name in LIBRARIES:
            return self.module(LIBRARIES[name]) or importlib.import_module(LIBRARIES[name])
        if name == "get_ipython" and "NameError" not in m.source.text:
            return getattr(self.module("IPython"), name)
        if name == "trace" or name in DRAWS:
            return drawer(m, name)
        if op_of(name):
            method = operation(name)
            return lambda *args, **keywords: method(m, *args, **keywords)
        return UNKNOWN

    def module(self, dotted: str) -> Any:
        """The stand-in for a module; None if there is none."""
        m = self.machine
        found = self.modules.get(dotted)
        if found is None:
            if dotted in imports.MICROGRAD or dotted == "seegrad":
                library = imports.library(m, dotted)
            elif dotted in MODULES:
                library = LibraryModule(dotted, MODULES[dotted](m))
                m.natives.modules[dotted] = library
            elif dotted in FOLLOWING:
                names = FOLLOWING[dotted](m)
                library = LibraryModule(dotted, {key: _placed(m, x) for key, x in names.items()})
            else:
                return None
            found = self.modules[dotted] = _Module(self, library)
        return found

    def import_(
        self, name: str, names: Any = None, local: Any = None, wanted: Any = (), level: int = 0
    ) -> Any:
        """`__import__`: stand-ins before Python's own modules; what is missing when it is used."""
        root = name.partition(".")[0]
        if root == "micrograd" and not self.machine.follows_micrograd:
            self._follow_micrograd()
        if wanted:
            found = self.module(name) if not level else None
            return found if found is not None else self._python(name, wanted, level)
        whole = self.module(root) if not level else None
        if whole is None:
            return self._python(name, wanted, level)
        for i, part in enumerate(parts := name.split(".")[1:], 1):
            inner = self.module(".".join([root, *parts[:i]]))
            if inner is not None:
                owner = self.module(".".join([root, *parts[: i - 1]]))
                vars(owner)[part] = inner
        return whole

    def _follow_micrograd(self) -> None:
        """Values are micrograd's from here on: ints stay ints, and they print their gradient."""
        m = self.machine
        imports.follow_convention(m, "micrograd")
        Value.__repr__ = _as_micrograd  # type: ignore[method-assign]
        if own_micrograd.is_needed(m.source):
            m.natives.micrograd = m.micrograd_classes()

    def _python(self, name: str, wanted: Any, level: int) -> Any:
        """A module of Python's library; one that is missing is refused where it is used."""
        name = _SAME.get(name, name)
        if not level and name.partition(".")[0] in sys.stdlib_module_names:
            return builtins.__import__(name, {"__name__": "__main__"}, {}, wanted, 0)
        if not level and self._is_tried():
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        if wanted and "*" in wanted and not level:
            self._note_shared(name)
        return _Absent(self, "." * level + name)

    def _is_tried(self) -> bool:
        """Whether the import under way stands in a `try` that is ready for its failure."""
        node, parents = self.machine.here(), self.machine.source.parents
        while node in parents:
            inner, node = node, parents[node]
            if isinstance(node, ast.Try) and inner in node.body:
                kinds = {getattr(h.type, "id", "") if h.type else "" for h in node.handlers}
                return not kinds.isdisjoint(_EXPECTING)
        return False

    def _note_shared(self, name: str) -> None:
        """Say what the names of the built-in classes mean after `from name import *`."""
        m = self.machine
        if not any(one in m.globals for one in CLASSES):
            m.note(f"{name[:40]} is not here; Value, Neuron, Layer and MLP are the built-in ones.")


class _Module(ModuleType):
    """A stand-in as a module."""

    def __init__(self, stand_ins: StandIns, library: Any) -> None:
        super().__init__(library.name)
        held = vars(self)
        if type(library.names) is dict:
            held.update(library.names)
            held["__all__"] = [name for name in library.names if not name.startswith("_")]
        held["_seegrad_library"], held["_seegrad_owner"] = library, stand_ins

    def __getattr__(self, name: str) -> Any:
        library, owner = vars(self)["_seegrad_library"], vars(self)["_seegrad_owner"]
        if name.startswith("__"):
            raise AttributeError(f"module {library.name!r} has no attribute {name!r}")
        inner = owner.module(f"{library.name}.{name}")
        if inner is not None:
            return inner
        if name in library.names:
            return library.names[name]
        return owner.beyond(library, name)

    def __repr__(self) -> str:
        return f"<module '{self.__name__}'>"


class _Absent(ModuleType):
    """A module that is not here."""

    def __init__(self, stand_ins: StandIns, path: str) -> None:
        super().__init__(path)
        vars(self)["_seegrad_owner"] = stand_ins
        vars(self)["__all__"] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        owner = vars(self)["_seegrad_owner"]
        return imports.of_missing(owner.machine, self.__name__, name)


def _as_micrograd(x: Value) -> str:
    return f"Value(data={x.data}, grad={x.grad})" if type(x) is Value else f"Value(data={x.data})"


def _placed(m: Any, x: Any) -> Any:
    """A function of a module of Python's that follows numbers, told of its place."""
    if not isinstance(x, FunctionType):
        return x

    @functools.wraps(x)
    def call(*args: Any, **keywords: Any) -> Any:
        m.node = m.here()
        return x(*args, **keywords)

    return call


def _patched(value: Any, o: Any) -> Any:
    """What a program has added to a built-in class, read from an object of this class."""
    return MethodType(value, o) if isinstance(value, FunctionType) else value


def _own_names(kind: type) -> set[str]:
    """The names that the program's own classes define among the bases of a class."""
    return {name for base in kind.__mro__ if base not in _TYPES for name in vars(base)}


def _name_of(kind: type) -> str:
    return kind.__name__
