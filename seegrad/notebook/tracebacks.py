"""The traceback of a program's error as it is without the recorder that its calls went through."""

from __future__ import annotations

from collections.abc import Iterator
from dis import get_instructions
from linecache import getline
from pathlib import Path
from types import TracebackType

from engine import __file__ as engine_file

_RECORDER = str(Path(engine_file).parent / "pytorch")
_AGAIN = ("torch/_ops.py", "__call__")
"""By what the recorder calls an operation."""
_HANDED_ON = ("torch/overrides.py", "handle_torch_function")
"""By what functions of PyTorch that are written in Python call the recorder."""
_DISPATCHED = (("torch/_dynamo/eval_frame.py", "_fn"), ("torch/_compile.py", "inner"))
"""By what operations call the recorder, innermost first."""
_HOOKED = ("torch/nn/modules/module.py", "inner")
"""In what PyTorch calls the forward pass of a module that has hooks."""
_PLAIN = "return forward_call("
"""The line that calls it where there are none."""


def without_recorder(error: BaseException, script: str) -> None:
    """Leave out of the tracebacks of an error, and of those that led to it, what is not its own."""
    seen: set[int] = set()
    chain: list[BaseException | None] = [error]
    while chain:
        it = chain.pop()
        if it is None or id(it) in seen:
            continue
        seen.add(id(it))
        it.__traceback__ = _joined(_own(_of_script(it.__traceback__, script)))
        chain += [it.__cause__, it.__context__]


def _of_script(traceback: TracebackType | None, script: str) -> Iterator[TracebackType]:
    """The part of a traceback that begins in the script."""
    has_begun = False
    while traceback is not None:
        has_begun = has_begun or traceback.tb_frame.f_code.co_filename == script
        if has_begun:
            yield traceback
        traceback = traceback.tb_next


def _own(levels: Iterator[TracebackType]) -> list[TracebackType]:
    kept: list[TracebackType] = []
    is_inside = False
    for level in levels:
        if level.tb_frame.f_code.co_filename.startswith(_RECORDER):
            for what in _DISPATCHED:
                if kept and _is(kept[-1], what):
                    del kept[-1]
            if kept and _is(kept[-1], _HANDED_ON):
                del kept[-2:]  # the function that handed on comes again below
            is_inside = True
        elif _is(level, _HOOKED) and kept:
            kept[-1] = _without_hooks(kept[-1])
        elif not (is_inside and _is(level, _AGAIN)):
            is_inside = False
            kept.append(level)
    return kept


def _without_hooks(level: TracebackType) -> TracebackType:
    """The call of a module at the line at which it is without hooks."""
    frame = level.tb_frame
    for it in get_instructions(frame.f_code):
        line = it.positions.lineno if it.positions is not None else None
        if it.opname == "CALL_FUNCTION_EX" and line is not None:
            text = getline(frame.f_code.co_filename, line)
            if text.strip().startswith(_PLAIN):
                return TracebackType(None, frame, it.offset, line)
    return level


def _is(level: TracebackType, what: tuple[str, str]) -> bool:
    file, name = what
    code = level.tb_frame.f_code
    return code.co_name == name and Path(code.co_filename).as_posix().endswith(file)


def _joined(levels: list[TracebackType]) -> TracebackType | None:
    above: TracebackType | None = None
    for level in reversed(levels):
        above = TracebackType(above, level.tb_frame, level.tb_lasti, level.tb_lineno)
    return above
