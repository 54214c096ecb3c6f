"""The end of a recording: the names of tensors and modules, and the text of lines."""

from __future__ import annotations

import linecache
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import torch

from engine.live.names import paths_to
from engine.pytorch.figures import figures_of
from engine.pytorch.ledger import TorchLedger
from engine.pytorch.record import SourcePlace

_ASSIGNED = re.compile(r"\s*([A-Za-z_][\w.]*)\s*=\s*$")
_INDEXED = 1000
"""Tensors that are looked for in what variables hold."""


def finish(recorder: TorchLedger, roots: Mapping[str, Any], variables: Mapping[str, Any]) -> None:
    """Name what the variables hold, resolve the places, keep the gradients of leaves."""
    held = {name: x for name, x in variables.items() if not name.startswith("_")}
    _name_modules(recorder, roots, held)
    for tensor, name in _named(held):
        known = recorder.record.tensors.get(recorder.known(tensor))
        if known is not None and (not known.name or len(name) < len(known.name)):
            known.name = name
    _name_held(recorder, held)
    _optimizers(recorder, held)
    for frame in recorder.record.frames:
        if frame.place is not None:
            _resolve(frame.place)
    _name_assigned(recorder)
    for tensor, name in recorder.alive():
        known = recorder.record.tensors[name]
        if known.role in ("parameter", "leaf"):
            grad = tensor.grad
            kept = None if grad is None else figures_of(grad, recorder.keep)
            recorder.record.grads[name] = kept


def _name_modules(recorder: TorchLedger, roots: Mapping[str, Any], held: Mapping[str, Any]) -> None:
    """Modules by the variables that hold them; their parameters, also those that were not used."""
    modules = {name: x for name, x in held.items() if isinstance(x, torch.nn.Module)}
    names: dict[str, str] = {}
    for provisional, root in roots.items():
        found = [name for name, x in modules.items() if x is root]
        names[provisional] = min(found, key=len) if found else _inside(root, modules)
    _rename(
        recorder,
        {old: new or type(roots[old]).__name__ for old, new in names.items()},
    )
    for name, module in modules.items():
        for path, tensor in module.named_parameters():
            recorder.tensor_of(tensor).name = f"{name}.{path}"
        for path, tensor in module.named_buffers():
            known = recorder.record.tensors.get(recorder.known(tensor))
            if known is not None:
                known.name, known.role = f"{name}.{path}", "buffer"
    for provisional, root in roots.items():
        for path, tensor in root.named_parameters():
            known = recorder.tensor_of(tensor)
            prefix = names[provisional] or type(root).__name__
            known.name = known.name or f"{prefix}.{path}"


def _inside(root: Any, modules: Mapping[str, Any]) -> str:
    """The path of a module that another holds."""
    for name, module in modules.items():
        for path, inner in module.named_modules():
            if inner is root:
                return f"{name}.{path}"
    return ""


def _rename(recorder: TorchLedger, names: Mapping[str, str]) -> None:
    def renamed(path: str) -> str:
        root, dot, rest = path.partition(".")
        return f"{names.get(root, root)}{dot}{rest}"

    for frame in recorder.record.frames:
        if frame.module:
            frame.module = renamed(frame.module)
    modules = recorder.record.modules
    for path, module in list(modules.items()):
        module.path = renamed(path)
    recorder.record.modules = {module.path: module for module in modules.values()}


def names_of(variables: Mapping[str, Any]) -> Iterator[tuple[Any, str]]:
    """Tensors with their names, also those of modules' parameters."""
    held = {name: x for name, x in variables.items() if not name.startswith("_")}
    for name, x in held.items():
        if isinstance(x, torch.nn.Module):
            yield from ((p, f"{name}.{path}") for path, p in x.named_parameters())
    yield from _named(held)


def _named(held: Mapping[str, Any]) -> Iterator[tuple[Any, str]]:
    """Tensors that variables are, or lists, tuples and dictionaries hold."""
    for name, x in held.items():
        if isinstance(x, torch.Tensor):
            yield x, name
        elif isinstance(x, list | tuple):
            yield from (
                (t, f"{name}[{i}]")
                for i, t in enumerate(x[:_INDEXED])
                if isinstance(t, torch.Tensor)
            )
        elif isinstance(x, dict):
            yield from (
                (t, f"{name}[{key!r}]")
                for key, t in list(x.items())[:_INDEXED]
                if isinstance(t, torch.Tensor) and isinstance(key, str | int)
            )


def _name_held(recorder: TorchLedger, held: Mapping[str, Any]) -> None:
    """Leaves that objects of the program hold: `layers[0].weight`."""
    tensors = recorder.record.tensors
    wanted = {
        id(t): name for t, name in recorder.alive() if tensors[name].role and not tensors[name].name
    }
    if not wanted:
        return
    plain = {
        name: x for name, x in held.items() if not isinstance(x, torch.Tensor | torch.nn.Module)
    }
    found = paths_to([t for t, name in recorder.alive() if name in wanted.values()], plain)
    for key, path in found.paths.items():
        tensors[wanted[key]].name = path


def _optimizers(recorder: TorchLedger, held: Mapping[str, Any]) -> None:
    for name, x in held.items():
        if isinstance(x, torch.optim.Optimizer):
            parameters = [p for group in x.param_groups for p in group["params"]]
            ids = tuple(recorder.tensor_of(p).id for p in parameters)
            recorder.record.optimizers[name] = ids


def _name_assigned(recorder: TorchLedger) -> None:
    """`h = torch.tanh(x)` names the result, also if another value has the name later."""
    record = recorder.record
    made = {state.tensor for frame in record.calls for state in frame.outputs}
    taken = {tensor.name for tensor in record.tensors.values() if tensor.id not in made}
    for frame in record.calls:
        place = frame.place
        if frame.inside is not None or place is None or place.column is None:
            continue
        found = _ASSIGNED.match(place.text.encode()[: place.column].decode(errors="replace"))
        if found is None or len(frame.outputs) != 1:
            continue
        tensor = record.tensors[frame.outputs[0].tensor]
        rest = place.text.encode()[place.end :].decode(errors="replace").strip()
        if not rest or rest.startswith("#"):
            tensor.name = tensor.name or ("" if found[1] in taken else found[1])


def _resolve(place: SourcePlace) -> None:
    """Text and columns of a place; its code is let go."""
    if place.code is None:
        return
    place.text = linecache.getline(place.file, place.line).rstrip("\n")
    where = next(islice(place.code.co_positions(), place.at // 2, None), (None,) * 4)
    line, end_line, column, end = where
    if line == end_line == place.line:
        place.column, place.end = column, end
    place.code = None
