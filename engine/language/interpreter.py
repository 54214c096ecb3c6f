"""The walk over a program's syntax tree that runs it.

A safe subset of Python: only the syntax handled here exists, every name is looked up in the
program's own variables or in the tables of `names`, no attribute of a Python object can be
reached, and every piece of work is counted against a budget. Nothing is compiled or evaluated.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from engine.value import Value

from . import attributes, imports, objects
from . import names as words
from .expressions import Expressions, Handler
from .loop_cost import least_work
from .machine import (
    Function,
    Note,
    _Break,
    _Continue,
    _Return,
)
from .object_methods import check_changeable
from .source import ProgramError
from .tape import Number, Refused, Scope


class Interpreter(Expressions):
    """One run of one program. `overrides` gives leaves, by their count, another number."""

    def run(self) -> None:
        """Run the whole program. Raises ProgramError."""
        statement: ast.stmt = ast.Pass()
        result = None
        self.note_dropped()
        try:
            for statement in self.source.tree.body:
                result = self.do(statement)
            if (
                isinstance(statement, ast.Expr)
                and result is not None
                and result is not objects.DRAWING
            ):
                self.print_text(objects.text(self, result, quote=True) + "\n", statement)
            if self.line:
                self.print_text("\n", statement)
            self.choose_output(statement, result)
            self.draw_network()
        except Refused as refused:
            span = self.source.span(refused.node)
            raise ProgramError(refused.message, span, refused.hint) from None
        except RecursionError:
            span = self.source.span(statement)
            hint = "Name the parts on lines of their own."
            raise ProgramError("This is nested too deeply.", span, hint) from None
        except (ArithmeticError, ValueError, MemoryError):
            span = self.source.span(statement)
            hint = "Use smaller numbers, texts and lists."
            raise ProgramError("This cannot be computed here.", span, hint) from None
        except (_Break, _Continue, _Return):
            span = self.source.span(statement)
            raise ProgramError(
                "This stands outside of a loop or function.", span, "Remove it."
            ) from None

    def note_dropped(self) -> None:
        """Tell of the lines of a notebook that are no Python."""
        source = self.source
        written = [i for i in source.code.dropped if source.lines[i - 1].strip()]
        if written:
            text = source.lines[written[0] - 1]
            span = written[0], 1, written[0], len(text) + 1
            shown, more = text.strip()[:40], len(written) - 1
            if more:
                lines = "1 more line" if more == 1 else f"{more:,} more lines"
                message = f"{shown} and {lines} are passed over: they are no Python."
            else:
                message = f"{shown} is passed over: it is no Python."
            self.notes.append(Note(message, span))

    def choose_output(self, last: ast.stmt, result: Any) -> None:
        """A last statement `L = c`, or `c`, makes c the output, whatever was computed after it."""
        if isinstance(last, ast.Assign) and isinstance(last.targets[0], ast.Name):
            result = self.env.names.get(last.targets[0].id)
        tape = self.tape
        if isinstance(result, Number):
            tape.last_number = result if result.op is not None else tape.last_number
        elif isinstance(result, Value) and result.op is not None:
            tape.last = result

    def draw_network(self) -> None:
        """Where a program only makes a network, call it, so that there is something to see."""
        tape = self.tape
        if tape.networks and not (tape.backward or tape.last or tape.last_number):
            module, node = tape.networks[-1]
            self.note(node, "The network is not called yet; it is drawn for inputs of 1.")
            tape.node = node
            module([tape.constant(1.0, node, f"x[{i}]") for i in range(module.inputs())])

    def do(self, statement: ast.stmt) -> Any:
        self.tape.spend(statement)
        handler = _STATEMENTS.get(type(statement))
        if handler is None:
            raise Refused(statement, *words.foreign(statement))
        return handler(self, statement)

    def do_all(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            self.do(statement)

    def do_expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return None
        return self.evaluate(node.value)

    def do_assign(self, node: ast.Assign) -> None:
        result = self.evaluate(node.value)
        for target in node.targets:
            result = self.assign(target, result, node.value)

    def do_annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node.target, self.evaluate(node.value), node.value)
        elif not isinstance(node.target, ast.Name):
            self.evaluate(node.target)

    def do_augassign(self, node: ast.AugAssign) -> None:
        target = node.target
        old = self.evaluate(target)
        new = self.binary(node.op, old, self.evaluate(node.value), [target, node.value], node)
        self.assign(target, new, node)

    def do_if(self, node: ast.If) -> None:
        self.do_all(node.body if self.truth(node.test) else node.orelse)

    def do_for(self, node: ast.For) -> None:
        items = self.items(self.evaluate(node.iter), node.iter)
        self.foresee(node, self.length(items, node.iter))
        around = self.tape.scope
        loop = Scope("loop", f"for, line {node.lineno}", around)
        for turn, item in enumerate(items):
            self.tape.spend(node)
            self.tape.scope = Scope("iteration", f"turn {turn + 1}, line {node.lineno}", loop)
            self.bind(node.target, item)
            try:
                self.do_all(node.body)
            except _Break:
                break
            except _Continue:
                continue
        else:
            self.tape.scope = around
            self.do_all(node.orelse)
        self.tape.scope = around

    def foresee(self, loop: ast.For, turns: int) -> None:
        """Raises Refused for a loop that would use up the budget."""
        least = self.least.get(loop)
        if least is None:
            least = self.least[loop] = 1 + least_work(loop.body)
        if least > 1 and turns * least > self.tape.left:
            raise Refused(
                loop.iter,
                f"{turns:,} turns of this loop need at least {turns * least:,} operations; a "
                f"program may take {self.limits.operations:,}, and {self.tape.left:,} are left.",
                "Do fewer turns of the loop.",
            )

    def do_break(self, node: ast.Break) -> None:
        raise _Break

    def do_continue(self, node: ast.Continue) -> None:
        raise _Continue

    def do_return(self, node: ast.Return) -> None:
        raise _Return(None if node.value is None else self.evaluate(node.value))

    def do_pass(self, node: ast.Pass) -> None:
        pass

    def do_assert(self, node: ast.Assert) -> None:
        if not self.truth(node.test):
            raise Refused(node, "This assertion does not hold.", "Correct it, or remove the line.")

    def do_functiondef(self, node: ast.FunctionDef) -> None:
        if node.decorator_list:
            raise Refused(
                node.decorator_list[0], "A decorator is not part of this language.", "Remove it."
            )
        self.check_params(node.args, node)
        defaults = [self.evaluate(default) for default in node.args.defaults]
        self.env.names[node.name] = Function(node.name, node.args, node.body, defaults, self.env)

    def do_classdef(self, node: ast.ClassDef) -> None:
        words.built_in_class(self, node)

    def do_import(self, node: ast.Import) -> None:
        for alias in node.names:
            imports.import_module(self, alias)

    def do_importfrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            imports.import_name(self, node, alias)

    def do_with(self, node: ast.With) -> None:
        for item in node.items:
            call = item.context_expr
            plain = isinstance(call, ast.Call) and not (call.args or call.keywords)
            if not plain or objects.written(call) not in words.CONTEXTS:
                raise Refused(
                    item.context_expr,
                    "Only `with torch.no_grad():` is known here.",
                    "Remove the line.",
                )
        self.do_all(node.body)

    def assign(self, target: ast.expr, value: Any, node: ast.AST) -> Any:
        """Bind `value`; a plain number becomes a leaf, a Value without a label gets the name."""
        if isinstance(target, ast.Name):
            words.check_free(target)
            value = self.named(value, target.id, node)
            self.env.names[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            pairs = self.spread(target, value)
            elements = node.elts if isinstance(node, ast.Tuple | ast.List) else []
            sources = elements if len(elements) == len(pairs) else [node] * len(pairs)
            for (part, item), source in zip(pairs, sources, strict=True):
                self.assign(part, item, source)
        elif isinstance(target, ast.Attribute):
            attributes.set_attribute(self, self.evaluate(target.value), target, value)
        elif isinstance(target, ast.Subscript):
            self.set_item(target, value, node)
        else:
            raise Refused(target, "Only a name can stand left of =.", "Write name = expression.")
        return value

    def named(self, value: Any, name: str, node: ast.AST, depth: int = 0) -> Any:
        """Numbers become leaves and get labels: `w = [1.0, 2.0]` names w[0] and w[1]."""
        if type(value) is float or type(value) is int:
            return self.tape.leaf(self.tape.number(value, node, name), node)
        if isinstance(value, Value) and not value.label:
            value.label = name
        elif isinstance(value, list) and depth < 4:
            elements = node.elts if isinstance(node, ast.List | ast.Tuple) else [node] * len(value)
            self.tape.spend(node, len(value))
            for i, item in enumerate(value):
                where = elements[i] if i < len(elements) else node
                value[i] = self.named(item, f"{name}[{i}]", where, depth + 1)
        return value

    def set_item(self, target: ast.Subscript, value: Any, node: ast.AST) -> None:
        """Put `value` in its place; in a list with a name it is named as the list's items are."""
        container = self.evaluate(target.value)
        check_changeable(container, target)
        index = self.index(target.slice, len(container))
        if isinstance(target.value, ast.Name):
            value = self.named(value, f"{target.value.id}[{index % len(container)}]", node)
        container[index] = value


_STATEMENTS: dict[type[ast.stmt], Handler] = {
    ast.Expr: Interpreter.do_expr,
    ast.Assign: Interpreter.do_assign,
    ast.AnnAssign: Interpreter.do_annassign,
    ast.AugAssign: Interpreter.do_augassign,
    ast.If: Interpreter.do_if,
    ast.For: Interpreter.do_for,
    ast.Break: Interpreter.do_break,
    ast.Continue: Interpreter.do_continue,
    ast.Return: Interpreter.do_return,
    ast.Pass: Interpreter.do_pass,
    ast.Assert: Interpreter.do_assert,
    ast.FunctionDef: Interpreter.do_functiondef,
    ast.ClassDef: Interpreter.do_classdef,
    ast.Import: Interpreter.do_import,
    ast.ImportFrom: Interpreter.do_importfrom,
    ast.With: Interpreter.do_with,
}
