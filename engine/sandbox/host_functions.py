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

# Takes the context, the arguments and the place of the result, the latter two arrays of values.
HostFunction: TypeAlias = Callable[[Any, Any, Any], None]

F64: int = ffi.WASMTIME_COMPONENT_F64.value
U64: int = ffi.WASMTIME_COMPONENT_U64.value
SIZE = ctypes.sizeof(ffi.wasmtime_component_val_t)
OFFSET: int = ffi.wasmtime_component_val_t.of.offset  # of a number in its value
NO_FINALIZER = ctypes.cast(0, ctypes.CFUNCTYPE(None, ctypes.c_void_p))


class HostRefusal(Exception):
    """Ends the run: the guest asked for what the host does not do."""


def failure(reason: str) -> int:
    """An error that wasmtime takes over."""
    pointer = ffi.wasmtime_error_new(reason.encode())
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def define(instance: LinkerInstance, name: str, function: HostFunction) -> object:
    """Define a function; what is returned must live as long as the linker."""

    def call(
        _data: Any, context: Any, _type: Any, arguments: Any, _n: Any, results: Any, _m: Any
    ) -> int:
        try:
            function(context, arguments, results)
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
    """A string argument. Raises HostRefusal before copying one of more than `most` bytes."""
    string = value.of.string
    if string.size > most:
        raise HostRefusal(f"a text of {string.size} bytes")
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


def set_none(place: Any) -> None:
    """No value of an option."""
    place.kind = ffi.WASMTIME_COMPONENT_OPTION.value
    place.of.option = None


def set_list(place: Any, numbers: Iterable[int], set_item: Callable[[Any, int], None]) -> None:
    """A list of numbers."""
    items = list(numbers)
    made = _new_list(place, len(items))
    for index, item in enumerate(items):
        set_item(made.data[index], item)


def set_bytes(place: Any, content: bytes) -> None:
    """A list of bytes, all at once: each is a whole value."""
    made = _new_list(place, len(content))
    values = bytearray(SIZE * len(content))
    values[::SIZE] = bytes([ffi.WASMTIME_COMPONENT_U8.value]) * len(content)
    values[OFFSET::SIZE] = content
    ctypes.memmove(made.data, bytes(values), len(values))


def bytes_of(value: Any, most: int) -> bytes:
    """A list of bytes. Raises HostRefusal if they are more than `most`."""
    found = value.of.list
    if found.size > most:
        raise HostRefusal(f"{found.size} bytes")
    return ctypes.string_at(found.data, SIZE * found.size)[OFFSET::SIZE] if found.size else b""


def _new_list(place: Any, size: int) -> Any:
    made = ffi.wasmtime_component_vallist_t()
    ffi.wasmtime_component_vallist_new_uninit(ctypes.byref(made), size)
    place.kind = ffi.WASMTIME_COMPONENT_LIST.value
    place.of.list = made
    return made


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


def number(set_item: Callable[[Any, int], None], value: int) -> Any:
    """A number, as the payload of a result."""
    made = ffi.wasmtime_component_val_t()
    set_item(made, value)
    return made


def set_closed(place: Any) -> None:
    """The result of reading what has ended."""
    made = ffi.wasmtime_component_val_t()
    made.kind = ffi.WASMTIME_COMPONENT_VARIANT.value
    made.of.variant.discriminant = ffi.str_to_capi("closed")
    made.of.variant.val = None
    set_result(place, False, made)


def set_resource(context: Any, place: Any, number: int, of_type: int) -> None:
    """A resource that the guest comes to own; it is a number of the host's."""
    made = ffi.wasmtime_component_resource_host_new(True, number, of_type)
    found = ctypes.POINTER(ffi.wasmtime_component_resource_any_t)()
    ffi.wasmtime_component_resource_host_to_any(context, made, ctypes.byref(found))
    ffi.wasmtime_component_resource_host_delete(made)
    place.kind = ffi.WASMTIME_COMPONENT_RESOURCE.value
    place.of.resource = found


def resource_of(context: Any, value: Any) -> int:
    """The number that a resource is."""
    found = ctypes.POINTER(ffi.wasmtime_component_resource_host_t)()
    ffi.wasmtime_component_resource_any_to_host(context, value.of.resource, ctypes.byref(found))
    number: int = ffi.wasmtime_component_resource_host_rep(found)
    ffi.wasmtime_component_resource_host_delete(found)
    return number


def borrowing(function: HostFunction) -> HostFunction:
    """A function whose first argument is a resource, or a list of some, that it gives back."""

    def call(context: Any, arguments: Any, results: Any) -> None:
        function(context, arguments, results)
        first = arguments[0]
        if first.kind == ffi.WASMTIME_COMPONENT_RESOURCE.value:
            ffi.wasmtime_component_resource_any_drop(context, first.of.resource)
            return
        for index in range(first.of.list.size):
            borrowed = first.of.list.data[index].of.resource
            ffi.wasmtime_component_resource_any_drop(context, borrowed)

    return call
