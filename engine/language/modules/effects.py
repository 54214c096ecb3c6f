"""Modules for the interpreter and its surroundings: what is harmless does nothing.

What would read or write is refused at the call, by the name that is not in the tables.
"""

from __future__ import annotations

import posixpath
import sys
import weakref
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from engine.language.builtin_iteration import bound
from engine.language.classes import ProgramType, make_class
from engine.language.contract import Kind, Machine
from engine.language.library import Library
from engine.language.texts import repr_text
from engine.language.weights import text_cost

from .named_tuples import namedtuple
from .quiet import Quiet

VERSION = (3, 11, 7, "final", 0)


class Stream:
    """`sys.stdout`, or `sys.stderr`, whose text goes nowhere."""

    def __init__(self, *, shown: bool) -> None:
        self.shown = shown


def _write(m: Machine, stream: Stream, text: Any) -> int:
    if not isinstance(text, str):
        raise TypeError(f"write() argument must be str, not {type(text).__name__}")
    if stream.shown:
        m.print_text(text)
    return len(text)


STREAM = Kind(
    Stream,
    "a stream of text",
    methods={
        "write": _write,
        "flush": lambda m, stream: None,
        "isatty": lambda m, stream: False,
    },
)


def nothing(m: Machine, *args: Any, **kwargs: Any) -> None:
    """A call that changes nothing in a program's numbers."""
    m.spend(1)


def _quiet(m: Machine, *args: Any, **kwargs: Any) -> Quiet:
    m.spend(1)
    return Quiet("nothing")


def _silent(m: Machine, *names: str) -> dict[str, Any]:
    return {name: bound(m, nothing, name) for name in names}


def sys_names(m: Machine) -> dict[str, Any]:
    """The names of the module `sys`."""
    info = namedtuple(m, "version_info", "major minor micro releaselevel serial")
    floats = {name: getattr(sys.float_info, name) for name in (
        "max", "max_exp", "max_10_exp", "min", "min_exp", "min_10_exp", "dig", "mant_dig",
        "epsilon", "radix", "rounds",
    )}  # fmt: skip
    float_info = namedtuple(m, "float_info", " ".join(floats), module="sys")
    return {
        **_silent(m, "setrecursionlimit", "settrace", "setprofile"),
        "maxsize": sys.maxsize, "version": "3.11.7", "version_info": info(*VERSION),
        "float_info": float_info(*floats.values()), "platform": "linux", "byteorder": "little",
        "argv": [""], "path": [""], "modules": {},
        "getrecursionlimit": bound(m, lambda m: 1000, "getrecursionlimit"),
        "stdout": Stream(shown=True), "stderr": Stream(shown=False),
        "exit": bound(m, _exit, "exit"),
        "executable": "", "maxunicode": sys.maxunicode,
        "getsizeof": bound(m, _size, "getsizeof"),
    }  # fmt: skip


def _exit(m: Machine, *args: Any) -> None:
    raise SystemExit(*args)


def _size(m: Machine, *args: Any) -> Any:
    m.refuse("sys.getsizeof is not here: sizes differ between versions of Python.", "Remove it.")


def os_names(m: Machine) -> dict[str, Any]:
    """The names of the module `os` that touch nothing."""
    names = {"environ": {}, "sep": "/", "linesep": "\n", "name": "posix", "pathsep": ":"}
    return {**names, "path": Library("os.path", path_names(m))}


_FOLDER = "/home/learner"
_OF_TEXT = ("join", "dirname", "basename", "split", "splitext", "normpath", "isabs")


def path_names(m: Machine) -> dict[str, Any]:
    """The names of the module `os.path` that compute with texts: no file is looked at."""

    def of_texts(name: str) -> Any:
        def call(*parts: Any) -> Any:
            m.spend(4 + sum(text_cost(x) for x in parts if isinstance(x, str)))
            return getattr(posixpath, name)(*parts)

        call.__name__ = call.__qualname__ = name
        return call

    def abspath(path: Any) -> str:
        return str(call_normal(call_join(_FOLDER, path)))

    call_join, call_normal = of_texts("join"), of_texts("normpath")
    table = {name: of_texts(name) for name in _OF_TEXT}
    return {**table, "abspath": abspath, "realpath": abspath, "sep": "/", "pardir": ".."}


def warnings_names(m: Machine) -> dict[str, Any]:
    """The names of the module `warnings`."""
    silent = _silent(m, "filterwarnings", "simplefilter", "resetwarnings", "warn", "warn_explicit")
    return {**silent, "catch_warnings": bound(m, _quiet, "catch_warnings")}


def logging_names(m: Machine) -> dict[str, Any]:
    """The names of the module `logging`."""
    silent = ("basicConfig", "debug", "info", "warning", "error", "critical", "exception", "log",
              "disable", "captureWarnings")  # fmt: skip
    quiet = ("getLogger", "StreamHandler", "Formatter", "NullHandler", "Logger")
    levels = {"DEBUG": 10, "INFO": 20, "WARNING": 30, "ERROR": 40, "CRITICAL": 50, "NOTSET": 0}
    return {**_silent(m, *silent), **{name: bound(m, _quiet, name) for name in quiet}, **levels}


def gc_names(m: Machine) -> dict[str, Any]:
    """The names of the module `gc`."""
    return {"collect": bound(m, lambda m, *args: 0, "collect"), **_silent(m, "enable", "disable")}


def weakref_names(m: Machine) -> dict[str, Any]:
    """The names of the module `weakref`."""
    return {"ref": bound(m, _reference, "ref")}


def _reference(m: Machine, x: Any, callback: Any = None, /) -> Any:
    """`weakref.ref(x)`: a function that gives `x` as long as it is there."""
    m.spend(8)
    if callback is not None:
        m.refuse("A callback of a reference is not here.", "Leave it out.")
    if not isinstance(type(x), ProgramType):
        m.refuse("ref takes an object of a class of the program.", "Hold the object itself.")
    held = weakref.ref(x)
    return lambda: held()  # noqa: PLW0108 -- no native callable reaches a program


def pdb_names(m: Machine) -> dict[str, Any]:
    """The names of the module `pdb`."""
    return _silent(m, "set_trace", "post_mortem", "breakpoint")


def importlib_names(m: Machine) -> dict[str, Any]:
    """The names of the module `importlib`."""
    return {"reload": bound(m, lambda m, module: module, "reload")}


def asyncio_names(m: Machine) -> dict[str, Any]:
    """The names of `nest_asyncio`."""
    return _silent(m, "apply")


def traceback_names(m: Machine) -> dict[str, Any]:
    """The names of the module `traceback`: its texts go to the error stream."""
    return _silent(m, "print_exc", "print_stack", "print_exception", "print_tb")


def types_names(m: Machine) -> dict[str, Any]:
    """The names of the module `types`."""

    def init(self: Any, /, **kwargs: Any) -> None:
        for name, value in kwargs.items():
            m.set_attribute(self, name, value)

    def written(self: Any) -> str:
        parts = [f"{name}={repr_text(m, value)}" for name, value in vars(self).items()]
        return f"namespace({', '.join(parts)})"

    def equal(self: Any, other: Any) -> Any:
        m.spend(1 + len(vars(self)))
        return vars(self) == vars(other) if type(other) is type(self) else NotImplemented

    methods = {"__init__": init, "__repr__": written, "__eq__": equal}
    kinds: dict[str, Any] = {
        "MethodType": MethodType,
        "FunctionType": FunctionType,
        "LambdaType": FunctionType,
    }
    return {**kinds, "SimpleNamespace": make_class("SimpleNamespace", (), methods)}


def _bound_method(m: Machine, function: Any, x: Any, /) -> Any:
    """`types.MethodType(f, x)`; a callable object in a function of ours.

    A chain of methods of methods would be called in C alone, without a bound in depth.
    """
    m.spend(6)
    if type(function) is FunctionType:
        return MethodType(function, x)
    if not isinstance(type(function), ProgramType):
        m.refuse("MethodType takes a function or an object of the program here.", "Write a def.")
    called = m.callable(function)
    return MethodType(lambda *args, **keywords: called(*args, **keywords), x)  # noqa: PLW0108


CONSTRUCTORS: dict[type, Callable[..., Any]] = {MethodType: _bound_method}
"""The guarded constructors of the module `types`."""


def pprint_names(m: Machine) -> dict[str, Any]:
    """The names of the module `pprint`."""

    def pprint(x: Any, *args: Any, **kwargs: Any) -> None:
        m.print_text(_pretty(m, x, kwargs) + "\n")

    def pformat(x: Any, *args: Any, **kwargs: Any) -> str:
        return _pretty(m, x, kwargs)

    return {"pprint": pprint, "pp": pprint, "pformat": pformat}


def _pretty(m: Machine, x: Any, kwargs: dict[str, Any]) -> str:
    """`repr(x)`, or its items line by line, sorted by key, if it is wider than a line."""
    text = repr_text(m, x)
    width = kwargs.get("width", 80)
    if isinstance(x, dict) and kwargs.get("sort_dicts", True):
        try:
            keys = sorted(x)
        except TypeError:
            keys = list(x)
        parts = [f"{repr_text(m, key)}: {repr_text(m, x[key])}" for key in keys]
        text = f"{{{', '.join(parts)}}}"
        return text if len(text) <= width else "{" + ",\n ".join(parts) + "}"
    if len(text) <= width or type(x) not in (list, tuple):
        return text if not isinstance(x, str) else repr_text(m, x)
    start, end = text[0], text[-1]
    return start + ",\n ".join(repr_text(m, item) for item in x) + end
