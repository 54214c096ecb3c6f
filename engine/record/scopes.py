"""Scopes of a program: the variables of each function, and those that inner functions capture.

The rules are Python's: a name bound anywhere in a function is local to it unless declared global or
nonlocal; functions inside capture it; class bodies are skipped by the functions inside them; a
comprehension is a function of its own, whose first iterable belongs to the scope around it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

CLASS_CELL = "__class__"
"""The class around a method, which `super()` reads."""
Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
ITERABLE = ".0"
"""The parameter of a comprehension: its first iterable."""
NAMESPACE = ".namespace"
"""The slot in which the frame of a class body holds the names of the class."""
FIRST_SLOT = 1
"""Slot 0 of a frame holds the statement being run."""


@dataclass(eq=False)
class Scope:
    """The names of a module, function, class body or comprehension.

    `slots` are the places of local and captured names in a frame, of which `cells` are captured by
    inner functions and `free` come from outer ones. `class_name` mangles private names; `qualname`
    is the qualified name of what is defined inside, up to its own name.
    """

    kind: str
    parent: Scope | None
    class_name: str = ""
    qualname: str = ""
    params: list[str] = field(default_factory=list)
    bound: dict[str, None] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    global_names: set[str] = field(default_factory=set)
    nonlocal_names: set[str] = field(default_factory=set)
    cells: set[str] = field(default_factory=set)
    free: dict[str, None] = field(default_factory=dict)
    slots: dict[str, int] = field(default_factory=dict)
    yields: bool = False
    children: list[Scope] = field(default_factory=list)

    def mangled(self, name: str) -> str:
        """`name` as Python stores it: `__x` inside class C is `_C__x`."""
        if self.class_name and name.startswith("__") and not name.endswith("__"):
            stripped = self.class_name.lstrip("_")
            return f"_{stripped}{name}" if stripped else name
        return name

    def is_local(self, name: str) -> bool:
        return name in self.bound and name not in self.global_names | self.nonlocal_names

    def kind_of(self, name: str) -> str:
        """ "slot", "cell" (the scope's own or a captured one), "class" or "global"."""
        if self.kind == "module" or name in self.global_names:
            return "global"
        if name in self.free or name in self.cells:
            return "cell"
        if name in self.bound:
            return "class" if self.kind == "class" else "slot"
        return "global"

    def size(self) -> int:
        return FIRST_SLOT + len(self.slots)


def analyse(tree: ast.Module) -> dict[ast.AST, Scope]:
    """The scope of the module and of each function, class and comprehension in it.

    Raises SyntaxError, with Python's words, for a declaration that fits no variable.
    """
    finder = _Finder(tree)
    module = finder.scopes[tree]
    _resolve(module)
    for scope in finder.scopes.values():
        _place(scope)
    return finder.scopes


class _Finder(ast.NodeVisitor):
    """Collects the names that each scope binds and uses."""

    def __init__(self, tree: ast.Module) -> None:
        self.scopes: dict[ast.AST, Scope] = {}
        self.scope = self._open("module", tree, None)
        self._visit_all(tree.body)

    def _open(self, kind: str, node: ast.AST, parent: Scope | None, class_name: str = "") -> Scope:
        name = getattr(node, "name", "<lambda>") + (".<locals>" if kind == "function" else "")
        inside = f"{parent.qualname}.{name}" if parent and parent.qualname else name
        qualname = inside if parent else ""
        scope = self.scopes[node] = Scope(kind, parent, class_name, qualname)
        if parent:
            parent.children.append(scope)
        return scope

    def _visit_all(self, nodes: Sequence[ast.AST | None]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def _bind(self, name: str) -> None:
        self.scope.bound[self.scope.mangled(name)] = None

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.scope.used.add(self.scope.mangled(node.id))
            if node.id == "super" and self.scope.kind != "module":
                self.scope.used.add(CLASS_CELL)
        else:
            self._bind(node.id)
            self.scope.used.add(self.scope.mangled(node.id))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._bind(node.name)
        self._visit_all(node.decorator_list)
        self._function(node, node.args, node.body)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._function(node, node.args, [node.body])

    def _function(self, node: ast.AST, params: ast.arguments, body: Sequence[ast.AST]) -> None:
        self._visit_all([*params.defaults, *params.kw_defaults])
        around = self.scope
        self.scope = self._open("function", node, around, around.class_name)
        for param in _parameters(params):
            self.scope.params.append(self.scope.mangled(param.arg))
            self._bind(param.arg)
        self._visit_all(body)
        self.scope = around

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._bind(node.name)
        self._visit_all([*node.decorator_list, *node.bases, *[k.value for k in node.keywords]])
        around = self.scope
        self.scope = self._open("class", node, around, node.name)
        self._visit_all(node.body)
        self.scope = around

    def _comprehension(self, node: Comprehension, elements: Sequence[ast.expr]) -> None:
        first, *rest = node.generators
        self.visit(first.iter)
        around = self.scope
        self.scope = self._open("function", node, around, around.class_name)
        self.scope.params.append(ITERABLE)
        self.scope.bound[ITERABLE] = None
        self._visit_all([first.target, *first.ifs])
        for part in rest:
            self._visit_all([part.iter, part.target, *part.ifs])
        self._visit_all(elements)
        self.scope = around

    def visit_ListComp(self, node: ast.ListComp) -> None:
        self._comprehension(node, [node.elt])

    def visit_SetComp(self, node: ast.SetComp) -> None:
        self._comprehension(node, [node.elt])

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self._comprehension(node, [node.elt])

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self._comprehension(node, [node.key, node.value])

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        around = self.scope
        name = around.mangled(node.target.id)
        while self.scope in self._comprehensions() and self.scope.parent:
            self.scope = self.scope.parent
        if self.scope is not around and self.scope.kind != "module":
            around.nonlocal_names.add(name)
        elif self.scope is not around:
            around.global_names.add(name)
        self.scope.bound[name] = None
        self.scope = around
        around.used.add(name)
        around.bound[name] = None

    def _comprehensions(self) -> set[Scope]:
        return {scope for node, scope in self.scopes.items() if isinstance(node, COMPREHENSIONS)}

    def visit_Global(self, node: ast.Global) -> None:
        self.scope.global_names.update(map(self.scope.mangled, node.names))

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self.scope.nonlocal_names.update(map(self.scope.mangled, node.names))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._visit_all([node.target, node.value])  # annotations are not evaluated

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._bind(alias.asname or alias.name.partition(".")[0])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            self._bind(alias.asname or alias.name)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self._bind(node.name)
        self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        if node.name:
            self._bind(node.name)
        self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        if node.name:
            self._bind(node.name)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        if node.rest:
            self._bind(node.rest)
        self.generic_visit(node)

    def visit_Yield(self, node: ast.Yield) -> None:
        self.scope.yields = True
        self.generic_visit(node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> None:
        self.scope.yields = True
        self.generic_visit(node)


def _parameters(params: ast.arguments) -> Iterator[ast.arg]:
    """In the order of their slots: positional, keyword-only, then * and **."""
    yield from (*params.posonlyargs, *params.args, *params.kwonlyargs)
    yield from (param for param in (params.vararg, params.kwarg) if param)


def _resolve(scope: Scope) -> None:
    for name in sorted(scope.used | scope.nonlocal_names):
        if name in scope.global_names or scope.kind == "module":
            continue
        if name == CLASS_CELL or not scope.is_local(name):
            _capture(scope, name)
    for child in scope.children:
        _resolve(child)


def _capture(scope: Scope, name: str) -> None:
    """Mark `name` as captured on the way to the function that binds it, if one does."""
    path = [scope]
    outer = scope.parent
    while outer is not None and outer.kind != "module":
        if (outer.kind == "class" and name == CLASS_CELL) or (
            outer.kind == "function" and outer.is_local(name)
        ):
            outer.cells.add(name)
            for inner in path:
                inner.free[name] = None
            return
        if name in outer.global_names:
            break
        path.append(outer)
        outer = outer.parent
    if name in scope.nonlocal_names:
        raise SyntaxError(f"no binding for nonlocal '{name}' found")


def _place(scope: Scope) -> None:
    """Give a slot of the frame to each parameter, local, cell and captured name."""
    if scope.kind == "module":
        return
    names = dict.fromkeys(scope.params)
    if scope.kind == "class":
        names[NAMESPACE] = None
    else:
        names |= {name: None for name in scope.bound if scope.is_local(name)}
    names |= dict.fromkeys(sorted(scope.cells)) | scope.free
    scope.slots = {name: FIRST_SLOT + i for i, name in enumerate(names)}
