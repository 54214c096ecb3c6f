"""Operations opened in place: the picture, the section, both numbers, without scripts."""

from __future__ import annotations

import pytest

from tests.support.pages import Html, client, get

TANH = "x = Value(0.7)\ny = x.tanh()\nL = y * 3\nL.backward()"
NODES = ["v1", "v2xc1", "v2xc2", "v2x1", "v2x2", "v2x3", "v2x4", "v2", "v3", "v4"]


def cards(page: Html) -> set[str]:
    return {card.attributes["data-node"] for card in page.all("g", role="img")}


def words(page: Html) -> str:
    return page.elements[0].text


def test_an_op_that_can_be_opened_has_a_sign_and_others_have_none() -> None:
    page = get("/", TANH)
    (sign,) = page.all("g", class_="opener")
    assert sign.attributes["data-expand"] == "v2"
    assert sign.attributes["aria-label"] == "tanh of y: open into elementary operations"


def test_an_open_op_is_a_frame_with_its_operations_and_a_cross() -> None:
    closed, page = get("/", TANH), get("/", TANH, expand="v2")
    assert cards(page) > cards(closed)
    (cluster,) = page.all("g", class_="cluster")
    title = page.one("text", class_="frame-title").text
    assert "tanh(x) = (exp(2 * x) - 1) / (exp(2 * x) + 1)" in title
    assert page.within(cluster).one("g", class_="close").attributes["data-expand"] == "v2"
    for name in cards(closed):
        one, other = (p.one("g", data_node=name, role="img") for p in (closed, page))
        assert one.attributes["aria-label"] == other.attributes["aria-label"]


def test_stepping_goes_through_the_operations_inside() -> None:
    # Given, 5 of tanh, times 3; seed, times 3, 5 of tanh.
    assert "Frame 14 of 14" in words(get("/", TANH, expand="v2"))
    assert "Frame 6 of 6" in words(get("/", TANH))


def test_the_section_says_both_numbers() -> None:
    section = get("/lens/expand", TANH, expand="v2")
    assert "result: through the expansion 0.604367777117, by the op 0.604367777117" in words(
        section
    )
    assert "gradient to x: through the expansion 1.9042" in words(section)
    (link,) = section.all("a", data_expand="v2")
    assert "expand" not in link.attributes["href"].replace("lens", "")


def test_an_overflow_is_said_and_not_shown() -> None:
    page = get("/", TANH.replace("0.7", "400"), expand="v2")
    assert "exp(2*x) is inf here, while tanh itself gives 1.0" in words(page)
    assert not page.all("g", class_="cluster")
    assert "inf" not in page.one("svg", id="picture").text


@pytest.mark.parametrize("grouped", ["", "1"])
def test_open_ops_are_drawn_in_grouped_pictures_too(grouped: str) -> None:
    page = get("/", TANH, expand="v2", grouped=grouped)
    assert "v2x2" in cards(page)


def test_an_op_in_a_closed_box_stays_in_it() -> None:
    network = "random.seed(1)\nn = MLP(2, [2, 1])\nL = n([1.0, 2.0]).tanh()"
    plain = get("/", network, grouped="1", open="")
    tanhs = [
        one["id"]
        for one in client().get("/api/trace", params={"program": network}).json()["nodes"]
        if one["op"] == "tanh" and one["group"]
    ]
    page = get("/", network, grouped="1", open="", expand=",".join(tanhs))
    assert cards(page) == cards(plain)


def test_the_interface_takes_and_says_what_is_open() -> None:
    posted = client().post("/api/trace", json={"program": TANH, "expand": ["v2"]}).json()
    asked = client().get("/api/trace", params={"program": TANH, "expand": "v2"}).json()
    assert posted == asked
    assert [one["id"] for one in posted["nodes"]] == NODES
    assert posted["expanded"]["opened"][0]["borders"][0]["to"] == "v1"
    assert "expanded" not in client().post("/api/trace", json={"program": TANH}).json()


def test_the_card_of_a_value_opens_its_op_and_says_both_numbers() -> None:
    page = get("/", TANH, value="v2")
    (link,) = [one for one in page.all("a", data_expand="v2") if "Open tanh" in one.text]
    opened = get(link.attributes["href"])
    assert "by the op 0.604367777117" in opened.one("div", class_="card-op").text
    assert not get("/", TANH, value="v1").all("div", class_="card-op")


def test_the_exponent_of_an_open_power_is_not_left_over() -> None:
    program = "a = Value(1.5)\nL = a ** 2"
    assert "a * a" in words(get("/lens/expand", program))
    page = get("/", program, expand="v3")
    assert cards(page) == {"v1", "v3"}


def test_an_open_neuron_says_that_its_border_receives_the_same() -> None:
    """One neuron w x + b without tanh: the gradients are those of L = (w x + b) by w, x and b."""
    program = (
        "random.seed(1)\nn = Layer(3, 2, nonlin=False)\nx = Value(3.0)\n"
        "y = n([x, 1.0, 2.0])\nL = y[0] * 2 + y[1]\nL.backward()"
    )
    group = next(
        one["id"]
        for one in client().get("/api/trace", params={"program": program}).json()["groups"]
        if one["kind"] == "neuron"
    )
    page = get("/", program, grouped="1", open=f"g1,{group}", lens="expand")
    titles = [one.text for one in page.all("text", class_="frame-title")]
    assert any("gradients at its border stay equal" in title for title in titles)
    said = page.one("div", class_="expand-lens").text
    assert "through its operations 6, by the box 6; they are equal" in said  # dL/dw = 2 x
