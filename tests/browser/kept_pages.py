"""Pages that tests take over from each other.

A page that is navigated keeps its process, with scripts fetched and compiled. It opens Explore in a
third of the processor time that a new context takes. All that a test could leave behind is removed;
where that is not certain, the page is closed and the next test gets a new one.
"""

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from playwright.sync_api import Browser, BrowserContext, CDPSession, Error, Page, ViewportSize

from tests.browser.witness import REPORT_VIOLATIONS

EMPTY = "/healthz"  # a document without scripts
OUTSIDE = (-1, -1)  # where the mouse is over nothing
TIMEOUT = 10_000  # ms

# Remove what is stored; returns whether nothing else is left behind, such as a clock of the test's.
CLEAR = """() => {
  localStorage.clear()
  sessionStorage.clear()
  window.name = ''
  const isOwn = part => /native code/.test(Function.prototype.toString.call(part))
  return document.cookie === '' && [Date, setTimeout].every(isOwn)
}"""


class Kind(NamedTuple):
    """What a page has for life."""

    javascript: bool
    touch: bool


class Look(NamedTuple):
    """What can be changed in a page from one test to the next."""

    width: int
    height: int
    dark: bool
    reduced_motion: bool

    @property
    def viewport(self) -> ViewportSize:
        """The size in CSS pixels."""
        return {"width": self.width, "height": self.height}

    @property
    def scheme(self) -> Literal["dark", "light"]:
        """The preferred colours."""
        return "dark" if self.dark else "light"

    @property
    def motion(self) -> Literal["reduce", "no-preference"]:
        """The preferred amount of motion."""
        return "reduce" if self.reduced_motion else "no-preference"


@dataclass
class KeptPage:
    """A page in a context of its own."""

    page: Page
    protocol: CDPSession
    is_changed: bool = False
    """Whether a test had a script run before those of each page: nothing can take that back."""

    def __post_init__(self) -> None:
        add = self.page.add_init_script

        def noted(*args: Any, **options: Any) -> Any:
            self.is_changed = True
            return add(*args, **options)

        self.page.add_init_script = noted  # type: ignore[method-assign]

    @property
    def context(self) -> BrowserContext:
        """The page's context."""
        return self.page.context

    def show(self, look: Look) -> None:
        """Take on a test's settings."""
        if self.page.viewport_size != look.viewport:
            self.page.set_viewport_size(look.viewport)
        self.page.emulate_media(
            media="null", forced_colors="null", color_scheme=look.scheme, reduced_motion=look.motion
        )

    def clear(self, server: str) -> bool:
        """Remove what a test left behind; returns whether all of it is gone."""
        is_here = not self.page.is_closed() and self.page.url.startswith(f"{server}/")
        if self.is_changed or not is_here or self.context.pages != [self.page]:
            return False
        try:
            self.page.unroute_all(behavior="ignoreErrors")
            self.context.clear_permissions()
            self.page.mouse.move(*OUTSIDE)
            self.page.goto(EMPTY)
            is_clear = bool(self.page.evaluate(CLEAR))
            self.protocol.send("Page.resetNavigationHistory")
        except Error:
            return False
        return is_clear


@dataclass
class KeptPages:
    """The pages that wait for the next test, at most one of each kind."""

    server: str
    browser: Browser
    waiting: dict[Kind, KeptPage] = field(default_factory=dict)

    def new(self, kind: Kind, look: Look) -> KeptPage:
        """A page in a new context."""
        context = self.browser.new_context(
            base_url=self.server,
            viewport=look.viewport,
            color_scheme=look.scheme,
            reduced_motion=look.motion,
            java_script_enabled=kind.javascript,
            has_touch=kind.touch,
            locale="en-GB",
        )
        context.set_default_timeout(TIMEOUT)
        context.add_init_script(REPORT_VIOLATIONS)
        page = context.new_page()
        return KeptPage(page, context.new_cdp_session(page))

    def take(self, kind: Kind, look: Look) -> KeptPage:
        """The page that waits, with a test's settings, or else a new one."""
        kept = self.waiting.pop(kind, None)
        if kept is None:
            return self.new(kind, look)
        kept.show(look)
        return kept

    def give_back(self, kind: Kind, kept: KeptPage) -> None:
        """Keep a page for the next test if nothing remains in it of this one."""
        if kind not in self.waiting and kept.clear(self.server):
            self.waiting[kind] = kept
        else:
            kept.context.close()

    def close(self) -> None:
        """Close the pages that wait."""
        for kept in self.waiting.values():
            kept.context.close()
        self.waiting.clear()
