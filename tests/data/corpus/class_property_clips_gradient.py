# kind: class
class Parameter:
    def __init__(self, data, name="?"):
        self._data = data
        self._grad = None
        self.name = name
        self._hooks = []

    @property
    def data(self):
        return self._data

    @data.setter
    def data(self, x):
        if x != x:
            raise ValueError(f"{self.name} became nan")
        self._data = x

    @property
    def grad(self):
        return 0.0 if self._grad is None else self._grad

    @grad.setter
    def grad(self, g):
        for h in self._hooks:
            g = h(g)
        self._grad = g

    @grad.deleter
    def grad(self):
        self._grad = None

    def register_hook(self, f):
        self._hooks.append(f)
        return f

w = Parameter(0.5, name="w")

@w.register_hook
def clip(g):
    return max(-1.0, min(1.0, g))

def loss_and_grad(w):
    y = w * w * w - 4 * w
    return y, 3 * w * w - 4

for i in range(8):
    L, g = loss_and_grad(w.data)
    w.grad = g
    w.data -= 0.2 * w.grad
    print(f"{i}: L={L:+.4f} raw={g:+.3f} clipped={w.grad:+.3f} w={w.data:.4f}")
del w.grad
print(w.grad, w._grad)
try:
    w.data = float("nan")
except ValueError as e:
    print(e)
try:
    del w.data
except AttributeError as e:
    print(e)
