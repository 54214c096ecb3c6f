"""torch.nn: modules and parameters in lists and by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .modules import TorchModule, is_module, is_parameter, parameter
from .tensor_array import TensorArray


class ModuleDict(TorchModule):
    """A dict whose modules are parts of the module that holds it."""

    def __init__(self, modules: Any = None) -> None:
        self.training = True
        self.update(modules or {})

    def update(self, modules: Any) -> None:
        for name in modules:
            self[name] = modules[name]

    def __setitem__(self, name: Any, module: Any) -> None:
        if not is_module(module):
            raise TypeError(f"{type(module).__name__} is not a Module subclass")
        self.add_module(name, module)

    def __getitem__(self, name: Any) -> Any:
        return dict(self.named_children())[name]

    def __contains__(self, name: Any) -> bool:
        return name in dict(self.named_children())

    def __len__(self) -> int:
        return len(list(self.named_children()))

    def __iter__(self) -> Iterator[Any]:
        return self.keys()

    def keys(self) -> Iterator[Any]:
        for name, _ in self.named_children():
            yield name

    def values(self) -> Iterator[Any]:
        return self.children()

    def items(self) -> Iterator[Any]:
        return self.named_children()


class ParameterList(TorchModule):
    """A list whose tensors are parameters of the module that holds it."""

    def __init__(self, values: Any = ()) -> None:
        self.training = True
        for value in values:
            self.append(value)

    def append(self, value: Any) -> Any:
        vars(self)[str(len(self))] = _as_parameter(value)
        return self

    def _seegrad_values(self) -> list[Any]:
        return [x for name, x in vars(self).items() if name.isdigit()]

    def __len__(self) -> int:
        return len(self._seegrad_values())

    def __iter__(self) -> Iterator[Any]:
        return iter(self._seegrad_values())

    def __getitem__(self, index: Any) -> Any:
        found = self._seegrad_values()[index]
        return type(self)(found) if isinstance(index, slice) else found

    def __setitem__(self, index: int, value: Any) -> None:
        vars(self)[str(index % len(self))] = _as_parameter(value)

    def __repr__(self) -> str:
        lines = [f"({i}): {_described(x)}" for i, x in enumerate(self)]
        return f"{type(self).__name__}(" + "\n".join(f"  {line}" for line in lines) + ")"


class ParameterDict(ModuleDict):
    """A dict whose tensors are parameters of the module that holds it."""

    def __setitem__(self, name: Any, value: Any) -> None:
        vars(self)[name] = _as_parameter(value)

    def __getitem__(self, name: Any) -> Any:
        return dict(self.items())[name]

    def __contains__(self, name: Any) -> bool:
        return name in dict(self.items())

    def __len__(self) -> int:
        return len(list(self.items()))

    def keys(self) -> Iterator[Any]:
        return (name for name, _ in self.items())

    def values(self) -> Iterator[Any]:
        return (x for _, x in self.items())

    def items(self) -> Iterator[Any]:
        return iter([(name, x) for name, x in vars(self).items() if isinstance(x, TensorArray)])

    def __repr__(self) -> str:
        shown = (f"  ({name}): {_described(x, old=True)}" for name, x in self.items())
        return f"{type(self).__name__}(" + "\n".join(shown) + ")"


def _as_parameter(value: Any) -> Any:
    return value if is_parameter(value) else parameter(value)


def _described(x: TensorArray, old: bool = False) -> str:
    kind = f"torch.{x.dtype.title}Tensor" if old else repr(x.dtype)
    size = "x".join(map(str, x.shape)) or ""
    return f"Parameter containing: [{kind} of size {size}]"


LAYERS: tuple[type, ...] = (ModuleDict, ParameterList, ParameterDict)
