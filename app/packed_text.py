"""Long programs in addresses: compressed by DEFLATE (RFC 1951), in the letters of base64url.

static/js/explore/packed-text.js writes and reads the same form, not the same letters: there are
many ways to compress a text.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib

MOST = 262_144
"""Bytes of a text once unpacked: the largest value of the setting `program_bytes`."""
_RAW = -15
_LETTERS = re.compile(r"[A-Za-z0-9_-]*")


class Damaged(ValueError):
    """This is no packed text, or one that is too long."""


def pack(text: str) -> str:
    """`text` packed: for programs, about a third of their length."""
    squeezer = zlib.compressobj(9, zlib.DEFLATED, _RAW)
    data = squeezer.compress(text.encode(errors="replace")) + squeezer.flush()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unpack(packed: str) -> str:
    """The text. Raises Damaged; never takes more than MOST bytes of memory for it."""
    if not _LETTERS.fullmatch(packed):
        raise Damaged("The packed program has letters that do not belong there.")
    opener = zlib.decompressobj(_RAW)
    try:
        data = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        found = opener.decompress(data, MOST + 1)
        if len(found) > MOST:
            raise Damaged(f"The packed program has more than {MOST:,} bytes.")
        if not opener.eof or opener.unused_data:
            raise Damaged("The packed program is not whole. Copy the link again.")
        return found.decode()
    except (zlib.error, binascii.Error, UnicodeDecodeError):
        raise Damaged("The packed program is damaged. Copy the link again.") from None
