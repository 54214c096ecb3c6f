"""torch.nn: modules by name, and the normalisation of batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .arrangement import reshape
from .creation import full
from .dtypes import FLOAT32, INT64
from .elementwise import elementwise
from .in_place import fill
from .modules import TorchModule, is_module, is_parameter, parameter
from .normalisation import scaled
from .reductions import mean, variance
from .session import Session
from .tensor_array import TensorArray, called
from .whole import by_steps


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


class _BatchNorm(TorchModule):
    """Each channel normalised over the batch; in evaluation by running statistics.

    Ioffe and Szegedy 2015.
    """

    _seegrad_ranks: tuple[int, ...] = ()

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = True
    ) -> None:
        session, self.training = self._seegrad_session, True
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, shape = affine, (num_features,)
        self.weight = self.bias = None
        if affine:
            self.weight = parameter(session, full(session, shape, 1.0, FLOAT32), name="weight")
            self.bias = parameter(session, full(session, shape, 0.0, FLOAT32), name="bias")
        self.register_buffer("running_mean", full(session, shape, 0.0, FLOAT32))
        self.register_buffer("running_var", full(session, shape, 1.0, FLOAT32))
        self.register_buffer("num_batches_tracked", full(session, (), 0, INT64))

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        session, (x,) = self._seegrad_session, args
        array = session.array(x)
        if array.ndim not in self._seegrad_ranks:
            wanted = " or ".join(f"{n}D" for n in self._seegrad_ranks)
            raise ValueError(f"expected {wanted} input (got {array.ndim}D input)")
        if array.shape[1] != self.num_features:
            raise RuntimeError(
                f"running_mean should contain {array.shape[1]} elements not {self.num_features}"
            )
        if not self.training:
            return self._seegrad_fixed(x)
        if array.size == array.shape[1]:
            raise ValueError(
                "Expected more than 1 value per channel when training, got input size "
                f"torch.Size({list(array.shape)})"
            )
        self._seegrad_follow(array.detached())
        dims = tuple(k for k in range(array.ndim) if k != 1)
        return by_steps(
            session, "batch_norm", [x, self.weight, self.bias], {"eps": self.eps},
            "NativeBatchNormBackward0",
            lambda x, *scale: scaled(
                session, x, dims, self.eps, *(self._seegrad_wide(w, array.ndim) for w in scale)
            ),
        )  # fmt: skip

    def _seegrad_wide(self, x: Any, rank: int) -> Any:
        """A number for each channel in a shape that stretches over the axes behind."""
        if x is None or rank == 2:
            return x
        return reshape(self._seegrad_session, x, (self.num_features, *(1,) * (rank - 2)))

    def _seegrad_follow(self, x: TensorArray) -> None:
        """Move the running statistics towards those of the batch."""
        session, share = self._seegrad_session, self.momentum
        dims = tuple(k for k in range(x.ndim) if k != 1)
        batch = {"running_mean": mean(session, x, dims), "running_var": variance(session, x, dims)}
        for name, new in batch.items():
            held = vars(self)[name]
            pairs = zip(held.numbers(), new.numbers(), strict=True)
            fill(session, held, [(1 - share) * a + share * b for a, b in pairs])
        count = vars(self)["num_batches_tracked"]
        fill(session, count, [count.numbers()[0] + 1])

    def _seegrad_fixed(self, x: Any) -> Any:
        session = self._seegrad_session
        own, rank = vars(self), session.array(x).ndim
        held = {name: self._seegrad_wide(own[name], rank) for name in
                ("running_mean", "running_var", "weight", "bias")}  # fmt: skip
        spread = elementwise(session, "+", held["running_var"], self.eps)
        centred = elementwise(session, "-", x, held["running_mean"])
        found = elementwise(session, "/", centred, elementwise(session, "sqrt", spread))
        if self.affine:
            found = elementwise(session, "*", found, held["weight"])
            found = elementwise(session, "+", found, held["bias"])
        return called(found, "NativeBatchNormBackward0")

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, "
            f"affine={self.affine}, bias={self.bias is not None}, track_running_stats=True"
        )


class BatchNorm1d(_BatchNorm):
    _seegrad_ranks = 2, 3


class BatchNorm2d(_BatchNorm):
    _seegrad_ranks = (4,)


class ParameterList(TorchModule):
    """A list whose tensors are parameters of the module that holds it."""

    def __init__(self, values: Any = ()) -> None:
        self.training = True
        for value in values:
            self.append(value)

    def append(self, value: Any) -> Any:
        vars(self)[str(len(self))] = _as_parameter(self._seegrad_session, value)
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
        vars(self)[str(index % len(self))] = _as_parameter(self._seegrad_session, value)

    def __repr__(self) -> str:
        lines = [f"({i}): {_described(x)}" for i, x in enumerate(self)]
        return f"{type(self).__name__}(" + "\n".join(f"  {line}" for line in lines) + ")"


class ParameterDict(ModuleDict):
    """A dict whose tensors are parameters of the module that holds it."""

    def __setitem__(self, name: Any, value: Any) -> None:
        vars(self)[name] = _as_parameter(self._seegrad_session, value)

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


def _as_parameter(session: Session, value: Any) -> Any:
    return value if is_parameter(value) else parameter(session, value)


def _described(x: TensorArray, old: bool = False) -> str:
    kind = f"torch.{x.dtype.title}Tensor" if old else repr(x.dtype)
    size = "x".join(map(str, x.shape)) or ""
    return f"Parameter containing: [{kind} of size {size}]"


LAYERS: tuple[type, ...] = (
    ModuleDict, _BatchNorm, BatchNorm1d, BatchNorm2d, ParameterList, ParameterDict,
)  # fmt: skip
