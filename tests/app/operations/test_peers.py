"""The names of the operations in PyTorch and JAX are functions that compute the same."""

from __future__ import annotations

import re

import pytest

from app.operations.peers import PEERS, REMARKS
from engine.ops import OPS


def test_every_operation_has_its_names() -> None:
    assert set(PEERS) == set(OPS)
    assert set(REMARKS) <= set(OPS)
    for name, peer in PEERS.items():
        assert re.fullmatch(r"(torch(\.\w+)+)?", peer.torch)
        assert re.fullmatch(r"(jax(\.\w+)+)?", peer.jax)
        assert (peer.torch and peer.jax) or name in REMARKS


@pytest.mark.parametrize("name", [name for name, peer in PEERS.items() if peer.torch])
def test_function_of_pytorch_gives_the_same_numbers(name: str) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    from scripts.torch_facts import numbers

    op = OPS[name]
    for point in op.samples:
        found, y = numbers(PEERS[name].torch, point), op.compute(*point)
        assert found.value == pytest.approx(y, rel=1e-12)
        assert found.partials == pytest.approx([f(y, *point) for f in op.derive], rel=1e-12)
