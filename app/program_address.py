"""Explore's state in its address: program, changed leaves, scene, frame and view.

It is read from a query or a form.

    /?program=L+%3D+a*2&a=2.5&scene=3&at=10&direction=TB&grouped=1&open=g1,g2&lens=check

A program whose address would be longer than PLAIN is packed: /?packed=S1RSUIgpCUlMTlXI...

`grouped=1` draws boxes and `grouped=0` single Values; without it a large graph is drawn as boxes.
Without `direction`, LR or TB, the picture has the one in which it is larger.

Every parameter outside OWN and LENSES is the new value of a leaf. A leaf whose name is in one of
them is prefixed with `leaf.`. Links from before a name was a parameter keep their meaning: beside
`program`, `packed` is a leaf, and so is a name of LENSES whose text is a number.

`at` is the frame, counted from 1 as the page counts. Older links count from 0, by `frame`; so do
those of a program in whose text the word `at` occurs, where `at` may be a leaf.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import quote_plus, urlencode

from app import packed_text
from app.caches import cached

OWN = ("program", "packed", "scene", "frame", "direction", "grouped", "open")
LENSES: dict[str, str] = {
    "tab": "`unrolled` shows the unrolled program in place of the text",
    "lens": "the open sections beside the picture, separated by commas",
    "mistake": "the rule that is broken: `assign`, or `partial:*:0:b+1` for a partial of choice",
    "expand": "the Values whose operations are open, by id, separated by commas",
    "check": "the Value whose gradient check is shown by step, and the step: v3@1e-05",
    "nudge": "the leaves that are moved, how far at most, and how far: v1,v2@1@0.25",
    "tangent": "the leaf that a forward sweep starts from, and counts of inputs, outputs: v1@8@2",
    "keep": "the ops in a segment of checkpointing: every:3",
    "second": "the leaf of derivatives, their order, the leaves of the Hessian: v1@2@v1,v2",
    "descend": "the leaves that descend, optimizer, rate, steps, down or up, step shown and "
    "start: v1,v2@adam@0.1@30@down@5@2.0,-3.0",
    "value": "the id of the Value whose card is open, or the chosen cell of an array: a4.3, W[0,1]",
    "by": "the frames that are one step: `line`, or `contribution:1` for one of a frame",
    "stops": "the lines and Values at which playing pauses: line:4,value:v1",
    "edges": "contributions: edges show what came along them",
    "present": "on: picture and explanation fill the window",
    "run": "the run of Train that the program shows, as its query with the step",
    "frames": "the frames that `/print` prints: all, this, ends, or numbers such as 1,4-8",
}
"""The ways to look at the graph that an address names: each parameter with its meaning. Their texts
are not numbers; the parts of the page that they belong to read them, and ignore unknown ones."""
EXERCISE = "exercise"
"""The parameter that asks for an exercise on a program; one whose text is a number is a leaf."""
PRESENT = "present"
NARROW = "room"
"""What the script of a narrow page says of the room that it has for a picture."""
_SCREEN = re.compile(r"([1-9]\d{2,3})x([1-9]\d{2,3})", re.ASCII)
AT = "at"
_AT_AS_NAME = re.compile(rf"\b{AT}\b", re.ASCII)
PREFIX = "leaf."
LONGEST_LENS = 2_000  # letters
_GROUPED = {"1": True, "0": False}
ROOM = 1_000_000
"""Bytes of a page for one list of links, each of which holds the program."""
FEWEST = 20
"""Links of a list that are there all the same."""
PLAIN = 6_000
"""Letters of an encoded program up to which it is not packed. Nearly every proxy passes request
lines of 8 KB."""


@dataclass(frozen=True, slots=True)
class View:
    """A parsed address; `program` is None on the empty page.

    `scene` and `frame` are None for the last one, `direction` and `grouped` where the server
    chooses.
    """

    program: str | None = None
    leaves: dict[str, float] = field(default_factory=dict)
    frame: int | None = None
    direction: str | None = None
    grouped: bool | None = None
    open: frozenset[str] | None = None
    unread: tuple[str, ...] = ()
    """Names of leaves whose value is not a finite number."""
    scene: int | None = None
    lenses: dict[str, str] = field(default_factory=dict)
    """The texts of parameters in LENSES."""
    screen: tuple[int, int] | None = None
    """Width and height of the window that a picture is presented in, as its script says them; no
    address has them."""
    room: tuple[int, int] | None = None
    """The same of the room for a picture on a narrow page."""

    def query(self) -> str:
        """The query string of this view."""
        pairs = [(to_parameter(key), repr(x)) for key, x in self.leaves.items()]
        if self.scene is not None:
            pairs.append(("scene", str(self.scene)))
        if self.frame is not None:
            pairs.append(_frame_pair(self.program, self.frame))
        if self.direction is not None:
            pairs.append(("direction", self.direction))
        if self.grouped is not None:
            pairs.append(("grouped", str(int(self.grouped))))
        if self.open is not None:
            pairs.append(("open", ",".join(sorted(self.open))))
        pairs += [(name, self.lenses[name]) for name in LENSES if self.lenses.get(name)]
        program = _written(self.program or "")
        return f"{program}&{urlencode(pairs)}" if pairs else program

    def at(self, frame: int | None) -> View:
        """The same view at another frame."""
        return replace(self, frame=frame)

    def with_lens(self, name: str, text: str) -> View:
        """The same view with another text of a lens; "" without it."""
        return replace(self, lenses={**self.lenses, name: text})

    @property
    def links(self) -> int:
        """The links to this view that one list of a page has room for."""
        return max(FEWEST, ROOM // len(self.query()))

    def listed(self, name: str) -> list[str]:
        """The parts of a lens whose text is a list."""
        return [part for part in self.lenses.get(name, "").split(",") if part]

    @property
    def on_edges(self) -> bool:
        """Whether the edges show contributions."""
        return self.lenses.get("edges") == "contributions"

    @property
    def presents(self) -> bool:
        """Whether picture and explanation fill the window."""
        return self.lenses.get(PRESENT) == "on"

    @property
    def sections(self) -> list[str]:
        """The names of the open sections."""
        return self.listed("lens")


def read(pairs: Iterable[tuple[str, str]]) -> View:
    """The view of the pairs of a query or a form; malformed view parameters are ignored.

    Raises packed_text.Damaged.
    """
    own: dict[str, str] = {}
    leaves: dict[str, float] = {}
    unread: list[str] = []
    lenses: dict[str, str] = {}
    screen = room = None
    pairs = list(pairs)
    is_plain = any(name == "program" for name, _ in pairs)
    program = _program(dict(pairs))
    for name, text in pairs:
        if name == AT and not _names_leaf(program):
            own[AT] = text
        elif name in OWN and not (is_plain and name == "packed"):
            own[name] = text
        elif text.strip():
            key = from_parameter(name)
            number = _float(text)
            if number is not None:
                leaves[key] = number
            elif name == PRESENT and (sides := _SCREEN.fullmatch(text)):
                lenses[name], screen = "on", (int(sides[1]), int(sides[2]))
            elif name == NARROW and (sides := _SCREEN.fullmatch(text)):
                room = int(sides[1]), int(sides[2])
            elif name in LENSES:
                lenses[name] = text[:LONGEST_LENS]
            else:
                unread.append(key)
    return View(
        program=program,
        leaves=leaves,
        frame=_frame(own),
        scene=_whole(own.get("scene", "")),
        direction=own["direction"] if own.get("direction") in ("LR", "TB") else None,
        grouped=_GROUPED.get(own.get("grouped", "")),
        open=_groups(own["open"]) if "open" in own else None,
        unread=tuple(unread),
        lenses=lenses,
        screen=screen,
        room=room,
    )


def _program(pairs: Mapping[str, str]) -> str | None:
    """The program that an address names; `packed` is a leaf beside `program`."""
    if "packed" in pairs and "program" not in pairs:
        return packed_text.unpack(pairs["packed"])
    return pairs.get("program")


def _names_leaf(program: str | None) -> bool:
    """Whether `at` may be a leaf of the program."""
    return _AT_AS_NAME.search(program or "") is not None


def _frame_pair(program: str | None, frame: int) -> tuple[str, str]:
    return ("frame", str(frame)) if _names_leaf(program) else (AT, str(frame + 1))


def _frame(own: Mapping[str, str]) -> int | None:
    """The frame, counted from 0."""
    if (number := _whole(own.get(AT, ""), digits=10)) is not None:
        return max(number - 1, 0)
    return _whole(own.get("frame", ""))


@cached("programs in addresses")  # a page has several links
def _written(program: str) -> str:
    """The parameter for a program: plain if it is short, else the shorter one."""
    plain = quote_plus(program)
    if len(plain) > PLAIN:
        packed = packed_text.pack(program)
        if len(packed) < len(plain):
            return urlencode({"packed": packed})
    return f"program={plain}"


def asks_exercise(pairs: Iterable[tuple[str, str]]) -> bool:
    """Whether the pairs of a query are those of an exercise on a program."""
    given = dict(pairs)
    text = given.get(EXERCISE, "").strip()
    return bool(text) and _float(text) is None and not {"program", "packed"}.isdisjoint(given)


def twice(pairs: Iterable[tuple[str, str]]) -> str | None:
    """The first duplicate name, which makes the address ambiguous; None if there is none."""
    seen: set[str] = set()
    for name, _ in pairs:
        if name in seen:
            return name
        seen.add(name)
    return None


def _groups(text: str) -> frozenset[str]:
    return frozenset(part for part in text.split(",")[:500] if part)


def to_parameter(key: str) -> str:
    """The parameter name of the leaf `key`."""
    is_taken = key in (*OWN, AT) or key in LENSES or key.startswith(PREFIX)
    return f"{PREFIX}{key}" if is_taken else key


def from_parameter(name: str) -> str:
    """The leaf key of a parameter name."""
    return name.removeprefix(PREFIX)


def _float(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _whole(text: str, digits: int = 9) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None
