"""Short programs over the table of NumPy's functions, as `tests.support.snippets` has PyTorch's."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

ARRAYS = {
    "number": "np.float64(2.5)",
    "point": "np.array(3.)",
    "vector": "np.array([3., -1., 0., 3., -2.])",
    "short": "np.array([0.5, 2., 1.])",
    "matrix": "np.array([[-1.5, 0., 2.], [0.75, 2., -3.]])",
    "square": "np.array([[2., 1.], [1., 4.]])",
    "column": "np.array([[1.], [-2.]])",
    "cube": "np.arange(-4., 8.).reshape(2, 2, 3)",
    "single": "np.array([0.25, -1., 6.5], dtype=np.float32)",
    "odd": "np.array([1., np.nan, np.inf, -np.inf])",
    "whole": "np.array([[3, -1, 2], [0, 5, -4]])",
    "truths": "np.array([True, False, True])",
    "small": "np.array([7, -2, 3], dtype=np.int32)",
    "none": "np.array([])",
    "bytes": "np.array([200, 100, 0], dtype=np.uint8)",
    "list": "[1, 2.5, 3]",
}
UFUNCS = """
    exp sin cos tan tanh abs negative positive square sqrt log log1p log2 log10 exp2 sign floor
    ceil rint trunc reciprocal isnan isfinite isinf signbit arctan arcsinh deg2rad
    logical_not invert nan_to_num fabs
"""
ROUGH = "exp sin cos tan tanh log log1p log2 log10 exp2 arctan arcsinh"
"""Functions of 32-bit numbers whose last digits are the processor's."""
OVER_AXES = """
    sum mean prod max min argmax argmin std var all any cumsum cumprod median ptp sort argsort
    nansum nanmean nanmax nanargmax count_nonzero flip diff average nanstd linalg.norm amax unique
    nonzero
"""
OF_ARRAYS = """
    x.T|x.reshape(-1)|x.reshape(3, -1)|x.ravel()|x.flatten()|x.squeeze()|x[None]|x[..., None]|x[0]
    x[-1]|x[::2]|x[1:]|x[:, 0]|x[:, None]|x[0, 1]|x[[0, 0]]|x[:, [1, 0]]|x[x > 0]|x[...]|x[::-1]
    x[np.array([1, 0])]|x[0, ::-1]|x[x > 9]|x.transpose(1, 0)|np.transpose(x)|x.swapaxes(0, -1)
    np.expand_dims(x, 0)|np.expand_dims(x, -1)|np.broadcast_to(x, (2, 3))|np.tile(x, 2)
    np.repeat(x, 2)|np.repeat(x, 2, axis=0)|np.diag(x)|x.diagonal()|np.trace(x)|np.tril(x)
    np.triu(x)|np.eye(2) * x|np.concatenate([x, x])|np.stack([x, x])|np.vstack([x, x])
    np.hstack([x, x])|np.concatenate([x, x], axis=1)|np.split(x, 1)|np.array_split(x, 2)
    np.roll(x, 1)|np.roll(x, 1, axis=0)|np.rot90(x)|np.pad(x, 1)|np.clip(x, 0, 2)|x.clip(-1, 1)
    np.where(x > 0, x, 0)|np.where(x > 0)|np.argwhere(x > 0)|np.maximum(x, 0)|np.minimum(x, 1)
    np.outer(x, x)|np.dot(x, x)|np.inner(x, x)|np.kron(x, x)|np.matmul(x, x.T)|np.vdot(x, x)
    np.cross(x, x)|np.einsum('i->', x)|np.einsum('ij->j', x)|np.einsum('ij,kj->ik', x, x)
    np.einsum('ii', x)|np.linalg.norm(x)|np.linalg.det(x)|np.linalg.inv(x)|np.cov(x)
    np.corrcoef(x)|np.percentile(x, 30)|np.quantile(x, 0.25)|np.histogram(x, bins=3)|x.astype(int)
    x.astype(float)|x.astype(bool)|x.astype(np.float32)|x.astype(str)|x.dtype|x.shape|x.size|x.ndim
    x.tolist()|x.item()|len(x)|list(x)|float(x)|int(x)|bool(x)|x.nbytes|x.itemsize|np.round(x, 1)
    x.round()|np.around(x, -1)|np.zeros_like(x)|np.ones_like(x)|np.full_like(x, 7)|np.copy(x)
    np.unique(x, return_counts=True)|np.bincount(x)|np.cumsum(x)|np.gradient(x)|np.meshgrid(x, x)
    np.isclose(x, x + 1e-9)|np.allclose(x, x)|np.array_equal(x, x)|np.searchsorted(x, 1)
    np.take(x, [0, 1])|np.argpartition(x, 1)|np.delete(x, 0)|np.insert(x, 0, 5)|np.append(x, 5)
    np.in1d(x, [2])|np.sum(x, axis=(0, 1))|np.ix_([0, 1], [0])|np.any(x > 1)
    np.moveaxis(x, 0, -1)|np.atleast_2d(x)|np.fliplr(x)|np.flipud(x)|np.column_stack([x, x])
    np.dstack([x, x])|np.squeeze(x[None])|np.vectorize(lambda v: v + 1)(x)|np.sinc(x)
    np.interp(x, [0, 1], [2, 4])|np.asarray(x)|np.ascontiguousarray(x)
    np.array2string(x)|str(x)|repr(x)|f'{x}'|np.array(x).copy()
    np.polyfit([0, 1, 2], [1, 2, 4], 1)|np.convolve(x, [1, 2])|np.digitize(x, [0, 2])
    np.logaddexp(x, 1)|np.heaviside(x, 1)|np.hypot(x, 1)|np.fmod(x, 2)
    np.add.reduce(x)|np.add.outer(x, [1, 2])|np.multiply.accumulate(x)|np.maximum.reduce(x)
    x.mean(keepdims=True)|np.diagflat(x)
    np.triu_indices(2)|np.tril(x, -1)|np.flatnonzero(x)|np.select([x > 1], [x])|np.abs(x).max()
"""
WITH_OTHERS = """
    x + y|x - y|x * y|x / y|x // y|x % y|x ** 2|x @ y|x @ y.T|x == y|x < y|x >= y|np.maximum(x, y)
    np.where(x > y, x, y)|np.arctan2(x, y)|np.dot(x, y)|np.concatenate([x, y])|np.stack([x, y])
    np.isclose(x, y)|np.outer(x, y)|np.power(x, y)|np.add(x, y)|np.divide(x, y)|np.inner(x, y)
    np.logical_and(x, y)|divmod(x, y)|np.einsum('ij,j->i', x, y)|np.tensordot(x, y, 1)|x & y
    np.floor_divide(x, y)|np.mod(x, y)|np.subtract(x, y)|np.linalg.solve(x, y)|np.cross(x, y)
    np.multiply.outer(x, y)|np.hypot(x, y)|np.allclose(x, y)|np.array_equal(x, y)|np.append(x, y)
"""
IN_ARRAYS = """
    x += 1|x -= 2|x *= 3|x /= 2|x **= 2|x //= 2|x %= 2|x[0] = 7|x[-1] += 1|x[:1] *= 2|x[...] = 7
    x[x > 0] = 0|x[:] = 1|x[:, 0] = 5|x[0, 1] = -9.5|x.fill(4)|x.sort()|x[[0, 0]] += 1|x.T[0] = 2
    np.add.at(x, [0, 0], 1)|x.resize(2)|x.shape = (-1,)|x[::-1] = x|x[1:] = x[:-1]|x += 0.5
    x[0] = 2.7|x[-1] = x[0]
    x += x.T|x[x == x] *= 2|np.clip(x, 0, 1, out=x)|np.sqrt(x, out=x)|x[None] = 3
    x -= x.mean(axis=0)|x += x[0]
    np.random.seed(1); np.random.shuffle(x)|np.copyto(x, 1)|x.itemset(0, 1)|np.put(x, [0], 9)
    x.flat[1] = 8|np.fill_diagonal(x, 0)|x.setflags(write=False)|x.partition(1)|x[1, ...] = 0
    x ^= 1|x <<= 1
"""
SEEN = """
    x|x[:]|x.reshape(-1)|x[0]|x[..., 0]|x.T|x.ravel()|x.flatten()|x[[0]]|x.copy()|x[None]
    x.squeeze()|x.diagonal()|np.diag(x)|np.broadcast_to(x, x.shape)|np.asarray(x)|np.array(x)
    x.view()|x[1:]
    x.swapaxes(0, -1)|x.astype(float)|x.astype(float, copy=False)|np.atleast_1d(x)|x.real|x[::2]
    np.expand_dims(x, 0)|np.transpose(x)|x[x == x]|np.ravel(x)|np.split(x, 1)[0]|np.nan_to_num(x)
    np.rollaxis(x, -1)|np.flip(x)|x[::-1]|np.moveaxis(x, 0, -1)|np.squeeze(x)|np.abs(x)
"""


def _listed(text: str) -> list[str]:
    return [part.strip() for line in text.strip().splitlines() for part in line.split("|")]


def numpy_snippets() -> Iterator[str]:
    for name, made in ARRAYS.items():
        for ufunc in UFUNCS.split():
            if name == "single" and ufunc in ROUGH.split():
                continue
            yield f"x = {made}\nprint(repr(np.{ufunc}(x)))"
        for function in OVER_AXES.split():
            for args in ("", ", axis=0", ", axis=-1", ", axis=1, keepdims=True"):
                yield f"x = {made}\nprint(repr(np.{function}(x{args})))"
        if name == "list":
            continue
        for expression in _listed(OF_ARRAYS):
            if name == "bytes" and re.search("hypot|logaddexp|heaviside", expression):
                continue  # which NumPy computes in 16 bits
            yield f"x = {made}\nprint({expression})"
            yield f"x = {made}\nr = {expression}\nprint(repr(r), getattr(r, 'dtype', ''))"
        for change in _listed(IN_ARRAYS):
            yield f"x = {made}\ny = x\n{change}\nprint(repr(x), y is x)"
        for number in ("1", "2.5", "True", "-2", "np.float32(0.5)", "np.int64(3)"):
            for sign in ("+", "-", "*", "/", "//", "%", "**", "<"):
                yield f"x = {made}\nprint(repr(x {sign} {number}), repr({number} {sign} x))"
    for expression in _listed(WITH_OTHERS):
        for a, b in (
            ("matrix", "short"), ("matrix", "matrix"), ("short", "number"), ("column", "matrix"),
            ("square", "column"), ("short", "short"), ("whole", "small"), ("matrix", "whole"),
            ("single", "short"), ("truths", "short"), ("number", "point"), ("cube", "matrix"),
            ("small", "bytes"), ("vector", "short"), ("truths", "truths"), ("single", "small"),
            ("odd", "number"), ("none", "number"), ("short", "list"), ("list", "short"),
        ):  # fmt: skip
            if "**" not in expression or a != "truths":  # which NumPy computes in 8 bits
                yield f"x = {ARRAYS[a]}\ny = {ARRAYS[b]}\nprint(repr({expression}))"
    draw = random.Random(7)
    for _ in range(700):
        made = ARRAYS[draw.choice(("point", "short", "matrix", "square", "cube", "whole"))]
        lines = [f"x = {made}"]
        for _ in range(draw.randint(1, 3)):
            lines.append(f"v = {draw.choice(_listed(SEEN))}")
            change = draw.choice(_listed(IN_ARRAYS))
            lines.append(change.replace("x", draw.choice("vx")) if "sqrt" not in change else change)
        yield "\n".join([*lines, "print(repr(x), repr(v))"])
