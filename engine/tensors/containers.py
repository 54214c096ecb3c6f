"""torch.nn: modules by name, and the normalisation of batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .creation import full
from .dtypes import FLOAT32, INT64
from .elementwise import elementwise
from .in_place import fill
from .modules import TorchModule, is_module, parameter
from .normalisation import scaled
from .reductions import mean, variance
from .tensor_array import TensorArray, called


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


class BatchNorm1d(TorchModule):
    """Each column normalised over the batch; in evaluation by running statistics.

    Ioffe and Szegedy 2015.
    """

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = True
    ) -> None:
        session, self.training = self._seegrad_session, True
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, shape = affine, (num_features,)
        self.weight = self.bias = None
        if affine:
            self.weight = parameter(session, full(session, shape, 1.0, FLOAT32))
            self.bias = parameter(session, full(session, shape, 0.0, FLOAT32))
            self.weight.name_elements("weight")
            self.bias.name_elements("bias")
        self.register_buffer("running_mean", full(session, shape, 0.0, FLOAT32))
        self.register_buffer("running_var", full(session, shape, 1.0, FLOAT32))
        self.register_buffer("num_batches_tracked", full(session, (), 0, INT64))

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        session, (x,) = self._seegrad_session, args
        array = session.array(x)
        if array.ndim != 2:
            session.machine.refuse("BatchNorm1d takes a batch of rows here.", "Reshape it.")
        if array.shape[1] != self.num_features:
            raise RuntimeError(
                f"running_mean should contain {array.shape[1]} elements not {self.num_features}"
            )
        if not self.training:
            return self._seegrad_fixed(x)
        if array.shape[0] == 1:
            raise ValueError(
                "Expected more than 1 value per channel when training, got input size "
                f"torch.Size({list(array.shape)})"
            )
        self._seegrad_follow(array.detached())
        name = "NativeBatchNormBackward0"
        return scaled(session, x, (0,), self.weight, self.bias, self.eps, name)

    def _seegrad_follow(self, x: TensorArray) -> None:
        """Move the running statistics towards those of the batch."""
        session, share = self._seegrad_session, self.momentum
        batch = {"running_mean": mean(session, x, 0), "running_var": variance(session, x, 0)}
        for name, new in batch.items():
            held = vars(self)[name]
            pairs = zip(held.numbers(), new.numbers(), strict=True)
            fill(session, held, [(1 - share) * a + share * b for a, b in pairs])
        count = vars(self)["num_batches_tracked"]
        fill(session, count, [count.numbers()[0] + 1])

    def _seegrad_fixed(self, x: Any) -> Any:
        session = self._seegrad_session
        spread = elementwise(session, "+", vars(self)["running_var"], self.eps)
        centred = elementwise(session, "-", x, vars(self)["running_mean"])
        found = elementwise(session, "/", centred, elementwise(session, "sqrt", spread))
        if self.affine:
            found = elementwise(session, "*", found, self.weight)
            found = elementwise(session, "+", found, self.bias)
        return called(found, "NativeBatchNormBackward0")

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, "
            f"affine={self.affine}, bias={self.bias is not None}, track_running_stats=True"
        )


LAYERS: tuple[type, ...] = (ModuleDict, BatchNorm1d)
