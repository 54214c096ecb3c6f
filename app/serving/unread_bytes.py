"""The number of bytes sent to a client that it has not received yet."""

from __future__ import annotations

import asyncio
import struct

try:
    import fcntl
    import termios
except ImportError:  # Windows, where the kernel's send queue is not counted
    QUEUED = None
else:
    QUEUED = getattr(termios, "TIOCOUTQ", None)


def unread(transport: asyncio.Transport) -> int:
    """Bytes in the transport's buffer and, where the kernel tells, in the socket's send queue.

    The kernel accepts more bytes only once a third of its queue, megabytes long, has been sent: by
    the transport's buffer alone a slow reader would look like one that does not read.
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
