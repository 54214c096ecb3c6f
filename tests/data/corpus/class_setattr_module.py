# kind: class
class Parameter:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0
    def __repr__(self):
        return f"Parameter({self.data})"

class Module:
    def __init__(self):
        self._parameters = {}
        self._modules = {}
        self.training = True

    def __setattr__(self, name, value):
        if isinstance(value, Parameter):
            self._parameters[name] = value
        elif isinstance(value, Module):
            self._modules[name] = value
        super().__setattr__(name, value)

    def __call__(self, *a, **k):
        return self.forward(*a, **k)

    def named_parameters(self, prefix=""):
        for n, p in self._parameters.items():
            yield prefix + n, p
        for n, m in self._modules.items():
            yield from m.named_parameters(prefix + n + ".")

    def train(self, mode=True):
        self.training = mode
        for m in self._modules.values():
            m.train(mode)
        return self
    def eval(self):
        return self.train(False)

class Linear(Module):
    def __init__(self, w, b):
        super().__init__()
        self.w = Parameter(w)
        self.b = Parameter(b)
    def forward(self, x):
        return x * self.w.data + self.b.data

class Net(Module):
    def __init__(self):
        super().__init__()
        self.l1 = Linear(2.0, 1.0)
        self.l2 = Linear(-1.0, 0.5)
    def forward(self, x):
        return self.l2(max(0, self.l1(x)))

n = Net()
print(n(3.0))
for name, p in n.named_parameters():
    print(name, p)
n.eval()
print(n.training, n.l1.training)
print(list(vars(n.l1)))
