"""Every cache is a row of a table, is bounded, and stands in the documents."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import app.caches
import engine.caches
from tests.support.places import ROOT

TABLES = {"engine": engine.caches.CACHES, "app": app.caches.CACHES}
SOURCES = [path for name in TABLES for path in sorted((ROOT / name).rglob("*.py"))]
MAKERS = {"engine/caches.py", "app/caches.py"}
EXEMPT = {
    "engine/record/": "what runs beside a program ends with its instance",
    "engine/stand_ins/": "what runs beside a program ends with its instance",
}
"""Where caches need no row, with the reason."""
OWN_RULES = {"training runs": "app/train/runs.py"}
"""Caches that share what is still referenced, by rules of their own."""
EMPTY = {"dict", "list", "set", "OrderedDict", "WeakKeyDictionary", "WeakValueDictionary", "deque"}
REGISTERS = {
    "engine/array_ops/table.py": {"ARRAY_OPS"},
    "engine/formulas.py": {"DEFINED"},  # functions that formulas may call, as they are defined
    "engine/op.py": {"OPS"},  # the table, filled by the modules of operations
    "engine/runs/sweep.py": {"_ASKING"},  # questions under way
    "app/explore/card_filling.py": {"NO_MORE"},  # a constant
    "app/serving/worker_threads.py": {"_idle"},  # threads that wait for work
}
"""Containers of modules that begin empty and are no caches."""


def place(path: Path) -> str:
    """A path from the root."""
    return path.relative_to(ROOT).as_posix()


def trees() -> Iterator[tuple[str, ast.Module]]:
    """The modules that need rows, by their paths."""
    for path in SOURCES:
        name = place(path)
        if name not in MAKERS and not name.startswith(tuple(EXEMPT)):
            yield name, ast.parse(path.read_text("utf-8"))


def test_no_cache_is_without_a_row() -> None:
    for name, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module == "functools":
                taken = {alias.name for alias in node.names} & {"cache", "lru_cache"}
                assert not taken, f"{name}: use `cached` of the table of caches"
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                assert (node.value.id, node.attr) not in {
                    ("functools", "cache"), ("functools", "lru_cache"),
                }, f"{name}: use `cached` of the table of caches"  # fmt: skip
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in {"Cache", "Caches", "lru_cache"}, f"{name}: use `store`"


def test_modules_keep_no_containers_of_their_own() -> None:
    for name, tree in trees():
        for node in tree.body:
            if not isinstance(node, ast.Assign | ast.AnnAssign) or not _is_empty(node.value):
                continue
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            constant = isinstance(node, ast.AnnAssign) and "Mapping" in ast.unparse(node.annotation)
            names = {target.id for target in targets if isinstance(target, ast.Name)}
            assert constant or names <= REGISTERS.get(name, set()), (
                f"{name}: {names} begins empty; if it is a cache, give it a row"
            )


def _is_empty(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Dict):
        return not value.keys
    if isinstance(value, ast.List):
        return not value.elts
    if not isinstance(value, ast.Call) or value.args or value.keywords:
        return False
    function = value.func
    return (function.id if isinstance(function, ast.Name) else "") in EMPTY


def test_each_row_is_one_cache() -> None:
    used: dict[str, Counter[str]] = {name: Counter() for name in TABLES}
    for name, tree in trees():
        for node in ast.walk(tree):
            match node:
                case ast.Call(ast.Name("cached" | "store"), [ast.Constant(str(row)), *_]):
                    used[name.split("/")[0]][row] += 1
    used["app"].update(OWN_RULES.keys())
    for folder, table in TABLES.items():
        assert used[folder] == Counter(dict.fromkeys(table, 1))
    assert not TABLES["engine"].keys() & TABLES["app"].keys()


def test_each_cache_is_bounded_and_documented() -> None:
    text = (ROOT / "docs/limits.md").read_text("utf-8")
    for table in TABLES.values():
        for row in table.values():
            assert row.among if row.entries is None else row.entries > 0, row.name
            assert f"\n| {row.name} | {row.key} | {row.bound} |\n" in text
