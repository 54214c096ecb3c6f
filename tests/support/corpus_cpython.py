"""Runs programs in one CPython process; started as a script of its own, apart from the project.

Reads a JSON list of paths on standard input; argument: the folder of the modules that the programs
import. Writes a JSON object with the text that each program prints, by its path. As a notebook
does, a program shows the value of the expression that it ends with, unless this is a picture.
"""

import ast
import contextlib
import io
import json
import random
import sys
import types
from pathlib import Path
from typing import Any


def printed(path: Path) -> str:
    """The standard output of one program, in a fresh main module. Passes its exceptions on."""
    tree = ast.parse(path.read_text("utf-8"))
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    random.seed(0)
    last = tree.body[-1]
    shown = None
    if isinstance(last, ast.Expr) and not isinstance(last.value, ast.Constant):
        tree.body.pop()
        shown = ast.Expression(last.value)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(tree, str(path), "exec"), main.__dict__)  # noqa: S102  # the tests' own text
        if shown is not None:
            show(eval(compile(shown, str(path), "eval"), main.__dict__))  # noqa: S307
    return out.getvalue()


def show(value: Any) -> None:
    """The output of a notebook's cell."""
    if value is not None and not hasattr(type(value), "_repr_svg_"):
        print(repr(value))


def forget(folder: Path) -> None:
    """Drop the modules of `folder`: the next program gets new ones."""
    for name, module in list(sys.modules.items()):
        if folder in Path(getattr(module, "__file__", None) or "/").parents:
            del sys.modules[name]


def main() -> None:
    folder = Path(sys.argv[1])
    sys.path.insert(0, str(folder))
    own = sys.modules["__main__"]
    outputs = {}
    for name in json.load(sys.stdin):
        try:
            outputs[name] = printed(Path(name))
        except Exception as error:
            raise SystemExit(f"{name}: {type(error).__name__}: {error}") from error
        forget(folder)
    sys.modules["__main__"] = own
    json.dump(outputs, sys.stdout)


if __name__ == "__main__":
    main()
