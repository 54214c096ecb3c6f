"""Named arrays of floats in files: JSON, NumPy's `.npz`, and what `torch.save` writes.

`.npz` is a zip archive of `.npy` files, each a header and the numbers (NumPy's format 1.0 to 3.0).
PyTorch's is one of numbers and a pickle, which says what they are. A pickle is a program that may
do anything: this one is never run. Its opcodes are read as data by a machine that knows those of
state_dicts, and has no way to call anything.
"""

from __future__ import annotations

import io
import json
import math
import pickletools
import re
import struct
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

MOST = 512 << 10
"""Bytes of a file, also when it is unpacked."""
_NPY = re.compile(
    r"\{'descr': '(?P<order>[<>=|]?)(?P<kind>[a-zA-Z]\d*)', "
    r"'fortran_order': (?P<columns>True|False), 'shape': \((?P<shape>[\d, ]*)\),? *\}\s*"
)
_CODES = {"f2": "e", "f4": "f", "f8": "d"}
_STORAGES = {"HalfStorage": "e", "FloatStorage": "f", "DoubleStorage": "d"}


class BadFile(ValueError):
    """A file that cannot be read, and what to do."""


class NamedArray(NamedTuple):
    """An array: its name in the file, its shape, and its numbers row by row."""

    name: str
    shape: tuple[int, ...]
    numbers: tuple[float, ...]


def read_arrays(data: bytes) -> list[NamedArray]:
    """The arrays of a file, in its order. Raises BadFile."""
    if len(data) > MOST:
        raise BadFile(f"The file has {len(data):,} bytes; at most {MOST:,} are read.")
    if data.startswith(b"PK"):
        return _of_archive(data)
    if data.startswith((b"\x80", b"\x93NUMPY")):
        raise BadFile(
            "Save all arrays together: np.savez(…), or torch.save(model.state_dict(), …) of "
            "PyTorch 1.6 or later."
        )
    try:
        found = json.loads(data.decode())
    except (ValueError, RecursionError):
        raise BadFile("This is neither JSON, nor .npz, nor what torch.save writes.") from None
    return list(_of_json(found))


def npz(arrays: Sequence[NamedArray]) -> bytes:
    """Arrays as `numpy.savez` writes them, in 64 bits."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, shape, numbers in arrays:
            header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape!r}, }}"
            text = header.ljust(-(-(len(header) + 11) // 64) * 64 - 11) + "\n"
            begin = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode("latin-1")
            file = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))  # the same bytes each time
            archive.writestr(file, begin + struct.pack(f"<{len(numbers)}d", *numbers))
    return out.getvalue()


def nested(array: NamedArray) -> Any:
    """The numbers of an array as lists of lists."""
    found: list[Any] = list(array.numbers)
    for size in reversed(array.shape[1:]):
        found = [found[i : i + size] for i in range(0, len(found), size)]
    return found


def _of_json(found: Any, name: str = "") -> Iterator[NamedArray]:
    if isinstance(found, dict):
        for key, inside in found.items():
            yield from _of_json(inside, f"{name}.{key}".strip("."))
        return
    shape: list[int] = []
    numbers: list[Any] = [found]
    while numbers and all(isinstance(x, list) for x in numbers):
        sizes = {len(x) for x in numbers}
        if len(sizes) > 1 or len(shape) > 2:
            raise BadFile(f"The rows of {name or 'the list'} have different lengths.")
        shape += sizes
        numbers = [x for row in numbers for x in row]
    if not all(isinstance(x, int | float) and not isinstance(x, bool) for x in numbers):
        return  # a name, a version: what is no array is passed over
    yield _array(name, shape, numbers)


def _array(name: str, shape: Sequence[int], numbers: Sequence[float]) -> NamedArray:
    try:
        floats = tuple(map(float, numbers))
    except OverflowError:
        floats = (math.inf,)
    if not all(map(math.isfinite, floats)):
        raise BadFile(f"{name or 'The list'} has numbers that are not finite.")
    return NamedArray(name, tuple(shape), floats)


def _of_archive(data: bytes) -> list[NamedArray]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(file.file_size for file in archive.infolist()) > MOST:
                raise BadFile(f"Unpacked, the file has more than {MOST:,} bytes.")
            files = {file.filename: archive.read(file) for file in archive.infolist()}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError):
        raise BadFile("The archive is damaged: save it again.") from None
    pickled = next((name for name in files if name.endswith("data.pkl")), "")
    try:
        if pickled:
            return _of_torch(files, pickled)
        return [_npy(name.removesuffix(".npy"), file) for name, file in files.items()]
    except (struct.error, ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        if isinstance(error, BadFile):
            raise
        raise BadFile("The archive is damaged: save it again.") from None


def _npy(name: str, file: bytes) -> NamedArray:
    if not file.startswith(b"\x93NUMPY"):
        raise BadFile(f"{name[:60]} is no array of NumPy.")
    size = struct.unpack_from("<H" if file[6] == 1 else "<I", file, 8)[0]
    begin = (10 if file[6] == 1 else 12) + size
    header = _NPY.fullmatch(file[begin - size : begin].decode("latin-1"))
    code = _CODES.get(header["kind"]) if header else None
    if header is None or code is None:
        raise BadFile(f"{name[:60]} is no array of floats: save it as float32 or float64.")
    shape = [int(x) for x in header["shape"].split(",") if x.strip()]
    order = ">" if header["order"] == ">" else "<"
    numbers = struct.unpack_from(f"{order}{math.prod(shape)}{code}", file, begin)
    if header["columns"] == "True" and len(shape) == 2:
        rows, columns = shape
        numbers = tuple(numbers[j * rows + i] for i in range(rows) for j in range(columns))
    return _array(name, shape, numbers)


# What torch.save writes


class _Named(NamedTuple):
    """What a pickle would import."""

    module: str
    name: str


class _Storage(NamedTuple):
    """Numbers in a file of the archive."""

    kind: str
    file: str


class _Tensor(NamedTuple):
    """A view of numbers."""

    storage: _Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def _of_torch(files: Mapping[str, bytes], pickled: str) -> list[NamedArray]:
    tensors = _tensors(_told(files[pickled]))
    folder = pickled.removesuffix("data.pkl")
    order = ">" if files.get(f"{folder}byteorder", b"little") == b"big" else "<"
    found = []
    for name, tensor in tensors.items():
        code = _STORAGES.get(tensor.storage.kind)
        if code is None:
            raise BadFile(f"{name} holds no floats: save model.float().state_dict().")
        numbers = files[f"{folder}data/{tensor.storage.file}"]
        width = struct.calcsize(code)
        if math.prod(tensor.shape) > MOST:
            raise BadFile(f"{name} has too many numbers.")
        places = (width * at for at in _places(tensor))
        values = [struct.unpack_from(order + code, numbers, at)[0] for at in places]
        found.append(_array(name, tensor.shape, values))
    return found


def _places(tensor: _Tensor) -> list[int]:
    """The places of a view's numbers in its storage, row by row."""
    places = [tensor.offset]
    for size, stride in zip(tensor.shape, tensor.strides, strict=True):
        places = [at + i * stride for at in places for i in range(size)]
    return places


def _tensors(told: Any) -> dict[str, _Tensor]:
    """The tensors of a state_dict, or of the first one in a checkpoint. Raises BadFile."""
    inside = told.values() if isinstance(told, dict) else ()
    for held in (told, *inside):
        if isinstance(held, dict):
            found = {str(key): x for key, x in held.items() if isinstance(x, _Tensor)}
            if found:
                return found
    raise BadFile("No tensors were found: save the weights with torch.save(model.state_dict(), …).")


MORE = "The file holds more than weights: save model.state_dict()."
_MARK = object()


def _told(data: bytes) -> Any:
    """What a pickle describes, read opcode by opcode; nothing is imported or called."""
    stack: list[Any] = []
    memo: dict[int, Any] = {}
    arg: Any
    for opcode, arg, _ in pickletools.genops(data):
        match opcode.name:
            case "PROTO" | "FRAME":
                pass
            case "STOP":
                return stack.pop()
            case "MARK":
                stack.append(_MARK)
            case "GLOBAL":
                stack.append(_Named(*arg.split(" ", 1)))
            case "BINPUT" | "LONG_BINPUT":
                memo[arg] = stack[-1]
            case "BINGET" | "LONG_BINGET":
                stack.append(memo[arg])
            case "EMPTY_TUPLE" | "TUPLE" | "TUPLE1" | "TUPLE2" | "TUPLE3":
                stack.append(tuple(_taken(stack, opcode.name)))
            case "EMPTY_DICT":
                stack.append({})
            case "SETITEM" | "SETITEMS":
                items = _taken(stack, "TUPLE2" if opcode.name == "SETITEM" else "TUPLE")
                stack[-1].update(zip(items[::2], items[1::2], strict=True))
            case "REDUCE":
                args = stack.pop()
                stack.append(_made(stack.pop(), args))
            case "BUILD":
                stack.pop()  # the versions of modules
            case "BINPERSID":
                _, kind, file, *_ = stack.pop()
                stack.append(_Storage(kind.name, file))
            case "NONE" | "NEWTRUE" | "NEWFALSE":
                stack.append({"NONE": None, "NEWTRUE": True, "NEWFALSE": False}[opcode.name])
            case "BINUNICODE" | "BININT" | "BININT1" | "BININT2" | "LONG1" | "BINFLOAT":
                stack.append(arg)
            case "EMPTY_LIST":
                stack.append([])
            case "APPEND" | "APPENDS":
                items = [stack.pop()] if opcode.name == "APPEND" else _taken(stack, "TUPLE")
                stack[-1].extend(items)
            case _:
                raise BadFile(MORE)
    raise BadFile("The file ends too early: save it again.")


def _taken(stack: list[Any], name: str) -> list[Any]:
    """The last items of the stack: as many as the opcode says, or those above the mark."""
    if name == "EMPTY_TUPLE":
        return []
    count = int(name[-1]) if name[-1].isdigit() else len(stack) - _mark(stack)
    found = stack[len(stack) - count :]
    del stack[len(stack) - count :]
    if not name[-1].isdigit():
        stack.pop()
    return found


def _mark(stack: list[Any]) -> int:
    """The place above the last mark."""
    return max(i for i, x in enumerate(stack) if x is _MARK) + 1


def _made(named: Any, args: Any) -> Any:
    """What one of the functions that state_dicts use would make; inert for any other."""
    match named:
        case _Named("collections", "OrderedDict"):
            return {}
        case _Named("torch._utils", "_rebuild_tensor_v2"):
            storage, offset, shape, strides = args[:4]
            return _Tensor(storage, offset, tuple(shape), tuple(strides))
        case _Named("torch._utils", "_rebuild_parameter"):
            return args[0]
    raise BadFile(MORE)
