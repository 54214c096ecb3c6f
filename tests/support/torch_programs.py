"""Programs as they stand in courses of PyTorch."""

PROGRAMS: dict[str, str] = {
    "a pass": """
x = torch.tensor([1., 2., 3.], requires_grad=True)
y = (x**2).sum()
print(x, y)
y.backward()
print(x.grad, y.item(), x.grad[0], x.grad.sum(), f"{y:.3f} {y}")
with torch.no_grad():
    x -= 0.1 * x.grad
    x.grad.zero_()
print(x, x.grad, [v.item() for v in x])
""",
    "tensors of one number": """
a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(-3.0, requires_grad=True)
d = torch.relu(a * b + 10) * a
d.backward()
print(a, b, d, a.grad, b.grad, a.grad.item(), f"{a.grad}", a.data, a > b, a // 1, a % 1)
a.data -= 0.1 * a.grad
with torch.no_grad():
    a -= 0.1
    e = a * 2
print(a, e, e.requires_grad)
a.grad = None
print(a.grad)
""".replace("a // 1, ", ""),
    "weights of classes, classes left out": """
import torch.nn as nn
import torch.nn.functional as F
logits = torch.tensor([[2.0, 0.5, -1.0], [0.1, 1.2, 0.3], [0.0, 0.0, 3.0]], requires_grad=True)
targets = torch.tensor([0, 1, 2])
w = torch.tensor([1.0, 2.0, 0.5])
for kw in (
    dict(weight=w), dict(ignore_index=1), dict(weight=w, ignore_index=2),
    dict(weight=w, reduction='sum'), dict(weight=w, reduction='none'),
    dict(ignore_index=0, reduction='none'), dict(label_smoothing=0.1),
):
    logits.grad = None
    l = nn.CrossEntropyLoss(**kw)(logits, targets)
    print(kw.keys(), l, F.cross_entropy(logits, targets, **kw))
    l.sum().backward()
    print(logits.grad)
print(F.cross_entropy(logits, targets, w))
print(nn.CrossEntropyLoss()(logits, torch.tensor([-100, 1, -100])))
logs = F.log_softmax(logits, dim=1)
print(nn.NLLLoss(w)(logs, targets), F.nll_loss(logs, targets, ignore_index=1))
print(F.cross_entropy(logits, torch.tensor([-100, -100, -100])))
one = torch.tensor(1)
print(F.cross_entropy(logits[0], one, weight=w), F.cross_entropy(logits[0], one))
try: F.cross_entropy(logits, targets, weight=torch.tensor([1.0, 2.0]))
except RuntimeError as e: print(e)
try: F.cross_entropy(logits, torch.tensor([0, 1, 3]))
except IndexError as e: print(e)
print(nn.CrossEntropyLoss(weight=w))
""",
    "rates that fall on a plateau": """
import torch.nn as nn
p = nn.Parameter(torch.tensor([2.0]))
opt = torch.optim.SGD([p], lr=1.0)
for kw in (
    dict(factor=0.5, patience=1), dict(min_lr=0.3, patience=0, factor=0.5),
    dict(mode='max', patience=0, threshold=0.1, threshold_mode='abs', cooldown=2),
):
    opt.param_groups[0]['lr'] = 1.0
    s = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, **kw)
    rates = []
    for v in [1.0, 0.9, 0.9, 0.9, 0.95, torch.tensor(0.5), 0.5, 0.5, 0.5, 0.5, 0.49999, 0.2, 0.2]:
        s.step(v)
        rates.append(opt.param_groups[0]['lr'])
    print(rates, s.num_bad_epochs, s.best)
    print(s.get_last_lr())
try: torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=1.0)
except ValueError as e: print(e)
""",
    "gradients given, kept, reset": """
v = torch.tensor([1., 2.], requires_grad=True)
w = v * v
w.backward(torch.tensor([1., 0.5]))
kept = v.grad
print(kept)
v.grad = None
r = (v * 3).sum()
r.backward()
print(kept, v.grad, torch.autograd.grad((v**3).sum(), v)[0], v.grad)
h = v * 2
h.retain_grad()
(h * h).sum().backward()
print(h.grad, v.is_leaf, h.is_leaf)
""",
    "shapes": """
x = torch.arange(6).reshape(2, 3)
print(x, x.T, x[1], x[:, 1], x.sum(dim=0), x.max(), x.argmax(), x.shape, x.size(1), x[x > 2])
m, i = x.float().max(dim=1)
print(m, i, x.float().mean(), x.float().std(), x.tolist(), torch.where(x > 2, x, -x))
d = torch.zeros(2, 2)
d[0, 1] = 3
d[1] += 1
d[:, 0] = torch.tensor([7., 8.])
e = d.view(4)
e[0] = -1
print(d, d.T @ d, torch.stack((d, d)).shape, torch.cat((d, d), dim=1), d.mean(0, keepdim=True))
""",
    "mistakes": """
def t(f):
    try:
        print(f())
    except Exception as error:
        print(type(error).__name__, error)
a = torch.ones(2, 3)
w = torch.ones(3, requires_grad=True)
def change():
    global w
    w += 1
t(lambda: a @ a)
t(lambda: a + torch.ones(2))
t(lambda: a.sum().backward())
t(lambda: (w * 2).backward())
t(change)
t(lambda: w.numpy())
y = (w * w).sum()
y.backward()
t(lambda: y.backward())
t(lambda: torch.tensor([[1, 2], [3]]))
t(lambda: torch.tanh(2.0))
t(lambda: a[5])
t(lambda: a + [1, 2])
t(lambda: bool(a))
t(lambda: a.view(4, 2))
t(lambda: a.item())
""",
    "a network trained by SGD": """
torch.manual_seed(7)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 5), nn.Linear(5, 3)])
        self.act = nn.Tanh()
    def forward(self, x):
        for layer in self.layers[:-1]:
            x = self.act(layer(x))
        return self.layers[-1](x)
net, x, t = Net(), torch.randn(6, 4), torch.randint(0, 3, (6,))
loss_of = nn.CrossEntropyLoss()
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-3)
for i in range(3):
    loss = loss_of(net(x), t)
    net.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss:.4f}")
print(net, net(x).argmax(dim=1), F.softmax(net(x), dim=1), loss)
print([name for name, p in net.named_parameters()], sum(p.numel() for p in net.parameters()))
""",
    "a network trained by Adam": """
torch.manual_seed(1)
X = torch.rand(6, 2) * 2 - 1
y = ((X[:, 0] * X[:, 1]) > 0).float().view(-1, 1)
model = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 1), nn.Sigmoid())
loss_of, opt = nn.BCELoss(), torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(3):
    opt.zero_grad()
    out = model(X)
    loss = loss_of(out, y)
    loss.backward()
    opt.step()
    print(f"{epoch} {loss:.4f} {((out > 0.5).float() == y).float().mean():.2f}")
print(model, model[0].weight, out, opt.param_groups[0]["lr"], model.state_dict())
""",
    "an optimizer of the program's own": """
class Plain(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                p.data -= group["lr"] * p.grad
w = torch.tensor([1., 2.], requires_grad=True)
opt = Plain([w], 0.25)
(w * w).sum().backward()
opt.step()
opt.zero_grad()
print(w.tolist(), w.grad, opt.defaults)
try:
    torch.optim.Optimizer([w], {"lr": 1.0}).step()
except NotImplementedError as error:
    print(type(error).__name__)
""",
    "initial weights": """
torch.manual_seed(3)
layer, w = nn.Linear(5, 3), torch.empty(3, 5)
print(layer.weight, layer.bias)
for name in ("uniform_", "normal_", "zeros_", "ones_"):
    print(getattr(nn.init, name)(w))
for name in ("xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_"):
    print(getattr(nn.init, name)(w))
print(nn.init.kaiming_uniform_(w, a=5**0.5, mode="fan_out"))
print(nn.init.xavier_normal_(w, gain=nn.init.calculate_gain("relu")))
print(nn.init.constant_(w, 0.5), nn.init.calculate_gain("leaky_relu", 0.2))
""",
    "rows of probabilities": """
g = torch.Generator().manual_seed(2147483647)
W = torch.randn((5, 3), generator=g, requires_grad=True)
xs, ys = torch.tensor([0, 2, 4]), torch.tensor([1, 0, 2])
for k in range(2):
    counts = (F.one_hot(xs, num_classes=5).float() @ W).exp()
    probs = counts / counts.sum(1, keepdims=True)
    loss = -probs[torch.arange(3), ys].log().mean() + 0.01 * (W**2).mean()
    W.grad = None
    loss.backward()
    W.data += -10 * W.grad
    print(f"{loss.item():.4f}")
print(probs, W, torch.multinomial(probs[0], num_samples=4, replacement=True, generator=g))
""",
    "gradients of gradients": """
from torch.autograd import grad, Variable
t = torch.tensor(2.0, requires_grad=True)
f = t ** 4
g, = grad(f, t, create_graph=True)
h, = torch.autograd.grad(g, t, create_graph=True)
print(f, g, h, grad(h, t)[0], t.grad)
x = torch.tensor([-0.5, 0.25, 2.0], requires_grad=True)
y = torch.sin(x) * torch.exp(x) - torch.relu(x) / 2
slope, = grad(y, x, grad_outputs=torch.ones_like(y), create_graph=True)
print(slope.detach(), slope.requires_grad, slope.shape, grad(slope.sum(), x)[0])
a = Variable(torch.tensor([1.0, 2.0]), requires_grad=True)
inner, = grad((a.tanh() + a ** 3).sum() + a[0] * a[1], a, create_graph=True)
penalty = (inner ** 2).sum()
penalty.backward()
print(penalty, a.grad)
print(torch.autograd.functional.jacobian(lambda v: v ** 2 + v.sum(), torch.tensor([1., 2.])))
print(torch.autograd.functional.jacobian(lambda v: torch.stack([v[0], v.prod()]), torch.ones(2)))
print(torch.autograd.functional.hessian(lambda v: (v**3).sum() + v.prod(), torch.tensor([1., 2.])))
b, unused = torch.tensor(1.0, requires_grad=True), torch.tensor(1.0, requires_grad=True)
print(grad([b * 2, b * b], b), grad(b * 3, [b, unused], allow_unused=True))
for wrong in (lambda: grad(b * 3, unused), lambda: grad(b.detach(), b)):
    try:
        wrong()
    except RuntimeError as error:
        print(error)
""",
    "clipped gradients": """
w = torch.tensor([[3.0, 0.0], [0.0, 4.0]], requires_grad=True)
b = torch.tensor([12.0], requires_grad=True)
((w ** 2).sum() / 2 + (b ** 2).sum() / 2).backward()
print(torch.nn.utils.clip_grad_norm_([w, b], max_norm=1.0), w.grad, b.grad)
print(torch.nn.utils.clip_grad_norm_([w, b], 5.0), b.grad)
torch.nn.utils.clip_grad_value_([w, b], 0.25)
print(w.grad, b.grad, torch.nn.utils.parameters_to_vector([w, b]))
print(torch.nn.utils.clip_grad_norm_(torch.ones(2, requires_grad=True), 1.0))
""",
    "gradients of activations": """
import torch.nn.functional as F
for f in (F.relu6, F.softsign, F.tanhshrink, F.hardswish, F.hardsigmoid, F.hardshrink, F.softshrink,
          lambda v: F.prelu(v, torch.tensor([0.25])), lambda v: F.threshold(v, 0.5, 9.0)):
    x = torch.tensor([-4.0, -0.75, 0.25, 1.0, 7.0], requires_grad=True)
    f(x).sum().backward()
    print(x.grad)
x = torch.tensor([[1.0, 2.0, 0.5]], requires_grad=True)
F.cross_entropy(x, torch.tensor([1]), label_smoothing=0.3).backward()
print(x.grad)
w = torch.normal(0.0, 1.0, size=(2, 1), requires_grad=True)
print(w.requires_grad, w.is_leaf)
""",
    "buffers": """
class Scaled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.tensor([0.5, 2.0]))
        self.lin = torch.nn.Linear(2, 2)
        self.shift = torch.nn.Parameter(torch.zeros(2))
        self.register_buffer("seen", torch.zeros(1), persistent=False)
    def forward(self, x):
        return self.lin(x) * self.scale + self.shift
net = torch.nn.Sequential(Scaled(), torch.nn.Tanh())
state = net.state_dict()
print(list(state), [name for name, _ in net.named_parameters()], state["0.scale"])
other = torch.nn.Sequential(Scaled(), torch.nn.Tanh())
other[0].scale += 1
print(other[0].scale, other.load_state_dict(state), other[0].scale)
print([tuple(p.shape) for p in net.parameters()])
""",
    "rows picked by a range": """
p = torch.arange(12.0).view(3, 4)
p.requires_grad_()
picked = p[range(3), torch.tensor([1, 0, 3])]
picked.sum().backward()
print(picked, p.grad, p[range(1, 3)].shape)
""",
    "hooks": """
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
seen = []
y = x ** 2
y.register_hook(lambda grad: seen.append(("y", grad)))
z = y.mean()
z.register_hook(lambda grad: seen.append(("z", grad)))
doubled = x.register_hook(lambda grad: grad * 2)
z.backward()
print(seen, x.grad)
doubled.remove()
(x * 3).sum().backward()
print(x.grad, len(seen))
s = torch.tensor(2.0, requires_grad=True)
s.register_hook(print)
(s * s).backward()
try:
    torch.ones(2).register_hook(print)
except RuntimeError as error:
    print(error)
""",
    "tensors alike": """
b = torch.FloatTensor([[1, 2], [3, 4]])
print(b.new_zeros(2), b.new_ones(1, 2), b.new_full((2,), 7), b.new_tensor([1, 2]))
print(torch.LongTensor([1, 2]), torch.DoubleTensor([0.1]), torch.BoolTensor([1, 0]))
print(torch.IntTensor([3]).new_zeros((2, 2)), torch.get_default_dtype())
print(torch.tensor([1.23456, -0.5555]).round(decimals=2), torch.round(torch.tensor([2.5, 3.5])))
g = torch.Generator().manual_seed(4)
p = torch.softmax(torch.randn(3, 4, generator=g), 1)
print(torch.multinomial(p, 1, generator=g), torch.multinomial(p, 3, True, generator=g))
""",
    "modules by name": """
import torch.nn as nn
torch.manual_seed(2)
net = nn.ModuleDict({"a": nn.Linear(2, 3), "b": nn.Linear(3, 1)})
net["act"] = nn.Tanh()
print(net, "a" in net, len(net), list(net.keys()), [k for k in net])
x = torch.tensor([[1.0, -1.0]])
print(net["b"](net["act"](net["a"](x))), [n for n, _ in net.named_parameters()])
print([type(m).__name__ for m in net.values()], [k for k, _ in net.items()])
""",
    "normalised batches": """
bn = torch.nn.BatchNorm1d(3)
x = torch.tensor([[1., 2., 3.], [4., 5., 9.], [7., 8., 6.]], requires_grad=True)
print(bn)
y = bn(x)
(y * torch.arange(9.0).view(3, 3)).sum().backward()
print(y, bn.weight.grad, bn.bias.grad, x.grad.abs().max() < 10)
print(bn.running_mean, bn.running_var, bn.num_batches_tracked, list(bn.state_dict()))
bn.eval()
print(bn(x).detach())
try:
    bn.train()(torch.ones(1, 3))
except ValueError as error:
    print(error)
""",
}
