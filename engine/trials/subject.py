"""The class that is tested: how programs make its objects, use them and run its pass."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine import parser_lock
from engine.named_ops import SIGNS, op_named
from engine.op import Op
from engine.program import Program
from engine.record.attribute_names import BACKWARD, DATA
from engine.record.gradient_names import assigned_in
from engine.record.source import Source

from .observed import kept_beside, observed

_DEFINITIONS = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef


class Untestable(Exception):
    """Why a program has no class that can be tested."""


@dataclass(frozen=True, slots=True)
class Usage:
    """One operation of a class: `form` is its text with the operands as {0} and {1}."""

    op: Op
    form: str
    is_reflected: bool = False
    is_uncertain: bool = False
    """Whether its name alone speaks for it: a function of the module may be for plain numbers."""


@dataclass(frozen=True, slots=True)
class ClassUnderTest:
    """A class with all that a program needs to use it.

    `definitions` is the text of what defines it. `leaf` is the expression that makes an object of
    the number {0}, and `backward` the one that runs the pass from the output {0}.
    """

    name: str
    definitions: str
    leaf: str
    backward: str
    number: str
    """The expression that gives the number of {0}."""
    gradient: str
    reader: str
    """The expression that gives the gradient of {0}, where {1} is the output."""
    usages: Sequence[Usage]
    one_sided: Sequence[str]
    """Signs of the operators that have no method for a plain number on the left."""
    in_place: frozenset[str]
    """Signs of the operators that have a method of their own to change an object in place."""
    sets_gradient: bool
    """Whether a gradient can be set, and is no property that sums up others."""
    has_state: bool
    """Whether the module keeps a collection in which one pass may meet another."""


def subject_of(program: Program, is_measured: bool = False) -> ClassUnderTest:
    """The class of a program; if measured, gradients are read as central differences show them.

    Raises Untestable.
    """
    tree, text = parser_lock.module(program.source.text), program.source.text
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    if not classes:
        raise Untestable("The program defines no class.")
    name = max(classes, key=lambda it: sum(1 for _ in _usages(_methods(classes, it))))
    methods = _methods(classes, name)
    usages = _certain_first([*_usages(methods), *_functions(tree)])
    if not usages:
        raise Untestable(f"{name} has no operation: no __add__, __mul__ or the like.")
    kept = list(_definitions(tree, set(classes), _globals(text)))
    seen = kept_beside(program) if is_measured else observed(program)
    if not seen.reader and (is_measured or not (seen.gradient or _keeps_gradients(program.source))):
        raise Untestable(f"{name} is not tested: no gradient of its objects could be read.")
    gradient = seen.gradient or _attribute(classes, name, program.source.gradients, "grad")
    backward = seen.backward or _backward(methods)
    if not backward:
        raise Untestable(f"{name} has no method backward(), and no line runs its pass.")
    leaf = _leaf(tree, classes, name)
    return ClassUnderTest(
        name=name,
        definitions=_text(text, tree, kept),
        leaf=leaf,
        backward=seen.seed + backward,
        number=seen.number or f"{{0}}.{_number(classes, leaf.partition('(')[0])}",
        gradient=gradient,
        reader=seen.reader or f"{{0}}.{gradient}",
        usages=usages,
        one_sided=[
            sign
            for it, sign in SIGNS.items()
            if f"__{it}__" in methods and f"__r{it}__" not in methods
        ],
        in_place=frozenset(sign for it, sign in SIGNS.items() if f"__i{it}__" in methods),
        sets_gradient=program.source.stores_gradients,
        has_state=any(isinstance(node, ast.Assign | ast.AnnAssign) for node in kept),
    )


def _keeps_gradients(source: Source) -> bool:
    """Whether objects have an attribute or a property for their gradients."""
    names = {node.name for node in source.each(ast.FunctionDef)}
    return source.stores_gradients or not names.isdisjoint(source.gradients)


def _text(text: str, tree: ast.Module, kept: Sequence[ast.stmt]) -> str:
    """A program without the statements that are not kept, each line where it was."""
    lines = text.split("\n")
    needed = {line for node in kept for line in range(node.lineno, (node.end_lineno or 0) + 1)}
    for node in tree.body:
        if node not in kept:
            for line in range(node.lineno, (node.end_lineno or 0) + 1):
                if line not in needed:
                    lines[line - 1] = ""
    return "\n".join(lines).rstrip()


def _globals(text: str) -> set[str]:
    """The names of the module that its functions read."""
    tables, found = [symtable.symtable(text, "class.py", "exec")], set()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        if table.get_type() == "function":
            found |= {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global()}
    return found


def _definitions(tree: ast.Module, classes: set[str], needed: set[str]) -> Iterator[ast.stmt]:
    """The statements of the module that define things.

    Those that use the class are not among them, but for what its functions need.
    """
    using = set(classes)
    for node in tree.body:
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        is_value = isinstance(node, ast.Assign | ast.AnnAssign) and (
            not names & using
            or (not names & (using - classes) and set() < _assigned(node) <= needed)
        )
        if isinstance(node, _DEFINITIONS) or is_value:
            yield node
        else:
            using |= names
            using |= {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}


def _assigned(node: ast.stmt) -> set[str]:
    return {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def _methods(classes: Mapping[str, ast.ClassDef], name: str) -> dict[str, ast.FunctionDef | None]:
    """The methods of a class and its bases by name; None for one of another name's."""
    found: dict[str, ast.FunctionDef | None] = {}
    node = classes[name]
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id in classes and base.id != name:
            found |= _methods({k: v for k, v in classes.items() if k != name}, base.id)
    for part in node.body:
        if isinstance(part, ast.FunctionDef):
            found[part.name] = part
        elif isinstance(part, ast.Assign):
            found |= {target.id: None for target in part.targets if isinstance(target, ast.Name)}
    return found


def _usages(methods: Mapping[str, ast.FunctionDef | None]) -> Iterator[Usage]:
    for method, node in methods.items():
        name = method.strip("_")
        is_special = method.startswith("__")
        is_reflected = is_special and name.startswith("r") and name[1:] in SIGNS
        op = op_named(name[1:] if is_reflected else name)
        if op is None or (node is not None and _needed(node) > len(op.params)):
            continue
        if op.name == "neg":
            yield Usage(op, "-{0}")
        elif is_special and name.removeprefix("r" if is_reflected else "") in SIGNS:
            yield Usage(op, f"{{0}} {op.name} {{1}}", is_reflected)
        elif not is_special:
            has_two = len(op.params) == 2
            yield Usage(op, f"{{0}}.{method}({'{1}' if has_two else ''})", is_uncertain=has_two)


def _certain_first(usages: Sequence[Usage]) -> list[Usage]:
    """Without those that only their name speaks for, where there is another of their operation."""
    certain = {usage.op.name for usage in usages if not usage.is_uncertain}
    return [it for it in usages if not it.is_uncertain or it.op.name not in certain]


def _functions(tree: ast.Module) -> Iterator[Usage]:
    """Operations that are functions of the module."""
    for node in tree.body:
        op = op_named(node.name) if isinstance(node, ast.FunctionDef) else None
        if op is not None and isinstance(node, ast.FunctionDef) and _needed(node) == len(op.params):
            operands = ", ".join(["{0}", "{1}"][: len(op.params)])
            yield Usage(op, f"{node.name}({operands})", is_uncertain=True)


def _needed(node: ast.FunctionDef) -> int:
    """The arguments that a call must give."""
    args = node.args
    return len(args.posonlyargs) + len(args.args) - len(args.defaults)


def _leaf(tree: ast.Module, classes: Mapping[str, ast.ClassDef], name: str) -> str:
    """As the program makes its first object, with another number; else of the number alone."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(value=ast.Call(func=ast.Name(id=kind), args=args) as call) if (
                kind in classes and (not args or all(map(_is_literal, args)))
            ):
                numbers = [arg for arg in args if _is_number(arg)]
                if numbers:
                    parts = ["{0}" if arg is numbers[0] else ast.unparse(arg) for arg in args]
                    given = [ast.unparse(keyword) for keyword in call.keywords[:0]]
                    return f"{kind}({', '.join([*parts, *given])})"
    return f"{name}({{0}})"


def _is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or _is_number(node)


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _backward(methods: Mapping[str, ast.FunctionDef | None]) -> str:
    """A call of the method with one of the usual names; "" without one."""
    for method, definition in methods.items():
        if method in BACKWARD and (definition is None or _needed(definition) == 1):
            return f"{{0}}.{method}()"
    return ""


def _number(classes: Mapping[str, ast.ClassDef], name: str) -> str:
    """The attribute in which the constructor keeps the number that it is given first."""
    body = classes[name].body if name in classes else []
    fields = [it.target for it in body if isinstance(it, ast.AnnAssign)]
    if fields and isinstance(fields[0], ast.Name) and not _has_init(body):
        return fields[0].id  # of a dataclass
    for node in body:
        if (
            isinstance(node, ast.FunctionDef)
            and node.name == "__init__"
            and len(node.args.args) > 1
        ):
            given = node.args.args[1].arg
            for attr, value in (pair for part in ast.walk(node) for pair in assigned_in(part)):
                if any(isinstance(it, ast.Name) and it.id == given for it in ast.walk(value)):
                    return attr
    return _attribute(classes, name, DATA, "data")


def _has_init(body: Sequence[ast.stmt]) -> bool:
    return any(isinstance(node, ast.FunctionDef) and node.name == "__init__" for node in body)


def _attribute(
    classes: Mapping[str, ast.ClassDef], name: str, names: frozenset[str], usual: str
) -> str:
    """The first attribute of some names that a class, or another, gives its objects."""
    owners = [classes[name]] if name in classes else []
    for node in (part for owner in (*owners, *classes.values()) for part in ast.walk(owner)):
        match node:
            case ast.Attribute(attr=attr, ctx=ast.Store()) if attr in names:
                return attr
            case ast.AnnAssign(target=ast.Name(id=attr)) if attr in names:
                return attr
    return usual
