# kind: class
import math, random
random.seed(2)

class Value:

  def __init__(self, data, _children=(), _op='', label=''):
    self.data = data
    self.grad = 0.0
    self._backward = lambda: None
    self._prev = set(_children)
    self._op = _op
    self.label = label

  def __repr__(self):
    return f"Value(data={self.data})"

  def __add__(self, other):
    other = other if isinstance(other, Value) else Value(other)
    out = Value(self.data + other.data, (self, other), '+')

    def _backward():
      self.grad += 1.0 * out.grad
      other.grad += 1.0 * out.grad
    out._backward = _backward

    return out

  def __mul__(self, other):
    other = other if isinstance(other, Value) else Value(other)
    out = Value(self.data * other.data, (self, other), '*')

    def _backward():
      self.grad += other.data * out.grad
      other.grad += self.data * out.grad
    out._backward = _backward

    return out

  def __pow__(self, other):
    assert isinstance(other, (int, float)), "only supporting int/float powers for now"
    out = Value(self.data**other, (self,), f'**{other}')

    def _backward():
        self.grad += other * (self.data ** (other - 1)) * out.grad
    out._backward = _backward

    return out

  def __rmul__(self, other): # other * self
    return self * other

  def __truediv__(self, other): # self / other
    return self * other**-1

  def __neg__(self): # -self
    return self * -1

  def __sub__(self, other): # self - other
    return self + (-other)

  def __radd__(self, other): # other + self
    return self + other

  def tanh(self):
    x = self.data
    t = (math.exp(2*x) - 1)/(math.exp(2*x) + 1)
    out = Value(t, (self, ), 'tanh')

    def _backward():
      self.grad += (1 - t**2) * out.grad
    out._backward = _backward

    return out

  def exp(self):
    x = self.data
    out = Value(math.exp(x), (self, ), 'exp')

    def _backward():
      self.grad += out.data * out.grad # NOTE: in the video I incorrectly used = instead of +=. Fixed here.
    out._backward = _backward

    return out


  def backward(self):

    topo = []
    visited = set()
    def build_topo(v):
      if v not in visited:
        visited.add(v)
        for child in v._prev:
          build_topo(child)
        topo.append(v)
    build_topo(self)

    self.grad = 1.0
    for node in reversed(topo):
      node._backward()

class RNNCell:
    def __init__(self, n_hidden=2):
        r = lambda: Value(random.uniform(-0.5, 0.5))
        self.Wx = [r() for _ in range(n_hidden)]
        self.Wh = [[r() for _ in range(n_hidden)] for _ in range(n_hidden)]
        self.b = [Value(0.0)] * n_hidden      # shared on purpose? lol
        self.Wo = [r() for _ in range(n_hidden)]
    def step(self, x, h):
        return [(wx * x + sum(whj * hj for whj, hj in zip(wh, h)) + b).tanh()
                for wx, wh, b in zip(self.Wx, self.Wh, self.b)]
    def __call__(self, seq):
        h = [Value(0.0) for _ in self.Wx]
        for x in seq:
            h = self.step(x, h)
        return sum(w * hi for w, hi in zip(self.Wo, h))
    def parameters(self):
        return self.Wx + [w for row in self.Wh for w in row] + self.Wo + list(set(self.b))

cell = RNNCell()
print(len(cell.parameters()))
data = [([1, 0, 1], 1.0), ([0, 0, 0], 0.0), ([1, 1, 1], 1.0), ([0, 1, 0], 0.5)]
for epoch in range(15):
    loss = sum((cell(s) - t) ** 2 for s, t in data)
    for p in cell.parameters(): p.grad = 0.0
    loss.backward()
    norm = math.sqrt(sum(p.grad ** 2 for p in cell.parameters()))
    clip = min(1.0, 1.0 / (norm + 1e-12))
    for p in cell.parameters(): p.data -= 0.2 * clip * p.grad
    if epoch % 7 == 0: print(epoch, f'{loss.data:.5f}', f'{norm:.4f}')
for s, t in data: print(s, t, round(cell(s).data, 3))
