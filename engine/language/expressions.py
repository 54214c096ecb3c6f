"""Expressions: what each kind of syntax computes."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.nn import Module
from engine.ops import OPS, Op
from engine.value import Value

from . import attributes, imports, methods, objects, operators
from . import names as words
from .machine import (
    CALL_DEPTH,
    MAX_ARGUMENTS,
    Env,
    Function,
    Machine,
    _Break,
    _Continue,
    _Return,
)
from .tape import Number, Refused, Scope

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


class Expressions(Machine, ABC):
    """Evaluates expressions, counting every piece of work."""

    @abstractmethod
    def do_all(self, statements: Sequence[ast.stmt]) -> None:
        """Run the body of a function."""

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
        if node.id in self.missing:
            raise imports.refused(self.missing[node.id], node)
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
            if type(operand) is Value:  # as in micrograd; plain numbers and tensors have a plus
                message = "Bad operand type for unary +: 'Value'."
                raise Refused(node, message, "Leave the + out.")
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

    def lambda_(self, node: ast.Lambda) -> Function:
        self.check_params(node.args, node)
        defaults = [self.evaluate(default) for default in node.args.defaults]
        return Function("lambda", node.args, node.body, defaults, self.env)

    def attribute(self, node: ast.Attribute) -> Any:
        if path := imports.path_of(self, node):
            raise imports.refused(path, node)
        return attributes.get_attribute(self, self.evaluate(node.value), node)

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


Handler = Callable[[Any, Any], Any]
_EXPRESSIONS: dict[type[ast.expr], Handler] = {
    ast.Constant: Expressions.constant,
    ast.Name: Expressions.name,
    ast.BinOp: Expressions.binop,
    ast.UnaryOp: Expressions.unaryop,
    ast.Compare: Expressions.compare,
    ast.BoolOp: Expressions.boolop,
    ast.IfExp: Expressions.ifexp,
    ast.List: Expressions.list_,
    ast.Tuple: Expressions.tuple_,
    ast.ListComp: Expressions.comprehension,
    ast.GeneratorExp: Expressions.comprehension,
    ast.Subscript: Expressions.subscript,
    ast.JoinedStr: Expressions.joinedstr,
    ast.Lambda: Expressions.lambda_,
    ast.Attribute: Expressions.attribute,
    ast.Call: Expressions.call,
}
