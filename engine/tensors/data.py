"""torch.utils.data: datasets, and loaders that hand them out in batches.

A loader that shuffles draws two seeds from the generator of the run, as PyTorch's does: one for
its workers, which there are none of here, and one for the order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from .arrangement import stack
from .creation import tensor
from .dtypes import FLOAT64, INT64
from .generator import TorchGenerator
from .session import Session
from .tensor_array import TensorArray

_SEEDS = 2**63


class Dataset:
    """What a program derives its own dataset from."""

    _seegrad_session: Session

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")


class TensorDataset(Dataset):
    """Rows of tensors of one length."""

    def __init__(self, *tensors: Any) -> None:
        lengths = {x.shape[:1] for x in tensors}
        if len(lengths) > 1:
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> Any:
        return tuple(x[index] for x in self.tensors)

    def __len__(self) -> int:
        return int(self.tensors[0].shape[0])


class Subset(Dataset):
    """Some rows of a dataset."""

    def __init__(self, dataset: Any, indices: Any) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index: Any) -> Any:
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


class DataLoader:
    """A dataset in batches, each turn over it in a new order if it shuffles."""

    _seegrad_session: Session

    def __init__(
        self, dataset: Any, batch_size: Any = 1, shuffle: Any = False, drop_last: bool = False,
        generator: Any = None, collate_fn: Any = None, **options: Any,
    ) -> None:  # fmt: skip
        for name in options:
            if name not in ("num_workers", "pin_memory", "persistent_workers"):
                self._seegrad_session.machine.refuse(f"DataLoader has no {name} here.")
        if not isinstance(batch_size, int) or batch_size < 1:
            raise ValueError(
                f"batch_size should be a positive integer value, but got batch_size={batch_size}"
            )
        self.dataset, self.batch_size, self.drop_last = dataset, batch_size, drop_last
        self.collate_fn, self._seegrad_shuffle = collate_fn, bool(shuffle)
        self._seegrad_generator = generator

    def __len__(self) -> int:
        rows = len(self.dataset)
        return rows // self.batch_size if self.drop_last else -(-rows // self.batch_size)

    def __iter__(self) -> Iterator[Any]:
        session = self._seegrad_session
        source = self._seegrad_generator or session.generator
        source.word64()  # the seed of the workers
        return self._seegrad_batches(source)

    def _seegrad_batches(self, source: TorchGenerator) -> Iterator[Any]:
        session, rows = self._seegrad_session, len(self.dataset)
        session.room((rows,))
        order = list(range(rows))
        if self._seegrad_shuffle:
            shuffled = source
            if self._seegrad_generator is None:
                shuffled = TorchGenerator(source.word64() % _SEEDS % 2**32)
            order = shuffled.permutation(rows)
        for start in range(0, rows, self.batch_size):
            places = order[start : start + self.batch_size]
            if len(places) < self.batch_size and self.drop_last:
                return
            samples = [self.dataset[i] for i in places]
            if self.collate_fn is not None:
                yield session.machine.callable(self.collate_fn)(samples)
            else:
                yield collated(session, samples)


def collated(session: Session, samples: Sequence[Any]) -> Any:
    """Samples as one batch: tensors stacked, numbers as a tensor, tuples part by part."""
    first = samples[0]
    if isinstance(first, TensorArray):
        return stack(samples)
    if isinstance(first, str):
        return list(samples)
    if isinstance(first, (bool, int)):
        return tensor(session, list(samples), INT64, False)
    if isinstance(first, float):
        return tensor(session, list(samples), FLOAT64, False)
    if isinstance(first, dict):
        return {key: collated(session, [x[key] for x in samples]) for key in first}
    if isinstance(first, (tuple, list)):
        if any(len(x) != len(first) for x in samples):
            raise RuntimeError("each element in list of batch should be of equal size")
        return [collated(session, part) for part in zip(*samples, strict=True)]
    return session.machine.refuse(
        "A DataLoader here joins tensors, numbers, texts, tuples and dicts.",
        "Let __getitem__ return tensors.",
    )


def random_split(
    session: Session, subset: type, dataset: Any, lengths: Sequence[Any], generator: Any = None
) -> list[Any]:
    """Subsets of given lengths, or of shares of the whole, in a random order."""
    rows = len(dataset)
    sizes = list(lengths)
    if sum(sizes) <= 1 and any(isinstance(n, float) for n in sizes):
        sizes = [int(rows * share) for share in sizes]
        for i in range(rows - sum(sizes)):
            sizes[i % len(sizes)] += 1
    if sum(sizes) != rows:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    session.room((rows,))
    order = (generator or session.generator).permutation(rows)
    ends = list(accumulate(sizes))
    return [subset(dataset, order[b - n : b]) for n, b in zip(sizes, ends, strict=True)]


DATA: tuple[type, ...] = (Dataset, TensorDataset, Subset, DataLoader)
"""Every class, bases first."""
