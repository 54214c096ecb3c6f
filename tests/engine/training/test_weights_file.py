"""Weights in files: what NumPy and PyTorch wrote is read, and nothing in a file is run."""

from __future__ import annotations

import base64
import io
import json
import pickle
import re
import zipfile
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.training.array_files import MOST, BadFile, read_arrays
from engine.training.weights_file import read_weights, weights_json, weights_npz
from tests.oracles.records import Oracle
from tests.support.each import for_each

LAYERS = (2, 3, 1)
FLAT = tuple(float(i) / 8 - 0.5 for i in range(13))
BY_LAYER = {
    "0.weight": [[-0.5, -0.375], [-0.125, 0.0], [0.25, 0.375]],
    "0.bias": [-0.25, 0.125, 0.5],
    "2.weight": [[0.625, 0.75, 0.875]],
    "2.bias": [1.0],
}


def test_weights_are_named_and_shaped_as_pytorch_does() -> None:
    assert json.loads(weights_json(LAYERS, FLAT)) == BY_LAYER


@for_each(
    ("library", "kind"),
    [
        *(("torch", kind) for kind in ("state_dict", "double", "half", "parameters", "checkpoint")),
        ("torch", "columns"),
        *(("numpy", kind) for kind in ("plain", "compressed", "single", "columns")),
    ],
)
def test_what_the_libraries_write_is_read(library: str, kind: str, oracle: Oracle) -> None:
    file = oracle(f"saved_weights.of_{library}", BY_LAYER, kind)
    found = read_weights(base64.b64decode(file))
    assert found.layers == LAYERS
    assert found.parameters == FLAT  # multiples of 1/8, exact in 16 bits


@pytest.mark.parametrize("write", [weights_npz, lambda *of: weights_json(*of).encode()])
@given(
    st.lists(st.integers(1, 5), min_size=2, max_size=4).flatmap(
        lambda sizes: st.tuples(
            st.just(tuple(sizes)),
            st.lists(
                st.floats(allow_nan=False, allow_infinity=False),
                min_size=(n := sum((a + 1) * b for a, b in pairwise(sizes))),
                max_size=n,
            ),
        )
    )
)
def test_what_is_written_is_read_back(write: Any, of: tuple[tuple[int, ...], list[float]]) -> None:
    layers, parameters = of
    assert read_weights(write(layers, parameters)) == (layers, tuple(parameters))


def test_the_other_orientation_is_known_by_its_sizes() -> None:
    by_columns = {
        "W1": [[-0.5, -0.125, 0.25], [-0.375, 0.0, 0.375]],
        "b1": [[-0.25, 0.125, 0.5]],
        "W2": [[0.625], [0.75], [0.875]],
        "b2": [[1.0]],
    }
    assert read_weights(json.dumps(by_columns).encode()) == (LAYERS, FLAT)


def test_squares_are_of_torch_by_their_names_and_of_numpy_otherwise() -> None:
    square = {"{}0": [[1, 2], [3, 4]], "b": [5, 6]}

    def read(name: str) -> tuple[float, ...]:
        text = json.dumps({name: square["{}0"], "b": square["b"]})
        return read_weights(text.encode()).parameters

    assert read("0.weight") == (1, 2, 5, 3, 4, 6)
    assert read("W") == (1, 3, 5, 2, 4, 6)


def test_a_list_of_numbers_has_no_sizes() -> None:
    assert read_weights(b"[1, 2.5, -3]") == ((), (1.0, 2.5, -3.0))


class Calls:
    def __reduce__(self) -> Any:
        return print, ("this was run",)


def archive(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, file in files.items():
            made.writestr(name.replace("__", "/"), file)
    return out.getvalue()


@for_each(
    ("data", "says"),
    [
        (b"hello", "neither JSON"),
        (b"[[1, 2], [3]]", "different lengths"),
        (
            b'{"0.weight": [[1, 2]], "0.bias": [1], "2.weight": [[1, 2]], "2.bias": [1]}',
            "one after the other",
        ),
        (
            b'{"0.weight": [[1, 2]], "2.weight": [[1]], "b": [1]}',
            "2 matrices of weights and 1 biases",
        ),
        (b'{"0.weight": [[1e999]]}', "not finite"),
        (b'{"0.weight": [[1' + b"0" * 400 + b"]]}", "not finite"),
        (b'{"name": "model"}', "No matrix of weights"),
        (b"[" * 100_000, "neither JSON"),
        (b"\x80\x02}q\x00.", "torch.save(model.state_dict()"),
        (b"PK\x03\x04 and no archive", "damaged"),
        (b" " * (MOST + 1), "bytes"),
        (archive(x=b" " * (MOST + 1)), "Unpacked"),
        (archive(a__data_pkl=b""), "no array of NumPy"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_sentence(data: bytes, says: str) -> None:
    with pytest.raises(BadFile, match=re.escape(says)):
        read_weights(data)


@pytest.mark.parametrize("protocol", range(5))
def test_a_pickle_that_would_call_a_function_is_not_run(
    protocol: int, capsys: pytest.CaptureFixture[str]
) -> None:
    data = archive(**{"a__data.pkl": pickle.dumps({"0.weight": Calls()}, protocol)})
    with pytest.raises(BadFile, match="holds more than weights"):
        read_weights(data)
    assert capsys.readouterr().out == ""


@given(st.binary(max_size=200))
@example(b"\x80\x02}q\x00(X\x01\x00\x00\x00ah\x00u.")  # a dict that holds itself
def test_whatever_a_pickle_says_the_answer_is_a_sentence(data: bytes) -> None:
    with pytest.raises(BadFile):
        read_arrays(archive(**{"a__data.pkl": data}))


def test_objects_in_an_array_are_refused() -> None:
    header = b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }"
    npy = (
        b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + pickle.dumps([Calls()])
    )
    with pytest.raises(BadFile, match="no array of floats"):
        read_weights(archive(**{"w.npy": npy}))
