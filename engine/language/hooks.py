"""Special methods that CPython calls for classes and attributes, with guarded defaults.

A class of the program may define them. What `object` itself has under these names works on any
object, so a program gets functions in its place that reach its own objects only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .classes import ProgramType, Thing, is_refused
from .contract import Machine
from .native_specials import native_arguments
from .storing import delete_by_object, store_by_object

Hook = Callable[..., Any]


def _init_subclass(m: Machine, cls: Any, /, **keywords: Any) -> None:
    if keywords:
        raise TypeError(f"{cls.__name__}.__init_subclass__() takes no keyword arguments")


def names_of(m: Machine, o: Any, /) -> list[str]:
    """The names that `dir(o)` lists, of an object or class of the program, in order."""
    kind = o if isinstance(o, ProgramType) else type(o)
    held = {} if o is kind else getattr(o, "__dict__", {})
    found = set(held).union(*(vars(base) for base in kind.__mro__))
    m.spend(2 * len(found))
    return sorted(name for name in found if not is_refused(name))


def _new(m: Machine, cls: Any, /, *args: Any, **keywords: Any) -> Any:
    """`super().__new__(cls, …)`: an object without a call of `__init__`."""
    if not isinstance(cls, ProgramType):
        m.refuse("__new__ makes objects of the program's own classes here.", "Call the class.")
    base = next(base for base in cls.__mro__ if not isinstance(base, ProgramType))
    if base.__module__.partition(".")[0] == "engine" and base is not Thing:
        m.refuse(f"A {base.__name__} is made by its __init__ here.", "Call the class.")
    m.spend(_OBJECT_COST)
    if base.__module__ != "builtins" or base is object:
        if args or keywords:
            raise TypeError("object.__new__() takes exactly one argument (the type to instantiate)")
        return object.__new__(cls)  # type: ignore[arg-type]  # mypy reads a metaclass
    made: Any = base.__new__
    return made(cls, *native_arguments(m, cls, args), **keywords)


_OBJECT_COST = 8
DEFAULTS: dict[str, Hook] = {
    "__setattr__": store_by_object,
    "__delattr__": delete_by_object,
    "__init_subclass__": _init_subclass,
    "__dir__": names_of,
    "__new__": _new,
}
"""What `object` does, by name: `f(m, o, …)`."""
HOOKS = frozenset(DEFAULTS)


def hook_of(m: Machine, o: Any, name: str) -> Any:
    """`o.name` for one of HOOKS: what the program defines, or the guarded default."""
    given: Any = o
    if type(o) is super:
        classes = _after(o)
    elif isinstance(o, type):
        classes = o.__mro__
    elif isinstance(type(o), ProgramType):
        classes = type(o).__mro__
    else:
        return m.refuse(f"{name} belongs to a program's own classes here.", "Remove it.")
    for base in classes:
        if isinstance(base, ProgramType) and name in vars(base):
            return getattr(given, name)
    if name == "__new__" or (isinstance(given, type) and name != "__init_subclass__"):
        return _named(name, lambda *args, **keywords: DEFAULTS[name](m, *args, **keywords))
    owner = getattr(given, "__self__") if type(o) is super else given  # noqa: B009
    return _named(name, lambda *args, **keywords: DEFAULTS[name](m, owner, *args, **keywords))


def _after(o: Any) -> tuple[type, ...]:
    """The classes in which `super()` looks, after its own one."""
    if not isinstance(o.__thisclass__, ProgramType) or o.__self_class__ is None:
        return ()
    mro: tuple[type, ...] = o.__self_class__.__mro__
    return mro[mro.index(o.__thisclass__) + 1 :]


def _named(name: str, function: Hook) -> Hook:
    function.__name__ = function.__qualname__ = name
    return function
