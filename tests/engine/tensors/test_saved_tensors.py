"""A pass refuses numbers that were changed in place since an operation saved them.

Which tensors operations save, and the words of the messages, are those of PyTorch 2.13, which has
answered the same programs: a saved argument is named by the grad_fn that it has when the pass looks
at it, a saved result by the operation's own.
"""

from __future__ import annotations

from tests.support.each import for_each
from tests.support.programs import printed

SETUP = """import torch
import torch.nn.functional as F
x = torch.tensor([[0.3, 0.6], [0.7, 0.2]], requires_grad=True)
y = x * 1.0
"""
HINT = (
    " instead. Hint: enable anomaly detection to find the operation that failed to compute its "
    "gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False)."
)
SAVED = {
    "y.softmax(0)": ("", "Softmax"),
    "y.log_softmax(0)": ("", "LogSoftmax"),
    "y.logsumexp(0)": ("Add", "Logsumexp"),
    "y.sum(0)": ("", ""),
    "y.prod(0)": ("Add", "Prod1"),
    "y.std()": ("Add", "Std"),
    "y.var(0)": ("Add", ""),
    "y.norm()": ("Add", "LinalgVectorNorm"),
    "y.max()": ("Add", "Max1"),
    "y.max(0)[0]": ("", ""),
    "y.amin()": ("Add", "Amin"),
    "y.cumprod(0)": ("Add", "Cumprod"),
    "y.exp()": ("", "Exp"),
    "y.log()": ("Add", ""),
    "y.relu()": ("", "Relu"),
    "y.rsqrt()": ("", "Rsqrt"),
    "y ** 2": ("Add", ""),
    "2 ** y": ("Add", "Pow2"),
    "y * 2": ("", ""),
    "2 / y": ("", ""),
    "y * y": ("Add", ""),
    "y.clamp(0.1, 2)": ("Add", ""),
    "F.relu6(y)": ("Add", ""),
    "F.tanhshrink(y)": ("", ""),
    "F.mse_loss(y, 2 * y.detach())": ("Add", ""),
    "F.l1_loss(y, 2 * y.detach())": ("", ""),
    "F.cross_entropy(y, torch.tensor([0, 1]))": ("", ""),
}


@for_each(("call", "names"), SAVED.items())
def test_an_operation_saves_the_tensors_that_it_saves_in_pytorch(
    call: str, names: tuple[str, str]
) -> None:
    for changed, name in zip(("y", "r"), names, strict=True):
        text = (
            f"{SETUP}r = {call}\n{changed}.add_(1)\n"
            "try:\n    r.sum().backward()\n    print('no error')\n"
            "except RuntimeError as error:\n    print(error)\n"
        )
        (words,) = printed(text)
        assert (f"which is output 0 of {name}, is at" in words) if name else words == "no error"


@for_each(
    ("lines", "named"),
    [
        ("z = y * y; y[0] = 5", "[2, 2]], which is output 0 of torch::autograd::CopySlices,"),
        ("v = y.view(4); z = v * v; y[0] = 5", "[4]], which is output 0 of AsStrided,"),
        ("z = y * x; x.detach().add_(1)", "[2, 2]]"),
        ("m = y.cumprod(0); z = m * m; m.zero_()", "[2, 2]], which is output 0 of Zero,"),
    ],
)
def test_the_message_names_what_has_made_the_tensor(lines: str, named: str) -> None:
    text = (
        f"{SETUP}{lines}\ntry:\n    z.sum().backward()\nexcept RuntimeError as e:\n    print(e)\n"
    )
    (words,) = printed(text)
    assert words == (
        "one of the variables needed for gradient computation has been modified by an inplace "
        f"operation: [torch.FloatTensor {named} is at version 1; expected version 0{HINT}"
    )


def test_the_words_on_integers_say_how_gradients_were_asked_for() -> None:
    text = """import torch
n = torch.tensor([1, 2])
try:
    n.requires_grad_()
except RuntimeError as error:
    print(error)
try:
    n.requires_grad = True
except RuntimeError as error:
    print(error)
"""
    assert printed(text) == [
        "only Tensors of floating point dtype can require gradients",
        "only Tensors of floating point and complex dtype can require gradients",
    ]
