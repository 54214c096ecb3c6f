"""Attributes, guarded: objects of a program have their own, all others those of the tables."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

from engine.nn import Module
from engine.value import Value

from .classes import LINEAGE, ProgramType, Thing, is_mixin, is_special
from .contract import Method
from .hooks import HOOKS, hook_of
from .inits import INITS
from .kinds import kind_of, method_of
from .library import Library, Missing
from .lineage import lineage, mro, refuse_lineage
from .members import BESIDE, check_assignment, check_deletion, check_member, hashing
from .native_kinds import attribute_of_type, unbound
from .native_specials import is_own_special, special_method
from .storing import checked_name, engines_own, readable_name, store
from .texts import name_of_type

if TYPE_CHECKING:
    from .machine import Machine

__all__ = ["delete_attribute", "get_attribute", "method_of", "set_attribute"]

_OF_CLASSES = frozenset({"__name__", "__qualname__", "__doc__", "__module__", "__annotations__"})
_SETTABLE_OF_FUNCTIONS = frozenset({"__name__", "__qualname__", "__doc__"})


def get_attribute(m: Machine, o: Any, name: str) -> Any:
    """`o.name`. Raises AttributeError as Python does, Refused for what no program may read."""
    name = readable_name(m, name)
    kind = type(o)
    if name in HOOKS:
        return hook_of(m, o, name)
    if isinstance(kind, ProgramType):
        return getattr(o, name) if kind._seegrad_plain else _of_instance(m, o, kind, name)
    if isinstance(o, ProgramType):
        return _of_class(m, o, name)
    if kind is super:
        return _of_super(m, o, name)
    if kind is Library:
        return _of_library(m, o, name)
    if kind is Missing:
        return m.beyond(o, name)
    if isinstance(o, type):
        return _of_type(m, o, name)
    return _of_native(m, o, name)


def _of_instance(m: Machine, o: Any, kind: type, name: str) -> Any:
    """An attribute of an object whose class derives from one of ours or of Python's."""
    if name in engines_own(o):
        raise AttributeError(f"'{name_of_type(o)}' object has no attribute '{name}'")
    own = getattr(o, "__dict__", {})
    for base in kind.__mro__:
        if name in base.__dict__:
            if isinstance(base, ProgramType) or base in (Thing, object):
                return getattr(o, name)
            return own[name] if name in own else _of_native(m, o, name)
    return getattr(o, name)


def _of_class(m: Machine, cls: Any, name: str) -> Any:
    if name in _OF_CLASSES:
        return getattr(cls, name)
    if name in LINEAGE:
        return lineage(m, cls)
    for base in cls.__mro__:
        if name in base.__dict__:
            if isinstance(base, ProgramType) or base in (Thing, object):
                return getattr(cls, name)
            return _of_type(m, base, name)
    if name == "mro":
        return mro(m, cls)
    raise AttributeError(f"type object '{cls.__name__}' has no attribute '{name}'")


def _of_super(m: Machine, o: Any, name: str) -> Any:
    """`super().name`: of the next class that has it."""
    if not isinstance(o.__thisclass__, ProgramType) or o.__self_class__ is None:
        m.refuse("super takes a class of the program and an object of it.", "Write super().")
    mro = o.__self_class__.__mro__
    for base in mro[mro.index(o.__thisclass__) + 1 :]:
        if name in base.__dict__:
            if isinstance(base, ProgramType) or base in (Thing, object):
                return getattr(o, name)
            return _inherited(m, o, base, name)
    raise AttributeError(f"'super' object has no attribute '{name}'")


def _inherited(m: Machine, o: Any, base: type, name: str) -> Any:
    instance = o.__self__
    if name == "__init__":
        return _init(m, base, instance)
    method = kind_of(base).methods.get(name)
    if method:
        return _bound(m, instance, method)
    is_native = base.__module__ == "builtins" and name != "__class_getitem__"
    if is_native and is_special(name) and callable(getattr(base, name)):
        return special_method(m, base, instance, name)
    raise AttributeError(f"'super' object has no attribute '{name}'")


def _init(m: Machine, base: type, instance: Any) -> Any:
    """The initialisation of an object by a class of ours or of Python's."""
    made = INITS.get(base)
    if made is not None and isinstance(instance, base):
        return lambda *args, **keywords: made(m, instance, *args, **keywords)
    if base.__module__ != "builtins" or not isinstance(instance, base):
        m.refuse("This __init__ cannot be called by its name here.", "Call the class itself.")
    return special_method(m, base, instance, "__init__")


def _of_type(m: Machine, kind: type, name: str) -> Any:
    """`kind.name` of a type of ours or of Python's: an unbound method."""
    patched = m.patches.get(kind, {}).get(name)
    if patched is not None:
        return patched
    if name == "__init__":
        return lambda self, *args, **keywords: _init(m, kind, self)(*args, **keywords)
    if issubclass(kind, Value | Module) and name in kind_of(kind).methods:
        method = kind_of(kind).methods[name]
        return unbound(m, kind, name, method)
    refuse_lineage(m, kind, name)
    return attribute_of_type(m, kind, name)


def _of_library(m: Machine, library: Library, name: str) -> Any:
    if name in library.names:
        return library.names[name]
    if name == "__name__":
        return library.name
    return m.beyond(library, name)


def _of_native(m: Machine, o: Any, name: str) -> Any:
    for base in type(o).__mro__ if m.patches else ():
        if name in m.patches.get(base, {}):
            return m.patched(m.patches[base][name], o)
    kind = kind_of(type(o))
    read = kind.attributes.get(name)
    if read is not None:
        return read(m, o)
    method = kind.methods.get(name)
    if method is not None:
        return _bound(m, o, method)
    if isinstance(o, FunctionType) and name in o.__dict__ and o.__module__ == "__main__":
        return o.__dict__[name]
    if is_special(name) and is_own_special(type(o), name):
        return special_method(m, type(o), o, name)
    raise AttributeError(f"'{name_of_type(o)}' object has no attribute '{name}'")


def _bound(m: Machine, o: Any, method: Method) -> Any:
    def bound(*args: Any, **keywords: Any) -> Any:
        return method(m, o, *args, **keywords)

    return bound


def set_attribute(m: Machine, o: Any, name: str, value: Any) -> None:
    """`o.name = value`. Raises AttributeError as Python does."""
    name = checked_name(m, name)
    kind = type(o)
    if isinstance(kind, ProgramType):
        if kind._seegrad_sets:
            setattr(o, name, value)
        else:
            store(m, o, name, value)
    elif isinstance(o, ProgramType):
        check_member(m, (*o.__mro__, *BESIDE) if is_mixin(o) else o.__mro__, name)
        check_assignment(o, name)
        setattr(o, name, hashing(m, value) if name == "__hash__" else value)
    elif isinstance(o, type) and issubclass(o, Value | Module):
        if is_special(name):
            hint = f"Define it in a class of your own: class My{o.__name__}({o.__name__})."
            m.refuse(f"{name} of the built-in {o.__name__} cannot be replaced.", hint)
        m.patches.setdefault(o, {})[name] = value
    elif kind is FunctionType and o.__module__ == "__main__" and _may_hold(name):
        setattr(o, name, value)
    elif setter := kind_of(kind).setters.get(name):
        setter(m, o, value)
    else:
        _refuse_setting(m, o, name)


def _may_hold(name: str) -> bool:
    return not name.startswith("__") or name in _SETTABLE_OF_FUNCTIONS


def _refuse_setting(m: Machine, o: Any, name: str) -> None:
    if isinstance(o, Library | Missing | Module):
        m.refuse(f"{name[:40]} cannot be set here.", "Remove the line.")
    if isinstance(o, type):
        raise TypeError(f"cannot set '{name}' attribute of immutable type '{o.__name__}'")
    shown = name_of_type(o)
    if name in kind_of(type(o)).attributes:
        raise AttributeError(f"attribute '{name}' of '{shown}' objects is not writable")
    raise AttributeError(f"'{shown}' object has no attribute '{name}'")


def delete_attribute(m: Machine, o: Any, name: str) -> None:
    """`del o.name`, of objects and classes of the program."""
    name = checked_name(m, name)
    if isinstance(type(o), ProgramType):
        delattr(o, name)
    elif isinstance(o, ProgramType):
        check_deletion(o, name)
        delattr(o, name)
    elif isinstance(o, FunctionType) and name in o.__dict__ and o.__module__ == "__main__":
        del o.__dict__[name]
    else:
        raise AttributeError(f"'{name_of_type(o)}' object has no attribute '{name}'")
