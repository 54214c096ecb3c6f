"""The page of Train: its first run, links to steps, regions, and data for scripts."""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qsl, urlsplit

import pytest

from app.pages import PAGES
from app.train.presets import STARTING
from engine.kernel import Run
from engine.training.spec import TrainSpec
from tests.support.each import for_each
from tests.support.learning import CURVE, MINIBATCH, WIDE
from tests.support.pages import Html, client, read
from tests.support.train_pages import ODD, control, of, page, sent, spec_of

# The run to start with


def test_page_starts_with_a_run_that_learns_within_a_second() -> None:
    assert spec_of(sent(page())) == STARTING
    run = Run(STARTING)
    run.advance(STARTING.steps)
    assert run.evaluate().accuracy == 1.0
    assert run.evaluate("test").accuracy == 1.0


def test_page_is_found_from_every_other() -> None:
    for path in (other.path for other in PAGES if other.name != "train"):
        assert read(client().get(path).text).all("a", href="/train")[0].text == "Train"
    page().one("a", href="/train", aria_current="page")


# Steps


def _steps(found: Html) -> list[str]:
    nav = found.one("nav", aria_label="Step")
    return [a.attributes["href"] for a in found.within(nav).all("a")]


def test_links_to_steps_keep_what_is_hidden() -> None:
    found = of(MINIBATCH, hide="data", step="5")
    for link in _steps(found):
        assert ("hide", "data") in parse_qsl(urlsplit(link).query)


@pytest.mark.parametrize(
    ("step", "leads_to"),
    [(0, [1, 10, 40]), (5, [0, 0, 4, 6, 15, 40]), (40, [0, 30, 39])],
)
def test_steps_without_scripts_are_links(step: int, leads_to: list[int]) -> None:
    links = [dict(parse_qsl(urlsplit(a).query)) for a in _steps(of(MINIBATCH, step=str(step)))]
    assert [int(link["step"]) for link in links] == leads_to
    for link in links:
        assert spec_of(list(link.items())) == MINIBATCH


def test_default_run_is_not_taken_for_none() -> None:
    """Nothing of it differs from the defaults, but no parameter at all means the starting run."""
    found = of(TrainSpec())
    assert spec_of(sent(found)) == TrainSpec()
    for link in _steps(found):
        assert spec_of(sent(read(client().get(link).text))) == TrainSpec()


def test_form_requests_the_last_step_from_the_first() -> None:
    assert control(of(MINIBATCH), "step").attributes["value"] == "40"
    assert control(of(MINIBATCH, step="7"), "step").attributes["value"] == "7"


# For scripts and for everyone


def test_page_carries_setup_and_state_for_scripts() -> None:
    found = of(MINIBATCH, step="7")
    setup, state = (json.loads(found.one("pre", id=name).text) for name in ("setup", "state"))
    assert TrainSpec.from_json(setup["spec"]) == MINIBATCH
    assert state["step"] == 7
    assert len(state["losses"]) == 7


REGIONS = {
    *("spec", "network", "stats", "loss", "boundary", "points", "plot", "predictions", "norms"),
    *("doctor", "code", "pins", "sweep", "play", "reset", "back", "step", "epoch", "speed"),
    *("scrub", "where", "open", "phases", "log-scale", "pin", "unzoom", "edit-points"),
    *("inspector", "tip", "notice", "announcer", "gist", "sweep-open", "sweep-rates"),
    *("sweep-seeds", "sweep-run", "sweep-result", "copy-link", "code-as", "code-text"),
    *("predictions-body", "norms-body", "norms-canvas", "losses-body", "doctor-list"),
    *("csv-link", "svg-link", "png-link", "network-link", "own-data", "mistake"),
}


def test_page_has_every_region_once() -> None:
    ids = [e.attributes["id"] for e in page().elements if "id" in e.attributes]
    assert len(ids) == len(set(ids))
    assert set(ids) >= REGIONS


def test_landmarks_and_headings() -> None:
    found = page()
    assert len(found.all("main")) == len(found.all("h1")) == 1
    regions = {s.attributes.get("aria-label") for s in found.all("section")}
    assert {"Network", "Results", "Tables", "Steps"} <= regions
    for link in found.all("a", class_="skip"):
        found.one(id=link.attributes["href"][1:])
    for table in found.all("table"):
        assert all(
            th.has(scope="col") or th.has(scope="row") for th in found.within(table).all("th")
        )


@for_each("spec", [MINIBATCH, CURVE, WIDE, ODD], ids=["two", "one", "three", "odd"])
def test_nothing_on_the_page_is_styled_or_run_in_place(spec: TrainSpec) -> None:
    found = of(spec, step="2")
    ids = {e.attributes["id"] for e in found.elements if "id" in e.attributes}
    for element in found.elements:
        for name, value in element.attributes.items():
            assert name not in ("style", "srcset")
            assert not name.startswith("on")
            if name in ("for", "form", "aria-describedby", "aria-labelledby"):
                assert set(value.split()) <= ids, f"<{element.tag} {name}={value!r}>"
        if element.tag == "script":
            assert element.attributes["src"]


@pytest.mark.parametrize("spec", [MINIBATCH, CURVE, WIDE], ids=["two", "one", "three"])
def test_every_address_of_the_page_leads_somewhere(spec: TrainSpec) -> None:
    for address in set(of(spec, step="2").addresses()):
        if address.startswith("#"):
            continue
        assert re.match(r"/(?!/)", address)
        assert client().get(address).status_code == 200, address


EDITED = "/train?layers=2-3-1&steps=20&set=3:3,1:-0.5&at=7&set=11:1&at=9&step=12&hide=sweep"


def test_manual_edits_are_listed_with_links_to_undo_them() -> None:
    found = read(client().get(EDITED).text)
    rows = found.within(found.one("ul", id="edits-list")).all("li")
    assert [re.sub(r"\s+", " ", row.text).strip() for row in rows] == [
        "layer 1, neuron 2, weight 1 is 3 from step 7 on Remove",
        "layer 1, neuron 1, weight 2 is -0.5 from step 7 on Remove",
        "layer 2, neuron 1, weight 3 is 1 from step 9 on Remove",
    ]
    links = [a.attributes["href"] for a in found.all("a") if a.text == "Remove"]
    left = parse_qsl(urlsplit(links[0]).query)
    assert [pair for pair in left if pair[0] not in ("layers", "steps")] == [
        ("set", "1:-0.5"), ("at", "7"), ("set", "11:1.0"), ("at", "9"), ("hide", "sweep"),
        ("step", "12"),
    ]  # fmt: skip
    assert "set" not in of(MINIBATCH).one("section", id="edits").text
    assert "hidden" in of(MINIBATCH).one("section", id="edits").attributes


def test_code_names_what_it_leaves_out() -> None:
    code = client().get("/train/code?layers=2-3-1&steps=20&set=2:3&at=7&as=pytorch").text
    said = "# Left out, as it was changed by hand: layer 1, neuron 1, bias is 3 from step 7 on.\n"
    assert code.startswith(said)
