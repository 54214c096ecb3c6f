"""Scenes: the address chooses one, the chooser lists them, everything follows."""

from __future__ import annotations

import pytest

from tests.support.each import for_each
from tests.support.explore_pages import frame_of
from tests.support.own_classes import RIGHT, STEPS, TWO_PASSES
from tests.support.pages import EXAMPLE, client, get

PROGRAM = RIGHT + TWO_PASSES


def data_of(label: str, program: str, **view: str) -> float:
    """The data of a Value in the trace that the API gives for an address."""
    answer = client().get("/api/trace", params={"program": program, **view})
    assert answer.status_code == 200
    (node,) = (node for node in answer.json()["nodes"] if node["label"] == label)
    found: float = node["data"]
    return found


def test_a_program_with_one_scene_has_no_chooser() -> None:
    assert not get("/", EXAMPLE).all(id="scene")
    assert not get("/", EXAMPLE + "\nL.backward()").all(id="scene")


def test_the_last_scene_is_drawn_unless_the_address_has_another() -> None:
    outputs = {}
    for scene in ("", "1", "2", "99", "0", "x", "-1", "9" * 30):
        page = get("/", PROGRAM, **({"scene": scene} if scene else {}))
        found = page.trace
        outputs[scene] = next(n["label"] for n in found["nodes"] if n["id"] == found["output"])
        entries = page.within(page.one(id="scene")).all("option")
        (drawn,) = (entry for entry in entries if "selected" in entry.attributes)
        assert drawn.text.startswith(f"Scene {found['scene']} · ")
    assert outputs == {key: "b" if key == "1" else "c" for key in outputs}


def test_entries_of_the_chooser_hold_the_value_of_the_address() -> None:
    page = get("/", STEPS)
    entries = page.within(page.one("select", name="scene", form="program-form")).all("option")
    assert [entry.attributes["value"] for entry in entries] == [*map(str, range(1, 300)), ""]


@for_each("step", [1, 2, 150, 300])
def test_numbers_are_those_of_the_scene(step: int) -> None:
    expected = pytest.approx(2 * 0.98 ** (step - 1), rel=1e-9)
    assert data_of("a", STEPS, scene=str(step)) == expected


def test_a_changed_leaf_and_a_scene_go_together() -> None:
    assert data_of("a", STEPS, scene="2", a="5") == pytest.approx(4.9)
    assert data_of("a", STEPS, a="5", scene="1") == 5


def test_links_lead_to_the_scenes_beside_and_frames_stay_in_the_scene() -> None:
    page = get("/", STEPS, scene="299", frame="1")
    found = [e for e in page.all("a") if "href" in e.attributes]
    links = {e.attributes.get("aria-label", e.text): e.attributes["href"] for e in found}
    assert "scene=298" in links["Previous scene"]
    assert "scene" not in links["Next scene"]  # the last one
    assert "&at=" not in links["Previous scene"] + links["Next scene"]
    assert "scene=299&at=3" in links["Forward"]
    assert "scene=299" in page.one(id="svg-link").attributes["href"]
    first = get("/", STEPS, scene="1")
    assert not first.all("a", aria_label="Previous scene")
    assert "disabled" in first.one(id="scene-back").attributes


def test_every_address_takes_a_scene() -> None:
    for path in ("/graph", "/numbers"):
        answer = client().post(path, data={"program": PROGRAM, "scene": "1"})
        assert '"scene":1' in answer.text
    transcripts = {
        scene: client().post("/transcript", data={"program": PROGRAM, "scene": scene}).text
        for scene in ("1", "2")
    }
    assert "b = a × a" in transcripts["1"]
    assert "c = b + a" in transcripts["2"]
    pictures = {
        scene: client().get("/graph.svg", params={"program": PROGRAM, "scene": scene}).text
        for scene in ("1", "2")
    }
    assert "Computation graph of b" in pictures["1"]
    assert "Computation graph of c" in pictures["2"]
    body = {"program": PROGRAM, "scene": 1}
    found = client().post("/api/trace", json=body).json()
    assert [scene["id"] for scene in found["scenes"]] == [1, 2]
    assert found["scene"] == 1


@for_each("scene", ["1", -1, 1.5, [], True])
def test_a_scene_in_json_is_a_whole_number(scene: object) -> None:
    answer = client().post("/api/trace", json={"program": PROGRAM, "scene": scene})
    assert answer.status_code == 422
    assert answer.json()["field"] == "body.scene"


def test_frame_is_clamped_to_the_scene() -> None:
    page = get("/", PROGRAM, scene="1", frame="99")
    assert frame_of(page) == len(page.trace["frames"]) - 1


def test_a_leaf_changed_in_another_scene_keeps_its_control() -> None:
    program = "a = Value(2.0)\nb = a*3\nb.backward()\nx = Value(1.0)\ny = x*2\ny.backward()"
    page = get("/", program, a="7", scene="2")
    assert page.one("input", name="a").has(value="7.0")
    assert "a=7.0" in page.one("a", aria_label="Previous scene").attributes["href"]


def test_a_scene_too_large_to_draw_leaves_the_others() -> None:
    program = (
        "a = Value(1.0)\nfor n in (3, 12000):\n    L = a\n    for i in range(n):\n        L += a\n"
    )
    page = get("/", program + "    L.backward()\nprint(a.grad)")
    assert not page.all(id="picture")
    assert "scene=1" in page.one("a", aria_label="Previous scene").attributes["href"]
    assert get("/", program + "    L.backward()", scene="1").all(id="picture")


CURVE = (
    "w = Value(4.0)\nfor k in range(5):\n    L = w*w\n    L.backward()\n"
    "    w.data -= 0.25*w.grad\n    w.grad = 0.0"
)
"""w halves in each turn, so L is a quarter of the one before."""


def test_the_outputs_number_is_a_curve_over_the_scenes() -> None:
    page = get("/", CURVE, scene="2")
    assert [scene["data"] for scene in page.trace["scenes"]] == [16.0, 4.0, 1.0, 0.25, 0.0625]
    points = page.within(page.one("datalist", id="scene-points")).all("option")
    assert [(p.attributes["label"], p.attributes["data-scene"]) for p in points] == [
        ("16.0000 in scene 1", "1"), ("4.0000 in scene 2", "2"), ("1.0000 in scene 3", "3"),
        ("0.2500 in scene 4", "4"), ("0.0625 in scene 5", ""),
    ]  # fmt: skip
    slider = page.one("input", id="scene-at")
    assert (slider.attributes["max"], slider.attributes["value"]) == ("4", "1")
    line = page.one("polyline").attributes["points"].split()
    xs, ys = zip(*(map(float, point.split(",")) for point in line), strict=True)
    assert [round((x - xs[0]) / (xs[1] - xs[0]), 1) for x in xs] == [0, 1, 2, 3, 4]
    heights = [(ys[-1] - y) / (ys[-1] - ys[0]) for y in ys]
    assert heights == pytest.approx(
        [(x - 0.0625) / 15.9375 for x in (16, 4, 1, 0.25, 0.0625)], abs=0.01
    )


@pytest.mark.parametrize(
    "program",
    [
        PROGRAM,  # two passes
        CURVE.replace("w*w", "w*w*1e200*1e200"),  # no finite number
        "import numpy as np\nfrom engine import x",
    ],
    ids=["two", "infinite", "refused"],
)
def test_too_few_numbers_are_no_curve(program: str) -> None:
    answer = client().get("/", params={"program": program})
    assert "scene-curve" not in answer.text
