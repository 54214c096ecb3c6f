"""The picture as a file: saved as it is shown, and standing alone."""

import base64
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Page, expect

from tests.browser.explore_page import NETWORK, Explore

SVG = "{http://www.w3.org/2000/svg}"


def downloaded(explore: Explore, to: Path) -> str:
    """The file that the link gives."""
    explore.exports()
    with explore.page.expect_download() as download:
        explore.page.get_by_role("link", name="Picture as SVG").click()
    assert download.value.suggested_filename.endswith(".svg")
    download.value.save_as(to)
    return to.read_text("utf-8")


def texts(svg: str) -> list[str]:
    """Everything written in a picture."""
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]  # noqa: S314


def test_picture_is_saved_as_it_is_shown(explore: Explore, tmp_path: Path) -> None:
    for _ in range(3):
        explore.press("ArrowLeft")
    explore.is_at(4, 8)
    link = explore.page.locator("#svg-link")
    expect(link).to_have_attribute("href", re.compile("at=5"))
    svg = downloaded(explore, tmp_path / "graph.svg")
    written = explore.picture.locator("text:not(.spoken)").all_text_contents()
    assert sorted(texts(svg)) == sorted(written)
    assert "·" in written
    explore.press("End")
    explore.type_leaf("a", "4")
    explore.shows("a", 4, 6)
    expect(link).to_have_attribute("href", re.compile("a=4"))
    svg = downloaded(explore, tmp_path / "later.svg")
    assert sorted(texts(svg)) == sorted(
        explore.picture.locator("text:not(.spoken)").all_text_contents()
    )
    assert "·" not in texts(svg)
    stands_alone(svg, explore)


def test_picture_saved_right_after_a_step_is_the_one_shown(page: Page, tmp_path: Path) -> None:
    """The address is written a moment after a step; the picture does not wait for it."""
    page.clock.install(time=0)
    explore = Explore(page).open()
    page.clock.pause_at(60_000)
    explore.press("Home")
    explore.is_at(0, 8)
    svg = downloaded(explore, tmp_path / "graph.svg")
    assert sorted(texts(svg)) == sorted(
        explore.picture.locator("text:not(.spoken)").all_text_contents()
    )


def stands_alone(svg: str, explore: Explore) -> None:
    """An <img> shows it: nothing in it needs our page, its style sheet or its scripts."""
    assert not re.search(r"<style|<script|class=|url\(|href=|onload", svg)
    coded = base64.b64encode(svg.encode()).decode()
    box = explore.picture.evaluate("svg => [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height]")
    page = explore.page
    page.goto("about:blank")
    page.set_content(f'<img alt="graph" src="data:image/svg+xml;base64,{coded}">')
    picture = page.get_by_role("img")
    sizes = picture.evaluate(
        "async img => { await img.decode(); return [img.naturalWidth, img.naturalHeight] }"
    )
    assert sizes == pytest.approx(box, abs=1)
    # It is a picture in blue and orange, not a blank sheet.
    colours = picture.evaluate(
        """img => {
          const canvas = document.createElement('canvas')
          Object.assign(canvas, {width: img.naturalWidth, height: img.naturalHeight})
          const context = canvas.getContext('2d')
          context.drawImage(img, 0, 0)
          const {data} = context.getImageData(0, 0, canvas.width, canvas.height)
          let blue = 0, orange = 0
          for (let i = 0; i < data.length; i += 4) {
            if (data[i + 3] && data[i + 2] > data[i] + 90) blue += 1
            if (data[i + 3] && data[i] > data[i + 2] + 90) orange += 1
          }
          return {blue, orange}
        }"""
    )
    assert colours["blue"] > 100
    assert colours["orange"] > 100


def test_saved_picture_of_groups(page: Page, tmp_path: Path) -> None:
    explore = Explore(page).open(NETWORK, grouped=1, direction="TB", frame=3)
    svg = downloaded(explore, tmp_path / "graph.svg")
    assert sorted(texts(svg)) == sorted(
        explore.picture.locator("text:not(.spoken)").all_text_contents()
    )
