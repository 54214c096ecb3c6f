"""Parts of Train's page hidden by the address, their values kept."""

from __future__ import annotations

from dataclasses import replace

from app.train.hiding import HIDEABLE
from tests.support.each import for_each
from tests.support.learning import MINIBATCH
from tests.support.pages import client, read
from tests.support.places import ROOT
from tests.support.train_pages import ODD, control, of, page, sent, spec_of


def test_hidden_controls_keep_their_values() -> None:
    found = of(replace(ODD, seed=5), hide="data,mistakes,seed,layers")
    assert [legend.text for legend in found.all("legend")] == ["Network", "Training"]
    for name in ("seed", "layers", "zero_grad", "rows", "samples"):
        assert control(found, name).attributes["type"] == "hidden"
    assert spec_of(sent(found)) == replace(ODD, seed=5)
    assert ("hide", "data,mistakes,seed,layers") in sent(found)


def test_hidden_switch_that_is_not_off_sends_nothing() -> None:
    found = of(MINIBATCH, hide="mistakes,shuffle")
    assert spec_of(sent(found)) == MINIBATCH
    assert not found.all(name="zero_grad")


def test_group_of_which_all_is_hidden_has_no_legend() -> None:
    found = of(MINIBATCH, hide="zero_grad,accumulate,learning_rate")
    assert "Try a mistake" not in [legend.text for legend in found.all("legend")]


@for_each(
    ("word", "gone"),
    [
        ("predictions", "predictions"), ("losses", "losses"), ("norms", "norms"),
        ("doctor", "doctor"), ("code", "code"), ("sweep", "sweep"), ("export", "exports"),
        ("open", "open"), ("play", "player"), ("chart", "loss"), ("boundary", "plot"),
        ("stats", "stats"), ("race", "race-open"), ("features", "features"),
        ("learning_rate", "rate"), ("steps", "train-on"),
    ],
)  # fmt: skip
def test_parts_of_the_page_can_be_hidden(word: str, gone: str) -> None:
    assert page().all(id=gone)
    assert not of(MINIBATCH, hide=word).all(id=gone)


def test_unknown_name_to_hide_is_refused_and_nothing_else_is_lost() -> None:
    answer = client().get("/train?seed=77&hide=play,plya")
    assert answer.status_code == 422
    found = read(answer.text)
    assert "did you mean play? it knows data, network" in found.one("p", id="error-spec").text
    assert found.one("input", id="field-seed").attributes["value"] == "77"
    assert ("hide", "play") in sent(found)


def test_readme_and_reference_name_what_can_be_hidden() -> None:
    rows = read(client().get("/reference").text)
    text = (ROOT / "docs/train.md").read_text("utf-8")
    for name, words in HIDEABLE.items():
        assert f"`{name}`" in text
        assert words in [cell.text for cell in rows.all("td")]
