"""The words that programs use: Python's own, those of the built-in classes and of the stand-ins.

Python's are read from the modules of this Python, which may be older than the one in the sandbox,
and never from a program.
"""

from __future__ import annotations

import builtins
import importlib
import sys
from types import BuiltinFunctionType, ModuleType

from engine.record.follow import UNTYPED
from engine.record.recorder import Recorder
from engine.record.source import Limits, Source
from engine.stand_ins.implicit import CLASSES
from engine.stand_ins.kinds_of_values import OP_ALIASES
from engine.stand_ins.library import Missing
from engine.stand_ins.names import LIBRARIES
from engine.stand_ins.tables import KINDS, MODULES

__all__ = [
    "ABSENT", "CLASSES", "EXCEPTIONS", "FUNCTIONS", "LIBRARIES", "OP_ALIASES", "TYPES",
    "members", "modules", "python_module", "special",
]  # fmt: skip
_BUILT_IN = {
    name: x
    for name, x in vars(builtins).items()
    if isinstance(x, type | BuiltinFunctionType) and not name.startswith("_")
}
EXCEPTIONS = sorted(
    name for name, x in _BUILT_IN.items() if isinstance(x, type) and issubclass(x, BaseException)
)
TYPES = sorted(
    name for name, x in _BUILT_IN.items() if isinstance(x, type) and name not in EXCEPTIONS
)
FUNCTIONS = sorted(name for name, x in _BUILT_IN.items() if not isinstance(x, type))

_TAUGHT = (
    "abc", "bisect", "collections", "contextlib", "copy", "dataclasses", "datetime", "enum",
    "fractions", "functools", "heapq", "itertools", "json", "math", "numbers", "operator", "random",
    "statistics", "string", "textwrap", "timeit", "typing",
)  # fmt: skip
"""Modules of Python's whose names are words."""
_SOME = {
    "argparse": "ArgumentParser Namespace",
    "gc": "collect disable enable",
    "hashlib": "blake2b md5 sha1 sha256 sha512",
    "inspect": "Parameter getdoc getmembers getsource isclass isfunction signature",
    "io": "BytesIO StringIO",
    "os": "environ getcwd getenv linesep name path sep",
    "os.path": "basename dirname exists isdir isfile join split splitext",
    "pickle": "dumps loads",
    "re": "DOTALL IGNORECASE MULTILINE Match Pattern VERBOSE compile escape findall finditer "
          "fullmatch match search split sub subn",
    "sys": "argv exit float_info getrecursionlimit getsizeof maxsize modules path platform "
           "setrecursionlimit stderr stdin stdout version version_info",
    "time": "ctime gmtime localtime mktime monotonic perf_counter perf_counter_ns process_time "
            "sleep strftime strptime time time_ns",
    "unittest": "TestCase TestLoader TestSuite TextTestRunner expectedFailure main mock skip",
}  # fmt: skip
"""Modules with much that depends on the system or its age, and the words among their names."""
ABSENT = (
    "antigravity", "bz2", "ctypes", "curses", "ensurepip", "fcntl", "grp", "idlelib", "lzma",
    "mmap", "msvcrt", "nt", "nturl2path", "pty", "pwd", "readline", "resource", "ssl", "syslog",
    "termios", "this", "tkinter", "tty", "turtle", "turtledemo", "venv", "winreg", "winsound",
)  # fmt: skip
"""Modules of Python's that the sandbox has not."""
_REMOVED = (
    "aifc", "asynchat", "asyncore", "audioop", "cgi", "cgitb", "chunk", "crypt", "distutils",
    "imghdr", "imp", "lib2to3", "mailcap", "msilib", "nis", "nntplib", "ossaudiodev", "pipes",
    "smtpd", "sndhdr", "spwd", "sunau", "telnetlib", "uu", "xdrlib",
)  # fmt: skip
"""Modules of Python 3.11 that the sandbox's Python has no longer."""
_TYPES_TAUGHT: dict[str, str] = {
    "builtins": "BaseException bool complex dict float frozenset int list property "
                "range set slice str tuple",
    "collections": "ChainMap Counter OrderedDict defaultdict deque",
    "datetime": "date datetime timedelta",
    "fractions": "Fraction",
    "functools": "partial",
    "random": "Random",
    "types": "GeneratorType",
}  # fmt: skip
"""Types of Python's whose members are words."""


def special() -> list[str]:
    """The special methods by which objects of a program take part in Python's operations."""
    kinds = (object, int, float, list, dict, str, set)
    found = {name for kind in kinds for name in dir(kind) if callable(getattr(kind, name))}
    others = (
        "__bool__ __call__ __del__ __delete__ __enter__ __exit__ __get__ __getattr__ __imatmul__ "
        "__matmul__ __missing__ __next__ __post_init__ __rmatmul__ __set__ __set_name__"
    )
    return sorted({*others.split(), *(name for name in found if name.startswith("__"))})


def python_module(dotted: str) -> ModuleType | None:
    """A module of Python's whose names are words; None for any other."""
    return importlib.import_module(dotted) if dotted in _TAUGHT or dotted in _SOME else None


def modules() -> dict[str, list[str]]:
    """The names in each module that a program can import, by dotted name.

    Of a module that only stands for one and does nothing there are none, nor of those of Python's
    that few programs of learners use.
    """
    away = {*ABSENT, *_REMOVED}
    found: dict[str, list[str]] = {
        name: []
        for name in sys.stdlib_module_names
        if not name.startswith("_") and name not in away
    }
    found |= {name: _names_in(importlib.import_module(name)) for name in _TAUGHT}
    found |= {name: _there(importlib.import_module(name), some) for name, some in _SOME.items()}
    found |= _of_stand_ins() | {"typing_extensions": found["typing"]}
    return {dotted: found[dotted] for dotted in sorted(found, key=str.lower)}


def _names_in(module: ModuleType) -> list[str]:
    told = getattr(module, "__all__", None) or [
        name for name, x in vars(module).items() if not isinstance(x, ModuleType)
    ]
    return sorted(name for name in told if not name.startswith("_"))


def _there(module: ModuleType, names: str) -> list[str]:
    return [name for name in names.split() if hasattr(module, name)]


def _of_stand_ins() -> dict[str, list[str]]:
    m = Recorder(Source("pass", Limits()), Limits(), {})
    found = {
        dotted: sorted(
            name
            for name, x in names(m).items()
            if not name.startswith("_") and not isinstance(x, Missing)
        )
        for dotted, names in MODULES.items()
    }
    own = sorted((*CLASSES, "draw_dot", "trace"))
    return found | dict.fromkeys(("micrograd", "micrograd.engine", "micrograd.nn"), own)


def members() -> dict[str, tuple[type, list[str]]]:
    """What a dot may reach, by the name of a type as programs write it; and that type.

    Types of libraries go by their dotted name, Python's by their own. A number has what it has
    while it is followed as well.
    """
    found: dict[str, tuple[type, list[str]]] = {}
    for dotted, names in _TYPES_TAUGHT.items():
        for name in names.split():
            kind = getattr(importlib.import_module(dotted), name)
            found[kind.__name__] = kind, [x for x in dir(kind) if not x.startswith("_")]
    seen: set[type] = set()  # of several kinds of a type, the first holds
    for entry in KINDS:
        public = {name for name in {*entry.attributes, *entry.methods} if not name.startswith("_")}
        for one in entry.types if isinstance(entry.types, tuple) else (entry.types,):
            if one in seen:
                continue
            seen.add(one)
            plain = UNTYPED.get(one, one)
            first, known = found.get(_written(plain), (plain, []))
            if (public or known) and first is plain:
                found[_written(plain)] = first, sorted({*known, *public})
    return found


def _written(kind: type) -> str:
    """The name of a type as programs write it."""
    own = next((name for name, one in CLASSES.items() if one is kind), None)
    if own or kind.__module__.partition(".")[0] in sys.stdlib_module_names:
        return own or kind.__name__
    return f"{kind.__module__}.{kind.__name__}"
