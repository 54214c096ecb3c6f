"""Functions of torch and torch.nn.functional that are operations of the table of arrays."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

from . import signatures
from .arrangement import reshape, transpose, unsqueeze
from .dtypes import BOOL, FLOAT32
from .elementwise import elementwise, with_kernels
from .losses import LOSSES
from .normalisation import (
    batch_norm,
    cosine_similarity,
    dropout,
    embedding,
    hardtanh,
    instance_norm,
    layer_norm,
    normalize,
    pad,
    rms_norm,
)  # fmt: skip
from .products import linear, matmul
from .selection import chunk
from .softmaxes import log_softmax, softmax
from .tensor_array import TensorArray, called
from .whole import whole

Function = Callable[..., Any]

_ROWS = """
celu(input, alpha=1.0, inplace=False) = celu(input; alpha)
elu(input, alpha=1.0, inplace=False) = elu(input; alpha)
selu(input, inplace=False) = selu(input)
mish(input, inplace=False) = mish(input)
logsigmoid(input) = logsigmoid(input)
softsign(input) = softsign(input)
tanhshrink(input) = tanhshrink(input)
hardsigmoid(input, inplace=False) = hardsigmoid(input)
hardswish(input, inplace=False) = hardswish(input)
hardshrink(input, lambd=0.5) = hardshrink(input; lambd)
softshrink(input, lambd=0.5) = softshrink(input; lambd)
threshold(input, threshold, value, inplace=False) = threshold(input; threshold, value)
prelu(input, weight) = prelu(input, weight)
conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1) =
     conv1d(input, weight, bias; stride, padding, dilation, groups)
conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1) =
     conv2d(input, weight, bias; stride, padding, dilation, groups)
max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False) =
     max_pool1d(input; kernel=kernel_size, stride, padding, dilation)
max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False) =
     max_pool2d(input; kernel=kernel_size, stride, padding, dilation)
avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True) =
     avg_pool1d(input; kernel=kernel_size, stride, padding, count_border=count_include_pad)
avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True) =
     avg_pool2d(input; kernel=kernel_size, stride, padding, count_border=count_include_pad)
group_norm(input, num_groups, weight=None, bias=None, eps=1e-05) =
     group_norm(input, weight, bias; groups=num_groups, eps)
soft_margin_loss(input, target, reduction='mean') = soft_margin_loss(input, target; reduction)
poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-08,
     reduce=None, reduction='mean') = poisson_nll_loss(input, target; reduction)
"""

_OF_TORCH = """
logaddexp(input, other) = logaddexp(input, other)
xlogy(input, other) = xlogy(input, other)
"""


def gelu(x: Any, approximate: str = "none") -> Any:
    """x·Φ(x), or with "tanh" x/2·(1 + tanh(√(2/π)·(x + 0.044715x³))).

    Hendrycks and Gimpel 2016.
    """
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return elementwise("gelu", x) if approximate == "none" else whole("gelu_tanh", [x])


def leaky_relu(x: Any, negative_slope: float = 0.01) -> Any:
    if negative_slope == 0.01:
        return elementwise("leaky_relu", x)
    return whole("leaky", [x], {"slope": negative_slope})


def softplus(x: Any, beta: float = 1.0, threshold: float = 20.0) -> Any:
    """log(1 + e^{βx})/β; x itself where βx is above the threshold."""
    if beta == 1 and threshold == 20:
        return elementwise("softplus", x)
    return whole("smooth_relu", [x], {"beta": float(beta), "threshold": float(threshold)})


def _batched(function: Function, rank: int) -> Function:
    """A convolution, which a sample without a batch goes through alone."""

    def convolution(x: Any, weight: Any, *args: Any, **options: Any) -> Any:
        if options.get("padding") in ("same", "valid"):
            options["padding"] = _padding(x, options, weight.shape[2:])
        if x.ndim != rank + 1:
            return function(x, weight, *args, **options)
        found = function(unsqueeze(x, 0), weight, *args, **options)
        return reshape(found, found.shape[1:])

    convolution.__name__ = convolution.__qualname__ = function.__name__
    return convolution


def _padding(x: TensorArray, options: dict[str, Any], kernel: tuple[int, ...]) -> Any:
    if options["padding"] == "valid":
        return 0
    step = options.get("dilation", 1)
    steps = (step,) * len(kernel) if isinstance(step, int) else step
    wide = [d * (k - 1) for d, k in zip(steps, kernel, strict=True)]
    if any(n % 2 for n in wide):
        x.session.machine.refuse(
            "padding='same' takes kernels of odd length here.", "Pad with F.pad first."
        )
    return tuple(n // 2 for n in wide)


def _adaptive(op: str, rank: int) -> Function:
    """Pooling by windows that give as many rows and columns as are asked for."""

    def function(x: Any, output_size: Any) -> Any:
        given = x.shape[-rank:]
        wanted = (output_size,) * rank if isinstance(output_size, int) else tuple(output_size)
        wanted = tuple(n if m is None else m for n, m in zip(given, wanted, strict=True))
        if any(n % m for n, m in zip(given, wanted, strict=True)):
            x.session.machine.refuse(
                "Adaptive pooling takes sizes that divide those of the input here.",
                "Take such a size.",
            )
        kernel = tuple(n // m for n, m in zip(given, wanted, strict=True))
        return whole(op, [x], {"kernel": kernel})

    return function


def glu(x: Any, dim: int = -1) -> Any:
    """The first half times the sigmoid of the second."""
    a, b = chunk(x, 2, dim)
    return elementwise("*", a, elementwise("sigmoid", b), made_by="GluBackward0")


def attention(
    query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0,
    is_causal: bool = False, scale: float | None = None, enable_gqa: bool = False,
) -> Any:  # fmt: skip
    """softmax(q kᵀ / √d) v; a mask of truths says which keys are seen, one of numbers is added."""
    if dropout_p:
        query.session.machine.refuse("dropout_p is 0 here.", "Leave it out.")
    n, m = query.shape[-2], key.shape[-2]
    bias = attn_mask
    if is_causal:
        bias = query.new([j <= i for i in range(n) for j in range(m)], (n, m), BOOL)
    scores = matmul(query * (scale or 1 / sqrt(query.shape[-1])), transpose(key, -2, -1))
    if bias is not None:
        scores = scores + as_bias(bias, shows=True)
    return called(matmul(softmax(scores, -1), value), "ScaledDotProductAttentionBackward0")


def as_bias(mask: TensorArray, *, shows: bool) -> TensorArray:
    """Numbers to add to scores: a mask of truths says which keys it shows, or which it hides."""
    if mask.dtype is not BOOL:
        return mask
    items = [0.0 if truth is shows else float("-inf") for truth in mask.numbers()]
    return mask.new(items, dtype=FLOAT32)


FUNCTIONS: dict[str, Function] = {
    **with_kernels({
        **signatures.functions(_ROWS), "leaky_relu": leaky_relu, "softplus": softplus,
        "silu": lambda x: elementwise("silu", x),
    }), **LOSSES, "gelu": gelu, "glu": glu, "hardtanh": hardtanh, "linear": linear,
    "relu6": lambda x: hardtanh(x, 0.0, 6.0),
    "softmax": softmax, "log_softmax": log_softmax,
    "softmin": lambda x, dim=None: softmax(-x, dim),
    **{f"adaptive_{kind}_pool{n}d": _adaptive(f"{kind}_pool{n}d", n) for n in (1, 2)
       for kind in ("avg", "max")},
    "scaled_dot_product_attention": attention,
    **{f.__name__: f for f in (
        normalize, cosine_similarity, layer_norm, rms_norm, batch_norm, instance_norm, dropout,
        pad, embedding,
    )},
}  # fmt: skip
"""Names of torch.nn.functional."""
FUNCTIONS |= {f"conv{n}d": _batched(FUNCTIONS[f"conv{n}d"], n) for n in (1, 2)}
OF_TORCH: dict[str, Function] = signatures.functions(_OF_TORCH)
"""Names of torch that are methods of tensors too."""
