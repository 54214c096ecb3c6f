"""Compiler of the formula language: text → expression graph on f64x2 pairs → WebAssembly.

The language is that of `engine.ops` plus the primitives of `mathematics`. Common subexpressions are
shared (hash consing), constants are folded where the result is exact, and `A if C else B` compiles
to a branchless select.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence

from engine import parser_lock
from engine.caches import cached
from engine.formulas import CONSTANTS, Conditions, Lazy, condition, evaluate
from engine.formulas import FUNCTIONS as PRIMITIVES
from engine.ops import OPS
from engine.real import divide
from engine.wasm.assembler import V128, FunctionBuilder, WasmModule

from .mathematics import CONSTANTS as MATHEMATICAL
from .mathematics import FUNCTIONS

Node = int
Condition = Node | bool

_SIGN = 1 << 63
_CALL = "call "

_BINARY = {"+": "add", "-": "sub", "*": "mul", "/": "div"}
_PRIMITIVES: dict[str, str] = {
    "abs": "f64x2.abs",
    "sqrt": "f64x2.sqrt",
    "pmin": "f64x2.pmin",
    "pmax": "f64x2.pmax",
    "bits_add": "i64x2.add",
    "bits_sub": "i64x2.sub",
    "bits_and": "v128.and",
    "bits_or": "v128.or",
}
_SHIFTS: dict[str, str] = {"shift_left": "i64x2.shl", "shift_right": "i64x2.shr_u"}


class CannotCompileError(ValueError):
    """A formula of the tables cannot be compiled."""


@cached("statements of kernel blocks")
def statements(text: str) -> tuple[tuple[str, ast.expr], ...]:
    """The assignments of a block, one `name = expression` per line."""
    found = []
    for line in parser_lock.module(text).body:
        if not (isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name)):
            raise CannotCompileError(f"not an assignment: {ast.unparse(line)}")
        found.append((line.targets[0].id, line.value))
    return tuple(found)


class ExpressionGraph(Conditions[Node, Condition]):
    """An expression graph on pairs; nodes are numbered in topological order."""

    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.args: list[tuple[int, ...]] = []
        self.numbers: dict[Node, float] = {}
        self._known: dict[tuple[str, object], Node] = {}

    def leaf(self, name: str) -> Node:
        """An input, provided by the surrounding code."""
        return self._place("leaf", name, ())

    def number(self, value: float, text: str = "", /) -> Node:
        node = self._place("number", (value, math.copysign(1.0, value)), ())
        self.numbers[node] = float(value)
        return node

    def bits(self, pattern: int) -> Node:
        return self._place("bits", pattern, (pattern,))

    def apply(self, kind: str, *args: Node) -> Node:
        """A node for an instruction, a shift such as "i64x2.shl 52", or a call, "call exp"."""
        return self._place(kind, args, args)

    def _place(self, kind: str, key: object, args: tuple[int, ...]) -> Node:
        node = self._known.get((kind, key))
        if node is None:
            node = self._known[kind, key] = len(self.kinds)
            self.kinds.append(kind)
            self.args.append(args)
        return node

    def calls(self) -> bool:
        """Whether any node calls a function of `mathematics`."""
        return any(kind.startswith(_CALL) for kind in self.kinds)

    def only_call(self, node: Node) -> str | None:
        """The function of `mathematics` that `node` applies to a leaf, if it is just that."""
        is_call = self.kinds[node].startswith(_CALL)
        is_plain = all(self.kinds[argument] == "leaf" for argument in self.args[node])
        return self.kinds[node].removeprefix(_CALL) if is_call and is_plain else None

    def add(self, a: Node, b: Node) -> Node:
        return self._binary("add", a, b)

    def mul(self, a: Node, b: Node) -> Node:
        return self._binary("mul", a, b)

    def _binary(self, sign: str, a: Node, b: Node) -> Node:
        """`a sign b`, with exact algebraic simplifications."""
        x, y = self.numbers.get(a), self.numbers.get(b)
        if x is not None and y is not None:
            fold = {"add": x + y, "sub": x - y, "mul": x * y, "div": divide(x, y)}
            return self.number(fold[sign])
        if sign == "mul":
            for one, other in ((x, b), (y, a)):
                if one == 1:
                    return other
                if one == -1:
                    return self.apply("f64x2.neg", other)
        if sign == "div" and y == 1:
            return a
        return self.apply(f"f64x2.{sign}", a, b)

    def text(self, text: str, names: Mapping[str, Node]) -> Node:
        """Compile an expression; `names` binds its identifiers to nodes."""
        return evaluate(text, names, self)

    def block(self, text: str, names: Mapping[str, Node]) -> dict[str, Node]:
        """Compile a block of assignments; returns the resulting bindings."""
        after = dict(names)
        for name, value in statements(text):
            after[name] = evaluate(value, after, self)
        return after

    def operation(self, name: str, /, *args: Node) -> Node:
        if name in _BINARY:
            return self._binary(_BINARY[name], *args)
        if name == "neg":
            return self._minus(*args)
        return self._power(*args) if name == "**" else self._function(name, args)

    def constant(self, name: str, /) -> Node:
        number = CONSTANTS.get(name, MATHEMATICAL.get(name))
        if number is None:
            raise CannotCompileError(f"unknown name {name!r}")
        return self.number(number)

    def _minus(self, a: Node) -> Node:
        if a in self.numbers:
            return self.number(-self.numbers[a])
        if self.kinds[a] == "f64x2.neg":
            return self.args[a][0]
        return self.apply("f64x2.neg", a)

    def _power(self, a: Node, b: Node) -> Node:
        """a to a constant power that multiplication, division and square root can compute."""
        exponent = self.numbers.get(b)
        if exponent == 0.5:
            return self.apply("f64x2.sqrt", a)
        if exponent is None or not exponent.is_integer() or abs(exponent) > 4:
            raise CannotCompileError("an exponent must be an integer from -4 to 4, or 0.5")
        out = self.number(1.0)
        for _ in range(int(abs(exponent))):
            out = self.mul(out, a)
        return out if exponent >= 0 else self._binary("div", self.number(1.0), out)

    def choose(
        self, test: ast.expr, names: Mapping[str, Node], a: Lazy[Node], b: Lazy[Node], /
    ) -> Node:
        holds = condition(test, names, self)
        if isinstance(holds, bool):
            return a() if holds else b()
        return self.select(holds, a(), b())

    def select(self, mask: Node, a: Node, b: Node) -> Node:
        """Lane by lane, a where `mask` is set, else b."""
        if self.numbers.get(b) == 0 and math.copysign(1.0, self.numbers[b]) > 0:
            return self.apply("v128.and", a, mask)
        return self.apply("v128.bitselect", a, b, mask)

    def compare(self, relation: str, a: Node, b: Node, /) -> Condition:
        """The mask of a comparison: lt, gt, le, ge, eq, ne; of constants, whether it holds."""
        if a in self.numbers and b in self.numbers:
            return bool(getattr(operator, relation)(self.numbers[a], self.numbers[b]))
        return self.mask(relation, a, b)

    def mask(self, relation: str, a: Node, b: Node) -> Node:
        """The mask of a comparison."""
        return self.apply(f"f64x2.{relation}", a, b)

    def combine(self, every: bool, parts: Iterable[Condition], /) -> Condition:
        """The conjunction (`every`) or disjunction of conditions; constant ones are folded."""
        parts = list(parts)
        if (not every) in [part for part in parts if isinstance(part, bool)]:
            return not every
        masks = [part for part in parts if not isinstance(part, bool)]
        if not masks:
            return every
        out = masks[0]
        for mask in masks[1:]:
            out = self.apply("v128.and" if every else "v128.or", out, mask)
        return out

    def call(self, name: str, args: Sequence[ast.expr], value: Callable[[ast.expr], Node]) -> Node:
        """As a formula; the count of a shift, and whole numbers among bits, are literals."""
        if name in _SHIFTS:
            return self.apply(f"{_SHIFTS[name]} {ast.literal_eval(args[1])}", value(args[0]))
        if name.startswith("bits_"):
            return self.apply(_PRIMITIVES[name], *[self._pattern(arg, value) for arg in args])
        return self.operation(name, *map(value, args))

    def _function(self, name: str, nodes: tuple[Node, ...]) -> Node:
        if name in ("max", "min"):
            return self._larger(name, *nodes)
        if name == "copysign":
            return self.apply("v128.bitselect", nodes[1], nodes[0], self.bits(_SIGN))
        if name == "sqrt" and nodes[0] in self.numbers:
            return self.number(math.sqrt(self.numbers[nodes[0]]))
        if name == "abs" and self.kinds[nodes[0]] == "f64x2.neg":
            nodes = (self.args[nodes[0]][0],)
        if name in _PRIMITIVES:
            return self.apply(_PRIMITIVES[name], *nodes)
        if name in FUNCTIONS:
            return self.apply(_CALL + name, *nodes)
        if name in OPS and name not in PRIMITIVES:  # those have no formula but themselves
            op = OPS[name]
            return self.text(op.formula, dict(zip(op.params, nodes, strict=True)))
        raise CannotCompileError(f"no instructions for the function {name!r}")

    def _pattern(self, tree: ast.expr, value: Callable[[ast.expr], Node]) -> Node:
        if isinstance(tree, ast.Constant) and isinstance(tree.value, int):
            return self.bits(tree.value)
        return value(tree)

    def _larger(self, name: str, a: Node, b: Node) -> Node:
        """max or min; with a constant operand, which is not nan, one x86 instruction suffices."""
        if a in self.numbers:
            a, b = b, a
        return self.apply(f"f64x2.p{name}" if b in self.numbers else f"f64x2.{name}", a, b)


class Emitter:
    """Emits the nodes of a graph into a function, each at its first use.

    `leaves` maps leaves to locals. Without `mathematics`, functions such as exp are inlined instead
    of called.
    """

    def __init__(
        self,
        body: FunctionBuilder,
        graph: ExpressionGraph,
        leaves: Mapping[Node, int],
        mathematics: Mathematics | None = None,
    ) -> None:
        self.body = body
        self.graph = graph
        self.mathematics = mathematics
        self._places = dict(leaves)
        self._uses: dict[Node, int] = {}

    def needs(self, outputs: Iterable[Node]) -> None:
        """Announce the nodes to be pushed, so that shared subexpressions are kept in locals."""
        todo = list(outputs)
        while todo:
            node = todo.pop()
            self._uses[node] = self._uses.get(node, 0) + 1
            if self._uses[node] == 1 and self.graph.kinds[node] != "bits":
                todo += self.graph.args[node]

    def push(self, node: Node) -> None:
        """Push the node's pair."""
        kind = self.graph.kinds[node]
        if node in self._places:
            self.body.get(self._places[node])
        elif kind == "number":
            self.body.pair(self.graph.numbers[node])
        elif kind == "bits":
            self.body.bits(self.graph.args[node][0])
        else:
            self._compute(kind, self.graph.args[node])
            if self._uses.get(node, 0) > 1:
                self._places[node] = self.body.local(V128)
                self.body.tee(self._places[node])

    def _compute(self, kind: str, args: tuple[Node, ...]) -> None:
        if kind == "leaf":
            raise CannotCompileError("a leaf has no local")
        if kind.startswith("i64x2.sh"):
            name, _, count = kind.partition(" ")
            self.push(args[0])
            self.body.shift(name, int(count))
        elif kind.startswith(_CALL):
            self._call(kind.removeprefix(_CALL), args)
        else:
            for argument in args:
                self.push(argument)
            self.body.do(kind)

    def _call(self, name: str, args: tuple[Node, ...]) -> None:
        for argument in args:
            self.push(argument)
        if self.mathematics is not None:
            self.body.call(self.mathematics.number(name))
            return
        place = self.body.local(V128)
        self.body.set(place)
        push_function(self.body, name, place, None)


class Mathematics:
    """The mathematical functions of a module, added on first use."""

    def __init__(self, module: WasmModule) -> None:
        self._module = module
        self._numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        """The index of the function `name`, pair → pair."""
        if name not in self._numbers:
            body = FunctionBuilder([V128], [V128])
            push_function(body, name, 0, self)
            self._numbers[name] = self._module.add(body)
        return self._numbers[name]


@cached("graphs of functions")
def _function(name: str) -> tuple[ExpressionGraph, Node, Node]:
    """The graph of a mathematical function, its argument node and its result node."""
    graph = ExpressionGraph()
    x = graph.leaf("x")
    return graph, x, graph.block(FUNCTIONS[name], {"x": x})["y"]


def push_function(
    body: FunctionBuilder, name: str, place: int, mathematics: Mathematics | None
) -> None:
    """Inline a mathematical function of the pair in the local `place` into `body`."""
    graph, x, y = _function(name)
    emitter = Emitter(body, graph, {x: place}, mathematics)
    emitter.needs([y])
    emitter.push(y)
