"""Names of gradients, and what they are gradients of."""

import pytest

from engine.named_gradients import loss_rank, quotients, targets


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("dW1", "W1"), ("self.dW", "W"), ("grads['W1']", "W1"), ("grads['dW1']", "W1"),
        ("dL_dW", "W"), ("dLdW", "W"), ("grad_w2", "w2"), ("W_grad", "W"), ("dlogits", "logits"),
        ("d_b", "b"), ("gW", "W"), ("dcounts_sum", "counts_sum"),
    ],
)  # fmt: skip
def test_targets(name: str, of: str) -> None:
    assert of in list(targets(name))


def test_names_that_are_no_gradients() -> None:
    assert list(targets("W1")) == []
    assert list(targets("h")) == []


def test_losses_by_name() -> None:
    assert loss_rank("loss") > loss_rank("data_loss") > loss_rank("accuracy") == 0


def test_derivatives_name_what_they_are_of() -> None:
    assert ("q", "x") in list(quotients("dqdx"))
    assert ("loss", "hidden") in list(quotients("dloss_dhidden"))
    assert next(targets("dfdx", "f")) == "x"
    assert "x" not in list(targets("dqdx", "f"))
