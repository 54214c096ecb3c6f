"""Functions of the host for wasmtime's components, without the conversions of its Python package.

Those build a description of every type anew in each call (12 µs instead of 2), and keep the error
of a call in a variable of the process, so that one run could be ended by what another one met.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from wasmtime import _ffi as ffi
from wasmtime.component import LinkerInstance

# Takes the arguments and the place of the result, both arrays of component values.
HostFunction: TypeAlias = Callable[[Any, Any], None]

F64: int = ffi.WASMTIME_COMPONENT_F64.value
U64: int = ffi.WASMTIME_COMPONENT_U64.value
NO_FINALIZER = ctypes.cast(0, ctypes.CFUNCTYPE(None, ctypes.c_void_p))


class Refused(Exception):
    """Ends the run: the guest asked for what the host does not do."""


def failure(reason: str) -> int:
    """An error that wasmtime takes over."""
    pointer = ffi.wasmtime_error_new(reason.encode())
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def define(instance: LinkerInstance, name: str, function: HostFunction) -> object:
    """Define a function; what is returned must live as long as the linker."""

    def call(
        _data: Any, _context: Any, _type: Any, arguments: Any, _n: Any, results: Any, _m: Any
    ) -> int:
        try:
            function(arguments, results)
        except Exception as error:  # it must not pass through code that is not Python
            return failure(f"{name}: {error}")
        return 0

    callback = ffi.wasmtime_component_func_callback_t(call)
    encoded = name.encode()
    error: Any = ffi.wasmtime_component_linker_instance_add_func(
        *(instance.ptr(), ctypes.create_string_buffer(encoded), len(encoded)),
        *(callback, None, NO_FINALIZER),
    )
    assert not error, name
    return callback


def text_of(value: Any, most: int) -> str:
    """A string argument. Raises Refused before it is copied if it has more bytes than `most`."""
    string = value.of.string
    if string.size > most:
        raise Refused(f"a text of {string.size} bytes")
    return ctypes.string_at(string.data, string.size).decode() if string.size else ""


def set_text(place: Any, text: str) -> None:
    place.kind = ffi.WASMTIME_COMPONENT_STRING.value
    place.of.string = ffi.str_to_capi(text)


def set_f64(place: Any, number: float) -> None:
    place.kind = F64
    place.of.f64 = number


def set_u64(place: Any, number: int) -> None:
    place.kind = U64
    place.of.u64 = number


def set_u32(place: Any, number: int) -> None:
    place.kind = ffi.WASMTIME_COMPONENT_U32.value
    place.of.u32 = number


def set_u8(place: Any, number: int) -> None:
    place.kind = ffi.WASMTIME_COMPONENT_U8.value
    place.of.u8 = number


def set_none(place: Any) -> None:
    """No value of an option."""
    place.kind = ffi.WASMTIME_COMPONENT_OPTION.value
    place.of.option = None


def set_list(place: Any, numbers: Iterable[int], set_item: Callable[[Any, int], None]) -> None:
    """A list of numbers."""
    items = list(numbers)
    made = ffi.wasmtime_component_vallist_t()
    ffi.wasmtime_component_vallist_new_uninit(ctypes.byref(made), len(items))
    for index, item in enumerate(items):
        set_item(made.data[index], item)
    place.kind = ffi.WASMTIME_COMPONENT_LIST.value
    place.of.list = made


def set_record(place: Any, fields: dict[str, tuple[Callable[[Any, int], None], int]]) -> None:
    """A record of numbers."""
    made = ffi.wasmtime_component_valrecord_t()
    ffi.wasmtime_component_valrecord_new_uninit(ctypes.byref(made), len(fields))
    for index, (name, (set_item, number)) in enumerate(fields.items()):
        made.data[index].name = ffi.str_to_capi(name)
        set_item(made.data[index].val, number)
    place.kind = ffi.WASMTIME_COMPONENT_RECORD.value
    place.of.record = made


def set_result(place: Any, ok: bool, payload: Any = None) -> None:
    """A result; the payload, if there is one, is a component value that is taken over."""
    place.kind = ffi.WASMTIME_COMPONENT_RESULT.value
    place.of.result.is_ok = ok
    place.of.result.val = (
        None if payload is None else ffi.wasmtime_component_val_new(ctypes.byref(payload))
    )


def enumeration(name: str) -> Any:
    """A value of an enumeration."""
    made = ffi.wasmtime_component_val_t()
    made.kind = ffi.WASMTIME_COMPONENT_ENUM.value
    made.of.enumeration = ffi.str_to_capi(name)
    return made
