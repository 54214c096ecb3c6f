"""A visitor steps through both passes: what is known, what is lit and what is explained."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.example_numbers import as_shown, chain
from tests.browser.explore_page import COUNT, LAST, NOT_YET, Explore, requests, shown
from tests.support.each import Cases, for_each

# When the data and the gradient of each Value of the example come. L = (a*b + c)*f has frame 0 for
# what is given, 1 to 3 for its ops, 4 for dL/dL and 5 to 7 for its ops backwards.
DATA = {"a": 0, "b": 0, "c": 0, "f": 0, "a*b": 1, "a*b + c": 2, "L": 3}
GRAD = {"L": 4, "a*b + c": 5, "f": 5, "a*b": 6, "c": 6, "a": 7, "b": 7}

# Which op works in a frame, on which args.
OPS = {
    1: ("a*b", {"a", "b"}),
    2: ("a*b + c", {"a*b", "c"}),
    3: ("L", {"a*b + c", "f"}),
    5: ("L", {"a*b + c", "f"}),
    6: ("a*b + c", {"a*b", "c"}),
    7: ("a*b", {"a", "b"}),
}


def known(frame: int) -> dict[str, tuple[str, str]]:
    """What the example's cards show at a frame."""
    return as_shown(
        {
            name: (data if DATA[name] <= frame else None, grad if GRAD[name] <= frame else None)
            for name, (data, grad) in chain().items()
        }
    )


def pass_of(frame: int) -> str:
    """The pass that a frame of the example belongs to."""
    return "forward" if frame <= 3 else "backward"


stepping = Cases()


@for_each("case", stepping)
def test_example_from_its_first_frame(explore: Explore, case: Callable[[Explore], None]) -> None:
    explore.release()
    explore.press("Home")
    explore.is_at(0, COUNT)
    case(explore)


@stepping.add
def each_frame_shows_what_is_known_by_then_and_what_is_at_work(explore: Explore) -> None:
    ids = {name: explore.id(name) for name in DATA}
    with requests(explore.page) as sent:
        for frame in range(COUNT):
            explore.is_at(frame, COUNT)
            assert explore.numbers() == known(frame)
            pass_is_named_in_words(explore, frame)
            lights_its_op_edges_and_numbers(explore, frame, ids)
            explore.press("ArrowRight")
        explore.is_at(LAST, COUNT)
        for frame in reversed(range(COUNT)):
            explore.is_at(frame, COUNT)
            assert explore.numbers() == known(frame)
            explore.press("ArrowLeft")
    assert sent == []


def pass_is_named_in_words(explore: Explore, frame: int) -> None:
    word = pass_of(frame)
    expect(explore.page.locator("#pass")).to_have_text(word)
    expect(explore.page.locator("#frame-title")).to_have_text(f"Frame {frame + 1} of {COUNT}")
    expect(explore.scrubber).to_have_attribute(
        "aria-valuetext", f"frame {frame + 1} of {COUNT}, {word}"
    )


def lights_its_op_edges_and_numbers(explore: Explore, frame: int, ids: dict[str, str]) -> None:
    direction = pass_of(frame)
    expect(explore.picture).to_have_attribute("data-pass", direction)
    other = "backward" if direction == "forward" else "forward"
    assert explore.lit(f"flow-{other}") == []
    comes = DATA if direction == "forward" else GRAD
    assert explore.names("changed") == {name for name, at in comes.items() if at == frame}
    if frame in OPS:
        name, args = OPS[frame]
        expect(explore.picture.locator(".op.active")).to_have_count(1)
        expect(explore.op(name)).to_have_class(re.compile(r"\bactive\b"))
        into = {(ids[arg], ids[name]) for arg in args}
        assert set(explore.lit(f"flow-{direction}")) == into | {(None, ids[name])}
        assert explore.names("source") == (args if direction == "forward" else {name})
    else:
        expect(explore.picture.locator(".op.active")).to_have_count(0)
        assert explore.lit(f"flow-{direction}") == []


@stepping.add
def dots_and_classes_of_what_is_not_there_yet(explore: Explore) -> None:
    expect(explore.card("L")).to_have_class(re.compile(r"\bpending\b"))
    expect(explore.card("L").locator("text.data")).to_have_text(NOT_YET)
    expect(explore.button("L")).to_have_accessible_name("L, output: no data yet, no gradient yet")
    expect(explore.button("a")).to_have_accessible_name("a, leaf: data 2, no gradient yet")
    explore.press("End")
    expect(explore.card("L")).not_to_have_class(re.compile(r"\bpending\b|\bno-grad\b"))
    expect(explore.button("a")).to_have_accessible_name("a, leaf: data 2, gradient 6")


@stepping.add
def colours_follow_the_pass(explore: Explore) -> None:
    """Blue is data, orange is gradient: in the lit op, the card of explanation and the words."""

    def colours() -> tuple[str, str]:
        found: tuple[str, str] = explore.page.evaluate(
            """() => [getComputedStyle(document.querySelector('#picture .op.active .disc')).fill,
                      getComputedStyle(document.querySelector('#pass')).color]"""
        )
        return found

    explore.press("ArrowRight")
    explore.is_at(1, COUNT)
    forward = colours()
    explore.press("End")
    explore.is_at(LAST, COUNT)
    backward = colours()
    for colour, is_blue in ((forward, True), (backward, False)):
        assert colour[0] == colour[1]
        red, _, blue = map(int, re.findall(r"\d+", colour[0])[:3])
        assert (blue > red) is is_blue


@stepping.add
def gradient_arrows_point_back(explore: Explore) -> None:
    heads, tails = (
        explore.picture.locator(f".edge.in[data-to={explore.id('L')}] .{end}")
        for end in ("head", "tail")
    )
    explore.press("ArrowRight")
    expect(heads.first).to_have_css("visibility", "visible")
    expect(tails.first).to_have_css("visibility", "hidden")
    for _ in range(4):
        explore.press("ArrowRight")
    explore.is_at(5, COUNT)
    expect(heads.first).to_have_css("visibility", "hidden")
    expect(tails.first).to_have_css("visibility", "visible")


@stepping.add
def explanation_of_every_backward_frame(explore: Explore) -> None:
    """upstream × local = what an input receives; all three from the mathematics of the example."""
    a, b, c, f = 2.0, -3.0, 10.0, -2.0
    expected = {
        5: [(1.0, f), (1.0, a * b + c)],
        6: [(f, 1.0), (f, 1.0)],
        7: [(f, b), (f, a)],
    }
    for _ in range(4):
        explore.press("ArrowRight")
    explore.is_at(4, COUNT)
    expect(explore.explanation).to_contain_text("starts at the output L")
    for frame, receipts in expected.items():
        explore.press("ArrowRight")
        explore.is_at(frame, COUNT)
        assert explore.receipts() == [
            [shown(upstream), shown(local), shown(upstream * local)] for upstream, local in receipts
        ]
        chains = explore.explanation.locator(".chain")
        expect(chains.first.locator(".sign")).to_have_text(["×", "="])
        expect(chains.first.locator("small")).to_have_text(["incoming", "local", "gives"])
        expect(explore.explanation.locator(".so-far:visible")).to_have_count(0)


@stepping.add
def explanation_of_every_forward_frame(explore: Explore) -> None:
    expect(explore.explanation).to_contain_text("4 leaves and constants")
    for numbers in (
        ["2.0000", "(−3.0000)", "−6.0000"],
        ["−6.0000", "10.0000", "4.0000"],
        ["4.0000", "(−2.0000)", "−8.0000"],
    ):
        explore.press("ArrowRight")
        assert explore.explanation.locator("mn.data").all_text_contents() == numbers


def test_sum_so_far_where_a_value_receives_more_than_once(page: Page) -> None:
    """y = x*x + x at 3: x receives 1 from the sum, then 3 and 3 from the product; dy/dx = 7."""
    explore = Explore(page).open("x = 3.0\ny = x*x + x", frame=4)
    explore.is_at(4, 6)
    assert explore.receipts() == [["1.0000"] * 3, ["1.0000"] * 3]
    expect(explore.explanation.locator(".so-far:visible")).to_have_count(0)
    explore.shows("x", 3, 1)
    explore.press("ArrowRight")
    assert explore.receipts() == [["1.0000", "3.0000", "3.0000"]] * 2
    expect(explore.explanation.locator(".so-far:visible")).to_have_text(
        ["Sum so far for x: 1.0000 + 3.0000 = 4.0000", "Sum so far for x: 4.0000 + 3.0000 = 7.0000"]
    )
    explore.shows("x", 3, 7)


@for_each(("x", "named"), [(0.0, True), (1.0, False)])
def test_kink_is_named(page: Page, x: float, named: bool) -> None:
    explore = Explore(page).open(f"x = {x}\ny = relu(x)")
    for frame in (3, 1):
        explore.scrubber.fill(str(frame))
        explore.is_at(frame, 4)
        kink = explore.explanation.locator(".kink:visible")
        expect(kink).to_have_count(int(named))
        if named:
            expect(kink).to_contain_text("kink")
    explore.press("End")
    explore.shows("x", x, 0 if x == 0 else 1)


def test_constant_receives_nothing(page: Page) -> None:
    explore = Explore(page).open("x = 3.0\ny = 2 * x")
    assert explore.receipts() == [["1.0000", "2.0000", "2.0000"]]
    expect(explore.picture.locator(".value.constant text.grad")).to_have_count(0)
    lit = explore.lit("flow-backward")
    assert (explore.id("x"), explore.id("y")) in lit
    assert len(lit) == 2


PROGRAMS = {
    "product": "a = 2.0\nb = -3.0\nc = 10.0\nf = -2.0\nL = (a*b + c) * f",
    "neuron": "x1 = 2.0; x2 = 0.0; w1 = -3.0; w2 = 1.0; b = 6.88\no = tanh(x1*w1 + x2*w2 + b)",
    "every kind": "a = 0.5\nb = max(a, 0.5) / -a - abs(a) ** 3\n"
    "c = relu(b) + exp(b) * log(a) - sqrt(a)\n"
    "d = sigmoid(c) + sin(c) * cos(a)\nfor i in range(2):\n    d = d*d - 1e-7\nL = min(d, a, 3)",
    "nan": "x = Value(-1.0)\ny = log(x) * 1e300 * 1e300\nz = y + x / 0.0",
    "names": "a = Value(1.5, label='<i>\"a\" & é 𝒙</i>')\nb = a * a\n"
    "b.label = 'a name longer than any card'\nc = -b",
    "unused": "a = 2.0\nb = 5.0\nL = a * 3",
    "two passes": "a = Value(2)\nb = a*3\nc = b*b\nc.backward()\nc.backward()",
    "a leaf, twice": "a = Value(2.0)\na.backward()\na.backward()",
    "tensors": "a = torch.tensor(2.0, requires_grad=True)\nb = a*3\nc = b*b\n"
    "c.backward(retain_graph=True)\nc.backward()",
}


@for_each("program", PROGRAMS)
def test_browser_and_server_draw_and_explain_a_frame_alike(page: Page, program: str) -> None:
    """Stepping to a frame or opening its page gives the same picture and the same words."""
    text = PROGRAMS[program]
    Explore(page).open(text).is_drawn_alike_by_browser_and_server(text)


@stepping.add
def keys(explore: Explore) -> None:
    for key, frame in (
        ("ArrowLeft", 0),
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", 7),
        ("ArrowRight", 7),
        ("Home", 0),
    ):
        explore.press(key)
        explore.is_at(frame, COUNT)


@stepping.add
def keys_belong_to_the_editor_while_it_has_the_focus(explore: Explore) -> None:
    explore.area.focus()
    with explore.page.expect_response("**/graph"):  # a space is typed and taken back
        for key in ("Control+Home", "ArrowRight", "End", "Space", "Backspace"):
            explore.press(key)
    explore.painted()
    explore.is_at(0, COUNT)
    expect(explore.page.get_by_role("button", name="Play")).to_be_visible()
    explore.press("Escape")
    explore.press("ArrowRight")
    explore.is_at(1, COUNT)


@stepping.add
def buttons(explore: Explore) -> None:
    for name, frame in (
        ("Forward", 1),
        ("Forward", 2),
        ("Back", 1),
        ("Last frame", 7),
        ("First frame", 0),
    ):
        explore.page.get_by_role("button", name=name, exact=True).click()
        explore.is_at(frame, COUNT)


@stepping.add
def buttons_at_the_ends_say_that_they_do_nothing(explore: Explore) -> None:
    first, last = (("First frame", "Back"), ("Forward", "Last frame"))
    for ends, others in ((first, last), (last, first)):
        for name in ends:
            button = explore.page.get_by_role("button", name=name, exact=True)
            expect(button).to_have_attribute("aria-disabled", "true")
            button.focus()  # it keeps its place among the stops of the Tab key
            expect(button).to_be_focused()
        for name in others:
            button = explore.page.get_by_role("button", name=name, exact=True)
            expect(button).to_have_attribute("aria-disabled", "false")
        explore.press("End")


@stepping.add
def space_on_a_button_presses_that_button_only(explore: Explore) -> None:
    explore.page.get_by_role("button", name="Forward", exact=True).focus()
    explore.press("Space")
    explore.is_at(1, COUNT)
    expect(explore.page.get_by_role("button", name="Play", exact=True)).to_be_visible()


@stepping.add
def scrubber_by_keyboard(explore: Explore) -> None:
    explore.scrubber.focus()
    for key, frame in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", 7),
        ("Home", 0),
    ):
        explore.press(key)
        explore.is_at(frame, COUNT)
        expect(explore.scrubber).to_have_value(str(frame))


@stepping.add
def scrubber_by_pointer(explore: Explore) -> None:
    x, y, width, height = explore.box(explore.scrubber)
    mouse = explore.page.mouse
    thumb = 18
    places = [x + thumb / 2 + (width - thumb) * frame / LAST for frame in range(COUNT)]
    mouse.click(places[5], y + height / 2)
    explore.is_at(5, COUNT)
    with requests(explore.page) as sent:
        mouse.down()
        for frame in (6, 7, 3, 1):
            mouse.move(places[frame], y + height / 2)
            explore.is_at(frame, COUNT)
            assert explore.numbers() == known(frame)
        mouse.up()
    assert sent == []


@stepping.add
def program_shows_what_made_the_active_value(explore: Explore) -> None:
    mark = explore.page.locator("#editor mark")
    expect(mark).to_have_count(0)
    for frame, source in (
        (1, "a*b"),
        (2, "a*b + c"),
        (3, "(a*b + c) * f"),
        (4, "(a*b + c) * f"),
        (5, "(a*b + c) * f"),
        (6, "a*b + c"),
    ):
        explore.press("ArrowRight")
        explore.is_at(frame, COUNT)
        expect(mark).to_have_text(source)
        expect(mark).to_have_class(pass_of(frame))


@stepping.add
def frame_is_announced(explore: Explore) -> None:
    said = explore.page.locator("#announcer")
    expect(said).to_have_attribute("aria-live", "polite")
    explore.press("ArrowRight")
    expect(said).to_have_text("frame 2 of 8, forward. Forward: a × b = 2.0 × (-3.0) = -6.0.")
    explore.press("End")
    expect(said).to_contain_text("frame 8 of 8, backward.")
    expect(said).to_contain_text("a receives -2.0 × -3.0 = 6.0")
