"""A lesson in the browser: its text, its steps, and the live picture beside it."""

from __future__ import annotations

from playwright.sync_api import Frame, FrameLocator, Locator, Page, expect

READ = "localStorage['seegrad-learn'] ??= JSON.stringify({ read: { '%s': true } });"
"""Marks a lesson as read, where nothing else is kept."""


class LessonPage:
    """A lesson beside its live picture."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.where = page.locator("#step-where")
        self.bar = page.locator(".take-over:not(.kept)")
        self.live = page.locator("#live")

    @property
    def picture(self) -> FrameLocator:
        """The page that is docked now."""
        return self.page.frame_locator("#live iframe.current")

    @property
    def frame(self) -> Frame:
        """The same, to run scripts in."""
        frame = self.page.locator("#live iframe.current").element_handle().content_frame()
        assert frame is not None
        return frame

    def open(self, slug: str, step: int = 1, *, is_read: bool = True) -> LessonPage:
        """Open a lesson at a step, and wait for its live picture.

        In one that was read before, nothing is folded.
        """
        if is_read:
            self.page.add_init_script(READ % slug)
        self.page.goto(f"/learn/{slug}?step={step}")
        expect(self.page.locator("#live iframe.current.shown")).to_have_count(1)
        return self

    def is_at(self, step: int, count: int = 7) -> None:
        """Expect a step to be the current one: in the text, in the bar, and in the address."""
        expect(self.where).to_have_text(f"Step {step} of {count}")
        expect(self.step(step)).to_have_attribute("aria-current", "step")
        self.page.wait_for_url(f"**/learn/*?step={step}")

    def step(self, number: int) -> Locator:
        """The text of a step."""
        return self.page.locator(f"#step-{number}")

    def shows_frame(self, number: int, count: int) -> None:
        """Expect the picture at a frame, counted from 1."""
        expect(self.picture.locator("#where")).to_have_text(f"frame {number} of {count}")

    def card(self, id_: str) -> Locator:
        """The card of a Value in the picture."""
        return self.picture.locator(f'#picture .value[data-node="{id_}"]')

    def shows_grad(self, id_: str, text: str) -> None:
        """Expect a gradient on the card of a Value."""
        expect(self.card(id_).locator("text.grad")).to_have_text(text)

    def leaf(self, name: str) -> Locator:
        """The number field of a leaf."""
        return self.picture.get_by_role("spinbutton", name=name, exact=True)
