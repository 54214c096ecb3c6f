"""The kinds of Values, followed numbers and built-in networks: their attributes and methods."""

from __future__ import annotations

from typing import Any

from engine.nn import LINEAR, MLP, Layer, Module, Neuron
from engine.ops import OPS
from engine.record.follow import TapedFloat, TapedInt, plain
from engine.value import OPERATORS, Value

from .contract import Attribute, Kind, Method
from .ordinary import LABEL_LENGTH


class Members(tuple[Value, ...]):
    """The args of a Value, printed as micrograd prints its set."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{{{', '.join(map(repr, self))}}}" if self else "set()"


OP_ALIASES = {
    "pow": "**", "power": "**", "fabs": "abs", "absolute": "abs", "maximum": "max",
    "minimum": "min", "add": "+", "sub": "-", "mul": "*", "div": "/", "neg": "neg",
    "swish": "silu",
}  # fmt: skip


def op_of(name: str) -> Any:
    """The operation that programs call `name` without a module, if there is one."""
    op = OPS.get(OP_ALIASES.get(name, name))
    return op if op and not op.module and (op.is_word or name in OP_ALIASES) else None


_OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {
    "gelu": {"approximate": ("none",)},
    "relu": {"inplace": (False,)},
    "leaky_relu": {"negative_slope": (0.01,), "inplace": (False,)},
    "silu": {"inplace": (False,)},
    "softplus": {"beta": (1, 1.0), "threshold": (20, 20.0)},
}
"""PyTorch's arguments of operations, with the values for which the table's formula holds."""
_GELU_BY_TANH = "Write 0.5*x * (1 + tanh(0.7978845608028654 * (x + 0.044715*x**3)))."


def operation(name: str) -> Method:
    """An operation of the table as a method, or as a function of its inputs."""
    op = op_of(name)

    def method(m: Any, *args: Any, **options: Any) -> Any:
        for option, value in options.items():
            known = _OPTIONS.get(op.name, {})
            if option not in known:
                raise TypeError(f"{name}() got an unexpected keyword argument '{option}'")
            if plain(value) not in known[option]:
                hint = _GELU_BY_TANH if option == "approximate" else "Leave it out."
                m.refuse(f"{name} is computed with {option}={known[option][0]!r} only.", hint)
        if len(args) != len(op.params):
            inputs = "1 input" if len(op.params) == 1 else f"{len(op.params)} inputs"
            raise TypeError(f"{name}() takes {inputs}, not {len(args)}")
        for arg in args:
            if not isinstance(arg, Value | int | float):
                raise TypeError(f"must be real number, not {type(arg).__name__}")
        return m.apply(op, *args)

    return method


def _operator(sign: str, *, reflected: bool) -> Method:
    """A special method by its name: the operation itself, never that of a class derived from it."""
    op = OPS[sign]

    def method(m: Any, a: Any, b: Any) -> Any:
        if not isinstance(b, Value | int | float):
            return NotImplemented
        return m.apply(op, b, a) if reflected else m.apply(op, a, b)

    return method


_OP_METHODS: dict[str, Method] = {
    **{name: operation(name) for name in (*OPS, *OP_ALIASES) if op_of(name)},
    **{f"__{name}__": _operator(sign, reflected=False) for sign, name in OPERATORS.items()},
    **{f"__r{name}__": _operator(sign, reflected=True) for sign, name in OPERATORS.items()},
    "__neg__": lambda m, x: m.apply(OPS["neg"], x),
}


# Values


def _backward(m: Any, x: Any, *args: Any, **keywords: Any) -> None:
    options = {name: option for name, option in keywords.items() if option is not None}
    if args or "gradient" in options:
        m.refuse(
            "A backward pass starts from the gradient 1 and no other.",
            "Multiply the output by it before.",
        )
    if options:
        owner, name = type(x).__name__, min(options)
        raise TypeError(f"{owner}.backward() got an unexpected keyword argument '{name}'")
    m.backward(x)


def _local_backward(m: Any, x: Value) -> None:
    m.local_backward(x)


def _item(m: Any, x: Any) -> Any:
    return plain(x.data) if isinstance(x, Value) else plain(x)


def _set_label(m: Any, x: Any, value: Any) -> None:
    if not isinstance(value, str):
        raise TypeError(f"a label is a str, not {type(value).__name__}")
    x.label = str.__str__(value)[:LABEL_LENGTH]


def _number(m: Any, value: Any) -> float:
    """A number that a program sets as data or gradient."""
    if isinstance(value, Value):
        value = value.data
    if not isinstance(value, int | float):
        m.refuse(
            f"A Value holds a number here, not {type(value).__name__}.",
            "Write a number such as 2.0.",
        )
    return plain(value) if m.follows_micrograd else float(value)


def _set_data(m: Any, x: Value, value: Any) -> None:
    x.data = x.rounded(_number(m, value))


def _set_grad(m: Any, x: Value, value: Any) -> None:
    m.set_gradient(x, x.rounded(0.0 if value is None else _number(m, value)))


def _ignored(m: Any, x: Any, value: Any) -> None:
    """A setting that changes nothing here."""


def _op_text(m: Any, x: Value) -> str:
    """The sign of an operation; micrograd writes a power with its exponent, and relu as ReLU."""
    name = x.op.name if x.op else ""
    if not m.follows_micrograd:
        return name
    return f"**{plain(x.args[1].data)}" if name == "**" else {"relu": "ReLU"}.get(name, name)


VALUE = Kind(
    Value,
    {
        "data": lambda m, x: x.data,
        "grad": lambda m, x: x.grad,
        "label": lambda m, x: x.label,
        "_prev": lambda m, x: Members(dict.fromkeys(x.args)),
        "_op": _op_text,
        "args": lambda m, x: tuple(x.args),
        "_backward": lambda m, x: lambda: _local_backward(m, x),
    },
    {"backward": _backward, "_backward": _local_backward, **_OP_METHODS},
    {"data": _set_data, "grad": _set_grad, "label": _set_label, "_backward": _ignored},
)


# Followed numbers


def _gradient(m: Any, x: Any) -> float:
    return 0.0 if x.value is None else float(x.value.grad)


def _refuse_data(m: Any, x: Any, value: Any) -> None:
    m.refuse(
        "This is a plain number; its data cannot be set.", "Write x = …, or wrap it: Value(…)."
    )


def _number_kind(kind: type) -> Kind:
    return Kind(
        kind,
        {"data": lambda m, x: x, "grad": _gradient, "label": lambda m, x: x.label},
        {**_OP_METHODS, "backward": _backward, "item": _item, "detach": _item},
        {"data": _refuse_data, "label": _set_label},
    )


# Networks


def _parameters(m: Any, module: Module) -> Any:
    return list(module.parameters())


def _zero_grad(m: Any, module: Module, set_to_none: bool = True) -> None:
    for parameter in module.parameters():
        m.set_attribute(parameter, "grad", 0 if m.follows_micrograd else 0.0)


def _forward(m: Any, module: Module, x: Any) -> Any:
    return m.call_network(module, x)


_NETWORK: dict[str, Method] = {
    "parameters": _parameters, "zero_grad": _zero_grad, "forward": _forward, "__call__": _forward,
}  # fmt: skip


def _part(name: str) -> Attribute:
    return lambda m, x: getattr(x, name)


def _network(kind: type, *parts: str) -> Kind:
    return Kind(kind, {name: _part(name) for name in parts}, _NETWORK)


def _neuron() -> Kind:
    kind = _network(Neuron, "w", "b")
    return Kind(Neuron, {**kind.attributes, "nonlin": _nonlin}, kind.methods)


def _nonlin(m: Any, neuron: Neuron) -> bool:
    """micrograd's switch. Raises AttributeError elsewhere: the lecture's neurons have none."""
    if not m.follows_micrograd:
        raise AttributeError("'Neuron' object has no attribute 'nonlin'")
    return neuron.activation != LINEAR


VALUE_KINDS = (
    VALUE,
    _number_kind(TapedFloat),
    _number_kind(TapedInt),
    _network(MLP, "layers"),
    _network(Layer, "neurons"),
    _neuron(),
    _network(Module),
)
