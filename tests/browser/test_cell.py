"""The page below a notebook's cell: in a frame, under the policies of hosts, and as a file."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

import seegrad
from seegrad.notebook.shown import Shown
from tests.browser.conftest import Axe, OpenPage
from tests.browser.witness import Witness
from tests.support.live_classes import STYLES, value_class

VS_CODE = (
    "default-src 'none'; script-src https://*.vscode-cdn.net 'unsafe-inline' 'unsafe-eval';"
    " style-src https://*.vscode-cdn.net 'unsafe-inline'; img-src https: http: data:;"
    " font-src https:; connect-src https:; child-src https: data:"
)
"""The policy of VS Code's notebooks, where it has one."""
STRICT = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; frame-src 'self'"
"""A host that lets no script of a notebook run."""


def lecture() -> Shown:
    a, b, c, f = map(seegrad.Value, (2.0, -3.0, 10.0, -2.0))
    out = (a * b + c) * f
    out.backward()
    return seegrad.show(out)


def wrong() -> Shown:
    kind = value_class(STYLES["tuple"].replace("+= out.grad\n", "= out.grad\n", 1))
    a = kind(2.0)
    shown: Shown = seegrad.show((a + kind(1.0)) * a)
    return shown


def host(shown: Shown, policy: str, file: Path) -> str:
    """A page with a notebook's output under a policy."""
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    body = f'<html lang="en"><head>{meta}<title>Notebook</title></head><body>{shown._repr_html_()}'
    file.write_text(f"<!doctype html>{body}</body></html>", encoding="utf-8")
    return file.as_uri()


def test_it_steps_in_a_frame_whose_lines_were_joined(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(width=940, height=620)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    address = host(lecture(), VS_CODE, tmp_path / "host.html")
    page.goto(address)
    inner = page.frame_locator("iframe")
    expect(inner.locator("#where")).to_have_text("frame 8 of 8")
    inner.get_by_role("button", name="First frame").click()
    expect(inner.locator("#where")).to_have_text("frame 1 of 8")
    for _ in range(3):
        inner.get_by_role("button", name="Forward").click()
    expect(inner.locator("#explanation")).to_contain_text("−8.0000")
    page.keyboard.press("End")
    expect(inner.locator("#explanation")).to_contain_text("6.0000")
    for part in ("#canvas", "#explanation", "#player"):  # nothing has to be scrolled for
        expect(inner.locator(part)).to_be_in_viewport(ratio=0.99)
    assert [it for it in asked if it not in (address, "about:srcdoc")] == []


def test_where_no_script_runs_it_is_the_last_frame(
    open_page: OpenPage, witness: Witness, tmp_path: Path
) -> None:
    witness.allowed += ["ontent.?[Ss]ecurity.?[Pp]olicy"]
    page = open_page()
    page.goto(host(lecture(), STRICT, tmp_path / "host.html"))
    inner = page.frame_locator("iframe")
    expect(inner.locator("#explanation")).to_contain_text("6.0000")
    expect(inner.locator("#player")).to_be_hidden()
    expect(inner.locator("#picture")).to_be_visible()


def corners(page: Page) -> dict[str, float]:
    """The edges of the parts of the page."""
    return {
        name: page.locator(f"#{name}").evaluate("it => it.getBoundingClientRect().bottom")
        for name in ("canvas", "player")
    }


def test_a_saved_verdict_leads_to_its_write_in_light_and_dark(
    open_page: OpenPage, axe: Axe, tmp_path: Path
) -> None:
    path = wrong().save(tmp_path / "wrong.html")
    for dark in (False, True):
        page = open_page(width=1000, height=600, dark=dark)
        page.goto(path.as_uri())
        expect(page.locator(".verdict")).to_contain_text("assigns where it should add")
        page.get_by_role("button", name="Go to the write").click()
        expect(page.locator("#explanation")).to_contain_text("due5.0000")  # by hand: 2a + 1
        assert corners(page)["player"] <= 600
        assert axe(page) == []
