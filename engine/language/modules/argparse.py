"""The module `argparse`: options with their defaults, as a program without arguments gets them.

`parse_args(["--lr", "0.1"])` reads the list; `parse_args()` an empty one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.language.builtin_iteration import bound
from engine.language.classes import make_class
from engine.language.contract import Kind, Machine
from engine.language.texts import repr_text
from engine.language.weights import listed

from .quiet import Quiet

_SWITCHES = {"store_true": True, "store_false": False}
_PASSED_OVER = frozenset({"help", "metavar", "required", "nargs", "const"})
"""Options of an argument that change only what the program says of itself."""


@dataclass(slots=True, eq=False)
class Argument:
    """One argument: its place in the result, its converter, its default, its action."""

    dest: str
    flags: tuple[str, ...]
    convert: Any
    default: Any
    action: str
    choices: Any


@dataclass(slots=True, eq=False)
class Parser:
    """`argparse.ArgumentParser`."""

    namespace: Any
    arguments: list[Argument] = field(default_factory=list)


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `argparse`."""

    def init(self: Any, /, **kwargs: Any) -> None:
        for name, value in kwargs.items():
            m.set_attribute(self, name, value)

    def written(self: Any) -> str:
        parts = [f"{name}={repr_text(m, value)}" for name, value in vars(self).items()]
        return f"Namespace({', '.join(parts)})"

    namespace = make_class("Namespace", (), {"__init__": init, "__repr__": written})

    def parser(m: Machine, *args: Any, **kwargs: Any) -> Parser:
        m.spend(8)
        return Parser(namespace)

    formatters = ("ArgumentDefaultsHelpFormatter", "RawTextHelpFormatter")
    table: dict[str, Any] = {name: Quiet(name) for name in formatters}
    table |= {"ArgumentParser": bound(m, parser, "ArgumentParser"), "Namespace": namespace}
    return table


def _add(m: Machine, parser: Parser, *flags: Any, **options: Any) -> None:
    m.spend(8)
    action = options.pop("action", "store")
    known = _PASSED_OVER | {"type", "default", "dest", "choices"}
    if unknown := sorted(options.keys() - known):
        given = f"an unexpected keyword argument {unknown[0]!r}"
        raise TypeError(f"_StoreAction.__init__() got {given}")
    if not flags or not all(isinstance(flag, str) for flag in flags):
        m.refuse("An argument has a name, such as --lr.", "Write it first.")
    if action not in (*_SWITCHES, "store", "count"):
        m.refuse(f"The action {str(action)[:20]!r} is not part of this language.", "Use store.")
    if options.get("default") is None and _is_needed(flags[0], options):
        m.refuse("There is no command line here to give this argument.", "Give it a default.")
    long = next((flag for flag in flags if flag.startswith("--")), flags[0])
    if options.get("nargs") in ("+", "*") or isinstance(options.get("nargs"), int):
        action = "several"
    dest = options.get("dest") or long.lstrip("-").replace("-", "_")
    default = options.get("default", not _SWITCHES[action] if action in _SWITCHES else None)
    kind = options.get("type")
    parser.arguments.append(Argument(dest, flags, kind, default, action, options.get("choices")))


def _is_needed(flag: str, options: dict[str, Any]) -> bool:
    return bool(options.get("required")) or not flag.startswith("-")


def _set_defaults(m: Machine, parser: Parser, **defaults: Any) -> None:
    m.spend(8 * len(defaults))
    parser.arguments += [
        Argument(name, (), None, default, "store", None) for name, default in defaults.items()
    ]


def _group(m: Machine, parser: Parser, *args: Any, **kwargs: Any) -> Parser:
    m.spend(1)
    return parser


def _parse(m: Machine, parser: Parser, args: Any = None, namespace: Any = None) -> Any:
    given = [] if args is None else [str(arg) for arg in listed(m, args)]
    m.spend(8 * len(parser.arguments))
    found = {
        argument.dest: _converted(m, argument, argument.default)
        if isinstance(argument.default, str)
        else argument.default
        for argument in sorted(parser.arguments, key=lambda argument: not argument.flags)
    }
    while given:
        flag, sign, value = given.pop(0).partition("=")
        argument, times = _named(parser, flag)
        if argument is None or (argument.action == "store" and not (sign or given)):
            raise SystemExit(2)
        if argument.action == "count":
            found[argument.dest] = (found[argument.dest] or 0) + times
        elif argument.action == "several":
            found[argument.dest] = [_converted(m, argument, text) for text in _values(given)]
        elif argument.action in _SWITCHES:
            found[argument.dest] = _SWITCHES[argument.action]
        else:
            found[argument.dest] = _converted(m, argument, value if sign else given.pop(0))
    return m.call(parser.namespace, **found)


def _named(parser: Parser, flag: str) -> tuple[Argument | None, int]:
    """The argument of a flag, and how often it stands there: `-vv` is `-v` twice."""
    for argument in parser.arguments:
        if flag in argument.flags:
            return argument, 1
        is_repeated = flag[1:] and flag == f"-{flag[1] * (len(flag) - 1)}"
        if argument.action == "count" and is_repeated and flag[:2] in argument.flags:
            return argument, len(flag) - 1
    return None, 0


def _values(given: list[str]) -> list[str]:
    """The values up to the next flag, taken from the front; SystemExit if there are none."""
    end = next((i for i, text in enumerate(given) if _is_flag(text)), len(given))
    taken, given[:end] = given[:end], []
    if not taken:
        raise SystemExit(2)
    return taken


def _is_flag(text: str) -> bool:
    return text.startswith("-") and not text[1:].replace(".", "", 1).isdigit()


def _converted(m: Machine, argument: Argument, text: str) -> Any:
    """The value of a text. Raises SystemExit for one that the argument does not take."""
    try:
        value = text if argument.convert is None else m.call(argument.convert, text)
    except (TypeError, ValueError):
        raise SystemExit(2) from None
    if argument.choices is not None and value not in listed(m, argument.choices):
        raise SystemExit(2)
    return value


def _parse_known(m: Machine, parser: Parser, args: Any = None, namespace: Any = None) -> Any:
    return _parse(m, parser, args), []


def _nothing(m: Machine, parser: Parser, *args: Any, **kwargs: Any) -> None:
    m.spend(1)


PARSER = Kind(
    Parser,
    "a parser of arguments",
    methods={
        "add_argument": _add, "parse_args": _parse, "parse_known_args": _parse_known,
        "print_help": _nothing, "set_defaults": _set_defaults, "add_argument_group": _group,
        "add_mutually_exclusive_group": _group,
    },
)  # fmt: skip
