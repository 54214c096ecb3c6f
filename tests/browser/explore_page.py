"""The Explore page as a visitor finds their way on it: by names, words and places."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, Request, expect

# Machines that run tests are shared and stall.
expect.set_options(timeout=15_000)

EXAMPLE = "a = 2.0\nb = -3.0\nc = 10.0\nf = -2.0\nL = (a*b + c) * f"
NOT_YET = "·"

# One line for each box and edge of the picture with all that a frame may change.
PICTURE = """() => [...document.querySelectorAll('#picture .value, #picture .op, #picture .edge,'
  + '#picture .group, #picture .cluster')].map(part => {
    const {x, y, width, height} = part.getBoundingClientRect()
    return {
      look: [...part.classList].filter(name => name !== 'pointed').sort().join(' '),
      says: part.getAttribute('aria-label'), text: part.textContent,
      place: [x, y, width, height].map(side => Math.round(side * 10) / 10).join(' ')
    }
  })"""


# What a document says at its frame: each part of the picture in a line, and the explanation.
FRAME = """root => {
  for (const part of root.querySelectorAll('#explanation [hidden]')) part.remove()
  return {
    parts: [...root.querySelectorAll('#picture :is(.value, .op, .edge, .group)')].map(part =>
      [[...part.classList].sort().join(' '), part.getAttribute('aria-label'), part.textContent]
        .join(' | ')),
    words: root.querySelector('#explanation').textContent,
    pass: root.querySelector('#pass').textContent,
    line: root.querySelector('#transcript-list [aria-current]')?.textContent,
  }
}"""
FETCHED = "new DOMParser().parseFromString(await (await fetch(to)).text(), 'text/html')"


def address(program: str, **view: Any) -> str:
    """The address of a program; `view` holds leaves, frame, direction, grouped and open."""
    return "/?" + urlencode({"program": program, **view})


def shown(x: float) -> str:
    """A number of ordinary size as a card shows it."""
    return f"{x:.4f}"


def written(x: float) -> str:
    """A number of ordinary size as an equation shows it, with a real minus sign."""
    return shown(x).replace("-", "−")


class Explore:
    """The Explore page in `page`."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.area = page.get_by_role("textbox", name="Program")
        self.picture = page.locator("#picture")
        self.cards = self.picture.locator(".value")
        self.canvas = page.locator("#canvas")
        self.explanation = page.locator("#explanation")
        self.problem = page.locator("#problem")
        self.stale = page.locator("#stale-mark")
        self.where = page.locator("#where")
        self.scrubber = page.get_by_role("slider", name="Frame")
        self.lines = page.locator("#transcript-list li")

    # Getting there

    def open(self, program: str | None = None, **view: Any) -> "Explore":
        """Go to the page of a program, or to the first page, and wait until it listens."""
        return self.go("/" if program is None else address(program, **view))

    def go(self, to: str) -> "Explore":
        """Go to an address and wait until the page listens."""
        self.page.goto(to)
        return self.ready()

    def ready(self) -> "Explore":
        """Wait until the page listens."""
        expect(self.page.locator("html")).to_have_attribute("data-ready", "true")
        return self

    # The program

    def write(self, text: str) -> None:
        """Replace the program by typing."""
        self.area.press("Control+a")
        self.page.keyboard.type(text)

    def error_mark(self) -> Locator:
        """The text that is underlined in the editor."""
        return self.page.locator(".mirror mark.error")

    # The picture

    def card(self, name: str) -> Locator:
        """The cards of the Value called `name`."""
        label = self.page.locator("text.label", has_text=re.compile(f"^{re.escape(name)}$"))
        return self.cards.filter(has=label)

    def op(self, name: str) -> Locator:
        """The circle of the op that computes the Value called `name`."""
        return self.picture.locator(f".op[data-of={self.id(name)}]")

    def id(self, name: str) -> str:
        """The id of the Value called `name`."""
        found = self.card(name).first.get_attribute("data-node")
        assert found is not None
        return found

    def shows(self, name: str, data: float | str, grad: float | str) -> None:
        """Expect these numbers on a card."""
        card = self.card(name)
        expect(card.locator("text.data")).to_have_text(
            data if isinstance(data, str) else shown(data)
        )
        expect(card.locator("text.grad")).to_have_text(
            grad if isinstance(grad, str) else shown(grad)
        )

    def numbers(self) -> dict[str, tuple[str, str]]:
        """Data and gradient on every card with a name, as they stand."""
        found: dict[str, list[str]] = self.page.evaluate(
            """() => {
              const text = (card, part) => card.querySelector(part)?.textContent ?? ''
              const cards = [...document.querySelectorAll('#picture .value:has(.label)')]
              return Object.fromEntries(cards.map(card =>
                [text(card, '.label'), [text(card, '.data'), text(card, '.grad')]]))
            }"""
        )
        return {name: (data, grad) for name, (data, grad) in found.items()}

    def state(self) -> list[dict[str, str]]:
        """Every part of the picture: its classes, words and place on the screen."""
        self.still()
        found: list[dict[str, str]] = self.page.evaluate(PICTURE)
        return found

    def places(self) -> list[str]:
        """Where every part of the picture stands on the screen."""
        return [part["place"] for part in self.state()]

    def names(self, look: str) -> set[str]:
        """The names of the cards that have a class."""
        return set(self.picture.locator(f".value.{look} text.label").all_text_contents())

    def lit(self, look: str) -> list[tuple[str | None, str | None]]:
        """From and to of the edges that have a class, in the order drawn."""
        return [
            (edge.get_attribute("data-from"), edge.get_attribute("data-to"))
            for edge in self.picture.locator(f".edge.{look}").all()
        ]

    def painted(self) -> None:
        """Wait until the screen has been drawn twice: what waits for the next picture is done."""
        self.page.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    def still(self) -> None:
        """Wait until the picture has stopped moving."""
        self.page.wait_for_function(
            """() => [...document.querySelectorAll('#picture')].every(svg =>
              svg.getAnimations().every(move => move.playState === 'finished'))"""
        )

    def box(self, part: Locator) -> tuple[float, float, float, float]:
        """Left, top, width and height of a part on the screen."""
        found = part.bounding_box()
        assert found is not None
        return found["x"], found["y"], found["width"], found["height"]

    def middle(self, part: Locator) -> tuple[float, float]:
        """The middle of a part on the screen."""
        x, y, width, height = self.box(part)
        return x + width / 2, y + height / 2

    # The frames

    def is_at(self, frame: int, count: int) -> None:
        """Expect frame number `frame`, counted from 0, of `count`."""
        expect(self.where).to_have_text(f"frame {frame + 1} of {count}")

    def count(self) -> int:
        """How many frames there are."""
        return int(self.scrubber.get_attribute("max") or 0) + 1

    def is_drawn_alike_by_browser_and_server(self, program: str, **view: Any) -> None:
        """Expect the same picture and words whether a frame is stepped to or opened."""
        for frame in range(self.count()):
            self.scrubber.fill(str(frame))
            self.is_at(frame, self.count())
            stepped = self.page.evaluate(FRAME, self.page.evaluate_handle("document"))
            to = address(program, **view, frame=frame)
            opened = self.page.evaluate(f"async to => ({FRAME})({FETCHED})", to)
            assert set(stepped.pop("parts")) ^ set(opened.pop("parts")) == set(), frame
            assert stepped == opened, frame

    def press(self, key: str) -> None:
        """Press a key wherever the focus is."""
        self.page.keyboard.press(key)

    def receipts(self) -> list[list[str]]:
        """[upstream, local, gives] of each contribution that the explanation shows."""
        rows = self.explanation.locator(".contribution:visible")
        return [row.locator(".pill b").all_text_contents() for row in rows.all()]

    # The leaves

    def slider(self, name: str) -> Locator:
        """The slider of a leaf."""
        return self.page.get_by_role("slider", name=f"{name}, slider", exact=True)

    def field(self, name: str) -> Locator:
        """The number field of a leaf."""
        return self.page.get_by_role("spinbutton", name=name, exact=True)

    def type_leaf(self, name: str, text: str) -> None:
        """Type a number into a leaf's field."""
        self.field(name).press("Control+a")
        self.page.keyboard.type(text)

    def view(self) -> dict[str, Any]:
        """All that a link must bring back."""
        return {
            "program": self.area.input_value(),
            "leaves": self.page.locator("#leaves input[type=number]").evaluate_all(
                "fields => fields.map(field => field.value)"
            ),
            "frame": self.where.text_content(),
            "explanation": self.explanation.inner_text(),
            "picture": self.state(),
        }


@contextmanager
def requests(page: Page) -> Iterator[list[str]]:
    """The requests that a page sends meanwhile, each as its method and address.

    Chromium looks for the icon again whenever the address changes; in a browser that is not under
    test it finds it in its cache.
    """
    sent: list[str] = []

    def note(request: Request) -> None:
        if "favicon" not in request.url:
            sent.append(f"{request.method} {request.url}")

    page.on("request", note)
    yield sent
    page.remove_listener("request", note)


Numbers = Mapping[str, tuple[float | None, float | None]]


def as_shown(numbers: Numbers) -> dict[str, tuple[str, str]]:
    """Data and gradient by name as the cards show them; None is not there yet."""
    return {
        name: (NOT_YET if data is None else shown(data), NOT_YET if grad is None else shown(grad))
        for name, (data, grad) in numbers.items()
    }


def chain(a: float = 2.0, b: float = -3.0, c: float = 10.0, f: float = -2.0) -> Numbers:
    """L = (a*b + c)*f and its gradients: dL/da = b f, dL/db = a f, dL/dc = f, dL/df = a b + c."""
    return {
        "a": (a, b * f),
        "b": (b, a * f),
        "c": (c, f),
        "f": (f, a * b + c),
        "a*b": (a * b, f),
        "a*b + c": (a * b + c, f),
        "L": ((a * b + c) * f, 1.0),
    }
