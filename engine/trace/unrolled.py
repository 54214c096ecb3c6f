"""The unrolled program of a trace: both passes as Python, one assignment a line.

    c = a * b
    ...
    L_ = 1.0
    a_ += b * c_

`x_` is the gradient of x. The lines stand in the order of the frames and accumulate as the pass
did, and CPython computes from them the numbers of the trace, bit for bit: each line is written in
the form that gives its number, at worst as the number itself with a comment that says why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine import formula_python
from engine.formula_python import PythonFormula, same
from engine.ops import OPS
from engine.python_text import literal, one_line
from engine.real import as_single
from engine.reverse import Contribution

from . import naming
from .identifiers import identifiers
from .model import Frame, Node, TraceData, WrittenGradient
from .unrolled_lines import HELD, Unrolled, UnrolledLine

__all__ = ["Unrolled", "UnrolledLine", "unrolled"]

SINGLE = '''\
def f32(x):
    """The 32-bit float nearest to x."""
    try:
        return struct.unpack("f", struct.pack("f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)'''
UNKNOWN = "computed in a way that Seegrad could not trace"
STALE = "set to this number after it was computed"
NEVER = "not written in this pass"
TRIED = 40
"""Uses of a Value that are tried as the source of a gradient that the program wrote."""


def unrolled(trace: TraceData) -> Unrolled:
    """The unrolled program of `trace`."""
    return _Builder(trace).build()


@dataclass(slots=True)
class _Builder:
    trace: TraceData
    nodes: dict[str, Node] = field(init=False)
    names: dict[str, str] = field(init=False)
    uses: dict[str, list[tuple[str, int]]] = field(init=False)
    """For each node the nodes computed from it, with the slot."""
    single: set[str] = field(init=False)
    """The nodes rounded to 32 bits."""
    grads: dict[str, float] = field(default_factory=dict)
    """The gradients at this point of the backward part that a line has assigned."""
    functions: set[str] = field(default_factory=set)
    """The functions that the lines call."""
    total: bool = False
    """Whether a line needs functions that never raise."""
    taken: set[tuple[str, int]] = field(default_factory=set)
    """The uses that a line of the backward part accounts for."""

    def __post_init__(self) -> None:
        nodes = self.trace.nodes
        self.nodes = {node.id: node for node in nodes}
        self.names = identifiers([node for node in nodes if not _is_inline(node)])
        self.uses = {}
        for node in nodes:
            for slot, arg in enumerate(node.args):
                self.uses.setdefault(arg, []).append((node.id, slot))
        self.single = self._singles()

    def build(self) -> Unrolled:
        lines = (*self._forward(), *self._backward())
        definitions = formula_python.definitions(self.functions - {"f32"}, self.total)
        rounding = [SINGLE] if "f32" in self.functions else []
        return Unrolled((*rounding, *definitions), lines, self.names)

    # Numbers of 32 bits

    def _singles(self) -> set[str]:
        """The nodes that are 32-bit floats, if some of them show that by their rounding."""
        computed = [node for node in self.trace.nodes if node.op is not None]
        single = {node.id for node in computed if same(self._recomputed(node, True), node.data)}
        if all(same(self._recomputed(node, False), node.data) for node in computed):
            return set()
        if not any(
            not same(self._recomputed(self.nodes[x], False), self.nodes[x].data) for x in single
        ):
            return set()
        leaves = {node.id for node in self.trace.nodes if node.op is None and node.grad is not None}
        return single | {
            x for x in leaves if same(as_single(self.nodes[x].data), self.nodes[x].data)
        }

    def _recomputed(self, node: Node, single: bool) -> float:
        assert node.op is not None
        numbers = [self.nodes[arg].data for arg in node.args]
        if not single:
            return OPS[node.op].compute(*numbers)
        return as_single(OPS[node.op].compute(*map(as_single, numbers)))

    # Forward

    def _forward(self) -> Iterator[UnrolledLine]:
        frames = {f.node: i for i, f in enumerate(self.trace.frames) if f.pass_ == "forward"}
        first = (0,) if self.trace.frames and self.trace.frames[0].given else ()
        for node in self.trace.nodes:
            if not node.args and not _is_inline(node):
                yield self._given(node, first)
        for node in self.trace.nodes:
            if node.args:
                frame = frames.get(node.id)
                yield self._computed(node, () if frame is None else (frame,))

    def _given(self, node: Node, frames: tuple[int, ...]) -> UnrolledLine:
        code = f"{self.names[node.id]} = {literal(node.data)}"
        return UnrolledLine("forward", code, node.id, node.data, frames)

    def _computed(self, node: Node, frames: tuple[int, ...]) -> UnrolledLine:
        target, note = self.names[node.id], ""
        if node.op is None:
            code, note = literal(node.data), UNKNOWN
        else:
            expression = formula_python.forward(OPS[node.op])
            found = self._written(expression, node.args, None, node.id in self.single, node.data)
            code, note = (found, "") if found else (literal(node.data), self._reason(node))
        return UnrolledLine("forward", f"{target} = {code}", node.id, node.data, frames, note=note)

    def _reason(self, node: Node) -> str:
        """Why the number of a node is not the one that its op gives."""
        assert node.op is not None
        call = naming.written(node.op, [self._argument(arg, False) for arg in node.args])
        if node.id in self.trace.stale:
            return f"{STALE} by {call}"
        return f"as the program computed {call}"

    def _written(
        self,
        expression: PythonFormula,
        args: Sequence[str],
        output: str | None,
        single: bool,
        wanted: float,
    ) -> str:
        """The text of `expression` that gives the number `wanted`; "" if none does.

        `output` is the Value that stands for y, in partials, which become factors. If `single`,
        arguments are rounded to 32 bits, and so is the result unless it is a partial.
        """
        ids = [*([] if output is None else [output]), *args]
        numbers = [self.nodes[x].data for x in ids]
        texts = [self._argument(x, single) for x in ids]
        if single:
            numbers = [as_single(x) for x in numbers]
        literals = [p for p, x in zip(expression.params, ids, strict=True) if x not in self.names]
        expression = expression.case(literals, numbers)
        rounded = single and output is None
        fit = as_single if rounded else float
        plain = expression.plain_number(numbers)
        is_plain = isinstance(plain, int | float) and same(fit(plain), wanted)
        is_plain = is_plain and (plain != 0 or type(plain) is not int or type(wanted) is int)
        if not is_plain and not same(fit(expression.run_total(*numbers)), wanted):
            return ""
        if not is_plain:
            self.total = True
            self.functions |= expression.functions
        else:
            self.functions |= expression.functions & formula_python.operation_names(expression)
        if output is not None:
            return expression.factor(texts, total=not is_plain)
        text = expression.text(texts, total=not is_plain)
        if rounded:
            self.functions.add("f32")
            return f"f32({text})"
        return text

    def _argument(self, node: str, single: bool) -> str:
        """A Value as an argument: its identifier, or the number inside the expression."""
        data = self.nodes[node].data
        if node not in self.names:
            return literal(as_single(data) if single else data)
        if single and not same(as_single(data), data):
            self.functions.add("f32")
            return f"f32({self.names[node]})"
        return self.names[node]

    # Backward

    def _backward(self) -> Iterator[UnrolledLine]:
        first = next(
            (i for i, frame in enumerate(self.trace.frames) if frame.pass_ == "backward"), None
        )
        yield from self._held(() if first is None else (first,))
        for at, frame in enumerate(self.trace.frames):
            if frame.pass_ == "backward":
                yield from self._of_frame(frame, at)
        for node in self.trace.nodes:
            if node.label and node.grad is not None and node.id not in self.grads:
                yield self._assigned(node.id, node.grad, (), NEVER)

    def _held(self, frames: tuple[int, ...]) -> Iterator[UnrolledLine]:
        """The gradients that the pass starts from, where they are not 0 or are read first."""
        seen: set[str] = set()
        for node, before, is_read in self._touched():
            if node in seen:
                continue
            seen.add(node)
            if is_read or not same(before, 0.0):
                yield self._assigned(node, before, frames, HELD if before != 0 else "")

    def _touched(self) -> Iterator[tuple[str, float, bool]]:
        """The gradients in the order of use: node, number before, whether it is only read."""
        for frame in self.trace.frames:
            if frame.pass_ != "backward":
                continue
            if frame.seed is not None:
                yield frame.node, frame.before, False
            elif frame.written is not None:
                yield frame.node, frame.written.before, False
            for c in frame.contributions:
                yield frame.node, c.upstream, True
                yield c.to, c.before, False

    def _of_frame(self, frame: Frame, at: int) -> Iterator[UnrolledLine]:
        if frame.seed is not None:
            yield self._seed(frame, frame.seed, at)
        elif frame.written is not None:
            yield self._by_hand(frame, frame.written, at)
        for c in frame.contributions:
            yield from self._corrected(frame.node, c.upstream, at)
            yield from self._corrected(c.to, c.before, at)
            yield self._contribution(frame.node, c, at)

    def _seed(self, frame: Frame, seed: float, at: int) -> UnrolledLine:
        sign = "+=" if frame.node in self.grads else "="
        self.grads[frame.node] = frame.after
        code = f"{self.names[frame.node]}_ {sign} {literal(seed)}"
        return UnrolledLine("backward", code, frame.node, frame.after, (at,))

    def _corrected(self, node: str, number: float, at: int) -> Iterator[UnrolledLine]:
        if node in self.grads and not same(self.grads[node], number):
            yield self._assigned(node, number, (at,), "set by the program")

    def _assigned(
        self, node: str, number: float, frames: tuple[int, ...], note: str
    ) -> UnrolledLine:
        self.grads[node] = number
        code = f"{self.names[node]}_ = {literal(number)}"
        return UnrolledLine("backward", code, node, number, frames, note=note)

    def _contribution(self, of: str, c: Contribution[str], at: int) -> UnrolledLine:
        self.taken.add((of, c.slot))
        code = self._product(of, c.slot, c.partial, c.amount)
        note = "" if code else self._partial_note(of)
        code = code or f"{literal(c.partial)} * {self.names[of]}_"
        line = self._added(c.to, code, c.amount, c.after)
        return UnrolledLine("backward", line, c.to, c.after, (at,), of, c.slot, note)

    def _partial_note(self, of: str) -> str:
        op = self.nodes[of].op
        return f"the partial of {op} at the numbers of that moment"

    def _product(self, of: str, slot: int, partial: float, amount: float) -> str:
        """`partial * upstream` in symbols; "" if it gives another number."""
        node = self.nodes[of]
        if node.op is None:
            return ""
        expression = formula_python.partial(OPS[node.op], slot)
        single = of in self.single
        text = self._written(expression, node.args, of, single, partial)
        if not text:
            return ""
        product, code = self.grads.get(of, 0.0) * partial, _times(text, self.names[of])
        if same(product, amount):
            return code
        if single and same(as_single(product), amount):
            self.functions.add("f32")
            return f"f32({code})"
        return ""

    def _added(self, to: str, code: str, amount: float, after: float) -> str:
        """The line that adds `code`, of number `amount`, to the gradient of `to`."""
        name, before = f"{self.names[to]}_", self.grads.get(to)
        self.grads[to] = after
        if before is None:
            return f"{name} = {code}" if same(amount, after) else f"{name} = 0.0 + {code}"
        if same(before + amount, after):
            return f"{name} += {code}"
        if same(as_single(before + amount), after):
            self.functions.add("f32")
            return f"{name} = f32({name} + {code})"
        return f"{name} = {literal(after)}"

    # Gradients that the program wrote

    def _by_hand(self, frame: Frame, written: WrittenGradient, at: int) -> UnrolledLine:
        node, before, after = frame.node, written.before, written.after
        note = _comment(written, self.trace.program)
        held = self.grads.get(node, before)
        for of, slot, amount in self._sources(node, written):
            if same(held + amount, after) and (written.adds or held == 0):
                code = self._product(of, slot, self._partial(of, slot), amount)
                if code:
                    self.taken.add((of, slot))
                    line = self._added(node, code, amount, after)
                    return UnrolledLine("backward", line, node, after, (at,), of, slot, note)
        return self._assigned(node, after, (at,), note)

    def _sources(self, node: str, written: WrittenGradient) -> Iterator[tuple[str, int, float]]:
        """The uses of `node` that may have given the gradient that the program wrote, and how
        much: those with a gradient that no line accounts for yet, the latest first."""
        held = set(written.running.variables.values()) if written.running else set()
        uses = [use for use in self.uses.get(node, ()) if use not in self.taken]
        near = [use for use in uses if use[0] in held] or uses
        for of, slot in near[: -TRIED - 1 : -1]:
            if of in self.grads and self.nodes[of].op is not None:
                yield of, slot, self.grads[of] * self._partial(of, slot)

    def _partial(self, of: str, slot: int) -> float:
        node = self.nodes[of]
        assert node.op is not None
        numbers = [self.nodes[arg].data for arg in node.args]
        return OPS[node.op].derive[slot](node.data, *numbers)


def _is_inline(node: Node) -> bool:
    """Whether a Value is a number inside expressions, without a name or a gradient."""
    return node.kind == "constant" and not node.label and node.grad is None


def _times(partial: str, name: str) -> str:
    """The product of a partial with the gradient of the Value `name`."""
    if partial in {"1", "1.0"}:
        return f"{name}_"
    if partial in {"(-1)", "(-1.0)"}:
        return f"-{name}_"
    return f"{partial} * {name}_"


def _comment(written: WrittenGradient, program: str) -> str:
    """The line of the program that wrote a gradient, as a comment."""
    text = naming.statement(written.span, program.split("\n"))
    return f"line {written.span[0]}: {one_line(text)}"
