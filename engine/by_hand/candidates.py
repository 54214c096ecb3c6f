"""Changes of a statement that may fix a gradient, by the kind of mistake that each would fix."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .editing import GradientLine, TriedChange

FOLDS = frozenset({"sum", "mean"})
AXES = frozenset({"axis", "dim"})
DERIVATIVES = {
    "tanh": "1 - {h}**2", "sigmoid": "{h} * (1 - {h})", "relu": "({h} > 0)", "exp": "{h}",
}  # fmt: skip
"""The derivatives of activations, by their results."""


@dataclass(frozen=True, slots=True)
class Activation:
    """An activation of the program: the names of its result and of its input, if they have any."""

    kind: str
    result: str
    before: str

    @property
    def derivative(self) -> str:
        return DERIVATIVES[self.kind].format(h=self.result)

    @property
    def factor(self) -> str:
        """The derivative as a factor."""
        return f"({self.derivative})" if self.derivative.startswith("1") else self.derivative


@dataclass(frozen=True, slots=True)
class Scenery:
    """What a statement can be fixed with.

    `alike` gives for each name other names of arrays of the same shape, gradients first.
    `sizes` are texts for numbers of samples, `scalars` names of numbers. `activations` are by the
    name of the gradient of their result. `factor` is what the written gradient is multiplied by.
    `index` is the text of the index at which the loss reads the probabilities. `terms` are texts of
    contributions through single uses.
    """

    factor: float
    alike: Mapping[str, Sequence[str]]
    sizes: Mapping[int, str]
    scalars: Mapping[str, float]
    activations: Mapping[str, Activation]
    index: str = ""
    terms: Sequence[tuple[str, str]] = ()
    gradients: frozenset[str] = frozenset()
    is_torch: bool = False
    numbers: Sequence[str] = ()
    """What a number can be multiplied with, where the program computes with plain numbers alone."""


def products(it: GradientLine) -> Iterator[TriedChange]:
    """The sides of matrix products transposed and exchanged."""
    for node in it.parts((ast.BinOp, ast.Call)):
        found = _sides(it, node)
        if found is None:
            continue
        form, sides = found
        now = it.text(node)
        a, b = (_without_transpose(side) for side in sides)
        for left, right in ((a, b), (b, a)):
            for turned in ((1, 0), (0, 1), (0, 0), (1, 1)):
                texts = [
                    it.factor(side) + ".T" if turn else it.factor(side)
                    for side, turn in zip((left, right), turned, strict=True)
                ]
                text = form.format(*texts)
                if text != now:
                    yield it.put("transpose", node, text)


def _sides(it: GradientLine, node: ast.expr) -> tuple[str, tuple[ast.expr, ast.expr]] | None:
    """The two sides of a matrix product, and how it is written."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return "{} @ {}", (node.left, node.right)
    if not isinstance(node, ast.Call) or called(node) not in ("dot", "matmul", "mm"):
        return None
    if len(node.args) == 2:
        return f"{it.text(node.func)}({{}}, {{}})", (node.args[0], node.args[1])
    if len(node.args) == 1 and isinstance(node.func, ast.Attribute):
        return f"{{}}.{node.func.attr}({{}})", (node.func.value, node.args[0])
    return None


def _without_transpose(node: ast.expr) -> ast.expr:
    match node:
        case ast.Attribute(value=inner, attr="T"):
            return inner
        case ast.Call(func=ast.Attribute(value=inner, attr="t"), args=[]):
            return inner
    return node


def called(node: ast.Call) -> str:
    func = node.func
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")


def sums(it: GradientLine, scenery: Scenery) -> Iterator[TriedChange]:
    """Sums over other axes, with the axis kept, means in place of sums; and a sum around all."""
    axis, keep = ("dim", "keepdim") if scenery.is_torch else ("axis", "keepdims")
    found = False
    for node in it.parts(ast.Call):
        assert isinstance(node, ast.Call)
        if called(node) not in FOLDS:
            continue
        found = True
        first = "" if _is_method(node) else it.text(node.args[0]) if node.args else ""
        for kind, text in _folds(node, axis, keep):
            inside = ", ".join(part for part in (first, text) if part)
            yield it.put(kind, node, f"{it.text(node.func)}({inside})")
        other = "mean" if called(node) == "sum" else "sum"
        function = it.text(node.func)[: -len(called(node))] + other
        given = ", ".join([*map(it.text, node.args), *(it.text(k) for k in node.keywords)])
        yield it.put("mean_for_sum", node, f"{function}({given})", called(node))
    if not found and it.value is not None:
        whole = it.factor(it.value)
        for text in (f"{axis}=0", f"{axis}=0, {keep}=True", f"{axis}=1, {keep}=True", f"{axis}=1"):
            yield it.whole("missing_sum", f"{whole}.sum({text})")
        yield it.whole("missing_sum", f"{whole}.sum()")


def _is_method(node: ast.Call) -> bool:
    func = node.func
    is_library = isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name)
    return isinstance(func, ast.Attribute) and not (
        is_library and func.value.id in ("np", "numpy", "torch")  # type: ignore[attr-defined]
    )


def _folds(node: ast.Call, axis: str, keep: str) -> Iterator[tuple[str, str]]:
    """Other arguments of a sum, each with the kind of mistake."""
    given = node.args if _is_method(node) else node.args[1:]
    keywords = {k.arg: k.value for k in node.keywords}
    now = given[0] if given else next((keywords[k] for k in AXES if k in keywords), None)
    is_kept = any(k in keywords for k in ("keepdims", "keepdim")) or len(given) > 1
    number = _number(now) if now is not None else None
    if number is not None:
        same = f"{axis}={number}"
        yield "keepdims", same if is_kept else f"{same}, {keep}=True"
    for kept in (is_kept, not is_kept):
        for other in (0, 1, -1, 2):
            if other != number:
                yield "sum_axis", f"{axis}={other}" + (f", {keep}=True" if kept else "")
    if number is not None:
        yield "sum_axis", ""


def _number(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int(found)):
            return found
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(found))):
            return -found
    return None


def scales(it: GradientLine, scenery: Scenery) -> Iterator[TriedChange]:
    """The constant factor that the gradient is off by, taken back."""
    if it.value is None or scenery.factor == 1.0:
        return
    factor, whole = scenery.factor, it.factor(it.value)
    if factor < 0:
        yield from signs(it)
        yield it.whole("sign", f"-{whole}")
    sign, size = "-" if factor < 0 else "", abs(factor)
    yield from without_factors(it, factor)
    yield from constant_factors(it, scenery)
    for number, text in scenery.sizes.items():
        if near(size, number):
            yield it.whole("missing_mean", f"{sign}{whole} / {text}", f"{number}")
        elif near(size, 1 / number):
            yield it.whole("extra_mean", f"{sign}{whole} * {text}", f"{number}")
        elif near(size, number / 2):
            yield it.whole("missing_mean", f"{sign}2 * {whole} / {text}", f"{size:g}")
    for name, x in scenery.scalars.items():
        for text, by in ((f"{whole} * {name}", 1 / x if x else 0.0), (f"{whole} / {name}", x)):
            if near(factor, by):
                yield it.whole("factor", text, f"{factor:g}")


def constant_factors(it: GradientLine, scenery: Scenery) -> Iterator[TriedChange]:
    """The 2 of a square, and the half that takes it back."""
    if it.value is None:
        return
    sign, whole = "-" if scenery.factor < 0 else "", it.factor(it.value)
    for number, text in ((2.0, f"{whole} / 2"), (0.5, f"2 * {whole}")):
        if near(abs(scenery.factor), number):
            yield it.whole("factor", sign + text, f"{scenery.factor:g}")


def near(a: float, b: float) -> bool:
    return abs(a - b) <= 1e-4 * abs(b)


def without_factors(it: GradientLine, factor: float) -> Iterator[TriedChange]:
    """Products and quotients without one of their sides."""
    told = f"{factor:g}" if abs(factor) > 1 else f"{1 / factor:g}"
    for node in it.parts(ast.BinOp):
        assert isinstance(node, ast.BinOp)
        if isinstance(node.op, ast.Div) and abs(factor) < 1:
            yield it.put("extra_mean", node, it.text(node.left), told)
        elif isinstance(node.op, ast.Mult):
            for side, other in ((node.left, node.right), (node.right, node.left)):
                if isinstance(side, ast.Constant):
                    yield it.put("factor", node, it.factor(other), f"{factor:g}")
                elif isinstance(side, ast.BinOp | ast.Name) and abs(factor) < 1:
                    yield it.put("extra_mean", node, it.factor(other), told)


def signs(it: GradientLine) -> Iterator[TriedChange]:
    """Differences turned round, signs dropped, sums in place of differences."""
    for node in it.parts((ast.BinOp, ast.UnaryOp)):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
            yield it.put("sign", node, f"{it.text(node.right)} - {it.factor(node.left)}")
            yield it.put("sign", node, f"{it.text(node.left)} + {it.text(node.right)}")
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            yield it.put("sign", node, f"{it.text(node.left)} - {it.factor(node.right)}")
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            yield it.put("sign", node, it.factor(node.operand))
    if isinstance(it.node, ast.AugAssign) and isinstance(it.node.op, ast.Add | ast.Sub):
        yield _other_sign(it, "-=" if isinstance(it.node.op, ast.Add) else "+=", "sign")


def _other_sign(it: GradientLine, sign: str, kind: str) -> TriedChange:
    assert isinstance(it.node, ast.AugAssign)
    assert it.value is not None
    return it.put(kind, it.node, f"{it.text(it.node.target)} {sign} {it.text(it.value)}")


def derivatives(it: GradientLine, scenery: Scenery) -> Iterator[TriedChange]:
    """The derivative of an activation: put in, put right, taken at the other side of it."""
    names = it.names()
    every = list(dict.fromkeys(scenery.activations.values()))
    for known in every:
        if known.before:
            for old, new in ((known.before, known.result), (known.result, known.before)):
                yield from it.renamed("derivative_at", old, new, f"{old} in place of {new}")
    for gradient, known in scenery.activations.items():
        if gradient in names and it.value is not None and is_product(it.value):
            others = [name for name in names if name in (known.result, known.before)]
            kind = "derivative" if others else "activation"
            yield it.whole(kind, f"{gradient} * {known.factor}", known.kind)
    for gradient, known in scenery.activations.items():
        if gradient in names:
            is_alone = it.value is not None and it.text(it.value) == gradient
            put = f"{gradient} * {known.factor}"
            yield from it.renamed(
                "activation", gradient, put if is_alone else f"({put})", known.kind
            )
    yield from _other_derivatives(it, every, frozenset(scenery.activations))
    for known in every:
        if it.value is not None:
            whole = it.text(it.value) if is_product(it.value) else it.factor(it.value)
            yield it.whole("activation", f"{whole} * {known.factor}", known.kind)


def is_product(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)


def _other_derivatives(
    it: GradientLine, every: Sequence[Activation], gradients: frozenset[str]
) -> Iterator[TriedChange]:
    """Another formula in place of one that reads the result or the input of an activation."""
    for known in every:
        for node in it.parts((ast.BinOp, ast.Call, ast.Compare, ast.Name)):
            reads = {it.text(part) for part in ast.walk(node) if isinstance(part, ast.expr)}
            is_its = reads & ({known.result, known.before} - {""})
            if is_its and not reads & gradients and it.text(node) != known.derivative:
                yield it.put("derivative", node, f"({known.derivative})", known.kind)


def operands(it: GradientLine, scenery: Scenery, *, of_gradients: bool) -> Iterator[TriedChange]:
    """Another array of the same shape in the place of one."""
    for name in it.names():
        for other in scenery.alike.get(name, ()):
            if (other in scenery.gradients and name in scenery.gradients) == of_gradients:
                yield from it.renamed("operand", name, other, f"{name} in place of {other}")


def additions(it: GradientLine, scenery: Scenery) -> Iterator[TriedChange]:
    """Contributions added in place of assigned, and at repeated places."""
    node = it.node
    if it.value is None:
        return
    value = it.text(it.value)
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        if isinstance(node.targets[0], ast.Subscript):
            yield from _scattered(it, node.targets[0], value, scenery)
        yield it.put("overwritten", node, f"{it.text(node.targets[0])} += {value}")
    if isinstance(node, ast.AugAssign):
        if isinstance(node.target, ast.Subscript):
            yield from _scattered(it, node.target, value, scenery)
        if isinstance(node.op, ast.Add):
            yield it.put("arithmetic", node, f"{it.text(node.target)} = {value}")


def _scattered(
    it: GradientLine, target: ast.Subscript, value: str, scenery: Scenery
) -> Iterator[TriedChange]:
    owner, index = it.text(target.value), it.text(target.slice)
    if scenery.is_torch:
        text = f"{owner}.index_put_(({index},), {value}, accumulate=True)"
        yield it.put("accumulate", it.node, text)
    else:
        index = f"({index})" if isinstance(target.slice, ast.Tuple) else index
        yield it.put("accumulate", it.node, f"np.add.at({owner}, {index}, {value})")


def steps(it: GradientLine, scenery: Scenery) -> Iterator[TriedChange]:
    """Steps below: the targets subtracted, the mean taken, what relu cut off."""
    if not it.target:
        return
    if scenery.index:
        yield it.below("missing_target", f"{it.target}[{scenery.index}] -= 1")
    for number, text in scenery.sizes.items():
        if near(scenery.factor, number):
            yield it.below("missing_mean", f"{it.target} /= {text}", f"{number}")
    for known in dict.fromkeys(scenery.activations.values()):
        if known.kind == "relu":
            yield it.below("activation", f"{it.target}[{known.result} <= 0] = 0", known.kind)


def missing_terms(it: GradientLine, scenery: Scenery) -> Iterator[TriedChange]:
    """Contributions through other uses, added."""
    if it.value is not None:
        for term, told in scenery.terms:
            yield it.whole("missing_use", f"{it.text(it.value)} + {term}", told)


def formulas(it: GradientLine, scenery: Scenery) -> Iterator[TriedChange]:
    """Small changes of a formula: powers, products for sums, one side alone."""
    for node in it.parts(ast.BinOp):
        assert isinstance(node, ast.BinOp)
        left, right = it.factor(node.left), it.factor(node.right)
        if isinstance(node.op, ast.Add | ast.Sub):
            for side in (node.right, node.left):
                for text in scenery.sizes.values():
                    yield it.put("missing_mean", side, f"{it.factor(side)} / {text}", "")
        if isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
            is_scaled = isinstance(node.op, ast.Mult | ast.Div)
            for one, other in ((node.left, right), (node.right, left)):
                kind = "factor" if is_scaled and isinstance(one, ast.Constant) else "arithmetic"
                yield it.put(kind, node, other, _told(one))
            for sign in "*/+-":
                yield it.put("arithmetic", node, f"{left} {sign} {right}")
        if isinstance(node.op, ast.Pow):
            yield it.put("arithmetic", node, left)
            for power in ("2", "3", "-0.5", "-1.5", "-1", "-2"):
                yield it.put("arithmetic", node, f"{left}**{power}")
    for name in it.names():
        yield from it.renamed("arithmetic", name, f"{name}**2")
    if isinstance(it.node, ast.AugAssign):
        for sign in ("-=", "+=", "*=", "/="):
            yield _other_sign(it, sign, "arithmetic")


def _told(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else ""


def candidates(it: GradientLine, scenery: Scenery, *, has_shape: bool) -> list[TriedChange]:
    """All changes of a statement, the likeliest first: by its factor if it has one."""
    gradients = [*operands(it, scenery, of_gradients=True)]
    others = [*operands(it, scenery, of_gradients=False)]
    if isinstance(getattr(it.node, "targets", [None])[0], ast.Subscript):
        found = [*additions(it, scenery), *steps(it, scenery), *scales(it, scenery)]
    elif not has_shape:
        found = [*sums(it, scenery), *products(it), *gradients, *derivatives(it, scenery)]
    elif scenery.factor != 1.0:
        means = [c for c in sums(it, scenery) if c.kind == "mean_for_sum"]
        found = [*means, *scales(it, scenery), *steps(it, scenery), *sums(it, scenery), *signs(it)]
        found += gradients
    else:
        found = [*gradients, *missing_terms(it, scenery), *derivatives(it, scenery)]
        found += [*additions(it, scenery), *steps(it, scenery)]
        found += [*products(it), *sums(it, scenery), *signs(it)]
    found += [*others, *formulas(it, scenery)]
    return once(found)


def once(found: Iterable[TriedChange]) -> list[TriedChange]:
    """The changes, each once."""
    first: dict[object, TriedChange] = {}
    for change in found:
        first.setdefault((change.span, change.text), change)
    return list(first.values())
