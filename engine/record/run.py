"""A recorded run: the program's text compiled with its helpers, and run by CPython."""

from __future__ import annotations

import ast
import contextlib
import gc
import io
import random
import sys
from collections import Counter
from collections.abc import Mapping
from functools import cache
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from engine.garbage import COLLECT_AFTER
from engine.stand_ins import own_micrograd, provided
from engine.stand_ins.implicit import CLASSES
from engine.stand_ins.imports import DRAWS
from engine.stand_ins.inits import INITS, VALUE_INIT
from engine.stand_ins.names import LIBRARIES
from engine.stand_ins.refusal import Refused
from engine.tensors.tensor_array import value_of
from engine.value import Value

from .attribute_names import BACKWARD
from .errors import as_program_error
from .follow import FOLLOWED, is_a
from .helpers import BESIDE_STAND_INS, FACTORIES, OF_OBJECTS, OF_WITNESS, UNRECORDED, watching
from .names import builtin_names
from .places import FILENAME
from .recorder import Recorder
from .rewrite import PREFIX, Watch, code_of
from .rewrite.effects import CallEffect, effects_of
from .source import ProgramError, Source
from .stores import watched_in
from .watching import Reached

HELPERS = (f"{__package__}.helpers", provided.__name__)
"""Modules of ours between a program and the C code that it calls."""
DEPTH = 3_000
"""Python's frames that a program may nest: 1,000 of its own, with those of helpers between."""


class Compiled(NamedTuple):
    """The code of a program, with the helpers that it calls; `reads` as `Watch` has it."""

    code: CodeType
    sites: list[Any]
    stores: frozenset[str]
    reads: bool


_BUILT_IN_STORES = frozenset({"data", "grad", "label", "_backward", "requires_grad", "shape"})


def compiled(source: Source, *, judged: bool, arrays: bool = False) -> Compiled:
    """The code of a program; with `arrays` items are read by a helper."""
    stores = watched_in(source.each(ast.ClassDef), source.gradients)
    reads = _needs_stand_ins(source)
    watch = Watch(
        stores | _BUILT_IN_STORES if reads else stores,
        BACKWARD,
        DRAWS,
        reads,
        judged,
        bool(source.each(ast.Yield) or source.each(ast.YieldFrom)),
        _plain_classes(source),
        reads and arrays,
        _effects(source, reads=reads),
        not source.stores_gradients,
    )
    found = code_of(source.tree, watch, FILENAME, source.cells)
    return Compiled(found.code, found.sites, stores, reads)


def _effects(source: Source, *, reads: bool) -> Mapping[ast.AST, CallEffect]:
    """What the functions of a program may do; beside stand-ins only searches are known."""
    stored = {node.id for node in source.each(ast.Name) if not isinstance(node.ctx, ast.Load)}
    stored |= {node.arg for node in source.each(ast.arg)}
    stored |= {
        alias.asname or alias.name for alias in source.each(ast.alias) if alias.name != "math"
    }
    found = effects_of([*source.each(ast.FunctionDef), *source.each(ast.Lambda)], stored)
    if not reads:
        return found
    searches = (node for node, effect in found.items() if effect is CallEffect.SEARCH)
    return {node: CallEffect.SEARCH for node in searches if not _orders(node)}


def _orders(function: ast.AST) -> bool:
    """Whether a function compares by more than membership and identity: arrays compute these."""
    members = ast.In, ast.NotIn, ast.Is, ast.IsNot
    return any(isinstance(x, ast.cmpop) and not isinstance(x, members) for x in ast.walk(function))


def _plain_classes(source: Source) -> frozenset[str]:
    """The names of classes whose calls make their objects, and that stand for nothing else."""
    definitions = source.each(ast.ClassDef)
    names = Counter(node.name for node in definitions)
    functions = source.each(ast.FunctionDef)
    if any(function.name == "__new__" for function in functions):
        return frozenset()
    taken = {node.id for node in source.each(ast.Name) if not isinstance(node.ctx, ast.Load)}
    taken |= {node.name for node in functions} | {node.arg for node in source.each(ast.arg)}
    taken |= {alias.asname or alias.name for alias in source.each(ast.alias)}
    odd = {node.name for node in definitions if node.keywords or node.decorator_list or node.bases}
    return frozenset(name for name in names if names[name] == 1) - taken - odd


def _needs_stand_ins(source: Source) -> bool:
    """Whether a program may use the built-in classes, or a stand-in for a library."""
    bound = {node.id for node in source.each(ast.Name) if isinstance(node.ctx, ast.Store)}
    bound |= {node.name for node in source.each(ast.ClassDef)}
    bound |= {node.name for node in source.each(ast.FunctionDef)}
    dotted = [alias.name for node in source.each(ast.Import) for alias in node.names]
    dotted += [node.module or "" for node in source.each(ast.ImportFrom)]
    if any(name.partition(".")[0] not in sys.stdlib_module_names for name in dotted):
        return True
    imports: list[Any] = [*source.each(ast.Import), *source.each(ast.ImportFrom)]
    bound |= {alias.asname or alias.name for node in imports for alias in node.names}
    known = {*CLASSES, *LIBRARIES}
    if any(node.id in known and node.id not in bound for node in source.each(ast.Name)):
        return True
    modules = {
        alias.asname or alias.name.partition(".")[0] for node in imports for alias in node.names
    }
    has_attributes = any(_base(node) not in modules for node in source.each(ast.Attribute))
    return has_attributes and not source.each(ast.ClassDef)  # a plain number has backward(), too


def _base(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _micrograd_classes(m: Recorder, table: dict[str, Any]) -> dict[str, Any]:
    """micrograd's classes as the program's own, all of them at the place of their import."""
    found = code_of(
        ast.Module([own_micrograd.definition(_statement(m))], []),
        Watch(m.stores, BACKWARD, DRAWS, reads=True, judged=True),
        FILENAME,
        prefix=f"{PREFIX}micrograd_",
    )
    _fill(m, table, found.sites, f"{PREFIX}micrograd_")
    names: dict[str, Any] = {"__builtins__": table, "__name__": "micrograd.engine"}
    exec(found.code, names)  # noqa: S102  # our own text
    return own_micrograd.named(names["_seegrad_classes"](random))


def _statement(m: Recorder) -> Any:
    return m.module_statement()


def _fill(m: Recorder, table: dict[str, Any], sites: list[Any], prefix: str = PREFIX) -> None:
    """Put the helpers of a program among its built-in names."""
    table[f"{PREFIX}run"] = m
    for number, site in enumerate(sites):
        table[f"{prefix}{number}"] = _helper(m, site)


def _helper(m: Recorder, site: Any) -> Any:
    return watching(m, site, FACTORIES[site.kind](m, site.node, *site.rest))


def _refill(m: Recorder, table: dict[str, Any], sites: list[Any]) -> None:
    """Make the helpers anew that depend on the witness."""
    m.adder = cache(lambda node: FACTORIES["binary"](m, node, "+"))
    for number, site in enumerate(sites):
        if site.kind in OF_WITNESS:
            table[f"{PREFIX}{number}"] = _helper(m, site)


def _unrecord(m: Recorder, table: dict[str, Any], sites: list[Any]) -> None:
    """Put plain operations in the place of the helpers."""
    more = OF_OBJECTS
    m.is_unrecorded = not m.stand_ins.is_used
    if m.stand_ins.is_used:
        more = BESIDE_STAND_INS if m.watching.is_counting else {}
    plain = {**UNRECORDED, **more}
    recorded = m.adder
    m.adder = lambda node: UNRECORDED["binary"](m, recorded(node), "+")
    for number, site in enumerate(sites):
        if site.kind in plain:
            name = f"{PREFIX}{number}"
            table[name] = plain[site.kind](m, table[name], *site.rest)


class _Out(io.TextIOBase):
    """Where a program prints."""

    def __init__(self, m: Recorder) -> None:
        self.m = m

    def write(self, text: str) -> int:
        self.m.print_text(text)
        return len(text)

    def writable(self) -> bool:
        return True


def execute(m: Recorder, program: Compiled) -> None:
    """Run a program to its end. Raises ProgramError."""
    m.stores = program.stores
    m.adder = cache(lambda node: FACTORIES["binary"](m, node, "+"))
    table = builtin_names(m)
    m.stand_ins.is_used = program.reads
    _fill(m, table, program.sites)
    m.unrecord = lambda: _unrecord(m, table, program.sites)
    m.refill = lambda: _refill(m, table, program.sites)
    m.micrograd_classes = lambda: _micrograd_classes(m, table)
    main = ModuleType("__main__")
    main.__doc__ = None
    if m.is_native:
        main.__file__ = sys.argv[0]
    names = vars(main)
    m.globals = names
    names["__builtins__"] = table
    _prepare(m)
    before, state = sys.modules.get("__main__"), random.getstate()
    threshold, depth = gc.get_threshold(), sys.getrecursionlimit()
    sys.setrecursionlimit(DEPTH)
    gc.set_threshold(*COLLECT_AFTER)
    if not m.is_native:
        random.seed(0)
    written = Value.__repr__
    Value.__init__ = _recorded_init(m)  # type: ignore[method-assign]
    sys.modules["__main__"] = main
    try:
        with contextlib.redirect_stdout(_Out(m)), contextlib.redirect_stderr(io.StringIO()):
            _run(m, program.code, names)
    finally:
        gc.set_threshold(*threshold)
        sys.setrecursionlimit(depth)
        Value.__repr__ = written  # type: ignore[method-assign]
        Value.__init__ = VALUE_INIT  # type: ignore[method-assign]
        random.setstate(state)
        if before is not None:
            sys.modules["__main__"] = before
        for name in [key for key, x in names.items() if x is table]:
            del names[name]


def _recorded_init(m: Recorder) -> Any:
    """The constructor of Value where C code calls it for the program, as `map(Value, xs)` does."""

    def init(self: Value, *args: Any, **keywords: Any) -> None:
        frame: Any = sys._getframe(1)
        while frame.f_globals["__name__"].startswith(HELPERS):
            frame = frame.f_back
        if frame.f_code.co_filename == FILENAME:
            m.node = m.here()
            INITS[Value](m, self, *args, **keywords)
        else:
            VALUE_INIT(self, *args, **keywords)

    return init


def _prepare(m: Recorder) -> None:
    m.random = random._inst


def _run(m: Recorder, code: CodeType, names: dict[str, Any]) -> None:
    _note_dropped(m)
    try:
        with contextlib.suppress(SystemExit):
            exec(code, names)  # noqa: S102  # a stranger's only inside the sandbox
    except Reached:
        return
    except Refused as refused:
        span = m.source.span(refused.node)
        raise ProgramError(refused.message, span, refused.hint, m.printed_lines()) from None
    except SyntaxError as error:
        raise ProgramError(f"SyntaxError: {error.msg}.", (1, 1, 1, 2)) from None
    except BaseException as error:
        if m.is_native and isinstance(error, KeyboardInterrupt):
            raise
        raise as_program_error(m, error) from None
    with contextlib.suppress(Reached), m.reading():
        _finish(m, names)


def _note_dropped(m: Recorder) -> None:
    """Name the lines of a notebook that are no Python."""
    source = m.source
    written = [i for i in source.code.dropped if source.lines[i - 1].strip()]
    if not written:
        return
    text = source.lines[written[0] - 1]
    shown, more = text.strip()[:40], len(written) - 1
    if more:
        lines = "1 more line" if more == 1 else f"{more:,} more lines"
        message = f"{shown} and {lines} are passed over: they are no Python."
    else:
        message = f"{shown} is passed over: it is no Python."
    m.note_at(message, (written[0], 1, written[0], len(text) + 1))


def _finish(m: Recorder, names: dict[str, Any]) -> None:
    last = m.source.tree.body[-1]
    result: Any = None
    if isinstance(last, ast.Expr):
        result = m.last_value
    elif isinstance(last, ast.Assign) and isinstance(last.targets[0], ast.Name):
        result = names.get(last.targets[0].id)
    if m.line:
        m.print_text("\n")
    tape = m.tape
    if type(result) in FOLLOWED:
        if result.op is not None:
            tape.last_number = tape.ending = result
    elif is_a(value := value_of(result), Value) and value.op is not None:
        tape.last = value
    _draw_network(m)
    m.scenes.finish(result)


def _draw_network(m: Recorder) -> None:
    """Where a program only makes a network, call it, so that there is something to see."""
    tape = m.tape
    if tape.networks and not (tape.has_passed or tape.last or tape.last_number):
        module, node = tape.networks[-1]
        m.note("The network is not called yet; it is drawn for inputs of 1.", node)
        m.node = node
        inputs = [tape.given(1.0, f"x[{i}]") for i in range(module.inputs())]
        module(inputs)
