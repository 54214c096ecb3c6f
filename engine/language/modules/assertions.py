"""What a test case asserts with, and CPython's messages where it does not hold."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from engine.language.classes import make_class
from engine.language.contract import Machine
from engine.language.operators import is_in
from engine.language.plain import plain
from engine.language.refusal import CATCHABLE
from engine.language.texts import repr_text, str_text
from engine.language.weights import weigh, whole

_PATTERN = frozenset("\\^$*+?{}[]|()")
"""Signs that make a regular expression more than a text; `.` fits itself."""


def assertions(m: Machine) -> dict[str, Callable[..., Any]]:
    """The methods of TestCase that assert."""

    def shown(x: Any) -> str:
        return repr_text(m, x)

    def check(self: Any, holds: Any, message: str, msg: Any) -> None:
        if not holds:
            text = message if msg is None else f"{message} : {str_text(m, msg)}"
            raise AssertionError(text)

    table: dict[str, Callable[..., Any]] = {}
    for name, words, test in _OF_ONE:
        table[name] = _of_one(check, shown, words, test)
    for name, sign, words in _OF_TWO:
        table[name] = _of_two(m, check, shown, sign, words)
    table["assertAlmostEqual"] = _almost(m, check, shown, equal=True)
    table["assertNotAlmostEqual"] = _almost(m, check, shown, equal=False)
    for name in ("assertListEqual", "assertDictEqual", "assertTupleEqual", "assertSetEqual",
                 "assertSequenceEqual", "assertMultiLineEqual"):  # fmt: skip
        table[name] = table["assertEqual"]
    return {**table, **_others(m, check, shown)}


_OF_ONE: tuple[tuple[str, str, Callable[[Any], Any]], ...] = (
    ("assertTrue", "is not true", lambda x: x),
    ("assertFalse", "is not false", lambda x: not x),
    ("assertIsNone", "is not None", lambda x: x is None),
    ("assertIsNotNone", "unexpectedly None", lambda x: x is not None),
)
_OF_TWO: tuple[tuple[str, str, str], ...] = (
    ("assertEqual", "==", "!="), ("assertNotEqual", "!=", "=="),
    ("assertLess", "<", "not less than"), ("assertLessEqual", "<=", "not less than or equal to"),
    ("assertGreater", ">", "not greater than"),
    ("assertGreaterEqual", ">=", "not greater than or equal to"),
    ("assertIs", "is", "is not"), ("assertIsNot", "is not", "unexpectedly identical"),
    ("assertIn", "in", "not found in"), ("assertNotIn", "not in", "unexpectedly found in"),
)  # fmt: skip
Check = Callable[[Any, Any, str, Any], None]
Shown = Callable[[Any], str]


def _of_one(check: Check, shown: Shown, words: str, test: Callable[[Any], Any]) -> Any:
    def method(self: Any, expr: Any, msg: Any = None) -> None:
        holds = bool(test(expr))
        text = words if words.startswith("unexp") else f"{'' if holds else shown(expr)} {words}"
        check(self, holds, text, msg)

    return method


def _of_two(m: Machine, check: Check, shown: Shown, sign: str, words: str) -> Any:
    def method(self: Any, first: Any, second: Any, msg: Any = None) -> None:
        holds = _compare(m, sign, first, second)
        if sign == "is not":
            text = "" if holds else f"unexpectedly identical: {shown(first)}"
        else:
            text = "" if holds else f"{shown(first)} {words} {shown(second)}"
        check(self, holds, text, msg)

    return method


def _compare(m: Machine, sign: str, first: Any, second: Any) -> bool:
    if sign in ("is", "is not"):
        return (first is second) is (sign == "is")
    if sign in ("in", "not in"):
        return is_in(m, first, second) is (sign == "in")
    weigh(m, first)
    return bool(_NATIVE[sign](plain(first), second))


_NATIVE = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}  # fmt: skip


_PLACES = 400
"""Of decimals beyond which a float has none; an int rounded to more zeros would take long."""


def _almost(m: Machine, check: Check, shown: Shown, *, equal: bool) -> Any:
    def method(
        self: Any, first: Any, second: Any, places: Any = None, msg: Any = None, delta: Any = None
    ) -> None:
        if places is not None and delta is not None:
            raise TypeError("specify delta or places not both")
        weigh(m, first)
        if first == second:
            check(self, equal, f"{shown(first)} == {shown(second)}", msg)
            return
        apart = abs(m.binary("-", first, second))
        if delta is not None:
            near, limit = apart <= delta, f"{shown(delta)} delta"
        else:
            places = 7 if places is None else min(max(whole(places), -_PLACES), _PLACES)
            near, limit = round(apart, places) == 0, f"{shown(places)} places"
        text = f"{shown(first)} {'!=' if equal else '=='} {shown(second)} within {limit}"
        check(self, near is equal, f"{text} ({shown(apart)} difference)" if equal else text, msg)

    return method


def _others(m: Machine, check: Check, shown: Shown) -> dict[str, Callable[..., Any]]:
    raising = _raising(m)

    def fail(self: Any, msg: Any = None) -> None:
        raise AssertionError(msg)

    def is_instance(self: Any, obj: Any, cls: Any, msg: Any = None) -> None:
        weigh(m, cls)
        check(self, isinstance(obj, cls), f"{shown(obj)} is not an instance of {shown(cls)}", msg)

    def not_instance(self: Any, obj: Any, cls: Any, msg: Any = None) -> None:
        weigh(m, cls)
        check(self, not isinstance(obj, cls), f"{shown(obj)} is an instance of {shown(cls)}", msg)

    def count_equal(self: Any, first: Any, second: Any, msg: Any = None) -> None:
        left = list(m.items(second))
        for item in (items := list(m.items(first))):
            m.spend(len(left))
            if item in left:
                left.remove(item)
        same = not left and len(items) == len(list(m.items(second)))
        check(self, same, "Element counts were not equal", msg)

    def raises(self: Any, expected: Any, *args: Any, **kwargs: Any) -> Any:
        return _asked(m, raising(expected, None), args, kwargs)

    def raises_with(self: Any, expected: Any, regex: Any, *args: Any, **kwargs: Any) -> Any:
        return _asked(m, raising(expected, _text_of(m, regex)), args, kwargs)

    part: Any = make_class("SubTest", (), {"__enter__": _same, "__exit__": _passed})

    def sub_test(self: Any, msg: Any = None, **params: Any) -> Any:
        return part()

    return {
        "fail": fail, "assertIsInstance": is_instance, "assertNotIsInstance": not_instance,
        "assertCountEqual": count_equal, "assertRaises": raises, "assertRaisesRegex": raises_with,
        "subTest": sub_test,
    }  # fmt: skip


def _same(self: Any) -> Any:
    return self


def _passed(self: Any, *error: Any) -> None:
    """Let an exception pass."""


def _asked(m: Machine, context: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`assertRaises(E)` as a context manager, `assertRaises(E, f, …)` as a call."""
    if not args:
        return context
    with context:
        m.call(args[0], *args[1:], **kwargs)
    return None


def _text_of(m: Machine, regex: Any) -> str:
    """The text that a regular expression without special signs searches for."""
    if not isinstance(regex, str) or _PATTERN.intersection(regex.replace("\\.", "")):
        m.refuse("Regular expressions are not part of this language.", "Give a plain text.")
    return str.__str__(regex).replace("\\.", ".")


def _raising(m: Machine) -> Callable[[Any, str | None], Any]:
    """Makes the context managers of assertRaises, whose `exception` is the one raised."""

    def leave(self: Any, kind: Any, error: Any, traceback: Any) -> bool:
        names = getattr(self._expected, "__name__", None)
        if error is None:
            raise AssertionError(f"{names or repr_text(m, self._expected)} not raised")
        if not isinstance(error, CATCHABLE) or not isinstance(error, self._expected):
            return False
        self.exception = error
        text = str_text(m, error)
        if self._text is not None and self._text not in text:
            raise AssertionError(f'"{self._text}" does not match "{text}"')
        return True

    kind: Any = make_class("AssertRaises", (), {"__enter__": _same, "__exit__": leave})

    def make(expected: Any, text: str | None) -> Any:
        weigh(m, expected)
        made = kind()
        made._expected, made._text = expected, text
        return made

    return make
