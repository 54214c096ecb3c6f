"""torch.autograd.Function: operations whose backward pass the program writes itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.array_ops.flat import summed_to
from engine.array_ops.grid import broadcast_shape, expand

from .graph import Numbers, Pulled, TensorNode
from .saved import Saved, saved_now
from .session import Session
from .tensor_array import TensorArray


class FunctionContext:
    """`ctx`: what `forward` leaves for `backward`. A program may give it any attribute."""

    def __init__(self, needs: Sequence[bool]) -> None:
        self.needs_input_grad = tuple(needs)
        self._kept: tuple[Any, ...] = ()
        self._saved: list[Saved] = []
        self._fixed: set[int] = set()
        self._zeros = True

    def save_for_backward(self, *tensors: Any) -> None:
        self._kept = tensors
        self._saved = [saved_now(x) for x in tensors if isinstance(x, TensorArray)]

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """Raises RuntimeError if one of them has been changed in place since."""
        for saved in self._saved:
            saved.check()
        return self._kept

    saved_variables = saved_tensors

    def mark_non_differentiable(self, *tensors: Any) -> None:
        self._fixed |= set(map(id, tensors))

    def mark_dirty(self, *tensors: Any) -> None:
        """Inputs that `forward` changes in place, which the count of changes tells."""

    def set_materialize_grads(self, value: bool) -> None:
        self._zeros = value


class OwnFunction:
    """torch.autograd.Function: a program derives a class with static `forward` and `backward`."""

    _seegrad_session: Session

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom "
            "autograd.Function to use it with backward mode AD."
        )

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        session = cls._seegrad_session
        needs = [isinstance(x, TensorArray) and x.is_live for x in args]
        ctx = FunctionContext(needs)
        with session.recorded(False):
            set_up = getattr(cls, "setup_context", None)
            if set_up is not None:
                found = cls.forward(*args, **kwargs)
                set_up(ctx, args, found)
            else:
                found = cls.forward(ctx, *args, **kwargs)
        if not any(needs):
            return found
        outputs = found if isinstance(found, tuple) else (found,)
        recorded = _recorded(cls, ctx, args, needs, outputs)
        return tuple(recorded) if isinstance(found, tuple) else recorded[0]


OwnFunction.__name__ = OwnFunction.__qualname__ = "Function"


def _recorded(
    cls: Any, ctx: FunctionContext, args: Sequence[Any], needs: Sequence[bool],
    outputs: Sequence[Any],
) -> list[Any]:  # fmt: skip
    """The results as tensors whose gradients the program's `backward` passes on."""
    given = [x if need else None for x, need in zip(args, needs, strict=True)]
    cls._seegrad_session.machine.note(
        f"The backward pass of {cls.__name__} is the program's own: its numbers are right, and it "
        "is not drawn."
    )
    joint, made, start = OwnNode(cls, ctx, outputs, given), [], 0
    for x in outputs:
        out = x.new(x.numbers())
        places = range(start, start + x.size)
        start += x.size
        if id(x) not in ctx._fixed:
            out.node = out.storage.node = joint.picked(places, x.shape)
            out.made_by = f"{cls.__name__}Backward"
        made.append(out)
    return made


class OwnNode(TensorNode):
    """All results of a function of the program, whose gradients its `backward` passes on."""

    __slots__ = ("ctx", "given", "of", "outputs")

    def __init__(
        self, of: Any, ctx: FunctionContext, outputs: Sequence[TensorArray], given: Sequence[Any]
    ) -> None:
        args = [None if x is None else x.node for x in given]
        super().__init__((sum(x.size for x in outputs),), outputs[0].dtype, args)
        self.of, self.ctx, self.outputs, self.given = of, ctx, outputs, given

    def numbers(self) -> Numbers:
        return [number for x in self.outputs for number in x.numbers()]

    def pulled(self, g: Numbers) -> Pulled:
        return _pulled(self.of, self.ctx, self.outputs, self.given, g)


def _pulled(
    cls: Any, ctx: FunctionContext, outputs: Sequence[TensorArray], given: Sequence[Any],
    g: Numbers,
) -> Iterator[tuple[int, Numbers]]:  # fmt: skip
    gradients, start, session = [], 0, cls._seegrad_session
    for x in outputs:
        gradients.append(x.new(x.dtype.convert(g[start : start + x.size])))
        start += x.size
    with session.recorded(False):
        answer = cls.backward(ctx, *gradients)
    answers = answer if isinstance(answer, tuple) else (answer,)
    if len(answers) < len(given) or any(x is not None for x in answers[len(given) :]):
        raise RuntimeError(
            f"function {cls.__name__}Backward returned an incorrect number of gradients (expected "
            f"{len(given)}, got {len(answers)})"
        )
    for slot, (x, found) in enumerate(zip(given, answers, strict=False)):
        if x is None or found is None:
            continue
        amount = session.array(found)
        if amount.shape != x.shape:
            amount = _fitted(cls, slot, amount, x)
        yield slot, x.dtype.convert(amount.numbers())


def _fitted(cls: Any, slot: int, amount: TensorArray, x: TensorArray) -> Any:
    """A gradient summed or broadcast to the shape of its input, as PyTorch does it."""
    if broadcast_shape(x.shape, amount.shape) == amount.shape:
        return amount.new(summed_to(amount.numbers(), amount.shape, x.shape).data, x.shape)
    if broadcast_shape(amount.shape, x.shape) == x.shape:
        return amount.new(expand(amount.grid, x.shape).items(), x.shape)
    raise RuntimeError(
        f"Function {cls.__name__}Backward returned an invalid gradient at index {slot} - got "
        f"{list(amount.shape)} but expected shape compatible with {list(x.shape)}"
    )
