"""The walk over a program's syntax tree that runs it.

A safe subset of Python: only the syntax handled here exists, every name is looked up in the
program's own variables or in the tables of `vocabulary`, no attribute of a Python object can be
reached, and every piece of work is counted against a budget. Nothing is compiled or evaluated.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.nn import Module
from engine.ops import OPS, Op
from engine.value import Value

from . import attributes, methods, objects, operators
from . import names as words
from .loop_cost import least_work
from .machine import Env, Function, Note, _Break, _Continue, _Return
from .source import Limits, ProgramError, Source
from .tape import Number, Refused, Scope, Tape

CALL_DEPTH = 25
MAX_ARGUMENTS = 100
LIST_LENGTH = 20_000
TEXT_LENGTH = 2_000
NOTES = 20
_SIGNS: dict[type[ast.operator], Op] = {
    ast.Add: OPS["+"],
    ast.Sub: OPS["-"],
    ast.Mult: OPS["*"],
    ast.Div: OPS["/"],
    ast.Pow: OPS["**"],
}
_ORDER: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}


class Interpreter:
    """One run of one program. `overrides` gives leaves, by their count, another number."""

    def __init__(self, source: Source, limits: Limits, overrides: dict[int, float]) -> None:
        self.source = source
        self.limits = limits
        self.tape = Tape(limits, overrides)
        self.rng = random.Random(0)
        self.env = Env()
        self.printed: list[str] = []
        self.line = ""
        """What was printed without an end of line."""
        self.notes: list[Note] = []
        self.depth = 0
        self.least: dict[ast.For, int] = {}
        """Operations that a turn of a loop takes at least."""
        self.repr: Function | None = None
        self.network: dict[str, Any] = {}
        """What a pasted `class Neuron` does differently from the built-in one."""

    def run(self) -> None:
        """Run the whole program. Raises ProgramError."""
        statement: ast.stmt = ast.Pass()
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

    def draw_network(self) -> None:
        """Where a program only makes a network, call it, so that there is something to see."""
        tape = self.tape
        if tape.networks and not (tape.backward or tape.last or tape.last_number):
            module, node = tape.networks[-1]
            self.note(node, "The network is not called yet; it is drawn for inputs of 1.")
            tape.node = node
            module([tape.constant(1.0, node, f"x[{i}]") for i in range(module.inputs())])

    def note(self, node: ast.AST, message: str) -> None:
        if len(self.notes) < NOTES and not any(note.message == message for note in self.notes):
            self.notes.append(Note(message, self.source.span(node)))

    def print_text(self, text: str, node: ast.AST) -> None:
        *lines, rest = (self.line + text).split("\n")
        if len(self.printed) + len(lines) > self.limits.printed_lines:
            limit = f"{self.limits.printed_lines:,}"
            raise Refused(node, f"The program prints more than {limit} lines.", "Print less often.")
        self.printed += [
            line if len(line) <= TEXT_LENGTH else line[:TEXT_LENGTH] + "…" for line in lines
        ]
        self.line = rest[: TEXT_LENGTH + 1]

    # Statements

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
            words.import_module(self, alias, node)

    def do_importfrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            words.import_name(self, node.module or "", alias, node)

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

    # Assignment

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

    def bind(self, target: ast.expr, value: Any) -> None:
        """Give a loop's variable its value; it is nobody's leaf and no name for a drawing."""
        if isinstance(target, ast.Name):
            words.check_free(target)
            self.env.names[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            for part, item in self.spread(target, value):
                self.bind(part, item)
        else:
            raise Refused(target, "A loop's variable is a name.", "Write for x in …:")

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

    def spread(self, target: ast.Tuple | ast.List, value: Any) -> list[tuple[ast.expr, Any]]:
        """Each name of `target` with its item of `value`; a name with * takes what is left over."""
        names = [part.value if isinstance(part, ast.Starred) else part for part in target.elts]
        stars = [i for i, part in enumerate(target.elts) if isinstance(part, ast.Starred)]
        length = self.length(self.items(value, target), target)
        over = length - len(names)
        if len(stars) > 1 or (over < -1 if stars else over != 0):
            message = f"There are {len(names)} names here for {length} values."
            raise Refused(target, message, "Write as many names as values.")
        self.check_length(length, target)
        self.tape.spend(target, length)
        items = list(value)
        for i in stars:
            items[i : i + over + 1] = [items[i : i + over + 1]]
        return list(zip(names, items, strict=True))

    def set_item(self, target: ast.Subscript, value: Any, node: ast.AST) -> None:
        """Put `value` in its place; in a list with a name it is named as the list's items are."""
        container = self.evaluate(target.value)
        attributes.check_changeable(container, target)
        index = self.index(target.slice, len(container))
        if isinstance(target.value, ast.Name):
            value = self.named(value, f"{target.value.id}[{index % len(container)}]", node)
        container[index] = value

    # Expressions

    def evaluate(self, node: ast.expr) -> Any:
        tape = self.tape
        tape.left -= 1
        if tape.left < 0:
            tape.exhausted(node)
        handler = _EXPRESSIONS.get(type(node))
        if handler is None:
            raise Refused(node, *words.foreign(node))
        return handler(self, node)

    def constant(self, node: ast.Constant) -> Any:
        value = node.value
        if isinstance(value, bool | int | float | str) or value is None:
            return value
        raise Refused(
            node,
            f"{objects.sentence(objects.kind(value))} is not part of this language.",
            "Write a number.",
        )

    def name(self, node: ast.Name) -> Any:
        env: Env | None = self.env
        while env is not None:
            if node.id in env.names:
                return env.names[node.id]
            env = env.around
        return words.look_up(self, node)

    def binop(self, node: ast.BinOp) -> Any:
        left, right = self.evaluate(node.left), self.evaluate(node.right)
        return self.binary(node.op, left, right, [node.left, node.right], node)

    def binary(
        self, sign: ast.operator, a: Any, b: Any, nodes: list[ast.expr], node: ast.AST
    ) -> Any:
        op = _SIGNS.get(type(sign))
        if op is None or isinstance(a, list | str) or isinstance(b, list | str):
            return operators.plain_binary(self, sign, a, b, node)
        left, right = nodes
        first = a if isinstance(a, Value) else self.lift(a, left)
        second = b if isinstance(b, Value) else self.lift(b, right)
        return self.tape.apply(op, (first, second), node)

    def compute(
        self, op: Op, args: Sequence[Any], nodes: Sequence[ast.expr], node: ast.AST
    ) -> Value:
        """Apply an operation; plain numbers among the args become Values first."""
        values = [
            arg if isinstance(arg, Value) else self.lift(arg, where)
            for arg, where in zip(args, nodes, strict=True)
        ]
        return self.tape.apply(op, values, node)

    def lift(self, x: Any, node: ast.AST) -> Value:
        if isinstance(x, Value):
            return x
        if type(x) is float or type(x) is int:
            return self.tape.constant(x, node, objects.name_of(node))
        raise Refused(
            node,
            f"Arithmetic needs a number here, not {objects.kind(x)}.",
            objects.number_hint(x) or "Use a number or a Value.",
        )

    def unaryop(self, node: ast.UnaryOp) -> Any:
        if isinstance(node.op, ast.Not):
            return not self.truth(node.operand)
        operand = self.evaluate(node.operand)
        if isinstance(node.op, ast.Invert):
            raise Refused(node, "The sign ~ is not part of this language.", "Write -x for minus x.")
        plain = type(operand) is float or type(operand) is int
        if not (plain or isinstance(operand, Value)):
            sign = "Minus" if isinstance(node.op, ast.USub) else "Plus"
            message = f"{sign} needs a number, not {objects.kind(operand)}."
            hint = objects.number_hint(operand) or "Use a number or a Value."
            raise Refused(node.operand, message, hint)
        if isinstance(node.op, ast.UAdd):
            return operand
        return -operand if plain else self.compute(OPS["neg"], (operand,), [node.operand], node)

    def compare(self, node: ast.Compare) -> bool:
        left = objects.bare(self.evaluate(node.left))
        for sign, right_node in zip(node.ops, node.comparators, strict=True):
            right = objects.bare(self.evaluate(right_node))
            if isinstance(sign, ast.Eq | ast.NotEq):
                holds = objects.same(self, left, right, node) == isinstance(sign, ast.Eq)
            elif type(sign) not in _ORDER:
                raise Refused(node, "Only == != < <= > >= compare here.", "Use one of these.")
            elif any(isinstance(left, t) and isinstance(right, t) for t in (int | float, str)):
                holds = _ORDER[type(sign)](left, right)
            else:
                kinds = f"{objects.sentence(objects.kind(left))} and {objects.kind(right)}"
                raise Refused(node, f"{kinds} cannot be compared.", "Compare numbers.")
            if not holds:
                return False
            left = right
        return True

    def boolop(self, node: ast.BoolOp) -> bool:
        if isinstance(node.op, ast.And):
            return all(self.truth(part) for part in node.values)
        return any(self.truth(part) for part in node.values)

    def truth(self, node: ast.expr) -> bool:
        """A condition must be a comparison, or the mistake `if a:` would go unseen."""
        value = self.evaluate(node)
        if isinstance(value, bool):
            return value
        raise Refused(
            node,
            f"A condition is a comparison, not {objects.kind(value)}.",
            "Write x > 0, for example.",
        )

    def ifexp(self, node: ast.IfExp) -> Any:
        return self.evaluate(node.body if self.truth(node.test) else node.orelse)

    def list_(self, node: ast.List) -> list[Any]:
        return [self.evaluate(element) for element in node.elts]

    def tuple_(self, node: ast.Tuple) -> tuple[Any, ...]:
        return tuple([self.evaluate(element) for element in node.elts])

    def comprehension(self, node: ast.ListComp | ast.GeneratorExp) -> list[Any]:
        around, self.env = self.env, Env({}, self.env)
        try:
            out: list[Any] = []
            for _ in self.turns(node.generators):
                out.append(self.evaluate(node.elt))
                self.check_length(len(out), node)
            return out
        finally:
            self.env = around

    def turns(self, generators: Sequence[ast.comprehension]) -> Iterator[None]:
        """Run the `for … if …` parts; yields once for each element of the result."""
        if not generators:
            yield
            return
        first = generators[0]
        if first.is_async:
            raise Refused(first.iter, *words.foreign(first.iter, "AsyncFor"))
        for item in self.items(self.evaluate(first.iter), first.iter):
            self.tape.spend(first.iter)
            self.bind(first.target, item)
            if all(self.truth(test) for test in first.ifs):
                yield from self.turns(generators[1:])

    def check_length(self, length: int, node: ast.AST) -> None:
        if length > LIST_LENGTH:
            raise Refused(
                node, f"This list has more than {LIST_LENGTH:,} items.", "Make it shorter."
            )

    def items(self, value: Any, node: ast.AST) -> Any:
        if isinstance(value, list | tuple | range | str):
            return value
        raise Refused(
            node,
            f"{objects.sentence(objects.kind(value))} has no items to go through.",
            "Use a list or range(n).",
        )

    def length(self, items: Any, node: ast.AST) -> int:
        try:
            return len(items)
        except OverflowError:
            raise Refused(node, "This range is too long.", "Make it shorter.") from None

    def subscript(self, node: ast.Subscript) -> Any:
        container = self.evaluate(node.value)
        if not isinstance(container, list | tuple | range):
            raise Refused(
                node.value,
                f"{objects.sentence(objects.kind(container))} has no items.",
                "Only lists have items.",
            )
        length = self.length(container, node.value)
        if isinstance(node.slice, ast.Slice):
            parts = (node.slice.lower, node.slice.upper, node.slice.step)
            start, stop, step = [
                None if p is None else self.whole(self.evaluate(p), p) for p in parts
            ]
            if step == 0:
                raise Refused(node, "A slice cannot have the step 0.", "Leave the step out.")
            part = container[start:stop:step]
            if not isinstance(part, range):
                self.tape.spend(node, len(part))
            return part
        return container[self.index(node.slice, length)]

    def index(self, node: ast.expr, length: int) -> int:
        index = self.whole(self.evaluate(node), node)
        if -length <= index < length:
            return index
        last = f"the last one is {length - 1}" if length else "the list is empty"
        raise Refused(node, f"There is no item {index}; {last}.", "Items are counted from 0.")

    def whole(self, value: Any, node: ast.AST) -> int:
        """`value` as an int, for ranges, items and sizes."""
        if isinstance(value, Number) and value.whole and abs(value.data) < 2**53:
            return int(value.data)
        if type(value) is int:
            return value
        raise Refused(
            node,
            f"A whole number is needed here, not {objects.describe(value)}.",
            "Write 3, not 3.0.",
        )

    def joinedstr(self, node: ast.JoinedStr) -> str:
        parts = []
        for part in node.values:
            self.tape.spend(node)
            if isinstance(part, ast.FormattedValue):
                parts.append(objects.formatted(self, part))
            else:
                assert isinstance(part, ast.Constant)
                parts.append(str(part.value))
        self.check_text(sum(map(len, parts)), node)
        return "".join(parts)

    def check_text(self, length: int, node: ast.AST) -> None:
        if length > TEXT_LENGTH:
            raise Refused(
                node, f"This text has more than {TEXT_LENGTH:,} characters.", "Print less at once."
            )

    def lambda_(self, node: ast.Lambda) -> Function:
        self.check_params(node.args, node)
        defaults = [self.evaluate(default) for default in node.args.defaults]
        return Function("lambda", node.args, node.body, defaults, self.env)

    def attribute(self, node: ast.Attribute) -> Any:
        return attributes.get_attribute(self, self.evaluate(node.value), node)

    # Calls

    def call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Name):
            return methods.call_name(self, node.func, node)
        if isinstance(node.func, ast.Attribute):
            return methods.call_method(self, node.func, node)
        if isinstance(node.func, ast.Subscript):
            return methods.call_defined(self, self.evaluate(node.func), node.func, node)
        raise Refused(node.func, "Only a name can be called.", "Write f(x) or x.tanh().")

    def arguments(self, node: ast.Call) -> tuple[list[Any], dict[str, Any]]:
        if len(node.args) + len(node.keywords) > MAX_ARGUMENTS:
            raise Refused(
                node, f"A call takes at most {MAX_ARGUMENTS} arguments.", "Put them into a list."
            )
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                raise Refused(
                    argument, "Arguments with * are not part of this language.", "Write them out."
                )
        for keyword in node.keywords:
            if keyword.arg is None:
                raise Refused(
                    keyword, "Arguments with ** are not part of this language.", "Write them out."
                )
        positional = [self.evaluate(argument) for argument in node.args]
        keywords = {k.arg: self.evaluate(k.value) for k in node.keywords if k.arg is not None}
        return positional, keywords

    def call_function(self, function: Function, node: ast.Call) -> Any:
        positional, keywords = self.arguments(node)
        names = self.match(function, positional, keywords, node)
        around = self.env, self.tape.scope
        self.depth += 1
        if self.depth > CALL_DEPTH:
            message = f"Functions call each other more than {CALL_DEPTH} deep."
            raise Refused(node, message, "Use a loop instead of recursion.")
        self.env = Env(names, function.env)
        self.tape.scope = Scope(
            "function", f"{function.name}(…), line {node.lineno}", self.tape.scope
        )
        try:
            if isinstance(function.body, ast.expr):
                return self.evaluate(function.body)
            self.do_all(function.body)
        except _Return as returned:
            return returned.value
        except (_Break, _Continue):
            message = f"A break or continue in {function.name} stands outside of a loop."
            raise Refused(node, message, "Remove it.") from None
        finally:
            self.env, self.tape.scope = around
            self.depth -= 1
        return None

    def match(
        self, function: Function, positional: list[Any], keywords: dict[str, Any], node: ast.Call
    ) -> dict[str, Any]:
        """The arguments of a call by the names of the function's parameters."""
        self.tape.spend(node, len(function.params.args))
        params = dict.fromkeys(param.arg for param in function.params.args)
        if len(positional) > len(params):
            message = f"{function.name} takes {len(params)} arguments, not {len(positional)}."
            raise Refused(node, message, f"Its arguments are {', '.join(params) or 'none'}.")
        names = dict(zip(params, positional, strict=False))
        for name, value in keywords.items():
            if name not in params or name in names:
                raise Refused(
                    node, f"{function.name} has no free argument {name!r}.", "Check the names."
                )
            names[name] = value
        for name, default in zip(reversed(params), reversed(function.defaults), strict=False):
            names.setdefault(name, default)
        missing = [param for param in params if param not in names]
        if missing:
            raise Refused(
                node, f"{function.name} also needs {', '.join(missing)}.", "Add the argument."
            )
        return names

    def check_params(self, params: ast.arguments, node: ast.AST) -> None:
        if params.vararg or params.kwarg or params.kwonlyargs or params.posonlyargs:
            raise Refused(
                node, "Parameters with * or / are not part of this language.", "Name each one."
            )

    def call_module(self, module: Module, node: ast.Call) -> Any:
        """`model(x)`: plain inputs become Values first, so that all neurons share them."""
        positional, keywords = self.arguments(node)
        if len(positional) != 1 or keywords or not isinstance(positional[0], list | tuple):
            raise Refused(node, "A network takes one list of inputs.", "Write model([x1, x2]).")
        where = node.args[0]
        name = objects.name_of(where)
        inputs = [
            xi if isinstance(xi, Value) else self.input(xi, f"{name}[{i}]" if name else "", where)
            for i, xi in enumerate(positional[0])
        ]
        self.tape.node = node
        try:
            return module(inputs)
        except ValueError as error:
            message = str(error)
            raise Refused(
                node, f"{message[0].upper()}{message[1:]}.", "Give it as many inputs as it has."
            ) from None

    def input(self, x: Any, label: str, node: ast.AST) -> Number:
        if type(x) is float or type(x) is int:
            return self.tape.constant(x, node, label)
        raise Refused(
            node, f"A network takes numbers, not {objects.kind(x)}.", "Give it a list of numbers."
        )


Handler = Callable[[Interpreter, Any], Any]

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

_EXPRESSIONS: dict[type[ast.expr], Handler] = {
    ast.Constant: Interpreter.constant,
    ast.Name: Interpreter.name,
    ast.BinOp: Interpreter.binop,
    ast.UnaryOp: Interpreter.unaryop,
    ast.Compare: Interpreter.compare,
    ast.BoolOp: Interpreter.boolop,
    ast.IfExp: Interpreter.ifexp,
    ast.List: Interpreter.list_,
    ast.Tuple: Interpreter.tuple_,
    ast.ListComp: Interpreter.comprehension,
    ast.GeneratorExp: Interpreter.comprehension,
    ast.Subscript: Interpreter.subscript,
    ast.JoinedStr: Interpreter.joinedstr,
    ast.Lambda: Interpreter.lambda_,
    ast.Attribute: Interpreter.attribute,
    ast.Call: Interpreter.call,
}
