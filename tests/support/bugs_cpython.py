"""Runs programs with autograd classes in one CPython process, apart from the project.

Reads a JSON list of jobs on standard input; arguments: the folder of the modules that the programs
import, and one of modules for want of those that are not installed. A job has the keys of `Job`.
Writes a JSON list of answers: for each job `printed`, `raised` (the name of the exception that
ended the program, or null), and of the expressions in `check` `data`, `grads`, the gradients that
the program leaves, and `slopes`, the derivatives of the sum of `outputs` by central differences
(null where there is none).

No gradient of the program enters a slope: the program runs twice more for each expression, with the
number of the object that it names moved to either side, at the object's construction or, with
`since`, where the program comes to this line for the last time.
"""

import ast
import contextlib
import io
import json
import random
import sys
import types
from pathlib import Path
from typing import Any, TypedDict

STEP = 1e-5


class Job(TypedDict):
    text: str
    class_name: str
    data: str
    grad: str
    check: list[str]
    outputs: list[str]
    since: str | None


class Running:
    """One run of a program; `moved` is the index of the object moved by `step` at mark `at`."""

    def __init__(self, job: Job, moved: int = -1, step: float = 0.0, at: int = 0) -> None:
        self.job, self.moved, self.step, self.at = job, moved, step, at
        self.made: list[Any] = []
        self.marks = 0

    def watch(self, class_: Any) -> None:
        """Count the objects of a class from here on."""
        make = class_.__init__

        def make_and_count(made: Any, *args: Any, **named: Any) -> None:
            make(made, *args, **named)
            self.made.append(made)
            if len(self.made) - 1 == self.moved and self.marks >= self.at:
                self.move()

        class_.__init__ = make_and_count

    def mark(self) -> None:
        """Note that the last pass may start here."""
        self.marks += 1
        if self.marks == self.at and self.moved in range(len(self.made)):
            self.move()

    def move(self) -> None:
        name = self.job["data"]
        setattr(self.made[self.moved], name, getattr(self.made[self.moved], name) + self.step)

    def run(self, code: types.CodeType) -> "Running":
        main = types.ModuleType("__main__")
        main.__dict__.update(__watch__=self.watch, __mark__=self.mark)
        self.names, sys.modules["__main__"] = main.__dict__, main
        random.seed(0)
        with contextlib.redirect_stdout(io.StringIO()) as self.out:
            exec(code, self.names)  # noqa: S102  # the tests' own text
        return self

    def value(self, expression: str) -> Any:
        return eval(expression, self.names)  # noqa: S307

    def output(self) -> float:
        """The number that is differentiated."""
        return float(sum(getattr(self.value(o), self.job["data"]) for o in self.job["outputs"]))


def instrumented(job: Job) -> types.CodeType:
    """The program, calling `__watch__` after its class and `__mark__` before its last pass."""
    tree = ast.parse(job["text"])
    lines = job["text"].split("\n")
    for block in [node for node in ast.walk(tree) if isinstance(getattr(node, "body", None), list)]:
        body: list[ast.stmt] = []
        for statement in block.body:  # type: ignore[attr-defined]
            if lines[statement.lineno - 1].strip() == job["since"]:
                body += ast.parse("__mark__()").body
            body.append(statement)
            if block is tree and binds(statement, job["class_name"]):
                body += ast.parse(f"__watch__({job['class_name']})").body
        block.body = body  # type: ignore[attr-defined]
    return compile(tree, "program", "exec")


def binds(statement: ast.stmt, name: str) -> bool:
    """Whether a statement is the definition or the import of this class."""
    if isinstance(statement, ast.ImportFrom):
        return any(alias.name == name for alias in statement.names)
    return isinstance(statement, ast.ClassDef) and statement.name == name


def forget(folder: Path) -> None:
    """Drop the modules of `folder`: the next run gets new ones."""
    for name, module in list(sys.modules.items()):
        if folder in Path(getattr(module, "__file__", None) or "/").parents:
            del sys.modules[name]


def answer(job: Job, folder: Path) -> dict[str, Any]:
    code = instrumented(job)
    done = Running(job)
    raised = None
    try:
        done.run(code)
    except Exception as error:
        raised = type(error).__name__
    forget(folder)
    found: dict[str, Any] = {"printed": done.out.getvalue(), "raised": raised}
    found |= {"data": {}, "grads": {}, "slopes": {}}
    if raised:
        return found
    for name in job["check"]:
        held = done.value(name)
        found["data"][name] = getattr(held, job["data"])
        found["grads"][name] = plain(getattr(held, job["grad"]))
        index = next(i for i, made in enumerate(done.made) if made is held)
        found["slopes"][name] = slope(job, code, index, done.marks, folder)
    return found


def plain(grad: Any) -> float | None:
    """A gradient as a number; None for an object in its place."""
    return float(grad) if isinstance(grad, int | float) else None


def slope(job: Job, code: types.CodeType, index: int, at: int, folder: Path) -> float:
    """The derivative of the output by the number of one object."""
    sides = []
    for step in (STEP, -STEP):
        sides.append(Running(job, index, step, at).run(code).output())
        forget(folder)
    return (sides[0] - sides[1]) / (2 * STEP)


def main() -> None:
    folder = Path(sys.argv[1])
    sys.path.insert(0, str(folder))
    sys.path += sys.argv[2:]
    own = sys.modules["__main__"]
    answers = [answer(job, folder) for job in json.load(sys.stdin)]
    sys.modules["__main__"] = own
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
