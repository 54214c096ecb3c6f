"""Values and networks as programs make them: the built-in classes, called or derived from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.nn import MLP, Layer, Module, Neuron
from engine.record.follow import plain
from engine.value import Value

from .ordinary import LABEL_LENGTH

VALUE_INIT = Value.__init__
"""The constructor itself: while a program runs, the class has one that records."""
_VALUE_PARAMETERS = ("data", "_children", "_op", "label")
"""The parameters of the lecture's Value, in its order."""
_SIZES_HINT = "Write Neuron(2), Layer(2, 3) or MLP(2, [3, 1])."
_OPTIONS = frozenset(
    {"activation", "output_activation", "bias", "nonlin", "convention", "parameters"}
)
_SIZES: dict[type[Module], tuple[str, ...]] = {
    Neuron: ("nin",), Layer: ("nin", "nout"), MLP: ("nin", "nouts"),
}  # fmt: skip
"""The arguments of each kind of network that are sizes."""


def init_value(m: Any, value: Value, *args: Any, **keywords: Any) -> None:
    """`Value(data, _children, _op, label)`, as in the lecture; a leaf."""
    given = _arguments("Value", _VALUE_PARAMETERS, args, keywords)
    data, label = given["data"], given.get("label", "")
    if given.get("_op") or given.get("_children"):
        m.refuse(
            "A Value with children of its own cannot be made here.",
            "Write the operation itself, such as a * b; its derivative comes with it.",
        )
    if isinstance(data, Value):
        data = data.data
    if not isinstance(data, int | float):
        m.refuse(
            f"A Value holds a number here, not {type(data).__name__}.",
            COMMA if is_pair(data) else "Write Value(2.0, label='a').",
        )
    if not isinstance(label, str):
        raise TypeError(f"a label is a str, not {type(label).__name__}")
    VALUE_INIT(value, data, label=str.__str__(label)[:LABEL_LENGTH])
    if m.follows_micrograd:
        value.grad = 0
        value.data = int(data) if isinstance(data, int) else value.data
    m.leaf(value)


COMMA = "Write 2.5 with a point; a comma makes a pair of numbers."


def is_pair(x: Any) -> bool:
    """Whether `x` may be a number that was written with a comma for its point."""
    return type(x) is tuple and len(x) == 2 and all(isinstance(part, int) for part in x)


def _arguments(
    name: str, parameters: tuple[str, ...], args: tuple[Any, ...], keywords: dict[str, Any]
) -> dict[str, Any]:
    """The arguments by their parameters' names. Raises TypeError in Python's words."""
    if len(args) > len(parameters):
        most = len(parameters) + 1
        raise TypeError(
            f"{name}.__init__() takes from 2 to {most} positional arguments but "
            f"{len(args) + 1} were given"
        )
    given = dict(zip(parameters, args, strict=False))
    for key in keywords:
        if key in given:
            raise TypeError(f"{name}.__init__() got multiple values for argument '{key}'")
        if key not in parameters:
            raise TypeError(f"{name}.__init__() got an unexpected keyword argument '{key}'")
    given |= keywords
    if parameters[0] not in given:
        raise TypeError(
            f"{name}.__init__() missing 1 required positional argument: '{parameters[0]}'"
        )
    return given


def _init_network(kind: type[Module]) -> Callable[..., None]:
    def init(m: Any, module: Module, *args: Any, **keywords: Any) -> None:
        """The sizes, then options; parameters are leaves, drawn from the run's random numbers."""
        sizes, given = _divided(m, kind, args, keywords)
        numbers = _checked(m, kind, sizes)
        weights = _weights(numbers)
        if weights > m.limits.values:
            limit = f"{m.limits.values:,}"
            m.refuse(f"This network has more than {limit} weights.", "Make it smaller.")
        options = _chosen(m, kind, given)
        try:
            kind.__init__(module, *numbers, rng=m.random, **options)  # type: ignore[call-arg]
        except ValueError as error:
            m.refuse(f"The network cannot be made: {error}.", _SIZES_HINT)
        if m.follows_micrograd:
            for parameter in module.parameters():
                parameter.grad = 0
                parameter.data = parameter.data or 0  # its biases are Value(0)
        for part in module.modules():
            part.strict = False  # as micrograd's zip
        m.tape.watch(module, m.node)

    return init


def _divided(
    m: Any, kind: type[Module], args: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """The sizes and the options among the arguments. Raises TypeError for a missing size."""
    names = _SIZES[kind]
    more = ("activation", "output_activation" if kind is MLP else "bias")
    named = dict(zip(more, args[len(names) :], strict=False))
    sizes = list(args[: len(names)])
    sizes += [keywords.pop(name) for name in names[len(sizes) :] if name in keywords]
    if len(sizes) < len(names):
        missing = names[len(sizes)]
        raise TypeError(
            f"{kind.__name__}.__init__() missing 1 required positional argument: '{missing}'"
        )
    if len(args) > len(names) + len(more) or keywords.keys() & named:
        m.refuse(f"{kind.__name__} has too many arguments here.", "Name them: bias='zero'.")
    return sizes, {**named, **keywords}


def _checked(m: Any, kind: type[Module], sizes: list[Any]) -> list[Any]:
    """The sizes as plain ints, those of an MLP's layers in a list."""
    out: list[Any] = []
    for i, size in enumerate(sizes):
        if kind is MLP and i == 1:
            if isinstance(size, int) or not hasattr(size, "__iter__"):
                m.refuse("MLP takes a list of the sizes of its layers.", _SIZES_HINT)
            out.append([_whole(m, n) for n in (size)])
        else:
            out.append(_whole(m, size))
    return out


def _whole(m: Any, size: Any) -> int:
    size = plain(size)
    if type(size) is not int:
        m.refuse(f"A size of a network is a whole number, not {size!r:.40}.", _SIZES_HINT)
    if size < 1:
        m.refuse("A size of a network is at least 1.", "Write MLP(2, [3, 1]).")
    return int(size)


def _neurons(kind: type[Module], sizes: list[Any]) -> int:
    """How many neurons a network of these sizes has."""
    if kind is Neuron:
        return 1
    return sum(sizes[1]) if kind is MLP else int(sizes[1])


def _weights(sizes: list[Any]) -> int:
    """About how many weights a network of these sizes has."""
    flat = [n for size in sizes for n in (size if isinstance(size, list) else [size])]
    return sum(a * b for a, b in zip(flat, [*flat[1:], 1], strict=True)) if flat else 0


def _chosen(m: Any, kind: type[Module], given: dict[str, Any]) -> dict[str, Any]:
    """The options of a network, beside those of the convention that the program imported."""
    for name, value in given.items():
        if name not in _OPTIONS or (name == "output_activation" and kind is not MLP):
            raise TypeError(
                f"{kind.__name__}.__init__() got an unexpected keyword argument '{name}'"
            )
        if name == "parameters":
            continue
        types, words = (bool, "True or False") if name == "nonlin" else (str, "a text")
        if value is not None and not isinstance(value, types):
            m.refuse(f"{name} is {words}.", "Write activation='tanh' or nonlin=False.")
    options = {**m.network, **given}
    if options.get("parameters") is not None:
        numbers = list(options["parameters"])
        if not all(isinstance(x, int | float) for x in numbers):
            m.refuse("The parameters of a network are numbers.", "Write parameters=[0.5, -1.0].")
        options["parameters"] = [float(x) for x in numbers]
    return options


INITS: dict[type, Callable[..., None]] = {
    Value: init_value,
    Neuron: _init_network(Neuron),
    Layer: _init_network(Layer),
    MLP: _init_network(MLP),
    Module: lambda m, module: None,
}
"""How an object of each built-in class is made."""
