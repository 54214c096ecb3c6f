"""How much of what was sent a client has not read yet."""

from __future__ import annotations

import asyncio
import struct

try:
    import fcntl
    import termios
except ImportError:  # Windows: what its kernel holds is not counted
    QUEUED = None
else:
    QUEUED = getattr(termios, "TIOCOUTQ", None)


def unread(transport: asyncio.Transport) -> int:
    """Bytes that wait in the process and, where the kernel tells, in the kernel.

    The kernel takes more only once a third of its megabytes is gone: by the process' own bytes a
    slow reader looks like none.
    """
    return transport.get_write_buffer_size() + _queued(transport)


def _queued(transport: asyncio.Transport) -> int:
    connection = transport.get_extra_info("socket")
    if QUEUED is None or connection is None:
        return 0
    try:
        found = fcntl.ioctl(connection.fileno(), QUEUED, bytes(4))
    except OSError:
        return 0
    count: int = struct.unpack("i", found)[0]
    return count
