"""What programs may name: functions, methods, attributes, modules; tables, and what each does.

Names are looked up here and nowhere else. What a name of Python, micrograd, PyTorch or NumPy does
is written out below, so that nothing outside of the tables can be reached from a program.
"""

from __future__ import annotations

import ast
import math
import re
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any, TypeAlias

from .nn import MLP, Layer, Module, Neuron
from .ops import ACTIVATIONS, OPS, Op
from .tape import APPLY_COST, Number, Refused
from .value import Value

if TYPE_CHECKING:
    from .interpreter import Interpreter

Arguments: TypeAlias = list[Any]
Keywords: TypeAlias = dict[str, Any]
Builtin: TypeAlias = "Callable[[Interpreter, Arguments, Keywords, ast.Call], Any]"

FOREIGN: dict[str, tuple[str, str]] = {
    "While": ("A while loop", "Write for i in range(n): instead; it always ends."),
    "Delete": ("del", "Remove the line; nothing needs to be freed here."),
    "Raise": ("raise", "Remove the line."),
    "Try": ("try", "Remove it; division by zero gives inf here, with a warning."),
    "TryStar": ("try", "Remove it."),
    "AsyncFunctionDef": ("async", "Write def without async."),
    "AsyncFor": ("async", "Write for without async."),
    "AsyncWith": ("async", "Remove the line."),
    "Global": ("global", "Pass the value as an argument and return the result."),
    "Nonlocal": ("nonlocal", "Pass the value as an argument and return the result."),
    "Match": ("match", "Write if … elif … else."),
    "NamedExpr": ("The sign :=", "Give the name its value on a line before."),
    "Dict": ("A dictionary", "Use a list, or a name for each value."),
    "DictComp": ("A dictionary", "Use a list."),
    "Set": ("A set", "Use a list."),
    "SetComp": ("A set", "Use a list."),
    "Await": ("await", "Remove it."),
    "Yield": ("yield", "Collect the values in a list and return it."),
    "YieldFrom": ("yield", "Collect the values in a list and return it."),
    "Starred": ("The sign *", "Write the items out."),
    "Slice": ("Setting a slice", "Set the items one by one."),
}
"""Syntax of Python that programs cannot use: its name, and what to write instead."""


def foreign(node: ast.AST, kind_of: str = "") -> tuple[str, str]:
    """That the syntax at `node` cannot be used, and what to write instead."""
    name, hint = FOREIGN.get(kind_of or type(node).__name__, ("This", ""))
    return f"{name} is not part of this language.", hint


CONTEXTS = frozenset({"torch.no_grad()", "no_grad()"})
MAX_ARGUMENTS = 100
LABEL_LENGTH = 64


@dataclass(frozen=True, slots=True)
class Library:
    """A module that programs may import; its functions are looked up in the tables here."""

    name: str


class Drawing:
    """What a call that draws gives back: nothing that could be computed with."""


class Members(tuple[Value, ...]):
    """The args of a Value, printed as micrograd prints its set."""

    __slots__ = ()


class Parts(list[Any]):
    """The weights, neurons or layers of a network, which a program may read but not replace."""

    __slots__ = ()


DRAWING = Drawing()
NUMERIC = {"math", "torch", "numpy", "functional"}
LIBRARIES: dict[str, Library] = {
    name: Library(library)
    for name, library in {
        "math": "math", "cmath": "", "torch": "torch", "F": "functional", "nn": "functional",
        "np": "numpy", "numpy": "numpy", "random": "random", "plt": "drawing",
        "matplotlib": "drawing", "graphviz": "drawing", "micrograd": "micrograd",
    }.items()
    if library
}  # fmt: skip
"""The modules that are known without an import, by the names people give them."""

MODULES: dict[str, str] = {
    "math": "math", "random": "random", "numpy": "numpy", "numpy.random": "random",
    "torch": "torch", "torch.nn": "functional", "torch.nn.functional": "functional",
    "micrograd": "micrograd", "micrograd.engine": "micrograd", "micrograd.nn": "micrograd",
    "matplotlib": "drawing", "matplotlib.pyplot": "drawing", "graphviz": "drawing",
    "IPython.display": "drawing", "__future__": "nothing", "typing": "nothing",
    "engine": "micrograd",
}  # fmt: skip
"""The modules that may be imported, and the library that each one is here."""

CONSTANTS = {"pi": math.pi, "e": math.e, "tau": math.tau, "inf": math.inf, "nan": math.nan}
DRAWING_NAMES = frozenset(
    {"Digraph", "Graph", "Source", "SVG", "Image", "HTML", "display", "figure"}
)
_DRAWS = re.compile(r"^_?(draw|plot|show|visuali[sz]e|render)(_|$)", re.IGNORECASE)
OP_ALIASES = {
    "pow": "**", "power": "**", "fabs": "abs", "absolute": "abs", "maximum": "max",
    "minimum": "min", "add": "+", "sub": "-", "mul": "*", "div": "/", "neg": "neg",
    "swish": "silu",
}  # fmt: skip


def op_of(name: str) -> Op | None:
    """The operation that programs call `name`, if there is one."""
    op = OPS.get(OP_ALIASES.get(name, name))
    return op if op and (op.is_word or name in OP_ALIASES) else None


# What things are, in words


def sentence(words: str) -> str:
    """`words` with a capital letter, the others as they are."""
    return words[:1].upper() + words[1:]


def name_of(node: ast.AST) -> str:
    """The name that stands at `node`, for a label; empty if it is no name of the program's."""
    return node.id if isinstance(node, ast.Name) and node.id != _MAPPED else ""


def kind(value: Any) -> str:
    """What `value` is, for a message: "a list", "a plain number"."""
    for types, name in _KINDS:
        if isinstance(value, types):
            return name
    return "this"


def describe(value: Any) -> str:
    """A number as itself, anything else as what it is."""
    bared = bare(value)
    return repr(bared) if type(bared) in (int, float) else kind(value)


def bare(value: Any) -> Any:
    """The plain number of a Value; anything else as it is."""
    if isinstance(value, Number) and value.whole and math.isfinite(value.data):
        return int(value.data)
    return value.data if isinstance(value, Value) else value


def same(run: Interpreter, a: Any, b: Any, node: ast.AST) -> bool:
    """Whether a == b; lists are compared item by item, and each item is counted."""
    run.tape.spend(node)
    for types in (list, tuple):
        if isinstance(a, types) and isinstance(b, types):
            return len(a) == len(b) and all(
                same(run, bare(x), bare(y), node) for x, y in zip(a, b, strict=True)
            )
    if isinstance(a, _PLAIN) and isinstance(b, _PLAIN):
        return bool(a == b)
    return a is b


_PLAIN = (int, float, str, range)


def text(run: Interpreter, value: Any, *, quote: bool = False, depth: int = 0) -> str:
    """`value` as `print` writes it, or as `repr` does with `quote`; counted by its length."""
    out = _text(run, value, quote, depth)
    run.tape.spend(run.source.tree, 1 + len(out) // LETTERS)
    return out


LETTERS = 32  # of text that cost one operation


def _text(run: Interpreter, value: Any, quote: bool, depth: int) -> str:
    if isinstance(value, Number):
        return repr(bare(value))
    if isinstance(value, Value):
        return _value_text(run, value)
    if isinstance(value, str):
        return repr(value) if quote else value
    if isinstance(value, list | tuple):
        inside = (
            "…"
            if depth > 4
            else ", ".join(text(run, v, quote=True, depth=depth + 1) for v in value)
        )
        if isinstance(value, Members):
            return f"{{{inside}}}" if value else "set()"
        if isinstance(value, tuple):
            return f"({inside},)" if len(value) == 1 else f"({inside})"
        return f"[{inside}]"
    if value is None or isinstance(value, bool | int | float | range | Module):
        return str(value)
    return f"<{kind(value)}>"


def _value_text(run: Interpreter, value: Value) -> str:
    """As the pasted class Value writes itself, if there was one; else as the built-in does."""
    if run.repr is None or not isinstance(run.repr.body, ast.expr):
        return repr(value)
    around, function, run.repr = run.env, run.repr, None
    run.env = type(around)({function.params.args[0].arg: value}, around)
    try:
        assert isinstance(function.body, ast.expr)
        return str(run.evaluate(function.body))
    finally:
        run.env, run.repr = around, function


_FORMAT = re.compile(r"[<>^]?[ +-]?0?\d{0,2},?(\.\d{1,2})?[defgs%]?")


def formatted(run: Interpreter, part: ast.FormattedValue) -> str:
    """One `{…}` of an f-string."""
    value = run.evaluate(part.value)
    if part.format_spec is None:
        return text(run, value, quote=part.conversion == ord("r"))
    spec = str(run.evaluate(part.format_spec))
    if not _FORMAT.fullmatch(spec):
        raise Refused(
            part, f"The format {spec[:20]!r} is not known here.", "Use one such as .4f, 8.2f or 3d."
        )
    value = bare(value)
    try:
        return format(value if isinstance(value, int | float | str) else text(run, value), spec)
    except (ValueError, OverflowError):
        raise Refused(
            part, f"The format {spec!r} does not fit {kind(value)}.", "Use .4f for a number."
        ) from None


# Names


def look_up(node: ast.Name) -> Any:
    """A name that no line of the program has set."""
    if node.id in LIBRARIES:
        return LIBRARIES[node.id]
    if node.id == "__name__":
        return "__main__"
    if node.id in BUILTINS or op_of(node.id):
        raise Refused(node, f"{node.id} is a function.", f"Call it: {node.id}(…).")
    if node.id in _ELSEWHERE:
        raise Refused(node, f"{node.id} is not known here.", _ELSEWHERE[node.id])
    hint = f"Set it first, on a line above: {node.id} = 1.0."
    raise Refused(node, f"{node.id} has no value yet.", hint)


_DANGEROUS = "eval exec compile open globals locals getattr setattr delattr vars dir input"
_ELSEWHERE = dict.fromkeys(_DANGEROUS.split(), "It could reach outside of the program.")


def check_free(target: ast.Name) -> None:
    """Refuse to give a built-in function's name to something else."""
    if target.id in BUILTINS or target.id in OPS:
        raise Refused(
            target, f"{target.id} is built in.", f"Choose another name, such as {target.id}_1."
        )


def built_in_class(run: Interpreter, node: ast.ClassDef) -> None:
    """Pass over a pasted `class Value` or network, keeping what it does differently."""
    if node.name not in ("Value", "Neuron", "Layer", "MLP", "Module"):
        names = "Value, Neuron, Layer and MLP are built in"
        raise Refused(
            node, "A class of your own is not part of this language.", f"{names}; write functions."
        )
    run.note(
        node, f"{node.name} is built in: your class is passed over and the built-in one is used."
    )
    for method in node.body:
        if isinstance(method, ast.FunctionDef):
            _keep_manner(run, node.name, method)


def _keep_manner(run: Interpreter, class_name: str, method: ast.FunctionDef) -> None:
    last = method.body[-1]
    if class_name == "Value" and method.name == "__repr__":
        named = bool(method.args.args)
        if named and isinstance(last, ast.Return) and isinstance(last.value, ast.JoinedStr):
            from .interpreter import Function  # the two modules describe one walk

            run.repr = Function("__repr__", method.args, last.value, [], run.env)
    elif class_name == "Neuron" and method.name == "__init__":
        if any(param.arg == "nonlin" for param in method.args.args):
            run.network["convention"] = "micrograd"
        run.network["bias"] = "zero" if _sets_bias_to_number(method) else "uniform"
    elif class_name == "Neuron" and method.name in ("__call__", "forward"):
        calls = [
            n.func.attr
            for n in ast.walk(method)
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)
        ]
        used = [name for name in calls if name in ACTIVATIONS]
        if run.network.get("convention") != "micrograd":
            run.network["activation"] = used[0] if used else "linear"


def _sets_bias_to_number(method: ast.FunctionDef) -> bool:
    for node in ast.walk(method):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "self.b":
            call = node.value
            return (
                isinstance(call, ast.Call)
                and bool(call.args)
                and isinstance(call.args[0], ast.Constant)
            )
    return False


# Imports


def import_module(run: Interpreter, alias: ast.alias, node: ast.AST) -> None:
    if alias.name not in MODULES:
        raise Refused(node, f"The module {alias.name[:40]} cannot be imported here.", _IMPORT_HINT)
    name = alias.asname or alias.name.partition(".")[0]
    run.env.names[name] = Library(MODULES.get(name, MODULES[alias.name]))


def import_name(run: Interpreter, module: str, alias: ast.alias, node: ast.AST) -> None:
    if module not in MODULES:
        raise Refused(node, f"The module {module[:40]} cannot be imported here.", _IMPORT_HINT)
    library = MODULES[module]
    name = alias.asname or alias.name
    if module == "micrograd.nn":
        run.network.setdefault("convention", "micrograd")
    if library in ("nothing", "drawing"):
        if library == "drawing":
            run.env.names[name] = DRAWING
    elif alias.name == "*" or (name == alias.name and (name in BUILTINS or op_of(name))):
        return
    elif f"{module}.{alias.name}" in MODULES:
        run.env.names[name] = Library(MODULES[f"{module}.{alias.name}"])
    elif library == "math" and alias.name in CONSTANTS:
        run.env.names[name] = CONSTANTS[alias.name]
    elif alias.name in BUILTINS or op_of(alias.name):
        hint = f"Write {alias.name} in place of {name}."
        raise Refused(node, "A built-in name cannot be changed on import.", hint)
    else:
        raise Refused(
            node, f"{module} has no {alias.name[:40]} here.", "Remove it from the import."
        )


_IMPORT_HINT = "Remove the line; Value, MLP and all functions are built in."


# Attributes

_VALUE_ATTRIBUTES: dict[str, Callable[[Value], Any]] = {
    "data": lambda value: value.data,
    "grad": lambda value: value.grad,
    "label": lambda value: value.label,
    "_prev": lambda value: Members(dict.fromkeys(value.args)),
    "_op": lambda value: value.op.name if value.op else "",
    "args": lambda value: tuple(value.args),
    "requires_grad": lambda value: True,
}
_MODULE_ATTRIBUTES: dict[type[Module], tuple[str, ...]] = {
    Neuron: ("w", "b"),
    Layer: ("neurons",),
    MLP: ("layers",),
}


def get_attribute(run: Interpreter, value: Any, node: ast.Attribute) -> Any:
    """`value.name`, for the few names that the tables know."""
    name = node.attr
    if isinstance(value, Library):
        if value.name == "drawing":
            return DRAWING
        if name in CONSTANTS and value.name in NUMERIC:
            return CONSTANTS[name]
        if name in MODULES and name != value.name:
            return Library(MODULES[name])
        if name in ("nn", "functional"):
            return Library("functional")
        if name in ("float64", "float32", "double"):
            return None  # a dtype; every number here has 64 bits
    elif isinstance(value, Drawing):
        return value
    elif isinstance(value, Value) and name in _VALUE_ATTRIBUTES:
        return _VALUE_ATTRIBUTES[name](value)
    elif isinstance(value, Module) and name in _MODULE_ATTRIBUTES.get(type(value), ()):
        return Parts(part) if isinstance(part := getattr(value, name), list) else part
    elif type(value) in (int, float) and name == "data":
        return value
    hint = "A Value has data, grad, label, backward() and a method for every operation."
    owner = sentence(kind(value))
    if isinstance(value, Library):
        owner, hint = value.name, _NOT_HERE.get(name, "See the list of operations.")
    raise Refused(node, f"{owner} has no {name[:40]} here.", hint)


_NOT_HERE = {
    "optim": "Write the step out: for p in model.parameters(): p.data -= 0.05 * p.grad; "
    "and p.grad = 0.0 before loss.backward().",
}


def set_attribute(run: Interpreter, owner: Any, target: ast.Attribute, value: Any) -> None:
    """`owner.name = value`: the data, grad and label of a Value."""
    name = target.attr
    if isinstance(owner, Drawing) or (
        isinstance(owner, Value) and name in ("requires_grad", "_backward")
    ):
        return
    if not isinstance(owner, Value) or name not in ("data", "grad", "label"):
        raise Refused(
            target,
            f"{sentence(kind(owner))} has no attribute {name[:40]} to set.",
            "Set a name instead.",
        )
    if name == "label":
        if not isinstance(value, str):
            raise Refused(target, "A label is a text.", "Write x.label = 'x'.")
        owner.label = value[:LABEL_LENGTH]
    elif isinstance(owner, Number) and name == "data":
        hint = f"Write {ast.unparse(target.value)} = …, or wrap it: Value(…)."
        raise Refused(target, "This is a plain number; its data cannot be set.", hint)
    else:
        number = 0.0 if value is None and name == "grad" else bare(value)
        setattr(owner, name, run.tape.number(_number(number, target), target).data)


def check_changeable(container: Any, node: ast.AST) -> None:
    """Refuse to change items of anything but a list of the program's own."""
    if isinstance(container, Parts):
        hint = "Set their data instead: n.w[0].data = 0.5."
        raise Refused(node, "The parts of a network cannot be replaced.", hint)
    if not isinstance(container, list):
        raise Refused(node, f"Items of {kind(container)} cannot be set.", "Only those of a list.")


def _number(value: Any, node: ast.AST) -> float:
    value = bare(value)
    if type(value) is float or type(value) is int:
        return value
    raise Refused(
        node, f"A number is needed here, not {kind(value)}.", "Write a number such as 2.0."
    )


# Calls


def call_name(run: Interpreter, func: ast.Name, node: ast.Call) -> Any:
    """`f(…)`: a function of the program, a network, an operation or a built-in function."""
    if len(node.args) > MAX_ARGUMENTS:
        raise Refused(
            node, f"A call takes at most {MAX_ARGUMENTS} arguments.", "Put them into a list."
        )
    name = func.id
    if _DRAWS.match(name) or name in DRAWING_NAMES:
        return pass_over(run, node)
    defined = _defined(run, name)
    if name == "map" and defined is None:
        return _map(run, node)
    if defined is not None:
        return call_defined(run, defined, func, node)
    if name in BUILTINS:
        return call_builtin(run, BUILTINS[name], name, node)
    op = op_of(name)
    if op:
        return call_op(run, op, node)
    look_up(func)
    raise Refused(func, f"{name} cannot be called.", "Call one of its functions: math.tanh(x).")


def call_builtin(run: Interpreter, function: Builtin, name: str, node: ast.Call) -> Any:
    """A function of a table; an argument by a name that it does not know is refused."""
    args, keywords = run.arguments(node)
    known = KEYWORDS.get(name, frozenset())
    unknown = set(keywords) - known
    if unknown:
        hint = f"It has {', '.join(sorted(known))}." if known else "Leave it out."
        raise Refused(node, f"{name} has no argument {min(unknown)} here.", hint)
    return function(run, args, keywords, node)


def _defined(run: Interpreter, name: str) -> Any:
    env = run.env
    while name not in env.names:
        if env.around is None:
            return None
        env = env.around
    return env.names[name]


def call_defined(run: Interpreter, defined: Any, func: ast.expr, node: ast.Call) -> Any:
    """A call of what the program itself holds: its function, a network, a part of one."""
    if isinstance(defined, Module):
        return run.call_module(defined, node)
    if isinstance(defined, Drawing):
        return pass_over(run, node)
    if hasattr(defined, "params"):
        return run.call_function(defined, node)
    name = ast.unparse(func)[:40]
    hint = f"For a product write {name}*(…)."
    raise Refused(func, f"{name} is {kind(defined)}, not a function.", hint)


def pass_over(run: Interpreter, node: ast.Call) -> Drawing:
    """A call that draws: the page draws the graph itself."""
    run.note(node, f"{ast.unparse(node.func)[:40]}(…) is passed over: the graph is drawn here.")
    return DRAWING


def call_op(
    run: Interpreter, op: Op, node: ast.Call, first: tuple[Any, ast.expr] | None = None
) -> Value:
    """An operation by its name: `tanh(x)`, `x.tanh()`, `math.tanh(x)`."""
    args, keywords = run.arguments(node)
    nodes: list[ast.expr] = list(node.args)
    if first:
        args, nodes = [first[0], *args], [first[1], *nodes]
    if keywords and set(keywords) - {"dim", "inplace", "approximate"}:
        raise Refused(node, f"{op.name} takes no named arguments.", "Write only its inputs.")
    if len(args) != len(op.params):
        inputs = "1 input" if len(op.params) == 1 else f"{len(op.params)} inputs"
        raise Refused(node, f"{op.name} takes {inputs}, not {len(args)}.", "Give it as many.")
    return run.compute(op, args, nodes, node)


def call_method(run: Interpreter, func: ast.Attribute, node: ast.Call) -> Any:
    """`owner.name(…)`, for the owners and names that the tables know."""
    owner, name = run.evaluate(func.value), func.attr
    if isinstance(owner, Library):
        return _call_library(run, owner, name, node)
    if isinstance(owner, Drawing):
        return pass_over(run, node)
    if isinstance(owner, Value):
        op = op_of(name)
        if op:
            return call_op(run, op, node, (owner, func.value))
    if isinstance(owner, list | tuple) and name in ("neurons", "layers"):
        return owner
    for types, methods in _METHODS:
        if isinstance(owner, types) and name in methods:
            return methods[name](run, owner, *run.arguments(node), node)
    if isinstance(owner, Module) and name == "forward":
        return run.call_module(owner, node)
    hint = "A Value has backward() and a method for every operation, such as x.tanh()."
    raise Refused(node, f"{sentence(kind(owner))} has no method {name[:40]} here.", hint)


def _call_library(run: Interpreter, library: Library, name: str, node: ast.Call) -> Any:
    if library.name == "drawing":
        return pass_over(run, node)
    if library.name == "random" and name in RANDOM:
        return call_builtin(run, RANDOM[name], name, node)
    if library.name == "torch" and name == "manual_seed":
        return call_builtin(run, RANDOM["seed"], name, node)
    if library.name == "micrograd" and name in BUILTINS:
        return call_builtin(run, BUILTINS[name], name, node)
    if library.name in NUMERIC:
        if name in ("tensor", "Tensor", "array", "Parameter"):
            args, _ = run.arguments(node)
            return _tensor(run, args, node, single=name == "Tensor")
        op = op_of(name)
        if op:
            return call_op(run, op, node)
    raise Refused(
        node, f"{library.name} has no function {name[:40]} here.", "See the list of operations."
    )


def _spend_items(run: Interpreter, value: Any, node: ast.Call) -> list[Any]:
    """The items of a list, range or tuple as a list, each counted."""
    out = []
    for item in run.items(value, node):
        run.tape.spend(node)
        out.append(item)
        run.check_length(len(out), node)
    return out


def _one(args: Arguments, node: ast.Call, name: str) -> Any:
    if len(args) != 1:
        raise Refused(node, f"{name} takes 1 argument, not {len(args)}.", "Give it one.")
    return args[0]


def _print(run: Interpreter, args: Arguments, keywords: Keywords, node: ast.Call) -> None:
    separator = text(run, keywords.get("sep", " "))[:LABEL_LENGTH]
    end = text(run, keywords.get("end", "\n"))[:LABEL_LENGTH]
    run.print_text(separator.join(text(run, arg) for arg in args) + end, node)


def _make_value(run: Interpreter, args: Arguments, keywords: Keywords, node: ast.Call) -> Value:
    args = args or ([keywords["data"]] if "data" in keywords else [])
    if not 1 <= len(args) <= 3:
        raise Refused(
            node, f"Value takes 1 number, not {len(args)}.", "Write Value(2.0, label='a')."
        )
    label = keywords.get("label", "")
    if not isinstance(label, str):
        raise Refused(node, "A label is a text.", "Write Value(2.0, label='a').")
    data = run.tape.number(_number(args[0], node), node).data
    return run.tape.leaf(Value(data, label=label[:LABEL_LENGTH]), node)


def _tensor(run: Interpreter, args: Arguments, node: ast.Call, *, single: bool) -> Any:
    """A tensor of one number is a Value, others are lists; `torch.Tensor` rounds to 32 bits."""
    item = args[0] if args else None
    if isinstance(item, list):
        if len(item) != 1 or isinstance(item[0], list):
            return item
        item = item[0]
    number = run.tape.number(_number(item, node), node).data
    if single and math.isfinite(number) and abs(number) < 3e38:
        rounded = struct.unpack("f", struct.pack("f", number))[0]
        if rounded != number:
            run.note(node, f"torch.Tensor holds 32-bit numbers: {number} becomes {rounded}.")
        number = rounded
    return run.tape.leaf(Value(number), node)


def _map(run: Interpreter, node: ast.Call) -> list[Any]:
    """`map(f, items)`: a call of `f` for each item."""
    if len(node.args) != 2 or not isinstance(node.args[0], ast.Name):
        raise Refused(
            node, "map takes the name of a function and a list.", "Write [f(x) for x in xs]."
        )
    around, item = run.env, ast.copy_location(ast.Name(_MAPPED, ast.Load()), node.args[1])
    call = ast.copy_location(ast.Call(node.args[0], [item], []), node)
    items = _spend_items(run, run.evaluate(node.args[1]), node)
    try:
        out = []
        for value in items:
            run.env = type(around)({_MAPPED: value}, around)
            out.append(call_name(run, node.args[0], call))
        return out
    finally:
        run.env = around


_MAPPED = " item"
"""The name of an item while `map` calls a function with it; no program can write it."""

_NETWORK_OPTIONS = frozenset({"activation", "output_activation", "bias", "nonlin", "convention"})


def _network(kind_of: type[Module]) -> Builtin:
    def make(run: Interpreter, args: Arguments, keywords: Keywords, node: ast.Call) -> Module:
        sizes = [
            [run.whole(size, node) for size in _spend_items(run, arg, node)]
            if isinstance(arg, list | tuple | range)
            else arg
            for arg in args
        ]
        numbers = [bare(size) for size in sizes]
        if any(size < 1 for size in _flat(numbers)):
            raise Refused(node, "A size of a network is at least 1.", "Write MLP(2, [3, 1]).")
        weights = _weights(numbers)
        run.tape.spend(node, weights * APPLY_COST)
        if weights > run.limits.values:
            raise Refused(
                node,
                f"This network has more than {run.limits.values:,} weights.",
                "Make it smaller.",
            )
        options = {**run.network, **{key: bare(value) for key, value in keywords.items()}}
        if kind_of is not MLP and "output_activation" in options:
            raise Refused(node, "Only an MLP has an output_activation.", "Write activation='tanh'.")
        try:
            module = kind_of(*numbers, rng=run.rng, **options)  # type: ignore[call-arg]
        except (TypeError, ValueError) as error:
            hint = "Write Neuron(2), Layer(2, 3) or MLP(2, [3, 1])."
            raise Refused(node, f"The network cannot be made: {_plain(error)}.", hint) from None
        run.tape.watch(module, node)
        return module

    return make


def _plain(error: Exception) -> str:
    return re.sub(r"^\w+(\.\w+)?\.__init__\(\) ", "", str(error))[:120]


def _flat(sizes: list[Any]) -> list[int]:
    """The whole numbers among the sizes of a network and in its list of sizes."""
    return [
        n for size in sizes for n in (size if isinstance(size, list) else [size]) if type(n) is int
    ]


def _weights(sizes: list[Any]) -> int:
    """About how many weights a network of these sizes has; refuses nothing itself."""
    flat = _flat(sizes)
    return sum(a * b for a, b in zip(flat, [*flat[1:], 1], strict=True)) if flat else 0


def _sum(run: Interpreter, args: Arguments, keywords: Keywords, node: ast.Call) -> Any:
    if not 1 <= len(args) <= 2:
        raise Refused(node, "sum takes a list, and a start if you like.", "Write sum([a, b, c]).")
    items = [
        int(item) if isinstance(item, bool) else item for item in _spend_items(run, args[0], node)
    ]
    start = args[1:] or [x for name, x in keywords.items() if name == "start"]
    items = [*start, *items]
    if not items:
        return 0
    if not any(isinstance(item, Value) for item in items):
        numbers = [_number(item, node) for item in items]
        if float not in map(type, numbers):
            return sum(numbers)
        floats = [run.tape.number(x, node).data for x in numbers]
        return reduce(add, floats)  # as Values are added; sum() differs among Pythons
    total = items[0]
    for item in items[1:]:
        total = run.compute(OPS["+"], (total, item), [node, node], node)
    return total


def _extreme(name: str) -> Builtin:
    def fold(run: Interpreter, args: Arguments, keywords: Keywords, node: ast.Call) -> Any:
        listed = len(args) == 1 and isinstance(args[0], list | tuple | range)
        items = _spend_items(run, args[0], node) if listed else args
        if not items or (len(items) == 1 and not listed):
            raise Refused(node, f"{name} needs something to compare.", f"Write {name}(a, b).")
        if listed and not any(isinstance(item, Value) for item in items):
            numbers = [_number(item, node) for item in items]
            return max(numbers) if name == "max" else min(numbers)
        best = items[0]
        for item in items[1:]:
            best = run.compute(OPS[name], (best, item), [node, node], node)
        return best

    return fold


def _range(run: Interpreter, args: Arguments, keywords: Keywords, node: ast.Call) -> range:
    if not 1 <= len(args) <= 3:
        raise Refused(node, "range takes one to three whole numbers.", "Write range(10).")
    numbers = [run.whole(arg, where) for arg, where in zip(args, node.args, strict=True)]
    if len(numbers) == 3 and numbers[2] == 0:
        raise Refused(node, "A range cannot have the step 0.", "Write range(10).")
    return range(*numbers)


def _zip(run: Interpreter, args: Arguments, keywords: Keywords, node: ast.Call) -> list[Any]:
    columns = [run.items(arg, where) for arg, where in zip(args, node.args, strict=True)]
    rows: list[Any] = []
    for row in zip(*columns, strict=False):
        run.tape.spend(node)
        rows.append(row)
        run.check_length(len(rows), node)
    return rows


def _enumerate(run: Interpreter, args: Arguments, keywords: Keywords, node: ast.Call) -> list[Any]:
    start = run.whole(keywords.get("start", args[1] if len(args) > 1 else 0), node)
    return list(enumerate(_spend_items(run, args[0] if args else None, node), start))


def _len(run: Interpreter, args: Arguments, keywords: Keywords, node: ast.Call) -> int:
    return run.length(run.items(_one(args, node, "len"), node), node)


def _list(run: Interpreter, args: Arguments, keywords: Keywords, node: ast.Call) -> list[Any]:
    return _spend_items(run, args[0], node) if args else []


def _float(run: Interpreter, args: Arguments, keywords: Keywords, node: ast.Call) -> float:
    return run.tape.number(_number(_one(args, node, "float"), node), node).data


def _int(run: Interpreter, args: Arguments, keywords: Keywords, node: ast.Call) -> int:
    number = _float(run, args, keywords, node)
    if not math.isfinite(number):
        raise Refused(node, f"{number} has no whole part.", "Give int a finite number.")
    return int(number)


def _round(run: Interpreter, args: Arguments, keywords: Keywords, node: ast.Call) -> float:
    number = _number(args[0] if args else None, node)
    digits = run.whole(args[1], node) if len(args) > 1 else 0
    return (
        round(number, max(-300, min(digits, 300)))
        if len(args) > 1
        else _int(run, [round(number, 0)], {}, node)
    )


def _isinstance(run: Interpreter, args: Arguments, keywords: Keywords, node: ast.Call) -> bool:
    raise Refused(node, "isinstance is not needed here.", "Numbers and Values mix freely.")


def _str(run: Interpreter, args: Arguments, keywords: Keywords, node: ast.Call) -> str:
    return text(run, _one(args, node, "str"))


BUILTINS: dict[str, Builtin] = {
    "print": _print,
    "Value": _make_value,
    "Neuron": _network(Neuron),
    "Layer": _network(Layer),
    "MLP": _network(MLP),
    "sum": _sum,
    "max": _extreme("max"),
    "min": _extreme("min"),
    "len": _len,
    "range": _range,
    "zip": _zip,
    "enumerate": _enumerate,
    "list": _list,
    "float": _float,
    "int": _int,
    "round": _round,
    "str": _str,
}
"""Every function that programs may call, besides the operations."""
KEYWORDS: dict[str, frozenset[str]] = {
    "print": frozenset({"sep", "end", "flush"}),
    "Value": frozenset({"data", "label", "_children", "_op"}),
    "sum": frozenset({"start"}),
    "zip": frozenset({"strict"}),
    "enumerate": frozenset({"start"}),
    **dict.fromkeys(("Neuron", "Layer", "MLP"), _NETWORK_OPTIONS),
}
"""The arguments that these functions take by name."""


def _seed(run: Interpreter, args: Arguments, keywords: Keywords, node: ast.Call) -> None:
    seed = bare(args[0]) if args else None
    run.rng.seed(seed if isinstance(seed, str) else 0 if seed is None else _number(seed, node))


def _drawn(draw: Callable[..., Any], count: int) -> Builtin:
    def random_number(run: Interpreter, args: Arguments, keywords: Keywords, node: ast.Call) -> Any:
        if len(args) != count:
            raise Refused(
                node,
                f"This takes {count} numbers, not {len(args)}.",
                "Write random.uniform(-1, 1).",
            )
        return draw(run, *[run.tape.number(_number(arg, node), node).data for arg in args])

    return random_number


def _randint(run: Interpreter, args: Arguments, keywords: Keywords, node: ast.Call) -> int:
    if len(args) != 2:
        raise Refused(node, f"randint takes 2 numbers, not {len(args)}.", "Write randint(1, 6).")
    first, last = sorted(run.whole(arg, node) for arg in args)
    return run.rng.randint(first, last)


def _choice(run: Interpreter, args: Arguments, keywords: Keywords, node: ast.Call) -> Any:
    items = _spend_items(run, _one(args, node, "choice"), node)
    if not items:
        raise Refused(node, "The list is empty.", "Give choice a list with items.")
    return items[run.rng.randrange(len(items))]


RANDOM: dict[str, Builtin] = {
    "seed": _seed,
    "random": _drawn(lambda run: run.rng.random(), 0),
    "uniform": _drawn(lambda run, a, b: run.rng.uniform(a, b), 2),
    "gauss": _drawn(lambda run, mean, deviation: run.rng.gauss(mean, deviation), 2),
    "normal": _drawn(lambda run, mean, deviation: run.rng.gauss(mean, deviation), 2),
    "randint": _randint,
    "choice": _choice,
}
"""Random numbers, from Python's own generator, which starts from the seed 0 in every run."""

Method: TypeAlias = "Callable[[Interpreter, Any, Arguments, Keywords, ast.Call], Any]"


def _backward(
    run: Interpreter, value: Value, args: Arguments, keywords: Keywords, node: ast.Call
) -> None:
    if args:
        hint = "Multiply the output by it before."
        raise Refused(node, "A backward pass starts from the gradient 1 and no other.", hint)
    run.tape.differentiate(value, node)


def _local_backward(
    run: Interpreter, value: Value, args: Arguments, keywords: Keywords, node: ast.Call
) -> None:
    value._backward()


def _itself(
    run: Interpreter, value: Any, args: Arguments, keywords: Keywords, node: ast.Call
) -> Any:
    return value


def _item(run: Interpreter, value: Any, args: Arguments, keywords: Keywords, node: ast.Call) -> Any:
    return bare(value)


def _append(
    run: Interpreter, items: list[Any], args: Arguments, keywords: Keywords, node: ast.Call
) -> None:
    check_changeable(items, node)
    items.append(_one(args, node, "append"))
    run.check_length(len(items), node)


def _extend(
    run: Interpreter, items: list[Any], args: Arguments, keywords: Keywords, node: ast.Call
) -> None:
    check_changeable(items, node)
    items.extend(_spend_items(run, _one(args, node, "extend"), node))
    run.check_length(len(items), node)


def _parameters(
    run: Interpreter, module: Module, args: Arguments, keywords: Keywords, node: ast.Call
) -> Any:
    parameters = module.parameters()
    run.tape.spend(node, len(parameters))
    return parameters


def _zero_grad(
    run: Interpreter, module: Module, args: Arguments, keywords: Keywords, node: ast.Call
) -> None:
    run.tape.spend(node, len(module.parameters()))
    module.zero_grad()


_METHODS: tuple[tuple[Any, dict[str, Method]], ...] = (
    (
        Value,
        {
            "backward": _backward,
            "_backward": _local_backward,
            "item": _item,
            "detach": _item,
            "double": _itself,
            "float": _itself,
            "requires_grad_": _itself,
            "retain_grad": _itself,
        },
    ),
    ((int, float), {"item": _item, "detach": _itself}),
    (list, {"append": _append, "extend": _extend}),
    (Module, {"parameters": _parameters, "zero_grad": _zero_grad}),
)


# Signs that work on plain things


def plain_binary(run: Interpreter, sign: ast.operator, a: Any, b: Any, node: ast.AST) -> Any:
    """Signs beside the five operations: list + list, list * n, the same for texts, n % m."""
    if isinstance(sign, ast.Mult) and isinstance(b, list | str):
        a, b = b, a
    if isinstance(sign, ast.Add) and isinstance(a, list) and isinstance(b, list):
        run.tape.spend(node, len(a) + len(b))
        run.check_length(len(a) + len(b), node)
        return a + b
    if isinstance(sign, ast.Mult) and isinstance(a, list):
        if any(isinstance(item, Value) for item in a):
            run.note(
                node,
                "A list times a number repeats the list; for products of its items "
                "write [v*2 for v in x].",
            )
        count = max(run.whole(b, node), 0)
        run.check_length(len(a) * count, node)
        run.tape.spend(node, len(a) * count)
        return a * count
    if isinstance(sign, ast.Add) and isinstance(a, str) and isinstance(b, str):
        run.check_text(len(a) + len(b), node)
        return a + b
    if isinstance(sign, ast.Mult) and isinstance(a, str) and not isinstance(b, list | str):
        count = max(run.whole(b, node), 0)
        run.check_text(len(a) * count, node)
        return a * count
    if isinstance(sign, ast.Mod) and not isinstance(a, str):
        return _remainder(run, a, b, node)
    name, hint = _SIGN_NAMES.get(type(sign), ("This sign", ""))
    if name == "This sign":
        raise Refused(
            node,
            f"{sentence(kind(a))} and {kind(b)} do not go together here.",
            "Use numbers or Values.",
        )
    raise Refused(node, f"The sign {name} is not part of this language.", hint)


def _remainder(run: Interpreter, a: Any, b: Any, node: ast.AST) -> float:
    if any(isinstance(x, Value) and not isinstance(x, Number) for x in (a, b)):
        message = "The remainder of a Value has no gradient here."
        raise Refused(node, message, "Take that of its number: x.data % 2.")
    dividend, divisor = _number(a, node), _number(b, node)
    if divisor == 0:
        raise Refused(
            node, "There is no remainder of a division by 0.", "Divide by another number."
        )
    if type(dividend) is int and type(divisor) is int:
        return dividend % divisor
    return run.tape.number(dividend, node).data % run.tape.number(divisor, node).data


_SIGN_NAMES: dict[type[ast.operator], tuple[str, str]] = {
    ast.FloorDiv: ("//", "Write / for a division."),
    ast.MatMult: ("@", "Write sum(a*b for a, b in zip(xs, ys))."),
    ast.LShift: ("<<", "Write x * 2**n."),
    ast.RShift: (">>", "Write x / 2**n."),
    ast.BitOr: ("|", "Write abs(x) for the absolute value."),
    ast.BitAnd: ("&", "Write and between comparisons."),
    ast.BitXor: ("^", "Write ** for a power."),
    ast.Mod: ("% on a text", 'Write an f-string: f"{x:.4f}".'),
}

_KINDS: tuple[tuple[Any, str], ...] = (
    (bool, "a truth value"),
    (Number, "a plain number"),
    (Value, "a Value"),
    ((int, float), "a plain number"),
    (complex, "a complex number"),
    (str, "a text"),
    (bytes, "a text of bytes"),
    (type(...), "the sign ..."),
    (Members, "a set of Values"),
    (list, "a list"),
    (tuple, "a tuple"),
    (range, "a range"),
    (MLP, "a network"),
    (Layer, "a layer"),
    (Neuron, "a neuron"),
    (Library, "a module"),
    (Drawing, "a drawing"),
    (type(None), "None"),
    (object, "a function"),
)


def names() -> Iterable[str]:
    """Every name that programs may call."""
    yield from BUILTINS
    yield from (name for name, op in OPS.items() if op.is_word)
