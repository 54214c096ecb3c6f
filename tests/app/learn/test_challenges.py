"""Challenges: met by the pictures that meet them, and by no other."""

from urllib.parse import urlencode

from app.learn import course
from app.learn.page import Course
from app.settings import from_environment
from tests.support.each import for_each
from tests.support.pages import client

MADE = Course(from_environment({}))
STEP = {slug: len(lesson.steps) for slug, lesson in course.lessons().items()}


def said(slug: str, address: str) -> str:
    return str(MADE.reached(slug, STEP[slug], 0, address))


def at(program: str, **leaves: str) -> str:
    return f"/?{urlencode({'program': program, **leaves})}"


HILLS = "x = 2.0\ny = x**3 - 3*x"  # y' = 3x² − 3 is 0 at −1 and 1
LOOP = (
    "data=four_points&layers=3-4-4-1&activation=tanh&output_activation=tanh&loss=sum_squares&l2=0"
    "&schedule=constant&seed=42&steps=100&learning_rate=0.05"
)
DEEP = "h = 0.5\nfor layer in range({}):\n    h = tanh(h)"
CHAIN = "a = 3.0\nb = -1.0\nc = 4.0\nf = 2.0\nL = (a*b + c) * f"


@for_each(
    ("slug", "address", "words"),
    [
        ("nudge", at(HILLS, x="-1"), "hill"),
        ("nudge", at(HILLS, x="1"), "valley"),
        ("nudge", at(HILLS), ""),
        ("chain-rule", at(CHAIN, b="0"), "nothing on to"),
        ("chain-rule", at(CHAIN, f="0"), "nothing comes in"),
        ("chain-rule", at(CHAIN, a="5", f="0"), ""),
        ("accumulate", at("a = 3.0\nb = a*a + a", a="-0.5"), "together they are 0"),
        ("value", at("a = 3.0\nb = a + a\nf = b*b"), "two circles"),
        ("order", at("a = 1.0\ne = a + a"), ""),
        ("order", at("a = 1.0\ne = a*1024"), "Now count"),
        ("check", at("x = 2.0\ny = abs(x - 2)"), "kink"),
        ("check", at("x = 2.0\ny = abs(x - 1)"), ""),
        ("forward-mode", at("t = 0.5\nu = t*t", tangent="v1@2@2000"), "forward mode wins"),
        ("forward-mode", at("t = 0.5\nu = t*t", tangent="v1@7@7"), "Equally many"),
        ("forward-mode", at("t = 0.5\nu = t*t", tangent="v1@7@6999"), ""),
        ("second", at("a = 1.0\nb = 1.0\nz = a**2 - b**2", a="-3"), "saddle"),
        ("second", at("a = 1.0\nb = 1.0\nz = a**2 + b**2", a="-3"), ""),
        ("second", at("a = 1.0\nb = 1.0\nz = a**2 + 0*b"), "along <code"),
        ("mlp", at("n = MLP(3, [2, 4, 1])\ny = n([1.0, 2.0, 3.0])\nprint(25)"), "8 + 12 + 5"),
        ("zeroing", "/train?data=moons&zero_grad=false&learning_rate=0.04", "All the moons"),
        ("zeroing", "/train?data=moons&learning_rate=0.04", ""),
        ("training-loop", f"/train?{LOOP}&set=40:40&at=20", "still above 1"),
        ("training-loop", f"/train?{LOOP}&set=40:-3&at=20", ""),
        ("memory", at(DEEP.format(16), keep="every:4"), "root of 16"),
        ("memory", at(DEEP.format(16), keep="every:8"), ""),
        ("memory", at(DEEP.format(64), keep="every:8"), "root of 64"),
        ("memory", at(DEEP.format(64), keep="every:4"), ""),
        ("nudge", at("x = "), ""),
        ("nudge", "/train?layers=0", ""),
        ("nudge", "/nowhere?packed=zz", ""),
        ("nudge", "/?packed=zz", ""),
        ("nudge", "http://[", ""),
        ("nudge", at("q = 1.0\nz = q*q"), ""),
    ],
)  # fmt: skip
def test_challenge_is_met(slug: str, address: str, words: str) -> None:
    found = said(slug, address)
    assert words in found
    assert bool(found) == bool(words)


def test_no_lesson_meets_its_own_challenge() -> None:
    for slug, lesson in course.lessons().items():
        for number, step in enumerate(lesson.steps, 1):
            for challenge in step.challenges:
                address = MADE.states.shown(lesson, step.state).address
                assert not MADE.reached(slug, number, challenge.index, address), slug


def test_reply_is_a_fragment() -> None:
    query = {"step": str(STEP["nudge"]), "challenge": "0", "at": at(HILLS, x="1")}
    answer = client().get("/learn/nudge/reached", params=query)
    assert (answer.status_code, "valley" in answer.text) == (200, True)
    for wrong in ({"step": "99"}, {"challenge": "9"}, {"step": "x"}, {"challenge": "-1"}):
        assert client().get("/learn/nudge/reached", params=query | wrong).status_code == 422
