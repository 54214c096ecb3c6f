"""Pictures as PNG, drawn by resvg with fonts of this folder: the same bytes on every machine.

The fonts of the machine are left out, and it need not have any. Letters that DejaVu Sans Mono lacks
are not drawn.
"""

from __future__ import annotations

import re
from pathlib import Path

SCALE = 2.0
"""Pixels per unit of the picture."""
FAMILY = "DejaVu Sans Mono"
FONTS = tuple(
    str(Path(__file__).parent / "fonts" / f"{name}-2.37.ttf")
    for name in ("DejaVuSansMono", "DejaVuSansMono-Bold")
)
_SIZE = re.compile(r'<svg [^>]*?\bwidth="([\d.]+)" height="([\d.]+)"')


class TooLarge(ValueError):
    """A picture would have more pixels than are allowed."""


def png(svg: str, most: int) -> bytes:
    """A standalone picture as PNG. Raises TooLarge for one of more than `most` pixels."""
    import resvg_py  # native code that no other answer needs

    found = _SIZE.search(svg)
    assert found is not None
    width, height = (round(float(side) * SCALE) for side in found.groups())
    if width * height > most:
        raise TooLarge(
            f"The picture would have {width:,} × {height:,} pixels; the limit is {most:,} in all. "
            "Close groups, or take the picture as SVG."
        )
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            zoom=SCALE,
            skip_system_fonts=True,
            font_files=list(FONTS),
            font_family=FAMILY,
            monospace_family=FAMILY,
            sans_serif_family=FAMILY,
        )
    )
