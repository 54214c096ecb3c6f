"""Short programs over the table of operations of NumPy and PyTorch, for a comparison with them.

Every snippet is a statement or several; what it prints is compared, or the exception that ends it.
They are made from tables: operations, shapes, types of elements, axes, changes in place, views,
and ways to ask for gradients. Numbers are chosen at kinks and ties, and so that results are exact
or far from a rounding of the last printed digit.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

TENSORS = {
    "number": "torch.tensor(2.)",
    "zero": "torch.tensor(0.)",
    "vector": "torch.tensor([3., -1., 0., 3., -2.])",
    "short": "torch.tensor([0.5, 2., 1.])",
    "matrix": "torch.tensor([[-1.5, 0., 2.], [0.75, 2., -3.]])",
    "square": "torch.tensor([[2., 1.], [1., 4.]])",
    "column": "torch.tensor([[1.], [-2.]])",
    "cube": "torch.arange(-4., 8.).reshape(2, 2, 3)",
    "double": "torch.tensor([0.25, -1., 6.], dtype=torch.float64)",
}
OTHERS = {
    "whole": "torch.tensor([[3, -1, 2], [0, 5, -4]])",
    "truths": "torch.tensor([True, False, True])",
    "small": "torch.tensor([7, -2, 3], dtype=torch.int32)",
    "count": "torch.tensor(3)",
}
SMOOTH = """
    exp sin cos tanh sigmoid relu abs neg square sign floor ceil round trunc atan frac
    softplus:F silu:F elu:F selu:F relu6:F hardtanh:F hardswish:F hardsigmoid:F leaky_relu:F
    softsign:F tanhshrink:F hardshrink:F softshrink:F mish:F celu:F logsigmoid:F positive
    isnan isfinite isinf signbit
"""
POSITIVE = """
    log sqrt reciprocal rsqrt log1p log2
"""
REDUCTIONS = """
    sum mean prod max min amax amin argmax argmin std var norm all any median logsumexp
    cumsum cumprod softmax log_softmax sort argsort flip diff count_nonzero nansum cummax
    cummin aminmax
"""
SHAPES = (
    "x.T", "x.t()", "x.reshape(-1)", "x.view(-1)", "x.flatten()", "x.ravel()", "x.squeeze()",
    "x.unsqueeze(0)", "x.unsqueeze(-1)", "x[None]", "x[..., None]", "x[...]", "x[:]", "x[0]",
    "x[-1]", "x[::2]", "x[1:]", "x[:, 0]", "x[:, None]", "x[0, 1]", "x[[0, 0]]", "x[:, [1, 0]]",
    "x[x > 0]", "x[torch.tensor([1, 0])]", "x.transpose(0, 1)", "x.permute(1, 0)",
    "x.expand(2, 3)", "x.expand(2, -1, -1)", "x.repeat(2, 1)", "x.repeat(2, 2)", "x.tile(2)",
    "x.diagonal()", "torch.diag(x)", "x.tril()", "x.triu(1)", "x.trace()", "x.clone()",
    "x.contiguous()", "x.detach()", "x.float()", "x.double()", "x.long()", "x.int()", "x.bool()",
    "torch.stack([x, x])", "torch.cat([x, x])", "torch.cat([x, x], dim=-1)", "x.chunk(2)",
    "x.split(1)", "x.unbind()", "torch.roll(x, 1)", "torch.roll(x, 1, 0)", "x.swapaxes(0, -1)",
    "x.movedim(0, -1)", "x.flip(0)", "x.narrow(0, 0, 1)", "x.select(0, 0)", "x.numel()",
    "x.shape", "x.size()", "x.dim()", "x.tolist()", "x.dtype", "x.stride()", "x.is_contiguous()",
    "F.pad(x, (1, 1))", "x.repeat_interleave(2)", "x.topk(2)", "x.item()", "len(x)", "list(x)",
    "float(x)", "bool(x)", "x.unflatten(0, (1, -1))", "torch.atleast_2d(x)", "x.mT", "+x", "~x",
    "torch.kron(x, x)", "torch.outer(x, x)", "torch.vander(x)", "x.masked_fill(x > 0, 9.)",
    "torch.where(x > 0, x, 0.)", "torch.where(x > 0, x, -x)", "x.clamp(0, 2)", "x.clamp(min=0)",
    "x.clamp(max=2)", "x.clip(-1, 3)", "x.index_select(0, torch.tensor([0]))", "x.pow(2)",
    "x.gather(0, torch.zeros_like(x).long())", "torch.einsum('i->', x)", "x.logsumexp(0)",
    "torch.einsum('ij->ji', x)", "torch.einsum('ij->i', x)", "torch.einsum('ii->i', x)",
    "torch.einsum('...i->...', x)", "x.nan_to_num()", "x.norm(p=1)", "x.norm(dim=0)",
    "x.var(unbiased=False)", "x.std(dim=0, correction=0)",
)  # fmt: skip
BINARY = (
    "x + y", "x - y", "x * y", "x / y", "x // y", "x % y", "x ** 2", "x ** y.abs()", "x @ y",
    "x @ y.T", "x == y", "x < y", "x >= y", "torch.maximum(x, y)", "torch.minimum(x, y)",
    "torch.where(x > y, x, y)", "torch.lerp(x, y, 0.5)", "torch.atan2(x, y)", "torch.dot(x, y)",
    "torch.fmod(x, y)", "torch.hypot(x, y)", "torch.stack([x, y])", "torch.cat([x, y])",
    "torch.cdist(x, y)", "torch.addcmul(x, x, y)", "torch.isclose(x, y)", "torch.outer(x, y)",
    "F.mse_loss(x, y)", "F.l1_loss(x, y)",
    "F.smooth_l1_loss(x, y)", "torch.matmul(x, y)", "torch.inner(x, y)", "torch.logaddexp(x, y)",
    "torch.true_divide(x, y)", "torch.remainder(x, y)", "torch.floor_divide(x, y)",
)  # fmt: skip
WITH_NUMBERS = (
    "x + 1", "1 - x", "x * 2.5", "2 / x", "x / 2", "x // 2", "x % 2", "x ** 3", "2 ** x", "-x",
    "x > 0", "x == 2", "True * x", "x + True", "x - 0.5", "x ** 0.5", "3 // x", "x & 1", "x | 1",
    "x ^ 1", "abs(x)", "round(x)",
)  # fmt: skip
CHANGES = (
    "x.add_(1)", "x.sub_(1)", "x.mul_(2)", "x.div_(2)", "x.pow_(2)", "x.exp_()", "x.sqrt_()",
    "x.tanh_()", "x.sigmoid_()", "x.relu_()", "x.abs_()", "x.neg_()", "x.clamp_(-1, 1)",
    "x.round_()", "x.floor_()", "x.zero_()", "x.fill_(7)", "x.copy_(x.detach() * 2)",
    "x.masked_fill_(x > 0, 5)", "x += 1", "x -= 2", "x *= 3", "x /= 2", "x **= 2", "x //= 2",
    "x %= 2", "x[0] = 7", "x[-1] += 1", "x[:1] *= 2", "x[...] = 7", "x[x > 0] = 0", "x[:] = 1",
    "x.t_()", "x.squeeze_()", "x.unsqueeze_(0)", "x.requires_grad_(False)", "x.detach_()",
    "x.index_fill_(0, torch.tensor([0]), 4.)", "x.lerp_(torch.ones_like(x), 0.5)", "x.sin_()",
    "x.reciprocal_()", "x.index_add_(0, torch.tensor([0]), torch.ones_like(x[:1]))", "x.sign_()",
    "x.scatter_(0, torch.zeros_like(x).long(), 9.)", "x.ceil_()", "x.cos_()", "x.log_()",
    "x.clamp_min_(0)", "x.addcmul_(x.detach(), x.detach())", "x[[0]] = 8.", "x[0] *= 2",
    "x.resize_(1)", "x.uniform_(0, 0)", "x.square_()", "x.add_(x.detach(), alpha=3)", "x.trunc_()",
)  # fmt: skip
VIEWS = (
    "x", "x[:]", "x.view(-1)", "x[0]", "x[..., 0]", "x.T", "x.detach()", "x.data", "x.reshape(-1)",
    "x[[0]]", "x.clone()", "x.unsqueeze(0)", "x.squeeze()", "x.diagonal()", "x.expand_as(x)",
    "x.flatten()", "x.unbind()[0]", "x.chunk(2)[0]", "x.numpy()", "x.contiguous()", "x.float()",
    "x.narrow(0, 0, 1)", "x.transpose(0, -1)", "x.to(torch.float32)", "torch.as_tensor(x)",
    "torch.tensor(x.tolist())", "x[None]", "x.movedim(0, -1)", "x.select(0, 0)", "x[1:]",
)  # fmt: skip
LOSSES = (
    "F.cross_entropy(x, torch.tensor([2, 0]))", "F.nll_loss(x, torch.tensor([1, 1]))",
    "F.cross_entropy(x, torch.tensor([2, 0]), reduction='sum')",
    "F.cross_entropy(x, torch.tensor([2, 0]), reduction='none')",
    "F.cross_entropy(x, torch.tensor([2, 0]), label_smoothing=0.25)",
    "F.cross_entropy(x, torch.tensor([2, 0]), weight=torch.tensor([1., 2., 0.5]))",
    "F.cross_entropy(x, torch.tensor([2, -100]))", "F.cross_entropy(x, torch.tensor([3, 0]))",
    "F.cross_entropy(x, torch.tensor([[.5, .25, .25], [0., 1., 0.]]))",
    "F.cross_entropy(x[None], torch.tensor([[0, 1, 1]]))",
    "F.cross_entropy(x[None], torch.tensor([[[.5, .1, 0.], [.5, .9, 1.]]]))",
    "F.nll_loss(F.log_softmax(x, 0), torch.tensor([1, 1]))", "F.softmin(x, dim=1)",
    "F.binary_cross_entropy(torch.sigmoid(x), (x > 0).float())",
    "F.binary_cross_entropy_with_logits(x, (x > 0).float())",
    "F.binary_cross_entropy_with_logits(x, (x > 0).float(), pos_weight=torch.tensor(2.))",
    "F.huber_loss(x, torch.ones_like(x))", "F.kl_div(F.log_softmax(x, 1), torch.ones(2, 3) / 3)",
    "F.mse_loss(x, torch.ones(3))", "F.mse_loss(x, torch.ones(2, 3), reduction='sum')",
    "F.hinge_embedding_loss(x, torch.ones_like(x))", "F.softplus(x, beta=2)",
    "F.gaussian_nll_loss(x, torch.zeros_like(x), torch.ones_like(x))", "F.glu(x[:, :2])",
    "F.layer_norm(x, (3,))", "F.normalize(x, dim=1)", "F.one_hot(torch.tensor([0, 2]), 3)",
    "F.linear(x, torch.ones(2, 3), torch.tensor([1., -1.]))", "F.dropout(x, 0.5, training=False)",
    "F.embedding(torch.tensor([1, 0, 1]), x)", "F.batch_norm(x, None, None, training=True)",
    "F.softmax(x, dim=0)", "F.relu(x * 1, inplace=True)", "nn.ReLU(inplace=True)(x * 1)",
    "nn.Softmax(dim=1)(x)", "nn.Flatten()(x)", "nn.LayerNorm(3)(x)", "nn.Tanh()(x)",
    "F.cosine_similarity(x, torch.ones(3), dim=1)", "nn.BatchNorm1d(3).eval()(x)",
    "nn.MSELoss()(x, x.detach() * 0)",
    "nn.CrossEntropyLoss()(x, torch.tensor([0, 1]))", "nn.Identity()(x)", "nn.ReLU()(x)",
    "nn.Hardtanh()(x)", "nn.Softplus(beta=2)(x)", "nn.LeakyReLU(0.5)(x)", "nn.ELU(alpha=2.)(x)",
    "F.poisson_nll_loss(x, torch.ones_like(x))", "F.threshold(x, 0., -1.)", "F.celu(x)",
    "F.margin_ranking_loss(x[0], x[1], torch.ones(3))", "F.max_pool1d(x[None], 2)",
    "F.avg_pool1d(x[None], 3)", "F.scaled_dot_product_attention(x[None], x[None], x[None])",
    "F.prelu(x, torch.tensor([0.5]))", "torch.addmm(torch.ones(2, 2), x, x.T)",
    "F.conv1d(x[None], torch.ones(1, 2, 2))", "nn.GroupNorm(1, 3)(x)", "F.cross_entropy(x, x)",
)  # fmt: skip
PASSES = (
    "y = x * 2\ny.backward(torch.ones_like(y))\ny.backward(torch.ones_like(y))\nprint(x.grad)",
    "y = x ** 2\ny.sum().backward(retain_graph=True)\ny.sum().backward()\nprint(x.grad)",
    "y = x ** 2\ns = y.sum()\ns.backward()\ns.backward()",
    "y = x.exp()\ny += 1\ny.sum().backward()\nprint(x.grad)",
    "y = x.exp()\nz = y * y\ny.mul_(2)\nz.sum().backward()\nprint(x.grad)",
    "y = x * 1\nz = y.sin()\ny.zero_()\nz.sum().backward()\nprint(x.grad)",
    "y = x * 1\nz = y + 1\ny.zero_()\nz.sum().backward()\nprint(x.grad)",
    "y = x.relu()\ny += 1\ny.sum().backward()\nprint(x.grad)",
    "y = x * 3\ny.mul_(y)\ny.sum().backward()\nprint(x.grad)",
    "y = x.tanh()\ny.data += 1\ny.sum().backward()\nprint(x.grad)",
    "y = x * 2\ny.retain_grad()\n(y ** 2).sum().backward()\nprint(y.grad)\nprint(x.grad)",
    "with torch.no_grad():\n    y = x * 2\nprint(y.requires_grad, y)",
    "with torch.no_grad():\n    x += 1\nprint(x)",
    "with torch.no_grad():\n    x *= 2\n(x * x).sum().backward()\nprint(x.grad)",
    "(x * x).sum().backward()\nx.grad *= 0.5\nprint(x.grad)",
    "(x * x).sum().backward()\nx.grad += 1\nprint(x.grad)",
    "(x * x).sum().backward()\nx.grad /= 4\nprint(x.grad)",
    "(x * x).sum().backward()\nx.grad.zero_()\nprint(x.grad)",
    "(x * x).sum().backward()\nx.grad = None\nprint(x.grad)",
    "(x * x).sum().backward()\ng = x.grad\n(x * 3).sum().backward()\nprint(g)",
    "(x * x).sum().backward()\nx.data -= 0.5 * x.grad\nprint(x)",
    "x.backward()", "x.sum().backward()\nprint(x.grad)", "x.detach().sum().backward()",
    "y = torch.zeros_like(x)\ny.copy_(x)\n(y ** 2).sum().backward()\nprint(x.grad)",
    "y = torch.zeros(2, *x.shape)\ny[0].copy_(x)\n(y ** 2).sum().backward()\nprint(x.grad)",
    "y = torch.zeros(2, *x.shape)\ny[1] = x * 3\n(y ** 2).sum().backward()\nprint(y, x.grad)",
    "y = x * 1\nv = y[..., :1] if y.dim() else y\nv.mul_(3)\ny.sum().backward()\nprint(y, x.grad)",
    "y = x * 1\nv = y.view(-1)\ny.add_(1)\nprint(v)\nv.sum().backward()\nprint(x.grad)",
    "y = x * 1\nz = y\nz *= 2\nprint(y)\ny.sum().backward()\nprint(x.grad)",
    "print(torch.autograd.grad((x ** 2).sum(), x))",
    "g, = torch.autograd.grad((x ** 3).sum(), x, create_graph=True)\ng.sum().backward()",
    "print(torch.autograd.grad(x.sum(), x, retain_graph=True), x.grad)",
    "y = x.detach()\ny += 1\nprint(x)", "y = x.data\ny *= 2\nprint(x)",
    "y = x.detach().numpy()\ny += 1\nprint(x, y)", "print(x.numpy())", "x += 1", "x[0] = 1",
    "o = torch.optim.SGD([x], lr=0.5)\n(x * x).sum().backward()\no.step()\nprint(x)",
    "o = torch.optim.SGD([x])\n(x * x).sum().backward()\no.zero_grad()\nprint(x.grad)",
    "o = torch.optim.SGD([x], 0.5, 0.5)\nfor _ in 0, 1:\n  (x + x).sum().backward()\n  o.step()",
    "o = torch.optim.Adam([x], lr=0.25)\n(x * x).sum().backward()\no.step()\nprint(x)",
    "y = (x * x).sum()\ny.div_(2)\ny.backward()\nprint(y, x.grad)",
    "s = torch.tensor(0.)\nfor v in [1., 2., 3.]:\n    s.add_(v)\nprint(s)",
    "s = torch.tensor(1.)\nt = s\nt += 1\nprint(s, t is s)",
    "s = torch.tensor(0.)\nfor v in x.reshape(-1):\n    s += v * v\ns.backward()\nprint(x.grad)",
    "def grow(t):\n    t += 1\ns = torch.tensor(1.)\ngrow(s)\nprint(s)",
    "y = x * 1\nz = x.detach()\ny[...] = 0\ny.sum().backward()\nprint(x.grad)",
    "y = x.clone()\ny[y > 0] = 0\ny.sum().backward()\nprint(x.grad)",
    "y = x.clone()\ny[:1] = x[-1:] * 2\ny.sum().backward()\nprint(x.grad)",
    "y = x.sigmoid()\nx.data.zero_()\ny.sum().backward()\nprint(x.grad)",
    "h = []\nx.register_hook(lambda g: h.append(g))\n(x * 2).sum().backward()\nprint(h)",
    "y = x.sum() * x.detach().sum()\ny.backward()\nprint(x.grad)",
    "print(x.is_leaf, (x * 2).is_leaf, x.detach().is_leaf, x.grad_fn, (x + 1).requires_grad)",
    "y = x.max()\ny.backward()\nprint(x.grad)",
    "y = x * x.mean()\ny.sum().backward()\nprint(x.grad)",
)  # fmt: skip


SHOW = """
def show(r, x):
    print(r)
    r = r[0] if isinstance(r, tuple) else r
    if isinstance(r, torch.Tensor) and r.requires_grad:
        (r * torch.arange(1., r.numel() + 1).reshape(r.shape)).sum().backward()
        print(x.grad)
"""
"""A function that prints a result and the gradient of its weighed sum, for x."""


def _weighed(result: str) -> str:
    return f"show({result}, x)"


def torch_snippets() -> Iterator[str]:
    every = TENSORS | OTHERS
    calls = [
        f"F.{name[:-2]}(x)" if name.endswith(":F") else f"torch.{name}(x)"
        for name in SMOOTH.split()
    ]
    after = "x.sum().backward()\nprint(w.grad)"
    for made in TENSORS.values():
        leaf = f"x = {made}.requires_grad_()\n"
        for call in calls:
            yield leaf + _weighed(call)
        for function in POSITIVE.split():
            yield f"x = ({made} ** 2 + 1).requires_grad_()\n" + _weighed(f"x.{function}()")
        for function in REDUCTIONS.split():
            for args in ("", "0", "-1", "dim=1, keepdim=True"):
                if function == "diff" and args:
                    continue  # which takes another argument first
                yield leaf + _weighed(f"x.{function}({args})")
        for expression in (*SHAPES, *WITH_NUMBERS):
            yield leaf + _weighed(expression)
        for statements in PASSES:
            yield leaf + statements
        for change in CHANGES:
            yield f"x = {made}\ny = x\n{change}\nprint(x, y is x)"
            yield f"w = {made}.requires_grad_()\nx = w * 1\n{change}\nprint(x)\n{after}"
    for made in OTHERS.values():
        for call in calls:
            yield f"x = {made}\nprint({call})"
        for function in REDUCTIONS.split():
            for args in ("", "0", "dim=-1, keepdim=True"):
                yield f"x = {made}\nprint(x.{function}({args}))"
        for expression in (*SHAPES, *WITH_NUMBERS):
            yield f"x = {made}\nprint({expression})"
        for change in CHANGES:
            yield f"x = {made}\ny = x\n{change}\nprint(x, y is x)"
    for expression in BINARY:
        for a, b in (
            ("matrix", "short"), ("matrix", "matrix"), ("short", "number"), ("column", "matrix"),
            ("square", "column"), ("short", "short"), ("whole", "small"), ("matrix", "whole"),
            ("double", "short"), ("truths", "short"), ("number", "zero"), ("cube", "matrix"),
            ("small", "count"), ("vector", "short"), ("truths", "truths"),
        ):  # fmt: skip
            floats = ".requires_grad_()" if a in TENSORS else ""
            yield f"x = {every[a]}{floats}\ny = {every[b]}\n" + _weighed(expression)
    for loss in LOSSES:
        yield f"x = {TENSORS['matrix']}.requires_grad_()\n" + _weighed(loss)
    yield from _sharing(random.Random(7), 700)


def _sharing(draw: random.Random, count: int) -> Iterator[str]:
    """Views, changes in place and passes in a random order."""
    for _ in range(count):
        made = TENSORS[draw.choice(("number", "short", "matrix", "square", "cube"))]
        start = draw.choice(("x = {}", "x = {}", "w = {}.requires_grad_()\nx = w * 1"))
        lines = [start.format(made)]
        for _ in range(draw.randint(1, 3)):
            lines.append(f"v = {draw.choice(VIEWS)}")
            lines.append(draw.choice(CHANGES).replace("x", draw.choice("vx")))
            if draw.random() < 0.3:
                lines.append("z = (x * x).sum()")
        lines.append("print(x, v)")
        if "w" in lines[0]:
            lines.append("(x * 2).sum().backward()\nprint(w.grad)")
        text = "\n".join(lines)
        if "numpy" not in text or not any(name in text for name in _ROUGH):
            yield text


_ROUGH = ("sin_()", "cos_()", "tanh_()", "exp_()", "sigmoid_()", "log_()")
"""Functions of 32-bit numbers whose last digits, which NumPy prints, are the processor's."""
