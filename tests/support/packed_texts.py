"""Packed programs for browsers: what their own streams make of them."""

from __future__ import annotations

import base64
import json
import zlib

from app.packed_text import MOST, pack, unpack
from tests.support.places import ROOT

RECORDED = ROOT / "tests/data/packed-texts.jsonl"
"""Texts packed by another writer of DEFLATE, whose links are around."""
PACKED = 58_000  # bytes that the bomb has at least


def recorded() -> list[dict[str, str]]:
    """The texts with their packed forms."""
    return [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]


def bomb() -> str:
    """60 MB of one letter, packed."""
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = squeezer.compress(b"a" * 60_000_000) + squeezer.flush()
    assert len(data) > PACKED
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def script() -> str:
    """JavaScript for a page of Explore: the result is judged by `judge`."""
    rows = recorded()
    packed = [row["packed"] for row in rows]
    wrong = [bomb(), pack("a" * (MOST + 1)), pack("L = 2")[:-4], pack("L = 2") + "AAAA", "!"]
    return f"""(async () => {{
      const main = document.querySelector('script[src*="joined/explore/main.js"]').src
      const there = main.replace('joined/explore/main.js', 'js/explore/packed-text.js')
      const {{ pack, unpack }} = await import(there)
      const results = {{
        read: await Promise.all({json.dumps(packed)}.map(unpack)),
        packed: await Promise.all({json.dumps([row["text"] for row in rows])}.map(pack)),
      }}
      let taken = 0
      const pipe = ReadableStream.prototype.pipeThrough
      ReadableStream.prototype.pipeThrough = function (through) {{
        const counted = new TransformStream({{
          transform(piece, stream) {{ taken += piece.length; stream.enqueue(piece) }}
        }})
        return pipe.call(pipe.call(this, counted), through)
      }}
      results.taken = [await unpack({json.dumps(wrong[0])}), taken]
      ReadableStream.prototype.pipeThrough = pipe
      results.wrong = await Promise.all({json.dumps(wrong)}.map(unpack))
      return JSON.stringify(results)
    }})()"""


def judge(result: str) -> None:
    """Expect that old links are read, Python reads the new ones, and damage and bombs are refused.

    No more of a bomb is unpacked than the limit asks for.
    """
    found = json.loads(result)
    texts = [row["text"] for row in recorded()]
    assert found["read"] == texts
    assert [unpack(letters) for letters in found["packed"]] == texts
    assert found["wrong"] == [None] * 5
    nothing, taken = found["taken"]
    assert nothing is None
    assert taken < PACKED / 20
