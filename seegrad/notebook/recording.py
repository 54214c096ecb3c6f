"""`with seegrad.record() as run:`: what PyTorch does in a program, forward and backward."""

from __future__ import annotations

import html
import sys
import tempfile
import webbrowser
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from engine.live.refusal import CannotShow
from engine.pytorch.questions.answer import RunAnswer
from engine.pytorch.record import Figures, NodeFrame, OperationFrame, ProgramRecord, TorchFrame
from seegrad.notebook.needs import require
from seegrad.notebook.shown import framed

if TYPE_CHECKING:
    from app.recorded.page import RecordedPage
    from engine.jaxprs.slopes import PulledEquation
    from engine.pytorch.slopes import CheckedNode

KEEP, LIMIT = 1024, 50_000
HEIGHT, TALLEST = 560, 620
ROWS = 40
NO_TORCH = "record() records programs of PyTorch, which is not installed: pip install torch"
NOT_ENDED = "The recording has not ended: its page is there after the block of `with`."
NOTHING_TO_CHECK = "A recording that was loaded cannot be checked: record it again."
_BUSY = "Another recording is running: end it first."


class TorchRun:
    """A recording. Enter it, run a program, and look: `run`, `run.explain()`, `run.check()`.

    `keep` is how many numbers of a tensor are kept, of larger ones figures and a corner are;
    `limit` is how many frames are. One that `gives_way` ends where another begins.
    """

    _running: TorchRun | None = None

    def __init__(self, keep: int = KEEP, limit: int = LIMIT, gives_way: bool = False) -> None:
        for name, value in (("keep", keep), ("limit", limit)):
            if type(value) is not int or value < 0:
                raise CannotShow(f"{name} is a whole number, at least 0, not {value!r:.40}.")
        if find_spec("torch") is None:
            raise CannotShow(NO_TORCH)
        self._options = keep, limit
        self._gives_way, self.gave_way = gives_way, False
        self._recorder: Any = None
        self._record: ProgramRecord | None = None
        self.theme = ""
        self.height = HEIGHT

    @classmethod
    def of(cls, record: ProgramRecord) -> Self:
        """A recording that is there already."""
        run = cls.__new__(cls)
        run._options, run._recorder, run._record = (0, 0), None, record
        run.theme, run.height = "", HEIGHT
        return run

    def __enter__(self) -> Self:
        from engine.pytorch.recorder import TorchRecorder

        if (other := TorchRun._running) is not None:
            if not other._gives_way:
                raise CannotShow(_BUSY)
            other.end(sys._getframe(1).f_globals)
            other.gave_way = True
        if self._record is not None or self._recorder is not None:
            raise CannotShow("A recording is made once: call seegrad.record() again.")
        self._recorder = TorchRecorder(*self._options)
        self._recorder.__enter__()
        TorchRun._running = self
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        frame = sys._getframe(1)
        self.end({**frame.f_globals, **frame.f_locals}, error)

    @classmethod
    def running(cls) -> bool:
        """Whether a recording is running."""
        return TorchRun._running is not None

    @property
    def is_running(self) -> bool:
        return TorchRun._running is self

    def end(self, variables: Mapping[str, Any], error: BaseException | None = None) -> None:
        """End the recording of a program with these variables, by which its tensors are named."""
        TorchRun._running = None
        recorder, self._recorder = self._recorder, None
        recorder.close(variables, error)
        self._record = recorder.record

    @property
    def record(self) -> ProgramRecord:
        """All that was recorded, as plain data."""
        if self._record is None:
            raise CannotShow(NOT_ENDED)
        return self._record

    @property
    def frames(self) -> list[TorchFrame]:
        """Calls, operations, passes, runs of Nodes and optimizer steps in the order they ended."""
        return self.record.frames

    # Questions

    def explain(self, about: Any = None) -> Answers:
        """What is wrong with the program, each with its line, numbers, and what to do.

        About a tensor or the name of one: why its gradient is None, or what it is. About "cuts":
        everything that was detached, or computed under no_grad.
        """
        from engine.pytorch.questions.of_tensor import about_tensor
        from engine.pytorch.questions.table import answers, cut_answers

        if about is None:
            return Answers(answers(self.record))
        if isinstance(about, str) and about == "cuts":
            return Answers(cut_answers(self.record))
        return Answers([about_tensor(self.record, self._id(about))])

    def check(self) -> Checks:
        """Each Node's contributions against directional differences of its operation in float64."""
        if find_spec("torch") is None:
            raise CannotShow(NO_TORCH)
        if not any(op.run is not None for op in self.record.operations):
            raise CannotShow(NOTHING_TO_CHECK)
        from engine.pytorch.slopes import checked

        return Checks(checked(self.record))

    def __getitem__(self, name: str) -> TensorView:
        """A tensor by its name in the program: `run["model.0.weight"].grad`."""
        return TensorView(self.record, self._id(name))

    def _id(self, about: Any) -> str:
        """The tensor that a name or an object is."""
        tensors = self.record.tensors
        if isinstance(about, str):
            named = [t.id for t in tensors.values() if t.name == about] or (
                [about] if about in tensors else []
            )
            if not named:
                known = ", ".join(t.name for t in tensors.values() if t.name and t.role)
                raise CannotShow(
                    f"No tensor is called {about!r}; there are {known[:300] or 'none'}."
                )
            return named[-1]
        frame = sys._getframe(2)
        for name, held in {**frame.f_globals, **frame.f_locals}.items():
            if held is about and any(t.name == name for t in tensors.values()):
                return self._id(name)
        raise CannotShow("This tensor was not recorded, or has no name: give its name as a text.")

    # Pages

    def show(
        self,
        number: int = 0,
        opened: Iterable[str] | str = (),
        height: int | None = None,
        theme: str = "",
    ) -> Self:
        """The same recording, drawn otherwise: pass `number`, with modules `opened`."""
        if theme not in ("", "light", "dark"):
            raise CannotShow(f"theme is “light” or “dark”, not {theme!r}.")
        passes = [frame.number for frame in self.record.passes]
        if number and number not in passes:
            raise CannotShow(f"There is no pass {number}: {len(passes)} were recorded.")
        names = (opened,) if isinstance(opened, str) else tuple(opened)
        unknown = [name for name in names if name not in self.record.modules]
        if unknown:
            known = ", ".join(self.record.modules) or "none"
            raise CannotShow(f"No module is called {unknown[0]!r}; there are {known[:300]}.")
        made = self.of(self.record)
        made._view = number, names
        for name in ("value", "gradients", "pulled"):
            if hasattr(self, name):
                setattr(made, name, getattr(self, name))
        made.theme, made.height = theme, min(height or HEIGHT, TALLEST)
        return made

    _view: tuple[int, tuple[str, ...]] = (0, ())

    @cached_property
    def _page(self) -> RecordedPage:
        require()
        from seegrad.notebook.page import recorded

        return recorded(self.record, *self._view, self.theme)

    @property
    def html(self) -> str:
        """The page: one file that asks for nothing and steps by itself. Raises CannotShow."""
        return self._page.html

    @property
    def svg(self) -> str:
        """The picture at the end. Raises CannotShow."""
        return self._page.svg

    def save(self, path: str | Path) -> Path:
        """Write the page to a file, and return its path."""
        file = Path(path)
        file.write_text(self.html, encoding="utf-8")
        return file

    def open(self) -> Path:
        """Open the page in the browser, from a temporary file."""
        with tempfile.NamedTemporaryFile(prefix="seegrad-", suffix=".html", delete=False) as file:
            path = Path(file.name)
        webbrowser.open(self.save(path).as_uri())
        return path

    def json(self) -> str:
        """The recording as JSON, which `seegrad.load` reads."""
        from engine.pytorch import record_json

        return record_json.write(self.record)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """For notebooks: the page, a picture for where no script runs, words for terminals."""
        if self._record is None:
            return {"text/plain": NOT_ENDED}
        words = repr(self)
        try:
            page, picture = self.html, self.svg
        except CannotShow as error:
            said = f"<p>{html.escape(str(error))}</p>"
            return {"text/html": said, "text/plain": f"{error}\n{words}"}
        return {
            "text/html": framed(page, "a recording", self.height),
            "image/svg+xml": picture,
            "text/plain": words,
        }

    def __repr__(self) -> str:
        """The answers, and a table of the last frames."""
        if self._record is None:
            return NOT_ENDED
        record = self._record
        told = [str(answer) for answer in self.explain()]
        rows = [_row(record, frame) for frame in record.frames if _is_told(frame)]
        more = len(rows) - ROWS
        told += [f"The last {ROWS} of {len(rows):,} operations and Nodes:"] if more > 0 else []
        if record.left_out:
            told.append(f"{record.left_out:,} frames were left out: seegrad.record(limit=…).")
        return "\n".join([*told, *rows[-ROWS:]]) or "Nothing of PyTorch ran in this thread."


class JaxRun(TorchRun):
    """The record of a function of JAX: `value` is what it returned, `gradients` are jax.grad's."""

    value: Any = None
    gradients: Any = None
    pulled: Sequence[PulledEquation] = ()

    def check(self) -> Checks:
        """Each equation's contributions against directional differences of it in float64."""
        if not self.pulled:
            raise CannotShow(NOTHING_TO_CHECK)
        from engine.jaxprs.slopes import checked

        return Checks(checked(self.pulled))


def jax(
    function: Callable[..., Any], argnums: int | Sequence[int] = 0, keep: int = KEEP
) -> Callable[..., JaxRun]:
    """`seegrad.jax(loss)(params, batch)`: each equation of a function, forward and backward.

    It returns a function of the same arguments, which gives a recording with the `value` of
    `function` and its `gradients` with respect to `argnums`, those of `jax.grad` with
    `jax.disable_jit()` bit for bit. What is under `jit` is opened. Raises CannotShow for what is no
    function, and for one that returns more than one number.
    """
    if not callable(function):
        raise CannotShow(f"jax() takes a function, such as a loss, not {function!r:.40}.")
    if find_spec("jax") is None:
        raise CannotShow("jax() records functions of JAX, which is not installed: pip install jax")

    def run(*args: Any, **named: Any) -> JaxRun:
        from engine.jaxprs.recorder import recorded

        result = recorded(function, argnums, keep, args, named)
        made = JaxRun.of(result.record)
        made.value, made.gradients, made.pulled = result[1:]
        return made

    return run


def _is_told(frame: TorchFrame) -> bool:
    is_forward = isinstance(frame, OperationFrame) and not frame.during
    return is_forward or isinstance(frame, NodeFrame)


def _row(record: ProgramRecord, frame: TorchFrame) -> str:
    from engine.pytorch.figures_shown import told

    line = f"{frame.place.line:>4}" if frame.place is not None else "    "
    if isinstance(frame, NodeFrame):
        came = next((f for f in frame.incoming if f is not None), None)
        name = f"{frame.name} of {record.name(frame.leaf)}" if frame.leaf else frame.name
        return f"{line}  backward  {name:<40} {told(came)}"
    assert isinstance(frame, OperationFrame)
    state = frame.outputs[0] if frame.outputs else None
    figures = record.figures.get(state) if state is not None else None
    name = f"{record.name(state)} = {frame.short}" if state is not None else frame.short
    return f"{line}  forward   {name:<40} {told(figures)}"


class Answers(list[RunAnswer]):
    """Answers, which print as paragraphs."""

    def __repr__(self) -> str:
        return "\n\n".join(map(str, self)) or "Nothing is wrong with what was recorded."


class Checks(list["CheckedNode"]):
    """Checked Nodes, which print as a table."""

    @property
    def wrong(self) -> list[CheckedNode]:
        """Those whose contributions are not the derivative."""
        return [it for it in self if it.verdict == "wrong"]

    def __repr__(self) -> str:
        rows = []
        for it in self:
            numbers = (
                "" if it.sent is None else f"sent {it.sent:.6g}, differences {it.measured:.6g}"
            )
            line = "" if it.line is None else f"line {it.line}"
            rows.append(f"{it.verdict:<12} {it.name:<44} {line:<10} {numbers}{it.why}".rstrip())
        right = sum(it.verdict == "right" for it in self)
        rows.append(f"{right} of {len(self)} right, {len(self.wrong)} wrong.")
        return "\n".join(rows)


class TensorView:
    """A recorded tensor: `data` and `grad` are figures, `grad` None where it has none."""

    def __init__(self, record: ProgramRecord, id_: str) -> None:
        self.tensor = record.tensors[id_]
        versions = [state for state in record.figures if state.tensor == id_]
        self.data: Figures | None = record.figures[versions[-1]] if versions else None
        self.grad: Figures | None = record.grads.get(id_) or _sent_to(record, id_)

    def __repr__(self) -> str:
        from engine.pytorch.figures_shown import told

        tensor = self.tensor
        return (
            f"{tensor.name or tensor.id} {tensor.shape}: {told(self.data)}; grad {told(self.grad)}"
        )


def _sent_to(record: ProgramRecord, id_: str) -> Figures | None:
    """The gradient that came in at the Node of a result."""
    nodes = {node: slot for (node, slot), state in record.producers.items() if state.tensor == id_}
    for op in record.operations:
        if op.node and any(state.tensor == id_ for state in op.outputs):
            nodes.setdefault(op.node, 0)
    for run in reversed(record.node_runs):
        if run.node in nodes and run.incoming:
            return run.incoming[min(nodes[run.node], len(run.incoming) - 1)]
    return None


def recorded_or_traced(program: Any = None, *args: Any, **options: Any) -> Any:
    """Run a program in the caller's own Python and trace it, or without one record PyTorch.

    `record(text)` returns the trace, as `engine.trace.record` does; `with record() as run:` records
    what PyTorch does in the block.
    """
    if program is None and not args and set(options) <= {"keep", "limit"}:
        return TorchRun(**options)
    from engine.trace import record

    return record(program, *args, **options)
