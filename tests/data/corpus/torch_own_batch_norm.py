# kind: torch
import torch
torch.manual_seed(42)
class BatchNorm1d:
    def __init__(self, dim, eps=1e-5, momentum=0.1):
        self.eps = eps
        self.momentum = momentum
        self.training = True
        self.gamma = torch.ones(dim)
        self.beta = torch.zeros(dim)
        self.running_mean = torch.zeros(dim)
        self.running_var = torch.ones(dim)
    def __call__(self, x):
        if self.training:
            xmean = x.mean(0, keepdim=True)
            xvar = x.var(0, keepdim=True)
        else:
            xmean = self.running_mean
            xvar = self.running_var
        xhat = (x - xmean) / torch.sqrt(xvar + self.eps)
        self.out = self.gamma * xhat + self.beta
        if self.training:
            with torch.no_grad():
                self.running_mean = (1 - self.momentum) * self.running_mean + self.momentum * xmean
                self.running_var = (1 - self.momentum) * self.running_var + self.momentum * xvar
        return self.out
    def parameters(self):
        return [self.gamma, self.beta]
class Linear:
    def __init__(self, fan_in, fan_out, bias=True):
        self.weight = torch.randn((fan_in, fan_out)) / fan_in**0.5
        self.bias = torch.zeros(fan_out) if bias else None
    def __call__(self, x):
        self.out = x @ self.weight
        if self.bias is not None:
            self.out += self.bias
        return self.out
    def parameters(self):
        return [self.weight] + ([] if self.bias is None else [self.bias])
class Tanh:
    def __call__(self, x):
        self.out = torch.tanh(x)
        return self.out
    def parameters(self):
        return []
layers = [Linear(4, 6, bias=False), BatchNorm1d(6), Tanh(), Linear(6, 3), BatchNorm1d(3)]
with torch.no_grad():
    layers[-1].gamma *= 0.1
params = [p for l in layers for p in l.parameters()]
print(sum(p.nelement() for p in params))
for p in params:
    p.requires_grad = True
X = torch.randn(12, 4)
Y = torch.randint(0, 3, (12,))
for i in range(4):
    x = X
    for l in layers:
        x = l(x)
    loss = torch.nn.functional.cross_entropy(x, Y)
    for l in layers:
        l.out.retain_grad()
    for p in params:
        p.grad = None
    loss.backward()
    for p in params:
        p.data += -0.1 * p.grad
    print(f"{i} {loss.item():.4f}")
for i, l in enumerate(layers):
    if isinstance(l, Tanh):
        t = l.out
        print('layer %d (%10s): mean %+.2f, std %.2f, saturated: %.2f%%' % (i, l.__class__.__name__, t.mean(), t.std(), (t.abs() > 0.97).float().mean()*100))
print(layers[1].running_mean.shape)
