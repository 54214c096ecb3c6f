"""The picture of whole arrays: maps with numbers and without, marks, sizes, edges."""

import re
from math import inf, nan

from app.picture.array_map import STEPS, array_map, map_size, shade
from app.picture.array_picture import ArrayState, array_cards, array_picture
from app.picture.array_still import standalone_arrays
from app.picture.palette import LIGHT
from engine.program import Program
from engine.record.native import RepeatableRecording
from engine.trace.array_trace import ArrayTrace, array_trace
from tests.support.each import for_each

TEXT = """\
import numpy as np
x = np.arange(6.0).reshape(3, 2)
W = np.array([[1.0, -2.0], [0.5, 3.0]])
loss = ((x @ W) ** 2).sum()
"""


def test_scale_is_symmetric_about_zero() -> None:
    assert shade(0.0, 2.0) == 0
    assert shade(-2.0, 2.0) == shade(2.0, 2.0) == STEPS
    assert shade(1.0, 2.0) == STEPS // 2
    assert shade(1e-9, 2.0) == 1


def test_up_to_64_cells_have_numbers() -> None:
    assert map_size((8, 8)).has_numbers
    assert not map_size((13, 5)).has_numbers
    assert "0.5000" in array_map([0.5, -0.5], (2,), "data", label="")
    assert "<text" not in array_map([0.5] * 65, (13, 5), "data", label="")


def test_minus_nan_and_infinity_are_marked() -> None:
    found = array_map([nan, inf, -inf, 1.0], (4,), "data", label="")
    assert re.findall(r">(nan|∞|−∞)<", found) == ["nan", "∞", "−∞"]
    assert 'class="minus' in array_map([-1.0] * 65, (13, 5), "data", label="")


def test_text_of_the_program_is_escaped() -> None:
    assert "<b>" not in array_map([1.0], (), "data", label='"><b>')


def _trace() -> ArrayTrace:
    found = array_trace(Program(TEXT, recording=RepeatableRecording).run())
    assert found is not None
    return found


def test_cards_stand_below_what_they_are_computed_from_and_apart() -> None:
    cards = array_cards(_trace())
    for card in cards.values():
        for arg in card.node.args:
            if arg in cards:
                assert cards[arg].y + cards[arg].height < card.y
        for other in cards.values():
            if other is not card:
                apart = (
                    other.x >= card.x + card.width or card.x >= other.x + other.width
                    or other.y >= card.y + card.height or card.y >= other.y + other.height
                )  # fmt: skip
                assert apart


def test_size_does_not_depend_on_the_frame_and_edges_have_shapes() -> None:
    trace = _trace()
    none: frozenset[str] = frozenset()
    first = array_picture(trace, "", ArrayState("forward", "", none, none, none))
    every = frozenset(node.id for node in trace.nodes)
    last = array_picture(trace, "", ArrayState("backward", "", every, every, none))
    size = re.compile(r'viewBox="([^"]*)"')
    assert size.findall(first) == size.findall(last)
    assert first.count('class="flow"') == 5
    assert ">2×2</text></g>" in first


@for_each(
    ("x", "text"), [(-20.0, "−20.000"), (-12.25, "−12.250"), (1234.56789, "1234.57"), (1e6, "1e6")]
)
def test_a_cell_shows_as_many_digits_as_it_has_room_for(x: float, text: str) -> None:
    assert f">{text}</text>" in array_map([x], (1,), "data", label="")


def test_a_file_has_attributes_for_classes_and_shows_what_its_frame_knows() -> None:
    trace = _trace()
    nodes = frozenset(node.id for node in trace.nodes)
    early = ArrayState("forward", "", nodes, frozenset(), frozenset())
    late = ArrayState("backward", "", nodes, nodes, nodes)
    files = [standalone_arrays(array_picture(trace, "<x>", it)) for it in (early, late)]
    for text in files:
        assert 'xmlns="http://www.w3.org/2000/svg"' in text
        assert "class=" not in text
        assert "&lt;x&gt;" in text
    assert files[0].count("stroke-dasharray") > files[1].count("stroke-dasharray") == 0
    assert LIGHT.grad not in re.sub("<text[^>]*>", "", files[0])
    assert LIGHT.grad in re.sub("<text[^>]*>", "", files[1])
