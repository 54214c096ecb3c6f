"""The modules `typing` and `typing_extensions`: names that may be written and subscripted."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

from engine.language.builtin_iteration import bound
from engine.language.classes import ProgramType, make_class
from engine.language.contract import Machine

from .abstract_collections import ABSTRACT, abstract_class, is_form
from .named_tuples import named_tuple_base
from .protocols import protocol_base, runtime_checkable

_GENERIC: dict[str, type | None] = {
    "List": list, "Dict": dict, "Set": set, "FrozenSet": frozenset, "Tuple": tuple, "Type": type,
    "Deque": deque, "DefaultDict": defaultdict, "OrderedDict": OrderedDict, "Counter": Counter,
    **dict.fromkeys((
        "Any", "Union", "Optional", "Literal", "Final", "ClassVar", "Annotated", "NoReturn",
        "Never", "Self", "LiteralString", "TypeAlias", "Concatenate", "TypeGuard", "Required",
        "NotRequired", "Unpack", "ReadOnly", "TypeIs", "Awaitable", "Coroutine", "AsyncIterator",
        "AsyncIterable", "AsyncGenerator", "ContextManager", "Pattern", "Match", "IO", "TextIO",
        "BinaryIO", "ChainMap", "ByteString", "Text", "AnyStr",
    )),
}  # fmt: skip
_CHECKED: dict[str, str] = {
    "Callable": "__call__", "Iterable": "__iter__", "Iterator": "__next__", "Sized": "__len__",
    "Hashable": "__hash__", "Container": "__contains__", "Collection": "__contains__",
    "Reversible": "__reversed__", "Generator": "__next__", "SupportsFloat": "__float__",
    "SupportsInt": "__int__", "SupportsIndex": "__index__", "SupportsAbs": "__abs__",
    "SupportsRound": "__round__",
}  # fmt: skip
"""Names that isinstance understands by a special method."""
_SEVERAL: dict[str, tuple[type, ...]] = {
    "Sequence": (list, tuple, str, range, bytes), "MutableSequence": (list, deque),
    "Mapping": (dict,), "MutableMapping": (dict,), "AbstractSet": (set, frozenset),
    "MutableSet": (set,), "Number": (int, float, complex), "Real": (int, float),
    "Integral": (int,), "Rational": (int,), "Complex": (int, float, complex),
    "KeysView": (type({}.keys()),), "ValuesView": (type({}.values()),),
    "ItemsView": (type({}.items()),),
}  # fmt: skip


class Form:
    """A name of typing, with what stands in its brackets."""

    __slots__ = ("args", "made", "module", "name", "shown", "test")

    def __init__(
        self,
        name: str,
        test: Callable[[Any], bool] | None = None,  # of a class
        args: tuple[Any, ...] = (),
        module: str = "typing",
        made: dict[str, ProgramType] | None = None,
    ) -> None:
        self.name, self.test, self.args, self.module = name, test, args, module
        self.made = {} if made is None else made
        self.shown = ", ".join(_shown(arg) for arg in args[:_SHOWN])[:_LENGTH]

    def __getitem__(self, args: Any) -> Form:
        listed = args if isinstance(args, tuple) else (args,)
        return Form(self.name, self.test, listed, self.module, self.made)

    def __or__(self, other: Any) -> Form:
        return Form("Union", None, (self, other))

    def __ror__(self, other: Any) -> Form:
        return Form("Union", None, (other, self))

    def __repr__(self) -> str:
        return f"{self.module}.{self.name}" + (f"[{self.shown}]" if self.args else "")

    def __instancecheck__(self, x: Any) -> bool:
        if self.test is None or self.args:
            raise TypeError("Subscripted generics cannot be used with class and instance checks")
        return self.test(type(x)) or is_form(type(x), self.name)

    def __subclasscheck__(self, kind: Any) -> bool:
        if self.test is None or self.args:
            raise TypeError("Subscripted generics cannot be used with class and instance checks")
        return self.test(kind) or is_form(kind, self.name)

    def seegrad_base(self, m: Machine) -> ProgramType | None:
        """The class that a class statement derives from by this name, if there is one."""
        return abstract_class(m, self.name, self.made) if self.name in ABSTRACT else None


_SHOWN, _LENGTH = 20, 500
"""Arguments of a name that are shown, and letters of them."""


def _shown(arg: Any) -> str:
    """An argument in brackets: a type, a name of typing, a text or a list of these."""
    if isinstance(arg, type):
        return arg.__qualname__
    if type(arg) is list:
        inside = (_shown(part) for part in arg[:_SHOWN] if type(part) is not list)
        return f"[{', '.join(inside)}]"
    if type(arg) is str:
        return repr(arg[:_LENGTH])
    return repr(arg) if arg is None or arg is ... or isinstance(arg, Form) else "..."


def forms(module: str = "typing") -> dict[str, Form]:
    """Every name that may be subscripted."""
    made: dict[str, ProgramType] = {}
    tests = {name: _derives(kind) if kind else None for name, kind in _GENERIC.items()}
    tests |= {name: _has(method) for name, method in _CHECKED.items()}
    tests |= {name: _derives(kinds) for name, kinds in _SEVERAL.items()}
    table = {name: Form(name, test, made=made) for name, test in tests.items()}
    for form in table.values():
        form.module = module
    return table


def _derives(kinds: type | tuple[type, ...]) -> Callable[[Any], bool]:
    return lambda kind: issubclass(kind, kinds)


def _has(method: str) -> Callable[[Any], bool]:
    def test(kind: Any) -> bool:
        return next((vars(b)[method] for b in kind.__mro__ if method in vars(b)), None) is not None

    return test


class TypeVariable(Form):
    """A TypeVar, printed as CPython does."""

    def __repr__(self) -> str:
        return f"~{self.name}"


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `typing`."""
    table: dict[str, Any] = dict(forms())
    table["Generic"] = make_class("Generic", (), {"__class_getitem__": _SUBSCRIPT})
    table["TypedDict"] = _typed_dict()
    table["Protocol"] = protocol_base(_SUBSCRIPT)
    table["NamedTuple"] = named_tuple_base(m)
    table["TYPE_CHECKING"] = False
    table |= {name: bound(m, _variable, name) for name in ("TypeVar", "ParamSpec", "TypeVarTuple")}
    for name in ("final", "override", "no_type_check", "overload"):
        table[name] = bound(m, _same, name)
    functions: dict[str, Callable[..., Any]] = {
        "cast": _cast,
        "NewType": _new_type,
        "get_type_hints": _hints,
        "assert_type": _first,
        "runtime_checkable": runtime_checkable,
    }
    return table | {name: bound(m, function, name) for name, function in functions.items()}


_SUBSCRIPT = classmethod(lambda cls, args: cls)
"""`Stack[int]` is `Stack`."""


def _typed_dict() -> Any:
    """The class `TypedDict`: calling a class that derives from it makes a plain dict."""
    options = {"__class_getitem__": _SUBSCRIPT, "_seegrad_options": _OPTIONS}
    return make_class("TypedDict", (dict,), {**options, "__new__": staticmethod(_plain_dict)})


def _plain_dict(cls: Any, *args: Any, **fields: Any) -> dict[Any, Any]:
    return dict(*args, **fields)


_OPTIONS = ("total", "closed")
"""Keywords of a class statement that say something about types only."""


def _variable(m: Machine, name: str, *args: Any, **kwargs: Any) -> TypeVariable:
    m.spend(2)
    return TypeVariable(str(name)[:100])


def _same(m: Machine, x: Any, /) -> Any:
    return x


def _first(m: Machine, x: Any, kind: Any, /) -> Any:
    return x


def _cast(m: Machine, kind: Any, x: Any, /) -> Any:
    return x


def _new_type(m: Machine, name: str, kind: Any) -> Callable[[Any], Any]:
    return bound(m, _same, str(name)[:100])


def _hints(m: Machine, x: Any, *args: Any, **kwargs: Any) -> Any:
    m.refuse("get_type_hints is not here.", "Remove the line.")
