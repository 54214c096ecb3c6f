"""Changes in mid-run in addresses, on the page without scripts, and as plain data."""

from __future__ import annotations

from app.train.address import read
from app.train.changes import more_steps
from app.train.state import setup
from tests.support.each import for_each
from tests.support.pages import client
from tests.support.pages import read as parsed
from tests.support.train_pages import control, page

RUN = (("samples", "20"), ("layers", "2-3-1"), ("steps", "40"), ("schedule", "constant"))
CHANGED = (*RUN, ("at", "12:learning_rate=0.05,batch=8,40:steps=60"))


def test_a_change_and_a_weight_changed_by_hand_share_a_parameter() -> None:
    view = read([*RUN, ("set", "0:0.5"), ("at", "9:l2=0"), ("at", "3"), ("at", "12:l1=0.1")])
    assert view.edits == ((3, 0, 0.5),)
    assert view.spec.at == ((9, (("l2", 0.0),)), (12, (("l1", 0.1),)))
    again = view.run_query()
    assert "at=9:l2=0.0,12:l1=0.1" in again
    assert again.endswith("&set=0:0.5&at=3")


def test_the_segments_of_a_run_for_pages() -> None:
    found = setup(read(CHANGED).spec)
    assert found["steps"] == 60
    rows = [
        (part["start"], part["words"], part["batch"], part["steps_per_epoch"])
        for part in found["segments"]
    ]
    assert rows == [
        (0, "", 20, 1),
        (12, "rate 0.05, batch 8", 8, 3),
        (40, "train on to 60", 8, 3),
    ]
    assert found["segments"][1]["settings"]["learning_rate"] == 0.05


def test_without_scripts_changes_stand_in_the_form_and_can_be_removed() -> None:
    found = page((*CHANGED, ("step", "60")))
    assert control(found, "at").attributes["value"] == "12:learning_rate=0.05,batch=8,40:steps=60"
    box = found.one("section", id="changes")
    assert "rate 0.05, batch 8 from step 12 on" in box.text
    first, more = (link.attributes["href"] for link in found.within(box).all("a"))
    assert "at=40:steps=60" in first
    assert "at=12:learning_rate=0.05,batch=8" in more
    for link in (first, more):
        assert client().get(link).status_code == 200
    (on,) = (link for link in found.all("a") if link.text == "+ 30 steps")
    after = parsed(client().get(on.attributes["href"]).text)
    assert any("step 90 of 90" in line.text for line in after.all("p"))


@for_each(("steps", "more"), [(1, 1), (7, 3), (100, 50), (400, 200), (1234, 600)])
def test_a_run_is_extended_by_about_half(steps: int, more: int) -> None:
    assert more_steps(steps) == more
