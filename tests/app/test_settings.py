"""Each setting is an environment variable; what makes no sense is refused by its name."""

from __future__ import annotations

import pytest

from app import settings
from app.reference import setting_rows
from app.settings import SETTINGS, ServerSetting, from_environment, unknown
from engine.program import Limits
from tests.support.each import for_each
from tests.support.pages import EXAMPLE, client, read

ROWS = for_each("row", SETTINGS)


def variable(row: ServerSetting) -> str:
    """The environment variable of a setting."""
    return f"SEEGRAD_{row.name.upper()}"


def test_names_are_different() -> None:
    assert len({row.name for row in SETTINGS}) == len(SETTINGS)


@ROWS
def test_default_is_in_range_and_explained(row: ServerSetting) -> None:
    assert row.least <= row.default <= row.most
    assert row.help.endswith(".")
    assert from_environment({}).values[row.name] == row.default


@ROWS
def test_environment_overrides_the_default(row: ServerSetting) -> None:
    for x in (row.least, row.most):
        assert from_environment({variable(row): repr(x)}).number(row.name) == x


@ROWS
@for_each("text", ["", "many", "1e", "0x10", "nan", "inf", "-1", "1e300"])
def test_error_names_the_variable(row: ServerSetting, text: str) -> None:
    with pytest.raises(ValueError, match=f"^{variable(row)} must be ") as caught:
        from_environment({variable(row): text})
    assert text in str(caught.value)


@ROWS
def test_message_states_the_range(row: ServerSetting) -> None:
    with pytest.raises(ValueError, match=f"{row.least:g} to "):
        from_environment({variable(row): repr(row.most * 2)})


ADDRESS = "tcp://10.0.0.5:8786"


@pytest.mark.parametrize("address", [ADDRESS, "tls://[::1]:8786", "tcp://a-b.example:1"])
def test_a_cluster_is_an_address(address: str) -> None:
    found = from_environment({"SEEGRAD_SWEEP_CLUSTER": f" {address} "})
    assert found.text("sweep_cluster") == address


@for_each("address", ["10.0.0.5", "tcp://", "http://a:1", "tcp://a", "tcp://a b:1"])
def test_invalid_cluster_address_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match=r"^SEEGRAD_SWEEP_CLUSTER must be an address"):
        from_environment({"SEEGRAD_SWEEP_CLUSTER": address})


def test_no_cluster_unless_one_is_named() -> None:
    for environment in ({}, {"SEEGRAD_SWEEP_CLUSTER": ""}):
        assert from_environment(environment).text("sweep_cluster") == ""


def test_a_cluster_needs_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"^SEEGRAD_SWEEP_CLUSTER needs the package distributed"):
        from_environment({"SEEGRAD_SWEEP_CLUSTER": ADDRESS})
    assert from_environment({}).text("sweep_cluster") == ""


def test_visitors_do_not_learn_where_the_cluster_is() -> None:
    named = from_environment({"SEEGRAD_SWEEP_CLUSTER": ADDRESS})
    rows = {name: value for name, value, _ in setting_rows(named)}
    assert rows["SEEGRAD_SWEEP_CLUSTER"] == "set"
    assert "10.0.0.5" not in str(rows)


def test_other_variables_do_not_matter() -> None:
    assert from_environment({"PATH": "x", "SEEGRAD_": "x", "MAX_DRAWN": "x"}).values == (
        from_environment({}).values
    )


def test_limits_of_a_program_are_settings() -> None:
    assert from_environment({}).limits == Limits()
    assert from_environment({"SEEGRAD_VALUES": "20"}).limits == Limits(values=20)


def test_setting_reaches_the_page() -> None:
    small = client(SEEGRAD_VALUES="10")
    assert small.get("/graph", params={"program": EXAMPLE}).status_code == 200
    answer = small.get("/graph", params={"program": "L = sum([Value(1.0) for i in range(30)])"})
    assert "more than 10 Values" in answer.text


def test_large_graph_is_drawn_in_groups() -> None:
    program = "n = MLP(2, [3, 1])\nL = n([1.0, 2.0])"
    for name, limit, grouped in (
        ("MAX_DRAWN", "10", True),
        ("BOXES_OVER", "10", True),
        ("BOXES_OVER", "100", False),
    ):
        answer = client(**{f"SEEGRAD_{name}": limit}).get("/", params={"program": program})
        box = read(answer.text).one("input", name="grouped", value="1")
        assert ("checked" in box.attributes) == grouped
        assert bool(read(answer.text).all("g", class_="group")) == grouped


def test_nudge_check_that_would_take_too_long_is_left_out() -> None:
    answer = client(SEEGRAD_CHECK_OPERATIONS="1").get(
        "/", params={"program": EXAMPLE, "lens": "check"}
    )
    assert answer.status_code == 200
    assert "Not checked: this would take more than 1 operations." in answer.text
    page = read(answer.text)
    assert len(page.within(page.one(id="check")).all("table")) == 0


def test_layout_that_takes_too_long_offers_groups() -> None:
    hasty = client(SEEGRAD_LAYOUT_SECONDS="0.05")
    program = """
x = [Value(float(i)) for i in range(30)]
for k in range(30):
    x = [x[i]*x[(7*i + 3) % 30] for i in range(30)]
L = sum(x)
"""
    loose = {"program": program, "grouped": "0"}
    answer = hasty.get("/", params=loose)
    assert answer.status_code == 200
    assert "took longer than 0.05 seconds" in answer.text
    link = next(
        e for e in read(answer.text).all("a") if "grouped=1" in e.attributes.get("href", "")
    )
    assert hasty.get(link.attributes["href"]).status_code == 200
    picture = hasty.get("/graph.svg", params=loose)
    assert picture.status_code == 422
    assert "grouped=1" in picture.text


def test_counts_are_whole_numbers() -> None:
    for row in SETTINGS:
        environment = {f"SEEGRAD_{row.name.upper()}": str(row.default + 0.5)}
        if isinstance(row.default, int) and row.least <= row.default + 0.5 <= row.most:
            with pytest.raises(ValueError, match="whole number"):
                from_environment(environment)


def test_misspelt_variable_gets_a_suggestion() -> None:
    (line,) = unknown({"SEEGRAD_WAITINGG": "5", "SEEGRAD_CHROMIUM": "/x", "WAITING": "5"})
    assert line == "SEEGRAD_WAITINGG is unknown; did you mean SEEGRAD_WAITING?"
    assert not unknown({f"SEEGRAD_{row.name.upper()}": "1" for row in SETTINGS})
