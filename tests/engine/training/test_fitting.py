"""What fits other data, rows or another loss; the hidden layers and whatever fits are kept."""

from engine.training.datasets import DATASETS
from engine.training.fitting import CHANGES, refit
from engine.training.losses import LOSSES
from engine.training.spec import FIELDS, TrainSpec
from tests.support.each import for_each

NET = "2-5-3-1"
PAIR = "0,0,0;0,1,1;1,0,1;1,1,0"
SIGNED = "0,0,-1;0,1,1;1,0,1;1,1,-1"
THREE = "0,0;1,1;2,2;0.5,1"
NUMBERS = "0,0.5;1,1.5;2,2.25"
WORDS = "height;animal\n1,5;cat\n-1,0;dog\n0,5;cat\n-0,3;cow"


@for_each(
    ("changed", "texts", "fit"),
    [
        # Other data
        ("data", {"data": "moons", "loss": "mse", "layers": NET}, {}),
        ("data", {"data": "three_spirals", "loss": "mse"}, {"layers": (2, 5, 3, 3)}),
        ("data", {"data": "sine", "loss": "mse"}, {"layers": (1, 5, 3, 1)}),
        ("data", {"data": "sine", "loss": "hinge"}, {"layers": (1, 5, 3, 1), "loss": "mse"}),
        ("data", {"data": "plane", "loss": "sum_squares"}, {}),
        ("data", {"data": "four_points", "test_share": "0.25"}, {"layers": (3, 5, 3, 1)}),
        # Two classes take one output or two, as the loss can
        ("data", {"layers": "2-4-2"}, {}),
        ("data", {"layers": "2-4-3"}, {"layers": (2, 4, 2)}),
        ("loss", {"loss": "cross_entropy"}, {"layers": (2, 5, 3, 2)}),
        ("loss", {"loss": "bce", "layers": "2-4-2"}, {}),
        ("loss", {"data": "sine", "loss": "hinge", "layers": "1-4-1"}, {}),  # is refused
        # Features are of two inputs, and the network has one input for each
        ("features", {"features": "x1,x2,sin_x1"}, {"layers": (3, 5, 3, 1)}),
        ("features", {"features": "x1,x2", "layers": "3-5-1"}, {"layers": (2, 5, 1)}),
        ("features", {"features": "x3"}, {}),
        ("data", {"data": "circles", "features": "x1_x2", "layers": "1-4-1"}, {}),
        (
            "data",
            {"data": "sine", "loss": "mse", "features": "x1_x2,x1,x2", "layers": "3-4-1"},
            {"features": (), "layers": (1, 4, 1)},
        ),
        # Own rows: whole numbers are classes or numbers to predict, words are always classes
        ("rows", {"rows": PAIR, "loss": "mse"}, {}),
        ("rows", {"rows": PAIR, "loss": "cross_entropy"}, {"layers": (2, 5, 3, 2)}),
        ("rows", {"rows": SIGNED, "loss": "mse", "layers": "2-4-3"}, {"layers": (2, 4, 2)}),
        ("rows", {"rows": THREE, "loss": "mse"}, {"layers": (1, 5, 3, 1)}),
        ("rows", {"rows": THREE, "loss": "hinge"}, {"layers": (1, 5, 3, 3)}),
        ("rows", {"rows": THREE, "loss": "mse", "layers": "1-4-2"}, {"layers": (1, 4, 3)}),
        ("rows", {"rows": WORDS, "loss": "mse"}, {"layers": (1, 5, 3, 3)}),
        ("rows", {"rows": NUMBERS, "loss": "hinge"}, {"layers": (1, 5, 3, 1), "loss": "mse"}),
        ("data", {"rows": NUMBERS, "loss": "hinge"}, {"layers": (1, 5, 3, 1), "loss": "mse"}),
        # Of what is refused anyway nothing follows
        ("data", {"data": "sinus"}, {}),
        ("data", {"data": "sine", "layers": "2 → x"}, {}),
        ("data", {"data": "sine", "layers": "2-0-1"}, {}),
        ("data", {"data": "sine", "loss": "nope"}, {}),
        ("rows", {"rows": ""}, {}),
        ("rows", {"rows": "0,one,1;1,2,0"}, {}),
    ],
)
def test_settings_are_fitted(changed: str, texts: dict[str, str], fit: dict[str, object]) -> None:
    if texts.get("data") == "four_points":
        fit = {**fit, "test_share": 0.0}
    data = "rows" if "rows" in texts else "moons"
    assert refit({"data": data, "layers": NET, **texts}, changed) == fit


@for_each(
    ("changed", "layers", "dropped"),
    [
        ("layers", "2-2-1", False),
        ("layers", "2-3-1", True),
        ("layers", "2", False),  # of hidden layers alone, the other sizes are those of the data
        ("layers", "4", True),
        ("layers", "2-x-1", False),  # which is refused
        ("data", "2-2-1", False),
    ],
)
def test_initial_parameters_stay_with_their_network(
    changed: str, layers: str, dropped: bool
) -> None:
    texts = {"data": "circles", "layers": layers, "initial": ",".join("0.1" for _ in range(9))}
    fit = refit({**dict(TrainSpec(data="circles").to_query()), **texts}, changed)
    assert fit == ({"initial": ()} if dropped else {})


def test_other_data_drop_initial_parameters() -> None:
    texts = dict(TrainSpec(layers=(2, 2, 1), initial=(0.1,) * 9).to_query())
    fit = refit({**texts, "data": "sine"}, "data")
    assert (fit["layers"], fit["initial"]) == ((1, 2, 1), ())


@for_each("loss", LOSSES)
@for_each("before", [name for name in DATASETS if name != "rows"])
@for_each("data", [name for name in DATASETS if name != "rows"])
def test_other_data_always_make_a_run(data: str, before: str, loss: str) -> None:
    start = dict(TrainSpec(data=before).to_query())
    changed = {**start, "data": data, "loss": loss}
    fit = {name: FIELDS[name].kind.text(x) for name, x in refit(changed, "data").items()}
    assert TrainSpec.from_query({**changed, **fit}).data == data


@for_each("changed", CHANGES)
def test_fitting_settings_stay(changed: str) -> None:
    texts = dict(TrainSpec(data="rows", rows=((0, 1), (1, -1)), layers=(1, 4, 1)).to_query())
    assert refit(texts, changed) == {}
