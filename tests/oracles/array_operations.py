"""PyTorch's results and gradients for the operations on arrays, in 64 bits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

import torch
from torch.nn import functional

LIBRARY = f"torch {torch.__version__.partition('+')[0]}"
NEAR = 1e-10
NOISE = 1e-14
Params = Mapping[str, Any]
Call = Callable[..., Any]


def _axes(p: Params) -> dict[str, Any]:
    given = {"keepdim": p.get("keepdims", False)}
    return {"dim": tuple(p["axes"]), **given} if "axes" in p else {}


def _axis(p: Params) -> int:
    return int(p.get("axis", -1))


def _loss(p: Params) -> dict[str, Any]:
    return {"reduction": p.get("reduction", "mean")}


def _spread(p: Params) -> dict[str, Any]:
    return {**_axes(p), "correction": p.get("ddof", 0)}


def _by_class(f: Call) -> Call:
    def call(p: Params, x: Any, t: Any) -> Any:
        options = {k: p[k] for k in ("ignore_index", "label_smoothing") if k in p}
        if "weight" in p:
            options["weight"] = torch.tensor(p["weight"], dtype=x.dtype)
        t = t if p.get("probabilities") else t.long()
        return f(x, t, **_loss(p), **options)

    return call


def _window(f: Call) -> Call:
    def call(p: Params, *args: Any) -> Any:
        names = {"kernel": "kernel_size", "count_border": "count_include_pad"}
        return f(*args, **{names.get(k, k): tuple(v) if isinstance(v, list) else v
                           for k, v in p.items()})  # fmt: skip

    return call


def _written(p: Params, x: Any, b: Any) -> Any:
    flat = x.clone().reshape(-1)
    shape = tuple(p.get("shape", (len(p["places"]),)))
    index = torch.tensor(p["places"])
    return flat.index_put((index,), b.expand(shape).reshape(-1)).reshape(x.shape)


def _attention(p: Params, q: Any, k: Any, v: Any) -> Any:
    mask = p.get("mask")
    bias = None if mask is None else torch.tensor(mask, dtype=q.dtype).reshape(p["mask_shape"])
    return functional.scaled_dot_product_attention(
        q, k, v, attn_mask=bias, is_causal=bool(p.get("causal")), scale=p.get("scale")
    )


CALLS: dict[str, Call] = {
    **{name: lambda p, x, name=name: getattr(functional, name)(x) for name in (
        "elu", "celu", "selu", "mish", "softsign", "tanhshrink", "relu6", "hardtanh",
        "hardsigmoid", "hardswish", "softshrink", "hardshrink", "logsigmoid", "silu", "gelu",
        "softplus", "leaky_relu",
    )},
    "+": lambda p, a, b: a + b, "-": lambda p, a, b: a - b, "*": lambda p, a, b: a * b,
    "/": lambda p, a, b: a / b, "**": lambda p, a, b: a**b, "max": lambda p, a, b:
    torch.maximum(a, b), "min": lambda p, a, b: torch.minimum(a, b), "@": lambda p, a, b: a @ b,
    "leaky": lambda p, x: functional.leaky_relu(x),
    "smooth_relu": lambda p, x: functional.softplus(x),
    "gelu_tanh": lambda p, x: functional.gelu(x, approximate="tanh"), "prelu": lambda p, x, a:
    functional.prelu(x.reshape(1), a.reshape(1)).reshape(()), "reciprocal": lambda p, x: 1 / x,
    **{name: lambda p, *xs, name=name: getattr(torch, name)(*xs) for name in (
        "rsqrt", "square", "logit", "logaddexp", "xlogy", "lerp", "outer", "where", "hypot",
    )},
    "reshape": lambda p, x: x.reshape(p["shape"]), "flatten": lambda p, x: x.flatten(p["start"]),
    "permute": lambda p, x: x.permute(p.get("axes", tuple(reversed(range(x.ndim))))),
    "squeeze": lambda p, x: x.squeeze(tuple(p["axes"])) if "axes" in p else x.squeeze(),
    "expand": lambda p, x: x.expand(p["shape"]), "diagonal": lambda p, x:
    x.diagonal(p.get("offset", 0)), "flip": lambda p, x: x.flip(p["axes"]),
    "roll": lambda p, x: x.roll(p["shifts"], p.get("axes")),
    "gather": lambda p, x: x.gather(
        p["axis"], torch.tensor(p["index"]).reshape(p["index_shape"])
    ),
    "index": lambda p, x: x.reshape(-1)[torch.tensor(p["places"])].reshape(p["shape"]),
    "repeat": lambda p, x: x.repeat_interleave(torch.tensor(p["repeats"]), p.get("axis")),
    "tile": lambda p, x: x.tile(p["counts"]),
    "concatenate": lambda p, *xs: torch.cat(xs, p["axis"]), "stack": lambda p, *xs:
    torch.stack(xs, p["axis"]), "pad": lambda p, x: functional.pad(
        x, [n for pair in reversed(p["widths"]) for n in pair], value=p["value"]
    ),
    "tril": lambda p, x: x.tril(p.get("diagonal", 0)), "triu": lambda p, x:
    x.triu(p.get("diagonal", 0)), "write": _written,
    **{name: lambda p, x, name=name: getattr(torch, name)(x, **_axes(p)) for name in (
        "sum", "mean", "amax", "amin",
    )},
    "prod": lambda p, x: x.prod() if "axes" not in p else x.prod(**(
        _axes(p) | {"dim": p["axes"][0]}
    )),
    "var": lambda p, x: x.var(**_spread(p)), "std": lambda p, x: x.std(**_spread(p)),
    "norm": lambda p, x: torch.linalg.vector_norm(x, p.get("p", 2.0), **_axes(p)),
    "logsumexp": lambda p, x: x.logsumexp(
        **(_axes(p) or {"dim": tuple(range(x.ndim))})
    ),
    **{name: lambda p, x, name=name: getattr(torch, name)(x, _axis(p)) for name in (
        "softmax", "log_softmax", "cumsum", "cumprod",
    )},
    "sort": lambda p, x: x.sort(_axis(p)).values,
    "linear": lambda p, *xs: functional.linear(*xs),
    "einsum": lambda p, *xs: torch.einsum(p["equation"], *xs),
    **{name: lambda p, x, t, name=name: getattr(functional, name)(x, t, **_loss(p)) for name in (
        "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy",
        "binary_cross_entropy_with_logits", "kl_div", "soft_margin_loss", "poisson_nll_loss",
    )},
    "cross_entropy": _by_class(functional.cross_entropy),
    "nll_loss": _by_class(functional.nll_loss),
    "layer_norm": lambda p, x, *rest: functional.layer_norm(x, x.shape[-p.get("count", 1):], *rest),
    "batch_norm": lambda p, x, *rest: functional.batch_norm(x, None, None, *rest, training=True),
    "group_norm": lambda p, x, *rest: functional.group_norm(x, p["groups"], *rest),
    "rms_norm": lambda p, x, w: functional.rms_norm(x, w.shape, w, eps=1e-5),
    "conv1d": _window(functional.conv1d), "conv2d": _window(functional.conv2d),
    **{name: _window(getattr(functional, name)) for name in (
        "max_pool1d", "max_pool2d", "avg_pool1d", "avg_pool2d",
    )},
    "attention": _attention,
}  # fmt: skip
"""How PyTorch is asked for an operation: its params and its arguments."""


def gradients(
    name: str, shapes: list[Any], data: list[Any], params: Params, weights: list[float]
) -> list[Any]:
    """The result's shape and numbers, and the gradients of Σ weights·result for the arguments.

    An operation without an entry is the function of torch with its name.
    """
    call = CALLS.get(name) or (lambda p, *xs: attrgetter(name)(torch)(*xs))
    args = [
        torch.tensor(numbers, dtype=torch.float64).reshape(shape).requires_grad_()
        for shape, numbers in zip(shapes, data, strict=True)
    ]
    if name == "soft_margin_loss":  # whose targets receive no gradient there
        args[1].requires_grad_(False)
    if name == "where":
        args[0] = args[0].detach() != 0
    y = call(params, *args)
    (y * torch.tensor(weights, dtype=torch.float64).reshape(y.shape)).sum().backward()
    found = [None if x.grad is None else x.grad.reshape(-1).tolist() for x in args]
    return [list(y.shape), y.reshape(-1).tolist(), found]
