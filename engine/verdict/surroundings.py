"""A line of a program and the text around it, as the rewriting of the line needs them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TypeVar

from engine.caches import cached
from engine.named_ops import SPECIAL
from engine.parser_lock import Span, module
from engine.record.attribute_names import CHILDREN, DATA
from engine.record.gradient_names import gradients_in

from .partials import formulas
from .text_edits import Rewrite, renamed

Node = TypeVar("Node", bound=ast.AST)
Loop = ast.For | ast.While


@cached("trees of edited texts")
def _read(text: str) -> tuple[ast.Module, Mapping[ast.AST, ast.AST]]:
    """The tree of a text, and what stands around each part."""
    tree = module(text)
    return tree, {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}


@cached("gradients of edited texts")
def _gradients(text: str) -> frozenset[str]:
    return gradients_in(_read(text)[0])


class SourceLine:
    """One line, counted from 1. Raises SyntaxError for a text that cannot be parsed."""

    def __init__(self, text: str, number: int, wanted: str = "") -> None:
        self.text, self.number, self.wanted = text, number, wanted
        self.lines = text.split("\n")
        self.tree, self.parents = _read(text)

    # The tree at the line

    def _around(self, kind: type[Node]) -> list[Node]:
        """The nodes of a kind around the line or beginning in it, the innermost first."""
        found = [
            node
            for node in ast.walk(self.tree)
            if isinstance(node, kind) and node.lineno <= self.number <= (node.end_lineno or 0)  # type: ignore[attr-defined]
        ]
        return sorted(found, key=lambda node: -node.lineno)  # type: ignore[attr-defined]

    @cached_property
    def statement(self) -> ast.stmt | None:
        return next(iter(self._around(ast.stmt)), None)

    @cached_property
    def functions_around(self) -> list[ast.FunctionDef]:
        return self._around(ast.FunctionDef)

    @property
    def function(self) -> ast.FunctionDef | None:
        return next(iter(self.functions_around), None)

    def loops(self) -> list[ast.For]:
        return self._around(ast.For)

    def nodes(self, kind: type[Node]) -> Iterator[Node]:
        """The nodes of a kind that lie in the line, outer ones first."""
        for node in ast.walk(self.tree):
            place = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
            if isinstance(node, kind) and place == (self.number, self.number):
                yield node

    def text_of(self, node: ast.AST) -> str:
        if not hasattr(node, "lineno"):
            return ""
        return self.text_at(self.span_of(node))

    def text_at(self, span: Span) -> str:
        first, start, last, end = span
        lines = self.lines[first - 1 : last]
        lines[-1] = lines[-1][: end - 1]
        lines[0] = lines[0][start - 1 :]
        return "\n".join(lines)

    def span_of(self, node: ast.AST) -> Span:
        """The span of a node, in characters."""
        first, last = node.lineno, node.end_lineno  # type: ignore[attr-defined]
        start = len(self.lines[first - 1].encode()[: node.col_offset].decode())  # type: ignore[attr-defined]
        end = len(self.lines[last - 1].encode()[: node.end_col_offset].decode())  # type: ignore[attr-defined]
        return first, start + 1, last, end + 1

    def is_in_brackets(self, node: ast.AST) -> bool:
        first, start, last, end = self.span_of(node)
        before, after = self.lines[first - 1][: start - 1], self.lines[last - 1][end - 1 :]
        return before.rstrip().endswith("(") and after.lstrip().startswith(")")

    def replaced(self, node: ast.AST, text: str) -> Rewrite:
        return Rewrite(self.span_of(node), text)

    def with_argument(self, call: ast.Call, text: str, at: int | None = None) -> Rewrite:
        """One more positional argument, the last one or the one at an index."""
        given = call.args if at is None else call.args[:at]
        if not given:
            return self.replaced(call, f"{self.text_of(call.func)}({text})")
        line, _, _, end = self.span_of(given[-1])
        return Rewrite((line, end, line, end), f", {text}")

    # Names

    @cached_property
    def _method(self) -> ast.FunctionDef | None:
        return self.functions_around[-1] if self.functions_around else None

    def method(self) -> str:
        return self._method.name if self._method else ""

    def params(self, with_self: bool = False) -> list[str]:
        """The parameters of the innermost function, or of the method with its self."""
        function = self._method if with_self else self.function
        names = [arg.arg for arg in function.args.args] if function else []
        return names if with_self else [name for name in names if name != "self"]

    @cached_property
    def _locals(self) -> list[str]:
        """Names that the method assigns, or the module outside of functions."""
        scope = self._method or self.tree
        found = [n.id for n in ast.walk(scope) if isinstance(n, ast.Name) and _stores(n)]
        return list(dict.fromkeys(found))

    def objects(self) -> list[str]:
        inside = [*self._around(ast.Lambda)[:1]] if self._method is None else [self._method]
        inner = [
            part.arg for node in inside for part in ast.walk(node) if isinstance(part, ast.arg)
        ]
        return list(dict.fromkeys([*self._locals, *self.params(with_self=True), *inner]))[-10:]

    @cached_property
    def owners(self) -> set[str]:
        return {
            node.value.id
            for node in ast.walk(self._method or self.tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        }

    def with_exchanged(self, names: Mapping[str, str]) -> Rewrite:
        """The line with some texts in the place of others."""
        text = self.lines[self.number - 1].rstrip()
        start = len(text) - len(text.lstrip())
        span = (self.number, start + 1, self.number, len(text) + 1)
        return Rewrite(span, renamed(text[start:], names), kind="wrong_variable")

    def siblings(self, node: ast.Attribute) -> list[str]:
        """The other attributes that the method reads of the same object: `self.u1` of `self.u0`."""
        owner = self.text_of(node.value)
        read = [n for n in ast.walk(self._method or self.tree) if isinstance(n, ast.Attribute)]
        found = [n for n in read if isinstance(n.value, ast.Name) and n.value.id == owner]
        return [f"{owner}.{x}" for x in dict.fromkeys(n.attr for n in found) if x != node.attr][:8]

    def counters(self) -> list[str]:
        counted = [n.target for n in ast.walk(self.tree) if isinstance(n, ast.AugAssign)]
        names = [n.attr for n in counted if isinstance(n, ast.Attribute)]
        return [name for name in dict.fromkeys(names) if name not in self.gradients]

    def mirrored(self, text: str) -> str:
        """A text with the two operands of the method in each other's place."""
        pair = self.params(with_self=True)[:2]
        return renamed(text, dict(zip(pair, pair[::-1], strict=True)))

    def functions(self) -> list[str]:
        inside = ast.walk(self.function) if self.function else ()
        return [n.name for n in inside if isinstance(n, ast.FunctionDef) and n is not self.function]

    @cached_property
    def gradients(self) -> frozenset[str]:
        return _gradients(self.text)

    @cached_property
    def gradient(self) -> str:
        """The name under which gradients are kept."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Attribute) and node.attr in self.gradients and _stores(node):
                return node.attr
        return "grad"

    @cached_property
    def number_name(self) -> str:
        """The name under which the method's operands keep their numbers."""
        operands = self.params(with_self=True)
        read = [
            node
            for node in ast.walk(self._method or self.tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        ]
        own = [node.attr for node in read if node.value.id in operands]  # type: ignore[attr-defined]
        known = [n.attr for n in ast.walk(self.tree) if isinstance(n, ast.Attribute)]
        found = [attr for attr in (*own, *known) if attr in DATA]
        found += [attr for attr in own if attr not in self.gradients | CHILDREN]
        return next(iter(found), "data")

    # Gradients

    def writes(self) -> Iterator[tuple[ast.AST, ast.expr]]:
        """The writes in the line, each with the expression for what it brings."""
        for node in self.nodes(ast.AST):
            match node:
                case ast.Assign() | ast.AugAssign():
                    yield node, node.value
                case ast.Lambda():
                    yield node, node.body
                case ast.Return(value=ast.Tuple(elts=parts)):
                    yield from ((part, part) for part in parts)

    def upstreams(self) -> list[str]:
        """The gradient of the result, as the neighbours of the line read it."""
        scope = self.function or self.tree
        found = [
            self.text_of(node)
            for node in ast.walk(scope)
            if isinstance(node, ast.Attribute) and node.attr in self.gradients and not _stores(node)
        ]
        found += [f"{name}.{self.gradient}" for name in self._results]
        read = {self.text_of(n.value) for n in ast.walk(scope) if isinstance(n, ast.Attribute)}
        found += [f"{x}.{self.gradient}" if x in read else x for x in self.params()]
        if self.function is None:
            found = [f"{name}.{self.gradient}" for name in self._uses()] + found
        for loop in self.loops():
            names = [n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)]
            found += [f"{name}.{self.gradient}" for name in names]
        targets = {self.text_of(n) for n in self.nodes(ast.Attribute) if _stores(n)}
        return [name for name in dict.fromkeys(found) if name not in targets][:6]

    def _uses(self) -> list[str]:
        """The variables of the module computed from the object that the line writes to."""
        targets = [n for n in self.nodes(ast.Attribute) if _stores(n)]
        owners = {n.value.id for n in targets if isinstance(n.value, ast.Name)}
        return [
            node.targets[0].id
            for node in self.tree.body
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and owners & {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
        ]

    @cached_property
    def _results(self) -> list[str]:
        if self._method is None:
            return []
        returned = [n.value for n in ast.walk(self._method) if isinstance(n, ast.Return)]
        return [value.id for value in returned if isinstance(value, ast.Name)]

    def factor(self, value: ast.expr) -> str:
        text = self.text_of(value)
        is_sum = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add | ast.Sub)
        return f"({text})" if is_sum or isinstance(value, ast.IfExp | ast.BoolOp) else text

    def formulas(self) -> list[str]:
        """The partials that the method may need, in its own names."""
        params = self.params(with_self=True)
        if not params or self._method is None:
            return []
        written = [n for n in self.nodes(ast.Attribute) if _stores(n)]
        owners = [n.value.id for n in written if isinstance(n.value, ast.Name)]
        owner = owners[0] if owners and owners[0] in params else params[0]
        other = next((name for name in params if name != owner), owner)
        number = self.number_name
        results = [name for name in self._locals if name not in self._results]
        results += [f"{name}.{number}" for name in self._results or params if name != owner]
        found = []
        for formula in formulas(self._method.name):
            for result in results if "{r}" in formula else [""]:
                names = {"x": f"{owner}.{number}", "y": f"{other}.{number}", "n": other}
                found.append(formula.format(r=result, **names))
        return list(dict.fromkeys(found))[:10]

    def receivers(self) -> Iterator[tuple[str, str]]:
        """The operands' gradients that the function does not write, and what others multiply by."""
        written = {
            self.text_of(node)
            for node in ast.walk(self.function or self.tree)
            if isinstance(node, ast.Attribute) and _stores(node)
        }
        for name in self.params(with_self=True):
            if f"{name}.{self.gradient}" not in written:
                for upstream in self.upstreams()[:2]:
                    yield f"{name}.{self.gradient}", upstream

    # Lines to add

    def after_last(self, text: str) -> Rewrite:
        assert self.function is not None
        last = self.function.body[-1]
        line, _, end_line, end = self.span_of(last)
        return Rewrite((end_line, end, end_line, end), f"\n{self._indent(line)}{text}")

    def _indent(self, number: int) -> str:
        text = self.lines[number - 1]
        return text[: len(text) - len(text.lstrip())]

    def _before(self, node: ast.stmt, text: str) -> Rewrite:
        indent = self._indent(node.lineno)
        added = "".join(f"{indent}{line}\n" for line in text.split("\n"))
        return Rewrite((node.lineno, 1, node.lineno, 1), added)

    def seeds(self) -> Iterator[Rewrite]:
        """1 for the output's gradient in the function that the line calls."""
        called = {_name_of(call.func) for call in self.nodes(ast.Call)}
        for function in ast.walk(self.tree):
            if not isinstance(function, ast.FunctionDef) or function.name not in called:
                continue
            if not function.args.args:
                continue
            seed = f"{function.args.args[0].arg}.{self.gradient} = 1.0"
            for node in ast.walk(function):
                match node:
                    case ast.Assign(targets=[ast.Attribute(attr=name)]) if name == self.gradient:
                        yield self.replaced(node, seed)
                    case ast.Dict(values=[value]):
                        yield self.replaced(value, "1.0")
            for loop in [n for n in function.body if isinstance(n, Loop)][::-1]:
                yield self._before(loop, seed)

    def resets(self) -> Iterator[Rewrite]:
        """Gradients set to 0 before the line: those of what the program updates."""
        if self.statement is None:
            return
        for node in ast.walk(self.tree):
            if isinstance(node, ast.For) and any(map(self._updates, node.body)):
                header = f"for {self.text_of(node.target)} in {self.text_of(node.iter)}:"
                name = self.text_of(node.target)
                text = f"{header}\n    {name}.{self.gradient} = 0.0"
                yield self._before(self.statement, text)
        names = [
            n.target.value.id
            for statement in self.tree.body
            for n in ast.walk(statement)
            if isinstance(n, ast.AugAssign)
            and isinstance(n.target, ast.Attribute)
            and n.target.attr not in self.gradients
            and isinstance(n.target.value, ast.Name)
        ]
        if names:
            text = " = ".join(f"{name}.{self.gradient}" for name in dict.fromkeys(names))
            yield self._before(self.statement, f"{text} = 0.0")
        for call in ast.walk(self.tree):
            is_call = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
            if is_call and _name_of(call.func) in ("parameters", "params"):  # type: ignore[attr-defined]
                text = f"for p in {self.text_of(call)}:\n    p.{self.gradient} = 0.0"
                yield self._before(self.statement, text)

    def _updates(self, node: ast.stmt) -> bool:
        target = node.target if isinstance(node, ast.AugAssign) else None
        return isinstance(target, ast.Attribute) and target.attr not in self.gradients

    def operands(self) -> list[str]:
        params = self.params(with_self=True)
        return list(dict.fromkeys([", ".join(params), *params[:1]])) if params else []

    def stores(self) -> list[str]:
        """The attribute of the result under which other methods store their functions."""
        found = []
        defined = {n.name for n in ast.walk(self.tree) if isinstance(n, ast.FunctionDef)}
        for node in ast.walk(self.tree):
            match node:
                case ast.Assign(targets=[ast.Attribute(attr=attr)], value=ast.Name(id=name)) if (
                    name in defined
                ):
                    found += [f"{result}.{attr}" for result in self._results]
        return list(dict.fromkeys(found))

    def reflections(self) -> Iterator[Rewrite]:
        """The method for an operand on the left that is a plain number, after its counterpart."""
        plain = self.wanted.replace("__r", "__", 1)
        sign = next((sign for sign, name in SPECIAL.items() if f"__{name}__" == plain), "")
        for owner in ast.walk(self.tree):
            if not isinstance(owner, ast.ClassDef):
                continue
            for method in owner.body:
                if not isinstance(method, ast.FunctionDef) or method.name != plain:
                    continue
                _, _, line, end = self.span_of(method)
                indent = self._indent(method.lineno)
                if sign in ("+", "*"):
                    text = f"\n\n{indent}{self.wanted} = {plain}"
                    yield Rewrite((line, end, line, end), text)
                for left in (f"{owner.name}(other)", f"{owner.name}(float(other))"):
                    text = f"\n\n{indent}def {self.wanted}(self, other):"
                    text += f"\n{indent}    return {left} {sign} self"
                    yield Rewrite((line, end, line, end), text)


def _stores(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Store)


def _name_of(node: ast.expr) -> str:
    return getattr(node, "attr", getattr(node, "id", ""))
