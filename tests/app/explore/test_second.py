"""The section on higher derivatives: what it says, and that its links lead on."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from tests.support.each import for_each
from tests.support.pages import EXAMPLE, Html, client, get

SHARED = "a = 2.0\nb = 3.0\ne = a*b + b**2"


def numbers(page: Html) -> list[str]:
    """The derivatives of the list, each with its name."""
    return [" ".join(e.text.split()[:2]) for e in page.all("p", class_="order")]


def matrix(page: Html) -> list[list[str]]:
    table = page.one("table", class_="hessian")
    rows = page.within(table).all("tr")[1:]
    return [[cell.text for cell in page.within(row).all("td")] for row in rows]


def opened(page: Html) -> list[str]:
    return [e.attributes["href"] for e in page.all("a", class_="open-program")]


def test_matrix_of_shared_leaves_with_its_check() -> None:
    page = get("/lens/second", SHARED)
    assert matrix(page) == [["0.0000", "1.0000"], ["1.0000", "2.0000"]]
    words = " ".join(e.text for e in page.all("p"))
    assert "It curves upwards in some directions and downwards in others" in words
    assert "from −0.4142 to 2.414" in words  # 1 ± √2
    assert "Every entry agrees" in words
    assert "are equal" in words
    verdicts = page.all("td", class_="verdict")
    assert [e.text for e in verdicts] == ["✓agrees"] * 3


def test_address_chooses_leaf_order_and_the_leaves_of_the_matrix() -> None:
    page = get("/lens/second", SHARED, second="v2@2@v2")
    assert numbers(page) == ["d_b 8.0000", "d2_b 2.0000"]
    assert matrix(page) == [["2.0000"]]
    chosen = [e.text for e in page.all("a", aria_current="true")]
    assert chosen == ["b", "2", "b"]


def test_cube_is_opened_again_and_again() -> None:
    """The derivatives of x³ at 2: 12, 12 and 6, each the gradient of the program before it."""
    page = get("/", "x = 2.0\ny = x**3", lens="second", second="v1@3")
    assert numbers(page) == ["d_x 12.0000", "d2_x 12.0000", "d3_x 6.0000"]
    for right in ("d2_x 12.0000", "d3_x 6.0000"):
        href = opened(page)[0]
        query = parse_qs(urlsplit(href).query)
        assert (query["lens"], query["second"]) == (["second"], ["v1@1@"])
        page = get(href)
        assert numbers(page) == [right]
    assert not opened(page)
    assert (
        "The derivative of d2_x with respect to x is 6, whatever the leaves of this graph are."
        in page.elements[0].text
    )


def test_leaf_goes_along_into_the_opened_program() -> None:
    page = get("/lens/second", "a = 2.0\nb = 3.0\nL = (a*b + math.tanh(b)) * b", second="v2@1")
    (href,) = opened(page)
    again = get(href)
    assert numbers(again)[0].startswith("d2_b")


def test_moved_leaves_are_those_of_the_program() -> None:
    page = get("/lens/second", "x = 2.0\ny = x**3", x="5")
    assert numbers(page) == ["d_x 75.0000"]
    assert "x = 5.0" in page.one("pre").text


@for_each(
    ("program", "says"),
    [
        ("class V:\n    def __init__(self, d):\n        self.data, self.grad = d, 0.0\nV(2.0)\n",
         "No path leads from a leaf"),
        ("x = Value(3.0)\ny = x*x\ny.backward()\ny.backward()", "not the derivative 6.0000"),
        ("x = Value(0.0)\ny = relu(x)**2", "the gradient jumps there"),
        ("x = Value(0.0)\ny = sqrt(x)", "is not a finite number here"),
        ("a = Value(1.0)\nb = Value(1.0)\nL = a**2 + b**2 - 2*a - 2*b", "A minimum"),
        ("a = Value(0.0)\nb = Value(0.0)\nL = a*b", "A saddle"),
        ("a = Value(1.0)\nL = 3*a", "It does not curve"),
        ("n = MLP(2, [16, 16, 1])\ny = n([0.1]*2)", "Only 3 leaves"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_graph(program: str, says: str) -> None:
    page = client().get("/lens/second", params={"program": program})
    assert page.status_code == 200
    assert says in page.text


def test_program_that_is_too_large_to_be_drawn_has_no_link() -> None:
    small = client(SEEGRAD_PROGRAM_BYTES="150")
    program = "x = Value(0.5)\ny = (x * x).tanh() * x\ny.backward()"
    page = small.get("/lens/second", params={"program": program})
    assert "The program is larger than what is read" in page.text
    assert "open-program" not in page.text


def test_matrix_that_would_take_too_long_is_left_out() -> None:
    few = client(SEEGRAD_CHECK_OPERATIONS="30")
    page = few.get("/lens/second", params={"program": SHARED})
    assert "No Hessian: it would take more than 30 operations." in page.text
    assert "d_a" in page.text


@for_each("text", ["", "@", "v99@9@v1", "<b>@<i>", "v1@-1@,,", "v1@@v1,v1,v9"])
def test_every_text_of_the_parameter_is_read(text: str) -> None:
    answer = client().get("/lens/second", params={"program": EXAMPLE, "second": text})
    assert answer.status_code == 200
    assert "<i>" not in answer.text


def test_links_lead_to_the_choices() -> None:
    page = get("/", SHARED, lens="second")
    links = [e for e in page.all("a") if e.attributes.get("data-look") == "second"]
    assert [e.text for e in links] == [*"ab", *"1234", *"ab"]
    for link in links:
        assert client().get(link.attributes["href"]).status_code == 200
