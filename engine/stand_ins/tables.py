"""The modules that stand in for libraries, and the kinds of objects that they make."""

from __future__ import annotations

from typing import Any

from . import charts, math, numpy, numpy_kinds, operator, quiet, sklearn, statistics, torch
from .contract import Kind
from .kinds_of_values import VALUE_KINDS
from .library import LIBRARY_KINDS
from .tensor_kinds import TENSOR_KINDS


def _asyncio_names(m: Any) -> dict[str, Any]:
    """The names of `nest_asyncio`."""
    return {"apply": lambda *args, **keywords: None}


MODULES: dict[str, Any] = {
    "tqdm": quiet.progress_bars, "tqdm.notebook": quiet.progress_bars,
    "tqdm.auto": quiet.progress_bars, "IPython.display": quiet.notebook_names,
    "IPython.core.display": quiet.notebook_names, "matplotlib.pyplot": charts.pyplot_names,
    "pylab": charts.pyplot_names, "numpy": numpy.names, "numpy.random": numpy.random_module_names,
    "numpy.linalg": numpy.linear_names, **torch.MODULES, **sklearn.MODULES,
    **dict.fromkeys((
        "matplotlib", "IPython", "graphviz", "seaborn", "plotly", "mpl_toolkits", "networkx",
        "ipywidgets",
    ), quiet.quiet_names), "nest_asyncio": _asyncio_names,
}  # fmt: skip
"""The modules that stand in for libraries, by dotted name: the names in each."""
FOLLOWING: dict[str, Any] = {
    "math": math.names, "operator": operator.names, "statistics": statistics.names,
}  # fmt: skip
"""Python's own modules, some of whose functions are followed."""
KINDS: tuple[Kind, ...] = (
    *TENSOR_KINDS, *VALUE_KINDS, *LIBRARY_KINDS, charts.AXES, charts.FIGURE, quiet.QUIET,
    quiet.PROGRESS, *numpy_kinds.ARRAY_KINDS,
)  # fmt: skip
"""The kinds of objects that the stand-ins make, whose attributes are those of the tables."""
