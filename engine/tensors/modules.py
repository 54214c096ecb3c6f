"""torch.nn: modules that programs derive from, and lists of them.

The classes are written for instances of program classes: they call no `super()`, and their names
for internal use begin with `_seegrad_`, which programs cannot read.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from itertools import accumulate, groupby
from typing import Any

from .arrangement import fitted
from .creation import drawn, full
from .dtypes import FLOAT32, FLOAT64, DType
from .gradients import require, reset
from .in_place import assign_data, change, fill
from .session import Session
from .tensor_array import TensorArray


def is_parameter(x: Any) -> bool:
    """Whether nn.Parameter made this tensor."""
    return isinstance(x, TensorArray) and x.is_parameter


def parameter(data: TensorArray, requires_grad: bool = True, name: str = "") -> Any:
    """nn.Parameter(data), called `name` in the picture."""
    made = TensorArray(data.session, data.grid, data.dtype)
    made.name = name
    if requires_grad:
        require(made)
    made.is_parameter = True
    return made


class LoadedKeys:
    """What `load_state_dict` returns where every key fits."""

    def __repr__(self) -> str:
        return "<All keys matched successfully>"


class TorchModule:
    """A part of a network: its parameters and parts are found among its attributes."""

    training = True
    _seegrad_session: Session
    _seegrad_text = ""
    """What stands in brackets behind its name, with the names of attributes in braces."""

    def __init__(self) -> None:
        self.training = True

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        found = self.forward(*args, **kwargs)
        self._seegrad_session.machine.module_called(self, args, found)
        if vars(self).get("_seegrad_inplace") and found is not args[0]:
            return change(args[0], found)
        return found

    def _seegrad_part(self, name: str, *args: Any) -> Any:
        """A layer of torch.nn, of the class that the program has."""
        return self._seegrad_session.libraries["torch.nn"].names[name](*args)

    def _seegrad_uniform(
        self, name: str, shape: tuple[int, ...], bound: float, dtype: Any = None
    ) -> None:
        """A parameter of numbers drawn uniformly on ±bound."""
        numbers = drawn(self._seegrad_session, shape, "uniform", -bound, bound, dtype)
        setattr(self, name, parameter(numbers, name=name))

    def _seegrad_equal(self, name: str, shape: tuple[int, ...], value: float) -> None:
        """A parameter of equal numbers."""
        numbers = full(self._seegrad_session, shape, value, FLOAT32)
        setattr(self, name, parameter(numbers, name=name))

    def _seegrad_members(self, kind: Callable[[Any], bool]) -> list[tuple[str, Any]]:
        return [(name, x) for name, x in vars(self).items() if kind(x)]

    def named_children(self) -> Iterator[tuple[str, Any]]:
        yield from self._seegrad_members(is_module)

    def children(self) -> Iterator[Any]:
        for _, child in self.named_children():
            yield child

    def named_modules(self, prefix: str = "") -> Iterator[tuple[str, Any]]:
        """This module and those below it, each once, however often it is held."""
        seen = {id(self)}
        stack = [(prefix, self)]
        while stack:
            path, module = stack.pop()
            yield path, module
            for name, child in reversed(list(module.named_children())):
                if id(child) not in seen:
                    seen.add(id(child))
                    stack.append((f"{path}.{name}" if path else name, child))

    def modules(self) -> Iterator[Any]:
        for _, module in self.named_modules():
            yield module

    def named_parameters(self, prefix: str = "") -> Iterator[tuple[str, Any]]:
        seen = set()
        for path, module in self.named_modules(prefix):
            for name, x in module._seegrad_members(is_parameter):
                if id(x) not in seen:
                    seen.add(id(x))
                    yield (f"{path}.{name}" if path else name), x

    def parameters(self) -> Iterator[Any]:
        for _, x in self.named_parameters():
            yield x

    def named_buffers(self, prefix: str = "") -> Iterator[tuple[str, Any]]:
        for path, module in self.named_modules(prefix):
            for name in vars(module).get("_seegrad_buffers", ()):
                yield (f"{path}.{name}" if path else name), vars(module)[name]

    def buffers(self) -> Iterator[Any]:
        for _, x in self.named_buffers():
            yield x

    def _seegrad_state(self) -> Iterator[tuple[str, Any]]:
        """Parameters and buffers, module by module."""
        seen = set()
        for path, module in self.named_modules():
            own = dict.fromkeys(vars(module).get("_seegrad_buffers", ()))
            found = [*module._seegrad_members(is_parameter), *((n, vars(module)[n]) for n in own)]
            for name, x in found:
                if id(x) not in seen:
                    seen.add(id(x))
                    yield (f"{path}.{name}" if path else name), x

    def state_dict(self) -> OrderedDict[str, Any]:
        return OrderedDict((name, x.detached()) for name, x in self._seegrad_state())

    def load_state_dict(self, state_dict: Any, strict: bool = True) -> Any:
        """Take the numbers of parameters from a dict that `state_dict()` gave."""
        session = self._seegrad_session
        own = dict(self._seegrad_state())
        missing = [name for name in own if name not in state_dict]
        unexpected = [name for name in state_dict if name not in own]
        if strict and (missing or unexpected):
            lines = [
                f"\n\t{kind} key(s) in state_dict: "
                + ", ".join(f'"{name}"' for name in names)
                + ". "
                for kind, names in (("Unexpected", unexpected), ("Missing", missing))
                if names
            ]
            raise RuntimeError(
                f"Error(s) in loading state_dict for {type(self).__name__}:" + "".join(lines)
            )
        for name, x in own.items():
            if name in state_dict:
                with session.recorded(False):
                    fill(x, fitted(session.array(state_dict[name]), x.shape).items())
        return LoadedKeys()

    def zero_grad(self, set_to_none: bool = True) -> None:
        for x in self.parameters():
            reset(x, to_none=set_to_none)

    def train(self, mode: bool = True) -> Any:
        for module in self.modules():
            module.training = mode
        return self

    def eval(self) -> Any:
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        for x in self.parameters():
            require(x, requires_grad)
        return self

    def apply(self, fn: Any) -> Any:
        for child in self.children():
            child.apply(fn)
        self._seegrad_session.machine.callable(fn)(self)
        return self

    def to(self, *args: Any, **kwargs: Any) -> Any:
        dtypes = [x for x in (*args, *kwargs.values()) if isinstance(x, DType)]
        return self._seegrad_cast(dtypes[0]) if dtypes else self

    def double(self) -> Any:
        return self._seegrad_cast(FLOAT64)

    def float(self) -> Any:
        return self._seegrad_cast(FLOAT32)

    def _seegrad_cast(self, dtype: DType) -> Any:
        """The parameters in another precision."""
        for x in self.parameters():
            assign_data(x, x.new(dtype.convert(x.numbers()), dtype=dtype))
        return self

    def add_module(self, name: str, module: Any) -> None:
        setattr(self, _checked_name(name), module)

    def register_parameter(self, name: str, param: Any) -> None:
        setattr(self, _checked_name(name), param)

    def register_buffer(self, name: str, tensor: Any, persistent: bool = True) -> None:
        setattr(self, _checked_name(name), tensor)
        if persistent and tensor is not None:
            before = vars(self).get("_seegrad_buffers", ())
            vars(self)["_seegrad_buffers"] = (*before, name)

    def extra_repr(self) -> str:
        own = vars(self)
        return self._seegrad_text.format_map({**own, "has_bias": own.get("bias") is not None})

    def __repr__(self) -> str:
        extra = self.extra_repr()
        if vars(self).get("_seegrad_inplace") and "inplace" not in extra:
            extra = ", ".join(filter(None, (extra, "inplace=True")))
        lines = extra.split("\n") if extra else []
        shown = [(f"({name})", repr(child)) for name, child in self.named_children()]
        children = [
            f"{label}: " + text.replace("\n", "\n  ") for label, text in self._seegrad_shown(shown)
        ]
        name = type(self).__name__
        if not children and len(lines) <= 1:
            return f"{name}({extra})"
        return f"{name}(\n  " + "\n  ".join(lines + children) + "\n)"

    def _seegrad_shown(self, children: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """The parts as they are printed: label and text."""
        return children


TorchModule.__name__ = TorchModule.__qualname__ = "Module"


def is_module(x: Any) -> bool:
    return hasattr(type(x), "_seegrad_members")


def _checked_name(name: Any) -> str:
    if not isinstance(name, str) or not name or name.startswith("_") or "." in name:
        raise KeyError(f"attribute name {name!r} cannot be used for a part of a module")
    return name


class Sequential(TorchModule):
    """Modules that are called one after the other."""

    def __init__(self, *args: Any) -> None:
        self.training = True
        named = args[0].items() if len(args) == 1 and isinstance(args[0], dict) else None
        for name, module in named or ((str(i), module) for i, module in enumerate(args)):
            _check_module(module)
            vars(self)[name] = module

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        (x,) = args
        for module in self.children():
            x = module(x)
        return x

    def append(self, module: Any) -> Any:
        _check_module(module)
        vars(self)[str(len(self))] = module
        return self

    def __len__(self) -> int:
        return len(list(self.children()))

    def __iter__(self) -> Iterator[Any]:
        return self.children()

    def __getitem__(self, index: Any) -> Any:
        found = list(self.children())[index]
        return type(self)(*found) if isinstance(index, slice) else found


class ModuleList(Sequential):
    """A list whose modules are parts of the module that holds it."""

    def __init__(self, modules: Any = ()) -> None:
        self.training = True
        self.extend(modules)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError('Module [ModuleList] is missing the required "forward" function')

    def __getitem__(self, index: Any) -> Any:
        found = list(self.children())[index]
        return type(self)(found) if isinstance(index, slice) else found

    def _seegrad_shown(self, children: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Equal neighbours are printed once, with their number."""
        groups = [list(group) for _, group in groupby(children, key=lambda child: child[1])]
        starts = accumulate((len(group) for group in groups), initial=0)
        return [
            group[0]
            if len(group) == 1
            else (f"({start}-{start + len(group) - 1})", f"{len(group)} x {group[0][1]}")
            for start, group in zip(starts, groups, strict=False)
        ]

    def extend(self, modules: Any) -> Any:
        for module in modules:
            self.append(module)
        return self


def _check_module(module: Any) -> None:
    if not is_module(module):
        raise TypeError(f"{type(module).__name__} is not a Module subclass")
