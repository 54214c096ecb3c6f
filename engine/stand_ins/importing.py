"""Imports of a program: stand-ins before Python's own modules, and what is missing."""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any

from engine.value import Value

from . import imports, own_micrograd
from .implicit import CLASSES
from .imports import DRAWS, drawer
from .kinds_of_values import op_of, operation
from .library import LibraryModule
from .names import LIBRARIES, UNKNOWN
from .tables import FOLLOWING, MODULES

_SAME = {"typing_extensions": "typing"}
"""Libraries whose names are those of a module of Python."""
_FAILURES = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
"""The exceptions that a program catches where it has another way without a module."""


class Imports:
    """The modules that one run has imported, and the names that it has without an import."""

    def __init__(self, machine: Any) -> None:
        self.machine = machine
        self.modules: dict[str, ModuleType] = {}

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
                library = LibraryModule(dotted, _following(m, dotted))
            else:
                return None
            found = self.modules[dotted] = _StandIn(self, library)
        return found

    def import_(
        self, name: str, names: Any = None, local: Any = None, wanted: Any = (), level: int = 0
    ) -> Any:
        """`__import__`: stand-ins before Python's own modules; what is missing when it is used."""
        root = name.partition(".")[0]
        if self.machine.is_native and (level or _is_the_callers(root)):
            return builtins.__import__(name, self.machine.globals, {}, wanted, level)
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
        """A module of Python's library; one that is missing is refused where it is used.

        A program that is prepared for its absence hears of it at once.
        """
        name = _SAME.get(name, name)
        path = "." * level + name
        try:
            if level or name.partition(".")[0] not in sys.stdlib_module_names:
                raise imports.not_found(path)
            return builtins.__import__(name, {"__name__": "__main__"}, {}, wanted, 0)
        except ImportError:
            if self._is_expected():
                raise
        if wanted and "*" in wanted and not level:
            self._note_shared(name)
        return _Absent(self.machine, path if wanted else name.partition(".")[0])

    def _note_shared(self, name: str) -> None:
        """Say what the names of the built-in classes mean after `from name import *`."""
        m = self.machine
        if not any(one in m.globals for one in CLASSES):
            m.note(f"{name[:40]} is not here; Value, Neuron, Layer and MLP are the built-in ones.")

    def _is_expected(self) -> bool:
        """Whether the import under way stands where the program catches that it fails."""
        place = self.machine.here()
        return any(place is node for node in self._expected)

    @functools.cached_property
    def _expected(self) -> list[ast.stmt]:
        each = self.machine.source.each
        bodies = [node.body for node in each(ast.Try) if any(map(_catches, node.handlers))]
        bodies += [node.body for node in each(ast.With) if any(map(_suppresses, node.items))]
        return [found for body in bodies for node in body for found in _imports_in(node)]


def _is_the_callers(root: str) -> bool:
    """Whether a run in the caller's Python takes a module from there: all but what is followed."""
    if root in sys.stdlib_module_names or root in imports.MICROGRAD or root == "seegrad":
        return False
    return importlib.util.find_spec(root) is not None


def _following(m: Any, dotted: str) -> Mapping[str, Any]:
    """The names of one of Python's own modules, some of whose functions are followed."""
    native = importlib.import_module(dotted)
    return {
        name: _placed(m, x, getattr(native, name)) if isinstance(x, FunctionType) else x
        for name, x in FOLLOWING[dotted](m).items()
    }


def _placed(m: Any, function: Callable[..., Any], native: Callable[..., Any]) -> Any:
    """`function` told of its place; Python's own says what is wrong with its arguments."""
    if function is native:
        return native

    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        m.node = m.here()
        try:
            return function(*args, **keywords)
        except TypeError as error:
            found = error
        native(*args, **keywords)
        raise found

    return call


# What is expected to be missing


def _catches(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or _names_failure(handler.type)


def _names_failure(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Name) and part.id in _FAILURES for part in ast.walk(node))


def _suppresses(item: ast.withitem) -> bool:
    match item.context_expr:
        case ast.Call(func=ast.Name(id="suppress") | ast.Attribute(attr="suppress"), args=args):
            return any(map(_names_failure, args))
    return False


def _imports_in(node: ast.stmt) -> Iterator[ast.stmt]:
    """The imports in a statement, without those of functions that it defines."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield node
    elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.stmt):
                yield from _imports_in(part)


# Modules


class _StandIn(ModuleType):
    """A stand-in as a module."""

    def __init__(self, owner: Imports, library: Any) -> None:
        super().__init__(library.name)
        held = vars(self)
        if type(library.names) is dict:
            held.update(library.names)
            held["__all__"] = [name for name in library.names if not name.startswith("_")]
        held["_seegrad_library"], held["_seegrad_owner"] = library, owner

    def __getattr__(self, name: str) -> Any:
        library, owner = vars(self)["_seegrad_library"], vars(self)["_seegrad_owner"]
        if name.startswith("__"):
            raise AttributeError(f"module {library.name!r} has no attribute {name!r}")
        inner = owner.module(f"{library.name}.{name}")
        if inner is not None:
            return inner
        if name in library.names:
            return library.names[name]
        return imports.of_library(owner.machine, library, name)

    def __repr__(self) -> str:
        return f"<module '{self.__name__}'>"


class _Absent(ModuleType):
    """A module that is not here."""

    def __init__(self, machine: Any, path: str) -> None:
        super().__init__(path)
        vars(self).update(__all__=[], _seegrad_machine=machine)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return imports.of_missing(vars(self)["_seegrad_machine"], self.__name__, name)


def _as_micrograd(x: Value) -> str:
    return f"Value(data={x.data}, grad={x.grad})" if type(x) is Value else f"Value(data={x.data})"
