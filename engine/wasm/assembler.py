"""A small WebAssembly assembler: functions are emitted instruction by instruction.

Covers the subset of WebAssembly 2.0 (W3C, 2022) with 128-bit SIMD that the training kernel uses:
i32, i64, f64, f64x2, one memory, calls and structured loops. Relaxed SIMD, and with it fused
multiply-add, is omitted because its results are implementation-defined.

    body = Function([I32])                     # one parameter
    total = body.local(V128)
    with body.loop(body.local(I32), 0, 160, 16) as at:
        body.get(at); body.load(0); body.get(total); body.do("f64x2.add"); body.set(total)
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

I32, I64, F64, V128 = 0x7F, 0x7E, 0x7C, 0x7B
PAGE = 65_536  # bytes of a memory page

_PLAIN = {
    "i32.eqz": 0x45,
    "i32.lt_u": 0x49,
    "i32.gt_u": 0x4B,
    "i32.add": 0x6A,
    "i32.mul": 0x6C,
    "i32.div_u": 0x6E,
    "i32.and": 0x71,
    "i32.shl": 0x74,
    "i32.shr_u": 0x76,
    "i64.add": 0x7C,
    "i64.mul": 0x7E,
    "i64.rem_u": 0x82,
    "i64.xor": 0x85,
    "i64.shr_u": 0x88,
    "i32.wrap_i64": 0xA7,
    "i64.extend_i32_u": 0xAD,
    "f64.convert_i32_u": 0xB8,
    "select": 0x1B,
}
_SIMD = {
    "i64x2.splat": 0x12,
    "f64x2.splat": 0x14,
    "f64x2.eq": 0x47,
    "f64x2.ne": 0x48,
    "f64x2.lt": 0x49,
    "f64x2.gt": 0x4A,
    "f64x2.le": 0x4B,
    "f64x2.ge": 0x4C,
    "v128.and": 0x4E,
    "v128.or": 0x50,
    "v128.xor": 0x51,
    "v128.bitselect": 0x52,
    "i64x2.extend_low_i32x4_u": 0xC9,
    "i64x2.shl": 0xCB,
    "i64x2.shr_u": 0xCD,
    "i64x2.add": 0xCE,
    "i64x2.sub": 0xD1,
    "i64x2.mul": 0xD5,
    "i64x2.ge_s": 0xDB,
    "f64x2.abs": 0xEC,
    "f64x2.neg": 0xED,
    "f64x2.sqrt": 0xEF,
    "f64x2.add": 0xF0,
    "f64x2.sub": 0xF1,
    "f64x2.mul": 0xF2,
    "f64x2.div": 0xF3,
    "f64x2.max": 0xF5,
    "f64x2.min": 0xF4,
    "f64x2.pmin": 0xF6,
    "f64x2.pmax": 0xF7,
    "i32x4.trunc_sat_f64x2_u_zero": 0xFD,
}


def unsigned(number: int) -> bytes:
    """`number` >= 0 as unsigned LEB128."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def signed(number: int) -> bytes:
    """`number` as signed LEB128."""
    out = bytearray()
    while not -64 <= number < 64:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number & 0x7F)
    return bytes(out)


OPCODES: dict[str, bytes] = {name: bytes((code,)) for name, code in _PLAIN.items()} | {
    name: b"\xfd" + unsigned(code) for name, code in _SIMD.items()
}
"""Instructions without immediates, by specification name."""


class FunctionBuilder:
    """A function under construction: parameters, results, locals and instructions.

    A local is represented by its index. Memory instructions pop a byte address (i32) and add the
    constant `offset`. In docstrings, [a, b] → c is the effect on the stack.
    """

    def __init__(self, params: Sequence[int] = (), results: Sequence[int] = ()) -> None:
        self.params = bytes(params)
        self.results = bytes(results)
        self._locals = bytearray()
        self._code = bytearray()

    def local(self, kind: int) -> int:
        """Declare a local of type `kind`; returns its index."""
        self._locals.append(kind)
        return len(self.params) + len(self._locals) - 1

    def locals(self, kind: int, count: int) -> list[int]:
        """Declare `count` locals."""
        return [self.local(kind) for _ in range(count)]

    def do(self, *names: str) -> None:
        """Emit instructions without immediates."""
        for name in names:
            self._code += OPCODES[name]

    def get(self, local: int) -> None:
        self._code += b"\x20" + unsigned(local)

    def set(self, local: int) -> None:
        self._code += b"\x21" + unsigned(local)

    def tee(self, local: int) -> None:
        self._code += b"\x22" + unsigned(local)

    def i32(self, number: int) -> None:
        self._code += b"\x41" + signed(number)

    def i64(self, number: int) -> None:
        """A 64-bit pattern, 0 <= number < 2**64."""
        self._code += b"\x42" + signed(number - (number >> 63 << 64))

    def pair(self, number: float) -> None:
        """The constant `number` in both lanes."""
        self._code += b"\xfd\x0c" + struct.pack("<dd", number, number)

    def bits(self, pattern: int) -> None:
        """A 64-bit pattern in both lanes."""
        self._code += b"\xfd\x0c" + struct.pack("<QQ", pattern, pattern)

    def load(self, offset: int) -> None:
        """Load an f64x2, 16 bytes."""
        self._code += b"\xfd\x00\x03" + unsigned(offset)

    def store(self, offset: int) -> None:
        self._code += b"\xfd\x0b\x03" + unsigned(offset)

    def splat(self, offset: int) -> None:
        """Load one f64 into both lanes: two instructions, which compile to one on x86."""
        self.load_f64(offset)
        self.do("f64x2.splat")

    def load_indices(self, offset: int) -> None:
        """Load two u32, each zero-extended to 64 bits."""
        self._code += b"\xfd\x5d\x02" + unsigned(offset)
        self.do("i64x2.extend_low_i32x4_u")

    def load_lane(self, offset: int, lane: int) -> None:
        """[address, pair] → pair with one lane loaded from memory."""
        self._code += b"\xfd\x57\x03" + unsigned(offset) + bytes((lane,))

    def store_lane(self, offset: int, lane: int) -> None:
        """[address, pair] → []; stores one lane."""
        self._code += b"\xfd\x5b\x03" + unsigned(offset) + bytes((lane,))

    def lanes(self, first: int, second: int) -> None:
        """[a, b] → two of the lanes a0 a1 b0 b1, selected by index (i8x16.shuffle)."""
        picked = [8 * lane + byte for lane in (first, second) for byte in range(8)]
        self._code += b"\xfd\x0d" + bytes(picked)

    def load_i32(self, offset: int) -> None:
        self._code += b"\x28\x02" + unsigned(offset)

    def store_i32(self, offset: int) -> None:
        self._code += b"\x36\x02" + unsigned(offset)

    def load_i64(self, offset: int) -> None:
        self._code += b"\x29\x03" + unsigned(offset)

    def load_f64(self, offset: int) -> None:
        self._code += b"\x2b\x03" + unsigned(offset)

    def shift(self, name: str, count: int) -> None:
        """An i64x2 shift by a constant."""
        self.i32(count)
        self.do(name)

    def store_bytes(self, offset: int) -> None:
        """[address, pair] → []; stores each lane, truncated, as one byte.

        Lanes must lie in [0, 256); nan gives 0.
        """
        self.do("i32x4.trunc_sat_f64x2_u_zero")
        low_bytes = bytes((0, 4)) + bytes(14)
        place = self.local(V128)
        self.tee(place)
        self.get(place)
        self._code += b"\xfd\x0d" + low_bytes
        self._code += b"\xfd\x59\x01" + unsigned(offset) + b"\x00"

    def copy(self) -> None:
        """[to, from, size] → []; copies bytes."""
        self._code += b"\xfc\x0a\x00\x00"

    def call(self, function: int) -> None:
        self._code += b"\x10" + unsigned(function)

    def plus(self, number: int) -> None:
        """Add a constant to the i32 on the stack."""
        if number:
            self.i32(number)
            self.do("i32.add")

    @contextmanager
    def loop(self, at: int, start: int | None, stop: int, step: int) -> Iterator[int]:
        """do … while: for at = start; at < stop; at += step, at least one iteration.

        With a negative step it is at > stop; both are unsigned. With `start` None the local `at`
        keeps its value. `stop` is a constant; `loop_to` takes a local.
        """
        with self._iterations(at, start, step):
            yield at
            self._next(at, step)
            self.i32(stop)

    @contextmanager
    def loop_to(self, at: int, start: int | None, stop: int, step: int) -> Iterator[int]:
        """As `loop`, with the bound in the local `stop`."""
        with self._iterations(at, start, step):
            yield at
            self._next(at, step)
            self.get(stop)

    @contextmanager
    def _iterations(self, at: int, start: int | None, step: int) -> Iterator[None]:
        if start is not None:
            self.i32(start)
            self.set(at)
        self._code += b"\x03\x40"  # loop
        yield
        # Not i32.ne: Cranelift turns at + step != stop into at != stop - step, which keeps the old
        # value of `at` alive and costs a move and a jump in each iteration.
        self.do("i32.lt_u" if step > 0 else "i32.gt_u")
        self._code += b"\x0d\x00\x0b"  # br_if 0, end

    def _next(self, at: int, step: int) -> None:
        self.get(at)
        self.plus(step)
        self.tee(at)

    @contextmanager
    def when(self) -> Iterator[None]:
        """[condition: i32] → []; an `if` block without else."""
        self._code += b"\x04\x40"
        yield
        self._code += b"\x0b"

    def encode(self) -> bytes:
        """The code entry: locals, run-length encoded by type, then the instructions."""
        runs: list[list[int]] = []
        for kind in self._locals:
            if runs and runs[-1][1] == kind:
                runs[-1][0] += 1
            else:
                runs.append([1, kind])
        head = _vector([unsigned(count) + bytes((kind,)) for count, kind in runs])
        body = head + self._code + b"\x0b"
        return unsigned(len(body)) + body


class WasmModule:
    """Functions, their exports, and one exported memory, "memory"."""

    def __init__(self) -> None:
        self._functions: list[FunctionBuilder] = []
        self._exports: dict[str, int] = {}

    def add(self, function: FunctionBuilder, export: str = "") -> int:
        """Add a function, exported under the name `export` if given; returns its index."""
        self._functions.append(function)
        index = len(self._functions) - 1
        if export:
            self._exports[export] = index
        return index

    def encode(self, memory: int) -> bytes:
        """The binary module, with at least `memory` bytes of memory."""
        kinds = list(dict.fromkeys((f.params, f.results) for f in self._functions))
        types = [b"\x60" + _counted(params) + _counted(results) for params, results in kinds]
        uses = [unsigned(kinds.index((f.params, f.results))) for f in self._functions]
        pages = -(-memory // PAGE)
        names = [_counted(b"memory") + b"\x02\x00"]
        names += [
            _counted(name.encode()) + b"\x00" + unsigned(index)
            for name, index in self._exports.items()
        ]
        sections = {
            1: types,
            3: uses,
            5: [b"\x01" + unsigned(pages) * 2],  # minimum = maximum: the memory never moves
            7: names,
            10: [function.encode() for function in self._functions],
        }
        body = b"".join(
            bytes((number,)) + _counted(_vector(items)) for number, items in sections.items()
        )
        return b"\0asm\x01\0\0\0" + body


def _vector(items: Sequence[bytes]) -> bytes:
    return unsigned(len(items)) + b"".join(items)


def _counted(data: bytes) -> bytes:
    return unsigned(len(data)) + data
