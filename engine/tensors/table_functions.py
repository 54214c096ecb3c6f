"""Functions of torch and torch.nn.functional that are operations of the table of arrays."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

from . import signatures
from .arrangement import reshape, transpose, unsqueeze
from .dtypes import BOOL, FLOAT32
from .elementwise import COMPARISONS, cast, clamp, elementwise, mapped, where, with_kernels
from .normalisation import cosine_similarity, hardtanh
from .products import matmul
from .reductions import length, mean, sum_of
from .selection import chunk
from .session import Session
from .softmaxes import softmax
from .tensor_array import called
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


def softplus(session: Session, x: Any, beta: float = 1.0, threshold: float = 20.0) -> Any:
    """log(1 + e^{βx})/β; x itself where βx is above the threshold."""
    if beta == 1 and threshold == 20:
        return elementwise(session, "softplus", x)
    return whole(session, "smooth_relu", [x], {"beta": float(beta), "threshold": float(threshold)})


def _batched(function: Function, rank: int) -> Function:
    """A convolution, which a sample without a batch goes through alone."""

    def convolution(session: Session, input: Any, weight: Any, *args: Any, **options: Any) -> Any:  # noqa: A002
        array = session.array(input)
        if options.get("padding") in ("same", "valid"):
            options["padding"] = _padding(session, options, session.array(weight).shape[2:])
        if array.ndim != rank + 1:
            return function(session, input, weight, *args, **options)
        found = function(session, unsqueeze(session, input, 0), weight, *args, **options)
        return reshape(session, found, session.array(found).shape[1:])

    convolution.__name__ = convolution.__qualname__ = function.__name__
    return convolution


def _padding(session: Session, options: dict[str, Any], kernel: tuple[int, ...]) -> Any:
    if options["padding"] == "valid":
        return 0
    step = options.get("dilation", 1)
    steps = (step,) * len(kernel) if isinstance(step, int) else step
    if any(d * (k - 1) % 2 for d, k in zip(steps, kernel, strict=True)):
        session.machine.refuse(
            "padding='same' takes kernels of odd length here.", "Pad with F.pad first."
        )
    return tuple(d * (k - 1) // 2 for d, k in zip(steps, kernel, strict=True))


def adaptive_avg_pool2d(session: Session, input: Any, output_size: Any) -> Any:  # noqa: A002
    """The mean of windows that give as many rows and columns as are asked for."""
    return _adaptive(session, input, output_size, "avg_pool2d")


def adaptive_max_pool2d(session: Session, input: Any, output_size: Any) -> Any:  # noqa: A002
    """The largest of windows that give as many rows and columns as are asked for."""
    return _adaptive(session, input, output_size, "max_pool2d")


def _adaptive(session: Session, x: Any, size: Any, op: str) -> Any:
    wanted = (size, size) if isinstance(size, int) else tuple(size)
    given = session.array(x).shape[-2:]
    if any(n % m for n, m in zip(given, wanted, strict=True)):
        session.machine.refuse(
            "Adaptive pooling takes sizes that divide those of the input here.", "Take such a size."
        )
    kernel = tuple(n // m for n, m in zip(given, wanted, strict=True))
    return whole(session, op, [x], {"kernel": kernel})


def relu6(session: Session, input: Any) -> Any:  # noqa: A002
    """min(max(x, 0), 6)"""
    return hardtanh(session, input, 0.0, 6.0)


def softmin(session: Session, input: Any, dim: int | None = None) -> Any:  # noqa: A002
    """softmax(−x)"""
    return softmax(session, elementwise(session, "neg", input), -1 if dim is None else dim)


def glu(session: Session, input: Any, dim: int = -1) -> Any:  # noqa: A002
    """The first half times the sigmoid of the second."""
    a, b = chunk(session, input, 2, dim)
    return elementwise(session, "*", a, elementwise(session, "sigmoid", b), made_by="GluBackward0")


def rms_norm(
    session: Session, input: Any, normalized_shape: Any, weight: Any = None, eps: Any = None  # noqa: A002
) -> Any:  # fmt: skip
    """x over the root of its mean square along the last axes, times weight."""
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    small = 2.0**-23 if session.array(input).dtype.bits == 32 else 2.0**-52
    params = {"count": len(shape), "eps": small if eps is None else eps}
    return whole(session, "rms_norm", [input, weight], params, made_by="MulBackward0")


def instance_norm(
    session: Session, input: Any, running_mean: Any = None, running_var: Any = None,  # noqa: A002
    weight: Any = None, bias: Any = None, use_input_stats: bool = True, momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:  # fmt: skip
    """Each channel of each sample to mean 0 and variance 1."""
    params = {"groups": session.array(input).shape[1], "eps": eps}
    return whole(session, "group_norm", [input, weight, bias], params,
                 made_by="NativeBatchNormBackward0")  # fmt: skip


def attention(
    session: Session, query: Any, key: Any, value: Any, attn_mask: Any = None,
    dropout_p: float = 0.0, is_causal: bool = False, scale: float | None = None,
    enable_gqa: bool = False,
) -> Any:  # fmt: skip
    """softmax(q kᵀ / √d) v; a mask of truths says which keys are seen, one of numbers is added."""
    if dropout_p:
        session.machine.refuse("dropout_p is 0 here.", "Leave it out.")
    scale = scale or 1 / sqrt(session.array(query).shape[-1])
    bias = None if attn_mask is None else _as_bias(session, attn_mask)
    arrays = [session.array(x) for x in (query, key, value)]
    n, m = arrays[0].shape[-2], arrays[1].shape[-2]
    if is_causal:
        items = [0.0 if j <= i else float("-inf") for i in range(n) for j in range(m)]
        bias = session.tensor(items, (n, m), arrays[0].dtype)
    turned = transpose(session, key, -2, -1)
    scores = matmul(session, elementwise(session, "*", query, scale), turned)
    if bias is not None:
        scores = elementwise(session, "+", scores, bias)
    shares = softmax(session, scores, -1)
    return called(matmul(session, shares, value), "ScaledDotProductAttentionBackward0")


def _as_bias(session: Session, mask: Any) -> Any:
    """Numbers to add to scores: 0 where a mask of truths shows a key, −∞ where it hides it."""
    array = session.array(mask)
    if array.dtype is not BOOL:
        return mask
    items = [0.0 if seen else float("-inf") for seen in array.numbers()]
    return session.tensor(items, array.shape, FLOAT32)


# Losses written with others


def reduced(session: Session, losses: Any, reduction: str) -> Any:
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if reduction == "none":
        return losses
    return (mean if reduction == "mean" else sum_of)(session, losses)


def _limited(session: Session, x: Any) -> Any:
    """max(x, 0), where PyTorch passes a gradient at 0."""
    return clamp(session, x, 0, None)


def hinge_embedding_loss(
    session: Session, input: Any, target: Any, margin: float = 1.0, reduction: str = "mean"  # noqa: A002
) -> Any:  # fmt: skip
    """x where the target is 1, max(0, margin − x) where it is −1."""
    apart = mapped(session, COMPARISONS["eq"], BOOL, target, -1)
    alike = mapped(session, COMPARISONS["eq"], BOOL, target, 1)
    below = _limited(session, elementwise(session, "-", margin, input))
    found = where(session, alike, input, where(session, apart, below, 0.0))
    return reduced(session, found, reduction)


def margin_ranking_loss(
    session: Session, input1: Any, input2: Any, target: Any, margin: float = 0.0,
    reduction: str = "mean",
) -> Any:  # fmt: skip
    """max(0, −t·(x₁ − x₂) + margin)"""
    gap = elementwise(session, "-", input1, input2)
    signed = elementwise(session, "*", elementwise(session, "neg", target), gap)
    return reduced(session, _limited(session, elementwise(session, "+", signed, margin)), reduction)


def gaussian_nll_loss(
    session: Session, input: Any, target: Any, var: Any, full: bool = False, eps: float = 1e-6,  # noqa: A002
    reduction: str = "mean",
) -> Any:  # fmt: skip
    """(ln v + (x − t)²/v)/2"""
    spread = clamp(session, cast(session, var, session.array(input).dtype), eps, None)
    gap = elementwise(session, "**", elementwise(session, "-", input, target), 2)
    whole_sum = elementwise(session, "+", elementwise(session, "log", spread),
                            elementwise(session, "/", gap, spread))  # fmt: skip
    found = elementwise(session, "*", whole_sum, 0.5)
    if full:
        found = elementwise(session, "+", found, 0.9189385332046727)
    return reduced(session, found, reduction)


def cosine_embedding_loss(
    session: Session, input1: Any, input2: Any, target: Any, margin: float = 0.0,
    reduction: str = "mean",
) -> Any:  # fmt: skip
    """1 − cos where the target is 1, max(0, cos − margin) where it is −1."""
    cosine = cosine_similarity(session, input1, input2, -1)
    alike = mapped(session, COMPARISONS["eq"], BOOL, target, 1)
    near = elementwise(session, "-", 1.0, cosine)
    far = _limited(session, elementwise(session, "-", cosine, margin))
    return reduced(session, where(session, alike, near, far), reduction)


def triplet_margin_loss(
    session: Session, anchor: Any, positive: Any, negative: Any, margin: float = 1.0, p: float = 2,
    eps: float = 1e-6, swap: bool = False, reduction: str = "mean",
) -> Any:  # fmt: skip
    """max(0, |a − p| − |a − n| + margin)"""

    def distance(other: Any) -> Any:
        gap = elementwise(session, "+", elementwise(session, "-", anchor, other), eps)
        return length(session, gap, -1, False, p)

    apart = elementwise(session, "-", distance(positive), distance(negative))
    return reduced(session, _limited(session, elementwise(session, "+", apart, margin)), reduction)


FUNCTIONS: dict[str, Function] = {
    **with_kernels(signatures.functions(_ROWS)), "relu6": relu6, "softmin": softmin,
    "adaptive_avg_pool2d": adaptive_avg_pool2d, "adaptive_max_pool2d": adaptive_max_pool2d,
    "softplus": softplus, "glu": glu, "rms_norm": rms_norm, "instance_norm": instance_norm,
    "scaled_dot_product_attention": attention, "hinge_embedding_loss": hinge_embedding_loss,
    "margin_ranking_loss": margin_ranking_loss, "gaussian_nll_loss": gaussian_nll_loss,
    "cosine_embedding_loss": cosine_embedding_loss, "triplet_margin_loss": triplet_margin_loss,
}  # fmt: skip
"""Names of torch.nn.functional."""
FUNCTIONS |= {f"conv{n}d": _batched(FUNCTIONS[f"conv{n}d"], n) for n in (1, 2)}
OF_TORCH: dict[str, Function] = signatures.functions(_OF_TORCH)
"""Names of torch that are methods of tensors too."""
