"""The picture of whole arrays in the browser: frames, cells that belong together, a fix applied."""

import re

from playwright.sync_api import Page, expect

from tests.app.explore.test_array_view import NUMPY
from tests.browser.conftest import Axe
from tests.browser.explore_page import Explore


def test_whole_arrays(page: Page, axe: Axe) -> None:
    explore = Explore(page).open(NUMPY, frame=0)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert axe(page) == []
    frames_show_data_then_gradients(page)
    cells_light_what_they_came_from(page)
    any_cell_is_chosen(page)
    fix_is_applied(explore)


IS_IN_VIEW = """(canvas) => [...canvas.querySelectorAll(".array-node.now")].every((node) => {
  const [box, room] = [node.getBoundingClientRect(), canvas.getBoundingClientRect()];
  return box.top >= room.top && box.bottom <= room.bottom
    && box.left >= room.left && box.right <= room.right;
})"""


def frames_show_data_then_gradients(page: Page) -> None:
    where = page.locator("#where")
    expect(where).to_have_text("frame 1 of 10")
    expect(page.locator(".array-node.has-data")).to_have_count(3)
    page.locator("#forward").click()
    expect(page.locator(".array-node.now .name")).to_have_text("x @ W")
    expect(page.locator(".array-node.has-data")).to_have_count(4)
    page.keyboard.press("End")
    expect(where).to_have_text("frame 10 of 10")
    assert page.locator("#canvas").evaluate(IS_IN_VIEW)
    expect(page.locator(".array-frame:visible .symbols").first).to_have_text("∂L∂x=∂L∂(x @ W)·WT")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".array-frame:visible .broadcast")).to_contain_text("b was broadcast")


def cells_light_what_they_came_from(page: Page) -> None:
    """(x @ W)[0, 1] is made of the row 0 of x and the column 1 of W."""
    page.keyboard.press("End")
    card = page.locator(".array-node").filter(has=page.locator(".name", has_text="x @ W"))
    card.locator('.of-data [data-cell$=" 1"]').hover()
    lit = page.locator(".cell-map.from")
    expect(lit).to_have_count(4)
    places = [cell.get_attribute("data-cell") or "" for cell in lit.all()]
    assert sorted(int(place.split()[1]) for place in places) == [0, 1, 1, 3]
    expect(page.locator(".cell-map.goes")).to_have_count(1)


def any_cell_is_chosen(page: Page) -> None:
    """(x @ W)[1, 0] = 3·1 + 4·(−1) = −1, which is not the largest of its array."""
    card = page.locator(".array-node").filter(has=page.locator(".name", has_text="x @ W"))
    card.locator('.of-data [data-cell$=" 2"]').click()
    expect(page.locator(".array-cell")).to_contain_text("(x @ W)[1, 0]")
    expect(page.locator(".array-cell dd.data")).to_have_text("−1.0000")
    along_the_batch(page)
    page.get_by_role("link", name="as a graph of numbers").first.hover()
    page.locator("#array-cell").fill("W[0, 1]")
    page.keyboard.press("Enter")
    expect(page.locator(".array-cell dt").first).to_have_text("W[0, 1]")


def along_the_batch(page: Page) -> None:
    """The row of a sample is marked in x, x @ W, y and y²: two cells of data in each."""
    expect(page.locator(".walk")).to_contain_text("sample 2 of 3")
    marked = page.locator(".of-data .cell-map.sample")
    expect(marked).to_have_count(8)
    page.get_by_role("link", name="Next sample").click()
    expect(page.locator(".array-cell dt").first).to_have_text("(x @ W)[2, 0]")
    rows = marked.evaluate_all("cells => cells.map(cell => cell.dataset.cell.split(' ')[1])")
    assert rows == ["4", "5"] * 4


def fix_is_applied(explore: Explore) -> None:
    page = explore.page
    expect(page.locator("#verdict .sentence")).to_contain_text("sums db over the wrong axis")
    why = page.locator(".mistakes .why").inner_text()
    expect(page.locator(".below")).to_have_text(why)  # the fix stands beside, not in the same line
    page.get_by_role("link", name="Apply fix").click()
    expect(page.locator("#verdict .verdict")).to_have_class(re.compile("right"))
    expect(page.locator("#program")).to_have_value(re.compile(r"db = dy\.sum\(axis=0\)"))
