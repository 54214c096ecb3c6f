"""The backward passes of a program that runs as ever: the graph of each, taken when it begins.

Calls of functions that run a pass (`backward`, `backprop` …) are seen by `sys.monitoring`, before
Python 3.12 by a profile function; a debugger or a measurement of coverage goes on beside it. Of
each pass the graph is kept as it is before it, as programs train and change it afterwards.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from types import CodeType, FrameType
from typing import Any

from engine.live.attributes import attributes, is_tensor
from engine.live.graph import live_graph
from engine.live.pass_call import of_frame
from engine.live.refusal import CannotShow
from engine.live.trace import GraphSnapshot, snapshot
from engine.record.attribute_names import BACKWARD
from engine.record.places import FILENAME

NAMED = "seegrad"
PATIENCE = 30.0
"""Seconds for the graphs of passes that are not asked for by their number."""


class Passes:
    """The passes of a run: how many there were, and the graph of the one that is wanted.

    That is pass `wanted`, counted from 1, else the last one.
    """

    def __init__(self, wanted: int = 0) -> None:
        self.wanted = wanted
        self.count = 0
        self.taken: GraphSnapshot | None = None
        self.at = 0
        """The number of the pass that was taken."""
        self.why = ""
        """Why the last graph could not be taken."""
        self.spent = 0.0

    def begin(self, frame: FrameType) -> None:
        """A function that runs a pass begins."""
        code = frame.f_code
        above = frame.f_back
        if not code.co_argcount or above is None or above.f_code is code:
            return  # one that calls itself, from result to operands
        if code.co_filename == FILENAME:
            return  # one that is recorded, as `show` does it
        root = frame.f_locals.get(code.co_varnames[0])
        if is_tensor(root):
            return  # whose passes a recording sees
        began = perf_counter()
        try:
            self._take(frame, above, root)
        except CannotShow as error:
            self.why = str(error)
        except Exception as error:  # what is watched goes on, whatever its objects do
            self.why = f"the graph could not be read: {type(error).__name__}: {error}"
        self.spent += perf_counter() - began

    def _take(self, frame: FrameType, above: FrameType, root: object) -> None:
        """Count the pass, and take its graph if it is wanted."""
        if self.wanted not in (0, self.count + 1):
            attributes(root)  # or it is no pass
            self.count += 1
            return
        graph = live_graph(root)
        self.count += 1
        if self.wanted in (0, self.count) and (self.wanted or self.spent < PATIENCE):
            variables = {**above.f_globals, **above.f_locals}
            self.taken = snapshot(graph, variables, of_frame(frame, root))
            self.at = self.count


@contextmanager
def watched(passes: Passes) -> Iterator[None]:
    """Watch the passes of what runs inside, in this thread and those that it starts."""
    end = (_monitored if sys.version_info >= (3, 12) else _profiled)(passes)
    try:
        yield
    finally:
        end()


def _profiled(passes: Passes) -> Callable[[], None]:
    """By a profile function, where none is set already."""

    def seen(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_name in BACKWARD:
            passes.begin(frame)

    if sys.getprofile() is not None:
        passes.why = "a profiler is running, which the watching of passes would end"
        return lambda: None
    threading.setprofile(seen)
    sys.setprofile(seen)

    def end() -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    return end


def _monitored(passes: Passes) -> Callable[[], None]:
    """By `sys.monitoring`: code of other names is looked at once."""
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
    tool = next((it for it in (4, 3, 5, 1) if monitoring.get_tool(it) is None), None)
    if tool is None:
        passes.why = "all tools that Python has room for are watching already"
        return lambda: None

    def seen(code: CodeType, _: int) -> Any:
        if code.co_name not in BACKWARD:
            return monitoring.DISABLE
        passes.begin(sys._getframe(1))
        return None

    starts = monitoring.events.PY_START
    monitoring.use_tool_id(tool, NAMED)
    monitoring.register_callback(tool, starts, seen)
    monitoring.set_events(tool, starts)
    monitoring.restart_events()

    def end() -> None:
        monitoring.set_events(tool, 0)
        monitoring.register_callback(tool, starts, None)
        monitoring.free_tool_id(tool)

    return end
