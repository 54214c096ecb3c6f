"""The panel with the space as a layer sees it."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from app.main import create_app


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(create_app())


def test_the_panel_has_the_grid_the_samples_and_the_layers(client: TestClient) -> None:
    text = client.get("/train/space?data=moons&layers=2-6-4-1&space=2&step=30").text
    assert text.count('class="bent') == 34
    assert text.count('class="dot') == 100
    assert '<option value="2" selected>' in text
    assert "hold" in text
    assert "two main directions" not in client.get("/train/space?data=moons&layers=2-2-1").text


def test_a_network_without_a_plane_says_so(client: TestClient) -> None:
    for query in ("data=four_points", "data=sine", "data=moons&layers=2-1"):
        text = client.get(f"/train/space?{query}").text
        assert "Only a network of two inputs" in text
        assert "<svg" not in text


def test_a_layer_that_is_not_there_is_refused(client: TestClient) -> None:
    assert client.get("/train/space?data=moons&layers=2-6-1&space=7").status_code == 422
    assert client.get("/train/space?data=moons&layers=2-6-1&space=x").status_code == 422


def test_the_page_has_it_without_scripts(client: TestClient) -> None:
    text = client.get("/train?data=moons&layers=2-6-4-1&space=last").text
    assert 'id="space" open' in text
    assert "layer 2 sees it" in text
