"""`seegrad.show(x)`: what it takes, and what it says of all else."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, overload

from engine.live.attributes import is_tensor
from engine.live.refusal import CannotShow
from seegrad.notebook.needs import require
from seegrad.notebook.shown import Shown

if TYPE_CHECKING:
    from seegrad.notebook.recording import TorchRun

RECORDING = '{"format":"seegrad-recording"'
THEMES = ("", "light", "dark")
_PLAIN = (int, float, complex, bool, bytes, type(None))
_SEVERAL = (list, tuple, set, frozenset, dict)


@overload
def show(  # type: ignore[overload-overlap]  # a recording is an object, too
    x: TorchRun, names: Mapping[str, Any] | None = None, height: int | None = None, theme: str = ""
) -> TorchRun: ...


@overload
def show(
    x: object, names: Mapping[str, Any] | None = None, height: int | None = None, theme: str = ""
) -> Shown: ...


def show(
    x: Any, names: Mapping[str, Any] | None = None, height: int | None = None, theme: str = ""
) -> Shown | TorchRun:
    """The graph of `x`, with both passes to step through, for the cell below which it stands.

    `x` is the result of a computation: a Value of Seegrad, of micrograd or of a class of your own;
    a trace, as `record` and `trace` return it; a recording, or a tensor of PyTorch, whose graph it
    draws without the numbers that only a recording has. The objects are read and stay as they are.
    They are called what your variables call them, or `names`. `height` is in pixels; `theme` is
    "light" or "dark" where the browser's own is not wanted.

    In a plain Python, `show(x).open()` opens the page, and `show(x).save("x.html")` keeps it.
    Raises CannotShow, a TypeError, which says in a sentence what cannot be drawn.
    """
    frame = sys._getframe(1)
    variables = dict(names or {})  # which go before those that happen to be there
    for name, held in {**frame.f_globals, **frame.f_locals}.items():
        variables.setdefault(name, held)
    return shown_or_recorded(x, variables, height, theme)


def shown_or_recorded(
    x: Any, variables: Mapping[str, Any], height: int | None = None, theme: str = ""
) -> Shown | TorchRun:
    """As `show`, with the variables of the caller."""
    if type(x).__name__ == "TorchRun":
        return cast("TorchRun", x).show(height=height, theme=theme)
    if is_tensor(x):
        return of_tensor(x, variables, height, theme)
    return shown(x, variables, height, theme)


def of_tensor(x: Any, variables: Mapping[str, Any], height: int | None, theme: str) -> TorchRun:
    """The graph of a tensor that was computed before: its structure, and the leaves' numbers."""
    from engine.pytorch.after import record_of
    from seegrad.notebook.recording import TorchRun

    return TorchRun.of(record_of(x, variables)).show(height=height, theme=theme)


def shown(
    x: Any, variables: Mapping[str, Any], height: int | None = None, theme: str = ""
) -> Shown:
    """As `show`, of all that is not PyTorch's."""
    from engine.live.trace import live_trace
    from engine.trace.traced import Trace

    if theme not in THEMES:
        raise CannotShow(f"theme is “light” or “dark”, not {theme!r}.")
    if isinstance(x, Shown):
        x = x.trace
    if not isinstance(x, Trace):
        _refuse(x)
        x = live_trace(x, variables)
    if x.output is None:
        raise CannotShow(f"There is nothing to draw. {' '.join(note.message for note in x.notes)}")
    require()
    return Shown(x, height, theme)


def _refuse(x: Any) -> None:
    """Say of things without a graph what to show instead."""
    kind = type(x).__name__
    if isinstance(x, str):
        raise CannotShow(
            "show() draws the result of a computation. For a program's text: "
            "seegrad.show(seegrad.record(text))."
        )
    if isinstance(x, _PLAIN):
        raise CannotShow(
            f"show() draws an object that knows what it was computed from; {x!r:.40} is a plain "
            f"{kind}. Compute with seegrad.Value, or with a class of your own."
        )
    if isinstance(x, _SEVERAL):
        raise CannotShow(
            f"show() draws one result, and this is a {kind} of {len(x)}: show one of them, or "
            "their sum."
        )
    if isinstance(x, type):
        raise CannotShow(f"{x.__name__} is a class: show a result that was computed with it.")
    if kind == "ndarray" or type(x).__module__.partition(".")[0] == "numpy":
        raise CannotShow("A NumPy array does not know what it was computed from.")
    if type(x).__module__.partition(".")[0] in ("jax", "jaxlib", "tensorflow", "tinygrad"):
        raise CannotShow(_TENSOR.format(of=type(x).__module__.partition(".")[0]))


_TENSOR = (
    "Graphs of {of} are not drawn yet. Compute the same with seegrad.Value, or open the program in "
    "Seegrad's page, which draws small tensors."
)


def load(source: str | PathLike[str]) -> Any:
    """What `json()` gave, from its text or from a file that holds it.

    It runs nothing. Raises CannotShow for a text that is not the JSON of a trace, and OSError for a
    file that cannot be read.
    """
    from engine.pytorch import record_json
    from engine.trace.from_json import NoTraceError, read
    from seegrad.notebook.recording import TorchRun

    if not isinstance(source, str | PathLike):
        raise CannotShow(
            f"load() takes the text of json(), or its file's path, not {source!r:.40}."
        )
    is_text = isinstance(source, str) and source.lstrip()[:1] == "{"
    try:
        text = str(source) if is_text else Path(source).read_text("utf-8")
        if text.lstrip().startswith(RECORDING):
            return TorchRun.of(record_json.read(text))
        return shown(read(text), {})
    except UnicodeDecodeError:
        raise CannotShow(f"{source} is not the JSON of a trace, nor any text.") from None
    except (NoTraceError, record_json.NoRecordingError) as error:
        raise CannotShow(str(error)) from None
