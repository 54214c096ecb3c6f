"""axe-core finds nothing in any state of Explore, light, dark and on a phone."""

from collections.abc import Callable

import pytest

from tests.browser.conftest import COLOURS, Axe, OpenPage
from tests.browser.explore_page import Explore
from tests.browser.explore_states import DARK, ON_PHONES, PHONE, STATES
from tests.browser.witness import Witness


@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing(
    open_page: OpenPage, axe: Axe, witness: Witness, state: Callable[[Explore], None]
) -> None:
    """Each state is made once; on the phone it is seen at its size, dark in its colours alone."""
    witness.allowed.append("status of 404")
    page = open_page()
    state(Explore(page))
    assert axe(page) == []
    if state in ON_PHONES:
        page.set_viewport_size(PHONE)
        assert axe(page) == []
    if state in DARK:
        page.emulate_media(color_scheme="dark")
        assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        assert axe(page, COLOURS) == []
