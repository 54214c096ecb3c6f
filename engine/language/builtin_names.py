"""The built-in functions that list names: `globals()`, `vars(x)` and `dir(x)`.

They give copies: no namespace of ours can be reached. That of an object of the program passes what
is set in it on to the object, as an attribute.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .classes import RESERVED, ProgramType, is_refused
from .contract import Machine
from .hooks import HOOKS, hook_of, names_of
from .kinds import kind_of
from .library import Library
from .names import implicit
from .snapshot import Snapshot
from .weights import listed

_OF_MODULE = ("__name__", "__doc__")
"""The names that a program's module has before its first line, of those that exist here."""


def globals_(m: Machine) -> Snapshot:
    """The names of the program's module."""
    known = {name: implicit(m, name) for name in _OF_MODULE}
    return _copy(m, "globals()", {**known, **m.globals})


def vars_(m: Machine, *args: Any) -> Snapshot:
    """The attributes of an object of the program; without an argument those of its module."""
    if not args:
        if m.depth:
            m.refuse("vars() without an argument is not here in a function.", "Write vars(x).")
        return globals_(m)
    (x,) = args
    return _of_class(m, x) if isinstance(x, ProgramType) else _of_object(m, x)


def attributes_of(m: Machine, x: Any) -> Snapshot:
    """`x.__dict__`, for objects and classes of the program; refused for all others."""
    if not isinstance(x, ProgramType) and not isinstance(type(x), ProgramType):
        m.refuse("__dict__ is reserved.", "It could reach outside of the program.")
    return vars_(m, x)


def _of_object(m: Machine, x: Any) -> Snapshot:
    """Items that are set become attributes of the object."""
    kind = type(x)
    held = getattr(x, "__dict__", None) if isinstance(kind, ProgramType) else None
    if not isinstance(held, dict):
        if isinstance(x, type | Library):
            m.refuse("vars takes an object of the program.", "Write dir(x) for its names.")
        raise TypeError("vars() argument must have __dict__ attribute")
    if not _holds_all_itself(kind):
        m.refuse("vars takes an object of a class of the program alone.", "Name the attributes.")
    found = _copy(m, "vars(x)", held)
    found.write = lambda name, value: m.set_attribute(x, name, value)
    return found


def _holds_all_itself(kind: Any) -> bool:
    """Whether an object's attributes are those of the program; PyTorch's modules have others."""
    is_module = getattr(kind, "_seegrad_session", None) is not None
    return kind._seegrad_plain and kind._seegrad_items is None and not is_module


def _of_class(m: Machine, cls: Any) -> Snapshot:
    """What the class itself defines, without the names that no program may read."""
    names = [name for name in vars(cls) if not is_refused(name) and name not in HOOKS]
    return _copy(m, "vars(x)", {name: m.get_attribute(cls, name) for name in names})


def _copy(m: Machine, shown: str, names: dict[str, Any]) -> Snapshot:
    m.spend(8 + 2 * len(names))
    found = Snapshot({
        name: x for name, x in names.items()
        if type(name) is str and not name.startswith((RESERVED, "."))
    })  # fmt: skip
    found.refuse = lambda: m.refuse(f"What {shown} gives can only be read here.", _WRITE)
    return found


_WRITE = "Set the name itself, or use setattr."


def dir_(m: Machine, *args: Any) -> list[Any]:
    """The names of an object, in order; without an argument those of the program's module."""
    if not args:
        return sorted(vars_(m))
    (x,) = args
    if isinstance(x, ProgramType):
        return names_of(m, x)
    if isinstance(type(x), ProgramType):
        found = listed(m, m.call(hook_of(m, x, "__dir__")))
    elif isinstance(x, Library):
        found = list(x.names)
    elif _is_pythons(x):
        found = [name for name in dir(x) if not is_refused(name)]
    else:
        kind = kind_of(type(x))
        found = [*kind.attributes, *kind.methods]
    m.spend(8 * len(found))
    return sorted(found)


def _is_pythons(x: Any) -> bool:
    """Whether `dir(x)` runs no code but CPython's own and tells nothing of ours."""
    kind = x if isinstance(x, type) else type(x)
    return kind.__module__ == "builtins" and (
        not callable(x) or any(x is known for known in _TYPES)
    )


_TYPES: tuple[Any, ...] = (int, float, str, list, dict, tuple, set, frozenset, bool, object)

FUNCTIONS: tuple[Callable[..., Any], ...] = (globals_, vars_, dir_)
