"""The operations on arrays of a run, written down by the helpers of the rewritten program.

An operation of the program's text is one node, whatever the library computes inside of it. Arrays
and numbers are known by their identity, so each is held until the run has ended. An array whose
elements were changed unseen is a new node, `changed`, when it is met again.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from math import prod
from typing import Any

from engine.array_ops.flat import Flat
from engine.arrays.scalars import Bool, Scalar
from engine.tensors.graph import Kept, LeafNode, Operation, TensorNode, flat_of, order_below
from engine.tensors.tensor_array import TensorArray

from .array_calls import SAME, SIGNS, call_of
from .array_elements import (
    as_number,
    chosen_places,
    elements,
    elements_of,
    is_array,
    nested_numbers,
    plain_params,
    same_numbers,
)
from .array_fields import fits
from .array_model import ArrayName, ArrayNode, ArrayPass
from .follow import TapedFloat, TapedFloat64, is_a

NODES = 2_000
ELEMENTS = 50_000
"""Bounds of what is kept: operations, and elements of all their results together."""
NAME = 64


_FOLLOWED_FLOATS = frozenset({TapedFloat, TapedFloat64})


class ArrayTape:
    """The nodes of one run, and their names."""

    def __init__(self, machine: Any) -> None:
        self.machine = machine
        self.nodes: list[ArrayNode] = []
        self.names: list[ArrayName] = []
        self.passes: list[ArrayPass] = []
        self.is_full = self._is_told = False
        self._left = ELEMENTS
        self._at: dict[int, tuple[Any, int]] = {}
        """The node of each object, which is held so that no other takes its identity."""
        self._called: dict[int, tuple[str, Any]] = {}
        """The last name of each array, and what holds it."""
        self._graph: dict[TensorNode, int] = {}
        """The place of each node of PyTorch's graph."""
        self._paths: dict[int, str] = {}
        """What the modules of a network are called, by their identity."""
        self._outer: Any = None
        """The module that the program itself has called last."""
        self.owners: list[Any] = []
        self._owners: dict[int, int] = {}

    # Nodes

    def place(self, x: Any, node: ast.AST) -> int | None:
        """The node of an array or number; of an array that is not known it is a leaf."""
        known = self._at.get(id(x))
        if known is not None and known[0] is x:
            if is_array(x) and not same_numbers(elements(x) or (), self.nodes[known[1]].data):
                at = self.add(x, "changed", (known[1],), {}, node)
                if is_a(x, TensorArray) and x.requires_grad:
                    self._name_again(x, node)
                return at
            if is_a(x, TensorArray) and x.requires_grad and self.nodes[known[1]].is_fixed:
                at = self.add(x, None, (), {}, node)  # it has begun to record gradients
                self._name_again(x, node)
                return at
            return known[1]
        return self.add(x, None, (), {}, node) if is_array(x) else None

    def knows(self, x: Any) -> bool:
        known = self._at.get(id(x))
        return known is not None and known[0] is x

    def operand(self, x: Any, node: ast.AST) -> int | None:
        """The node of an operand: a plain number is a constant."""
        found = self.place(x, node)
        if found is None and type(x) in _FOLLOWED_FLOATS and x.op is None and x.label:
            self._at[id(x)] = x, len(self.nodes)
            found = self._append(None, (), {}, (), "", (float(x),), x.node)
            self.name(x, x.label, x.node)
        elif found is None and is_a(x, int | float | Scalar):
            return self._append(None, (), {}, (), "", (as_number(x),), node, is_constant=True)
        if found is None and is_a(x, list | tuple):
            data, shape = nested_numbers(x)
            if data is not None:
                return self._append(None, (), {}, shape, "", data, node, is_constant=True)
        return found

    def add(
        self, x: Any, op: str | None, args: tuple[int, ...], params: dict[str, Any], node: ast.AST
    ) -> int | None:
        """The new node of an array or number that `op` computed; a leaf of PyTorch has none."""
        is_tensor = is_a(x, TensorArray)
        if is_tensor and x.requires_grad and x.is_leaf:
            op, args, params = None, (), {}
        if is_array(x):
            found = elements(x)
            if found is None:
                return None
            shape, dtype = tuple(getattr(x, "shape", ())), str(getattr(x, "dtype", "float32"))
            data = tuple(map(float, found))
        elif is_a(x, float | Scalar):
            shape, dtype, data = (), "float64", (as_number(x),)
        else:
            return None
        fixed = is_tensor and not x.requires_grad
        at = self._append(
            op, args, params, shape, dtype.removeprefix("torch."), data, node, is_fixed=fixed
        )
        if at is not None:
            self._at[id(x)] = x, at
            if is_tensor and x.requires_grad and not x.is_leaf:
                self._graph[x.node] = at
        return at

    def _append(
        self,
        op: str | None,
        args: tuple[int, ...],
        params: dict[str, Any],
        shape: tuple[int, ...],
        dtype: str,
        data: tuple[float, ...],
        node: ast.AST,
        *,
        is_constant: bool = False,
        is_fixed: bool = False,
    ) -> int | None:
        self._left -= prod(shape)
        if self.is_full or self._left < 0 or len(self.nodes) >= NODES:
            self.is_full = True
            return None
        scope = self.machine.tape.scopes.of(self.machine.scope)
        self.nodes.append(
            ArrayNode(op, args, params, shape, dtype, data, is_constant, node, scope, is_fixed)
        )
        return len(self.nodes) - 1

    def alias(self, new: Any, old: Any) -> None:
        """Let `new` be the node that `old` is."""
        known = self._at.get(id(old))
        if known is not None and known[0] is old and new is not old:
            self._at[id(new)] = new, known[1]

    # Operations

    def operation(
        self, op: str | None, operands: Sequence[Any], params: dict[str, Any], result: Any,
        node: ast.AST,
    ) -> None:  # fmt: skip
        """Write down that `op` computed `result`; of several results the first one is meant."""
        if self.is_full:
            return
        if is_a(result, tuple) and result and all(map(is_array, result)):
            self.operation(op, operands, params, result[0], node)
            for other in result[1:]:
                self.add(other, None, (), {}, node)
            return
        if not is_array(result) and not is_a(result, float | Scalar):
            return
        if not is_array(result) and not any(self.knows(x) or is_array(x) for x in operands):
            return
        if op is None or is_a(result, Bool) or not fits(params):
            self.add(result, None, (), {}, node)
            return
        args = [at for at in (self.operand(x, node) for x in operands) if at is not None]
        if len(args) == len(operands):
            self.add(result, SIGNS.get(op, op), tuple(args), params, node)

    def called(self, name: str, args: Any, keywords: Any, result: Any, node: ast.AST) -> None:
        """Write down a call of a library's function or of an array's method."""
        changes = name.endswith("_") and args and result is args[0]
        if self.is_full or (self.knows(result) and not changes):
            return  # computed by functions of the program, or handed on
        seen = (result, *args, *keywords.values())
        if not self._at and type(result) is not tuple and not any(map(is_array, seen)):
            return  # the program has not come to an array yet
        found = call_of(name, args, keywords, is_array)
        if found.op == SAME:
            self._copied(found.operands[0], result, node)
            return
        if found.op not in _MOVES and self._open_all(result, node):
            return
        params = plain_params(found.params)
        if found.op in _OF_THE_RESULT:
            params["shape"] = list(getattr(result, "shape", ()))
        if found.op in ("var", "std") and "ddof" not in params:
            params["ddof"] = int(isinstance(args[0], TensorArray))
        if found.op == "sum" and "axes" not in params and getattr(result, "shape", None):
            params["axes"] = [0]  # Python's own sum
        self.operation(found.op, found.operands, params, result, node)

    def _open_all(self, result: Any, node: ast.AST) -> bool:
        tensors = [x for x in (result if is_a(result, tuple) else (result,))
                   if is_a(x, TensorArray) and x.made_by]  # fmt: skip
        for x in tensors:
            if not self.knows(x):
                self.open(x, node)
        return bool(tensors)

    def open(self, x: TensorArray, node: ast.AST) -> None:
        """Write down the operations that PyTorch's graph has behind a tensor."""
        for it in order_below([x.node], self._graph):
            if not isinstance(it, LeafNode):
                at = self._opened(it, node)
                if at is None:
                    return
                self._graph[it] = at
        self._at[id(x)] = x, self._graph[x.node]

    def _place_of(self, it: TensorNode, node: ast.AST) -> int | None:
        return self.place(it.tensor, node) if isinstance(it, LeafNode) else self._graph.get(it)

    def _opened(self, it: TensorNode, node: ast.AST) -> int | None:
        if not isinstance(it, Operation):
            places = [self._place_of(arg, node) for arg in it.args if arg is not None]
            known = tuple([at for at in places if at is not None])
            data = tuple(map(float, it.numbers()))
            if len(data) != prod(it.shape):
                return None
            return self._append("own", known, {}, it.shape, it.dtype.name, data, node)
        args: list[int] = []
        for arg, given in zip(it.args, it.given, strict=True):
            found = self._given(given, it, node) if arg is None else self._place_of(arg, node)
            if found is None:
                return None
            args.append(found)
        result = flat_of(it.result)
        if not result.data:
            held = [Flat(self.nodes[at].shape, list(self.nodes[at].data)) for at in args]
            result = it.op.forward(held, it.params)
        params, numbers = plain_params(it.params), tuple(map(float, result.data))
        return self._append(it.op.name, tuple(args), params, it.shape, it.dtype.name, numbers, node)

    def _given(self, given: Any, it: TensorNode, node: ast.AST) -> int | None:
        """The node of an argument that records no gradient: a tensor, or a constant."""
        if isinstance(given, Kept) and not given.of.is_number:
            return self.place(given.of, node)
        shape, data = flat_of(given)
        numbers = tuple(map(float, data))
        return self._append(None, (), {}, shape, it.dtype.name, numbers, node, is_constant=True)

    def module(self, module: Any, args: Any, result: Any, node: ast.AST) -> None:
        """Write down what a module has computed, unless its parts have."""
        if self.is_full or self.knows(result):
            return
        path = self._paths.get(id(module), "")
        for name, value in vars(module).items():
            if is_a(value, TensorArray):
                self.call_by(value, f"{path}.{name}" if path else name, node)
        opened = self._open_all(result, node)
        if opened and is_a(result, TensorArray) and module is not self._outer and path:
            self.name(result, f"{path}(…)", node)

    def enter(self, network: Any, name: str) -> None:
        """Note what the modules of a network are called; `name` is what it is called itself."""
        self._outer = network
        for path, module in network.named_modules():
            whole = path if path and not path[0].isdigit() else f"{name}.{path}".strip(".")
            self._paths.setdefault(id(module), whole)

    def _copied(self, x: Any, result: Any, node: ast.AST) -> None:
        """Write down a copy or a conversion: the same node, as long as neither is changed."""
        at = self.place(x, node) if is_array(x) or self.knows(x) else None
        is_number = is_array(result) or is_a(result, float | Scalar)
        if at is not None and is_a(result, float | Scalar) and self.nodes[at].shape:
            self.add(result, "reshape", (at,), {"shape": []}, node)
        elif (
            at is not None and is_number and same_numbers(elements_of(result), self.nodes[at].data)
        ):
            self._at[id(result)] = result, at
        elif is_array(result):
            self.add(result, None if at is None else "cast", () if at is None else (at,), {}, node)

    def _holds(self, at: int, x: Any) -> bool:
        return same_numbers(elements_of(x), self.nodes[at].data)

    def replaced(self, op: str, before: Any, value: Any, result: Any, node: ast.AST) -> None:
        """Write down `before op= value`, which may have changed the array itself."""
        if result is not before:
            self.operation(op, (before, value), {}, result, node)
        elif self.knows(before) and is_array(before):
            other = self.operand(value, node)
            if other is not None:
                self.add(before, op, (self._at[id(before)][1], other), {}, node)
                self._name_again(before, node)

    def set_items(self, owner: Any, index: Any, value: Any, op: str, node: ast.AST) -> None:
        """Write down `owner[index] op= value`, once the elements are changed; `at` for `add.at`."""
        other, chosen = self.operand(value, node), chosen_places(owner, index)
        if not self.knows(owner) or other is None or chosen is None:
            return
        places, shape = chosen
        params, at = {"places": places, "shape": shape}, self._at[id(owner)][1]
        if op and op != "at":
            before, now = self.nodes[at].data, elements(owner) or ()
            dtype = self.nodes[at].dtype
            parts = [tuple([data[i] for i in places]) for data in (before, now)]
            old = self._append("index", (at,), params, tuple(shape), dtype, parts[0], node)
            if old is not None:
                other = self._append(op, (old, other), {}, tuple(shape), dtype, parts[1], node)
        if other is not None:
            name = "scatter_add" if op == "at" else "write"
            self.add(owner, name, (at, other), params, node)
            self._name_again(owner, node)

    # Names

    def _owner(self, owner: Any) -> int:
        if id(owner) not in self._owners:
            self.owners.append(owner)
            self._owners[id(owner)] = len(self.owners)
        return self._owners[id(owner)]

    def variable(self, owner: int) -> str:
        """The variable of the module that holds the object of a name; "" if none does."""
        held = self.machine.globals.items()
        o = self.owners[owner - 1] if owner else None
        return next((name for name, x in held if o is not None and x is o), "")

    def name(self, x: Any, name: str, node: ast.AST, owner: Any = None) -> None:
        """Note that an array or a number has a name now, as a variable or in an object."""
        place = self._at[id(x)][1] if self.knows(x) else None
        if is_a(x, TensorArray) or (place is None and is_array(x)):
            place = self.place(x, node)
        if place is not None and not self.is_full:
            self._called[id(x)] = name, owner
            number = 0 if owner is None else self._owner(owner)
            self.names.append(ArrayName(name[:NAME], place, len(self.nodes), node, number))

    def call_by(self, x: Any, name: str, node: ast.AST) -> None:
        """Give an array a name unless it has one."""
        if is_array(x) and not self.has_name(x):
            self.name(x, name, node)

    holders = (dict,)
    """What gives names to the arrays in it."""

    def takes(self, x: Any) -> bool:
        """Whether a name of `x` is noted."""
        return is_array(x) or self.knows(x)

    def has_name(self, x: Any) -> bool:
        return id(x) in self._called and self.knows(x)

    def _name_again(self, x: Any, node: ast.AST) -> None:
        if id(x) in self._called:
            name, owner = self._called[id(x)]
            self.name(x, name, node, owner)

    def passed(self, output: TensorArray, node: ast.AST) -> None:
        """Add the scene of a backward pass."""
        m = self.machine
        at = None if self.is_full else self.place(output, node)
        if at is None:
            if not self._is_told:
                m.note(_TOO_MANY, node)
            self._is_told = True
            return
        data = self.nodes[at].data
        loss = data[0] if len(data) == 1 else None
        m.scenes.add("backward", node, None, made=m.tape.made, data=loss)
        self.passes.append(ArrayPass(at, len(self.nodes), node, m.scenes.made))


_TOO_MANY = (
    f"The run has more than {NODES:,} operations on arrays, or {ELEMENTS:,} numbers in them, which "
    "is as many as are kept. Passes from here on are not drawn."
)
_MOVES = frozenset({None, "detach", "reshape", "expand", "permute", "transpose", "index"})
"""Operations that are known by how they are called."""
_OF_THE_RESULT = frozenset({"reshape", "expand"})
"""Operations whose parameter is the shape of their result."""
