"""What programs may name: the tables, and what becomes of a name or a pasted class.

What a name of Python, micrograd, PyTorch or NumPy does is written out in `functions`, `calls` and
`attributes`, so that nothing outside of these tables can be reached from a program.
"""

from __future__ import annotations

import ast
import difflib
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from engine.nn import CONVENTIONS, LINEAR
from engine.ops import ACTIVATIONS, OPS, Op

from .functions import BUILTINS
from .objects import Keywords, Library, written
from .tape import Refused

if TYPE_CHECKING:
    from .expressions import Expressions
    from .machine import Env


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


CONTEXTS = frozenset({"torch.no_grad(…)", "no_grad(…)"})
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
    "typing_extensions": "nothing", "gradlens": "micrograd",
}  # fmt: skip
"""The modules that are here, and the library that each one is."""

CONSTANTS = {"pi": math.pi, "e": math.e, "tau": math.tau, "inf": math.inf, "nan": math.nan}
DRAWING_NAMES = frozenset(
    {"Digraph", "Graph", "Source", "SVG", "Image", "HTML", "display", "figure"}
)
OP_ALIASES = {
    "pow": "**", "power": "**", "fabs": "abs", "absolute": "abs", "maximum": "max",
    "minimum": "min", "add": "+", "sub": "-", "mul": "*", "div": "/", "neg": "neg",
    "swish": "silu",
}  # fmt: skip


def op_of(name: str) -> Op | None:
    """The operation that programs call `name`, if there is one."""
    op = OPS.get(OP_ALIASES.get(name, name))
    return op if op and (op.is_word or name in OP_ALIASES) else None


# Names


def look_up(run: Expressions, node: ast.Name) -> Any:
    """A name that no line of the program has set."""
    if node.id in LIBRARIES:
        return LIBRARIES[node.id]
    if node.id == "__name__":
        return "__main__"
    if node.id in BUILTINS or op_of(node.id):
        raise Refused(node, f"{node.id} is a function.", f"Call it: {node.id}(…).")
    if node.id in _ELSEWHERE:
        raise Refused(node, f"{node.id} is not known here.", _ELSEWHERE[node.id])
    raise Refused(node, f"{node.id} has no value yet.", _perhaps(run, node.id))


def _perhaps(run: Expressions, name: str) -> str:
    """What the writer of an unknown name may have meant."""
    if name in CONSTANTS and name != "e":
        return f"Write math.{name}."
    known: set[str] = set()
    env: Env | None = run.env
    while env is not None:
        known.update(env.names)
        env = env.around
    if len(name) > 1 and known.issuperset(name):
        return f"Write {'*'.join(name)} for a product."
    close = difflib.get_close_matches(name, sorted({*known, *names()}), 1, 0.75)
    if close:
        return f"Write {close[0]}, or set {name} on a line above."
    return f"Set it first, on a line above: {name} = 1.0."


_DANGEROUS = "eval exec compile open globals locals getattr setattr delattr vars dir input"
_ELSEWHERE = {
    **dict.fromkeys(_DANGEROUS.split(), "It could reach outside of the program."),
    **dict.fromkeys(("In", "Out"), "Remove the notebook's In [ ]: in front of the line."),
}


def check_free(target: ast.Name) -> None:
    """Refuse to give a built-in function's name to something else."""
    if target.id in BUILTINS or target.id in OPS:
        raise Refused(
            target, f"{target.id} is built in.", f"Choose another name, such as {target.id}_1."
        )


def built_in_class(run: Expressions, node: ast.ClassDef) -> None:
    """Pass over a pasted `class Value` or network, keeping what it does differently."""
    if node.name not in ("Value", "Neuron", "Layer", "MLP", "Module"):
        names = "Value, Neuron, Layer and MLP are built in"
        raise Refused(
            node, "A class of your own is not part of this language.", f"{names}; write functions."
        )
    run.tape.spend(node, len(node.body))
    if node.name == "Neuron":
        run.network = {}
    for method in node.body:
        if isinstance(method, ast.FunctionDef):
            _keep_manner(run, node.name, method)
    used = f", {manner(run.network)}" if node.name == "Neuron" else ""
    run.note(
        node,
        f"{node.name} is built in: your class is passed over and the built-in one is used{used}.",
    )


def manner(network: Keywords) -> str:
    """What the neurons of a program do: "with tanh, …"."""
    usual = CONVENTIONS[network.get("convention", "lecture")]
    activation = network.get("activation", usual.activation)
    shown = "no activation" if activation == LINEAR else activation
    if activation != LINEAR and usual.output_activation == LINEAR:
        shown += " except in the last layer"
    uniform = "from random.uniform(-1, 1)"
    if network.get("bias", usual.bias) == "zero":
        return f"with {shown}, weights {uniform} and biases of 0"
    return f"with {shown}, and weights and biases {uniform}"


def _keep_manner(run: Expressions, class_name: str, method: ast.FunctionDef) -> None:
    last = method.body[-1]
    parts = list(ast.walk(method)) if class_name == "Neuron" else []
    run.tape.spend(method, len(parts))
    if class_name == "Value" and method.name == "__repr__":
        named = bool(method.args.args)
        if named and isinstance(last, ast.Return) and isinstance(last.value, ast.JoinedStr):
            from .machine import Function  # the two modules describe one walk

            run.repr = Function("__repr__", method.args, last.value, [], run.env)
    elif class_name == "Neuron" and method.name == "__init__":
        if any(param.arg == "nonlin" for param in method.args.args):
            run.network["convention"] = "micrograd"
        run.network["bias"] = "zero" if _sets_bias_to_number(parts) else "uniform"
    elif class_name == "Neuron" and method.name in ("__call__", "forward"):
        calls = [
            n.func.attr
            for n in parts
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)
        ]
        used = [name for name in calls if name in ACTIVATIONS]
        if run.network.get("convention") != "micrograd":
            run.network["activation"] = used[0] if used else "linear"


def _sets_bias_to_number(parts: list[ast.AST]) -> bool:
    for node in parts:
        if isinstance(node, ast.Assign) and written(node.targets[0]) == "self.b":
            call = node.value
            return (
                isinstance(call, ast.Call)
                and bool(call.args)
                and isinstance(call.args[0], ast.Constant)
            )
    return False


BUILT_IN_HINT = "See the reference page for what is built in."
NOT_HERE = {
    **dict.fromkeys(("Sequential", "Linear"), "Write MLP(2, [4, 1])."),
    "optim": "Write the step out: for p in model.parameters(): p.data -= 0.05 * p.grad; "
    "and p.grad = 0.0 before loss.backward().",
}


def names() -> Iterable[str]:
    """Every name that programs may call."""
    yield from BUILTINS
    yield from (name for name, op in OPS.items() if op.is_word)
