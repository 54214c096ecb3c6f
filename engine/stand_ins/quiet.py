"""Objects that draw, log or show progress elsewhere, and quietly do nothing here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from engine.stand_ins.contract import Kind, Machine

T = TypeVar("T")


class EveryName(dict[str, T], Generic[T]):
    """A table that has an entry for every name: its own, or `other` made for the name."""

    def __init__(self, entries: dict[str, T], other: Callable[[str], T]) -> None:
        super().__init__(entries)
        self.other = other

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and not name.startswith("__")

    def __missing__(self, name: str) -> T:
        return self.other(name)

    def get(self, name: str, default: Any = None) -> Any:
        """The entry of `name`; `default` for the names of Python itself."""
        if name in self.keys():
            return self[name]
        return self.other(name) if name in self else default


class Quiet:
    """Something whose attributes, items and calls are all like itself."""

    def __init__(self, name: str = "drawing") -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def __getitem__(self, key: Any) -> Quiet:
        return self

    def __setitem__(self, key: Any, value: Any) -> None:
        """Nothing is kept."""

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return True


def _called(m: Machine, quiet: Quiet, *args: Any, **kwargs: Any) -> Quiet:
    return quiet


def _itself(m: Machine, quiet: Quiet) -> Quiet:
    return quiet


def _nothing(m: Machine, quiet: Quiet, *args: Any) -> None:
    """Nothing happens."""


def quiet_kind(kind: type, methods: dict[str, Any]) -> Kind:
    """The entry of a kind with `methods`, all of whose other attributes do nothing."""
    own = {"__call__": _called, "__enter__": _itself, "__exit__": _nothing, **methods}
    attributes: EveryName[Any] = EveryName(
        dict.fromkeys(own), lambda name: lambda m, quiet: Quiet(name)
    )
    return Kind(kind, attributes, own)


QUIET = quiet_kind(Quiet, {})


def quiet_names(m: Machine, entries: dict[str, Any] | None = None) -> EveryName[Any]:
    """The names of a module that does nothing, besides `entries`."""
    return EveryName(entries or {}, Quiet)


# Progress bars


class Progress:
    """`tqdm(xs)`: goes through xs."""

    def __init__(self, m: Machine, items: Any) -> None:
        self.m, self.items = m, items

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


PROGRESS = quiet_kind(Progress, {})


def progress_bars(m: Machine) -> dict[str, Any]:
    """The names of the module `tqdm`."""

    def tqdm(iterable: Any = (), *args: Any, **kwargs: Any) -> Progress:
        return Progress(m, iterable)

    def trange(*args: Any, **kwargs: Any) -> Progress:
        return Progress(m, range(*args))

    def write(text: Any = "", *args: Any, **kwargs: Any) -> None:
        m.print_text(str(text) + "\n")

    tqdm.__dict__["write"] = write
    return {"tqdm": tqdm, "trange": trange, "tqdm_notebook": tqdm, "tnrange": trange}


# IPython


def notebook_names(m: Machine) -> EveryName[Any]:
    """The names of `IPython.display`."""

    def display(*objects: Any, **kwargs: Any) -> None:
        for x in objects:
            if not isinstance(x, Quiet):
                m.print_text(repr(x) + "\n")

    def clear_output(*args: Any, **kwargs: Any) -> None:
        """Nothing is cleared."""

    return quiet_names(m, {"display": display, "clear_output": clear_output})
