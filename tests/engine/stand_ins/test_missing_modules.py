"""Modules that are not here: imported in vain, used, or expected to be missing."""

from __future__ import annotations

import pytest

from tests.support.programs import printed, refusal


@pytest.mark.parametrize("handler", ["except ImportError:", "except Exception:", "except:"])
def test_a_try_that_is_ready_for_it_takes_its_branch(handler: str) -> None:
    text = "try:\n    import jax\nexcept_\n    print('no jax')\nprint(1)".replace(
        "except_", handler
    )
    assert printed(text) == ["no jax", "1"]


def test_an_import_that_is_not_used_does_no_harm() -> None:
    assert printed("import pandas as pd\nprint(1)") == ["1"]


def test_what_is_used_and_not_here_is_refused_with_a_way_out() -> None:
    error = refusal("import pandas as pd\npd.DataFrame()")
    assert (
        error.message
        == "pandas.DataFrame is not here: a program reaches no files, processes or network."
    )
    assert error.line == 2


def test_a_module_in_a_try_that_expects_something_else_is_as_outside() -> None:
    assert printed("try:\n    import jax\nexcept ValueError:\n    print('no')\nprint(1)") == ["1"]
