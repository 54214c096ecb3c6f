"""The pages paint numbers with the texts that the server writes: half to even, minus signs."""

from playwright.sync_api import Page, expect

from tests.browser.explore_page import Explore
from tests.browser.train_page import Train, address

PREDICTIONS = """html => {
  const root = html ? new DOMParser().parseFromString(html, 'text/html') : document
  return [...root.querySelectorAll('#predictions-body tr')].map(row =>
    [...row.cells].slice(1, 4).map(cell => cell.textContent.trim()))
}"""


def test_a_painted_card_rounds_half_to_even(page: Page) -> None:
    explore = Explore(page).open("a = 0.03125\nb = 0.09375\nL = a * b", frame=0)
    page.keyboard.press("End")
    explore.shows("a", "0.0312", "0.0938")
    explore.shows("b", "0.0938", "0.0312")


def test_predictions_are_written_as_by_the_server(page: Page) -> None:
    train = Train(page).open()
    page.locator("#predictions > summary").click()
    train.press("One step")
    train.is_at(1)
    answer = page.request.get(address(step="1"))
    right = page.evaluate(PREDICTIONS, answer.text())
    assert any("−" in output for _, _, output in right)
    expect(page.locator("#predictions-body td.data").first).to_have_text(right[0][2])
    assert page.evaluate(PREDICTIONS, None) == right
