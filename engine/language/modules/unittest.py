"""The module `unittest`: test cases, the methods that they assert with, and a runner.

CPython's runner writes to standard error, which a program's output here has not: a note says how
many tests passed, and which did not.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from engine.language.builtin_iteration import bound
from engine.language.classes import RESERVED, ProgramType, make_class
from engine.language.contract import Machine
from engine.language.refusal import CATCHABLE
from engine.language.texts import str_text

from .assertions import assertions

_PREFIX = "test"
_CLASS_COST = 100


def names(m: Machine) -> dict[str, Any]:
    """The names of the module `unittest`."""
    skip = make_class("SkipTest", (Exception,), {})
    case = _case(m, skip)
    runner = _Runner(m, case, skip)
    functions: dict[str, Callable[..., Any]] = {
        "main": runner.main, "TestLoader": runner.loader, "TestSuite": runner.suite,
        "TextTestRunner": runner.runner, "skip": _skipped, "skipIf": _skipped_if(True),
        "skipUnless": _skipped_if(False), "expectedFailure": _expected,
    }  # fmt: skip
    table = {name: bound(m, function, name) for name, function in functions.items()}
    table["defaultTestLoader"] = runner.loader(m)
    return {**table, "TestCase": case, "SkipTest": skip}


def _case(m: Machine, skip: type) -> Any:
    """The class `TestCase`."""

    def nothing(self: Any) -> None:
        return None

    def made(self: Any, methodName: str = "runTest") -> None:  # noqa: N803 -- CPython's name
        self._testMethodName = methodName

    def identity(self: Any) -> str:
        return f"__main__.{type(self).__qualname__}.{self._testMethodName}"

    def described(self: Any) -> str | None:
        doc = m.get_attribute(m.get_attribute(self, self._testMethodName), "__doc__")
        return str.__str__(doc).strip().split("\n")[0].strip() if doc else None

    def skipped(self: Any, reason: Any) -> None:
        raise skip(reason)

    own = {
        "__init__": made, "setUp": nothing, "tearDown": nothing, "id": identity,
        "shortDescription": described, "skipTest": skipped,
        "setUpClass": classmethod(nothing), "tearDownClass": classmethod(nothing),
        "__str__": lambda self: f"{self._testMethodName} (__main__.{type(self).__qualname__}."
        f"{self._testMethodName})",
    }  # fmt: skip
    return make_class("TestCase", (), {**own, **assertions(m)})


def _expected(m: Machine, function: Any, /) -> Any:
    """The decorator of a test that has to fail."""
    if not isinstance(function, FunctionType):
        m.refuse("expectedFailure takes a test here.", "Write it above a def.")
    setattr(function, _FAILS, True)
    return function


def _skipped(m: Machine, reason: Any = "", /) -> Callable[[Any], Any]:
    def decorate(function: Any) -> Any:
        if not isinstance(function, ProgramType | FunctionType):
            m.refuse("skip takes a test or a test case here.", "Write it above a def or class.")
        setattr(function, _SKIPPED, str_text(m, reason))
        return function

    return decorate


def _skipped_if(wanted: bool) -> Callable[..., Any]:
    def decorator(m: Machine, condition: Any, reason: Any, /) -> Callable[[Any], Any]:
        if bool(condition) is wanted:
            return _skipped(m, reason)
        return lambda function: function

    return decorator


_SKIPPED = f"{RESERVED}skipped"
_FAILS = f"{RESERVED}fails"


def _reason(test: Any, method: Any) -> str | None:
    """Why a test is left out, if a decorator says so."""
    of_method = getattr(getattr(method, "__func__", None), _SKIPPED, None)
    return of_method if of_method is not None else getattr(type(test), _SKIPPED, None)


class _Runner:
    """Runs tests, in the order of CPython: classes by the names that hold them, then methods."""

    def __init__(self, m: Machine, case: Any, skip: type) -> None:
        self.m, self.case, self.skip = m, case, skip
        kinds = {"wasSuccessful": lambda self: not _bad(self)}
        self.result: Any = make_class("TestResult", (), kinds)

    def main(self, m: Machine, *args: Any, exit: Any = True, **options: Any) -> Any:  # noqa: A002
        """`unittest.main()`: all test cases of the program; ends it unless `exit` is false."""
        result = self._run(self._of_program())
        if exit:
            raise SystemExit(not result.wasSuccessful())
        made = make_class("TestProgram", (), {})()
        made.result = result
        return made

    def _of_program(self) -> list[Any]:
        held = sorted(self.m.globals.items())
        return [x for name, x in held if isinstance(x, ProgramType) and issubclass(x, self.case)]

    def loader(self, m: Machine) -> Any:
        m.spend(_CLASS_COST)

        def of_case(self_: Any, cls: Any) -> Any:
            return self.suite(m, self._tests(cls))

        def of_module(self_: Any, module: Any) -> Any:
            return self.suite(m, self._of_program())

        members = {"loadTestsFromTestCase": of_case, "loadTestsFromModule": of_module}
        return make_class("TestLoader", (), members)()

    def suite(self, m: Machine, tests: Any = ()) -> Any:
        """`TestSuite(tests)`."""
        held = list(m.items(tests))
        m.spend(_CLASS_COST)

        def add(self_: Any, test: Any) -> None:
            held.append(test)

        def add_all(self_: Any, others: Any) -> None:
            held.extend(m.items(others))

        members = {
            "addTest": add, "addTests": add_all, "__iter__": lambda self_: iter(held),
            "countTestCases": lambda self_: len(self._flat(held)),
        }  # fmt: skip
        return make_class("TestSuite", (), members)()

    def runner(self, m: Machine, *args: Any, stream: Any = None, **options: Any) -> Any:
        if getattr(stream, "shown", False):
            m.refuse("The runner's report has times, which differ.", "Leave out stream=….")
        m.spend(_CLASS_COST)
        run = {"run": lambda self_, suite: self._run(suite)}
        return make_class("TextTestRunner", (), run)()

    def _flat(self, tests: Any) -> list[Any]:
        """The tests in suites and classes, one by one."""
        found: list[Any] = []
        stack = [tests]
        while stack:
            self.m.spend(2)
            held = stack.pop()
            if isinstance(held, ProgramType):
                stack.extend(reversed(self._tests(held)))
            elif isinstance(held, self.case):
                found.append(held)
            else:
                stack.extend(reversed(list(self.m.items(held))))
        return found

    def _tests(self, cls: Any) -> list[Any]:
        names = sorted({
            name for base in cls.__mro__ for name, x in vars(base).items()
            if name.startswith(_PREFIX) and callable(x)
        })  # fmt: skip
        return [self.m.call(cls, name) for name in names]

    def _run(self, tests: Any) -> Any:
        """Run tests and note how they ended."""
        flat = self._flat(tests)
        result: Any = self.result()
        result.testsRun = len(flat)
        result.failures, result.errors, result.skipped = [], [], []
        result.expectedFailures, result.unexpectedSuccesses = [], []
        classes: list[Any] = []
        for test in flat:
            if not classes or classes[-1] is not type(test):
                self._leave(classes)
                classes.append(type(test))
                self.m.call(self.m.get_attribute(type(test), "setUpClass"))
            self._one(test, result)
        self._leave(classes)
        self._note(result)
        return result

    def _leave(self, classes: list[Any]) -> None:
        if classes:
            self.m.call(self.m.get_attribute(classes[-1], "tearDownClass"))

    def _one(self, test: Any, result: Any) -> None:
        method = self.m.get_attribute(test, test._testMethodName)
        reason = _reason(test, method)
        if reason is not None:
            result.skipped.append((test, reason))
            return
        if not self._step(test, "setUp", result):
            return
        if getattr(getattr(method, "__func__", None), _FAILS, False):
            self._expect_failure(test, result)
        else:
            self._step(test, test._testMethodName, result)
        self._step(test, "tearDown", result)

    def _expect_failure(self, test: Any, result: Any) -> None:
        own = self.result()
        own.failures, own.errors, own.skipped = [], [], []
        if self._step(test, test._testMethodName, own):
            result.unexpectedSuccesses.append(test)
        result.expectedFailures += own.failures + own.errors
        result.skipped += own.skipped

    def _step(self, test: Any, name: str, result: Any) -> bool:
        """Run one method of a test; whether it ended without an exception."""
        self.m.spend(8)
        try:
            self.m.call(self.m.get_attribute(test, name))
        except KeyboardInterrupt:
            raise
        except CATCHABLE as error:
            kind = "skipped" if isinstance(error, self.skip) else "errors"
            kind = "failures" if isinstance(error, AssertionError) else kind
            text = f"{type(error).__name__}: {str_text(self.m, error)}"
            getattr(result, kind).append((test, text))
            return False
        return True

    def _note(self, result: Any) -> None:
        bad = _bad(result)
        count = f"{result.testsRun} test{'' if result.testsRun == 1 else 's'}"
        if not bad:
            self.m.note(f"unittest: {count}, all passed.")
            return
        shown = "; ".join(f"{test._testMethodName} ({text[:80]})" for test, text in bad[:5])
        self.m.note(f"unittest: {count}, {len(bad)} not passed: {shown}.")


def _bad(result: Any) -> list[tuple[Any, str]]:
    """The tests that did not end as they should, with what ended them."""
    passed = [(test, "passed, and should not") for test in result.unexpectedSuccesses]
    return [*result.failures, *result.errors, *passed]
