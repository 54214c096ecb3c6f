"""The names of the operations in PyTorch and JAX are functions that compute the same."""

from __future__ import annotations

import re

from app.operations.peers import PEERS, REMARKS
from engine.ops import OPS


def test_every_operation_has_its_names() -> None:
    assert set(PEERS) == set(OPS)
    assert set(REMARKS) <= set(OPS)
    for name, peer in PEERS.items():
        assert re.fullmatch(r"(torch(\.\w+)+)?", peer.torch)
        assert re.fullmatch(r"(jax(\.\w+)+)?", peer.jax)
        assert (peer.torch and peer.jax) or name in REMARKS
