"""What is known at each frame, and what is lit."""

from __future__ import annotations

from app.picture.frame_state import state
from engine.trace.build import trace
from tests.support.pictures import EXAMPLE, traced


def test_the_first_frame_knows_leaves_only() -> None:
    now = state(traced(EXAMPLE), 0)
    assert now.data == {"v1": 2.0, "v2": -3.0, "v3": 10.0, "v4": -2.0}
    assert now.changed == set(now.data)
    assert now.active == ""
    assert not now.grads
    assert not now.sources


def test_a_forward_frame_adds_one_number() -> None:
    now = state(traced(EXAMPLE), 2)
    assert (now.direction, now.active) == ("forward", "v6")
    assert now.data["v6"] == 4.0
    assert "v7" not in now.data
    assert now.changed == {"v6"}
    assert now.sources == {"v5", "v3"}
    assert now.slots == {0, 1}


def test_the_seed_frame_gives_the_output_its_gradient() -> None:
    now = state(traced(EXAMPLE), 4)
    assert now.grads == {"v7": 1.0}
    assert now.changed == {"v7"}
    assert (now.direction, now.active) == ("backward", "")


def test_the_seed_is_added_to_the_gradient_that_a_leaf_had() -> None:
    program = trace(
        "a = torch.tensor(2.0, requires_grad=True)\na.grad = torch.tensor(5.0)\na.backward()"
    )
    assert state(program, 1).grads == state(program).grads == {"v1": 6.0}


def test_a_backward_frame_adds_its_contributions() -> None:
    now = state(traced(EXAMPLE), 6)
    assert now.grads == {"v7": 1.0, "v6": -2.0, "v4": 4.0, "v5": -2.0, "v3": -2.0}
    assert now.changed == {"v5", "v3"}
    assert now.sources == {"v6"}


def test_frames_out_of_range_are_clamped() -> None:
    program = traced(EXAMPLE)
    last = len(program.frames) - 1
    assert state(program) == state(program, last) == state(program, 10**9)
    assert state(program, -5) == state(program, 0)


def test_the_last_frame_knows_every_gradient() -> None:
    program = trace("a = Value(1.0)\nb = a * 0 + 2\nb.backward()")
    assert state(program).grads == {n.id: n.grad for n in program.nodes if n.grad is not None}
