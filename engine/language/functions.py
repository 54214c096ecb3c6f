"""The built-in functions of programs, those of random numbers too, and what each one does."""

from __future__ import annotations

import ast
import math
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

from engine.nn import MLP, Layer, Module, Neuron
from engine.ops import OPS
from engine.value import Value

from .arguments import Builtin, only, spend_items
from .objects import (
    LABEL_LENGTH,
    Arguments,
    Array,
    Keywords,
    Precision,
    kind,
    plain_number,
    text,
)
from .tape import Refused, Tensor

if TYPE_CHECKING:
    from .expressions import Expressions


def _print(run: Expressions, args: Arguments, keywords: Keywords, node: ast.Call) -> None:
    separator = text(run, keywords.get("sep", " "))[:LABEL_LENGTH]
    end = text(run, keywords.get("end", "\n"))[:LABEL_LENGTH]
    run.print_text(separator.join(text(run, arg) for arg in args) + end, node)


def _make_value(run: Expressions, args: Arguments, keywords: Keywords, node: ast.Call) -> Value:
    given = dict(zip(_VALUE_PARAMETERS, args, strict=False))
    if len(args) > len(_VALUE_PARAMETERS) or not ("data" in given or "data" in keywords):
        raise Refused(
            node, f"Value takes 1 number, not {len(args)}.", "Write Value(2.0, label='a')."
        )
    if twice := given.keys() & keywords.keys():
        message = f"Value got multiple values for argument {min(twice)!r}."
        raise Refused(node, message, "Write Value(2.0, label='a').")
    given |= keywords
    if given.get("_op") or given.get("_children"):
        hint = "Write the operation itself, such as a * b; its derivative comes with it."
        raise Refused(node, "A Value with children of its own cannot be made here.", hint)
    label = given.get("label", "")
    if not isinstance(label, str):
        raise Refused(node, "A label is a text.", "Write Value(2.0, label='a').")
    data = run.tape.number(plain_number(given["data"], node), node).data
    return run.tape.leaf(Value(data, label=label[:LABEL_LENGTH]), node)


_VALUE_PARAMETERS = ("data", "_children", "_op", "label")
"""The parameters of the lecture's Value, in its order."""


def tensor(
    run: Expressions, args: Arguments, keywords: Keywords, node: ast.Call, *, name: str
) -> Any:
    """`name` of a library: a tensor of one number is a Tensor, others are Arrays.

    Torch holds 32-bit floats unless it is told otherwise, NumPy 64-bit ones.
    """
    item = args[0] if len(args) == 1 else None
    single = _is_single(run, keywords, node, name, item)
    if isinstance(item, list):
        if len(item) != 1 or isinstance(item[0], list):
            if single:
                run.note(node, f"The numbers of this {name} keep 64 bits here, 32 in PyTorch.")
            run.note(node, f"This {name} is read item by item here, and printed as a list.")
            return Array(item)
        item = item[0]
    number = run.tape.number(plain_number(item, node), node).data
    made = Tensor(number, single=single)
    made.tacit = name.lower() == "torch.tensor" and "requires_grad" not in keywords
    if math.isfinite(number) and made.data != number:
        run.note(node, f"{name} holds 32-bit numbers: {number} becomes {made.data}.")
    return run.tape.leaf(made, node)


def _is_single(run: Expressions, keywords: Keywords, node: ast.Call, name: str, item: Any) -> bool:
    """Whether a tensor has 32 bits. Raises Refused for arguments that would be dropped."""
    for keyword, value in keywords.items():
        if keyword not in ("dtype", "requires_grad", "device"):
            raise Refused(node, f"{name} has no argument {keyword[:40]} here.", "Leave it out.")
        if keyword == "dtype" and not (value is None or isinstance(value, Precision)):
            hint = "Write dtype=torch.float32 or dtype=torch.float64."
            raise Refused(node, f"A dtype is needed here, not {kind(value)}.", hint)
        if keyword == "device" and value not in (None, "cpu"):
            raise Refused(node, "Only the device 'cpu' is known here.", "Leave it out.")
    if keywords.get("requires_grad") is False:
        run.note(node, "requires_grad=False is passed over: every tensor has a gradient here.")
    precision = keywords.get("dtype")
    if isinstance(precision, Precision):
        return precision.bits == 32
    if isinstance(item, Tensor):
        return item.single
    return name.startswith("torch.")


_NETWORK_OPTIONS = frozenset(
    {"activation", "output_activation", "bias", "nonlin", "convention", "parameters"}
)


def _network(kind_of: type[Module]) -> Builtin:
    def make(run: Expressions, args: Arguments, keywords: Keywords, node: ast.Call) -> Module:
        count = len(_SIZES[kind_of])
        numbers = _sizes(run, kind_of, args[:count], node)
        more = ("activation", "output_activation" if kind_of is MLP else "bias")
        named = dict(zip(more, args[count:], strict=False))
        if len(args) > count + len(more) or keywords.keys() & named:
            hint = "Name them: activation='tanh', bias='zero'."
            raise Refused(node, f"{kind_of.__name__} has too many arguments here.", hint)
        keywords = {**named, **keywords}
        if any(size < 1 for size in _flat(numbers)):
            raise Refused(node, "A size of a network is at least 1.", "Write MLP(2, [3, 1]).")
        weights = _weights(numbers)
        run.tape.spend(node, weights * WEIGHT_COST)
        if weights > run.limits.values:
            raise Refused(
                node,
                f"This network has more than {run.limits.values:,} weights.",
                "Make it smaller.",
            )
        given = _given(run, keywords.get("parameters"), node)
        keywords = {key: keywords[key] for key in keywords if key != "parameters"}
        options = {**run.network, **{key: _option(key, keywords[key], node) for key in keywords}}
        if kind_of is not MLP and "output_activation" in options:
            raise Refused(node, "Only an MLP has an output_activation.", "Write activation='tanh'.")
        try:
            module = kind_of(*numbers, rng=run.rng, parameters=given, **options)  # type: ignore[call-arg]
        except ValueError as error:
            message = f"The network cannot be made: {error}."
            raise Refused(node, message, _SIZES_HINT) from None
        run.tape.watch(module, node)
        return module

    return make


def _given(run: Expressions, numbers: Any, node: ast.Call) -> list[float] | None:
    """The numbers that a network starts from, if the program gives them."""
    if numbers is None:
        return None
    if not isinstance(numbers, list | tuple):
        hint = "Write parameters=[0.5, -1.0, 0.0]."
        raise Refused(node, "The parameters of a network are given as a list of numbers.", hint)
    items = spend_items(run, numbers, node)
    return [run.tape.number(plain_number(x, node), node).data for x in items]


WEIGHT_COST = 6  # operations: a weight is drawn and takes its place among the leaves
_SIZES_HINT = "Write Neuron(2), Layer(2, 3) or MLP(2, [3, 1])."
_SIZES: dict[type[Module], tuple[str, ...]] = {
    Neuron: ("its number of inputs",),
    Layer: ("its number of inputs", "its number of neurons"),
    MLP: ("its number of inputs", "a list of the sizes of its layers"),
}
"""What each kind of network is made from."""


def _sizes(
    run: Expressions, kind_of: type[Module], args: Arguments, node: ast.Call
) -> list[int | list[int]]:
    """The sizes of a network as plain whole numbers; those of an MLP's layers in a list."""
    parts, last = _SIZES[kind_of], args[-1] if args else None
    listed = isinstance(last, list | tuple | range)
    if len(args) != len(parts) or listed != (kind_of is MLP):
        message = f"{kind_of.__name__} takes {' and '.join(parts)}."
        raise Refused(node, message, _SIZES_HINT)
    if not listed:
        return [run.whole(arg, node) for arg in args]
    layers = [run.whole(size, node) for size in spend_items(run, last, node)]
    return [run.whole(args[0], node), layers]


def _option(name: str, value: Any, node: ast.Call) -> Any:
    """What a program sets beside the sizes: a text, for `nonlin` a truth value."""
    types, what = (bool, "True or False") if name == "nonlin" else (str, "a text")
    if value is None or isinstance(value, types):
        return value[:40] if isinstance(value, str) else value
    hint = "Write activation='tanh', bias='zero' or nonlin=False."
    raise Refused(node, f"{name} is {what}, not {kind(value)}.", hint)


def _flat(sizes: list[Any]) -> list[int]:
    """The whole numbers among the sizes of a network and in its list of sizes."""
    return [
        n for size in sizes for n in (size if isinstance(size, list) else [size]) if type(n) is int
    ]


def _weights(sizes: list[Any]) -> int:
    """About how many weights a network of these sizes has; refuses nothing itself."""
    flat = _flat(sizes)
    return sum(a * b for a, b in zip(flat, [*flat[1:], 1], strict=True)) if flat else 0


def _sum(run: Expressions, args: Arguments, keywords: Keywords, node: ast.Call) -> Any:
    if not 1 <= len(args) <= 2:
        raise Refused(node, "sum takes a list, and a start if you like.", "Write sum([a, b, c]).")
    items = [
        int(item) if isinstance(item, bool) else item for item in spend_items(run, args[0], node)
    ]
    start = args[1:] or [x for name, x in keywords.items() if name == "start"]
    items = [*start, *items]
    if not items:
        return 0
    if not any(isinstance(item, Value) for item in items):
        numbers = [plain_number(item, node) for item in items]
        if float not in map(type, numbers):
            return _within_floats(run, sum(numbers), node)
        floats = [run.tape.number(x, node).data for x in numbers]
        return reduce(add, floats)  # as Values are added; sum() differs among Pythons
    total = items[0]
    for item in items[1:]:
        total = run.compute(OPS["+"], (total, item), [node, node], node)
    return total


def _within_floats(run: Expressions, x: Any, node: ast.AST) -> Any:
    """`x`, unless it is beyond every float: whole numbers of Python have no end of their own."""
    run.tape.number(x, node)
    return x


def _extreme(name: str) -> Builtin:
    def fold(run: Expressions, args: Arguments, keywords: Keywords, node: ast.Call) -> Any:
        listed = len(args) == 1 and isinstance(args[0], list | tuple | range)
        items = spend_items(run, args[0], node) if listed else args
        if not items or (len(items) == 1 and not listed):
            raise Refused(node, f"{name} needs something to compare.", f"Write {name}(a, b).")
        if listed and not any(isinstance(item, Value) for item in items):
            numbers = [plain_number(item, node) for item in items]
            return max(numbers) if name == "max" else min(numbers)
        best = items[0]
        for item in items[1:]:
            best = run.compute(OPS[name], (best, item), [node, node], node)
        return best

    return fold


def _range(run: Expressions, args: Arguments, keywords: Keywords, node: ast.Call) -> range:
    if not 1 <= len(args) <= 3:
        raise Refused(node, "range takes one to three whole numbers.", "Write range(10).")
    numbers = [run.whole(arg, where) for arg, where in zip(args, node.args, strict=True)]
    if len(numbers) == 3 and numbers[2] == 0:
        raise Refused(node, "A range cannot have the step 0.", "Write range(10).")
    return range(*numbers)


def _zip(run: Expressions, args: Arguments, keywords: Keywords, node: ast.Call) -> list[Any]:
    columns = [run.items(arg, where) for arg, where in zip(args, node.args, strict=True)]
    lengths = {run.length(column, node) for column in columns}
    if keywords.get("strict") is True and len(lengths) > 1:
        message = f"These have {' and '.join(map(str, sorted(lengths)))} items."
        raise Refused(node, message, "Give zip lists of one length, or leave strict out.")
    rows: list[Any] = []
    for row in zip(*columns, strict=False):
        run.tape.spend(node, len(columns))
        rows.append(row)
        run.check_length(len(rows), node)
    return rows


def _enumerate(run: Expressions, args: Arguments, keywords: Keywords, node: ast.Call) -> list[Any]:
    start = run.whole(keywords.get("start", args[1] if len(args) > 1 else 0), node)
    return list(enumerate(spend_items(run, args[0] if args else None, node), start))


def _len(run: Expressions, args: Arguments, keywords: Keywords, node: ast.Call) -> int:
    return run.length(run.items(only(args, node, "len"), node), node)


def _list(run: Expressions, args: Arguments, keywords: Keywords, node: ast.Call) -> list[Any]:
    return spend_items(run, args[0], node) if args else []


def _float(run: Expressions, args: Arguments, keywords: Keywords, node: ast.Call) -> float:
    value = only(args, node, "float")
    if isinstance(value, str):
        if value not in _INFINITIES:
            message = "float reads no text but 'inf' and '-inf'."
            raise Refused(node, message, "Write a number such as 2.0.")
        return _INFINITIES[value]
    return run.tape.number(plain_number(value, node), node).data


_INFINITIES = {"inf": math.inf, "+inf": math.inf, "-inf": -math.inf}


def _int(run: Expressions, args: Arguments, keywords: Keywords, node: ast.Call) -> int:
    number = _float(run, args, keywords, node)
    if not math.isfinite(number):
        raise Refused(node, f"{number} has no whole part.", "Give int a finite number.")
    return int(number)


def _round(run: Expressions, args: Arguments, keywords: Keywords, node: ast.Call) -> float:
    number = plain_number(args[0] if args else None, node)
    digits = run.whole(args[1], node) if len(args) > 1 else 0
    return (
        _within_floats(run, round(number, max(-300, min(digits, 300))), node)
        if len(args) > 1
        else _int(run, [round(number, 0)], {}, node)
    )


def _isinstance(run: Expressions, args: Arguments, keywords: Keywords, node: ast.Call) -> bool:
    raise Refused(node, "isinstance is not needed here.", "Numbers and Values mix freely.")


def _str(run: Expressions, args: Arguments, keywords: Keywords, node: ast.Call) -> str:
    return text(run, only(args, node, "str"))


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
    "Value": frozenset(_VALUE_PARAMETERS),
    "sum": frozenset({"start"}),
    "zip": frozenset({"strict"}),
    "enumerate": frozenset({"start"}),
    **dict.fromkeys(("Neuron", "Layer", "MLP"), _NETWORK_OPTIONS),
}
"""The arguments that these functions take by name."""
