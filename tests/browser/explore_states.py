"""States of Explore that every reader must be able to use, each made as a visitor would."""

import re
from collections.abc import Callable

from playwright.sync_api import ViewportSize, expect

from app.explore.lenses import LENSES
from tests.browser.explore_page import Explore
from tests.support.own_classes import TWO_PASSES, WRONG

NETWORK = "random.seed(1)\nx = 0.5\nn = MLP(1, [3, 1])\ny = n([x])"
PHONE: ViewportSize = {"width": 390, "height": 844}


def start(explore: Explore) -> None:
    """The first page."""
    explore.open()


def error(explore: Explore) -> None:
    """A wrong program over an older picture, with its traceback and what it printed."""
    explore.open()
    if not explore.area.is_visible():
        explore.page.locator("#program-panel > summary").click()
    explore.insert("print(1)\na = 2.0\nL = a * g")
    expect(explore.stale).to_be_visible()
    expect(explore.page.get_by_role("group", name="Traceback")).to_be_visible()


def error_alone(explore: Explore) -> None:
    """A wrong program and no picture."""
    explore.page.goto("/?program=L+%3D+a")


def opened(explore: Explore) -> None:
    """A forward frame, with dots for what is not known, and all that can be opened beside it."""
    explore.open()
    if not explore.area.is_visible():
        explore.page.locator("#program-panel > summary").click()
    explore.closer("transcript")
    expect(explore.lines.first).to_be_visible()
    chosen(explore)
    explore.press("Home")
    explore.press("ArrowRight")
    explore.is_at(1, 8)
    expect(explore.page.locator("#value-title")).to_have_text("a*b")
    expect(explore.page.get_by_role("tooltip")).to_be_visible()


def menus(explore: Explore) -> None:
    """All that a menu holds: what looks closer, examples, the pace, sharing with its exports."""
    explore.open()
    if not explore.area.is_visible():
        explore.page.locator("#program-panel > summary").click()
    # A press elsewhere closes a menu.
    explore.page.evaluate(
        "document.querySelectorAll('.more, .closer, .pace-menu, #share-menu, #export-menu')"
        ".forEach(menu => { menu.open = true })"
    )
    for inner in (".more li", ".entries button", ".grains label", "#export-menu li"):
        expect(explore.page.locator(inner).first).to_be_visible()


def chosen(explore: Explore) -> None:
    """A Value asked and pointed out: its card and its tooltip open."""
    explore.button("a*b").focus()
    explore.press("Enter")
    expect(explore.page.locator("#value-title")).to_have_text("a*b")
    explore.card("a*b").hover()
    expect(explore.page.get_by_role("tooltip")).to_be_visible()


def groups(explore: Explore) -> None:
    """Closed and open boxes."""
    explore.open(NETWORK, grouped=1)
    explore.page.get_by_role("button", name=re.compile(r"^Neuron l0\.n1[ ,].*: open$")).press(
        "Enter"
    )
    expect(explore.page.get_by_role("button", name="Neuron l0.n1: close")).to_be_visible()


def large(explore: Explore) -> None:
    """A large network, one by one, with its minimap."""
    explore.open(NETWORK.replace("[3, 1]", "[4, 4, 1]"), grouped=0)


def scenes(explore: Explore) -> None:
    """A gradient that a class of the program's own sets wrongly, one of several scenes, playing."""
    explore.open(WRONG + TWO_PASSES)
    expect(explore.page.get_by_role("combobox", name="Scene")).to_be_visible()
    explore.pace().get_by_role("combobox", name="Speed").select_option("0.5×")
    explore.press("Escape")
    explore.page.locator("#player").focus()
    explore.press("Space")
    expect(explore.page.get_by_role("button", name="Pause", exact=True)).to_be_visible()


def idle(explore: Explore) -> None:
    """Nothing to draw: output and charts alone."""
    plot = "import matplotlib.pyplot as plt\nplt.plot([1, 2, 4], label='loss')\nplt.legend()"
    explore.open(f"{plot}\nplt.figure()\nplt.bar(['a', 'b'], [1, 3])\nprint('done')")
    expect(explore.page.locator(".chart")).to_have_count(2)


def warned(explore: Explore) -> None:
    """nan, a warning, a failed check, printed output, notes, a changed leaf."""
    program = "x = Value(1.0)\nunused = Value(2.0)\ny = log(x)\nprint(y.data)"
    explore.open(program, x="-1", lens=",".join(LENSES))
    expect(explore.page.locator(".notice.warning")).to_be_visible()
    for name in LENSES:
        explore.look(name)


def broken(explore: Explore) -> None:
    """A rule broken on purpose, an op open, both sections filled."""
    program = "x = Value(0.7)\ny = x.tanh()\nL = y*y + x\nL.backward()"
    explore.open(program, mistake="assign", expand="v2", lens="mistakes,expand")
    expect(explore.page.locator(".mistakes-lens .reason")).to_be_visible()


def reference(explore: Explore) -> None:
    """The reference page."""
    explore.page.goto("/reference")


def docs(explore: Explore) -> None:
    """The JSON interface, with the keys of an answer open."""
    explore.page.goto("/docs")
    explore.page.locator("summary").first.click()


def missing(explore: Explore) -> None:
    """A page that there is not."""
    explore.page.goto("/nowhere")


def marked(explore: Explore) -> None:
    """A number in the text of the operation that the gradient goes back through."""
    explore.open("x = 2.0\ny = x * 3.0")
    expect(explore.page.locator("#editor mark.backward")).to_contain_text("3.0")


STATES: list[Callable[[Explore], None]] = [
    *(error, error_alone, opened, menus, groups, large, warned, reference, docs, missing),
    *(scenes, idle, broken, marked),
]
DARK = [error, opened, menus, groups, warned, reference, docs, scenes, idle, broken, marked]
ON_PHONES = [error, opened, menus, groups, warned, docs, scenes, idle, broken]
