"""Formulas of the tables, evaluated on the elements of tensors: each operation is recorded."""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterable, Mapping
from typing import Any

from engine.formulas import FUNCTIONS, Conditions, Lazy, condition
from engine.ops import OPS

from .dtypes import DType
from .scalar import Tensor
from .session import Session, bare


class CellFormula(Conditions[Any, bool]):
    """Evaluates the text of a partial on cells: Tensors, and plain numbers for constants."""

    def __init__(self, session: Session, dtype: DType) -> None:
        self.session, self.dtype = session, dtype

    def number(self, x: float, text: str = "", /) -> Any:
        return x

    def operation(self, name: str, /, *args: Any) -> Any:
        if name not in OPS and not any(isinstance(x, Tensor) for x in args):
            return FUNCTIONS[name](*args)
        if name not in OPS:
            self.session.machine.refuse(
                "A gradient of this gradient is not computed here.", "Leave create_graph out."
            )
        return self.session.apply(OPS[name], self.dtype, *args)

    def choose(
        self, test: ast.expr, names: Mapping[str, Any], a: Lazy[Any], b: Lazy[Any], /
    ) -> Any:
        return a() if condition(test, names, self) else b()

    def compare(self, relation: str, a: Any, b: Any, /) -> bool:
        return bool(getattr(operator, relation)(*bare([a, b])))

    def combine(self, every: bool, parts: Iterable[bool], /) -> bool:
        return all(parts) if every else any(parts)
