"""The race: its address, its page without scripts, and what it refuses."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from app.train.race import MOST, read
from engine.numbers import brief, percent
from engine.runs.run import history
from engine.training.fields import SpecError
from engine.training.limits import TrainLimits
from engine.training.optim import OPTIMIZERS
from engine.training.samples import initial_parameters, load
from engine.training.snapshot import History
from tests.support.each import for_each
from tests.support.pages import client
from tests.support.pages import read as parsed

BASE = [("data", "circles"), ("samples", "30"), ("layers", "2-3-1"), ("steps", "40")]
OWNS = ["", "optimizer=adam&learning_rate=0.05", "at=20:learning_rate=0.1,40:steps=50", "seed=4"]


def address(owns: list[str], *more: tuple[str, str]) -> str:
    return "/train/race?" + urlencode([*BASE, *runs_of(owns), *more])


def runs_of(owns: list[str]) -> list[tuple[str, str]]:
    return [("run", own) for own in owns]


def test_each_run_is_the_base_with_its_own_settings() -> None:
    race = read([*BASE, *runs_of(OWNS)], TrainLimits())
    assert [racer.words for racer in race.racers] == [
        "unchanged",
        "adam, rate 0.05",
        "rate 0.1 from step 20 on, train on to 50 from step 40 on",
        "seed 4",
    ]
    assert race.steps == race.step == 50
    base = race.racers[0].spec
    assert all(racer.spec.layers == base.layers for racer in race.racers)
    again = read(parse_qsl(urlsplit(race.href(race.owns)).query, True), TrainLimits())
    assert again.racers == race.racers
    default = read(BASE, TrainLimits())
    assert [racer.spec.optimizer for racer in default.racers] == list(OPTIMIZERS)
    for name, racer in zip(OPTIMIZERS, default.racers, strict=True):  # and says the rate of each
        own = name == default.base.optimizer
        rate = default.base.learning_rate if own else OPTIMIZERS[name].rate
        assert racer.spec.learning_rate == rate
        assert racer.words == f"{name}, rate {rate:g}"
    owns = ["optimizer=adam", "optimizer=adam&learning_rate=1", "layers=2-4-1"]
    given = read([*BASE, ("learning_rate", "0.7"), *runs_of(owns)], TrainLimits())
    assert [racer.words for racer in given.racers] == [
        f"adam, rate {OPTIMIZERS['adam'].rate:g}", "adam, rate 1", "layers 2-4-1",
    ]  # fmt: skip
    assert [racer.spec.learning_rate for racer in given.racers] == [0.02, 1.0, 0.7]


def test_runs_take_weights_changed_by_hand() -> None:
    edited = [*BASE, ("set", "0:5"), ("at", "3")]
    owns = ["", "seed=4", "set=1:2&at=4", "set=", "layers=2-4-1", "steps=2"]
    race = read([*edited, *runs_of(owns)], TrainLimits())
    ours = ((3, 0, 5.0),)
    assert [racer.edits for racer in race.racers] == [ours, ours, ((4, 1, 2.0),), (), (), ()]
    assert race.racers[2].words == "unchanged, weights by hand"
    assert race.drops_edits
    assert not read([*edited, *runs_of(owns[:4])], TrainLimits()).drops_edits
    again = read(parse_qsl(urlsplit(race.href(race.owns)).query, True), TrainLimits())
    assert again.racers == race.racers
    assert parse_qsl(race.racers[1].query)[-2:] == [("set", "0:5.0"), ("at", "3")]
    text = client().get(race.href(["", "set="], 20)).text
    losses = [
        client().get(f"/train/state?{racer.query}&step=20").json()["loss"]
        for racer in (race.racers[0], race.racers[3])
    ]
    assert losses[0] != losses[1]
    shown = [f"<output data-loss>{brief(loss)}</output>" for loss in losses]
    assert text.index(shown[0]) < text.index(shown[1])


def test_at_the_start_no_run_leads() -> None:
    race = address(["learning_rate=0.01", "learning_rate=0.02"], ("step", "0"))
    assert "At step 0 all runs have a loss of" in client().get(race).text


def test_the_page_without_scripts_has_boards_links_and_a_table() -> None:
    answer = client().get(address(OWNS, ("step", "50")))
    assert answer.status_code == 200
    found = parsed(answer.text)
    race = read([*BASE, *runs_of(OWNS)], TrainLimits())
    assert len(found.all("article")) == len(OWNS)
    rows = found.all("tr")[1:]
    for racer, row in zip(race.racers, rows, strict=True):
        loss, train, test = (cell.text for cell in found.within(row).all("td"))
        final = history(racer.spec)
        assert float(loss) == pytest.approx(final.loss, abs=6e-5, rel=1e-3)
        assert final.accuracy is not None
        assert float(train.removesuffix("%")) == pytest.approx(100 * final.accuracy, abs=0.06)
        assert test == ""
    pictures = [image.attributes["src"] for image in found.all("img")]
    assert len(pictures) == 2 * len(OWNS)
    assert client().get(pictures[2]).headers["content-type"] == "image/png"
    link = next(a for a in found.all("a") if "data-open" in a.attributes)
    assert client().get(link.attributes["href"]).status_code == 200


def test_the_form_adds_a_run_to_the_address() -> None:
    answer = client().get(
        address(["", "seed=4"], ("add.optimizer", "adam"), ("add.layers", "2-5-1"), ("add.l2", "")),
        follow_redirects=False,
    )
    assert answer.status_code == 303
    pairs = parse_qsl(urlsplit(answer.headers["location"]).query, keep_blank_values=True)
    assert [text for name, text in pairs if name == "run"] == [
        "", "seed=4", "optimizer=adam&layers=2-5-1",
    ]  # fmt: skip


def test_an_added_run_with_other_weights_keeps_the_data() -> None:
    answer = client().get(address([""], ("add.seed", "99")), follow_redirects=False)
    race = read(parse_qsl(urlsplit(answer.headers["location"]).query, True), TrainLimits())
    first, added = (racer.spec for racer in race.racers)
    assert load(first) == load(added)
    assert initial_parameters(first) != initial_parameters(added)
    assert race.racers[1].words == "seed 99"


@for_each(
    ("owns", "more", "why"),
    [
        (["optimizer=adamax"], (), "did you mean adam"),
        ([f"seed={i}" for i in range(MOST + 1)], (), "13 runs; give 12"),
        ([f"seed={i}" for i in range(MOST)], (("add.seed", "99"),), "12 runs already"),
        (["steps=900000"], (), "at most 100,000"),
        (["colour=red"], (), "no field of a spec"),
    ],
)
def test_a_race_that_cannot_be_run_is_refused(
    owns: list[str], more: tuple[tuple[str, str], ...], why: str
) -> None:
    answer = client().get(address(owns, *more))
    assert answer.status_code == 422
    assert why in parsed(answer.text).one("p", role="alert").text


def test_the_work_of_all_runs_is_bounded() -> None:
    limits = TrainLimits(work=read(BASE, TrainLimits()).base.work)
    owns = [("run", f"seed={i}") for i in range(4)]
    assert len(read([*BASE, *owns], limits).racers) == 4
    with pytest.raises(SpecError, match="too much work"):
        read([*BASE, *owns, ("run", "seed=9")], limits)


def test_runs_are_compared_over_all_training_data_and_exactly() -> None:
    def finals(owns: list[str]) -> list[History]:
        race = read([*BASE, *runs_of(owns)], TrainLimits())
        return [history(racer.spec) for racer in race.racers]

    batches = ["batch=1", "batch=2&seed=5"]
    found = parsed(client().get(address(batches)).text)
    for final, row in zip(finals(batches), found.all("tr")[1:], strict=True):
        loss, train, _ = (cell.text for cell in found.within(row).all("td"))
        assert (loss, train) == (brief(final.loss), percent(final.accuracy or 0.0))
    near = ["learning_rate=0.000001", "learning_rate=0.0000012"]  # the same digits as shown
    slow, fast = (final.loss for final in finals(near))
    assert fast < slow
    assert brief(fast) == brief(slow)
    leader = parsed(client().get(address(near)).text).one("p", id="leader").text
    assert leader == f"At step 40 rate 1.2e-06 leads with a loss of {brief(fast)}."
