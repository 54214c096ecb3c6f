"""The modules that programs can import: tables of names, made for the run that imports them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.language.contract import Kind, Machine
from engine.language.methods_of_dates import CONSTRUCTORS_OF_DATES
from engine.language.methods_of_dates import names as date_names

from . import (
    abc,
    argparse,
    charts,
    collections,
    contextlib,
    copy,
    dataclasses,
    effects,
    enum,
    functools,
    itertools,
    math,
    numpy,
    numpy_kinds,
    operator,
    paths,
    quiet,
    random,
    sklearn,
    sorted_lists,
    statistics,
    streams,
    string,
    text_modules,
    time,
    torch,
    typing,
    unittest,
)

Names = Callable[[Machine], Mapping[str, Any]]


def _abstract_collections(m: Machine) -> Mapping[str, Any]:
    return typing.forms("collections.abc")


MODULES: dict[str, Names] = {
    "math": math.names, "random": random.names, "collections": collections.names,
    "collections.abc": _abstract_collections, "numbers": _abstract_collections,
    "itertools": itertools.names, "functools": functools.names, "dataclasses": dataclasses.names,
    "typing": typing.names, "typing_extensions": typing.names, "abc": abc.names,
    "enum": enum.names, "copy": copy.names, "time": time.names, "operator": operator.names,
    "statistics": statistics.names, "string": string.names,
    "io": streams.names, "datetime": date_names, "pathlib": paths.names,
    "heapq": sorted_lists.heapq_names,
    "bisect": sorted_lists.bisect_names, "sys": effects.sys_names, "os": effects.os_names,
    "os.path": effects.path_names, "argparse": argparse.names,
    "warnings": effects.warnings_names, "logging": effects.logging_names, "gc": effects.gc_names,
    "pdb": effects.pdb_names, "importlib": effects.importlib_names,
    "contextlib": contextlib.names, "traceback": effects.traceback_names,
    "nest_asyncio": effects.asyncio_names,
    "types": effects.types_names, "pprint": effects.pprint_names, "json": text_modules.json_names,
    "textwrap": text_modules.textwrap_names, "tqdm": quiet.progress_bars,
    "tqdm.notebook": quiet.progress_bars, "tqdm.auto": quiet.progress_bars,
    "IPython.display": quiet.notebook_names, "IPython.core.display": quiet.notebook_names,
    "matplotlib.pyplot": charts.pyplot_names, "pylab": charts.pyplot_names,
    "numpy": numpy.names, "numpy.random": numpy.random_module_names,
    "numpy.linalg": numpy.linear_names,
    "__future__": quiet.quiet_names, "unittest": unittest.names, "weakref": effects.weakref_names,
    **torch.MODULES,
    **sklearn.MODULES,
    **dict.fromkeys((
        "matplotlib", "IPython", "graphviz", "seaborn", "plotly", "mpl_toolkits", "networkx",
        "ipywidgets",
    ), quiet.quiet_names),
}  # fmt: skip
"""What each module is here, by dotted name."""

MODULE_KINDS: tuple[Kind, ...] = (
    *torch.TORCH_KINDS,
    charts.GRID, charts.AXES, charts.FIGURE, quiet.QUIET, quiet.PROGRESS,
    streams.BUFFER, streams.REDIRECTION, effects.STREAM, paths.PATH,
    argparse.PARSER, dataclasses.FIELD, random.RANDOM, *numpy_kinds.ARRAY_KINDS,
    *contextlib.MANAGERS,
)  # fmt: skip
"""The kinds of objects that the modules make; they stand before those of CPython's own types."""
MODULE_CONSTRUCTORS: dict[type, Callable[..., Any]] = {
    **CONSTRUCTORS_OF_DATES,
    **functools.PARTIAL,
    **effects.CONSTRUCTORS,
    **paths.CONSTRUCTORS,
    **random.CONSTRUCTORS,
    **numpy.CONSTRUCTORS,
    **torch.TORCH_CONSTRUCTORS,
}
"""The guarded constructors of their types."""
