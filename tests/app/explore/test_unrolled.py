"""The tab with the unrolled program: its lines, their Values and frames."""

from __future__ import annotations

from tests.support.pages import EXAMPLE, get


def test_lines_have_their_numbers_values_and_frames() -> None:
    """L = (ab + c) f: the mock-up's way of writing both passes."""
    page = get("/lens/unrolled", "a = 2.0\nb = -3.0\nL = a * b + a")
    rows = [e for e in page.all("li") if "data-frames" in e.attributes]
    assert [e.attributes["value"] for e in rows] == [str(n) for n in range(1, len(rows) + 1)]
    trace = get("/", "a = 2.0\nb = -3.0\nL = a * b + a").trace
    for row in rows:
        for frame in row.attributes["data-frames"].split():
            found = trace["frames"][int(frame)]
            changed = {change["node"] for change in found["changes"]}
            assert row.attributes["data-value"] in changed
    results = [page.within(e).one("span", class_="result").text for e in rows]
    assert results == [  # a, b, ab, L; L_, (ab)_, a_ twice, b_
        "2.0000", "−3.0000", "−6.0000", "−4.0000",
        "1.0000", "1.0000", "1.0000", "−2.0000", "2.0000",
    ]  # fmt: skip


def test_tab_is_in_the_address() -> None:
    assert "hidden" in get("/", EXAMPLE).one(id="unrolled").attributes
    shown = get("/", EXAMPLE, tab="unrolled").one(id="unrolled")
    assert "hidden" not in shown.attributes
    assert "(a*b + c)" not in shown.text
    assert "f_" in shown.text


def test_long_program_is_cut_with_a_note() -> None:
    page = get("/lens/unrolled", "n = MLP(8, [12, 12, 1])\ny = n([0.5]*8)")
    rows = [e for e in page.all("li") if "data-frames" in e.attributes]
    assert len(rows) <= 1_500
    assert len(rows) == 1_500 or "left out" not in page.elements[0].text
