"""Page object of Explore: finds elements by accessible names, texts and positions."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, Request, Route, expect

# Test machines are shared and stall.
expect.set_options(timeout=15_000)

EXAMPLE = "a = 2.0\nb = -3.0\nc = 10.0\nf = -2.0\nL = (a*b + c) * f"
LAST = 7  # the example's last frame
COUNT = LAST + 1
# A network that does not fit on the screen at a readable size; drawn one by one, not in groups.
NETWORK = "random.seed(3)\nx = [0.5, -1.0]\nn = MLP(2, [4, 4, 1])\ny = n(x)"
NOT_YET = "·"

# One entry for each box and edge of the picture, with everything that a frame may change.
PICTURE = """() => [...document.querySelectorAll('#picture .value, #picture .op, #picture .edge,'
  + '#picture .group, #picture .cluster')].map(part => {
    const {x, y, width, height} = part.getBoundingClientRect()
    return {
      look: [...part.classList].filter(name => name !== 'pointed').sort().join(' '),
      says: (part.querySelector('.card[aria-label]') ?? part).getAttribute('aria-label'),
      text: part.textContent,
      place: [x, y, width, height].map(side => Math.round(side * 10) / 10).join(' ')
    }
  })"""


PASTE = """(area, text) => {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  area.dispatchEvent(new ClipboardEvent('paste',
    {clipboardData, bubbles: true, cancelable: true, composed: true}))
}"""

# A document's content at its frame: each part of the picture on a line, and the explanation.
FRAME = """root => {
  for (const part of root.querySelectorAll('#explanation [hidden]')) part.remove()
  return {
    parts: [...root.querySelectorAll('#picture :is(.value, .op, .edge, .group)')].map(part =>
      [[...part.classList].sort().join(' '),
        (part.querySelector('.card[aria-label]') ?? part).getAttribute('aria-label'),
        part.textContent].join(' | ')),
    words: root.querySelector('#explanation').textContent,
    pass: root.querySelector('#pass').textContent,
    line: root.querySelector('#transcript-list [aria-current]')?.textContent,
  }
}"""
# Steps to each place of the scrubber, painting none of them, and then asks the server for each.
WALK = f"""async ([to, by]) => {{
  const content = {FRAME}
  const scrubber = document.querySelector('#scrubber')
  const steps = []
  for (let place = 0; place <= Number(scrubber.max); place += 1) {{
    scrubber.value = place
    scrubber.dispatchEvent(new Event('input', {{bubbles: true}}))
    const {{frame, slot}} = document.querySelector('#picture').dataset
    const grain = by && `&by=${{by}}${{slot ? ':' + slot : ''}}`
    const where = document.querySelector('#where').textContent
    steps.push({{where, stepped: content(document), to: `${{to}}&frame=${{frame}}${{grain}}`}})
  }}
  for (const step of steps) {{
    const text = await (await fetch(step.to)).text()
    step.opened = content(new DOMParser().parseFromString(text, 'text/html'))
  }}
  return steps
}}"""


def address(program: str, **view: Any) -> str:
    """The address of a program; `view` has leaves, frame, direction, grouped and open."""
    return "/?" + urlencode({"program": program, **view})


def shown(x: float) -> str:
    """A number of common size as cards and equations show it, with U+2212."""
    return f"{x:.4f}".replace("-", "−")


class Explore:
    """The Explore page in `page`."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.area = page.get_by_role("textbox", name="Program")  # what one types into
        self.program = page.locator("#program")  # the form's field, which holds the text
        self.picture = page.locator("#picture")
        self.cards = self.picture.locator(".value")
        self.canvas = page.locator("#canvas")
        self.explanation = page.locator("#explanation")
        self.problem = page.locator("#problem")
        self.stale = page.locator("#stale-mark")
        self.where = page.locator("#where")
        self.scrubber = page.get_by_role("slider", name="Frame")
        self.lines = page.locator("#transcript-list li")

    # Navigation

    def open(self, program: str | None = None, **view: Any) -> "Explore":
        """Open the page of a program, or the example's last frame, once it is interactive."""
        return self.go(f"/?frame={LAST}" if program is None else address(program, **view))

    def go(self, to: str) -> "Explore":
        """Open an address and wait until the page is interactive."""
        self.page.goto(to)
        return self.ready()

    def ready(self) -> "Explore":
        """Wait until the page is interactive, the picture can be moved, and the editor is there."""
        expect(self.page.locator("html")).to_have_attribute("data-ready", "true")
        expect(self.page.locator("#canvas:not(.movable)")).to_have_count(0)
        expect(self.page.locator("html")).to_have_attribute("data-editor", "ready")
        return self

    # The program

    def write(self, text: str) -> None:
        """Replace the program by typing."""
        self.area.press("Control+a")
        self.page.keyboard.type(text)

    def settle(self) -> None:
        """Begin to work in the editor, and wait for what it loads then."""
        self.area.focus()
        expect(self.page.locator("#editor [data-complete]")).to_have_count(1)

    def insert(self, text: str) -> None:
        """Replace the program at once, as an input method does."""
        self.area.press("Control+a")
        self.page.keyboard.insert_text(text)

    def paste(self, text: str) -> None:
        """Replace the program by what a clipboard holds."""
        self.area.press("Control+a")
        self.area.evaluate(PASTE, text)

    def seen_lines(self) -> list[str]:
        """The texts of the lines in the editor's document, of those that it draws."""
        return self.page.locator("#editor .cm-line").all_text_contents()

    def error_mark(self) -> Locator:
        """The underlined text in the editor."""
        return self.page.locator("#editor mark.error")

    def line(self, number: int) -> Locator:
        """A line of the editor, of those that are not folded or scrolled out of sight."""
        return self.page.locator("#editor .cm-line").nth(number - 1)

    # The picture

    def card(self, name: str) -> Locator:
        """The cards of the Value called `name`."""
        label = self.page.locator("text.label", has_text=re.compile(f"^{re.escape(name)}$"))
        return self.cards.filter(has=label)

    def button(self, name: str) -> Locator:
        """The button that opens the card of the Value called `name`."""
        return self.card(name).get_by_role("button")

    def op(self, name: str) -> Locator:
        """The circle of the op that computes the Value called `name`."""
        return self.picture.locator(f".op[data-of={self.id(name)}]")

    def id(self, name: str) -> str:
        """The id of the Value called `name`."""
        found = self.card(name).first.get_attribute("data-node")
        assert found is not None
        return found

    def shows(self, name: str, data: float | str, grad: float | str) -> None:
        """Expect data and gradient on a card."""
        card = self.card(name)
        expect(card.locator("text.data")).to_have_text(
            data if isinstance(data, str) else shown(data)
        )
        expect(card.locator("text.grad")).to_have_text(
            grad if isinstance(grad, str) else shown(grad)
        )

    def numbers(self) -> dict[str, tuple[str, str]]:
        """The texts of data and gradient on every labelled card."""
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
        """Every part of the picture: classes, texts and position on the screen."""
        self.still()
        found: list[dict[str, str]] = self.page.evaluate(PICTURE)
        return found

    def places(self) -> list[str]:
        """The position of every part of the picture on the screen."""
        return [part["place"] for part in self.state()]

    def names(self, look: str) -> set[str]:
        """The names of the cards with a class."""
        return set(self.picture.locator(f".value.{look} text.label").all_text_contents())

    def lit(self, look: str) -> list[tuple[str | None, str | None]]:
        """Tail and head of the edges with a class, in drawing order."""
        return [
            (edge.get_attribute("data-from"), edge.get_attribute("data-to"))
            for edge in self.picture.locator(f".edge.{look}").all()
        ]

    def painted(self) -> None:
        """Wait for two animation frames, after which work postponed to the next one is done."""
        self.page.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    def still(self) -> None:
        """Wait until the picture's animations have finished."""
        self.page.wait_for_function(
            """() => [...document.querySelectorAll('#picture')].every(svg =>
              svg.getAnimations({subtree: true}).every(move =>
                move.playState === 'finished' ||
                move.effect.target !== svg && move.id !== 'moved'))"""
        )

    def box(self, part: Locator) -> tuple[float, float, float, float]:
        """Left, top, width and height of a part on the screen."""
        found = part.bounding_box()
        assert found is not None
        return found["x"], found["y"], found["width"], found["height"]

    def is_whole(self) -> bool:
        """Whether the whole picture is in view."""
        self.still()
        x, y, width, height = self.box(self.picture)
        left, top, room_width, room_height = self.box(self.canvas)
        return (
            x >= left
            and y >= top
            and x + width <= left + room_width
            and y + height <= top + room_height
        )

    def middle(self, part: Locator) -> tuple[float, float]:
        """The centre of a part on the screen."""
        x, y, width, height = self.box(part)
        return x + width / 2, y + height / 2

    # The frames

    def is_at(self, frame: int, count: int) -> None:
        """Expect frame number `frame`, counted from 0, of `count`."""
        expect(self.where).to_have_text(f"frame {frame + 1} of {count}")

    def count(self) -> int:
        """The number of frames."""
        return int(self.scrubber.get_attribute("max") or 0) + 1

    def is_drawn_alike_by_browser_and_server(self, program: str, by: str = "", **view: Any) -> None:
        """Expect the same picture and texts for a place reached by stepping and by its address."""
        steps = self.page.evaluate(WALK, [address(program, **view), by])
        word, count = "step" if by else "frame", len(steps)
        assert count == self.count() > 1
        for place, step in enumerate(steps):
            assert step["where"] == f"{word} {place + 1} of {count}"
            stepped, opened = step["stepped"], step["opened"]
            assert set(stepped.pop("parts")) ^ set(opened.pop("parts")) == set(), place
            assert stepped == opened, place

    def release(self) -> None:
        """Take the pointer and the focus away, as they are after opening."""
        self.page.mouse.move(-1, -1)
        self.page.evaluate("document.activeElement.blur()")

    def press(self, key: str) -> None:
        """Press a key with the current focus."""
        self.page.keyboard.press(key)

    def receipts(self) -> list[list[str]]:
        """[upstream, local, gives] of each contribution in the explanation."""
        rows = self.explanation.locator(".contribution:visible")
        return [row.locator(".pill b").all_text_contents() for row in rows.all()]

    # The sections beside the picture

    def switches(self) -> Locator:
        """The menu of all that looks closer, open."""
        menu = self.page.locator("#closer")
        if menu.get_attribute("open") is None:
            menu.locator("summary").click()
        return menu

    def closer(self, part: str) -> None:
        """Press what opens a part, by its id, in the menu of all that looks closer."""
        self.switches()
        self.page.locator(f"[data-closer={part}]").click()

    def pace(self) -> Locator:
        """The menu of grain and speed, open."""
        menu = self.page.locator("#pace-menu")
        if menu.get_attribute("open") is None:
            menu.locator("summary").click()
        return menu

    def exports(self) -> Locator:
        """The list of exports, opened in the menu that shares."""
        for menu in ("#share-menu", "#export-menu"):
            if self.page.locator(menu).get_attribute("open") is None:
                self.page.locator(f"{menu} > summary").click()
        return self.page.locator("#export-menu")

    def look(self, name: str) -> Locator:
        """A section, opened; waits for its contents."""
        section = self.page.locator(f"#lens-{name}")
        if section.get_attribute("open") is None:
            self.closer(f"lens-{name}")
        expect(section.locator(".lens-body > *:not(.no-js)").first).to_be_visible()
        return section

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
        """The state that a link must restore."""
        return {
            "program": self.program.input_value(),
            "leaves": self.page.locator("#leaves input[type=number]").evaluate_all(
                "fields => fields.map(field => field.value)"
            ),
            "frame": self.where.text_content(),
            "explanation": self.explanation.inner_text(),
            "picture": self.state(),
        }


@contextmanager
def requests(page: Page) -> Iterator[list[str]]:
    """The requests that a page sends in the block, as method and address.

    Ignores the icon, which Chromium requests again whenever the address changes, outside tests it
    is cached; and what the editor loads when it is first used.
    """
    sent: list[str] = []

    def note(request: Request) -> None:
        if not re.search("favicon|/words/|codemirror|/editor/", request.url):
            sent.append(f"{request.method} {request.url}")

    page.on("request", note)
    yield sent
    page.remove_listener("request", note)


def hold_editor(page: Page) -> list[Route]:
    """Hold back the code editor until the test continues or aborts the requests for it."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(re.compile(r"codemirror.*(core|shared)"), hold)
    return held
