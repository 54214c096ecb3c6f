"""A program's syntax tree with the calls by which a run of it is recorded.

CPython runs the rewritten tree. Where the operands of a computation would otherwise be lost, or the
name, loop or call around it, the tree calls a helper, which is a built-in name of the run that
no program can write by accident:

    a * b                 _seegrad_0(a, b)
    x = 2.0               x = _seegrad_1(2.0)
    o.grad = v            _seegrad_2[o] = v           evaluated in Python's own order
    o.grad += v           _seegrad_3(_seegrad_2(o), v)
    for x in xs: …        for x in _seegrad_4(xs): …
    def f(x): …           the body between a helper that enters the call and one that leaves it

Every new node stands where the node stood that it replaces, so that CPython's own tables of
positions give the places of the program in tracebacks and for everything else.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar, cast

PREFIX = "_seegrad_"
"""How the names of the helpers begin."""
CALL = f"{PREFIX}call"
"""The local variable of a function that holds its entered call."""
SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.FloorDiv: "//",
    ast.Mod: "%", ast.MatMult: "@", ast.LShift: "<<", ast.RShift: ">>", ast.BitOr: "|",
    ast.BitAnd: "&", ast.BitXor: "^",
}  # fmt: skip
CONVERSIONS = frozenset({"type", "float", "int", "locals", "vars", "dir"})
"""Built-in names whose calls are told apart from the names themselves, which remain classes."""
NO_ARGUMENTS = frozenset({"locals", "vars", "dir"})
"""Those among them that are looked at where they have no argument: they list variables."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SCOPES = (*_FUNCTIONS, ast.ClassDef)
Node = TypeVar("Node", bound=ast.AST)


class Site(NamedTuple):
    """A helper of the rewritten tree: what it does, for which node of the program's own tree."""

    kind: str
    node: Any
    rest: tuple[Any, ...] = ()


class Watch(NamedTuple):
    """What a rewriting looks for beside operations: names of attributes, functions and methods.

    `stores` are attributes whose assignments are recorded, `passes` methods that may run a backward
    pass, `draws` functions that draw. With `reads` every attribute is read by a helper, as the
    stand-ins for libraries need it, and every function is called by one. What the functions named
    in `results` return is told, for a run that is judged.
    """

    stores: frozenset[str]
    passes: frozenset[str]
    draws: frozenset[str]
    reads: bool = False
    results: frozenset[str] = frozenset()


class Rewritten(NamedTuple):
    """A tree to compile, and the helpers that it calls, by number."""

    tree: ast.Module
    sites: list[Site]


def rewritten(
    tree: ast.Module, watch: Watch, cells: Sequence[int] = (), prefix: str = PREFIX
) -> Rewritten:
    """`tree` with calls of helpers; it is left as it is.

    `cells` are the lines where cells begin, `prefix` is how the names of the helpers begin.
    """
    rewriter = _Rewriter(watch, prefix)
    body = rewriter.body(tree.body)
    for statement in _shown(tree.body, cells):
        at = tree.body.index(statement)
        offset = len(body) - len(tree.body)
        shown = cast(ast.Expr, body[at + offset])
        body[at + offset] = ast.copy_location(
            ast.Expr(rewriter.call("show", statement.value, [shown.value])), statement
        )
    return Rewritten(ast.Module(body, []), rewriter.sites)


def _shown(body: Sequence[ast.stmt], cells: Sequence[int]) -> list[ast.Expr]:
    """The expressions that end a cell of a notebook, or the program."""
    found = []
    for statement, following in zip(body, [*body[1:], None], strict=True):
        ends = following is None or any(
            statement.lineno < line <= following.lineno for line in cells
        )
        if ends and isinstance(statement, ast.Expr):
            found.append(statement)
    return found


class _Rewriter:
    """One rewriting. A node in which nothing changes is taken over as it is."""

    def __init__(self, watch: Watch, prefix: str) -> None:
        self.watch, self.prefix = watch, prefix
        self.sites: list[Site] = []
        self.depth = 0
        """Functions around the node."""
        self.tells = False
        """Whether the function around the node tells what it returns."""
        self.owner = ""
        """The class around the node, by which Python mangles private names."""

    # New nodes

    def helper(self, kind: str, node: ast.AST, *rest: Any) -> ast.Name:
        """The name of a new helper for `node`."""
        self.sites.append(Site(kind, node, rest))
        return _at(ast.Name(f"{self.prefix}{len(self.sites) - 1}", ast.Load()), node)

    def call(
        self, kind: str, node: ast.AST, args: list[Any], *rest: Any, keywords: Any = ()
    ) -> ast.Call:
        """A call of a new helper in place of `node`."""
        return _at(ast.Call(self.helper(kind, node, *rest), args, list(keywords)), node)

    def mangled(self, name: str) -> str:
        """The attribute that a name stands for in the class around it."""
        is_private = name.startswith("__") and not name.endswith("__")
        owner = self.owner.lstrip("_")
        return f"_{owner}{name}" if is_private and owner else name

    # Walking

    def visit(self, node: Any) -> Any:
        method = _METHODS.get(type(node))
        return method(self, node) if method else self.inside(node)

    def inside(self, node: Node) -> Node:
        """`node` with its parts rewritten."""
        changed = {}
        for name in node._fields:
            part = getattr(node, name, None)
            if isinstance(part, ast.AST):
                new = self.visit(part)
                if new is not part:
                    changed[name] = new
            elif isinstance(part, list) and part and any(isinstance(x, ast.AST) for x in part):
                items = (
                    self.body(part)
                    if isinstance(part[0], ast.stmt)
                    else [self.visit(x) if isinstance(x, ast.AST) else x for x in part]
                )
                if len(items) != len(part) or any(
                    a is not b for a, b in zip(items, part, strict=True)
                ):
                    changed[name] = items
        return replaced(node, **changed) if changed else node

    def all(self, nodes: Iterable[Any]) -> list[Any]:
        return [self.visit(node) for node in nodes]

    def body(self, statements: Iterable[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in statements:
            new = self.visit(statement)
            found += new if isinstance(new, list) else [new]
        return found

    # Expressions

    def binop(self, node: ast.BinOp) -> ast.expr:
        operands = [self.visit(node.left), self.visit(node.right)]
        return self.call("binary", node, operands, SIGNS[type(node.op)])

    def unaryop(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.Not | ast.Invert):
            return self.inside(node)
        if isinstance(node.operand, ast.Constant):
            return node
        kind = "negation" if isinstance(node.op, ast.USub) else "plus"
        return self.call(kind, node, [self.visit(node.operand)])

    def compare(self, node: ast.Compare) -> ast.expr:
        is_ordered = len(node.ops) == 1 and type(node.ops[0]) in _ORDERS
        if not self.watch.reads or not is_ordered:
            return self.inside(node)
        operands = [self.visit(node.left), self.visit(node.comparators[0])]
        return self.call("comparison", node, operands, _ORDERS[type(node.ops[0])])

    def attribute(self, node: ast.Attribute) -> ast.expr:
        value = self.visit(node.value)
        is_recorded = node.attr in self.watch.stores or self.watch.reads
        if isinstance(node.ctx, ast.Store) and is_recorded:
            return _item(self.helper("store", node, self.mangled(node.attr)), value, node)
        if self.watch.reads and isinstance(node.ctx, ast.Load):
            return self.call("read", node, [value], self.mangled(node.attr))
        return node if value is node.value else replaced(node, value=value)

    def subscript(self, node: ast.Subscript) -> ast.expr:
        if not isinstance(node.ctx, ast.Store) or isinstance(node.slice, ast.Slice):
            return self.inside(node)
        key = ast.Tuple([self.visit(node.value), self.visit(node.slice)], ast.Load())
        return _item(self.helper("item", node, _name_of(node.value)), _at(key, node), node)

    def namedexpr(self, node: ast.NamedExpr) -> ast.expr:
        return replaced(node, value=self.named(self.visit(node.value), node.target.id, node.value))

    def lambda_(self, node: ast.Lambda) -> ast.expr:
        args = self.visit(node.args)
        self.depth += 1
        body = self.visit(node.body)
        self.depth -= 1
        entered = self.call("enter", node.body, [_first(node.args, node.body)], "<lambda>", node)
        return replaced(node, args=args, body=self.call("leave_with", node.body, [entered, body]))

    def called(self, node: ast.Call) -> ast.expr:
        func = node.func
        name = func.id if isinstance(func, ast.Name) else ""
        is_short = len(node.args) <= (name not in NO_ARGUMENTS) and not node.keywords
        if name in CONVERSIONS and is_short and not _has_star(node):
            return self.call("convert", node, [func, *self.all(node.args)])
        if name in self.watch.draws and node.args:
            return self._wrapped("draw", node)
        if self._may_pass(node):
            return self._wrapped("passing", node, isinstance(func, ast.Attribute))
        if self.watch.reads and name != "super":
            return self._wrapped("call", node)
        return self.inside(node)

    def _may_pass(self, node: ast.Call) -> bool:
        """Whether a call may run a backward pass of the program's own."""
        func = node.func
        if isinstance(func, ast.Attribute):
            is_super = isinstance(func.value, ast.Call) and _name_of(func.value.func) == "super"
            known = func.attr in self.watch.passes or bool(node.keywords) or _has_star(node)
            return not is_super and (known or not self.depth)
        is_one = len(node.args) == 1 and not node.keywords and not _has_star(node)
        return not self.depth and is_one and isinstance(func, ast.Name)

    def _wrapped(self, kind: str, node: ast.Call, *rest: Any) -> ast.expr:
        """A call whose function and arguments go to a helper."""
        args = [self.visit(node.func), *self.all(node.args)]
        return self.call(kind, node, args, *rest, keywords=self.all(node.keywords))

    # Assignments

    def named(self, value: ast.expr, name: str, source: ast.expr) -> ast.expr:
        """`value`, which stands in the program as `source`, under a name."""
        if isinstance(source, ast.Constant) and not isinstance(source.value, int | float):
            return value
        if isinstance(source, ast.Lambda | ast.JoinedStr):
            return value
        return _at(ast.Call(self.helper("name", source, name, self.depth), [value], []), source)

    def assign(self, node: ast.Assign) -> ast.stmt:
        value = self.visit(node.value)
        first = next((t.id for t in node.targets if isinstance(t, ast.Name)), "")
        if first:
            value = self.named(value, first, node.value)
        elif len(node.targets) == 1 and isinstance(node.targets[0], ast.Tuple | ast.List):
            value = self._unpacked(node.targets[0], node.value, value)
        return replaced(node, targets=self.all(node.targets), value=value)

    def _unpacked(
        self, target: ast.Tuple | ast.List, source: ast.expr, value: ast.expr
    ) -> ast.expr:
        """`value` of several targets, its items under their names."""
        names = [part.id if isinstance(part, ast.Name) else "" for part in target.elts]
        if not any(names) or any(isinstance(part, ast.Starred) for part in target.elts):
            return value
        if isinstance(value, ast.Tuple | ast.List) and isinstance(source, ast.Tuple | ast.List):
            stars = any(isinstance(part, ast.Starred) for part in source.elts)
            if len(source.elts) == len(names) and not stars:
                pairs = zip(names, source.elts, value.elts, strict=True)
                items = [self.named(v, name, at) if name else v for name, at, v in pairs]
                return replaced(value, elts=items)
        return _at(
            ast.Call(self.helper("names", source, tuple(names), self.depth), [value], []), source
        )

    def annassign(self, node: ast.AnnAssign) -> ast.stmt:
        if node.value is None:
            return node
        value = self.visit(node.value)
        if isinstance(node.target, ast.Name):
            value = self.named(value, node.target.id, node.value)
            return replaced(node, value=value)
        assigned = ast.Assign([self.visit(node.target)], value)
        return _at(assigned, node)

    def augassign(self, node: ast.AugAssign) -> ast.stmt:
        sign, value, target = SIGNS[type(node.op)], self.visit(node.value), node.target
        if isinstance(target, ast.Name):
            load = _at(ast.Name(target.id, ast.Load()), target)
            result = self.call("in_place", node, [load, value], sign)
            named = _at(
                ast.Call(self.helper("name", node, target.id, self.depth), [result], []), node
            )
            return _at(ast.Assign([target], named), node)
        held: list[Any] = [self.visit(target.value)]
        if isinstance(target, ast.Subscript):
            held.append(self.visit(target.slice))
            kind, name = "item", _name_of(target.value)
        else:
            kind, name = "store", self.mangled(target.attr)
        loaded = self.call(f"load_{kind}", target, held, name)
        return _at(ast.Expr(self.call(f"change_{kind}", node, [loaded, value], name, sign)), node)

    # Blocks

    def for_(self, node: ast.For) -> ast.stmt:
        items = self.visit(node.iter)
        turns = _at(ast.Call(self.helper("turns", node), [items], []), node.iter)
        return replaced(
            node, target=self.visit(node.target), iter=turns, body=self.body(node.body),
            orelse=self.body(node.orelse),
        )  # fmt: skip

    def while_(self, node: ast.While) -> list[ast.stmt]:
        number = len(self.sites)
        held = f"{PREFIX}loop_{number}"
        begin = _assigned(held, self.call("loop", node, []), node)
        turn = self.call("turn", node.test, [_at(ast.Name(held, ast.Load()), node.test)])
        body = [_at(ast.Expr(turn), node.test), *self.body(node.body)]
        loop = replaced(node, test=self.visit(node.test), body=body, orelse=self.body(node.orelse))
        ended = self.call("end_loop", node, [_at(ast.Name(held, ast.Load()), node)])
        guarded = ast.Try([loop], [], [], [_at(ast.Expr(ended), node)])
        return [begin, _at(guarded, node)]

    def functiondef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
        decorators = self.all(node.decorator_list)
        args = self.visit(node.args)
        enters = isinstance(node, ast.FunctionDef) and not _yields(node)
        tells, self.tells = self.tells, enters and node.name.strip("_") in self.watch.results
        self.depth += 1
        body = self.body(node.body)
        self.depth -= 1
        self.tells = tells
        if isinstance(node, ast.FunctionDef) and enters:
            body = self._entered(node, body)
        return replaced(node, decorator_list=decorators, args=args, body=body)

    def _entered(self, node: ast.FunctionDef, body: list[ast.stmt]) -> list[ast.stmt]:
        """The body of a function between entering the call and leaving it."""
        is_documented = ast.get_docstring(node, clean=False) is not None
        doc, rest = body[: int(is_documented)], body[int(is_documented) :]
        place = node.body[0]
        first = _first(node.args, place)
        begin = _assigned(CALL, self.call("enter", place, [first], node.name, node), place)
        leave = self.call("leave", place, [_at(ast.Name(CALL, ast.Load()), place)])
        nothing: list[ast.stmt] = [_at(ast.Pass(), place)]
        return [
            *doc,
            begin,
            _at(ast.Try(rest or nothing, [], [], [_at(ast.Expr(leave), place)]), place),
        ]

    def match(self, node: ast.Match) -> ast.Match:
        """Patterns stay: their attributes and constants are no expressions."""
        cases = [
            replaced(case, body=self.body(case.body), guard=case.guard and self.visit(case.guard))
            for case in node.cases
        ]
        return replaced(node, subject=self.visit(node.subject), cases=cases)

    def return_(self, node: ast.Return) -> ast.stmt:
        if not self.tells or node.value is None:
            return self.inside(node)
        call = _at(ast.Name(CALL, ast.Load()), node)
        return replaced(node, value=self.call("result", node, [call, self.visit(node.value)]))

    def classdef(self, node: ast.ClassDef) -> ast.stmt:
        adopt = self.helper("adopt", node)
        owner, self.owner = self.owner, node.name
        inner = self.inside(node)
        self.owner = owner
        return replaced(inner, decorator_list=[adopt, *inner.decorator_list])


_ORDERS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
_METHODS: dict[type[ast.AST], Callable[[_Rewriter, Any], Any]] = {
    ast.BinOp: _Rewriter.binop,
    ast.UnaryOp: _Rewriter.unaryop,
    ast.Compare: _Rewriter.compare,
    ast.Attribute: _Rewriter.attribute,
    ast.Subscript: _Rewriter.subscript,
    ast.NamedExpr: _Rewriter.namedexpr,
    ast.Lambda: _Rewriter.lambda_,
    ast.Call: _Rewriter.called,
    ast.Assign: _Rewriter.assign,
    ast.AnnAssign: _Rewriter.annassign,
    ast.AugAssign: _Rewriter.augassign,
    ast.For: _Rewriter.for_,
    ast.While: _Rewriter.while_,
    ast.FunctionDef: _Rewriter.functiondef,
    ast.AsyncFunctionDef: _Rewriter.functiondef,
    ast.ClassDef: _Rewriter.classdef,
    ast.Return: _Rewriter.return_,
    ast.Constant: lambda rewriter, node: node,
    ast.Name: lambda rewriter, node: node,
    ast.Match: _Rewriter.match,
}


def replaced(node: Node, **changed: Any) -> Node:
    """A copy of `node` with some of its parts changed."""
    kind: Any = type(node)
    new: Node = kind(**{name: getattr(node, name, None) for name in node._fields} | changed)
    return ast.copy_location(new, node) if "lineno" in node._attributes else new


def _at(new: Node, node: ast.AST) -> Node:
    """`new` at the place of `node`, and with it the parts that have no place yet."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.For | ast.While):
        place = (node.lineno, node.col_offset, node.lineno, node.col_offset)
    else:
        at: Any = node
        place = (at.lineno, at.col_offset, at.end_lineno, at.end_col_offset)
    found: Any = new
    found.lineno, found.col_offset, found.end_lineno, found.end_col_offset = place
    return new


def _item(helper: ast.Name, key: ast.expr, node: ast.expr) -> ast.Subscript:
    """`helper[key]` as a target in place of `node`."""
    return _at(ast.Subscript(helper, key, ast.Store()), node)


def _assigned(name: str, value: ast.expr, node: ast.AST) -> ast.stmt:
    return _at(ast.Assign([_at(ast.Name(name, ast.Store()), node)], value), node)


def _name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _first(params: ast.arguments, node: ast.AST) -> ast.expr:
    """The first parameter of a function, in which a method has its object; else None."""
    named = [*params.posonlyargs, *params.args]
    first: ast.expr = ast.Name(named[0].arg, ast.Load()) if named else ast.Constant(None)
    return _at(first, node)


def _has_star(node: ast.Call) -> bool:
    return any(isinstance(arg, ast.Starred) for arg in node.args)


def _yields(function: ast.FunctionDef) -> bool:
    """Whether a function is a generator: its scope is none, as its caller's goes on meanwhile."""
    todo: list[ast.AST] = list(function.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, _SCOPES):
            todo += ast.iter_child_nodes(node)
    return False
