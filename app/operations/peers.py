"""The names of the operations in PyTorch and JAX; "" where the library has none."""

from __future__ import annotations

from typing import NamedTuple


class Peer(NamedTuple):
    """An operation elsewhere, as a dotted name from the library's root."""

    torch: str
    jax: str


NONE = Peer("", "")


def _alike(*names: str) -> dict[str, Peer]:
    """Operations that have the same name in `torch` and `jax.numpy`."""
    return {name: Peer(f"torch.{name}", f"jax.numpy.{name}") for name in names}


PEERS: dict[str, Peer] = {
    "+": Peer("torch.add", "jax.numpy.add"),
    "-": Peer("torch.sub", "jax.numpy.subtract"),
    "*": Peer("torch.mul", "jax.numpy.multiply"),
    "/": Peer("torch.div", "jax.numpy.divide"),
    "**": Peer("torch.pow", "jax.numpy.power"),
    "neg": Peer("torch.neg", "jax.numpy.negative"),
    **_alike("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "sin", "cos", "tan"),
    **_alike("tanh", "abs", "sinh", "cosh", "hypot", "fmod", "copysign"),
    "sigmoid": Peer("torch.sigmoid", "jax.nn.sigmoid"),
    "relu": Peer("torch.relu", "jax.nn.relu"),
    "leaky_relu": Peer("torch.nn.functional.leaky_relu", "jax.nn.leaky_relu"),
    "softplus": Peer("torch.nn.functional.softplus", "jax.nn.softplus"),
    "silu": Peer("torch.nn.functional.silu", "jax.nn.silu"),
    "gelu": Peer("torch.nn.functional.gelu", "jax.nn.gelu"),
    "max": Peer("torch.maximum", "jax.numpy.maximum"),
    "min": Peer("torch.minimum", "jax.numpy.minimum"),
    "cbrt": Peer("", "jax.numpy.cbrt"),
    "asin": Peer("torch.asin", "jax.numpy.arcsin"),
    "acos": Peer("torch.acos", "jax.numpy.arccos"),
    "atan": Peer("torch.atan", "jax.numpy.arctan"),
    "atan2": Peer("torch.atan2", "jax.numpy.arctan2"),
    "asinh": Peer("torch.asinh", "jax.numpy.arcsinh"),
    "acosh": Peer("torch.acosh", "jax.numpy.arccosh"),
    "atanh": Peer("torch.atanh", "jax.numpy.arctanh"),
    "erf": Peer("torch.erf", "jax.scipy.special.erf"),
    "erfc": Peer("torch.erfc", "jax.scipy.special.erfc"),
    "degrees": Peer("torch.rad2deg", "jax.numpy.degrees"),
    "radians": Peer("torch.deg2rad", "jax.numpy.radians"),
    "mod": Peer("torch.remainder", "jax.numpy.remainder"),
}
REMARKS: dict[str, str] = {
    "gelu": "In JAX with approximate=False; its default is an approximation by tanh.",
    "cbrt": "PyTorch has no cube root.",
}
"""What the names alone do not say."""
