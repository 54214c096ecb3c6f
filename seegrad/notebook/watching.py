"""A program that runs as ever, watched: the passes of its objects, and what PyTorch does in it.

PyTorch is recorded from the moment at which the program has imported it: to import it earlier would
be too early for a program that sets variables of the environment first.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from engine.live.passes import Passes, watched
from engine.live.refusal import CannotShow
from seegrad.notebook.recording import TorchRun
from seegrad.notebook.showing import shown
from seegrad.notebook.shown import Shown

TORCH = "torch"
NO_SUCH_PASS = "there is no pass {wanted:,}: the {what} runs {count:,}."

OWN_RECORDING = "the {what} makes a recording of its own, which has its page: run.save(path)."


class WatchedProgram:
    """What is seen of a program: `wanted` is the number of the pass to show, 0 for the last."""

    def __init__(self, wanted: int = 0) -> None:
        self.passes = Passes(wanted)
        self.run: TorchRun | None = None
        self.process = os.getpid()

    @contextmanager
    def watching(self, variables: Mapping[str, Any]) -> Iterator[None]:
        """Watch what runs inside, whose variables these are at its end."""
        importing = _AtImport(self._record)
        if TORCH in sys.modules:
            self._record()
        else:
            sys.meta_path.insert(0, importing)
        try:
            with watched(self.passes):
                yield
        except Exception as error:
            self._end(variables, error)
            raise
        finally:
            if importing in sys.meta_path:
                sys.meta_path.remove(importing)
            self._end(variables, None)

    def page(self, names: Mapping[str, Any], what: str) -> Shown | TorchRun | None:
        """The pass that is wanted, of objects or of PyTorch; None if there was none.

        Raises CannotShow for a pass that there was not; `what` is what the program is.
        """
        passes = self.passes
        if passes.taken is not None:
            trace, _ = passes.taken.drawn()
            return shown(trace, names)
        count = passes.count or self.count
        if passes.wanted > count > 0:
            raise CannotShow(NO_SUCH_PASS.format(wanted=passes.wanted, what=what, count=count))
        if self.run is not None and self.run.gave_way and not self.run.record.passes:
            raise CannotShow(OWN_RECORDING.format(what=what))
        if self.run is None or not self.run.record.operations:
            return None
        return self.run.show(passes.wanted)

    @property
    def count(self) -> int:
        """How many passes there were."""
        return self.passes.count or (len(self.run.record.passes) if self.run is not None else 0)

    @property
    def at(self) -> int:
        """The number of the pass that is shown."""
        return self.passes.at or self.passes.wanted or self.count

    def _record(self) -> None:
        """Record what PyTorch does from here on, unless the program does so itself."""
        if TorchRun.running() or threading.current_thread() is not threading.main_thread():
            return
        try:
            self.run = TorchRun(gives_way=True)
            self.run.__enter__()
        except Exception as error:  # a PyTorch that the recorder does not know
            self.run = None
            self.passes.why = f"PyTorch cannot be recorded: {type(error).__name__}: {error}"

    def _end(self, variables: Mapping[str, Any], error: Exception | None) -> None:
        if self.run is not None and self.run.is_running:
            self.run.end(variables, error)


class _AtImport(MetaPathFinder):
    """Says when PyTorch has been imported."""

    def __init__(self, then: Callable[[], None]) -> None:
        self._then = then

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != TORCH:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = _Loader(name, spec.loader.path, self._then)
        return spec


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, then: Callable[[], None]) -> None:
        super().__init__(name, path)
        self._then = then

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        self._then()
