"""The sandbox is not the subject here: programs are run in this process."""

import pytest


@pytest.fixture(autouse=True)
def _natively(natively: None) -> None:
    """For every test."""
