"""What a picture shows otherwise than the lesson, in words."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support import node

SCRIPT = Path(__file__).with_name("differences.mjs")
PROGRAM = "program=a+%3D+2.0%0Ab+%3D+-3.0%0Ac+%3D+1.0%0Ae+%3D+a*b+%2B+c"
LEAVES = {
    "a": {"label": "a", "initial": "2.0"},
    "b": {"label": "b", "initial": "-3.0"},
    "c": {"label": "c", "initial": "1.0"},
}
LAST = 7
LESSON = f"/?{PROGRAM}&b=-3.5"
"""A state at its last frame, in which b is −3.5."""
RUN = "/train?data=moons&learning_rate=0.05&step=20"


def found(pairs: list[tuple[str, str]], *, settled: bool = True) -> list[list[str]]:
    """The sentences for each pair of the lesson's address and the page's."""
    picture = {"leaves": LEAVES, "last": LAST, "settled": settled}
    cases = [{"lesson": a, "here": b, **picture} for a, b in pairs]
    told: list[list[str]] = json.loads(node.run(SCRIPT, text=json.dumps(cases)))
    return told


def test_other_spellings_of_a_state_are_no_difference() -> None:
    same: list[tuple[str, str]] = [
        (LESSON, LESSON),
        (LESSON, f"/?{PROGRAM}&b=-3.50"),
        (LESSON, f"{LESSON}&at=8"),  # counted from 1, of 8
        (LESSON, f"/explore?{PROGRAM}&b=-3.5"),
        (LESSON, f"{LESSON}&direction=TB&a=2"),
        (LESSON, f"{LESSON}&scene=0"),
        (LESSON, LESSON.replace("*", "%2A")),
        (RUN, RUN),
        ("/operation/tanh?x=1", "/operation/tanh?x=1"),
    ]
    assert found(same) == [[] for _ in same]


def test_differences_are_told_in_words() -> None:
    cases: dict[tuple[str, str], list[str]] = {
        (LESSON, f"/?{PROGRAM}&b=4"): ["Here b is 4; in the lesson it is −3.5."],
        (LESSON, f"/?{PROGRAM}"): ["Here b is −3; in the lesson it is −3.5."],
        (LESSON, f"/?{PROGRAM}&b=4&a=1e-7"): [
            "Here b is 4 and a is 1e−7; in the lesson they are −3.5 and 2."
        ],
        (LESSON, f"/?{PROGRAM}&a=1&c=2"): ["Here 3 leaves have other numbers."],
        (LESSON, f"{LESSON}&at=3"): ["Here it is frame 3; in the lesson it is 8."],
        (f"{LESSON}&at=3", f"/?{PROGRAM}&b=0"): [
            "Here b is 0; in the lesson it is −3.5.",
            "Here it is frame 8; in the lesson it is 3.",
        ],
        (LESSON, "/?program=a+%3D+2.0&a=7"): ["Here the program is another one."],
        (f"{LESSON}&value=v1", LESSON): ["Here another card is open."],
        (LESSON, f"{LESSON}&lens=check&edges=contributions"): [
            "Here other sections are open.",
            "Here the edges show something else.",
        ],
        (LESSON, RUN): ["Here another page is open."],
        (RUN, RUN.replace("step=20", "step=21")): ["Here it is step 21; in the lesson it is 20."],
        (RUN, RUN.replace("&step=20", "")): ["Here it is step 0; in the lesson it is 20."],
        (RUN, RUN.replace("0.05", "0.3")): [
            "Here the learning rate is 0.3; in the lesson it is 0.05."
        ],
        (RUN, f"{RUN}&zero_grad=false"): ["Here the settings are other ones."],
        (RUN, RUN.replace("moons&learning_rate=0.05", "xor&learning_rate=1")): [
            "Here the settings are other ones."
        ],
        ("/operation/tanh", "/operation/tanh?x=1"): ["Here the page shows something else."],
        ("/operation/tanh", "/operation/exp"): ["Here another page is open."],
    }
    assert dict(zip(cases, found(list(cases)), strict=True)) == cases


def test_addresses_that_the_page_has_not_settled_are_compared_by_what_the_lesson_names() -> None:
    """Train writes every setting into its address, the lesson only those that matter."""
    pairs = [
        ("/train?data=moons", f"/train?data={data}&seed=7&step=1") for data in ("moons", "xor")
    ]
    step = "Here it is step 1; in the lesson it is 0."
    setting = "Here the data is xor; in the lesson it is moons."
    assert found(pairs, settled=False) == [[step], [setting, step]]
